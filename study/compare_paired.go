package study

import (
	"maps"
	"slices"

	"enterprisedocbench/pipeline"
)

// paired are the units of one measure that both sides measured: values[i] of the baseline and of the
// candidate, strict.
type paired struct {
	key              string
	units            []pipeline.Unit
	a, b             []float64
	okA, okB         []float64 // of the pairs of which both succeeded
	onlyA, onlyB     int
	failedA, failedB int
	reason           string // why one of them has nothing to measure
}

// pairs joins the two sides' samples of one measure over the units that keep lets through (nil: all).
func (p pairing) pairs(key string, keep func(pipeline.Unit) bool) paired {
	out := paired{key: key}
	a, b := p.base.records().values[key], p.other.records().values[key]
	ids := maps.Clone(a)
	if ids == nil {
		ids = map[string]sample{}
	}
	maps.Copy(ids, b)
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		u, _ := p.base.run.unit(key, id)
		if keep != nil && !keep(u) {
			continue
		}
		x, y := a[id], b[id]
		if out.reason == "" {
			out.reason = firstOf(x.Reason, y.Reason)
		}
		switch {
		case x.Strict == nil && y.Strict == nil:
			continue
		case y.Strict == nil:
			out.onlyA++
			continue
		case x.Strict == nil:
			out.onlyB++
			continue
		}
		out.units = append(out.units, u)
		out.a, out.b = append(out.a, *x.Strict), append(out.b, *y.Strict)
		if x.Failed > 0 {
			out.failedA++
		}
		if y.Failed > 0 {
			out.failedB++
		}
		if x.OK != nil && y.OK != nil {
			out.okA, out.okB = append(out.okA, *x.OK), append(out.okB, *y.OK)
		}
	}
	return out
}

// documentShares pairs the documents that have a checkable claim in any answer of both sides: 1
// where one of the claims is bad, else 0.
func (p pairing) documentShares(key string, keep func(pipeline.Unit) bool) paired {
	out := paired{key: key, reason: "no checkable claim"}
	share := func(r *records) map[string]float64 {
		m := map[string]float64{}
		for id, c := range r.claims {
			if u := p.base.run.questions[id]; c.checkable > 0 && (keep == nil || keep(u)) {
				for _, d := range u.Docs {
					m[d] = max(m[d], min(1, c.bad))
				}
			}
		}
		return m
	}
	a, b := share(p.base.records()), share(p.other.records())
	for _, d := range slices.Sorted(maps.Keys(a)) {
		if y, ok := b[d]; ok {
			out.units = append(out.units, pipeline.Unit{ID: d, Kind: pipeline.UnitDocument, Docs: []string{d}})
			out.a, out.b = append(out.a, a[d]), append(out.b, y)
		}
	}
	out.okA, out.okB = out.a, out.b
	out.onlyA, out.onlyB = len(a)-len(out.a), len(b)-len(out.b)
	return out
}
