package datasets

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	edb "enterprisedocbench"
)

// finqaExample is a line of examples.jsonl: a question on one page of a filing, whose text and table
// came out of a PDF with numbers, dashes and brackets set apart.
type finqaExample struct {
	ID       string     `json:"id"`
	Filename string     `json:"filename"` // TICKER/YEAR/page_N.pdf
	Before   []string   `json:"pre_text"`
	After    []string   `json:"post_text"`
	Table    [][]string `json:"table"`
	QA       struct {
		Question string            `json:"question"`
		Answer   string            `json:"answer"`
		Value    any               `json:"exe_ans"` // what the program gives: a number, or yes or no
		Program  string            `json:"program"`
		Evidence map[string]string `json:"gold_inds"` // table_N or text_N -> its words
	} `json:"qa"`
}

// importFinQA reads examples.jsonl. The pages are not in the collection, so each is rebuilt as HTML of
// what the examples give of it, sentence by sentence, with the table where it stood.
func importFinQA(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	const name = "examples.jsonl"
	if _, err := f.read(name); err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "finqa", Version: "1",
		Licence: "MIT (FinQA); the filings are public disclosures of the issuers",
		Made: "pages of filings rebuilt as HTML from the text before the table, the table and the text after it, as FinQA gives them: lower case, signs set apart; " +
			"sentences are paragraphs, and the gold is that HTML",
		Citation: "Chen et al., FinQA: A Dataset of Numerical Reasoning over Financial Data, 2021",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	licence, ok := openLicence(f.known[name].Licence)
	if !ok {
		licence = edb.Licence{SPDX: "MIT", Redistribute: true, Derivatives: true, Commercial: true, Evidence: "the repository of FinQA is under MIT"}
	}
	pages := map[string]*finqaPage{}
	err = jsonLines(f.path(name), func(line int, e finqaExample) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if e.ID == "" || e.Filename == "" || e.QA.Question == "" {
			return fmt.Errorf("id, filename or question is missing: fetch the collection again")
		}
		p := rebuildPage(e)
		if before := pages[p.doc]; before == nil {
			pages[p.doc] = p
			if len(p.els) == 0 {
				return fmt.Errorf("page %q has neither text nor table: take the line out", e.Filename)
			}
			d := edb.Document{ID: p.doc, Path: ".html", Pages: 1, Title: strings.ReplaceAll(p.doc, "/", " "), Domain: "finance", Doctype: "filing-page", Lang: "en", Split: "test",
				Gold: "source", Layout: p.layout(), Source: f.known[name].source(), Licence: licence}
			if parts := strings.Split(p.doc, "/"); len(parts) > 1 { // COMPANY/YEAR/page_N
				d.Date = dateOf(number(parts[1]), 0, 0)
			}
			if err := w.AddDocument(d, p.page(d.Title), p.onePage()); err != nil {
				return err
			}
		} else if before.text() != p.text() {
			return fmt.Errorf("page %q has another text than in a line before: correct one of the two", e.Filename)
		}
		q, err := e.question(p)
		if err != nil {
			return err
		}
		return w.AddQuestion(q)
	})
	if err != nil {
		return err
	}
	opt.progress(len(pages), len(pages))
	return w.Close()
}

// finqaPage is a rebuilt page with the places of its sentences and rows. Sentences without a word are
// left out and have an empty place.
type finqaPage struct {
	blocks
	doc       string
	sentences []stretch
	rows      []stretch
}

func rebuildPage(e finqaExample) *finqaPage {
	p := &finqaPage{doc: strings.TrimSuffix(e.Filename, filepath.Ext(e.Filename))}
	sentence := func(s string) {
		if s = squeeze(s); s == "." {
			s = ""
		}
		p.sentences = append(p.sentences, p.paragraph(s))
	}
	for _, s := range e.Before {
		sentence(s)
	}
	p.rows = p.table("", gridOf(e.Table, 1))
	for _, s := range e.After {
		sentence(s)
	}
	return p
}

