package stats

import (
	"fmt"
	"math"
)

// Powered is a mean that rests on few human labels and many labels by a program: the program's mean
// over all units, corrected by how far it is off where both are known.
type Powered struct {
	Interval
	Lambda     float64  // weight of the program's labels, from 0 (not used) to 1
	Labels     Interval // the mean of the human labels alone, same kind of interval
	Labelled   int
	Unlabelled int
}

// PoweredMean is the prediction-powered mean (Angelopoulos, Duchi and Zrnic 2023, "PPI++"):
//
//	mean(human − λ·program) over the labelled + λ · mean(program) over the unlabelled
//
// human[i] and program[i] are the labels of labelled unit i, rest those that the program gave to the
// unlabelled ones; the labelled must be a random sample. λ is the value in [0,1] that makes the
// variance least. The interval is normal; without documents it is that of the Python package
// ppi-python. docs and restDocs name the documents that units rest on: standard errors are then
// robust to clusters. Fewer than 10 labels, or 10 clusters: no interval. Unequal lengths, no units
// and values that are not finite have no value.
func PoweredMean(human, program, rest []float64, docs, restDocs [][]string, opt Options) Powered {
	p := Powered{Labelled: len(human), Unlabelled: len(rest)}
	p.Interval = Interval{Level: opt.level(), N: len(human) + len(rest)}
	switch {
	case len(human) != len(program):
		p.Reason = unequal(len(human), len(program))
	case len(human) == 0:
		p.Reason = "no human labels"
	case len(rest) == 0:
		p.Reason = "no unlabelled units"
	case notFinite(human)+notFinite(program)+notFinite(rest) > 0:
		p.Reason = "a label is not a finite number"
	}
	if p.Reason != "" {
		p.Labels = p.Interval
		return p
	}
	n, m := float64(len(human)), float64(len(rest))
	p.Lambda = bestLambda(human, program, rest)
	off := make([]float64, len(human)) // what the program's labels do not explain
	for i := range human {
		off[i] = human[i] - p.Lambda*program[i]
	}
	meanOff, ssOff := meanSquares(off)
	meanRest, ssRest := meanSquares(rest)
	meanHuman, ssHuman := meanSquares(human)
	p.Value = ptr(meanOff + p.Lambda*meanRest)
	p.Labels = Interval{Value: ptr(meanHuman), Level: p.Level, N: len(human)}
	se := math.Sqrt(ssOff/n/n + p.Lambda*p.Lambda*ssRest/m/m)
	seHuman := math.Sqrt(ssHuman / n / n)
	p.Method, p.Labels.Method = "prediction-powered, normal", "normal"
	if docs != nil || restDocs != nil {
		var all [][]string
		var push []float64 // each unit's share in the error of the estimate
		for i := range human {
			all, push = append(all, docsOf(docs, i)), append(push, (off[i]-meanOff)/n)
		}
		for i := range rest {
			all, push = append(all, docsOf(restDocs, i)), append(push, p.Lambda*(rest[i]-meanRest)/m)
		}
		comp, k := components(all)
		labelled, kLabelled := components(all[:len(human)])
		for i := range human {
			off[i] = (human[i] - meanHuman) / n
		}
		if kLabelled < minClusters {
			p.Reason = fmt.Sprintf("no interval: labels of %s, fewer than %d", plural(kLabelled, "cluster"), minClusters)
		}
		se, seHuman = clusterError(push, comp, k), clusterError(off, labelled, kLabelled)
		by := " with errors clustered by documents (" + plural(k, "cluster") + ")"
		p.Method, p.Labels.Method = p.Method+by, p.Labels.Method+" with errors clustered by documents"
	}
	if len(human) < minUnits {
		p.Reason = fmt.Sprintf("no interval: %s, fewer than %d", plural(len(human), "human label"), minUnits)
	}
	if p.Labels.Reason = p.Reason; p.Reason != "" {
		p.Method, p.Labels.Method = "", ""
		return p
	}
	z := zQuantile((1 + p.Level) / 2)
	p.Lo, p.Hi = ptr(*p.Value-z*se), ptr(*p.Value+z*se)
	p.Labels.Lo, p.Labels.Hi = ptr(meanHuman-z*seHuman), ptr(meanHuman+z*seHuman)
	if p.Lambda == 0 {
		p.Warnings = append(p.Warnings, "the program's labels do not follow the human ones: they are not used")
	}
	return p
}

// bestLambda is cov(human, program) / ((1 + n/N)·var(program)), cut to [0,1]; the variance is over
// labelled and unlabelled units. 0 where the program's labels do not vary.
func bestLambda(human, program, rest []float64) float64 {
	meanHuman, _ := meanSquares(human)
	meanProgram, _ := meanSquares(program)
	cov := 0.0
	for i := range human {
		cov += (human[i] - meanHuman) * (program[i] - meanProgram)
	}
	n, m := float64(len(human)), float64(len(rest))
	_, ss := meanSquares(append(append([]float64(nil), program...), rest...))
	variance := ss / (n + m - 1)
	if variance == 0 {
		return 0
	}
	return min(1, max(0, cov/n/((1+n/m)*variance)))
}

// clusterError is the root of the sum of squares of the clusters' sums, times k/(k−1).
func clusterError(push []float64, comp []int, k int) float64 {
	sums := make([]float64, k)
	for i, x := range push {
		sums[comp[i]] += x
	}
	ss := 0.0
	for _, s := range sums {
		ss += s * s
	}
	if k < 2 {
		return 0
	}
	return math.Sqrt(ss * float64(k) / float64(k-1))
}
