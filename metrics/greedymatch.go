package metrics

import "math"

// GreedyMatch is BERTScore on given token vectors (rows of unit length): precision is the mean over
// the candidate's tokens of the greatest cosine with any token of the reference, recall the same
// the other way, F their harmonic mean; no baseline rescaling, no idf. One side empty: 0 for all
// three. Both empty: nothing to measure, all nil; such pairs are counted, not averaged.
// Source: Zhang et al. 2020, section 3.
func GreedyMatch(candidate, reference [][]float32) (p, r, f *float64) {
	if len(candidate) == 0 && len(reference) == 0 {
		return nil, nil, nil
	}
	var pv, rv, fv float64
	if len(candidate) > 0 && len(reference) > 0 {
		pv, rv = greedy(candidate, reference), greedy(reference, candidate)
		if pv+rv > 0 {
			fv = 2 * pv * rv / (pv + rv)
		}
	}
	return &pv, &rv, &fv
}

func greedy(from, to [][]float32) float64 {
	sum := 0.0
	for _, x := range from {
		best := math.Inf(-1)
		for _, y := range to {
			d := 0.0
			for i := range x {
				d += float64(x[i]) * float64(y[i])
			}
			best = max(best, d)
		}
		sum += best
	}
	return sum / float64(len(from))
}
