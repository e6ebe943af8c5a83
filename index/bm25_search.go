package index

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"enterprisedocbench"
)

// maxReady is how many pairs of k1 and b keep their ready scores; another pair displaces the one
// used longest ago.
const maxReady = 4

// scored is a posting with its ready score.
type scored struct {
	doc uint32
	s   float32
}

// weights are the scores of all postings for one k1 and b, in float32, and each term's largest.
// They choose the candidates; what is returned is computed again in float64.
type weights struct {
	k1, b float64
	posts []scored
	top   []float32 // by term
	idf   []float64
}

// norm is what a passage of l terms adds to the term frequency below the line.
func (w *weights) norm(x *BM25, l uint32) float64 {
	if x.mean == 0 {
		return w.k1 * (1 - w.b)
	}
	return w.k1 * (1 - w.b + w.b*float64(l)/x.mean)
}

func (x *BM25) weights(k1, b float64) *weights {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i, w := range x.ready {
		if w.k1 == k1 && w.b == b {
			x.ready = append(slices.Delete(x.ready, i, i+1), w)
			return w
		}
	}
	w := &weights{k1: k1, b: b, posts: make([]scored, len(x.posts)), top: make([]float32, x.words.n), idf: make([]float64, x.words.n)}
	norm := make([]float32, len(x.lengths))
	for d, l := range x.lengths {
		norm[d] = float32(w.norm(x, l))
	}
	for t := range x.words.n {
		from, to := x.starts[t], x.starts[t+1]
		w.idf[t] = x.idf(int(to - from))
		idf, top := float32(w.idf[t]), float32(0)
		in, out := x.posts[from:to], w.posts[from:to]
		for i, p := range in {
			tf := float32(p.tf)
			s := idf * (tf / (tf + norm[p.doc]))
			out[i] = scored{p.doc, s}
			top = max(top, s)
		}
		w.top[t] = top
	}
	if len(x.ready) == maxReady {
		x.ready = slices.Delete(x.ready, 0, 1)
	}
	x.ready = append(x.ready, w)
	return w
}

// accumulators is the working memory of one search; acc and seen are all zeros between searches.
type accumulators struct {
	acc     []float32
	touched []uint32
	seen    []uint64 // one bit a passage, small enough to stay in the first cache
	heap    []float32
	terms   []queryTerm
	cands   []uint32
	scan    scanner
}

type queryTerm struct {
	term  uint32
	times float32
	order int // by first place in the query
	rest  float32
}

// Search returns the best depth passages that share a term with the query, best first, scores
// rounded to 1e-6, ties by passage id. k1 must be at least 0 and b in [0, 1]. A query without a
// known term, or a depth below 1, finds nothing.
func (x *BM25) Search(query string, k1, b float64, depth int) []edb.Hit {
	if depth < 1 || len(x.passages) == 0 {
		return nil
	}
	a := x.scratch.Get().(*accumulators)
	defer x.scratch.Put(a)
	a.terms = a.terms[:0]
	a.scan.reset(query)
	for a.scan.next() {
		t, ok := x.words.find(&a.scan)
		if !ok {
			continue
		}
		i := slices.IndexFunc(a.terms, func(q queryTerm) bool { return q.term == t })
		if i < 0 {
			a.terms = append(a.terms, queryTerm{term: t, times: 1, order: len(a.terms)})
		} else {
			a.terms[i].times++
		}
	}
	if len(a.terms) == 0 {
		return nil
	}
	w := x.weights(k1, b)
	x.candidates(a, w, depth)
	return x.rescore(a, w, depth)
}

// candidates fills a.cands with every passage that can be among the best depth. Rare terms come
// first; once the terms that are left cannot lift a passage not yet seen over the depth-th best,
// they are looked up for the passages seen and no longer walked (Turtle and Flood, Query
// Evaluation: Strategies and Optimizations, 1995).
func (x *BM25) candidates(a *accumulators, w *weights, depth int) {
	slices.SortFunc(a.terms, func(p, q queryTerm) int {
		return cmp.Or(cmp.Compare(len(x.list(p.term)), len(x.list(q.term))), cmp.Compare(p.term, q.term))
	})
	rest := float32(0)
	for i := len(a.terms) - 1; i >= 0; i-- {
		rest += a.terms[i].times * w.top[a.terms[i].term]
		a.terms[i].rest = rest
	}
	// What float32 sums may be off by, plus the rounding that makes ties.
	slack := 4e-6 + rest*float32(len(a.terms)+2)*2.4e-7
	n, bound, done := 0, float32(0), len(a.terms)
	for i, q := range a.terms {
		list := w.posts[x.starts[q.term]:x.starts[q.term+1]]
		// The depth-th best is at most what the terms so far can give, so often there is no need to look.
		if n >= depth && len(list) > n/4 && q.rest+slack < a.terms[0].rest-q.rest {
			bound = a.kth(n, depth)
			if q.rest+slack < bound {
				done = i
				break
			}
		}
		acc, touched, times := a.acc, a.touched, q.times
		if n == 0 {
			for _, p := range list {
				touched[n] = p.doc
				n++
				acc[p.doc] = times * p.s
			}
			continue
		}
		for _, p := range list {
			was := acc[p.doc]
			touched[n] = p.doc
			if was == 0 {
				n++
			}
			acc[p.doc] = was + times*p.s
		}
	}
	rest = 0
	if done < len(a.terms) {
		rest = a.terms[done].rest
	} else if n >= depth {
		bound = a.kth(n, depth)
	}
	n = a.prune(n, rest+slack, bound)
	for i := done; i < len(a.terms); i++ {
		q := a.terms[i]
		list := w.posts[x.starts[q.term]:x.starts[q.term+1]]
		if n*lookupCost < len(list) {
			for _, d := range a.touched[:n] {
				if j := place(list, d, len(x.passages)); j < len(list) && list[j].doc == d {
					a.acc[d] += q.times * list[j].s
				}
			}
		} else {
			acc, seen, times := a.acc, a.seen, q.times
			for _, d := range a.touched[:n] {
				seen[d>>6] |= 1 << (d & 63)
			}
			for _, p := range list {
				if seen[p.doc>>6]>>(p.doc&63)&1 != 0 {
					acc[p.doc] += times * p.s
				}
			}
			for _, d := range a.touched[:n] {
				seen[d>>6] = 0
			}
		}
		if rest = 0; i+1 < len(a.terms) {
			rest = a.terms[i+1].rest
		}
		if n > depth {
			n = a.prune(n, rest+slack, a.kth(n, depth))
		}
	}
	a.cands = append(a.cands[:0], a.touched[:n]...)
	for _, d := range a.cands {
		a.acc[d] = 0
	}
}

