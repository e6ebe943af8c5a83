package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"enterprisedocbench/internal/table"
	"enterprisedocbench/report"
	"enterprisedocbench/stats"
	"enterprisedocbench/study"
)

type sensitivityFlags struct {
	in                      tableFlags
	name, unit, of, cluster string
	parts, invert           []string
	weights                 []string
	delta                   float64
	samples                 int
	seed                    uint64
	json                    bool
}

func sensitivityCmd(s *streams) *cobra.Command {
	var f sensitivityFlags
	c := &cobra.Command{
		Use:   "sensitivity --csv F --name COL --parts A,B --weights W,W | --run DIR --of KEY",
		Short: "Whether a ranking by a composite depends on its weights",
		Long: `Ranks systems by a weighted mean of parts, leaves each part out in turn, and moves each weight up and
down by --delta. Printed are Kendall's tau of each ranking with the given one, the systems that change
place, and the range of each system's composite. Several rows of one name are its units: their means
are ranked, and --samples repeats all of it on bootstrap samples of the units. For a run, --of names
parse.p, generate.g or quality.q, with its own parts and weights.`,
		Example: "  edb stats sensitivity --csv table2.csv --name pipeline --parts p,ndcg,g --weights .25,.5,.25\n" +
			"  edb stats sensitivity --run edb-demo/run --of generate.g --samples 10",
		Args: exactly(0),
		RunE: func(*cobra.Command, []string) error { return f.run(s) },
	}
	f.in.addFiles(c)
	fs := c.Flags()
	fs.StringVar(&f.name, "name", "", "column with the name of a row's system")
	fs.StringSliceVar(&f.parts, "parts", nil, "columns that are the parts, higher is better, comma-separated")
	fs.StringSliceVar(&f.weights, "weights", nil, "weights of the parts, comma-separated")
	fs.StringSliceVar(&f.invert, "invert", nil, "parts that enter as 1 less the value, such as a hallucination rate")
	fs.StringVar(&f.of, "of", "", "composite of a run: parse.p, generate.g or quality.q")
	fs.Float64Var(&f.delta, "delta", 0.10, "how far a weight is moved, where weights sum to 1")
	fs.IntVar(&f.samples, "samples", 0, "bootstrap samples of the units; 0 takes none")
	fs.StringVar(&f.unit, "unit", "", "column with the name of a row's unit, for --samples; default the k-th row of each system is unit k")
	fs.StringVar(&f.cluster, "cluster", "", "column with the document that a row is about, for --samples")
	fs.Uint64Var(&f.seed, "seed", 0, "of resampling")
	fs.BoolVar(&f.json, "json", false, "print one JSON object")
	return c
}

// composed is what is ranked: systems by parts, each a list of units or one value.
type composed struct {
	systems, parts []string
	weights        []float64
	values         [][]stats.Part // values[i][j]: part j of system i
}

func (f *sensitivityFlags) run(s *streams) error {
	if f.samples < 0 || f.samples > 1_000_000 {
		return fmt.Errorf("--samples %d is not from 0 to 1,000,000", f.samples)
	}
	if !(f.delta > 0 && f.delta < 1) {
		return fmt.Errorf("--delta %g is not between 0 and 1", f.delta)
	}
	var in composed
	var err error
	switch {
	case f.of != "" && f.in.run == "":
		return errors.New("--of belongs to --run")
	case f.in.run != "" && f.of == "":
		return errors.New("give --of with parse.p, generate.g or quality.q")
	case f.in.run != "" && (f.in.csv+f.in.jsonl+f.name+f.unit+f.cluster != "" || f.parts != nil || f.weights != nil || f.invert != nil):
		return errors.New("a run has its own names, parts and weights: give --run, --of, --delta and --samples alone")
	case f.in.run != "":
		in, err = composedOfRun(s, f.in.run, f.of, f.samples > 0)
	default:
		in, err = f.composedOfTable(s)
	}
	if err != nil {
		return err
	}
	for i, row := range in.values {
		for j, p := range row {
			if len(p.Values) == 0 {
				return fmt.Errorf("%s has no value of %s: a composite needs all its parts", in.systems[i], in.parts[j])
			}
		}
	}
	means, why := stats.PartMeans(in.values)
	if why != "" {
		return &exitError{exitCheck, "no value: " + why}
	}
	r := stats.WeightSensitivity(means, in.weights, f.delta)
	if r.Reason != "" {
		return &exitError{exitCheck, "no value: " + r.Reason}
	}
	var st *stats.Stability
	if f.samples > 0 {
		x := stats.WeightStability(in.values, in.weights, f.delta, f.samples, stats.Options{Seed: f.seed})
		if x.Reason != "" {
			return &exitError{exitCheck, "no samples: " + x.Reason}
		}
		st = &x
	}
	if f.json {
		return s.printJSON(sensitivityOut(in, r, st))
	}
	return s.sensitivity(in, r, st)
}

