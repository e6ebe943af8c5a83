package study

import (
	"fmt"
	"slices"
	"strings"

	"enterprisedocbench/stats"

	edb "enterprisedocbench"
)

// Verdicts on a difference, from the candidate's side.
const (
	Better      = "better"          // the corrected test and the interval say so
	Worse       = "worse"           // likewise
	Equal       = "equal"           // the interval lies within ±delta
	NotEnough   = "not enough data" // neither; NNeeded says how many units would decide
	Directional = "directional"     // a stratum of fewer than min_n units: shown, not tested
	NotMeasured = "not measured"    // Reason says why
	NotTested   = "not tested"      // measured once for a whole pipeline: there are no units to test
)

// CompareOptions say what is compared and how sure one must be. The zero value compares the headline
// measures of all pipelines with the baseline, at level .95, with a delta of .02 and Holm's
// correction.
type CompareOptions struct {
	Keys      []string // measures; none: P, nDCG@5, G and Q
	Pipelines []string // pipelines of the runs; none: all
	Baseline  string   // a pipeline, RUN:PIPELINE or a run; "": the run's baseline, or the first
	Delta     float64  // differences up to it do not matter; 0 is .02
	Adjust    string   // holm (the default), bh, bonferroni or none
	Level     float64  // of intervals and, as 1 - level, of tests; 0 is .95
	Seed      uint64
	By        string // strata: "", modality, task or domain
	Mix       *Mix   // weights of strata that the differences are also given for
	Rows      bool   // keep the values of every unit
}

// Comparison is what [Compare] found.
type Comparison struct {
	Runs   []Compared `json:"runs"`
	Level  float64    `json:"level"`
	Delta  float64    `json:"delta"`
	Adjust string     `json:"adjust"`
	Tests  int        `json:"tests"` // how many p values the correction is over
	// Untested counts differences that are 0 in every unit, as where pipelines share a stage: no
	// outcome of their test can be significant, so the correction is not over them (Tarone 1990).
	Untested    int          `json:"tests_left_out"`
	MinN        int          `json:"min_n"`
	Differences []Difference `json:"differences"`
	Crossings   []Crossing   `json:"crossings,omitempty"`
	Excluded    []Excluded   `json:"excluded,omitempty"`
	Parsing     []Parsing    `json:"parsing,omitempty"` // where the pipelines' parsers differ
	Notes       []string     `json:"notes,omitempty"`
	Rows        []PairedRow  `json:"-"`
}

// Compared names a run and what it was run on.
type Compared struct {
	Dir       string   `json:"run"`
	Dataset   string   `json:"dataset"`
	Corpus    string   `json:"corpus"`
	Documents int      `json:"documents"`
	Questions int      `json:"questions"`
	Pipelines []string `json:"pipelines"`
}

// Difference is candidate − baseline of one measure over the units that both measured.
//
// BaselineValue, CandidateValue, Value, Lo and Hi are strict: a failed unit counts as the worst
// value; OK holds the same over the pairs of which both succeeded. Lo and Hi bound Value at the
// comparison's level by Method. P is of the sign-flip permutation test over clusters of documents,
// or, where most documents are joined into one cluster, of Student's t with the standard error of
// the two-way interval; PAdjusted is corrected over all tests of the comparison. Effect is Cohen's dz, nil for composites.
// Detectable is the least true difference that as many units would show with a chance of .8, at
// 1 - level shared out over the tests. N counts pairs, for a composite of its least known part.
type Difference struct {
	Baseline  string `json:"baseline"`
	Candidate string `json:"candidate"`
	Key       string `json:"key"`
	By        string `json:"by,omitempty"`      // modality, task or domain
	Stratum   string `json:"stratum,omitempty"` // its value
	Mix       string `json:"mix,omitempty"`     // the weights, where the row is re-weighted
	Higher    bool   `json:"higher_is_better"`

	BaselineValue  *float64 `json:"baseline_value"`
	CandidateValue *float64 `json:"candidate_value"`
	Value          *float64 `json:"difference"`
	Lo             *float64 `json:"lo"`
	Hi             *float64 `json:"hi"`
	Method         string   `json:"method,omitempty"`
	P              *float64 `json:"p"`
	PAdjusted      *float64 `json:"p_adjusted"`
	Test           string   `json:"test,omitempty"`
	Effect         *float64 `json:"effect"`
	Detectable     *float64 `json:"detectable"`

	N               int        `json:"n"`
	OnlyBaseline    int        `json:"n_only_baseline"`  // units that the candidate has nothing to measure of
	OnlyCandidate   int        `json:"n_only_candidate"` // and the other way round
	FailedBaseline  int        `json:"failed_baseline"`  // units of N that failed
	FailedCandidate int        `json:"failed_candidate"`
	OK              Successful `json:"ok"`

	Verdict  string   `json:"verdict"`
	Words    string   `json:"words"`
	NNeeded  int      `json:"n_needed,omitempty"`
	Variant  string   `json:"variant,omitempty"`
	Unit     string   `json:"unit,omitempty"`
	Reason   string   `json:"reason,omitempty"`
	Warnings []string `json:"warnings,omitempty"`

	same   bool     // 0 in every unit
	docs   int      // documents that the pairs rest on
	se     float64  // standard error that the interval implies; 0 where there is none
	spread *float64 // standard deviation of a pair's part in it
}

