package universe

import (
	"html"
	"strings"

	edb "enterprisedocbench"
)

// grid is a ruled table. Cells may hold facts written {field|value}; the evidence of a fact is its
// row. Widths are shares of the column and sum to 1.
type grid struct {
	caption string
	header  []string // nil: none
	rows    [][]string
	widths  []float64
	right   []bool // columns set flush right
	bold    []int  // rows set in bold: totals
}

// table sets the caption and the table below it, both on one page.
func (s *sheet) table(number string, g grid) {
	s.together(func(s *sheet) { s.setTable(number, g) })
}

// section sets a heading and a table under it, all on one page.
func (s *sheet) section(heading, number string, g grid) {
	s.together(func(s *sheet) {
		s.heading(2, heading)
		s.setTable(number, g)
	})
}

func (s *sheet) setTable(number string, g grid) {
	captionAt := -1
	if g.caption != "" {
		s.block(edb.KindCaption, 0, s.bold, s.size*.92, 0, 3, black, 0, number+": "+g.caption)
		captionAt = len(s.page().elements) - 1
	}
	size := s.size * .94
	const padX, padY = 5.0, 3.2
	leading := size * 1.28
	top := s.y
	var (
		e     = edb.Element{Kind: edb.KindTable}
		text  strings.Builder
		mk    strings.Builder
		marks []mark
		n     int // code points of text so far
		cuts  = []float64{top}
	)
	rows := g.rows
	if g.header != nil {
		rows = append([][]string{g.header}, g.rows...)
	}
	mk.WriteString("<table>")
	for r, row := range rows {
		head := g.header != nil && r == 0
		f := s.body
		body := r
		if g.header != nil {
			body = r - 1
		}
		for _, b := range g.bold {
			if !head && b == body {
				f = s.bold
			}
		}
		if head {
			f = s.bold
		}
		// Break the cells first: the row's height is that of its tallest cell.
		plain := make([]string, len(row))
		rowMarks := []mark{}
		lines := make([][]string, len(row))
		tall := 1
		for c, cell := range row {
			var m []mark
			plain[c], m = marked(cell)
			rowMarks = append(rowMarks, m...)
			lines[c] = s.wrap(f, plain[c], size, g.widths[c]*s.w-2*padX)
			tall = max(tall, len(lines[c]))
		}
		h := float64(tall)*leading + 2*padY
		if head {
			s.rect(s.x, s.y, s.w, h, s.tint)
		}
		if r > 0 {
			text.WriteByte('\n')
			n++
		}
		start := n
		tag := "td"
		if head {
			tag = "th"
			mk.WriteString("<thead>")
		} else if body == 0 {
			mk.WriteString("<tbody>")
		}
		mk.WriteString("<tr>")
		x := s.x
		for c, cell := range plain {
			if c > 0 {
				text.WriteByte('\t')
				n++
			}
			text.WriteString(cell)
			n += len([]rune(cell))
			mk.WriteString("<" + tag + ">" + html.EscapeString(cell) + "</" + tag + ">")
			w := g.widths[c] * s.w
			for i, l := range lines[c] {
				lx := x + padX
				if g.right != nil && g.right[c] {
					lx = x + w - padX - s.width(f, l, size)
				}
				if l == "" {
					e.Lines = append(e.Lines, edb.Line{})
					continue
				}
				e.Lines = append(e.Lines, s.put(f, l, size, lx, s.y+padY+float64(i)*leading, black))
			}
			x += w
		}
		mk.WriteString("</tr>")
		if head {
			mk.WriteString("</thead>")
		}
		for _, m := range rowMarks {
			m.evStart, m.evEnd = start, n
			marks = append(marks, m)
		}
		s.y += h
		cuts = append(cuts, s.y)
	}
	mk.WriteString("</tbody></table>")
	for _, y := range cuts {
		s.line(s.x, y, s.x+s.w, y, rule)
	}
	x := s.x
	for c := 0; c <= len(g.widths); c++ {
		s.line(x, top, x, s.y, rule)
		if c < len(g.widths) {
			x += g.widths[c] * s.w
		}
	}
	e.Text, e.HTML = text.String(), mk.String()
	e.Box = &edb.Box{round2(s.x), round2(top), round2(s.x + s.w), round2(s.y)}
	id := s.add(e, marks)
	if captionAt >= 0 {
		s.page().elements[captionAt].CaptionOf = id
	}
	s.y += 12
}
