package stats

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

func TestAdjustKeepsOrderAndBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var in []*float64
		for _, p := range rapid.SliceOf(rapid.Float64Range(0, 1)).Draw(t, "p") {
			in = append(in, &p)
			if rapid.IntRange(0, 4).Draw(t, "missing") == 0 {
				in = append(in, nil)
			}
		}
		by := map[string][]*float64{}
		for _, m := range []string{"none", "bh", "holm", "bonferroni"} {
			out, err := Adjust(in, m)
			if err != nil || len(out) != len(in) {
				t.Fatal(err, len(out))
			}
			by[m] = out
		}
		for i, p := range in {
			if p == nil {
				for m, out := range by {
					if out[i] != nil {
						t.Fatalf("%s made a p of nothing", m)
					}
				}
				continue
			}
			raw, bh, holm, bonferroni := *by["none"][i], *by["bh"][i], *by["holm"][i], *by["bonferroni"][i]
			if raw != *p || raw > bh+1e-15 || bh > holm+1e-12 || holm > bonferroni+1e-15 || bonferroni > 1 {
				t.Fatal(raw, bh, holm, bonferroni)
			}
		}
	})
	for _, p := range []float64{-.1, 1.1, math.NaN()} {
		if _, err := Adjust([]*float64{&p}, "holm"); err == nil {
			t.Errorf("p = %g was taken", p)
		}
	}
	if _, err := Adjust(nil, "sidak"); err == nil || err.Error() != `correction "sidak" is not known: use bonferroni, holm, bh or none` {
		t.Error(err)
	}
}

// Printed values: Newcombe 1998 (paired data), table II, and the airway data of Fagerland, Lydersen
// and Laake 2014.
func TestNewcombePairedGivesPublishedIntervals(t *testing.T) {
	for _, c := range []struct {
		counts [4]int
		lo, hi string
	}{
		{[4]int{36, 12, 2, 0}, "0.0569", "0.3404"},
		{[4]int{1, 1, 7, 12}, "-0.507", "-0.026"},
	} {
		iv := NewcombePaired(c.counts[0], c.counts[1], c.counts[2], c.counts[3], .95)
		digits := len(c.hi) - 2
		if c.hi[0] == '-' {
			digits--
		}
		lo, hi := fmt.Sprintf("%.*f", digits, *iv.Lo), fmt.Sprintf("%.*f", digits, *iv.Hi)
		if lo != c.lo || hi != c.hi {
			t.Errorf("%v: [%s, %s], printed [%s, %s]", c.counts, lo, hi, c.lo, c.hi)
		}
	}
}

func TestIntervalsOfSharesHoldTheirValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n1, n2 := rapid.IntRange(1, 300).Draw(t, "n1"), rapid.IntRange(1, 300).Draw(t, "n2")
		k1, k2 := rapid.IntRange(0, n1).Draw(t, "k1"), rapid.IntRange(0, n2).Draw(t, "k2")
		level := rapid.Float64Range(.5, .999).Draw(t, "level")
		exact := ClopperPearson(k1, n1, level)
		a, b := Newcombe(k1, n1, k2, n2, level), Newcombe(k2, n2, k1, n1, level)
		first := rapid.IntRange(0, n1-k1).Draw(t, "first")
		paired := NewcombePaired(k1, first, n1-k1-first, k2, level)
		for _, iv := range []Interval{exact, a, paired} {
			if *iv.Lo > *iv.Value+1e-12 || *iv.Hi < *iv.Value-1e-12 || *iv.Lo < -1 || *iv.Hi > 1 {
				t.Fatalf("%s: [%g, %g] does not hold %g", iv.Method, *iv.Lo, *iv.Hi, *iv.Value)
			}
		}
		if math.Abs(*a.Lo+*b.Hi) > 1e-12 || math.Abs(*a.Hi+*b.Lo) > 1e-12 {
			t.Fatalf("turned: [%g, %g] and [%g, %g]", *a.Lo, *a.Hi, *b.Lo, *b.Hi)
		}
	})
	for _, iv := range []Interval{ClopperPearson(0, 0, .95), ClopperPearson(4, 3, .95), ClopperPearson(-1, 3, .95), Newcombe(1, 2, 0, 0, .95),
		Newcombe(3, 2, 0, 1, .95), NewcombePaired(0, 0, 0, 0, .95), NewcombePaired(3, -1, 2, 2, .95)} {
		if iv.Value != nil || iv.Lo != nil || iv.Reason == "" {
			t.Errorf("%s: %+v", iv.Method, iv)
		}
	}
}

