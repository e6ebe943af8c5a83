package ingest

import (
	"cmp"
	"slices"

	edb "enterprisedocbench"

	"enterprisedocbench/metrics"
	"enterprisedocbench/stats"
)

// Agreement says how alike what several parsers make of the same PDFs is. It is agreement and not
// quality: parsers that make the same mistake agree. It is never called P.
type Agreement struct {
	Engines []string `json:"engines"` // NAME@VERSION, the one that gives the reference text first
	Pairs   []Pair   `json:"pairs"`
	// Worst are the pages where two parsers differ most, the worst first.
	Worst []PagePair `json:"worst"`
	// NoText are the pages on which the first parser finds no text layer.
	NoText []PageRef `json:"no_text"`
	Reason string    `json:"reason,omitempty"` // why nothing was compared
}

// Pair is the agreement of two parsers: the mean over documents of the mean TIS of their pages.
type Pair struct {
	A         string   `json:"a"`
	B         string   `json:"b"`
	TIS       *float64 `json:"tis"`
	Lo        *float64 `json:"lo"`
	Hi        *float64 `json:"hi"`
	Level     float64  `json:"level,omitempty"`
	Method    string   `json:"method,omitempty"`
	Reason    string   `json:"reason,omitempty"`
	Documents int      `json:"documents"`
	Pages     int      `json:"pages"`  // compared
	Empty     int      `json:"empty"`  // pages without text for both: not in the mean
	Failed    int      `json:"failed"` // documents that one of the two cannot read: not in the mean
}

// PageRef is a page of a document.
type PageRef struct {
	Doc  string `json:"doc"`
	Page int    `json:"page"`
}

// PagePair is the TIS of two parsers on one page.
type PagePair struct {
	PageRef
	A   string  `json:"a"`
	B   string  `json:"b"`
	TIS float64 `json:"tis"`
	// Chars are the code points of the longer text.
	Chars int `json:"chars"`
}

// worstPages is how many pages are listed, worstChars the least text that a page needs to be listed:
// on a page of a few words every difference is large.
const (
	worstPages = 10
	worstChars = 200
)

// comparison is what two engines make of one document.
type comparison struct {
	a, b   int // engines
	failed bool
	pages  []PagePair
	empty  int
}

// compare gives the page-wise TIS of every two parses of one document; nil is a parse that failed.
func compare(doc string, names []string, parses []*edb.Parsed) []comparison {
	texts := make([]map[int]string, len(parses))
	var numbers []int
	for i, p := range parses {
		if p == nil {
			continue
		}
		texts[i] = map[int]string{}
		for _, pg := range p.Pages {
			texts[i][pg.Number] = pg.Text()
			numbers = append(numbers, pg.Number)
		}
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	var out []comparison
	for a := range parses {
		for b := a + 1; b < len(parses); b++ {
			c := comparison{a: a, b: b, failed: parses[a] == nil || parses[b] == nil}
			for _, n := range numbers {
				if c.failed {
					break
				}
				x, y := texts[a][n], texts[b][n]
				if x == "" && y == "" {
					c.empty++
					continue
				}
				c.pages = append(c.pages, PagePair{PageRef{doc, n}, names[a], names[b], metrics.TIS(x, y), max(length(x), length(y))})
			}
			out = append(out, c)
		}
	}
	return out
}

// noText lists the pages of a parse without a text layer.
func noText(doc string, p edb.Parsed) []PageRef {
	var out []PageRef
	for _, pg := range p.Pages {
		if pg.NoText {
			out = append(out, PageRef{doc, pg.Number})
		}
	}
	return out
}

// agreement sums up the comparisons of all documents.
func agreement(names []string, docs []string, of [][]comparison, noText []PageRef, seed uint64) Agreement {
	g := Agreement{Engines: names, Pairs: []Pair{}, Worst: []PagePair{}, NoText: noText}
	if g.NoText == nil {
		g.NoText = []PageRef{}
	}
	switch {
	case len(docs) == 0:
		g.Reason = "there is no PDF"
	case len(names) < 2:
		g.Reason = "there is one parser only"
	}
	if g.Reason != "" {
		return g
	}
	worst := map[PageRef]PagePair{}
	for a := range names {
		for b := a + 1; b < len(names); b++ {
			p := Pair{A: names[a], B: names[b]}
			var means []float64
			var units [][]string
			for d, cs := range of {
				for _, c := range cs {
					if c.a != a || c.b != b {
						continue
					}
					p.Empty += c.empty
					if c.failed {
						p.Failed++
						continue
					}
					sum := 0.0
					for _, pg := range c.pages {
						sum += pg.TIS
						if w, seen := worst[pg.PageRef]; pg.Chars >= worstChars && (!seen || pg.TIS < w.TIS) {
							worst[pg.PageRef] = pg
						}
					}
					if n := len(c.pages); n > 0 {
						p.Pages += n
						means, units = append(means, sum/float64(n)), append(units, []string{docs[d]})
					}
				}
			}
			p.Documents = len(means)
			iv := stats.Mean(means, units, stats.Options{Seed: seed})
			p.TIS, p.Lo, p.Hi, p.Level, p.Method, p.Reason = iv.Value, iv.Lo, iv.Hi, iv.Level, iv.Method, iv.Reason
			g.Pairs = append(g.Pairs, p)
		}
	}
	for _, w := range worst {
		if w.TIS < 1 {
			g.Worst = append(g.Worst, w)
		}
	}
	slices.SortFunc(g.Worst, func(x, y PagePair) int {
		return cmp.Or(cmp.Compare(x.TIS, y.TIS), cmp.Compare(x.Doc, y.Doc), cmp.Compare(x.Page, y.Page))
	})
	g.Worst = g.Worst[:min(worstPages, len(g.Worst))]
	return g
}
