package press

import (
	"fmt"
	"math"
	"strconv"

	edb "enterprisedocbench"
)

// Page geometry: A4 in PDF points.
const (
	PageWidth  = 595.28
	PageHeight = 841.89
	MarginSide = 62.0

	marginTop  = 84.0
	marginFoot = 76.0
	columnGap  = 22.0
)

// RGB is a colour, 0 to 255 each.
type RGB [3]uint8

var black, grey, rule, light = RGB{20, 20, 20}, RGB{105, 105, 105}, RGB{150, 150, 150}, RGB{225, 225, 225}

// Look is the typography of a document. The zero Look is sans serif of 10 points in dark blue.
type Look struct {
	Serif  bool
	Size   float64 // of body text, points
	Accent RGB     // of headings and bars
	Tint   RGB     // behind the header rows of tables
}

func (l Look) filled() Look {
	if l.Size == 0 {
		l.Size = 10
	}
	if l.Accent == (RGB{}) {
		l.Accent = RGB{24, 60, 110}
	}
	if l.Tint == (RGB{}) {
		l.Tint = RGB{226, 234, 244}
	}
	return l
}

// op is one thing to draw on a page: text where face is set, else a rectangle or, with no fill, a
// line from (x, y) to (x+w, y+h).
type op struct {
	face       *face
	text       string
	size       float64
	x, y, w, h float64
	color      RGB
	fill       bool
}

type draft struct {
	elements []edb.Element
	ops      []op
}

// Sheet lays a document out by hand: it breaks lines and pages itself, so every box is known before
// anything is drawn. The first error sticks and is given by Gold and Print. A Sheet is used once, by
// one goroutine.
type Sheet struct {
	look       Look
	body, bold *face
	pages      []*draft
	marks      []mark
	x, w       float64 // the current column
	y          float64
	top        float64 // of the current column
	bottom     float64
	breaks     int // of columns and pages so far
	next       int // of element ids
	flow       *flow
	err        error
}

// NewSheet returns a sheet with one empty page.
func NewSheet(l Look) *Sheet {
	s := &Sheet{look: l.filled(), body: sans, bold: sansBold, x: MarginSide, w: PageWidth - 2*MarginSide}
	if l.Serif {
		s.body, s.bold = serif, serifBold
	}
	s.newPage()
	return s
}

func (s *Sheet) newPage() {
	s.pages = append(s.pages, &draft{})
	s.y, s.top, s.bottom = marginTop, marginTop, PageHeight-marginFoot
}

func (s *Sheet) page() *draft { return s.pages[len(s.pages)-1] }

// advance goes on to the next column or page.
func (s *Sheet) advance() {
	s.breaks++
	if s.flow != nil {
		s.flow.advance()
		return
	}
	s.newPage()
}

// ensure goes on to the next column or page unless h points are left in this one.
func (s *Sheet) ensure(h float64) {
	for s.y+h > s.bottom && s.y > marginTop {
		s.advance()
	}
}

func (s *Sheet) fail(err error) {
	if s.err == nil && err != nil {
		s.err = err
	}
}

func (s *Sheet) units(f *face, text string) int {
	n, err := f.units(text)
	s.fail(err)
	return n
}

// points is a width in thousandths of the font size as points.
func points(units int, size float64) float64 { return float64(units) * size / 1000 }

func (s *Sheet) width(f *face, text string, size float64) float64 {
	return points(s.units(f, text), size)
}

// line is a line of text and its width in thousandths of the font size.
type line struct {
	text  string
	units int
}

// wrap breaks text at spaces into lines of at most width points. A line is text without the space
// that broke it, so lines joined by one space are the text. A word wider than that is a line.
func (s *Sheet) wrap(f *face, text string, size, width float64) []line {
	n := s.units(f, text)
	if points(n, size) <= width || s.err != nil {
		return []line{{text, n}}
	}
	lines := make([]line, 0, int(points(n, size)/width)+2)
	gap := int(f.widths[' '])
	start, units := 0, -1 // of the line
	for at := 0; at <= len(text); {
		end := at
		word := 0
		for end < len(text) && text[end] != ' ' {
			c, size := decode(text, end)
			word += int(f.widths[c])
			end += size
		}
		switch {
		case units < 0:
			units = word
		case points(units+gap+word, size) > width:
			lines = append(lines, line{text[start : at-1], units})
			start, units = at, word
		default:
			units += gap + word
		}
		at = end + 1
	}
	return append(lines, line{text[start:], units})
}

func round2(v float64) float64 { return math.Round(v*100) / 100 }

