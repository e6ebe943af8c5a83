// Package expect holds figures to hold others against. It takes the name of a paper and gives the file
// of its claims, for "edb stats check" to recompute (docs/statistics.md describes the file): numbers and
// where they stand, no text of the papers. It takes the name of a page of results and gives what its
// tables are made from, for "edb reproduce", and the figures that were measured before. It computes
// nothing.
package expect

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed claims/*.yaml
var files embed.FS

// papers are the names of the papers, in the order in which they are checked: EnterpriseDocBench,
// RIKER, PINNACLE.
var papers = []string{"edb", "riker", "pinnacle"}

// Papers are the names that [Claims] takes.
func Papers() []string { return slices.Clone(papers) }

// Claims is the file of claims of a paper, and the name that messages call it.
func Claims(paper string) (data []byte, name string, err error) {
	if !slices.Contains(papers, paper) {
		return nil, "", fmt.Errorf("no paper %q: there are %s", paper, strings.Join(papers, ", "))
	}
	name = "claims/" + paper + ".yaml"
	data, err = files.ReadFile(name)
	return data, "expect/" + name, err
}

//go:embed tables/*.yaml
var tables embed.FS

// pages are the pages of results, in the order in which they are made.
var pages = []string{"parsing", "ocr", "scans", "retrieval", "checks"}

// Tables are the names that [Table] takes.
func Tables() []string { return slices.Clone(pages) }

// Table is the file that declares a page of results: its tables, with what they are made from.
func Table(page string) ([]byte, error) {
	if !slices.Contains(pages, page) {
		return nil, fmt.Errorf("no page %q: there are %s", page, strings.Join(pages, ", "))
	}
	return tables.ReadFile("tables/" + page + ".yaml")
}

//go:embed measured.json
var measured []byte

// Measured are the figures of the tables of [Tables] as they were measured when the manual's pages of
// results were made, as JSON: by table, row and measure. They are ours, unlike the figures of papers.
func Measured() []byte { return slices.Clone(measured) }
