package metrics

// averagePrecision is the mean, over all judged relevant documents, of the precision at the rank
// of each; one that was not retrieved (in the first k, if the name has a depth) adds 0. In [0,1],
// higher is better. Nothing relevant: 0.
// Source: equal to trec_eval's map and map_cut for one query.
func averagePrecision(q *ranking, k int) float64 {
	if q.relevant == 0 {
		return 0
	}
	sum, found := 0.0, 0
	for i := range q.top(k) {
		if q.isRelevant(i) {
			found++
			sum += float64(found) / float64(i+1)
		}
	}
	return sum / float64(q.relevant)
}
