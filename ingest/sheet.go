package ingest

import (
	"context"
	"fmt"
	"slices"

	edb "enterprisedocbench"
)

// Sheet says what the dataset holds, what can be measured with it now, and what labelling would add.
type Sheet struct {
	Dataset   string         `json:"dataset"`
	Documents int            `json:"documents"`
	Pages     int            `json:"pages"`
	Bytes     int64          `json:"bytes"`
	Types     map[string]int `json:"types"` // MIME type -> documents
	Seed      uint64         `json:"seed"`
	// LeftOut are files that became no document, Failing documents that the default engine cannot read.
	LeftOut   []LeftOut `json:"left_out"`
	Failing   []LeftOut `json:"failing"`
	Questions Questions `json:"questions"`
	Agreement Agreement `json:"agreement"`
	TextLayer TextLayer `json:"text_layer"`
	Rows      []Row     `json:"rows"`
	Labelling []Work    `json:"labelling"`
	Next      []string  `json:"next"` // commands and steps, in order
}

// Questions says what is asked.
type Questions struct {
	Synthetic bool `json:"synthetic"`
	N         int  `json:"n"`
	// Of the user's own questions: with an answer, with evidence, whose quote was found in the text, whose
	// quote was not found, so that its page stands for it; and the unanswerable ones.
	Answered     int            `json:"answered"`
	WithEvidence int            `json:"with_evidence"`
	Located      int            `json:"located"`
	Loose        int            `json:"quote_not_found"`
	Unanswerable int            `json:"unanswerable"`
	ByModality   map[string]int `json:"by_modality"`
	Known        *Known         `json:"known_items,omitempty"`
}

// sheet makes the questions and the sheet of what was read.
func (r *reading) sheet(ctx context.Context, files []file, left []LeftOut) (*Sheet, []edb.Question, error) {
	s := &Sheet{Dataset: datasetName(r.name), Seed: r.opt.Seed, Types: map[string]int{}, LeftOut: left, Failing: []LeftOut{}}
	if s.LeftOut == nil {
		s.LeftOut = []LeftOut{}
	}
	var pages []pageOf
	var cands []candidate
	var pdfs []string
	var compared [][]comparison
	var empty []PageRef
	var sample []sampled
	for i, d := range r.docs {
		s.Documents++
		s.Pages += d.doc.Pages
		s.Bytes += d.doc.Bytes
		s.Types[d.doc.MIME]++
		if d.failure != "" {
			s.Failing = append(s.Failing, LeftOut{files[i].path, d.failure})
		}
		pages, cands = append(pages, d.pages...), append(cands, d.cands...)
		sample = append(sample, d.ocr...)
		if d.doc.MIME == pdf {
			pdfs, compared, empty = append(pdfs, d.doc.ID), append(compared, d.agree), append(empty, d.noText...)
		}
	}
	var names []string
	for _, e := range r.opt.accepting(pdf) {
		names = append(names, e.Name)
	}
	s.Agreement = agreement(names, pdfs, compared, empty, r.opt.Seed)
	var err error
	first := ""
	if len(names) > 0 {
		first = names[0]
	}
	if s.TextLayer, err = textLayer(ctx, r.opt.OCR, first, sample, r.opt.Seed, func(n int, do func(context.Context, int) error) error { return r.each(ctx, "ocr", n, do) }); err != nil {
		return nil, nil, err
	}
	var questions []edb.Question
	if r.opt.Questions != "" {
		if questions, err = r.resolve.questions(); err != nil {
			return nil, nil, err
		}
		s.Questions.Loose = len(r.resolve.loose)
	} else {
		r.opt.Progress("ask", 0, r.opt.N)
		var k Known
		questions, k = knownItems(pages, cands, r.opt.Seed, r.opt.N)
		r.opt.Progress("ask", r.opt.N, r.opt.N)
		s.Questions.Known, s.Questions.Synthetic = &k, true
	}
	s.Questions.count(questions)
	s.Rows, s.Labelling = rows(s), labelling(s)
	s.Next = next(s)
	return s, questions, nil
}

func (q *Questions) count(questions []edb.Question) {
	q.ByModality = map[string]int{}
	for _, x := range questions {
		q.N++
		q.ByModality[x.Modality]++
		if x.Answer != nil {
			q.Answered++
		}
		if !x.Answerable() {
			q.Unanswerable++
		}
		if len(x.Evidence) > 0 {
			q.WithEvidence++
		}
		for _, e := range x.Evidence {
			if e.End > 0 {
				q.Located++
			}
		}
	}
}

// next says what to do with the result; OUT stands for the folder that was made.
func next(s *Sheet) []string {
	out := []string{
		"edb dataset check OUT/" + DatasetDir + " verifies the dataset, edb run OUT/" + ConfigFile + " --out OUT/run measures the pipelines that the configuration names",
	}
	if s.Questions.Synthetic {
		out = append(out, "your own questions: a CSV with question, answer, document, page, quote, and edb init FOLDER --questions FILE")
	}
	out = append(out, "judgements: edb dataset pool OUT/"+DatasetDir+" OUT/run --out OUT/pool.csv writes the first 5 pages of every pipeline down, mixed; fill in the column grade; edb dataset judge OUT/"+DatasetDir+" OUT/pool.csv takes it in; run again",
		"gold: put a corrected transcription beside a document as OUT/"+DatasetDir+"/gold/NAME.json and set its gold to human in documents.jsonl: parsing is then scored on it")
	return out
}

// sorted gives the keys of a count, the largest first.
func sorted(m map[string]int) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int {
		if m[a] != m[b] {
			return m[b] - m[a]
		}
		if a < b {
			return -1
		}
		return 1
	})
	return keys
}

func counts(m map[string]int) string {
	out := ""
	for i, k := range sorted(m) {
		if i > 0 {
			out += ", "
		}
		out += fmt.Sprintf("%s %d", k, m[k])
	}
	return out
}
