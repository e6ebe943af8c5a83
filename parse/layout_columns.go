package parse

import (
	"slices"

	"enterprisedocbench"
)

// region is rows that are read top to bottom before the next region.
type region struct{ rows []row }

// columns cuts rows into regions in reading order: bands that run over the whole width, and
// between them the left and right column of bands with a gutter. Both sides of a gutter must look
// like running text, so that tables are not cut.
func columns(rows []row, width float64, depth int) []region {
	if len(rows) == 0 {
		return nil
	}
	x, ok := gutter(rows, width)
	if !ok || depth > 2 {
		return []region{{rows}}
	}
	var out []region
	var full []row
	var left, right []segment
	flushFull := func() {
		if len(full) > 0 {
			out = append(out, region{full})
			full = nil
		}
	}
	flushSides := func() {
		out = append(out, columns(rowsOf(left), width, depth+1)...)
		out = append(out, columns(rowsOf(right), width, depth+1)...)
		left, right = nil, nil
	}
	for i, r := range rows {
		if crosses(r, x) || alone(rows, i, x) {
			flushSides()
			full = append(full, r)
			continue
		}
		flushFull()
		for _, s := range r.segs {
			if s.box[2] <= x+gutterSlack {
				left = append(left, s)
			} else {
				right = append(right, s)
			}
		}
	}
	flushSides()
	flushFull()
	return out
}

// gutterSlack lets a character reach a little over the middle of a gutter, points.
const gutterSlack = 3

func crosses(r row, x float64) bool {
	for _, s := range r.segs {
		if s.box[0] < x-gutterSlack && s.box[2] > x+gutterSlack {
			return true
		}
	}
	return false
}

// alone says whether a one-sided row belongs to the full-width text around it: its neighbours both
// cross the gutter.
func alone(rows []row, i int, x float64) bool {
	l, r := sides(rows[i], x)
	if l && r {
		return false
	}
	above := i == 0 || crosses(rows[i-1], x)
	below := i == len(rows)-1 || crosses(rows[i+1], x)
	return above && below
}

func sides(r row, x float64) (left, right bool) {
	for _, s := range r.segs {
		if s.box[2] <= x+gutterSlack {
			left = true
		} else if s.box[0] >= x-gutterSlack {
			right = true
		}
	}
	return left, right
}

// gutter finds the x where most rows part into two columns of running text.
func gutter(rows []row, width float64) (float64, bool) {
	var all edb.Box
	for i, r := range rows {
		if i == 0 {
			all = r.box
		}
		all = union(all, r.box)
	}
	span := all[2] - all[0]
	if span < 0.3*width || len(rows) < 4 {
		return 0, false
	}
	var starts []float64
	for _, r := range rows {
		for _, s := range r.segs {
			if s.box[0] > all[0]+0.2*span && s.box[0] < all[0]+0.8*span {
				starts = append(starts, s.box[0])
			}
		}
	}
	slices.Sort(starts)
	best, bestScore := 0.0, 0
	for i, s := range starts {
		if i > 0 && s-starts[i-1] < 1 {
			continue
		}
		x := s - gutterSlack - 1
		both, crossing := 0, 0
		for _, r := range rows {
			if crosses(r, x) {
				crossing++
				continue
			}
			if l, rr := sides(r, x); l && rr {
				both++
			}
		}
		if score := both*2 - crossing; both >= 4 && score > bestScore && (prose(rows, x, all) || beside(rows, x)) {
			best, bestScore = x, score
		}
	}
	return best, bestScore > 0
}

// prose says whether both sides of x, in the rows that do not cross it, are running text: lines
// of several words, most of which fill their column.
func prose(rows []row, x float64, all edb.Box) bool {
	var widths [2][]float64
	var words [2]int
	var lo, hi [2]float64
	for i := range lo {
		lo[i], hi[i] = 1e9, -1e9
	}
	for _, r := range rows {
		if crosses(r, x) {
			continue
		}
		for _, s := range r.segs {
			if len(s.words) == 0 {
				continue
			}
			side := 0
			if s.box[0] >= x-gutterSlack {
				side = 1
			}
			lo[side], hi[side] = min(lo[side], s.box[0]), max(hi[side], s.box[2])
			widths[side] = append(widths[side], s.box[2]-s.box[0])
			words[side] += len(s.words)
		}
	}
	for side := range 2 {
		n := len(widths[side])
		if n < 4 || float64(words[side])/float64(n) < 3.2 || hi[side]-lo[side] < 0.18*(all[2]-all[0]) {
			return false
		}
		// The column's width is that of its longest lines; the side may hold more columns than one.
		slices.Sort(widths[side])
		full := widths[side][n*9/10]
		wide, _ := slices.BinarySearch(widths[side], 0.6*full)
		if (n-wide)*2 < n || full < 0.15*(all[2]-all[0]) {
			return false
		}
	}
	return true
}

// beside says whether the two sides of x, in the rows that do not cross it, are set independently
// (a margin column): few lines share a baseline, as the cells of a table would, and one side runs on
// as text.
func beside(rows []row, x float64) bool {
	var base [2][]float64
	var words [2]int
	for _, r := range rows {
		if crosses(r, x) {
			continue
		}
		for _, s := range r.segs {
			side := 0
			if s.box[0] >= x-gutterSlack {
				side = 1
			}
			if len(s.words) == 0 {
				continue
			}
			base[side] = append(base[side], s.box[3])
			words[side] += len(s.words)
		}
	}
	small, large := 0, 1
	if len(base[0]) > len(base[1]) {
		small, large = 1, 0
	}
	if len(base[small]) < 4 || words[large] < 6*len(base[large]) {
		return false
	}
	slices.Sort(base[large])
	shared := 0
	for _, y := range base[small] {
		i, _ := slices.BinarySearch(base[large], y-1)
		if i < len(base[large]) && base[large][i] <= y+1 {
			shared++
		}
	}
	return shared*2 < len(base[small])
}
