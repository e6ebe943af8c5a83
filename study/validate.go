package study

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/metrics"
	"enterprisedocbench/parse"
)

// ValidateKeys are the measures of parsing that are held against known noise, in the order of reports.
var ValidateKeys = []string{"parse.tis", "parse.tis(mode=raw)", "parse.tis(level=page)", "parse.tea", "parse.teds", "parse.teds(mode=structure)",
	"parse.caption_f1", "parse.caption_chrf", "parse.lf", "parse.heading_f1", "parse.heading_tree", "parse.order", "parse.element_f1",
	"parse.formula_sim", "parse.number_recall", "parse.entity_recall"}

// ValidateRates are the rates of noise that are tried where none are named.
var ValidateRates = []float64{0.05, 0.1, 0.15, 0.2, 0.25, 0.3}

// Bounds that a measure's answer to noise is held to.
const (
	SlopeWithin     = 0.05 // of 1
	InterceptWithin = 0.02 // of 0
	leastDamage     = 1e-3 // greatest expected loss of a document below which there is no slope
)

// ValidateOptions say which noise is tried.
type ValidateOptions struct {
	Kinds    []string  // of parse.NoiseKinds, each kind once; none is all
	Rates    []float64 // above 0, to 1; none is ValidateRates
	Seed     uint64
	Workers  int // documents at a time; 0 is one for each processor
	Progress func(done int)
	Row      func(ValidateRow) // if set, gets each document's values, in order
	Log      func(doc string, rate float64, log []parse.Edit)
}

// ValidateRow is a measure of one document with known noise. Expected is nil where it does not follow
// from the log, Measured where the gold has nothing of the kind.
type ValidateRow struct {
	Doc      string   `json:"doc"`
	Noise    string   `json:"noise"`
	Rate     float64  `json:"rate"`
	Key      string   `json:"key"`
	Measured *float64 `json:"measured"`
	Expected *float64 `json:"expected"`
	Edits    int      `json:"edits"`
}

// Validation says how measures of parsing answer to noise of known size.
type Validation struct {
	Documents int           `json:"documents"`
	Seed      uint64        `json:"seed"`
	Rates     []float64     `json:"rates"`
	Pairs     []NoisePair   `json:"pairs"` // by noise, then measure
	Noises    []NoiseDamage `json:"noises"`
	Held      int           `json:"held"`   // pairs with a verdict
	Failed    int           `json:"failed"` // of them
	Passed    bool          `json:"passed"` // some were held and none failed
}

// NoiseDamage counts what a kind of noise did.
type NoiseDamage struct {
	Noise  string `json:"noise"`
	Family string `json:"family"`
	Edits  int    `json:"edits"` // over all documents at the highest rate
	Reason string `json:"reason,omitempty"`
}

// NoisePair is one kind of noise against one measure. The losses 1 - value of all documents at all
// rates, 0 among them, are fitted by measured = intercept + slope * expected. Slope and Intercept are
// nil, with the reason, where nothing is expected or where too little is lost; with too little lost
// the pair is still held to the mean at each rate.
type NoisePair struct {
	Noise     string   `json:"noise"`
	Key       string   `json:"key"`
	N         int      `json:"n"` // documents whose gold has the kind
	Slope     *float64 `json:"slope"`
	Intercept *float64 `json:"intercept"`
	Worst     *float64 `json:"worst"` // greatest difference of the mean measured and the mean expected value at a rate
	Doses     []Dose   `json:"doses"` // by rate, 0 first
	Passed    *bool    `json:"passed"`
	Reason    string   `json:"reason,omitempty"`
}

// Dose is the mean over documents of a measure at a rate of noise.
type Dose struct {
	Rate     float64  `json:"rate"`
	Measured *float64 `json:"measured"`
	Expected *float64 `json:"expected"`
}

