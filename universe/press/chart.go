package press

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	edb "enterprisedocbench"
)

const (
	barStep, barThick = 21.0, 13.0
	plotHeight        = 118.0
)

// Figure sets a chart and the caption below it, both on one page. The gold text of the figure is its
// labels as they are read, one a line.
func (s *Sheet) Figure(c Chart) {
	p, err := readChart(&c)
	if s.fail(err); err == nil {
		s.Together(func(s *Sheet) { s.plot(p) })
	}
}

func (s *Sheet) plot(p *plot) {
	e, marks := edb.Element{Kind: edb.KindFigure}, []mark(nil)
	y0 := s.y
	switch {
	case p.Kind == Bars:
		marks = s.lying(&e, p)
	case p.Above && p.Kind == Columns:
		s.above(&e, p)
	default:
		marks = s.standing(&e, p)
	}
	id := s.add(e, marks)
	s.y += map[bool]float64{true: 4, false: 6}[p.Kind == Bars]
	if p.caption.text == "" || s.y == y0 {
		return
	}
	s.block(edb.KindCaption, 0, s.body, s.look.Size*.92, 0, 10, grey, 0, p.caption)
	s.page().elements[len(s.page().elements)-1].CaptionOf = id
}

// frame is the box of what was drawn since y0.
func (s *Sheet) frame(y0 float64) *edb.Box {
	return &edb.Box{round2(s.x), round2(y0), round2(s.x + s.w), round2(s.y)}
}

// lying draws horizontal bars: category left of the bar, value right of it, on one line.
func (s *Sheet) lying(e *edb.Element, p *plot) []mark {
	size := s.look.Size * .9
	label, value := s.widest(p.labels, size)+8, s.widest(p.printed, size)+6
	if label <= 150 && s.w > 400 {
		label = 150
	}
	full := s.w - label - max(60, value)
	if full < 40 {
		s.fail(fmt.Errorf("the labels of a chart leave its bars %.0f points, 40 are needed: shorten %q", full, p.labels[0].text))
		return nil
	}
	y0, x0 := s.y, s.x+label
	for g := 1; g <= 4; g++ {
		x := x0 + full*float64(g)/4
		s.line(x, y0+4, x, y0+8+barStep*float64(len(p.labels)), light)
	}
	var text []string
	var marks []mark
	n := 0
	y := y0 + 8
	for i := range p.labels {
		w := full * min(1, p.Values[i]/p.top)
		s.rect(x0, y, w, barThick, s.look.Accent)
		at := y + (barThick-size*1.117)/2
		left, right := s.measured(s.body, p.labels[i].text), s.measured(s.body, p.printed[i].text)
		e.Lines = append(e.Lines,
			s.put(s.body, left, size, x0-8-points(left.units, size), at, black),
			s.put(s.body, right, size, x0+w+6, at, black))
		row := p.row(i)
		text = append(text, row.text)
		marks = append(marks, shifted(row.marks, n)...)
		n += utf8.RuneCountInString(row.text) + 1
		y += barStep
	}
	s.line(x0, y0+4, x0, y, grey)
	s.y = y + 8
	e.Text = strings.Join(text, "\n")
	e.Box = s.frame(y0)
	return marks
}

func (s *Sheet) widest(texts []passage, size float64) (w float64) {
	for _, t := range texts {
		w = max(w, s.width(s.body, t.text, size))
	}
	return w
}

// columns draws the columns of a chart whose axis lies at base.
func (s *Sheet) columns(p *plot, base float64) {
	slot := (s.w - 60) / float64(len(p.labels))
	for i, v := range p.Values {
		h := plotHeight * min(1, v/p.top)
		s.rect(s.x+30+slot*(float64(i)+.5)-slot*.27, base-h, slot*.54, h, s.look.Accent)
	}
}

func (s *Sheet) raster(base float64) {
	for g := 1; g <= 4; g++ {
		y := base - plotHeight*float64(g)/4
		s.line(s.x+30, y, s.x+s.w-30, y, light)
	}
}

