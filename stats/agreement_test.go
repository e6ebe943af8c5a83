package stats

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"enterprisedocbench/internal/testdata"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// references is testdata/agreement.json; scripts/oracles/agreement.py made it and names the versions.
type references struct {
	Cohen []struct {
		A, B    []float64
		Table   [][]int
		Weights string
		Kappa   float64
		Sklearn float64
		Lo, Hi  float64
	}
	Fleiss []struct {
		Counts [][]int
		Kappa  float64
	}
	Alpha []struct {
		Units                             [][]float64
		Nominal, Ordinal, Interval, Ratio float64
	}
	Power struct {
		Normal   []struct{ SD, Delta, Alpha, Power, N float64 }
		TwoSided []struct{ Delta, SE, Alpha, Power float64 } `json:"two_sided"`
		Shares   []struct {
			Base, Delta, Alpha, Power, N float64
			PowerOf300                   float64 `json:"power_of_300"`
		}
	}
	ICC []struct {
		Values  []float64
		Cluster []int
		ICC     float64
	}
	Pass []struct {
		N, C, K  int
		Any, All float64
	}
	Powered []struct {
		Human, Program, Rest []float64
		Value, Lo, Hi        float64
	}
	RAGChecker []struct {
		Label                      string
		N                          int
		Quadratic, Fleiss, Ordinal float64
	}
}

func readReferences(t *testing.T) references {
	t.Helper()
	data, err := os.ReadFile("testdata/agreement.json")
	if err != nil {
		t.Fatal(err)
	}
	var o references
	if err := json.Unmarshal(data, &o); err != nil {
		t.Fatal(err)
	}
	if len(o.Cohen) == 0 || len(o.Fleiss) == 0 || len(o.Alpha) == 0 || len(o.Pass) == 0 || len(o.Powered) == 0 {
		t.Fatal("the reference values are not all there")
	}
	return o
}

const exact = 1e-9 // to the reference values

func TestCasesOfAgreement(t *testing.T) {
	run := 0
	for _, c := range testdata.Cases(t, "statistics") {
		switch c.ID {
		case "stat-kappa":
			var in struct{ Table [][]int }
			var want struct{ Kappa float64 }
			decode(t, c.Input, &in)
			decode(t, c.Expected, &want)
			near(t, "kappa", KappaTable(in.Table, Unweighted, Options{}).Value, want.Kappa, exact)
			run++
		case "stat-kappa-degenerate":
			var in struct {
				A []float64 `json:"rater_a"`
				B []float64 `json:"rater_b"`
			}
			var want struct {
				Observed float64 `json:"observed_agreement"`
				Reason   string
			}
			decode(t, c.Input, &in)
			decode(t, c.Expected, &want)
			g := CohenKappa(in.A, in.B, nil, Unweighted, Options{})
			if g.Value != nil || g.Lo != nil || g.Reason != want.Reason {
				t.Errorf("all ratings alike gave %v, reason %q", g.Value, g.Reason)
			}
			near(t, "observed agreement", g.Observed, want.Observed, 0)
			run++
		}
	}
	if run != 2 {
		t.Errorf("%d of 2 cases were run", run)
	}
}

func TestKappaAgreesWithStatsmodelsAndSklearn(t *testing.T) {
	for i, c := range readReferences(t).Cohen {
		t.Run(fmt.Sprintf("%d %s", i, c.Weights), func(t *testing.T) {
			w := map[string]Weights{"": Unweighted, "linear": Linear, "quadratic": Quadratic}[c.Weights]
			for _, g := range []Agreement{CohenKappa(c.A, c.B, nil, w, Options{}), KappaTable(c.Table, w, Options{})} {
				near(t, "kappa", g.Value, c.Kappa, exact)
				near(t, "kappa of scikit-learn", g.Value, c.Sklearn, exact)
				near(t, "lo", g.Lo, max(-1, c.Lo), exact)
				near(t, "hi", g.Hi, min(1, c.Hi), exact)
				near(t, "(observed - expected) / (1 - expected)", g.Value, (*g.Observed-*g.Expected)/(1-*g.Expected), 1e-12)
			}
		})
	}
}

