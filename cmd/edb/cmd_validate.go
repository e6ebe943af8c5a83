package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/parse"
	"enterprisedocbench/report"
	"enterprisedocbench/study"
	"enterprisedocbench/universe"
)

func validateCmd(s *streams) *cobra.Command {
	c := group("validate", "Hold measures against instruments whose error is known")
	c.AddCommand(validateParseCmd(s))
	return c
}

// noiseEdit is a line of --log.
type noiseEdit struct {
	Doc  string  `json:"doc"`
	Rate float64 `json:"rate"`
	parse.Edit
}

type validateParse struct {
	noises         []string
	rates          []float64
	seed           uint64
	limit, workers int
	rows, log      string
	engine         string
	json, all      bool
	left           []string // documents that the engine cannot read, and why
}

func validateParseCmd(s *streams) *cobra.Command {
	var f validateParse
	c := &cobra.Command{
		Use:   "parse [DATASET]",
		Short: "Corrupt gold documents by known edits and hold each measure of parsing to what they must cost",
		Long: `Corrupts the gold of documents at rates of noise, logs each edit, computes from the log alone what
each measure of parsing should lose, and fits the loss that is measured to it: the slope must be 1
within .05 and the intercept 0 within .02. Shows what each noise does to every measure, also to those
that it is not made for. Without DATASET the documents are the generated world of edb demo. With
--engine the parses of an engine are taken for the truth: its noisy twin is held against itself.

Kinds of noise: ` + kindsOf(parse.Formatting) + `
(formatting: the words stay); ` + kindsOf(parse.Semantic) + ` (semantic).
--noise formatting, semantic and tables name all kinds of a family and all that break tables.
Exit codes: 0 all passed, 1 a pair of noise and measure failed, 2 bad input, 3 passed, but the engine
cannot read some documents: they are left out.`,
		Example: "  edb validate parse\n  edb validate parse mydata --noise ocr,table-rows --rates 0.1,0.3 --json --rows rows.jsonl",
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(c *cobra.Command, args []string) error { return f.run(s, c, strings.Join(args, "")) },
	}
	fs := c.Flags()
	fs.StringSliceVar(&f.noises, "noise", nil, "kinds of noise or formatting, semantic, tables, comma-separated; default all")
	fs.Float64SliceVar(&f.rates, "rates", nil, "`RATES` above 0, at most 1, comma-separated; default 0.05,0.1,0.15,0.2,0.25,0.3")
	fs.Lookup("rates").DefValue = "" // else help calls an empty list the default
	fs.Uint64Var(&f.seed, "seed", 7, "of the noise, and of the generated world")
	fs.IntVar(&f.limit, "limit", 0, "take the first N documents with gold; 0 takes all (36 of the generated world)")
	fs.IntVar(&f.workers, "workers", 0, "documents at a time; 0 is one for each processor")
	fs.StringVar(&f.rows, "rows", "", "write the values of each document, noise, rate and measure to this file as JSON lines")
	fs.StringVar(&f.log, "log", "", "write every edit to this file as JSON lines")
	fs.StringVar(&f.engine, "engine", "", "corrupt what this engine makes of the files of DATASET, in place of their gold")
	fs.BoolVar(&f.all, "all", false, "list the pairs that are not moved, and why others are not predicted")
	fs.BoolVar(&f.json, "json", false, "print one JSON object")
	return c
}

// kindsOf lists the kinds of noise behind a name.
func kindsOf(name string) string {
	var names []string
	for _, n := range parse.NoisesOf(name) {
		names = append(names, n.Name)
	}
	return strings.Join(names, ", ")
}

