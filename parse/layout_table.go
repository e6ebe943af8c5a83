package parse

import (
	"math"
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/internal/caption"
)

// grid is a table as found: cells by row, with the columns they span.
type grid struct {
	from, to int // rows of the region, half-open
	cols     [][2]float64
	cells    [][]gridCell
	box      edb.Box
	chart    bool   // it is no table but a chart
	label    string // the chart's text
}

type gridCell struct {
	col, span int
	down      int // rows spanned beyond the first
	text      string
}

// tables finds runs of rows whose segments stand in columns.
func tables(pg *rawPage, rows []row) []grid {
	var out []grid
	last := 0
	for i := 0; i < len(rows); {
		if len(rows[i].segs) < 2 || rows[i].table() != nil {
			i++
			continue
		}
		j := i + 1
		for j < len(rows) && continues(rows, i, j) {
			j++
		}
		for j > i+1 && len(rows[j-1].segs) < 2 {
			j--
		}
		if g, ok := makeGrid(pg, rows, i, j, last); ok {
			out = append(out, g)
			i, last = g.to, g.to
			continue
		}
		i++
	}
	return out
}

// continues says whether row j goes on with the table that began at row i: it stands in columns, or
// is one short cell between rows that do.
func continues(rows []row, i, j int) bool {
	prev := rows[j-1]
	height := max(prev.box[3]-prev.box[1], 6)
	if rows[j].box[1]-prev.box[3] > 2.6*height || rows[j].table() != nil {
		return false
	}
	if len(rows[j].segs) >= 2 {
		return true
	}
	s := rows[j].segs[0]
	var span edb.Box
	for k := i; k < j; k++ {
		if k == i {
			span = rows[k].box
		}
		span = union(span, rows[k].box)
	}
	if s.box[2]-s.box[0] > 0.6*(span[2]-span[0]) || s.box[0] > span[2] || s.box[2] < span[0] {
		return false
	}
	// One-cell rows go on only if a row in columns follows soon.
	for k := j + 1; k < min(j+3, len(rows)); k++ {
		if len(rows[k].segs) >= 2 && rows[k].box[1]-rows[k-1].box[3] < 2*height {
			return true
		}
	}
	return false
}

// makeGrid makes a table of the rows from up to to, widened to the rules above and below it but not
// over the row first; false where they are none.
func makeGrid(pg *rawPage, rows []row, from, to, first int) (grid, bool) {
	g := grid{from: from, to: to}
	multi := 0
	for k := from; k < to; k++ {
		if k == from {
			g.box = rows[k].box
		}
		g.box = union(g.box, rows[k].box)
		if len(rows[k].segs) >= 2 {
			multi++
		}
	}
	if multi < 2 || to-from < 2 {
		return g, false
	}
	g.cols = columnBands(rows[from:to])
	if len(g.cols) < 2 {
		return g, false
	}
	figures, cells, long, words := 0, 0, 0, 0
	for k := from; k < to; k++ {
		for _, s := range rows[k].segs {
			for _, p := range pieces(s, g.cols) {
				cells++
				words += len(p.words)
				if figure(p.text()) {
					figures++
				}
				if len(p.words) > 12 {
					long++
				}
			}
		}
	}
	ruled := len(g.across(pg.rules))
	// Two columns of words without figures or rules are more often a list or an address block.
	if ruled < 2 && (multi < 3 || figures*6 < cells || len(g.cols) == 2 && multi < 4 && figures*3 < cells) {
		return g, false
	}
	if long*4 > cells || words*10 > 35*cells && figures*5 < cells || pg.drawn(g.box, ruled < 2) {
		return g, false
	}
	g.widen(pg, rows, first)
	for k := g.from; k < g.to; k++ {
		g.cells = append(g.cells, g.line(rows[k]))
	}
	g.mergeByRules(rows, pg.rules)
	g.drop()
	return g, len(g.cols) >= 2 && len(g.cells) >= 2
}

