package stats

import "math"

// Range is all values that a number may stand for: a printed .34 is anything from .335 to .345. The
// functions below recompute what follows from printed numbers, as ranges: what is printed as their
// result follows where it overlaps theirs. Bounds may be infinite ("p < .001").
type Range struct{ Lo, Hi float64 }

// Rounded is the range of a number printed with the given number of decimals, half a unit of the last
// digit to both sides. Decimals below 0 are digits before the point (1,200 rounded to hundreds: −2).
func Rounded(value float64, decimals int) Range {
	half := 0.5 * math.Pow10(-decimals)
	return Range{value - half, value + half}
}

// Exactly is the range of one number, such as a count.
func Exactly(value float64) Range { return Range{value, value} }

// slack of comparisons: a hundred times the rounding of the arithmetic, far below any printed digit.
func slack(x float64) float64 {
	if math.IsInf(x, 0) {
		return 0
	}
	return 1e-11 * max(1, math.Abs(x))
}

// Meets says whether two ranges have a value in common; touching ends count.
func (r Range) Meets(o Range) bool {
	return r.Lo <= o.Hi+slack(o.Hi) && o.Lo <= r.Hi+slack(r.Hi)
}

// Overlaps says whether two ranges have more than an end in common, or are one and the same number.
func (r Range) Overlaps(o Range) bool {
	if r.Lo == r.Hi || o.Lo == o.Hi {
		return r.Meets(o)
	}
	return r.Lo < o.Hi-slack(o.Hi) && o.Lo < r.Hi-slack(r.Hi)
}

// Intersect is what two ranges have in common; false where that is nothing.
func (r Range) Intersect(o Range) (Range, bool) {
	if !r.Meets(o) {
		return Range{}, false
	}
	lo, hi := max(r.Lo, o.Lo), min(r.Hi, o.Hi)
	if lo > hi { // they touch, but for rounding
		lo, hi = hi, lo
	}
	return Range{lo, hi}, true
}

// Mid is the middle of a finite range.
func (r Range) Mid() float64 { return r.Lo + (r.Hi-r.Lo)/2 }

// Add is the range of sums.
func (r Range) Add(o Range) Range { return Range{r.Lo + o.Lo, r.Hi + o.Hi} }

// Sub is the range of differences.
func (r Range) Sub(o Range) Range { return Range{r.Lo - o.Hi, r.Hi - o.Lo} }

// Mul is the range of products.
func (r Range) Mul(o Range) Range {
	return hull(times(r.Lo, o.Lo), times(r.Lo, o.Hi), times(r.Hi, o.Lo), times(r.Hi, o.Hi))
}

// Div is the range of quotients; false where the divisor may be 0.
func (r Range) Div(o Range) (Range, bool) {
	if o.Lo <= 0 && o.Hi >= 0 {
		return Range{}, false
	}
	return r.Mul(Range{1 / o.Hi, 1 / o.Lo}), true
}

// times takes 0 times infinity as 0: a bound that is not there bounds nothing.
func times(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return a * b
}

func hull(x ...float64) Range {
	r := Range{x[0], x[0]}
	for _, v := range x[1:] {
		r.Lo, r.Hi = min(r.Lo, v), max(r.Hi, v)
	}
	return r
}

// Total is the range of the sum of parts.
func Total(parts []Range) Range {
	var sum Range
	for _, p := range parts {
		sum = sum.Add(p)
	}
	return sum
}

// WeightedSum is the range of Σ weights[i]·parts[i], of one length. A composite whose weights sum to 1
// is its own mean; for counts as weights divide by their sum.
func WeightedSum(parts []Range, weights []float64) Range {
	var sum Range
	for i, p := range parts {
		sum = sum.Add(p.Mul(Exactly(weights[i])))
	}
	return sum
}

// Spread is the range of the largest of some values minus the smallest; there must be one.
func Spread(values []Range) Range {
	most, least := values[0], values[0]
	for _, v := range values[1:] {
		most = Range{max(most.Lo, v.Lo), max(most.Hi, v.Hi)}
		least = Range{min(least.Lo, v.Lo), min(least.Hi, v.Hi)}
	}
	d := most.Sub(least)
	return Range{max(0, d.Lo), d.Hi}
}

// Counts are the whole numbers k for which k of n is a rate in the range, from the least to the
// most; false where there is none: then no count has the printed rate, and the rate is no share of n
// (Brown and Heathers 2017, the GRIM test).
func Counts(rate Range, n int) (least, most int, ok bool) {
	m := float64(n)
	lo := max(0, math.Ceil(rate.Lo*m-slack(rate.Lo*m)))
	hi := min(m, math.Floor(rate.Hi*m+slack(rate.Hi*m)))
	if n < 1 || !(lo <= hi) {
		return 0, 0, false
	}
	return int(lo), int(hi), true
}

// PrecisionCeiling is the most that precision at k can be where every question has the given mean
// number of relevant results: each adds at most 1/k, and no question passes 1.
func PrecisionCeiling(k int, relevant float64) float64 { return min(1, relevant/float64(k)) }

// WilsonBounds are the ranges of the bounds of [Wilson] for a rate in the range, cut to [0,1]; both
// bounds rise with the rate.
func WilsonBounds(rate Range, n int, level float64) (lo, hi Range) {
	a, b := Wilson(min(1, max(0, rate.Lo)), n, level), Wilson(min(1, max(0, rate.Hi)), n, level)
	if a.Lo == nil || b.Lo == nil {
		return Range{0, 1}, Range{0, 1}
	}
	return Range{*a.Lo, *b.Lo}, Range{*a.Hi, *b.Hi}
}
