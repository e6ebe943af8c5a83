package metrics

import (
	"slices"
	"unicode/utf8"

	"enterprisedocbench"
	"enterprisedocbench/internal/tokens"
	"enterprisedocbench/internal/vec"
)

// TIS is the Text Integrity Score: 1 - d/max(|a|,|b|), with d the Levenshtein distance in code
// points between predicted and gold text, both after tokens.Normalize (NFKC, soft hyphens removed,
// white-space runs to one space, trimmed). In [0,1], higher is better.
// Both texts empty: 1. One empty: 0.
// Source: EnterpriseDocBench section 3.1; the normalisation is ours.
func TIS(pred, gold string) float64 {
	return vec.Similarity(tokens.Normalize(pred), tokens.Normalize(gold))
}

// TISRaw is [TIS] on the texts as they are: line ends, runs of blanks, ligatures and soft hyphens
// count. It is the value of parse.tis(mode=raw). Range and empty cases are those of TIS.
func TISRaw(pred, gold string) float64 { return vec.Similarity(pred, gold) }

// TISPages is TIS page by page: pages pair by their number, one that a side does not have has no
// text there, and those without text on both sides are left out. The mean over pages is plain
// (parse.tis(level=page)), or, with micro, 1 - (distances summed)/(longer lengths summed), so that
// pages count by their length (parse.tis(level=page,mean=micro)). Without reading order across pages
// it says less than TIS of a text that runs over pages, and more of which page went wrong. With raw
// the texts are compared as they are. In [0,1], higher is better, symmetric.
// No page with text: 1, like two empty texts. One side without page marks, and the other with more
// than one page: nothing to measure (ok is false).
// Source: the variants are ours; the paper does not say which it takes.
func TISPages(pred, gold edb.Parsed, raw, micro bool) (value float64, ok bool) {
	if !pagesPair(pred, gold) {
		return 0, false
	}
	n, sum, lost, length := 0, 0.0, 0, 0
	for _, page := range pagedTexts(pred, gold, raw) {
		longer := max(len(page[0]), len(page[1]))
		d := vec.LevenshteinRunes(page[0], page[1])
		n, sum = n+1, sum+1-float64(d)/float64(longer)
		lost, length = lost+d, length+longer
	}
	switch {
	case n == 0:
		return 1, true
	case micro:
		return 1 - float64(lost)/float64(length), true
	}
	return sum / float64(n), true
}

// textWeight is how much a document counts where texts are pooled: the longer length, in code points,
// of the two texts, or of the two of each page summed.
func textWeight(pred, gold edb.Parsed, raw, byPage bool) float64 {
	n := 0
	if byPage {
		for _, page := range pagedTexts(pred, gold, raw) {
			n += max(len(page[0]), len(page[1]))
		}
		return float64(n)
	}
	for _, p := range []edb.Parsed{pred, gold} {
		text := p.Text()
		if !raw {
			text = tokens.Normalize(text)
		}
		n = max(n, utf8.RuneCountInString(text))
	}
	return float64(n)
}

// pagedTexts lists the texts of prediction and gold by page, those without text on both sides left out.
func pagedTexts(pred, gold edb.Parsed, raw bool) (out [][2][]rune) {
	text := func(s string) []rune {
		if !raw {
			s = tokens.Normalize(s)
		}
		return []rune(s)
	}
	pages := map[int][2]string{}
	for side, p := range []edb.Parsed{pred, gold} {
		for _, pg := range p.Pages {
			n := pg.Number
			if len(pred.Pages) == 1 && len(gold.Pages) == 1 && !(pred.Paged && gold.Paged) {
				n = 1
			}
			both := pages[n]
			both[side] = pg.Text()
			pages[n] = both
		}
	}
	var numbers []int
	for n := range pages {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	for _, k := range numbers {
		page := [2][]rune{text(pages[k][0]), text(pages[k][1])}
		if len(page[0])+len(page[1]) > 0 {
			out = append(out, page)
		}
	}
	return out
}

// pagesPair says whether pages of two parses can be told apart and pair by their number: both have
// page marks, or neither has more than one page, or one has none at all.
func pagesPair(pred, gold edb.Parsed) bool {
	return pred.Paged && gold.Paged || min(len(pred.Pages), len(gold.Pages)) == 0 || max(len(pred.Pages), len(gold.Pages)) == 1
}
