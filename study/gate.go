package study

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/metrics"
)

// Kinds of checks.
const (
	AtLeast  = "min"       // the value is at least the threshold
	AtMost   = "max"       // the value is at most the threshold
	MaxDrop  = "max-drop"  // the value is at most that much worse than the baseline's, over paired units
	NotWorse = "not-worse" // the paired test does not say worse; with a delta, the interval stays above -delta
)

// Check is one thing that is asked of a run.
type Check struct {
	Kind      string
	Key       string  // canonical name of a measure
	Threshold float64 // not for NotWorse
}

// ParseCheck reads KEY=V of --min, --max and --max-drop. KEY is a measure in either form:
// parse.teds:mode=structure=0.9 or "parse.teds(mode=structure)=0.9".
func ParseCheck(kind, s string) (Check, error) {
	i := strings.LastIndexByte(s, '=')
	bad := func(why string) (Check, error) {
		return Check{}, fmt.Errorf("--%s %q: %s; write KEY=V, for example retrieve.ndcg@5=0.7", kind, s, why)
	}
	if i < 1 {
		return bad("no threshold")
	}
	v, err := strconv.ParseFloat(s[i+1:], 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return bad(fmt.Sprintf("threshold %q is not a number", s[i+1:]))
	}
	n, m, err := metrics.Lookup(s[:i])
	switch {
	case err != nil:
		return Check{}, fmt.Errorf("--%s %q: %w", kind, s, err)
	case kind == MaxDrop && v < 0:
		return bad("a drop is not negative")
	case m.Bounded && (v < 0 || v > 1):
		return bad(fmt.Sprintf("%s is a share from 0 to 1", n))
	}
	return Check{kind, n.String(), v}, nil
}

// GateOptions say what is asked of a run.
type GateOptions struct {
	Checks    []Check
	Pipelines []string // none: the pipelines of the configuration, without its oracle and noise arms
	Baseline  string   // RUN or RUN:PIPELINE, for MaxDrop and NotWorse
	Bound     bool     // hold the threshold against the worse end of the interval instead of the value
	Delta     float64  // of NotWorse; 0: the test alone decides
	Seed      uint64
}

// GateResult says which checks passed.
type GateResult struct {
	Run      string        `json:"run"`
	Baseline string        `json:"baseline,omitempty"`
	Use      string        `json:"use"` // value or lo
	Passed   bool          `json:"passed"`
	Failed   int           `json:"failed"`
	Checks   []CheckResult `json:"checks"`
}

// CheckResult is one check of one pipeline. Value is what was held against the threshold: the
// figure's value or bound, the drop, or the difference. Words say why it passed or failed.
type CheckResult struct {
	Pipeline   string      `json:"pipeline"`
	Kind       string      `json:"kind"`
	Key        string      `json:"key"`
	Threshold  *float64    `json:"threshold"`
	Value      *float64    `json:"value"`
	Figure     *edb.Figure `json:"figure,omitempty"`
	Difference *Difference `json:"difference,omitempty"`
	Passed     bool        `json:"passed"`
	Words      string      `json:"words"`
}

// Title names the check: "retrieve.ndcg@5 at least 0.7".
func (r CheckResult) Title() string {
	switch r.Kind {
	case AtLeast:
		return fmt.Sprintf("%s at least %g", r.Key, *r.Threshold)
	case AtMost:
		return fmt.Sprintf("%s at most %g", r.Key, *r.Threshold)
	case MaxDrop:
		return fmt.Sprintf("%s at most %g worse than the baseline", r.Key, *r.Threshold)
	}
	if r.Threshold != nil {
		return fmt.Sprintf("%s not worse than the baseline by %g", r.Key, *r.Threshold)
	}
	return r.Key + " not significantly worse than the baseline"
}

// slack keeps a value that is the threshold but for rounding from failing.
const slack = 1e-9

// Gate holds a finished run against what is asked of it. What is not measured fails with its reason;
// a key that no pipeline has, a run that cannot be read and a baseline that did not measure the same
// are errors.
func Gate(dir string, opt GateOptions) (*GateResult, error) {
	if len(opt.Checks) == 0 {
		return nil, errors.New("nothing is asked of the run: give --min KEY=V, --max KEY=V, --max-drop KEY=V or --not-worse KEY")
	}
	if !(opt.Delta >= 0 && opt.Delta < 1) {
		return nil, fmt.Errorf("delta is %g: use a difference above 0 and below 1, for example 0.02", opt.Delta)
	}
	r, err := Open(dir)
	if err != nil {
		return nil, err
	}
	sides, err := gated(r, opt.Pipelines)
	if err != nil {
		return nil, err
	}
	g := gate{opt: opt, out: &GateResult{Run: dir, Baseline: opt.Baseline, Use: "value"}}
	if opt.Bound {
		g.out.Use = "lo"
	}
	relative := slices.ContainsFunc(opt.Checks, func(c Check) bool { return c.Kind == MaxDrop || c.Kind == NotWorse })
	switch {
	case relative && opt.Baseline == "":
		return nil, errors.New("--max-drop and --not-worse hold a run against another: name it with --baseline RUN")
	case !relative && opt.Baseline != "":
		return nil, errors.New("--baseline is given and no check uses it: add --max-drop KEY=V or --not-worse KEY")
	case relative:
		if g.base, g.baseArm, err = openBaseline(r, opt.Baseline); err != nil {
			return nil, err
		}
	}
	for i, c := range opt.Checks {
		if opt.Checks[i].Key, err = knownKey(c.Key, sides); err != nil {
			return nil, err
		}
	}
	for _, s := range sides {
		for _, c := range opt.Checks {
			res, err := g.check(s, c)
			if err != nil {
				return nil, err
			}
			if !res.Passed {
				g.out.Failed++
			}
			g.out.Checks = append(g.out.Checks, res)
		}
	}
	g.out.Passed = g.out.Failed == 0
	return g.out, nil
}

