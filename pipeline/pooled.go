package pipeline

import (
	"enterprisedocbench"
	"enterprisedocbench/internal/figure"
	"enterprisedocbench/metrics"
	"enterprisedocbench/stats"
	"maps"
	"slices"
)

// answerCounts are the claims of one answer by verdict.
type answerCounts struct {
	query  string
	claims metrics.ClaimCounts
}

// pooled adds the hallucination rates that are no mean over answers: over all claims (mode=micro),
// and the share of documents with at least one hallucinated claim in any of their answers
// (mode=binary,unit=document), an answer counting for every document its question rests on.
func (r *runner) pooled(arm string, figures map[string]edb.Figure) {
	var all []metrics.ClaimCounts
	byDoc := map[string]metrics.ClaimCounts{}
	var bad, checkable []float64
	var docs [][]string
	var units []string
	for _, a := range r.counts[arm] {
		if a.claims.Checkable() == 0 {
			continue
		}
		all = append(all, a.claims)
		ds := r.touches(a.query)
		for _, d := range ds {
			byDoc[d] = plus(byDoc[d], a.claims)
		}
		bad, checkable = append(bad, float64(a.claims.Hallucinated(false))), append(checkable, float64(a.claims.Checkable()))
		docs, units = append(docs, ds), append(units, a.query)
	}
	micro := edb.Figure{Def: metrics.Def("generate.hr"), N: len(all), NOK: len(all), Missing: len(r.counts[arm]) - len(all)}
	if len(all) == 0 {
		micro.Reason = "no checkable claim"
		figures["generate.hr(mode=micro)"], figures["generate.hr(mode=binary,unit=document)"] = micro, micro
		return
	}
	figure.Fill(&micro, stats.Composite([]stats.Part{{Values: bad, Docs: docs, Units: units}, {Values: checkable, Docs: docs, Units: units}},
		func(m []float64) float64 { return m[0] / m[1] }, r.options()))
	figures["generate.hr(mode=micro)"] = micro

	var shares []float64
	var names [][]string
	for _, d := range slices.Sorted(maps.Keys(byDoc)) {
		v := 0.0
		if byDoc[d].Hallucinated(false) > 0 {
			v = 1
		}
		shares, names = append(shares, v), append(names, []string{d})
	}
	f := edb.Figure{Def: micro.Def, N: len(shares), NOK: len(shares)}
	figure.Fill(&f, stats.Mean(shares, names, r.options()))
	figures["generate.hr(mode=binary,unit=document)"] = f
}

func plus(a, b metrics.ClaimCounts) metrics.ClaimCounts {
	a.Supported += b.Supported
	a.Contradicted += b.Contradicted
	a.AbsentTrue += b.AbsentTrue
	a.AbsentUnknown += b.AbsentUnknown
	a.Fabricated += b.Fabricated
	a.Uncheckable += b.Uncheckable
	return a
}
