package stats

import (
	"math"
	"strings"
)

// PairedComparison is all that is said of two systems on the same units.
type PairedComparison struct {
	Difference   Interval // mean of a − b, as [PairedBootstrap]
	MeanA, MeanB *float64
	Test         Test     // [DifferenceTest] of the differences
	Effect       *float64 // [CohenDz] of the differences
	// Detectable is the least true difference that as many such units show with the given power at
	// level 1 − Options.Level: [MinDetectable] with the standard error clustered by documents, or where
	// the interval is a two-way one with that of the interval. Nil, with the reason, where there is no
	// such error or it is 0.
	Detectable *float64
	Blind      string // why there is no Detectable
}

// ComparePaired compares two systems on the same units: a[i] and b[i] are of unit i, which rests on
// the documents docs[i]. Unequal lengths have no value; power must be in (0,1), else it panics.
func ComparePaired(a, b []float64, docs [][]string, power float64, opt Options) PairedComparison {
	c := PairedComparison{Difference: PairedBootstrap(a, b, docs, opt)}
	if len(a) != len(b) {
		c.Test.Reason, c.Blind = c.Difference.Reason, c.Difference.Reason
		return c
	}
	plain := opt
	plain.Replicates = 1 // the means alone
	c.MeanA, c.MeanB = Mean(a, docs, plain).Value, Mean(b, docs, plain).Value
	diff := make([]float64, len(a))
	for i := range a {
		diff[i] = a[i] - b[i]
	}
	c.Test, c.Effect = DifferenceTest(c.Difference, diff, docs, opt), CohenDz(diff)
	if c.Difference.Reason == tooExtreme {
		c.Test.Reason = tooExtreme
	}
	if len(diff) == 0 || notFinite(diff) > 0 {
		c.Blind = c.Difference.Reason
		return c
	}
	_, se := ClusteredSE(diff, Clusters(unitDocs(len(diff), docs)))
	if strings.HasPrefix(c.Difference.Method, "two-way") {
		se = ImpliedError(c.Difference)
	}
	switch {
	case se == nil:
		c.Blind = "no standard error: fewer than two clusters, or no interval"
	case *se > 0:
		c.Detectable = finite(ptr(MinDetectable(*se, 1-opt.level(), power)))
	case constant(diff) && diff[0] == 0:
		c.Blind = "all differences are 0"
	default:
		c.Blind = "the differences do not vary between clusters"
	}
	return c
}

// ImpliedError is the standard error of a normal estimate that has the given interval; nil without one.
func ImpliedError(iv Interval) *float64 {
	if iv.Lo == nil || iv.Hi == nil {
		return nil
	}
	return ptr((*iv.Hi - *iv.Lo) / (2 * zQuantile((1+iv.Level)/2)))
}

// PlanFrom estimates what a plan needs from paired differences: their standard deviation, and the
// sizes and the correlation of clusters of documents; a correlation below 0 is taken as 0. Why says
// why units are taken as independent although documents are given. Nil, with the reason, for fewer
// than two differences or ones that are not finite.
func PlanFrom(diff []float64, docs [][]string) (sd *float64, p Plan, why string) {
	switch {
	case len(diff) < 2:
		return nil, p, plural(len(diff), "difference") + ", fewer than 2"
	case notFinite(diff) > 0:
		return nil, p, "a difference is not a finite number"
	}
	_, ss := meanSquares(diff)
	if sd = finite(ptr(math.Sqrt(ss / float64(len(diff)-1)))); sd == nil {
		return nil, p, tooExtreme
	}
	if docs == nil {
		return sd, p, ""
	}
	cluster := Clusters(unitDocs(len(diff), docs))
	var sizes []float64
	for _, c := range cluster {
		if c == len(sizes) { // clusters are numbered by first appearance
			sizes = append(sizes, 0)
		}
		sizes[c]++
	}
	mean, spread := meanSquares(sizes)
	p.PerCluster, p.ClusterCV = mean, math.Sqrt(spread/float64(len(sizes)))/mean
	icc, why := ICC(diff, cluster)
	if icc != nil {
		p.ICC = max(0, *icc)
	}
	return sd, p, why
}
