package press

import (
	"math"

	edb "enterprisedocbench"
)

// block sets a text as lines of one element and moves down past it.
func (s *Sheet) block(kind string, level int, f *face, size, indent, after float64, c RGB, keep float64, p passage) {
	lines := s.wrap(f, p.text, size, s.w-indent)
	s.ensure(lead(size)*float64(len(lines)) + keep)
	if s.flow != nil {
		s.flow.check(f, lines, size, indent)
	}
	s.set(kind, level, f, size, indent, after, c, p, lines)
}

// lead is the distance of lines of text of a size.
func lead(size float64) float64 { return size * 1.36 }

// set draws lines where the sheet stands, as one element of the text p.
func (s *Sheet) set(kind string, level int, f *face, size, indent, after float64, c RGB, p passage, lines []line) {
	e := edb.Element{Kind: kind, Level: level, Text: p.text, Lines: make([]edb.Line, 0, len(lines))}
	for _, l := range lines {
		if l.text == "" {
			e.Lines = append(e.Lines, edb.Line{})
		} else {
			e.Lines = append(e.Lines, s.put(f, l, size, s.x+indent, s.y, c))
		}
		s.y += lead(size)
	}
	s.add(e, p.marks)
	s.y += after
}

// said reads statements; a malformed one is the sheet's error.
func (s *Sheet) said(texts ...string) passage {
	p, err := statements(texts...)
	s.fail(err)
	return p
}

// Title sets the document's title, a heading of level 1 with a rule below.
func (s *Sheet) Title(text string) { s.title(s.said(text)) }

func (s *Sheet) title(p passage) {
	s.block(edb.KindHeading, 1, s.bold, s.look.Size*1.8, 0, 4, s.look.Accent, 0, p)
	s.rect(s.x, s.y, s.w, 1.4, s.look.Accent)
	s.y += 12
}

// Heading sets a section heading and keeps it with what follows.
func (s *Sheet) Heading(level int, text string) { s.heading(level, s.said(text)) }

func (s *Sheet) heading(level int, p passage) {
	if s.y > s.top {
		s.y += 7
	}
	size := s.look.Size * 1.22
	if level > 2 {
		size = s.look.Size * 1.05
	}
	s.block(edb.KindHeading, level, s.bold, size, 0, 4, s.look.Accent, 46, p)
}

// Para sets a paragraph. Each statement is what says its own facts.
func (s *Sheet) Para(statements ...string) { s.para(s.said(statements...)) }

func (s *Sheet) para(p passage) {
	s.block(edb.KindParagraph, 0, s.body, s.look.Size, 0, s.look.Size*.55, black, 0, p)
}

// Item sets one item of a list; its label belongs to the text.
func (s *Sheet) Item(statements ...string) { s.item(16, s.said(statements...)) }

func (s *Sheet) item(indent float64, p passage) {
	s.block(edb.KindListItem, 0, s.body, s.look.Size, indent, s.look.Size*.35, black, 0, p)
}

// height is how far down build moves on an endless page.
func (s *Sheet) height(width float64, build func(*Sheet)) float64 {
	t := &Sheet{look: s.look, body: s.body, bold: s.bold, x: s.x, w: width}
	t.newPage()
	t.bottom = math.Inf(1)
	t.y = marginTop + 1
	build(t)
	s.fail(t.err)
	return t.y - marginTop - 1
}

// Together starts a new page unless all that build makes fits on this one.
func (s *Sheet) Together(build func(*Sheet)) {
	s.ensure(s.height(s.w, build))
	build(s)
}

// Columns sets two columns side by side on one page, left before right in reading order.
func (s *Sheet) Columns(left, right func(*Sheet)) {
	x, w := s.x, s.w
	half := (w - columnGap) / 2
	s.ensure(max(s.height(half, left), s.height(half, right)))
	top := s.y
	s.w = half
	left(s)
	end := s.y
	s.x, s.y = x+half+columnGap, top
	right(s)
	s.x, s.w, s.y = x, w, max(end, s.y)
}
