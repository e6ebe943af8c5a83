package generate

import (
	"context"
	"io"
	"regexp"
	"strconv"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/internal/tokens"
)

// decomposed asks a generator about a few contexts at a time, and then puts together what was
// answered (map and reduce): what RIKER (section 5.6) advises for questions over many documents. A
// model is asked again, with the partial answers as its passages. The extractive reader cannot count
// or add, so for it the partial answers are counted, added, averaged or listed, as the question asks.
// Parts that abstain fall out; where all do, so does the whole.
type decomposed struct {
	inner Generator
	n     int
}

var _ Repeated = decomposed{}

func (g decomposed) Again(n int) Generator {
	if r, ok := g.inner.(Repeated); ok {
		g.inner = r.Again(n)
	}
	return g
}

// Close closes the generator inside.
func (g decomposed) Close() error {
	if c, ok := g.inner.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Generate implements [Generator]. Citations are those of the parts; they belong to the whole
// answer. Usage is the sum of all calls, unknown where one is.
func (g decomposed) Generate(ctx context.Context, q edb.Question, contexts []edb.Context) (edb.Answer, error) {
	if len(contexts) <= g.n {
		return g.inner.Generate(ctx, q, contexts)
	}
	usage := &edb.Usage{PromptTokens: intp(0), CompletionTokens: intp(0), USD: floatp(0)}
	var parts []edb.Answer
	var found []edb.Context
	var citations []edb.Citation
	model := ""
	for at := 0; at < len(contexts); at += g.n {
		group := contexts[at:min(at+g.n, len(contexts))]
		a, err := g.inner.Generate(ctx, q, group)
		if err != nil {
			return edb.Answer{Query: q.ID, Contexts: contexts}, err
		}
		usage, model = added(usage, a.Usage), a.Model
		if a.Finish == "abstain" || strings.TrimSpace(a.Text) == "" {
			continue
		}
		from := edb.Context{Doc: group[0].Doc, Page: group[0].Page, Text: a.Text}
		for _, c := range a.Citations {
			c.At = -1
			citations = append(citations, c)
			from.Doc, from.Page = c.Doc, c.Page
		}
		parts, found = append(parts, a), append(found, from)
	}
	out := edb.Answer{Query: q.ID, Contexts: contexts, Model: model, Usage: usage, Text: Refusal, Finish: "abstain"}
	if len(parts) == 0 {
		return out, nil
	}
	out.Citations = citations
	if len(parts) == 1 {
		out.Text, out.Finish = parts[0].Text, parts[0].Finish
		return out, nil
	}
	if _, ok := g.inner.(*extractive); ok {
		out.Text, out.Finish = together(q.Text, parts), "stop"
		return out, nil
	}
	a, err := g.inner.Generate(ctx, q, found)
	if err != nil {
		return out, err
	}
	out.Text, out.Finish, out.Usage = a.Text, a.Finish, added(usage, a.Usage)
	if a.Finish == "abstain" {
		out.Citations = nil
	}
	return out, nil
}

// added is the sum of two usages; what one does not know is unknown.
func added(a, b *edb.Usage) *edb.Usage {
	if a == nil || b == nil {
		return nil
	}
	var out edb.Usage
	if a.PromptTokens != nil && b.PromptTokens != nil {
		out.PromptTokens = intp(*a.PromptTokens + *b.PromptTokens)
	}
	if a.CompletionTokens != nil && b.CompletionTokens != nil {
		out.CompletionTokens = intp(*a.CompletionTokens + *b.CompletionTokens)
	}
	if a.USD != nil && b.USD != nil {
		out.USD = floatp(*a.USD + *b.USD)
	}
	return &out
}

var (
	countAsked = regexp.MustCompile(`(?i)\bhow many\b|\bnumber of\b`)
	sumAsked   = regexp.MustCompile(`(?i)\b(total|sum|combined|altogether|together)\b`)
	meanAsked  = regexp.MustCompile(`(?i)\b(average|mean)\b`)
)

// together puts partial answers into one by what the question asks for.
func together(question string, parts []edb.Answer) string {
	var numbers []float64
	q := understand(question)
	for _, p := range parts {
		// The last number of a sentence is its value more often than the first, which may be of a name.
		if vs := candidates(wantNumber, p.Text, q); len(vs) > 0 {
			if ns := tokens.Numbers(vs[len(vs)-1].text); len(ns) > 0 {
				numbers = append(numbers, ns[0].Value)
			}
		}
	}
	sum := 0.0
	for _, n := range numbers {
		sum += n
	}
	switch {
	case meanAsked.MatchString(question) && len(numbers) > 0:
		return strconv.FormatFloat(sum/float64(len(numbers)), 'f', -1, 64)
	case sumAsked.MatchString(question) && len(numbers) > 0:
		return strconv.FormatFloat(sum, 'f', -1, 64)
	case countAsked.MatchString(question):
		return strconv.Itoa(len(parts))
	}
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.Text
	}
	return strings.Join(texts, "\n")
}
