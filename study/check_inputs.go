package study

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"enterprisedocbench/internal/table"
)

// printedTable is a table of printed numbers whose rows have names.
type printedTable struct {
	names []string // of the rows, in order
	rows  map[string]map[string]string
	has   []string // columns
}

func readTable(text, name string) (*printedTable, error) {
	t, err := table.ReadCSV(strings.NewReader(text), name)
	if err != nil {
		return nil, err
	}
	out := &printedTable{rows: map[string]map[string]string{}, has: t.Columns}
	for c, column := range t.Columns {
		cells, err := t.Texts(column)
		if err != nil {
			return nil, err
		}
		for i, s := range cells {
			if c == 0 {
				if s == nil {
					return nil, fmt.Errorf("%s: the row has no name", t.At(i))
				}
				if out.rows[*s] != nil {
					return nil, fmt.Errorf("%s: two rows are named %q", t.At(i), *s)
				}
				out.names = append(out.names, *s)
				out.rows[*s] = map[string]string{}
				continue
			}
			if s != nil && *s != "-" {
				out.rows[out.names[i]][column] = *s
			}
		}
	}
	if len(out.names) == 0 {
		return nil, fmt.Errorf("%s: no rows", name)
	}
	return out, nil
}

func (p *Paper) table(id string) (*printedTable, error) {
	if t, ok := p.tables[id]; ok {
		return t, nil
	}
	if len(p.tables) == 0 {
		return nil, fmt.Errorf("no table %q: there are none: write it under tables", id)
	}
	return nil, fmt.Errorf("no table %q: the tables are %s", id, strings.Join(sortedKeys(p.tables), ", "))
}

var reference = regexp.MustCompile(`^([A-Za-z][\w-]*)(?:\[([^\]]+)\])?\.([\w-]+)(%?)$`)

// inputs resolves the numbers of a claim for one row.
type inputs struct {
	paper  *Paper
	row    string
	strict bool   // names are looked up for the first time: keep the error
	absent string // the first value that is not there
	err    error
}

// list resolves numbers, whole columns included.
func (in *inputs) list(ns []Number) []number {
	var out []number
	for _, n := range ns {
		m := reference.FindStringSubmatch(n.text)
		if m == nil || m[2] != "*" {
			out = append(out, in.one(n))
			continue
		}
		t, err := in.paper.table(m[1])
		if err != nil {
			in.fail(err)
			return nil
		}
		for _, name := range t.names {
			if x, ok := in.cell(t, m[1], name, m[3], m[4]); ok {
				out = append(out, x)
			}
		}
	}
	return out
}

// one resolves a number; where there is none it notes that the value is absent.
func (in *inputs) one(n Number) number {
	if n.text == "" {
		return number{}
	}
	text := n.text
	whole, rest, isComplement := strings.Cut(text, " - ")
	if isComplement && reference.MatchString(rest) {
		c, err := parseNumber(whole)
		if err != nil {
			in.fail(err)
			return number{}
		}
		x := in.one(Number{rest, n.line})
		if in.absent != "" || in.err != nil {
			return number{}
		}
		return complement(c, x)
	}
	m := reference.FindStringSubmatch(text)
	if m == nil {
		x, err := parseNumber(text)
		if err != nil {
			in.fail(err)
		}
		return x
	}
	t, err := in.paper.table(m[1])
	if err != nil {
		in.fail(err)
		return number{}
	}
	row := m[2]
	if row == "" {
		if row = in.row; row == "" {
			in.fail(fmt.Errorf("%s names no row: write %s[ROW].%s, or each: %s", text, m[1], m[3], m[1]))
			return number{}
		}
		if t.rows[row] == nil { // another table that lacks the row
			in.miss(text)
			return number{}
		}
	}
	x, ok := in.cell(t, m[1], row, m[3], m[4])
	if !ok {
		in.miss(text)
	}
	return x
}

func (in *inputs) cell(t *printedTable, id, row, column, unit string) (number, bool) {
	if t.rows[row] == nil {
		in.fail(fmt.Errorf("table %s has no row %q: its rows are %s", id, row, strings.Join(t.names, ", ")))
		return number{}, false
	}
	if !slices.Contains(t.has[1:], column) {
		in.fail(fmt.Errorf("table %s has no column %q: its columns are %s", id, column, strings.Join(t.has[1:], ", ")))
		return number{}, false
	}
	s, ok := t.rows[row][column]
	if !ok {
		return number{}, false
	}
	x, err := parseNumber(s + unit)
	if err != nil {
		in.fail(fmt.Errorf("table %s, row %s, column %s: %w", id, row, column, err))
	}
	return x, err == nil
}

func (in *inputs) fail(err error) {
	if in.err == nil {
		in.err = err
	}
}

func (in *inputs) miss(text string) {
	if in.absent == "" {
		in.absent = text
	}
}

// count resolves a whole number from least to 1e9.
func (in *inputs) count(n Number, least int, name string) int {
	x := in.one(n)
	if in.err != nil || in.absent != "" {
		return least
	}
	v := x.value
	if n.text == "" || !x.exact || v < float64(least) || v > 1e9 {
		in.fail(fmt.Errorf("%s is %s: it must be a whole number from %s", name, strconv.Quote(n.text), strconv.Itoa(least)))
		return least
	}
	return int(v)
}
