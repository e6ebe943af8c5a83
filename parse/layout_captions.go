package parse

import (
	"fmt"

	"enterprisedocbench"
	"enterprisedocbench/internal/assign"
	"enterprisedocbench/internal/caption"
)

// captionReach is how far a caption may stand from what it names, points; otherSide is how much farther
// one counts that stands where captions of its kind seldom do: above a figure, or below a table.
const (
	captionReach = 150
	otherSide    = 5
)

// captions ties the captions of a page to its figures and tables, each to one: as many as can be, and
// of the ways to do so the one with the shortest distances.
func captions(els []edb.Element) []edb.Element {
	for _, kind := range []string{edb.KindFigure, edb.KindTable} {
		var names, things []int
		for i, e := range els {
			switch {
			case e.Box == nil:
			case e.Kind == kind:
				things = append(things, i)
			case e.Kind == edb.KindCaption && caption.OfTable(e.Text) == (kind == edb.KindTable):
				names = append(names, i)
			}
		}
		if len(names) == 0 || len(things) == 0 {
			continue
		}
		score := make([][]float64, len(names))
		for n, i := range names {
			score[n] = make([]float64, len(things))
			for k, j := range things {
				a, b := els[i].Box, els[j].Box
				d := max(a[1]-b[3], b[1]-a[3], 0) + max(a[0]-b[2], b[0]-a[2], 0)
				if d >= captionReach {
					continue
				}
				if below := a[1]+a[3] > b[1]+b[3]; below == (kind == edb.KindTable) {
					d += otherSide
				}
				score[n][k] = captionReach*float64(len(names)+len(things)) - d // a pair more counts for more than any distance
			}
		}
		for n, k := range assign.Best(score) {
			if k < 0 {
				continue
			}
			i, j := names[n], things[k]
			els[j].ID = fmt.Sprintf("of-%d", i)
			els[i].CaptionOf = els[j].ID
		}
	}
	return els
}