// composedOfRun reads the pipelines of a run. Those that lack a part are left out, with a word.
func composedOfRun(s *streams, dir, of string, units bool) (composed, error) {
	r, err := study.Open(dir)
	if err != nil {
		return composed{}, err
	}
	p, err := r.PartsOf(of, units)
	if err != nil {
		return composed{}, fmt.Errorf("--of: %w", err)
	}
	for _, l := range p.Left {
		fmt.Fprintf(s.err, "edb: left out: %s\n", l)
	}
	return composed{p.Systems, p.Names, p.Weights, p.Values}, nil
}

// composedOfTable reads systems, parts and weights as the flags name them.
func (f *sensitivityFlags) composedOfTable(s *streams) (composed, error) {
	out := composed{parts: f.parts}
	if f.name == "" || len(f.parts) == 0 || len(f.weights) == 0 {
		return out, errors.New("give --name, --parts and --weights, or --run and --of")
	}
	if len(f.weights) != len(f.parts) {
		return out, fmt.Errorf("%d weights for %d parts: give each part one", len(f.weights), len(f.parts))
	}
	sum := 0.0
	for _, w := range f.weights {
		v, err := table.Number(strings.TrimSpace(w))
		if err != nil {
			return out, fmt.Errorf("--weights: %w", err)
		}
		if v < 0 {
			return out, fmt.Errorf("--weights: %s is below 0", w)
		}
		out.weights = append(out.weights, v)
		sum += v
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return out, fmt.Errorf("--weights %s sum to %g: give weights with a finite sum over 0", strings.Join(f.weights, ","), sum)
	}
	for _, p := range f.invert {
		if !slices.Contains(f.parts, p) {
			return out, fmt.Errorf("--invert names %q, which is not in --parts", p)
		}
	}
	t, err := f.in.load(s)
	if err != nil {
		return out, err
	}
	names, err := texts(t, f.name)
	if err != nil {
		return out, err
	}
	docs, err := f.in.clusters(t, f.cluster)
	if err != nil {
		return out, err
	}
	var units []string
	if f.unit != "" {
		if units, err = texts(t, f.unit); err != nil {
			return out, err
		}
	}
	for _, n := range names {
		if !slices.Contains(out.systems, n) {
			out.systems = append(out.systems, n)
			out.values = append(out.values, make([]stats.Part, len(f.parts)))
		}
	}
	seen := make([]int, len(out.systems)) // rows of a system so far: its k-th row is unit k
	for i, n := range names {
		at := slices.Index(out.systems, n)
		seen[at]++
		for j, p := range f.parts {
			cells, err := t.Numbers(p)
			if err != nil {
				return out, err
			}
			if cells[i] == nil {
				continue
			}
			v := *cells[i]
			if slices.Contains(f.invert, p) {
				v = 1 - v
			}
			part := &out.values[at][j]
			part.Values = append(part.Values, v)
			unit := strconv.Itoa(seen[at])
			if units != nil {
				unit = units[i]
			}
			doc := []string{unit}
			if docs != nil {
				doc = docs[i]
			}
			part.Docs = append(part.Docs, doc)
			part.Units = append(part.Units, unit)
		}
	}
	return out, nil
}

