package generate

import (
	"math"
	"strings"

	"enterprisedocbench/internal/tokens"
)

// bare reports whether a line is a heading or caption that says nothing: no full stop, no colon.
func bare(s string) bool {
	s = strings.TrimSpace(s)
	return !strings.ContainsAny(s[max(0, len(s)-1):], ".!?;)") && !strings.Contains(s, ":") && len(s) <= 80 && len(numbers(s)) == 0
}

// named reports whether the question names a row's label, its part before a comma or bracket, in full.
func (r *reading) named(label string, q asked) bool {
	label, _, _ = strings.Cut(label, ",")
	label, _, _ = strings.Cut(label, "(")
	asks := false
	for _, k := range normal(label) {
		if _, ok := r.idf[k]; !ok && !stop[k] {
			return false
		}
		asks = asks || !q.inEntity[k] && !stop[k]
	}
	return asks
}

// cell looks a question up in a table row: the column whose header, or in rows without header the
// value whose label before it, shares most with the question.
func (r *reading) cell(u unit, q asked) (label, value string) {
	weight := func(s string) float64 {
		w := 0.0
		seen := map[string]bool{}
		for _, k := range normal(s) {
			if idf, ok := r.idf[k]; ok && !seen[k] {
				seen[k] = true
				w += idf
			}
		}
		return w
	}
	fits := func(c string) bool {
		switch q.want {
		case wantNumber:
			return len(tokens.Numbers(c)) > 0
		case wantDate:
			return len(dates(c)) > 0
		}
		return c != ""
	}
	best, at := math.Inf(-1), -1
	if len(u.header) == len(u.cells) {
		asksLabel := q.want == wantName || q.extreme != 0
		for i := range u.cells {
			w := weight(u.header[i])
			if i == 0 && !asksLabel && len(u.cells) > 1 {
				continue // the first column is the row's name
			}
			if u.cells[i] == "" || !fits(u.cells[i]) {
				continue
			}
			if w -= 0.5 * weight(u.cells[i]); w > best {
				best, at = w, i
			}
		}
		if at < 0 {
			return "", ""
		}
		label = u.cells[0]
		if h := u.header[at]; h != "" {
			label += ", " + h
		}
		return label, u.cells[at]
	}
	for i := 0; i+1 < len(u.cells); i++ {
		if u.cells[i+1] == "" || !fits(u.cells[i+1]) || numeric(u.cells[i]) {
			continue
		}
		if w := weight(u.cells[i]); w > best {
			best, at = w, i
		}
	}
	if at < 0 {
		return "", ""
	}
	if best <= 0 && len(u.cells) > 2 {
		return "", ""
	}
	return u.cells[at], u.cells[at+1]
}

// farthest is the distance, in code points, beyond which a word says nothing of a value.
const farthest = 16

// nearest is the candidate closest to the words that the question asks with, rare words counting
// more; a word after a value is taken as farther than one before it. Earlier on ties.
func (r *reading) nearest(u unit, q asked, vs []value) string {
	best, least := vs[0].text, math.Inf(1)
	ws := tokens.Words(u.text)
	for _, v := range vs {
		gaps := map[string]float64{}
		for _, w := range ws {
			k := stem(w.Key)
			if _, ok := r.idf[k]; !ok || w.Start >= v.start && w.Start < v.end {
				continue
			}
			after := w.Start - v.end
			if q.want == wantNumber {
				after *= 4
			}
			gap := float64(max(v.start-w.End, after))
			if old, ok := gaps[k]; !ok || gap < old {
				gaps[k] = gap
			}
		}
		d := 0.0
		for _, k := range q.all {
			if gap, ok := gaps[k]; ok {
				d += r.idf[k] * math.Min(gap, farthest)
			} else if u.keys[k] {
				d += r.idf[k] * farthest
			}
		}
		if d < least {
			best, least = v.text, d
		}
	}
	return best
}

// extreme moves from a row to the row of its table that has the highest or lowest number in the
// column that the question names.
func (r *reading) extreme(s support, q asked) support {
	u := r.units[s.unit]
	column, most := -1, 0.0
	for i, h := range u.header {
		w := 0.0
		for _, k := range normal(h) {
			w += r.idf[k]
		}
		if w > most && i > 0 {
			column, most = i, w
		}
	}
	if column < 0 {
		column = len(u.header) - 1
	}
	best, at := math.Inf(-1), -1
	for i, v := range r.units {
		if v.ctx != u.ctx || len(v.cells) != len(u.cells) || strings.Join(v.header, "\t") != strings.Join(u.header, "\t") ||
			strings.EqualFold(v.cells[0], "total") {
			continue
		}
		if ns := tokens.Numbers(v.cells[column]); len(ns) > 0 && float64(q.extreme)*ns[0].Value > best {
			best, at = float64(q.extreme)*ns[0].Value, i
		}
	}
	if at < 0 {
		return s
	}
	s.unit = at
	s.label, s.value = r.units[at].cells[0]+", "+u.header[column], r.units[at].cells[column]
	return s
}
