package retrieve

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"enterprisedocbench"
	"enterprisedocbench/index"
	"enterprisedocbench/internal/store"
)

// foreignVersion counts the changes of the protocol and of how replies become hits.
const foreignVersion = 1

// maxReply bounds one reply, in bytes.
const maxReply = 32 << 20

// request is what a foreign retriever is asked, one JSON object.
type request struct {
	Query string `json:"query"` // the question's id
	Text  string `json:"text"`
	Depth int    `json:"depth"`
}

// reply is what it answers: hits by passage id, or by document with page or text where it has an
// index of its own.
type reply struct {
	Hits  []foreignHit `json:"hits"`
	Error string       `json:"error"`
}

type foreignHit struct {
	Passage string   `json:"passage"`
	Doc     string   `json:"doc"`
	Page    int      `json:"page"`
	Text    string   `json:"text"`
	Score   *float64 `json:"score"`
}

// corpus finds passages for foreign hits.
type corpus struct {
	passages []edb.Passage
	byID     map[string]int
	byDoc    map[string][]int
}

func newCorpus(ps []edb.Passage) *corpus {
	c := &corpus{passages: ps, byID: make(map[string]int, len(ps)), byDoc: map[string][]int{}}
	for i, p := range ps {
		c.byID[p.ID] = i
		c.byDoc[p.Doc] = append(c.byDoc[p.Doc], i)
	}
	return c
}

// hits reads a reply. Scores must be finite and either all there or all absent; absent ones become
// 1/place. A passage named twice keeps its better place.
func (c *corpus) hits(data []byte, depth int) ([]edb.Hit, error) {
	var r reply
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("reply is not a JSON object with \"hits\": %w", err)
	}
	if r.Error != "" {
		return nil, fmt.Errorf("it reported: %s", r.Error)
	}
	if r.Hits == nil {
		return nil, errors.New("reply has no \"hits\": answer {\"hits\": []} when nothing is found")
	}
	best := map[string]edb.Hit{}
	for i, h := range r.Hits {
		if (h.Score == nil) != (r.Hits[0].Score == nil) {
			return nil, fmt.Errorf("hit %d: give every hit a score, or none", i)
		}
		score := 1 / float64(i+1)
		if h.Score != nil {
			score = *h.Score
		}
		if math.IsNaN(score) || math.Abs(score) > 1e15 {
			return nil, fmt.Errorf("hit %d: score %v is out of range", i, score)
		}
		p, err := c.find(h)
		if err != nil {
			return nil, fmt.Errorf("hit %d: %w", i, err)
		}
		if old, ok := best[p.ID]; !ok || old.Score < index.Round(score) {
			best[p.ID] = edb.Hit{Passage: p.ID, Doc: p.Doc, Score: index.Round(score)}
		}
	}
	out := make([]edb.Hit, 0, len(best))
	for _, h := range best {
		out = append(out, h)
	}
	return index.Rank(out, depth), nil
}

// find is the passage that a hit means: by id; else, of the document's passages (on the page, if
// one is given), the one that shares most words with the text; without a text the first.
func (c *corpus) find(h foreignHit) (*edb.Passage, error) {
	if h.Passage != "" {
		i, ok := c.byID[h.Passage]
		if !ok {
			return nil, fmt.Errorf("passage %q is not one of the run's: use the ids of the passages file", h.Passage)
		}
		if p := &c.passages[i]; h.Doc == "" || h.Doc == p.Doc {
			return p, nil
		}
		return nil, fmt.Errorf("passage %q is of document %q, not %q", h.Passage, c.passages[i].Doc, h.Doc)
	}
	if len(c.byDoc[h.Doc]) == 0 {
		return nil, fmt.Errorf("document %q has no passages in this run", h.Doc)
	}
	var on []int
	for _, i := range c.byDoc[h.Doc] {
		if h.Page == 0 || slices.ContainsFunc(c.passages[i].Spans, func(s edb.Span) bool { return s.Page == h.Page }) {
			on = append(on, i)
		}
	}
	if len(on) == 0 {
		return nil, fmt.Errorf("document %q has no passage on page %d: pages count from 1", h.Doc, h.Page)
	}
	want := map[string]int{}
	for _, t := range index.Terms(h.Text) {
		want[t]++
	}
	best, most := on[0], -1
	for _, i := range on {
		if len(want) == 0 {
			break
		}
		n, seen := 0, map[string]int{}
		for _, t := range index.Terms(c.passages[i].Text) {
			if seen[t] < want[t] {
				seen[t]++
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	return &c.passages[best], nil
}

// writePassages writes the passages as JSON lines for a foreign retriever to read; remove takes the file
// away.
func writePassages(ps []edb.Passage) (path string, remove func() error, err error) {
	dir, remove, err := store.Scratch("passages")
	if err != nil {
		return "", nil, err
	}
	path = filepath.Join(dir, "passages.jsonl")
	if err := store.WriteJSONL(path, ps); err != nil {
		remove()
		return "", nil, err
	}
	return path, remove, nil
}
