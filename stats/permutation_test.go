package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSignFlipTriesAllPatterns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		diff := few(t, "diff", 2, 9)
		var docs [][]string
		if rapid.Bool().Draw(t, "linked") {
			for i := range diff {
				docs = append(docs, []string{fmt.Sprint(i / 2)})
			}
		}
		got := SignFlip(diff, docs, Options{})
		sums := map[int]float64{}
		for i, d := range diff {
			if docs != nil {
				i /= 2
			}
			sums[i] += d
		}
		if len(sums) == 1 {
			if got.P != nil || got.Reason == "" {
				t.Fatalf("one cluster: %+v", got)
			}
			return
		}
		observed, extreme := 0.0, 0
		for _, s := range sums {
			observed += s
		}
		for p := range 1 << len(sums) {
			sum := 0.0
			for i, s := range sums {
				sum += s * float64(1-2*(p>>i&1))
			}
			if math.Abs(sum) >= math.Abs(observed)-1e-12 {
				extreme++
			}
		}
		if want := float64(extreme) / float64(int(1)<<len(sums)); math.Abs(*got.P-want) > 1e-15 {
			t.Fatalf("p %g, all patterns give %g", *got.P, want)
		}
		if math.Abs(*got.Statistic-observed/float64(len(diff))) > 1e-12 {
			t.Fatalf("statistic %g, mean %g", *got.Statistic, observed/float64(len(diff)))
		}
	})
}

// Twenty clusters are exact; a twenty-first that is tiny makes the same test a random one.
func TestRandomSignFlipsAgreeWithExactOnes(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for _, shift := range []float64{0, .3, .6, 1} {
		var diff []float64
		for range exactClusters {
			diff = append(diff, rng.NormFloat64()+shift)
		}
		exact := SignFlip(diff, nil, Options{})
		random := SignFlip(append(diff, 1e-6), nil, Options{Replicates: 20000})
		if !strings.HasPrefix(exact.Method, "exact") || strings.HasPrefix(random.Method, "exact") {
			t.Fatalf("methods %q and %q", exact.Method, random.Method)
		}
		se := math.Sqrt(*exact.P * (1 - *exact.P) / 20000)
		near(t, "random p", random.P, *exact.P, 4*se+2e-4)
	}
}

func TestSignFlipSaysWhatItCannot(t *testing.T) {
	if got := SignFlip(nil, nil, Options{}); got.P != nil || got.Statistic != nil || got.Reason != "no values" {
		t.Errorf("nothing: %+v", got)
	}
	if got := SignFlip([]float64{1, math.NaN()}, nil, Options{}); got.P != nil || got.Reason != "value 2 is not a finite number" {
		t.Errorf("NaN: %+v", got)
	}
	one := [][]string{{"a"}, {"a", "b"}, {"b"}}
	if got := SignFlip([]float64{1, 2, 3}, one, Options{}); got.P != nil || *got.Statistic != 2 || !strings.Contains(got.Reason, "one cluster") {
		t.Errorf("one cluster: %+v", got)
	}
	if got := SignFlip(make([]float64, 30), nil, Options{}); *got.P != 1 || *got.Statistic != 0 || got.Effect != nil || len(got.Warnings) != 1 {
		t.Errorf("no differences: %+v", got)
	}
	if got := SignFlip([]float64{1, 2, 3, 4, 5}, nil, Options{}); *got.P != 1./16 || !strings.Contains(strings.Join(got.Warnings, ";"), "no p below 0.062 is possible") {
		t.Errorf("five clusters: %+v", got)
	}
	diff := slices.Repeat([]float64{1, 2}, 500)
	if got := SignFlip(diff, nil, Options{Replicates: 99}); *got.P != .01 {
		t.Errorf("all differences are positive: p %g of 99 patterns", *got.P)
	}
	near(t, "effect", SignFlip(diff, nil, Options{Replicates: 9}).Effect, *CohenDz(diff), 0)
	linked := make([][]string, len(diff))
	for i := range 300 {
		linked[i] = []string{"large"}
	}
	if got := SignFlip(diff, linked, Options{Replicates: 99}); !strings.Contains(strings.Join(got.Warnings, ";"), "one of 701 clusters holds 30 % of the units") {
		t.Errorf("a large cluster: %v", got.Warnings)
	}
}

// Rounding must not tell patterns apart that are equally extreme.
func TestSignFlipTakesRoundedSumsAsEqual(t *testing.T) {
	diff := []float64{.1, .2, .3, -.6, .7, .1, -.4, .3, .2, .1}
	var tenfold []float64
	for _, d := range diff {
		tenfold = append(tenfold, math.Round(10*d))
	}
	if a, b := SignFlip(diff, nil, Options{}), SignFlip(tenfold, nil, Options{}); *a.P != *b.P {
		t.Errorf("p %g of tenths, %g of whole numbers", *a.P, *b.P)
	}
}
