package datasets

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	edb "enterprisedocbench"
)

// expertQuestion is one line of rand_val.jsonl of ExpertQA.
type expertQuestion struct {
	Question string                  `json:"question"`
	Answers  map[string]expertAnswer `json:"answers"`
	Metadata struct {
		Field string `json:"field"`
	} `json:"metadata"`
}

type expertAnswer struct {
	Text   string        `json:"answer_string"`
	Claims []expertClaim `json:"claims"`
}

type expertClaim struct {
	Text            string   `json:"claim_string"`
	Evidence        []string `json:"evidence"`
	Support         string   `json:"support"`
	Correctness     string   `json:"correctness"`
	Informativeness string   `json:"informativeness"`
	Worthiness      string   `json:"worthiness"`
	Reliability     string   `json:"reliability"`
}

// importExpertQA reads rand_val.jsonl: an answer of a system to each question, cut into claims that
// experts labelled. Every evidence is a document of one page.
func importExpertQA(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	rows, err := jsonRows(f, "rand_val.jsonl", func(q expertQuestion) error {
		if q.Question == "" || len(q.Answers) == 0 {
			return fmt.Errorf("question or answers is missing: fetch the collection again")
		}
		return nil
	})
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "expertqa", Version: "1",
		Licence:  "questions, answers and labels MIT; the evidence is quoted from public web pages",
		Made:     "the random validation split of ExpertQA; a claim is supported where experts said Complete, not where they said Partial or Incomplete, and neither where the evidence is missing or could not be opened",
		Citation: "Malaviya et al., ExpertQA: Expert-Curated Questions and Attributed Answers, 2024",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	base := f.document("", "rand_val.jsonl")
	base.Doctype = "web-excerpt"
	base.Licence = f.licence("rand_val.jsonl", unknownLicence("an excerpt of a public web page, which states no licence here"))
	evidence := newPassages(w, "expertqa", base)
	for i, r := range rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := addExpert(w, evidence, fmt.Sprintf("q%04d", r.line), r.v); err != nil {
			return fmt.Errorf("%s:%d: %w", f.path("rand_val.jsonl"), r.line, err)
		}
		opt.progress(i+1, len(rows))
	}
	return w.Close()
}

func addExpert(w *Writer, evidence *passages, id string, q expertQuestion) error {
	if err := w.AddQuestion(edb.Question{ID: id, Text: q.Question, Domain: strings.ToLower(q.Metadata.Field), Lang: "en"}); err != nil {
		return err
	}
	for _, system := range slices.Sorted(maps.Keys(q.Answers)) {
		x := q.Answers[system]
		a := LabelledAnswer{ID: id + "/" + system, Query: id, Answer: x.Text, System: system, By: "human"}
		place := map[string]int{} // document -> index in the contexts
		after := 0
		for _, c := range x.Claims {
			claim := LabelledClaim{Text: c.Text, Contexts: []int{}, Label: c.label()}
			if claim.Start, claim.End = findSpan(x.Text, c.Text, after); claim.End > 0 {
				after = claim.End
			} else {
				claim.Start, claim.End = findSpan(x.Text, c.Text, 0)
			}
			for _, text := range c.Evidence {
				if strings.TrimSpace(text) == "" {
					continue
				}
				title, _, _ := strings.Cut(text, "\n")
				at, err := evidence.add(evidenceTitle(title), text)
				if err != nil {
					return err
				}
				n, ok := place[at.Doc]
				if !ok {
					n = len(a.Contexts)
					place[at.Doc] = n
					a.Contexts = append(a.Contexts, at)
				}
				if !slices.Contains(claim.Contexts, n) {
					claim.Contexts = append(claim.Contexts, n)
				}
			}
			a.Claims = append(a.Claims, claim)
		}
		if err := w.AddAnswer(a); err != nil {
			return err
		}
	}
	return nil
}

// evidenceTitle is the address that evidence begins with ("[3] https://example.org/page"), without its number.
func evidenceTitle(line string) string {
	if _, rest, ok := strings.Cut(line, "] "); ok && strings.HasPrefix(line, "[") {
		line = rest
	}
	if strings.HasPrefix(line, "http") && !strings.Contains(line, " ") {
		return line
	}
	return ""
}

// label turns the words of the experts into ours.
func (c expertClaim) label() Label {
	l := Label{Said: map[string]string{}}
	for k, v := range map[string]string{"support": c.Support, "correctness": c.Correctness, "informativeness": c.Informativeness, "worthiness": c.Worthiness, "reliability": c.Reliability} {
		if v != "" {
			l.Said[k] = v
		}
	}
	switch c.Support {
	case "Complete":
		l.Supported = new(true)
	case "Partial", "Incomplete":
		l.Supported = new(false)
	}
	switch c.Correctness {
	case "Definitely correct", "Probably correct":
		l.Correct = new(true)
	case "Likely incorrect", "Definitely incorrect":
		l.Correct = new(false)
	}
	return l
}
