package parse

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"

	"enterprisedocbench"
)

// A page that was scanned or printed askew is turned level before anything is read from it, and what
// is found is turned back. How far it leans, its engine tells by the slopes of its words (wordRun.slope),
// else the places of words that follow each other along the lines tell it.

const (
	degree = math.Pi / 180
	// leastSkew is the slope below which a page is taken as level, radians.
	leastSkew = 0.3 * degree
	// stampSlope is how far a word's slope may differ from that of its page, radians; beyond, it is a stamp.
	stampSlope = 0.06 * math.Pi / 2
)

// straighten turns a page level and gives what turns boxes back, by their hulls; nil where the page
// stands level. Words that lean otherwise than the page become oblique.
func straighten(pg *rawPage) func(edb.Box) edb.Box {
	skew := pg.skew
	if skew == 0 {
		skew = statedSkew(pg.words)
	}
	for i := range pg.words {
		if w := &pg.words[i]; math.Abs(w.slope-skew) > stampSlope {
			w.turn = -1
		}
	}
	stated := skew != 0
	if !stated {
		if skew = measuredSkew(pg.words); skew == 0 {
			return nil
		}
	}
	lean := leaning(pg.words, skew)
	for i := range pg.words {
		w := &pg.words[i]
		slope := w.slope
		if !stated && lean {
			slope = skew
		}
		wide, tall := w.box[2]-w.box[0], w.box[3]-w.box[1]
		w.box = levelBox(w.box, slope, skew, pg.width, pg.height)
		if pg.pieces { // they stand level each, and words of several climb
			w.box[0], w.box[2] = (w.box[0]+w.box[2]-wide/math.Cos(skew))/2, (w.box[0]+w.box[2]+wide/math.Cos(skew))/2
		}
		if w.font.size == round2(tall/loose) { // it was the height of the box
			w.font.size = round2((w.box[3] - w.box[1]) / loose)
		}
		w.tight = w.tight || pg.pieces
	}
	for i, b := range pg.images {
		slope := skew
		if area(b) > 0.8*pg.width*pg.height {
			slope = 0 // the picture of the whole page
		}
		pg.images[i] = levelBox(b, slope, skew, pg.width, pg.height)
	}
	for i, b := range pg.paths {
		pg.paths[i] = levelBox(b, skew, skew, pg.width, pg.height)
	}
	if pg.skew == 0 { // drawn level, or nothing is known of how they are drawn
		for _, list := range [][]edb.Box{pg.rules, pg.grounds} {
			for i, b := range list {
				list[i] = levelBox(b, 0, skew, pg.width, pg.height)
			}
		}
	}
	width, height := pg.width, pg.height
	return func(b edb.Box) edb.Box {
		out := edb.Box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
		for _, c := range [][2]float64{{b[0], b[1]}, {b[2], b[1]}, {b[0], b[3]}, {b[2], b[3]}} {
			p := turnPoint(c, skew, width, height)
			out = union(out, edb.Box{p[0], p[1], p[0], p[1]})
		}
		return edb.Box{max(out[0], 0), max(out[1], 0), min(out[2], width), min(out[3], height)}
	}
}

// turnPoint turns a point clockwise, as shown, about the middle of a page of w by h points.
func turnPoint(p [2]float64, radians, w, h float64) [2]float64 {
	sin, cos := math.Sincos(radians)
	x, y := p[0]-w/2, p[1]-h/2
	return [2]float64{w/2 + x*cos - y*sin, h/2 + x*sin + y*cos}
}

// levelBox is a box on a page that is turned level by skew: its middle moves, and where it is the hull
// of something that leans by slope it becomes as large as that.
func levelBox(b edb.Box, slope, skew, width, height float64) edb.Box {
	mid := turnPoint([2]float64{(b[0] + b[2]) / 2, (b[1] + b[3]) / 2}, -skew, width, height)
	w, h := b[2]-b[0], b[3]-b[1]
	if slope != 0 {
		sin, cos := math.Sincos(math.Abs(slope))
		// The hull of a by c is a cos + c sin wide and a sin + c cos high.
		a, c := (w*cos-h*sin)/(cos*cos-sin*sin), (h*cos-w*sin)/(cos*cos-sin*sin)
		w, h = max(a, w/2), max(c, min(h, w)/4)
	}
	return edb.Box{mid[0] - w/2, mid[1] - h/2, mid[0] + w/2, mid[1] + h/2}
}

// statedSkew is the slope of most letters as the engine tells it, radians; 0 where they stand level or
// lean in different ways.
func statedSkew(words []wordRun) float64 {
	var slopes []weighed
	total := 0.0
	for _, w := range words {
		if w.turn >= 0 {
			n := float64(utf8.RuneCountInString(w.text))
			slopes = append(slopes, weighed{w.slope, n})
			total += n
		}
	}
	s := middle(slopes)
	if math.Abs(s) < leastSkew {
		return 0
	}
	alike := 0.0
	for _, x := range slopes {
		if math.Abs(x.value-s) < 0.5*degree {
			alike += x.weight
		}
	}
	if alike < 0.6*total {
		return 0
	}
	return s
}

