package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/align"
	"enterprisedocbench/parse"
	"enterprisedocbench/report"
)

func datasetCmd(s *streams) *cobra.Command {
	c := group("dataset", "Make, check, divide, describe, compare and judge dataset directories")
	c.AddCommand(datasetCheckCmd(s), datasetImportCmd(s), datasetSplitCmd(s), datasetStatsCmd(s), datasetLicencesCmd(s), datasetDiffCmd(s), datasetPoolCmd(s), datasetJudgeCmd(s))
	return c
}

// openDataset opens a dataset directory with a reader of Markdown gold.
func openDataset(dir string) (*datasets.Dataset, error) {
	ds, err := datasets.Open(dir)
	if err != nil {
		return nil, err
	}
	ds.Markdown = parse.ReadFile
	return ds, nil
}

func openDatasets(dirs []string) ([]*datasets.Dataset, error) {
	var out []*datasets.Dataset
	for _, dir := range dirs {
		ds, err := openDataset(dir)
		if err != nil {
			return nil, err
		}
		out = append(out, ds)
	}
	return out, nil
}

// oneOrMore refuses a command without arguments and says how it is written.
func oneOrMore(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return nil
	}
	return fmt.Errorf("no dataset directory is named: write %s", c.UseLine())
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
				return &exitError{exitInput, fmt.Sprintf("%s: %s", args[0], plural(len(faults), "fault"))}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// importFlags are the flags of dataset import.
type importFlags struct {
	out                    string
	replace, check, asJSON bool
}

func datasetImportCmd(s *streams) *cobra.Command {
	var f importFlags
	names := []string{fmt.Sprintf("  %-16s every collection below for which FROM holds a folder of that name, into DIR/NAME", "all")}
	for _, i := range datasets.Importers() {
		names = append(names, fmt.Sprintf("  %-16s %s; gold: %s", i.Name, i.What, i.GoldKind))
	}
	c := &cobra.Command{
		Use:   "import NAME FROM --out DIR",
		Short: "Make a dataset directory of a public collection in the folder FROM",
		Long: `Makes a dataset directory of a public collection as its publishers lay it out. With the name "all"
every collection in FROM is imported; one that fails is listed and the others go on (exit code 3).

` + strings.Join(names, "\n"),
		Example: "  edb dataset import joss data/joss --out sets/joss\n  edb dataset import all data --out sets --check",
		Args:    exactly(2),
		RunE: func(c *cobra.Command, args []string) error {
			importers := datasets.Importers()
			if args[0] != "all" {
				im, err := datasets.LookupImporter(args[0])
				if err != nil {
					return fmt.Errorf("%w; all imports every one that FROM holds", err)
				}
				importers = []datasets.Importer{im}
			}
			if f.out == "" {
				return errors.New("give --out: the dataset directory that is made")
			}
			return s.importSets(c.Context(), importers, args[0] == "all", args[1], f)
		},
	}
	c.Flags().StringVar(&f.out, "out", "", "the dataset directory that is made; with all, the folder that they are made in")
	c.Flags().BoolVar(&f.replace, "replace", false, "take the place of a dataset that is there already")
	c.Flags().BoolVar(&f.check, "check", false, "check what was made and count the faults (exit code 1 if there are any)")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON object")
	return c
}

// importSets imports one collection, or all that from holds, and shows what came of it.
func (s *streams) importSets(ctx context.Context, importers []datasets.Importer, all bool, from string, f importFlags) error {
	p := newProgress(s.err)
	defer p.close()
	pool, err := newPool()
	if err != nil {
		return err
	}
	defer pool.Close()
	stage := "import"
	opt := importOptions(pool)
	opt.Progress = func(done, total int) { p.show(stage, done, total) }
	opt.Replace = f.replace
	after := datasets.ImportCheck{Check: f.check, Markdown: parse.ReadFile, Now: time.Now}
	var results []datasets.Imported
	if all {
		results, err = datasets.ImportAll(ctx, importers, from, f.out, opt, after, func(name string) { stage = name })
	} else {
		var one datasets.Imported
		one, err = datasets.ImportOne(ctx, importers[0], from, f.out, opt, after)
		results = []datasets.Imported{one}
	}
	if err != nil {
		return err
	}
	p.close()
	switch {
	case f.asJSON:
		err = s.printJSON(map[string]any{"imported": results})
	case all:
		err = report.Columns(s.out, importedRows(results, f.check))
	default:
		r := results[0]
		answers := ""
		if r.Labelled > 0 {
			answers = ", " + plural(r.Labelled, "labelled answer")
		}
		_, err = fmt.Fprintf(s.out, "%s: %s, %s, %s, %d judged%s; gold: %s\n", r.Out, plural(r.Documents, "document"), plural(r.Pages, "page"), plural(r.Questions, "question"), r.Judged, answers, countsText(r.Gold))
	}
	if err != nil {
		return err
	}
	return s.importFailures(results)
}

