package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var fisher = CorrOptions{Options: Options{Method: Fisher}}

type correlate func(x, y []float64, opt CorrOptions) Correlation

var coefficients = map[string]correlate{"pearson": Pearson, "spearman": Spearman, "kendall": Kendall}

func TestUndefinedCorrelationsSayWhy(t *testing.T) {
	for _, c := range []struct {
		name   string
		x, y   []float64
		reason string
	}{
		{"nothing", nil, nil, "no values"},
		{"unequal", []float64{1, 2, 3}, []float64{1, 2}, "the two lists have 3 and 2 values: give one of each for every unit"},
		{"two units", []float64{1, 2}, []float64{3, 5}, "2 units, fewer than 3"},
		{"NaN", []float64{1, 2, 3}, []float64{1, math.NaN(), 3}, "value 2 of y is not a finite number"},
		{"infinite", []float64{math.Inf(1), 2, 3}, []float64{1, 2, 3}, "value 1 of x is not a finite number"},
		{"x is constant", []float64{.82, .82, .82}, []float64{1, 2, 3}, "x does not vary"},
		{"y is constant", []float64{1, 2, 3}, []float64{.1, .1, .1}, "y does not vary"},
		{"both are", []float64{1, 1, 1}, []float64{2, 2, 2}, "x and y do not vary"},
	} {
		for name, f := range coefficients {
			got := f(c.x, c.y, CorrOptions{})
			if got.Reason != c.reason || got.Value != nil || got.P != nil || got.T != nil || got.Lo != nil || got.Hi != nil {
				t.Errorf("%s, %s: %+v", c.name, name, got)
			}
		}
	}
}

