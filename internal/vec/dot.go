package vec

// Dot is the inner product of a and b over the length of a; b must be at least as long. It keeps
// eight partial sums, joined in a fixed order, so the same numbers give the same bits everywhere.
// The product of empty slices is 0.
func Dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	for len(a) >= 8 && len(b) >= 8 {
		s0 += float32(a[0] * b[0])
		s1 += float32(a[1] * b[1])
		s2 += float32(a[2] * b[2])
		s3 += float32(a[3] * b[3])
		s4 += float32(a[4] * b[4])
		s5 += float32(a[5] * b[5])
		s6 += float32(a[6] * b[6])
		s7 += float32(a[7] * b[7])
		a, b = a[8:], b[8:]
	}
	for i := range a {
		s0 += float32(a[i] * b[i])
	}
	return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
}

// Axpy adds s times x to y in place, over the length of x; y must be at least as long.
func Axpy(s float32, x, y []float32) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += float32(s * v)
	}
}

// Norm is the Euclidean length of a; 0 for an empty slice.
func Norm(a []float32) float32 {
	var s float64
	for _, v := range a {
		s += float64(v) * float64(v)
	}
	return sqrt32(s)
}

// Normalize divides a by its length in place. A vector of zeros, or one whose length is not
// finite, becomes all zeros: its cosine with anything is then 0.
func Normalize(a []float32) {
	n := Norm(a)
	if !(n > 0) || n > maxFloat32 {
		clear(a)
		return
	}
	inv := 1 / n
	for i := range a {
		a[i] *= inv
	}
}
