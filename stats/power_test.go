package stats

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestUnitsNeededIsTheInverseOfMinDetectable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sd := rapid.Float64Range(1e-3, 1e3).Draw(t, "sd")
		n := rapid.IntRange(2, 1_000_000).Draw(t, "n")
		alpha := rapid.Float64Range(0.001, 0.3).Draw(t, "alpha")
		power := rapid.Float64Range(0.4, 0.99).Draw(t, "power")
		delta := MinDetectable(sd/math.Sqrt(float64(n)), alpha, power)
		if got := UnitsNeeded(sd, delta, alpha, power); got != n {
			t.Fatalf("a difference of %g needs %d units, but %d find it", delta, got, n)
		}
		if p := Power(delta, sd/math.Sqrt(float64(n)), alpha); p < power || p > power+alpha/2 {
			t.Fatalf("power %g where %g was asked for", p, power)
		}
	})
}

func TestUnitsNeededAtTheEdges(t *testing.T) {
	for _, c := range []struct {
		name      string
		sd, delta float64
		want      int
	}{
		{"no difference to find", 1, 0, math.MaxInt},
		{"no spread and no difference", 0, 0, math.MaxInt},
		{"no spread", 0, 0.1, 2},
		{"a difference far above the spread", 0.1, 100, 2},
		{"a number beyond int", 1e12, 1e-12, math.MaxInt},
		{"the sign does not count", 1, -0.5, 32},
		{"textbook", 1, 0.5, 32}, // (1.959964 + 0.841621)^2 / 0.25 = 31.4
	} {
		if got := UnitsNeeded(c.sd, c.delta, 0.05, 0.8); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestPowerAgreesWithStatsmodels(t *testing.T) {
	o := readReferences(t).Power
	for _, c := range o.Normal {
		p := Plan{Alpha: c.Alpha, Power: c.Power}
		n := p.units(PairedMeans(c.SD), c.Delta)
		near(t, "units", &n, c.N, exact*c.N)
		if got := UnitsNeeded(c.SD, c.Delta, c.Alpha, c.Power); got != int(math.Ceil(c.N)) {
			t.Errorf("%d units, want %g rounded up", got, c.N)
		}
	}
	for _, c := range o.TwoSided {
		p := Power(c.Delta, c.SE, c.Alpha)
		near(t, "power", &p, c.Power, exact)
	}
	for _, c := range o.Shares {
		p := Plan{Alpha: c.Alpha, Power: c.Power}
		n := p.units(IndependentShares(c.Base), c.Delta)
		near(t, "units", &n, c.N, exact*c.N)
		got, why := p.Detects(IndependentShares(c.Base), c.Delta, 300)
		if why != "" {
			t.Fatal(why)
		}
		near(t, "power of 300", got, c.PowerOf300, exact)
	}
}

func TestICCAgreesWithPingouin(t *testing.T) {
	for _, c := range readReferences(t).ICC {
		got, why := ICC(c.Values, c.Cluster)
		if why != "" {
			t.Fatal(why)
		}
		near(t, "ICC", got, c.ICC, exact)
	}
	for _, c := range []struct {
		values  []float64
		cluster []int
		want    string
	}{
		{[]float64{1, 2}, []int{0}, "2 and 1 values"},
		{[]float64{1, 2}, []int{4, 4}, "1 cluster, fewer than 2"},
		{[]float64{1, 2}, []int{0, 1}, "every cluster has one value"},
		{[]float64{1, 1, 1}, []int{0, 1, 1}, "do not vary"},
		{[]float64{1, math.NaN(), 1}, []int{0, 1, 1}, "value 2 is not a finite number"},
	} {
		if got, why := ICC(c.values, c.cluster); got != nil || !strings.Contains(why, c.want) {
			t.Errorf("ICC of %v: %v, %q", c.values, got, why)
		}
	}
}

// What a plan needs, that many units give: units, power and the detectable difference are three views
// of one equation, for every kind of comparison and any clusters.
func TestPlansAreConsistent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		share := rapid.Float64Range(0.05, 0.7).Draw(t, "share")
		c := []Contrast{
			PairedMeans(share), IndependentMeans(share, 2*share), IndependentShares(share), PairedShares(share),
		}[rapid.IntRange(0, 3).Draw(t, "contrast")]
		p := Plan{
			Alpha: rapid.Float64Range(0.001, 0.2).Draw(t, "alpha"), Power: rapid.Float64Range(0.5, 0.99).Draw(t, "power"),
			PerCluster: rapid.Float64Range(1, 20).Draw(t, "m"), ICC: rapid.Float64Range(0, 1).Draw(t, "icc"),
		}
		delta := rapid.Float64Range(0.01, 0.2).Draw(t, "delta")
		n, why := p.Units(c, min(delta, 0.9*share))
		if why != "" {
			t.Fatal(why)
		}
		delta = min(delta, 0.9*share)
		power, why := p.Detects(c, delta, *n)
		if why != "" || *power < p.Power-1e-9 {
			t.Fatalf("%s: %d units have power %v, not %g: %s", c.Name, *n, power, p.Power, why)
		}
		least, why := p.MinDetectable(c, *n)
		if why != "" || *least > delta*(1+1e-9) {
			t.Fatalf("%s: %d units find %v, not %g: %s", c.Name, *n, least, delta, why)
		}
		if *n > 2 {
			if fewer, _ := p.Detects(c, delta, *n-1); *fewer > p.Power+1e-9 {
				t.Fatalf("%s: %d units have power %g, so %d are not the least", c.Name, *n-1, *fewer, *n)
			}
		}
	})
}