func TestPerfectCorrelationHasNoTAndNoFisherInterval(t *testing.T) {
	x, y := []float64{.1, .2, .3, .4, .5, .7}, []float64{}
	for _, v := range x {
		y = append(y, 1-v)
	}
	for name, f := range coefficients {
		got := f(x, y, fisher)
		if got.Value == nil || *got.Value != -1 || got.T != nil || got.P == nil || got.Lo != nil || got.Reason != "no interval: perfect correlation" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestIntervalsOfACorrelationAreChosenByMethod(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var x, y []float64
	var docs, one [][]string
	for i := range 60 {
		v := rng.NormFloat64()
		x, y = append(x, v), append(y, v+rng.NormFloat64())
		docs, one = append(docs, []string{fmt.Sprint(i / 3)}), append(one, []string{"only"})
	}
	for _, c := range []struct {
		method, words, reason string
		docs                  [][]string
	}{
		{Fisher, "fisher z", "", docs},
		{StudentT, "t", "", docs},
		{Percentile, "percentile bootstrap of independent units (60 units, 300 replicates)", "", docs},
		{Auto, "percentile bootstrap clustered by documents (20 clusters, 300 replicates)", "", docs},
		{Auto, "percentile bootstrap of independent units (60 units, 300 replicates)", "", nil},
		{BCa, "BCa bootstrap of independent units (60 units, 300 replicates)", "", nil},
		{Auto, "two-way document x query bootstrap (1 cluster, the largest holds 100 % of the units; 300 replicates)", "", one},
		{Clustered, "percentile bootstrap clustered by documents (20 clusters, 300 replicates)", "", docs},
		{TwoWay, "two-way document x query bootstrap (20 clusters, the largest holds 5 % of the units; 300 replicates)", "", docs},
		{BCa, "BCa bootstrap clustered by documents (20 clusters, 300 replicates)", "", docs},
		{"jackknife", "", `no interval: method "jackknife" is none of percentile, clustered, two-way, bca, t, fisher`, docs},
	} {
		for name, f := range coefficients {
			got := f(x, y, CorrOptions{Options: Options{Method: c.method, Replicates: 300}, Docs: c.docs})
			if got.Method != c.words || got.Reason != c.reason {
				t.Errorf("%s of %s: method %q, reason %q", c.method, name, got.Method, got.Reason)
			}
			if c.reason == "" && !(*got.Lo < *got.Value && *got.Value < *got.Hi) {
				t.Errorf("%s of %s: [%g, %g] for %g", c.method, name, *got.Lo, *got.Hi, *got.Value)
			}
			if warned := strings.Contains(strings.Join(got.Warnings, ";"), "units share documents (20 clusters)"); warned != (c.docs != nil && (c.method == Fisher || c.method == StudentT)) {
				t.Errorf("%s of %s: warnings %v", c.method, name, got.Warnings)
			}
			closed := c.method == Fisher || c.method == StudentT || c.reason != ""
			if clusters := c.docs == nil || c.docs[0][0] != "only"; (got.PClustered == nil) != (closed || !clusters) {
				t.Errorf("%s of %s: clustered p %v", c.method, name, got.PClustered)
			}
		}
	}
	if few := Pearson(x[:9], y[:9], CorrOptions{}); few.Value == nil || few.P == nil || few.Reason != "no interval: 9 units, fewer than 10" {
		t.Errorf("nine units: %+v", few)
	}
	if few := Kendall(x[:4], y[:4], fisher); few.Value == nil || few.Lo != nil || few.Reason != "no interval: 4 units, too few for Fisher's" {
		t.Errorf("four units: %+v", few)
	}
	if forced := Pearson(x, y, CorrOptions{Options: Options{Method: Clustered, Replicates: 300}, Docs: one}); forced.Lo != nil && len(forced.Warnings) == 0 {
		t.Errorf("one forced cluster: %+v", forced.Interval)
	}
}

func TestCorrelationsDescribeTheirScales(t *testing.T) {
	x := []float64{0, 0, .5, 1, .2, .3, .4, .6, .7, .8}
	y := []float64{.81, .82, .83, .81, .8, .84, .82, .83, .85, .8}
	got := Pearson(x, y, CorrOptions{Options: Options{Method: Fisher}, ReliabilityX: .8, ReliabilityY: .9})
	near(t, "floor of x", &got.FloorX, .2, 1e-12)
	near(t, "ceiling of x", &got.CeilingX, .1, 1e-12)
	near(t, "floor of y", &got.FloorY, 0, 0)
	if !got.Restricted || !strings.Contains(strings.Join(got.Warnings, ";"), "restricted range") {
		t.Errorf("y between .80 and .85 of 0..1: %+v", got)
	}
	near(t, "corrected", got.Disattenuated, *got.Value/math.Sqrt(.72), 1e-12)
	wide := Pearson(x, y, CorrOptions{Options: Options{Method: Fisher}, ScaleY: [2]float64{.8, .85}})
	if near(t, "floor of y on its own scale", &wide.FloorY, .2, 1e-12); wide.Restricted || wide.Disattenuated != nil {
		t.Errorf("y on its own scale: %+v", wide)
	}
	if known := Pearson(x, y, CorrOptions{Options: Options{Method: Fisher}, ScaleY: [2]float64{.8, .85}, SDX: .6}); !known.Restricted {
		t.Error("half of the population's spread is not flagged")
	}
	half := Pearson([]float64{1, 1, 1, .2, .3}, []float64{0, .5, 1, .2, .8}, fisher)
	if !half.Restricted {
		t.Error("three of five units at the ceiling are not flagged")
	}
}

func TestDisattenuateAndFisherRefuseWhatCannotBe(t *testing.T) {
	near(t, "corrected", Disattenuate(.3, .5, .8).Value, .3/math.Sqrt(.4), 1e-12)
	for _, c := range [][3]float64{{.3, 0, .8}, {.3, .5, 1.2}, {1.3, .5, .5}, {.9, .5, .5}, {math.NaN(), .5, .5}} {
		if iv := Disattenuate(c[0], c[1], c[2]); iv.Value != nil || iv.Reason == "" {
			t.Errorf("Disattenuate%v = %+v", c, iv)
		}
	}
	for _, c := range []struct {
		r float64
		n int
	}{{1.1, 50}, {math.NaN(), 50}, {.4, 2}, {.4, -1}} {
		if got := FisherFromR(c.r, c.n, .95); got.Value != nil || got.Reason == "" {
			t.Errorf("FisherFromR(%g, %d) = %+v", c.r, c.n, got)
		}
	}
	if got := FisherFromR(.4, 3, .95); got.P == nil || got.Lo != nil || got.Reason == "" {
		t.Errorf("three units: %+v", got)
	}
	if got := FisherFromR(1, 30, .95); got.T != nil || *got.P != 0 || got.Lo != nil {
		t.Errorf("r = 1: %+v", got)
	}
}

func TestReliabilityRefusesWhatCannotBe(t *testing.T) {
	for _, r := range [][][]float64{nil, {{1, 2}}, {{1}, {2}}, {{1, 2}, {1}}, {{1, 2}, {2, 1}}, {{1, math.NaN()}, {2, 3}}, {{1, 9}, {2, 9}}} {
		if got, reason := Reliability(r); got != nil || reason == "" {
			t.Errorf("%v gave %v %q", r, got, reason)
		}
	}
}

// few draws values of which many are equal.
func few(t *rapid.T, name string, least, most int) []float64 {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(-4, 4).Draw(t, "v")) / 4 }), least, most).Draw(t, name)
}

func TestKendallCountsPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := few(t, "x", 3, 40)
		y := few(t, "y", len(x), len(x))
		got := Kendall(x, y, fisher)
		var balance, differX, differY float64
		for i := range x {
			for j := range i {
				a, b := float64(sign(x[i]-x[j])), float64(sign(y[i]-y[j]))
				balance, differX, differY = balance+a*b, differX+a*a, differY+b*b
			}
		}
		if got.Value == nil {
			if differX > 0 && differY > 0 {
				t.Fatal("undefined:", got.Reason)
			}
			return
		}
		if want := balance / math.Sqrt(differX*differY); math.Abs(*got.Value-want) > 1e-12 {
			t.Fatalf("tau %g, pairs give %g", *got.Value, want)
		}
	})
}

func sign(x float64) int {
	switch {
	case x < 0:
		return -1
	case x > 0:
		return 1
	}
	return 0
}

func TestCorrelationsTurnTheirSignAndStayInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := few(t, "x", 3, 300)
		y := few(t, "y", len(x), len(x))
		var turned, stretched []float64
		for _, v := range y {
			turned, stretched = append(turned, -v), append(stretched, math.Exp(v))
		}
		for name, f := range coefficients {
			got := f(x, y, fisher)
			if got.Value == nil {
				continue
			}
			if *got.Value < -1 || *got.Value > 1 || *got.P < 0 || *got.P > 1 {
				t.Fatalf("%s: %g, p %g", name, *got.Value, *got.P)
			}
			back, swapped := f(x, turned, fisher), f(y, x, fisher)
			if math.Abs(*back.Value+*got.Value) > 1e-9 || math.Abs(*swapped.Value-*got.Value) > 1e-9 {
				t.Fatalf("%s: %g, turned %g, swapped %g", name, *got.Value, *back.Value, *swapped.Value)
			}
			if name != "pearson" {
				if grown := f(x, stretched, fisher); math.Abs(*grown.Value-*got.Value) > 1e-9 {
					t.Fatalf("%s: %g, of exp y %g", name, *got.Value, *grown.Value)
				}
			}
		}
	})
}

// What a replicate takes from weights is what the repeated units give.
func TestWeightsAreRepeats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := few(t, "x", 3, 30)
		y := few(t, "y", len(x), len(x))
		z := few(t, "z", len(x), len(x))
		var w, rx, ry, rz []float64
		for i := range x {
			k := rapid.IntRange(0, 3).Draw(t, "w")
			w = append(w, float64(k))
			for range k {
				rx, ry, rz = append(rx, x[i]), append(ry, y[i]), append(rz, z[i])
			}
		}
		if len(rx) == 0 {
			return
		}
		for name, of := range map[string]func(x, y, z []float64) coefficient{
			"pearson":          func(x, y, _ []float64) coefficient { return newPearson(x, y) },
			"spearman":         func(x, y, _ []float64) coefficient { return newSpearman(x, y) },
			"kendall":          func(x, y, _ []float64) coefficient { return newKendall(x, y) },
			"partial pearson":  func(x, y, z []float64) coefficient { return newPartial([][]float64{z, x, y}, false) },
			"partial spearman": func(x, y, z []float64) coefficient { return newPartial([][]float64{z, x, y}, true) },
		} {
			if strings.HasPrefix(name, "partial p") && (constant(x) || constant(y) || constant(z) || constant(rx) || constant(ry) || constant(rz)) {
				continue
			}
			weighted, repeated := of(x, y, z), of(rx, ry, rz)
			got, want := weighted.of(w, weighted.scratch()), repeated.of(nil, repeated.scratch())
			if math.IsNaN(got) != math.IsNaN(want) || math.Abs(got-want) > 1e-9 {
				t.Fatalf("%s: weighted %g, repeated %g", name, got, want)
			}
		}
	})
}

