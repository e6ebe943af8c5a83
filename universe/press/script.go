package press

import (
	"strconv"

	edb "enterprisedocbench"
)

// script is a file without pages that is being written, with its gold.
type script struct {
	b         []byte
	elements  []edb.Element
	marks     []mark
	artifacts int // elements so far that are furniture
}

func (c *content) script() *script {
	n := len(c.blocks) + 4
	for _, p := range c.blocks {
		if p.grid != nil || p.chart != nil {
			n++
		}
	}
	return &script{b: make([]byte, 0, 4096), elements: make([]edb.Element, 0, n), marks: make([]mark, 0, c.marks)}
}

func (w *script) add(parts ...string) {
	for _, p := range parts {
		w.b = append(w.b, p...)
	}
}

// element adds an element of the gold and gives its ID.
func (w *script) element(e edb.Element, marks []mark) string {
	e.ID = "e" + strconv.Itoa(len(w.elements)+1)
	for _, m := range marks {
		m.elem = len(w.elements) - w.artifacts
		w.marks = append(w.marks, m)
	}
	if e.Artifact() {
		w.artifacts++
	}
	w.elements = append(w.elements, e)
	return e.ID
}

// text adds an element of plain text to the gold.
func (w *script) text(kind string, level int, p passage) string {
	return w.element(edb.Element{Kind: kind, Level: level, Text: p.text}, p.marks)
}

// tabled adds a table, its caption before it, to the gold.
func (w *script) tabled(g *grid) {
	at := len(w.elements)
	if g.caption.text != "" {
		w.text(edb.KindCaption, 0, g.caption)
	}
	text, markup, marks := g.gold(g.every())
	id := w.element(edb.Element{Kind: edb.KindTable, Text: text, HTML: markup}, marks)
	if g.caption.text != "" {
		w.elements[at].CaptionOf = id
	}
}

// printed proves the facts and gives what was printed.
func (w *script) printed(doc, mime, ext string) (Printed, error) {
	out := Printed{Content: w.b, MIME: mime, Ext: ext, Gold: edb.Parsed{Doc: doc, Pages: []edb.Page{{Number: 1, Elements: w.elements}}}}
	var err error
	out.Mentions, err = locate(out.Gold, w.marks)
	return out, err
}

// last gives the blocks in the order of formats without pages: footnotes at the end.
func (c *content) last() []piece {
	notes := 0
	for i := range c.blocks {
		if c.blocks[i].Kind == edb.KindFootnote {
			notes++
		}
	}
	if notes == 0 {
		return c.blocks
	}
	out := make([]piece, 0, len(c.blocks))
	for _, notes := range []bool{false, true} {
		for _, p := range c.blocks {
			if (p.Kind == edb.KindFootnote) == notes {
				out = append(out, p)
			}
		}
	}
	return out
}

// labelled says whether the text of a list item begins with a label of its own: "(a)", "1.", a dash.
func labelled(text string) bool {
	if text == "" {
		return false
	}
	switch text[0] {
	case '(', '-', '*':
		return true
	}
	for i := 0; i < len(text) && i < 4; i++ {
		switch c := text[i]; {
		case c == '.' || c == ')':
			return i > 0
		case c >= '0' && c <= '9' || i == 0 && c >= 'a' && c <= 'z':
		default:
			return false
		}
	}
	return false
}
