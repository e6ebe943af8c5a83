package press

import (
	"fmt"
	"math"
	"unicode/utf8"

	edb "enterprisedocbench"
)

// flow fills a sheet with the blocks of a story: columns one after the other, what belongs together
// in one column, footnotes at its foot.
type flow struct {
	*Sheet
	columns int
	column  int // that is being filled, from 0
	wide    bool
	limit   float64      // how far down columns may be filled where they are balanced
	ends    [2]float64   // how far down each column of the page is filled
	floors  [2]float64   // where its footnotes begin
	notices [2][]passage // its footnotes
	fresh   *saved       // the page as it was when it was empty; nil in one column
	stretch
}

const fullWidth = PageWidth - 2*MarginSide

// floor is the foot of a column without footnotes, tallest the height of an empty one.
const (
	floor   = PageHeight - marginFoot
	tallest = floor - marginTop
)

func newFlow(s *Sheet, columns int) *flow {
	f := &flow{Sheet: s, columns: columns}
	s.flow = f
	f.begin()
	return f
}

func (f *flow) columnWidth() float64 {
	if f.columns == 1 {
		return fullWidth
	}
	return (fullWidth - columnGap) / 2
}

// begin takes up a page that is empty.
func (f *flow) begin() {
	f.column, f.ends, f.floors, f.notices = 0, [2]float64{marginTop, marginTop}, [2]float64{floor, floor}, [2][]passage{}
	f.limit, f.bottom = math.Inf(1), floor
	f.x, f.w = MarginSide, f.columnWidth()
	if f.wide {
		f.w = fullWidth
	} else if f.columns > 1 {
		b := f.save()
		f.fresh = &b
	}
}

// advance goes on to the next column or page.
func (f *flow) advance() {
	if !f.wide {
		f.ends[f.column] = max(f.ends[f.column], f.y)
		if f.column+1 < f.columns {
			f.column++
			f.x, f.y, f.bottom = MarginSide+f.w+columnGap, f.top, min(f.floors[f.column], f.limit)
			return
		}
	}
	f.notes()
	f.newPage()
	f.begin()
}

// across builds over all columns, below what they hold so far.
func (f *flow) across(build func()) {
	if f.columns == 1 {
		build()
		return
	}
	f.ends[f.column] = max(f.ends[f.column], f.y)
	f.x, f.w, f.y, f.bottom, f.wide = MarginSide, fullWidth, max(f.ends[0], f.ends[1]), min(f.floors[0], f.floors[1]), true
	build()
	f.wide = false
	f.column, f.x, f.w, f.top, f.bottom, f.limit = 0, MarginSide, f.columnWidth(), f.y, f.floors[0], math.Inf(1)
	f.ends = [2]float64{f.y, f.y}
}

// saved is the state of a layout before something that may not fit.
type saved struct {
	sheet                       Sheet
	flow                        flow
	pages, elements, ops, marks int
}

func (f *flow) save() saved {
	p := f.page()
	return saved{*f.Sheet, *f, len(f.pages), len(p.elements), len(p.ops), len(f.marks)}
}

func (f *flow) restore(b saved) {
	s := f.Sheet
	*s, *f = b.sheet, b.flow
	s.pages, s.marks = s.pages[:b.pages], s.marks[:b.marks]
	p := s.page()
	p.elements, p.ops = p.elements[:b.elements], p.ops[:b.ops]
}

// whole builds in one column, if one can hold it all.
func (f *flow) whole(build func()) {
	for f.y > marginTop {
		before := f.save()
		build()
		if f.breaks == before.sheet.breaks || f.err != nil {
			return
		}
		f.restore(before)
		f.Sheet.advance()
	}
	build()
}

// check fails where a line is wider than its column or its block than a page.
func (f *flow) check(face *face, lines []line, size, indent float64) {
	for _, l := range lines {
		if w := points(l.units, size); w > f.w-indent+.01 && f.err == nil {
			f.fail(fmt.Errorf("%q is %.0f points wide, its column has %.0f: break it up", l.text, w, f.w-indent))
		}
	}
	if h := lead(size) * float64(len(lines)); f.y+h > f.bottom+.01 && f.err == nil {
		f.fail(fmt.Errorf("%q and so on is %.0f points high, its column has %.0f: shorten it", lines[0].text, h, f.bottom-f.y))
	}
}

