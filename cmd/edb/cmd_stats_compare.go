package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"enterprisedocbench/report"
	"enterprisedocbench/stats"
)

func correlateCmd(s *streams) *cobra.Command {
	var in tableFlags
	var re resampleFlags
	var x, y, method, cluster, how string
	var control []string
	var asJSON bool
	c := &cobra.Command{
		Use:   "correlate --csv F --x COL --y COL",
		Short: "Correlation of two columns with interval and test",
		Long: `Prints the Pearson, Spearman or Kendall (tau-b) correlation of two columns, with an interval and the p
of the test against 0. The interval resamples clusters of rows (--cluster names the document that a
row is about), or is the closed form named with --interval. --control takes the influence of further
columns out of both.`,
		Example: "  edb stats correlate --csv scores.csv --x parse --y retrieve --method spearman --cluster doc\n" +
			"  edb stats correlate --run edb-demo/run --pipeline bm25 --x generate.fa --y generate.sap",
		Args: exactly(0),
		RunE: func(*cobra.Command, []string) error {
			if x == "" || y == "" {
				return errors.New("give --x and --y: the names of two columns")
			}
			opt, err := re.options()
			if err != nil {
				return err
			}
			t, err := in.load(s, append([]string{x, y}, control...)...)
			if err != nil {
				return err
			}
			if t, err = in.rows(s, t, given(append([]string{x, y, cluster}, control...)...)...); err != nil {
				return err
			}
			a, err := numbers(t, x)
			if err != nil {
				return err
			}
			b, err := numbers(t, y)
			if err != nil {
				return err
			}
			var controls [][]float64
			for _, name := range control {
				v, err := numbers(t, name)
				if err != nil {
					return err
				}
				controls = append(controls, v)
			}
			docs, err := in.clusters(t, cluster)
			if err != nil {
				return err
			}
			if opt.Method, err = intervalMethod(how); err != nil {
				return err
			}
			r, err := correlation(method, a, b, controls, stats.CorrOptions{Options: opt, Docs: docs})
			if err != nil {
				return err
			}
			return s.correlation(r, asJSON)
		},
	}
	in.add(c)
	re.add(c)
	fs := c.Flags()
	fs.StringVar(&x, "x", "", "first column")
	fs.StringVar(&y, "y", "", "second column")
	fs.StringVar(&method, "method", "pearson", "pearson, spearman or kendall")
	fs.StringVar(&cluster, "cluster", "", "column with the document that a row is about")
	fs.StringSliceVar(&control, "control", nil, "columns held constant, comma-separated (pearson and spearman)")
	fs.StringVar(&how, "interval", "", "clustered, two-way, percentile, bca, fisher or t; default clustered, or two-way where clusters are few")
	fs.BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func intervalMethod(name string) (string, error) {
	switch name {
	case stats.Auto, stats.Percentile, stats.Clustered, stats.TwoWay, stats.BCa, stats.StudentT, stats.Fisher:
		return name, nil
	}
	return "", fmt.Errorf("--interval %q: give clustered, two-way, percentile, bca, fisher or t", name)
}

func correlation(method string, x, y []float64, controls [][]float64, opt stats.CorrOptions) (stats.Correlation, error) {
	switch {
	case method != "pearson" && method != "spearman" && method != "kendall":
		return stats.Correlation{}, fmt.Errorf("--method %q: give pearson, spearman or kendall", method)
	case controls != nil && method == "kendall":
		return stats.Correlation{}, errors.New("--control goes with pearson and spearman only")
	case controls != nil:
		opt.Ranked = method == "spearman"
		return stats.PartialCorrelation(x, y, controls, opt), nil
	case method == "spearman":
		return stats.Spearman(x, y, opt), nil
	case method == "kendall":
		return stats.Kendall(x, y, opt), nil
	}
	return stats.Pearson(x, y, opt), nil
}

func (s *streams) correlation(r stats.Correlation, asJSON bool) error {
	e := estimateOf(r.Interval)
	if asJSON {
		out := struct {
			Coefficient string `json:"coefficient"`
			estimate
			T          *float64 `json:"t"`
			DF         *float64 `json:"df"`
			P          *float64 `json:"p"`
			PMethod    string   `json:"p_method,omitempty"`
			PClustered *float64 `json:"p_clustered"`
			FloorX     float64  `json:"floor_x"`
			CeilingX   float64  `json:"ceiling_x"`
			FloorY     float64  `json:"floor_y"`
			CeilingY   float64  `json:"ceiling_y"`
			Restricted bool     `json:"restricted"`
		}{r.Coefficient, e, r.T, r.DF, r.P, r.PMethod, r.PClustered, r.FloorX, r.CeilingX, r.FloorY, r.CeilingY, r.Restricted}
		if err := s.printJSON(out); err != nil {
			return err
		}
		return s.outcome(e)
	}
	err := report.Columns(s.out, [][]string{
		{"Coefficient", "Value", e.intervalHead(), "n", "p", "p clustered", "Interval"},
		{r.Coefficient, digits(e.Value), e.interval(), fmt.Sprint(e.N), digits(r.P), digits(r.PClustered), e.Method},
	})
	if err != nil {
		return err
	}
	return s.outcome(e)
}

func statsCompareCmd(s *streams) *cobra.Command {
	var in tableFlags
	var re resampleFlags
	var a, b, cluster string
	var power float64
	var asJSON bool
	c := &cobra.Command{
		Use:   "compare --csv F --a COL --b COL",
		Short: "Paired difference of two columns with interval, permutation p and effect size",
		Long: `Prints the mean of a - b over rows (a row is a unit that both systems did), its interval clustered by
--cluster, the p of a sign-flip permutation test (or of Student's t, where most documents are joined
by rows that rest on several: the rule of edb compare), the effect size (the mean difference in standard
deviations of the differences), and the least difference that so many rows would show with power .80.
For finished runs, edb compare does more.`,
		Example: "  edb stats compare --csv scores.csv --a bm25 --b hybrid --cluster doc\n" +
			"  edb stats compare --run edb-demo/run --key retrieve.ndcg@5 --a hybrid --b bm25",
		Args: exactly(0),
		RunE: func(*cobra.Command, []string) error {
			switch {
			case a == "" || b == "":
				return errors.New("give --a and --b: the names of two columns")
			case !(power > 0 && power < 1):
				return fmt.Errorf("--power %g is not between 0 and 1", power)
			}
			opt, err := re.options()
			if err != nil {
				return err
			}
			t, err := in.load(s, a, b)
			if err != nil {
				return err
			}
			if t, err = in.rows(s, t, given(a, b, cluster)...); err != nil {
				return err
			}
			x, err := numbers(t, a)
			if err != nil {
				return err
			}
			y, err := numbers(t, b)
			if err != nil {
				return err
			}
			docs, err := in.clusters(t, cluster)
			if err != nil {
				return err
			}
			return s.paired(x, y, docs, power, opt, asJSON)
		},
	}
	in.add(c)
	re.add(c)
	fs := c.Flags()
	fs.StringVar(&a, "a", "", "column of the one system")
	fs.StringVar(&b, "b", "", "column of the other")
	fs.StringVar(&cluster, "cluster", "", "column with the document that a row is about")
	fs.Float64Var(&power, "power", 0.80, "of the least detectable difference")
	fs.BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// paired compares two systems on the same units.
func (s *streams) paired(a, b []float64, docs [][]string, power float64, opt stats.Options, asJSON bool) error {
	r := stats.ComparePaired(a, b, docs, power, opt)
	e := estimateOf(r.Difference)
	for _, w := range r.Test.Warnings {
		e.Warnings = append(e.Warnings, "test: "+w)
	}
	if asJSON {
		out := struct {
			MeanA *float64 `json:"mean_a"`
			MeanB *float64 `json:"mean_b"`
			estimate
			P          *float64 `json:"p"`
			Test       string   `json:"test,omitempty"`
			TestReason string   `json:"test_reason,omitempty"`
			Effect     *float64 `json:"effect"`
			EffectName string   `json:"effect_name"`
			Detectable *float64 `json:"detectable"`
			Blind      string   `json:"detectable_reason,omitempty"`
			Power      float64  `json:"power"`
		}{r.MeanA, r.MeanB, e, r.Test.P, r.Test.Method, r.Test.Reason, r.Effect, "Cohen's dz", r.Detectable, r.Blind, power}
		if err := s.printJSON(out); err != nil {
			return err
		}
		return s.outcome(e)
	}
	err := report.Columns(s.out, [][]string{
		{"Mean a", "Mean b", "a - b", e.intervalHead(), "n", "p", "Effect dz", "Detectable"},
		{digits(r.MeanA), digits(r.MeanB), digits(e.Value), e.interval(), fmt.Sprint(e.N), digits(r.Test.P), digits(r.Effect), digits(r.Detectable)},
	})
	if err != nil {
		return err
	}
	for _, m := range given(e.Method, r.Test.Method, r.Test.Reason) {
		fmt.Fprintln(s.out, m)
	}
	if r.Blind != "" && e.Value != nil {
		fmt.Fprintln(s.out, "no detectable difference: "+r.Blind)
	}
	return s.outcome(e)
}
