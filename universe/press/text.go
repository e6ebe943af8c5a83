package press

import (
	"strings"
	"unicode/utf8"

	edb "enterprisedocbench"
)

// lineWidth is where lines of plain text are broken, in code points.
const lineWidth = 88

// text prints a story as plain text: paragraphs between blank lines, tables in columns. Charts are
// printed as their data.
func (c *content) text() (Printed, error) {
	w := c.script()
	if c.title.text != "" {
		w.wrapped("", c.title.text)
		w.text(edb.KindHeading, 1, c.title)
	}
	before := ""
	for _, p := range c.last() {
		if len(w.b) > 0 && (before != edb.KindListItem || p.Kind != before) {
			w.b = append(w.b, '\n')
		}
		before = p.Kind
		switch p.Kind {
		case edb.KindHeading:
			w.wrapped("", p.text.text)
			w.text(p.Kind, p.depth(), p.text)
		case edb.KindListItem:
			w.item(p)
		case edb.KindCode:
			w.add(p.text.text, "\n")
			w.text(p.Kind, 0, p.text)
		case edb.KindTable:
			w.aligned(p.grid)
		case edb.KindFigure:
			w.aligned(p.chart.data())
		default:
			w.wrapped("", p.text.text)
			w.text(p.Kind, 0, p.text)
		}
	}
	return w.printed(c.ID, "text/plain", ".txt")
}

// item writes a list item. A dash that stands for a label is part of its text: nothing else in plain
// text says that it is an item.
func (w *script) item(p piece) {
	indent := strings.Repeat("  ", p.depth())
	t := p.text
	if !labelled(t.text) {
		t = passage{text: "- " + t.text, marks: shifted(append([]mark(nil), t.marks...), 2)}
	}
	w.wrapped(indent, t.text)
	w.text(p.Kind, 0, t)
}

// wrapped writes text in lines of at most lineWidth code points, where words allow.
func (w *script) wrapped(indent, text string) {
	n, limit := 0, lineWidth-len(indent)
	w.add(indent)
	for text != "" {
		word, rest, _ := strings.Cut(text, " ")
		size := utf8.RuneCountInString(word)
		switch {
		case n == 0:
		case n+1+size > limit:
			w.add("\n", indent)
			n = 0
		default:
			w.b = append(w.b, ' ')
			n++
		}
		w.add(word)
		n += size
		text = rest
	}
	w.b = append(w.b, '\n')
}

// aligned writes a table in columns that are parted by two spaces or more.
func (w *script) aligned(g *grid) {
	if g.caption.text != "" {
		w.wrapped("", g.caption.text)
	}
	w.tabled(g)
	widths := make([]int, g.columns)
	for _, row := range g.rows {
		for _, c := range row {
			if c.cols == 1 {
				widths[c.col] = max(widths[c.col], utf8.RuneCountInString(c.text))
			}
		}
	}
	for _, row := range g.rows {
		at, col, from := 0, 0, len(w.b)
		for _, c := range row {
			for ; col < c.col; col++ {
				at += widths[col] + 2
			}
			n := utf8.RuneCountInString(c.text)
			pad := at
			if g.Right != nil && g.Right[c.col] && c.cols == 1 {
				pad += widths[c.col] - n
			}
			have := utf8.RuneCount(w.b[from:])
			if have > 0 {
				pad = max(pad, have+2)
			}
			for ; have < pad; have++ {
				w.b = append(w.b, ' ')
			}
			w.add(c.text)
		}
		w.b = append(w.b, '\n')
	}
}
