package datasets

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	edb "enterprisedocbench"
)

// ragPair is one row of human_labeled.json of RAGChecker: what one person says of two answers. Labels
// go from -2 to 2 and are above 0 where the answer of model2 is better.
type ragPair struct {
	Instance     word      `json:"instance_id"`
	Dataset      string    `json:"dataset"`
	QueryID      word      `json:"query_id"`
	Query        string    `json:"query"`
	Gold         string    `json:"gt_answer"`
	Model1       ragAnswer `json:"model1"`
	Model2       ragAnswer `json:"model2"`
	Correctness  *float64  `json:"correctness_label"`
	Completeness *float64  `json:"completeness_label"`
	Overall      *float64  `json:"overall_label"`
}

type ragAnswer struct {
	Name     string `json:"model_name"`
	Response string `json:"response"`
}

func (p ragPair) grades() (map[string]float64, error) {
	out := map[string]float64{}
	for name, v := range map[string]*float64{"correctness": p.Correctness, "completeness": p.Completeness, "overall": p.Overall} {
		if v == nil || *v < -2 || *v > 2 {
			return nil, fmt.Errorf("%s_label is missing or not from -2 to 2: fetch the collection again", name)
		}
		out[name] = *v
	}
	return out, nil
}

// importRAGChecker reads human_labeled.json: pairs of answers to a question, each compared by two
// people. The reference answer of a question is its gold answer.
func importRAGChecker(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	const name = "human_labeled.json"
	var rows []ragPair
	if err := f.json(name, &rows); err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "ragchecker", Version: "1",
		Licence:  f.known[name].Licence,
		Made:     "the human part of RAGChecker's meta-evaluation: who compared is numbered by the order in the file; a grade above 0 says that the answer it stands at is better than the other",
		Citation: "Ru et al., RAGChecker: A Fine-grained Framework for Diagnosing Retrieval-Augmented Generation, 2024",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	pairs, err := ragPairs(f.path(name), rows)
	if err != nil {
		return err
	}
	for i, p := range pairs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.add(w); err != nil {
			return fmt.Errorf("%s: instance_id %q: %w", f.path(name), p.first.Instance, err)
		}
		opt.progress(i+1, len(pairs))
	}
	return w.Close()
}

// ragInstance is a pair of answers with what each person says of them.
type ragInstance struct {
	first  ragPair
	grades []map[string]float64
}

// ragPairs joins the rows of one pair, in file order.
func ragPairs(path string, rows []ragPair) ([]*ragInstance, error) {
	var out []*ragInstance
	at := map[word]*ragInstance{}
	for i, r := range rows {
		fail := func(problem string) error {
			return fmt.Errorf("%s: row %d: instance_id %q: %s", path, i+1, r.Instance, problem)
		}
		if r.Instance == "" || r.QueryID == "" || r.Query == "" || r.Gold == "" || r.Model1.Name == "" || r.Model2.Name == "" {
			return nil, fail("instance_id, query_id, query, gt_answer or a model is missing: fetch the collection again")
		}
		g, err := r.grades()
		if err != nil {
			return nil, fail(err.Error())
		}
		p := at[r.Instance]
		if p == nil {
			p = &ragInstance{first: r}
			at[r.Instance] = p
			out = append(out, p)
		}
		if p.first.Query != r.Query || p.first.Model1 != r.Model1 || p.first.Model2 != r.Model2 {
			return nil, fail("its rows are about different answers: take one out")
		}
		p.grades = append(p.grades, g)
	}
	return out, nil
}

func (p *ragInstance) add(w *Writer) error {
	x := p.first
	q := edb.Question{ID: x.Dataset + "/" + string(x.QueryID), Text: x.Query, Lang: "en", Answer: &edb.GoldAnswer{Type: "text", Value: x.Gold}}
	if set, field, ok := strings.Cut(x.Dataset, "/"); ok && set == "robustqa" {
		q.Domain = field
	}
	if err := w.AddQuestion(q); err != nil {
		return err
	}
	answer := func(m ragAnswer) LabelledAnswer {
		return LabelledAnswer{ID: q.ID + "/" + m.Name, Query: q.ID, Answer: m.Response, System: m.Name, Source: x.Dataset, By: "human"}
	}
	one, two := answer(x.Model1), answer(x.Model2)
	for i, g := range p.grades {
		two.Compared = append(two.Compared, Comparison{With: one.ID, By: strconv.Itoa(i + 1), Grades: g})
	}
	if err := w.AddAnswer(one); err != nil {
		return err
	}
	return w.AddAnswer(two)
}
