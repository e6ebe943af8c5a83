package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"enterprisedocbench/report"
	"enterprisedocbench/stats"
)

// powerFlags are the plan of a comparison, and what of it is asked.
type powerFlags struct {
	in                           tableFlags
	kind, a, b, cluster          string
	sd, sdB, base, discordant    float64
	delta                        float64
	n                            int
	alpha, power, m, cv, icc     float64
	json                         bool
	hasDelta, hasN, hasM, hasICC bool
}

func powerCmd(s *streams) *cobra.Command {
	var f powerFlags
	c := &cobra.Command{
		Use:   "power --kind paired --sd SD [--delta D] [--n N]",
		Short: "Units that a comparison needs, the difference it can find, or its power",
		Long: `Plans a two-sided comparison of two systems. With --delta it prints how many units find that
difference; with --n the least difference that so many units find; with both the power. --kind is
paired (means on the same units; --sd of the differences), independent (--sd, --sd-b of the groups),
share (--base, the share in the one group) or paired-share (--discordant, the share of units on which
the two differ).

Units of one document are not independent: --cluster-size, --cluster-cv and --icc give the design
effect. A table with two columns (--csv, --a, --b, --cluster) gives the standard deviation of the
differences, the number of units and the design effect from data.`,
		Example: "  edb stats power --sd 0.3 --delta 0.05\n  edb stats power --kind share --base 0.85 --n 500\n" +
			"  edb stats power --csv scores.csv --a bm25 --b hybrid --cluster doc",
		Args: exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			f.hasDelta, f.hasN = c.Flags().Changed("delta"), c.Flags().Changed("n")
			f.hasM, f.hasICC = c.Flags().Changed("cluster-size"), c.Flags().Changed("icc")
			return f.run(s, c)
		},
	}
	f.in.add(c)
	fs := c.Flags()
	fs.StringVar(&f.kind, "kind", "paired", "paired, independent, share or paired-share")
	fs.StringVar(&f.a, "a", "", "column of the one system")
	fs.StringVar(&f.b, "b", "", "column of the other")
	fs.StringVar(&f.cluster, "cluster", "", "column with the document that a row is about")
	fs.Float64Var(&f.sd, "sd", 0, "standard deviation of the differences, or of the values of a group")
	fs.Float64Var(&f.sdB, "sd-b", 0, "standard deviation of the other group; default that of the first")
	fs.Float64Var(&f.base, "base", 0, "share in the one group")
	fs.Float64Var(&f.discordant, "discordant", 0, "share of units on which the two differ")
	fs.Float64Var(&f.delta, "delta", 0, "true difference")
	fs.IntVar(&f.n, "n", 0, "number of units (pairs, or units in each group)")
	fs.Float64Var(&f.alpha, "alpha", 0.05, "level of the test")
	fs.Float64Var(&f.power, "power", 0.80, "chance to find the difference")
	fs.Float64Var(&f.m, "cluster-size", 1, "mean number of units of a document")
	fs.Float64Var(&f.cv, "cluster-cv", 0, "standard deviation of that number, divided by it")
	fs.Float64Var(&f.icc, "icc", 0, "correlation of two units of one document")
	fs.BoolVar(&f.json, "json", false, "print one JSON object")
	return c
}

func (f *powerFlags) run(s *streams, c *cobra.Command) error {
	if !(f.power > 0 && f.power < 1) || !(f.alpha > 0 && f.alpha < 1) {
		return fmt.Errorf("--alpha %g and --power %g lie between 0 and 1", f.alpha, f.power)
	}
	if f.hasN && f.n < 2 {
		return fmt.Errorf("--n %d: a comparison needs at least 2 units", f.n)
	}
	if f.in.csv+f.in.jsonl+f.in.run != "" {
		if err := f.fromTable(s, c); err != nil {
			return err
		}
	} else if f.a+f.b+f.cluster != "" {
		return errors.New("--a, --b and --cluster name columns: give the table with --csv, --jsonl or --run")
	}
	contrast, err := f.contrast(c)
	if err != nil {
		return err
	}
	if !f.hasDelta && !f.hasN {
		return errors.New("give --delta, --n or both: what is to be found, by how many units")
	}
	plan := stats.Plan{Alpha: f.alpha, Power: f.power, PerCluster: f.m, ClusterCV: f.cv, ICC: f.icc}
	out := planned{Kind: contrast.Name, Units: contrast.Units, Alpha: f.alpha, DesignEffect: plan.DesignEffect(), SD: positive(f.sd)}
	if f.hasN {
		out.N = &f.n
	}
	if f.hasDelta {
		out.Delta = &f.delta
	}
	var why string
	switch {
	case f.hasDelta && f.hasN:
		out.Asked = "power"
		out.Power, why = plan.Detects(contrast, f.delta, f.n)
	case f.hasDelta:
		out.Asked, out.Power = "n", &f.power
		out.N, why = plan.Units(contrast, f.delta)
	default:
		out.Asked, out.Power = "delta", &f.power
		out.Delta, why = plan.MinDetectable(contrast, f.n)
	}
	if why != "" {
		return errors.New(why)
	}
	if out.N != nil && float64(*out.N)/out.DesignEffect < 30 {
		out.Warnings = append(out.Warnings, "fewer than 30 independent units: the normal approximation flatters the plan")
	}
	for _, w := range out.Warnings {
		fmt.Fprintln(s.err, "edb: "+w)
	}
	if f.json {
		return s.printJSON(out)
	}
	return report.Columns(s.out, [][]string{
		{"Comparison", "Difference", "Units", "Power", "Level", "Design effect"},
		{out.Kind, digits(out.Delta), fmt.Sprintf("%d %s", *out.N, out.Units), digits(out.Power), fmt.Sprint(out.Alpha), fmt.Sprintf("%.2f", out.DesignEffect)},
	})
}

