package metrics

import "math"

// countRelevant is the number of relevant documents in the first k ranks: the numerator of
// precision P@k = that ÷ k (k, not the length of a shorter list) and of recall R@k = that ÷ all
// judged relevant. With average it is the expectation over random orders of equal scores.
// Both are in [0,1], higher is better; an empty list scores 0.
// Source: equal to trec_eval's P and recall.
func countRelevant(q *ranking, k int, average bool) float64 {
	if average {
		return countTied(q, k)
	}
	n := 0
	for i := range q.top(k) {
		if q.isRelevant(i) {
			n++
		}
	}
	return float64(n)
}

// recall is R@k; nothing relevant: 0.
func recall(q *ranking, k int, average bool) float64 {
	if q.relevant == 0 {
		return 0
	}
	return countRelevant(q, k, average) / float64(q.relevant)
}

// hit is 1 where one of the first k ranks is relevant, else 0 (trec_eval's success_k).
func hit(q *ranking, k int) float64 {
	for i := range q.top(k) {
		if q.isRelevant(i) {
			return 1
		}
	}
	return 0
}

// judgedShare is the share of the first k ranks that carry a judgement; of the whole list where it
// is shorter than k. It says how far the other figures can be trusted. An empty list: nothing to
// measure.
func judgedShare(q *ranking, k int) float64 {
	n := q.top(k)
	if n == 0 {
		return math.NaN()
	}
	judged := 0
	for _, g := range q.grades[:n] {
		if g != unjudged {
			judged++
		}
	}
	return float64(judged) / float64(n)
}
