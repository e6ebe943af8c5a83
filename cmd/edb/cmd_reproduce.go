package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"enterprisedocbench/internal/store"
	"enterprisedocbench/report"
	"enterprisedocbench/reproduce"
)

type reproduceFlags struct {
	data, work, out, record string
	workers                 int
	fresh, json             bool
}

func reproduceCmd(s *streams) *cobra.Command {
	var f reproduceFlags
	c := &cobra.Command{
		Use:   "reproduce [TABLE]...",
		Short: "Make the tables of results of the manual from public collections; without a name, list them",
		Long: `Makes tables of results: each imports a collection (or makes a world), takes a sample where one is
declared, runs the engines or pipelines over it and prints figures with intervals and paired differences.
TABLE is a table, a page of tables, or all. An engine or collection that is not here is named with what
brings it. The figures are held against those that the program was released with: OK, OK within
tolerance (.02), or FAIL (exit code 1).

DATA holds one folder for each collection, named like its importer (edb dataset import --help). Run the
command again to go on where it was: datasets, runs and the cache stay in the working folder.
With --json: {"pages":{PAGE:{"tables":[...],"strata":[...],"checks":[...]}},"recorded":[...]}.`,
		Example: "  edb reproduce\n  edb reproduce joss --data collections\n  edb reproduce all --data collections --out docs/results",
		RunE: func(c *cobra.Command, args []string) error {
			pages, err := reproduce.Pages()
			if err != nil {
				return err
			}
			if f.data == "" {
				f.data = os.Getenv("EDB_TESTDATA")
			}
			if len(args) == 0 {
				return s.listTables(pages, f)
			}
			return s.reproduce(c, pages, args, f)
		},
	}
	fs := c.Flags()
	fs.StringVar(&f.data, "data", "", "the folder that holds the collections; default: EDB_TESTDATA")
	fs.StringVar(&f.work, "work", ".edb-reproduce", "where datasets, runs and the cache are kept")
	fs.StringVar(&f.out, "out", "", "write NAME.md for each page, or table, into this folder instead of printing it")
	fs.IntVar(&f.workers, "workers", 0, "documents worked on at a time; 0 is one a core")
	fs.BoolVar(&f.fresh, "fresh", false, "import the collections anew; what is parsed already still comes from the cache")
	fs.StringVar(&f.record, "record", "", "write the figures to this file, in the form of expect/measured.json")
	fs.BoolVar(&f.json, "json", false, "print one JSON object")
	return c
}

// listTables shows the tables by page.
func (s *streams) listTables(pages []reproduce.Page, f reproduceFlags) error {
	type row struct {
		Page    string `json:"page"`
		Table   string `json:"table"`
		Title   string `json:"title"`
		Data    string `json:"data"` // folder of the collection; empty: made here
		There   bool   `json:"there"`
		Engines string `json:"engines"`
	}
	var rows []row
	lines := [][]string{{"Page", "Table", "What", "Data", "There"}}
	for _, p := range pages {
		for _, t := range p.Tables {
			r := row{Page: p.Name, Table: t.Name, Title: t.Title, Data: t.Dataset.Import, There: true, Engines: strings.Join(t.Arms(), ", ")}
			data, there := r.Data, "yes"
			if data == "" {
				data = "made here"
			} else if st, err := os.Stat(filepath.Join(f.data, data)); f.data == "" || err != nil || !st.IsDir() {
				r.There, there = false, "no"
			}
			rows = append(rows, r)
			lines = append(lines, []string{p.Name, t.Name, t.Title, data, there})
		}
	}
	if f.json {
		return s.printJSON(map[string]any{"tables": rows})
	}
	if err := report.Columns(s.out, lines); err != nil {
		return err
	}
	_, err := fmt.Fprintln(s.out, "\nMake one with edb reproduce TABLE, a page with edb reproduce PAGE, all with edb reproduce all.")
	return err
}

