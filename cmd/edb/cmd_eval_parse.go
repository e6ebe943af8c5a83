package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"enterprisedocbench/internal/figure"
	"enterprisedocbench/parse"
)

func evalParseCmd(s *streams) *cobra.Command {
	var f evalParse
	c := &cobra.Command{
		Use:   "parse --gold FILE|DIR --pred FILE|DIR",
		Short: "Score parsed documents against gold: text, tables, captions, headings, places, formulas, facts",
		Long: `Scores parsed documents against gold: two files, or two folders whose files pair by their stem. Both may be

  .json                       the element layout of docs/formats.md, read strictly, or a DoclingDocument
  .md .markdown               Markdown
  .html .htm .xhtml           HTML, or hOCR where it has pages of the class ocr_page
  .hocr                       hOCR
  .doctags .doctags.txt .dt   docling's DocTags
  .txt                        plain text; a file that is a bare <table> is one table

--gold may be a dataset directory (the one that holds dataset.yaml): its gold, masks and facts are used, and
predictions are called after documents: ID, percent-encoded where it cannot be a name, or the stem of the file.

A gold file without a prediction counts as the worst value and is listed, and so does, in folders, a pair with
a file that cannot be read: the exit code is then 3. A prediction without gold is left out and named.

Without --measures come P (parse.p, or the renormalised parse.p:parts=... where the gold holds no document with
one of its parts) and all that the gold can score. By name only:

  parse.tis:level=page            the mean over the pages of both; mode=raw and mean=micro go with it
  parse.fcq:encoder=minilm-l6     captions by BERTScore, in P too where it is asked for; idf=yes weighs pieces of
                                  words by the gold captions of all documents; edb models pull has the weights
  parse.nid, parse.mhs, parse.teds:compat=dpbench
                                  DP-Bench's own, over Markdown: of .md files as they are written

--facts FILE names a file of facts about pages, as facts.jsonl of a dataset is; the last part of a
document's id is the stem of its prediction. Gold may then be missing.`,
		Example: `  edb eval parse --gold gold/ --pred out/ --measures parse.tis,parse.teds:mode=structure --json
  edb eval parse --gold mydata --pred out/ --measures parse.p,parse.formula_sim
  edb eval parse --facts facts.jsonl --pred out/ --measures parse.facts:kind=table`,
		Args: exactly(0),
		RunE: func(c *cobra.Command, _ []string) error { return f.run(s, c) },
	}
	c.Flags().StringVar(&f.gold, "gold", "", "gold file, folder of gold, or dataset directory")
	c.Flags().StringVar(&f.pred, "pred", "", "predicted file or folder")
	c.Flags().StringVar(&f.facts, "facts", "", "file of facts about pages, one JSON object a line")
	c.Flags().StringVar(&f.list, "measures", "", "comma-separated keys; default what gold and facts can score, without those by name only")
	c.Flags().StringVar(&f.rows, "rows", "", "write one JSON line a document and measure to this file; parts of P that is asked for too")
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON object")
	return c
}

type evalParse struct {
	gold, pred, facts, list, rows string
	json                          bool
}

func (f *evalParse) run(s *streams, c *cobra.Command) error {
	if f.pred == "" || f.gold == "" && f.facts == "" {
		return errors.New("give --gold and --pred, a file or a folder each, or --facts and --pred")
	}
	if err := outputFile("--rows", f.rows, f.gold, f.pred, f.facts); err != nil {
		return err
	}
	keys, err := splitKeys(f.list)
	if err != nil {
		return err
	}
	ask, err := askParse(keys, f.gold != "")
	if err != nil {
		return err
	}
	facts, err := readFacts(f.facts)
	if err != nil {
		return err
	}
	set, err := f.pairs(facts, keys)
	if err != nil {
		return err
	}
	rows, broken, err := scorePairs(c.Context(), set.pairs, ask.rows)
	if err != nil {
		return err
	}
	if len(broken) > 0 && !set.folder {
		return errors.New(broken[0])
	}
	m := measured{Missing: set.missing, Unused: set.unused}
	m.Measures, keys = ask.figures(figure.Samples(rows, func(unit string) []string { return []string{unit} }, nil), rows)
	for _, x := range set.missing {
		m.Warnings = append(m.Warnings, fmt.Sprintf("%s has no prediction of that stem in %s: it counts as the worst value", x, f.pred))
	}
	for _, x := range broken {
		m.Warnings = append(m.Warnings, x+": its pair counts as the worst value")
	}
	if n := len(set.unused); n > 0 {
		m.Warnings = append(m.Warnings, fmt.Sprintf("%s in %s without gold or facts left out: %s", plural(n, "prediction"), f.pred, shortList(set.unused)))
	}
	if err := writeRows(f.rows, rows); err != nil {
		return err
	}
	if err := s.measured(m, keys, f.json); err != nil {
		return err
	}
	if len(broken) > 0 {
		return &exitError{exitUnits, fmt.Sprintf("%d of %d pairs hold a file that cannot be read", len(broken), len(set.pairs))}
	}
	for _, x := range m.Measures {
		if x.NOK > 0 {
			return nil
		}
	}
	return &exitError{exitCheck, "nothing could be scored: the gold holds none of the parts asked for, or no prediction was found"}
}

// input looks at a file or folder that is to be read.
func input(path string) (os.FileInfo, error) {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		var pe *os.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, fmt.Errorf("%s: cannot be read: %w: name a file or folder that is there", path, err)
	case !st.IsDir() && !st.Mode().IsRegular():
		return nil, fmt.Errorf("%s is neither a file nor a folder but a pipe or device: name a file or folder", path)
	}
	return st, nil
}

// endings lists what is read.
func endings() string { return strings.Join(parse.Endings(), ", ") }
