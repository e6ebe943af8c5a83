package metrics

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"sort"

	"enterprisedocbench"
)

// Tie policies of [EvalRetrieval].
const (
	TiesTREC    = "trec"    // 32-bit score falling, then document id falling by bytes; the rank column is not read
	TiesRank    = "rank"    // score falling, then the rank column
	TiesAverage = "average" // the expected value over random orders of equal scores
)

// RetrievalOptions says how foreign run files are read.
type RetrievalOptions struct {
	IgnoreSelf bool   // leave the document whose id is the query's out of the run (its judgement stays)
	Ties       string // "" is trec
	Level      int    // least grade that counts as relevant; 0 is 1
	Depth      int    // ranks that are looked at; 0 is all
}

// Retrieval is what [EvalRetrieval] found.
type Retrieval struct {
	Rows     []edb.Measurement     // by query id, then in the order of the keys
	Measures map[string]edb.Figure // the means: Value over all judged queries, ValueOK over the answered
	Keys     []string              // the canonical names, in the order asked

	Judged          int      // queries with judgements
	Answered        int      // of those, with a list in the run
	WithoutRelevant int      // judged queries with nothing relevant; they score 0
	Unjudged        []string // queries of the run without judgements: not scored
	Tied            int      // scored queries with equal scores in their list
	Warnings        []string
	Notes           []string // the conventions that the figures rest on
}

// EvalRetrieval scores a TREC run file against a TREC qrels file. A judged query that the run
// lacks scores 0 in Value (its rows are marked as failed) and is left out of ValueOK; a judged
// query with nothing relevant scores 0; a query of the run without judgements is listed and not
// scored. Means are plain sums in the order of query ids; intervals are left to the caller, which
// has the rows. Errors name the file and line, or the measure, at fault.
func EvalRetrieval(qrelsPath, runPath string, keys []string, opt RetrievalOptions) (*Retrieval, error) {
	qdata, err := os.ReadFile(qrelsPath)
	if err != nil {
		return nil, fmt.Errorf("qrels: %w", err)
	}
	rdata, err := os.ReadFile(runPath)
	if err != nil {
		return nil, fmt.Errorf("run: %w", err)
	}
	return evalRetrieval(qrelsPath, runPath, qdata, rdata, keys, opt)
}

func evalRetrieval(qrelsPath, runPath string, qdata, rdata []byte, keys []string, opt RetrievalOptions) (*Retrieval, error) {
	if opt.Ties == "" {
		opt.Ties = TiesTREC
	}
	if !slices.Contains([]string{TiesTREC, TiesRank, TiesAverage}, opt.Ties) {
		return nil, fmt.Errorf("tie policy %q: choose trec, rank or average", opt.Ties)
	}
	measures, err := compile(keys, opt.Ties == TiesAverage)
	if err != nil {
		return nil, err
	}
	qrels, err := parseQrels(qrelsPath, qdata)
	if err != nil {
		return nil, err
	}
	if len(qrels.names) == 0 {
		return nil, fmt.Errorf("%s: no judgements in it", qrelsPath)
	}
	run, err := parseRun(runPath, rdata)
	if err != nil {
		return nil, err
	}
	out := &Retrieval{Judged: len(qrels.names), Measures: make(map[string]edb.Figure, len(measures))}
	order := make([]int, len(qrels.names))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(a, b int) bool { return qrels.names[order[a]] < qrels.names[order[b]] })
	sums := make([]mean, len(measures))
	r := ranker{qrels: qrels, run: run, opt: opt}
	if opt.Level > 0 {
		r.q.level = int32(opt.Level)
	} else {
		r.q.level = 1
	}
	values := make([]float64, 0, len(order)*len(measures))
	out.Rows = make([]edb.Measurement, 0, len(order)*len(measures))
	firstTied := ""
	for _, qi := range order {
		id := qrels.names[qi]
		ri, answered := run.ids[id]
		tied := r.rank(qi, int(ri), answered)
		if r.q.relevant == 0 {
			out.WithoutRelevant++
		}
		if answered {
			out.Answered++
		}
		if tied {
			if out.Tied == 0 {
				firstTied = id
			}
			out.Tied++
		}
		for i, m := range measures {
			row := edb.Measurement{Unit: id, Key: m.key, Def: m.def}
			v := math.NaN()
			if answered || m.name.Base != "judged" {
				v = m.value(&r.q)
			}
			switch {
			case math.IsNaN(v):
				row.Reason = "nothing was retrieved"
			case !answered:
				row.Failed, row.Reason = true, "query missing from the run"
			default:
				values = append(values, v)
				row.Value = &values[len(values)-1]
			}
			sums[i].add(v, answered)
			out.Rows = append(out.Rows, row)
		}
	}
	for i, m := range measures {
		out.Keys = append(out.Keys, m.key)
		out.Measures[m.key] = sums[i].figure(m.def)
	}
	for _, name := range run.names {
		if _, ok := qrels.ids[name]; !ok {
			out.Unjudged = append(out.Unjudged, name)
		}
	}
	slices.Sort(out.Unjudged)
	out.remark(opt, qrels, firstTied)
	out.strangers(qrels, run, r.met)
	return out, nil
}

