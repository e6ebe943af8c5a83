package vec

import (
	"math"
	"sync"
)

//go:generate go run gen_amd64.go

// Panels holds a matrix packed for products with many rows: blocks of its rows, the numbers of one
// column side by side, the last block as narrow as the kernel allows. The zero value holds nothing; Set calls reuse its memory. Products are safe
// for concurrent use, Set calls are not.
type Panels struct {
	n, k int
	data []float32 // blocks of k × kernel.span
}

// kernel is what computes tiles on this processor.
type kernel struct {
	kind        kind
	rows, width int // of a tile
	unit        int // widths are multiples of it
	lanes       int // how many running maxima a row has
	square      int // how many numbers squares takes at once
}

type kind int

const (
	portable kind = iota
	avx2
	avx512
)

var kernels = [...]kernel{portable: {portable, 4, 8, 8, 1, 8}, avx2: {avx2, 4, 24, 8, 8, 16}, avx512: {avx512, 8, 48, 16, 16, 32}}

// The greatest tile and its rows of maxima.
const (
	maxTile = 8 * 48
	maxRows = 8 * 16
)

// active is the fastest kernel that the processor can run. Results of AVX2 and AVX-512 have the same
// bits; the portable one rounds after each product and so may differ in the last places.
var active = kernels[fastest()]

// SetRows packs n rows of k numbers, row i beginning at b[i*stride].
func (p *Panels) SetRows(b []float32, n, k, stride int) { p.set(active, b, n, k, stride, nil) }

func (p *Panels) set(ker kernel, b []float32, n, k, stride int, scale []float32) {
	within(b, n, k, stride)
	p.reserve(ker, n, k)
	var ones [16]float32
	for i := range ones {
		ones[i] = 1
	}
	for from := 0; from < n; from += ker.width {
		width := ker.span(n - from)
		block := p.data[from*k : (from+width)*k]
		for i := 0; i < width; {
			row := min(from+i, n-1) // rows beyond the last repeat it
			factor := ones[:1]
			if scale != nil {
				factor = scale[row:]
			}
			done := 0
			step := 1
			if ker.kind == avx512 && i%16 == 0 && row+16 <= n {
				if scale == nil {
					factor = ones[:]
				}
				if done = k &^ 3; done > 0 {
					transpose512(done, &b[row*stride], stride, &factor[0], &block[i], width)
				}
				step = 16
			}
			for r := range step {
				for c := done; c < k; c++ {
					block[c*width+i+r] = b[(row+r)*stride+c] * factor[r]
				}
			}
			i += step
		}
	}
}

// SetColumns packs the n columns of k rows, row i beginning at b[i*stride]: as SetRows of the
// transposed matrix.
func (p *Panels) SetColumns(b []float32, k, n, stride int) {
	within(b, k, n, stride)
	p.reserve(active, n, k)
	for from := 0; from < n; from += active.width {
		block := p.data[from*k:]
		w, width := min(active.width, n-from), active.span(n-from)
		for c := range k {
			dst := block[c*width : (c+1)*width]
			copy(dst, b[c*stride+from:c*stride+from+w])
			clear(dst[w:])
		}
	}
}

// span is how wide a block is that holds the first of n rows.
func (ker kernel) span(n int) int { return min((n+ker.unit-1)/ker.unit*ker.unit, ker.width) }

func (p *Panels) reserve(ker kernel, n, k int) {
	p.n, p.k = n, k
	size := (n + ker.unit - 1) / ker.unit * ker.unit * k
	if cap(p.data) < size {
		p.data = make([]float32, size)
	}
	p.data = p.data[:size]
}

// within panics where a matrix does not lie in its slice.
func within(x []float32, rows, columns, stride int) {
	if rows < 0 || columns < 0 || rows > 1 && stride < columns || rows > 0 && len(x) < (rows-1)*stride+columns {
		panic("vec: matrix is larger than its slice")
	}
}

// Mul is the product of m rows with the packed matrix: c[i*ldc+j] = Σ a[i*lda+x]·b[j][x] over its k
// numbers, for i < m and j < n. A row's result does not depend on the other rows.
func (p *Panels) Mul(c []float32, ldc int, a []float32, lda, m int) { p.mul(active, c, ldc, a, lda, m) }

