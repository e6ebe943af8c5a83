package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"enterprisedocbench/internal/store"
	"enterprisedocbench/report"
	"enterprisedocbench/study"
)

// stepSummary is the environment variable in which GitHub Actions names the file of a step's summary.
const stepSummary = "GITHUB_STEP_SUMMARY"

type gateFlags struct {
	min, max, drop, notWorse []string
	use, junit, summary      string
	json                     bool
	opt                      study.GateOptions
}

func gateCmd(s *streams) *cobra.Command {
	var f gateFlags
	c := &cobra.Command{
		Use:   "gate RUN",
		Short: "Hold a run against thresholds or a baseline run; exit 1 where it fails",
		Long: `Checks the figures of a finished run: at least or at most a value, at most so much worse than a
baseline run, or not significantly worse than it by a paired test. Every pipeline of the
configuration is held, or those of --pipeline. What is not measured fails.

KEY is a measure: retrieve.ndcg@5, parse.teds:mode=structure or "parse.teds(mode=structure)".
Exit codes: 0 all passed, 1 a check failed, 2 bad input.`,
		Example: "  edb gate runs/new --min retrieve.ndcg@5=0.7 --max generate.hr=0.05\n" +
			"  edb gate runs/new --baseline runs/main --max-drop quality.q=0.02 --not-worse generate.g --junit gate.xml",
		Args: exactly(1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(s, c, args[0]) },
	}
	fs := c.Flags()
	fs.StringArrayVar(&f.min, "min", nil, "KEY=V: at least V")
	fs.StringArrayVar(&f.max, "max", nil, "KEY=V: at most V")
	fs.StringArrayVar(&f.drop, "max-drop", nil, "KEY=V: at most V worse than the baseline, over paired units")
	fs.StringArrayVar(&f.notWorse, "not-worse", nil, "KEY: the paired test does not say worse than the baseline")
	fs.StringVar(&f.opt.Baseline, "baseline", "", "run, or RUN:PIPELINE, that --max-drop and --not-worse hold against")
	fs.Float64Var(&f.opt.Delta, "delta", 0, "with --not-worse: pass only where the interval rules out a drop of this")
	fs.StringSliceVar(&f.opt.Pipelines, "pipeline", nil, "only these pipelines, comma-separated")
	fs.StringVar(&f.use, "use", "value", "what is held against a threshold: value, or lo, the worse end of the interval")
	fs.Uint64Var(&f.opt.Seed, "seed", 0, "of resampling")
	fs.StringVar(&f.junit, "junit", "", "write JUnit XML to this file")
	fs.StringVar(&f.summary, "summary", "", "write a Markdown summary to this file; default: append to $"+stepSummary+" where it is set")
	fs.BoolVar(&f.json, "json", false, "print one JSON object")
	return c
}

// checks reads the flags in the order min, max, max-drop, not-worse.
func (f *gateFlags) checks() ([]study.Check, error) {
	var out []study.Check
	for _, x := range []struct {
		kind string
		list []string
	}{{study.AtLeast, f.min}, {study.AtMost, f.max}, {study.MaxDrop, f.drop}} {
		for _, v := range x.list {
			c, err := study.ParseCheck(x.kind, v)
			if err != nil {
				return nil, err
			}
			out = append(out, c)
		}
	}
	keys, err := keyList(f.notWorse)
	for _, k := range keys {
		out = append(out, study.Check{Kind: study.NotWorse, Key: k})
	}
	return out, err
}

func (f *gateFlags) run(s *streams, c *cobra.Command, dir string) error {
	var err error
	if f.opt.Checks, err = f.checks(); err != nil {
		return err
	}
	if f.use != "value" && f.use != "lo" {
		return fmt.Errorf("--use %q: write value, or lo for the worse end of the interval", f.use)
	}
	f.opt.Bound = f.use == "lo"
	if c.Flags().Changed("delta") && (!(f.opt.Delta > 0) || len(f.notWorse) == 0) {
		return errors.New("--delta belongs to --not-worse and is above 0")
	}
	for _, o := range [][2]string{{"--junit", f.junit}, {"--summary", f.summary}} {
		if err := outputFile(o[0], o[1], study.Folder(dir), study.Folder(f.opt.Baseline)); err != nil {
			return err
		}
	}
	g, err := study.Gate(dir, f.opt)
	if err != nil {
		return err
	}
	if f.junit != "" {
		if err := store.WriteWith(f.junit, func(w io.Writer) error { return report.GateJUnit(w, g) }); err != nil {
			return fmt.Errorf("--junit: %w", err)
		}
	}
	if err := f.writeSummary(g); err != nil {
		return err
	}
	if f.json {
		err = s.printJSON(g)
	} else {
		err = report.Gate(s.out, g)
	}
	if err == nil && !g.Passed {
		return &exitError{exitCheck, fmt.Sprintf("%d of %d checks failed", g.Failed, len(g.Checks))}
	}
	return err
}

func (f *gateFlags) writeSummary(g *study.GateResult) error {
	var b bytes.Buffer
	if err := report.GateMarkdown(&b, g); err != nil {
		return err
	}
	if f.summary != "" {
		if err := store.WriteFile(f.summary, b.Bytes()); err != nil {
			return fmt.Errorf("--summary: %w", err)
		}
		return nil
	}
	path := os.Getenv(stepSummary)
	if path == "" {
		return nil
	}
	w, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = w.Write(b.Bytes())
		err = errors.Join(err, w.Close())
	}
	if err != nil {
		return fmt.Errorf("$%s: %w", stepSummary, err)
	}
	return nil
}
