package metrics

import "math"

// discounts holds log2(rank+1) for the first ranks, rank from 1.
var discounts = func() (d [1024]float64) {
	for i := range d {
		d[i] = math.Log2(float64(i + 2))
	}
	return d
}()

func discount(i int) float64 {
	if i < len(discounts) {
		return discounts[i]
	}
	return math.Log2(float64(i + 2))
}

func gainOf(grade int32, exp bool) float64 {
	if grade <= 0 {
		return 0
	}
	if exp {
		return math.Exp2(float64(grade)) - 1
	}
	return float64(grade)
}

// ndcg is the normalised discounted cumulative gain of the first k ranks (k = 0: of all):
// Σ gain(grade_i)/log2(i+1) ÷ the same sum over the judged grades in falling order, cut at k too.
// Gain is the grade itself (linear, as in trec_eval), or 2^grade - 1 with gain=exp. In [0,1],
// higher is better. Nothing relevant: 0. Unjudged and negative grades gain nothing.
// Source: Järvelin and Kekäläinen 2002; equal to trec_eval's ndcg and ndcg_cut.
func ndcg(q *ranking, k int, exp bool) float64 {
	best := idealDCG(q, k, exp)
	if best == 0 {
		return 0
	}
	sum := 0.0
	for i, g := range q.grades[:q.top(k)] {
		if g > 0 {
			sum += gainOf(g, exp) / discount(i)
		}
	}
	return sum / best
}

func idealDCG(q *ranking, k int, exp bool) float64 {
	n := len(q.ideal)
	if k > 0 {
		n = min(n, k)
	}
	sum := 0.0
	for i, g := range q.ideal[:n] {
		sum += gainOf(g, exp) / discount(i)
	}
	return sum
}
