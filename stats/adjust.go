package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Adjust corrects p values for the number of tests: "bonferroni" and "holm" (Holm 1979) bound the
// chance of one false discovery, "bh" (Benjamini and Hochberg 1995) the expected share of false
// ones, "none" leaves them. A nil stays nil and does not count as a test. The order is kept. An
// unknown method or a p outside [0,1] is an error.
func Adjust(p []*float64, method string) ([]*float64, error) {
	out := make([]*float64, len(p))
	var order []int // of the tests that have a p, smallest first
	for i, v := range p {
		if v == nil {
			continue
		}
		if !(*v >= 0 && *v <= 1) {
			return nil, fmt.Errorf("p value %d is %g: give values from 0 to 1", i+1, *v)
		}
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(*p[i], *p[j]) })
	m := float64(len(order))
	switch method {
	case "none":
		for _, i := range order {
			out[i] = ptr(*p[i])
		}
	case "bonferroni":
		for _, i := range order {
			out[i] = ptr(min(1, m**p[i]))
		}
	case "holm":
		least := 0.0
		for k, i := range order {
			least = max(least, min(1, (m-float64(k))**p[i]))
			out[i] = ptr(least)
		}
	case "bh":
		most := 1.0
		for k, i := range slices.Backward(order) {
			most = min(most, m/float64(k+1)**p[i])
			out[i] = ptr(most)
		}
	default:
		return nil, fmt.Errorf("correction %q is not known: use bonferroni, holm, bh or none", method)
	}
	return out, nil
}

// notFinite returns the 1-based place of the first value that is NaN or infinite, 0 for none.
func notFinite(values []float64) int {
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return i + 1
		}
	}
	return 0
}
