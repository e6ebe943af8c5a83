package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"enterprisedocbench/internal/table"
	"enterprisedocbench/study"
)

// tableFlags name the table that a statistic is of.
type tableFlags struct {
	csv, jsonl, run, pipeline, key string
	dropMissing                    bool
}

func (f *tableFlags) add(c *cobra.Command) {
	f.addFiles(c)
	fs := c.Flags()
	fs.StringVar(&f.key, "key", "", "measure of the run, such as parse.tis")
	fs.StringVar(&f.pipeline, "pipeline", "", "pipeline of the run, where its columns are measures")
	fs.BoolVar(&f.dropMissing, "drop-missing", false, "leave out rows that miss a value, and say how many")
}

// addFiles adds only where the numbers stand.
func (f *tableFlags) addFiles(c *cobra.Command) {
	fs := c.Flags()
	fs.StringVar(&f.csv, "csv", "", "table with comma-separated values, columns named in the first line; - is standard input")
	fs.StringVar(&f.jsonl, "jsonl", "", "table with one JSON object a line; - is standard input")
	fs.StringVar(&f.run, "run", "", "folder of a finished run: with --key its columns are pipelines, else measures")
}

// load reads the table. Of a run without --key it reads the measures that are named.
func (f *tableFlags) load(s *streams, measures ...string) (*table.Table, error) {
	given := 0
	for _, x := range []string{f.csv, f.jsonl, f.run} {
		if x != "" {
			given++
		}
	}
	switch {
	case given != 1:
		return nil, errors.New("give one of --csv, --jsonl and --run: where the numbers stand")
	case f.run == "" && (f.key != "" || f.pipeline != ""):
		return nil, errors.New("--key and --pipeline belong to --run")
	case f.key != "" && f.pipeline != "":
		return nil, errors.New("give --key, whose columns are pipelines, or --pipeline, whose columns are measures")
	case f.run != "":
		r, err := study.Open(f.run)
		if err != nil {
			return nil, err
		}
		if f.key != "" {
			return r.ByPipeline(f.key)
		}
		return r.ByMeasure(f.pipeline, measures...)
	}
	path, read := f.csv, table.ReadCSV
	if f.jsonl != "" {
		path, read = f.jsonl, table.ReadJSONL
	}
	if path == "-" {
		return read(s.in, "standard input")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer file.Close()
	if st, err := file.Stat(); err == nil && st.IsDir() {
		return nil, fmt.Errorf("%s is a folder: name a file, or a run with --run", path)
	}
	return read(file, path)
}

func unreadable(path string, err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// rows keeps the rows that have a value in all columns. A missing one is an error, or with
// --drop-missing is left out.
func (f *tableFlags) rows(s *streams, t *table.Table, columns ...string) (*table.Table, error) {
	if f.dropMissing || f.run != "" {
		kept, left, err := t.Without(columns...)
		if err == nil && left > 0 {
			fmt.Fprintf(s.err, "edb: %d of %d rows lack a value and are left out\n", left, t.Len())
		}
		return kept, err
	}
	at, err := t.Missing(columns...)
	if err == nil && at != "" {
		err = fmt.Errorf("%s: write a value, or leave such rows out with --drop-missing", at)
	}
	return t, err
}

// numbers are the cells of a column that misses none.
func numbers(t *table.Table, column string) ([]float64, error) {
	cells, err := t.Numbers(column)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(cells))
	for i, v := range cells {
		if v == nil {
			return nil, fmt.Errorf("%s: column %q is empty", t.At(i), column)
		}
		out[i] = *v
	}
	return out, nil
}

// texts are the cells of a column that misses none.
func texts(t *table.Table, column string) ([]string, error) {
	cells, err := t.Texts(column)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(cells))
	for i, v := range cells {
		if v == nil {
			return nil, fmt.Errorf("%s: column %q is empty", t.At(i), column)
		}
		out[i] = *v
	}
	return out, nil
}

// clusters are the documents of rows by the column that names them. Without one, rows of a run have
// the documents of the run, and others none.
func (f *tableFlags) clusters(t *table.Table, column string) ([][]string, error) {
	if column == "" && f.run == "" {
		return nil, nil
	}
	if column == "" {
		lists, err := texts(t, study.DocsColumn)
		if err != nil {
			return nil, err
		}
		out := make([][]string, len(lists))
		for i, l := range lists {
			if err := json.Unmarshal([]byte(l), &out[i]); err != nil {
				return nil, fmt.Errorf("%s: %w", t.At(i), err)
			}
		}
		return out, nil
	}
	names, err := texts(t, column)
	if err != nil {
		return nil, err
	}
	out := make([][]string, len(names))
	for i, n := range names {
		out[i] = []string{n}
	}
	return out, nil
}

// given are the columns that are named.
func given(columns ...string) []string {
	return slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return c == "" })
}