// ValidateParse corrupts gold documents at known rates, computes from the log of the edits what each
// measure should say, and compares what it says. What a gold's mask names is left out beforehand. The
// result is the same whatever the number of workers.
func ValidateParse(ctx context.Context, docs iter.Seq2[edb.Parsed, error], opt ValidateOptions) (*Validation, error) {
	noises, err := opt.resolve()
	if err != nil {
		return nil, err
	}
	type result struct {
		rows  []ValidateRow
		edits []int // of each noise at the highest rate
		err   error
		flush func()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan chan result, opt.Workers)
	go func() {
		defer close(queue)
		for p, err := range docs {
			out := make(chan result, 1)
			select {
			case queue <- out:
			case <-ctx.Done():
				return
			}
			if err != nil {
				out <- result{err: err}
				return
			}
			go func() {
				v := validator{opt: opt, noises: noises, gold: metrics.Masked(p, p.Mask)}
				v.gold.Mask = nil
				rows, edits, err := v.document(ctx)
				out <- result{rows, edits, err, v.flush}
			}()
		}
	}()
	v := &Validation{Seed: opt.Seed, Rates: opt.Rates}
	sums := newNoiseSums(noises, opt.Rates)
	edits := make([]int, len(noises))
	for out := range queue {
		r := <-out
		if r.err != nil {
			return nil, r.err
		}
		v.Documents++
		for i, n := range r.edits {
			edits[i] += n
		}
		for _, row := range r.rows {
			sums.add(row)
			if opt.Row != nil {
				opt.Row(row)
			}
		}
		r.flush()
		if opt.Progress != nil {
			opt.Progress(v.Documents)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i, n := range noises {
		d := NoiseDamage{Noise: n.Name, Family: n.Family, Edits: edits[i]}
		if edits[i] == 0 {
			d.Reason = "no document has a place for it"
		}
		v.Noises = append(v.Noises, d)
	}
	v.Pairs = sums.pairs()
	for _, p := range v.Pairs {
		if p.Passed != nil {
			v.Held++
			if !*p.Passed {
				v.Failed++
			}
		}
	}
	v.Passed = v.Held > 0 && v.Failed == 0
	return v, nil
}

// resolve fills in the defaults and gives the noises by name.
func (o *ValidateOptions) resolve() (out []parse.Noise, err error) {
	for _, k := range o.Kinds {
		kinds := parse.NoisesOf(k)
		if kinds == nil {
			return nil, fmt.Errorf("noise %q is not one of %s", k, strings.Join(parse.NoiseKinds, ", "))
		}
		for _, kind := range kinds {
			if slices.ContainsFunc(out, func(n parse.Noise) bool { return n.Name == kind.Name }) {
				return nil, fmt.Errorf("noise %q stands twice: leave one out", kind.Name)
			}
			out = append(out, kind)
		}
	}
	if out == nil {
		out = parse.Noises()
	}
	if o.Rates == nil {
		o.Rates = ValidateRates
	}
	o.Rates = slices.Clone(o.Rates)
	slices.Sort(o.Rates)
	for i, r := range o.Rates {
		if !(r > 0 && r <= 1) || i > 0 && r == o.Rates[i-1] {
			return nil, fmt.Errorf("rates %v: each is above 0, at most 1, and stands once", o.Rates)
		}
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	return out, nil
}

// validator is the work on one document.
type validator struct {
	opt    ValidateOptions
	noises []parse.Noise
	gold   edb.Parsed
	logs   []func() // what Log is told once the document's turn comes
}

func (v *validator) flush() {
	for _, f := range v.logs {
		f()
	}
}

func (v *validator) document(ctx context.Context) (rows []ValidateRow, edits []int, err error) {
	clean, err := metrics.EvalParse(ctx, v.gold, v.gold, ValidateKeys)
	if err != nil {
		return nil, nil, err
	}
	for _, n := range v.noises {
		count := 0
		for _, rate := range append([]float64{0}, v.opt.Rates...) {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			got, log := clean, []parse.Edit(nil)
			if rate > 0 {
				var pred edb.Parsed
				pred, log = parse.Corrupt(v.gold, n.Name, rate, v.opt.Seed)
				if got, err = metrics.EvalParse(ctx, v.gold, pred, ValidateKeys); err != nil {
					return nil, nil, err
				}
				if v.opt.Log != nil && len(log) > 0 {
					v.logs = append(v.logs, func() { v.opt.Log(v.gold.Doc, rate, log) })
				}
			}
			count = len(log)
			want := Expect(v.gold, n.Name, log)
			for _, m := range got {
				row := ValidateRow{Doc: v.gold.Doc, Noise: n.Name, Rate: rate, Key: m.Key, Measured: m.Value, Edits: count}
				if e := want[m.Key]; m.Value != nil && e.Reason == "" {
					row.Expected = &e.Value
				}
				rows = append(rows, row)
			}
		}
		edits = append(edits, count)
	}
	return rows, edits, nil
}
