package align

import (
	"cmp"
	"slices"

	"enterprisedocbench"
)

// Mask is the words of the gold that an evidence rests on.
type Mask struct {
	Page      int     // gold page
	Tokens    []int32 // indexes of gold words, ascending; empty on a page without words
	By        string  // what found them: offsets, quote, page
	Ambiguous bool    // the quote stands in several places alike; the first is taken
}

// Evidence finds the words of an evidence: those that its offsets touch; without offsets (both 0)
// its quote on its page; without a quote, or where it isn't found there, the whole page. In gold
// without page marks the whole document is the page.
func (a *Alignment) Evidence(ev edb.Evidence) Mask {
	m := Mask{Page: ev.Page, By: "page"}
	pg, ok := a.gold.page(ev.Page)
	if !a.gold.paged && len(a.gold.pages) > 0 {
		pg, ok = a.gold.pages[0], true
		m.Page, pg.to = pg.number, len(a.gold.toks)
	}
	if !ok {
		return m
	}
	spans := []edb.Span{{Page: pg.number, Start: 0, End: 1 << 30}}
	switch {
	case ev.Start != 0 || ev.End != 0:
		m.By = "offsets"
		spans[0].Start, spans[0].End = ev.Start, ev.End
	case ev.Quote != "":
		if found := a.pageLocator(pg).Find(ev.Quote); found.Spans != nil {
			m.By, m.Ambiguous = "quote", found.Ambiguous
			spans = found.Spans
		}
	}
	for i := pg.from; i < pg.to; i++ {
		t := a.gold.toks[i]
		for _, s := range spans {
			if int(t.start) < s.End && int(t.end) > s.Start {
				m.Tokens = append(m.Tokens, int32(i))
				break
			}
		}
	}
	return m
}

func (a *Alignment) pageLocator(pg pageRange) *Locator {
	a.mu.Lock()
	defer a.mu.Unlock()
	l := a.locators[pg.number]
	if l == nil {
		l = newLocator(a.gold, pg.from, pg.to)
		if a.locators == nil {
			a.locators = map[int]*Locator{}
		}
		a.locators[pg.number] = l
	}
	return l
}

// Cover is how much of an evidence some passages cover. Located is the share of its words, weighted
// by idf, whose place in the parse the passages hold; Legible the share that is also read right,
// and 0 where a number of the evidence was read wrong in what they hold or is nowhere in the parse.
// Both lie in [0, 1] and Legible is never above Located. Tokens counts the evidence's words and
// Weight sums their weights, so that several evidences can be put together; an evidence without
// words (a figure) is located by its page and has Weight 0.
type Cover struct {
	Located   float64
	Legible   float64
	Weight    float64
	Tokens    int
	Ambiguous bool
}

// Cover measures an evidence against the union of passages' spans, in coordinates of the parsed
// text. A span of length 0 at 0 is an image of its page; like a page of the parse without words it
// locates all evidence of the page and makes none of it legible. No spans: 0.
func (a *Alignment) Cover(ev edb.Evidence, spans []edb.Span) Cover {
	return a.CoverMask(a.Evidence(ev), spans)
}

// CoverMask is [Alignment.Cover] for an evidence whose words are known already.
func (a *Alignment) CoverMask(m Mask, spans []edb.Span) Cover {
	c := Cover{Tokens: len(m.Tokens), Ambiguous: m.Ambiguous}
	seen := a.union(spans)
	image := seen.image[m.Page]
	if len(m.Tokens) == 0 {
		if _, any := seen.pages[m.Page]; any || image {
			c.Located = 1
		}
		return c
	}
	var total, located, legible float64
	numbers := true
	for _, g := range m.Tokens {
		t := a.gold.toks[g]
		w := float64(t.share)
		if a.weight != nil {
			w *= a.weight[t.word]
		}
		total += w
		p := a.image[g]
		if p < 0 {
			numbers = numbers && !t.number
		}
		held := p >= 0 && seen.holds(a.parsed, p)
		switch {
		case held && a.how[g] == exact:
			located += w
			legible += w
		case held:
			located += w
			numbers = numbers && !t.number
		case image:
			located += w
		}
	}
	c.Weight = total
	if total > 0 {
		c.Located = min(located/total, 1)
		if numbers {
			c.Legible = min(legible/total, c.Located)
		}
	}
	return c
}

// covered is a union of spans.
type covered struct {
	pages map[int][]edb.Span // disjoint, ascending, by page of the parse
	image map[int]bool       // pages held as an image
}