// remark fills the warnings and the notes.
func (out *Retrieval) remark(opt RetrievalOptions, qrels *trecFile, firstTied string) {
	warn := func(format string, args ...any) { out.Warnings = append(out.Warnings, fmt.Sprintf(format, args...)) }
	rule := "the rank column is not used under the trec policy"
	switch opt.Ties {
	case TiesRank:
		rule = "the rank column decides"
	case TiesAverage:
		rule = "the expected value over their orders is taken"
	}
	switch {
	case out.Tied == 1:
		warn("tied scores in query %s; %s", firstTied, rule)
	case out.Tied > 1:
		warn("tied scores in %d queries, the first %s; %s", out.Tied, firstTied, rule)
	}
	if n := out.Judged - out.Answered; n > 0 {
		warn("%d of %d judged queries are missing from the run: they score 0; the mean over the %d answered stands beside", n, out.Judged, out.Answered)
	}
	if out.WithoutRelevant > 0 {
		warn("%d judged queries have nothing relevant: they score 0", out.WithoutRelevant)
	}
	if n := len(out.Unjudged); n > 0 {
		warn("%d queries of the run have no judgements, the first %s: not scored", n, out.Unjudged[0])
	}
	if qrels.repeated > 0 {
		warn("%d judgements are given twice with the same grade: counted once", qrels.repeated)
	}
	out.Notes = append(out.Notes, "nDCG: linear gain (the grade), log2 discount, unless gain=exp is named", "ties: "+opt.Ties)
	if opt.IgnoreSelf {
		out.Notes = append(out.Notes, "documents whose id is the query's are left out of the run (ignore_self)")
	} else {
		out.Notes = append(out.Notes, "documents whose id is the query's count (ignore_self off)")
	}
}

// strangers warns where run and judgements have no id in common: they are likely ids of two kinds.
func (out *Retrieval) strangers(qrels, run *trecFile, met bool) {
	if met || len(run.names) == 0 {
		return
	}
	first := func(f *trecFile) string { return string(f.of(0)[0].doc(f.data)) }
	if out.Answered == 0 {
		out.Warnings = append(out.Warnings, fmt.Sprintf("no query of the run is in the judgements: the run has %q, the judgements have %q: use ids of one kind", run.names[0], qrels.names[0]))
		return
	}
	out.Warnings = append(out.Warnings, fmt.Sprintf("no document of the run is in the judgements: the run has %q, the judgements have %q: use ids of one kind", first(run), first(qrels)))
}

type mean struct {
	all, ok float64
	n, nOK  int
	missing int
}

