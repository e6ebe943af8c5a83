package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"enterprisedocbench/report"
	"enterprisedocbench/universe/riker"
)

func universeDistinctCmd(s *streams) *cobra.Command {
	var seed uint64
	var sample int
	var asJSON bool
	c := &cobra.Command{
		Use:   "distinct DIR [OTHER]",
		Short: "Measure how distinct a world is from itself and from one of another seed",
		Long: `Compares documents of the world in DIR with each other and with those of another world: the one in OTHER, or
the world that DIR's plan makes from --seed. A leaked world says little about a new one only where documents
differ in more than names: the shares of near-duplicates (runs of five words, Jaccard .8), the share of runs
of eight words that both worlds have (the templates), and the probabilities that names or whole documents
occur in both, from the sizes of the name spaces.`,
		Example: "  edb universe distinct world\n  edb universe distinct set-a set-b --sample 200 --json",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 1 || len(args) == 2 {
				return nil
			}
			return fmt.Errorf("%s where 1 or 2 belong: write %s", plural(len(args), "argument"), c.UseLine())
		},
		RunE: func(c *cobra.Command, args []string) error {
			if sample < 2 {
				return fmt.Errorf("--sample %d: compare 2 documents or more", sample)
			}
			plan, _, err := riker.ReadPlan(args[0])
			if err != nil {
				return err
			}
			other := plan
			if len(args) == 2 {
				if other, _, err = riker.ReadPlan(args[1]); err != nil {
					return err
				}
			} else if other.Seed = seed; !c.Flags().Changed("seed") {
				other.Seed = plan.Seed + 1
			}
			if other.Seed == plan.Seed {
				return fmt.Errorf("both worlds have seed %d: they are one world; give --seed, or the folder of another", plan.Seed)
			}
			a, err := riker.New(plan)
			if err != nil {
				return err
			}
			b, err := riker.New(other)
			if err != nil {
				return err
			}
			d, err := riker.Distinctness(a, b, sample)
			if err != nil {
				return err
			}
			if asJSON {
				return s.printJSON(d)
			}
			fmt.Fprintf(s.out, "%s, seed %d, and seed %d: %s of each\n", args[0], plan.Seed, other.Seed, plural(d.Documents, "document"))
			value := func(v float64) string { return fmt.Sprintf("%.3g", v) }
			return report.Columns(s.out, [][]string{{"Measure", "Value"},
				{"near-duplicates inside of the world", value(d.NearWithin)}, {"highest similarity inside", value(d.HighestWithin)},
				{"near-duplicates in the other world", value(d.NearAcross)}, {"highest similarity across", value(d.HighestAcross)},
				{"runs of eight words that both have", value(d.TemplateOverlap)},
				{"probability that a person has a namesake", value(d.PersonCollision)}, {"probability that a company has one", value(d.CompanyCollision)},
				{"bound on two documents with the same facts", value(d.FactSetCollision)}})
		},
	}
	c.Flags().Uint64Var(&seed, "seed", 0, "seed of the other world; default the seed after DIR's")
	c.Flags().IntVar(&sample, "sample", 400, "documents of each world that are compared, spread evenly")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}
