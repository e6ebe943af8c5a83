package parse

import (
	"math"
	"slices"

	"enterprisedocbench"
)

// line is a drawn rule: at is its place across, from and to its ends.
type line struct{ at, from, to float64 }

// ruleTolerance is how far, in points, rules may miss each other and still meet.
const ruleTolerance = 3.5

// linesOf sorts a page's rules into level and upright ones and joins the pieces of each.
func linesOf(rules []edb.Box) (level, upright []line) {
	for _, b := range rules {
		w, h := b[2]-b[0], b[3]-b[1]
		switch {
		case h <= 3 && w > 6:
			level = append(level, line{(b[1] + b[3]) / 2, b[0], b[2]})
		case w <= 3 && h > 4:
			upright = append(upright, line{(b[0] + b[2]) / 2, b[1], b[3]})
		}
	}
	return joined(level), joined(upright)
}

// joined puts together rules that lie on one line and touch.
func joined(ls []line) []line {
	slices.SortFunc(ls, func(a, b line) int {
		if c := compare(a.at, b.at); c != 0 {
			return c
		}
		if c := compare(a.from, b.from); c != 0 {
			return c
		}
		return compare(a.to, b.to)
	})
	var out []line
	for from := 0; from < len(ls); {
		to := from + 1
		for to < len(ls) && ls[to].at-ls[from].at < 2 {
			to++
		}
		group := slices.Clone(ls[from:to])
		slices.SortStableFunc(group, func(a, b line) int { return compare(a.from, b.from) })
		cur := group[0]
		for _, l := range group[1:] {
			if l.from <= cur.to+ruleTolerance {
				cur.to = max(cur.to, l.to)
				continue
			}
			out = append(out, cur)
			cur = l
		}
		out = append(out, cur)
		from = to
	}
	return out
}

// maxRules bounds the rules of a page that are looked at: beyond it they are a drawing.
const maxRules = 1500

// ruled finds the tables whose cells are drawn and takes their words out of the page.
func ruled(pg *rawPage) []grid {
	if len(pg.rules) < 4 || len(pg.rules) > 20*maxRules {
		return nil
	}
	level, upright := linesOf(pg.rules)
	if len(level)+len(upright) > maxRules {
		return nil
	}
	var out []grid
	for _, c := range crossing(level, upright) {
		if g, ok := lattice(pg, c.level, c.upright); ok {
			out = append(out, g)
		}
	}
	return out
}

type frame struct{ level, upright []line }

