package universe

import (
	"fmt"
	"math"
	"strings"

	edb "enterprisedocbench"
)

// Page geometry: A4 in PDF points.
const (
	pageWidth   = 595.28
	pageHeight  = 841.89
	marginLeft  = 62.0
	marginRight = 62.0
	marginTop   = 84.0
	marginFoot  = 76.0
)

// rgb is a colour.
type rgb [3]int

var black, grey, rule = rgb{20, 20, 20}, rgb{105, 105, 105}, rgb{150, 150, 150}

// look is the typography of a document type.
type look struct {
	body, bold *face
	size       float64 // of body text
	accent     rgb
	tint       rgb // behind header rows
}

// op is one thing to draw on a page: text where face is set, else a rectangle or, with no fill, a
// line from (x, y) to (x+w, y+h).
type op struct {
	face       *face
	size       float64
	text       string
	color      rgb
	x, y, w, h float64
	fill       bool
}

// mark is a fact in the text of an element: the code points of the printed value and of the
// statement (sentence, table row, chart label) that says it.
type mark struct {
	field, value string
	page, elem   int
	evStart      int
	evEnd        int
}

type draft struct {
	elements []edb.Element
	ops      []op
}

// sheet lays a document out: it breaks lines and pages itself, so every box is known before
// anything is drawn. The first error sticks.
type sheet struct {
	look
	pages  []*draft
	marks  []mark
	x, w   float64 // the current column
	y      float64
	bottom float64
	next   int // of element ids
	err    error
}

func newSheet(l look) *sheet {
	s := &sheet{look: l, x: marginLeft, w: pageWidth - marginLeft - marginRight, bottom: pageHeight - marginFoot}
	s.newPage()
	return s
}

func (s *sheet) newPage() {
	s.pages = append(s.pages, &draft{})
	s.y = marginTop
}

func (s *sheet) page() *draft { return s.pages[len(s.pages)-1] }

// ensure starts a new page unless h points are left on this one.
func (s *sheet) ensure(h float64) {
	if s.y+h > s.bottom && s.y > marginTop {
		s.newPage()
	}
}

func (s *sheet) fail(err error) {
	if s.err == nil && err != nil {
		s.err = err
	}
}

func (s *sheet) width(f *face, text string, size float64) float64 {
	w, err := f.width(text, size)
	s.fail(err)
	return w
}

// marked takes statements with facts written {field|value} and gives the plain text of the
// statements joined by one space, with a mark for each fact.
func marked(statements ...string) (string, []mark) {
	var b strings.Builder
	var marks []mark
	n := 0
	for i, st := range statements {
		if i > 0 {
			b.WriteByte(' ')
			n++
		}
		start, first := n, len(marks)
		for st != "" {
			open := strings.IndexByte(st, '{')
			if open < 0 {
				open = len(st)
			}
			b.WriteString(st[:open])
			n += len([]rune(st[:open]))
			if st = st[open:]; st == "" {
				break
			}
			end := strings.IndexByte(st, '}')
			field, value, _ := strings.Cut(st[1:end], "|")
			b.WriteString(value)
			n += len([]rune(value))
			marks = append(marks, mark{field: field, value: value})
			st = st[end+1:]
		}
		for j := first; j < len(marks); j++ {
			marks[j].evStart, marks[j].evEnd = start, n
		}
	}
	return b.String(), marks
}

// wrap breaks text at spaces into lines of at most width points. A line is text without the space
// that broke it, so lines joined by one space are the text.
func (s *sheet) wrap(f *face, text string, size, width float64) []string {
	var lines []string
	line := ""
	for word := range strings.SplitSeq(text, " ") {
		if line == "" {
			line = word
			continue
		}
		if s.width(f, line+" "+word, size) > width {
			lines = append(lines, line)
			line = word
		} else {
			line += " " + word
		}
	}
	return append(lines, line)
}

func round2(v float64) float64 { return math.Round(v*100) / 100 }