// lookupCost is how many steps along a list one search in it is worth.
const lookupCost = 12

// prune keeps, of the first n touched passages, those that reach bound with more added, and clears
// the others; it gives their number.
func (a *accumulators) prune(n int, more, bound float32) int {
	kept, acc, touched := 0, a.acc, a.touched[:n]
	bound -= more
	for _, d := range touched {
		s := acc[d]
		if s < bound {
			acc[d] = 0
			continue
		}
		touched[kept] = d
		kept++
	}
	return kept
}

// place is that of the first posting whose passage is doc or later, of n passages in all. Passages
// of a term lie evenly enough for a guess by proportion; from there the steps double.
func place(list []scored, doc uint32, n int) int {
	lo, hi := 0, len(list) // the answer is in lo..hi
	if hi == 0 {
		return 0
	}
	guess := min(int(uint64(doc)*uint64(hi)/uint64(n)), hi-1)
	step := 8
	if list[guess].doc < doc {
		lo = guess + 1
		for lo+step < len(list) {
			if list[lo+step].doc >= doc {
				hi = lo + step
				break
			}
			lo += step + 1
			step *= 2
		}
	} else {
		hi = guess
		for hi-step >= 0 {
			if list[hi-step].doc < doc {
				lo = hi - step + 1
				break
			}
			hi -= step
			step *= 2
		}
	}
	for lo < hi {
		m := int(uint(lo+hi) / 2)
		if list[m].doc < doc {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

// kth is the depth-th largest of the first n touched sums.
func (a *accumulators) kth(n, depth int) float32 {
	a.heap = a.heap[:0]
	i := 0
	for ; i < depth; i++ {
		a.offer(a.acc[a.touched[i]], depth)
	}
	low := a.heap[0]
	acc := a.acc
	for _, d := range a.touched[i:n] {
		if s := acc[d]; s > low {
			a.offer(s, depth)
			low = a.heap[0]
		}
	}
	return low
}

// offer keeps the depth largest values in a heap whose first is the smallest.
func (a *accumulators) offer(s float32, depth int) {
	h := a.heap
	if len(h) < depth {
		h = append(h, s)
		for i := len(h) - 1; i > 0 && h[i] < h[(i-1)/2]; i = (i - 1) / 2 {
			h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		}
		a.heap = h
		return
	}
	if s <= h[0] {
		return
	}
	h[0] = s
	for i := 0; ; {
		c := 2*i + 1
		if c >= len(h) {
			break
		}
		if c+1 < len(h) && h[c+1] < h[c] {
			c++
		}
		if h[i] <= h[c] {
			break
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}

// rescore computes the candidates' scores in float64, in the order of the query's terms, and ranks.
func (x *BM25) rescore(a *accumulators, w *weights, depth int) []edb.Hit {
	slices.SortFunc(a.terms, func(p, q queryTerm) int { return cmp.Compare(p.order, q.order) })
	hits := make([]edb.Hit, len(a.cands))
	for i, d := range a.cands {
		var s float64
		for _, q := range a.terms {
			from, to := x.starts[q.term], x.starts[q.term+1]
			list := w.posts[from:to]
			j := place(list, d, len(x.passages))
			if j < len(list) && list[j].doc == d {
				tf := float64(x.posts[int(from)+j].tf)
				s += float64(q.times) * w.idf[q.term] * tf / (tf + w.norm(x, x.lengths[d]))
			}
		}
		p := &x.passages[d]
		hits[i] = edb.Hit{Passage: p.ID, Doc: p.Doc, Score: Round(s)}
	}
	return Rank(hits, depth)
}

// Round is a score to the millionth, the precision in which scores are compared.
func Round(s float64) float64 { return math.Round(s*1e6) / 1e6 }

// Rank sorts hits by score descending, ties by passage id ascending, and cuts the list at depth.
func Rank(hits []edb.Hit, depth int) []edb.Hit {
	slices.SortFunc(hits, func(p, q edb.Hit) int {
		return cmp.Or(cmp.Compare(q.Score, p.Score), strings.Compare(p.Passage, q.Passage))
	})
	return hits[:min(len(hits), max(depth, 0))]
}
