package metrics

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"enterprisedocbench"
	"enterprisedocbench/internal/encoder"
)

// Measure is one line of the table of measures.
type Measure struct {
	Key          string  // axis.base
	What         string  // one line
	Def          int     // version of the definition; figures of different versions are never compared
	Worst        float64 // what a failed unit takes in the strict figure; meaningless where not Bounded
	HigherBetter bool
	Bounded      bool    // in [0,1]; an unbounded measure (seconds, dollars) has no strict value
	Unit         string  // "s", "USD", "bytes", "pages/s"; empty for shares
	Depth        bool    // takes @k
	Params       []Param // what may stand in the parentheses
}

// Param is one parameter of a measure. The first value is the default and is not written; an empty
// first value means that there is no default. No values at all: any value.
type Param struct {
	Name   string
	Values []string
}

// Default is the value that need not be written.
func (p Param) Default() string {
	if len(p.Values) == 0 {
		return ""
	}
	return p.Values[0]
}

var (
	grain    = Param{"grain", []string{"page", "document"}}
	rel      = Param{"rel", []string{"labelled", "equivalent"}}
	gain     = Param{"gain", []string{"linear", "exp"}}
	budget   = Param{"budget", nil}
	verdicts = Param{"verdicts", []string{"", "strict"}}
	pooling  = Param{"mean", []string{"macro", "micro"}} // over units, or pooled: units count by their weight
)

func share(key, what string, params ...Param) Measure {
	return Measure{Key: key, What: what, Def: 1, HigherBetter: true, Bounded: true, Params: params}
}

// changed is a measure whose definition is at a later version than the first.
func changed(def int, m Measure) Measure {
	m.Def = def
	return m
}

func ranked(key, what string, params ...Param) Measure {
	m := share(key, what, append(params, grain, rel)...)
	m.Depth = true
	return m
}

func amount(key, what, unit string, higher bool) Measure {
	return Measure{Key: key, What: what, Def: 1, HigherBetter: higher, Unit: unit}
}

// all is the table, in the order in which reports print it.
var all = []Measure{
	share("parse.p", "parsing score P = .40 TIS + .30 TEA + .15 FCQ + .15 LF", Param{"parts", nil}),
	share("parse.tis", "text: 1 - edit distance / longer length, code points, normalised",
		Param{"mode", []string{"normalised", "raw"}}, Param{"level", []string{"document", "page"}}, pooling),
	share("parse.tea", "tables: TEDS summed over matched pairs / max(gold, predicted tables)"),
	share("parse.teds", "tables: mean TEDS over matched pairs",
		Param{"mode", []string{"content", "structure"}}, Param{"compat", []string{"", "pubtabnet", "dpbench"}}),
	changed(2, share("parse.fcq", "figure captions: BERTScore summed over the best assignment / max(gold, predicted captions)",
		Param{"encoder", append([]string{""}, encoder.Names()...)}, Param{"score", []string{"f1", "p", "r"}}, Param{"idf", []string{"no", "yes"}},
		Param{"rescale", []string{"no", "yes"}})), // 2: idf over the captions of all documents
	share("parse.caption_f1", "figure captions: token F1 summed over the best assignment / max(gold, predicted captions)"),
	share("parse.caption_chrf", "figure captions: chrF summed over the best assignment / max(gold, predicted captions)"),
	share("parse.lf", "order of the gold headings in the predicted text: edit similarity"),
	share("parse.heading_f1", "headings labelled as headings: F1"),
	share("parse.heading_recall", "share of the gold headings labelled as headings"),
	share("parse.heading_precision", "share of the headings labelled as such that the gold has"),
	share("parse.heading_tree", "hierarchy of the headings: F1 of (parent, child) pairs"),
	share("parse.order", "order of all gold elements located in the predicted text: edit similarity"),
	share("parse.element_f1", "elements found where they are: F1 at an overlap of boxes, by kind",
		Param{"kind", append([]string{"all"}, edb.Kinds...)}, Param{"iou", []string{"0.5", "0.75"}}),
	share("parse.formula_sim", "formulas: edit similarity of their LaTeX summed over the best assignment / max(gold, predicted)"),
	share("parse.number_recall", "share of the gold's numbers that the predicted text has"),
	changed(2, share("parse.entity_recall", "share of the gold's names, dates and codes that the predicted text has")),
	share("parse.facts", "share of the facts about a document that its parse meets",
		Param{"kind", append([]string{"all"}, edb.FactTypes...)}, pooling),
	share("parse.nid", "DP-Bench NID: 1 - insertions and deletions / both lengths, of the Markdown", Param{"tables", []string{"yes", "no"}}),
	share("parse.mhs", "DP-Bench MHS: tree edit similarity of headings and the texts below them", Param{"mode", []string{"content", "structure"}}),

	amount("parse.pages_per_second", "speed of parsing: pages read ÷ CPU time", "pages/s", true),
	amount("parse.peak_bytes", "memory of parsing: the most that one document took", "bytes", false),

	amount("index.pages_per_second", "indexing speed, cold cache, after parsing", "pages/s", true),
	amount("index.build_seconds", "time to build the index", "s", false),
	amount("index.bytes_per_page", "bytes on disk of everything a query needs, per page", "bytes", false),
	amount("index.usd_per_page_year", "storage, resident memory and one rebuild a year, per page", "USD", false),
	{Key: "index.relative", What: "pages/s ÷ the best pipeline of the run", Def: 1, HigherBetter: true, Bounded: true},

	ranked("retrieve.ndcg", "nDCG, log2 discount", gain),
	ranked("retrieve.p", "precision: relevant in the first k / k"),
	ranked("retrieve.r", "recall: relevant in the first k / all relevant"),
	ranked("retrieve.rr", "reciprocal rank of the first relevant"),
	ranked("retrieve.ap", "average precision"),
	ranked("retrieve.hit", "1 where a relevant one stands in the first k"),
	ranked("retrieve.judged", "share of the first k that carries a judgement"),
	{Key: "retrieve.located", What: "idf-weighted share of evidence tokens whose place the first k passages cover", Def: 1,
		HigherBetter: true, Bounded: true, Depth: true, Params: []Param{budget}},
	{Key: "retrieve.legible", What: "as located, and the tokens and all their numbers are right", Def: 1,
		HigherBetter: true, Bounded: true, Depth: true, Params: []Param{budget}},
	{Key: "retrieve.evidence_hit", What: "1 where every required evidence is located at .5 or more", Def: 1,
		HigherBetter: true, Bounded: true, Depth: true, Params: []Param{budget, {"at", []string{"0.5", "0.3", "0.8"}}}},

	share("generate.fa", "factual accuracy: supported ÷ checkable claims", verdicts),
	{Key: "generate.hr", What: "hallucination rate: (contradicted + absent-unknown + fabricated) ÷ checkable claims", Def: 1,
		Worst: 1, Bounded: true, Params: []Param{{"mode", []string{"mean", "micro", "binary"}}, {"unit", []string{"", "answer", "document"}},
			{"kind", []string{"", "intrinsic", "extrinsic", "fabrication"}}, verdicts}},
	share("generate.sap", "citations whose passage supports the claim ÷ citations"),
	share("generate.sar", "checkable claims with a supporting citation ÷ checkable claims", Param{"against", []string{"", "gold"}}),
	share("generate.ac", "answer completeness in four steps", Param{"mode", []string{"", "recall"}}),
	share("generate.accuracy", "answer right by its type", Param{"mode", nil}),
	share("generate.abstain", "right decision to answer or to abstain"),
	share("generate.riker", "RIKER: answer right by its type, or a probe seen as one",
		Param{"part", []string{"overall", "single", "aggregation", "detection", "faithfulness", "grounding", "L01", "L02", "L03", "L04", "L05", "L06", "L07", "L08", "L09", "L10", "L11", "L12"}}),
	{Key: "generate.fabrication", What: "RIKER: probes that got a specific answer", Def: 1, Worst: 1, Bounded: true},
	{Key: "generate.hall_rate", What: "RIKER: probes not seen as such, garbage included: 1 - detection", Def: 1, Worst: 1, Bounded: true},
	{Key: "generate.coherence_loss", What: "RIKER: answers that ran into their limit, repeat themselves or fell to garbage", Def: 1, Worst: 1, Bounded: true,
		Params: []Param{{"part", []string{"all", CategorySingle, CategoryAggregation, CategoryProbe}}}},
	share("generate.g", "generation score g = .30 FA + .25 SAP + .15 SAR + .20 (1-HR) + .10 AC"),

	amount("cost.usd_per_1k_queries", "build, storage, query compute and tokens for 1,000 queries", "USD", false),
	amount("cost.relative", "cost ÷ the run's baseline pipeline", "", false),

	share("quality.q", "Q = .25 P + .50 R + .25 G", Param{"without", nil}),
}

