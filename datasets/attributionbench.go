package datasets

import (
	"context"
	"fmt"
	"slices"
	"strings"

	edb "enterprisedocbench"
)

// attributed is one line of claims.jsonl of AttributionBench.
type attributed struct {
	ID         string   `json:"id"`
	Question   string   `json:"question"`
	Claim      string   `json:"claim"`
	Response   string   `json:"response"`
	References []string `json:"references"`
	Label      string   `json:"attribution_label"`
	Source     string   `json:"src_dataset"`
}

func (x attributed) check() error {
	switch {
	case x.ID == "" || x.Question == "" || x.Claim == "" || len(x.References) == 0:
		return fmt.Errorf("id, question, claim or references is missing: fetch the collection again")
	case !slices.Contains([]string{"attributable", "not attributable"}, x.Label):
		return fmt.Errorf("attribution_label is %q: write attributable or not attributable", x.Label)
	}
	return nil
}

// importAttributionBench reads claims.jsonl: claims of answers, the references they cite, and whether
// people found them borne out. Every reference is a document of one page.
func importAttributionBench(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	rows, err := jsonRows(f, "claims.jsonl", attributed.check)
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "attributionbench", Version: "1",
		Licence:  "claims and labels Apache-2.0; the references are quoted from the named sets and from public web pages",
		Made:     "a part of the balanced test split of AttributionBench; the label is about one claim of each answer and all of its references",
		Citation: "Li et al., AttributionBench: How Hard is Automatic Attribution Evaluation?, 2024",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	base := f.document("", "claims.jsonl")
	base.Doctype = "web-excerpt"
	base.Licence = f.licence("claims.jsonl", unknownLicence("a reference quoted from a public source, which states no licence here"))
	references := newPassages(w, "attributionbench", base)
	asked := map[string]string{} // question -> id
	for i, r := range rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := addAttributed(w, references, asked, r.v); err != nil {
			return fmt.Errorf("%s:%d: %w", f.path("claims.jsonl"), r.line, err)
		}
		opt.progress(i+1, len(rows))
	}
	return w.Close()
}

func addAttributed(w *Writer, references *passages, asked map[string]string, x attributed) error {
	q, ok := asked[x.Question]
	if !ok {
		q = fmt.Sprintf("q%04d", len(asked)+1)
		asked[x.Question] = q
		if err := w.AddQuestion(edb.Question{ID: q, Text: x.Question, Lang: "en"}); err != nil {
			return err
		}
	}
	a := LabelledAnswer{ID: x.ID, Query: q, Answer: x.Response, Source: x.Source, By: "human"}
	claim := LabelledClaim{Text: x.Claim, Label: Label{Supported: new(x.Label == "attributable"), Said: map[string]string{"attribution_label": x.Label}}}
	claim.Start, claim.End = findSpan(x.Response, x.Claim, 0)
	for _, text := range x.References {
		if strings.TrimSpace(text) == "" {
			continue
		}
		title := ""
		if first, _, _ := strings.Cut(text, "\n"); strings.HasPrefix(first, "Title: ") {
			title = strings.TrimPrefix(first, "Title: ")
		}
		at, err := references.add(title, text)
		if err != nil {
			return err
		}
		claim.Contexts = append(claim.Contexts, len(a.Contexts))
		a.Contexts = append(a.Contexts, at)
	}
	a.Claims = []LabelledClaim{claim}
	return w.AddAnswer(a)
}
