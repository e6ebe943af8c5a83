package datasets

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	edb "enterprisedocbench"
)

// ohrQuestion is one question of qas_v2.json. Pages of evidence count from 0.
type ohrQuestion struct {
	ID       string            `json:"ID"`
	Doc      string            `json:"doc_name"`
	Text     string            `json:"questions"`
	Answer   json.RawMessage   `json:"answers"`
	Form     string            `json:"answer_form"`
	Source   string            `json:"evidence_source"`
	Contexts oneOrMore[string] `json:"evidence_context"`
	Pages    oneOrMore[int]    `json:"evidence_page_no"`
}

// oneOrMore is a JSON value or a list of such.
type oneOrMore[T any] []T

func (o *oneOrMore[T]) UnmarshalJSON(raw []byte) error {
	var list []T
	if err := json.Unmarshal(raw, &list); err == nil {
		*o = list
		return nil
	}
	var one T
	if err := json.Unmarshal(raw, &one); err != nil {
		return err
	}
	*o = []T{one}
	return nil
}

// fault says what a question lacks.
func (q ohrQuestion) fault() error {
	switch {
	case q.ID == "" || q.Doc == "" || strings.TrimSpace(q.Text) == "":
		return errors.New("ID, doc_name or questions is missing: fetch the collection again")
	case len(q.Pages) == 0:
		return errors.New("evidence_page_no is missing: add it, from 0")
	}
	for _, p := range q.Pages {
		if p < 0 || p > math.MaxInt32 {
			return fmt.Errorf("evidence_page_no is %d: count pages from 0", p)
		}
	}
	return nil
}

// evidence gives one place for each context, on its page where there are as many, and else on the
// first page that has it.
func (q ohrQuestion) evidence(gold edb.Parsed, opt ImportOptions) ([]edb.Evidence, error) {
	var out []edb.Evidence
	for _, p := range q.Pages {
		if !slices.ContainsFunc(gold.Pages, func(pg edb.Page) bool { return pg.Number == p+1 }) {
			return nil, fmt.Errorf("evidence_page_no %d (from 0) is not in the gold of %q: correct the page", p, q.Doc)
		}
	}
	used := map[int]bool{}
	for i, c := range q.Contexts {
		if strings.TrimSpace(c) == "" {
			continue
		}
		pages := q.Pages
		if len(q.Contexts) == len(q.Pages) {
			pages = q.Pages[i : i+1]
		}
		ev := edb.Evidence{Doc: q.Doc, Page: pages[0] + 1, Quote: strings.TrimSpace(c)}
		for _, p := range pages {
			if at, ok := opt.find(gold, p+1, c); ok {
				ev.Page, ev.Start, ev.End, ev.Quote = p+1, at.Start, at.End, at.Quote
				break
			}
		}
		used[ev.Page] = true
		out = append(out, ev)
	}
	for _, p := range q.Pages { // pages without a context of their own are evidence as a whole
		if !used[p+1] {
			used[p+1] = true
			out = append(out, edb.Evidence{Doc: q.Doc, Page: p + 1})
		}
	}
	return out, nil
}

// find looks for a context on a page of gold: to the letter, as a row of a table, or as Locate does.
func (o ImportOptions) find(gold edb.Parsed, page int, context string) (edb.Evidence, bool) {
	text := pageText(gold, page)
	cells := texSplit(strings.NewReplacer(`\hline`, " ", `\\`, " ").Replace(context), "&")
	for i, c := range cells {
		cells[i] = texCell(c).text
	}
	for _, quote := range []string{strings.TrimSpace(context), texPlain(context), strings.Join(cells, "\t")} {
		if before, _, ok := strings.Cut(text, quote); ok && quote != "" {
			n := len([]rune(before))
			return edb.Evidence{Page: page, Start: n, End: n + len([]rune(quote)), Quote: quote}, true
		}
	}
	if o.Locate == nil {
		return edb.Evidence{}, false
	}
	at, ok := o.Locate(gold, page, texPlain(context))
	r := []rune(text)
	if !ok || at.Page != page || runeOffsets(at.Start, at.End, len(r)) != nil {
		return edb.Evidence{}, false
	}
	at.Quote = string(r[at.Start:at.End])
	return at, true
}

// question maps a question onto ours: evidence on several pages makes it multi-hop, a table or chart
// one of that modality, the rest is single-hop.
func (q ohrQuestion) question(ev []edb.Evidence) (edb.Question, error) {
	domain, _, _ := strings.Cut(q.Doc, "/")
	out := edb.Question{ID: q.ID, Text: q.Text, Modality: edb.ModalitySingleHop, Task: "lookup", Domain: domain, Lang: "en", Evidence: ev}
	pages := map[int]bool{}
	for _, e := range ev {
		pages[e.Page] = true
	}
	switch {
	case len(pages) > 1:
		out.Modality = edb.ModalityMultiHop
	case q.Source == "table":
		out.Modality = edb.ModalityTable
	case q.Source == "chart":
		out.Modality = edb.ModalityFigure
	}
	var err error
	out.Answer, err = q.answer()
	return out, err
}

// answer types the answer: Yes and No, a lone number with its unit, a list as a set, else text. A
// number is right to the last digit that is given.
func (q ohrQuestion) answer() (*edb.GoldAnswer, error) {
	var list []word
	if json.Unmarshal(q.Answer, &list) == nil && len(list) > 0 {
		var set []string
		for _, x := range list {
			set = append(set, string(x))
		}
		return &edb.GoldAnswer{Type: "set", Value: set}, nil
	}
	var one word
	if err := json.Unmarshal(q.Answer, &one); err != nil || strings.TrimSpace(string(one)) == "" {
		return nil, fmt.Errorf("question %q: answers is %.40s: write a text", q.ID, q.Answer)
	}
	a := strings.TrimSpace(string(one))
	switch strings.ToLower(strings.TrimSuffix(a, ".")) {
	case "yes":
		return &edb.GoldAnswer{Type: "boolean", Value: true}, nil
	case "no":
		return &edb.GoldAnswer{Type: "boolean", Value: false}, nil
	}
	if m := plainNumber.FindStringSubmatch(a); m != nil && q.Form == "Numeric" {
		v, err := strconv.ParseFloat(strings.ReplaceAll(m[3], ",", ""), 64)
		if err == nil {
			if m[1] != "" {
				v = -v
			}
			g := &edb.GoldAnswer{Type: "number", Value: v, Aliases: []string{a}}
			switch {
			case m[4] != "":
				g.Unit = "%"
			case m[2] != "":
				g.Unit = "USD"
			}
			return g, nil
		}
	}
	return &edb.GoldAnswer{Type: "text", Value: a}, nil
}
