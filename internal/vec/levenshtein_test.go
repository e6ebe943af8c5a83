package vec

import (
	"math/rand/v2"
	"testing"

	"github.com/agnivade/levenshtein"
	"pgregory.net/rapid"
)

// Expected distances: rapidfuzz 3.14.6, Levenshtein.distance.
func TestLevenshteinKnown(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"💩", "x", 1},
		{"cafe\u0301", "café", 2}, {"oﬃce", "office", 3}, {"\xff", "\ufffd", 0}, {"中文", "文中", 2},
	} {
		if got := Levenshtein(c.a, c.b); got != c.want {
			t.Errorf("Levenshtein(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
		if got := Levenshtein(c.b, c.a); got != c.want {
			t.Errorf("Levenshtein(%q, %q) = %d, want %d", c.b, c.a, got, c.want)
		}
	}
}

// noisy edits s at about the given rate.
func noisy(r *rand.Rand, s []rune, rate float64, letters int) []rune {
	var out []rune
	for _, c := range s {
		if r.Float64() >= rate {
			out = append(out, c)
			continue
		}
		switch r.IntN(4) {
		case 0:
		case 1:
			out = append(out, c, 'a'+rune(r.IntN(letters)))
		default:
			out = append(out, 'a'+rune(r.IntN(letters)))
		}
	}
	return out
}

// Every length around the word and strip borders, at all similarities, with few and many symbols,
// with moved and missing blocks, equals the full table.
func TestLevenshteinAgainstFullTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	lengths := []int{1, 5, 63, 64, 65, 100, 127, 128, 129, 130, 191, 192, 193, 256, 257, 300, 511, 700, 1000, 1500, 2500}
	for _, n := range lengths {
		for _, letters := range []int{2, 4, 26, 20000} {
			for _, rate := range []float64{0, .01, .05, .3, .6, 1} {
				a := make([]rune, n)
				for i := range a {
					a[i] = 'a' + rune(r.IntN(letters))
				}
				b := noisy(r, a, rate, letters)
				switch r.IntN(4) {
				case 0: // a moved block
					cut := r.IntN(len(b) + 1)
					b = append(b[cut:len(b):len(b)], b[:cut]...)
				case 1: // a missing end
					b = b[:len(b)-len(b)/(1+r.IntN(5))]
				}
				want := levenshtein.ComputeDistance(string(a), string(b))
				if got := LevenshteinRunes(a, b); got != want {
					t.Fatalf("n=%d letters=%d rate=%v: %d, want %d (agnivade/levenshtein 1.2.2)", n, letters, rate, got, want)
				}
				if got := LevenshteinRunes(b, a); got != want {
					t.Fatalf("n=%d letters=%d rate=%v reversed: %d, want %d", n, letters, rate, got, want)
				}
			}
		}
	}
}

func TestLevenshteinLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gen := rapid.StringOfN(rapid.RuneFrom([]rune("abcd é中💩")), 0, 300, -1)
		a, b, c := gen.Draw(t, "a"), gen.Draw(t, "b"), gen.Draw(t, "c")
		ab, ba, bc, ac := Levenshtein(a, b), Levenshtein(b, a), Levenshtein(b, c), Levenshtein(a, c)
		if want := levenshtein.ComputeDistance(a, b); ab != want {
			t.Fatalf("distance %d, want %d", ab, want)
		}
		if ab != ba {
			t.Fatalf("not symmetric: %d and %d", ab, ba)
		}
		if (ab == 0) != (a == b) {
			t.Fatalf("distance %d for equality %v", ab, a == b)
		}
		if ac > ab+bc {
			t.Fatalf("triangle: %d > %d + %d", ac, ab, bc)
		}
		if s := Similarity(a, b); s < 0 || s > 1 {
			t.Fatalf("similarity %v", s)
		}
	})
}

func TestLevenshteinMoreSymbolsThanIDs(t *testing.T) {
	a := make([]rune, 1<<16+10)
	for i := range a {
		a[i] = rune(i) + 1
	}
	w := pool.Get().(*work)
	defer pool.Put(w)
	if w.number(a, a) {
		t.Error("ids given to more symbols than fit")
	}
	if !w.number(a[:1<<16-2], a) {
		t.Error("no ids for as many symbols as fit")
	}
	if got := plain([]rune("kitten"), []rune("sitting")); got != 3 {
		t.Errorf("full table gives %d, want 3", got)
	}
}

func FuzzLevenshtein(f *testing.F) {
	f.Add("kitten", "sitting")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a)*len(b) > 1<<22 {
			return
		}
		if got, want := Levenshtein(a, b), plain([]rune(a), []rune(b)); got != want {
			t.Fatalf("%q %q: %d, want %d", a, b, got, want)
		}
	})
}

func BenchmarkLevenshtein10k(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	x := make([]rune, 10000)
	for i := range x {
		x[i] = 'a' + rune(r.IntN(26))
	}
	y := noisy(r, x, .1, 26)
	for b.Loop() {
		LevenshteinRunes(x, y)
	}
}
