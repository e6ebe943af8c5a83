package stats

import (
	"math/rand/v2"
	"testing"
)

// three systems of 1,169 questions, rounded to three decimals: what the published figures have.
func threeSystems() [][]float64 {
	rng := rand.New(rand.NewPCG(8, 0))
	out := make([][]float64, 3)
	for range 1169 {
		base := rng.NormFloat64()*.2 + .5
		for s := range out {
			x := base + .03*float64(s) + .15*rng.NormFloat64()
			out[s] = append(out[s], float64(int(1000*min(1, max(0, x))))/1000)
		}
	}
	return out
}

func BenchmarkMean1169(b *testing.B) {
	v := threeSystems()[0]
	for b.Loop() {
		Mean(v, nil, Options{})
	}
}

func BenchmarkMeans1169x3(b *testing.B) {
	systems := threeSystems()
	for b.Loop() {
		Means(systems, nil, Options{})
	}
}

func BenchmarkSignFlip1169(b *testing.B) {
	s := threeSystems()
	diff := make([]float64, len(s[0]))
	for i := range diff {
		diff[i] = s[2][i] - s[0][i]
	}
	for b.Loop() {
		SignFlip(diff, nil, Options{})
	}
}

func BenchmarkThreeCoefficients1169(b *testing.B) {
	s := threeSystems()
	opt := CorrOptions{Options: Options{Method: Fisher}}
	for b.Loop() {
		Pearson(s[0], s[2], opt)
		Spearman(s[0], s[2], opt)
		Kendall(s[0], s[2], opt)
	}
}

func BenchmarkSpearmanBootstrap1169(b *testing.B) {
	s := threeSystems()
	opt := CorrOptions{Options: Options{Method: Percentile, Replicates: 1000}}
	for b.Loop() {
		Spearman(s[0], s[2], opt)
	}
}

func BenchmarkKendall(b *testing.B) {
	for _, size := range []struct {
		name string
		n    int
	}{{"1e3", 1e3}, {"1e4", 1e4}, {"1e5", 1e5}} {
		b.Run(size.name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 1))
			x, y := make([]float64, size.n), make([]float64, size.n)
			for i := range x {
				x[i], y[i] = rng.NormFloat64(), rng.NormFloat64()
			}
			opt := CorrOptions{Options: Options{Method: Fisher}}
			for b.Loop() {
				Kendall(x, y, opt)
			}
		})
	}
}
