package study

import (
	"slices"

	"enterprisedocbench"
	"enterprisedocbench/internal/tokens"
	"enterprisedocbench/internal/vec"
	"enterprisedocbench/metrics"
)

// likeEnough is the likeness at which a heading still counts as found (definitions of LF and heading F1).
const likeEnough = 0.8

// keyLength is how many code points of a text orders look for.
const keyLength = 64

// key is what an element is found by.
func key(e edb.Element) string {
	r := []rune(tokens.Normalize(e.Text))
	return string(r[:min(len(r), keyLength)])
}

// symbols writes elements as one symbol each, those that begin alike as the same, once as gold has them and once
// as the moves of the log leave them, lost ones left out.
func (l *ledger) symbols(belongs func(at place, e edb.Element) bool, lost func(at place, e edb.Element) bool) (gold, now []rune) {
	known := map[string]rune{}
	type put struct {
		page, at int
		symbol   rune
	}
	var left []put
	for at, e := range l.elements {
		if !belongs(at, e) {
			continue
		}
		k := key(e)
		if _, ok := known[k]; !ok {
			known[k] = rune(len(known))
		}
		s := known[k]
		gold = append(gold, s)
		if lost(at, e) {
			continue
		}
		to, ok := l.moved[at]
		if !ok {
			to = at.at
		}
		left = append(left, put{at.page, to, s})
	}
	slices.SortStableFunc(left, func(a, b put) int {
		if a.page != b.page {
			return a.page - b.page
		}
		return a.at - b.at
	})
	for _, p := range left {
		now = append(now, p.symbol)
	}
	return gold, now
}

func isHeading(_ place, e edb.Element) bool { return e.Kind == edb.KindHeading && e.Text != "" }

// headingLost says whether edits leave less of a heading than is enough to know it by its text without
// numbering; whole says that its text with numbering will do as well.
func (l *ledger) headingLost(at place, e edb.Element, whole bool) bool {
	es := l.edits[at]
	if len(es) == 0 {
		return false
	}
	text := []rune(e.Text)
	now, _ := damaged(text, 0, len(text), es)
	likeness := vec.Similarity(metrics.HeadingText(e.Text), metrics.HeadingText(now))
	if whole {
		likeness = max(likeness, vec.Similarity(tokens.Normalize(e.Text), tokens.Normalize(now)))
	}
	return likeness < likeEnough
}

// headingOrder is LF: the edit similarity of the headings' order and what is left of it.
func (l *ledger) headingOrder() float64 {
	gold, now := l.symbols(isHeading, func(at place, e edb.Element) bool { return l.headingLost(at, e, true) })
	return vec.SimilarityRunes(gold, now)
}

// headingLabels is the F1 of headings: those whose label or text is lost are missing.
func (l *ledger) headingLabels() float64 {
	gold, pred, same := 0, 0, 0
	for at, e := range l.elements {
		if !isHeading(at, e) {
			continue
		}
		gold++
		if l.joined[at] {
			continue
		}
		pred++
		if !l.headingLost(at, e, false) {
			same++
		}
	}
	if gold == 0 {
		return 1
	}
	return 2 * float64(same) / float64(gold+pred)
}

// order is the edit similarity of the order of all blocks and that in which the moves leave them.
func (l *ledger) order() float64 {
	gold, now := l.symbols(func(_ place, e edb.Element) bool { return !e.Artifact() && e.Text != "" },
		func(place, edb.Element) bool { return false })
	return vec.SimilarityRunes(gold, now)
}
