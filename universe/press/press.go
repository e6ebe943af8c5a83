package press

import (
	"fmt"
	"slices"
	"strings"
	"time"

	edb "enterprisedocbench"
)

// Format is a form in which a story is printed.
type Format string

// The formats. Only the PDFs have pages and boxes.
const (
	PDF          Format = "pdf"
	PDFTwoColumn Format = "pdf-2col"
	HTML         Format = "html"
	Markdown     Format = "md"
	Text         Format = "text"
)

// Formats lists the formats.
var Formats = []Format{PDF, PDFTwoColumn, HTML, Markdown, Text}

// ParseFormat reads the name of a format; the error names the choices.
func ParseFormat(s string) (Format, error) {
	if slices.Contains(Formats, Format(s)) {
		return Format(s), nil
	}
	names := make([]string, len(Formats))
	for i, f := range Formats {
		names[i] = string(f)
	}
	return "", fmt.Errorf("format %q: choose one of %s", s, strings.Join(names, ", "))
}

// Kinds of charts.
const (
	Bars    = "bars"    // lying, one below the other
	Columns = "columns" // standing, side by side
	Curve   = "line"
)

// Story is the content of a document. Title (a heading of level 1) and Blocks may hold facts. Head and
// Foot are printed on every page of a PDF and once in HTML, where they are artifacts; Markdown and text
// have no place for them. Author and Made go into the file's properties where it has any.
type Story struct {
	ID, Title, Author string
	Made              time.Time
	Head, Foot        string
	Look              Look
	Blocks            []Block
}

// Block is one block of a story. Kind is one of edb.KindHeading, KindParagraph, KindListItem,
// KindTable, KindFigure, KindFootnote and KindCode. White space in Text is one space, save in code.
//
// Level is the depth of a heading (0 is 2) or of a list item (0 is 1). A footnote goes to the foot of
// the page (in other formats: to the end); its mark, if any, belongs to its text.
type Block struct {
	Kind  string
	Level int
	Text  string // facts written {field|value}; \{, \} and \\ are themselves
	Table *Table // of a table
	Chart *Chart // of a figure
	Keep  bool   // on one page with the block after it; headings are kept anyway
}

// Table is a ruled table. Caption and cells may hold facts.
type Table struct {
	Caption string
	Header  []string   // nil: none
	Rows    [][]string // as many cells as there are columns; those that a span covers are empty
	Spans   []Span
	Right   []bool    // columns set flush right; nil: none
	Bold    []int     // rows set in bold: totals
	Widths  []float64 // shares of the width; nil, or where a word does not fit: by content
}

// Span lets the cell at Row and Column (from 0; row -1 is the header) take several rows and columns.
type Span struct{ Row, Column, Rows, Columns int }

// Chart is a drawn chart: Values by Labels, each with what is Printed for it, which may hold a fact.
// Bars and columns take no negative values. Markdown and text, which cannot draw, print its data as a
// table.
type Chart struct {
	Caption string
	Kind    string // Bars, Columns or Curve
	Labels  []string
	Values  []float64
	Printed []string
	Top     float64 // the value at full length; 0: the largest
	// Above sets the printed values of columns above them and in the gold before all labels, as they
	// are read from the top down; they can hold no facts then. Otherwise a value stands with its label.
	Above bool
}

// Mention is one printed fact: which field, how it is printed, what says it, and where in the page's
// text (code points) the value itself stands. Evidence has a box in PDFs only.
type Mention struct {
	Field, Value string
	Evidence     edb.Evidence
	Start, End   int
}

// Printed is a printed document. Gold has pages and boxes in PDFs; otherwise one page and no boxes.
// Mentions come in reading order.
type Printed struct {
	Content   []byte
	MIME, Ext string // Ext with its dot
	Gold      edb.Parsed
	Mentions  []Mention
}

// Print prints a story. It fails where a text is malformed or empty, where a character has no glyph,
// where something does not fit its page, and where the evidence of a fact does not hold. The same
// story gives the same bytes.
func Print(s Story, f Format) (Printed, error) {
	var out Printed
	c, err := read(s)
	if err == nil {
		switch f {
		case PDF, PDFTwoColumn:
			out, err = c.pdf(f == PDFTwoColumn)
		case HTML:
			out, err = c.html()
		case Markdown:
			out, err = c.markdown()
		case Text:
			out, err = c.text()
		default:
			_, err = ParseFormat(string(f))
		}
	}
	if err != nil {
		return Printed{}, fmt.Errorf("document %s: %w", s.ID, err)
	}
	return out, nil
}
