package datasets

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	edb "enterprisedocbench"
)

// cuadGold is the kind of gold that txt/ is. The texts came with the contracts and name no maker,
// but were read off the PDFs: they carry the running footers of pages ("Source: ...") and words
// that are broken at line ends. So they locate clauses and score no parse.
const cuadGold = "reference(cuad-txt@1)"

// cuadQuestion is one line of questions.jsonl: a category of clauses asked of a contract. Offsets
// count code points of txt/CONTRACT.txt; they are null where the span is not there to the letter.
type cuadQuestion struct {
	Contract   string     `json:"contract"`
	Category   string     `json:"category"`
	Question   string     `json:"question"`
	Spans      []cuadSpan `json:"spans"`
	Answer     string     `json:"answer"`
	Answerable bool       `json:"answerable"`
}

type cuadSpan struct {
	Text  string `json:"text"`
	Start *int   `json:"start"`
	End   *int   `json:"end"`
}

// importCUAD reads pdfs/NAME.pdf, txt/NAME.txt and questions.jsonl, which holds the 41 categories of
// clauses for each contract, labelled by lawyers. A category without a span is unanswerable, also
// where the answer sheet says No: the contract is silent. Evidence counts in the text, which has no
// page marks, so it stands on page 1.
func importCUAD(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	const fix = "name the folder that holds pdfs/, txt/ and questions.jsonl"
	texts, err := f.list("txt", fix, ".txt")
	if err != nil {
		return err
	}
	pdfs := map[string]string{}
	files, err := f.list("pdfs", fix, ".pdf")
	if err != nil {
		return err
	}
	for _, name := range files {
		pdfs[stem(name)] = name
	}
	gold := map[string][]rune{}
	for _, t := range texts {
		raw, err := f.read(t)
		if err != nil {
			return err
		}
		if pdfs[stem(t)] == "" {
			return fmt.Errorf("%s: pdfs/%s.pdf is missing: fetch it or take the text out", f.path(t), stem(t))
		}
		gold[stem(t)] = []rune(string(raw))
	}
	const questions = "questions.jsonl"
	asked, err := jsonRows(f, questions, func(q cuadQuestion) error {
		switch {
		case q.Category == "" || q.Question == "":
			return errors.New("category or question is missing: fetch the collection again")
		case gold[q.Contract] == nil:
			return fmt.Errorf("contract %q has no txt/%s.txt: fetch it or take the line out", q.Contract, q.Contract)
		case q.Answerable != (len(q.Spans) > 0):
			return fmt.Errorf("contract %q, %s: answerable is %v with %d spans: correct one", q.Contract, q.Category, q.Answerable, len(q.Spans))
		}
		return nil
	})
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "cuad", Version: "1",
		Licence:  "CC-BY-4.0",
		Made:     "CUAD v1: contracts as PDF, their published text as gold that locates clauses, the 41 categories as questions; null offsets are looked for piece by piece",
		Citation: "Hendrycks et al., CUAD: An Expert-Annotated NLP Dataset for Legal Contract Review, 2021",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	err = opt.each(ctx, len(texts), func(ctx context.Context, i int) error {
		id := stem(texts[i])
		pdf := pdfs[id]
		content, err := f.read(pdf)
		if err != nil {
			return err
		}
		sheets, scanned, err := opt.sheets(ctx, f.path(pdf))
		if err != nil {
			return err
		}
		d := f.document(id, pdf)
		d.Title, d.Pages, d.Scanned, d.Gold, d.Domain, d.Doctype = id, len(sheets), scanned, cuadGold, "legal", "contract"
		d.Date = exhibitDate(id)
		d.Licence = f.licence(pdf, edb.Licence{SPDX: "CC-BY-4.0", Redistribute: true, Derivatives: true, Commercial: true,
			Evidence: "CUAD v1 is published under CC-BY-4.0"})
		return w.AddDocument(d, content, textGold(string(gold[id])))
	})
	if err != nil {
		return err
	}
	for _, r := range asked {
		q, err := r.v.question(gold[r.v.Contract])
		if err == nil {
			err = w.AddQuestion(q)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", f.path(questions), r.line, err)
		}
	}
	return w.Close()
}

