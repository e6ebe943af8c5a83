package universe

import (
	"fmt"
	"strings"

	edb "enterprisedocbench"
)

// locate turns the marks of a layout into mentions in page coordinates and proves each: the quote is
// what stands at its offsets, and the value stands in the quote.
func locate(gold edb.Parsed, marks []mark) ([]Mention, error) {
	type page struct {
		text   []rune
		starts map[string]int // element id -> offset on the page
	}
	pages := make([]page, len(gold.Pages))
	for i, p := range gold.Pages {
		pages[i] = page{[]rune(p.Text()), map[string]int{}}
		at := 0
		for _, e := range p.Elements {
			if e.Artifact() || e.Text == "" {
				continue
			}
			pages[i].starts[e.ID] = at
			at += len([]rune(e.Text)) + 1
		}
	}
	var out []Mention
	for _, m := range marks {
		// Element 0 of a finished page is its header.
		e := gold.Pages[m.page].Elements[m.elem+1]
		at, ok := pages[m.page].starts[e.ID]
		text := []rune(e.Text)
		if !ok || m.evEnd > len(text) {
			return nil, fmt.Errorf("fact %s: not in the text of element %s", m.field, e.ID)
		}
		ev := edb.Evidence{Doc: gold.Doc, Page: gold.Pages[m.page].Number, Start: at + m.evStart, End: at + m.evEnd,
			Quote: string(text[m.evStart:m.evEnd]), Box: boxOf(e, m.evStart, m.evEnd)}
		if ev.End > len(pages[m.page].text) || string(pages[m.page].text[ev.Start:ev.End]) != ev.Quote {
			return nil, fmt.Errorf("fact %s: page %d holds something else than %q at %d", m.field, ev.Page, ev.Quote, ev.Start)
		}
		if !strings.Contains(ev.Quote, m.value) {
			return nil, fmt.Errorf("fact %s: %q does not say %q", m.field, ev.Quote, m.value)
		}
		out = append(out, Mention{m.field, m.value, ev})
	}
	return out, nil
}

// boxOf is the box around the lines that hold the code points [start, end) of an element's text.
// The lines joined by one character each are the text.
func boxOf(e edb.Element, start, end int) *edb.Box {
	var lines []edb.Line
	at := 0
	for _, l := range e.Lines {
		n := len([]rune(l.Text))
		if at < end && at+n > start {
			lines = append(lines, l)
		}
		at += n + 1
	}
	return around(lines)
}
