package index

import (
	"math"
	"sync"

	"enterprisedocbench"
)

// BM25Version counts the changes of what a search returns for the same passages and query.
const BM25Version = 1

// posting is one passage that holds a term, with how often.
type posting struct{ doc, tf uint32 }

// BM25 is an inverted index over passages, scored by BM25 as Lucene computes it now: the sum over
// the query's terms (a repeated term counts again) of
//
//	ln(1 + (N - n + .5)/(n + .5)) * tf / (tf + k1*(1 - b + b*length/mean length))
//
// N passages, n of them with the term, lengths exact in terms, no factor k1 + 1 (Robertson and
// Zaragoza, The Probabilistic Relevance Framework, 2009, with Lucene's idf). k1 and b belong to the
// query, so one index serves any number of settings. It is safe for concurrent searches.
type BM25 struct {
	passages []edb.Passage
	words    lexicon
	starts   []uint32 // term -> first posting; one more than terms
	posts    []posting
	lengths  []uint32 // passage -> terms in it
	mean     float64  // mean length

	mu      sync.Mutex
	ready   []*weights // most recently used last, at most maxReady
	scratch sync.Pool
	bytes   func() int64
}

// BuildBM25 indexes the texts of passages. The slice is kept, not copied, and must not change.
// No passages give an index in which nothing is found.
func BuildBM25(passages []edb.Passage) *BM25 {
	x := &BM25{passages: passages, lengths: make([]uint32, len(passages))}
	size := 0
	for i := range passages {
		size += len(passages[i].Text)
	}
	// One entry for each term of each passage in the order of the text, then a counting sort by term.
	type entry struct{ term, tf uint32 }
	entries := make([]entry, 0, size/7+16)
	first := make([]uint32, len(passages)+1)
	z := newScanner("")
	x.words.init()
	total := 0
	for d := range passages {
		first[d] = uint32(len(entries))
		begin := uint32(len(entries))
		z.reset(passages[d].Text)
		n := 0
		for z.next() {
			c := x.words.intern(z)
			if c.last > begin {
				entries[c.last-1].tf++
			} else {
				entries = append(entries, entry{c.term, 1})
				c.last = uint32(len(entries)) // one more than its place, so 0 is never
			}
			n++
		}
		x.lengths[d] = uint32(n)
		total += n
	}
	first[len(passages)] = uint32(len(entries))
	if len(passages) > 0 {
		x.mean = float64(total) / float64(len(passages))
	}
	x.starts = make([]uint32, x.words.n+1)
	for _, e := range entries {
		x.starts[e.term+1]++
	}
	for i := 1; i < len(x.starts); i++ {
		x.starts[i] += x.starts[i-1]
	}
	x.posts = make([]posting, len(entries))
	at := make([]uint32, x.words.n)
	copy(at, x.starts)
	for d := range passages {
		for _, e := range entries[first[d]:first[d+1]] {
			x.posts[at[e.term]] = posting{uint32(d), e.tf}
			at[e.term]++
		}
	}
	x.finish()
	return x
}

func (x *BM25) finish() {
	n := len(x.passages)
	x.scratch.New = func() any {
		return &accumulators{acc: make([]float32, n), touched: make([]uint32, n+1), seen: make([]uint64, n/64+1)}
	}
	x.bytes = sync.OnceValue(func() int64 { return int64(len(x.AppendBinary(nil))) })
}

// Len is the number of passages, Terms of different terms.
func (x *BM25) Len() int { return len(x.passages) }

// Terms is the number of different terms.
func (x *BM25) Terms() int { return x.words.n }

// Bytes is the size of the index as AppendBinary writes it: everything a search needs to rank.
func (x *BM25) Bytes() int64 { return x.bytes() }

// idf of a term that stands in n passages.
func (x *BM25) idf(n int) float64 {
	return math.Log(1 + (float64(len(x.passages))-float64(n)+.5)/(float64(n)+.5))
}

// list is the postings of a term, passages ascending.
func (x *BM25) list(term uint32) []posting { return x.posts[x.starts[term]:x.starts[term+1]] }

// cell is one place of the lexicon. last is where the builder last saw the term.
type cell struct {
	key        uint64
	term, last uint32
}

// lexicon numbers terms in order of first sight: two hash tables with open addressing, one for
// terms of up to eight bytes (the packed bytes are the key), one for longer ones (their hash is).
type lexicon struct {
	short, long      []cell
	nShort, nLong, n int
	keys             []uint64 // term -> packed bytes of a short term; offset in text of a long one
	sizes            []uint32 // term -> bytes
	text             []byte
}

func (l *lexicon) init() { l.short, l.long = make([]cell, 1<<12), make([]cell, 1<<10) }

func slot(key uint64, size int) uint64 {
	h := key * 0x9E3779B97F4A7C15
	return (h ^ h>>32) & uint64(size-1)
}

// intern finds the scanner's term, or adds it. The cell is valid until the next call.
func (l *lexicon) intern(z *scanner) *cell {
	if z.n > 8 {
		return l.internLong(z)
	}
	for i := slot(z.key, len(l.short)); ; i = (i + 1) & uint64(len(l.short)-1) {
		c := &l.short[i]
		if c.key == z.key {
			return c
		}
		if c.key == 0 {
			if 2*l.nShort >= len(l.short) {
				l.short = grow(l.short)
				return l.intern(z)
			}
			l.nShort++
			*c = cell{key: z.key, term: uint32(l.n)}
			l.keys, l.sizes = append(l.keys, z.key), append(l.sizes, uint32(z.n))
			l.n++
			return c
		}
	}
}

func (l *lexicon) internLong(z *scanner) *cell {
	key := z.key | 1 // never 0
	for i := slot(key, len(l.long)); ; i = (i + 1) & uint64(len(l.long)-1) {
		c := &l.long[i]
		if c.key == key && string(l.bytes(c.term)) == string(z.buf) {
			return c
		}
		if c.key == 0 {
			if 2*l.nLong >= len(l.long) {
				l.long = grow(l.long)
				return l.internLong(z)
			}
			l.nLong++
			*c = cell{key: key, term: uint32(l.n)}
			l.keys, l.sizes = append(l.keys, uint64(len(l.text))), append(l.sizes, uint32(z.n))
			l.text = append(l.text, z.buf...)
			l.n++
			return c
		}
	}
}

func grow(old []cell) []cell {
	t := make([]cell, 4*len(old))
	for _, c := range old {
		if c.key == 0 {
			continue
		}
		i := slot(c.key, len(t))
		for t[i].key != 0 {
			i = (i + 1) & uint64(len(t)-1)
		}
		t[i] = c
	}
	return t
}

// find is the number of the scanner's term, if the lexicon has it.
func (l *lexicon) find(z *scanner) (uint32, bool) {
	t, key := l.short, z.key
	if z.n > 8 {
		t, key = l.long, z.key|1
	}
	for i := slot(key, len(t)); t[i].key != 0; i = (i + 1) & uint64(len(t)-1) {
		if t[i].key == key && (z.n <= 8 || string(l.bytes(t[i].term)) == string(z.buf)) {
			return t[i].term, true
		}
	}
	return 0, false
}

// bytes is a term as text.
func (l *lexicon) bytes(term uint32) []byte {
	n, k := l.sizes[term], l.keys[term]
	if n > 8 {
		return l.text[k : k+uint64(n)]
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(k >> (8 * (int(n) - 1 - i)))
	}
	return b
}
