package retrieve

import (
	"context"
	"slices"

	"enterprisedocbench"
	"enterprisedocbench/index"
)

// Oracle retrieves by truth: of the arm's own passages, first the one that locates the largest
// share of the question's evidence, then the one that adds most to what is located already, until
// nothing adds; then the ranking of Rest, without those. It is an upper bound for any ranking of
// the same passages, up to the greediness of the choice.
type Oracle struct {
	// Passages of the corpus, in reading order within a document.
	Passages []edb.Passage
	// Located is the share of the question's evidence, 0 to 1, that the spans of one passage cover.
	// It is also asked about unions of passages of one document, given as one passage with all spans.
	Located func(q edb.Question, p edb.Passage) float64
	// Rest ranks what the evidence does not decide; nil for nothing.
	Rest Retriever
}

// least is the gain below which a passage adds nothing.
const least = 1e-9

// Retrieve gives at most depth hits, scores descending.
func (o Oracle) Retrieve(ctx context.Context, q edb.Question, depth int) ([]edb.Hit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if depth < 1 {
		return nil, nil
	}
	var chosen []edb.Passage
	for _, doc := range evidenceDocs(q) {
		chosen = append(chosen, o.document(q, doc)...)
	}
	// Documents were covered one by one; what adds most over all of them comes first.
	gains := make(map[string]float64, len(chosen))
	unions := map[string]edb.Passage{}
	for _, p := range chosen {
		u := unions[p.Doc]
		before := 0.0
		if len(u.Spans) > 0 {
			before = o.Located(q, u)
		}
		u = union(u, p)
		unions[p.Doc] = u
		gains[p.ID] = o.Located(q, u) - before
	}
	slices.SortStableFunc(chosen, func(a, b edb.Passage) int {
		switch {
		case gains[a.ID] > gains[b.ID]+least:
			return -1
		case gains[b.ID] > gains[a.ID]+least:
			return 1
		}
		return 0
	})
	chosen = chosen[:min(len(chosen), depth)]
	taken := make(map[string]bool, len(chosen))
	for _, p := range chosen {
		taken[p.ID] = true
	}
	var rest []edb.Hit
	if o.Rest != nil && len(chosen) < depth {
		var err error
		if rest, err = o.Rest.Retrieve(ctx, q, depth); err != nil {
			return nil, err
		}
	}
	base := 0.0
	if len(rest) > 0 {
		base = max(base, rest[0].Score)
	}
	hits := make([]edb.Hit, 0, len(chosen)+len(rest))
	for i, p := range chosen {
		hits = append(hits, edb.Hit{Passage: p.ID, Doc: p.Doc, Score: index.Round(base + float64(len(chosen)-i))})
	}
	for _, h := range rest {
		if !taken[h.Passage] && len(hits) < depth {
			hits = append(hits, h)
		}
	}
	return hits, nil
}

// document picks the passages of one document, each adding most to the ones before it.
func (o Oracle) document(q edb.Question, doc string) []edb.Passage {
	var left, chosen []edb.Passage
	for _, p := range o.Passages {
		if p.Doc == doc && o.Located(q, p) > least {
			left = append(left, p)
		}
	}
	var u edb.Passage
	have := 0.0
	for len(left) > 0 {
		best, gain := -1, least
		for i, p := range left {
			if g := o.Located(q, union(u, p)) - have; g > gain+least || best >= 0 && g > gain-least && p.ID < left[best].ID {
				best, gain = i, g
			}
		}
		if best < 0 {
			break
		}
		u = union(u, left[best])
		have += gain
		chosen = append(chosen, left[best])
		left = slices.Delete(left, best, best+1)
	}
	return chosen
}

// union is two passages of one document as one.
func union(a, b edb.Passage) edb.Passage {
	return edb.Passage{ID: b.ID, Doc: b.Doc, Spans: slices.Concat(a.Spans, b.Spans)}
}

// evidenceDocs is the documents of a question's evidence, each once, sorted.
func evidenceDocs(q edb.Question) []string {
	var docs []string
	for _, e := range q.Evidence {
		docs = append(docs, e.Doc)
	}
	slices.Sort(docs)
	return slices.Compact(docs)
}
