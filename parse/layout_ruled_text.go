package parse

import (
	"math"
	"slices"
	"strings"

	"enterprisedocbench"
)

// textRows cuts the rows between rules further where they hold several lines of a table that has
// rules only around groups of rows: nearly every line fills nearly every column, with figures for
// the most part. The new cuts come back marked.
func textRows(pg *rawPage, ys, xs []float64) (out []float64, soft map[float64]bool) {
	soft = map[float64]bool{}
	out = ys[:1:1]
	for i := 1; i < len(ys); i++ {
		var ws []wordRun
		for _, w := range pg.words {
			y, x := (w.box[1]+w.box[3])/2, (w.box[0]+w.box[2])/2
			if y > ys[i-1] && y < ys[i] && x > xs[0] && x < xs[len(xs)-1] {
				ws = append(ws, w)
			}
		}
		rows := rowsOf(segmentsOf(ws))
		if cuts := rowCuts(rows, xs); cuts != nil {
			for _, y := range cuts {
				soft[y] = true
				out = append(out, y)
			}
		}
		out = append(out, ys[i])
	}
	return out, soft
}

// textColumns cuts the columns between rules further where the lines in them stand in columns of
// their own. The new cuts come back marked.
func textColumns(pg *rawPage, ys, xs []float64) (out []float64, soft map[float64]bool) {
	soft = map[float64]bool{}
	out = xs[:1:1]
	for j := 1; j < len(xs); j++ {
		var ws []wordRun
		for _, w := range pg.words {
			y, x := (w.box[1]+w.box[3])/2, (w.box[0]+w.box[2])/2
			if y > ys[0] && y < ys[len(ys)-1] && x > xs[j-1] && x < xs[j] {
				ws = append(ws, w)
			}
		}
		rows := rowsOf(splitSegments(segmentsOf(ws), corridor))
		several, figures, cells := 0, 0, 0
		for _, r := range rows {
			if len(r.segs) > 1 {
				several++
			}
			for _, s := range r.segs {
				cells++
				if figure(s.text()) {
					figures++
				}
			}
		}
		if several >= 3 && several*10 >= 6*len(rows) && figures*10 >= 3*cells {
			bands := columnBands(rows)
			for k := 1; k < len(bands); k++ {
				x := (bands[k-1][1] + bands[k][0]) / 2
				soft[x] = true
				out = append(out, x)
			}
		}
		out = append(out, xs[j])
	}
	return out, soft
}

// splitSegments cuts segments at gaps of the given share of their height.
func splitSegments(segs []segment, share float64) []segment {
	var out []segment
	for _, s := range segs {
		cur := segment{words: s.words[:1:1], box: s.words[0].box}
		for k := 1; k < len(s.words); k++ {
			w := s.words[k]
			if w.box[0]-s.words[k-1].box[2] >= share*s.height() {
				out = append(out, cur)
				cur = segment{box: w.box}
			}
			cur.words = append(cur.words, w)
			cur.box = union(cur.box, w.box)
		}
		out = append(out, cur)
	}
	return out
}

func some(cells [][]wordRun) bool {
	return slices.ContainsFunc(cells, func(c []wordRun) bool { return len(c) > 0 })
}

// bridged says whether text of a row runs across x: a word that lies over it, or words at both
// sides of it with no more than a blank between them.
func bridged(cells [][]wordRun, x float64) bool {
	var ws []wordRun
	for _, c := range cells {
		ws = append(ws, c...)
	}
	for _, s := range splitSegments(segmentsOf(ws), corridor) {
		if s.box[0] < x && s.box[2] > x {
			return true
		}
	}
	return false
}

func rowCuts(rows []row, xs []float64) []float64 {
	if len(rows) < 2 {
		return nil
	}
	used := map[int]bool{}
	filled, cells, figures, narrow := 0, 0, 0, 0
	for _, r := range rows {
		in := map[int]bool{}
		for _, s := range r.segs {
			for _, w := range s.words {
				if c := between(xs, (w.box[0]+w.box[2])/2); c >= 0 {
					in[c] = true
				}
			}
			cells++
			if figure(s.text()) {
				figures++
			}
			if len(s.words) <= 4 {
				narrow++
			}
		}
		filled += len(in)
		for c := range in {
			used[c] = true
		}
	}
	if len(used) < 2 || filled*10 < 6*len(used)*len(rows) || len(rows) == 2 && (figures*10 < 6*cells || filled < 2*len(used)) {
		return nil
	}
	if figures*10 < 4*cells && !(len(rows) >= 4 && len(used) >= 3 && narrow*10 >= 9*cells && filled*10 >= 9*len(used)*len(rows)) {
		return nil
	}
	var out []float64
	for i := 1; i < len(rows); i++ {
		out = append(out, (rows[i-1].box[3]+rows[i].box[1])/2)
	}
	return out
}

// figure says whether a text is a number, a sum, a share, or the dash that stands for one.
func figure(s string) bool {
	s = strings.TrimSpace(s)
	digits, others := 0, 0
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case strings.ContainsRune(" .,%()$€£+-–—/*−±<>", r):
		default:
			others++
		}
	}
	return digits > 0 && others <= digits/2+1 || others == 0 && s != ""
}

// groundEdges gives the upper and lower edges of coloured grounds that run over a whole frame (heads,
// every second row) as rules, where it has none near.
func groundEdges(grounds []edb.Box, level, upright []line) []line {
	left, right := math.Inf(1), math.Inf(-1)
	top, bottom := left, right
	for _, l := range level {
		left, right, top, bottom = min(left, l.from), max(right, l.to), min(top, l.at), max(bottom, l.at)
	}
	for _, l := range upright {
		left, right, top, bottom = min(left, l.at), max(right, l.at), min(top, l.from), max(bottom, l.to)
	}
	ys := places(level)
	var out []line
	for _, g := range grounds {
		if g[3]-g[1] < 8 || g[2]-g[0] < 12 || g[0] < left-6 || g[2] > right+6 || g[3] > bottom+6 || g[1] < top-6 {
			continue
		}
		for _, y := range [2]float64{g[1], g[3]} {
			near := false
			for _, have := range ys {
				near = near || math.Abs(have-y) < 6
			}
			if !near && y > top+6 && y < bottom-6 {
				out = append(out, line{y, g[0], g[2]})
			}
		}
	}
	return slices.DeleteFunc(joined(out), func(l line) bool { return l.to-l.from < 0.9*(right-left) })
}

// cellText is the text of a cell's words, line by line.
func cellText(ws []wordRun) string {
	var lines []string
	for _, r := range rowsOf(segmentsOf(ws)) {
		var parts []string
		for _, s := range r.segs {
			parts = append(parts, s.text())
		}
		lines = append(lines, strings.Join(parts, " "))
	}
	return strings.Join(lines, " ")
}
