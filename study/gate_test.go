package study

import (
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"enterprisedocbench"
)

func check(t testing.TB, kind, s string) Check {
	t.Helper()
	if kind == NotWorse {
		return Check{Kind: kind, Key: s}
	}
	c, err := ParseCheck(kind, s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func gateOf(t testing.TB, dir string, opt GateOptions) *GateResult {
	t.Helper()
	g, err := Gate(dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// ninetyTwo is 92 right of 100.
func ninetyTwo() *folder {
	v := flat(100, 1)
	for i := range 8 {
		v[i*7] = 0
	}
	f := plain(100)
	f.arms = []string{"a"}
	return f.put("a", "generate.accuracy", v...)
}

func TestAbsoluteThresholds(t *testing.T) {
	dir := ninetyTwo().write(t)
	for _, c := range []struct {
		kind, check string
		pass        bool
		words       string
	}{
		{AtLeast, "generate.accuracy=0.9", true, "the value is 0.92"},
		{AtLeast, "generate.accuracy=0.92", true, "the value is 0.92"},
		{AtLeast, "generate.accuracy=0.95", false, "the value is 0.92, below 0.95 by 0.03"},
		{AtMost, "generate.accuracy=0.92", true, "the value is 0.92"},
		{AtMost, "generate.accuracy=0.9", false, "the value is 0.92, above 0.9 by 0.02"},
	} {
		g := gateOf(t, dir, GateOptions{Checks: []Check{check(t, c.kind, c.check)}})
		if g.Passed != c.pass || g.Checks[0].Words != c.words || len(g.Checks) != 1 {
			t.Errorf("%s %s: %+v", c.kind, c.check, g.Checks)
		}
	}
}

// A threshold that the value is, but for the rounding of a sum.
func TestRoundingDoesNotFail(t *testing.T) {
	dir := plain(10).put("a", "generate.hr", .1, .2, .3, .4, .5, .1, .2, .3, .4, .5).put("b", "generate.hr", flat(10, .1)...).write(t)
	if g := gateOf(t, dir, GateOptions{Checks: []Check{check(t, AtMost, "generate.hr=0.3")}}); !g.Passed || len(g.Checks) != 2 {
		t.Errorf("%+v", g)
	}
}

// --use lo holds the worse end of the interval: the lower for a minimum, the upper for a maximum.
func TestBounds(t *testing.T) {
	f := ninetyTwo()
	lo, hi := .85, .97
	write := func(lo, hi *float64) string {
		dir := f.write(t)
		r, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		fig := r.Summary.Pipelines["a"]["generate.accuracy"]
		fig.Lo, fig.Hi = lo, hi
		if lo == nil {
			fig.Reason = "no interval: 4 units, fewer than 10"
		}
		r.Summary.Pipelines["a"]["generate.accuracy"] = fig
		rewriteSummary(t, dir, r.Summary)
		return dir
	}
	for _, c := range []struct {
		kind, check string
		lo, hi      *float64
		pass        bool
		words       string
	}{
		{AtLeast, "generate.accuracy=0.9", &lo, &hi, false, "the lower bound is 0.85, below 0.9 by 0.05"},
		{AtLeast, "generate.accuracy=0.85", &lo, &hi, true, "the lower bound is 0.85"},
		{AtMost, "generate.accuracy=0.95", &lo, &hi, false, "the upper bound is 0.97, above 0.95 by 0.02"},
		{AtLeast, "generate.accuracy=0.1", nil, nil, false, "no interval to go by: no interval: 4 units, fewer than 10"},
	} {
		g := gateOf(t, write(c.lo, c.hi), GateOptions{Bound: true, Checks: []Check{check(t, c.kind, c.check)}})
		if g.Passed != c.pass || g.Checks[0].Words != c.words || g.Use != "lo" {
			t.Errorf("%s %s: %+v", c.kind, c.check, g.Checks)
		}
	}
}

// What is not measured never passes.
func TestNotMeasuredFails(t *testing.T) {
	f := small().put("a", "generate.fa", flat(12, nan)...).put("b", "generate.fa", flat(12, .9)...)
	dir := f.write(t)
	g := gateOf(t, dir, GateOptions{Checks: []Check{check(t, AtLeast, "generate.fa=0"), check(t, AtMost, "generate.fa=1"), check(t, AtLeast, "quality.q=0"), check(t, AtLeast, "parse.p=0")}})
	if g.Passed || g.Failed != 6 {
		t.Errorf("%d of %d failed", g.Failed, len(g.Checks))
	}
	if w := g.Checks[0].Words; w != "not measured: nothing to measure here" {
		t.Errorf("%q", w)
	}
	base := f.write(t)
	for _, c := range []Check{check(t, MaxDrop, "generate.fa=1"), check(t, NotWorse, "generate.fa")} {
		if g := gateOf(t, dir, GateOptions{Checks: []Check{c}, Baseline: base, Pipelines: []string{"a"}}); g.Passed || !strings.Contains(g.Checks[0].Words, "nothing to measure here") {
			t.Errorf("%+v", g.Checks)
		}
	}
}

// small has a at .4 and b at .6: b held against a is better, a against b is worse by .2.
func TestRelativeToABaseline(t *testing.T) {
	root := t.TempDir()
	base, dir := filepath.Join(root, "base"), filepath.Join(root, "new")
	small().writeTo(t, base)
	small().writeTo(t, dir)
	for _, c := range []struct {
		name     string
		check    Check
		baseline string
		arm      string
		delta    float64
		bound    bool
		pass     bool
		words    string
	}{
		{"the same", check(t, MaxDrop, ndcg+"=0"), base, "a", 0, false, true, "the drop is 0 (0.4 to 0.4, +0.000 [+0.000, +0.000], p 1.0000, 12 units)"},
		{"worse", check(t, MaxDrop, ndcg+"=0.1"), base + ":b", "a", 0, false, false, "the drop is 0.2 (0.6 to 0.4, -0.200 [-0.200, -0.200], p 0.0005, 12 units), over 0.1"},
		{"as much as is allowed", check(t, MaxDrop, ndcg+"=0.2"), base + ":b", "a", 0, false, true, "the drop is 0.2 ("},
		{"as much, by the bound", check(t, MaxDrop, ndcg+"=0.2"), base + ":b", "a", 0, true, true, "the drop may be as large as its bound, which is 0.2 ("},
		{"better", check(t, MaxDrop, ndcg+"=0"), base + ":a", "b", 0, false, true, "the drop is -0.2 ("},
		{"significantly worse", check(t, NotWorse, ndcg), base + ":b", "a", 0, false, false, "significantly worse (0.6 to 0.4"},
		{"not worse", check(t, NotWorse, ndcg), base + ":a", "b", 0, false, true, "not significantly worse ("},
		{"ruled out", check(t, NotWorse, ndcg), base, "a", .05, false, true, "a drop of 0.05 is ruled out ("},
		{"not ruled out", check(t, NotWorse, ndcg), base + ":b", "a", .1, false, false, "a drop of 0.1 is not ruled out ("},
	} {
		g := gateOf(t, dir, GateOptions{Checks: []Check{c.check}, Baseline: c.baseline, Pipelines: []string{c.arm}, Delta: c.delta, Bound: c.bound})
		if g.Passed != c.pass || !strings.HasPrefix(g.Checks[0].Words, c.words) {
			t.Errorf("%s: %v %q", c.name, g.Passed, g.Checks[0].Words)
		}
	}
}

// A rate of errors is worse where it is higher.
func TestDropOfARateOfErrors(t *testing.T) {
	values := func(v float64) *folder {
		f := plain(12)
		f.arms = []string{"a"}
		return f.put("a", "generate.hr", flat(12, v)...)
	}
	low, high := values(.1).write(t), values(.3).write(t)
	for _, c := range []struct {
		run, base string
		pass      bool
	}{{high, low, false}, {low, high, true}} {
		for _, k := range []Check{check(t, MaxDrop, "generate.hr=0.1"), check(t, NotWorse, "generate.hr")} {
			if g := gateOf(t, c.run, GateOptions{Checks: []Check{k}, Baseline: c.base}); g.Passed != c.pass {
				t.Errorf("%+v", g.Checks)
			}
		}
	}
}

// Few units prove nothing: a test that cannot be made fails, and so does a bound that is not there.
func TestTooFewUnitsFailTheTest(t *testing.T) {
	f := plain(4).put("a", ndcg, flat(4, .5)...).put("b", ndcg, flat(4, .5)...)
	dir := f.write(t)
	for _, opt := range []GateOptions{
		{Checks: []Check{check(t, NotWorse, ndcg)}, Baseline: dir},
		{Checks: []Check{check(t, MaxDrop, ndcg+"=0.5")}, Baseline: dir, Bound: true},
	} {
		if g := gateOf(t, dir, opt); g.Passed || !strings.Contains(g.Checks[0].Words, "4 units, fewer than 10") {
			t.Errorf("%+v", g.Checks)
		}
	}
}

// Twelve questions of two documents cannot be tested for other documents, so they pass no test; the
// same run twice is no worse than itself.
func TestFewDocumentsFailTheTest(t *testing.T) {
	f := plain(0)
	f.units = append(f.units, document("d00"), document("d01"))
	for i := range 12 {
		f.units = append(f.units, question(i, "table", []string{"d00", "d01"}[i%2]))
	}
	dir := f.put("a", ndcg, flat(12, .5)...).put("b", ndcg, flat(12, .6)...).write(t)
	for _, opt := range []GateOptions{{}, {Delta: .02}} {
		opt.Checks, opt.Pipelines, opt.Baseline = []Check{check(t, NotWorse, ndcg)}, []string{"b"}, dir+":a"
		if g := gateOf(t, dir, opt); g.Passed || g.Checks[0].Words != "not tested: 2 documents, 6 or more needed" {
			t.Errorf("%+v", g.Checks)
		}
		opt.Baseline = dir
		if g := gateOf(t, dir, opt); !g.Passed {
			t.Errorf("%+v", g.Checks)
		}
	}
}

func TestMoneyIsGatedByValue(t *testing.T) {
	f := small()
	f.costs = map[string]map[string]edb.Figure{"a": {"cost.relative": {Value: ptr(1)}}, "b": {"cost.relative": {Value: ptr(3)}}}
	dir := f.write(t)
	g := gateOf(t, dir, GateOptions{Checks: []Check{check(t, AtMost, "cost.relative=2")}})
	if g.Failed != 1 || g.Checks[0].Passed == g.Checks[1].Passed {
		t.Errorf("%+v", g.Checks)
	}
	g = gateOf(t, dir, GateOptions{Checks: []Check{check(t, MaxDrop, "cost.relative=1"), check(t, NotWorse, "cost.relative")}, Baseline: dir + ":a", Pipelines: []string{"b"}})
	if g.Failed != 2 || g.Checks[0].Words != "the drop is 2 (1 to 3), over 1" || !strings.HasPrefix(g.Checks[1].Words, "not tested: measured once") {
		t.Errorf("%+v", g.Checks)
	}
}

func TestOnlyPipelinesOfTheConfigurationAreHeld(t *testing.T) {
	f := small()
	f.arms = append(f.arms, "a+oracle:parse", "a+noise:parse.ocr=0.05")
	f.put("a+oracle:parse", ndcg, flat(12, .9)...).put("a+noise:parse.ocr=0.05", ndcg, flat(12, .1)...)
	dir := f.write(t)
	g := gateOf(t, dir, GateOptions{Checks: []Check{check(t, AtLeast, ndcg+"=0.3")}})
	if !g.Passed || len(g.Checks) != 2 {
		t.Errorf("%+v", g.Checks)
	}
	g = gateOf(t, dir, GateOptions{Checks: []Check{check(t, AtLeast, ndcg+"=0.3")}, Pipelines: []string{"a+noise:parse.ocr=0.05"}})
	if g.Passed || len(g.Checks) != 1 {
		t.Errorf("%+v", g.Checks)
	}
}

func TestGateRefuses(t *testing.T) {
	dir := small().write(t)
	other := small()
	other.corpus = "another"
	one := small()
	one.arms = []string{"x", "y"}
	for i := range one.rows {
		one.rows[i].Arm = map[string]string{"a": "x", "b": "y"}[one.rows[i].Arm]
	}
	min := []Check{check(t, AtLeast, ndcg+"=0.5")}
	drop := []Check{check(t, MaxDrop, ndcg+"=0.5")}
	for _, c := range []struct {
		dir  string
		opt  GateOptions
		want string
	}{
		{dir, GateOptions{}, "nothing is asked of the run"},
		{dir, GateOptions{Checks: drop}, "name it with --baseline RUN"},
		{dir, GateOptions{Checks: min, Baseline: dir}, "no check uses it"},
		{dir, GateOptions{Checks: drop, Baseline: dir + "x"}, "--baseline: run " + dir + "x: "},
		{dir, GateOptions{Checks: drop, Baseline: dir + ":z"}, `has no pipeline "z"`},
		{dir, GateOptions{Checks: drop, Baseline: other.write(t)}, "the datasets differ"},
		{dir, GateOptions{Checks: drop, Baseline: one.write(t)}, `has no pipeline "a": name one as`},
		{dir, GateOptions{Checks: min, Pipelines: []string{"z"}}, `has no pipeline "z": choose from a, b`},
		{dir, GateOptions{Checks: []Check{check(t, AtLeast, "retrieve.ndcg@50=0.5")}}, "choose one of retrieve.ndcg@5"},
		{dir, GateOptions{Checks: []Check{{Kind: NotWorse, Key: "magic"}}, Baseline: dir}, "magic"},
		{dir, GateOptions{Checks: min, Delta: nan}, "delta is NaN"},
		{dir + "x", GateOptions{Checks: min}, "no such file"},
	} {
		if _, err := Gate(c.dir, c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %q", c.opt, err, c.want)
		}
	}
}

func TestParseCheck(t *testing.T) {
	for in, want := range map[string]Check{
		"retrieve.ndcg@5=0.7":                       {AtLeast, "retrieve.ndcg@5", .7},
		"parse.teds:mode=structure=.9":              {AtLeast, "parse.teds(mode=structure)", .9},
		"parse.teds(mode=structure)=9e-1":           {AtLeast, "parse.teds(mode=structure)", .9},
		"generate.hr:mode=binary,unit=document=0.1": {AtLeast, "generate.hr(mode=binary,unit=document)", .1},
		"cost.usd_per_1k_queries=12":                {AtLeast, "cost.usd_per_1k_queries", 12},
	} {
		if got, err := ParseCheck(AtLeast, in); err != nil || got != want {
			t.Errorf("%s: %+v, %v", in, got, err)
		}
	}
	for in, want := range map[string]string{
		"retrieve.ndcg@5":             "no threshold",
		"=0.5":                        "no threshold",
		"retrieve.ndcg@5=":            `threshold "" is not a number`,
		"retrieve.ndcg@5=NaN":         `threshold "NaN" is not a number`,
		"retrieve.ndcg@5=inf":         `threshold "inf" is not a number`,
		"retrieve.ndcg@5=70":          "is a share from 0 to 1",
		"retrieve.ndgc@5=0.7":         "choose one of retrieve.ndcg",
		"parse.teds:mode=structure":   `threshold "structure" is not a number`,
		"parse.teds:mode=sideways=.5": "mode=sideways is not one of",
	} {
		if _, err := ParseCheck(AtLeast, in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", in, err, want)
		}
	}
	if _, err := ParseCheck(MaxDrop, "retrieve.ndcg@5=-0.1"); err == nil || !strings.Contains(err.Error(), "a drop is not negative") {
		t.Errorf("got %v", err)
	}
}

func FuzzParseCheck(f *testing.F) {
	f.Add("retrieve.ndcg@5=0.7")
	f.Add("parse.teds:mode=structure=.9")
	f.Fuzz(func(t *testing.T, s string) {
		c, err := ParseCheck(AtLeast, s)
		if err == nil && (c.Threshold != c.Threshold || c.Key == "") {
			t.Fatalf("%q: %+v", s, c)
		}
	})
}

// A run held against itself has dropped by nothing, whatever is in it; and a gate that passes at one
// threshold passes at every easier one.
func TestGateAgainstItself(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(10, 14).Draw(rt, "n")
		v := rapid.SliceOfN(rapid.SampledFrom([]float64{0, .2, .7, 1, -1}), n, n).Draw(rt, "values")
		f := plain(n)
		f.arms, f.config.Metrics.Replicates = []string{"a"}, 100
		dir := f.put("a", ndcg, v...).write(t)
		g := gateOf(t, dir, GateOptions{Baseline: dir, Checks: []Check{check(t, MaxDrop, ndcg+"=0"), check(t, NotWorse, ndcg)}})
		if !g.Passed {
			rt.Fatalf("%+v", g.Checks)
		}
		x, y := rapid.Float64Range(0, 1).Draw(rt, "x"), rapid.Float64Range(0, 1).Draw(rt, "y")
		g = gateOf(t, dir, GateOptions{Checks: []Check{{AtLeast, ndcg, max(x, y)}, {AtLeast, ndcg, min(x, y)}}})
		if g.Checks[0].Passed && !g.Checks[1].Passed {
			rt.Fatalf("%+v", g.Checks)
		}
	})
}
