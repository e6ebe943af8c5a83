package metrics

import (
	"enterprisedocbench"
	"enterprisedocbench/internal/assign"
)

// matchHeadings pairs headings labelled as such on both sides: text at least .8 similar (numbering
// aside), one to one, greatest total similarity. It gives the gold index of each predicted one,
// -1 for none.
func matchHeadings(pred, gold []edb.Element) []int {
	norm := func(es []edb.Element) (out []string) {
		for _, e := range es {
			out = append(out, HeadingText(e.Text))
		}
		return out
	}
	p, g := norm(pred), norm(gold)
	score := make([][]float64, len(p))
	for i := range p {
		score[i] = make([]float64, len(g))
		for j := range g {
			if s := similarity(p[i], g[j]); s >= enough {
				// earlier pairs of equal texts first: the shift is below any difference in similarity
				score[i][j] = s - 1e-9*float64(max(i-j, j-i))
			}
		}
	}
	return assign.Best(score)
}

// HeadingF1 is the F1 of headings labelled as headings: 2·matched/(gold + predicted), a pair
// matching where the texts are at least .8 similar, one to one. In [0,1], higher is better.
// No gold heading: nothing to measure (ok is false). Source: ours, beside EnterpriseDocBench's LF.
func HeadingF1(pred, gold []edb.Element) (value float64, ok bool) {
	if len(gold) == 0 {
		return 0, false
	}
	return 2 * float64(headingPairs(pred, gold)) / float64(len(gold)+len(pred)), true
}

// HeadingRecall is the share of the gold headings that are labelled as headings, paired as in
// [HeadingF1]. In [0,1], higher is better; it says nothing of what is a heading in the prediction alone, so
// it can be had where gold lists only some of the headings. No gold heading: nothing to measure.
// Source: ours, as HeadingF1.
func HeadingRecall(pred, gold []edb.Element) (value float64, ok bool) {
	if len(gold) == 0 {
		return 0, false
	}
	return float64(headingPairs(pred, gold)) / float64(len(gold)), true
}

// HeadingPrecision is the share of the predicted headings that gold has, paired as in [HeadingF1]. In
// [0,1], higher is better. No gold heading: nothing to measure; no predicted one: 0. Source: ours, as
// HeadingF1.
func HeadingPrecision(pred, gold []edb.Element) (value float64, ok bool) {
	if len(gold) == 0 {
		return 0, false
	}
	return float64(headingPairs(pred, gold)) / float64(max(len(pred), 1)), true
}

func headingPairs(pred, gold []edb.Element) (n int) {
	for _, j := range matchHeadings(pred, gold) {
		if j >= 0 {
			n++
		}
	}
	return n
}

// HeadingTree is the F1 of (parent, heading) pairs, the parent of a heading being the nearest one
// before it with a smaller level, or the document. Headings are identified as in [HeadingF1]. In
// [0,1], higher is better. No gold heading, or one without a level: nothing to measure. A predicted
// heading without a level hangs from the document.
func HeadingTree(pred, gold []edb.Element) (value float64, ok bool) {
	if len(gold) == 0 {
		return 0, false
	}
	for _, e := range gold {
		if e.Level == 0 {
			return 0, false
		}
	}
	const document = -1
	match := matchHeadings(pred, gold)
	pairs := map[[2]int]bool{}
	for i, parent := range parents(gold) {
		pairs[[2]int{parent, i}] = true
	}
	n := 0
	for i, parent := range parents(pred) {
		if parent != document {
			if parent = match[parent]; parent < 0 {
				continue // a parent that gold does not have
			}
		}
		if match[i] >= 0 && pairs[[2]int{parent, match[i]}] {
			n++
		}
	}
	return 2 * float64(n) / float64(len(gold)+len(pred)), true
}

// parents gives the index of each heading's parent, -1 for the document.
func parents(es []edb.Element) []int {
	out := make([]int, len(es))
	var open []int
	for i, e := range es {
		level := max(e.Level, 1)
		for len(open) > 0 && max(es[open[len(open)-1]].Level, 1) >= level {
			open = open[:len(open)-1]
		}
		out[i] = -1
		if len(open) > 0 {
			out[i] = open[len(open)-1]
		}
		open = append(open, i)
	}
	return out
}
