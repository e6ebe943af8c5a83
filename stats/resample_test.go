package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestGeneratorIsThatOfTheStandardLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hi, lo := rapid.Uint64().Draw(t, "hi"), rapid.Uint64().Draw(t, "lo")
		want, got := rand.NewPCG(hi, lo), pcg{hi, lo}
		for range 20 {
			var x uint64
			if got, x = got.next(); x != want.Uint64() {
				t.Fatal("another number")
			}
		}
	})
}

// The loops that hold their sums in registers draw what the plain one draws.
func TestSumsOfRecordsDoNotDependOnTheLoop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 50).Draw(t, "n")
		state := pcg{rapid.Uint64().Draw(t, "hi"), rapid.Uint64().Draw(t, "lo")}
		two, four := make([][2]float64, n), make([][4]float64, n)
		for i := range n {
			x := float64(i)*.37 - 3
			two[i], four[i] = [2]float64{x, 1}, [4]float64{x, x * x, 1 / (x + .01), 1}
		}
		var want2 [2]float64
		var want4 [4]float64
		rng := source{state: state}
		for range n {
			i := rng.below(n)
			for k := range want2 {
				want2[k] += two[i][k]
			}
			for k := range want4 {
				want4[k] += four[i][k]
			}
		}
		if got := sum2(state, two); got != want2 {
			t.Fatal(got, want2)
		}
		if got := sum4(state, four); got != want4 {
			t.Fatal(got, want4)
		}
	})
}

var methods = []string{Auto, Percentile, Clustered, TwoWay, BCa, StudentT}

func TestMeansAreOneMeanEach(t *testing.T) {
	v, d := spread(120, 3)
	w, u := slices.Clone(v), slices.Clone(v)
	slices.Reverse(w)
	for i := range u {
		u[i] = u[i]*u[i] - .3
	}
	bad := slices.Clone(v)
	bad[4] = math.NaN()
	for _, docs := range [][][]string{d, nil, d[:30]} {
		for _, systems := range [][][]float64{{v, w, u}, {v, bad, w}, {v}, {v, w, u, v, w}, {v[:5], w[:5]}, {{}, {}}} {
			for _, m := range append(methods, "other") {
				opt := Options{Seed: 3, Replicates: 200, Method: m}
				got := Means(systems, docs, opt)
				for s, values := range systems {
					if diff := cmp.Diff(Mean(values, docs, opt), got[s]); diff != "" {
						t.Errorf("method %q, system %d of %d: %s", m, s+1, len(systems), diff)
					}
				}
			}
		}
	}
	if got := Means([][]float64{v, w[:4]}, d, Options{}); got[0].Value != nil || got[1].Reason != "system 2 has 4 values, system 1 has 120" {
		t.Errorf("unequal lengths: %+v", got)
	}
	if got := Means(nil, nil, Options{}); len(got) != 0 {
		t.Errorf("no systems: %+v", got)
	}
}

func TestMethodsOfAMean(t *testing.T) {
	_, d := spread(300, 3)
	rng := rand.New(rand.NewPCG(5, 5))
	var v []float64
	for range d {
		v = append(v, rng.Float64())
	}
	for _, c := range []struct{ method, words string }{
		{Auto, "percentile bootstrap clustered by documents (100 clusters, 500 replicates)"},
		{Percentile, "percentile bootstrap of independent units (300 units, 500 replicates)"},
		{Clustered, "percentile bootstrap clustered by documents (100 clusters, 500 replicates)"},
		{TwoWay, "two-way document x query bootstrap (100 clusters, the largest holds 1 % of the units; 500 replicates)"},
		{BCa, "BCa bootstrap clustered by documents (100 clusters, 500 replicates)"},
		{StudentT, "t interval with the standard error clustered by documents (100 clusters)"},
	} {
		iv := Mean(v, d, Options{Method: c.method, Replicates: 500})
		if iv.Method != c.words || iv.Reason != "" || !(*iv.Lo < *iv.Value && *iv.Value < *iv.Hi) {
			t.Errorf("%q: %+v", c.method, iv)
		}
		want := .033 // 1.96 standard deviations of the mean
		if c.method == TwoWay {
			want *= math.Sqrt(3) // units and documents each count in full, and their crossing too
		}
		if half := (*iv.Hi - *iv.Lo) / 2; math.Abs(half-want) > .006 {
			t.Errorf("%q: half width %g, want about %g", c.method, half, want)
		}
	}
	for method, words := range map[string]string{
		StudentT: "t interval of independent units (300 units)",
		BCa:      "BCa bootstrap of independent units (300 units, 500 replicates)",
	} {
		if iv := Mean(v, nil, Options{Method: method, Replicates: 500}); iv.Method != words {
			t.Errorf("%q without documents: %q", method, iv.Method)
		}
	}
	if iv := Mean(v, d, Options{Method: Fisher}); iv.Value == nil || iv.Lo != nil || !strings.Contains(iv.Reason, `method "fisher" is none of`) {
		t.Errorf("fisher of a mean: %+v", iv)
	}
	one := make([][]string, len(v))
	for i := range one {
		one[i] = []string{"only"}
	}
	if iv := Mean(v, one, Options{Method: Clustered, Replicates: 50}); len(iv.Warnings) == 0 {
		t.Errorf("one cluster, forced: %+v", iv)
	}
	if iv := Mean(v, one, Options{Method: StudentT}); iv.Value == nil || iv.Reason != "no interval: one cluster" {
		t.Errorf("one cluster, t: %+v", iv)
	}
	same := Mean(slices.Repeat([]float64{.5}, 20), nil, Options{Method: BCa, Replicates: 100})
	if len(same.Warnings) != 2 || *same.Lo != .5 || *same.Hi != .5 {
		t.Errorf("no variation, BCa: %+v", same)
	}
}

