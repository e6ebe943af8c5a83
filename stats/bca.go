package stats

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// bca returns the two shares of the replicates that bound a value by the bias-corrected and
// accelerated bootstrap (Efron 1987): bias from the share of replicates below the value, ties
// halved, acceleration from the values without one cluster each. tail is half of 1 − level.
func bca(value float64, reps, jackknife []float64, tail float64) (low, high float64, err error) {
	below := 0.0
	for _, x := range reps {
		switch {
		case x < value:
			below++
		case x == value:
			below += .5
		}
	}
	share := below / float64(len(reps))
	if share <= 0 || share >= 1 {
		return 0, 0, errors.New("all replicates lie on one side of the value")
	}
	mean, ss := meanSquares(jackknife)
	cube := 0.0
	for _, x := range jackknife {
		cube += (mean - x) * (mean - x) * (mean - x)
	}
	if len(jackknife) < 2 || ss == 0 {
		return 0, 0, errors.New("no cluster changes the value")
	}
	acceleration := cube / (6 * math.Pow(ss, 1.5))
	z0 := distuv.UnitNormal.Quantile(share)
	at := func(q float64) float64 {
		z := z0 + distuv.UnitNormal.Quantile(q)
		return distuv.UnitNormal.CDF(z0 + z/(1-acceleration*z))
	}
	return at(tail), at(1 - tail), nil
}

// meanT is the mean with Student's interval: the standard error robust to clusters, one degree of
// freedom fewer than clusters.
func meanT(values []float64, docs [][]string, opt Options) Interval {
	iv, means, _ := measure([]Part{{Values: values}}, opt)
	if iv.Reason != "" {
		return iv
	}
	iv.Value = &means[0]
	comp, n := components(perUnit(docs, len(values)))
	_, se := ClusteredSE(values, comp)
	if se == nil {
		iv.Reason = "no interval: one cluster"
		if n > 1 {
			iv.Reason = "no interval: " + tooExtreme
		}
		return iv
	}
	iv.Method = "t interval with the standard error clustered by documents (" + plural(n, "cluster") + ")"
	if !named(docs) {
		iv.Method = "t interval of independent units (" + plural(n, "unit") + ")"
	}
	half := *se * distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.Quantile((1+iv.Level)/2)
	iv.Lo, iv.Hi = ptr(means[0]-half), ptr(means[0]+half)
	if *se == 0 {
		iv.Warnings = append(iv.Warnings, "no variation between units: the interval has no width")
	}
	return iv
}
