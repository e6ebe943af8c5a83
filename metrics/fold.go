package metrics

import (
	"cmp"
	"slices"
	"unicode"

	"enterprisedocbench"
)

// FoldPages turns a ranking of passages into a ranking of pages, as "DOC#PAGE" ids: passages in
// order; inside a passage its pages by their share of its words, ties to the lower page; the first
// occurrence of a page wins. A hit whose passage is unknown counts as page 1 of its document.
func FoldPages(hits []edb.Hit, passage func(id string) (edb.Passage, bool)) []string {
	return Fold(hits, func(h edb.Hit) []string {
		p, ok := passage(h.Passage)
		if !ok || len(p.Spans) == 0 {
			return []string{edb.PageID(h.Doc, 1)}
		}
		if len(p.Spans) == 1 {
			return []string{edb.PageID(p.Doc, p.Spans[0].Page)}
		}
		var out []string
		for _, page := range pagesByShare(p) {
			out = append(out, edb.PageID(p.Doc, page))
		}
		return out
	})
}

// FoldDocs turns a ranking of passages into a ranking of documents: the first occurrence wins.
func FoldDocs(hits []edb.Hit, passage func(id string) (edb.Passage, bool)) []string {
	return Fold(hits, func(h edb.Hit) []string {
		if h.Doc == "" {
			if p, ok := passage(h.Passage); ok {
				return []string{p.Doc}
			}
		}
		return []string{h.Doc}
	})
}

// Fold turns a ranking of hits into a ranking of what they stand for; where one id comes from
// several hits the first occurrence wins.
func Fold(hits []edb.Hit, ids func(h edb.Hit) []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, h := range hits {
		for _, id := range ids(h) {
			if !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
		}
	}
	return out
}

// pagesByShare lists the pages of a passage, the one with most words first. Words are counted in
// the passage's text, cut at the spans; where the text is not the spans joined by one separator or
// none, code points are counted instead.
func pagesByShare(p edb.Passage) []int {
	total := 0
	for _, s := range p.Spans {
		total += s.End - s.Start
	}
	text := []rune(p.Text)
	gap := -1
	switch len(text) {
	case total + len(p.Spans) - 1:
		gap = 1
	case total:
		gap = 0
	}
	share := map[int]int{}
	var pages []int
	at := 0
	for _, s := range p.Spans {
		n := s.End - s.Start
		if _, seen := share[s.Page]; !seen {
			pages = append(pages, s.Page)
		}
		if gap >= 0 {
			share[s.Page] += words(text[at : at+n])
			at += n + gap
		} else {
			share[s.Page] += n
		}
	}
	slices.SortFunc(pages, func(a, b int) int { return cmp.Or(share[b]-share[a], a-b) })
	return pages
}

func words(rs []rune) int {
	n, in := 0, false
	for _, r := range rs {
		space := unicode.IsSpace(r)
		if !space && !in {
			n++
		}
		in = !space
	}
	return n
}