// Clopper and Pearson's interval covers each share at least as often as it says: summed, not drawn.
func TestClopperPearsonCovers(t *testing.T) {
	for _, n := range []int{5, 20, 61} {
		for p := .01; p < 1; p += .049 {
			covered := 0.0
			for k := range n + 1 {
				if iv := ClopperPearson(k, n, .95); *iv.Lo <= p && p <= *iv.Hi {
					covered += distuv.Binomial{N: float64(n), P: p}.Prob(float64(k))
				}
			}
			if covered < .95-1e-9 {
				t.Errorf("n %d, share %g: covered %g", n, p, covered)
			}
		}
	}
}

func TestEffectSizes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := few(t, "a", 1, 30), few(t, "b", 1, 30)
		sum := 0
		for _, x := range a {
			for _, y := range b {
				sum += sign(x - y)
			}
		}
		if got, want := *CliffDelta(a, b), float64(sum)/float64(len(a)*len(b)); math.Abs(got-want) > 1e-12 {
			t.Fatalf("delta %g, pairs give %g", got, want)
		}
		g, back := HedgesG(a, b), HedgesG(b, a)
		if (g == nil) != (back == nil) || g != nil && math.Abs(*g+*back) > 1e-9 {
			t.Fatal("turned:", g, back)
		}
	})
	nan := []float64{1, math.NaN(), 2}
	for name, got := range map[string]*float64{
		"dz of nothing": CohenDz(nil), "dz of one": CohenDz([]float64{1}), "dz of a constant": CohenDz([]float64{.1, .1, .1}), "dz of NaN": CohenDz(nan),
		"g of one": HedgesG([]float64{1}, []float64{1, 2}), "g of constants": HedgesG([]float64{1, 1}, []float64{2, 2}), "g of NaN": HedgesG(nan, nan),
		"delta of nothing": CliffDelta(nil, []float64{1}), "delta of NaN": CliffDelta([]float64{1}, nan),
	} {
		if got != nil {
			t.Errorf("%s is %g", name, *got)
		}
	}
}

func TestRankTestsSayWhatTheyCannot(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		groups [][]float64
		reason string
	}{
		{nil, "0 groups, fewer than 2"},
		{[][]float64{{1, 2}}, "1 group, fewer than 2"},
		{[][]float64{{1, 2}, {}}, "group 2 has no values"},
		{[][]float64{{1, 2}, {nan}}, "value 1 of group 2 is not a finite number"},
		{[][]float64{{3, 3}, {3}}, "all values are the same"},
	} {
		if got := KruskalWallis(c.groups); got.Statistic != nil || got.P != nil || got.Reason != c.reason {
			t.Errorf("%v: %+v", c.groups, got)
		}
		pairs, err := Dunn(c.groups, "holm")
		if err != nil {
			t.Error(err)
		}
		for _, p := range pairs {
			if p.P != nil || p.PAdjusted != nil || p.Reason != c.reason {
				t.Errorf("%v: %+v", c.groups, p)
			}
		}
	}
	if _, err := Dunn([][]float64{{1}, {2}}, "tukey"); err == nil {
		t.Error("a correction that is not known was taken")
	}
	for _, c := range []struct {
		blocks [][]float64
		reason string
	}{
		{nil, "0 blocks, fewer than 2"},
		{[][]float64{{1, 2, 3}}, "1 block, fewer than 2"},
		{[][]float64{{1, 2}, {2, 1}}, "2 treatments, fewer than 3"},
		{[][]float64{{1, 2, 3}, {2, 1}}, "block 2 has 2 values, block 1 has 3"},
		{[][]float64{{1, 2, 3}, {2, 1, nan}}, "value 3 of block 2 is not a finite number"},
		{[][]float64{{1, 1, 1}, {2, 2, 2}}, "no block has values that differ"},
	} {
		if got := Friedman(c.blocks); got.Statistic != nil || got.P != nil || got.Reason != c.reason {
			t.Errorf("%v: %+v", c.blocks, got)
		}
	}
}

func TestRankTestsSeeOnlyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var groups, grown [][]float64
		for range rapid.IntRange(2, 4).Draw(t, "groups") {
			g := few(t, "g", 3, 3)
			var e []float64
			for _, x := range g {
				e = append(e, math.Exp(x))
			}
			groups, grown = append(groups, g), append(grown, e)
		}
		for _, f := range []func([][]float64) Test{KruskalWallis, Friedman} {
			a, b := f(groups), f(grown)
			if a.Statistic == nil {
				continue
			}
			if math.Abs(*a.Statistic-*b.Statistic) > 1e-9 || *a.P < 0 || *a.P > 1 || *a.Statistic < -1e-12 || *a.Effect > 1+1e-12 {
				t.Fatalf("%+v and %+v", a, b)
			}
		}
	})
}
