package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"enterprisedocbench/datasets"
	"enterprisedocbench/report"
)

func datasetDiffCmd(s *streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "diff A B",
		Short: "Say what differs between two versions of a dataset, and whether figures of both can be compared",
		Args:  exactly(2),
		RunE: func(_ *cobra.Command, args []string) error {
			sets, err := openDatasets(args)
			if err != nil {
				return err
			}
			got, err := datasets.Compare(sets[0], sets[1])
			if err != nil {
				return err
			}
			if asJSON {
				return s.printJSON(got)
			}
			return s.diff(got)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func (s *streams) diff(d *datasets.Diff) error {
	for _, x := range []datasets.DiffSide{d.A, d.B} {
		fmt.Fprintf(s.out, "%s: %s, %s, %s, %s\n", x.Dir, strings.TrimSpace(x.Name+" "+x.Version), plural(x.Documents, "document"), plural(x.Questions, "question"), plural(x.Judged, "judgement"))
	}
	fmt.Fprintln(s.out)
	moved, renamed := []string{}, []string{}
	for _, m := range d.Documents.Split {
		moved = append(moved, fmt.Sprintf("%s (%s to %s)", m.Doc, orNotStated(m.From), orNotStated(m.To)))
	}
	for _, m := range d.Documents.Renamed {
		renamed = append(renamed, m.From+" to "+m.To)
	}
	rows := [][]string{{"What", "n", "Which"}}
	for _, l := range []struct {
		name string
		ids  []string
	}{
		{"documents added", d.Documents.Added}, {"documents removed", d.Documents.Removed}, {"documents with another id", renamed},
		{"documents with another file", d.Documents.File}, {"documents with another gold", d.Documents.Gold}, {"documents with another licence", d.Documents.Licence},
		{"documents in another split", moved}, {"documents changed otherwise", d.Documents.Other},
		{"questions added", d.Questions.Added}, {"questions removed", d.Questions.Removed}, {"questions with another text", d.Questions.Text},
		{"questions with another answer", d.Questions.Answer}, {"questions with other evidence", d.Questions.Evidence}, {"questions changed otherwise", d.Questions.Other},
		{"questions with other judgements", d.Qrels.Questions}, {"rules of dataset.yaml", d.Rules},
	} {
		if len(l.ids) > 0 {
			rows = append(rows, []string{l.name, fmt.Sprint(len(l.ids)), firstOf(l.ids)})
		}
	}
	if q := d.Qrels; q.Added+q.Removed+q.Changed > 0 {
		rows = append(rows, []string{"judgements", fmt.Sprint(q.Added + q.Removed + q.Changed), fmt.Sprintf("%d added, %d removed, %d with another grade", q.Added, q.Removed, q.Changed)})
	}
	if len(rows) == 1 {
		rows = append(rows, []string{"nothing differs", "", ""})
	}
	if err := report.Columns(s.out, rows); err != nil {
		return err
	}
	fmt.Fprintln(s.out)
	rows = [][]string{{"Figures of", "Comparable", "Units", "Why"}}
	for _, c := range d.Comparable {
		rows = append(rows, []string{c.Axis, c.Verdict, fmt.Sprint(c.Units), c.Reason})
	}
	return report.Columns(s.out, rows)
}

// firstOf names up to five and says how many more there are.
func firstOf(ids []string) string {
	if len(ids) > 5 {
		return strings.Join(ids[:5], ", ") + fmt.Sprintf(" and %d more", len(ids)-5)
	}
	return strings.Join(ids, ", ")
}