func (m *mean) add(v float64, answered bool) {
	if math.IsNaN(v) {
		m.missing++
		return
	}
	m.n++
	m.all += v // 0 where the query is missing
	if answered {
		m.nOK++
		m.ok += v
	}
}

func (m *mean) figure(def int) edb.Figure {
	f := edb.Figure{N: m.n, NOK: m.nOK, Missing: m.missing, Def: def, Method: "mean over queries"}
	if m.n == 0 {
		f.Reason = "no query was answered"
		return f
	}
	v := m.all / float64(m.n)
	f.Value = &v
	if m.nOK > 0 {
		ok := m.ok / float64(m.nOK)
		f.ValueOK = &ok
	}
	return f
}

// ranker turns the lines of one query into a ranking, reusing its buffers.
type ranker struct {
	qrels, run *trecFile
	opt        RetrievalOptions
	q          ranking
	set        docSet
	sorted     []uint64
	list       []entry
	grades     []int32
	met        bool // a judged document stood in a list
}

// rank fills r.q and reports whether equal scores stand in the list.
func (r *ranker) rank(qi, ri int, answered bool) (tied bool) {
	q := &r.q
	q.grades, q.ideal, q.groups, q.relevant = q.grades[:0], q.ideal[:0], q.groups[:0], 0
	self := r.qrels.names[qi]
	judged := r.qrels.of(qi)
	r.list = r.list[:0]
	if answered {
		r.list = append(r.list, r.run.of(ri)...)
		if r.opt.IgnoreSelf {
			r.list = slices.DeleteFunc(r.list, func(e entry) bool { return string(e.doc(r.run.data)) == self })
		}
	}
	r.set.reset(len(r.list))
	r.grades = r.grades[:0]
	for i, e := range r.list {
		r.set.add(r.run.data, r.list[:i], e)
		r.grades = append(r.grades, unjudged)
	}
	for _, e := range judged {
		doc := e.doc(r.qrels.data)
		if e.grade > 0 {
			q.ideal = append(q.ideal, e.grade)
		}
		if e.grade >= q.level {
			q.relevant++
		}
		if i, ok := r.set.find(r.run.data, r.list, doc); ok {
			r.met = true
			if e.grade >= 0 {
				r.grades[i] = e.grade
			}
		}
	}
	slices.SortFunc(q.ideal, func(a, b int32) int { return int(b - a) })
	tied = r.sort()
	for _, x := range r.sorted {
		q.grades = append(q.grades, r.grades[uint32(x)])
	}
	if d := r.opt.Depth; d > 0 && d < len(q.grades) {
		q.grades = q.grades[:d]
	}
	return tied
}

// sort orders the list by score, then by the tie policy, into r.sorted (index in the low half).
func (r *ranker) sort() (tied bool) {
	data := r.run.data
	r.sorted = r.sorted[:0]
	for i, e := range r.list {
		r.sorted = append(r.sorted, uint64(^orderable(e.score))<<32|uint64(i))
	}
	slices.Sort(r.sorted)
	for i := 0; i < len(r.sorted); {
		j := i + 1
		for j < len(r.sorted) && r.sorted[j]>>32 == r.sorted[i]>>32 {
			j++
		}
		if j > i+1 {
			tied = true
			slices.SortFunc(r.sorted[i:j], func(a, b uint64) int {
				x, y := r.list[uint32(a)], r.list[uint32(b)]
				if r.opt.Ties == TiesRank && x.grade != y.grade {
					return int(x.grade) - int(y.grade)
				}
				return bytes.Compare(y.doc(data), x.doc(data))
			})
		}
		if r.opt.Ties == TiesAverage {
			r.q.groups = append(r.q.groups, j)
		}
		i = j
	}
	return tied
}

// orderable maps a float32 to an integer of the same order; both zeros are equal.
func orderable(f float32) uint32 {
	b := math.Float32bits(f + 0)
	if f == 0 {
		b = 0
	}
	if b>>31 == 1 {
		return ^b
	}
	return b | 1<<31
}