// Successful is a difference over the pairs of which both succeeded.
type Successful struct {
	BaselineValue  *float64 `json:"baseline_value"`
	CandidateValue *float64 `json:"candidate_value"`
	Value          *float64 `json:"difference"`
	N              int      `json:"n"`
}

// PairedRow is one unit of one difference, as --rows writes it. The values are strict.
type PairedRow struct {
	Baseline       string   `json:"baseline"`
	Candidate      string   `json:"candidate"`
	Key            string   `json:"key"`
	Unit           string   `json:"unit"`
	BaselineValue  float64  `json:"baseline_value"`
	CandidateValue float64  `json:"candidate_value"`
	Value          float64  `json:"difference"`
	Docs           []string `json:"docs"`
}

// comparer carries one comparison.
type comparer struct {
	opt   CompareOptions
	reps  int
	minN  int
	out   *Comparison
	noted map[string]bool
}

// Compare pairs pipelines of one run, or of several, by unit and says how they differ. Each argument
// is a run folder, or RUN:PIPELINE. With one run every pipeline is held against the baseline; with
// several runs of more than one pipeline each pipeline is held against its namesake in the first.
// Runs that did not measure the same thing are an error that names both values.
func Compare(args []string, opt CompareOptions) (*Comparison, error) {
	if err := opt.fill(); err != nil {
		return nil, err
	}
	sides, runs, err := open(args, opt.Pipelines, opt.Baseline)
	if err != nil {
		return nil, err
	}
	pairs, notes, err := pair(sides, runs, opt.Baseline)
	if err != nil {
		return nil, err
	}
	for _, r := range runs[1:] {
		if err := sameTask(runs[0], r, opt.By == byDomain || opt.Mix != nil && opt.Mix.By == byDomain); err != nil {
			return nil, err
		}
	}
	keys, err := chooseKeys(opt.Keys, sides)
	if err != nil {
		return nil, err
	}
	c := newComparer(runs, opt)
	c.out.Notes = append(c.out.Notes, notes...)
	for _, r := range runs[1:] {
		if a, b := runs[0].Spec.Program, r.Spec.Program; a != b {
			c.note("%s was made by version %s of the program, %s by %s", runs[0].Dir, a, r.Dir, b)
		}
	}
	for _, r := range runs {
		var arms []string
		for _, s := range sides {
			if s.run == r {
				arms = append(arms, s.arm)
			}
		}
		c.out.Runs = append(c.out.Runs, Compared{r.Dir, r.Summary.Dataset, r.Spec.Corpus, len(r.documents), len(r.questions), arms})
	}
	for _, p := range pairs {
		for _, key := range keys {
			if err := c.compare(p, key); err != nil {
				return nil, err
			}
		}
	}
	if err := c.parsings(pairs); err != nil {
		return nil, err
	}
	return c.out, c.judge()
}

func newComparer(runs []*Run, opt CompareOptions) *comparer {
	cfg := runs[0].Spec.Config
	return &comparer{opt: opt, reps: cfg.Metrics.Replicates, minN: cfg.Strata.MinN, noted: map[string]bool{},
		out: &Comparison{Level: opt.Level, Delta: opt.Delta, Adjust: opt.Adjust, MinN: cfg.Strata.MinN}}
}