func (p *Panels) mul(ker kernel, c []float32, ldc int, a []float32, lda, m int) {
	within(a, m, p.k, lda)
	within(c, m, p.n, ldc)
	if p.k == 0 {
		for i := range m {
			clear(c[i*ldc : i*ldc+p.n])
		}
		return
	}
	var tile [maxTile]float32
	full := m / ker.rows * ker.rows
	rest := lastRows(ker, a, lda, m, p.k)
	for from := 0; from < p.n; from += ker.width {
		panel := &p.data[from*p.k]
		w, width := min(ker.width, p.n-from), ker.span(p.n-from)
		for i := 0; i < m; i += ker.rows {
			left, stride, rows := rest, p.k, m-i
			if i < full {
				left, stride, rows = a[i*lda:], lda, ker.rows
				if w == width {
					ker.product(width, p.k, &left[0], lda, panel, &c[i*ldc+from], ldc)
					continue
				}
			}
			ker.product(width, p.k, &left[0], stride, panel, &tile[0], width)
			for r := range rows {
				copy(c[(i+r)*ldc+from:(i+r)*ldc+from+w], tile[r*width:])
			}
		}
	}
}

// lastRows copies the rows that fill no tile into one that is full: the last row is repeated.
func lastRows(ker kernel, a []float32, lda, m, k int) []float32 {
	full := m / ker.rows * ker.rows
	if full == m {
		return nil
	}
	out := make([]float32, ker.rows*k)
	for r := range ker.rows {
		row := min(full+r, m-1) * lda
		copy(out[r*k:(r+1)*k], a[row:row+k])
	}
	return out
}

// MaxCosines gives, for each row of a the greatest cosine with any row of b, and for each row of b
// the greatest with any of a. The matrices have dim numbers a row and as many rows as the results
// are long; numbers must be finite, and the cosine of a row of zeros with anything is 0. Where one
// matrix is empty the results of the other are left as they are.
// Source: the greedy matching of BERTScore, Zhang et al. 2020, section 3.
func MaxCosines(a, b []float32, dim int, rows, columns []float32) {
	maxCosines(active, a, b, dim, rows, columns)
}

// scratch keeps the memory of packed matrices from one call to the next.
var scratch = sync.Pool{New: func() any { return new(Panels) }}

func maxCosines(ker kernel, a, b []float32, dim int, rows, columns []float32) {
	m, n := len(rows), len(columns)
	within(a, m, dim, dim)
	within(b, n, dim, dim)
	if m == 0 || n == 0 {
		return
	}
	if dim == 0 {
		clear(rows)
		clear(columns)
		return
	}
	p := scratch.Get().(*Panels)
	defer scratch.Put(p)
	p.set(ker, b, n, dim, dim, inverseNorms(ker, b, dim, n))
	lowest := float32(math.Inf(-1))
	best := make([]float32, n+ker.unit)
	for i := range best {
		best[i] = lowest
	}
	scale := inverseNorms(ker, a, dim, m)
	for range ker.rows {
		scale = append(scale, scale[m-1])
	}
	full := m / ker.rows * ker.rows
	rest := lastRows(ker, a, dim, m, dim)
	var tile [maxTile]float32
	var lanes [maxRows]float32
	for i := 0; i < m; i += ker.rows {
		left := rest
		if i < full {
			left = a[i*dim:]
		}
		for l := range lanes {
			lanes[l] = lowest
		}
		for from := 0; from < n; from += ker.width {
			width := ker.span(n - from)
			ker.product(width, dim, &left[0], dim, &p.data[from*dim], &tile[0], width)
			ker.maxima(width, &tile[0], &scale[i], &lanes[0], &best[from])
		}
		for r := range min(ker.rows, m-i) {
			x := lanes[r*ker.lanes]
			for _, y := range lanes[r*ker.lanes : (r+1)*ker.lanes] {
				x = max(x, y)
			}
			rows[i+r] = x
		}
	}
	copy(columns, best)
}

// inverseNorms is 1 ÷ the length of each row, 0 for a row of zeros.
func inverseNorms(ker kernel, x []float32, dim, rows int) []float32 {
	out := make([]float32, rows, rows+8)
	var sums [16]float32
	body := dim / ker.square
	for i := range out {
		row := x[i*dim : (i+1)*dim]
		total := float32(0)
		if body > 0 {
			ker.squares(body, &row[0], &sums[0])
			for _, s := range sums[:max(ker.lanes, 1)] {
				total += s
			}
		}
		for _, v := range row[body*ker.square:] {
			total += float32(v * v)
		}
		if total > 0 {
			out[i] = 1 / float32(math.Sqrt(float64(total)))
		}
	}
	return out
}
