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
func product512x1(k int, a *float32, lda int, panel, c *float32, ldc int)

//go:noescape
func maxima512x1(tile, scale, rows, columns *float32)

//go:noescape
func product512x2(k int, a *float32, lda int, panel, c *float32, ldc int)

//go:noescape
func maxima512x2(tile, scale, rows, columns *float32)

//go:noescape
func product512x3(k int, a *float32, lda int, panel, c *float32, ldc int)

//go:noescape
func maxima512x3(tile, scale, rows, columns *float32)

//go:noescape
func squares512(pairs int, x, sums *float32)

//go:noescape
func product256x1(k int, a *float32, lda int, panel, c *float32, ldc int)

//go:noescape
func maxima256x1(tile, scale, rows, columns *float32)

//go:noescape
func product256x2(k int, a *float32, lda int, panel, c *float32, ldc int)

//go:noescape
func maxima256x2(tile, scale, rows, columns *float32)

//go:noescape
func product256x3(k int, a *float32, lda int, panel, c *float32, ldc int)

//go:noescape
func maxima256x3(tile, scale, rows, columns *float32)

//go:noescape
func squares256(pairs int, x, sums *float32)

//go:noescape
func transpose512(k int, src *float32, stride int, scale, dst *float32, step int)

func (ker kernel) product(width int, k int, a *float32, lda int, panel, c *float32, ldc int) {
	switch vectors := width / ker.unit; {
	case ker.kind == avx512 && vectors == 3:
		product512x3(k, a, lda, panel, c, ldc)
	case ker.kind == avx512 && vectors == 2:
		product512x2(k, a, lda, panel, c, ldc)
	case ker.kind == avx512 && vectors == 1:
		product512x1(k, a, lda, panel, c, ldc)
	case ker.kind == avx2 && vectors == 3:
		product256x3(k, a, lda, panel, c, ldc)
	case ker.kind == avx2 && vectors == 2:
		product256x2(k, a, lda, panel, c, ldc)
	case ker.kind == avx2 && vectors == 1:
		product256x1(k, a, lda, panel, c, ldc)
	default:
		productPortable(k, a, lda, panel, c, ldc)
	}
}

func (ker kernel) maxima(width int, tile, scale, rows, columns *float32) {
	switch vectors := width / ker.unit; {
	case ker.kind == avx512 && vectors == 3:
		maxima512x3(tile, scale, rows, columns)
	case ker.kind == avx512 && vectors == 2:
		maxima512x2(tile, scale, rows, columns)
	case ker.kind == avx512 && vectors == 1:
		maxima512x1(tile, scale, rows, columns)
	case ker.kind == avx2 && vectors == 3:
		maxima256x3(tile, scale, rows, columns)
	case ker.kind == avx2 && vectors == 2:
		maxima256x2(tile, scale, rows, columns)
	case ker.kind == avx2 && vectors == 1:
		maxima256x1(tile, scale, rows, columns)
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
