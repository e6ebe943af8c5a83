// Package retrievetest checks what every retriever must keep. It takes a retriever with the
// passages it was opened on and reports every breach as a test error.
package retrievetest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/retrieve"
)

// Options says what a retriever is allowed to do.
type Options struct {
	// Whole is for a retriever that gives every passage whatever the depth.
	Whole bool
	// Questions to ask beside an empty and an unanswerable one; none takes the first passages' texts.
	Questions []edb.Question
}

// Run checks: scores do not rise, no passage twice, ties by id, only passages of the corpus with
// their document, at most depth hits, a smaller depth gives a beginning of a larger one's ranking,
// the same question gives the same answer, more hits than passages may be asked for, an empty query
// is no error, and a cancelled context is.
func Run(t *testing.T, r retrieve.Retriever, passages []edb.Passage, opt Options) {
	t.Helper()
	doc := map[string]string{}
	for _, p := range passages {
		doc[p.ID] = p.Doc
	}
	qs := opt.Questions
	if len(qs) == 0 {
		for _, p := range passages[:min(3, len(passages))] {
			qs = append(qs, edb.Question{ID: "of " + p.ID, Text: p.Text})
		}
	}
	qs = append(slices.Clone(qs), edb.Question{ID: "empty"}, edb.Question{ID: "unknown", Text: "zzyzx qqqq"})
	ctx := context.Background()
	for _, q := range qs {
		var before []edb.Hit
		for _, depth := range []int{len(passages) + 7, 3, 1} {
			hits, err := r.Retrieve(ctx, q, depth)
			if err != nil {
				t.Errorf("question %s, depth %d: %v", q.ID, depth, err)
				continue
			}
			if len(hits) > depth && !opt.Whole {
				t.Errorf("question %s: %d hits at depth %d", q.ID, len(hits), depth)
			}
			seen := map[string]bool{}
			for i, h := range hits {
				if d, ok := doc[h.Passage]; !ok || d != h.Doc {
					t.Errorf("question %s: hit %d names passage %q of %q, which the corpus has not", q.ID, i, h.Passage, h.Doc)
				}
				if seen[h.Passage] {
					t.Errorf("question %s: passage %s stands twice", q.ID, h.Passage)
				}
				seen[h.Passage] = true
				if i == 0 {
					continue
				}
				if p := hits[i-1]; p.Score < h.Score || !(h.Score == h.Score) {
					t.Errorf("question %s: score %v follows %v", q.ID, h.Score, p.Score)
				} else if p.Score == h.Score && p.Passage > h.Passage {
					t.Errorf("question %s: equal scores with %s before %s", q.ID, p.Passage, h.Passage)
				}
			}
			if before != nil && !opt.Whole && len(hits) == depth {
				for i, h := range hits {
					if before[i].Passage != h.Passage {
						t.Errorf("question %s: place %d is %s at depth %d, %s deeper", q.ID, i, h.Passage, depth, before[i].Passage)
						break
					}
				}
			}
			before = hits
			again, err := r.Retrieve(ctx, q, depth)
			if err != nil || !slices.Equal(again, hits) {
				t.Errorf("question %s, depth %d: asked again: %v, %v; first %v", q.ID, depth, again, err, hits)
			}
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if hits, err := r.Retrieve(ended, qs[0], 3); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled context: %v, %v; want context.Canceled", hits, err)
	}
}
