package study

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/stats"
)

// Parsing is what parsing took and lost in one compared pipeline. Speed is pages a second of CPU time
// over the documents that were read; PeakBytes the most that one document took. Both are nil where
// they are unknown (engines behind a service, and systems other than Linux). Against is the speed as
// a multiple of the baseline's over the documents that both read, with a bootstrap interval over
// documents; nil for the baseline itself.
type Parsing struct {
	Pipeline  string         `json:"pipeline"`
	Engine    string         `json:"engine"`
	Documents int            `json:"documents"`
	Speed     *float64       `json:"pages_per_second"`
	PeakBytes *int64         `json:"peak_bytes"`
	Against   *SpeedRatio    `json:"speed_ratio,omitempty"`
	Failed    int            `json:"failed"`
	Kinds     map[string]int `json:"failed_by_kind,omitempty"` // timeout, memory, crash, encrypted, damaged, ...
}

// SpeedRatio is a pipeline's speed of parsing ÷ the baseline's over N documents.
type SpeedRatio struct {
	Baseline string   `json:"baseline"`
	Value    *float64 `json:"value"`
	Lo       *float64 `json:"lo"`
	Hi       *float64 `json:"hi"`
	N        int      `json:"n"`
	Method   string   `json:"method,omitempty"`
	Reason   string   `json:"reason,omitempty"`
}

// parseCosts are what parsing took in one arm, by document.
type parseCosts struct {
	cpu    map[string]float64
	peak   *int64
	failed map[string]string // document -> kind
}

// parsings describes the parse stage of every side, where the sides' parsers differ: with one parser
// there is nothing to compare.
func (c *comparer) parsings(pairs []pairing) error {
	var sides []side
	for _, p := range pairs {
		for _, s := range []side{p.base, p.other} {
			if !slices.Contains(sides, s) {
				sides = append(sides, s)
			}
		}
	}
	if !slices.ContainsFunc(sides, func(s side) bool { return s.engine() != sides[0].engine() }) {
		return nil
	}
	costs := map[side]parseCosts{}
	for _, s := range sides {
		got, err := s.run.parseCosts(s.arm)
		if err != nil {
			return err
		}
		costs[s] = got
	}
	for _, s := range sides {
		x := s.parsing(costs[s])
		if i := slices.IndexFunc(pairs, func(p pairing) bool { return p.other == s }); i >= 0 {
			x.Against = c.speed(pairs[i].base, costs[pairs[i].base], costs[s])
		}
		c.out.Parsing = append(c.out.Parsing, x)
	}
	return nil
}

// Parsing says what parsing took and lost in a pipeline of the run, by itself.
func (r *Run) Parsing(arm string) (Parsing, error) {
	got, err := r.parseCosts(arm)
	return side{r, arm, arm}.parsing(got), err
}

func (s side) parsing(c parseCosts) Parsing {
	x := Parsing{Pipeline: s.name, Engine: s.engine(), Documents: len(s.run.documents), Speed: s.figure("parse.pages_per_second").Value,
		PeakBytes: c.peak, Failed: len(c.failed)}
	for _, kind := range c.failed {
		if x.Kinds == nil {
			x.Kinds = map[string]int{}
		}
		x.Kinds[kind]++
	}
	return x
}

// speed is the baseline's CPU time ÷ the candidate's over the documents that both read.
func (c *comparer) speed(base side, a, b parseCosts) *SpeedRatio {
	var x, y stats.Part
	for _, d := range slices.Sorted(maps.Keys(a.cpu)) {
		if v, ok := b.cpu[d]; ok && a.failed[d] == "" && b.failed[d] == "" {
			x.Values, y.Values = append(x.Values, a.cpu[d]), append(y.Values, v)
			x.Docs, x.Units = append(x.Docs, []string{d}), append(x.Units, d)
		}
	}
	y.Docs, y.Units = x.Docs, x.Units
	out := &SpeedRatio{Baseline: base.name, N: len(x.Values)}
	total := 0.0
	for _, v := range y.Values {
		total += v
	}
	if total == 0 {
		out.Reason = "the time of parsing is unknown in one of the two"
		return out
	}
	iv := stats.Composite([]stats.Part{x, y}, func(m []float64) float64 { return m[0] / max(m[1], math.SmallestNonzeroFloat64) }, c.options())
	out.Value, out.Lo, out.Hi, out.Method, out.Reason = iv.Value, iv.Lo, iv.Hi, iv.Method, iv.Reason
	return out
}

// engine names the parser of a side as its configuration does; that of an arm with noise or truth in
// place of a stage carries what the arm's name adds.
func (s side) engine() string {
	name, more, derived := strings.Cut(s.arm, "+")
	for _, p := range s.run.Spec.Config.Pipelines {
		switch {
		case p.Name == s.arm:
			derived = false
		case p.Name != name:
			continue
		}
		engine, ok := p.Parse.Engine.(string)
		if !ok {
			b, _ := json.Marshal(p.Parse.Engine) // it was read from JSON
			engine = string(b)
		}
		if derived && strings.Contains(more, "parse") {
			engine += "+" + more
		}
		return engine
	}
	return s.arm
}

// parseCosts is what parsing took in an arm. The files of the run are read once for all arms.
func (r *Run) parseCosts(arm string) (parseCosts, error) {
	if r.parsed == nil {
		parsed, err := r.readParseCosts()
		if err != nil {
			return parseCosts{}, err
		}
		r.parsed = parsed
	}
	return r.parsed[arm], nil
}

// readParseCosts reads what parsing took, by arm. A run without the files has none.
func (r *Run) readParseCosts() (map[string]parseCosts, error) {
	out := map[string]parseCosts{}
	for _, arm := range r.Summary.Arms {
		out[arm] = parseCosts{cpu: map[string]float64{}, failed: map[string]string{}}
	}
	rows, err := store.ReadJSONL[edb.Cost](filepath.Join(r.Dir, "costs.jsonl"), false)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, r.unfinished("costs.jsonl", err)
	}
	for _, x := range rows {
		c, ok := out[x.Arm]
		if !ok || x.Stage != "parse" {
			continue
		}
		if x.CPUSeconds != nil {
			c.cpu[x.Unit] = *x.CPUSeconds
		}
		if x.PeakBytes != nil && (c.peak == nil || *x.PeakBytes > *c.peak) {
			c.peak = x.PeakBytes
			out[x.Arm] = c
		}
	}
	failed, err := store.ReadJSONL[edb.Failure](filepath.Join(r.Dir, "failures.jsonl"), false)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, r.unfinished("failures.jsonl", err)
	}
	for _, f := range failed {
		if c, ok := out[f.Arm]; ok && f.Stage == "parse" {
			c.failed[f.Unit] = f.Kind
		}
	}
	return out, nil
}
