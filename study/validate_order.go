package study

import (
	"cmp"
	"slices"

	"enterprisedocbench"
	"enterprisedocbench/internal/tokens"
	"enterprisedocbench/internal/vec"
)

// keyLength is how many code points of a text orders look for.
const keyLength = 64

// key is what an element is found by.
func key(e edb.Element) string {
	r := []rune(tokens.Normalize(e.Text))
	return string(r[:min(len(r), keyLength)])
}

// spot is a place in the order of a text: before all of an element, or that many code points into it.
type spot struct {
	place
	into int
}

func (a spot) compare(b spot) int { return cmp.Or(a.page-b.page, a.at-b.at, a.into-b.into) }

// symbols writes elements as one symbol each, those that begin alike as the same, once as gold has them and once
// in the order of the spots where they are found; those that are found nowhere are left out.
func (l *ledger) symbols(belongs func(at place, e edb.Element) bool, found func(at place) (spot, bool)) (gold, now []rune) {
	known := map[string]rune{}
	type put struct {
		spot
		symbol rune
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
		if to, ok := found(at); ok {
			left = append(left, put{to, s})
		}
	}
	slices.SortStableFunc(left, func(a, b put) int { return a.compare(b.spot) })
	for _, p := range left {
		now = append(now, p.symbol)
	}
	return gold, now
}

// own is the spot of an element after the moves of the log.
func (l *ledger) own(at place) spot {
	if to, ok := l.moved[at]; ok {
		at.at = to
	}
	return spot{place: at}
}

// order is the edit similarity of the order of all blocks and that in which the moves leave them.
func (l *ledger) order() float64 {
	gold, now := l.symbols(func(_ place, e edb.Element) bool { return !e.Artifact() && e.Text != "" },
		func(at place) (spot, bool) { return l.own(at), true })
	return vec.SimilarityRunes(gold, now)
}