func (s *streams) reproduce(c *cobra.Command, pages []reproduce.Page, names []string, f reproduceFlags) error {
	switch {
	case f.workers < 0 || f.workers > maxWorkers:
		return fmt.Errorf("--workers is %d: use 0 to %d", f.workers, maxWorkers)
	case f.work == "":
		return errors.New("--work is empty: name a folder")
	}
	for _, o := range [][2]string{{"--work", f.work}, {"--out", f.out}} {
		if err := noFile(o[0], o[1]); err != nil {
			return err
		}
	}
	if f.data != "" {
		if st, err := os.Stat(f.data); err != nil || !st.IsDir() {
			return fmt.Errorf("--data %s is no folder: name the one that holds the collections", f.data)
		}
		var err error
		if f.data, err = filepath.Abs(f.data); err != nil {
			return err
		}
	}
	p := newProgress(s.err)
	defer p.close()
	pool, err := newPool()
	if err != nil {
		return err
	}
	defer pool.Close()
	opt := reproduce.Options{Data: f.data, Work: f.work, Fresh: f.fresh, Workers: f.workers, Import: importOptions(pool), Progress: p.show,
		Done: func(page reproduce.Page, r *reproduce.Results) error {
			p.close()
			return s.writePage(page, r, names, f)
		}}
	if opt.Workers == 0 {
		opt.Workers = runtime.NumCPU()
	}
	made, err := reproduce.Make(c.Context(), pages, names, opt)
	if err != nil {
		return err
	}
	p.close()
	record, err := reproduce.LoadRecorded()
	if err != nil {
		return err
	}
	var tables []reproduce.Result
	for _, page := range pages {
		if r := made[page.Name]; r != nil {
			tables = append(tables, r.Tables...)
		}
	}
	if f.record != "" {
		b, err := json.MarshalIndent(reproduce.Record(tables), "", " ")
		if err != nil {
			return err
		}
		if err := store.WriteFile(f.record, append(b, '\n')); err != nil {
			return fmt.Errorf("--record: %w", err)
		}
	}
	against := record.Against(tables)
	if f.json {
		if against == nil {
			against = []reproduce.Deviation{}
		}
		if err := s.printJSON(map[string]any{"pages": made, "recorded": against}); err != nil {
			return err
		}
	}
	return s.reproduced(tables, against)
}

// reproduced says how the figures lie to the record, and turns it into the exit code.
func (s *streams) reproduced(tables []reproduce.Result, against []reproduce.Deviation) error {
	rows, failures := 0, 0
	for _, t := range tables {
		rows += len(t.Rows)
		failures += t.Failures()
		for _, m := range t.Missing {
			fmt.Fprintf(s.err, "edb: %s: %s is not available: %s: %s\n", t.Name, m.Name, m.Problem, m.Get)
		}
	}
	n := map[string]int{}
	for _, d := range against {
		n[d.Verdict]++
		if d.Verdict == reproduce.Differs {
			fmt.Fprintf(s.err, "edb: FAIL %s\n", d)
		}
	}
	if len(against) > 0 {
		fmt.Fprintf(s.err, "edb: of %s with a record: %d OK, %d OK within %g, %d FAIL\n", plural(len(against), "figure"), n[reproduce.AsRecorded], n[reproduce.Within], reproduce.Tolerance, n[reproduce.Differs])
	}
	switch {
	case rows == 0:
		return &exitError{exitCheck, "no table could be made: edb reproduce lists what is there"}
	case n[reproduce.Differs] > 0:
		return &exitError{exitCheck, fmt.Sprintf("%s not as recorded", plural(n[reproduce.Differs], "figure"))}
	case failures > 0:
		return &exitError{exitUnits, fmt.Sprintf("%s could not be parsed: the tables count them as the worst value", plural(failures, "document"))}
	}
	return nil
}

// writePage prints a page, or writes it as PAGE.md; of a page that was not asked for as a whole each
// table stands alone.
func (s *streams) writePage(page reproduce.Page, r *reproduce.Results, names []string, f reproduceFlags) error {
	if slices.Contains(names, page.Name) || slices.Contains(names, "all") {
		return s.emit(report.Results(page, r), page.Name, f)
	}
	for _, t := range r.Tables {
		one := page
		one.Title, one.Intro = t.Title, ""
		if err := s.emit(report.Results(one, &reproduce.Results{Tables: []reproduce.Result{t}}), t.Name, f); err != nil {
			return err
		}
	}
	return nil
}

func (s *streams) emit(text []byte, name string, f reproduceFlags) error {
	if f.out != "" {
		return store.WriteFile(filepath.Join(f.out, name+".md"), text)
	}
	if f.json {
		return nil
	}
	_, err := s.out.Write(text)
	return err
}
