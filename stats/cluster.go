package stats

import "math"

// components joins units that share a document, directly or through others, and returns the number
// of each unit's component, numbered by first appearance, and how many there are. A unit without
// documents is a component of its own.
func components(docs [][]string) ([]int, int) {
	node := map[string]int{}
	parent := make([]int, len(docs))
	for i := range parent {
		parent[i] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for i, ds := range docs {
		for _, d := range ds {
			j, ok := node[d]
			if !ok {
				node[d] = i
				continue
			}
			if a, b := find(i), find(j); a != b {
				parent[max(a, b)] = min(a, b)
			}
		}
	}
	number := map[int]int{}
	out := make([]int, len(docs))
	for i := range docs {
		r := find(i)
		c, ok := number[r]
		if !ok {
			c = len(number)
			number[r] = c
		}
		out[i] = c
	}
	return out, len(number)
}

// ClusteredSE returns the mean of values and its standard error robust to dependence inside
// clusters (Liang and Zeger 1986, with the factor c/(c-1) for c clusters). cluster[i] is the number
// of the cluster of values[i]. Both are nil without values, the error also with fewer than two
// clusters.
func ClusteredSE(values []float64, cluster []int) (mean, se *float64) {
	if len(values) == 0 || len(values) != len(cluster) {
		return nil, nil
	}
	m := 0.0
	for _, v := range values {
		m += v
	}
	m /= float64(len(values))
	at := map[int]int{}
	var sums []float64
	for i, v := range values {
		c, ok := at[cluster[i]]
		if !ok {
			c = len(sums)
			at[cluster[i]] = c
			sums = append(sums, 0)
		}
		sums[c] += v - m
	}
	if len(sums) < 2 {
		return finite(&m), nil
	}
	ss := 0.0
	for _, s := range sums {
		ss += s * s
	}
	c := float64(len(sums))
	return finite(&m), finite(ptr(math.Sqrt(ss*c/(c-1)) / float64(len(values))))
}
