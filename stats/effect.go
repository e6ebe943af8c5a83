package stats

import (
	"math"
	"slices"
)

// CohenDz is the mean of paired differences in units of their standard deviation (n−1 in the
// denominator). Nil for fewer than two differences, for ones that do not vary and for values that
// are not finite.
func CohenDz(diff []float64) *float64 {
	if len(diff) < 2 || notFinite(diff) > 0 || constant(diff) {
		return nil
	}
	m, ss := meanSquares(diff)
	return finite(scaled(m, ss/float64(len(diff)-1)))
}

// HedgesG is the difference of the means of two independent groups, a − b, in units of their pooled
// standard deviation, with the small-sample factor 1 − 3/(4·df − 1), df = n₁ + n₂ − 2 (Hedges 1981).
// Nil where a group has fewer than two values, where neither varies and for values that are not
// finite.
func HedgesG(a, b []float64) *float64 {
	if len(a) < 2 || len(b) < 2 || notFinite(a) > 0 || notFinite(b) > 0 || constant(a) && constant(b) {
		return nil
	}
	ma, sa := meanSquares(a)
	mb, sb := meanSquares(b)
	df := float64(len(a) + len(b) - 2)
	return finite(scaled((ma-mb)*(1-3/(4*df-1)), (sa+sb)/df))
}

// CliffDelta is the chance that a value of a is above one of b minus the chance that it is below,
// from −1 to 1 (Cliff 1993), in O(n log n). Nil where a group is empty or a value is NaN.
func CliffDelta(a, b []float64) *float64 {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	if slices.ContainsFunc(a, math.IsNaN) || slices.ContainsFunc(b, math.IsNaN) {
		return nil
	}
	sorted := slices.Sorted(slices.Values(b))
	more := 0
	for _, x := range a {
		below, _ := slices.BinarySearch(sorted, x)
		upTo, _ := slices.BinarySearchFunc(sorted, x, func(e, x float64) int {
			if e <= x {
				return -1
			}
			return 1
		})
		more += below - (len(sorted) - upTo)
	}
	return ptr(float64(more) / float64(len(a)) / float64(len(b)))
}

// scaled divides by the root of a variance; nil where that is not finite, which would make 0 of anything.
func scaled(x, variance float64) *float64 {
	if !isFinite(variance) {
		return nil
	}
	return ptr(x / math.Sqrt(variance))
}

// meanSquares returns the mean and the sum of squares around it.
func meanSquares(v []float64) (mean, ss float64) {
	for _, x := range v {
		mean += x
	}
	mean /= float64(len(v))
	for _, x := range v {
		ss += (x - mean) * (x - mean)
	}
	return mean, ss
}

// constant says whether all values are the same; it is true of none and of one.
func constant(v []float64) bool {
	for _, x := range v {
		if x != v[0] {
			return false
		}
	}
	return true
}
