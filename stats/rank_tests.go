package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// KruskalWallis tests whether independent groups come from one distribution (Kruskal and Wallis
// 1952): Statistic is H corrected for ties, P from χ² with one degree of freedom fewer than groups,
// Effect is epsilon squared, H/(N−1). It needs two groups, none empty, and values that differ; a
// group under 5 is a warning, because χ² is then rough.
func KruskalWallis(groups [][]float64) Test {
	t := Test{Name: "Kruskal-Wallis", EffectName: "epsilon squared"}
	r := rankGroups(groups)
	t.N = r.n
	if t.Reason = r.reason; t.Reason != "" {
		return t
	}
	n := float64(r.n)
	h := 0.0
	for g, sum := range r.sums {
		d := sum/float64(len(groups[g])) - (n+1)/2
		h += float64(len(groups[g])) * d * d
	}
	h *= 12 / (n * (n + 1)) / (1 - r.tied/(n*n*n-n))
	df := float64(len(groups) - 1)
	t.Statistic, t.DF, t.Effect = &h, []float64{df}, ptr(h/(n-1))
	t.P, t.Method = ptr(distuv.ChiSquared{K: df}.Survival(h)), "chi squared, corrected for ties"
	for g, v := range groups {
		if len(v) < 5 {
			t.Warnings = append(t.Warnings, fmt.Sprintf("group %d has %s: chi squared is rough under 5", g+1, plural(len(v), "value")))
		}
	}
	return t
}

// ranked is all values of several groups, ranked together.
type ranked struct {
	n      int
	sums   []float64 // of the ranks of each group
	tied   float64   // Σ(t³−t) over groups of equal values
	reason string
}

func rankGroups(groups [][]float64) ranked {
	var all []float64
	r := ranked{sums: make([]float64, len(groups))}
	for g, v := range groups {
		if len(v) == 0 && r.reason == "" {
			r.reason = fmt.Sprintf("group %d has no values", g+1)
		}
		if i := notFinite(v); i > 0 && r.reason == "" {
			r.reason = fmt.Sprintf("value %d of group %d is not a finite number", i, g+1)
		}
		all = append(all, v...)
	}
	r.n = len(all)
	switch {
	case len(groups) < 2:
		r.reason = plural(len(groups), "group") + ", fewer than 2"
	case r.reason == "" && constant(all):
		r.reason = "all values are the same"
	}
	if r.reason != "" {
		return r
	}
	ranks, ties := midRanksOf(all)
	for g, v := range groups {
		for range v {
			r.sums[g] += ranks[0]
			ranks = ranks[1:]
		}
	}
	for _, c := range ties {
		r.tied += c*c*c - c
	}
	return r
}

// PairTest compares two of several groups, numbered from 0.
type PairTest struct {
	A, B int
	Test
	PAdjusted *float64 // P corrected for the number of pairs
}

// Dunn compares every pair of groups after [KruskalWallis] by the difference of their mean ranks
// among all values (Dunn 1964), corrected for ties: Statistic is z, positive where A ranks higher,
// PAdjusted is corrected as by [Adjust]. The pairs are in the order 0-1, 0-2, …, 1-2, …; where the
// groups cannot be ranked each has the reason. An unknown correction is an error.
func Dunn(groups [][]float64, adjust string) ([]PairTest, error) {
	if _, err := Adjust(nil, adjust); err != nil {
		return nil, err
	}
	r := rankGroups(groups)
	n := float64(r.n)
	var out []PairTest
	var ps []*float64
	for a := range groups {
		for b := a + 1; b < len(groups); b++ {
			na, nb := float64(len(groups[a])), float64(len(groups[b]))
			t := PairTest{A: a, B: b, Test: Test{Name: "Dunn", N: len(groups[a]) + len(groups[b]), Reason: r.reason}}
			if r.reason == "" {
				variance := (n*(n+1)/12 - r.tied/(12*(n-1))) * (1/na + 1/nb)
				z := (r.sums[a]/na - r.sums[b]/nb) / math.Sqrt(variance)
				t.Statistic, t.P, t.Method = &z, ptr(min(1, 2*distuv.UnitNormal.CDF(-math.Abs(z)))), "normal, corrected for ties; "+adjust
			}
			out, ps = append(out, t), append(ps, t.P)
		}
	}
	adjusted, err := Adjust(ps, adjust)
	if err != nil {
		return nil, err
	}
	for i := range out {
		out[i].PAdjusted = adjusted[i]
	}
	return out, nil
}

// Friedman tests whether treatments differ over blocks (Friedman 1937): blocks[i][j] is the value of
// treatment j (a system) in block i (a question). Statistic is χ² corrected for ties, Effect is
// Kendall's W. It needs three treatments, two blocks of the same length, and a block whose values
// differ.
func Friedman(blocks [][]float64) Test {
	t := Test{Name: "Friedman", N: len(blocks), EffectName: "Kendall's W"}
	if len(blocks) < 2 {
		t.Reason = plural(len(blocks), "block") + ", fewer than 2"
		return t
	}
	k := len(blocks[0])
	if k < 3 {
		t.Reason = plural(k, "treatment") + ", fewer than 3"
		return t
	}
	sums, tied := make([]float64, k), 0.0
	for i, b := range blocks {
		if len(b) != k {
			t.Reason = fmt.Sprintf("block %d has %s, block 1 has %d", i+1, plural(len(b), "value"), k)
			return t
		}
		if j := notFinite(b); j > 0 {
			t.Reason = fmt.Sprintf("value %d of block %d is not a finite number", j, i+1)
			return t
		}
		ranks, ties := midRanksOf(b)
		for j, r := range ranks {
			sums[j] += r
		}
		for _, c := range ties {
			tied += c*c*c - c
		}
	}
	if !slices.ContainsFunc(blocks, func(b []float64) bool { return !constant(b) }) {
		t.Reason = "no block has values that differ"
		return t
	}
	n, kf := float64(len(blocks)), float64(k)
	ss := 0.0
	for _, s := range sums {
		d := s - n*(kf+1)/2
		ss += d * d
	}
	chi := 12 * ss / (n * kf * (kf + 1)) / (1 - tied/(n*(kf*kf*kf-kf)))
	t.Statistic, t.DF, t.Effect = &chi, []float64{kf - 1}, ptr(chi/(n*(kf-1)))
	t.P, t.Method = ptr(distuv.ChiSquared{K: kf - 1}.Survival(chi)), "chi squared, corrected for ties"
	return t
}
