package study

import (
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/internal/tokens"
	"enterprisedocbench/internal/vec"
	"enterprisedocbench/metrics"
)

// likeEnough is the likeness at which a heading still counts as found (definitions of LF and heading F1).
const likeEnough = 0.8

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

// headingOrder is LF: the edit similarity of the headings' order and what is left of it. A heading that
// its edits leave too little of is found all the same where its words stand a second time.
func (l *ledger) headingOrder() float64 {
	found := l.headingSpots()
	gold, now := l.symbols(isHeading, func(at place) (spot, bool) { s, ok := found[at]; return s, ok })
	return vec.SimilarityRunes(gold, now)
}

// headingSpots says where each heading is found: in its own place, else at the first spot that keeps
// the order of headings, else at the first spot that no other heading has.
func (l *ledger) headingSpots() map[place]spot {
	var all []place
	out, kept := map[place]spot{}, map[string]bool{}
	headings := map[place]edb.Element{}
	for at, e := range l.elements {
		if !isHeading(at, e) {
			continue
		}
		all = append(all, at)
		headings[at] = e
		if !l.headingLost(at, e, true) {
			out[at] = l.own(at)
			kept[key(e)] = true
		}
	}
	taken := map[spot]bool{}
	last := spot{place: place{page: -1}}
	for i, at := range all {
		if s, ok := out[at]; ok {
			last = s
			continue
		}
		if kept[key(headings[at])] {
			continue // the same heading elsewhere is the better likeness, and taken
		}
		spots := slices.DeleteFunc(l.elsewhere(at, headings[at].Text), func(s spot) bool { return taken[s] })
		if len(spots) == 0 {
			continue
		}
		var next *spot
		for _, after := range all[i+1:] {
			if s, ok := out[after]; ok {
				next = &s
				break
			}
		}
		to := spots[0]
		if j := slices.IndexFunc(spots, func(s spot) bool { return s.compare(last) > 0 && (next == nil || s.compare(*next) < 0) }); j >= 0 {
			to, last = spots[j], spots[j]
		}
		out[at], taken[to] = to, true
	}
	return out
}

// elsewhere lists where in the gold's other text a heading's words stand, as nearly as anywhere and untouched by
// edits.
func (l *ledger) elsewhere(own place, heading string) (out []spot) {
	sought := []rune(tokens.Normalize(heading))
	sought = sought[:min(len(sought), keyLength)]
	least := int(float64(len(sought)) * (1 - likeEnough))
	for at, e := range l.elements {
		if at == own || e.Artifact() || e.Text == "" {
			continue
		}
		text := []rune(strings.ReplaceAll(e.Text, "\n", " "))
		for _, p := range vec.Find(sought, text, least) {
			start := max(0, p.End-len(sought))
			if _, whole := damaged(text, start, p.End, l.edits[at]); !whole {
				continue
			}
			if p.Distance < least {
				least, out = p.Distance, nil
			}
			out = append(out, spot{at, 1 + start})
		}
	}
	return out
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
