package metrics

import (
	"slices"

	"enterprisedocbench"
	"enterprisedocbench/internal/vec"
)

// LF is Layout Fidelity: the gold headings (normalised, levels ignored) are located in the
// predicted text, and LF = 1 - d/max length, with d the edit distance between the gold order and
// the order in which they were found. In [0,1], higher is better. The prediction needs no heading
// labels: a heading stands where a line is at least .8 similar to it, numbering aside, or else
// where a stretch of the text is; each place serves one heading, as many headings as possible are
// placed, in order as far as possible.
// No gold heading: nothing to measure (ok is false). Empty prediction: 0.
// Source: EnterpriseDocBench section 3.1; how headings are located is ours.
func LF(pred string, headings []string) (value float64, ok bool) {
	if len(headings) == 0 {
		return 0, false
	}
	gold, found := orders(headings, newHaystack(pred))
	return vec.SimilarityRunes(gold, found), true
}

// Order is the edit similarity of LF over all located texts: those that are not found count in
// neither order. Nothing found: 0. No gold text: nothing to measure.
// In [0,1], higher is better. Source: ours, beside EnterpriseDocBench's LF.
func Order(pred string, texts []string) (value float64, ok bool) {
	if len(texts) == 0 {
		return 0, false
	}
	h := newHaystack(pred)
	place := locate(texts, h)
	var kept []string
	var at []int
	for i, p := range place {
		if p >= 0 {
			kept = append(kept, texts[i])
			at = append(at, p)
		}
	}
	if len(kept) == 0 {
		return 0, true
	}
	gold, found := sequence(kept, at)
	return vec.SimilarityRunes(gold, found), true
}

func orders(texts []string, h *haystack) (gold, found []rune) {
	return sequence(texts, locate(texts, h))
}

// sequence writes the texts as symbols, equal texts as one symbol, once in gold order and once in
// the order of their places (those below 0 left out).
func sequence(texts []string, place []int) (gold, found []rune) {
	symbols := map[string]rune{}
	var order []int
	for i, t := range texts {
		if _, ok := symbols[t]; !ok {
			symbols[t] = rune(len(symbols))
		}
		gold = append(gold, symbols[t])
		if place[i] >= 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return place[a] - place[b] })
	for _, i := range order {
		found = append(found, symbols[texts[i]])
	}
	return gold, found
}

// headingsOf lists the texts of the headings.
func headingsOf(p edb.Parsed) (out []edb.Element) {
	for _, e := range p.Elements {
		if e.Kind == edb.KindHeading && e.Text != "" {
			out = append(out, e)
		}
	}
	return out
}

func textsOf(es []edb.Element) []string {
	out := make([]string, len(es))
	for i, e := range es {
		out[i] = e.Text
	}
	return out
}
