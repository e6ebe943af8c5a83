package parse

import (
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"enterprisedocbench"
)

// mergeByRules joins text rows that are lines of one: those that no drawn rule parts in tables that
// have a rule for every row or nearly so; lines of the head set close; and lines whose first cell
// goes on with a small letter.
func (g *grid) mergeByRules(rows []row, rules []edb.Box) {
	var ys []float64
	for _, r := range rules {
		if r[3]-r[1] < 3 && r[0] < g.box[2] && r[2] > g.box[0] && r[1] > g.box[1]-20 && r[3] < g.box[3]+20 && r[2]-r[0] > 15 {
			ys = append(ys, (r[1]+r[3])/2)
		}
	}
	slices.Sort(ys)
	ys = slices.CompactFunc(ys, func(a, b float64) bool { return math.Abs(a-b) < 2 })
	everyRow := len(ys) >= 4 && len(ys)*2 >= len(g.cells)
	head := g.head()
	band := func(i int) int {
		n, _ := slices.BinarySearch(ys, (rows[g.from+i].box[1]+rows[g.from+i].box[3])/2)
		return n
	}
	var out [][]gridCell
	for i, line := range g.cells {
		if i == 0 {
			out = append(out, line)
			continue
		}
		above := rows[g.from+i-1].box
		here := rows[g.from+i].box
		gap, size := here[1]-above[3], min(here[3]-here[1], above[3]-above[1])
		same := band(i) == band(i-1)
		prev := out[len(out)-1]
		switch {
		case everyRow && same && !bothFigures(prev, line),
			i < head && same && gap < 0.35*size && !spans(prev, line),
			same && gap < 0.6*size && goesOn(prev, line):
			out[len(out)-1] = mergeCells(prev, line)
		default:
			out = append(out, line)
		}
	}
	g.cells = out
}

// head is how many lines stand above the first that is figures for the most part.
func (g *grid) head() int {
	for i, line := range g.cells {
		n := 0
		for _, c := range line {
			if c.col > 0 && figure(c.text) && !year(c.text) {
				n++
			}
		}
		if n > 0 && n*2 >= len(line)-1 {
			return i
		}
	}
	return 0
}

// bothFigures says whether two lines hold figures in one column, as two rows do.
func bothFigures(above, line []gridCell) bool {
	for _, a := range above {
		for _, c := range line {
			if a.col == c.col && figure(a.text) && figure(c.text) {
				return true
			}
		}
	}
	return false
}

// spans says whether a cell of the row above stands over several cells of the line.
func spans(above, line []gridCell) bool {
	for _, a := range above {
		n := 0
		for _, c := range line {
			if c.col < a.col+a.span && a.col < c.col+c.span {
				n++
			}
		}
		if n > 1 {
			return true
		}
	}
	return false
}

func year(s string) bool {
	v, err := strconv.Atoi(strings.TrimSpace(s))
	return err == nil && v >= 1900 && v < 2100
}

// goesOn says whether a line is more of the row above: one of the two is a label alone, and the
// lower label begins with a small letter.
func goesOn(above, line []gridCell) bool {
	if len(above) == 0 || len(line) == 0 || line[0].col != 0 || above[0].col != 0 || len(line) > 1 && len(above) > 1 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(line[0].text)
	return unicode.IsLower(r)
}

func mergeCells(a, b []gridCell) []gridCell {
	out := slices.Clone(a)
	for _, c := range b {
		done := false
		for i := range out {
			if out[i].col < c.col+c.span && c.col < out[i].col+out[i].span {
				out[i].text += " " + c.text
				done = true
				break
			}
		}
		if !done {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(x, y gridCell) int { return x.col - y.col })
	return out
}

// element writes the table as HTML and as text: cells by tabs, rows by newlines; a chart is a figure.
func (g grid) element() edb.Element {
	if g.chart {
		return edb.Element{Kind: edb.KindFigure, Text: g.label, Box: roundBox(g.box)}
	}
	var h, t strings.Builder
	h.WriteString("<table>")
	held := make([]int, len(g.cols)) // for each column, how many rows a cell above still takes
	for i, line := range g.cells {
		if i > 0 {
			t.WriteByte('\n')
		}
		h.WriteString("<tr>")
		col := 0
		var texts []string
		fill := func(to int) {
			for ; col < to; col++ {
				if held[col] > 0 {
					held[col]--
				} else {
					h.WriteString("<td></td>")
				}
				texts = append(texts, "")
			}
		}
		for _, c := range line {
			fill(c.col)
			h.WriteString("<td")
			if c.span > 1 {
				h.WriteString(` colspan="` + strconv.Itoa(c.span) + `"`)
			}
			if c.down > 0 {
				h.WriteString(` rowspan="` + strconv.Itoa(c.down+1) + `"`)
			}
			h.WriteString(">" + html.EscapeString(c.text) + "</td>")
			texts = append(texts, c.text)
			for k := c.col; k < min(c.col+c.span, len(held)); k++ {
				held[k] = c.down
			}
			col = c.col + c.span
		}
		fill(len(g.cols))
		h.WriteString("</tr>")
		t.WriteString(strings.Join(texts, "\t"))
	}
	h.WriteString("</table>")
	return edb.Element{Kind: edb.KindTable, Text: t.String(), HTML: h.String(), Box: roundBox(g.box)}
}
