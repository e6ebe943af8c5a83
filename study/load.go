package study

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/internal/figure"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/metrics"
	"enterprisedocbench/pipeline"
)

// Run is a finished run folder, read for a study: the summary, what was run, the units and every
// measured value.
type Run struct {
	Dir     string
	Summary edb.Summary
	Spec    Spec

	documents, questions map[string]pipeline.Unit
	arms                 map[string]*records
	parsed               map[string]parseCosts // by arm; nil until it is asked for
}

// Spec is what a study needs of spec.json.
type Spec struct {
	Program string          `json:"program"`
	Config  pipeline.Config `json:"config"`
	Corpus  string          `json:"corpus"`
	Engines []string        `json:"engines"`

	Machine map[string]any    `json:"-"`
	Parts   map[string]string `json:"-"` // hashes of the corpus' parts by name; nil in older runs
}

// records are what one arm left: values by key and unit, and claims by question.
type records struct {
	values map[string]map[string]sample
	claims map[string]claimed // by question; one without an answer is not there
}

// claimed counts the claims of a question's answers, over all repeats.
type claimed struct{ bad, checkable float64 }

// sample is what one unit gave to one measure, its repeats averaged.
type sample struct {
	figure.Mean
	def int
}

// Open reads a run folder. A folder that is no finished run, files that are not of one run, and rows
// that cannot be are errors that name the file (and line) and the remedy.
func Open(dir string) (*Run, error) {
	r := &Run{Dir: dir, documents: map[string]pipeline.Unit{}, questions: map[string]pipeline.Unit{}, arms: map[string]*records{}}
	if st, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("run %s: %w: name the folder that edb run left", dir, cause(err))
	} else if !st.IsDir() {
		return nil, fmt.Errorf("run %s: this is a file: name the folder that edb run left", dir)
	}
	if err := r.readSpec(); err != nil {
		return nil, err
	}
	if err := r.readUnits(); err != nil {
		return nil, err
	}
	if err := r.readMeasurements(); err != nil {
		return nil, err
	}
	if err := r.readClaims(); err != nil {
		return nil, err
	}
	return r, r.sound()
}

// cause strips the path that the message names already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// unfinished is the error of a file that is missing or broken.
func (r *Run) unfinished(name string, err error) error {
	path := filepath.Join(r.Dir, name)
	if errors.Is(err, fs.ErrNotExist) {
		if name == "units.jsonl" {
			return fmt.Errorf("%s: the file is missing: the run was made by an older version; run its configuration again into the same folder, finished work comes from the cache", path)
		}
		return fmt.Errorf("%s: the file is missing, so this is not a finished run: run its configuration again, finished work comes from the cache", path)
	}
	var line *store.LineError
	if errors.As(err, &line) {
		return fmt.Errorf("%s:%d: %w: run its configuration again, finished work comes from the cache", path, line.Line, line.Err)
	}
	return fmt.Errorf("%s: %w: run its configuration again, finished work comes from the cache", path, cause(err))
}

func (r *Run) readJSON(name string, v any) error {
	b, err := os.ReadFile(filepath.Join(r.Dir, name))
	if err != nil {
		return r.unfinished(name, err)
	}
	if err := json.Unmarshal(b, v); err != nil {
		return r.unfinished(name, &store.LineError{Path: name, Line: store.JSONLine(b, err), Err: store.Plain(err)})
	}
	return nil
}

// maxReplicates bounds the work that a run folder can ask of a comparison.
const maxReplicates = 1_000_000

func (r *Run) readSpec() error {
	var spec struct {
		Spec    *Spec             `json:"spec"`
		Parts   map[string]string `json:"corpus_parts"`
		Machine map[string]any    `json:"machine"`
	}
	if err := r.readJSON("spec.json", &spec); err != nil {
		return err
	}
	if spec.Spec == nil || spec.Spec.Corpus == "" {
		return r.unfinished("spec.json", errors.New("it names no corpus"))
	}
	if n := spec.Spec.Config.Metrics.Replicates; n < 0 || n > maxReplicates {
		return r.unfinished("spec.json", fmt.Errorf("metrics.replicates is %d, not within 0 and %d", n, maxReplicates))
	}
	r.Spec = *spec.Spec
	r.Spec.Machine, r.Spec.Parts = spec.Machine, spec.Parts
	if err := r.readJSON("summary.json", &r.Summary); err != nil {
		return err
	}
	if len(r.Summary.Arms) == 0 {
		return r.unfinished("summary.json", errors.New("it names no pipeline"))
	}
	for _, a := range r.Summary.Arms {
		r.arms[a] = &records{values: map[string]map[string]sample{}, claims: map[string]claimed{}}
	}
	return nil
}

func (r *Run) readUnits() error {
	err := store.Lines(filepath.Join(r.Dir, "units.jsonl"), func(_ int, raw []byte) error {
		var u pipeline.Unit
		if err := json.Unmarshal(raw, &u); err != nil {
			return err
		}
		into := r.documents
		switch u.Kind {
		case pipeline.UnitDocument:
		case pipeline.UnitQuestion:
			into = r.questions
			if to, ok := r.Spec.Config.Strata.Merge[u.Domain]; ok {
				u.Domain = to
			}
		default:
			return fmt.Errorf("kind %q is neither document nor question", u.Kind)
		}
		if _, twice := into[u.ID]; twice || u.ID == "" {
			return fmt.Errorf("%s %q stands twice or has no name", u.Kind, u.ID)
		}
		into[u.ID] = u
		return nil
	})
	if err != nil {
		return r.unfinished("units.jsonl", err)
	}
	return nil
}