// question maps a question. What rests on rows of the table alone is a table question, what rests on
// one sentence single-hop, all else multi-hop.
func (e finqaExample) question(p *finqaPage) (edb.Question, error) {
	q := edb.Question{ID: e.ID, Text: e.QA.Question, Task: "financial-reconciliation", Domain: "finance", Lang: "en",
		Review: map[string]any{"program": e.QA.Program, "stated": e.QA.Answer}}
	text := []rune(p.text())
	rows, sentences, stops := 0, 0, 0
	for i, at := range p.rows {
		if _, ok := e.QA.Evidence["table_"+strconv.Itoa(i)]; ok {
			rows++
			if at.end > at.start {
				q.Evidence = append(q.Evidence, evidenceIn(text, p.doc, at))
			}
		}
	}
	for i, at := range p.sentences {
		words, ok := e.QA.Evidence["text_"+strconv.Itoa(i)]
		if !ok {
			continue
		}
		if words = squeeze(words); words == "." { // a lone full stop is named once and bears nothing
			stops++
			continue
		}
		sentences++
		ev := evidenceIn(text, p.doc, at)
		if ev.Quote != words {
			return q, fmt.Errorf("question %q: text_%d of gold_inds is not sentence %d of the page: correct it", e.ID, i, i)
		}
		q.Evidence = append(q.Evidence, ev)
	}
	if found := rows + sentences + stops; found != len(e.QA.Evidence) || len(q.Evidence) == 0 {
		return q, fmt.Errorf("question %q: %d of the %d places of gold_inds are on the page: correct them", e.ID, found, len(e.QA.Evidence))
	}
	switch {
	case sentences == 0:
		q.Modality = edb.ModalityTable
	case rows == 0 && sentences == 1:
		q.Modality = edb.ModalitySingleHop
	default:
		q.Modality = edb.ModalityMultiHop
	}
	var err error
	q.Answer, err = finqaAnswer(e.QA.Value, e.QA.Answer)
	if err != nil {
		return q, fmt.Errorf("question %q: %w", e.ID, err)
	}
	return q, nil
}

var statedNumber = regexp.MustCompile(`^(-?)\$?\s*(\d[\d,]*(?:\.\d+)?|\.\d+)\s*(%|thousand|million|billion)?$`)

// finqaAnswer types an answer by what the program gives, as FinQA's own scoring does. Where people
// stated it as a percentage and the program gives the fraction, it is one. The stated form counts as
// right too, as long as it is the same within the tolerance or its own rounding.
func finqaAnswer(value any, stated string) (*edb.GoldAnswer, error) {
	switch v := value.(type) {
	case string:
		if v == "yes" || v == "no" {
			return &edb.GoldAnswer{Type: "boolean", Value: v == "yes"}, nil
		}
	case float64:
		a := &edb.GoldAnswer{Type: "number", Value: v, Tolerance: financeTolerance}
		m := statedNumber.FindStringSubmatch(strings.TrimSpace(stated))
		if m == nil {
			return a, nil
		}
		s, err := strconv.ParseFloat(m[1]+strings.ReplaceAll(m[2], ",", ""), 64)
		if err != nil {
			return a, nil
		}
		_, decimals, _ := strings.Cut(m[2], ".")
		if m[3] == "%" && rounded(v*100, s, len(decimals)) {
			a.Value, a.Unit, a.Aliases = float(v*100), "%", []string{strings.TrimSpace(stated)}
		} else if rounded(v, s, len(decimals)) {
			a.Aliases = []string{strings.TrimSpace(stated)}
			switch m[3] {
			case "%":
				a.Unit = "%"
			case "":
			default:
				a.Scale = m[3]
			}
		}
		return a, nil
	}
	return nil, fmt.Errorf("exe_ans is %v: write a number, yes or no", value)
}

// rounded says whether stated is v, rounded to so many decimals or within the tolerance of figures.
func rounded(v, stated float64, decimals int) bool {
	half := 0.5
	for range decimals {
		half /= 10
	}
	d := v - stated
	return max(d, -d) <= max(half*1.01, financeTolerance*max(stated, -stated))
}

// float drops the digits that a product by 100 adds to a decimal fraction.
func float(v float64) float64 {
	f, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil {
		return v
	}
	return f
}
