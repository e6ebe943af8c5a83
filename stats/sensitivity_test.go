package stats

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// EnterpriseDocBench table 2: parsing, nDCG@5 and generation of three pipelines under
// Q = .25 P + .50 R + .25 G. Parsing and generation are shared, so no weights change the order while
// retrieval counts, and without it there is none.
func TestTheRankingOfThePapersTable(t *testing.T) {
	values := [][]float64{{.82, .91, .71}, {.82, .83, .71}, {.82, .92, .71}}
	s := WeightSensitivity(values, []float64{.25, .5, .25}, 0.1)
	if s.Reason != "" {
		t.Fatal(s.Reason)
	}
	for i, want := range []SystemRange{
		{Value: .8375, Place: 2, Best: 1, Worst: 2}, {Value: .7975, Place: 3, Best: 1, Worst: 3}, {Value: .8425, Place: 1, Best: 1, Worst: 1},
	} {
		got := s.Systems[i]
		if math.Abs(got.Value-want.Value) > 1e-12 || got.Place != want.Place || got.Best != want.Best || got.Worst != want.Worst {
			t.Errorf("system %d: %+v, want %+v", i, got, want)
		}
	}
	near(t, "least tau", s.MinTau, 1, 0)
	if len(s.Variants) != 9 || s.Same != 8 {
		t.Fatalf("%d variants, %d change nothing", len(s.Variants), s.Same)
	}
	noRetrieval := s.Variants[1]
	if noRetrieval.Tau != nil || noRetrieval.Reason == "" || noRetrieval.Change != "without" {
		t.Errorf("without retrieval: tau %v, reason %q", noRetrieval.Tau, noRetrieval.Reason)
	}
	if diff := cmp.Diff([]Move{{0, 2, 1}, {1, 3, 1}}, noRetrieval.Moves); diff != "" {
		t.Error(diff)
	}
	// .35 / 1.1 = .3182, .5 / 1.1 = .4545, .25 / 1.1 = .2273
	plus := s.Variants[3]
	if diff := cmp.Diff([]float64{.35 / 1.1, .5 / 1.1, .25 / 1.1}, plus.Weights, cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })); diff != "" {
		t.Error(diff)
	}
}

func TestWhoChangesPlaceIsSaid(t *testing.T) {
	s := WeightSensitivity([][]float64{{1, 0}, {0, 1}, {0, 0}}, []float64{.55, .45}, .2)
	minus := s.Variants[4]
	if minus.Change != "minus" || minus.Part != 0 {
		t.Fatalf("%+v", minus)
	}
	if diff := cmp.Diff([]Move{{0, 1, 2}, {1, 2, 1}}, minus.Moves); diff != "" {
		t.Error(diff)
	}
	near(t, "tau of one swap in three", minus.Tau, 1.0/3, 1e-12)
	clipped := WeightSensitivity([][]float64{{1, 0}, {0, 1}}, []float64{.95, .05}, .2).Variants[5]
	if !clipped.Clipped || clipped.Weights[1] != 0 {
		t.Errorf("%+v", clipped)
	}
}

func TestSensitivityOfNothing(t *testing.T) {
	two := [][]float64{{1, 0}, {0, 1}}
	for _, c := range []struct {
		s    Sensitivity
		want string
	}{
		{WeightSensitivity(two[:1], []float64{1, 1}, .1), "1 system: there is no ranking"},
		{WeightSensitivity([][]float64{{}, {}}, nil, .1), "no parts"},
		{WeightSensitivity(two, []float64{0, 0}, .1), "all weights are 0"},
		{WeightSensitivity(two, []float64{1, -1}, .1), "weight 2 is -1"},
		{WeightSensitivity(two, []float64{1, math.NaN()}, .1), "weight 2 is NaN"},
		{WeightSensitivity(two, []float64{1, 1}, 0), "change of weights by 0"},
		{WeightSensitivity([][]float64{{1, 0}, {0, math.Inf(1)}}, []float64{1, 1}, .1), "part 2 of system 2"},
	} {
		if !strings.Contains(c.s.Reason, c.want) || c.s.Systems != nil {
			t.Errorf("%q, want %q", c.s.Reason, c.want)
		}
	}
	if s := WeightSensitivity([][]float64{{1}, {0}}, []float64{2}, .1); s.Variants[0].Reason != "no weight is left" {
		t.Errorf("a composite of one part without it: %+v", s.Variants[0])
	}
}

