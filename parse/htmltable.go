package parse

import (
	"fmt"
	stdhtml "html"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlTable is a table as its markup says it: rows of cells with spans.
type htmlTable struct {
	caption string
	rows    [][]htmlCell
}

type htmlCell struct {
	head             bool
	rowspan, colspan int // from 1
	text             string
}

// maxSpan is the widest span that is believed; wider ones are read as 1.
const maxSpan = 1000

// tableOf reads a <table> node. Rows count wherever they stand inside it, nested tables are text of
// their cell.
func tableOf(n *html.Node) htmlTable {
	var t htmlTable
	var visit func(n *html.Node, depth int)
	visit = func(n *html.Node, depth int) {
		if depth > maxDepth {
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch {
			case c.DataAtom == atom.Caption:
				t.caption = squeeze(textOf(c, 0))
			case c.DataAtom == atom.Tr && !hidden(c):
				t.rows = append(t.rows, rowOf(c))
			default:
				visit(c, depth+1)
			}
		}
	}
	visit(n, 0)
	return t
}

// line is the text of a table that is a line of text and no more: one row of it has cells with text, three
// at most. Else it is "".
func (t htmlTable) line() (text string) {
	for _, row := range t.rows {
		var cells []string
		for _, c := range row {
			if c.text != "" {
				cells = append(cells, c.text)
			}
		}
		switch {
		case len(cells) == 0:
		case text != "" || len(cells) > 3:
			return ""
		default:
			text = strings.Join(cells, " ")
			if len(cells) > 1 && !division.MatchString(text) && !decimals.MatchString(text) {
				return ""
			}
		}
	}
	return text
}

func rowOf(tr *html.Node) []htmlCell {
	var row []htmlCell
	for d := tr.FirstChild; d != nil; d = d.NextSibling {
		if d.DataAtom != atom.Td && d.DataAtom != atom.Th || hidden(d) {
			continue
		}
		row = append(row, htmlCell{d.DataAtom == atom.Th, span(d, "rowspan"), span(d, "colspan"), squeeze(textOf(d, 0))})
	}
	return row
}

func span(n *html.Node, key string) int { return spanOf(attr(n, key)) }

// spanOf reads how many rows or columns a cell takes; what is no number, or too large, is 1.
func spanOf(s string) int {
	v, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || v < 1 || v > maxSpan {
		return 1
	}
	return v
}

// readTable reads the first table of a piece of markup; ok is false where there is none.
func readTable(s string) (t htmlTable, ok bool) {
	root, err := html.Parse(strings.NewReader(s))
	if err != nil {
		return t, false
	}
	for n := range root.Descendants() {
		if n.DataAtom == atom.Table {
			t = tableOf(n)
			return t, len(t.rows) > 0
		}
	}
	return t, false
}

// textTable reads a table's text form, cells by tabs and rows by newlines.
func textTable(s string) htmlTable {
	var t htmlTable
	for line := range strings.SplitSeq(s, "\n") {
		var row []htmlCell
		for c := range strings.SplitSeq(line, "\t") {
			row = append(row, htmlCell{rowspan: 1, colspan: 1, text: c})
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// html writes the table without anything but rows, cells, spans and text.
func (t htmlTable) html() string {
	var b strings.Builder
	b.WriteString("<table>")
	for _, row := range t.rows {
		b.WriteString("<tr>")
		for _, c := range row {
			tag := "td"
			if c.head {
				tag = "th"
			}
			b.WriteString("<" + tag)
			if c.rowspan > 1 {
				fmt.Fprintf(&b, ` rowspan="%d"`, c.rowspan)
			}
			if c.colspan > 1 {
				fmt.Fprintf(&b, ` colspan="%d"`, c.colspan)
			}
			b.WriteString(">" + stdhtml.EscapeString(c.text) + "</" + tag + ">")
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</table>")
	return b.String()
}

// text writes the cells in row order: a row's cells joined by a tab, rows by a newline.
func (t htmlTable) text() string {
	rows := make([]string, len(t.rows))
	for i, row := range t.rows {
		cells := make([]string, len(row))
		for j, c := range row {
			cells[j] = c.text
		}
		rows[i] = strings.Join(cells, "\t")
	}
	return strings.Join(rows, "\n")
}
