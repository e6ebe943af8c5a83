package main

import (
	"fmt"

	"enterprisedocbench/internal/table"
	"enterprisedocbench/stats"
)

// sameUnits compares the columns of a run, all measured on the same units: Friedman's test over the rows
// that have them all, and for each pair the test of edb stats compare, its p corrected.
func (f *tableFlags) sameUnits(s *streams, t *table.Table, columns []string, adjust string) (groups [][]float64, test stats.Test, pairs []stats.PairTest, err error) {
	switch {
	case len(columns) < 2:
		return nil, test, nil, fmt.Errorf("%s: one column, %q: give three or more to compare", t.Name, columns[0])
	case len(columns) == 2 && f.key != "":
		return nil, test, nil, fmt.Errorf("%s: two pipelines, %s and %s: compare them with edb stats compare --run %s --key %s --a %s --b %s",
			t.Name, columns[0], columns[1], f.run, f.key, columns[0], columns[1])
	case len(columns) == 2:
		return nil, test, nil, fmt.Errorf("%s: two columns, %s and %s: compare them with edb stats compare", t.Name, columns[0], columns[1])
	}
	if t, err = f.rows(s, t, columns...); err != nil {
		return nil, test, nil, err
	}
	blocks := make([][]float64, t.Len())
	for _, c := range columns {
		v, err := numbers(t, c)
		if err != nil {
			return nil, test, nil, err
		}
		for i, x := range v {
			blocks[i] = append(blocks[i], x)
		}
		groups = append(groups, v)
	}
	docs, err := f.clusters(t, "")
	if err != nil {
		return nil, test, nil, err
	}
	test = stats.Friedman(blocks)
	if n := clusterCount(docs); n < len(blocks) && test.Reason == "" {
		test.Warnings = append(test.Warnings, fmt.Sprintf("Friedman's test takes the %d units as independent, but documents join them into %s: its p can be too small; those of the pairs respect documents", len(blocks), plural(n, "cluster")))
	}
	pairs, err = pairTests(groups, docs, adjust)
	return groups, test, pairs, err
}

// pairTests tests each pair of columns as edb stats compare does; Statistic is the mean difference.
func pairTests(columns [][]float64, docs [][]string, adjust string) ([]stats.PairTest, error) {
	var out []stats.PairTest
	var ps []*float64
	for a := range columns {
		for b := a + 1; b < len(columns); b++ {
			diff := make([]float64, len(columns[a]))
			for i := range diff {
				diff[i] = columns[a][i] - columns[b][i]
			}
			iv := stats.Mean(diff, docs, stats.Options{})
			t := stats.PairTest{A: a, B: b, Test: stats.DifferenceTest(iv, diff, docs, stats.Options{})}
			t.Statistic = iv.Value
			out, ps = append(out, t), append(ps, t.P)
		}
	}
	adjusted, err := stats.Adjust(ps, adjust)
	if err != nil {
		return nil, err
	}
	for i := range out {
		out[i].PAdjusted = adjusted[i]
	}
	return out, nil
}

// clusterCount is how many clusters the documents join units into.
func clusterCount(docs [][]string) int {
	n := 0
	for _, c := range stats.Clusters(docs) {
		n = max(n, c+1)
	}
	return n
}
