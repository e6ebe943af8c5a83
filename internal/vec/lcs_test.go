package vec

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func plainLCS(a, b []rune) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			up := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(up, row[j])
			}
			diagonal = up
		}
	}
	return row[len(b)]
}

func TestLCSIsTheTableOfDynamicProgramming(t *testing.T) {
	symbols := rapid.SliceOfN(rapid.SampledFrom([]rune("abcdeé表😀 ")), 0, 300)
	rapid.Check(t, func(r *rapid.T) {
		a, b := symbols.Draw(r, "a"), symbols.Draw(r, "b")
		want := plainLCS(a, b)
		if got := LCS(a, b); got != want {
			r.Fatalf("LCS = %d, want %d", got, want)
		}
		if got := LCS(b, a); got != want {
			r.Fatalf("the other way: %d, want %d", got, want)
		}
	})
	for _, n := range []int{63, 64, 65, 128, 129} { // at the borders of words
		a := make([]rune, n)
		for i := range a {
			a[i] = rune('a' + i%7)
		}
		b := append([]rune{'x'}, a[1:]...)
		b[n-1] = 'y'
		if got := LCS(a, b); got != n-2 {
			t.Errorf("%d symbols: %d, want %d", n, got, n-2)
		}
	}
}

func BenchmarkLCS(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	x := make([]rune, 20000)
	for i := range x {
		x[i] = rune('a' + rng.IntN(26))
	}
	y := append([]rune{}, x...)
	for i := range y {
		if rng.IntN(4) == 0 {
			y[i] = 'z'
		}
	}
	for b.Loop() {
		LCS(x, y)
	}
}
