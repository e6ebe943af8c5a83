package stats

import (
	"fmt"
	"math"
)

// Wilson returns the score interval of a share of n independent units (Wilson 1927). It takes the
// rate and not only a count, because published tables give rates that belong to no whole count
// (EnterpriseDocBench table 3: 28.1 % of 35). A rate outside [0,1] or n < 1 has no interval.
func Wilson(rate float64, n int, level float64) Interval {
	level = Options{Level: level}.level()
	iv := Interval{Level: level, N: n, Method: "wilson"}
	switch {
	case n < 1:
		iv.Reason = "no units"
		return iv
	case math.IsNaN(rate) || rate < 0 || rate > 1:
		iv.Reason = fmt.Sprintf("rate %g is not a share from 0 to 1", rate)
		return iv
	}
	z := math.Sqrt2 * math.Erfinv(level)
	m := float64(n)
	z2 := z * z
	center := (rate + z2/(2*m)) / (1 + z2/m)
	half := z / (1 + z2/m) * math.Sqrt(rate*(1-rate)/m+z2/(4*m*m))
	lo, hi := center-half, center+half
	if rate == 0 || lo < 0 {
		lo = 0
	}
	if rate == 1 || hi > 1 {
		hi = 1
	}
	iv.Value, iv.Lo, iv.Hi = ptr(rate), ptr(lo), ptr(hi)
	return iv
}

// WilsonCount is Wilson for k successes of n.
func WilsonCount(k, n int, level float64) Interval {
	if n < 1 {
		return Wilson(0, n, level)
	}
	return Wilson(float64(k)/float64(n), n, level)
}
