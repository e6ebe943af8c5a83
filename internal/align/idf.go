package align

import (
	"math"

	"enterprisedocbench"
	"enterprisedocbench/internal/tokens"
)

// IDF says how much a word tells: ln(1 + (N - n + .5)/(n + .5)) with N pages, n of them holding the
// word, so that covering "the" counts little of an evidence and covering its figures much. Build it
// once over the gold of a corpus; it may then be read concurrently. The zero value weighs all alike.
type IDF struct {
	pages int
	df    map[string]int
}

// NewIDF counts the pages of documents.
func NewIDF(docs ...edb.Parsed) *IDF {
	w := &IDF{}
	for _, d := range docs {
		w.Add(d)
	}
	return w
}

// Add counts the pages of one more document.
func (w *IDF) Add(doc edb.Parsed) {
	if w.df == nil {
		w.df = map[string]int{}
	}
	seen := map[string]bool{}
	for _, pg := range doc.Pages {
		clear(seen)
		for _, e := range pg.Elements {
			if e.Artifact() {
				continue
			}
			for _, t := range tokens.Words(e.Text) {
				seen[t.Key] = true
			}
		}
		if len(seen) == 0 {
			continue
		}
		w.pages++
		for k := range seen {
			w.df[k]++
		}
	}
}

// Weight is the weight of a word's key, above 0.
func (w *IDF) Weight(key string) float64 {
	if w == nil || w.pages == 0 {
		return 1
	}
	n := float64(w.df[key])
	return math.Log(1 + (float64(w.pages)-n+.5)/(n+.5))
}

// SetIDF sets the weights of words; nil, and an alignment where it was never called, weighs all
// alike. It must not be called while the alignment is in use.
func (a *Alignment) SetIDF(w *IDF) {
	a.weight = nil
	if w == nil || w.pages == 0 {
		return
	}
	a.weight = make([]float64, len(a.keys))
	for i, k := range a.keys {
		a.weight[i] = w.Weight(k)
	}
}
