package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

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

func evalParseCmd(s *streams) *cobra.Command {
	var gold, pred, factsFile, list, rowsFile string
	var asJSON bool
	c := &cobra.Command{
		Use:   "parse --gold FILE|DIR --pred FILE|DIR",
		Short: "Score parsed documents against gold: text, tables, captions, headings, places, formulas, facts",
		Long: `Scores parsed documents against gold. Files pair by their stem; .txt .md .html .json are read, and a
file that is a bare <table> is one table. A gold file without a prediction counts as the worst value
and is listed, and so does, in folders, a pair with a file that cannot be read: the exit code is then 3.

--facts FILE names a file of facts about pages, as facts.jsonl of a dataset is; the last part of a
document's id is the stem of its prediction. Gold may then be missing.

parse.nid, parse.mhs and parse.teds:compat=dpbench are asked for by name. They compare Markdown: files
that are Markdown as they are written, which gives DP-Bench's own values.`,
		Example: `  edb eval parse --gold gold/ --pred out/ --measures parse.tis,parse.teds:mode=structure --json
  edb eval parse --facts facts.jsonl --pred out/ --measures parse.facts:kind=table`,
		Args: exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if pred == "" || gold == "" && factsFile == "" {
				return errors.New("give --gold and --pred, a file or a folder each, or --facts and --pred")
			}
			if err := outputFile("--rows", rowsFile, gold, pred, factsFile); err != nil {
				return err
			}
			keys, err := splitKeys(list)
			if err != nil {
				return err
			}
			facts, err := readFacts(factsFile)
			if err != nil {
				return err
			}
			var pairs []pair
			var missing []string
			if gold != "" {
				pairs, missing, err = pairFiles(gold, pred)
			} else if err = factKeys(keys); err == nil {
				pairs, missing, err = pairFacts(facts, pred)
			}
			if err != nil {
				return err
			}
			rows, broken, err := scorePairs(c.Context(), pairs, facts, keys)
			if err != nil {
				return err
			}
			folder := false
			if st, err := os.Stat(pred); err == nil {
				folder = st.IsDir()
			}
			if len(broken) > 0 && !folder {
				return errors.New(broken[0])
			}
			keys = present(keys, rows)
			m := measured{Measures: figures(rows), Missing: missing}
			for _, x := range missing {
				m.Warnings = append(m.Warnings, fmt.Sprintf("%s has no prediction of that stem in %s: it counts as the worst value", x, pred))
			}
			for _, x := range broken {
				m.Warnings = append(m.Warnings, x+": its pair counts as the worst value")
			}
			if err := writeRows(rowsFile, rows); err != nil {
				return err
			}
			if err := s.measured(m, keys, asJSON); err != nil {
				return err
			}
			if len(broken) > 0 {
				return &exitError{exitUnits, fmt.Sprintf("%d of %d pairs hold a file that cannot be read", len(broken), len(pairs))}
			}
			for _, f := range m.Measures {
				if f.NOK > 0 {
					return nil
				}
			}
			return &exitError{exitCheck, "nothing could be scored: the gold holds none of the parts asked for, or no prediction was found"}
		},
	}
	c.Flags().StringVar(&gold, "gold", "", "gold file or folder")
	c.Flags().StringVar(&pred, "pred", "", "predicted file or folder")
	c.Flags().StringVar(&factsFile, "facts", "", "file of facts about pages, one JSON object a line")
	c.Flags().StringVar(&list, "measures", "", "comma-separated keys; default what gold and facts can score, without DP-Bench's")
	c.Flags().StringVar(&rowsFile, "rows", "", "write one JSON line a document and measure to this file")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// pair is what is scored as one document. Gold or facts may be missing, not both.
type pair struct {
	unit, gold, pred string
	facts            []edb.Fact
}

// pairFiles pairs files of two folders by stem; two files are a pair whatever they are called.
func pairFiles(gold, pred string) (pairs []pair, missing []string, err error) {
	g, err := os.Stat(gold)
	if err != nil {
		return nil, nil, err
	}
	p, err := os.Stat(pred)
	if err != nil {
		return nil, nil, err
	}
	if g.IsDir() != p.IsDir() {
		return nil, nil, fmt.Errorf("--gold %s and --pred %s: give two files or two folders", gold, pred)
	}
	for i, st := range []os.FileInfo{g, p} {
		if !st.IsDir() && !st.Mode().IsRegular() {
			return nil, nil, fmt.Errorf("%s is neither a file nor a folder but a pipe or device", []string{gold, pred}[i])
		}
	}
	if !g.IsDir() {
		return []pair{{unit: filepath.Base(gold), gold: gold, pred: pred}}, nil, nil
	}
	golds, err := byStem(gold)
	if err != nil {
		return nil, nil, err
	}
	preds, err := byStem(pred)
	if err != nil {
		return nil, nil, err
	}
	if len(golds) == 0 {
		return nil, nil, fmt.Errorf("%s holds no .json, .md, .html or .txt file", gold)
	}
	for stem, path := range golds {
		if preds[stem] == "" {
			missing = append(missing, stem)
		}
		pairs = append(pairs, pair{unit: stem, gold: path, pred: preds[stem]})
	}
	slices.Sort(missing)
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Compare(a.unit, b.unit) })
	return pairs, missing, nil
}

func byStem(dir string) (map[string]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		if e.IsDir() || !slices.Contains([]string{".json", ".md", ".html", ".htm", ".txt", ".doctags", ".hocr"}, strings.ToLower(ext)) {
			continue
		}
		stem := strings.TrimSuffix(e.Name(), ext)
		if old, ok := out[stem]; ok {
			return nil, fmt.Errorf("%s: %s and %s have one stem: keep one", dir, filepath.Base(old), e.Name())
		}
		out[stem] = filepath.Join(dir, e.Name())
	}
	return out, nil
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