// put draws one line of text with its left edge at x and its top at y, and gives it as a gold line.
func (s *sheet) put(f *face, text string, size, x, y float64, c rgb) edb.Line {
	s.page().ops = append(s.page().ops, op{face: f, size: size, text: text, color: c, x: x, y: y + f.ascent*size})
	return edb.Line{Text: text, Box: &edb.Box{round2(x), round2(y), round2(x + s.width(f, text, size)), round2(y + (f.ascent+f.descent)*size)}}
}

func (s *sheet) rect(x, y, w, h float64, c rgb) {
	s.page().ops = append(s.page().ops, op{x: x, y: y, w: w, h: h, color: c, fill: true})
}

func (s *sheet) line(x0, y0, x1, y1 float64, c rgb) {
	s.page().ops = append(s.page().ops, op{x: x0, y: y0, w: x1 - x0, h: y1 - y0, color: c})
}

// add appends an element to the current page, with an id, a box around its lines where it has none,
// and the marks of its text. It returns the element's id.
func (s *sheet) add(e edb.Element, marks []mark) string {
	s.next++
	e.ID = fmt.Sprintf("e%d", s.next)
	if e.Box == nil {
		e.Box = around(e.Lines)
	}
	p := s.page()
	for _, m := range marks {
		m.page, m.elem = len(s.pages)-1, len(p.elements)
		s.marks = append(s.marks, m)
	}
	p.elements = append(p.elements, e)
	return e.ID
}

// around is the smallest box around lines.
func around(lines []edb.Line) *edb.Box {
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

// block sets text as lines of one element and moves down past it.
func (s *sheet) block(kind string, level int, f *face, size, indent, after float64, c rgb, keep float64, statements ...string) {
	text, marks := marked(statements...)
	lines := s.wrap(f, text, size, s.w-indent)
	leading := size * 1.36
	s.ensure(leading*float64(len(lines)) + keep)
	e := edb.Element{Kind: kind, Level: level, Text: text}
	for _, l := range lines {
		e.Lines = append(e.Lines, s.put(f, l, size, s.x+indent, s.y, c))
		s.y += leading
	}
	s.add(e, marks)
	s.y += after
}

// title sets the document's title, a heading of level 1 with a rule below.
func (s *sheet) title(text string) {
	s.block(edb.KindHeading, 1, s.bold, s.size*1.8, 0, 4, s.accent, 0, text)
	s.rect(s.x, s.y, s.w, 1.4, s.accent)
	s.y += 12
}

// heading sets a section heading and keeps it with what follows.
func (s *sheet) heading(level int, text string) {
	if s.y > marginTop {
		s.y += 7
	}
	size := s.size * 1.22
	if level > 2 {
		size = s.size * 1.05
	}
	s.block(edb.KindHeading, level, s.bold, size, 0, 4, s.accent, 46, text)
}

func (s *sheet) para(statements ...string) {
	s.block(edb.KindParagraph, 0, s.body, s.size, 0, s.size*.55, black, 0, statements...)
}

// item sets one item of a list; its label belongs to the text.
func (s *sheet) item(statements ...string) {
	s.block(edb.KindListItem, 0, s.body, s.size, 16, s.size*.35, black, 0, statements...)
}

// height is how far down build moves on an endless page.
func (s *sheet) height(width float64, build func(*sheet)) float64 {
	t := &sheet{look: s.look, x: s.x, w: width, bottom: math.Inf(1)}
	t.newPage()
	t.y = marginTop + 1
	build(t)
	s.fail(t.err)
	return t.y - marginTop - 1
}

// together starts a new page unless all that build makes fits on this one.
func (s *sheet) together(build func(*sheet)) {
	s.ensure(s.height(s.w, build))
	build(s)
}

// columns sets two columns side by side on one page, left before right in reading order.
func (s *sheet) columns(left, right func(*sheet)) {
	const gap = 22.0
	x, w := s.x, s.w
	half := (w - gap) / 2
	s.ensure(max(s.height(half, left), s.height(half, right)))
	top := s.y
	s.w = half
	left(s)
	end := s.y
	s.x, s.y = x+half+gap, top
	right(s)
	s.x, s.w, s.y = x, w, max(end, s.y)
}