var byKey = map[string]Measure{}

func init() {
	for _, m := range all {
		if _, twice := byKey[m.Key]; twice {
			panic("metrics: measure " + m.Key + " is listed twice")
		}
		byKey[m.Key] = m
	}
}

// All is the table of every measure, in the order in which reports print them.
func All() []Measure { return slices.Clone(all) }

// Find returns the measure that a name belongs to. It is an error, with the choices in it, where
// there is none, or where the depth or a parameter does not fit.
func Find(n Name) (Measure, error) {
	m, ok := byKey[n.Key()]
	if !ok {
		var near []string
		for _, m := range all {
			if strings.HasPrefix(m.Key, n.Axis+".") {
				near = append(near, m.Key)
			}
		}
		if near == nil {
			return m, fmt.Errorf("measure %s: no axis %q; choose parse, index, retrieve, generate, cost or quality", n, n.Axis)
		}
		return m, fmt.Errorf("measure %s: no such measure; choose one of %s", n, strings.Join(near, " "))
	}
	if n.Depth > 0 && !m.Depth {
		return m, fmt.Errorf("measure %s: %s takes no depth; leave @%d out", n, m.Key, n.Depth)
	}
	if n.params == "" {
		return m, nil
	}
	for p := range strings.SplitSeq(n.params, ",") {
		k, v, _ := strings.Cut(p, "=")
		i := slices.IndexFunc(m.Params, func(q Param) bool { return q.Name == k })
		if i < 0 {
			return m, fmt.Errorf("measure %s: %s has no parameter %q", n, m.Key, k)
		}
		if vs := m.Params[i].Values; vs != nil && !slices.Contains(vs, v) {
			return m, fmt.Errorf("measure %s: %s=%s is not one of %s", n, k, v, strings.TrimSpace(strings.Join(vs, " ")))
		}
	}
	return m, nil
}

// Lookup is [ParseName] and [Find] in one.
func Lookup(key string) (Name, Measure, error) {
	n, err := ParseName(key)
	if err != nil {
		return n, Measure{}, err
	}
	m, err := Find(n)
	return n, m, err
}

// Def is the version of the definition behind a key, 0 where there is no such measure.
func Def(key string) int {
	if d, ok := defs.Load(key); ok {
		return d.(int)
	}
	_, m, err := Lookup(key)
	if err != nil {
		return 0 // not kept: keys of no measure are without number
	}
	defs.Store(key, m.Def)
	return m.Def
}

// defs keeps what Def has looked up: every row of every unit asks.
var defs sync.Map
