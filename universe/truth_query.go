package universe

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Table is what a query gives. A cell is nil, an int64, a float64 or a string.
type Table struct {
	Columns []string `json:"columns"`
	Rows    [][]any  `json:"rows"`
}

// Query runs one SELECT (or WITH, VALUES or EXPLAIN) over the truth of a generated dataset
// directory. The file is opened for reading only and nothing can be attached to it: a statement that
// writes, and more than one statement, are errors, like faults in the SQL.
func Query(ctx context.Context, dir, query string) (Table, error) {
	t := Table{Rows: [][]any{}}
	if err := readsOnly(query); err != nil {
		return t, err
	}
	path := filepath.Join(dir, TruthFile)
	if _, err := os.Stat(path); err != nil {
		return t, fmt.Errorf("%s: no %s is there: name a dataset directory that edb demo or edb universe new made", dir, TruthFile)
	}
	db, err := OpenTruth(path, "mode=ro&_pragma=query_only(1)")
	if err != nil {
		return t, fmt.Errorf("%s: %w", path, err)
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return t, fmt.Errorf("%s: %w", path, err)
	}
	defer rows.Close()
	if t.Columns, err = rows.Columns(); err != nil {
		return t, fmt.Errorf("%s: %w", path, err)
	}
	for rows.Next() {
		row := make([]any, len(t.Columns))
		to := make([]any, len(row))
		for i := range row {
			to[i] = &row[i]
		}
		if err := rows.Scan(to...); err != nil {
			return t, fmt.Errorf("%s: %w", path, err)
		}
		for i, v := range row {
			if b, ok := v.([]byte); ok {
				row[i] = string(b)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	if err := rows.Err(); err != nil {
		return t, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

var errManyStatements = errors.New("more than one SQL statement: give one at a time")

// readsOnly accepts one statement that begins with a word of reading. WITH can lead to a writing
// statement; SQLite refuses that on a file opened for reading.
func readsOnly(query string) error {
	first, more := statements(query)
	switch {
	case first == "":
		return errors.New("no SQL statement: write SELECT ... FROM ...")
	case !slices.Contains([]string{"SELECT", "WITH", "VALUES", "EXPLAIN"}, first):
		return fmt.Errorf("SQL statement %s: the truth is read-only: begin with SELECT, WITH, VALUES or EXPLAIN", first)
	case more:
		return errManyStatements
	}
	return nil
}

// statements gives the first word of the SQL, in upper case, and whether anything stands behind the
// first semicolon. Comments, strings and quoted names are passed over as SQLite does.
func statements(query string) (first string, more bool) {
	ended := false
	for i := 0; i < len(query); {
		c := query[i]
		rest := query[i:]
		switch {
		case strings.HasPrefix(rest, "--"):
			i += until(rest, "\n")
		case strings.HasPrefix(rest, "/*"):
			i += 2 + until(rest[2:], "*/")
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			i++
		case c == ';':
			ended = ended || first != ""
			i++
		default:
			if ended {
				return first, true
			}
			n := 1
			switch c {
			case '\'', '"', '`':
				n = 1 + until(rest[1:], string(c))
			case '[':
				n = 1 + until(rest[1:], "]")
			default:
				for n < len(rest) && word(c) && word(rest[n]) {
					n++
				}
			}
			if first == "" {
				first = strings.ToUpper(rest[:n])
			}
			i += n
		}
	}
	return first, false
}

// until is the length of s up to and with end, or all of it.
func until(s, end string) int {
	if i := strings.Index(s, end); i >= 0 {
		return i + len(end)
	}
	return len(s)
}

func word(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
