package edb

import (
	"fmt"
	"strconv"
	"strings"
)

// Box is a rectangle [x0, y0, x1, y1] in PDF points, origin at the top left of the page as shown.
type Box [4]float64

// UnmarshalJSON reads a list of exactly four numbers: encoding/json would drop a fifth and make up a
// fourth.
func (b *Box) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" {
		return nil
	}
	list, isList := strings.CutPrefix(string(raw), "[")
	parts := strings.Split(strings.TrimSuffix(list, "]"), ",")
	if !isList || len(parts) != len(b) {
		return fmt.Errorf("box %.60s is not four numbers: write [x0, y0, x1, y1]", raw)
	}
	for i, p := range parts {
		v, err := strconv.ParseFloat(strings.Trim(p, " \t\r\n"), 64)
		if err != nil {
			return fmt.Errorf("box %.60s is not four numbers: write [x0, y0, x1, y1]", raw)
		}
		b[i] = v
	}
	return nil
}

// Element kinds. The last three are artifacts: they belong to the page, not to the text.
const (
	KindHeading    = "heading"
	KindParagraph  = "paragraph"
	KindListItem   = "list-item"
	KindTable      = "table"
	KindFigure     = "figure"
	KindCaption    = "caption"
	KindFormula    = "formula"
	KindFootnote   = "footnote"
	KindCode       = "code"
	KindHeader     = "header"
	KindFooter     = "footer"
	KindPageNumber = "page-number"
)

// Kinds lists every element kind.
var Kinds = []string{KindHeading, KindParagraph, KindListItem, KindTable, KindFigure, KindCaption, KindFormula, KindFootnote, KindCode, KindHeader, KindFooter, KindPageNumber}

// Line is one printed line of an element.
type Line struct {
	Text string `json:"text"`
	Box  *Box   `json:"box,omitempty"`
}

// Element is one block of a page in reading order.
//
// Text of a table is its cell text in row order: cells of a row joined by a tab, rows by a
// newline; HTML then holds the same table as <table> markup. CaptionOf is the ID of the figure or
// table that a caption belongs to. Level is the depth of a heading, from 1; 0 is unknown.
type Element struct {
	ID        string `json:"id,omitempty"`
	Kind      string `json:"kind"`
	Text      string `json:"text,omitempty"`
	Level     int    `json:"level,omitempty"`
	Box       *Box   `json:"box,omitempty"`
	HTML      string `json:"html,omitempty"`
	CaptionOf string `json:"caption_of,omitempty"`
	Lines     []Line `json:"lines,omitempty"`
}

// Artifact reports whether the element is page furniture and so no part of the text.
func (e Element) Artifact() bool {
	return e.Kind == KindHeader || e.Kind == KindFooter || e.Kind == KindPageNumber
}

// Page is one physical page. Width and Height are PDF points, 0 where the format has none.
// NoText says that the page has no text layer (an image, or nothing at all).
type Page struct {
	Number   int       `json:"number"`
	Width    float64   `json:"width,omitempty"`
	Height   float64   `json:"height,omitempty"`
	NoText   bool      `json:"no_text,omitempty"`
	Elements []Element `json:"elements"`
}

// Text is the page's text: non-artifact elements in reading order joined by one newline. Elements
// without text (figures) add nothing.
func (p Page) Text() string {
	var b strings.Builder
	for _, e := range p.Elements {
		if e.Artifact() || e.Text == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.Text)
	}
	return b.String()
}

// Parsed is a document as elements on pages: what a parser made of it, or the gold. Both have this
// one form, so a parse can be scored, cut and corrupted by the same code as the truth.
//
// Paged is false where the source has no page marks (Markdown gold, HTML, text): everything then
// stands on page 1 and only document grain can be told apart. Mask lists what both sides leave
// out before text is compared: "formula", "citation".
type Parsed struct {
	Doc      string   `json:"doc,omitempty"`
	Engine   string   `json:"engine,omitempty"` // NAME@VERSION
	Paged    bool     `json:"paged"`
	Mask     []string `json:"mask,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	Pages    []Page   `json:"pages"`
	Tagged   []Tagged `json:"tagged,omitempty"` // facts that the file states for machines, in their order
}

// Text is the text of all pages joined by one newline; pages without text add nothing.
func (p Parsed) Text() string {
	var b strings.Builder
	for _, pg := range p.Pages {
		t := pg.Text()
		if t == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(t)
	}
	return b.String()
}

// Elements calls yield for every element in reading order with its page number.
func (p Parsed) Elements(yield func(page int, e Element) bool) {
	for _, pg := range p.Pages {
		for _, e := range pg.Elements {
			if !yield(pg.Number, e) {
				return
			}
		}
	}
}

// Licence says what may be done with a document and how that is known.
type Licence struct {
	SPDX         string `json:"spdx,omitempty"`
	Redistribute bool   `json:"redistribute"`
	Derivatives  bool   `json:"derivatives"`
	Commercial   bool   `json:"commercial"`
	Evidence     string `json:"evidence,omitempty"`
}

// Layout counts what stands in a document.
type Layout struct {
	Tables  int `json:"tables"`
	Figures int `json:"figures"`
	Columns int `json:"columns"`
}

// Origin says where a document came from.
type Origin struct {
	Name      string `json:"name,omitempty"`
	ID        string `json:"id,omitempty"`
	Retrieved string `json:"retrieved,omitempty"`
}

// Document is one line of documents.jsonl.
//
// Gold is "human", "source", "generated", "reference(ENGINE@VERSION)" or "none". Reference gold
// locates evidence but never scores parsing. Date is the document's own: the day, month or year
// (2026-03-01, 2026-03, 2026) on which it was published, filed or signed, or the year that a report is on.
type Document struct {
	ID      string  `json:"id"`
	Path    string  `json:"path"`
	SHA256  string  `json:"sha256,omitempty"`
	Bytes   int64   `json:"bytes,omitempty"`
	MIME    string  `json:"mime,omitempty"`
	Pages   int     `json:"pages,omitempty"`
	Title   string  `json:"title,omitempty"`
	Date    string  `json:"date,omitempty"`
	Domain  string  `json:"domain,omitempty"`
	Doctype string  `json:"doctype,omitempty"`
	Lang    string  `json:"lang,omitempty"`
	Split   string  `json:"split,omitempty"`
	Gold    string  `json:"gold,omitempty"`
	Scanned bool    `json:"scanned,omitempty"`
	Layout  *Layout `json:"layout,omitempty"`
	Source  *Origin `json:"source,omitempty"`
	Licence Licence `json:"licence"`
}

// GoldScoresParsing reports whether the document's gold may score parsing.
func (d Document) GoldScoresParsing() bool {
	return d.Gold == "human" || d.Gold == "source" || d.Gold == "generated"
}
