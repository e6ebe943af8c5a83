package datasets

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"enterprisedocbench/internal/tokens"
)

// randomWords draws n words of a vocabulary large enough that two texts share no run of five.
func randomWords(r *rand.Rand, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("w%d", r.IntN(5000))
	}
	return out
}

// variant replaces the last words of a text so that the two share the Jaccard similarity j of their
// five-word shingles as nearly as whole words allow: of S shingles d differ, and j = (S-d)/(S+d).
func variant(r *rand.Rand, words []string, j float64) []string {
	d := int(math.Round(float64(max(1, len(words)-shingleWords+1)) * (1 - j) / (1 + j)))
	return append(append([]string{}, words[:len(words)-d]...), randomWords(r, d)...)
}

// exactJaccard is the definition, by sets of strings.
func exactJaccard(a, b string) float64 {
	set := func(s string) map[string]bool {
		w := tokens.WordKeys(s)
		out := map[string]bool{}
		for i := 0; i+shingleWords <= len(w); i++ {
			out[strings.Join(w[i:i+shingleWords], " ")] = true
		}
		if len(w) > 0 && len(w) < shingleWords {
			out[strings.Join(w, " ")] = true
		}
		return out
	}
	x, y := set(a), set(b)
	both := 0
	for k := range x {
		if y[k] {
			both++
		}
	}
	if len(x)+len(y) == 0 {
		return 0
	}
	return float64(both) / float64(len(x)+len(y)-both)
}

func TestJaccardOfSketches(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1, 4, 5, 6, 60, 1000, 1028, 3000} {
		for _, j := range []float64{0, 0.3, 0.5, 0.8, 0.9, 1} {
			a := randomWords(r, n)
			b := variant(r, a, j)
			x, y := strings.Join(a, " "), strings.Join(b, ", ")
			got, want := jaccard(newSketch(x), newSketch(y)), exactJaccard(x, y)
			slack := 1e-12
			if n > sketchSize {
				slack = 5 * math.Sqrt(max(want*(1-want), 0.01)/sketchSize) // five standard errors of the sketch
			}
			if math.Abs(got-want) > slack {
				t.Errorf("%d words, aimed at %v: %v, by sets %v", n, j, got, want)
			}
			if back := jaccard(newSketch(y), newSketch(x)); back != got {
				t.Errorf("%d words: %v one way, %v the other", n, got, back)
			}
		}
	}
	if got := jaccard(newSketch(""), newSketch("...")); got != 0 {
		t.Errorf("texts without words share %v", got)
	}
	if got := jaccard(newSketch("The RENT is due\nat once."), newSketch("the rent is  due at once")); got != 1 {
		t.Errorf("case, punctuation and white space count: %v", got)
	}
}

// TestSignatureAgreesAsOftenAsJaccardSays holds the law of MinHash over many pairs: the share of equal
// places is an unbiased estimate of the similarity.
func TestSignatureAgreesAsOftenAsJaccardSays(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for _, j := range []float64{0.2, 0.5, 0.8, 0.95} {
		sum, want := 0.0, 0.0
		const pairs = 200
		for range pairs {
			a := randomWords(r, 300)
			b := variant(r, a, j)
			x, y := newSketch(strings.Join(a, " ")), newSketch(strings.Join(b, " "))
			want += jaccard(x, y)
			for i := range x.signature {
				if x.signature[i] == y.signature[i] {
					sum += 1.0 / permutations
				}
			}
		}
		got, want := sum/pairs, want/pairs
		// Standard error of one pair about sqrt(j(1-j)/128); of 200 pairs a fourteenth of it.
		if se := math.Sqrt(j*(1-j)/permutations/pairs) + 1e-9; math.Abs(got-want) > 5*se {
			t.Errorf("similarity %.3f: places agree %.4f, standard error %.4f", want, got, se)
		}
	}
}

func TestBandsFindWhatTheyShould(t *testing.T) {
	for _, s := range []float64{0.05, 0.3, 0.5, 0.7, 0.8, 0.9, 1} {
		b, r := bandsFor(s)
		if b < 1 || r < 1 || b*r > permutations {
			t.Fatalf("similarity %v: %d bands of %d rows", s, b, r)
		}
		found := 1 - math.Pow(1-math.Pow(s, float64(r)), float64(b))
		if found < 0.998 {
			t.Errorf("similarity %v: %d bands of %d rows find %.4f", s, b, r, found)
		}
	}
}

func FuzzSketch(f *testing.F) {
	f.Add("the rent is due at once", "the rent is due at last")
	f.Add("", "\xff\x00 a")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := newSketch(a), newSketch(b)
		j := jaccard(x, y)
		if !(j >= 0 && j <= 1) || j != jaccard(y, x) {
			t.Errorf("similarity %v, turned round %v", j, jaccard(y, x))
		}
		if self := jaccard(x, x); !x.empty() && self != 1 {
			t.Errorf("a text shares %v with itself", self)
		}
		if len(x.lowest) < sketchSize && len(y.lowest) < sketchSize && math.Abs(j-exactJaccard(a, b)) > 1e-12 {
			t.Errorf("similarity %v, by sets %v", j, exactJaccard(a, b))
		}
	})
}

func BenchmarkSketch(b *testing.B) {
	text := strings.Join(randomWords(rand.New(rand.NewPCG(1, 1)), 10000), " ")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		newSketch(text)
	}
}

func BenchmarkNearDuplicates(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var sketches []sketch
	for range 2000 {
		base := randomWords(r, 200)
		for _, j := range []float64{1, 0.9, 0.5} {
			sketches = append(sketches, newSketch(strings.Join(variant(r, base, j), " ")))
		}
	}
	b.ResetTimer()
	for b.Loop() {
		s := newSets(len(sketches))
		candidates{groups: buckets(sketches, DefaultNear), sketches: sketches, near: DefaultNear}.each(func(i, j int) bool { return s.root(i) != s.root(j) }, s.join)
	}
}