// put draws one line of text with its left edge at x and its top at y, and gives it as a gold line.
func (s *Sheet) put(f *face, l line, size, x, y float64, c RGB) edb.Line {
	p := s.page()
	p.ops = append(p.ops, op{face: f, size: size, text: l.text, color: c, x: x, y: y + f.ascent*size})
	return edb.Line{Text: l.text, Box: &edb.Box{round2(x), round2(y), round2(x + points(l.units, size)), round2(y + (f.ascent+f.descent)*size)}}
}

// measured is text as a line.
func (s *Sheet) measured(f *face, text string) line { return line{text, s.units(f, text)} }

func (s *Sheet) rect(x, y, w, h float64, c RGB) {
	s.page().ops = append(s.page().ops, op{x: x, y: y, w: w, h: h, color: c, fill: true})
}

func (s *Sheet) line(x0, y0, x1, y1 float64, c RGB) {
	s.page().ops = append(s.page().ops, op{x: x0, y: y0, w: x1 - x0, h: y1 - y0, color: c})
}

// add appends an element to the current page, with an id, a box around its lines where it has none,
// and the marks of its text. It returns the element's id.
func (s *Sheet) add(e edb.Element, marks []mark) string {
	s.next++
	e.ID = "e" + strconv.Itoa(s.next)
	if e.Box == nil {
		e.Box = Around(e.Lines)
	}
	p := s.page()
	for _, m := range marks {
		m.page, m.elem = len(s.pages)-1, len(p.elements)
		s.marks = append(s.marks, m)
	}
	p.elements = append(p.elements, e)
	return e.ID
}

// Around is the smallest box around lines.
func Around(lines []edb.Line) *edb.Box {
	var b *edb.Box
	for _, l := range lines {
		switch {
		case l.Box == nil:
		case b == nil:
			c := *l.Box
			b = &c
		default:
			b[0], b[1] = min(b[0], l.Box[0]), min(b[1], l.Box[1])
			b[2], b[3] = max(b[2], l.Box[2]), max(b[3], l.Box[3])
		}
	}
	return b
}

// Gold gives the gold and the mentions without drawing: header, footer and page number are set on
// every page. It fails with the sheet's first error, or where a fact does not hold.
func (s *Sheet) Gold(doc, head, foot string) (edb.Parsed, []Mention, error) {
	if s.flow != nil {
		s.flow.notes()
	}
	gold := s.finish(doc, head, foot)
	if s.err != nil {
		return edb.Parsed{}, nil, s.err
	}
	mentions, err := locate(gold, s.marks)
	return gold, mentions, err
}

// Print gives the PDF with its gold and mentions. Of the story only ID, Title, Author, Made, Head and
// Foot are looked at.
func (s *Sheet) Print(about Story) (out Printed, err error) {
	out.MIME, out.Ext = "application/pdf", ".pdf"
	if out.Gold, out.Mentions, err = s.Gold(about.ID, about.Head, about.Foot); err != nil {
		return Printed{}, err
	}
	out.Content, err = s.draw(about.Title, about.Author, about.Made)
	return out, err
}

// finish sets header, footer and page number on every page and gives the gold.
func (s *Sheet) finish(doc, head, foot string) edb.Parsed {
	out := edb.Parsed{Doc: doc, Paged: true, Pages: make([]edb.Page, len(s.pages))}
	all := s.pages
	size := s.look.Size * .82
	set := func(elements []edb.Element, kind string, l line, x, y float64) []edb.Element {
		if l.text == "" {
			return elements
		}
		g := s.put(s.body, l, size, x, y, grey)
		return append(elements, edb.Element{ID: fmt.Sprintf("p%d-%s", len(s.pages), kind), Kind: kind, Text: l.text, Box: g.Box, Lines: []edb.Line{g}})
	}
	top, end := s.measured(s.body, head), s.measured(s.body, foot)
	at := PageHeight - 48
	for i, p := range all {
		s.pages = all[:i+1]
		elements := make([]edb.Element, 0, len(p.elements)+3)
		elements = set(elements, edb.KindHeader, top, MarginSide, 44)
		s.line(MarginSide, 60, PageWidth-MarginSide, 60, rule)
		s.line(MarginSide, at-6, PageWidth-MarginSide, at-6, rule)
		elements = append(elements, p.elements...)
		elements = set(elements, edb.KindFooter, end, MarginSide, at)
		number := s.measured(s.body, fmt.Sprintf("Page %d of %d", i+1, len(all)))
		elements = set(elements, edb.KindPageNumber, number, PageWidth-MarginSide-points(number.units, size), at)
		out.Pages[i] = edb.Page{Number: i + 1, Width: PageWidth, Height: PageHeight, Elements: elements}
	}
	return out
}
