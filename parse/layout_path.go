package parse

import (
	"math"

	"enterprisedocbench"
)

// maxSegments is how many segments a path may have to be read as rules; larger ones are drawings.
const maxSegments = 400

// trail is a drawn path, point by point, points of the page as shown: its level and upright lines, and
// whether it has others.
type trail struct {
	lines     []edb.Box
	start, at [2]float64
	n         int  // points
	bent      bool // it has curves or slanted lines
}

func (p *trail) point(pt [2]float64) {
	p.at = pt
	p.n++
}

func (p *trail) move(pt [2]float64) {
	p.point(pt)
	p.start = pt
}

func (p *trail) line(pt [2]float64) {
	p.side(p.at, pt)
	p.point(pt)
}

func (p *trail) close() {
	p.side(p.at, p.start)
	p.at = p.start
}

func (p *trail) side(a, b [2]float64) {
	dx, dy := math.Abs(a[0]-b[0]), math.Abs(a[1]-b[1])
	if dx > 1 && dy > 1 {
		p.bent = true
	} else if dx > 1 || dy > 1 {
		p.lines = append(p.lines, edb.Box{min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])})
	}
}

// draw notes the level and upright lines of a path on the page, or the ground that it fills. False says
// that the path is something else: it has curves or slanted lines, or fills another shape.
func (pg *rawPage) draw(p *trail, filled, stroked bool) bool {
	if p.bent || p.n < 2 || p.n > maxSegments {
		return false
	}
	out := p.lines
	if filled && !stroked { // a thin bar is a line; a wider one is a ground, whose edges are none
		var all edb.Box
		for i, b := range out {
			if i == 0 {
				all = b
			}
			all = union(all, b)
		}
		if w, h := all[2]-all[0], all[3]-all[1]; w > 3 && h > 3 {
			if p.n > 5 {
				return false
			}
			pg.grounds = append(pg.grounds, all)
			return true
		} else if len(out) > 0 {
			out = []edb.Box{all}
		}
	}
	pg.rules = append(pg.rules, out...)
	return true
}
