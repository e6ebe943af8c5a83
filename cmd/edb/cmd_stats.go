package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"enterprisedocbench/report"
	"enterprisedocbench/stats"
)

func statsCmd(s *streams) *cobra.Command {
	c := group("stats", "Statistics of tables and runs, and whether reported ones follow")
	c.AddCommand(correlateCmd(s), statsCompareCmd(s), wilsonCmd(s), kruskalCmd(s), kappaCmd(s), alphaCmd(s),
		sensitivityCmd(s), powerCmd(s), checkCmd(s))
	return c
}

// estimate is what most statistics print with --json: a value, its bounds and what they rest on.
type estimate struct {
	Value    *float64 `json:"value"`
	Lo       *float64 `json:"lo"`
	Hi       *float64 `json:"hi"`
	Level    float64  `json:"level"`
	N        int      `json:"n"`
	Method   string   `json:"method,omitempty"`
	Reason   string   `json:"reason,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

func estimateOf(iv stats.Interval) estimate {
	return estimate{iv.Value, iv.Lo, iv.Hi, iv.Level, iv.N, iv.Method, iv.Reason, iv.Warnings}
}

// interval prints the bounds of an estimate as a cell.
func (e estimate) interval() string {
	if e.Lo == nil || e.Hi == nil {
		return "·"
	}
	return "[" + digits(e.Lo) + ", " + digits(e.Hi) + "]"
}

// intervalHead is the heading of that cell.
func (e estimate) intervalHead() string { return fmt.Sprintf("%g %% interval", 100*e.Level) }

// outcome ends a statistic: warnings on standard error, and exit code 1 where there is no value.
func (s *streams) outcome(e estimate) error {
	for _, w := range e.Warnings {
		fmt.Fprintln(s.err, "edb: "+w)
	}
	if e.Value == nil {
		return &exitError{exitCheck, "no value: " + e.Reason}
	}
	if e.Reason != "" {
		fmt.Fprintln(s.err, "edb: "+e.Reason)
	}
	return nil
}

// digits prints a number with four significant digits at least, "·" where there is none.
func digits(v *float64) string {
	if v == nil {
		return "·"
	}
	if a := *v; a > -0.001 && a < 0.001 && a != 0 {
		return strconv.FormatFloat(a, 'g', 3, 64)
	}
	return strconv.FormatFloat(*v, 'f', 4, 64)
}

// level and seed flags that several statistics share.
type resampleFlags struct {
	level      float64
	seed       uint64
	replicates int
}

func (f *resampleFlags) add(c *cobra.Command) {
	c.Flags().Float64Var(&f.level, "level", 0.95, "of the interval, between 0 and 1")
	c.Flags().Uint64Var(&f.seed, "seed", 0, "of resampling")
	c.Flags().IntVar(&f.replicates, "replicates", 10000, "of resampling")
}

func (f *resampleFlags) options() (stats.Options, error) {
	switch {
	case !(f.level > 0 && f.level < 1):
		return stats.Options{}, fmt.Errorf("--level %g is not between 0 and 1: 95 %% is 0.95", f.level)
	case f.replicates < 100 || f.replicates > 10_000_000:
		return stats.Options{}, fmt.Errorf("--replicates %d is not from 100 to 10,000,000", f.replicates)
	}
	return stats.Options{Level: f.level, Seed: f.seed, Replicates: f.replicates}, nil
}

func wilsonCmd(s *streams) *cobra.Command {
	var rate, level float64
	var n, successes int
	var asJSON bool
	c := &cobra.Command{
		Use:   "wilson --n N --rate R | --successes K",
		Short: "Wilson's interval of a share of n independent units",
		Long: `Prints Wilson's score interval of a share. It takes a count of successes, or a rate as it is printed:
published rates are not always a whole number of units (edb stats check says which).`,
		Example: "  edb stats wilson --successes 10 --n 35\n  edb stats wilson --rate 0.281 --n 35 --level 0.99 --json",
		Args:    exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			hasRate, hasCount := c.Flags().Changed("rate"), c.Flags().Changed("successes")
			switch {
			case hasRate == hasCount:
				return errors.New("give either --rate or --successes")
			case !c.Flags().Changed("n"):
				return errors.New("give --n, the number of units")
			case n < 1:
				return fmt.Errorf("--n %d: a share needs at least 1 unit", n)
			case !(level > 0 && level < 1):
				return fmt.Errorf("--level %g is not between 0 and 1: 95 %% is 0.95", level)
			case hasCount && (successes < 0 || successes > n):
				return fmt.Errorf("--successes %d is not from 0 to --n %d", successes, n)
			case hasRate && !(rate >= 0 && rate <= 1):
				return fmt.Errorf("--rate %g is not a share from 0 to 1: 28.1 %% is 0.281", rate)
			}
			iv := stats.Wilson(rate, n, level)
			if hasCount {
				iv = stats.WilsonCount(successes, n, level)
			}
			e := estimateOf(iv)
			if asJSON {
				return s.printJSON(e)
			}
			return report.Columns(s.out, [][]string{
				{"Share", e.intervalHead(), "n", "Method"},
				{digits(e.Value), e.interval(), fmt.Sprint(e.N), e.Method},
			})
		},
	}
	fs := c.Flags()
	fs.Float64Var(&rate, "rate", 0, "share of successes, from 0 to 1")
	fs.IntVar(&successes, "successes", 0, "number of successes")
	fs.IntVar(&n, "n", 0, "number of units")
	fs.Float64Var(&level, "level", 0.95, "of the interval, between 0 and 1")
	fs.BoolVar(&asJSON, "json", false, "print one JSON object: value, lo, hi, level, n, method")
	return c
}
