package datasets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/store"
)

// filing is one line of documents.jsonl of FinanceBench.
type filing struct {
	Name    string `json:"doc_name"`
	Company string `json:"company"`
	Type    string `json:"doc_type"`
	Period  int    `json:"doc_period"`
	Link    string `json:"doc_link"`
}

// financeQuestion is one line of questions.jsonl. Evidence pages count from 0 there.
type financeQuestion struct {
	ID        string `json:"financebench_id"`
	Doc       string `json:"doc_name"`
	Type      string `json:"question_type"`
	Reasoning string `json:"question_reasoning"`
	Question  string `json:"question"`
	Answer    string `json:"answer"`
	Evidence  []struct {
		Text string `json:"evidence_text"`
		Page *int   `json:"evidence_page_num"`
		Doc  string `json:"doc_name"`
	} `json:"evidence"`
	line int
}

// importFinanceBench reads pdfs/*.pdf, documents.jsonl and questions.jsonl. The collection has no
// text of its own, so gold is what opt.Parse reads: reference gold, which locates evidence and never
// scores parsing.
func importFinanceBench(ctx context.Context, from, out string, opt ImportOptions) error {
	if err := opt.needParse("financebench"); err != nil {
		return err
	}
	stems, err := listStems(filepath.Join(from, "pdfs"), ".pdf", "name the folder that holds pdfs/, documents.jsonl and questions.jsonl")
	if err != nil {
		return err
	}
	filings := map[string]filing{}
	err = store.Lines(filepath.Join(from, "documents.jsonl"), func(_ int, raw []byte) error {
		var f filing
		if err := json.Unmarshal(raw, &f); err != nil {
			return fmt.Errorf("%w: correct the line", err)
		}
		filings[f.Name] = f
		return nil
	})
	if err != nil {
		return err
	}
	questions, err := financeQuestions(filepath.Join(from, "questions.jsonl"), stems)
	if err != nil {
		return err
	}
	byDoc := map[string][]int{}
	for i, q := range questions {
		byDoc[q.Doc] = append(byDoc[q.Doc], i)
	}
	w, err := opt.create(out, Info{
		Name: "financebench", Version: "1",
		Licence:  "questions, answers and evidence CC-BY-NC-4.0; the filings are public disclosures of the issuers without a licence of their own",
		Made:     "open subset of FinanceBench; evidence pages turned from 0-based to physical pages from 1; gold is a parse that only locates evidence",
		Citation: "Islam et al., FinanceBench: A New Benchmark for Financial Question Answering, 2023",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	evidence := make([][]edb.Evidence, len(questions))
	err = opt.each(ctx, len(stems), func(ctx context.Context, i int) error {
		gold, err := addFiling(ctx, w, opt, filepath.Join(from, "pdfs", stems[i]+".pdf"), filings[stems[i]])
		if err != nil {
			return err
		}
		for _, n := range byDoc[stems[i]] {
			if evidence[n], err = opt.locate(gold, questions[n]); err != nil {
				return fmt.Errorf("%s:%d: %w", filepath.Join(from, "questions.jsonl"), questions[n].line, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, q := range questions {
		if err := w.AddQuestion(q.question(evidence[i])); err != nil {
			return fmt.Errorf("%s:%d: %w", filepath.Join(from, "questions.jsonl"), q.line, err)
		}
	}
	return w.Close()
}

func addFiling(ctx context.Context, w *Writer, opt ImportOptions, path string, f filing) (edb.Parsed, error) {
	content, err := readAll(path)
	if err != nil {
		return edb.Parsed{}, err
	}
	p, err := opt.Parse(ctx, path)
	if err != nil {
		return edb.Parsed{}, fmt.Errorf("%s: %w: take the file out or try another engine", path, err)
	}
	if p.Engine == "" || !p.Paged || len(p.Pages) == 0 {
		return edb.Parsed{}, fmt.Errorf("%s: the parse has no pages or no engine name: use an engine that gives pages", path)
	}
	gold := slim(p)
	id := strings.TrimSuffix(filepath.Base(path), ".pdf")
	d := edb.Document{ID: id, Path: path, Pages: lastPage(gold), Domain: "finance", Doctype: strings.ToLower(f.Type), Lang: "en", Split: "test",
		Gold: "reference(" + p.Engine + ")", Source: &edb.Origin{Name: "FinanceBench", ID: id},
		Licence: edb.Licence{SPDX: "NOASSERTION", Evidence: "public disclosure of the issuer; the filing states no licence"}}
	d.Date = dateOf(f.Period, 0, 0)
	if _, day, ok := strings.Cut(id, "_dated-"); ok && validDate(day) {
		d.Date = day
	}
	if f.Company != "" {
		d.Title = strings.TrimSpace(fmt.Sprintf("%s %s %d", f.Company, f.Type, f.Period))
	}
	return gold, w.AddDocument(d, content, &gold)
}

// slim leaves out what reference gold does not need, the single lines, and moves boxes that stand
// out of the page onto its edge.
func slim(p edb.Parsed) edb.Parsed {
	out := edb.Parsed{Paged: p.Paged, Engine: p.Engine, Pages: make([]edb.Page, len(p.Pages))}
	for i, pg := range p.Pages {
		es := make([]edb.Element, len(pg.Elements))
		for j, e := range pg.Elements {
			e.Lines = nil
			if e.Box != nil {
				b := *e.Box
				clip := func(v, hi float64) float64 {
					if hi > 0 {
						v = math.Min(v, hi)
					}
					return math.Round(math.Max(v, 0)*100) / 100
				}
				b = edb.Box{clip(b[0], pg.Width), clip(b[1], pg.Height), clip(b[2], pg.Width), clip(b[3], pg.Height)}
				e.Box = &b
			}
			es[j] = e
		}
		pg.Elements = es
		out.Pages[i] = pg
	}
	return out
}

// locate turns the evidence of a question into source coordinates.
func (o ImportOptions) locate(gold edb.Parsed, q financeQuestion) ([]edb.Evidence, error) {
	var out []edb.Evidence
	for i, e := range q.Evidence {
		page := *e.Page + 1
		if page > lastPage(gold) {
			return nil, fmt.Errorf("question %q: evidence %d: page %d (from 0) of a filing of %s: correct the page", q.ID, i+1, *e.Page, edb.Count(lastPage(gold), "page"))
		}
		ev := edb.Evidence{Doc: q.Doc, Page: page, Quote: strings.TrimSpace(e.Text)}
		if o.Locate != nil {
			if at, ok := o.Locate(gold, page, e.Text); ok && at.Page == page && at.End > at.Start {
				if t := []rune(pageText(gold, page)); at.Start >= 0 && at.End <= len(t) {
					ev.Start, ev.End, ev.Quote = at.Start, at.End, string(t[at.Start:at.End])
				}
			}
		}
		out = append(out, ev)
	}
	return out, nil
}

func pageText(p edb.Parsed, page int) string {
	for _, pg := range p.Pages {
		if pg.Number == page {
			return pg.Text()
		}
	}
	return ""
}

func financeQuestions(path string, stems []string) ([]financeQuestion, error) {
	known := map[string]bool{}
	for _, s := range stems {
		known[s] = true
	}
	var out []financeQuestion
	err := store.Lines(path, func(line int, raw []byte) error {
		q := financeQuestion{line: line}
		if err := json.Unmarshal(raw, &q); err != nil {
			return fmt.Errorf("%w: correct the line", err)
		}
		switch {
		case q.ID == "" || q.Question == "" || q.Answer == "":
			return errors.New("financebench_id, question or answer is missing: fetch the collection again")
		case !known[q.Doc]:
			return fmt.Errorf("question %q: pdfs/%s.pdf is missing: fetch it or take the line out", q.ID, q.Doc)
		case len(q.Evidence) == 0:
			return fmt.Errorf("question %q: evidence is missing: take the line out", q.ID)
		}
		for i, e := range q.Evidence {
			if e.Page == nil || *e.Page < 0 {
				return fmt.Errorf("question %q: evidence %d has no evidence_page_num from 0: add it", q.ID, i+1)
			}
			if e.Doc != "" && e.Doc != q.Doc {
				return fmt.Errorf("question %q: evidence %d lies in %q, not in %q: take the line out", q.ID, i+1, e.Doc, q.Doc)
			}
		}
		out = append(out, q)
		return nil
	})
	return out, err
}

// question maps a question onto ours. Several evidence pages make it multi-hop; figures asked of a
// statement (metrics-generated) are read from tables; the rest is single-hop.
func (q financeQuestion) question(ev []edb.Evidence) edb.Question {
	out := edb.Question{ID: q.ID, Text: q.Question, Modality: edb.ModalitySingleHop, Domain: "finance", Lang: "en", Evidence: ev,
		Answer: financeAnswer(q.Answer, q.Question)}
	pages := map[int]bool{}
	for _, e := range ev {
		pages[e.Page] = true
	}
	switch {
	case len(pages) > 1:
		out.Modality = edb.ModalityMultiHop
	case q.Type == "metrics-generated":
		out.Modality = edb.ModalityTable
	}
	switch {
	case q.Reasoning == "Information extraction":
		out.Task = "lookup"
	case strings.Contains(strings.ToLower(q.Reasoning), "numerical reasoning"):
		out.Task = "financial-reconciliation"
	}
	return out
}

var (
	plainNumber = regexp.MustCompile(`^(-|−|\()?\s*(\$)?\s*(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*(%)?\)?$`)
	askedScale  = regexp.MustCompile(`(?i)\bUSD (thousand|million|billion)s?\b`)
)

// financeTolerance is the relative difference that the answers' own rounding asks for: they are given
// to two or three digits ("$8.70" billion for 8.738).
const financeTolerance = 0.01

// financeAnswer types an answer: a lone number is a number, with unit "%" or "USD" and the scale the
// question asks for; anything else is text.
func financeAnswer(answer, question string) *edb.GoldAnswer {
	answer = strings.TrimSpace(answer)
	m := plainNumber.FindStringSubmatch(answer)
	if m == nil {
		return &edb.GoldAnswer{Type: "text", Value: answer}
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(m[3], ",", ""), 64)
	if err != nil {
		return &edb.GoldAnswer{Type: "text", Value: answer}
	}
	if m[1] != "" {
		v = -v
	}
	a := &edb.GoldAnswer{Type: "number", Value: v, Tolerance: financeTolerance, Aliases: []string{answer}}
	scale := askedScale.FindStringSubmatch(question)
	switch {
	case m[4] != "":
		a.Unit = "%"
	case m[2] != "" || scale != nil:
		a.Unit = "USD"
		if scale != nil {
			a.Scale = strings.ToLower(scale[1])
		}
	}
	return a
}
