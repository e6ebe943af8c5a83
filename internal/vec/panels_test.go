package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// here lists the kernels that this processor can run.
func here() []kernel { return kernels[:fastest()+1] }

func numbers(g *rand.Rand, n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(g.NormFloat64())
	}
	return out
}

func TestMulIsTheProduct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, n, k := rapid.IntRange(0, 20).Draw(t, "m"), rapid.IntRange(0, 110).Draw(t, "n"), rapid.IntRange(0, 40).Draw(t, "k")
		lda, ldb, ldc := k+rapid.IntRange(0, 3).Draw(t, "lda"), k+rapid.IntRange(0, 3).Draw(t, "ldb"), n+rapid.IntRange(0, 3).Draw(t, "ldc")
		g := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		a, b := numbers(g, m*lda), numbers(g, n*ldb)
		var first []float32
		for _, ker := range here() {
			var p Panels
			p.set(ker, b, n, k, ldb, nil)
			c := make([]float32, m*ldc)
			for i := range c {
				c[i] = 99
			}
			p.mul(ker, c, ldc, a, lda, m)
			for i := range m {
				for j := range ldc {
					got := float64(c[i*ldc+j])
					if j >= n {
						if got != 99 {
							t.Fatalf("kernel %d wrote beside the result: row %d, column %d", ker.kind, i, j)
						}
						continue
					}
					want, size := 0.0, 0.0
					for x := range k {
						v := float64(a[i*lda+x]) * float64(b[j*ldb+x])
						want, size = want+v, size+math.Abs(v)
					}
					if math.Abs(got-want) > 1e-6*size {
						t.Fatalf("kernel %d: c[%d][%d] = %v, want %v", ker.kind, i, j, got, want)
					}
				}
			}
			if ker.kind == avx2 {
				first = c
			}
			for i := range first {
				if ker.kind == avx512 && c[i] != first[i] {
					t.Fatalf("AVX2 and AVX-512 differ at %d: %v, %v", i, first[i], c[i])
				}
			}
		}
	})
}

func TestSetColumnsIsSetRowsOfTheTransposed(t *testing.T) {
	g := rand.New(rand.NewPCG(7, 7))
	for _, size := range [][2]int{{1, 1}, {5, 32}, {32, 50}, {40, 97}} {
		k, n := size[0], size[1]
		b := numbers(g, k*(n+2))
		turned := make([]float32, n*k)
		for i := range k {
			for j := range n {
				turned[j*k+i] = b[i*(n+2)+j]
			}
		}
		var p, q Panels
		p.SetColumns(b, k, n, n+2)
		q.SetRows(turned, n, k, k)
		a := numbers(g, 9*k)
		x, y := make([]float32, 9*n), make([]float32, 9*n)
		p.Mul(x, n, a, k, 9)
		q.Mul(y, n, a, k, 9)
		for i := range x {
			if x[i] != y[i] {
				t.Fatalf("%v: number %d is %v by columns, %v by rows", size, i, x[i], y[i])
			}
		}
	}
}

func TestRowsDoNotDependOnOtherRows(t *testing.T) {
	g := rand.New(rand.NewPCG(3, 3))
	a, b := numbers(g, 11*30), numbers(g, 70*30)
	var p Panels
	p.SetRows(b, 70, 30, 30)
	all, one := make([]float32, 11*70), make([]float32, 70)
	p.Mul(all, 70, a, 30, 11)
	for i := range 11 {
		p.Mul(one, 70, a[i*30:], 30, 1)
		for j := range one {
			if one[j] != all[i*70+j] {
				t.Fatalf("row %d alone has %v at %d, among others %v", i, one[j], j, all[i*70+j])
			}
		}
	}
}

func TestMaxCosines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, n, dim := rapid.IntRange(1, 30).Draw(t, "m"), rapid.IntRange(1, 110).Draw(t, "n"), rapid.IntRange(1, 90).Draw(t, "dim")
		g := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		a, b := numbers(g, m*dim), numbers(g, n*dim)
		if rapid.Bool().Draw(t, "zeros") {
			clear(a[:dim])
			clear(b[(n-1)*dim:])
		}
		for i := range a {
			a[i] = a[i]/4 - 1 // so that cosines below zero are the greatest at times
		}
		cosine := func(i, j int) float64 {
			x, y := a[i*dim:(i+1)*dim], b[j*dim:(j+1)*dim]
			d, p, q := 0.0, 0.0, 0.0
			for z := range x {
				d, p, q = d+float64(x[z])*float64(y[z]), p+float64(x[z])*float64(x[z]), q+float64(y[z])*float64(y[z])
			}
			if p == 0 || q == 0 {
				return 0
			}
			return d / math.Sqrt(p) / math.Sqrt(q)
		}
		for _, ker := range here() {
			rows, columns := make([]float32, m), make([]float32, n)
			maxCosines(ker, a, b, dim, rows, columns)
			for i := range m {
				want := math.Inf(-1)
				for j := range n {
					want = max(want, cosine(i, j))
				}
				if math.Abs(float64(rows[i])-want) > 2e-6 {
					t.Fatalf("kernel %d: row %d has %v, want %v", ker.kind, i, rows[i], want)
				}
			}
			for j := range n {
				want := math.Inf(-1)
				for i := range m {
					want = max(want, cosine(i, j))
				}
				if math.Abs(float64(columns[j])-want) > 2e-6 {
					t.Fatalf("kernel %d: column %d has %v, want %v", ker.kind, j, columns[j], want)
				}
			}
		}
	})
}

func TestMatrixLargerThanItsSlicePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	new(Panels).SetRows(make([]float32, 5), 2, 3, 3)
}

func BenchmarkMul(b *testing.B) {
	g := rand.New(rand.NewPCG(1, 1))
	for _, k := range []int{384, 1536} {
		a, w, c := numbers(g, 200*k), numbers(g, 384*k), make([]float32, 200*384)
		for _, ker := range here() {
			b.Run(fmt.Sprintf("200x384x%d/%s", k, []string{"portable", "avx2", "avx512"}[ker.kind]), func(b *testing.B) {
				var p Panels
				p.set(ker, w, 384, k, k, nil)
				for b.Loop() {
					p.mul(ker, c, 384, a, k, 200)
				}
				b.ReportMetric(2*200*384*float64(k)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFLOPS")
			})
		}
	}
}

func BenchmarkMaxCosines(b *testing.B) {
	g := rand.New(rand.NewPCG(1, 1))
	x, y := numbers(g, 200*768), numbers(g, 200*768)
	rows, columns := make([]float32, 200), make([]float32, 200)
	for b.Loop() {
		MaxCosines(x, y, 768, rows, columns)
	}
}