type systemOut struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Place int     `json:"place"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Best  int     `json:"best_place"`
	Worst int     `json:"worst_place"`
}

type variantOut struct {
	Part    string    `json:"part"`
	Change  string    `json:"change"`
	Weights []float64 `json:"weights"`
	Clipped bool      `json:"clipped,omitempty"`
	Values  []float64 `json:"values"`
	Tau     *float64  `json:"tau"`
	Moves   []moveOut `json:"moves"`
	Reason  string    `json:"reason,omitempty"`
}

type moveOut struct {
	Name string `json:"name"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

type stabilityOut struct {
	Samples int      `json:"samples"`
	MinTau  *float64 `json:"min_tau"`
	MeanTau *float64 `json:"mean_tau"`
	Same    float64  `json:"same_share"`
	Method  string   `json:"method"`
}

func sensitivityOut(in composed, r stats.Sensitivity, st *stats.Stability) any {
	out := struct {
		Parts    []string      `json:"parts"`
		Weights  []float64     `json:"weights"`
		Systems  []systemOut   `json:"systems"`
		MinTau   *float64      `json:"min_tau"`
		Same     int           `json:"same"`
		Variants []variantOut  `json:"variants"`
		Samples  *stabilityOut `json:"samples,omitempty"`
	}{Parts: in.parts, Weights: in.weights, MinTau: r.MinTau, Same: r.Same}
	for i, x := range r.Systems {
		out.Systems = append(out.Systems, systemOut{in.systems[i], x.Value, x.Place, x.Low, x.High, x.Best, x.Worst})
	}
	for _, v := range r.Variants {
		o := variantOut{in.parts[v.Part], v.Change, v.Weights, v.Clipped, v.Values, v.Tau, []moveOut{}, v.Reason}
		for _, m := range v.Moves {
			o.Moves = append(o.Moves, moveOut{in.systems[m.System], m.From, m.To})
		}
		out.Variants = append(out.Variants, o)
	}
	if st != nil {
		out.Samples = &stabilityOut{st.Samples, st.MinTau, st.MeanTau, st.Same, st.Method}
	}
	return out
}

func (s *streams) sensitivity(in composed, r stats.Sensitivity, st *stats.Stability) error {
	rows := [][]string{{"Place", "System", "Composite", "Range", "Places"}}
	order := make([]int, len(r.Systems))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return r.Systems[a].Place - r.Systems[b].Place })
	for _, i := range order {
		x := r.Systems[i]
		places := strconv.Itoa(x.Best)
		if x.Worst != x.Best {
			places += " to " + strconv.Itoa(x.Worst)
		}
		rows = append(rows, []string{strconv.Itoa(x.Place), in.systems[i], digits(&x.Value), digits(&x.Low) + " to " + digits(&x.High), places})
	}
	if err := report.Columns(s.out, rows); err != nil {
		return err
	}
	fmt.Fprintln(s.out)
	rows = [][]string{{"Weights", "Tau", "Who changes place"}}
	for _, v := range r.Variants {
		var moves []string
		for _, m := range v.Moves {
			moves = append(moves, fmt.Sprintf("%s %d to %d", in.systems[m.System], m.From, m.To))
		}
		if v.Values == nil || v.Tau == nil {
			moves = append([]string{v.Reason}, moves...)
		}
		if len(moves) == 0 {
			moves = []string{"nobody"}
		}
		if v.Clipped {
			moves = append(moves, "the weight stops at 0")
		}
		rows = append(rows, []string{map[string]string{"without": "without ", "plus": "more ", "minus": "less "}[v.Change] + in.parts[v.Part],
			digits(v.Tau), strings.Join(moves, "; ")})
	}
	if err := report.Columns(s.out, rows); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%d of %d changes of the weights change no place; least tau %s\n", r.Same, len(r.Variants), digits(r.MinTau))
	if st != nil {
		fmt.Fprintf(s.out, "%d samples of the units: %.0f %% of all changes change no place; tau %s on average, %s at least\n",
			st.Samples, 100*st.Same, digits(st.MeanTau), digits(st.MinTau))
	}
	return nil
}
