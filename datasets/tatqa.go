package datasets

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	edb "enterprisedocbench"
)

// tatqaContext is a table of an annual report with the paragraphs around it and questions on both.
type tatqaContext struct {
	Table struct {
		UID   string     `json:"uid"`
		Table [][]string `json:"table"`
	} `json:"table"`
	Paragraphs []tatqaParagraph `json:"paragraphs"`
	Questions  []tatqaQuestion  `json:"questions"`
}

type tatqaParagraph struct {
	Order int    `json:"order"`
	Text  string `json:"text"`
}

type tatqaQuestion struct {
	UID        string          `json:"uid"`
	Question   string          `json:"question"`
	Answer     json.RawMessage `json:"answer"`
	Derivation string          `json:"derivation"`
	Type       string          `json:"answer_type"` // span, multi-span, arithmetic or count
	From       string          `json:"answer_from"` // table, text or table-text
	Paragraphs []string        `json:"rel_paragraphs"`
	Comparison bool            `json:"req_comparison"`
	Scale      string          `json:"scale"` // thousand, million, billion, percent or nothing
}

// importTATQA reads tatqa_dataset_dev.json. The reports are not in the collection: each context is
// rebuilt as HTML, the table first and then the paragraphs in their order.
func importTATQA(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	const name = "tatqa_dataset_dev.json"
	raw, err := f.read(name)
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "tatqa", Version: "1",
		Licence: "CC-BY-4.0",
		Made: "contexts of annual reports rebuilt as HTML, the table before its paragraphs, and that HTML is the gold; " +
			"the collection names the paragraphs an answer rests on but not the cells, so evidence in a table is the whole table",
		Citation: "Zhu et al., TAT-QA: A Question Answering Benchmark on a Hybrid of Tabular and Textual Content in Finance, 2021",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	licence, ok := openLicence(f.known[name].Licence)
	if !ok {
		licence = edb.Licence{SPDX: "CC-BY-4.0", Redistribute: true, Derivatives: true, Commercial: true, Evidence: "TAT-QA is published under CC-BY-4.0"}
	}
	done := 0
	err = jsonItems(f.path(name), raw, func(_ int, _ string, c tatqaContext) error {
		done++
		return cmp.Or(ctx.Err(), c.add(w, f.known[name].source(), licence))
	})
	if err != nil {
		return err
	}
	opt.progress(done, done)
	return w.Close()
}

func (c tatqaContext) add(w *Writer, source *edb.Origin, licence edb.Licence) error {
	p := c.rebuild()
	if len(p.els) == 0 {
		return errors.New("the context has neither table nor text: take it out")
	}
	d := edb.Document{ID: c.Table.UID, Path: ".html", Pages: 1, Domain: "finance", Doctype: "annual-report-excerpt", Lang: "en", Split: "test",
		Gold: "source", Layout: p.layout(), Source: source, Licence: licence}
	if err := w.AddDocument(d, p.page("Annual report, excerpt"), p.onePage()); err != nil {
		return err
	}
	text := []rune(p.text())
	for _, q := range c.Questions {
		asked, err := q.question(p, text, d.ID)
		if err != nil {
			return fmt.Errorf("question %q: %w", q.UID, err)
		}
		if err := w.AddQuestion(asked); err != nil {
			return err
		}
	}
	return nil
}

// tatqaPage is a rebuilt context: where its table and its paragraphs, by their order, stand.
type tatqaPage struct {
	blocks
	table      stretch
	paragraphs map[string]stretch
}

func (c tatqaContext) rebuild() *tatqaPage {
	p := &tatqaPage{paragraphs: map[string]stretch{}}
	if rows := p.blocks.table("", gridOf(c.Table.Table, 0)); len(rows) > 0 {
		p.table = stretch{rows[0].start, rows[len(rows)-1].end}
	}
	list := slices.Clone(c.Paragraphs)
	slices.SortStableFunc(list, func(a, b tatqaParagraph) int { return cmp.Compare(a.Order, b.Order) })
	for _, t := range list {
		p.paragraphs[strconv.Itoa(t.Order)] = p.paragraph(t.Text)
	}
	return p
}

