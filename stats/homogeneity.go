package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Homogeneous is what Homogeneity found.
type Homogeneous struct {
	N      int      `json:"n"`
	Mean   *float64 `json:"mean"`     // weighted by 1/se²
	Q      *float64 `json:"q"`        // Cochran's: Σ ((value − mean)/se)²
	DF     int      `json:"df"`       // N − 1
	P      *float64 `json:"p"`        // of a Q so large where sampling is all there is
	I2     *float64 `json:"i2"`       // share of the variance beyond sampling, 0 to 1
	SD     *float64 `json:"sd"`       // between the values
	Expect *float64 `json:"expected"` // what sampling alone predicts for SD: the root of the mean se²
	Reason string   `json:"reason,omitempty"`
}

// Homogeneity asks whether values of independent samples differ by more than their standard errors
// predict (Cochran 1954; I² after Higgins and Thompson 2002). It is not defined for fewer than two
// values, or where a standard error is 0 or not known.
func Homogeneity(values, se []float64) Homogeneous {
	h := Homogeneous{N: len(values), DF: len(values) - 1}
	if len(values) != len(se) || len(values) < 2 {
		h.Reason = "fewer than two values with their standard errors"
		return h
	}
	var sw, swx, s2, plain float64
	for i, x := range values {
		if !(se[i] > 0) || math.IsInf(se[i], 0) || math.IsNaN(x) {
			h.Reason = "a standard error is 0 or not known"
			return h
		}
		w := 1 / (se[i] * se[i])
		sw += w
		swx += w * x
		s2 += se[i] * se[i]
		plain += x
	}
	mean, q, ss := swx/sw, 0.0, 0.0
	plain /= float64(len(values))
	for i, x := range values {
		q += (x - mean) * (x - mean) / (se[i] * se[i])
		ss += (x - plain) * (x - plain)
	}
	df := float64(h.DF)
	p := distuv.ChiSquared{K: df}.Survival(q)
	i2 := 0.0
	if q > 0 {
		i2 = max(0, (q-df)/q)
	}
	sd, expect := math.Sqrt(ss/df), math.Sqrt(s2/float64(len(values)))
	h.Mean, h.Q, h.P, h.I2, h.SD, h.Expect = &mean, &q, &p, &i2, &sd, &expect
	return h
}
