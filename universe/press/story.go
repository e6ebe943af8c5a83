// Package press prints documents: it takes their content as a Story and gives a file in one of five
// forms, its exact gold, and the place of every fact in it.
package press

import (
	"time"

	edb "enterprisedocbench"
)

// Story is the content of one document, in reading order, before it has a form.
type Story struct {
	ID, Title, Author string
	Made              time.Time
	Head, Foot        string // printed on every page
	Blocks            []Block
}

// Block is one element of a story.
type Block struct {
	Kind  string // edb.KindHeading, KindParagraph, KindListItem, KindTable, KindFigure, KindFootnote or KindCode
	Level int    // of a heading, from 1
	// Text may hold facts, written as Fact writes them. Sentences of a paragraph end in a full stop,
	// question or exclamation mark before a space; the sentence is the evidence of its facts.
	Text  string
	Table *Table
	Chart *Chart
	Keep  bool // on one page with the next block
}

// Table is a ruled table. Cells may hold facts; the evidence of a fact is its row.
type Table struct {
	Caption string
	Header  []string // nil: none
	Rows    [][]string
	Widths  []float64 // shares of the width; nil: by content
	Right   []bool    // columns set flush right
	Bold    []int     // rows in bold: totals
}

// Chart is a drawn chart. Its caption may hold facts.
type Chart struct {
	Caption string
	Kind    string // bars, columns or line
	Labels  []string
	Values  []float64
	Printed []string // the values as the chart prints them
}

// Mention is a place where a document states a fact: the evidence is the sentence, row or item that
// says it, Start and End are the value itself on the page's text.
type Mention struct {
	Field, Value string
	Evidence     edb.Evidence
	Start, End   int
}

// Printed is a printed document.
type Printed struct {
	Content   []byte
	MIME, Ext string
	Gold      edb.Parsed
	Mentions  []Mention
}

// Fact writes a fact into the text of a block, to be found again when it is printed.
func Fact(field, value string) string { return "{" + field + "|" + value + "}" }
