package stats

import (
	"fmt"
	"math"
	"slices"
)

// Sensitivity says how much a ranking of systems by a weighted mean of parts owes to the weights: what
// happens when each part is left out, and when each weight is moved up and down. It is the check of
// EnterpriseDocBench section 3.1 (each weight ± .10, Kendall's tau of the rankings), done for every
// composite.
type Sensitivity struct {
	Systems  []SystemRange
	Variants []WeightVariant // parts left out, then weights moved up, then down, in the order of parts
	// MinTau is the least Kendall tau-b between the ranking with the given weights and that of a
	// variant; nil where no variant has one.
	MinTau *float64
	// Same counts the variants that change no place.
	Same   int
	Reason string // why there is nothing to vary
}

// SystemRange is one system under all variants.
type SystemRange struct {
	Value       float64 // with the given weights
	Place       int     // from 1, higher values first; equal values share the better place
	Low, High   float64 // over the given weights and all variants
	Best, Worst int     // places over the same
}

// WeightVariant is one change of the weights.
type WeightVariant struct {
	Part    int       // the part whose weight is changed, from 0
	Change  string    // "without", "plus" or "minus"
	Weights []float64 // as used: none below 0, summing to 1
	Clipped bool      // the weight would have gone below 0
	Values  []float64 // of each system; nil where no weight is left
	Tau     *float64  // Kendall tau-b against the given weights
	Moves   []Move    // systems whose place changes
	Reason  string    // why there is no tau, or no variant
}

// Move is a system that changes its place; places count from 1.
type Move struct{ System, From, To int }

// WeightSensitivity varies the weights of a composite: values[i][j] is part j of system i, higher is
// better, and the composite is the mean of the parts weighted by weights. delta is how far a weight is
// moved, in the unit of the weights divided by their sum; a moved weight stops at 0 and all are then
// divided by their new sum. Ties are kept when composites differ by less than 1e-12. Rows of another
// length than weights panic; weights below 0 or that sum to 0 and values that are not finite give a
// reason.
func WeightSensitivity(values [][]float64, weights []float64, delta float64) Sensitivity {
	var s Sensitivity
	if s.Reason = badWeights(values, weights, delta); s.Reason != "" {
		return s
	}
	given := shares(weights)
	base := compose(values, given)
	if notFinite(base) > 0 {
		s.Reason = tooExtreme
		return s
	}
	places := places(base)
	for i, v := range base {
		s.Systems = append(s.Systems, SystemRange{v, places[i], v, v, places[i], places[i]})
	}
	for _, change := range []string{"without", "plus", "minus"} {
		for j := range weights {
			v := vary(values, given, base, j, change, delta)
			s.add(v)
		}
	}
	return s
}

// PartMeans are the means of the parts of systems, for [WeightSensitivity]: parts[i][j] is part j of
// system i. Nil, with the reason, where a part has no values or one that is not finite.
func PartMeans(parts [][]Part) (means [][]float64, reason string) {
	for i, row := range parts {
		iv, m, _ := measure(row, Options{})
		if iv.Reason != "" {
			return nil, fmt.Sprintf("system %d: %s", i+1, iv.Reason)
		}
		means = append(means, m)
	}
	return means, ""
}

func badWeights(values [][]float64, weights []float64, delta float64) string {
	switch {
	case len(values) < 2:
		return plural(len(values), "system") + ": there is no ranking"
	case len(weights) == 0:
		return "no parts"
	case !(delta > 0 && delta < 1):
		return fmt.Sprintf("a change of weights by %g is not between 0 and 1", delta)
	}
	sum := 0.0
	for j, w := range weights {
		if !(w >= 0) || math.IsInf(w, 0) {
			return fmt.Sprintf("weight %d is %g, not a number from 0", j+1, w)
		}
		sum += w
	}
	if math.IsInf(sum, 0) {
		return "the weights sum to more than a number can hold"
	}
	if sum == 0 {
		return "all weights are 0"
	}
	for i, row := range values {
		if len(row) != len(weights) {
			panic(fmt.Sprintf("stats: system %d has %d parts for %d weights", i+1, len(row), len(weights)))
		}
		if j := notFinite(row); j > 0 {
			return fmt.Sprintf("part %d of system %d is not a finite number", j, i+1)
		}
	}
	return ""
}

// vary makes one variant of the shares given, under which the systems have the values base.
func vary(values [][]float64, given, base []float64, part int, change string, delta float64) WeightVariant {
	v := WeightVariant{Part: part, Change: change}
	w := slices.Clone(given)
	switch change {
	case "without":
		w[part] = 0
	case "plus":
		w[part] += delta
	case "minus":
		w[part] -= delta
		if v.Clipped = w[part] < 0; v.Clipped {
			w[part] = 0
		}
	}
	if v.Weights = shares(w); v.Weights == nil {
		v.Reason = "no weight is left"
		return v
	}
	v.Values = compose(values, v.Weights)
	if v.Tau = tau(base, v.Values); v.Tau == nil {
		v.Reason = "the composite does not vary between systems"
	}
	from, to := places(base), places(v.Values)
	for i := range from {
		if from[i] != to[i] {
			v.Moves = append(v.Moves, Move{i, from[i], to[i]})
		}
	}
	return v
}

func (s *Sensitivity) add(v WeightVariant) {
	s.Variants = append(s.Variants, v)
	if v.Values == nil {
		return
	}
	if len(v.Moves) == 0 {
		s.Same++
	}
	if v.Tau != nil && (s.MinTau == nil || *v.Tau < *s.MinTau) {
		s.MinTau = v.Tau
	}
	for i, p := range places(v.Values) {
		r := &s.Systems[i]
		r.Low, r.High = min(r.Low, v.Values[i]), max(r.High, v.Values[i])
		r.Best, r.Worst = min(r.Best, p), max(r.Worst, p)
	}
}

// shares divides weights by their sum; nil where that is 0.
func shares(weights []float64) []float64 {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	if sum == 0 {
		return nil
	}
	out := make([]float64, len(weights))
	for i, w := range weights {
		out[i] = w / sum
	}
	return out
}

// compose is the weighted sum of each row, rounded to 1e-12 so that rounding makes no ranks.
func compose(values [][]float64, weights []float64) []float64 {
	out := make([]float64, len(values))
	for i, row := range values {
		for j, x := range row {
			out[i] += weights[j] * x
		}
		if r := math.Round(out[i]*1e12) / 1e12; isFinite(r) {
			out[i] = r
		}
	}
	return out
}

// places gives each value 1 + the number of higher ones.
func places(values []float64) []int {
	out := make([]int, len(values))
	for i, v := range values {
		out[i] = 1
		for _, w := range values {
			if w > v {
				out[i]++
			}
		}
	}
	return out
}

// tau is Kendall's tau-b of two lists, to 1e-12; nil where one does not vary.
func tau(a, b []float64) *float64 {
	if constant(a) || constant(b) {
		return nil
	}
	k := newKendall(a, b)
	return ptr(max(-1, min(1, math.Round(k.of(nil, k.scratch())*1e12)/1e12)))
}