// unit finds the unit that a value of a key belongs to: parse measures are of documents, all others
// of questions.
func (r *Run) unit(key, id string) (pipeline.Unit, bool) {
	from := r.questions
	if strings.HasPrefix(key, "parse.") {
		from = r.documents
	}
	u, ok := from[id]
	return u, ok
}

func (r *Run) readMeasurements() error {
	type id struct{ arm, unit, key string }
	var at id
	var group []edb.Measurement
	finish := func() {
		if len(group) > 0 {
			byUnit := r.arms[at.arm].values[at.key]
			if byUnit == nil {
				byUnit = map[string]sample{}
				r.arms[at.arm].values[at.key] = byUnit
			}
			m := figure.Average(group)
			byUnit[at.unit] = sample{m, group[0].Def}
		}
		group = group[:0]
	}
	known := map[string]metrics.Measure{}
	err := store.Lines(filepath.Join(r.Dir, "measurements.jsonl"), func(_ int, raw []byte) error {
		var m edb.Measurement
		if err := json.Unmarshal(raw, &m); err != nil {
			return err
		}
		measure, ok := known[m.Key]
		if !ok {
			var err error
			if _, measure, err = metrics.Lookup(m.Key); err != nil {
				return err
			}
			known[m.Key] = measure
		}
		if err := r.possible(m, measure); err != nil {
			return err
		}
		if metrics.Pooled(m.Key) {
			return nil // its figure stands in the summary, and units are compared by the plain mean
		}
		next := id{m.Arm, m.Unit, m.Key}
		if next != at {
			finish()
			at = next
			if _, twice := r.arms[at.arm].values[at.key][at.unit]; twice {
				return fmt.Errorf("%s of %s stands twice in %s", m.Key, m.Unit, m.Arm)
			}
		}
		group = append(group, m)
		return nil
	})
	if err != nil {
		return r.unfinished("measurements.jsonl", err)
	}
	finish()
	return nil
}

// possible refuses a row that no run writes.
func (r *Run) possible(m edb.Measurement, measure metrics.Measure) error {
	if r.arms[m.Arm] == nil {
		return fmt.Errorf("pipeline %q is not in summary.json", m.Arm)
	}
	if _, ok := r.unit(m.Key, m.Unit); !ok {
		return fmt.Errorf("unit %q is not in units.jsonl", m.Unit)
	}
	if m.Value == nil {
		return nil
	}
	if m.Failed {
		return fmt.Errorf("%s of %s is failed and has a value", m.Key, m.Unit)
	}
	if measure.Bounded && !(*m.Value >= 0 && *m.Value <= 1) {
		return fmt.Errorf("%s of %s is %g, not within 0 and 1", m.Key, m.Unit, *m.Value)
	}
	return nil
}

// readClaims counts the claims of each answer, for the rates that are no mean over answers.
func (r *Run) readClaims() error {
	err := store.Lines(filepath.Join(r.Dir, "claims.jsonl"), func(_ int, raw []byte) error {
		var c struct {
			Arm, Query string
			Claims     []edb.Claim
		}
		if err := json.Unmarshal(raw, &c); err != nil {
			return err
		}
		arm := r.arms[c.Arm]
		if arm == nil {
			return fmt.Errorf("pipeline %q is not in summary.json", c.Arm)
		}
		if _, ok := r.questions[c.Query]; !ok {
			return fmt.Errorf("question %q is not in units.jsonl", c.Query)
		}
		n, had := metrics.CountClaims(c.Claims), arm.claims[c.Query]
		arm.claims[c.Query] = claimed{had.bad + float64(n.Hallucinated(false)), had.checkable + float64(n.Checkable())}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return r.unfinished("claims.jsonl", err)
	}
	return nil
}

// sound holds summary.json against measurements.jsonl: a run that was stopped while it wrote its
// folder anew leaves files of two runs side by side, and a copy can be cut short.
func (r *Run) sound() error {
	for _, a := range r.Summary.Arms {
		for _, key := range slices.Sorted(maps.Keys(r.Summary.Pipelines[a])) {
			if f := r.Summary.Pipelines[a][key]; f.N > 0 && r.arms[a].values[key] == nil && !derived(key) {
				return r.unfinished("measurements.jsonl", fmt.Errorf("it has no row of %s of %s, which summary.json has: the file is cut short or of another run", key, a))
			}
		}
		for _, key := range slices.Sorted(maps.Keys(r.arms[a].values)) {
			f, ok := r.Summary.Pipelines[a][key]
			if key == "generate.g" { // the figure is the composite of the components' means
				continue
			}
			sum, n, rows := 0.0, 0.0, 0
			for _, u := range slices.Sorted(maps.Keys(r.arms[a].values[key])) {
				rows += r.arms[a].values[key][u].Rows
				if v := r.arms[a].values[key][u].Strict; v != nil {
					sum += *v
					n++
				}
			}
			if ok && rows < f.N {
				return r.unfinished("measurements.jsonl", fmt.Errorf("it has %d values of %s of %s, summary.json has %d: the file is cut short or of another run", rows, key, a, f.N))
			}
			if same := ok && (f.Value == nil) == (n == 0) && (n == 0 || math.Abs(*f.Value-sum/n) < 1e-9); !same {
				return r.unfinished("summary.json", fmt.Errorf("%s of %s does not follow from measurements.jsonl: the two are not of one run", key, a))
			}
		}
	}
	return nil
}

// derived says whether the figure of a key has no rows of its own: composites, and rates over claims.
func derived(key string) bool {
	n, err := metrics.ParseName(key)
	if err != nil {
		return false
	}
	switch n.Key() {
	case "parse.p", "generate.g", "quality.q":
		return true
	case "generate.hr":
		return n.Param("mode") != ""
	}
	return metrics.Pooled(key)
}