func TestLawsOfSensitivity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.IntRange(1, 4).Draw(t, "parts")
		n := rapid.IntRange(2, 6).Draw(t, "systems")
		var values, scaled [][]float64
		for range n {
			row := rapid.SliceOfN(rapid.Float64Range(0, 1), parts, parts).Draw(t, "row")
			values = append(values, row)
			better := make([]float64, parts)
			for j, x := range row {
				better[j] = 2*x + 1
			}
			scaled = append(scaled, better)
		}
		w := rapid.SliceOfN(rapid.Float64Range(0.01, 1), parts, parts).Draw(t, "weights")
		delta := rapid.Float64Range(0.01, 0.5).Draw(t, "delta")
		s, twice := WeightSensitivity(values, w, delta), WeightSensitivity(scaled, w, delta)
		for i, r := range s.Systems {
			if r.Value < r.Low || r.Value > r.High || r.Place < r.Best || r.Place > r.Worst {
				t.Fatalf("%+v", r)
			}
			if r.Low < -1e-9 || r.High > 1+1e-9 {
				t.Fatalf("a mean of shares is %g to %g", r.Low, r.High)
			}
			if o := twice.Systems[i]; math.Abs(o.High-2*r.High-1) > 1e-9 {
				t.Fatalf("values doubled and moved: %g from %g", o.High, r.High)
			}
		}
		for _, v := range s.Variants {
			sum := 0.0
			for _, x := range v.Weights {
				sum += x
			}
			if v.Values != nil && math.Abs(sum-1) > 1e-9 {
				t.Fatalf("weights sum to %g", sum)
			}
			if v.Tau != nil && (*v.Tau < -1 || *v.Tau > 1) {
				t.Fatalf("tau %g", *v.Tau)
			}
		}
	})
}

func TestStabilityOverSamples(t *testing.T) {
	system := func(shift float64) []Part {
		var a, b []float64
		var docs [][]string
		for i := range 60 {
			a = append(a, float64(i*37%100)/100+shift)
			b = append(b, float64(i*53%100)/100+shift)
			docs = append(docs, []string{fmt.Sprint(i)})
		}
		return []Part{{Values: a, Docs: docs}, {Values: b, Docs: docs}}
	}
	clear := WeightStability([][]Part{system(0), system(0.5), system(1)}, []float64{.6, .4}, .1, 10, Options{Seed: 1})
	if clear.Reason != "" || clear.Samples != 10 || *clear.MinTau != 1 || clear.Same != 1 {
		t.Errorf("systems far apart: %+v", clear)
	}
	a, b := system(0), system(0.001)
	b[0].Values[3] -= 0.5 // one document turns the lead over where it is drawn often
	close := WeightStability([][]Part{a, b}, []float64{.6, .4}, .1, 50, Options{Seed: 1})
	if close.Reason != "" || *close.MinTau != -1 || close.Same == 1 || *close.MeanTau <= -1 {
		t.Errorf("systems close together: %+v", close)
	}
	again := WeightStability([][]Part{a, b}, []float64{.6, .4}, .1, 50, Options{Seed: 1})
	if diff := cmp.Diff(close, again); diff != "" {
		t.Error(diff)
	}
	if s := WeightStability([][]Part{a, {{}, {}}}, []float64{.6, .4}, .1, 5, Options{}); !strings.Contains(s.Reason, "has no values") {
		t.Errorf("%q", s.Reason)
	}
}
