package retrieve

import (
	"math"
	"testing"

	"enterprisedocbench"
)

func FuzzReply(f *testing.F) {
	c := newCorpus([]edb.Passage{
		{ID: "a@0", Doc: "a", Text: "one two", Spans: []edb.Span{{Page: 1, Start: 0, End: 7}}},
		{ID: "a@1", Doc: "a", Text: "three", Spans: []edb.Span{{Page: 2, Start: 0, End: 5}}},
	})
	for _, s := range []string{`{"hits":[]}`, `{"hits":[{"passage":"a@0","score":1}]}`, `{"hits":[{"doc":"a","page":2,"text":"three"},{"doc":"a"}]}`, `{"error":"x"}`, `null`, `{"hits":[{"passage":"a@0","score":-1e15},{"passage":"a@0","score":2}]}`} {
		f.Add([]byte(s), 3)
	}
	f.Fuzz(func(t *testing.T, data []byte, depth int) {
		hits, err := c.hits(data, depth)
		if err != nil {
			return
		}
		if len(hits) > max(depth, 0) || len(hits) > len(c.passages) {
			t.Fatalf("%d hits at depth %d", len(hits), depth)
		}
		for i, h := range hits {
			if _, ok := c.byID[h.Passage]; !ok || math.IsNaN(h.Score) || math.IsInf(h.Score, 0) {
				t.Fatalf("hit %+v", h)
			}
			if i > 0 && (hits[i-1].Score < h.Score || hits[i-1].Passage == h.Passage) {
				t.Fatalf("hits %v", hits)
			}
		}
	})
}
