// Package table reads tables of text and numbers: it takes comma-separated values or JSON lines and
// gives columns. An empty cell, or null, is missing: it is neither text nor a number. Every error
// names file and line and says what to do.
package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Table is rows of cells under named columns. It is not changed once it is made.
type Table struct {
	Name    string   // of the file, for messages
	Columns []string // in the order of the file
	rows    []row
}

type row struct {
	line  int // from 1; 0 where rows have no lines
	cells []cell
}

type cell struct {
	text    string
	present bool
}

// New makes a table of rows that come from no file; a nil cell is missing. Rows must be as long as
// columns.
func New(name string, columns []string, rows [][]*string) *Table {
	t := &Table{Name: name, Columns: columns}
	for _, r := range rows {
		cells := make([]cell, len(r))
		for i, c := range r {
			if c != nil {
				cells[i] = cell{*c, true}
			}
		}
		t.rows = append(t.rows, row{cells: cells})
	}
	return t
}

// Len is the number of rows.
func (t *Table) Len() int { return len(t.rows) }

// At says where row i stands: FILE:LINE, or FILE: row N.
func (t *Table) At(i int) string {
	if l := t.rows[i].line; l > 0 {
		return fmt.Sprintf("%s:%d", t.Name, l)
	}
	return fmt.Sprintf("%s: row %d", t.Name, i+1)
}

// column finds a column by its name.
func (t *Table) column(name string) (int, error) {
	if i := slices.Index(t.Columns, name); i >= 0 {
		return i, nil
	}
	var quoted []string
	for _, c := range t.Columns {
		quoted = append(quoted, strconv.Quote(c))
	}
	return 0, fmt.Errorf("%s: no column %q: the columns are %s", t.Name, name, strings.Join(quoted, ", "))
}

// Texts are the cells of a column; a missing one is nil.
func (t *Table) Texts(name string) ([]*string, error) {
	c, err := t.column(name)
	if err != nil {
		return nil, err
	}
	out := make([]*string, len(t.rows))
	for i := range t.rows {
		if x := &t.rows[i].cells[c]; x.present {
			out[i] = &x.text
		}
	}
	return out, nil
}

// Numbers are the cells of a column as finite numbers; a missing one is nil.
func (t *Table) Numbers(name string) ([]*float64, error) {
	texts, err := t.Texts(name)
	if err != nil {
		return nil, err
	}
	out := make([]*float64, len(texts))
	for i, s := range texts {
		if s == nil {
			continue
		}
		v, err := Number(*s)
		if err != nil {
			return nil, fmt.Errorf("%s: column %q: %w", t.At(i), name, err)
		}
		out[i] = &v
	}
	return out, nil
}

// Number reads a decimal number. NaN and infinities are none.
func Number(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	switch {
	case strings.HasSuffix(s, "%"):
		return 0, fmt.Errorf("%q is a percentage: write it as a share (28.1%% is 0.281)", s)
	case err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) || err != nil && math.IsInf(v, 0):
		return 0, fmt.Errorf("%q is not a finite number: leave the cell empty where there is no value", s)
	case err != nil || strings.ContainsAny(s, "xX_"):
		return 0, fmt.Errorf("%q is not a number: write digits with a point, such as 0.82", s)
	}
	return v, nil
}

// Without gives the rows that miss none of the columns, and how many were left out.
func (t *Table) Without(columns ...string) (*Table, int, error) {
	out := &Table{Name: t.Name, Columns: t.Columns}
	var at []int
	for _, name := range columns {
		c, err := t.column(name)
		if err != nil {
			return nil, 0, err
		}
		at = append(at, c)
	}
	for _, r := range t.rows {
		if !slices.ContainsFunc(at, func(c int) bool { return !r.cells[c].present }) {
			out.rows = append(out.rows, r)
		}
	}
	return out, len(t.rows) - len(out.rows), nil
}

// Missing says where the first missing cell of the columns stands; "" where there is none.
func (t *Table) Missing(columns ...string) (string, error) {
	for _, name := range columns {
		c, err := t.column(name)
		if err != nil {
			return "", err
		}
		for i, r := range t.rows {
			if !r.cells[c].present {
				return fmt.Sprintf("%s: column %q is empty", t.At(i), name), nil
			}
		}
	}
	return "", nil
}
