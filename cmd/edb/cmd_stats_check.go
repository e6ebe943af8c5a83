package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"enterprisedocbench/expect"
	"enterprisedocbench/report"
	"enterprisedocbench/study"
)

// checkedPaper is one paper with what was found.
type checkedPaper struct {
	Paper    string          `json:"paper"`
	Follows  int             `json:"follows"`
	Not      int             `json:"does_not_follow"`
	Cannot   int             `json:"cannot_be_checked"`
	Findings []study.Finding `json:"findings"`
}

func checkCmd(s *streams) *cobra.Command {
	var paper string
	var all, asJSON bool
	c := &cobra.Command{
		Use:   "check [FILE | --paper edb|riker|pinnacle]",
		Short: "Recompute reported statistics and say what does not follow",
		Long: `Recomputes reported numbers from the other numbers that are reported: correlations from r and n,
composites from parts and weights, rates from counts, totals, intervals, and quantities that are
stated twice. FILE lists the claims (docs/statistics.md says how); without it the tables of the
EnterpriseDocBench, RIKER and PINNACLE papers are checked. Every number stands for all values that
round to it, so rounding alone is no fault. Shown are the claims that do not follow, cannot be
checked, or follow with a remark; --all shows the others too. Exit code 1 where one does not follow.`,
		Example: "  edb stats check --paper edb\n  edb stats check claims.yaml --all --json",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("%d files: name one", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			papers, err := papersToCheck(args, paper)
			if err != nil {
				return err
			}
			return s.checked(papers, all, asJSON)
		},
	}
	fs := c.Flags()
	fs.StringVar(&paper, "paper", "", "edb, riker or pinnacle; default all three")
	fs.BoolVar(&all, "all", false, "show the claims that follow too")
	fs.BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func papersToCheck(args []string, paper string) ([]*study.Paper, error) {
	if len(args) == 1 {
		if paper != "" {
			return nil, errors.New("give a file or --paper, not both")
		}
		data, err := os.ReadFile(args[0])
		if err != nil {
			return nil, unreadable(args[0], err)
		}
		p, err := study.ReadPaper(data, args[0])
		return []*study.Paper{p}, err
	}
	names := expect.Papers()
	if paper != "" {
		names = []string{paper}
	}
	var out []*study.Paper
	for _, n := range names {
		data, name, err := expect.Claims(n)
		if err != nil {
			return nil, fmt.Errorf("--paper: %w", err)
		}
		p, err := study.ReadPaper(data, name)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func (s *streams) checked(papers []*study.Paper, all, asJSON bool) error {
	var out []checkedPaper
	wrong := 0
	for _, p := range papers {
		c := checkedPaper{Paper: p.Name, Findings: []study.Finding{}}
		for _, f := range study.Recompute(p) {
			switch f.Verdict {
			case study.Follows:
				c.Follows++
			case study.DoesNotFollow:
				c.Not++
			default:
				c.Cannot++
			}
			if all || f.Verdict != study.Follows || f.Note != "" {
				c.Findings = append(c.Findings, f)
			}
		}
		wrong += c.Not
		out = append(out, c)
	}
	if asJSON {
		if err := s.printJSON(map[string]any{"papers": out}); err != nil {
			return err
		}
	} else if err := s.checkedTables(out); err != nil {
		return err
	}
	if wrong > 0 {
		verb := "do"
		if wrong == 1 {
			verb = "does"
		}
		return &exitError{exitCheck, fmt.Sprintf("%s %s not follow", plural(wrong, "reported number"), verb)}
	}
	return nil
}

func (s *streams) checkedTables(papers []checkedPaper) error {
	for i, p := range papers {
		if i > 0 {
			fmt.Fprintln(s.out)
		}
		if len(p.Findings) > 0 {
			rows := [][]string{{"Verdict", "Claim", "Source", "Printed", "Recomputed", "Remark"}}
			for _, f := range p.Findings {
				what := f.What
				if f.Row != "" {
					what += ": " + f.Row
				}
				rows = append(rows, []string{f.Verdict, what, f.Source, f.Printed, f.Recomputed, f.Note})
			}
			if err := report.Columns(s.out, rows); err != nil {
				return err
			}
		}
		fmt.Fprintf(s.out, "%s: %d follow, %d do not, %d cannot be checked\n", p.Paper, p.Follows, p.Not, p.Cannot)
	}
	return nil
}