// line puts the segments of a row into the table's columns.
func (g *grid) line(r row) []gridCell {
	var line []gridCell
	sign := ""
	for _, s := range r.segs {
		for _, p := range pieces(s, g.cols) {
			c, n := bandsOf(p.box, g.cols)
			text := p.text()
			if currency(text) { // set apart from its sum
				sign = text
				continue
			}
			if sign != "" {
				text, sign = sign+" "+text, ""
			}
			if k := strings.LastIndexByte(text, ' '); k > 0 && currency(text[k+1:]) { // it belongs to the sum that follows
				text, sign = text[:k], text[k+1:]
			}
			if m := len(line); m > 0 && line[m-1].col+line[m-1].span > c {
				line[m-1].text += " " + text
				line[m-1].span = max(line[m-1].span, c+n-line[m-1].col)
				continue
			}
			line = append(line, gridCell{col: c, span: n, text: text})
		}
	}
	if sign != "" && len(line) > 0 { // no sum follows
		line[len(line)-1].text += " " + sign
	} else if sign != "" {
		line = append(line, gridCell{span: 1, text: sign})
	}
	return line
}

func currency(s string) bool { return s == "$" || s == "€" || s == "£" || s == "¥" || s == "US$" }

// across gives the places of rules that run over a good part of the table, in or near it.
func (g *grid) across(rules []edb.Box) []float64 {
	var ys []float64
	for _, r := range rules {
		if r[3]-r[1] < 3 && r[2]-r[0] > 0.3*(g.box[2]-g.box[0]) && r[1] > g.box[1]-14 && r[3] < g.box[3]+14 && r[0] < g.box[2] && r[2] > g.box[0] {
			ys = append(ys, (r[1]+r[3])/2)
		}
	}
	slices.Sort(ys)
	return slices.CompactFunc(ys, func(a, b float64) bool { return math.Abs(a-b) < 2 })
}

// headRows is how many rows above the first in columns may still belong to a table.
const headRows = 4

// widen takes in the rows between the table and the rule over it, which are its head, if they
// stand over the table.
func (g *grid) widen(pg *rawPage, rows []row, first int) {
	width := g.box[2] - g.box[0]
	for k := g.from - 1; k >= max(first, g.from-headRows); k-- {
		r := rows[k]
		if r.table() != nil || r.box[0] < g.box[0]-20 || r.box[2] > g.box[2]+20 || caption.Marked(r.segs[0].text()) ||
			rows[k+1].box[1]-r.box[3] > 2*(r.box[3]-r.box[1]) {
			return
		}
		for _, l := range pg.rules {
			gap := r.box[1] - (l[1]+l[3])/2
			if l[3]-l[1] < 3 && l[2]-l[0] > 0.7*width && l[0] < g.box[2] && l[2] > g.box[0] && gap > -4 && gap < 10 {
				for m := k; m < g.from; m++ {
					g.box = union(g.box, rows[m].box)
				}
				g.from = k
				return
			}
		}
	}
}

// drawn says whether the box holds a drawing: curves and shapes, or (if asked) bars without
// text.
func (pg *rawPage) drawn(box edb.Box, bars bool) bool {
	w, h := box[2]-box[0], box[3]-box[1]
	in := func(b edb.Box) bool {
		x, y := (b[0]+b[2])/2, (b[1]+b[3])/2
		return x > box[0] && x < box[2] && y > box[1] && y < box[3]
	}
	shapes := 0
	for _, b := range pg.paths {
		if in(b) && b[2]-b[0] > 0.04*w && b[3]-b[1] > 0.04*h && b[2]-b[0] < 1.5*w && b[3]-b[1] < 1.5*h && (b[2]-b[0] > 12 || b[3]-b[1] > 12) {
			shapes++
		}
	}
	for _, b := range pg.grounds {
		if bars && in(b) && b[2]-b[0] < 0.35*w && b[3]-b[1] > 26 && b[3]-b[1] < h && !slices.ContainsFunc(pg.words, func(x wordRun) bool {
			cx, cy := (x.box[0]+x.box[2])/2, (x.box[1]+x.box[3])/2
			return cx > b[0] && cx < b[2] && cy > b[1] && cy < b[3]
		}) {
			shapes++
		}
	}
	return shapes >= 3
}

