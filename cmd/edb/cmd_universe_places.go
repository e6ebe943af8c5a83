package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"enterprisedocbench/report"
	"enterprisedocbench/universe/riker"
)

func universePlacesCmd(s *streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "places DIR DOC",
		Short: "Show where a document of a world prints its facts",
		Long: `Makes document DOC of the world in DIR again, from DIR/plan.json alone, and lists what it states and where: page,
code points of the page's text, box in points (PDFs only) and the words that say it. It is what the table
renderings of truth.sqlite holds, which worlds of more than 100,000 documents leave empty.`,
		Example: "  edb universe places world doc-000012",
		Args:    exactly(2),
		RunE: func(c *cobra.Command, args []string) error {
			got, err := riker.Places(args[0], args[1])
			if err != nil {
				return err
			}
			if asJSON {
				return s.printJSON(got)
			}
			rows := [][]string{{"field", "n", "value", "page", "start", "end", "box", "quote"}}
			for _, p := range got {
				box := "·"
				if b := p.Box; b != nil {
					box = fmt.Sprintf("%.1f,%.1f,%.1f,%.1f", b[0], b[1], b[2], b[3])
				}
				rows = append(rows, []string{p.Field, strconv.Itoa(p.N), p.Value, strconv.Itoa(p.Page), strconv.Itoa(p.Start), strconv.Itoa(p.End), box, p.Quote})
			}
			return report.Columns(s.out, rows)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON array")
	return c
}