// weighed is a value and how much it counts.
type weighed struct{ value, weight float64 }

// middle is the weighted median, 0 of none. It sorts.
func middle(xs []weighed) float64 {
	slices.SortFunc(xs, func(a, b weighed) int {
		if c := cmp.Compare(a.value, b.value); c != 0 {
			return c
		}
		return cmp.Compare(a.weight, b.weight)
	})
	total := 0.0
	for _, x := range xs {
		total += x.weight
	}
	sum := 0.0
	for _, x := range xs {
		if sum += x.weight; 2*sum >= total {
			return x.value
		}
	}
	return 0
}

// Lines that are long enough to tell a slope: words, and length in heights of a word.
const (
	lineWords  = 4
	lineLength = 8
	leastLines = 3
)

// measuredSkew is the slope of the page by the middles of words that follow each other closely, line
// by line, radians; 0 where they stand level, or where the lines do not agree.
func measuredSkew(words []wordRun) float64 {
	var slopes []weighed
	total := 0.0
	for _, line := range chains(words) {
		first, last := words[line[0]].box, words[line[len(line)-1]].box
		length := (last[0] + last[2] - first[0] - first[2]) / 2
		if len(line) < lineWords || length < lineLength*(first[3]-first[1]) {
			continue
		}
		half := len(line) / 2
		var steps []weighed
		for i := range len(line) - half {
			a, b := words[line[i]].box, words[line[i+half]].box
			if dx := b[0] + b[2] - a[0] - a[2]; dx > 0 {
				steps = append(steps, weighed{math.Atan2(b[1]+b[3]-a[1]-a[3], dx), 1})
			}
		}
		slopes = append(slopes, weighed{middle(steps), length})
		total += length
	}
	s := middle(slopes)
	if len(slopes) < leastLines || math.Abs(s) < leastSkew {
		return 0
	}
	alike := 0.0
	for _, x := range slopes {
		if math.Abs(x.value-s) < 0.2*degree+2/x.weight { // as much as 2 points at its end
			alike += x.weight
		}
	}
	if alike < 0.7*total {
		return 0
	}
	return s
}

// chains links level or nearly level words to those that follow them closely and gives the lines that
// come of it, words by their indices, left to right.
func chains(words []wordRun) [][]int {
	mid := func(i int) float64 { return (words[i].box[1] + words[i].box[3]) / 2 }
	var order []int
	for i, w := range words {
		if w.turn == 0 && w.box[3] > w.box[1] {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(mid(a), mid(b)) })
	next, taken := make([]int, len(words)), make([]bool, len(words))
	for i := range next {
		next[i] = -1
	}
	for k, i := range order {
		a := words[i].box
		tall := a[3] - a[1]
		best, least := -1, math.Inf(1)
		look := func(j int) {
			b := words[j].box
			gap := b[0] - a[2]
			if j == i || gap < -0.3*tall || gap > 1.2*tall || b[0] <= a[0] || b[3]-b[1] > 1.6*tall || tall > 1.6*(b[3]-b[1]) {
				return
			}
			if away := max(gap, 0) + 2*math.Abs(mid(j)-mid(i)); away < least {
				best, least = j, away
			}
		}
		for m := k + 1; m < len(order) && mid(order[m])-mid(i) <= 0.6*tall; m++ {
			look(order[m])
		}
		for m := k - 1; m >= 0 && mid(i)-mid(order[m]) <= 0.6*tall; m-- {
			look(order[m])
		}
		if best >= 0 && !taken[best] {
			next[i], taken[best] = best, true
		}
	}
	var out [][]int
	for _, i := range order {
		if taken[i] {
			continue
		}
		var line []int
		for j := i; j >= 0; j = next[j] {
			line = append(line, j)
		}
		out = append(out, line)
	}
	return out
}

// leaning says whether the boxes of words are hulls of words that lean by skew: the wider they are, the
// taller they are too.
func leaning(words []wordRun, skew float64) bool {
	ws := slices.Clone(words)
	if len(ws) < 4 {
		return false
	}
	slices.SortStableFunc(ws, func(a, b wordRun) int { return cmp.Compare(a.box[2]-a.box[0], b.box[2]-b.box[0]) })
	size := func(part []wordRun) (w, h float64) {
		var ws, hs []weighed
		for _, x := range part {
			ws, hs = append(ws, weighed{x.box[2] - x.box[0], 1}), append(hs, weighed{x.box[3] - x.box[1], 1})
		}
		return middle(ws), middle(hs)
	}
	w0, h0 := size(ws[:len(ws)/2])
	w1, h1 := size(ws[len(ws)/2:])
	return h1-h0 > 0.5*math.Abs(math.Sin(skew))*(w1-w0)
}

// after turns a box by first and then by second; nil does nothing.
func after(first, second func(edb.Box) edb.Box) func(edb.Box) edb.Box {
	if first == nil {
		return second
	}
	if second == nil {
		return first
	}
	return func(b edb.Box) edb.Box { return second(first(b)) }
}
