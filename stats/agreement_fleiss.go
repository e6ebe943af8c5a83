package stats

import "fmt"

// FleissKappa is the agreement of several raters on categories: counts[i][j] of the raters of unit i
// chose category j, with the same number of raters, at least 2, for every unit (Fleiss 1971). Raters
// need not be the same persons from unit to unit. docs[i] are the documents that unit i rests on; the
// interval is the bootstrap of [Composite]. Where all ratings are in one category the coefficient is
// nil and Observed is 1. Rows of different lengths panic; different numbers of raters give a reason:
// [KrippendorffAlpha] takes those.
//
// The value agrees with statsmodels' fleiss_kappa.
func FleissKappa(counts [][]int, docs [][]string, opt Options) Agreement {
	g := Agreement{Interval: Interval{Level: opt.level(), N: len(counts)}, Name: "Fleiss' kappa"}
	if len(counts) == 0 {
		g.Reason = "no units"
		return g
	}
	k := len(counts[0])
	parts := make([]Part, 1+k) // agreement of a unit's pairs of raters, then each category's share
	for p := range parts {
		parts[p] = Part{Values: make([]float64, len(counts)), Docs: unitDocs(len(counts), docs), Units: unitNames(len(counts))}
	}
	for i, row := range counts {
		if len(row) != k {
			panic(fmt.Sprintf("stats: unit %d has counts of %d categories, the first of %d", i+1, len(row), k))
		}
		raters, pairs := 0, 0
		for _, c := range row {
			if c < 0 {
				g.Reason = fmt.Sprintf("unit %d has the count %d", i+1, c)
				return g
			}
			raters += c
			pairs += c * (c - 1)
		}
		if i == 0 {
			g.Raters = raters
		}
		if raters != g.Raters || raters < 2 {
			g.Reason = fmt.Sprintf("unit %d has %s, the first %d: Fleiss' kappa needs one number of them, at least 2; Krippendorff's alpha does not", i+1, plural(raters, "rating"), g.Raters)
			return g
		}
		parts[0].Values[i] = float64(pairs) / float64(raters*(raters-1))
		for j, c := range row {
			parts[1+j].Values[i] = float64(c) / float64(raters)
		}
	}
	means := make([]float64, 1+k)
	top := 0.0
	for p, part := range parts {
		for _, v := range part.Values {
			means[p] += v
		}
		means[p] /= float64(len(counts))
		if p > 0 && means[p] > 0 {
			g.Categories++
			top = max(top, means[p])
		}
	}
	chance := func(m []float64) float64 {
		e := 0.0
		for _, share := range m[1:] {
			e += share * share
		}
		return e
	}
	g.Observed, g.Expected, g.Exact = ptr(means[0]), ptr(chance(means)), ptr(means[0])
	if g.Categories == 1 {
		g.Expected = ptr(1)
		g.unvaried()
		return g
	}
	g.Interval = Composite(parts, func(m []float64) float64 {
		e := chance(m)
		return (m[0] - e) / (1 - e)
	}, opt)
	g.warnLopsided(top)
	return g
}