// question maps a category onto a question that names its contract, so that it can be asked of all
// contracts at once. Questions that lawyers answer with Yes or No extract terms to comply with, the
// others (names, dates, laws) describe the contract.
func (q cuadQuestion) question(text []rune) (edb.Question, error) {
	out := edb.Question{ID: q.Contract + "/" + q.Category, Text: fmt.Sprintf("%s: %s (Contract: %s)", q.Category, q.Question, q.Contract),
		Modality: edb.ModalitySingleHop, Task: "contract-analysis", Domain: "legal", Lang: "en"}
	if q.Answer == "Yes" || q.Answer == "No" {
		out.Task = "compliance-extraction"
	}
	if !q.Answerable {
		out.Modality, out.Subtype = edb.ModalityUnanswerable, "absent-field"
		out.Probe = &edb.Probe{Field: q.Category, Doc: q.Contract}
		return out, nil
	}
	for i, s := range q.Spans {
		ev, err := s.evidence(q.Contract, text)
		if err != nil {
			return out, fmt.Errorf("contract %q, %s: span %d: %w: correct the offsets", q.Contract, q.Category, i+1, err)
		}
		out.Evidence = append(out.Evidence, ev...)
	}
	out.Answer = q.answer()
	return out, nil
}

// omitted is what the annotators write where a span leaves words out.
const omitted = "<omitted>"

// evidence gives the places of a span. The quote is what stands there: the annotations write runs of
// spaces as one. A span without offsets is looked for piece by piece, a piece that is not found is
// a quote without offsets.
func (s cuadSpan) evidence(doc string, text []rune) ([]edb.Evidence, error) {
	if s.Start != nil && s.End != nil {
		if err := runeOffsets(*s.Start, *s.End, len(text)); err != nil {
			return nil, err
		}
		quote := string(text[*s.Start:*s.End])
		if strings.Join(strings.Fields(quote), " ") != strings.Join(strings.Fields(s.Text), " ") {
			return nil, fmt.Errorf("%d to %d is %s, the span %s", *s.Start, *s.End, short(quote), short(s.Text))
		}
		return []edb.Evidence{{Doc: doc, Page: 1, Start: *s.Start, End: *s.End, Quote: quote}}, nil
	}
	var out []edb.Evidence
	whole := string(text)
	for piece := range strings.SplitSeq(s.Text, omitted) {
		piece = strings.TrimSpace(piece)
		if len(piece) < 2 { // the full stop after an omission
			continue
		}
		ev := edb.Evidence{Doc: doc, Page: 1, Quote: piece}
		if at := looseSpaces(piece).FindStringIndex(whole); at != nil {
			ev.Quote = whole[at[0]:at[1]]
			ev.Start = len([]rune(whole[:at[0]]))
			ev.End = ev.Start + len([]rune(ev.Quote))
		}
		out = append(out, ev)
	}
	if len(out) == 0 {
		return nil, errors.New("has no text")
	}
	return out, nil
}

// looseSpaces finds words with any white space between them.
func looseSpaces(s string) *regexp.Regexp {
	words := strings.Fields(s)
	for i, w := range words {
		words[i] = regexp.QuoteMeta(w)
	}
	return regexp.MustCompile(strings.Join(words, `\s+`))
}

// answer types the lawyers' answer: Yes and No, one date, the parties as a set, anything else as
// text. Where they wrote none, or only a form ("[]/[]/2000"), the first span is the answer.
func (q cuadQuestion) answer() *edb.GoldAnswer {
	a := strings.TrimSpace(q.Answer)
	switch {
	case a == "Yes" || a == "No":
		return &edb.GoldAnswer{Type: "boolean", Value: a == "Yes"}
	case a == "" || strings.Contains(a, "[]"):
		g := &edb.GoldAnswer{Type: "text", Value: q.Spans[0].Text}
		for _, s := range q.Spans[1:] {
			g.Aliases = append(g.Aliases, s.Text)
		}
		return g
	case q.Category == "Parties":
		var parties []string
		for p := range strings.SplitSeq(a, ";") {
			if p = strings.TrimSpace(p); p != "" {
				parties = append(parties, p)
			}
		}
		return &edb.GoldAnswer{Type: "set", Value: parties}
	}
	if d, ok := cuadDate(a); ok {
		return &edb.GoldAnswer{Type: "date", Value: d, Aliases: []string{a}}
	}
	return &edb.GoldAnswer{Type: "text", Value: a}
}

// cuadDate reads month/day/year and writes it as 2006-01-02. Years of two digits are from 1950 to
// 2049: the contracts were filed from 1993 on, and some run for decades.
func cuadDate(s string) (string, bool) {
	for _, form := range []string{"1/2/2006", "1/2/06"} {
		t, err := time.Parse(form, s)
		if err != nil {
			continue
		}
		if form == "1/2/06" {
			yy := t.Year() % 100
			t = t.AddDate(1950+(yy+50)%100-t.Year(), 0, 0)
		}
		return t.Format(time.DateOnly), true
	}
	return "", false
}
