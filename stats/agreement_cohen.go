package stats

import (
	"fmt"
	"math"
	"slices"
)

// CohenKappa is the agreement of two raters, a[i] and b[i] being their ratings of unit i as numbers:
// codes of categories, or, with weights, places on a scale (Cohen 1960, 1968). docs[i] are the
// documents that unit i rests on. Without docs units are independent and the interval is the
// asymptotic one of Fleiss, Cohen and Everitt 1969, cut at 1; with docs, or where opt names a
// bootstrap, it is that of [Composite]. Fewer than 10 units: no interval. Where all ratings of both are in one category the
// coefficient is nil and Observed is 1. Unequal lengths have no value.
//
// The values agree with statsmodels' cohens_kappa and scikit-learn's cohen_kappa_score.
func CohenKappa(a, b []float64, docs [][]string, w Weights, opt Options) Agreement {
	if len(a) != len(b) {
		return cohen(w, opt, unequal(len(a), len(b)))
	}
	if why := badRating(a, b); why != "" {
		return cohen(w, opt, why)
	}
	cats := categories(a, b)
	table := make([][]float64, len(cats))
	for i := range table {
		table[i] = make([]float64, len(cats))
	}
	for i := range a {
		j, _ := slices.BinarySearch(cats, a[i])
		k, _ := slices.BinarySearch(cats, b[i])
		table[j][k]++
	}
	g := kappaOf(table, cats, w, opt)
	switch {
	case docs == nil && opt.Method == Auto || g.Value == nil:
		return g
	case len(cats) > maxBootstrapCategories:
		g.Warnings = append(g.Warnings, fmt.Sprintf("%d categories: the interval takes units as independent", len(cats)))
		return g
	}
	boot := Composite(cohenParts(a, b, docs, cats, w), cohenOfMeans(cats, w), opt)
	boot.Value = g.Value
	boot.Warnings = append(g.Warnings, boot.Warnings...)
	g.Interval = boot
	return g
}

// maxBootstrapCategories bounds the parts of a bootstrap of kappa.
const maxBootstrapCategories = 64

// KappaTable is Cohen's kappa of a square table: table[i][j] units were put into category i by the
// one rater and j by the other. Categories are equally far apart. A table that is not square panics.
func KappaTable(table [][]int, w Weights, opt Options) Agreement {
	counts, cats := make([][]float64, len(table)), make([]float64, len(table))
	for i, row := range table {
		if len(row) != len(table) {
			panic(fmt.Sprintf("stats: row %d of a table of %d categories has %d counts", i+1, len(table), len(row)))
		}
		cats[i] = float64(i)
		for _, n := range row {
			if n < 0 {
				return cohen(w, opt, fmt.Sprintf("row %d has the count %d", i+1, n))
			}
			counts[i] = append(counts[i], float64(n))
		}
	}
	return kappaOf(counts, cats, w, opt)
}

func cohen(w Weights, opt Options, reason string) Agreement {
	name := "Cohen's kappa"
	if w != Unweighted {
		name += ", " + w.String()
	}
	return Agreement{Interval: Interval{Level: opt.level(), Reason: reason}, Name: name, Raters: 2}
}