// fill sets what the zero value stands for and refuses what cannot be meant.
func (o *CompareOptions) fill() error {
	if o.Delta == 0 {
		o.Delta = 0.02
	}
	if o.Level == 0 {
		o.Level = 0.95
	}
	if o.Adjust == "" {
		o.Adjust = "holm"
	}
	if !(o.Delta > 0 && o.Delta < 1) {
		return fmt.Errorf("delta is %g: use a difference above 0 and below 1, for example 0.02", o.Delta)
	}
	if !(o.Level > 0.5 && o.Level < 1) {
		return fmt.Errorf("level is %g: use a share above 0.5 and below 1, for example 0.95", o.Level)
	}
	if _, err := stats.Adjust(nil, o.Adjust); err != nil {
		return err
	}
	if o.By != "" && !slices.Contains(strataNames, o.By) {
		return fmt.Errorf("strata by %q: use one of %s", o.By, strings.Join(strataNames, ", "))
	}
	return nil
}

func (c *comparer) options() stats.Options {
	return stats.Options{Seed: c.opt.Seed, Replicates: c.reps, Level: c.opt.Level}
}

// note adds a line once.
func (c *comparer) note(format string, a ...any) {
	s := fmt.Sprintf(format, a...)
	if !c.noted[s] {
		c.noted[s] = true
		c.out.Notes = append(c.out.Notes, s)
	}
}

// compare adds the rows of one measure of one pair: over all units, over strata, and re-weighted.
func (c *comparer) compare(p pairing, key string) error {
	f, err := p.formula(key)
	if err != nil {
		return err
	}
	d := Difference{Baseline: p.base.name, Candidate: p.other.name, Key: key, Higher: f.higher, Variant: f.variant, Unit: f.unit}
	if f.once {
		c.once(p, d)
		return nil
	}
	all := p.statistic(f, nil)
	if c.opt.Rows {
		c.rows(d, all)
	}
	whole := d
	c.difference(&whole, all)
	c.out.Differences = append(c.out.Differences, whole)
	if whole.Verdict == NotMeasured {
		return nil
	}
	if c.opt.By != "" {
		c.strata(p, f, d)
	}
	if c.opt.Mix != nil {
		return c.mixed(p, f, d)
	}
	return nil
}

// once is a row of what is measured once for a pipeline: seconds, bytes, dollars.
func (c *comparer) once(p pairing, d Difference) {
	a, b := p.base.figure(d.Key), p.other.figure(d.Key)
	d.BaselineValue, d.CandidateValue = a.Value, b.Value
	if a.Value == nil || b.Value == nil {
		d.Verdict, d.Reason = NotMeasured, firstOf(a.Reason, b.Reason, "nothing to measure")
	} else {
		d.Value, d.Verdict = ptr(*b.Value-*a.Value), NotTested
		d.Reason = "measured once for the whole pipeline"
		if !sameMachine(p.base.run, p.other.run) {
			d.Warnings = append(d.Warnings, "the two runs were made on different machines")
		}
	}
	c.out.Differences = append(c.out.Differences, d)
}

func firstOf(s ...string) string {
	for _, x := range s {
		if x != "" {
			return x
		}
	}
	return ""
}

func ptr(x float64) *float64 { return &x }

// difference fills a row from its statistic: value, interval, p, effect, counts.
func (c *comparer) difference(d *Difference, s statistic) {
	d.N, d.OnlyBaseline, d.OnlyCandidate = s.n, s.onlyA, s.onlyB
	d.FailedBaseline, d.FailedCandidate = s.failedA, s.failedB
	if s.reason != "" {
		d.Verdict, d.Reason = NotMeasured, s.reason
		return
	}
	d.BaselineValue, d.CandidateValue = ptr(s.a), ptr(s.b)
	d.OK, d.spread, d.docs, d.same = s.ok, s.spread(), s.documents(), s.same()
	iv := s.interval(c.options())
	d.Value, d.Lo, d.Hi, d.Method, d.Reason, d.Warnings = iv.Value, iv.Lo, iv.Hi, iv.Method, iv.Reason, iv.Warnings
	if d.Value == nil {
		d.Verdict = NotMeasured
		return
	}
	d.se = impliedError(iv)
	t := s.test(iv, c.options())
	d.P, d.Test, d.Effect = t.P, t.Method, s.effect()
	if d.Lo != nil && *d.Lo == 0 && *d.Hi == 0 {
		d.Warnings, t.Warnings = nil, nil // nothing differs: the row says so itself
	}
	for _, w := range append(t.Warnings, t.Reason) {
		if w != "" && !slices.Contains(d.Warnings, w) {
			d.Warnings = append(d.Warnings, w)
		}
	}
	if n := s.onlyA + s.onlyB; n > 0 {
		d.Warnings = append(d.Warnings, fmt.Sprintf("%s measured in one of the two only: left out", edb.Count(n, "unit")))
	}
}