// A right-skewed sample has its BCa interval to the right of the percentile interval.
func TestBCaFollowsSkew(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	var v []float64
	for range 60 {
		v = append(v, math.Exp(1.2*rng.NormFloat64()))
	}
	plain, corrected := Mean(v, nil, Options{Replicates: 4000}), Mean(v, nil, Options{Replicates: 4000, Method: BCa})
	if !(*corrected.Lo > *plain.Lo && *corrected.Hi > *plain.Hi) {
		t.Errorf("BCa [%g, %g], percentile [%g, %g]", *corrected.Lo, *corrected.Hi, *plain.Lo, *plain.Hi)
	}
}

func TestPairedBootstrapIsTheMeanDifference(t *testing.T) {
	v, d := spread(90, 3)
	w := slices.Clone(v)
	slices.Reverse(w)
	diff, back := make([]float64, len(v)), make([]float64, len(v))
	for i := range v {
		w[i] = w[i] * .9
		diff[i] = v[i] - w[i]
		back[i] = w[i] - v[i]
	}
	opt := Options{Seed: 5, Replicates: 999}
	got := PairedBootstrap(v, w, d, opt)
	if diff := cmp.Diff(Mean(diff, d, opt), got); diff != "" {
		t.Error(diff)
	}
	turned := PairedBootstrap(w, v, d, opt)
	near(t, "turned value", turned.Value, -*got.Value, 1e-15)
	near(t, "turned lo", turned.Lo, -*got.Hi, 1e-12)
	near(t, "turned hi", turned.Hi, -*got.Lo, 1e-12)
	if bad := PairedBootstrap(v, w[:3], d, opt); bad.Value != nil || !strings.Contains(bad.Reason, "90 and 3 values") {
		t.Errorf("unequal lengths: %+v", bad)
	}
}

func TestNothingDependsOnTheCores(t *testing.T) {
	v, d := spread(200, 2)
	w := slices.Clone(v)
	slices.Reverse(w)
	many, _ := spread(60, 1)
	all := func() string {
		var out []any
		for _, m := range methods {
			opt := Options{Seed: 11, Replicates: 333, Method: m}
			out = append(out, Means([][]float64{v, w}, d, opt))
			for _, f := range []correlate{Pearson, Spearman, Kendall} {
				out = append(out, f(v, w, CorrOptions{Options: opt, Docs: d}))
			}
		}
		out = append(out, PartialCorrelation(v, w, [][]float64{append(many, append(many, append(many, many[:20]...)...)...)}, CorrOptions{Options: Options{Replicates: 333}}))
		out = append(out, SignFlip(v, d, Options{Seed: 11, Replicates: 333}))
		return dump(out)
	}
	before := runtime.GOMAXPROCS(1)
	one := all()
	runtime.GOMAXPROCS(7)
	seven := all()
	runtime.GOMAXPROCS(before)
	if one != seven {
		t.Error(cmp.Diff(strings.Split(one, "\n"), strings.Split(seven, "\n")))
	}
}

// dump writes values behind pointers out.
func dump(all []any) string {
	var b strings.Builder
	for _, x := range all {
		switch x := x.(type) {
		case []Interval:
			for _, iv := range x {
				fmt.Fprintln(&b, show(iv.Value), show(iv.Lo), show(iv.Hi), iv.Method)
			}
		case Correlation:
			fmt.Fprintln(&b, x.Coefficient, show(x.Value), show(x.Lo), show(x.Hi), show(x.P), show(x.PClustered), x.Method)
		case Test:
			fmt.Fprintln(&b, x.Name, show(x.Statistic), show(x.P), x.Method)
		}
	}
	return b.String()
}

func show(x *float64) string {
	if x == nil {
		return "nil"
	}
	return fmt.Sprintf("%x", *x)
}

func TestQuantilesDoNotNeedOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := few(t, "v", 1, 200)
		if rapid.Bool().Draw(t, "different") {
			for i := range v {
				v[i] += float64(i*7919%257) / 1e3
			}
		}
		q := rapid.Float64Range(0, 1).Draw(t, "q")
		want := Quantile(slices.Sorted(slices.Values(v)), q)
		if got := quantileOf(v, q); got != want {
			t.Fatalf("quantile %g is %g, sorted %g", q, got, want)
		}
	})
}