func TestFleissAgreesWithStatsmodels(t *testing.T) {
	for _, c := range readReferences(t).Fleiss {
		g := FleissKappa(c.Counts, nil, Options{Replicates: 300})
		near(t, "kappa", g.Value, c.Kappa, exact)
		if g.Lo == nil || *g.Lo > *g.Value || *g.Hi < *g.Value {
			t.Errorf("interval %v, %v for %g: %s", g.Lo, g.Hi, *g.Value, g.Reason)
		}
	}
}

func TestAlphaAgreesWithKrippendorff(t *testing.T) {
	for i, c := range readReferences(t).Alpha {
		for s, want := range []float64{c.Nominal, c.Ordinal, c.Interval, c.Ratio} {
			g := KrippendorffAlpha(c.Units, nil, Scale(s), Options{Replicates: 300})
			near(t, fmt.Sprintf("case %d: %s", i, g.Name), g.Value, want, exact)
			if g.Lo == nil || *g.Lo > *g.Value || *g.Hi < *g.Value || *g.Hi > 1 {
				t.Errorf("case %d: %s: interval %v, %v for %g: %s", i, g.Name, g.Lo, g.Hi, *g.Value, g.Reason)
			}
		}
	}
}

func TestNothingIsSaidWhereRatingsDoNotVary(t *testing.T) {
	same := [][]float64{{2, 2}, {2, 2, 2}, {2}, {2, 2}}
	for _, g := range []Agreement{
		CohenKappa([]float64{3, 3}, []float64{3, 3}, nil, Quadratic, Options{}),
		KappaTable([][]int{{7, 0}, {0, 0}}, Linear, Options{}),
		FleissKappa([][]int{{3, 0}, {3, 0}}, nil, Options{}),
		KrippendorffAlpha(same, nil, NominalScale, Options{}),
		KrippendorffAlpha(same, nil, OrdinalScale, Options{}),
		KrippendorffAlpha(same, nil, IntervalScale, Options{}),
		KrippendorffAlpha(same, nil, RatioScale, Options{}),
	} {
		if g.Value != nil || g.Lo != nil || g.Reason == "" {
			t.Errorf("%s: value %v, reason %q", g.Name, g.Value, g.Reason)
		}
		near(t, g.Name+": exact agreement", g.Exact, 1, 0)
	}
}

func TestAgreementOfBadRatings(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		g    Agreement
		want string
	}{
		{CohenKappa(nil, nil, nil, Unweighted, Options{}), "no units"},
		{CohenKappa([]float64{1}, nil, nil, Unweighted, Options{}), "1 and 0 values"},
		{CohenKappa([]float64{1, nan}, []float64{1, 1}, nil, Unweighted, Options{}), "not a finite number"},
		{KappaTable([][]int{{1, -1}, {0, 1}}, Unweighted, Options{}), "count -1"},
		{FleissKappa(nil, nil, Options{}), "no units"},
		{FleissKappa([][]int{{2, 1}, {1, 1}}, nil, Options{}), "unit 2 has 2 ratings, the first 3"},
		{FleissKappa([][]int{{1, 0}}, nil, Options{}), "unit 1 has 1 rating"},
		{KrippendorffAlpha([][]float64{{1}, {2}}, nil, NominalScale, Options{}), "no unit has two ratings"},
		{KrippendorffAlpha([][]float64{{1, -2}}, nil, RatioScale, Options{}), "negative"},
		{KrippendorffAlpha([][]float64{{1, nan}}, nil, RatioScale, Options{}), "not a finite number"},
	} {
		if c.g.Value != nil || !strings.Contains(c.g.Reason, c.want) {
			t.Errorf("value %v, reason %q; want %q", c.g.Value, c.g.Reason, c.want)
		}
	}
}

func TestLopsidedRatingsAreWarnedOf(t *testing.T) {
	a, b := make([]float64, 40), make([]float64, 40)
	a[3], b[4] = 1, 1
	g := CohenKappa(a, b, nil, Unweighted, Options{})
	if *g.Value >= 0 || *g.Observed != 0.95 || len(g.Warnings) != 1 {
		t.Errorf("kappa %g, observed %g, warnings %q", *g.Value, *g.Observed, g.Warnings)
	}
}

