package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"enterprisedocbench/datasets"
	"enterprisedocbench/report"
	"enterprisedocbench/stats"
)

func datasetStatsCmd(s *streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "stats DIR...",
		Short: "Print what datasets hold: domains, sources, licences, pages, tables, questions and their mix",
		Long: `Prints what datasets hold, as the table of sources of EnterpriseDocBench (Table 1), and how questions and
documents are mixed. The mix of modalities stands against its target of 30 % single-hop, 30 % multi-hop, 20 %
table, 10 % figure and 10 % unanswerable; a "!" marks what the target is not in the interval of. Intervals are
Wilson's, 95 % for the five together. Strata with more than half of their documents from one source are listed.`,
		Example: "  edb dataset stats leases --json",
		Args:    oneOrMore,
		RunE: func(_ *cobra.Command, args []string) error {
			sets, err := openDatasets(args)
			if err != nil {
				return err
			}
			got, err := datasets.Describe(datasets.DescribeOptions{Interval: func(k, n int, level float64) (lo, hi *float64) {
				iv := stats.WilsonCount(k, n, level)
				return iv.Lo, iv.Hi
			}}, sets...)
			if err != nil {
				return err
			}
			if asJSON {
				return s.printJSON(got)
			}
			return s.description(got)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func (s *streams) description(d *datasets.Description) error {
	rows := [][]string{{"Domain", "Sources", "Licences", "Questions", "Types", "Documents", "Pages", "Tables", "Figures", "Scanned"}}
	for _, r := range d.Domains {
		rows = append(rows, []string{r.Domain, someOf(r.Sources), someOf(r.Licences), asked(r), someOf(r.Doctypes), fmt.Sprint(r.Documents),
			sumText(r.Pages, r.Documents), sumText(r.Tables, r.Documents), sumText(r.Figures, r.Documents), share(r.Scanned, r.Documents)})
	}
	if err := report.Columns(s.out, rows); err != nil {
		return err
	}
	fmt.Fprintln(s.out)
	if err := report.Columns(s.out, mixRows(d)); err != nil {
		return err
	}
	fmt.Fprintln(s.out)
	all := d.Domains[len(d.Domains)-1]
	for _, l := range []struct {
		name string
		of   []datasets.Count
	}{{"languages", d.Languages}, {"formats", d.Formats}, {"gold", d.Gold}, {"splits", d.Splits}, {"licences", d.Licences}, {"classes", d.Classes}} {
		var out []string
		for _, c := range l.of {
			out = append(out, c.Name+" "+share(c.N, all.Documents))
		}
		if len(out) > 0 {
			fmt.Fprintf(s.out, "%s: %s\n", l.name, strings.Join(out, ", "))
		}
	}
	if len(d.Annotations) > 0 {
		var out []string
		for _, c := range d.Annotations {
			if out = append(out, c.Name); len(d.Datasets) > 1 {
				out[len(out)-1] += fmt.Sprintf(" in %s", plural(c.N, "dataset"))
			}
		}
		fmt.Fprintf(s.out, "licence of annotations: %s\n", strings.Join(out, ", "))
	}
	if all.Documents > 0 {
		fmt.Fprintf(s.out, "dates of documents: %s\n", datesText(d.Dates, "no dates: no document says its own"))
		fmt.Fprintf(s.out, "retrieved: %s\n", datesText(d.Retrieved, "no dates: no document says when"))
	}
	if all.Questions > 0 {
		var out []string
		for _, c := range d.DocumentsPerQuestion {
			out = append(out, fmt.Sprintf("%s: %d", c.Name, c.N))
		}
		fmt.Fprintf(s.out, "documents a question rests on: %s\n", strings.Join(out, ", "))
		fmt.Fprintf(s.out, "judgements: %d, of them relevant %d; labelled answers: %d\n", d.Judged, d.Relevant, d.Answers)
	}
	for _, w := range d.Warnings {
		fmt.Fprintln(s.out, "warning: "+w)
	}
	return nil
}

// datesText writes a range and how many documents do not say theirs.
func datesText(d datasets.Dates, none string) string {
	switch {
	case d.Known == 0:
		return none
	case d.From == d.To:
		return fmt.Sprintf("%s (%d missing)", d.From, d.Missing)
	}
	return fmt.Sprintf("%s to %s (%d missing)", d.From, d.To, d.Missing)
}

// someOf names the three most frequent and says how many more there are.
func someOf(list []datasets.Count) string {
	var out []string
	for _, c := range list[:min(3, len(list))] {
		out = append(out, c.Name)
	}
	if n := len(list) - 3; n > 0 {
		out = append(out, fmt.Sprintf("%d more", n))
	}
	return strings.Join(out, ", ")
}

// asked says how many questions there are, and whether all documents have one.
func asked(r datasets.DomainRow) string {
	switch {
	case r.Asked == 0:
		return fmt.Sprint(r.Questions)
	case r.Asked == r.Documents:
		return fmt.Sprintf("%d on all", r.Questions)
	}
	return fmt.Sprintf("%d on %d", r.Questions, r.Asked)
}

// sumText writes a sum; "≥" where some documents do not say the number, "·" where none does.
func sumText(s datasets.Sum, documents int) string {
	switch {
	case s.Total == nil:
		return "·"
	case s.Known < documents:
		return fmt.Sprintf("≥ %d", *s.Total)
	}
	return fmt.Sprint(*s.Total)
}

func mixRows(d *datasets.Description) [][]string {
	rows := [][]string{{"Mix", "Class", "n", "Share", "Interval", "Target", ""}}
	for _, m := range []struct {
		name string
		mix  datasets.Mix
	}{{"modality", d.Modality}, {"task", d.Task}, {"domain", d.Domain}} {
		for _, c := range m.mix.Classes {
			row := []string{m.name, orNotStated(c.Name), fmt.Sprint(c.N), report.Num(c.Share), "", report.Num(c.Target), ""}
			if c.Lo != nil && c.Hi != nil {
				row[4] = fmt.Sprintf("[%.3f, %.3f]", *c.Lo, *c.Hi)
			}
			if c.Target == nil {
				row[5] = ""
			}
			if c.Off {
				row[6] = "!"
			}
			rows = append(rows, row)
		}
		if m.mix.Unlabelled > 0 {
			rows = append(rows, []string{m.name, "not stated", fmt.Sprint(m.mix.Unlabelled), "", "", "", ""})
		}
	}
	return rows
}
