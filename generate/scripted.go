package generate

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"enterprisedocbench"
)

// Faults are what a scripted reader may have. Each is known exactly, so measures can be held against
// what they must show.
const (
	FaultNone    = "none"    // none: gold where all evidence is before it, a refusal elsewhere
	FaultHalf    = "half"    // half of the documents, drawn anew each repeat, are as if not there
	FaultProbes  = "probes"  // something specific is said to every unanswerable question
	FaultLoops   = "loops"   // half of the questions over many documents, drawn each repeat, end in a loop
	FaultRefuses = "refuses" // every question is refused
)

// Faults lists the faults of scripted readers.
var Faults = []string{FaultNone, FaultHalf, FaultProbes, FaultLoops, FaultRefuses}

// scripted knows the gold and uses it only as far as the evidence stands in its contexts: without a
// fault it is the ceiling of generation for what was retrieved (k passages, or all).
type scripted struct {
	fault  string
	seed   int
	repeat int
}

var _ Repeated = scripted{}

// Repeated is a generator whose answers may differ from repeat to repeat though question and
// contexts are the same.
type Repeated interface {
	Generator
	// Again is the generator of repeat n, from 0.
	Again(n int) Generator
}

func (g scripted) Again(n int) Generator {
	g.repeat = n
	return g
}

// Generate implements [Generator].
func (g scripted) Generate(_ context.Context, q edb.Question, contexts []edb.Context) (edb.Answer, error) {
	a := edb.Answer{Query: q.ID, Contexts: contexts, Model: "scripted:" + g.fault, Finish: "stop",
		Usage: &edb.Usage{PromptTokens: intp(0), CompletionTokens: intp(0), USD: floatp(0)}}
	refuse := func() (edb.Answer, error) {
		a.Text, a.Finish = Refusal, "abstain"
		return a, nil
	}
	if g.fault == FaultRefuses {
		return refuse()
	}
	if !q.Answerable() {
		if g.fault == FaultProbes {
			a.Text = madeUp(q.Text)
			return a, nil
		}
		return refuse()
	}
	if q.Answer == nil {
		return a, fmt.Errorf("question %s has no gold answer for the scripted reader to give", q.ID)
	}
	if g.fault == FaultLoops && len(q.Documents()) > 1 && g.drawn("loop", q.ID) {
		a.Text, a.Finish = strings.TrimSpace(strings.Repeat("and the next document says the same as the one before, ", 60)), "length"
		return a, nil
	}
	seen := g.visible(q, contexts)
	if len(seen) == len(q.Evidence) {
		a.Text = GoldText(*q.Answer)
	} else if text, ok := partial(*q.Answer, len(seen), len(q.Evidence)); ok && len(seen) > 0 {
		a.Text = text
	} else {
		return refuse()
	}
	for _, e := range seen {
		a.Citations = append(a.Citations, edb.Citation{Doc: e.Doc, Page: e.Page, Quote: e.Quote, At: -1})
	}
	return a, nil
}

// drawn is true for half of the things of a purpose.
func (g scripted) drawn(purpose, id string) bool {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%d\x00%d\x00%s", purpose, g.seed, g.repeat, id)
	x := h.Sum64()
	x ^= x >> 31
	x *= 0x9e3779b97f4a7c15
	return x>>63 == 1
}

// visible lists the evidence that stands in the contexts: in those of its document and page, its
// words in a row, or nine tenths of them.
func (g scripted) visible(q edb.Question, contexts []edb.Context) []edb.Evidence {
	texts := map[string]string{}
	hidden := map[string]bool{}
	need := map[string]bool{}
	for _, e := range q.Evidence {
		need[e.Doc] = true
	}
	for d := range need {
		hidden[d] = g.fault == FaultHalf && g.drawn("half", d)
	}
	for _, c := range contexts {
		if need[c.Doc] && !hidden[c.Doc] {
			texts[c.Doc] += joined(normal(c.Text))
		}
	}
	var out []edb.Evidence
	for _, e := range q.Evidence {
		text, ok := texts[e.Doc]
		if !ok {
			continue
		}
		words := normal(e.Quote)
		if !holds(text, words) {
			n := 0
			for _, w := range words {
				if strings.Contains(text, " "+w+" ") {
					n++
				}
			}
			if 10*n < 9*len(words) {
				continue
			}
		}
		out = append(out, e)
	}
	return out
}

// partial is the answer of one who sees some of the evidence: a share of a number, the first items
// of a set, the other of yes and no. Other kinds have none.
func partial(g edb.GoldAnswer, seen, all int) (string, bool) {
	switch v := g.Value.(type) {
	case float64:
		x := float64(int(v * float64(seen) / float64(all)))
		if x == v {
			x--
		}
		g.Value = x
	case bool:
		g.Value = !v
	case []any:
		g.Value = v[:len(v)*seen/all]
		if len(v)*seen/all == 0 {
			return "", false
		}
	case []string:
		g.Value = v[:len(v)*seen/all]
		if len(v)*seen/all == 0 {
			return "", false
		}
	default:
		return "", false
	}
	g.Facts = nil
	return GoldText(g), true
}

// madeUp is something specific of the kind that a question asks for.
func madeUp(question string) string {
	h := fnv.New32a()
	h.Write([]byte(question))
	n := int(h.Sum32() % 9000)
	words := normal(question)
	has := func(ws ...string) bool {
		return slices.ContainsFunc(ws, func(w string) bool { return slices.Contains(words, stem(w)) })
	}
	switch {
	case has("who", "whom", "manager", "director", "contact"):
		return "It is Jordan Ellery Maddox."
	case has("when", "date"):
		return fmt.Sprintf("It was March %d, 2024.", 1+n%28)
	case has("percent", "percentage", "rate"):
		return strconv.Itoa(2+n%17) + "%"
	case has("many", "number", "days", "months", "years"):
		return strconv.Itoa(2 + n%40)
	}
	return fmt.Sprintf("$%d,%03d", 1+n/1000, n%1000)
}
