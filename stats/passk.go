package stats

import "fmt"

// PassAtK is the chance that at least one of k tries of a task passes, estimated without bias from
// n tries of which c passed: 1 − C(n−c,k)/C(n,k) (Chen and others 2021). In [0,1]. Nil, with the
// reason, where k is not from 1 to n or c not from 0 to n.
func PassAtK(n, c, k int) (*float64, string) {
	if why := badTries(n, c, k); why != "" {
		return nil, why
	}
	return ptr(1 - choose(n-c, n, k)), ""
}

// PassAllK is the chance that all of k tries of a task pass ("pass^k"), estimated without bias from
// n tries of which c passed: C(c,k)/C(n,k) (Yao and others 2024). In [0,1], equal to [PassAtK] for
// k = 1. Nil as there.
func PassAllK(n, c, k int) (*float64, string) {
	if why := badTries(n, c, k); why != "" {
		return nil, why
	}
	return ptr(choose(c, n, k)), ""
}

func badTries(n, c, k int) string {
	switch {
	case n < 1:
		return "no tries"
	case c < 0 || c > n:
		return fmt.Sprintf("%d passes of %s", c, plural2(n, "try", "tries"))
	case k < 1 || k > n:
		return fmt.Sprintf("k is %d: it must be from 1 to the %s there are", k, plural2(n, "try", "tries"))
	}
	return ""
}

func plural2(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// choose is C(a,k)/C(n,k) for a ≤ n.
func choose(a, n, k int) float64 {
	if a < k {
		return 0
	}
	p := 1.0
	for i := range k {
		p *= float64(a-i) / float64(n-i)
	}
	return p
}

// Tries is one task: how often it was tried and how often it passed.
type Tries struct{ N, Passed int }

// MeanPass is the mean of [PassAtK], or with all of [PassAllK], over tasks, with the interval of
// [Mean]; docs[i] are the documents that task i rests on. A task with fewer tries than k leaves the
// value nil: means over different tasks would not be comparable.
func MeanPass(tasks []Tries, k int, all bool, docs [][]string, opt Options) Interval {
	estimate := PassAtK
	if all {
		estimate = PassAllK
	}
	values := make([]float64, len(tasks))
	for i, t := range tasks {
		v, why := estimate(t.N, t.Passed, k)
		if v == nil {
			return Interval{Level: opt.level(), N: len(tasks), Reason: fmt.Sprintf("task %d: %s", i+1, why)}
		}
		values[i] = *v
	}
	return Mean(values, docs, opt)
}
