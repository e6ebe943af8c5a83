package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/align"
	"enterprisedocbench/parse"
)

func datasetCmd(s *streams) *cobra.Command {
	c := group("dataset", "Make and check dataset directories")
	c.AddCommand(datasetCheckCmd(s), datasetImportCmd(s))
	return c
}

func datasetCheckCmd(s *streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "check DIR", Short: "Verify everything in a dataset directory; list every fault with its line and remedy", Args: exactly(1),
		RunE: func(_ *cobra.Command, args []string) error {
			faults, err := datasets.CheckWith(args[0], parse.ReadFile)
			if err != nil {
				return err
			}
			if asJSON {
				if faults == nil {
					faults = []datasets.Fault{}
				}
				if err := s.printJSON(map[string]any{"faults": faults}); err != nil {
					return err
				}
			} else {
				for _, f := range faults {
					fmt.Fprintln(s.out, f)
				}
				if len(faults) == 0 {
					_, err := fmt.Fprintf(s.out, "%s: no fault\n", args[0])
					return err
				}
			}
			if len(faults) > 0 {
				return &exitError{exitInput, fmt.Sprintf("%s: %d faults", args[0], len(faults))}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func datasetImportCmd(s *streams) *cobra.Command {
	var out string
	var replace bool
	var names []string
	for _, i := range datasets.Importers() {
		names = append(names, fmt.Sprintf("  %-16s %s; gold: %s", i.Name, i.What, i.GoldKind))
	}
	c := &cobra.Command{
		Use:   "import NAME FROM --out DIR",
		Short: "Make a dataset directory of a public collection in the folder FROM",
		Long:  "Makes a dataset directory of a public collection as its publishers lay it out.\n\n" + strings.Join(names, "\n"),
		Args:  exactly(2),
		RunE: func(c *cobra.Command, args []string) error {
			im, err := datasets.LookupImporter(args[0])
			if err != nil {
				return err
			}
			if out == "" {
				return fmt.Errorf("give --out: the dataset directory that is made")
			}
			exe, err := os.Executable()
			if err != nil {
				return err
			}
			pool := parse.NewPool(exe, runtime.NumCPU(), parse.DefaultLimits, "")
			defer pool.Close()
			p := newProgress(s.err)
			defer p.close()
			opt := datasets.ImportOptions{
				Parse: func(ctx context.Context, path string) (edb.Parsed, error) {
					got, _, err := pool.Parse(ctx, parse.Spec{Engine: "pdfium"}, parse.Source{Doc: edb.Document{ID: filepath.Base(path), MIME: "application/pdf"}, Path: path})
					return got, err
				},
				Locate: func(gold edb.Parsed, page int, quote string) (edb.Evidence, bool) {
					ev, _, ok := align.FindQuote(gold, page, quote)
					return ev, ok
				},
				Progress: func(done, total int) { p.show("import", done, total) },
				Workers:  runtime.NumCPU(),
				Replace:  replace,
			}
			if err := im.Import(c.Context(), args[1], out, opt); err != nil {
				return err
			}
			p.close()
			ds, err := datasets.Open(out)
			if err != nil {
				return err
			}
			pages, gold := 0, im.GoldKind
			for _, d := range ds.Documents {
				pages += d.Pages
				gold = d.Gold
			}
			_, err = fmt.Fprintf(s.out, "%s: %d documents, %d pages, %d questions, %d judged; gold: %s\n", out, len(ds.Documents), pages, len(ds.Questions), len(ds.Qrels), gold)
			return err
		},
	}
	c.Flags().StringVar(&out, "out", "", "the dataset directory that is made")
	c.Flags().BoolVar(&replace, "replace", false, "take the place of a dataset that is there already")
	return c
}
