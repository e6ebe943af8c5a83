package datasets

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/xmltree"
)

// blocks builds gold on one page: elements in reading order, with the place of each in the text of
// the page. White space of texts is squeezed, as readers of HTML do.
type blocks struct {
	els             []edb.Element
	size            int // code points of the text so far
	tables, figures int
}

// stretch is a half-open range of code points of the text of page 1.
type stretch struct{ start, end int }

// add adds an element with an ID of its own and gives its place; one without text stands nowhere
// and is kept only where it is a figure.
func (b *blocks) add(e edb.Element) stretch {
	if e.Kind != edb.KindTable && e.Kind != edb.KindCode {
		e.Text = squeeze(e.Text)
	}
	if e.Text == "" && e.Kind != edb.KindFigure {
		return stretch{b.size, b.size}
	}
	if e.ID == "" {
		e.ID = fmt.Sprintf("e%d", len(b.els)+1)
	}
	b.els = append(b.els, e)
	if e.Text == "" {
		return stretch{b.size, b.size}
	}
	if b.size > 0 {
		b.size++ // the newline between elements
	}
	at := stretch{b.size, b.size + utf8.RuneCountInString(e.Text)}
	b.size = at.end
	return at
}

func (b *blocks) heading(level int, text string) stretch {
	return b.add(edb.Element{Kind: edb.KindHeading, Level: level, Text: text})
}

func (b *blocks) paragraph(text string) stretch {
	return b.add(edb.Element{Kind: edb.KindParagraph, Text: text})
}

// table adds a table after its caption, if it has one, and gives the place of each row. A table
// without any text is left out.
func (b *blocks) table(caption string, g grid) []stretch {
	text := g.text()
	if strings.TrimSpace(text) == "" {
		b.add(edb.Element{Kind: edb.KindCaption, Text: caption})
		return nil
	}
	b.tables++
	id := fmt.Sprintf("t%d", b.tables)
	b.add(edb.Element{Kind: edb.KindCaption, Text: caption, CaptionOf: id})
	at := b.add(edb.Element{ID: id, Kind: edb.KindTable, Text: text, HTML: g.html()})
	rows := make([]stretch, 0, len(g.rows))
	for line := range strings.SplitSeq(text, "\n") {
		n := utf8.RuneCountInString(line)
		rows = append(rows, stretch{at.start, at.start + n})
		at.start += n + 1
	}
	return rows
}

// figure adds a figure and its caption, which may be empty.
func (b *blocks) figure(caption string) {
	b.figures++
	id := fmt.Sprintf("f%d", b.figures)
	b.add(edb.Element{ID: id, Kind: edb.KindFigure})
	b.add(edb.Element{Kind: edb.KindCaption, Text: caption, CaptionOf: id})
}

// onePage is the gold of a file that is one page, as those of formats without pages are.
func (b *blocks) onePage() *edb.Parsed {
	return &edb.Parsed{Paged: true, Pages: []edb.Page{{Number: 1, Elements: b.els}}}
}

// unpaged is the gold of a file with pages, where nobody says what stands on which.
func (b *blocks) unpaged() *edb.Parsed {
	p := b.onePage()
	p.Paged = false
	return p
}

// text is that of page 1.
func (b *blocks) text() string { return edb.Page{Elements: b.els}.Text() }

func (b *blocks) layout() *edb.Layout { return &edb.Layout{Tables: b.tables, Figures: b.figures} }

// evidenceIn quotes a place of the text of page 1.
func evidenceIn(text []rune, doc string, at stretch) edb.Evidence {
	return edb.Evidence{Doc: doc, Page: 1, Start: at.start, End: at.end, Quote: string(text[at.start:at.end])}
}

// page writes headings, paragraphs, list items and tables as an HTML page whose text is that of the
// gold.
func (b *blocks) page(title string) []byte {
	var s strings.Builder
	s.WriteString(htmlHead(title))
	for _, e := range b.els {
		switch e.Kind {
		case edb.KindHeading:
			h := min(max(e.Level, 1), 6)
			fmt.Fprintf(&s, "<h%d>%s</h%d>\n", h, html.EscapeString(e.Text), h)
		case edb.KindTable:
			s.WriteString(e.HTML + "\n")
		case edb.KindListItem:
			s.WriteString("<ul><li>" + html.EscapeString(e.Text) + "</li></ul>\n")
		default:
			s.WriteString("<p>" + html.EscapeString(e.Text) + "</p>\n")
		}
	}
	s.WriteString("</body>\n</html>\n")
	return []byte(s.String())
}

func htmlHead(title string) string {
	return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + html.EscapeString(squeeze(title)) + "</title>\n</head>\n<body>\n"
}

// gridOf makes a table of rows of plain cells; the first heads rows are marked as headers.
func gridOf(rows [][]string, heads int) grid {
	g := grid{rows: make([][]gridCell, len(rows))}
	for i, row := range rows {
		for _, c := range row {
			g.rows[i] = append(g.rows[i], gridCell{text: squeeze(c), rows: 1, cols: 1, head: i < heads})
		}
	}
	return g
}

// xmlGrid makes a table of rows that were read from XML.
func xmlGrid(rows [][]xmltree.Cell) grid {
	g := grid{rows: make([][]gridCell, len(rows))}
	for i, row := range rows {
		for _, c := range row {
			g.rows[i] = append(g.rows[i], gridCell{text: c.Text, rows: c.Rows, cols: c.Cols, head: c.Head})
		}
	}
	return g
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }
