package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"enterprisedocbench/report"
	"enterprisedocbench/universe"
)

func universeCmd(s *streams) *cobra.Command {
	c := group("universe", "Make, question, prove and scan generated worlds")
	c.AddCommand(universeNewCmd(s), universeSQLCmd(s), universePlacesCmd(s), universeCheckCmd(s), universeScanCmd(s), universeTablesCmd(s), universeStabilityCmd(s), universeDistinctCmd(s))
	return c
}

// maxQuery bounds SQL from standard input, in bytes.
const maxQuery = 1 << 20

func universeSQLCmd(s *streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "sql DIR [QUERY]",
		Short: "Ask the truth of a generated dataset in SQL",
		Long: `Runs one SELECT over DIR/truth.sqlite, the tables that a generated dataset was made from. Without QUERY the
SQL is read from standard input. The file is opened for reading only; what writes is refused.

Tables of edb universe new: world, territories, agents, jobs, companies, products, deals, deal_lines, documents,
leases, reports, reviews, scores, invoices, statements, segments, handbooks, renderings, absences, questions,
evidence (docs/riker.md).
Tables of edb demo: world, entities, relations, documents, facts, renderings, questions, evidence, absences; views:
stated (facts beside what they are true of) and support (questions beside the facts that their evidence prints)
(docs/universe.md).`,
		Example: "  edb universe sql world \"SELECT number, monthly FROM leases ORDER BY monthly DESC LIMIT 3\"\n  edb universe sql edb-demo/dataset \"SELECT kind, count(*) FROM entities GROUP BY kind\"\n  edb universe sql edb-demo/dataset --json < query.sql",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 1 || len(args) == 2 {
				return nil
			}
			return fmt.Errorf("%s where 1 or 2 belong: write %s", plural(len(args), "argument"), c.UseLine())
		},
		RunE: func(c *cobra.Command, args []string) error {
			query := ""
			if len(args) == 2 {
				query = args[1]
			} else {
				b, err := io.ReadAll(io.LimitReader(s.in, maxQuery+1))
				if err != nil {
					return fmt.Errorf("standard input: %w", err)
				}
				if len(b) > maxQuery {
					return fmt.Errorf("standard input: more than %d bytes of SQL: give a shorter query", maxQuery)
				}
				query = string(b)
			}
			t, err := universe.Query(c.Context(), args[0], query)
			if err != nil {
				return err
			}
			if asJSON {
				return s.printJSON(t)
			}
			return s.sqlTable(t)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// sqlTable prints rows; "·" stands for null.
func (s *streams) sqlTable(t universe.Table) error {
	rows := [][]string{t.Columns}
	for _, r := range t.Rows {
		var row []string
		for _, v := range r {
			switch v := v.(type) {
			case nil:
				row = append(row, "·")
			case float64:
				row = append(row, strconv.FormatFloat(v, 'f', -1, 64))
			default:
				row = append(row, strings.NewReplacer("\t", " | ", "\n", " ").Replace(fmt.Sprint(v)))
			}
		}
		rows = append(rows, row)
	}
	return report.Columns(s.out, rows)
}
