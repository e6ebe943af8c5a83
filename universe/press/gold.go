package press

import (
	"fmt"
	"unicode/utf8"

	edb "enterprisedocbench"
)

// locate turns the marks of a layout into mentions in page coordinates and proves each: the quote is
// what stands at its offsets, and the value stands in it at its own.
func locate(gold edb.Parsed, marks []mark) ([]Mention, error) {
	if len(marks) == 0 {
		return nil, nil
	}
	type page struct {
		runes  runes
		starts []int // offset of each element on the page, artifacts aside
		elems  []int // their indexes among all elements
	}
	pages := make([]page, len(gold.Pages))
	for i, p := range gold.Pages {
		pages[i].runes = newRunes(p.Text())
		at := 0
		for k, e := range p.Elements {
			if e.Artifact() {
				continue
			}
			pages[i].starts = append(pages[i].starts, at)
			pages[i].elems = append(pages[i].elems, k)
			if e.Text != "" {
				at += utf8.RuneCountInString(e.Text) + 1
			}
		}
	}
	out := make([]Mention, len(marks))
	var text runes
	var last *edb.Element // whose text it is
	for i, m := range marks {
		p := &pages[m.page]
		at, e := p.starts[m.elem], &gold.Pages[m.page].Elements[p.elems[m.elem]]
		if i == 0 || e != last {
			text, last = newRunes(e.Text), e
		}
		if m.evStart < 0 || m.evStart > m.start || m.start >= m.end || m.end > m.evEnd || m.evEnd > text.n {
			return nil, fmt.Errorf("fact %s: not in the text of element %s", m.field, e.ID)
		}
		ev := edb.Evidence{Doc: gold.Doc, Page: gold.Pages[m.page].Number, Start: at + m.evStart, End: at + m.evEnd,
			Quote: text.cut(m.evStart, m.evEnd), Box: BoxOf(*e, m.evStart, m.evEnd)}
		if ev.End > p.runes.n || p.runes.cut(ev.Start, ev.End) != ev.Quote {
			return nil, fmt.Errorf("fact %s: page %d holds something else than %q at %d", m.field, ev.Page, ev.Quote, ev.Start)
		}
		if got := p.runes.cut(at+m.start, at+m.end); got != m.value {
			return nil, fmt.Errorf("fact %s: page %d holds %q at %d, not %q", m.field, ev.Page, got, at+m.start, m.value)
		}
		out[i] = Mention{m.field, m.value, ev, at + m.start, at + m.end}
	}
	return out, nil
}

// runes is a text that is cut by code points.
type runes struct {
	s  string
	n  int
	at []int32 // offset of each code point, and of the end; nil where every one is one byte
}

func newRunes(s string) runes {
	r := runes{s: s, n: utf8.RuneCountInString(s)}
	if r.n != len(s) {
		r.at = make([]int32, 0, r.n+1)
		for i := range s {
			r.at = append(r.at, int32(i))
		}
		r.at = append(r.at, int32(len(s)))
	}
	return r
}

func (r runes) cut(from, to int) string {
	if r.at == nil {
		return r.s[from:to]
	}
	return r.s[r.at[from]:r.at[to]]
}

// BoxOf is the box around the lines that hold the code points [start, end) of an element's text.
// The lines joined by one character each are the text.
func BoxOf(e edb.Element, start, end int) *edb.Box {
	from, to := -1, 0
	at := 0
	for i, l := range e.Lines {
		n := utf8.RuneCountInString(l.Text)
		if at < end && at+n > start {
			if from < 0 {
				from = i
			}
			to = i + 1
		}
		at += n + 1
	}
	if from < 0 {
		return nil
	}
	return Around(e.Lines[from:to])
}
