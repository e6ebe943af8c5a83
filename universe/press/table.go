package press

import (
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	edb "enterprisedocbench"
)

const (
	padX, padY  = 5.0, 3.2
	afterTable  = 12.0
	smallestRow = 5.5 // points, the smallest size of a table's text
)

// Table sets the caption and the table below it, both on one page. Its widths must be given.
func (s *Sheet) Table(t Table) {
	s.Together(func(s *Sheet) { s.byHand(t) })
}

// Section sets a heading and a table under it, all on one page.
func (s *Sheet) Section(heading string, t Table) {
	s.Together(func(s *Sheet) {
		s.Heading(2, heading)
		s.byHand(t)
	})
}

func (s *Sheet) byHand(t Table) {
	g, err := readTable(&t)
	if s.fail(err); err != nil {
		return
	}
	id := s.caption(g.caption)
	s.rows(s.shares(g, s.look.Size*.94), 0, len(g.rows), false, id)
}

// caption sets the caption of a table; the element's index is what ties it to the table, -1 is none.
func (s *Sheet) caption(p passage) int {
	if p.text == "" {
		return -1
	}
	s.block(edb.KindCaption, 0, s.bold, s.look.Size*.92, 0, 3, black, 0, p)
	return len(s.page().elements) - 1
}

// spread is a table with its columns' widths and all lines broken.
type spread struct {
	*grid
	size    float64
	cols    []float64 // points
	lines   [][][]line
	heights []float64 // of rows, points
}

func (t *spread) leading() float64 { return t.size * 1.28 }

// width is the width of a cell.
func (t *spread) width(c cell) (w float64) {
	for _, v := range t.cols[c.col : c.col+c.cols] {
		w += v
	}
	return w
}

// heavy says whether row r is set in bold.
func (g *grid) heavy(r int) bool { return r < g.head || slices.Contains(g.Bold, r-g.head) }

func (s *Sheet) faceOf(g *grid, r int) *face {
	if g.heavy(r) {
		return s.bold
	}
	return s.body
}

// shares breaks a table's lines by the widths that it asks for.
func (s *Sheet) shares(g *grid, size float64) *spread {
	t := &spread{grid: g, size: size}
	for _, w := range g.Widths {
		t.cols = append(t.cols, w*s.w)
	}
	s.breakLines(t)
	return t
}

func (s *Sheet) breakLines(t *spread) {
	t.lines, t.heights = make([][][]line, len(t.rows)), make([]float64, len(t.rows))
	for r, row := range t.rows {
		t.lines[r] = make([][]line, len(row))
		tall := 1
		for i, c := range row {
			t.lines[r][i] = s.wrap(s.faceOf(t.grid, r), c.text, t.size, t.width(c)-2*padX)
			if c.rows == 1 {
				tall = max(tall, len(t.lines[r][i]))
			}
		}
		t.heights[r] = float64(tall)*t.leading() + 2*padY
	}
	// The last row that a cell spans makes room for what the rows do not hold.
	for r, row := range t.rows {
		for i, c := range row {
			if c.rows == 1 {
				continue
			}
			need := float64(len(t.lines[r][i]))*t.leading() + 2*padY
			for _, h := range t.heights[r : r+c.rows] {
				need -= h
			}
			t.heights[r+c.rows-1] += max(0, need)
		}
	}
}

// rows sets the rows [from, to) of a table as one element, with the header above them if again. The
// caption is given by its element's index on the page.
func (s *Sheet) rows(t *spread, from, to int, again bool, caption int) {
	numbers := make([]int, 0, to-from+1)
	if again {
		numbers = append(numbers, 0)
	}
	for r := from; r < to; r++ {
		numbers = append(numbers, r)
	}
	e := edb.Element{Kind: edb.KindTable}
	var marks []mark
	e.Text, e.HTML, marks = t.gold(numbers)
	top := s.y
	cuts := []float64{top}
	for _, r := range numbers {
		f := s.faceOf(t.grid, r)
		if r < t.head {
			s.rect(s.x, s.y, s.w, t.heights[r], s.look.Tint)
		}
		x, col := s.x, 0
		for i, c := range t.rows[r] {
			for ; col < c.col; col++ {
				x += t.cols[col]
			}
			w := t.width(c)
			for k, l := range t.lines[r][i] {
				lx := x + padX
				if t.Right != nil && t.Right[c.col] && c.cols == 1 {
					lx = x + w - padX - points(l.units, t.size)
				}
				if l.text == "" {
					e.Lines = append(e.Lines, edb.Line{})
					continue
				}
				e.Lines = append(e.Lines, s.put(f, l, t.size, lx, s.y+padY+float64(k)*t.leading(), black))
			}
		}
		s.y += t.heights[r]
		cuts = append(cuts, s.y)
	}
	s.ruled(t, numbers, top, cuts)
	e.Box = &edb.Box{round2(s.x), round2(top), round2(s.x + s.w), round2(s.y)}
	id := s.add(e, marks)
	if caption >= 0 {
		s.page().elements[caption].CaptionOf = id
	}
	s.y += afterTable
}

// ruled draws the lines between the cells; cuts are the heights of the lines between the rows.
func (s *Sheet) ruled(t *spread, numbers []int, top float64, cuts []float64) {
	if len(t.Spans) > 0 {
		for i, r := range numbers {
			x, col := s.x, 0
			for _, c := range t.rows[r] {
				for ; col < c.col; col++ {
					x += t.cols[col]
				}
				w, end := t.width(c), cuts[i+c.rows]
				s.line(x, cuts[i], x+w, cuts[i], rule)
				s.line(x, end, x+w, end, rule)
				s.line(x, cuts[i], x, end, rule)
				s.line(x+w, cuts[i], x+w, end, rule)
			}
		}
		return
	}
	for _, y := range cuts {
		s.line(s.x, y, s.x+s.w, y, rule)
	}
	x := s.x
	for c := 0; c <= len(t.cols); c++ {
		s.line(x, top, x, s.y, rule)
		if c < len(t.cols) {
			x += t.cols[c]
		}
	}
}