// question maps a question. An answer from the table alone is a table question, one from a single
// paragraph single-hop, all else multi-hop.
func (q tatqaQuestion) question(p *tatqaPage, text []rune, doc string) (edb.Question, error) {
	out := edb.Question{ID: q.UID, Text: q.Question, Task: "lookup", Domain: "finance", Lang: "en",
		Review: map[string]any{"answer_type": q.Type, "answer_from": q.From, "derivation": q.Derivation, "scale": q.Scale, "req_comparison": q.Comparison}}
	if q.Type == "arithmetic" || q.Type == "count" {
		out.Task = "financial-reconciliation"
	}
	var err error
	if out.Answer, err = q.answer(); err != nil {
		return out, err
	}
	if q.From != "text" {
		if p.table.end == p.table.start {
			return out, errors.New("rests on a table that is empty: take it out")
		}
		out.Evidence = append(out.Evidence, evidenceIn(text, doc, p.table))
	}
	if q.From != "table" {
		for _, n := range q.Paragraphs {
			at, ok := p.paragraphs[n]
			if !ok || at.end == at.start {
				return out, fmt.Errorf("rests on paragraph %s, which is not there: correct rel_paragraphs", n)
			}
			out.Evidence = append(out.Evidence, evidenceIn(text, doc, at))
		}
	}
	switch {
	case q.From == "table":
		out.Modality = edb.ModalityTable
	case q.From == "text" && len(out.Evidence) < 2:
		out.Modality = edb.ModalitySingleHop
	case q.From == "text" || q.From == "table-text":
		out.Modality = edb.ModalityMultiHop
	default:
		return out, fmt.Errorf("answer_from is %q: use table, text or table-text", q.From)
	}
	return out, nil
}

// answer types an answer: what was computed or counted, and a lone number with a scale, is a number;
// several spans are a set; one span is text.
func (q tatqaQuestion) answer() (*edb.GoldAnswer, error) {
	var spans []string
	var value word
	switch err := json.Unmarshal(q.Answer, &spans); {
	case err == nil:
		spans = slices.DeleteFunc(spans, func(s string) bool { return strings.TrimSpace(s) == "" })
	case json.Unmarshal(q.Answer, &value) == nil:
		spans = []string{string(value)}
	}
	if len(spans) == 0 {
		return nil, fmt.Errorf("answer %s is neither text nor number: correct it", q.Answer)
	}
	number := func(s string) (float64, bool) {
		m := plainNumber.FindStringSubmatch(strings.TrimSpace(s))
		if m == nil {
			v, err := strconv.ParseFloat(s, 64)
			return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
		}
		v, err := strconv.ParseFloat(strings.ReplaceAll(m[3], ",", ""), 64)
		if m[1] != "" {
			v = -v
		}
		return v, err == nil
	}
	a := &edb.GoldAnswer{}
	switch q.Scale {
	case "thousand", "million", "billion":
		a.Scale = q.Scale
	case "percent":
		a.Unit = "%"
	case "":
	default:
		return nil, fmt.Errorf("scale is %q: use thousand, million, billion, percent or nothing", q.Scale)
	}
	switch v, ok := number(spans[0]); {
	case q.Type == "multi-span":
		return &edb.GoldAnswer{Type: "set", Value: spans}, nil
	case q.Type == "arithmetic" || q.Type == "count":
		if !ok || len(spans) > 1 {
			return nil, fmt.Errorf("answer %s of type %s is no number: correct it", q.Answer, q.Type)
		}
		a.Type, a.Value = "number", v
		if q.Type == "arithmetic" {
			a.Tolerance = rounding(v)
		}
	case q.Type != "span":
		return nil, fmt.Errorf("answer_type is %q: use span, multi-span, arithmetic or count", q.Type)
	case ok && q.Scale != "" && len(spans) == 1:
		a.Type, a.Value, a.Aliases = "number", v, spans
	default:
		return &edb.GoldAnswer{Type: "text", Value: spans[0], Aliases: spans[1:]}, nil
	}
	return a, nil
}

// rounding is the relative tolerance of a computed value that is given to two decimals.
func rounding(v float64) float64 {
	if v == 0 {
		return 0
	}
	return float(math.Min(financeTolerance, 0.005/math.Abs(v)))
}
