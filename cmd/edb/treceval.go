package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"enterprisedocbench/metrics"
)

// trecFlags are the arguments of trec_eval, under its letters.
type trecFlags struct {
	format string
	opt    metrics.TrecOptions
}

var (
	trecOnly = []string{"measure", "per-query", "complete", "no-summary", "judged", "max-docs", "documents"}
	notTrec  = []string{"measures", "rows", "json", "ignore-self", "ties"}
)

func (f *trecFlags) add(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&f.format, "format", "table", "table, or trec_eval: what trec_eval prints")
	fl.StringArrayVarP(&f.opt.Measures, "measure", "m", nil, "trec_eval: a measure by its name there, with parameters (P.5,10), or official, set, all_trec; may be repeated")
	fl.BoolVarP(&f.opt.PerQuery, "per-query", "q", false, "trec_eval: rows for each query too")
	fl.BoolVarP(&f.opt.Complete, "complete", "c", false, "trec_eval: count judged queries that the run lacks")
	fl.BoolVarP(&f.opt.NoSummary, "no-summary", "n", false, "trec_eval: no rows over all queries")
	fl.BoolVarP(&f.opt.Judged, "judged", "J", false, "trec_eval: leave documents without judgement out")
	fl.IntVarP(&f.opt.Depth, "max-docs", "M", 0, "trec_eval: ranks that are looked at; 0 is all")
	fl.IntVarP(&f.opt.Documents, "documents", "N", 0, "trec_eval: documents in the collection, for utility")
}

// used reports whether trec_eval's output is asked for, and refuses flags of the other one.
func (f *trecFlags) used(c *cobra.Command) (bool, error) {
	given := func(names []string) string {
		var out []string
		for _, n := range names {
			if c.Flags().Changed(n) {
				out = append(out, "--"+n)
			}
		}
		return strings.Join(out, " ")
	}
	switch f.format {
	case "table":
		if g := given(trecOnly); g != "" {
			return false, fmt.Errorf("%s: add --format trec_eval, whose flag it is", g)
		}
		return false, nil
	case "trec_eval":
		if g := given(notTrec); g != "" {
			return false, fmt.Errorf("%s: leave it out with --format trec_eval", g)
		}
		if f.opt.Depth < 0 || f.opt.Documents < 0 {
			return false, fmt.Errorf("--max-docs and --documents cannot be below 0: leave them out to mean all and none")
		}
		return true, nil
	}
	return false, fmt.Errorf("--format is %q: use table or trec_eval", f.format)
}

func (f *trecFlags) print(w io.Writer, qrels, run string, level int) error {
	f.opt.Level = level
	return metrics.TrecEval(w, qrels, run, f.opt)
}
