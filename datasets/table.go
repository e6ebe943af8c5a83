package datasets

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/store"
	"enterprisedocbench/internal/strict"
)

type row[T any] struct {
	line int
	v    T
}

// readTable reads a file of JSON lines strictly: every fault of every line.
func readTable[T any](dir, file string, needed bool) ([]row[T], []Fault) {
	var rows []row[T]
	faults := eachRow(dir, file, needed, func(line int, v T) { rows = append(rows, row[T]{line, v}) })
	return rows, faults
}

// eachRow is readTable for files that should not stand in memory twice.
func eachRow[T any](dir, file string, needed bool, do func(line int, v T)) []Fault {
	var faults []Fault
	t := reflect.TypeFor[T]()
	err := store.Lines(filepath.Join(dir, file), func(line int, raw []byte) error {
		v, f := decodeRow[T](raw, t)
		for i := range f {
			f[i].File, f[i].Line = file, line
		}
		faults = append(faults, f...)
		if v != nil {
			do(line, *v)
		}
		return nil
	})
	var le *store.LineError
	switch {
	case err == nil:
	case errors.Is(err, os.ErrNotExist):
		if needed {
			faults = append(faults, Fault{file, 0, "is missing", "write one document a line"})
		}
	case errors.As(err, &le):
		faults = append(faults, Fault{file, le.Line, le.Err.Error(), "write one JSON object a line"})
	default:
		faults = append(faults, Fault{file, 0, "cannot be read: " + cause(err), "make it readable"})
	}
	return faults
}

// decodeRow reads one line. The value is nil where nothing of use could be read.
func decodeRow[T any](raw []byte, t reflect.Type) (*T, []Fault) {
	var faults []Fault
	for _, m := range strict.Misfits(raw, t) {
		faults = append(faults, Fault{Problem: m.Problem, Fix: m.Fix})
	}
	v := new(T)
	if err := json.Unmarshal(raw, v); err != nil {
		var te *json.UnmarshalTypeError
		if !errors.As(err, &te) {
			v = nil
		}
		if len(faults) == 0 {
			faults = append(faults, Fault{Problem: err.Error(), Fix: "correct the line"})
		}
	}
	return v, faults
}

// readDocuments fills Documents from documents.jsonl.
func (d *Dataset) readDocuments() []Fault {
	var found []Fault
	paths := map[string]string{}
	leads := newInside(d.real)
	same := sameText{}
	faults := eachRow(d.Dir, DocumentsFile, !d.Info.External(), func(line int, x edb.Document) {
		add := func(problem, fix string) {
			found = append(found, Fault{DocumentsFile, line, fmt.Sprintf("document %q: %s", x.ID, problem), fix})
		}
		for _, f := range documentFaults(x) {
			add(f.Problem, f.Fix)
		}
		if before, ok := d.docLine[x.ID]; ok {
			add(fmt.Sprintf("id stands in line %d already", before), "give every document its own")
			return
		}
		if other, ok := paths[x.Path]; ok && x.Path != "" {
			add(fmt.Sprintf("path %q is that of document %q too", x.Path, other), "give every document its own file")
		}
		if filepath.IsLocal(filepath.FromSlash(x.Path)) && leads.out(x.Path) {
			add(fmt.Sprintf("path %q is a link out of the dataset", x.Path), "put a copy of the file in its place")
		}
		same.share(&x.MIME, &x.Domain, &x.Doctype, &x.Lang, &x.Split, &x.Gold, &x.Licence.SPDX, &x.Licence.Evidence)
		if x.Source != nil {
			same.share(&x.Source.Name, &x.Source.Retrieved)
		}
		paths[x.Path] = x.ID
		d.docLine[x.ID] = line
		d.Documents = append(d.Documents, x)
	})
	return append(faults, found...)
}

// sameText keeps one copy of texts that most documents of a dataset have in common.
type sameText map[string]string

func (m sameText) share(texts ...*string) {
	for _, t := range texts {
		if kept, ok := m[*t]; ok {
			*t = kept
		} else if len(m) < 10000 {
			m[*t] = *t
		}
	}
}