// corridor is the least width of the gap between two columns, in shares of the type size: a blank
// between words is about half of it.
const corridor = 0.5

// columnBands finds the x ranges of columns from the words of rows: where at most an eighth of the
// rows hold a word across a gap that is wide enough, the gap parts two columns.
func columnBands(rows []row) [][2]float64 {
	type edge struct {
		x float64
		d int
	}
	var edges []edge
	var heights []float64
	multi := 0
	for _, r := range rows {
		if len(r.segs) < 2 {
			continue
		}
		multi++
		for _, s := range r.segs {
			for k, w := range s.words {
				heights = append(heights, w.box[3]-w.box[1])
				from := w.box[0]
				if k > 0 && (from-s.words[k-1].box[2] < corridor*s.height() || leader(w.text)) {
					from = s.words[k-1].box[2] // no column ends between words set close
				}
				edges = append(edges, edge{from, 1}, edge{max(w.box[2], from), -1})
			}
		}
	}
	if len(heights) == 0 {
		return nil
	}
	slices.Sort(heights)
	slices.SortFunc(edges, func(a, b edge) int {
		if c := compare(a.x, b.x); c != 0 {
			return c
		}
		return b.d - a.d
	})
	allowed := multi / 8
	var bands [][2]float64
	depth, inside := 0, false
	for _, e := range edges {
		depth += e.d
		switch {
		case !inside && depth > allowed:
			bands = append(bands, [2]float64{e.x, e.x})
			inside = true
		case inside && depth <= allowed:
			bands[len(bands)-1][1] = e.x
			inside = false
		}
	}
	// Bands that nearly touch are one column that a long cell of a few rows had parted.
	var out [][2]float64
	for _, b := range bands {
		if n := len(out); n > 0 && b[0]-out[n-1][1] < 0.3*heights[len(heights)/2] {
			out[n-1][1] = b[1]
			continue
		}
		out = append(out, b)
	}
	return out
}

// leader says whether a word is the dots that lead from a label to its figures.
func leader(s string) bool { return len(s) > 1 && strings.Trim(s, ".…·") == "" }

// pieces cuts a segment where one column ends and the next begins, if its words leave room there.
func pieces(s segment, cols [][2]float64) []segment {
	at := func(w wordRun) int { c, n := bandsOf(w.box, cols); return c + 1000*(n-1) }
	out := []segment{{words: s.words[:1:1], box: s.words[0].box}}
	last := at(s.words[0])
	for k := 1; k < len(s.words); k++ {
		w := s.words[k]
		c := at(w)
		if c != last && c < 1000 && last < 1000 && !leader(w.text) && w.box[0]-s.words[k-1].box[2] >= corridor*s.height() {
			out = append(out, segment{words: s.words[k : k+1 : k+1], box: w.box})
		} else {
			p := &out[len(out)-1]
			p.words = append(p.words, w)
			p.box = union(p.box, w.box)
		}
		last = c
	}
	return out
}

// bandsOf gives the first column a box stands in and how many it spans.
func bandsOf(b edb.Box, cols [][2]float64) (col, span int) {
	first, last, nearest, dist := -1, -1, 0, 1e18
	mid := (b[0] + b[2]) / 2
	for i, c := range cols {
		overlap := min(b[2], c[1]) - max(b[0], c[0])
		if overlap > 0.3*min(c[1]-c[0], b[2]-b[0]) {
			if first < 0 {
				first = i
			}
			last = i
		}
		if d := max(c[0]-mid, mid-c[1], 0); d < dist {
			nearest, dist = i, d
		}
	}
	if first < 0 {
		return nearest, 1
	}
	return first, last - first + 1
}
