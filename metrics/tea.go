package metrics

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/internal/assign"
)

// pagedTable is a table with the page it stands on.
type pagedTable struct {
	page int
	Table
}

func tablesOf(p edb.Parsed) (out []pagedTable) {
	for page, e := range p.Elements {
		if e.Kind != edb.KindTable {
			continue
		}
		if ts := ParseTables(e.HTML); len(ts) > 0 {
			for _, t := range ts {
				out = append(out, pagedTable{page, t})
			}
		} else {
			out = append(out, pagedTable{page, TextTable(e.Text)}) // no markup: tabs and lines
		}
	}
	return out
}

// TextTable reads the text form of a table element: cells joined by tabs, rows by newlines.
func TextTable(text string) Table {
	root := &node{tag: "table"}
	for _, line := range splitLines(text) {
		tr := &node{tag: "tr"}
		for _, cell := range strings.Split(line, "\t") {
			tr.children = append(tr.children, &node{tag: "td", children: []*node{{text: cell}}})
		}
		root.children = append(root.children, tr)
	}
	t := Table{raw: root}
	t.collect(root)
	return t
}

// TablePair is a gold table and the predicted table that was matched to it.
type TablePair struct {
	Gold, Pred int // indexes in reading order
	Score      float64
}

// candidates is how many tables of the other side a table is compared with; beyond it those that
// share most cell text are taken.
const candidates = 4

// MatchTables pairs gold with predicted tables: the one-to-one assignment with the greatest sum of
// TEDS among tables of the same or an adjacent page (any page where one side has no pages). Where
// a table has more than four such partners, only the four sharing most of their words are
// compared. Pairs without any similarity are no pairs. They come in the order of the gold tables.
//
// The errors of TEDS (too large, context ended) are returned with the tables' numbers.
func MatchTables(ctx context.Context, pred, gold edb.Parsed, mode TEDSMode) ([]TablePair, error) {
	return matchTables(ctx, tablesOf(pred), tablesOf(gold), pred.Paged && gold.Paged, mode)
}

func matchTables(ctx context.Context, pred, gold []pagedTable, paged bool, mode TEDSMode) ([]TablePair, error) {
	keep := make([][]bool, len(gold))
	for i := range keep {
		keep[i] = make([]bool, len(pred))
	}
	near := func(i, j int) bool {
		d := gold[i].page - pred[j].page
		return !paged || d >= -1 && d <= 1
	}
	gb, pb := bags(gold), bags(pred)
	best := func(n int, ok func(k int) bool, overlap func(k int) float64, mark func(k int)) {
		var list []int
		for k := range n {
			if ok(k) {
				list = append(list, k)
			}
		}
		if len(list) > candidates {
			slices.SortStableFunc(list, func(a, b int) int {
				switch x, y := overlap(a), overlap(b); {
				case x > y:
					return -1
				case x < y:
					return 1
				}
				return 0
			})
			list = list[:candidates]
		}
		for _, k := range list {
			mark(k)
		}
	}
	for i := range gold {
		best(len(pred), func(j int) bool { return near(i, j) }, func(j int) float64 { return wordF1(gb[i], pb[j]) }, func(j int) { keep[i][j] = true })
	}
	for j := range pred {
		best(len(gold), func(i int) bool { return near(i, j) }, func(i int) float64 { return wordF1(gb[i], pb[j]) }, func(i int) { keep[i][j] = true })
	}
	score := make([][]float64, len(gold))
	for i := range gold {
		score[i] = make([]float64, len(pred))
		for j := range pred {
			if !keep[i][j] {
				continue
			}
			s, err := TEDS(ctx, pred[j].Table, gold[i].Table, mode)
			if err != nil {
				return nil, fmt.Errorf("gold table %d (page %d) and predicted table %d (page %d): %w", i+1, gold[i].page, j+1, pred[j].page, err)
			}
			score[i][j] = s
		}
	}
	var out []TablePair
	for i, j := range assign.Best(score) {
		if j >= 0 {
			out = append(out, TablePair{i, j, score[i][j]})
		}
	}
	return out, nil
}

func bags(ts []pagedTable) []bag {
	out := make([]bag, len(ts))
	for i, t := range ts {
		out[i] = bag{}
		for _, r := range t.Rows {
			for _, c := range r {
				for w := range strings.FieldsSeq(c.Text) {
					out[i][w]++
				}
			}
		}
	}
	return out
}

// TEA is Table Extraction Accuracy: the TEDS of the matched pairs summed ÷ the larger of the two
// numbers of tables, so that missed and invented tables count as 0. In [0,1], higher is better.
// No gold table: nothing to measure (ok is false).
// Source: EnterpriseDocBench section 3.1; pairing and denominator are ours.
func TEA(pairs []TablePair, gold, pred int) (value float64, ok bool) {
	if gold == 0 {
		return 0, false
	}
	sum := 0.0
	for _, p := range pairs {
		sum += p.Score
	}
	return sum / float64(max(gold, pred)), true
}

// MeanTEDS is the mean TEDS over the matched pairs, so that missed and invented tables do not count. In
// [0,1], higher is better. No pair: nothing to measure (ok is false).
// Source: each score is TEDS (Zhong et al. 2020); the pairs and the mean over them are ours.
func MeanTEDS(pairs []TablePair) (value float64, ok bool) {
	if len(pairs) == 0 {
		return 0, false
	}
	sum := 0.0
	for _, p := range pairs {
		sum += p.Score
	}
	return sum / float64(len(pairs)), true
}