// gated are the pipelines that a gate holds: those named, or those of the configuration.
func gated(r *Run, names []string) ([]side, error) {
	if len(names) == 0 {
		names = plainArms(r)
	}
	var out []side
	for _, n := range names {
		if r.arms[n] == nil {
			return nil, noPipeline(r, n)
		}
		if s := (side{r, n, n}); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out, nil
}

// plainArms are the arms that are pipelines of the configuration: no oracle, no noise.
func plainArms(r *Run) []string {
	var out []string
	for _, a := range r.Summary.Arms {
		if !strings.Contains(a, "+oracle:") && !strings.Contains(a, "+noise:") {
			out = append(out, a)
		}
	}
	return out
}

func openBaseline(r *Run, arg string) (*Run, string, error) {
	dir, arm := locate(arg)
	base, err := Open(dir)
	if err != nil {
		return nil, "", fmt.Errorf("--baseline: %w", err)
	}
	if arm != "" && base.arms[arm] == nil {
		return nil, "", fmt.Errorf("--baseline: %w", noPipeline(base, arm))
	}
	return base, arm, sameTask(base, r, false)
}

type gate struct {
	opt     GateOptions
	base    *Run
	baseArm string
	out     *GateResult
}

func (g *gate) check(s side, c Check) (CheckResult, error) {
	res := CheckResult{Pipeline: s.arm, Kind: c.Kind, Key: c.Key}
	switch {
	case c.Kind != NotWorse:
		res.Threshold = ptr(c.Threshold)
	case g.opt.Delta > 0:
		res.Threshold = ptr(g.opt.Delta)
	}
	if c.Kind == AtLeast || c.Kind == AtMost {
		g.absolute(s, &res)
		return res, nil
	}
	base, err := g.baseOf(s)
	if err != nil {
		return res, err
	}
	d, err := g.difference(pairing{base, s}, c.Key)
	if err != nil {
		return res, err
	}
	res.Difference = &d
	if c.Kind == MaxDrop {
		g.drop(d, &res)
	} else {
		g.notWorse(d, &res)
	}
	return res, nil
}

// absolute holds a figure's value, or the worse end of its interval, against a threshold.
func (g *gate) absolute(s side, res *CheckResult) {
	f := s.figure(res.Key)
	res.Figure = &f
	if f.Value == nil {
		res.Words = because(NotMeasured, firstOf(f.Reason, "the pipeline has no such figure"))
		return
	}
	res.Value = f.Value
	what := "the value"
	if g.opt.Bound {
		res.Value, what = f.Lo, "the lower bound"
		if res.Kind == AtMost {
			res.Value, what = f.Hi, "the upper bound"
		}
		if res.Value == nil {
			res.Words = "no interval to go by: " + firstOf(f.Reason, "none was made")
			return
		}
	}
	over := *res.Value - *res.Threshold
	word := "above"
	if res.Kind == AtLeast {
		over, word = -over, "below"
	}
	res.Passed = over <= slack
	res.Words = fmt.Sprintf("%s is %.4g", what, *res.Value)
	if !res.Passed {
		res.Words += fmt.Sprintf(", %s %.4g by %.2g", word, *res.Threshold, over)
	}
}

// baseOf is the pipeline of the baseline run that a pipeline is held against: the one that is named,
// its namesake, or the only one.
func (g *gate) baseOf(s side) (side, error) {
	arm := g.baseArm
	if arm == "" && g.base.arms[s.arm] != nil {
		arm = s.arm
	}
	if plain := plainArms(g.base); arm == "" && len(plain) == 1 {
		arm = plain[0]
	}
	if arm == "" {
		return side{}, fmt.Errorf("the baseline %s has no pipeline %q: name one as %s:PIPELINE, from %s", g.base.Dir, s.arm, g.base.Dir, strings.Join(g.base.Summary.Arms, ", "))
	}
	return side{g.base, arm, g.base.Dir + ":" + arm}, nil
}

// difference is the row that a comparison of the two would have, its p uncorrected: a gate rather
// notices too much.
func (g *gate) difference(p pairing, key string) (Difference, error) {
	opt := CompareOptions{Adjust: "none", Seed: g.opt.Seed}
	if err := opt.fill(); err != nil {
		return Difference{}, err
	}
	c := newComparer([]*Run{p.other.run}, opt)
	if err := c.compare(p, key); err != nil {
		return Difference{}, err
	}
	if err := c.judge(); err != nil {
		return Difference{}, err
	}
	return c.out.Differences[0], nil
}
