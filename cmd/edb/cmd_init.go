package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"enterprisedocbench"
	"enterprisedocbench/ingest"
	"enterprisedocbench/internal/align"
	"enterprisedocbench/parse"
)

type initFlags struct {
	out, questions string
	seed           uint64
	n, workers     int
	json, replace  bool
	noOCR          bool
}

func initCmd(s *streams) *cobra.Command {
	var f initFlags
	c := &cobra.Command{
		Use:   "init FOLDER",
		Short: "Make a dataset and a configuration of a folder of your own files; say what can be measured now",
		Long: `Makes a dataset directory and a configuration of a folder of your own files (PDF, HTML, Office, text,
Markdown, images), and a sheet that says what can be measured now and what labelling would add. Leaves
OUT/dataset, OUT/init.yaml and OUT/sheet.json; edb run OUT/init.yaml measures.

With --questions the questions are yours: CSV with a line of column names, or JSON lines, with
question, answer, document, page and quote. Without it, known-item questions are made of the files'
own rare words; every record calls them synthetic, and no Q is given for them. The files stay on this
machine: the dataset says privacy.send: never.`,
		Example: "  edb init contracts\n  edb init contracts --questions asked.csv --out contracts-edb",
		Args:    exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			return f.run(c.Context(), s, args[0])
		},
	}
	c.Flags().StringVar(&f.out, "out", "edb-init", "folder that is made")
	c.Flags().StringVar(&f.questions, "questions", "", "your questions: CSV or JSON lines")
	c.Flags().Uint64Var(&f.seed, "seed", 7, "which known-item questions and which pages for OCR")
	c.Flags().IntVar(&f.n, "n", ingest.DefaultN, "how many known-item questions")
	c.Flags().IntVar(&f.workers, "workers", 0, "documents read at a time; 0 is one a core")
	c.Flags().BoolVar(&f.noOCR, "no-ocr", false, "do not read sampled pages by OCR, which takes some seconds a page")
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON object")
	c.Flags().BoolVar(&f.replace, "replace", false, "take the place of an earlier result")
	return c
}

func (f initFlags) run(ctx context.Context, s *streams, folder string) error {
	switch {
	case f.n < 1:
		return fmt.Errorf("--n is %d: use 1 or more", f.n)
	case f.workers < 0 || f.workers > maxWorkers:
		return fmt.Errorf("--workers is %d: use 0 to %d", f.workers, maxWorkers)
	}
	if err := noFile("--out", f.out); err != nil {
		return err
	}
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	workers := f.workers
	if workers == 0 {
		workers = runtime.NumCPU()
	}
	pool := parse.NewPool(exe, workers, parse.DefaultLimits, "")
	defer pool.Close()
	p := newProgress(s.err)
	defer p.close()
	eyes := ingest.OCR{Missing: "--no-ocr was given"}
	if !f.noOCR {
		eyes = ocr(pool, exe, toolVersion(ctx, "tesseract", "--version"), toolVersion(ctx, "pdftoppm", "-v"))
	}
	sheet, err := ingest.Init(ctx, folder, f.out, ingest.Options{
		Engines: engines(pool), Questions: f.questions, N: f.n, Seed: f.seed, Workers: workers, Replace: f.replace,
		Locate: align.FindQuote, OCR: eyes, Progress: p.show,
	})
	if err != nil {
		return err
	}
	p.close()
	if f.json {
		return s.printJSON(map[string]any{"out": filepath.ToSlash(f.out), "config": filepath.ToSlash(filepath.Join(f.out, ingest.ConfigFile)), "sheet": sheet})
	}
	return s.sheet(sheet, f.out)
}

// engines are those of the program that are there. One that also reads pictures reads PDFs by OCR,
// seconds a page, so it gets the pictures only: see ocr for the PDFs.
func engines(pool *parse.Pool) []ingest.Engine {
	var out []ingest.Engine
	for _, e := range parse.All() {
		switch {
		case e.Name == "xml" || e.Name == "json":
			continue // a folder's XML and JSON files are data or settings unless a dataset says otherwise
		case e.Named:
			continue // a folder's files are sent nowhere
		case e.Available != nil && e.Available() != nil:
			continue
		}
		accepts := slices.Clone(e.Accepts)
		if slices.Contains(accepts, "image/png") {
			accepts = slices.DeleteFunc(accepts, func(m string) bool { return m == "application/pdf" })
		}
		spec := parse.Spec{Engine: e.Name}
		out = append(out, ingest.Engine{Name: spec.Label(), Accepts: accepts, Parse: func(ctx context.Context, path string, doc edb.Document) (edb.Parsed, error) {
			p, _, err := pool.Parse(ctx, spec, parse.Source{Doc: doc, Path: path})
			var pe *parse.Error
			if errors.As(err, &pe) {
				err = fmt.Errorf("%w (%s)", err, pe.Kind)
			}
			return p, err
		}})
	}
	return out
}

// ocr is tesseract on pages that poppler draws, where both are installed (their versions are not "").
func ocr(pool *parse.Pool, exe, tesseract, pdftoppm string) ingest.OCR {
	switch {
	case tesseract == "":
		return ingest.OCR{Missing: "tesseract is not there; `apt-get install tesseract-ocr` brings it"}
	case pdftoppm == "":
		return ingest.OCR{Missing: "pdftoppm, which draws the pages, is not there; `apt-get install poppler-utils` brings it"}
	}
	return ingest.OCR{Name: "tesseract@" + tesseract, Read: func(ctx context.Context, path string, pages []int) (edb.Parsed, error) {
		argv := []string{exe, pagesName, "{file}"}
		for _, n := range pages {
			argv = append(argv, fmt.Sprint(n))
		}
		p, _, err := pool.Parse(ctx, parse.Spec{Command: argv}, parse.Source{Doc: edb.Document{ID: filepath.Base(path), MIME: "application/pdf"}, Path: path})
		return p, err
	}}
}