// With documents the interval is that of the documents: 12 documents of 10 like units each are 12
// units, not 120.
func TestAgreementIsClustered(t *testing.T) {
	var a, b []float64
	var units [][]float64
	var counts [][]int
	var docs [][]string
	for i := range 120 {
		d := i / 10
		x, y := float64(d%2), float64((d+d/4)%2)
		a, b, docs = append(a, x), append(b, y), append(docs, []string{fmt.Sprint(d)})
		units = append(units, []float64{x, y})
		row := []int{0, 0}
		row[int(x)]++
		row[int(y)]++
		counts = append(counts, row)
	}
	width := func(g Agreement) float64 { return *g.Hi - *g.Lo }
	opt := Options{Replicates: 2000, Seed: 5}
	for _, pair := range [][2]Agreement{
		{CohenKappa(a, b, docs, Unweighted, opt), CohenKappa(a, b, nil, Unweighted, opt)},
		{FleissKappa(counts, docs, opt), FleissKappa(counts, nil, opt)},
		{KrippendorffAlpha(units, docs, NominalScale, opt), KrippendorffAlpha(units, nil, NominalScale, opt)},
	} {
		if ratio := width(pair[0]) / width(pair[1]); ratio < 2.5 || ratio > 4.5 {
			t.Errorf("%s: clusters of 10 like units widen the interval %.2f times, want about √10", pair[0].Name, ratio)
		}
		if *pair[0].Value != *pair[1].Value {
			t.Errorf("%s: documents changed the value", pair[0].Name)
		}
	}
}

func TestAlphaDoesNotDependOnTheCores(t *testing.T) {
	units := readReferences(t).Alpha[2].Units
	before := runtime.GOMAXPROCS(1)
	one := KrippendorffAlpha(units, nil, OrdinalScale, Options{Seed: 7, Replicates: 500})
	runtime.GOMAXPROCS(5)
	five := KrippendorffAlpha(units, nil, OrdinalScale, Options{Seed: 7, Replicates: 500})
	runtime.GOMAXPROCS(before)
	if diff := cmp.Diff(one, five); diff != "" {
		t.Error(diff)
	}
}

func TestLawsOfAgreement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 5).Draw(t, "categories")
		n := rapid.IntRange(2, 30).Draw(t, "units")
		rating := rapid.IntRange(0, k-1)
		var a, b []float64
		var units, moved [][]float64
		for range n {
			x, y := float64(rating.Draw(t, "a")), float64(rating.Draw(t, "b"))
			a, b = append(a, x), append(b, y)
			units, moved = append(units, []float64{x, y}), append(moved, []float64{3*y + 1, 3*x + 1})
		}
		opt := Options{Replicates: 10}
		for _, w := range []Weights{Unweighted, Linear, Quadratic} {
			g, back := CohenKappa(a, b, nil, w, opt), CohenKappa(b, a, nil, w, opt)
			if !same(g.Value, back.Value) {
				t.Fatalf("%s: the order of the raters matters", w)
			}
			if g.Value != nil && (*g.Value > 1 || *g.Value < -1-1e-12) {
				t.Fatalf("%s: kappa %g", w, *g.Value)
			}
		}
		for _, s := range []Scale{NominalScale, OrdinalScale, IntervalScale} {
			g, other := KrippendorffAlpha(units, nil, s, opt), KrippendorffAlpha(moved, nil, s, opt)
			if !same(g.Value, other.Value) {
				t.Fatalf("%s: %v and %v after relabelling", s, g.Value, other.Value)
			}
		}
		perfect := KrippendorffAlpha(twice(a), nil, OrdinalScale, opt)
		if perfect.Value != nil && *perfect.Value != 1 {
			t.Fatalf("equal ratings have alpha %g", *perfect.Value)
		}
		shuffled := slices.Clone(units)
		slices.Reverse(shuffled)
		if x, y := KrippendorffAlpha(units, nil, NominalScale, opt), KrippendorffAlpha(shuffled, nil, NominalScale, opt); !same(x.Value, y.Value) {
			t.Fatal("the order of units matters")
		}
	})
}

func twice(a []float64) [][]float64 {
	var out [][]float64
	for _, x := range a {
		out = append(out, []float64{x, x})
	}
	return out
}

func same(a, b *float64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return math.Abs(*a-*b) < 1e-12
}
