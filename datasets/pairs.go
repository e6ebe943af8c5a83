package datasets

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	edb "enterprisedocbench"
)

// Sets of text pairs that a measure of likeness was published with. A pair is a question without
// text, its reference the gold answer, its candidate a labelled answer.

// rougePair is an entry of data.json.
type rougePair struct {
	Candidate string                        `json:"hyp"`
	Reference string                        `json:"ref"`
	Scores    map[string]map[string]float64 `json:"scores"`
}

// importROUGE reads data.json: pairs with the scores that the Python package rouge gives them.
func importROUGE(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	var rows []rougePair
	if err := f.json("data.json", &rows); err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "rouge", Version: "1", Documents: "external",
		Licence: f.known["data.json"].Licence,
		Made:    "the test pairs of the Python package rouge with the scores that its tests expect",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	for i, r := range rows {
		if len(r.Scores) == 0 {
			return fmt.Errorf("%s: pair %d: scores is missing: fetch the collection again", f.path("data.json"), i+1)
		}
		scores := map[string]float64{}
		for _, measure := range slices.Sorted(maps.Keys(r.Scores)) {
			for part, v := range r.Scores[measure] {
				scores[measure+"."+part] = v
			}
		}
		if err := addPair(w, i, r.Candidate, []string{r.Reference}, scores); err != nil {
			return fmt.Errorf("%s: pair %d: %w", f.path("data.json"), i+1, err)
		}
	}
	opt.progress(len(rows), len(rows))
	return w.Close()
}

// bertExpected is an entry of expected.json: means over all pairs of one setting.
type bertExpected struct {
	Model    string  `json:"model"`
	Layer    int     `json:"layer"`
	IDF      bool    `json:"idf"`
	Rescaled bool    `json:"rescaled"`
	P        float64 `json:"P"`
	R        float64 `json:"R"`
	F1       float64 `json:"F1"`
}

// importBERTScore reads hyps.txt, refs.txt and refs2.txt, one text a line, and expected.json, the
// published means. What rescaling subtracts, rescale_baseline/, belongs to the measure and is left.
func importBERTScore(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	var texts [3][]string
	for i, name := range []string{"hyps.txt", "refs.txt", "refs2.txt"} {
		raw, err := f.read(name)
		if err != nil {
			return err
		}
		for line := range bytes.Lines(raw) {
			texts[i] = append(texts[i], strings.TrimRight(string(line), "\r\n"))
		}
		if n := len(texts[0]); len(texts[i]) != n {
			return fmt.Errorf("%s: has %d lines, hyps.txt has %d: fetch the collection again", f.path(name), len(texts[i]), n)
		}
	}
	var published []bertExpected
	if err := f.json("expected.json", &published); err != nil {
		return err
	}
	expected := map[string]float64{}
	for _, e := range published {
		name := fmt.Sprintf("(model=%s,layer=%d,idf=%v,rescaled=%v)", e.Model, e.Layer, e.IDF, e.Rescaled)
		expected["P"+name], expected["R"+name], expected["F1"+name] = e.P, e.R, e.F1
	}
	w, err := opt.create(out, Info{
		Name: "bertscore", Version: "1", Documents: "external",
		Licence:  f.known["hyps.txt"].Licence,
		Made:     "the example pairs of BERTScore; expected holds the published means of hyps.txt against refs.txt, the second references are aliases",
		Citation: "Zhang et al., BERTScore: Evaluating Text Generation with BERT, 2020",
		Expected: expected,
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	for i, candidate := range texts[0] {
		if err := addPair(w, i, candidate, []string{texts[1][i], texts[2][i]}, nil); err != nil {
			return fmt.Errorf("%s:%d: %w", f.path("hyps.txt"), i+1, err)
		}
	}
	opt.progress(len(texts[0]), len(texts[0]))
	return w.Close()
}

func addPair(w *Writer, i int, candidate string, references []string, scores map[string]float64) error {
	id := fmt.Sprintf("pair-%04d", i+1)
	gold := &edb.GoldAnswer{Type: "text", Value: references[0], Aliases: references[1:]}
	if err := w.AddQuestion(edb.Question{ID: id, Answer: gold}); err != nil {
		return err
	}
	return w.AddAnswer(LabelledAnswer{ID: id, Query: id, Answer: candidate, By: "source", Scores: scores})
}
