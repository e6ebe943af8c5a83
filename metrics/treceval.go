package metrics

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"sort"
)

// TrecOptions are the arguments of trec_eval.
type TrecOptions struct {
	Measures  []string // -m: measures or "official", "set", "all_trec"; parameters after a point. Empty: official
	PerQuery  bool     // -q: rows for each query before the summary
	NoSummary bool     // -n: no summary
	Complete  bool     // -c: queries that the run lacks count, with an empty list
	Judged    bool     // -J: leave documents without judgement out of the lists
	Level     int      // -l: least grade that counts as relevant; 0 is 1
	Depth     int      // -M: ranks that are looked at; 0 is all
	Documents int      // -N: documents in the collection, for utility
}

// TrecEval writes what trec_eval 10 prints for the files, byte for byte: queries by id, measures in its
// order whatever the order they are asked in. It scores queries that both files hold, or with Complete
// all judged ones. Errors name file and line, or the measure, at fault. Measures of preferences and of
// several judges are not known.
func TrecEval(w io.Writer, qrelsPath, runPath string, opt TrecOptions) error {
	measures, err := trecMeasures(opt)
	if err != nil {
		return err
	}
	qdata, err := os.ReadFile(qrelsPath)
	if err != nil {
		return fmt.Errorf("qrels: %w", err)
	}
	rdata, err := os.ReadFile(runPath)
	if err != nil {
		return fmt.Errorf("run: %w", err)
	}
	qrels, err := parseQrels(qrelsPath, qdata)
	if err != nil {
		return err
	}
	run, err := parseRun(runPath, rdata)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	if err := trecEval(out, qrels, run, measures, opt); err != nil {
		return err
	}
	return out.Flush()
}

func trecEval(out *bufio.Writer, qrels, run *trecFile, measures []trecMeasure, opt TrecOptions) error {
	order := make([]int, 0, len(qrels.names))
	for i, id := range qrels.names {
		if _, answered := run.ids[id]; answered || opt.Complete {
			order = append(order, i)
		}
	}
	if len(order) == 0 {
		return fmt.Errorf("%s: no judged query stands in the run: give the run of these judgements", qrels.path)
	}
	sort.Slice(order, func(a, b int) bool { return qrels.names[order[a]] < qrels.names[order[b]] })
	row := func(name, query, value string) { fmt.Fprintf(out, "%-22s\t%s\t%s\n", name, query, value) }
	sums := make([]float64, len(measures))
	r := ranker{qrels: qrels, run: run, opt: RetrievalOptions{Ties: TiesTREC}}
	for _, qi := range order {
		id := qrels.names[qi]
		list := r.trecList(qi, opt)
		for i, m := range measures {
			if m.text != nil {
				if opt.PerQuery {
					row(m.name, id, m.text(list))
				}
				continue
			}
			if m.value == nil {
				continue
			}
			v := m.value(list)
			sums[i] += v
			if opt.PerQuery && m.kind != trecGeometric {
				row(m.name, id, m.format(v))
			}
		}
	}
	if opt.NoSummary {
		return nil
	}
	n := float64(len(order))
	for i, m := range measures {
		switch m.kind {
		case trecRunID:
			row(m.name, "all", lastTag(run.data))
		case trecQueries:
			row(m.name, "all", fmt.Sprint(len(order)))
		case trecCount:
			row(m.name, "all", m.format(sums[i]))
		case trecMean:
			row(m.name, "all", m.format(sums[i]/n))
		case trecGeometric:
			row(m.name, "all", m.format(math.Exp(sums[i]/n)))
		}
	}
	return nil
}

// lastTag is the name of the run: the sixth column of the last line.
func lastTag(data []byte) string {
	var fs [6][2]int
	for rest := bytes.TrimRight(data, " \t\r\n"); len(rest) > 0; {
		from := bytes.LastIndexByte(rest, '\n') + 1
		if n, _ := fields(data, from, fs[:]); n >= 6 {
			return string(data[fs[5][0]:fs[5][1]])
		}
		rest = bytes.TrimRight(rest[:from], " \t\r\n")
	}
	return ""
}

// trecList ranks a query's list and looks its documents up, keeping apart who is not in the pool and
// who is but was not judged.
func (r *ranker) trecList(qi int, opt TrecOptions) *trecList {
	ri, answered := r.run.ids[r.qrels.names[qi]]
	r.rank(qi, int(ri), answered)
	l := &trecList{level: int32(max(opt.Level, 1)), levels: map[int32]int{}}
	byEntry := make([]int32, len(r.list))
	for i := range byEntry {
		byEntry[i] = notInPool
	}
	for _, e := range r.qrels.of(qi) {
		grade := e.grade
		if grade < 0 {
			grade = poolNotJudged
		} else {
			l.levels[grade]++
		}
		if grade >= l.level {
			l.relevant++
		}
		if i, ok := r.set.find(r.run.data, r.list, e.doc(r.qrels.data)); ok {
			byEntry[i] = grade
		}
	}
	sorted := r.sorted
	if opt.Depth > 0 {
		sorted = sorted[:min(opt.Depth, len(sorted))]
	}
	for _, x := range sorted {
		g := byEntry[uint32(x)]
		if opt.Judged && g < 0 {
			continue
		}
		l.grades = append(l.grades, g)
		if g >= l.level {
			l.found++
		}
	}
	return l
}

// trecKind says how a measure is printed and summed up over queries.
type trecKind int

const (
	trecMean      trecKind = iota // a real number, averaged
	trecCount                     // a whole number, summed
	trecGeometric                 // the logarithm of a number, printed only as the geometric mean
	trecRunID                     // the name of the run, printed once
	trecQueries                   // the number of queries, printed once
	trecLine                      // a text, printed only for each query
)

// trecMeasure is a measure with its parameters filled in, under the name that it is printed by.
type trecMeasure struct {
	name  string
	kind  trecKind
	value func(*trecList) float64
	text  func(*trecList) string
}

func (m trecMeasure) format(v float64) string {
	if m.kind == trecCount {
		return fmt.Sprintf("%d", int64(v))
	}
	return fmt.Sprintf("%6.4f", v)
}

// trecMeasures gives the measures asked for in trec_eval's order. Of a measure that is asked for
// several times the first parameters hold.
func trecMeasures(opt TrecOptions) ([]trecMeasure, error) {
	asked := opt.Measures
	if len(asked) == 0 {
		asked = []string{"official"}
	}
	params := map[string]string{} // measure -> parameters
	for _, a := range asked {
		name, p, _ := cutPoint(a)
		names := []string{name}
		if group, ok := trecGroups[name]; ok {
			names = group
		}
		for _, n := range names {
			if !slices.ContainsFunc(trecTable, func(e trecEntry) bool { return e.name == n }) {
				return nil, fmt.Errorf("measure %q is not one that is known here: use %s, official, set or all_trec", n, trecNames())
			}
			if before, ok := params[n]; !ok || before == "" {
				params[n] = p
			}
		}
	}
	var out []trecMeasure
	for _, e := range trecTable {
		p, ok := params[e.name]
		if !ok {
			continue
		}
		ms, err := e.make(e.name, p, opt)
		if err != nil {
			return nil, fmt.Errorf("measure %s.%s: %w", e.name, p, err)
		}
		out = append(out, ms...)
	}
	return out, nil
}