// crossing groups rules that touch each other, in the order of their tops.
func crossing(level, upright []line) []frame {
	parent := make([]int, len(level)+len(upright))
	for i := range parent {
		parent[i] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	const t = ruleTolerance
	for i, h := range level {
		for j, v := range upright {
			if v.at >= h.from-t && v.at <= h.to+t && h.at >= v.from-t && h.at <= v.to+t {
				parent[find(len(level)+j)] = find(i)
			}
		}
	}
	groups := map[int]*frame{}
	var order []int
	for k := range parent {
		r := find(k)
		if groups[r] == nil {
			groups[r] = &frame{}
			order = append(order, r)
		}
		if k < len(level) {
			groups[r].level = append(groups[r].level, level[k])
		} else {
			groups[r].upright = append(groups[r].upright, upright[k-len(level)])
		}
	}
	var out []frame
	for _, r := range order {
		if f := groups[r]; len(f.level) >= 2 && len(f.upright) >= 1 && len(f.level)+len(f.upright) >= 5 {
			out = append(out, *f)
		}
	}
	return out
}

// places gives the distinct places of lines, in order.
func places(ls []line) []float64 {
	var out []float64
	for _, l := range ls {
		out = append(out, l.at)
	}
	slices.Sort(out)
	return slices.CompactFunc(out, func(a, b float64) bool { return math.Abs(a-b) < ruleTolerance })
}

// covers says whether a line at place p runs over x.
func covers(ls []line, p, x float64) bool {
	for _, l := range ls {
		if l.at > p-ruleTolerance && l.at < p+ruleTolerance && l.from <= x+1 && l.to >= x-1 {
			return true
		}
	}
	return false
}

// lattice makes a table of a frame: cells are what rules part, spanning where a rule is missing.
func lattice(pg *rawPage, level, upright []line) (grid, bool) {
	level = append(level, groundEdges(pg.grounds, level, upright)...)
	ys, xs := places(level), places(upright)
	left, right := xs[0], xs[len(xs)-1]
	for _, l := range level {
		left, right = min(left, l.from), max(right, l.to)
	}
	top, bottom := ys[0], ys[len(ys)-1]
	for _, l := range upright {
		top, bottom = min(top, l.from), max(bottom, l.to)
	}
	// Tables often have no rule at their sides, or none at top and bottom.
	if left < xs[0]-2*ruleTolerance {
		xs = append([]float64{left}, xs...)
	}
	if right > xs[len(xs)-1]+2*ruleTolerance {
		xs = append(xs, right)
	}
	if top < ys[0]-2*ruleTolerance {
		ys = append([]float64{top}, ys...)
	}
	if bottom > ys[len(ys)-1]+2*ruleTolerance {
		ys = append(ys, bottom)
	}
	xs, softX := textColumns(pg, ys, xs)
	ys, soft := textRows(pg, ys, xs)
	nr, nc := len(ys)-1, len(xs)-1
	if nr < 1 || nc < 2 || nr*nc < 3 || nr*nc > 20000 {
		return grid{}, false
	}
	if w, h := xs[nc]-xs[0], ys[nr]-ys[0]; w < 40 || h < 15 || pg.drawn(edb.Box{xs[0], ys[0], xs[nc], ys[nr]}, false) {
		return grid{}, false
	}
	inside := make([][][]wordRun, nr)
	for i := range inside {
		inside[i] = make([][]wordRun, nc)
	}
	taken := map[int]bool{}
	for k, w := range pg.words {
		x, y := (w.box[0]+w.box[2])/2, (w.box[1]+w.box[3])/2
		i, j := between(ys, y), between(xs, x)
		if i >= 0 && j >= 0 {
			inside[i][j] = append(inside[i][j], w)
			taken[k] = true
		}
	}
	g := grid{box: edb.Box{xs[0], ys[0], xs[nc], ys[nr]}}
	for j := range nc {
		g.cols = append(g.cols, [2]float64{xs[j], xs[j+1]})
	}
	used := make([][]bool, nr)
	for i := range used {
		used[i] = make([]bool, nc)
	}
	full, words := 0, 0
	for i := range nr {
		var row []gridCell
		for j := range nc {
			if used[i][j] {
				continue
			}
			span, down := 1, 1
			for j+span < nc && !used[i][j+span] {
				x := xs[j+span]
				if !softX[x] && covers(upright, x, (ys[i]+ys[i+1])/2) {
					break
				}
				// Without a rule the text decides: cells that both hold some are two, unless it runs across.
				if (softX[x] || len(inside[i][j+span]) > 0 && some(inside[i][j:j+span])) && !bridged(inside[i], x) {
					break
				}
				span++
			}
			for i+down < nr && !soft[ys[i+down]] && open(level, xs, ys[i+down], j, span) && parted(upright, xs, softX, (ys[i+down]+ys[i+down+1])/2, j, span) {
				down++
			}
			var ws []wordRun
			for a := i; a < i+down; a++ {
				for b := j; b < j+span; b++ {
					used[a][b] = true
					ws = append(ws, inside[a][b]...)
				}
			}
			text := cellText(ws)
			if text != "" {
				full++
				words += len(ws)
			}
			row = append(row, gridCell{col: j, span: span, down: down - 1, text: text})
		}
		g.cells = append(g.cells, row)
	}
	if full < 3 || full*4 < nr || words > 60*full {
		return grid{}, false
	}
	g.drop()
	if len(g.cells) < 2 && len(g.cols) < 3 || len(g.cols) < 2 {
		return grid{}, false
	}
	var keep []wordRun
	for k, w := range pg.words {
		if !taken[k] {
			keep = append(keep, w)
		}
	}
	pg.words = keep
	return g, true
}

// between gives the interval of cuts that holds v, -1 if none does.
func between(cuts []float64, v float64) int {
	i, _ := slices.BinarySearch(cuts, v)
	if i == 0 || i == len(cuts) {
		return -1
	}
	return i - 1
}

// open says whether no rule at y runs under any of the columns.
func open(level []line, xs []float64, y float64, col, span int) bool {
	for c := col; c < col+span; c++ {
		if covers(level, y, (xs[c]+xs[c+1])/2) {
			return false
		}
	}
	return true
}

// parted says whether the columns, as one cell, have no rule between them at y but rules, or the
// table's ends, at both sides.
func parted(upright []line, xs []float64, soft map[float64]bool, y float64, col, span int) bool {
	for c := col + 1; c < col+span; c++ {
		if covers(upright, xs[c], y) {
			return false
		}
	}
	side := func(c int) bool { return c == 0 || c == len(xs)-1 || soft[xs[c]] || covers(upright, xs[c], y) }
	return side(col) && side(col+span)
}

// drop takes out rows and columns that hold no text.
func (g *grid) drop() {
	var cells [][]gridCell
	for _, row := range g.cells {
		has := len(row) == 0
		for _, c := range row {
			has = has || c.text != "" || c.down > 0
		}
		if has {
			cells = append(cells, row)
			continue
		}
		// Cells that reach into the dropped row from above become one row shorter.
		for a := range cells {
			for k := range cells[a] {
				if a+cells[a][k].down >= len(cells) {
					cells[a][k].down--
				}
			}
		}
	}
	g.cells = cells
	for col := len(g.cols) - 1; col >= 0; col-- {
		empty := true
		for _, row := range g.cells {
			for _, c := range row {
				if c.col == col && c.span == 1 && c.text != "" {
					empty = false
				}
				if c.col <= col && col < c.col+c.span && c.span > 1 && c.text != "" && c.col == col {
					empty = false
				}
			}
		}
		if !empty {
			continue
		}
		for i, row := range g.cells {
			out := row[:0]
			for _, c := range row {
				switch {
				case c.col == col && c.span == 1:
					continue
				case c.col <= col && col < c.col+c.span:
					c.span--
				case c.col > col:
					c.col--
				}
				out = append(out, c)
			}
			g.cells[i] = out
		}
		g.cols = slices.Delete(g.cols, col, col+1)
	}
}