func TestClustersCostUnits(t *testing.T) {
	independent := Plan{}
	if e := (Plan{PerCluster: 5, ICC: 0.2}).DesignEffect(); math.Abs(e-1.8) > 1e-12 {
		t.Errorf("design effect %g, want 1 + 4 x 0.2", e)
	}
	if e := (Plan{PerCluster: 5, ICC: 1}).DesignEffect(); math.Abs(e-5) > 1e-12 {
		t.Errorf("five like units are one: %g", e)
	}
	if e := (Plan{PerCluster: 5, ClusterCV: 1, ICC: 0.2}).DesignEffect(); math.Abs(e-2.8) > 1e-12 {
		t.Errorf("unequal clusters: %g", e)
	}
	a, _ := independent.Units(PairedMeans(0.3), 0.05)
	b, _ := Plan{PerCluster: 5, ICC: 0.2}.Units(PairedMeans(0.3), 0.05)
	if *a != 283 || *b != 509 { // (1.96+.8416)^2 x .09/.0025 = 282.6; x 1.8 = 508.6
		t.Errorf("%d and %d units", *a, *b)
	}
}

func TestPlansThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		p     Plan
		c     Contrast
		delta float64
		want  string
	}{
		{Plan{}, PairedMeans(1), 0, "difference of 0"},
		{Plan{Alpha: 1.2}, PairedMeans(1), 1, "level of 1.2"},
		{Plan{Power: 0.01}, PairedMeans(1), 1, "power of 0.01"},
		{Plan{ICC: 2}, PairedMeans(1), 1, "correlation of 2"},
		{Plan{PerCluster: math.NaN()}, PairedMeans(1), 1, "size of clusters"},
		{Plan{}, PairedMeans(-1), 1, "standard deviation of -1"},
		{Plan{}, IndependentShares(0.9), 0.2, "between -0.9 and 0.1"},
		{Plan{}, IndependentShares(1.2), 0.2, "share of 1.2"},
		{Plan{}, PairedShares(0.1), 0.2, "between -0.1 and 0.1"},
		{Plan{}, PairedShares(0), 0.2, "differing pairs of 0"},
		{Plan{}, PairedMeans(1e300), 1e-300, "more units than can be counted"},
	} {
		if n, why := c.p.Units(c.c, c.delta); n != nil || !strings.Contains(why, c.want) {
			t.Errorf("%v, %q; want %q", n, why, c.want)
		}
	}
	if d, why := (Plan{}).MinDetectable(IndependentShares(0.98), 20); d != nil || !strings.Contains(why, "too few") {
		t.Errorf("20 units find %v over .98: %q", d, why)
	}
	if p, why := (Plan{}).Detects(PairedMeans(1), 1, 1); p != nil || why == "" {
		t.Errorf("one unit has power %v", p)
	}
}