func TestKendallExactCountsOrders(t *testing.T) {
	for n := 2; n <= 7; n++ {
		atMost := make([]int, n*(n-1)/2+1)
		all := 0
		order := make([]int, 0, n)
		var walk func()
		walk = func() {
			if len(order) == n {
				out := 0
				for i := range order {
					for j := range i {
						if order[j] > order[i] {
							out++
						}
					}
				}
				for k := out; k < len(atMost); k++ {
					atMost[k]++
				}
				all++
				return
			}
			for v := range n {
				if !slices.Contains(order, v) {
					order = append(order, v)
					walk()
					order = order[:len(order)-1]
				}
			}
		}
		walk()
		for out := 0; 4*out < n*(n-1); out++ {
			got := kendallExact(n, out)
			near(t, fmt.Sprint(n, " ", out), &got, min(1, 2*float64(atMost[out])/float64(all)), 1e-12)
		}
	}
}

func TestPartialCorrelationHoldsControlsFixed(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	var x, y, z, twice []float64
	for range 200 {
		v := rng.NormFloat64()
		x, y, z, twice = append(x, v+.1*rng.NormFloat64()), append(y, v+.1*rng.NormFloat64()), append(z, v), append(twice, 2*v+1)
	}
	plain := PartialCorrelation(x, y, nil, fisher)
	near(t, "without controls", plain.Value, *Pearson(x, y, fisher).Value, 1e-12)
	if held := PartialCorrelation(x, y, [][]float64{z}, fisher); math.Abs(*held.Value) > .3 || *plain.Value < .9 || *held.DF != 197 {
		t.Errorf("with z held fixed %g, without %g", *held.Value, *plain.Value)
	}
	boot := PartialCorrelation(x, y, [][]float64{z}, CorrOptions{Options: Options{Method: BCa, Replicates: 400}})
	closed := PartialCorrelation(x, y, [][]float64{z}, fisher)
	near(t, "bootstrap lo", boot.Lo, *closed.Lo, .06)
	near(t, "bootstrap hi", boot.Hi, *closed.Hi, .06)
	for _, c := range []struct {
		controls [][]float64
		reason   string
	}{
		{[][]float64{z[:5]}, "control 1 has 5 values, x has 200"},
		{[][]float64{z, make([]float64, 200)}, "control 2 does not vary"},
		{[][]float64{z, twice}, "control 2 follows from the other controls"},
		{[][]float64{z, x}, "x does not vary with the controls held fixed"},
		{[][]float64{y, z}, "y does not vary with the controls held fixed"},
		{[][]float64{append([]float64{math.NaN()}, z[1:]...)}, "value 1 of control 1 is not a finite number"},
	} {
		if got := PartialCorrelation(x, y, c.controls, fisher); got.Value != nil || got.Reason != c.reason {
			t.Errorf("reason %q, want %q", got.Reason, c.reason)
		}
	}
	if got := PartialCorrelation(x[:3], y[:3], [][]float64{z[:3]}, fisher); got.Reason != "3 units, fewer than 4" {
		t.Errorf("three units, one control: %q", got.Reason)
	}
}

func TestDenseRanks(t *testing.T) {
	check := func(t rapid.TB, v []float64) {
		got, n := denseRanks(v)
		distinct := slices.Compact(slices.Sorted(slices.Values(v)))
		if n != len(distinct) {
			t.Fatalf("%d different values, want %d", n, len(distinct))
		}
		for i, x := range v {
			if distinct[got[i]] != x {
				t.Fatalf("value %g has rank %d, that of %g", x, got[i], distinct[got[i]])
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, rapid.SliceOfN(rapid.Float64Range(-1e3, 1e3), 1, 400).Draw(t, "v"))
		check(t, few(t, "few", 1, 400))
	})
	var same []float64 // differ in their last bits only, and stand in the worst order
	for i := range 3000 {
		same = append(same, 1+float64(3000-i)*0x1p-52)
	}
	check(t, same)
	if got, n := denseRanks([]float64{0, math.Copysign(0, -1), -1, math.Inf(1), math.Inf(-1)}); n != 4 || cmp.Diff([]int32{2, 2, 1, 3, 0}, got) != "" {
		t.Error(got, n)
	}
}