func (f *validateParse) run(s *streams, c *cobra.Command, dir string) error {
	if f.limit < 0 || f.workers < 0 {
		return errors.New("--limit and --workers are 0 or more")
	}
	for _, o := range [][2]string{{"--rows", f.rows}, {"--log", f.log}} {
		if err := outputFile(o[0], o[1], dir); err != nil {
			return err
		}
	}
	if f.rows != "" && f.rows == f.log {
		return errors.New("--rows and --log name the same file: give each its own")
	}
	docs, total, err := f.documents(c.Context(), dir)
	if err != nil {
		return err
	}
	p := newProgress(s.err)
	defer p.close()
	opt := study.ValidateOptions{Kinds: f.noises, Rates: f.rates, Seed: f.seed, Workers: f.workers,
		Progress: func(done int) { p.show("documents", done, total) }}
	var rows []study.ValidateRow
	var edits []noiseEdit
	if f.rows != "" {
		opt.Row = func(r study.ValidateRow) { rows = append(rows, r) }
	}
	if f.log != "" {
		opt.Log = func(doc string, rate float64, log []parse.Edit) {
			for _, e := range log {
				edits = append(edits, noiseEdit{doc, rate, e})
			}
		}
	}
	v, err := study.ValidateParse(c.Context(), docs, opt)
	if err != nil {
		return err
	}
	p.close()
	for _, l := range f.left {
		fmt.Fprintln(s.err, "edb: left out: "+l)
	}
	switch {
	case v.Documents == 0 && f.engine != "":
		return &exitError{exitCheck, fmt.Sprintf("%s: the engine %s reads no document", dir, f.engine)}
	case v.Documents == 0:
		return &exitError{exitCheck, dir + ": no document has gold that may score parsing"}
	}
	if f.rows != "" {
		err = store.WriteJSONL(f.rows, rows)
	}
	if f.log != "" {
		err = errors.Join(err, store.WriteJSONL(f.log, edits))
	}
	if err != nil {
		return err
	}
	if f.json {
		err = s.printJSON(v)
	} else {
		err = report.Validation(s.out, v, f.all)
	}
	if err == nil && !v.Passed {
		return &exitError{exitCheck, fmt.Sprintf("%d of %d pairs failed", v.Failed, v.Held)}
	}
	if err == nil && len(f.left) > 0 {
		return &exitError{exitUnits, plural(len(f.left), "document") + " left out"}
	}
	return err
}

// documents gives gold documents, and how many there are.
func (f *validateParse) documents(ctx context.Context, dir string) (docs iter.Seq2[edb.Parsed, error], total int, err error) {
	if dir == "" && f.engine != "" {
		return nil, 0, errors.New("--engine reads files: name a dataset directory")
	}
	if dir == "" {
		total = 36 // as edb demo makes
		if f.limit > 0 {
			total = f.limit
		}
		return func(yield func(edb.Parsed, error) bool) {
			for id := range total {
				d, err := universe.MakeGold(f.seed, id)
				if !yield(d.Gold, err) || err != nil {
					return
				}
			}
		}, total, nil
	}
	if st, err := os.Stat(dir); err != nil {
		return nil, 0, fmt.Errorf("%s cannot be read: name a dataset directory", dir)
	} else if !st.IsDir() {
		return nil, 0, fmt.Errorf("%s is no folder: name a dataset directory", dir)
	}
	ds, err := datasets.Open(dir)
	if err != nil {
		return nil, 0, err
	}
	if f.engine != "" {
		return f.parses(ctx, ds)
	}
	ds.Markdown = parse.ReadFile
	var ids []string
	for _, d := range ds.Documents {
		if d.GoldScoresParsing() && (f.limit == 0 || len(ids) < f.limit) {
			ids = append(ids, d.ID)
		}
	}
	return func(yield func(edb.Parsed, error) bool) {
		for _, id := range ids {
			gold, ok, err := ds.Gold(id)
			if err == nil && !ok {
				err = fmt.Errorf("%s: document %s has no gold file: run edb dataset check", dir, id)
			}
			gold.Doc = id
			if !yield(gold, err) || err != nil {
				return
			}
		}
	}, len(ids), nil
}

// parses gives what an engine makes of the documents that it accepts, and how many they are. What it
// cannot read is left out.
func (f *validateParse) parses(ctx context.Context, ds *datasets.Dataset) (docs iter.Seq2[edb.Parsed, error], total int, err error) {
	e, err := parse.Lookup(f.engine)
	if err != nil {
		return nil, 0, err
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, 0, err
	}
	var take []edb.Document
	for _, d := range ds.Documents {
		if slices.Contains(e.Accepts, d.MIME) && (f.limit == 0 || len(take) < f.limit) {
			take = append(take, d)
		}
	}
	return func(yield func(edb.Parsed, error) bool) {
		pool := parse.NewPool(exe, 1, parse.DefaultLimits, "")
		defer pool.Close()
		for _, d := range take {
			path, err := ds.File(d)
			var p edb.Parsed
			if err == nil {
				p, _, err = pool.Parse(ctx, parse.Spec{Engine: f.engine}, parse.Source{Doc: d, Path: path})
			}
			var pe *parse.Error
			if errors.As(err, &pe) {
				f.left = append(f.left, fmt.Sprintf("%s: %v (%s)", d.ID, err, pe.Kind))
				continue
			}
			if !yield(p, err) || err != nil {
				return
			}
		}
	}, len(take), nil
}
