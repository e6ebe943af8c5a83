package datasets

import (
	"context"
	"fmt"

	edb "enterprisedocbench"
)

// haluRow is one line of general.jsonl of HaluEval.
type haluRow struct {
	ID            word     `json:"ID"`
	Query         string   `json:"user_query"`
	Response      string   `json:"chatgpt_response"`
	Hallucination string   `json:"hallucination"`
	Spans         []string `json:"hallucination_spans"`
}

func (x haluRow) check() error {
	switch {
	case x.ID == "" || x.Query == "" || x.Response == "":
		return fmt.Errorf("ID, user_query or chatgpt_response is missing: fetch the collection again")
	case x.Hallucination != "yes" && x.Hallucination != "no":
		return fmt.Errorf("hallucination is %q: write yes or no", x.Hallucination)
	}
	return nil
}

// importHaluEval reads general.jsonl: answers from memory, with the places that people marked as
// made up. There are no documents.
func importHaluEval(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	rows, err := jsonRows(f, "general.jsonl", haluRow.check)
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "halueval", Version: "1",
		Licence:  f.known["general.jsonl"].Licence,
		Made:     "the general part of HaluEval, answered from memory: correct is false where people saw a hallucination, and nothing can be said of support",
		Citation: "Li et al., HaluEval: A Large-Scale Hallucination Evaluation Benchmark for Large Language Models, 2023",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	for i, r := range rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		x := r.v
		id := string(x.ID)
		a := LabelledAnswer{ID: id, Query: id, Answer: x.Response, System: "chatgpt", By: "human",
			Label: &Label{Correct: new(x.Hallucination == "no"), Said: map[string]string{"hallucination": x.Hallucination}}}
		for _, words := range x.Spans {
			s := LabelSpan{Text: words}
			s.Start, s.End = findSpan(x.Response, words, 0)
			if words != "" {
				a.Label.Spans = append(a.Label.Spans, s)
			}
		}
		err := w.AddQuestion(edb.Question{ID: id, Text: x.Query})
		if err == nil {
			err = w.AddAnswer(a)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", f.path("general.jsonl"), r.line, err)
		}
		opt.progress(i+1, len(rows))
	}
	return w.Close()
}
