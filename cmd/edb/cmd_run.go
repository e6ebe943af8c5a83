package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"enterprisedocbench"
	"enterprisedocbench/pipeline"
	"enterprisedocbench/report"
	"enterprisedocbench/study"
)

// maxWorkers bounds --workers: each is a process with its own PDF engine.
const maxWorkers = 1024

type runFlags struct {
	out, cache, budget string
	workers            int
	json, dryRun       bool
}

func (f *runFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.cache, "cache", ".edb-cache", "folder of finished work, shared by all runs")
	c.Flags().IntVar(&f.workers, "workers", 0, "documents and questions worked on at a time; 0 is one a core")
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON object")
}

func runCmd(s *streams) *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run CONFIG.yaml",
		Short: "Run the pipelines of a configuration over a dataset, measure them, write a report",
		Long: `Runs every pipeline of the configuration: parse, chunk, index, retrieve, generate, measure.
Run it again to resume: finished work comes from the cache. Prints the table of results and leaves
the run folder with all records and report.html.

A dataset directory comes from edb dataset import; edb config schema prints the configuration's keys.
With --json: {"run":DIR,"pipelines":{NAME:{KEY:FIGURE}},"costs":{...},"failures":N}.`,
		Example: "  edb run vaswani.yaml\n  edb run filings.yaml --workers 8 --out runs/filings",
		Args:    exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			if st, err := os.Stat(args[0]); err == nil && st.IsDir() {
				return fmt.Errorf("%s is a folder: name a configuration file", args[0])
			}
			if _, err := f.options(s, newProgress(s.err)); err != nil {
				return err
			}
			cfg, err := pipeline.Load(args[0])
			if err != nil {
				return err
			}
			return execute(c.Context(), s, cfg, f)
		},
	}
	f.add(c)
	c.Flags().StringVar(&f.out, "out", "", "the run folder itself; default runs/NAME-HASH")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "print what would be done; no stage runs and nothing is sent")
	c.Flags().StringVar(&f.budget, "budget", "", "stop asking models beyond this, for example 5usd")
	return c
}

func (f runFlags) options(s *streams, p *progress) (pipeline.Options, error) {
	o := pipeline.Options{Out: f.out, Cache: f.cache, Workers: f.workers, DryRun: f.dryRun, Progress: p.show}
	if f.workers < 0 {
		return o, fmt.Errorf("--workers is %d: use 0 or more", f.workers)
	}
	if f.workers > maxWorkers {
		return o, fmt.Errorf("--workers is %d: use %d or fewer", f.workers, maxWorkers)
	}
	if f.budget != "" {
		v, err := strconv.ParseFloat(strings.TrimSuffix(strings.ToLower(f.budget), "usd"), 64)
		if err != nil || !(v > 0) || math.IsInf(v, 0) {
			return o, fmt.Errorf("--budget %q: write dollars, for example 5usd", f.budget)
		}
		o.Budget = v
	}
	if err := noFile("--out", f.out); err != nil {
		return o, err
	}
	return o, noFile("--cache", f.cache)
}

// noFile refuses a file where a flag names the folder to write, before any work is done.
func noFile(flag, path string) error {
	if st, err := os.Stat(path); path != "" && err == nil && !st.IsDir() {
		return fmt.Errorf("%s %s is a file: name a folder", flag, path)
	}
	return nil
}

// execute runs a configuration and shows what came out.
func execute(ctx context.Context, s *streams, cfg *pipeline.Config, f runFlags) error {
	p := newProgress(s.err)
	defer p.close()
	o, err := f.options(s, p)
	if err != nil {
		return err
	}
	res, err := pipeline.Run(ctx, cfg, o)
	if err != nil {
		return err
	}
	p.close()
	if f.dryRun {
		return s.plan(cfg, res, f.json)
	}
	page, err := report.WritePage(res.Dir)
	if err != nil {
		return err
	}
	sum := res.Summary
	r, err := report.Load(res.Dir)
	if err != nil {
		return err
	}
	if err := s.showRun(r, res.Dir, page, f.json); err != nil {
		return err
	}
	if !scored(sum) {
		return &exitError{exitCheck, fmt.Sprintf("0 of %d units scored: see %s", sum.Documents+sum.Questions, filepath.Join(res.Dir, "failures.jsonl"))}
	}
	if sum.Failures > 0 {
		return &exitError{exitUnits, fmt.Sprintf("%s failed: see %s", plural(sum.Failures, "unit"), filepath.Join(res.Dir, "failures.jsonl"))}
	}
	return nil
}

// scored reports whether any unit of any pipeline succeeded at anything. Where every document
// failed there is nothing to retrieve from, and refusals alone are no score.
func scored(s *edb.Summary) bool {
	if s.Unparsed >= s.Documents*len(s.Arms) {
		return false
	}
	for _, figs := range s.Pipelines {
		for _, f := range figs {
			if f.NOK > 0 {
				return true
			}
		}
	}
	return false
}

func (s *streams) plan(cfg *pipeline.Config, res *pipeline.Result, asJSON bool) error {
	sum := res.Summary
	if asJSON {
		return s.printJSON(map[string]any{"run": res.Dir, "documents": sum.Documents, "pages": sum.Pages, "questions": sum.Questions, "arms": sum.Arms, "calls": sum.Calls})
	}
	fmt.Fprintf(s.out, "%s: %s, %s, %s, %s (%s), %s; nothing was run\n",
		cfg.Name, plural(sum.Documents, "document"), plural(sum.Pages, "page"), plural(sum.Questions, "question"), plural(len(sum.Arms), "arm"), strings.Join(sum.Arms, ", "), plural(sum.Calls, "generator call"))
	return nil
}

// showRun prints a finished run: its table and where its page is, or one JSON object.
func (s *streams) showRun(r report.Run, dir, page string, asJSON bool) error {
	if asJSON {
		return s.printJSON(struct {
			Run       string                           `json:"run"`
			Pipelines map[string]map[string]edb.Figure `json:"pipelines"`
			Costs     map[string]map[string]edb.Figure `json:"costs"`
			Failures  int                              `json:"failures"`
			Report    string                           `json:"report"`
		}{dir, r.Pipelines, r.Costs, r.Failures, page})
	}
	if err := r.Text(s.out); err != nil {
		return err
	}
	_, err := fmt.Fprintf(s.out, "report: %s\n", filepath.ToSlash(page))
	return err
}

func reportCmd(s *streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "report RUN",
		Short: "Print a run's table again and rewrite its report.html",
		Args:  exactly(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if _, err := study.Open(args[0]); err != nil {
				return err
			}
			r, err := report.Load(args[0])
			if err != nil {
				return err
			}
			page, err := report.WritePage(args[0])
			if err != nil {
				return err
			}
			return s.showRun(r, args[0], page, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object, as edb run does")
	return c
}
