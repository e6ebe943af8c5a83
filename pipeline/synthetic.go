package pipeline

import (
	"fmt"
	"strings"

	"enterprisedocbench"
)

// synthetic counts the asked questions that a program made of the documents' own words: their review
// says so. How well they are found says little of what people ask.
func (r *runner) synthetic() (n int) {
	for _, q := range r.asked {
		if yes, _ := q.Review["synthetic"].(bool); yes {
			n++
		}
	}
	return n
}

// noQuality takes Q, and Q without P, from the figures of a run that asks synthetic questions.
func (r *runner) noQuality(figures map[string]edb.Figure) {
	if r.synthetic() == 0 {
		return
	}
	for k := range figures {
		if k == "quality.q" || strings.HasPrefix(k, "quality.q(") {
			figures[k] = edb.Figure{Reason: "no Q from synthetic questions", Def: figures[k].Def}
		}
	}
}

// warnings are what a reader of the run's table must know first.
func (r *runner) warnings() []string {
	n := r.synthetic()
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d questions are synthetic known-item questions, made of the documents' own words: retrieval and generation figures are for such questions, not for what people ask; no Q is given", n, len(r.asked))}
}
