package stats

import (
	"fmt"
	"math"
)

// Disattenuate corrects a correlation for the unreliability of the two measures, r/sqrt(relX·relY)
// (Spearman 1904). The value has no interval. No value: r outside [−1,1], a reliability outside
// (0,1], or a corrected value beyond 1, which says that a reliability is too low for this r.
func Disattenuate(r, relX, relY float64) Interval {
	iv := Interval{Method: "corrected for attenuation (Spearman 1904)"}
	for _, rel := range []float64{relX, relY} {
		if !(rel > 0 && rel <= 1) {
			iv.Reason = fmt.Sprintf("reliability %g is not above 0 and at most 1", rel)
			return iv
		}
	}
	if !(r >= -1 && r <= 1) {
		iv.Reason = fmt.Sprintf("correlation %g is not from -1 to 1", r)
		return iv
	}
	v := r / math.Sqrt(relX*relY)
	if math.Abs(v) > 1 {
		iv.Reason = fmt.Sprintf("the corrected value %.3g is beyond 1: a reliability is too low for this correlation", v)
		return iv
	}
	iv.Value = &v
	return iv
}

// Reliability is that of the mean of repeats, from repeats[i][j], the value of repeat j of unit i:
// the intraclass correlation ICC(1,k) of Shrout and Fleiss 1979, 1 − MS within / MS between. Every
// unit must have the same number of repeats. Nil, with a reason, for fewer than two units or repeats,
// units that do not differ, and where units differ less than repeats do (the estimate is then
// negative).
func Reliability(repeats [][]float64) (rel *float64, reason string) {
	n := len(repeats)
	if n < 2 {
		return nil, plural(n, "unit") + ", fewer than 2"
	}
	k := len(repeats[0])
	if k < 2 {
		return nil, plural(k, "repeat") + ", fewer than 2"
	}
	means := make([]float64, n)
	within := 0.0
	for i, r := range repeats {
		if len(r) != k {
			return nil, fmt.Sprintf("unit %d has %s, unit 1 has %d", i+1, plural(len(r), "repeat"), k)
		}
		if j := notFinite(r); j > 0 {
			return nil, fmt.Sprintf("repeat %d of unit %d is not a finite number", j, i+1)
		}
		m, ss := meanSquares(r)
		means[i] = m
		within += ss
	}
	if constant(means) {
		return nil, "the units do not differ"
	}
	_, between := meanSquares(means)
	v := 1 - within/float64(n*(k-1))/(float64(k)*between/float64(n-1))
	if v <= 0 {
		return nil, "the units differ no more than the repeats do"
	}
	return &v, ""
}
