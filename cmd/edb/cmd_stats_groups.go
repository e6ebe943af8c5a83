package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"enterprisedocbench/internal/table"
	"enterprisedocbench/report"
	"enterprisedocbench/stats"
)

func kruskalCmd(s *streams) *cobra.Command {
	var in tableFlags
	var value, by, adjust string
	var columns []string
	var asJSON bool
	c := &cobra.Command{
		Use:   "kruskal --csv F --value COL --group COL | --columns COL,COL...",
		Short: "Kruskal-Wallis test of groups and Dunn's of each pair; of a run Friedman's",
		Long: `Tests whether groups of independent rows differ in rank (Kruskal-Wallis, ties corrected), then each
pair of groups (Dunn, p corrected by --adjust). Groups are the values of one column by the names in
another, or several columns.

The columns of a run (with --key three pipelines or more) are measured on the same units and are no
independent groups: they get Friedman's test over the units that have them all, and each pair the test
of edb stats compare.`,
		Example: "  edb stats kruskal --csv answers.csv --value hr --group bracket\n  edb stats kruskal --csv wide.csv --columns short,medium,long --adjust bh",
		Args:    exactly(0),
		RunE: func(*cobra.Command, []string) error {
			t, err := in.load(s, columns...)
			if err != nil {
				return err
			}
			if _, err := stats.Adjust(nil, adjust); err != nil {
				return fmt.Errorf("--adjust: %w", err)
			}
			if value == "" && by == "" && in.run != "" && (columns != nil || in.key != "") {
				if columns == nil {
					columns = t.Columns[2:] // after the unit and its documents
				}
				groups, test, pairs, err := in.sameUnits(s, t, columns, adjust)
				if err != nil {
					return err
				}
				return s.groups(columns, groups, test, pairs, asJSON)
			}
			var names []string
			var groups [][]float64
			switch {
			case value != "" && by != "" && columns == nil:
				names, groups, err = in.groupsBy(s, t, value, by)
			case value == "" && by == "" && columns != nil:
				names, groups, err = groupColumns(t, columns)
			default:
				err = errors.New("give --value and --group, or --columns, or --run and --key")
			}
			if err != nil {
				return err
			}
			pairs, err := stats.Dunn(groups, adjust)
			if err != nil {
				return err
			}
			return s.groups(names, groups, stats.KruskalWallis(groups), pairs, asJSON)
		},
	}
	in.add(c)
	fs := c.Flags()
	fs.StringVar(&value, "value", "", "column with the values")
	fs.StringVar(&by, "group", "", "column with the name of a row's group")
	fs.StringSliceVar(&columns, "columns", nil, "columns that are the groups, comma-separated; empty cells are left out")
	fs.StringVar(&adjust, "adjust", "holm", "correction of the pairs' p: holm, bh, bonferroni or none")
	fs.BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// groupsBy splits a column by the names in another, groups in the order in which they first appear.
func (f *tableFlags) groupsBy(s *streams, t *table.Table, value, by string) ([]string, [][]float64, error) {
	t, err := f.rows(s, t, value, by)
	if err != nil {
		return nil, nil, err
	}
	v, err := numbers(t, value)
	if err != nil {
		return nil, nil, err
	}
	g, err := texts(t, by)
	if err != nil {
		return nil, nil, err
	}
	var names []string
	var groups [][]float64
	for i, name := range g {
		at := slices.Index(names, name)
		if at < 0 {
			if len(names) == 1000 {
				return nil, nil, fmt.Errorf("%s: column %q has over 1000 groups: name the column that groups rows", t.Name, by)
			}
			at = len(names)
			names, groups = append(names, name), append(groups, nil)
		}
		groups[at] = append(groups[at], v[i])
	}
	return names, groups, nil
}

// groupColumns takes columns as groups, without their empty cells.
func groupColumns(t *table.Table, columns []string) ([]string, [][]float64, error) {
	var groups [][]float64
	for _, c := range columns {
		cells, err := t.Numbers(c)
		if err != nil {
			return nil, nil, err
		}
		var g []float64
		for _, v := range cells {
			if v != nil {
				g = append(g, *v)
			}
		}
		groups = append(groups, g)
	}
	return columns, groups, nil
}

type pairOut struct {
	A         string   `json:"a"`
	B         string   `json:"b"`
	Statistic *float64 `json:"statistic"`
	P         *float64 `json:"p"`
	PAdjusted *float64 `json:"p_adjusted"`
	Method    string   `json:"method,omitempty"`
	Reason    string   `json:"reason,omitempty"`
}

type groupOut struct {
	Name   string   `json:"name"`
	N      int      `json:"n"`
	Median *float64 `json:"median"`
}

func (s *streams) groups(names []string, groups [][]float64, h stats.Test, pairs []stats.PairTest, asJSON bool) error {
	var gs []groupOut
	var ps []pairOut
	for i, g := range groups {
		o := groupOut{Name: names[i], N: len(g)}
		if len(g) > 0 {
			m := stats.Quantile(slices.Sorted(slices.Values(g)), 0.5)
			o.Median = &m
		}
		gs = append(gs, o)
	}
	for _, p := range pairs {
		ps = append(ps, pairOut{names[p.A], names[p.B], p.Statistic, p.P, p.PAdjusted, p.Method, p.Reason})
	}
	for _, w := range h.Warnings {
		fmt.Fprintln(s.err, "edb: "+w)
	}
	if asJSON {
		err := s.printJSON(struct {
			Name       string     `json:"name"`
			Statistic  *float64   `json:"statistic"`
			P          *float64   `json:"p"`
			DF         []float64  `json:"df"`
			N          int        `json:"n"`
			Method     string     `json:"method,omitempty"`
			Reason     string     `json:"reason,omitempty"`
			Warnings   []string   `json:"warnings,omitempty"`
			Effect     *float64   `json:"effect"`
			EffectName string     `json:"effect_name,omitempty"`
			Groups     []groupOut `json:"groups"`
			Pairs      []pairOut  `json:"pairs"`
		}{h.Name, h.Statistic, h.P, h.DF, h.N, h.Method, h.Reason, h.Warnings, h.Effect, h.EffectName, gs, ps})
		if err != nil {
			return err
		}
	} else if err := s.groupTables(gs, ps, h); err != nil {
		return err
	}
	if h.Statistic == nil {
		return &exitError{exitCheck, "no value: " + h.Reason}
	}
	return nil
}

func (s *streams) groupTables(gs []groupOut, ps []pairOut, h stats.Test) error {
	rows := [][]string{{"Group", "n", "Median"}}
	for _, g := range gs {
		rows = append(rows, []string{g.Name, fmt.Sprint(g.N), digits(g.Median)})
	}
	if err := report.Columns(s.out, rows); err != nil {
		return err
	}
	fmt.Fprintln(s.out)
	statistic, of, paired := "H", "z", h.Name == "Friedman"
	if paired {
		statistic, of = "chi squared", "a - b"
	}
	if err := report.Columns(s.out, [][]string{
		{"Test", statistic, "p", "n", h.EffectName, "Method"},
		{h.Name, digits(h.Statistic), digits(h.P), fmt.Sprint(h.N), digits(h.Effect), h.Method},
	}); err != nil {
		return err
	}
	if len(ps) == 0 || h.Statistic == nil {
		return nil
	}
	fmt.Fprintln(s.out)
	rows = [][]string{{"Pair", of, "p", "p corrected"}}
	if paired {
		rows[0] = append(rows[0], "Test")
	}
	for _, p := range ps {
		row := []string{p.A + " - " + p.B, digits(p.Statistic), digits(p.P), digits(p.PAdjusted)}
		if paired {
			row = append(row, p.Method+p.Reason)
		}
		rows = append(rows, row)
	}
	return report.Columns(s.out, rows)
}