// text sets running text, over several columns only where one cannot hold it.
func (f *flow) text(kind string, face *face, size, indent, after float64, p passage) {
	lines := f.wrap(face, p.text, size, f.w-indent)
	f.lines(kind, face, size, indent, after, p, lines)
}

func (f *flow) lines(kind string, face *face, size, indent, after float64, p passage, lines []line) {
	h := lead(size)
	if h*float64(len(lines)) <= tallest {
		f.ensure(h * float64(len(lines)))
		f.check(face, lines, size, indent)
		f.before(kind, size, indent, len(lines), !labelled(p.text))
		f.set(kind, 0, face, size, indent, after, black, p, lines)
		return
	}
	bytes, done := 0, 0 // of the text that is set, in bytes and in code points
	for first := true; len(lines) > 0 && f.err == nil; {
		n := min(int((f.bottom-f.y)/h), len(lines))
		length, chars := 0, 0
		for ; n > 0; n-- {
			length, chars = extent(lines[:n])
			if n == len(lines) || !within(p.marks, done+chars) {
				break
			}
		}
		if n < 2 && n < len(lines) && f.y > marginTop {
			f.Sheet.advance()
			continue
		}
		if n == 0 {
			f.fail(fmt.Errorf("%q holds a fact that is longer than a page: shorten it", lines[0].text))
			return
		}
		f.check(face, lines[:n], size, indent)
		part := passage{text: p.text[bytes : bytes+length]}
		for _, m := range p.marks {
			if m.start >= done && m.end <= done+chars {
				m.evStart, m.evEnd = max(m.evStart, done), min(m.evEnd, done+chars)
				part.marks = append(part.marks, m)
			}
		}
		shifted(part.marks, -done)
		f.before(kind, size, indent, n, first && !labelled(p.text))
		f.set(kind, 0, face, size, indent, after, black, part, lines[:n])
		first = false
		bytes, done, lines = bytes+length+1, done+chars+1, lines[n:]
		if len(lines) > 0 {
			f.Sheet.advance()
		}
	}
}

// extent is the length of lines joined by one character, in bytes and in code points.
func extent(lines []line) (bytes, chars int) {
	for _, l := range lines {
		bytes, chars = bytes+len(l.text)+1, chars+utf8.RuneCountInString(l.text)+1
	}
	return bytes - 1, chars - 1
}

// within says whether a text cut at a code point would cut the value of a fact.
func within(marks []mark, at int) bool {
	for _, m := range marks {
		if m.start < at && m.end > at {
			return true
		}
	}
	return false
}

// before draws what stands beside n lines of a kind: the ground of code, the dot of a list item.
func (f *flow) before(kind string, size, indent float64, n int, dot bool) {
	switch {
	case kind == edb.KindCode:
		f.rect(f.x, f.y-3, f.w, lead(size)*float64(n)+5, RGB{244, 244, 244})
	case kind == edb.KindListItem && dot:
		f.rect(f.x+indent-10, f.y+size*.46, 3, 3, f.look.Accent)
	}
}

func (f *flow) noteSize() float64 { return f.look.Size * .82 }

// note keeps room for a footnote at the foot of the column.
func (f *flow) note(p passage) {
	const gap = 9.0 // above the first
	h := lead(f.noteSize()) * float64(len(f.wrap(f.body, p.text, f.noteSize(), f.columnWidth())))
	for {
		need := h
		if len(f.notices[f.column]) == 0 {
			need += gap
		}
		if f.y+need <= f.floors[f.column]+.01 {
			f.floors[f.column] -= need
			f.bottom = min(f.bottom, f.floors[f.column])
			f.notices[f.column] = append(f.notices[f.column], p)
			return
		}
		if f.y <= marginTop {
			f.fail(fmt.Errorf("%q is longer than a page: shorten it", p.text))
			return
		}
		f.Sheet.advance()
	}
}

// notes sets the footnotes of the page, column by column.
func (f *flow) notes() {
	at := *f.Sheet
	for i, list := range f.notices {
		if len(list) == 0 {
			continue
		}
		f.w = f.columnWidth()
		f.x, f.y, f.bottom = MarginSide+float64(i)*(f.w+columnGap), f.floors[i], PageHeight
		f.line(f.x, f.y+4, f.x+80, f.y+4, rule)
		f.y += 9
		for _, p := range list {
			f.block(edb.KindFootnote, 0, f.body, f.noteSize(), 0, 0, black, 0, p)
		}
		f.notices[i] = nil
	}
	f.x, f.w, f.y, f.bottom = at.x, at.w, at.y, at.bottom
}
