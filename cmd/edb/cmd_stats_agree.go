package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"enterprisedocbench/internal/table"
	"enterprisedocbench/report"
	"enterprisedocbench/stats"
)

// agreeFlags are what kappa and alpha share.
type agreeFlags struct {
	in      tableFlags
	re      resampleFlags
	raters  []string
	order   []string
	cluster string
	json    bool
}

func (f *agreeFlags) add(c *cobra.Command) {
	f.in.add(c)
	f.re.add(c)
	fs := c.Flags()
	fs.StringSliceVar(&f.raters, "raters", nil, "columns of the raters, comma-separated; a row is a unit")
	fs.StringSliceVar(&f.order, "order", nil, "categories from low to high, where ratings are words")
	fs.StringVar(&f.cluster, "cluster", "", "column with the document that a row is about")
	fs.BoolVar(&f.json, "json", false, "print one JSON object")
}

// load reads the ratings of each rater as numbers, nil where there is none, and the documents of rows.
// ordered says that the distance of categories counts.
func (f *agreeFlags) load(s *streams, ordered bool, keepMissing bool) (ratings [][]*float64, docs [][]string, opt stats.Options, err error) {
	if len(f.raters) < 2 {
		return nil, nil, opt, errors.New("give --raters with two columns or more")
	}
	for i, r := range f.raters {
		if slices.Contains(f.raters[:i], r) {
			return nil, nil, opt, fmt.Errorf("--raters names %q twice", r)
		}
	}
	if opt, err = f.re.options(); err != nil {
		return nil, nil, opt, err
	}
	t, err := f.in.load(s, f.raters...)
	if err != nil {
		return nil, nil, opt, err
	}
	needed := f.raters
	if keepMissing {
		needed = nil
	}
	if t, err = f.in.rows(s, t, given(append(slices.Clone(needed), f.cluster)...)...); err != nil {
		return nil, nil, opt, err
	}
	if ratings, err = codes(t, f.raters, f.order, ordered); err != nil {
		return nil, nil, opt, err
	}
	docs, err = f.in.clusters(t, f.cluster)
	return ratings, docs, opt, err
}

// codes turns ratings into numbers: as they are where all are numbers, else by their place in order,
// or, where order does not count, in the alphabet.
func codes(t *table.Table, raters, order []string, ordered bool) ([][]*float64, error) {
	out := make([][]*float64, len(raters))
	words := len(order) > 0
	for i, r := range raters {
		if _, err := t.Texts(r); err != nil {
			return nil, err
		}
		v, err := t.Numbers(r)
		out[i], words = v, words || err != nil
	}
	if !words {
		return out, nil
	}
	if ordered && len(order) == 0 {
		return nil, fmt.Errorf("%s: the ratings are words: name them from low to high with --order", t.Name)
	}
	known := slices.Clone(order)
	for i, r := range raters {
		cells, err := t.Texts(r)
		if err != nil {
			return nil, err
		}
		out[i] = make([]*float64, len(cells))
		for j, c := range cells {
			if c == nil {
				continue
			}
			at := slices.Index(known, *c)
			if at < 0 && len(order) > 0 {
				return nil, fmt.Errorf("%s: column %q: %q is not in --order %s", t.At(j), r, *c, strings.Join(order, ","))
			}
			if at < 0 {
				at = len(known)
				known = append(known, *c)
			}
			code := float64(at)
			out[i][j] = &code
		}
	}
	return out, nil
}

func kappaCmd(s *streams) *cobra.Command {
	var f agreeFlags
	var weights string
	c := &cobra.Command{
		Use:   "kappa --csv F --raters A,B[,C...]",
		Short: "Agreement beyond chance: Cohen's kappa of two raters, Fleiss' of more",
		Long: `Prints Cohen's kappa of two raters, unweighted or with --weights linear or quadratic, or Fleiss' kappa
of more, with interval, observed and expected agreement. Every row needs all ratings: edb stats alpha
takes gaps. Where all ratings are the same there is no kappa, and the exit code is 1.`,
		Example: "  edb stats kappa --csv labels.csv --raters ann,ben\n" +
			"  edb stats kappa --csv labels.csv --raters ann,ben --weights quadratic --order poor,fair,good --json",
		Args: exactly(0),
		RunE: func(*cobra.Command, []string) error {
			w, ok := map[string]stats.Weights{"none": stats.Unweighted, "linear": stats.Linear, "quadratic": stats.Quadratic}[weights]
			if !ok {
				return fmt.Errorf("--weights %q: give none, linear or quadratic", weights)
			}
			if w != stats.Unweighted && len(f.raters) > 2 {
				return errors.New("--weights goes with two raters: for more use edb stats alpha --scale ordinal or interval")
			}
			ratings, docs, opt, err := f.load(s, w != stats.Unweighted, false)
			if err != nil {
				return err
			}
			if len(ratings) > 2 {
				return s.agreement(stats.FleissKappa(countRatings(ratings), docs, opt), f.json)
			}
			return s.agreement(stats.CohenKappa(plain(ratings[0]), plain(ratings[1]), docs, w, opt), f.json)
		},
	}
	f.add(c)
	c.Flags().StringVar(&weights, "weights", "none", "of disagreements between two raters: none, linear or quadratic")
	return c
}

