package datasets

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	edb "enterprisedocbench"
)

// squadFile is a file of SQuAD 1.1 or 2.0.
type squadFile struct {
	Data []struct {
		Title      string `json:"title"`
		Paragraphs []struct {
			Context   string          `json:"context"`
			Questions []squadQuestion `json:"qas"`
		} `json:"paragraphs"`
	} `json:"data"`
}

type squadQuestion struct {
	ID         word          `json:"id"`
	Question   string        `json:"question"`
	Answers    []squadAnswer `json:"answers"`
	Impossible bool          `json:"is_impossible"`
}

type squadAnswer struct {
	Text  string `json:"text"`
	Start *int   `json:"answer_start"`
}

// importSQuAD reads the .json files of a folder. Every paragraph is a document of one page, whose text
// is its gold, so answer offsets are evidence. Where people gave several answers, the one given most
// often (of equals the first) is the answer and its place the evidence; the others are aliases. A
// question that is_impossible is unanswerable: from its paragraph, which is all its authors looked at.
// Files named train* are split train, all others test.
func importSQuAD(ctx context.Context, from, out string, opt ImportOptions) error {
	stems, err := listStems(from, ".json", "name the folder that holds train-v2.0.json or dev-v2.0.json")
	if err != nil {
		return err
	}
	known, err := origins(from)
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: filepath.Base(filepath.Clean(from)), Version: "1", Annotations: known[stems[0]+".json"].annotations(),
		Made:     "files in the layout of SQuAD: paragraphs as documents, answers at their offsets; a question that cannot be answered cannot be answered from its own paragraph, which is named as its probe",
		Citation: "Rajpurkar et al., SQuAD: 100,000+ Questions for Machine Comprehension of Text, 2016; Know What You Don't Know: Unanswerable Questions for SQuAD, 2018",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	for i, stem := range stems {
		path := filepath.Join(from, stem+".json")
		var f squadFile
		if err := jsonFile(path, &f); err != nil {
			return err
		}
		if len(f.Data) == 0 {
			return fmt.Errorf("%s: data is missing or empty: take the file out or fetch it again", path)
		}
		base := edb.Document{MIME: "text/plain", Path: "text.txt", Pages: 1, Gold: "source", Split: "test", Doctype: "paragraph", Source: known[stem+".json"].source(), Licence: known[stem+".json"].stated()}
		if strings.HasPrefix(stem, "train") {
			base.Split = "train"
		}
		if err := f.add(ctx, w, path, stem, base); err != nil {
			return err
		}
		opt.progress(i+1, len(stems))
	}
	return w.Close()
}

func (f squadFile) add(ctx context.Context, w *Writer, path, stem string, base edb.Document) error {
	for i, article := range f.Data {
		title := cmp.Or(article.Title, fmt.Sprintf("%s-%d", stem, i+1))
		for j, p := range article.Paragraphs {
			if err := ctx.Err(); err != nil {
				return err
			}
			d := base
			d.ID, d.Title = fmt.Sprintf("%s/%d", title, j+1), strings.ReplaceAll(title, "_", " ")
			fail := func(err error) error { return fmt.Errorf("%s: data[%d].paragraphs[%d]: %w", path, i, j, err) }
			gold := &edb.Parsed{Pages: []edb.Page{{Number: 1, Elements: []edb.Element{{Kind: edb.KindParagraph, Text: p.Context}}}}}
			if err := w.AddDocument(d, []byte(p.Context), gold); err != nil {
				return fail(err)
			}
			for _, q := range p.Questions {
				out, err := q.question(d.ID, []rune(p.Context))
				if err != nil {
					return fail(fmt.Errorf("question %q: %w", q.ID, err))
				}
				if err := w.AddQuestion(out); err != nil {
					return fail(err)
				}
			}
		}
	}
	return nil
}

func (q squadQuestion) question(doc string, context []rune) (edb.Question, error) {
	out := edb.Question{ID: string(q.ID), Text: strings.TrimSpace(q.Question), Modality: edb.ModalitySingleHop, Task: "lookup"}
	if q.Impossible {
		out.Modality, out.Task, out.Probe = edb.ModalityUnanswerable, "", &edb.Probe{Doc: doc}
		return out, nil
	}
	if len(q.Answers) == 0 {
		return out, fmt.Errorf("has no answer and is not impossible: add one or take the question out")
	}
	type span struct{ start, end int }
	votes := map[span]int{}
	for _, a := range q.Answers {
		n := len([]rune(a.Text))
		switch {
		case a.Start == nil || n == 0:
			return out, fmt.Errorf("an answer has no text or answer_start: fetch the file again")
		case *a.Start < 0 || *a.Start+n > len(context) || string(context[*a.Start:*a.Start+n]) != a.Text:
			return out, fmt.Errorf("answer %s is not at answer_start %d of its paragraph: count code points from 0", short(a.Text), *a.Start)
		}
		votes[span{*a.Start, *a.Start + n}]++
	}
	best := slices.MaxFunc(q.Answers, func(a, b squadAnswer) int { // of equals the first
		return cmp.Compare(votes[span{*a.Start, *a.Start + len([]rune(a.Text))}], votes[span{*b.Start, *b.Start + len([]rune(b.Text))}])
	})
	gold := &edb.GoldAnswer{Type: "text", Value: best.Text}
	for _, a := range q.Answers {
		if a.Text != best.Text && !slices.Contains(gold.Aliases, a.Text) {
			gold.Aliases = append(gold.Aliases, a.Text)
		}
	}
	out.Answer = gold
	out.Evidence = []edb.Evidence{{Doc: doc, Page: 1, Start: *best.Start, End: *best.Start + len([]rune(best.Text)), Quote: best.Text}}
	return out, nil
}
