package encoder

import "math"

// gelu replaces each x by x·Φ(x), Φ the normal distribution, to within 3e-7.
func gelu(x []float32) {
	for i, v := range x {
		switch at := (v + phiEdge) * phiCells; {
		case at <= 0:
			x[i] = 0
		case at >= 2*phiEdge*phiCells:
		default:
			cell := int(at)
			c, t := &phi[cell], at-float32(cell)
			x[i] = v * (c[0] + t*(c[1]+t*(c[2]+t*c[3])))
		}
	}
}

const (
	phiEdge  = 6  // beyond it Φ is 0 or 1 in the precision at hand
	phiCells = 32 // cells to one unit of x
)

// phi holds the cubic of Φ on each cell that has Φ's values and slopes at both ends.
var phi = func() (t [2*phiEdge*phiCells + 1][4]float32) {
	value := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	slope := func(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) / phiCells }
	for i := range t {
		a := float64(i)/phiCells - phiEdge
		b := a + 1.0/phiCells
		rise, s, e := value(b)-value(a), slope(a), slope(b)
		t[i] = [4]float32{float32(value(a)), float32(s), float32(3*rise - 2*s - e), float32(s + e - 2*rise)}
	}
	return t
}()

// softmax replaces each row of x, of n numbers, by e^(scale·x) ÷ their sum over the row.
func softmax(x []float32, n int, scale float32) {
	for ; len(x) >= n && n > 0; x = x[n:] {
		row := x[:n]
		top := row[0]
		for _, v := range row {
			if v > top {
				top = v
			}
		}
		sum := float32(0)
		for i, v := range row {
			e := exp((v - top) * scale)
			row[i] = e
			sum += e
		}
		inverse := 1 / sum
		for i := range row {
			row[i] *= inverse
		}
	}
}

// exp is e^x for x ≤ 0, to within 2e-7 of the value; 0 below -87.
func exp(x float32) float32 {
	if x < -87 {
		return 0
	}
	const high, low = 0.693359375, -2.12194440e-4 // ln 2 in two parts
	n := int32(x*math.Log2E - .5)
	f := float32(n)
	r := x - f*high - f*low
	p := float32(1.9875691500e-4)
	for _, c := range [...]float32{1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1} {
		p = p*r + c
	}
	return (p*r*r + r + 1) * math.Float32frombits(uint32(n+127)<<23)
}
