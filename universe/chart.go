package universe

import (
	"strings"

	edb "enterprisedocbench"
)

// bar is one bar of a chart: what it stands for, its height and how that is printed. A fact may be
// written around the printed value in figure order: the evidence is the bar's own label.
type bar struct {
	label, field, printed string
	value                 float64
}

// figure sets a chart and the caption below it, both on one page. The gold text of the figure is
// its labels as they are read, one a line.
func (s *sheet) figure(caption []string, draw func(*sheet) (edb.Element, []mark)) {
	s.together(func(s *sheet) {
		e, marks := draw(s)
		id := s.add(e, marks)
		s.block(edb.KindCaption, 0, s.body, s.size*.92, 0, 10, grey, 0, caption...)
		s.page().elements[len(s.page().elements)-1].CaptionOf = id
	})
}

// lying draws horizontal bars: category left of the bar, value right of it, on one line.
func lying(bars []bar, top float64) func(*sheet) (edb.Element, []mark) {
	return func(s *sheet) (edb.Element, []mark) {
		const step, thick, labelWidth = 21.0, 13.0, 150.0
		size := s.size * .9
		y0 := s.y
		e := edb.Element{Kind: edb.KindFigure}
		var marks []mark
		n := 0
		x0 := s.x + labelWidth
		full := s.w - labelWidth - 60
		for g := 1; g <= 4; g++ {
			x := x0 + full*float64(g)/4
			s.line(x, y0+4, x, y0+8+step*float64(len(bars)), rgb{225, 225, 225})
		}
		var text []string
		y := y0 + 8
		for _, b := range bars {
			w := full * b.value / top
			s.rect(x0, y, w, thick, s.accent)
			at := y + (thick-size*1.117)/2
			e.Lines = append(e.Lines,
				s.put(s.body, b.label, size, x0-8-s.width(s.body, b.label, size), at, black),
				s.put(s.body, b.printed, size, x0+w+6, at, black))
			row := b.label + " " + b.printed
			text = append(text, row)
			end := n + len([]rune(row))
			marks = append(marks, mark{field: b.field, value: b.printed, evStart: n, evEnd: end})
			n = end + 1
			y += step
		}
		s.line(x0, y0+4, x0, y, grey)
		s.y = y + 8
		e.Text = strings.Join(text, "\n")
		e.Box = &edb.Box{round2(s.x), round2(y0), round2(s.x + s.w), round2(s.y)}
		s.y += 4
		return e, marks
	}
}

// standing draws vertical bars with the value above each bar and the category below the axis. Its
// labels are read from the top down, as they stand: the values by height, then the categories.
func standing(bars []bar) func(*sheet) (edb.Element, []mark) {
	return func(s *sheet) (edb.Element, []mark) {
		const plot = 118.0
		size := s.size * .9
		y0 := s.y
		top := 0.0
		for _, b := range bars {
			top = max(top, b.value)
		}
		base := y0 + 18 + plot
		for g := 1; g <= 4; g++ {
			y := base - plot*float64(g)/4
			s.line(s.x+30, y, s.x+s.w-30, y, rgb{225, 225, 225})
		}
		slot := (s.w - 60) / float64(len(bars))
		e := edb.Element{Kind: edb.KindFigure}
		var above, below []edb.Line
		for i, b := range bars {
			mid := s.x + 30 + slot*(float64(i)+.5)
			h := plot * b.value / top
			s.rect(mid-slot*.27, base-h, slot*.54, h, s.accent)
			above = append(above, s.put(s.body, b.printed, size, mid-s.width(s.body, b.printed, size)/2, base-h-size*1.25, black))
			below = append(below, s.put(s.body, b.label, size, mid-s.width(s.body, b.label, size)/2, base+4, black))
		}
		s.line(s.x+30, base, s.x+s.w-30, base, grey)
		// Highest value first; equal heights from left to right.
		for i := 1; i < len(above); i++ {
			for j := i; j > 0 && above[j].Box[1] < above[j-1].Box[1]; j-- {
				above[j], above[j-1] = above[j-1], above[j]
			}
		}
		e.Lines = append(above, below...)
		var text []string
		for _, l := range e.Lines {
			text = append(text, l.Text)
		}
		e.Text = strings.Join(text, "\n")
		s.y = base + 4 + size*1.3
		e.Box = &edb.Box{round2(s.x), round2(y0), round2(s.x + s.w), round2(s.y)}
		s.y += 6
		return e, nil
	}
}
