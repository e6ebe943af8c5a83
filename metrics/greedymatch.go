package metrics

import "enterprisedocbench/internal/vec"

// TokenVectors is a text as an encoder sees it.
type TokenVectors struct {
	Dim     int
	Vectors []float32 // rows of Dim finite numbers, one a token
	// Weights of the tokens, 0 or more. A token of weight 0 is matched with but does not count itself:
	// [CLS] and [SEP]. nil: all 1. A text whose weights are all 0 is empty.
	Weights []float64
}

func (t TokenVectors) rows() int {
	if t.Dim == 0 {
		return 0
	}
	return len(t.Vectors) / t.Dim
}

func (t TokenVectors) empty() bool {
	for _, w := range t.Weights {
		if w > 0 {
			return false
		}
	}
	return t.Weights != nil || t.rows() == 0
}

// GreedyMatch is BERTScore on given token vectors: precision is the mean over the candidate's tokens,
// by their weights, of the greatest cosine with any token of the reference; recall the same the other
// way; F their harmonic mean. P and R in [-1,1], for texts and the encoders in use all three in [0,1]
// (F has no bound where P and R differ in sign); no baseline rescaling. One
// side empty: 0 for all three. Both empty: nothing to measure, all nil; such pairs are counted, not
// averaged. Both sides have one Dim.
// Source: Zhang et al. 2020, section 3; the bert-score package, which gives 0 where both are empty.
func GreedyMatch(candidate, reference TokenVectors) (p, r, f *float64) {
	if candidate.empty() && reference.empty() {
		return nil, nil, nil
	}
	var pv, rv, fv float64
	if !candidate.empty() && !reference.empty() {
		rows, columns := make([]float32, candidate.rows()), make([]float32, reference.rows())
		vec.MaxCosines(candidate.Vectors, reference.Vectors, candidate.Dim, rows, columns)
		pv, rv = weightedMean(rows, candidate.Weights), weightedMean(columns, reference.Weights)
		fv = harmonic(pv, rv)
	}
	return &pv, &rv, &fv
}

// harmonic is the harmonic mean of two values, 0 where both are 0.
func harmonic(p, r float64) float64 {
	if p+r == 0 {
		return 0
	}
	return 2 * p * r / (p + r)
}

func weightedMean(x []float32, weights []float64) float64 {
	sum, total := 0.0, 0.0
	for i, v := range x {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		sum, total = sum+w*float64(v), total+w
	}
	return sum / total
}
