package metrics

// reciprocalRank is 1/rank of the first relevant document, 0 where there is none (in the first k,
// if the name has a depth). In [0,1], higher is better.
// Source: equal to trec_eval's recip_rank, which has no depth.
func reciprocalRank(q *ranking, k int) float64 {
	for i := range q.top(k) {
		if q.isRelevant(i) {
			return 1 / float64(i+1)
		}
	}
	return 0
}
