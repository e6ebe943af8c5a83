package ingest

import (
	"fmt"
	"math"
	"strings"

	"enterprisedocbench/metrics"
	"enterprisedocbench/stats"

	edb "enterprisedocbench"
)

// States of a figure.
const (
	Now    = "now"           // measurable with what there is
	Caveat = "with a caveat" // measurable, but Note says what it does not mean
	Labels = "needs labels"  // not measurable before the labelling that Needs names
	Never  = "not given"     // no figure is given for such a dataset
)

// Row is one measure: whether it can be measured now, and what that rests on.
type Row struct {
	Key   string `json:"key"`
	State string `json:"state"`
	Note  string `json:"note"`
	// N is how many units the figure has now, HalfWidth the half-width of its 95 % interval at most; nil where
	// it has none. Needs names the labelling (see Work) that makes the figure, or makes it mean more.
	N         int      `json:"n"`
	HalfWidth *float64 `json:"half_width"`
	Needs     string   `json:"needs,omitempty"`
}

// Work is a kind of labelling.
type Work struct {
	Name string `json:"name"`
	What string `json:"what"`
	// Minutes an item takes is an assumption: replace it by your own pace.
	Minutes float64 `json:"minutes_an_item"`
	Item    string  `json:"item"`
	Have    int     `json:"have"`
	// HourItems is what an hour adds, HourHalfWidth the half-width then.
	HourItems     int      `json:"an_hour_adds"`
	HourHalfWidth *float64 `json:"half_width_after_an_hour"`
	Plans         []Plan   `json:"plans"`
}

// Plan is how many items an interval half-width needs, and the hours for those that are missing.
type Plan struct {
	HalfWidth float64 `json:"half_width"`
	Items     int     `json:"items"`
	Hours     float64 `json:"hours"`
}

// Kinds of labelling.
const (
	workQuestions = "questions"
	workPages     = "pages"
	workPool      = "judgements"
	workClaims    = "claims"
)

// halfWidth is the half-width of the 95 % interval of a mean of n independent values from 0 to 1, at
// most: Wilson's interval of a share of one half, since no values from 0 to 1 spread more than zeros
// and ones in equal parts. Questions about one document are not independent, so few documents make
// it wider. It is nil for n = 0.
func halfWidth(n int) *float64 {
	iv := stats.Wilson(0.5, n, 0.95)
	if iv.Lo == nil || iv.Hi == nil {
		return nil
	}
	h := (*iv.Hi - *iv.Lo) / 2
	return &h
}