// plain are ratings of which none is missing.
func plain(v []*float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = *x
	}
	return out
}

// countRatings counts for each unit the ratings in each category.
func countRatings(ratings [][]*float64) [][]int {
	var all []float64
	for _, r := range ratings {
		all = append(all, plain(r)...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	out := make([][]int, len(ratings[0]))
	for i := range out {
		out[i] = make([]int, len(all))
		for _, r := range ratings {
			at, _ := slices.BinarySearch(all, *r[i])
			out[i][at]++
		}
	}
	return out
}

func alphaCmd(s *streams) *cobra.Command {
	var f agreeFlags
	var scale string
	c := &cobra.Command{
		Use:   "alpha --csv F --raters A,B[,C...]",
		Short: "Krippendorff's alpha of raters who need not rate every unit",
		Long: `Prints Krippendorff's alpha with a bootstrap interval. An empty cell is a unit that the rater did not
rate. --scale says what differences between ratings mean: nominal (names), ordinal (ranks), interval
(numbers), ratio (numbers with a true zero).`,
		Example: "  edb stats alpha --csv labels.csv --raters ann,ben,cleo --scale ordinal --order poor,fair,good",
		Args:    exactly(0),
		RunE: func(*cobra.Command, []string) error {
			kinds := []stats.Scale{stats.NominalScale, stats.OrdinalScale, stats.IntervalScale, stats.RatioScale}
			at := slices.IndexFunc(kinds, func(k stats.Scale) bool { return k.String() == scale })
			if at < 0 {
				return fmt.Errorf("--scale %q: give nominal, ordinal, interval or ratio", scale)
			}
			ratings, docs, opt, err := f.load(s, kinds[at] != stats.NominalScale, !f.in.dropMissing)
			if err != nil {
				return err
			}
			units := make([][]float64, len(ratings[0]))
			for _, r := range ratings {
				for i, v := range r {
					if v != nil {
						units[i] = append(units[i], *v)
					}
				}
			}
			return s.agreement(stats.KrippendorffAlpha(units, docs, kinds[at], opt), f.json)
		},
	}
	f.add(c)
	c.Flags().StringVar(&scale, "scale", "nominal", "of the ratings: nominal, ordinal, interval or ratio")
	return c
}

func (s *streams) agreement(g stats.Agreement, asJSON bool) error {
	e := estimateOf(g.Interval)
	if asJSON {
		err := s.printJSON(struct {
			Name string `json:"name"`
			estimate
			Observed   *float64 `json:"observed"`
			Expected   *float64 `json:"expected"`
			Exact      *float64 `json:"exact"`
			Raters     int      `json:"raters"`
			Categories int      `json:"categories"`
			Unpaired   int      `json:"unpaired"`
		}{g.Name, e, g.Observed, g.Expected, g.Exact, g.Raters, g.Categories, g.Unpaired})
		if err != nil {
			return err
		}
		return s.outcome(e)
	}
	err := report.Columns(s.out, [][]string{
		{"Agreement", "Value", e.intervalHead(), "n", "Raters", "Categories", "Exact", "Observed", "Expected", "Interval"},
		{g.Name, digits(e.Value), e.interval(), fmt.Sprint(e.N), fmt.Sprint(g.Raters), fmt.Sprint(g.Categories),
			digits(g.Exact), digits(g.Observed), digits(g.Expected), e.Method},
	})
	if err != nil {
		return err
	}
	return s.outcome(e)
}
