package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/study"
)

// maxPoolDepth is how many pages of a ranking a pool may take; runs rank that many passages by default.
const maxPoolDepth = 100

func datasetPoolCmd(s *streams) *cobra.Command {
	var out, format string
	var opt study.PoolOptions
	var asJSON bool
	c := &cobra.Command{
		Use:   "pool DIR RUN... --out FILE",
		Short: "Write down what pipelines found, for people to judge: the first pages of all of them, mixed",
		Long: `Pools what runs over the dataset DIR found: for every question the union of the first --depth pages of
every pipeline, each page once, in an order that does not tell who found it. Pages that are judged already
are left out (--all keeps them, without their grade), and so are questions without an answer.

FILE is CSV with the columns ` + "query, page, grade, note, question, file, title, text" + `. Fill in grade: 0 for not
relevant, 1 or more for relevant, nothing where you cannot tell; edb dataset judge takes it in. With --format
trec it holds the lines "QUESTION 0 DOC#PAGE ?", the ? to be replaced by the grade.`,
		Example: "  edb dataset pool leases runs/first --out pool.csv\n  edb dataset judge leases pool.csv",
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) < 2:
				return errors.New("name the dataset and one run or more: write edb dataset pool DIR RUN... --out FILE")
			case out == "":
				return errors.New("--out is missing: name the file to write")
			case format != "csv" && format != "trec":
				return fmt.Errorf("--format is %q: use csv or trec", format)
			case opt.Depth < 1 || opt.Depth > maxPoolDepth:
				return fmt.Errorf("--depth is %d: use 1 to %d", opt.Depth, maxPoolDepth)
			case opt.Chars < 0:
				return fmt.Errorf("--chars is %d: use 0 or more", opt.Chars)
			}
			if err := outputFile("--out", out, args...); err != nil {
				return err
			}
			ds, err := openDataset(args[0])
			if err != nil {
				return err
			}
			p, err := study.MakePool(ds, args[1:], opt)
			if err != nil {
				return err
			}
			return s.pool(p, out, format, args[0], asJSON)
		},
	}
	c.Flags().StringVar(&out, "out", "", "file to write")
	c.Flags().StringVar(&format, "format", "csv", "csv, or trec for lines of qrels")
	c.Flags().IntVar(&opt.Depth, "depth", 5, "pages of each pipeline and question")
	c.Flags().Uint64Var(&opt.Seed, "seed", 7, "which order")
	c.Flags().BoolVar(&opt.All, "all", false, "also the pages that are judged already, without their grade")
	c.Flags().IntVar(&opt.Chars, "chars", 3000, "code points of a page's text at most; 0 leaves it out")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func (s *streams) pool(p *study.Pool, out, format, dir string, asJSON bool) error {
	data := p.TREC()
	if format == "csv" {
		var err error
		if data, err = p.CSV(); err != nil {
			return err
		}
	}
	if p.Pages == 0 {
		return &exitError{exitCheck, "nothing to judge: no pipeline found a page for a question that has an answer"}
	}
	if len(p.Rows) > 0 {
		err := store.WriteWith(out, func(w io.Writer) error { _, err := w.Write(data); return err })
		if err != nil {
			return fmt.Errorf("%s: cannot be written: %w: free space or name another file", out, err)
		}
	}
	if asJSON {
		if len(p.Rows) == 0 {
			out = "" // nothing was written
		}
		return s.printJSON(struct {
			*study.Pool
			Rows int    `json:"rows"`
			Out  string `json:"out,omitempty"`
		}{p, len(p.Rows), out})
	}
	fmt.Fprintf(s.out, "pool: %s of %s, the first %s of %s; judged before: %d (%.0f %%)\n", plural(p.Pages, "page"), plural(p.Questions, "question"),
		plural(p.Depth, "page"), plural(p.Pipelines, "pipeline"), p.Judged, 100*float64(p.Judged)/float64(p.Pages))
	if p.Unanswerable > 0 {
		fmt.Fprintf(s.out, "left out: %s without an answer\n", plural(p.Unanswerable, "question"))
	}
	if len(p.Rows) == 0 {
		fmt.Fprintln(s.out, "nothing is left to judge, so no file is written: --all pools pages again")
		return nil
	}
	fmt.Fprintf(s.out, "to judge: %s in %s; fill in the grade, then edb dataset judge %s %s\n", plural(len(p.Rows), "row"), out, dir, out)
	return nil
}

func datasetJudgeCmd(s *streams) *cobra.Command {
	var opt datasets.JudgeOptions
	var asJSON bool
	c := &cobra.Command{
		Use:   "judge DIR FILE...",
		Short: "Take in the grades of filled pools as judgements",
		Long: `Reads what people filled in (a FILE that edb dataset pool wrote, or any qrels of the dataset's pages) and
adds it to qrels.txt. Rows without a grade stay unjudged. What is wrong is listed with file and line, and then
nothing is written. Runs that were made before are over other judgements: run the configuration again, which
scores anew and takes the rest from the cache.`,
		Example: "  edb dataset judge leases pool.csv\n  edb dataset judge leases anna.csv ben.csv",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return errors.New("name the dataset and one filled file or more: write edb dataset judge DIR FILE...")
			}
			var list []datasets.Judgement
			blank := 0
			for _, path := range args[1:] {
				l, b, err := study.ReadJudged(path)
				if err != nil {
					return err
				}
				list, blank = append(list, l...), blank+b
			}
			if len(list) == 0 {
				return fmt.Errorf("%s: no grade is filled in: write 0 for not relevant, 1 or more for relevant into the column grade", args[1])
			}
			got, err := datasets.Judge(args[0], list, opt)
			if err != nil {
				return err
			}
			if asJSON {
				return s.printJSON(struct {
					datasets.Judged
					Blank int `json:"blank"`
				}{got, blank})
			}
			fmt.Fprintf(s.out, "judged: %s (%d relevant); new %d, as before %d, changed %d; left blank: %d\n", plural(got.New+got.Same+got.Changed, "page"), got.Relevant, got.New, got.Same, got.Changed, blank)
			_, err = fmt.Fprintf(s.out, "%s has %s now, %d of them relevant\n", args[0], plural(got.All, "judgement"), got.AllRelevant)
			return err
		},
	}
	c.Flags().BoolVar(&opt.Replace, "replace", false, "let a grade take the place of another one in qrels.txt")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}
