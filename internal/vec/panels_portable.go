package vec

import "unsafe"

// productPortable, maximaPortable and squaresPortable compute what the kernels in assembly do, with the tile
// of kernels[portable].

func productPortable(k int, a *float32, lda int, panel, c *float32, ldc int) {
	ker := kernels[portable]
	left := unsafe.Slice(a, (ker.rows-1)*lda+k)
	right := unsafe.Slice(panel, k*ker.width)
	out := unsafe.Slice(c, (ker.rows-1)*ldc+ker.width)
	for r := range ker.rows {
		var s0, s1, s2, s3, s4, s5, s6, s7 float32
		row := left[r*lda : r*lda+k]
		for i, x := range row {
			b := (*[8]float32)(right[8*i:])
			s0 += float32(x * b[0])
			s1 += float32(x * b[1])
			s2 += float32(x * b[2])
			s3 += float32(x * b[3])
			s4 += float32(x * b[4])
			s5 += float32(x * b[5])
			s6 += float32(x * b[6])
			s7 += float32(x * b[7])
		}
		copy(out[r*ldc:], []float32{s0, s1, s2, s3, s4, s5, s6, s7})
	}
}

func maximaPortable(tile, scale, rows, columns *float32) {
	ker := kernels[portable]
	t, s := unsafe.Slice(tile, ker.rows*ker.width), unsafe.Slice(scale, ker.rows)
	rs, cs := unsafe.Slice(rows, ker.rows), unsafe.Slice(columns, ker.width)
	for r := range rs {
		for c := range cs {
			x := t[r*ker.width+c] * s[r]
			if x > rs[r] {
				rs[r] = x
			}
			if x > cs[c] {
				cs[c] = x
			}
		}
	}
}

func squaresPortable(blocks int, x, sums *float32) {
	v := unsafe.Slice(x, blocks*kernels[portable].square)
	*sums = Dot(v, v)
}
