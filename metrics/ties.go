package metrics

// The policy "average" gives each measure its expected value when documents with equal scores
// stand in a random order (McSherry and Najork 2008). A group of equal scores is the ranks
// [start, end); rel of its n documents are relevant.

// eachGroup calls f for the groups of equal scores down to rank k.
func eachGroup(q *ranking, k int, f func(start, end, cut, rel int)) {
	top, start := q.top(k), 0
	for _, end := range q.groups {
		if start >= top {
			return
		}
		rel := 0
		for i := start; i < end; i++ {
			if q.isRelevant(i) {
				rel++
			}
		}
		f(start, end, min(end, top), rel)
		start = end
	}
}

func countTied(q *ranking, k int) float64 {
	sum := 0.0
	eachGroup(q, k, func(start, end, cut, rel int) {
		sum += float64(rel) * float64(cut-start) / float64(end-start)
	})
	return sum
}

func ndcgTied(q *ranking, k int, exp bool) float64 {
	best := idealDCG(q, k, exp)
	if best == 0 {
		return 0
	}
	sum := 0.0
	eachGroup(q, k, func(start, end, cut, _ int) {
		gain := 0.0
		for _, g := range q.grades[start:end] {
			gain += gainOf(g, exp)
		}
		if gain == 0 {
			return
		}
		gain /= float64(end - start)
		for i := start; i < cut; i++ {
			sum += gain / discount(i)
		}
	})
	return sum / best
}

// firstInGroup calls f with the probability that the first relevant document of a group stands at
// each of its ranks.
func firstInGroup(start, end, cut, rel int, f func(rank int, p float64)) {
	left := 1.0 // no relevant one so far
	n := end - start
	for i := start; i < cut && rel > 0; i++ {
		rest := n - (i - start)
		p := float64(rel) / float64(rest)
		f(i+1, left*min(p, 1))
		left *= 1 - min(p, 1)
	}
}

func reciprocalRankTied(q *ranking, k int) float64 {
	sum, done := 0.0, false
	eachGroup(q, k, func(start, end, cut, rel int) {
		if !done {
			firstInGroup(start, end, cut, rel, func(rank int, p float64) { sum += p / float64(rank) })
		}
		done = done || rel > 0
	})
	return sum
}

func hitTied(q *ranking, k int) float64 {
	sum, done := 0.0, false
	eachGroup(q, k, func(start, end, cut, rel int) {
		if !done {
			firstInGroup(start, end, cut, rel, func(_ int, p float64) { sum += p })
		}
		done = done || rel > 0
	})
	return min(sum, 1)
}

func averagePrecisionTied(q *ranking, k int) float64 {
	if q.relevant == 0 {
		return 0
	}
	sum, before := 0.0, 0
	eachGroup(q, k, func(start, end, cut, rel int) {
		n := end - start
		for i := start; i < cut && rel > 0; i++ {
			others := 0.0 // relevant ones of the group expected above, given that this one is relevant
			if n > 1 {
				others = float64(i-start) * float64(rel-1) / float64(n-1)
			}
			sum += float64(rel) / float64(n) * (float64(before) + 1 + others) / float64(i+1)
		}
		before += rel
	})
	return sum / float64(q.relevant)
}
