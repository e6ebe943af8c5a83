package ingest

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/tokens"
)

// pageOf is a page of the corpus: its document and its text.
type pageOf struct {
	doc    string
	number int
	text   string
}

// Known says how the known-item questions came about.
type Known struct {
	Asked      int            `json:"asked"` // how many were wanted
	Made       int            `json:"made"`
	ByKind     map[string]int `json:"by_kind"`
	Candidates int            `json:"candidates"`
	Dropped    map[string]int `json:"dropped"` // candidates that were looked at, by why they are no known item
}

// Reasons for which a candidate is dropped.
const (
	dropTwice     = "the passage stands elsewhere too"
	dropAmbiguous = "another page holds all words of the query"
	dropOverlap   = "the passage is asked for already"
	dropCommon    = "the passage has too few rare words"
)

// From minQuery to maxQuery words are drawn from a sentence, as many as the draw says; minTerms is
// how many it must have to draw from; redraws is how often others are drawn where another page holds
// them all. A word counts as common, and is not drawn, where more than commonShare of the pages hold
// it (and more than two).
const (
	minQuery    = 3
	maxQuery    = 5
	minTerms    = 4
	redraws     = 8
	commonShare = 0.2
)

// knownItems makes n questions of the candidates, document after document in turn, in an order drawn
// with the seed; a document's candidates are tried in their order. A candidate counts only if it is a known item: its passage (half of its runs of
// three words or more) stands on no other page and once on its own, and no other page holds all
// words of its query. Where the corpus has too few, fewer are made.
func knownItems(pages []pageOf, cands []candidate, seed uint64, n int) ([]edb.Question, Known) {
	k := Known{Asked: n, ByKind: map[string]int{}, Dropped: map[string]int{}, Candidates: len(cands)}
	ix := newCorpus(pages, cands)
	queues := map[string][]int{}
	var docs []string
	for i, c := range cands {
		if queues[c.doc] == nil {
			docs = append(docs, c.doc)
		}
		queues[c.doc] = append(queues[c.doc], i)
	}
	rng := rngFor(seed, "")
	rng.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
	var out []edb.Question
	var taken []candidate
	for len(out) < n {
		progress := false
		for _, d := range docs {
			for len(queues[d]) > 0 && len(out) < n {
				i := queues[d][0]
				queues[d] = queues[d][1:]
				progress = true
				query, why := ix.question(i, seed)
				if why == "" && slices.ContainsFunc(taken, func(c candidate) bool { return c.overlaps(cands[i]) }) {
					why = dropOverlap
				}
				if why != "" {
					k.Dropped[why]++
					continue
				}
				taken = append(taken, cands[i])
				k.ByKind[cands[i].kind]++
				out = append(out, known(len(out)+1, cands[i], query, seed))
				break
			}
		}
		if !progress {
			break
		}
	}
	k.Made = len(out)
	return out, k
}

func (c candidate) overlaps(o candidate) bool {
	return c.doc == o.doc && c.page == o.page && c.start < o.end && o.start < c.end
}

func known(n int, c candidate, query string, seed uint64) edb.Question {
	modality := edb.ModalitySingleHop
	if c.kind == kindCell {
		modality = edb.ModalityTable
	}
	return edb.Question{ID: fmt.Sprintf("known-%04d", n), Text: query, Modality: modality, Task: "lookup", Answer: c.answer,
		Evidence: []edb.Evidence{{Doc: c.doc, Page: c.page, Start: c.start, End: c.end, Quote: c.quote}},
		Review:   map[string]any{"synthetic": true, "source": "known-item", "kind": c.kind, "seed": seed}}
}

// corpus knows where the words and passages of the candidates stand.
type corpus struct {
	cands    []candidate
	pages    []pageOf
	postings map[string][]int32 // word of a candidate's query -> pages that hold it, rising
	own      []int              // page of each candidate
	twice    []bool             // the candidate's passage stands elsewhere too
}

// shingle is the number of words of the runs by which passages are compared.
const shingle = 3

func shingles(words []string, yield func(h uint64)) {
	n := min(shingle, len(words))
	for i := 0; i+n <= len(words) && n > 0; i++ {
		h := fnv.New64a()
		for _, w := range words[i : i+n] {
			h.Write([]byte(w))
			h.Write([]byte{0})
		}
		yield(h.Sum64())
	}
}

