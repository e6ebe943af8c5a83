package universe

import (
	"image"
	"math"
	"math/rand/v2"
)

// skew turns a picture clockwise about its middle; what comes in from outside is white. Between
// dots it takes the bilinear mean.
func skew(img *image.Gray, degrees float64) *image.Gray {
	if degrees == 0 {
		return img
	}
	w, h := img.Rect.Dx(), img.Rect.Dy()
	out := image.NewGray(image.Rect(0, 0, w, h))
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	cx, cy := float64(w)/2, float64(h)/2
	dot := func(x, y int) float64 {
		if x < 0 || y < 0 || x >= w || y >= h {
			return 255
		}
		return float64(img.Pix[y*img.Stride+x])
	}
	for y := range h {
		dy := float64(y) + .5 - cy
		for x := range w {
			dx := float64(x) + .5 - cx
			// The dot's middle turned back, as the middle of a dot.
			u, v := cx+dx*cos+dy*sin-.5, cy-dx*sin+dy*cos-.5
			fu, fv := math.Floor(u), math.Floor(v)
			a, b := u-fu, v-fv
			i, j := int(fu), int(fv)
			top := dot(i, j)*(1-a) + dot(i+1, j)*a
			low := dot(i, j+1)*(1-a) + dot(i+1, j+1)*a
			out.Pix[y*out.Stride+x] = uint8(top*(1-b) + low*b + .5)
		}
	}
	return out
}

// blur applies a Gaussian with a standard deviation in dots, cut at three of them; the edge repeats.
func blur(img *image.Gray, sigma float64) *image.Gray {
	if sigma <= 0 {
		return img
	}
	n := int(math.Ceil(3 * sigma))
	kernel := make([]float64, 2*n+1)
	sum := 0.0
	for i := range kernel {
		d := float64(i - n)
		kernel[i] = math.Exp(-d * d / (2 * sigma * sigma))
		sum += kernel[i]
	}
	for i := range kernel {
		kernel[i] /= sum
	}
	w, h := img.Rect.Dx(), img.Rect.Dy()
	across := make([]float64, w*h)
	for y := range h {
		row := img.Pix[y*img.Stride : y*img.Stride+w]
		for x := range w {
			v := 0.0
			for i, k := range kernel {
				v += k * float64(row[min(max(x+i-n, 0), w-1)])
			}
			across[y*w+x] = v
		}
	}
	out := image.NewGray(image.Rect(0, 0, w, h))
	line := make([]float64, w)
	for y := range h {
		clear(line)
		for i, k := range kernel {
			row := across[min(max(y+i-n, 0), h-1)*w:]
			for x := range line {
				line[x] += k * row[x]
			}
		}
		for x, v := range line {
			out.Pix[y*out.Stride+x] = uint8(min(v+.5, 255))
		}
	}
	return out
}

// speckle covers a share of the dots with specks of one or two by two dots, three of four black, the
// others white. It writes into a copy.
func speckle(img *image.Gray, share float64, r *rand.Rand) *image.Gray {
	if share <= 0 {
		return img
	}
	w, h := img.Rect.Dx(), img.Rect.Dy()
	out := image.NewGray(image.Rect(0, 0, w, h))
	for y := range h {
		copy(out.Pix[y*out.Stride:y*out.Stride+w], img.Pix[y*img.Stride:])
	}
	const mean = 2.5 // dots of a speck
	for range int(math.Round(share * float64(w*h) / mean)) {
		x, y, bits := r.IntN(w), r.IntN(h), r.Uint32()
		side, shade := 1+int(bits&1), uint8(0)
		if bits>>1&3 == 0 {
			shade = 255
		}
		for j := y; j < min(y+side, h); j++ {
			for i := x; i < min(x+side, w); i++ {
				out.Pix[j*out.Stride+i] = shade
			}
		}
	}
	return out
}