// gold is the text of some rows (cells joined by tabs, rows by newlines), their markup, and their
// facts, whose evidence is the row.
func (g *grid) gold(numbers []int) (text, markup string, marks []mark) {
	size := 16 * len(numbers)
	for _, r := range numbers {
		for _, c := range g.rows[r] {
			size += len(c.text) + 1
		}
	}
	b, mk := make([]byte, 0, size), make([]byte, 0, 3*size+60)
	marks = make([]mark, 0, g.facts)
	n := 0
	mk = append(mk, "<table>"...)
	for i, r := range numbers {
		if i > 0 {
			b = append(b, '\n')
			n++
		}
		tag := "td>"
		switch {
		case r < g.head:
			tag = "th>"
			mk = append(mk, "<thead>"...)
		case i == 0 || numbers[i-1] < g.head:
			mk = append(mk, "<tbody>"...)
		}
		mk = append(mk, "<tr>"...)
		start, first := n, len(marks)
		for j, c := range g.rows[r] {
			if j > 0 {
				b = append(b, '\t')
				n++
			}
			for _, m := range c.marks {
				m.start, m.end = m.start+n, m.end+n
				marks = append(marks, m)
			}
			b = append(b, c.text...)
			n += utf8.RuneCountInString(c.text)
			mk = append(mk, '<')
			mk = append(mk, tag[:2]...)
			mk = c.attributes(mk)
			mk = append(mk, '>')
			mk = appendEscaped(mk, c.text)
			mk = append(mk, "</"...)
			mk = append(mk, tag...)
		}
		mk = append(mk, "</tr>"...)
		if r < g.head {
			mk = append(mk, "</thead>"...)
		}
		for j := first; j < len(marks); j++ {
			marks[j].evStart, marks[j].evEnd = start, n
		}
	}
	return string(b), string(append(mk, "</tbody></table>"...)), marks
}

// attributes writes a cell's spans as attributes of markup.
func (c cell) attributes(mk []byte) []byte {
	if c.rows > 1 {
		mk = append(append(append(mk, ` rowspan="`...), strconv.Itoa(c.rows)...), '"')
	}
	if c.cols > 1 {
		mk = append(append(append(mk, ` colspan="`...), strconv.Itoa(c.cols)...), '"')
	}
	return mk
}

// appendEscaped writes text as the text of markup.
func appendEscaped(b []byte, text string) []byte {
	if strings.ContainsAny(text, `<>&'"`) {
		text = html.EscapeString(text)
	}
	return append(b, text...)
}

// every lists all rows of a table.
func (g *grid) every() []int {
	out := make([]int, len(g.rows))
	for i := range out {
		out[i] = i
	}
	return out
}

// fit gives the table's columns their widths: those that it asks for where every word fits, else by
// content. A table that is too wide is set smaller; one that is too wide even at the smallest size is an
// error.
func (s *Sheet) fit(g *grid, width, smallest float64) (*spread, error) {
	for size := s.look.Size * .94; ; size -= .5 {
		size = max(size, smallest)
		least, whole := s.needs(g, size)
		var cols []float64
		total := 0.0
		for c, w := range g.Widths {
			if total += w; w*width < least[c] {
				total = 2
			}
		}
		if len(g.Widths) > 0 && total < 1.001 {
			for _, w := range g.Widths {
				cols = append(cols, w/total*width)
			}
		} else {
			cols = divide(least, whole, width)
		}
		if cols != nil {
			return &spread{grid: g, size: size, cols: cols}, s.err
		}
		if size == smallest {
			sum := 0.0
			for _, w := range least {
				sum += w
			}
			return nil, fmt.Errorf("the table needs %.0f points in its narrowest form, the column has %.0f: drop columns or shorten words", sum, width)
		}
	}
}

// needs gives the width of each column if only words are kept whole, and if no line is broken.
func (s *Sheet) needs(g *grid, size float64) (least, whole []float64) {
	least, whole = make([]float64, g.columns), make([]float64, g.columns)
	for pass := range 2 {
		for r, row := range g.rows {
			f := s.faceOf(g, r)
			for _, c := range row {
				if (c.cols > 1) != (pass == 1) {
					continue
				}
				word := 0
				for w := range strings.SplitSeq(c.text, " ") {
					word = max(word, s.units(f, w))
				}
				a, b := points(word, size)+2*padX+.01, points(s.units(f, c.text), size)+2*padX+.01
				for i := c.col; i < c.col+c.cols-1; i++ { // the last column takes what the others leave
					a, b = a-least[i], b-whole[i]
				}
				last := c.col + c.cols - 1
				least[last], whole[last] = max(least[last], a), max(whole[last], b, least[last])
			}
		}
	}
	return least, whole
}

// divide gives columns at least what they need and shares the rest by what they would like; nil where
// the needs are more than the width.
func divide(least, whole []float64, width float64) []float64 {
	rest, wish := width, 0.0
	for c := range least {
		rest -= least[c]
		wish += whole[c] - least[c]
	}
	if rest < 0 {
		return nil
	}
	out := make([]float64, len(least))
	spare := max(0, rest-wish)
	for c := range least {
		out[c] = least[c] + spare/float64(len(least))
		if wish > 0 {
			out[c] += (whole[c] - least[c]) / wish * min(rest, wish)
		}
	}
	return out
}