// newCorpus reads all pages once. It keeps what the candidates need, not the corpus.
func newCorpus(pages []pageOf, cands []candidate) *corpus {
	c := &corpus{cands: cands, pages: pages, postings: map[string][]int32{}, own: make([]int, len(cands)), twice: make([]bool, len(cands))}
	runs := map[uint64][]int32{} // run of words -> candidates that hold it
	total := make([]int, len(cands))
	short := map[int]map[uint64][]int32{} // passages of fewer words than a shingle, by their length
	for i, cand := range cands {
		for _, t := range cand.terms {
			c.postings[t.key] = nil
		}
		into := runs
		if n := len(cand.words); n < shingle {
			if short[n] == nil {
				short[n] = map[uint64][]int32{}
			}
			into = short[n]
		}
		shingles(cand.words, func(h uint64) {
			total[i]++
			if l := into[h]; len(l) == 0 || l[len(l)-1] != int32(i) {
				into[h] = append(l, int32(i))
			}
		})
	}
	at := map[pageKey]int{}
	for p, pg := range pages {
		at[pageKey{pg.doc, pg.number}] = p
		words := tokens.WordKeys(pg.text)
		for _, w := range words {
			if l, ok := c.postings[w]; ok && (len(l) == 0 || l[len(l)-1] != int32(p)) {
				c.postings[w] = append(l, int32(p))
			}
		}
		here := map[int32]int{} // candidate -> runs of it on the page
		count := func(m map[uint64][]int32) func(uint64) {
			return func(h uint64) {
				for _, i := range m[h] {
					here[i]++
				}
			}
		}
		shingles(words, count(runs))
		for n, m := range short {
			for i := 0; i+n <= len(words); i++ {
				shingles(words[i:i+n], count(m))
			}
		}
		for i, got := range here {
			own := cands[i].doc == pg.doc && cands[i].page == pg.number
			if own && 2*got >= 3*total[i] || !own && 2*got >= total[i] {
				c.twice[i] = true
			}
		}
	}
	for i, cand := range cands {
		c.own[i] = at[pageKey{cand.doc, cand.page}]
	}
	return c
}

type pageKey struct {
	doc  string
	page int
}

// question gives the query of a candidate, or why it is no known item.
func (c *corpus) question(i int, seed uint64) (query, why string) {
	cand := c.cands[i]
	if c.twice[i] {
		return "", dropTwice
	}
	if cand.query != "" {
		if c.ambiguous(i, cand.terms) {
			return "", dropAmbiguous
		}
		return cand.query, ""
	}
	var rare []term
	for _, t := range cand.terms {
		if df := len(c.postings[t.key]); df <= 2 || float64(df) <= commonShare*float64(len(c.pages)) {
			rare = append(rare, t)
		}
	}
	if len(rare) < minTerms {
		return "", dropCommon
	}
	rng := rngFor(seed, fmt.Sprintf("%s\x00%d\x00%d", cand.doc, cand.page, cand.start))
	for range redraws {
		// The words of highest idf^(1/u), u drawn anew for each: a draw without replacement in which
		// a word's chance grows with its idf (Efraimidis and Spirakis 2006).
		type drawn struct {
			at   int
			rank float64
		}
		var ds []drawn
		for j, t := range rare {
			idf := math.Log(float64(len(c.pages)+1) / (float64(len(c.postings[t.key])) + 0.5))
			ds = append(ds, drawn{j, math.Log(1-rng.Float64()) / max(idf, 1e-9)})
		}
		slices.SortFunc(ds, func(a, b drawn) int { return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.at, b.at)) })
		ds = ds[:min(minQuery+rng.IntN(maxQuery-minQuery+1), len(ds))]
		slices.SortFunc(ds, func(a, b drawn) int { return cmp.Compare(a.at, b.at) })
		var terms []term
		var texts []string
		for _, d := range ds {
			terms, texts = append(terms, rare[d.at]), append(texts, rare[d.at].text)
		}
		if !c.ambiguous(i, terms) {
			return strings.Join(texts, " "), ""
		}
	}
	return "", dropAmbiguous
}

// ambiguous says whether a page other than the candidate's holds all the terms.
func (c *corpus) ambiguous(i int, terms []term) bool {
	var common []int32
	for n, t := range terms {
		l := c.postings[t.key]
		if n == 0 {
			common = l
			continue
		}
		var both []int32
		for _, p := range l {
			if _, ok := slices.BinarySearch(common, p); ok {
				both = append(both, p)
			}
		}
		common = both
	}
	return slices.ContainsFunc(common, func(p int32) bool { return int(p) != c.own[i] })
}
