//go:build !amd64

package vec

func fastest() kind { return portable }

func transpose512(int, *float32, int, *float32, *float32, int) { panic("vec: no such kernel here") }

func (ker kernel) product(_, k int, a *float32, lda int, panel, c *float32, ldc int) {
	productPortable(k, a, lda, panel, c, ldc)
}

func (ker kernel) maxima(_ int, tile, scale, rows, columns *float32) {
	maximaPortable(tile, scale, rows, columns)
}

func (ker kernel) squares(blocks int, x, sums *float32) { squaresPortable(blocks, x, sums) }
