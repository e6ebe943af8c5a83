package vec

import "golang.org/x/sys/cpu"

func fastest() kind {
	switch x := &cpu.X86; {
	case x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512VL:
		return avx512
	case x.HasAVX2 && x.HasFMA:
		return avx2
	}
	return portable
}

//go:noescape
func product512(k int, a *float32, lda int, panel, c *float32, ldc int)

//go:noescape
func product256(k int, a *float32, lda int, panel, c *float32, ldc int)

//go:noescape
func maxima512(tile, scale, rows, columns *float32)

//go:noescape
func maxima256(tile, scale, rows, columns *float32)

//go:noescape
func squares512(pairs int, x, sums *float32)

//go:noescape
func squares256(pairs int, x, sums *float32)

//go:noescape
func transpose512(k int, src *float32, stride int, scale, dst *float32, step int)

func (ker kernel) product(k int, a *float32, lda int, panel, c *float32, ldc int) {
	switch ker.kind {
	case avx512:
		product512(k, a, lda, panel, c, ldc)
	case avx2:
		product256(k, a, lda, panel, c, ldc)
	default:
		productPortable(k, a, lda, panel, c, ldc)
	}
}

func (ker kernel) maxima(tile, scale, rows, columns *float32) {
	switch ker.kind {
	case avx512:
		maxima512(tile, scale, rows, columns)
	case avx2:
		maxima256(tile, scale, rows, columns)
	default:
		maximaPortable(tile, scale, rows, columns)
	}
}

func (ker kernel) squares(blocks int, x, sums *float32) {
	switch ker.kind {
	case avx512:
		squares512(blocks, x, sums)
	case avx2:
		squares256(blocks, x, sums)
	default:
		squaresPortable(blocks, x, sums)
	}
}