// itemsFor is the least n whose halfWidth is h or less.
func itemsFor(h float64) int {
	lo, hi := 1, 1
	fits := func(n int) bool { return *halfWidth(n) <= h }
	for !fits(hi) {
		lo, hi = hi, 2*hi
	}
	for lo < hi {
		mid := (lo + hi) / 2
		if fits(mid) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// rows has a row for every measure there is.
func rows(s *Sheet) []Row {
	var out []Row
	for _, m := range metrics.All() {
		axis, name, _ := strings.Cut(m.Key, ".")
		r := Row{Key: m.Key, State: Now}
		switch axis {
		case "parse":
			r.parsing()
		case "index", "cost":
			r.Note = "times, bytes and prices of this machine: they need no labels"
			if m.Key == "cost.usd_per_1k_queries" || m.Key == "cost.relative" {
				r.Note = "by the price book; tokens of a model are counted when one is named"
			}
		case "retrieve":
			r.retrieval(s, name)
		case "generate":
			r.generation(s, name)
		case "quality":
			r.State, r.Needs = Never, workPages
			r.Note = "Q needs P on gold of people; a run over synthetic questions gives no Q at all"
			if !s.Questions.Synthetic {
				r.Note = "Q needs P on gold of people; a run gives quality.q(without=parse) under that name, never Q"
			}
		default:
			r.State, r.Note = Labels, "see the glossary"
		}
		out = append(out, r)
	}
	return out
}

func (r *Row) parsing() {
	r.State, r.Needs = Labels, workPages
	r.Note = "no page has been transcribed by people; the agreement of parsers says where to look, and is not quality"
	if r.Key == "parse.p" {
		r.Note = "P needs text, tables, captions and headings of pages that people have transcribed"
	}
}

func (r *Row) retrieval(s *Sheet, name string) {
	q := s.Questions
	r.N = q.WithEvidence
	r.HalfWidth = halfWidth(r.N)
	switch {
	case r.N == 0:
		r.State, r.Needs, r.Note = Labels, workQuestions, "no question has evidence"
	case q.Synthetic:
		r.State, r.Needs = Caveat, workQuestions
		r.Note = "against synthetic known-item questions, made of a passage's own rare words: they favour search by words, and order pipelines only for such questions"
	default:
		r.Note = "against your questions"
		if name == "p" || name == "r" || name == "ndcg" || name == "ap" {
			r.State, r.Needs, r.Note = Caveat, workPool, "other pages may hold the answer too and count as wrong until they are judged; see retrieve.judged@5"
		}
	}
	if name == "judged" && r.N > 0 {
		r.State, r.Needs, r.Note = Now, workPool, "says how much of the ranking has been judged: low until results are pooled"
	}
	if (name == "located" || name == "legible" || name == "evidence_hit") && !q.Synthetic && r.N > 0 {
		r.Note = fmt.Sprintf("%d evidences have a place in the text, the others mean their whole page", q.Located)
	}
	if name == "legible" && r.N > 0 {
		r.State = Caveat
		r.Note += "; legible is against what " + engineOf(s) + " reads, so other parsers are held to its text"
	}
}

func engineOf(s *Sheet) string {
	if len(s.Agreement.Engines) > 0 && s.Types[pdf] > 0 {
		return s.Agreement.Engines[0]
	}
	return "the program's own reader"
}

func (r *Row) generation(s *Sheet, name string) {
	q := s.Questions
	switch name {
	case "fa", "hr", "sap", "sar":
		r.N, r.HalfWidth = q.N, halfWidth(q.N)
		r.State, r.Needs = Caveat, workClaims
		r.Note = "groundedness: answers against the passages that were supplied, by the lexical verifier; says nothing of whether the answer is right"
		if q.Synthetic {
			r.Note += "; the questions are keyword queries"
		}
	case "ac", "accuracy":
		r.N, r.HalfWidth = q.Answered, halfWidth(q.Answered)
		r.State, r.Needs = Caveat, workQuestions
		switch {
		case q.Answered == 0:
			r.State, r.Note = Labels, "no question has an answer"
		case q.Synthetic:
			r.Note = "only the table questions have an answer, read from the cell by " + engineOf(s)
		default:
			r.State, r.Note = Now, fmt.Sprintf("%d of %d questions have an answer", q.Answered, q.N)
		}
	case "abstain":
		r.N, r.HalfWidth = q.N, halfWidth(q.N)
		r.State, r.Needs, r.Note = Caveat, workQuestions, "no question is unanswerable, so only refusals of answerable ones count"
		if q.Unanswerable > 0 {
			r.State, r.Note = Now, fmt.Sprintf("unanswerable: %s", edb.Count(q.Unanswerable, "question"))
		}
	case "g":
		r.State, r.Needs, r.Note = Caveat, workQuestions, "the parts that are measured, with their names; G whole needs answers"
		if !q.Synthetic && q.Answered > 0 {
			r.State, r.Needs, r.Note = Now, "", "from the parts above"
		}
		r.N, r.HalfWidth = q.N, halfWidth(q.N)
	default:
		r.State, r.Needs, r.Note = Labels, workQuestions, "needs gold that no question has yet: facts, or spans of the answer"
	}
}

// labelling says what each kind of labelling costs and gives.
func labelling(s *Sheet) []Work {
	q := s.Questions
	own := q.WithEvidence
	if q.Synthetic {
		own = 0
	}
	work := []Work{
		{Name: workQuestions, Item: "question", Minutes: 3, Have: own, What: "write a question that a user would ask, its answer, and the page and quote where it stands"},
		{Name: workPages, Item: "page", Minutes: 10, Have: 0, What: "correct a page's parse against the page: text, tables, captions, headings; begin with the pages where parsers differ most"},
		{Name: workPool, Item: "question", Minutes: 5, Have: 0, What: "judge the pages that any pipeline ranks in its first 5 (about 10 a question, half a minute each)"},
		{Name: workClaims, Item: "answer", Minutes: 2, Have: 0, What: "check an answer's claims against the passages it was given, to know how far the verifier can be trusted"},
	}
	for i := range work {
		w := &work[i]
		w.HourItems = int(60 / w.Minutes)
		w.HourHalfWidth = halfWidth(w.Have + w.HourItems)
		for _, h := range []float64{0.12, 0.10, 0.05} {
			n := itemsFor(h)
			w.Plans = append(w.Plans, Plan{h, n, math.Round(float64(max(0, n-w.Have))*w.Minutes/6) / 10})
		}
	}
	return work
}
