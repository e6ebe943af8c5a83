package datasets

import (
	"cmp"
	"context"
	"fmt"

	edb "enterprisedocbench"
)

// pubmedRecord is a question that is the title of a paper, with its abstract in sections.
type pubmedRecord struct {
	Question string   `json:"QUESTION"`
	Contexts []string `json:"CONTEXTS"`
	Labels   []string `json:"LABELS"` // headings of the contexts
	Long     string   `json:"LONG_ANSWER"`
	Decision string   `json:"final_decision"` // yes, no or maybe
	Meshes   []string `json:"MESHES"`
	Year     *string  `json:"YEAR"`
	Required string   `json:"reasoning_required_pred"`
	Free     string   `json:"reasoning_free_pred"`
}

// importPubMedQA reads pqal_cv500.json. A document is an abstract without its title, which is the
// question, and without its conclusion, which is the long answer.
func importPubMedQA(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	const name = "pqal_cv500.json"
	raw, err := f.read(name)
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "pubmedqa", Version: "1",
		Licence:  "questions and answers MIT; the abstracts are those of PubMed and state no licence",
		Made:     "abstracts rebuilt as HTML from their sections, without title (the question) and conclusion (the long answer), and that HTML is the gold",
		Citation: "Jin et al., PubMedQA: A Dataset for Biomedical Research Question Answering, 2019",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	licence := f.licence(name, unknownLicence("the repository is under MIT; an abstract is its publisher's and states no licence"))
	done := 0
	err = jsonItems(f.path(name), raw, func(_ int, id string, r pubmedRecord) error {
		done++
		return cmp.Or(ctx.Err(), r.add(w, id, licence))
	})
	if err != nil {
		return err
	}
	opt.progress(done, done)
	return w.Close()
}

func (r pubmedRecord) add(w *Writer, id string, licence edb.Licence) error {
	if len(r.Contexts) == 0 || len(r.Contexts) != len(r.Labels) {
		return fmt.Errorf("record %q has %s with %s: give each context one label", id, edb.Count(len(r.Contexts), "context"), edb.Count(len(r.Labels), "label"))
	}
	var b blocks
	var places []stretch
	for i, c := range r.Contexts {
		if i == 0 || r.Labels[i] != r.Labels[i-1] {
			b.heading(1, r.Labels[i])
		}
		if at := b.paragraph(c); at.end > at.start {
			places = append(places, at)
		}
	}
	if len(places) == 0 {
		return fmt.Errorf("record %q has no text: take it out", id)
	}
	d := edb.Document{ID: id, Path: ".html", Pages: 1, Domain: "health", Doctype: "abstract", Lang: "en", Split: "test", Gold: "source",
		Layout: b.layout(), Source: &edb.Origin{Name: "PubMed", ID: id}, Licence: licence}
	if r.Year != nil {
		d.Date = compactDate(*r.Year)
	}
	if err := w.AddDocument(d, b.page("PubMed "+id), b.onePage()); err != nil {
		return err
	}
	q := edb.Question{ID: id, Text: r.Question, Task: "lookup", Domain: "health", Lang: "en",
		Review: map[string]any{"mesh": r.Meshes, "reasoning_required_pred": r.Required, "reasoning_free_pred": r.Free}}
	if r.Year != nil {
		q.Review["year"] = *r.Year
	}
	var err error
	if q.Answer, err = r.answer(); err != nil {
		return fmt.Errorf("record %q: %w", id, err)
	}
	text := []rune(b.text())
	for _, at := range places {
		q.Evidence = append(q.Evidence, evidenceIn(text, id, at))
	}
	return w.AddQuestion(q)
}

// answer is yes or no, or the word maybe; the long answer is the one fact of a full answer.
func (r pubmedRecord) answer() (*edb.GoldAnswer, error) {
	a := &edb.GoldAnswer{Type: "boolean", Value: r.Decision == "yes"}
	switch r.Decision {
	case "yes", "no":
	case "maybe":
		a.Type, a.Value = "exact", "maybe"
	default:
		return nil, fmt.Errorf("final_decision is %q: use yes, no or maybe", r.Decision)
	}
	if r.Long != "" {
		a.Facts = []string{r.Long}
	}
	return a, nil
}