// kappaOf computes the coefficient of counts[i][j], category i standing at cats[i].
func kappaOf(counts [][]float64, cats []float64, w Weights, opt Options) Agreement {
	g := cohen(w, opt, "")
	k := len(cats)
	row, col := make([]float64, k), make([]float64, k)
	n, exact := 0.0, 0.0
	for i := range counts {
		for j, c := range counts[i] {
			row[i] += c
			col[j] += c
			n += c
		}
		exact += counts[i][i]
	}
	g.N = int(n)
	if n == 0 {
		g.Reason = "no units"
		return g
	}
	top := 0.0
	for i := range row {
		if row[i]+col[i] > 0 {
			g.Categories++
		}
		top = max(top, (row[i]+col[i])/(2*n))
		row[i] /= n
		col[i] /= n
	}
	g.warnLopsided(top)
	width := cats[k-1] - cats[0]
	if w != Unweighted && !isFinite(width) {
		g.Exact, g.Reason = ptr(exact/n), tooExtreme
		return g
	}
	disagree, chance := 0.0, 0.0
	for i := range counts {
		for j, c := range counts[i] {
			d := w.distance(cats[i], cats[j], width)
			disagree += d * c / n
			chance += d * row[i] * col[j]
		}
	}
	g.Exact = ptr(exact / n)
	g.Observed, g.Expected = ptr(1-disagree), ptr(1-chance)
	if chance == 0 && g.Categories > 1 {
		g.Reason = tooExtreme
		return g.finite()
	}
	if chance == 0 {
		g.unvaried()
		return g
	}
	kappa := 1 - disagree/chance
	g.Value = &kappa
	if g.N < minUnits {
		g.Reason = fmt.Sprintf("no interval: %s, fewer than %d", plural(g.N, "unit"), minUnits)
		return g
	}
	se := cohenSE(counts, row, col, cats, w, width, n, kappa, chance)
	half := zQuantile((1+g.Level)/2) * se
	g.Lo, g.Hi = ptr(max(-1, kappa-half)), ptr(min(1, kappa+half))
	g.Method = "asymptotic (Fleiss, Cohen and Everitt 1969)"
	if se == 0 {
		g.Warnings = append(g.Warnings, "no variation between units: the interval has no width")
	}
	return g.finite()
}

// cohenSE is the asymptotic standard error with agreement weights v = 1 − distance:
// var = [Σ p (v − (v̄row + v̄col)(1−κ))² − (κ − E(1−κ))²] / ((1−E)² n).
func cohenSE(counts [][]float64, row, col, cats []float64, w Weights, width, n, kappa, chance float64) float64 {
	k := len(cats)
	ofRow, ofCol := make([]float64, k), make([]float64, k)
	for i := range cats {
		for j := range cats {
			v := 1 - w.distance(cats[i], cats[j], width)
			ofRow[i] += v * col[j]
			ofCol[j] += v * row[i]
		}
	}
	sum := 0.0
	for i := range cats {
		for j := range cats {
			v := 1 - w.distance(cats[i], cats[j], width)
			d := v - (ofRow[i]+ofCol[j])*(1-kappa)
			sum += counts[i][j] / n * d * d
		}
	}
	e := 1 - chance
	c := kappa - e*(1-kappa)
	return math.Sqrt(max(0, sum-c*c)/n) / chance
}

// cohenParts are what kappa is made of as means over units: the disagreement, then the share of each
// category for the one rater and for the other.
func cohenParts(a, b []float64, docs [][]string, cats []float64, w Weights) []Part {
	k := len(cats)
	parts := make([]Part, 1+2*k)
	for p := range parts {
		parts[p] = Part{Values: make([]float64, len(a)), Docs: unitDocs(len(a), docs), Units: unitNames(len(a))}
	}
	width := cats[k-1] - cats[0]
	for i := range a {
		j, _ := slices.BinarySearch(cats, a[i])
		l, _ := slices.BinarySearch(cats, b[i])
		parts[0].Values[i] = w.distance(a[i], b[i], width)
		parts[1+j].Values[i] = 1
		parts[1+k+l].Values[i] = 1
	}
	return parts
}

func cohenOfMeans(cats []float64, w Weights) func([]float64) float64 {
	k := len(cats)
	width := cats[k-1] - cats[0]
	return func(m []float64) float64 {
		chance := 0.0
		for i := range cats {
			for j := range cats {
				chance += w.distance(cats[i], cats[j], width) * m[1+i] * m[1+k+j]
			}
		}
		return 1 - m[0]/chance
	}
}

// unitDocs gives each unit its documents, or one of its own, so that all parts of a composite that
// measure the unit are resampled together.
func unitDocs(n int, docs [][]string) [][]string {
	out := make([][]string, n)
	for i := range out {
		if out[i] = docsOf(docs, i); len(out[i]) == 0 {
			out[i] = []string{fmt.Sprintf("\x00%d", i)}
		}
	}
	return out
}

func unitNames(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprint(i)
	}
	return out
}
