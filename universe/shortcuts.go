package universe

import (
	"fmt"
	"slices"

	edb "enterprisedocbench"

	"enterprisedocbench/datasets"
	"enterprisedocbench/stats"
)

// Shortcut is a way to answers without reading: N of Of answerable questions are answered by it. Lo is
// the lower end of Wilson's 95 % interval of the share. Forced are those of N for which there was no
// other question to ask: they are measured, but Lo and [Shortcut.Fault] leave them out.
type Shortcut struct {
	Name  string  `json:"name"`
	N     int     `json:"n"`
	Of    int     `json:"of"`
	Share float64 `json:"share"`
	Lo    float64 `json:"lo"`

	Forced int `json:"forced,omitempty"`
}

// maxShortcut is the share of questions from which on a shortcut is a fault. Among few questions two
// may share an answer by chance: under manyQuestions the lower end of the interval is what counts.
const (
	maxShortcut   = .02
	manyQuestions = 500
)

// Fault reports whether a shortcut leads too far.
func (s Shortcut) Fault() bool {
	return s.Lo >= maxShortcut || s.Of >= manyQuestions && float64(s.N-s.Forced) >= maxShortcut*float64(s.Of)
}

// readQuestion is a question with the type of document and the field that its answer was read from.
type readQuestion struct {
	edb.Question
	took [2]string
}

// shortcuts measures three ways round the documents. The best constant: the one answer that is right
// most often, over questions other than yes-or-no ones, whose answer half the guesses get; an answer
// that stands once is no shortcut. The answer inside the question. One candidate: all documents of
// the type print the same value in the field that is asked for, so that the question's names need not
// be looked at.
func (c *checker) shortcuts(questions []readQuestion, arc *archive) {
	constant, inside, single, open := map[string]int{}, 0, 0, 0
	values := map[[2]string][]string{}
	for _, r := range arc.records {
		for field, m := range r.facts {
			k := [2]string{r.typ, field}
			if !slices.Contains(values[k], m.Value) {
				values[k] = append(values[k], m.Value)
			}
		}
	}
	most := 0
	for _, q := range questions {
		if (ask{text: q.Text, answer: *q.Answer}).givenAway() {
			inside++
		}
		if len(values[q.took]) == 1 {
			single++
		}
		if q.Answer.Type == "boolean" {
			continue
		}
		open++
		k := fmt.Sprint(q.Answer.Type, q.Answer.Unit, q.Answer.Value)
		constant[k]++
		if n := constant[k]; n > 1 {
			most = max(most, n)
		}
	}
	for _, s := range []Shortcut{{Name: "the best constant answer", N: most, Of: open}, {Name: "the answer inside the question", N: inside, Of: len(questions)}, {Name: "one candidate", N: single, Of: len(questions)}} {
		if s.Of == 0 {
			continue
		}
		s.Share = float64(s.N) / float64(s.Of)
		if lo := stats.WilsonCount(s.N, s.Of, .95).Lo; lo != nil {
			s.Lo = *lo
		}
		c.out.Shortcuts = append(c.out.Shortcuts, s)
		if s.Fault() {
			c.fault(datasets.QuestionsFile, 0, fmt.Sprintf("%s is right for %d of %d questions, %.1f %%", s.Name, s.N, s.Of, 100*s.Share), "keep it under 2 %: ask other questions or make a larger world")
		}
	}
}
