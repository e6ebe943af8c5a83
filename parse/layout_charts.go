package parse

import (
	"math"
	"slices"
	"strings"

	"enterprisedocbench"
)

// least is how many bars a bar chart has.
const least = 3

// charts finds bar charts and takes their bars and labels out of the page: what stands beside or under
// bars would else be read as a table or as text.
func charts(pg *rawPage) []grid {
	var bare []edb.Box
	for _, b := range pg.grounds {
		if min(b[2]-b[0], b[3]-b[1]) > 3 && !slices.ContainsFunc(pg.words, func(w wordRun) bool { return inside(w.box, b) }) {
			bare = append(bare, b)
		}
	}
	if len(bare) < least || len(bare) > maxRules {
		return nil
	}
	var out []grid
	for {
		bars, lying := barGroup(bare)
		if bars == nil {
			return out
		}
		bare = slices.DeleteFunc(bare, func(b edb.Box) bool { return slices.Contains(bars, b) })
		pg.grounds = slices.DeleteFunc(pg.grounds, func(b edb.Box) bool { return slices.Contains(bars, b) })
		out = append(out, labelled(pg, bars, lying))
	}
}

// inside says whether the middle of a box lies in another.
func inside(b, in edb.Box) bool {
	x, y := (b[0]+b[2])/2, (b[1]+b[3])/2
	return x > in[0] && x < in[2] && y > in[1] && y < in[3]
}

// barGroup finds boxes that are the bars of one chart: as thick as each other, side by side, beginning
// on one line, most of different lengths. lying says that the line is upright and the bars are level.
func barGroup(boxes []edb.Box) (bars []edb.Box, lying bool) {
	const near = 1.0
	for _, lying := range []bool{true, false} {
		for i, a := range boxes {
			bars := []edb.Box{a}
			for _, b := range boxes[i+1:] {
				foot, thick := math.Abs(a[0]-b[0]), math.Abs((a[3]-a[1])-(b[3]-b[1]))
				if !lying {
					foot, thick = math.Abs(a[3]-b[3]), math.Abs((a[2]-a[0])-(b[2]-b[0]))
				}
				apart := !slices.ContainsFunc(bars, func(o edb.Box) bool {
					if lying {
						return b[1] < o[3]-near && o[1] < b[3]-near
					}
					return b[0] < o[2]-near && o[0] < b[2]-near
				})
				if foot <= near && thick <= near && apart {
					bars = append(bars, b)
				}
			}
			lengths := map[int]bool{}
			for _, b := range bars {
				if lying {
					lengths[int(math.Round(b[2]-b[0]))] = true
				} else {
					lengths[int(math.Round(b[3]-b[1]))] = true
				}
			}
			// Grounds of cells are as long as each other but for merged ones, and touch.
			if len(bars) >= least && (len(lengths)*2 > len(bars) && len(lengths) > 2 || len(lengths)*2 >= len(bars) && gaps(bars, lying)) {
				return bars, lying
			}
		}
	}
	return nil, false
}

// gaps says whether no two bars touch.
func gaps(bars []edb.Box, lying bool) bool {
	from, to := 0, 2
	if lying {
		from, to = 1, 3
	}
	sorted := slices.Clone(bars)
	slices.SortFunc(sorted, func(a, b edb.Box) int { return compare(a[from], b[from]) })
	for i := 1; i < len(sorted); i++ {
		if sorted[i][from]-sorted[i-1][to] < 0.1*(sorted[i][to]-sorted[i][from]) {
			return false
		}
	}
	return true
}

// labelled takes the labels of bars out of a page's words: those beside level bars, and those above and
// below upright ones. The chart's box holds bars, labels and the lines drawn among them.
func labelled(pg *rawPage, bars []edb.Box, lying bool) grid {
	box := bars[0]
	for _, b := range bars {
		box = union(box, b)
	}
	rest := segmentsOf(pg.words)
	all := box
	var labels []segment
	for again := true; again; {
		again = false
		for i := 0; i < len(rest); i++ {
			s := rest[i]
			y, near := (s.box[1]+s.box[3])/2, 2*s.height()
			belongs := inside(s.box, all)
			if lying {
				belongs = belongs || y > box[1] && y < box[3] && s.box[0] < all[2]+near && s.box[2] > all[0]-near
			} else {
				slack := (bars[0][2] - bars[0][0]) / 2
				belongs = belongs || s.box[0] > box[0]-slack && s.box[2] < box[2]+slack && s.box[1] < box[3]+0.8*near && s.box[3] > box[1]-0.8*near &&
					slices.ContainsFunc(bars, func(b edb.Box) bool { return s.box[0] < b[2] && s.box[2] > b[0] && s.box[2]-s.box[0] < 2*(b[2]-b[0]) })
			}
			if belongs {
				all, again = union(all, s.box), true
				labels = append(labels, s)
				rest = slices.Delete(rest, i, i+1)
				i--
			}
		}
	}
	for _, r := range pg.rules {
		if r[0] < all[2]+ruleTolerance && r[2] > all[0]-ruleTolerance && r[1] < all[3]+ruleTolerance && r[3] > all[1]-ruleTolerance {
			all = union(all, r)
		}
	}
	pg.words = pg.words[:0:0]
	for _, s := range rest {
		pg.words = append(pg.words, s.words...)
	}
	var lines []string
	for _, r := range rowsOf(labels) {
		var parts []string
		for _, s := range r.segs {
			parts = append(parts, s.text())
		}
		lines = append(lines, strings.Join(parts, " "))
	}
	return grid{box: all, chart: true, label: strings.Join(lines, "\n")}
}
