package study

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
)

// crossing looks for ties: weight is moved between every two strata, all others staying as stated.
func (s stratified) crossing(f formula, m *Mix, d Difference) Crossing {
	out := Crossing{Baseline: d.Baseline, Candidate: d.Candidate, Key: f.key, Mix: d.Mix, Changes: []Change{}}
	at, _ := s.difference(f, m.Weights)
	if !f.higher {
		at = -at
	}
	switch {
	case at > 0:
		out.Leader = d.Candidate
	case at < 0:
		out.Leader = d.Baseline
	default:
		out.Words = "a tie at the stated mix"
		return out
	}
	for _, from := range m.Strata {
		for _, to := range m.Strata {
			if from == to {
				continue
			}
			if x, ok := s.tie(f, m, from, to); ok {
				out.Changes = append(out.Changes, Change{from, to, x, m.Weights[from] - x, m.Weights[to] + x})
			}
		}
	}
	slices.SortStableFunc(out.Changes, func(a, b Change) int { return cmp.Compare(a.Moved, b.Moved) })
	if len(out.Changes) == 0 {
		out.Words = fmt.Sprintf("%s leads; no shift of weight between two strata changes that", out.Leader)
		return out
	}
	c := out.Changes[0]
	out.Words = fmt.Sprintf("%s leads; the lead changes at %s:%.3g,%s:%.3g (stated %.3g and %.3g), the others as stated",
		out.Leader, c.From, c.FromWeight, c.To, c.ToWeight, m.Weights[c.From], m.Weights[c.To])
	return out
}

// tieSteps is on how many places between 0 and all of a stratum's weight a change of sign is looked for.
const tieSteps = 64

// tie is the least weight that has to go from one stratum to another for the difference to vanish.
// The difference is a sum of quotients of linear functions of that weight, so a change of sign is
// bracketed on a grid and halved in.
func (s stratified) tie(f formula, m *Mix, from, to string) (float64, bool) {
	value := func(x float64) (float64, bool) {
		w := maps.Clone(m.Weights)
		w[from], w[to] = max(0, w[from]-x), w[to]+x
		return s.difference(f, w)
	}
	room := m.Weights[from]
	lo := 0.0
	start, ok := value(0)
	if !ok || start == 0 || room <= 0 {
		return 0, false
	}
	for i := 1; i <= tieSteps; i++ {
		hi := room * float64(i) / tieSteps
		v, ok := value(hi)
		if !ok {
			return 0, false
		}
		if v == 0 && hi < room {
			return hi, true
		}
		if v*start < 0 {
			for range 60 {
				mid := (lo + hi) / 2
				if v, _ := value(mid); v*start > 0 {
					lo = mid
				} else {
					hi = mid
				}
			}
			return math.Min(hi, room), true
		}
		lo = hi
	}
	return 0, false
}