// importOptions let importers read PDFs and find quotes.
func importOptions(pool *parse.Pool) datasets.ImportOptions {
	return datasets.ImportOptions{
		Parse: func(ctx context.Context, path string) (edb.Parsed, error) {
			got, _, err := pool.Parse(ctx, parse.Spec{Engine: "pdfium"}, parse.Source{Doc: edb.Document{ID: filepath.Base(path), MIME: "application/pdf"}, Path: path})
			return got, err
		},
		Locate: func(gold edb.Parsed, page int, quote string) (edb.Evidence, bool) {
			ev, _, ok := align.FindQuote(gold, page, quote)
			return ev, ok
		},
		Workers: runtime.NumCPU(),
	}
}

// importFailures lists what failed and turns it into the exit code.
func (s *streams) importFailures(results []datasets.Imported) error {
	failed, faulty := 0, 0
	for _, r := range results {
		if r.Error != "" {
			failed++
			fmt.Fprintf(s.err, "edb: %s: %s\n", r.Set, r.Error)
		}
		if r.Faults != nil && *r.Faults > 0 {
			faulty++
			fmt.Fprintf(s.err, "edb: %s: %s: edb dataset check %s lists them\n", r.Set, plural(*r.Faults, "fault"), r.Out)
		}
	}
	switch {
	case failed == len(results):
		return &exitError{exitCheck, "nothing was imported"}
	case faulty > 0:
		return &exitError{exitCheck, fmt.Sprintf("%d of %d datasets have faults, %d of the collections failed", faulty, len(results), failed)}
	case failed > 0:
		return &exitError{exitUnits, fmt.Sprintf("%d of %d collections failed", failed, len(results))}
	}
	return nil
}

func importedRows(results []datasets.Imported, checked bool) [][]string {
	rows := [][]string{{"Set", "Documents", "Pages", "Questions", "Answers", "Labelled", "Judged", "Gold", "Seconds"}}
	if checked {
		rows[0] = append(rows[0], "Faults")
	}
	for _, r := range results {
		row := []string{r.Set, "failed", "·", "·", "·", "·", "·", "·", fmt.Sprintf("%.1f", r.Seconds)}
		if r.Error == "" {
			row = []string{r.Set, fmt.Sprint(r.Documents), fmt.Sprint(r.Pages), fmt.Sprint(r.Questions), fmt.Sprint(r.Answers), fmt.Sprint(r.Labelled), fmt.Sprint(r.Judged), countsText(kinds(r.Gold)), fmt.Sprintf("%.1f", r.Seconds)}
		}
		if checked {
			faults := "·"
			if r.Faults != nil {
				faults = fmt.Sprint(*r.Faults)
			}
			row = append(row, faults)
		}
		rows = append(rows, row)
	}
	return rows
}

// countsText writes counts as "human 3, none 2", a single one without its number.
func countsText(list []datasets.Count) string {
	if len(list) == 0 {
		return "none"
	}
	if len(list) == 1 {
		return list[0].Name
	}
	var out []string
	for _, c := range list {
		out = append(out, fmt.Sprintf("%s %d", c.Name, c.N))
	}
	return strings.Join(out, ", ")
}

// kinds takes reference gold of several engines together where there are more than two kinds.
func kinds(list []datasets.Count) []datasets.Count {
	if len(list) < 3 {
		return list
	}
	var out []datasets.Count
	for _, c := range list {
		c.Name, _, _ = strings.Cut(c.Name, "(")
		if i := slices.IndexFunc(out, func(o datasets.Count) bool { return o.Name == c.Name }); i >= 0 {
			out[i].N += c.N
			continue
		}
		out = append(out, c)
	}
	return out
}

// newPool starts workers that parse documents for a command that needs their text.
func newPool() (*parse.Pool, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	lim := parse.DefaultLimits
	lim.Wall = 10 * time.Minute // no option raises it here, and a busy machine is no fault of the document
	return parse.NewPool(exe, runtime.NumCPU(), lim, ""), nil
}

// engineFor is the first engine that reads files of a type.
func engineFor(mime string) (string, error) {
	kind, _, _ := strings.Cut(mime, ";")
	for _, e := range parse.All() {
		if !e.Named && slices.Contains(e.Accepts, kind) {
			return e.Name, nil
		}
	}
	return "", fmt.Errorf("no engine reads files of the type %q", mime)
}
