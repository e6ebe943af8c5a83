package align

import (
	"sort"
	"strings"

	"enterprisedocbench"
)

// Match is where a text stands in a document. Score is the share of the text's runs of five letters
// and digits that stand there, 1 where it stands word for word; Spans is nil where Score is below
// [MinScore]. Ambiguous says that it stands elsewhere just as well; the first place is given.
type Match struct {
	Spans     []edb.Span
	Score     float64
	Ambiguous bool
}

// MinScore is the least score of a match.
const MinScore = 0.5

// gram is the length in bytes of the runs that are compared.
const gram = 5

// Locator finds texts without offsets in one document. Letters and digits are compared, so lost or
// added spaces, line ends and punctuation do not matter, nor does the order of lines inside the
// text. It may be used concurrently.
type Locator struct {
	stream string
	starts []int // where each word starts in the stream; the last is its length
	at     []edb.Span
}

// NewLocator prepares a document for finding texts in.
func NewLocator(p edb.Parsed) *Locator {
	s := newSide(p, &dictionary{ids: map[string]int32{}})
	return newLocator(s, 0, len(s.toks))
}

func newLocator(s *side, from, to int) *Locator {
	l := &Locator{stream: strings.Join(s.raw[from:to], ""), starts: make([]int, 0, to-from+1), at: make([]edb.Span, 0, to-from)}
	at, page := 0, 0
	for i := from; i < to; i++ {
		for page < len(s.pages)-1 && i >= s.pages[page].to {
			page++
		}
		l.starts = append(l.starts, at)
		at += len(s.raw[i])
		l.at = append(l.at, edb.Span{Page: s.pages[page].number, Start: int(s.toks[i].start), End: int(s.toks[i].end)})
	}
	l.starts = append(l.starts, at)
	return l
}

// Find finds the place where a text stands, else the window of its length that holds most of it.
func (l *Locator) Find(text string) Match {
	q := strings.Join(newSide(edb.Parsed{Pages: []edb.Page{{Elements: []edb.Element{{Kind: edb.KindParagraph, Text: text}}}}},
		&dictionary{ids: map[string]int32{}}).raw, "")
	if q == "" || l.stream == "" {
		return Match{}
	}
	if from, ambiguous, ok := l.verbatim(q); ok {
		return Match{l.spans(from, from+len(q)), 1, ambiguous}
	}
	from, to, score, ambiguous := l.densest(q)
	if score < MinScore {
		return Match{Score: score}
	}
	return Match{l.spans(from, to), score, ambiguous}
}

// verbatim finds the first place of q, those that start and end with a word before others.
func (l *Locator) verbatim(q string) (from int, ambiguous, ok bool) {
	whole, any := 0, 0
	first, firstAny := 0, 0
	for at := 0; any < 4096; {
		i := strings.Index(l.stream[at:], q)
		if i < 0 {
			break
		}
		i += at
		if any == 0 {
			firstAny = i
		}
		any++
		if l.boundary(i) && l.boundary(i+len(q)) {
			if whole == 0 {
				first = i
			}
			whole++
			if whole > 1 {
				break
			}
		}
		at = i + 1
	}
	if whole > 0 {
		return first, whole > 1, true
	}
	// Inside words only: a number of two digits is not found in a longer one.
	if any > 0 && len(q) >= 2*gram {
		return firstAny, any > 1, true
	}
	return 0, false, false
}

func (l *Locator) boundary(at int) bool {
	i := sort.SearchInts(l.starts, at)
	return i < len(l.starts) && l.starts[i] == at
}

// densest finds the window of the length of q that holds most of its grams, with multiplicity.
func (l *Locator) densest(q string) (from, to int, score float64, ambiguous bool) {
	if len(q) < gram || len(l.stream) < gram {
		return 0, 0, 0, false
	}
	ids := map[string]int32{}
	var need []int32
	for i := range len(q) - gram + 1 {
		g := q[i : i+gram]
		id, ok := ids[g]
		if !ok {
			id = int32(len(need))
			ids[g] = id
			need = append(need, 0)
		}
		need[id]++
	}
	size := len(q) - gram + 1
	n := len(l.stream) - gram + 1
	held := make([]int32, n)
	for i := range n {
		held[i] = -1
		if id, ok := ids[l.stream[i:i+gram]]; ok {
			held[i] = id
		}
	}
	have := make([]int32, len(need))
	best, bestEnd, count := 0, 0, 0
	for i, id := range held {
		if out := i - size; out >= 0 && held[out] >= 0 {
			o := held[out]
			if have[o] <= need[o] {
				count--
			}
			have[o]--
		}
		if id >= 0 {
			have[id]++
			if have[id] <= need[id] {
				count++
			}
		}
		switch {
		case count > best:
			best, bestEnd, ambiguous = count, i, false
		case count == best && best > 0 && i-bestEnd >= size:
			ambiguous = true
		}
	}
	if best == 0 {
		return 0, 0, 0, false
	}
	from, to = max(0, bestEnd-size+1), bestEnd
	for held[from] < 0 {
		from++
	}
	for held[to] < 0 {
		to--
	}
	return from, to + gram, float64(best) / float64(size), ambiguous
}

// spans gives the words that bytes [from, to) of the stream touch, one span a page.
func (l *Locator) spans(from, to int) []edb.Span {
	i := sort.SearchInts(l.starts, from+1) - 1
	var out []edb.Span
	for ; i < len(l.at) && l.starts[i] < to; i++ {
		s := l.at[i]
		if n := len(out); n > 0 && out[n-1].Page == s.Page {
			out[n-1].End = s.End
		} else {
			out = append(out, s)
		}
	}
	return out
}

// LocateText finds a text that comes without offsets in one document: spans in its coordinates, nil
// below [MinScore]. Use a [Locator] for many texts.
func LocateText(doc edb.Parsed, text string) (spans []edb.Span, ambiguous bool, score float64) {
	m := NewLocator(doc).Find(text)
	return m.Spans, m.Ambiguous, m.Score
}

// FindQuote makes an evidence of a quote: on a page of the gold, or anywhere where page is 0. Where
// the quote runs over a page end the page with most of it is taken. ok is false where less than
// [MinScore] of it stands anywhere; score is what was found.
func FindQuote(gold edb.Parsed, page int, quote string) (ev edb.Evidence, score float64, ok bool) {
	ev = edb.Evidence{Doc: gold.Doc, Page: page, Quote: quote}
	if page > 0 && gold.Paged {
		one := gold
		one.Pages = nil
		for _, pg := range gold.Pages {
			if pg.Number == page {
				one.Pages = append(one.Pages, pg)
			}
		}
		gold = one
	}
	m := NewLocator(gold).Find(quote)
	if m.Spans == nil {
		return ev, m.Score, false
	}
	best := m.Spans[0]
	for _, s := range m.Spans[1:] {
		if s.End-s.Start > best.End-best.Start {
			best = s
		}
	}
	ev.Page, ev.Start, ev.End = best.Page, best.Start, best.End
	return ev, m.Score, true
}
