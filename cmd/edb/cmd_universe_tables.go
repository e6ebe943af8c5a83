package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"enterprisedocbench/expect"
	"enterprisedocbench/report"
	"enterprisedocbench/study"
)

// rikerPaper reads the figures that the paper prints.
func rikerPaper() (*study.Paper, error) {
	data, name, err := expect.Claims("riker")
	if err != nil {
		return nil, err
	}
	return study.ReadPaper(data, name)
}

func readSubjects(paths []string) ([]study.Subject, error) {
	var all []study.Subject
	for _, p := range paths {
		list, err := study.Subjects(p)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	for i, a := range all {
		for _, b := range all[:i] {
			if a.System == b.System && a.Size == b.Size && a.Set == b.Set && (a.Temperature == nil || b.Temperature == nil || *a.Temperature == *b.Temperature) {
				return nil, fmt.Errorf("%s and %s both have %s on %s: leave one out, or name the systems apart", b.From, a.From, a.System, a.Dataset)
			}
		}
	}
	return all, nil
}

func universeTablesCmd(s *streams) *cobra.Command {
	var published, asJSON bool
	var only []string
	c := &cobra.Command{
		Use:   "tables RUN|FILE...",
		Short: "Print RIKER's tables 4 to 17 for what was run on universes",
		Long: `Prints RIKER's tables for the systems of run folders and of files that edb eval answers --json left,
on universes of edb universe new: accuracy by category, hallucination, degradation over sizes,
aggregation, coherence loss with its tiers, temperature, stability over corpora (sets A to D) and over
question sets (HA to HD), and beside the paper's: accuracy by level, and by depth of the evidence and
size. Tables that nothing fills are left out. Values are percent, with 95 % intervals where they are known.

--published puts the rows that the paper prints beside, marked with an asterisk, and Kendall's tau-b
between the two rankings where systems have the same names.`,
		Example: `  edb universe tables runs/context-32K runs/context-128K
  edb universe tables glm.json qwen.json --published --table 4 --table 12`,
		Args: atLeast(1, "name run folders, or files of edb eval answers --json"),
		RunE: func(c *cobra.Command, args []string) error {
			subjects, err := readSubjects(args)
			if err != nil {
				return err
			}
			var paper *study.Paper
			if published {
				if paper, err = rikerPaper(); err != nil {
					return err
				}
			}
			tables := study.FidelityTables(subjects, paper)
			if len(only) > 0 {
				var kept []study.FidelityTable
				for _, n := range only {
					found := false
					for _, t := range tables {
						if t.Number == n {
							kept, found = append(kept, t), true
						}
					}
					if !found {
						return fmt.Errorf("--table %s: nothing here fills it: there are %s", n, tableNumbers(tables))
					}
				}
				tables = kept
			}
			var taus []study.PublishedTau
			if paper != nil {
				taus = study.PublishedTaus(subjects, paper)
			}
			if asJSON {
				return s.printJSON(map[string]any{"tables": tables, "published_tau": taus})
			}
			for i, t := range tables {
				if i > 0 {
					fmt.Fprintln(s.out)
				}
				if err := s.fidelityTable(t); err != nil {
					return err
				}
			}
			for _, t := range taus {
				value := "not defined: fewer than three systems have the same name in both"
				if t.Tau != nil {
					value = fmt.Sprintf("%.3f over %s", *t.Tau, plural(t.N, "system"))
				}
				fmt.Fprintf(s.out, "\nKendall's tau-b against the paper's ranking at %s: %s\n", t.Size, value)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&published, "published", false, "put the paper's rows beside")
	c.Flags().StringArrayVar(&only, "table", nil, "print this table alone: 4 to 17, or accuracy, hallucination (of other sizes), levels, depth; may be repeated")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func tableNumbers(tables []study.FidelityTable) string {
	var out []string
	for _, t := range tables {
		if t.Number != "" && (len(out) == 0 || out[len(out)-1] != t.Number) {
			out = append(out, t.Number)
		}
	}
	return strings.Join(out, ", ")
}

func (s *streams) fidelityTable(t study.FidelityTable) error {
	title := t.Title
	if _, err := strconv.Atoi(t.Number); err == nil {
		title = "Table " + t.Number + ": " + title
	}
	fmt.Fprintln(s.out, title+" (%)")
	head := append([]string{"System"}, t.Columns...)
	tiers := t.Rows[0].Tier != ""
	if tiers {
		head = append(head, "Tier")
	}
	rows := [][]string{head}
	starred := false
	for _, r := range t.Rows {
		name := r.System
		if r.Published {
			name, starred = name+" *", true
		}
		row := []string{name}
		for _, c := range r.Cells {
			text := "-"
			if c.Value != nil {
				text = fmt.Sprintf("%.1f", *c.Value)
				if c.Lo != nil && c.Hi != nil {
					text += fmt.Sprintf(" [%.1f, %.1f]", *c.Lo, *c.Hi)
				}
			}
			row = append(row, text)
		}
		if tiers {
			row = append(row, r.Tier)
		}
		rows = append(rows, row)
	}
	if err := report.Columns(s.out, rows); err != nil {
		return err
	}
	if starred {
		fmt.Fprintln(s.out, "* printed in the paper")
	}
	if t.Note != "" {
		fmt.Fprintln(s.out, t.Note)
	}
	return nil
}

func universeStabilityCmd(s *streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "stability RUN|FILE...",
		Short: "Ask whether scores belong to the systems or to the corpora",
		Long: `Compares systems over corpora that were made alike from other seeds (sets A to D) and over other
questions on the same documents (sets HA to HD). For each system: the values, and whether they differ by
more than their intervals predict (Cochran's Q, I²). For each two sets: Kendall's tau-b between the
rankings of all systems.`,
		Example: `  edb universe stability runs/128K-A runs/128K-B runs/128K-C runs/128K-D`,
		Args:    atLeast(2, "name the runs, or files of edb eval answers --json, of two sets or more"),
		RunE: func(c *cobra.Command, args []string) error {
			subjects, err := readSubjects(args)
			if err != nil {
				return err
			}
			found := study.Stable(subjects)
			if asJSON {
				if found == nil {
					found = []study.Stability{}
				}
				if err := s.printJSON(map[string]any{"stability": found}); err != nil {
					return err
				}
			}
			if len(found) == 0 {
				return &exitError{exitCheck, "no size was run on two sets: make sets A to D, or HA to HD, with edb universe new --set"}
			}
			if asJSON {
				return nil
			}
			for i, x := range found {
				if i > 0 {
					fmt.Fprintln(s.out)
				}
				if err := s.stability(x); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func (s *streams) stability(x study.Stability) error {
	fmt.Fprintf(s.out, "%s at %s over sets %s\n", x.Measure, x.Size, strings.Join(x.Sets, ", "))
	rows := [][]string{append(append([]string{"System"}, x.Sets...), "SD", "Expected SD", "Q", "p", "I²", "Verdict")}
	for _, r := range x.Systems {
		row := []string{r.System}
		for _, v := range r.Values {
			row = append(row, report.Num(v))
		}
		rows = append(rows, append(row, report.Num(r.SD), report.Num(r.Expect), report.Num(r.Q), report.Num(r.P), report.Num(r.I2), r.Verdict))
	}
	if err := report.Columns(s.out, rows); err != nil {
		return err
	}
	for _, t := range x.Taus {
		fmt.Fprintf(s.out, "Kendall's tau-b of the rankings on %s and %s: %s (%s)\n", t.A, t.B, report.Num(t.Tau), plural(t.N, "system"))
	}
	if x.MeanTau != nil {
		fmt.Fprintf(s.out, "Mean tau-b: %.3f\n", *x.MeanTau)
	}
	if x.Reason != "" {
		fmt.Fprintln(s.out, "No tau: "+x.Reason+".")
	}
	return nil
}
