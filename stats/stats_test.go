package stats

import (
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func near(t *testing.T, what string, got *float64, want, tol float64) {
	t.Helper()
	if got == nil {
		t.Fatalf("%s is undefined, want %g", what, want)
	}
	if math.Abs(*got-want) > tol {
		t.Errorf("%s = %.7f, want %.7f", what, *got, want)
	}
}

func decode(t *testing.T, raw json.RawMessage, v any) {
	t.Helper()
	if err := json.Unmarshal(raw, v); err != nil {
		t.Fatal(err)
	}
}

// The four intervals printed in EnterpriseDocBench table 3, to their last digit.
func TestWilsonGivesThePapersTable(t *testing.T) {
	for _, row := range []struct {
		rate   float64
		n      int
		lo, hi string
	}{
		{0.281, 35, "16.0", "44.6"},
		{0.092, 158, "5.6", "14.7"},
		{0.144, 250, "10.6", "19.3"},
		{0.238, 21, "10.6", "45.1"},
	} {
		iv := Wilson(row.rate, row.n, 0.95)
		lo, hi := fmt.Sprintf("%.1f", 100**iv.Lo), fmt.Sprintf("%.1f", 100**iv.Hi)
		if lo != row.lo || hi != row.hi {
			t.Errorf("rate %g of %d: [%s, %s], the paper prints [%s, %s]", row.rate, row.n, lo, hi, row.lo, row.hi)
		}
	}
}

func TestWilsonHoldsItsRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		iv := WilsonCount(k, n, rapid.Float64Range(0.5, 0.999).Draw(t, "level"))
		if *iv.Lo < 0 || *iv.Hi > 1 || *iv.Lo > *iv.Value || *iv.Hi < *iv.Value {
			t.Fatalf("[%g, %g] does not hold %g", *iv.Lo, *iv.Hi, *iv.Value)
		}
	})
	if iv := Wilson(0.5, 0, 0.95); iv.Value != nil || iv.Reason == "" {
		t.Errorf("no units gave %v", iv)
	}
	if iv := Wilson(1.5, 3, 0.95); iv.Value != nil || iv.Reason == "" {
		t.Errorf("a rate of 1.5 gave %v", iv)
	}
}

func spread(n, perDoc int) (values []float64, docs [][]string) {
	for i := range n {
		values = append(values, float64((i*7919)%1000)/1000)
		docs = append(docs, []string{fmt.Sprint("d", i/perDoc)})
	}
	return values, docs
}

func TestMeanChoosesTheMethodByTheClusters(t *testing.T) {
	for _, c := range []struct {
		name    string
		n, per  int
		method  string
		reason  string
		hasBand bool
	}{
		{"nothing", 0, 1, "", "no values", false},
		{"nine units", 9, 1, "", "no interval: 9 units, fewer than 10", false},
		{"ten documents", 10, 1, "clustered by documents (10 clusters", "", true},
		{"nine documents", 27, 3, "two-way", "", true},
		{"one document", 50, 50, "two-way", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, d := spread(c.n, c.per)
			iv := Mean(v, d, Options{Seed: 1, Replicates: 500})
			if !strings.Contains(iv.Method, c.method) || iv.Reason != c.reason || (iv.Lo != nil) != c.hasBand {
				t.Errorf("method %q, reason %q, interval %v", iv.Method, iv.Reason, iv.Lo != nil)
			}
		})
	}
	v, d := spread(40, 1)
	for i := range 12 { // a component of 12 of 40 units, joined in a chain
		d[i] = []string{fmt.Sprint("d", i), fmt.Sprint("d", i+1)}
	}
	if iv := Mean(v, d, Options{Replicates: 200}); !strings.Contains(iv.Method, "two-way") {
		t.Errorf("a component with 12 of 40 units: method %q", iv.Method)
	}
}

func TestIntervalsDoNotDependOnTheCores(t *testing.T) {
	v, d := spread(300, 3)
	parts := []Part{{Values: v, Docs: d}, {Values: v[:120], Docs: d[:120]}}
	f := func(m []float64) float64 { return 0.3*m[0] + 0.7*m[1] }
	before := runtime.GOMAXPROCS(1)
	one := Composite(parts, f, Options{Seed: 7})
	runtime.GOMAXPROCS(5)
	five := Composite(parts, f, Options{Seed: 7})
	runtime.GOMAXPROCS(before)
	if diff := cmp.Diff(one, five); diff != "" {
		t.Error(diff)
	}
	if other := Composite(parts, f, Options{Seed: 8}); *other.Lo == *one.Lo {
		t.Error("another seed gave the same bound")
	}
}

