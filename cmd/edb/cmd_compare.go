package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"enterprisedocbench/internal/store"
	"enterprisedocbench/metrics"
	"enterprisedocbench/report"
	"enterprisedocbench/study"
)

type compareFlags struct {
	keys, pipelines []string
	mix, rows, html string
	json            bool
	opt             study.CompareOptions
}

func compareCmd(s *streams) *cobra.Command {
	var f compareFlags
	c := &cobra.Command{
		Use:   "compare RUN...",
		Short: "Say how pipelines differ: paired by unit, with interval, corrected p and a verdict",
		Long: `Pairs pipelines of finished runs by unit (a document, a question) and prints for each measure the
difference, its interval, the p of a permutation test, the p corrected over all tests shown, the
effect size, the least difference that could be noticed, and a verdict: better, worse, equal within
±delta, or not enough data with the units that are needed.

RUN is the folder of a finished run, or RUN:PIPELINE. One run: every pipeline against the baseline.
Several runs: each pipeline against its namesake in the first, or all against --baseline. Runs that
did not measure the same documents and questions by the same definitions are refused.`,
		Example: "  edb compare edb-demo/run\n  edb compare old/run new/run --key retrieve.ndcg@5,generate.g\n" +
			"  edb compare edb-demo/run --by modality --mix modality=single-hop:.5,table:.5",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("no run is named: write %s", c.UseLine())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return f.run(s, c, args) },
	}
	fs := c.Flags()
	fs.StringArrayVar(&f.keys, "key", nil, "measures, comma-separated; default P, nDCG@5, G and Q")
	fs.StringSliceVar(&f.pipelines, "pipelines", nil, "only these pipelines, comma-separated")
	fs.StringVar(&f.opt.Baseline, "baseline", "", "what the others are held against: a pipeline, RUN:PIPELINE or a run")
	fs.Float64Var(&f.opt.Delta, "delta", 0.02, "differences up to it do not matter")
	fs.StringVar(&f.opt.Adjust, "adjust", "holm", "correction of p over all tests: holm, bh, bonferroni or none")
	fs.Float64Var(&f.opt.Level, "level", 0.95, "of intervals; tests are at 1 - level")
	fs.Uint64Var(&f.opt.Seed, "seed", 0, "of resampling")
	fs.StringVar(&f.mix, "mix", "", "also re-weight to a mix: modality=single-hop:.3,table:.7 (or task=, domain=)")
	fs.StringVar(&f.opt.By, "by", "", "also by stratum: modality, task or domain")
	fs.BoolVar(&f.json, "json", false, "print one JSON object")
	fs.StringVar(&f.html, "html", "", "write a page with a plot of the differences to this file")
	fs.StringVar(&f.rows, "rows", "", "write the paired values of every unit to this file, one JSON object a line")
	return c
}

func (f *compareFlags) run(s *streams, c *cobra.Command, args []string) error {
	if f.opt.Delta == 0 || f.opt.Level == 0 {
		return fmt.Errorf("--delta and --level are above 0")
	}
	var read []string
	for _, a := range args {
		read = append(read, study.Folder(a))
	}
	for _, o := range [][2]string{{"--rows", f.rows}, {"--html", f.html}} {
		if err := outputFile(o[0], o[1], read...); err != nil {
			return err
		}
	}
	var err error
	if f.opt.Keys, err = keyList(f.keys); err != nil {
		return err
	}
	f.opt.Pipelines, f.opt.Rows = f.pipelines, f.rows != ""
	if f.mix != "" {
		if f.opt.Mix, err = study.ParseMix(f.mix); err != nil {
			return err
		}
	}
	out, err := study.Compare(args, f.opt)
	if err != nil {
		return err
	}
	if f.rows != "" {
		if err := store.WriteJSONL(f.rows, out.Rows); err != nil {
			return fmt.Errorf("--rows: %w", err)
		}
	}
	if f.html != "" {
		if err := store.WriteWith(f.html, func(w io.Writer) error { return report.ComparisonPage(w, out) }); err != nil {
			return fmt.Errorf("--html: %w", err)
		}
	}
	if f.json {
		return s.printJSON(out)
	}
	return report.Comparison(s.out, out)
}

// keyList reads measures as they are written on a command line: several in one value, in either form.
func keyList(values []string) ([]string, error) {
	names, err := metrics.ParseNames(strings.Join(values, " "))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, n := range names {
		out = append(out, n.String())
	}
	return out, nil
}
