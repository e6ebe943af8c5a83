package press

import (
	"fmt"
	"slices"
	"strings"

	edb "enterprisedocbench"
)

// pdf prints a story as PDF.
func (c *content) pdf(two bool) (Printed, error) {
	s, err := c.lay(two)
	if err != nil {
		return Printed{}, err
	}
	about := c.Story
	about.Title = c.title.text
	return s.Print(about)
}

// lay lays a story out in one or two columns.
func (c *content) lay(two bool) (*Sheet, error) {
	if z := c.Look.Size; z != 0 && !(z >= 5 && z <= 24) {
		return nil, fmt.Errorf("text of %g points: choose 5 to 24, or 0", z)
	}
	s := NewSheet(c.Look)
	s.marks = make([]mark, 0, c.marks)
	columns := 1
	if two {
		columns = 2
	}
	f := newFlow(s, columns)
	if c.title.text != "" {
		f.across(func() { s.title(c.title) })
		if s.err != nil {
			return nil, fmt.Errorf("title: %w", s.err)
		}
	}
	f.mark()
	for i := 0; i < len(c.blocks); {
		j := i + 1
		for j < len(c.blocks) && (c.blocks[j-1].Keep || c.blocks[j-1].Kind == edb.KindHeading) {
			j++
		}
		if k := f.group(c.blocks[i:j]); s.err != nil {
			return nil, fmt.Errorf("block %d (%s): %w", i+k+1, c.blocks[i+k].Kind, s.err)
		}
		i = j
	}
	f.balance()
	return s, s.err
}

// group sets blocks that belong together and gives the index of the last one that was tried.
func (f *flow) group(blocks []piece) int {
	at := 0
	all := func() {
		for k := 0; k < len(blocks) && f.err == nil; k++ {
			at = k
			f.put(blocks[k])
		}
	}
	set := func() {
		if len(blocks) == 1 {
			all()
		} else {
			f.whole(all)
		}
	}
	if f.columns > 1 && slices.ContainsFunc(blocks, f.broad) {
		f.balance()
		f.across(set)
		f.mark()
		return at
	}
	before, pages := f.next, len(f.pages)
	set()
	f.placed(blocks, before, pages)
	return at
}

// broad says whether a table needs more than a column.
func (f *flow) broad(p piece) bool {
	if p.grid == nil {
		return false
	}
	_, err := f.fit(p.grid, f.columnWidth(), max(smallestRow, f.look.Size*.94-1))
	return err != nil
}

// put sets one block.
func (f *flow) put(p piece) {
	size := f.look.Size
	switch p.Kind {
	case edb.KindHeading:
		f.heading(p.depth(), p.text)
	case edb.KindParagraph:
		f.text(edb.KindParagraph, f.body, size, 0, size*.55, p.text)
	case edb.KindListItem:
		f.text(edb.KindListItem, f.body, size, 16*float64(p.depth()), size*.35, p.text)
	case edb.KindFootnote:
		f.note(p.text)
	case edb.KindCode:
		var lines []line
		for l := range strings.SplitSeq(p.text.text, "\n") {
			lines = append(lines, f.wrap(mono, l, size*.88, f.w-6)...)
		}
		f.ensure(lead(size) + 3)
		f.y += 3
		f.lines(edb.KindCode, mono, size*.88, 6, size*.7, p.text, lines)
	case edb.KindTable:
		f.table(p.grid)
	case edb.KindFigure:
		f.figure(p.chart)
	}
}

// captionHeight is how much room a caption takes.
func (f *flow) captionHeight(face *face, p passage, after float64) float64 {
	if p.text == "" {
		return 0
	}
	size := f.look.Size * .92
	return lead(size)*float64(len(f.wrap(face, p.text, size, f.w))) + after
}

// figure sets a chart with its caption in one column.
func (f *flow) figure(p *plot) {
	h := barStep*float64(len(p.labels)) + 20
	if p.Kind != Bars {
		h = plotHeight + 40 + 2.5*f.look.Size
	}
	h += f.captionHeight(f.body, p.caption, 0)
	if f.ensure(h); f.y+h > f.bottom {
		f.fail(fmt.Errorf("the chart is %.0f points high, its column has %.0f: show fewer values", h, f.bottom-f.y))
		return
	}
	f.plot(p)
}

// table sets a table: on one page where it fits, else over several, cut between rows, with the header
// again on each.
func (f *flow) table(g *grid) {
	t, err := f.fit(g, f.w, smallestRow)
	if f.fail(err); err != nil {
		return
	}
	f.breakLines(t)
	caption := f.captionHeight(f.bold, g.caption, 3)
	if h := caption + sum(t.heights); h <= tallest {
		f.ensure(h)
		f.rows(t, 0, len(t.rows), false, f.caption(g.caption))
		return
	}
	f.ensure(caption + sum(t.heights[:t.unit(t.head)]))
	id := f.caption(g.caption)
	for from := t.head; from < len(t.rows) && f.err == nil; {
		room, to := f.bottom-f.y-sum(t.heights[:t.head]), from
		for to < len(t.rows) && sum(t.heights[from:t.unit(to)]) <= room {
			to = t.unit(to)
		}
		switch {
		case to == from && from > t.head && f.y > marginTop:
			f.Sheet.advance()
			continue
		case to == from:
			f.fail(fmt.Errorf("row %d of the table is higher than a page: shorten its cells", from+1-t.head))
			return
		case from == t.head:
			f.rows(t, 0, to, false, id)
		default:
			f.rows(t, from, to, t.head > 0, -1)
		}
		if from = to; from < len(t.rows) {
			f.Sheet.advance()
		}
	}
}

// unit is the row behind the rows from r on that spans tie together.
func (g *grid) unit(r int) int {
	for r++; g.tied != nil && r < len(g.rows) && g.tied[r]; r++ {
	}
	return min(r, len(g.rows))
}

func sum(list []float64) (s float64) {
	for _, v := range list {
		s += v
	}
	return s
}
