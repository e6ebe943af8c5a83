package study

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/internal/table"
)

// poolColumns are the columns of a pool as CSV. query and page are written as in qrels.txt and read
// back, with grade; the others are for people.
var poolColumns = []string{"query", "page", "grade", "note", "question", "file", "title", "text"}

// CSV is the pool as comma-separated values in UTF-8, with a line of column names and empty cells in
// grade and note.
func (p *Pool) CSV() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(poolColumns); err != nil {
		return nil, err
	}
	for _, r := range p.Rows {
		if err := w.Write([]string{cellOf(datasets.EscapeID(r.Query)), cellOf(datasets.EscapePage(r.Page)), "", "", cellOf(r.Question), cellOf(r.File), cellOf(r.Title), cellOf(r.Text)}); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// cellOf keeps spreadsheets from taking text of documents for a formula: an apostrophe before it says
// that it is text.
func cellOf(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r'", rune(s[0])) {
		return "'" + s
	}
	return s
}

// ofCell undoes cellOf. A spreadsheet that took the apostrophe away has left the text.
func ofCell(s string) string { return strings.TrimPrefix(s, "'") }

// maxPoolFaults bounds how many faults an error of ReadJudged names.
const maxPoolFaults = 20

// ReadJudged reads a filled pool: CSV (comma, semicolon or tab) with the columns query, page and grade,
// or qrels lines "question 0 DOC#PAGE grade". An empty grade, or ?, is a page that is not judged; blank counts
// those. What is wrong is an error with file and line, all of it together.
func ReadJudged(path string) (list []datasets.Judgement, blank int, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w: name the filled file", path, cause(err))
	}
	return readJudged(data, path)
}

func readJudged(data []byte, path string) (list []datasets.Judgement, blank int, err error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	var faults []error
	keep := func(at string, j datasets.Judgement, judged bool, err error) {
		j.At = at
		switch {
		case err != nil:
			faults = append(faults, fmt.Errorf("%s: %w", at, err))
		case judged:
			list = append(list, j)
		default:
			blank++
		}
	}
	first, _, _ := bytes.Cut(bytes.TrimSpace(data), []byte("\n"))
	switch separator := separatorOf(string(first)); {
	case len(first) == 0:
		return nil, 0, fmt.Errorf("%s: empty: fill in the file that edb dataset pool wrote", path)
	case separator != 0:
		err = judgedTable(data, path, separator, keep)
	default:
		err = store.LinesOf(bytes.NewReader(data), path, func(line int, raw []byte) error {
			j, judged, err := datasets.ParseJudged(string(raw))
			keep(fmt.Sprintf("%s:%d", path, line), j, judged, err)
			return nil
		})
	}
	switch {
	case err != nil:
		return nil, 0, err
	case len(faults) > maxPoolFaults:
		return nil, 0, errors.Join(append(faults[:maxPoolFaults], fmt.Errorf("and %d more", len(faults)-maxPoolFaults))...)
	case len(faults) > 0:
		return nil, 0, errors.Join(faults...)
	}
	return list, blank, nil
}

// separatorOf tells by the first line what separates the columns of a table; 0 where the line names none.
func separatorOf(first string) rune {
	for _, c := range ",;\t" {
		var names []string
		for _, f := range strings.Split(first, string(c)) {
			names = append(names, strings.ToLower(strings.Trim(strings.TrimSpace(f), `"`)))
		}
		if len(names) > 1 && (slices.Contains(names, "query") || slices.Contains(names, "grade")) {
			return c
		}
	}
	return 0
}

// judgedTable reads a table with a line of column names.
func judgedTable(data []byte, path string, separator rune, keep func(at string, j datasets.Judgement, judged bool, err error)) error {
	t, err := table.ReadSeparated(io.Reader(bytes.NewReader(data)), path, separator)
	if err != nil {
		return err
	}
	var cells [3][]*string
	for i, name := range []string{"query", "page", "grade"} {
		if cells[i], err = t.Texts(name); err != nil {
			return err
		}
	}
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	for i := range t.Len() {
		if cells[0][i] == nil {
			keep(t.At(i), datasets.Judgement{}, false, errors.New("query is empty: keep the columns query and page as edb dataset pool wrote them"))
			continue
		}
		j, judged, err := datasets.ParseJudgement(ofCell(*cells[0][i]), ofCell(text(cells[1][i])), text(cells[2][i]))
		keep(t.At(i), j, judged, err)
	}
	return nil
}
