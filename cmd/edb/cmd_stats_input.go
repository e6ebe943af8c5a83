package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"enterprisedocbench"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/internal/table"
	"enterprisedocbench/metrics"
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

// load reads the table.
func (f *tableFlags) load(s *streams) (*table.Table, error) {
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
	case f.run != "":
		return runTable(f.run, f.pipeline, f.key)
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
	return read(io.Reader(file), path)
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

// clusters are the documents of rows by the column that names them; nil without one.
func clusters(t *table.Table, column string) ([][]string, error) {
	if column == "" {
		return nil, nil
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

// column writes the name of a measure as records do, where the table is a run.
func (f *tableFlags) column(name string) string {
	if f.run == "" || f.key != "" {
		return name
	}
	if names, err := metrics.ParseNames(name); err == nil && len(names) == 1 {
		return names[0].String()
	}
	return name
}

// runTable makes a table of the measurements of a run: a row a unit, under the column "unit" and,
// with a key, the pipelines, else the measures of one pipeline. A value is strict: a unit that failed
// has the measure's worst value. Repeats are averaged.
func runTable(dir, pipeline, key string) (*table.Table, error) {
	path := filepath.Join(dir, "measurements.jsonl")
	rows, err := store.ReadJSONL[edb.Measurement](path, false)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("%s: no measurements.jsonl: name the folder that edb run left", dir)
		}
		return nil, err
	}
	if key != "" {
		names, err := metrics.ParseNames(key)
		if err != nil {
			return nil, err
		}
		if len(names) != 1 {
			return nil, fmt.Errorf("--key %s: name one measure", key)
		}
		key = names[0].String()
	}
	var arms, keys, units, columns []string
	for _, r := range rows {
		arms, keys = append(arms, r.Arm), append(keys, r.Key)
	}
	slices.Sort(arms)
	slices.Sort(keys)
	arms, keys = slices.Compact(arms), slices.Compact(keys)
	switch {
	case len(rows) == 0:
		return nil, fmt.Errorf("%s: no measurements", path)
	case key != "" && !slices.Contains(keys, key):
		return nil, fmt.Errorf("%s: no measure %q: there are %s", dir, key, strings.Join(keys, ", "))
	case pipeline != "" && !slices.Contains(arms, pipeline):
		return nil, fmt.Errorf("%s: no pipeline %q: there are %s", dir, pipeline, strings.Join(arms, ", "))
	case key == "" && pipeline == "" && len(arms) > 1:
		return nil, fmt.Errorf("%s has %d pipelines: give --key, or --pipeline with one of %s", dir, len(arms), strings.Join(arms, ", "))
	case key == "" && pipeline == "":
		pipeline = arms[0]
	}
	type mean struct {
		sum float64
		n   int
	}
	cells := map[[2]string]mean{}
	for _, r := range rows {
		if key != "" && r.Key != key || pipeline != "" && r.Arm != pipeline {
			continue
		}
		column := r.Arm
		if key == "" {
			column = r.Key
		}
		units, columns = append(units, r.Unit), append(columns, column)
		m := cells[[2]string{r.Unit, column}]
		switch {
		case r.Failed:
			m.sum, m.n = m.sum+metrics.Worst(r.Key), m.n+1
		case r.Value != nil:
			m.sum, m.n = m.sum+*r.Value, m.n+1
		}
		cells[[2]string{r.Unit, column}] = m
	}
	slices.Sort(units)
	slices.Sort(columns)
	units, columns = slices.Compact(units), slices.Compact(columns)
	var out [][]*string
	for _, u := range units {
		row := []*string{&u}
		for _, c := range columns {
			var cell *string
			if m := cells[[2]string{u, c}]; m.n > 0 {
				s := strconv.FormatFloat(m.sum/float64(m.n), 'g', -1, 64)
				cell = &s
			}
			row = append(row, cell)
		}
		out = append(out, row)
	}
	return table.New(path, append([]string{"unit"}, columns...), out), nil
}