// above draws columns with the value above each and the category below the axis. Its labels are read
// from the top down, as they stand: the values by height, then the categories.
func (s *Sheet) above(e *edb.Element, p *plot) {
	size := s.look.Size * .9
	y0 := s.y
	base := y0 + 18 + plotHeight
	s.raster(base)
	slot := (s.w - 60) / float64(len(p.labels))
	var over, under []edb.Line
	for i, v := range p.Values {
		mid := s.x + 30 + slot*(float64(i)+.5)
		h := plotHeight * min(1, v/p.top)
		s.rect(mid-slot*.27, base-h, slot*.54, h, s.look.Accent)
		value, label := s.measured(s.body, p.printed[i].text), s.measured(s.body, p.labels[i].text)
		if points(max(value.units, label.units), size) > slot {
			s.fail(fmt.Errorf("%q is wider than its column of a chart: shorten it", p.labels[i].text))
		}
		over = append(over, s.put(s.body, value, size, mid-points(value.units, size)/2, base-h-size*1.25, black))
		under = append(under, s.put(s.body, label, size, mid-points(label.units, size)/2, base+4, black))
	}
	s.line(s.x+30, base, s.x+s.w-30, base, grey)
	// Highest value first; equal heights from left to right.
	sort.SliceStable(over, func(i, j int) bool { return over[i].Box[1] < over[j].Box[1] })
	e.Lines = append(over, under...)
	var text []string
	for _, l := range e.Lines {
		text = append(text, l.Text)
	}
	e.Text = strings.Join(text, "\n")
	s.y = base + 4 + size*1.3
	e.Box = s.frame(y0)
}

// standing draws columns or a curve; below the axis each category stands with its value, on one line
// where there is room, else the one above the other.
func (s *Sheet) standing(e *edb.Element, p *plot) []mark {
	size := s.look.Size * .9
	y0, base := s.y, s.y+8+plotHeight
	slot := (s.w - 60) / float64(len(p.labels))
	rows := make([]passage, len(p.labels))
	for i := range rows {
		rows[i] = p.row(i)
	}
	stacked := false
	for s.widest(rows, size)+6 > slot && size > 6 {
		size -= .5
	}
	if s.widest(rows, size)+6 > slot {
		stacked, size = true, s.look.Size*.9
		for max(s.widest(p.labels, size), s.widest(p.printed, size))+3 > slot {
			if size -= .5; size < 4.5 {
				s.fail(fmt.Errorf("the labels of a chart do not fit below its %d columns: shorten %q or show fewer", len(rows), p.labels[0].text))
				return nil
			}
		}
	}
	s.raster(base)
	if p.Kind == Columns {
		s.columns(p, base)
	} else {
		s.curve(p, base, slot)
	}
	s.line(s.x+30, base, s.x+s.w-30, base, grey)
	var text []string
	var marks []mark
	n := 0
	for i, row := range rows {
		mid := s.x + 30 + slot*(float64(i)+.5)
		parts := []string{row.text}
		if stacked {
			parts = []string{p.labels[i].text, p.printed[i].text}
		}
		for k, t := range parts {
			l := s.measured(s.body, t)
			e.Lines = append(e.Lines, s.put(s.body, l, size, mid-points(l.units, size)/2, base+4+float64(k)*size*1.2, black))
		}
		text = append(text, row.text)
		marks = append(marks, shifted(row.marks, n)...)
		n += utf8.RuneCountInString(row.text) + 1
	}
	e.Text = strings.Join(text, "\n")
	s.y = base + 4 + size*1.3
	if stacked {
		s.y += size * 1.2
	}
	e.Box = s.frame(y0)
	return marks
}

// scaled gives the heights of a curve's points as shares; its foot is 0, or the lowest value below it.
func (p *plot) scaled() []float64 {
	low := 0.0
	for _, v := range p.Values {
		low = min(low, v)
	}
	out := make([]float64, len(p.Values))
	for i, v := range p.Values {
		out[i] = min(1, (v-low)/(p.top-low))
	}
	return out
}

func (s *Sheet) curve(p *plot, base, slot float64) {
	var x0, y0 float64
	for i, h := range p.scaled() {
		x, y := s.x+30+slot*(float64(i)+.5), base-plotHeight*h
		if i > 0 {
			s.line(x0, y0, x, y, s.look.Accent)
		}
		s.rect(x-1.8, y-1.8, 3.6, 3.6, s.look.Accent)
		x0, y0 = x, y
	}
}
