package metrics

import (
	"enterprisedocbench"
	"enterprisedocbench/internal/assign"
)

// IoU is the area that two boxes share ÷ the area that either covers. In [0,1], symmetric. Two boxes
// without area: 1 where they are equal, or else 0.
func IoU(a, b edb.Box) float64 {
	area := func(x edb.Box) float64 { return max(0, x[2]-x[0]) * max(0, x[3]-x[1]) }
	both := area(edb.Box{max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])})
	any := area(a) + area(b) - both
	if any <= 0 {
		if a == b {
			return 1
		}
		return 0
	}
	return both / any
}

// ElementF1 is the F1 of the elements of one kind (edb.Kinds; "" is every kind, each paired with its
// own) found where they are: 2·pairs/(gold + predicted). A pair stands on the same page, has the same
// kind and an IoU of at least iou; pairs are one to one, as many as can be, and of those the ones
// with the greatest sum of IoU. Where boxes of one kind do not overlap on either side and iou is .5 or
// above, only one pairing is possible above the bound, and any method of matching (COCO's greedy one,
// too) finds the same number. Elements without a box are left out on both sides; a parser without any
// boxes has 0. In [0,1], higher is better, symmetric.
// No gold box of the kind, or pages that do not pair (see [TISPages]): nothing to measure.
// Source: precision and recall of detection at an overlap, Everingham et al. 2010 section 4.2, without
// confidences, which parsers do not give; the pairing is ours.
func ElementF1(pred, gold edb.Parsed, kind string, iou float64) (value float64, ok bool) {
	type place struct {
		page int
		kind string
	}
	list := func(p edb.Parsed) (by map[place][]edb.Box, n int) {
		by = map[place][]edb.Box{}
		for page, e := range p.Elements {
			if kind != "" && e.Kind != kind || e.Box == nil {
				continue
			}
			if !(pred.Paged && gold.Paged) {
				page = 1 // of one page each
			}
			at := place{page, e.Kind}
			by[at] = append(by[at], *e.Box)
			n++
		}
		return by, n
	}
	g, golds := list(gold)
	if golds == 0 || !pagesPair(pred, gold) {
		return 0, false
	}
	p, preds := list(pred)
	pairs := 0
	for at, boxes := range g {
		pairs += boxPairs(p[at], boxes, iou)
	}
	return 2 * float64(pairs) / float64(golds+preds), true
}

// boxPairs is the greatest number of pairs of boxes with an IoU of at least iou, one to one.
func boxPairs(pred, gold []edb.Box, iou float64) (pairs int) {
	if len(pred) == 0 {
		return 0
	}
	most := float64(min(len(pred), len(gold)) + 1) // above any sum of overlaps
	score := make([][]float64, len(gold))
	for i, g := range gold {
		score[i] = make([]float64, len(pred))
		for j, p := range pred {
			if x := IoU(p, g); x >= iou {
				score[i][j] = most + x
			}
		}
	}
	for _, j := range assign.Best(score) {
		if j >= 0 {
			pairs++
		}
	}
	return pairs
}
