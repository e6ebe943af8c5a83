package parse

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/net/html/charset"

	"enterprisedocbench"
	"enterprisedocbench/internal/xmltree"
)

// MIME types of XML documents that name no type of their own: which of them a file is, its root
// element says.
const (
	typeXML  = "application/xml"
	typeJATS = "application/jats+xml"
	typeTEI  = "application/tei+xml"
)

// rootTypes are the types of XML documents by the name of their root element.
var rootTypes = map[string]string{"article": typeJATS, "TEI": typeTEI, "teiCorpus": typeTEI, "html": "application/xhtml+xml"}

// TypeOf is the MIME type of a file by which an engine is chosen: the one that is stated, without
// its parameters, and for XML ("application/xml", "text/xml") the one that the root element tells. A
// file that cannot be read keeps its stated type.
func TypeOf(path, mime string) string {
	mime, _, _ = strings.Cut(mime, ";")
	mime = strings.TrimSpace(mime)
	if mime != typeXML && mime != "text/xml" {
		return mime
	}
	f, err := os.Open(path)
	if err != nil {
		return mime
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 1<<16))
	if err != nil {
		return mime
	}
	if t := rootTypes[rootName(head)]; t != "" {
		return t
	}
	return mime
}

// rootName is the name of the first element of an XML document, "" where there is none.
func rootName(head []byte) string {
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(head, []byte("\ufeff"))))
	d.Strict = false
	d.CharsetReader = charset.NewReaderLabel
	for {
		t, err := d.RawToken()
		if err != nil {
			return ""
		}
		if e, ok := t.(xml.StartElement); ok {
			return e.Name.Local
		}
	}
}

// readXML reads a document whose root has one of the names, or any where none is given.
func readXML(b []byte, roots ...string) (*xmltree.Node, error) {
	root, err := xmltree.Read(b, roots...)
	switch {
	case errors.Is(err, xmltree.ErrLarge):
		return nil, fail(TooLarge, "line %w", err)
	case err != nil:
		return nil, fail(Damaged, "line %w", err)
	}
	return root, nil
}

// flow gathers the elements of a document without pages.
type flow struct{ els []edb.Element }

// add adds an element with an ID of its own and gives the ID. White space of the text is squeezed
// but in tables and code; an element without text is left out, a figure is not.
func (f *flow) add(e edb.Element) string {
	if e.Kind != edb.KindTable && e.Kind != edb.KindCode {
		e.Text = squeeze(e.Text)
	}
	if strings.TrimSpace(e.Text) == "" && e.Kind != edb.KindFigure {
		return ""
	}
	e.ID = f.next(1)
	f.els = append(f.els, e)
	return e.ID
}

// next is the ID of the n-th element that will be added from here on.
func (f *flow) next(n int) string { return fmt.Sprintf("p1e%d", len(f.els)+n) }

func (f *flow) text(kind, text string) { f.add(edb.Element{Kind: kind, Text: text}) }

func (f *flow) heading(level int, text string) {
	f.add(edb.Element{Kind: edb.KindHeading, Level: max(level, 1), Text: text})
}

// table adds a table behind its caption, if it has one. A table without text leaves the caption alone.
func (f *flow) table(caption string, t htmlTable) {
	text := t.text()
	if strings.TrimSpace(text) == "" {
		f.text(edb.KindCaption, caption)
		return
	}
	if caption = squeeze(caption); caption != "" {
		f.add(edb.Element{Kind: edb.KindCaption, Text: caption, CaptionOf: f.next(2)})
	}
	f.add(edb.Element{Kind: edb.KindTable, Text: text, HTML: t.html()})
}

// figure adds a figure and its caption, which may be empty.
func (f *flow) figure(caption string) {
	id := f.add(edb.Element{Kind: edb.KindFigure})
	f.add(edb.Element{Kind: edb.KindCaption, Text: caption, CaptionOf: id})
}

// tableOfCells makes a table of rows that were read from XML.
func tableOfCells(rows [][]xmltree.Cell) htmlTable {
	var t htmlTable
	for _, row := range rows {
		cells := make([]htmlCell, len(row))
		for i, c := range row {
			cells[i] = htmlCell{c.Head, c.Rows, c.Cols, c.Text}
		}
		t.rows = append(t.rows, cells)
	}
	return t
}

// sentence joins what is not empty by one blank.
func sentence(parts ...string) string { return squeeze(strings.Join(parts, " ")) }
