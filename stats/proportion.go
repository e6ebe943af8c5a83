package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// ClopperPearson returns the exact interval of a share, k successes of n independent units (Clopper
// and Pearson 1934): it covers at least level, usually more. k outside [0,n] or n < 1 has none.
func ClopperPearson(k, n int, level float64) Interval {
	iv := Interval{Level: Options{Level: level}.level(), N: n, Method: "clopper-pearson"}
	if iv.Reason = noShare(k, n); iv.Reason != "" {
		return iv
	}
	tail := (1 - iv.Level) / 2
	lo, hi := 0.0, 1.0
	if k > 0 {
		lo = distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.Quantile(tail)
	}
	if k < n {
		hi = distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.Quantile(1 - tail)
	}
	iv.Value, iv.Lo, iv.Hi = ptr(float64(k)/float64(n)), ptr(lo), ptr(hi)
	return iv
}

func noShare(k, n int) string {
	switch {
	case n < 1:
		return "no units"
	case k < 0 || k > n:
		return fmt.Sprintf("%d of %d is not a share from 0 to 1", k, n)
	}
	return ""
}

// Newcombe returns the interval of the difference of two independent shares, k1/n1 − k2/n2, made of
// Wilson's intervals of the two (Newcombe 1998, method 10 of the independent case). N is n1 + n2.
func Newcombe(k1, n1, k2, n2 int, level float64) Interval {
	return hybrid(k1, n1, k2, n2, 0, Interval{Level: Options{Level: level}.level(), N: n1 + n2, Method: "newcombe (hybrid of wilson intervals)"})
}

// NewcombePaired returns the interval of the difference of two shares of the same n units, of which
// both succeeded for `both`, only the first for `first`, only the second for `second` and none for
// `neither` (Newcombe 1998, method 10 of the paired case: the correlation of the two, φ, corrected
// for continuity where it is positive, enters Wilson's hybrid).
func NewcombePaired(both, first, second, neither int, level float64) Interval {
	n := both + first + second + neither
	iv := Interval{Level: Options{Level: level}.level(), N: n, Method: "newcombe paired (hybrid of wilson intervals with φ)"}
	if min(both, first, second, neither) < 0 {
		iv.Reason = "a count is negative"
		return iv
	}
	a, b, c, d := float64(both), float64(first), float64(second), float64(neither)
	phi := 0.0
	if root := math.Sqrt((a + b) * (c + d) * (a + c) * (b + d)); root > 0 {
		cross := a*d - b*c
		if cross > 0 {
			cross = max(cross-float64(n)/2, 0)
		}
		phi = cross / root
	}
	return hybrid(both+first, n, both+second, n, phi, iv)
}

// hybrid fills an interval of k1/n1 − k2/n2 from the distances of the two shares to their Wilson
// bounds, joined as the sides of a triangle with correlation phi.
func hybrid(k1, n1, k2, n2 int, phi float64, iv Interval) Interval {
	for i, reason := range []string{noShare(k1, n1), noShare(k2, n2)} {
		if reason != "" {
			iv.Reason = fmt.Sprintf("share %d: %s", i+1, reason)
			return iv
		}
	}
	a, b := WilsonCount(k1, n1, iv.Level), WilsonCount(k2, n2, iv.Level)
	span := func(x, y float64) float64 { return math.Sqrt(max(0, x*x-2*phi*x*y+y*y)) }
	diff := *a.Value - *b.Value
	iv.Value = ptr(diff)
	iv.Lo = ptr(max(-1, diff-span(*a.Value-*a.Lo, *b.Hi-*b.Value)))
	iv.Hi = ptr(min(1, diff+span(*a.Hi-*a.Value, *b.Value-*b.Lo)))
	return iv
}
