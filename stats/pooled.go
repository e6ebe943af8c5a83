package stats

import "fmt"

// Pooled is the mean of values that count by their weights, Σ w·v / Σ w, with the interval of
// [Composite]: replicates draw values and weights together. No weights, or weights of 1 alone, is
// [Mean]. Weights are above 0; unequal lengths have no value. units names what is measured, as in
// [Part].
func Pooled(values, weights []float64, docs [][]string, units []string, opt Options) Interval {
	plain := true
	for _, w := range weights {
		plain = plain && w == 1
	}
	switch {
	case plain:
		return Mean(values, docs, opt)
	case len(values) != len(weights):
		return Interval{Level: opt.level(), Reason: fmt.Sprintf("%d values have %d weights: give one of each for every unit", len(values), len(weights))}
	}
	product := make([]float64, len(values))
	for i, v := range values {
		product[i] = v * weights[i]
	}
	return Composite([]Part{{product, docs, units}, {weights, docs, units}}, func(m []float64) float64 { return m[0] / m[1] }, opt)
}
