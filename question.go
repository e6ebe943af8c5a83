package edb

import (
	"slices"
	"strconv"
)

// Modalities of questions (EnterpriseDocBench section 3.3).
const (
	ModalitySingleHop    = "single-hop"
	ModalityMultiHop     = "multi-hop"
	ModalityTable        = "table"
	ModalityFigure       = "figure"
	ModalityUnanswerable = "unanswerable"
)

// Modalities lists the question modalities.
var Modalities = []string{ModalitySingleHop, ModalityMultiHop, ModalityTable, ModalityFigure, ModalityUnanswerable}

// Span is a half-open range [Start, End) of code points of one page's text.
type Span struct {
	Page  int `json:"page"`
	Start int `json:"start"`
	End   int `json:"end"`
}

// Evidence is a place in the gold text that a question's answer rests on. The offsets decide;
// Quote is for people. Where a source gives only a page, Start and End are both 0 and the quote
// (or else the whole page) is what must be located.
type Evidence struct {
	Doc   string `json:"doc"`
	Page  int    `json:"page"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Quote string `json:"quote,omitempty"`
	Box   *Box   `json:"box,omitempty"`
}

// GoldAnswer is a typed answer. Type is text, exact, number, date, boolean or set; Value is a
// string, number, boolean or list of strings accordingly.
type GoldAnswer struct {
	Type      string   `json:"type"`
	Value     any      `json:"value"`
	Unit      string   `json:"unit,omitempty"`
	Scale     string   `json:"scale,omitempty"`
	Tolerance float64  `json:"tolerance,omitempty"`
	Aliases   []string `json:"aliases,omitempty"`
	Facts     []string `json:"facts,omitempty"`
}

// Probe says what an unanswerable question asks for that is not there.
type Probe struct {
	Entity string `json:"entity,omitempty"`
	Field  string `json:"field,omitempty"`
	Doc    string `json:"doc,omitempty"`
}

// Question is one line of queries.jsonl.
type Question struct {
	ID       string         `json:"id"`
	Text     string         `json:"text"`
	Modality string         `json:"modality,omitempty"`
	Subtype  string         `json:"subtype,omitempty"`
	Task     string         `json:"task,omitempty"`
	Level    string         `json:"level,omitempty"`
	Domain   string         `json:"domain,omitempty"`
	Lang     string         `json:"lang,omitempty"`
	Answer   *GoldAnswer    `json:"answer,omitempty"`
	Evidence []Evidence     `json:"evidence,omitempty"`
	Probe    *Probe         `json:"probe,omitempty"`
	Review   map[string]any `json:"review,omitempty"`
}

// Answerable reports whether the corpus holds an answer.
func (q Question) Answerable() bool { return q.Modality != ModalityUnanswerable }

// Documents lists the documents that the question rests on, each once: those of its evidence, in
// order, or else the one that a probe asks about.
func (q Question) Documents() []string {
	var out []string
	for _, e := range q.Evidence {
		if !slices.Contains(out, e.Doc) {
			out = append(out, e.Doc)
		}
	}
	if out == nil && q.Probe != nil && q.Probe.Doc != "" {
		out = []string{q.Probe.Doc}
	}
	return out
}

// PageID names a physical page in judgements and rankings of pages: DOC#PAGE.
func PageID(doc string, page int) string { return doc + "#" + strconv.Itoa(page) }
