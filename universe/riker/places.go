package riker

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	edb "enterprisedocbench"
)

// Place is where a document prints a fact: a row of the table renderings.
type Place struct {
	Field string `json:"field"`
	N     int    `json:"n"` // the n-th place that states the field, from 1
	Value string `json:"value"`
	edb.Evidence
}

// Places makes a document of the world in a directory again, from its plan, and lists where it prints
// its facts.
func Places(dir, doc string) ([]Place, error) {
	p, _, err := ReadPlan(dir)
	if err != nil {
		return nil, err
	}
	w, err := New(p)
	if err != nil {
		return nil, err
	}
	id, err := w.parseID(doc)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Clean(dir), err)
	}
	d, err := w.Document(id)
	if err != nil {
		return nil, err
	}
	return placesOf(d), nil
}

// parseID is the inverse of DocumentID.
func (w *World) parseID(doc string) (int, error) {
	n, err := strconv.Atoi(strings.TrimPrefix(doc, "doc-"))
	if err != nil || n < 1 || n > w.Documents() || DocumentID(n-1) != doc {
		return 0, fmt.Errorf("no document is called %q: the world has %s to %s", doc, DocumentID(0), DocumentID(w.Documents()-1))
	}
	return n - 1, nil
}
