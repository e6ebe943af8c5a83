package reproduce

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/metrics"
	"enterprisedocbench/parse"
	"enterprisedocbench/pipeline"
	"enterprisedocbench/study"
)

// Options say where a table's data are and where work is kept.
type Options struct {
	Data     string // folder of the collections, one folder each by the importer's name
	Work     string // datasets, runs and the cache
	Fresh    bool   // make the datasets anew; what is parsed stays in the cache
	Exe      string // as pipeline.Options
	Workers  int
	Import   datasets.ImportOptions // how importers read PDFs
	Progress func(stage string, done, total int)
	Done     func(p Page, r *Results) error // hears of each page, or part of one, as soon as it is made; may be nil
}

// Result is one table.
type Result struct {
	Page      string        `json:"page"`
	Name      string        `json:"table"`
	Title     string        `json:"title"`
	Note      string        `json:"note,omitempty"`
	Documents int           `json:"documents"`
	Pages     int           `json:"pages"`
	Questions int           `json:"questions,omitempty"`
	Measures  []string      `json:"measures"`
	Rows      []Row         `json:"rows"`
	Baseline  string        `json:"baseline,omitempty"`
	Paired    []Paired      `json:"paired,omitempty"`
	Tests     int           `json:"tests"` // how many p values the correction is over
	Missing   []Unavailable `json:"not_available,omitempty"`
	Unpaged   bool          `json:"unpaged,omitempty"`

	units []unit
}

// Row is one engine or pipeline of a table, of a table of scans on one of them.
type Row struct {
	Name      string                `json:"name"`
	Engine    string                `json:"engine"`
	Variation string                `json:"variation,omitempty"`
	Figures   map[string]edb.Figure `json:"figures"`
	// PerSecond is pages (of unpaged tables documents) a second of CPU time, PeakBytes the most memory
	// that a document took; nil where it is not known, and in tables of whole pipelines, whose rows may
	// share one parse.
	PerSecond *float64       `json:"per_cpu_second"`
	PeakBytes *int64         `json:"peak_bytes"`
	Failures  map[string]int `json:"failures,omitempty"` // documents by kind
}

// Unavailable is an engine, or a collection, that is not here.
type Unavailable struct {
	Name    string `json:"name"`
	Problem string `json:"problem"`
	Get     string `json:"get"`
}

// Results are tables with what is said over all of them.
type Results struct {
	Tables []Result  `json:"tables"`
	Strata []Stratum `json:"strata,omitempty"`
	Checks []Checked `json:"checks,omitempty"`
}

// session carries the tables of one call.
type session struct {
	opt  Options
	make maker
	done map[string]*Result
}

// Make makes the tables of the given names, which may be pages, and what their pages say over several
// tables. The results stand in the order of the pages.
func Make(ctx context.Context, pages []Page, names []string, opt Options) (map[string]*Results, error) {
	if opt.Progress == nil {
		opt.Progress = func(string, int, int) {}
	}
	if _, err := choose(pages, names); err != nil {
		return nil, err
	}
	s := &session{opt: opt, make: maker{opt: opt, made: map[string]bool{}}, done: map[string]*Result{}}
	out := map[string]*Results{}
	for _, p := range pages {
		whole := slices.Contains(names, p.Name) || slices.Contains(names, "all")
		var r Results
		for _, t := range p.Tables {
			if !whole && !slices.Contains(names, t.Name) {
				continue
			}
			got, err := s.table(ctx, p, t)
			if err != nil {
				return nil, err
			}
			r.Tables = append(r.Tables, *got)
		}
		if whole {
			r.Strata = strata(p.Strata, r.Tables)
			for _, c := range p.Checks {
				got, err := s.check(ctx, pages, c)
				if err != nil {
					return nil, err
				}
				r.Checks = append(r.Checks, got)
			}
		}
		if whole || len(r.Tables) > 0 {
			out[p.Name] = &r
			if opt.Done != nil {
				if err := opt.Done(p, &r); err != nil {
					return nil, err
				}
			}
		}
	}
	return out, nil
}

// choose refuses names that are of no page and no table.
func choose(pages []Page, names []string) ([]Table, error) {
	var known []string
	var out []Table
	for _, p := range pages {
		known = append(append(known, p.Name), p.names()...)
		out = append(out, p.Tables...)
	}
	for _, n := range names {
		if n != "all" && !slices.Contains(known, n) {
			return nil, fmt.Errorf("no table is called %q: there are all, %s", n, strings.Join(known, ", "))
		}
	}
	return out, nil
}

// table makes one table, once.
func (s *session) table(ctx context.Context, p Page, t Table) (*Result, error) {
	if r := s.done[t.Name]; r != nil {
		return r, nil
	}
	r := &Result{Page: p.Name, Name: t.Name, Title: t.Title, Note: t.Note, Measures: t.Measures, Unpaged: t.Unpaged}
	s.done[t.Name] = r
	r.Measures, r.Missing = measurable(t.Measures)
	t.Measures = r.Measures
	arms := s.arms(t, r)
	if len(arms) == 0 {
		return r, nil
	}
	vary := t.Vary
	if len(vary) == 0 {
		vary = []Variation{{}}
	}
	for _, v := range vary {
		src := t.Dataset
		if v.Name != "" {
			src.Scan = &v.Scan
		}
		dir, err := s.make.dataset(ctx, src)
		if errors.Is(err, ErrNoCollection) {
			_, fix, _ := strings.Cut(err.Error(), ": ")
			r.Missing = append(r.Missing, Unavailable{t.Dataset.Import, ErrNoCollection.Error(), fix})
			return r, nil
		}
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
		if err := s.run(ctx, t, v, dir, arms, r); err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
	}
	if len(t.Vary) > 0 {
		r.Baseline = t.Vary[0].Name
		r.Paired, r.Tests = variations(t, r.Rows, r.units)
	}
	return r, nil
}

