package parse

import (
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/internal/caption"
)

// figures finds images and drawings: images of some size, and clusters of drawn paths that are not
// the rules of a table.
func figures(pg *rawPage, els []edb.Element) []edb.Box {
	var out []edb.Box
	for _, b := range pg.images {
		if b[2]-b[0] > 40 && b[3]-b[1] > 40 && (b[2]-b[0])*(b[3]-b[1]) < 0.9*pg.width*pg.height {
			out = append(out, b)
		}
	}
	var paths []edb.Box
	for _, b := range pg.paths {
		if (b[2]-b[0])*(b[3]-b[1]) < 0.8*pg.width*pg.height && !inTable(b, els) {
			paths = append(paths, b)
		}
	}
	for _, c := range clusters(paths) {
		if c.box[2]-c.box[0] > 80 && c.box[3]-c.box[1] > 50 && !tableLike(c.box, els) {
			box, axes := withAxes(c.box, pg.rules)
			if c.n >= 6 || axes {
				out = append(out, box)
			}
		}
	}
	var kept []edb.Box
	for _, b := range merged(out) {
		if area(b) < 0.85*pg.width*pg.height && !written(b, els) {
			kept = append(kept, b)
		}
	}
	return kept
}

// withAxes is a drawing with the two rules that it stands between, and whether it has both: a level one
// over its width and an upright one over its height, which meet.
func withAxes(b edb.Box, rules []edb.Box) (edb.Box, bool) {
	const near = 20
	w, h := b[2]-b[0], b[3]-b[1]
	for _, x := range rules {
		if x[3]-x[1] > 3 || x[2]-x[0] < 0.8*w || x[2]-x[0] > 1.5*w+near || x[0] > b[0]+near || x[2] < b[2]-near || x[1] < b[3]-0.6*h || x[1] > b[3]+h {
			continue
		}
		for _, y := range rules {
			if y[2]-y[0] > 3 || y[3]-y[1] < 0.8*h || y[3]-y[1] > 2*h+near || y[0] < x[0]-near || y[0] > x[2]+near || y[1] > x[1]+near || y[3] < x[1]-near {
				continue
			}
			return union(union(b, x), y), true
		}
	}
	return b, false
}

func area(b edb.Box) float64 { return max(0, b[2]-b[0]) * max(0, b[3]-b[1]) }

// written says whether running text fills a good part of the box: it is a ground, no figure.
func written(b edb.Box, els []edb.Element) bool {
	text := 0.0
	for _, e := range els {
		if e.Box == nil || e.Kind == edb.KindFigure {
			continue
		}
		o := edb.Box{max(b[0], e.Box[0]), max(b[1], e.Box[1]), min(b[2], e.Box[2]), min(b[3], e.Box[3])}
		if e.Kind == edb.KindTable || len(e.Text) > 150 {
			text += area(o)
		}
	}
	return text > 0.35*area(b)
}

func inTable(b edb.Box, els []edb.Element) bool {
	for _, e := range els {
		if e.Kind == edb.KindTable && e.Box != nil && b[0] > e.Box[0]-25 && b[2] < e.Box[2]+25 && b[1] > e.Box[1]-25 && b[3] < e.Box[3]+25 {
			return true
		}
	}
	return false
}

// tableLike says whether a cluster of paths is the frame of a found table.
func tableLike(b edb.Box, els []edb.Element) bool {
	for _, e := range els {
		if e.Kind == edb.KindTable && e.Box != nil {
			o := max(0, min(b[2], e.Box[2])-max(b[0], e.Box[0])) * max(0, min(b[3], e.Box[3])-max(b[1], e.Box[1]))
			if o > 0.3*(b[2]-b[0])*(b[3]-b[1]) {
				return true
			}
		}
	}
	return false
}

type cluster struct {
	box edb.Box
	n   int
}

// clusters joins boxes that lie within a few points of each other.
func clusters(boxes []edb.Box) []cluster {
	if len(boxes) > 1500 {
		boxes = boxes[:1500]
	}
	slices.SortStableFunc(boxes, func(a, b edb.Box) int { return compare(a[1], b[1]) })
	var out []cluster
	const near = 12
	for _, b := range boxes {
		c := cluster{b, 1}
		for again := true; again; {
			again = false
			for i := 0; i < len(out); i++ {
				o := out[i].box
				if c.box[0] <= o[2]+near && o[0] <= c.box[2]+near && c.box[1] <= o[3]+near && o[1] <= c.box[3]+near {
					c = cluster{union(c.box, o), c.n + out[i].n}
					out = slices.Delete(out, i, i+1)
					again = true
					break
				}
			}
		}
		out = append(out, c)
	}
	return out
}

func merged(boxes []edb.Box) []edb.Box {
	var out []edb.Box
	for _, c := range clusters(boxes) {
		out = append(out, c.box)
	}
	slices.SortStableFunc(out, func(a, b edb.Box) int { return compare(a[1], b[1]) })
	return out
}

// withFigures puts figures among the elements before the first that lies below them; text inside a
// figure (its labels) becomes the figure's text.
func withFigures(els []edb.Element, figs []edb.Box) []edb.Element {
	for _, f := range figs {
		fig := edb.Element{Kind: edb.KindFigure, Box: roundBox(f)}
		var labels []string
		var keep []edb.Element
		at := -1
		for _, e := range els {
			if e.Box != nil && e.Kind != edb.KindTable && !caption.Marked(e.Text) &&
				e.Box[0] > f[0]-6 && e.Box[2] < f[2]+6 && e.Box[1] > f[1]-6 && e.Box[3] < f[3]+6 {
				labels = append(labels, e.Text)
				if at < 0 {
					at = len(keep)
				}
				continue
			}
			keep = append(keep, e)
		}
		if at < 0 {
			at = len(keep)
			for i, e := range keep {
				if e.Box != nil && e.Box[1] >= f[3]-2 && e.Box[0] < f[2] && e.Box[2] > f[0] {
					at = i
					break
				}
			}
		}
		fig.Text = strings.Join(labels, "\n")
		els = slices.Insert(keep, at, fig)
	}
	return els
}
