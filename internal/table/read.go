package table

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxCells bounds a table, so that a file of another kind cannot take all memory.
const maxCells = 50_000_000

// ReadCSV reads comma-separated values (RFC 4180) in UTF-8 whose first line names the columns; a
// byte order mark, blank lines and spaces around cells are ignored. Rows of another length than the
// first line, columns without a name or with one name, and text that is not UTF-8 are errors.
func ReadCSV(r io.Reader, name string) (*Table, error) { return ReadSeparated(r, name, ',') }

// ReadSeparated is ReadCSV with another separator in place of the comma.
func ReadSeparated(r io.Reader, name string, separator rune) (*Table, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := checkText(data, name); err != nil {
		return nil, err
	}
	c := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	c.Comma = separator
	c.FieldsPerRecord = -1
	c.ReuseRecord = true
	t := &Table{Name: name}
	cells := 0
	for {
		record, err := c.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			return nil, fmt.Errorf("%s:%d: %w: put cells with quotes, commas or line ends in double quotes, and double the quotes inside", name, bad.Line, bad.Err)
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		line, _ := c.FieldPos(0)
		for i := range record {
			record[i] = strings.TrimSpace(record[i])
		}
		if t.Columns == nil {
			t.Columns = slices.Clone(record)
			if err := t.checkColumns(line); err != nil {
				return nil, err
			}
			continue
		}
		if len(record) == 1 && record[0] == "" && len(t.Columns) > 1 {
			continue // a line of spaces
		}
		if len(record) != len(t.Columns) {
			return nil, fmt.Errorf("%s:%d: %d cells under %d columns: give each column a cell, empty where there is no value", name, line, len(record), len(t.Columns))
		}
		if cells += len(record); cells > maxCells {
			return nil, fmt.Errorf("%s:%d: more than %d cells: split the file", name, line, maxCells)
		}
		row := row{line: line, cells: make([]cell, len(record))}
		for i, s := range record {
			row.cells[i] = cell{s, s != ""}
		}
		t.rows = append(t.rows, row)
	}
	if t.Columns == nil {
		return nil, fmt.Errorf("%s: empty: the first line names the columns", name)
	}
	return t, nil
}

func (t *Table) checkColumns(line int) error {
	for i, c := range t.Columns {
		switch {
		case c == "":
			return fmt.Errorf("%s:%d: column %d has no name: name all columns in the first line", t.Name, line, i+1)
		case slices.Index(t.Columns, c) < i:
			return fmt.Errorf("%s:%d: two columns are named %q: give each its own name", t.Name, line, c)
		}
	}
	return nil
}

func checkText(data []byte, name string) error {
	if utf8.Valid(data) && bytes.IndexByte(data, 0) < 0 {
		return nil
	}
	line := 1
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		if r == utf8.RuneError && n <= 1 || r == 0 {
			break
		}
		if r == '\n' {
			line++
		}
		data = data[n:]
	}
	return fmt.Errorf("%s:%d: not text in UTF-8: save it as CSV or JSON lines in UTF-8", name, line)
}

// ReadJSONL reads one JSON object a line; its columns are the keys of all lines in the order in which
// they first appear, and a key that a line lacks, or null, is missing. Strings are text, numbers keep
// the digits they are written with, true and false are text; lists and objects are text as JSON. A
// line that is no object, and a key that stands twice, are errors.
func ReadJSONL(r io.Reader, name string) (*Table, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := checkText(data, name); err != nil {
		return nil, err
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	t := &Table{Name: name}
	at := map[string]int{}
	line := 0
	for raw := range bytes.Lines(data) {
		line++
		raw = bytes.TrimSpace(raw)
		if len(raw) == 0 {
			continue
		}
		row := row{line: line, cells: make([]cell, len(t.Columns))}
		seen := map[string]bool{}
		err := eachKey(raw, func(key string, value json.RawMessage) error {
			if seen[key] {
				return fmt.Errorf("the key %q stands twice: keep one", key)
			}
			seen[key] = true
			i, ok := at[key]
			if !ok {
				i = len(t.Columns)
				at[key] = i
				t.Columns = append(t.Columns, key)
				row.cells = append(row.cells, cell{})
			}
			row.cells[i] = jsonCell(value)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		if len(t.Columns)*(len(t.rows)+1) > maxCells {
			return nil, fmt.Errorf("%s:%d: more than %d cells: split the file", name, line, maxCells)
		}
		t.rows = append(t.rows, row)
	}
	if len(t.rows) == 0 {
		return nil, fmt.Errorf("%s: empty: write one JSON object a line", name)
	}
	for i := range t.rows {
		t.rows[i].cells = append(t.rows[i].cells, make([]cell, len(t.Columns)-len(t.rows[i].cells))...)
	}
	return t, nil
}

// eachKey calls f for the keys of one JSON object in their order.
func eachKey(raw []byte, f func(key string, value json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	bad := func(err error) error { return fmt.Errorf("no JSON object (%w): write one object a line", err) }
	switch open, err := d.Token(); {
	case err != nil:
		return bad(err)
	case open != json.Delim('{'):
		return errors.New("no JSON object: write one object a line")
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return bad(err)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return bad(err)
		}
		if err := f(key.(string), value); err != nil { // between braces a key is a string
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return bad(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more after the JSON object: write one object a line")
	}
	return nil
}

func jsonCell(raw json.RawMessage) cell {
	switch raw[0] {
	case 'n':
		return cell{}
	case '"':
		var s string
		if json.Unmarshal(raw, &s) != nil {
			s = string(raw)
		}
		return cell{s, s != ""}
	}
	return cell{string(raw), true}
}