// 40 Bernoulli units in clusters of their own: the bootstrap's standard error is
// sqrt(p(1-p)/n) = 0.0791, so the 95 % interval is about 0.5 ± 0.155.
func TestMeanAgreesWithTheNormalInterval(t *testing.T) {
	var v []float64
	for i := range 40 {
		v = append(v, float64(i%2))
	}
	iv := Mean(v, nil, Options{Seed: 3})
	near(t, "value", iv.Value, 0.5, 0)
	near(t, "lo", iv.Lo, 0.345, 0.02)
	near(t, "hi", iv.Hi, 0.655, 0.02)
}

// Answers of one document that agree count as one: 20 documents with 10 equal answers each give the
// interval of 20 units, not of 200.
func TestClustersWidenTheInterval(t *testing.T) {
	var v []float64
	var d [][]string
	for i := range 200 {
		v = append(v, float64(i/10%2))
		d = append(d, []string{fmt.Sprint(i / 10)})
	}
	with, without := Mean(v, d, Options{}), Mean(v, nil, Options{})
	ratio := (*with.Hi - *with.Lo) / (*without.Hi - *without.Lo)
	if math.Abs(ratio-math.Sqrt(10)) > 0.35 {
		t.Errorf("clustered interval is %.2f times as wide, want about %.2f", ratio, math.Sqrt(10))
	}
}

func TestCompositeSharesClustersThroughDocuments(t *testing.T) {
	var a, b []float64
	var d [][]string
	for i := range 60 {
		x := float64(i%6) / 5
		a, b, d = append(a, x), append(b, 1-x), append(d, []string{fmt.Sprint(i)})
	}
	iv := Composite([]Part{{Values: a, Docs: d}, {Values: b, Docs: d}}, func(m []float64) float64 { return m[0] + m[1] }, Options{})
	near(t, "lo", iv.Lo, 1, 1e-9)
	near(t, "hi", iv.Hi, 1, 1e-9)
	if iv := Composite([]Part{{Values: a, Docs: d}, {}}, func(m []float64) float64 { return 0 }, Options{}); iv.Value != nil || iv.Reason != "part 2 of 2 has no values" {
		t.Errorf("an empty part gave %+v", iv)
	}
	if iv := Mean([]float64{1, math.NaN()}, nil, Options{}); iv.Value != nil || iv.Reason == "" {
		t.Errorf("NaN gave %+v", iv)
	}
}

// Two-way: one shared document keeps its weight, units named alike move together.
func TestTwoWayJoinsNamedUnits(t *testing.T) {
	var a, b []float64
	var d [][]string
	var u []string
	for i := range 30 {
		x := float64(i%6) / 5
		a, b, d, u = append(a, x), append(b, 1-x), append(d, []string{"only"}), append(u, fmt.Sprint("q", i))
	}
	f := func(m []float64) float64 { return m[0] + m[1] }
	named := Composite([]Part{{a, d, u}, {b, d, u}}, f, Options{Replicates: 1000})
	near(t, "lo", named.Lo, 1, 1e-9)
	loose := Composite([]Part{{a, d, nil}, {b, d, nil}}, f, Options{Replicates: 1000})
	if *loose.Hi-*loose.Lo < 0.1 {
		t.Errorf("unnamed units moved together: [%g, %g]", *loose.Lo, *loose.Hi)
	}
}

func TestIntervalHoldsItsEstimate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Float64Range(0, 1), 10, 60).Draw(t, "values")
		per := rapid.IntRange(1, 5).Draw(t, "per")
		var d [][]string
		for i := range v {
			d = append(d, []string{fmt.Sprint(i / per)})
		}
		iv := Mean(v, d, Options{Replicates: 400, Seed: rapid.Uint64().Draw(t, "seed")})
		if *iv.Lo > *iv.Value+1e-12 || *iv.Hi < *iv.Value-1e-12 || *iv.Lo < 0 || *iv.Hi > 1 {
			t.Fatalf("[%g, %g] for %g", *iv.Lo, *iv.Hi, *iv.Value)
		}
	})
}

func TestComponents(t *testing.T) {
	got, n := components([][]string{{"a"}, {"b"}, nil, {"a", "c"}, {"c", "b"}, {"d"}})
	if diff := cmp.Diff([]int{0, 0, 1, 0, 0, 2}, got); diff != "" || n != 3 {
		t.Error(n, diff)
	}
}