// planned is the answer: the three of n, delta and power, and which of them was asked.
type planned struct {
	Asked        string   `json:"asked"`
	Kind         string   `json:"kind"`
	Units        string   `json:"units"`
	N            *int     `json:"n"`
	Delta        *float64 `json:"delta"`
	Power        *float64 `json:"power"`
	Alpha        float64  `json:"alpha"`
	SD           *float64 `json:"sd,omitempty"`
	DesignEffect float64  `json:"design_effect"`
	Warnings     []string `json:"warnings,omitempty"`
}

func positive(x float64) *float64 {
	if x > 0 {
		return &x
	}
	return nil
}

// contrast is what the flags compare; a flag of another kind is refused.
func (f *powerFlags) contrast(c *cobra.Command) (stats.Contrast, error) {
	needs := map[string]string{"paired": "sd", "independent": "sd", "share": "base", "paired-share": "discordant"}
	need, ok := needs[f.kind]
	if !ok {
		return stats.Contrast{}, fmt.Errorf("--kind %q: give paired, independent, share or paired-share", f.kind)
	}
	fs := c.Flags()
	for _, name := range []string{"sd", "base", "discordant"} {
		if fs.Changed(name) && name != need {
			return stats.Contrast{}, fmt.Errorf("--%s does not go with --kind %s: give --%s", name, f.kind, need)
		}
	}
	if !fs.Changed(need) && f.in.csv+f.in.jsonl+f.in.run == "" {
		return stats.Contrast{}, fmt.Errorf("give --%s, or a table with --csv, --a and --b", need)
	}
	if fs.Changed("sd-b") && f.kind != "independent" {
		return stats.Contrast{}, errors.New("--sd-b goes with --kind independent")
	}
	switch f.kind {
	case "independent":
		if !fs.Changed("sd-b") {
			f.sdB = f.sd
		}
		return stats.IndependentMeans(f.sd, f.sdB), nil
	case "share":
		return stats.IndependentShares(f.base), nil
	case "paired-share":
		return stats.PairedShares(f.discordant), nil
	}
	return stats.PairedMeans(f.sd), nil
}

// fromTable takes the standard deviation of the differences, the number of rows and the design effect
// from two columns, where flags do not give them.
func (f *powerFlags) fromTable(s *streams, c *cobra.Command) error {
	if f.kind != "paired" {
		return errors.New("a table gives the plan of --kind paired")
	}
	if f.a == "" || f.b == "" {
		return errors.New("give --a and --b: the names of two columns")
	}
	t, err := f.in.load(s, f.a, f.b)
	if err != nil {
		return err
	}
	if t, err = f.in.rows(s, t, given(f.a, f.b, f.cluster)...); err != nil {
		return err
	}
	a, err := numbers(t, f.a)
	if err != nil {
		return err
	}
	b, err := numbers(t, f.b)
	if err != nil {
		return err
	}
	docs, err := f.in.clusters(t, f.cluster)
	if err != nil {
		return err
	}
	diff := make([]float64, len(a))
	for i := range a {
		diff[i] = a[i] - b[i]
	}
	sd, plan, why := stats.PlanFrom(diff, docs)
	if sd == nil {
		return fmt.Errorf("%s: %s", t.Name, why)
	}
	if !c.Flags().Changed("sd") {
		f.sd = *sd
	}
	if !f.hasN && !f.hasDelta {
		f.n, f.hasN = len(diff), true
	}
	if why != "" && !f.hasICC {
		fmt.Fprintf(s.err, "edb: rows are taken as independent: no intracluster correlation: %s\n", why)
	}
	if !f.hasM {
		f.m, f.cv = plan.PerCluster, plan.ClusterCV
	}
	if !f.hasICC {
		f.icc = plan.ICC
	}
	return nil
}