func (a *Alignment) union(spans []edb.Span) covered {
	c := covered{pages: map[int][]edb.Span{}, image: map[int]bool{}}
	for _, s := range spans {
		if pg, ok := a.parsed.page(s.Page); s.Start == 0 && s.End == 0 || ok && pg.image {
			c.image[s.Page] = true
		}
		c.pages[s.Page] = append(c.pages[s.Page], s)
	}
	for n, list := range c.pages {
		slices.SortFunc(list, func(a, b edb.Span) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
		out := list[:1]
		for _, s := range list[1:] {
			if last := &out[len(out)-1]; s.Start <= last.End {
				last.End = max(last.End, s.End)
			} else {
				out = append(out, s)
			}
		}
		c.pages[n] = out
	}
	return c
}

// holds reports whether the middle of a word of the parse is covered, so that a word cut between
// two chunks belongs to one of them.
func (c covered) holds(s *side, p int32) bool {
	t := s.toks[p]
	list := c.pages[s.pageOf(p)]
	middle := int(t.start+t.end-1) / 2
	i, found := slices.BinarySearchFunc(list, middle, func(x edb.Span, at int) int { return x.Start - at })
	if !found {
		i--
	}
	return i >= 0 && middle < list[i].End
}

// pageOf is the page number of a token.
func (s *side) pageOf(i int32) int {
	k, _ := slices.BinarySearchFunc(s.pages, int(i), func(p pageRange, at int) int {
		if p.to <= at {
			return -1
		}
		return 1
	})
	if k == len(s.pages) {
		return 0
	}
	return s.pages[k].number
}

// Image is where the words of an evidence stand in the parsed text, as spans in reading order that
// join words next to each other.
func (a *Alignment) Image(ev edb.Evidence) []edb.Span {
	var at []int32
	for _, g := range a.Evidence(ev).Tokens {
		if p := a.image[g]; p >= 0 {
			at = append(at, p)
		}
	}
	slices.Sort(at)
	var out []edb.Span
	for i, p := range slices.Compact(at) {
		t := a.parsed.toks[p]
		page := a.parsed.pageOf(p)
		if i > 0 && out[len(out)-1].Page == page && p-1 >= 0 && a.parsed.toks[p-1].end == int32(out[len(out)-1].End) {
			out[len(out)-1].End = int(t.end)
			continue
		}
		out = append(out, edb.Span{Page: page, Start: int(t.start), End: int(t.end)})
	}
	return out
}

// PageShare is a gold page and the share of a passage's words that stand on it, in (0, 1].
type PageShare struct {
	Page  int
	Share float64
}

// PageShares gives the pages on which the words of spans stand, the largest share first and equal
// shares by page. Where the parse has pages they are the file's; otherwise the words are carried to
// the gold, and those that are not in it count nowhere. Spans without words belong to their page.
func (a *Alignment) PageShares(spans []edb.Span) []PageShare {
	seen := a.union(spans)
	count := map[int]int{}
	total := 0
	if a.parsed.paged {
		for page, list := range seen.pages {
			n := 0
			if pg, ok := a.parsed.page(page); ok {
				n = a.inside(pg, list, func(int32) {})
			}
			count[page] = n
			total += n
		}
		if total == 0 {
			for page := range count {
				count[page] = 1
				total++
			}
		}
	} else {
		for page, list := range seen.pages {
			pg, ok := a.parsed.page(page)
			if !ok {
				continue
			}
			a.inside(pg, list, func(p int32) {
				if g := a.source[p]; g >= 0 {
					count[a.gold.pageOf(g)]++
					total++
				}
			})
		}
	}
	var out []PageShare
	for page, n := range count {
		if n > 0 {
			out = append(out, PageShare{page, float64(n) / float64(total)})
		}
	}
	slices.SortFunc(out, func(a, b PageShare) int { return cmp.Or(cmp.Compare(b.Share, a.Share), a.Page-b.Page) })
	return out
}

// inside calls yield for the words of a page of the parse that spans hold, and counts them.
func (a *Alignment) inside(pg pageRange, spans []edb.Span, yield func(p int32)) int {
	n := 0
	toks := a.parsed.toks
	for _, s := range spans {
		i, _ := slices.BinarySearchFunc(toks[pg.from:pg.to], s.Start, func(t token, at int) int {
			if int(t.start+t.end-1)/2 < at {
				return -1
			}
			return 1
		})
		for i += pg.from; i < pg.to && int(toks[i].start+toks[i].end-1)/2 < s.End; i++ {
			yield(int32(i))
			n++
		}
	}
	return n
}

// Shares says how the gold's words fared: matched to the same word, to another, only to a place, and
// lost. They add to 1; all are 0 where the gold has no words.
func (a *Alignment) Shares() (same, other, place, lost float64) {
	n := float64(len(a.how))
	if n == 0 {
		return
	}
	var by [4]float64
	for _, h := range a.how {
		by[h]++
	}
	return by[exact] / n, by[misread] / n, by[placed] / n, by[unmatched] / n
}
