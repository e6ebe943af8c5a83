package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"enterprisedocbench"
	"enterprisedocbench/internal/figure"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/metrics"
	"enterprisedocbench/report"
	"enterprisedocbench/stats"
)

func evalCmd(s *streams) *cobra.Command {
	c := group("eval", "Score anybody's output files against gold")
	c.AddCommand(evalParseCmd(s), evalRetrievalCmd(s), evalAnswersCmd(s))
	return c
}

// measured is what eval prints with --json.
type measured struct {
	Measures map[string]edb.Figure `json:"measures"`
	Missing  []string              `json:"missing_predictions,omitempty"`
	Unused   []string              `json:"unused_predictions,omitempty"`
	Judged   int                   `json:"judged,omitempty"`
	Answered int                   `json:"answered,omitempty"`
	Unjudged []string              `json:"unjudged,omitempty"`
	Tied     int                   `json:"tied_queries,omitempty"`
	NoneRel  int                   `json:"queries_without_relevant,omitempty"`
	Warnings []string              `json:"warnings,omitempty"`
	Notes    []string              `json:"notes,omitempty"`
}

// figures averages rows by key with a bootstrap interval over units, each of which rests on itself.
func figures(rows []edb.Measurement) map[string]edb.Figure {
	out := map[string]edb.Figure{}
	for key, s := range figure.Samples(rows, func(unit string) []string { return []string{unit} }, nil) {
		out[key] = s.Figure(key, stats.Options{})
	}
	return out
}

func (s *streams) measured(m measured, keys []string, asJSON bool) error {
	for _, w := range m.Warnings {
		fmt.Fprintln(s.err, "edb: "+w)
	}
	if asJSON {
		return s.printJSON(m)
	}
	rows := [][]string{{"Measure", "Value", "Where it succeeded", "n", "Missing", "Reason"}}
	scored := false
	for _, k := range keys {
		f := m.Measures[k]
		scored = scored || f.Value != nil
		value := report.Num(f.Value)
		if f.Lo != nil && f.Hi != nil {
			value += fmt.Sprintf(" [%.3f, %.3f]", *f.Lo, *f.Hi)
		}
		rows = append(rows, []string{k, value, report.Num(f.ValueOK), fmt.Sprint(f.N), fmt.Sprint(f.Missing), f.Reason})
	}
	if err := report.Columns(s.out, rows); err != nil {
		return err
	}
	for _, n := range m.Notes {
		fmt.Fprintln(s.out, n)
	}
	return nil
}

func splitKeys(list string) ([]string, error) {
	if list == "" {
		return nil, nil
	}
	names, err := metrics.ParseNames(list)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, n := range names {
		out = append(out, n.String())
	}
	return out, nil
}

func writeRows(path string, rows []edb.Measurement) error {
	if path == "" {
		return nil
	}
	return store.WriteJSONL(path, rows)
}

func evalRetrievalCmd(s *streams) *cobra.Command {
	var qrels, run, list, rowsFile string
	var asJSON bool
	var opt metrics.RetrievalOptions
	var trec trecFlags
	c := &cobra.Command{
		Use:   "retrieval --qrels FILE --run FILE",
		Short: "Score a TREC run file against a TREC qrels file, as trec_eval does",
		Long: `Scores a TREC run file against a TREC qrels file. Lists are ordered by score as a 32-bit number, then
by document id descending, as trec_eval does; the rank column is not used. A judged query that the run
lacks scores 0 in the headline; the mean over answered queries stands beside it.

--format trec_eval prints what trec_eval 10 prints, byte for byte, and takes its arguments: -m MEASURE,
-q, -c, -n, -l, -J, -M and -N.`,
		Example: `  edb eval retrieval --qrels qrels.txt --run run.txt --measures retrieve.ndcg@5,retrieve.rr --json
  edb eval retrieval --qrels qrels.txt --run run.txt --format trec_eval -m map -m P.5,10 -q`,
		Args: exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if qrels == "" || run == "" {
				return errors.New("give --qrels and --run: a TREC file each")
			}
			if opt.Level < 1 {
				return fmt.Errorf("--level is %d: use 1 or more", opt.Level)
			}
			if used, err := trec.used(c); err != nil || used {
				if err != nil {
					return err
				}
				return trec.print(s.out, qrels, run, opt.Level)
			}
			if err := outputFile("--rows", rowsFile, qrels, run); err != nil {
				return err
			}
			keys, err := splitKeys(list)
			if err != nil {
				return err
			}
			if keys == nil {
				keys = []string{"retrieve.ndcg@5", "retrieve.ndcg@10", "retrieve.p@5", "retrieve.r@5", "retrieve.rr", "retrieve.ap", "retrieve.hit@5", "retrieve.judged@5"}
			}
			res, err := metrics.EvalRetrieval(qrels, run, keys, opt)
			if err != nil {
				return err
			}
			m := measured{Measures: res.Measures, Judged: res.Judged, Answered: res.Answered, Unjudged: res.Unjudged,
				Tied: res.Tied, NoneRel: res.WithoutRelevant, Warnings: res.Warnings, Notes: res.Notes}
			for k, f := range figures(res.Rows) {
				have := m.Measures[k]
				have.Lo, have.Hi, have.Level, have.Method = f.Lo, f.Hi, f.Level, f.Method
				if have.Reason == "" {
					have.Reason = f.Reason
				}
				m.Measures[k] = have
			}
			if err := writeRows(rowsFile, res.Rows); err != nil {
				return err
			}
			if err := s.measured(m, res.Keys, asJSON); err != nil {
				return err
			}
			if res.Answered == 0 {
				return &exitError{exitCheck, fmt.Sprintf("0 of %d judged queries stand in %s", res.Judged, run)}
			}
			return nil
		},
	}
	c.Flags().StringVar(&qrels, "qrels", "", "TREC qrels file")
	c.Flags().StringVar(&run, "run", "", "TREC run file")
	c.Flags().StringVar(&list, "measures", "", "comma-separated keys")
	c.Flags().StringVar(&rowsFile, "rows", "", "write one JSON line a query and measure to this file")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	c.Flags().BoolVar(&opt.IgnoreSelf, "ignore-self", false, "leave the document whose id is the query's out of the run")
	c.Flags().IntVarP(&opt.Level, "level", "l", 1, "least grade that counts as relevant")
	trec.add(c)
	c.Flags().StringVar(&opt.Ties, "ties", "trec", "order of equal scores: trec (by document id, last first), rank (the rank column) or average (the mean over all orders)")
	return c
}