// measurable leaves out the measures whose encoder is not here, and says what brings it.
func measurable(keys []string) (kept []string, missing []Unavailable) {
	for _, k := range keys {
		if err := metrics.Ready(k); err != nil {
			what, fix, _ := strings.Cut(err.Error(), ": ")
			missing = append(missing, Unavailable{k, what, fix})
			continue
		}
		kept = append(kept, k)
	}
	return kept, missing
}

// arms are the pipelines of a table that can be run here; those that cannot are named in the result.
func (s *session) arms(t Table, r *Result) (out []map[string]any) {
	if len(t.Pipelines) > 0 {
		return t.Pipelines
	}
	for _, e := range t.Engines {
		var engine any = e.Name
		if e.Files != "" {
			engine = map[string]any{"files": filepath.Join(s.opt.Data, t.Dataset.Import, e.Files)}
		} else if known, err := parse.Lookup(e.Name); err == nil && known.Available != nil {
			if err := known.Available(); err != nil {
				r.Missing = append(r.Missing, Unavailable{e.Name, err.Error(), known.Get})
				continue
			}
		}
		out = append(out, map[string]any{"name": e.Name, "parse": map[string]any{"engine": engine}})
	}
	return out
}

// run runs the pipelines on one dataset and adds their rows, and for a table without variations the
// differences.
func (s *session) run(ctx context.Context, t Table, v Variation, dir string, arms []map[string]any, r *Result) error {
	name := t.Name
	if v.Name != "" {
		name += "-" + strings.Map(fileRune, v.Name)
	}
	cfg, err := config(name, dir, arms, t)
	if err != nil {
		return err
	}
	res, err := pipeline.Run(ctx, cfg, pipeline.Options{Out: filepath.Join(s.opt.Work, "runs", name), Cache: filepath.Join(s.opt.Work, "cache"),
		Exe: s.opt.Exe, Workers: s.opt.Workers, Progress: func(stage string, done, total int) { s.opt.Progress(name+": "+stage, done, total) }})
	if err != nil {
		return err
	}
	run, err := study.Open(res.Dir)
	if err != nil {
		return err
	}
	r.Documents, r.Pages, r.Questions = res.Summary.Documents, res.Summary.Pages, res.Summary.Questions
	for _, arm := range res.Summary.Arms {
		took, err := run.Parsing(arm)
		if err != nil {
			return err
		}
		row := Row{Name: arm, Engine: arm, Variation: v.Name, Figures: map[string]edb.Figure{}, Failures: took.Kinds}
		if v.Name != "" {
			row.Name = arm + ", " + v.Name
		}
		for _, k := range t.Measures {
			f, ok := res.Summary.Pipelines[arm][k]
			if !ok {
				f.Reason = "no document has it"
			}
			row.Figures[k] = f
		}
		if len(t.Pipelines) == 0 {
			row.PerSecond, row.PeakBytes = took.Speed, took.PeakBytes
		}
		r.Rows = append(r.Rows, row)
	}
	units, err := unitsOf(run, dir, t, v)
	if err != nil {
		return err
	}
	r.units = append(r.units, units...)
	if v.Name == "" && len(res.Summary.Arms) > 1 && len(t.noise) == 0 {
		cmp, err := study.Compare([]string{res.Dir}, study.CompareOptions{Keys: t.Measures, Baseline: t.Baseline})
		if err != nil {
			return err
		}
		r.Tests = cmp.Tests
		for _, d := range cmp.Differences {
			r.Baseline = d.Baseline[strings.LastIndexByte(d.Baseline, ':')+1:]
			r.Paired = append(r.Paired, Paired{Candidate: d.Candidate, Baseline: d.Baseline, Key: d.Key, N: d.N, Value: d.Value, Lo: d.Lo, Hi: d.Hi,
				P: d.P, PAdjusted: d.PAdjusted, Effect: d.Effect, Words: d.Words})
		}
	}
	return nil
}

// Limits of one document in a worker: OCR of a long document takes minutes.
var limits = map[string]any{"cpu_s": 900, "wall_s": 3600, "memory_mb": 4096}

// config is the configuration of a table's run.
func config(name, dir string, arms []map[string]any, t Table) (*pipeline.Config, error) {
	more := []string{}
	for _, k := range t.Measures {
		if strings.HasPrefix(k, "parse.") && further(k) {
			more = append(more, k)
		}
	}
	c := map[string]any{"name": name, "dataset": dir, "seed": 7, "limits": limits,
		"defaults": map[string]any{"generate": map[string]any{"provider": "none"}}, "pipelines": arms}
	if !slices.ContainsFunc(t.Measures, func(k string) bool { return !strings.HasPrefix(k, "parse.") }) {
		c["queries"] = map[string]any{"limit": 1} // nothing is shown of them
	}
	var noise []map[string]any
	for _, n := range t.noise {
		noise = append(noise, map[string]any{"stage": "parse", "kind": n.Kind, "rates": n.Rates})
	}
	if len(noise) > 0 {
		c["noise"] = noise
	}
	if len(more) > 0 {
		c["metrics"] = map[string]any{"parse": more}
	}
	if t.Baseline != "" && slices.ContainsFunc(arms, func(a map[string]any) bool { return a["name"] == t.Baseline }) {
		c["baseline"] = t.Baseline
	}
	return pipeline.ParseConfig(store.JSON(c), name)
}

func fileRune(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' {
		return r
	}
	return '-'
}

// Failures is how many documents could not be parsed, over all rows.
func (r Result) Failures() (n int) {
	for _, row := range r.Rows {
		for _, k := range row.Failures {
			n += k
		}
	}
	return n
}
