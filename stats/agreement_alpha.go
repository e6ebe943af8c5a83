package stats

import (
	"fmt"
	"slices"
)

// Scale is what differences between ratings mean.
type Scale int

// Scales of measurement, with the squared distance of two ratings c and k.
const (
	NominalScale  Scale = iota // names: 1 where they differ
	OrdinalScale               // ranks: (ratings between them, half of those at the ends)²
	IntervalScale              // numbers: (c − k)²
	RatioScale                 // numbers with a true zero: ((c − k) / (c + k))²
)

func (s Scale) String() string {
	return [...]string{"nominal", "ordinal", "interval", "ratio"}[s]
}

// KrippendorffAlpha is the agreement of any number of raters, of whom not all need rate every unit:
// units[i] holds the ratings that unit i got, as numbers (codes of categories for [NominalScale], in
// the order of the categories for [OrdinalScale]). Units with fewer than two ratings are left out and
// counted in Unpaired. docs[i] are the documents that unit i rests on.
//
// The interval resamples clusters of units with all their ratings, percentile; there is none with
// fewer than 10 clusters. Krippendorff's own bootstrap resamples pairs of ratings instead and takes
// them as independent, which gives narrower bounds (Zapf and others 2016). Where all ratings are the
// same the coefficient is nil and Exact is 1.
//
// Source: Krippendorff 2019, chapter 12; the values agree with the Python package krippendorff.
func KrippendorffAlpha(units [][]float64, docs [][]string, scale Scale, opt Options) Agreement {
	g := Agreement{Interval: Interval{Level: opt.level()}, Name: "Krippendorff's alpha, " + scale.String()}
	if g.Reason = badRating(units...); g.Reason != "" {
		return g
	}
	if opt.Method == Percentile {
		docs = nil
	}
	d := newAlpha(units, docs, scale)
	g.N, g.Unpaired, g.Raters, g.Categories = len(d.units), len(units)-len(d.units), d.raters, len(d.domain)
	if g.N == 0 {
		g.Reason = "no unit has two ratings"
		return g
	}
	if scale == RatioScale && d.domain[0] < 0 {
		g.Reason = fmt.Sprintf("the rating %g is negative: a ratio scale has none", d.domain[0])
		return g
	}
	once := make([]float64, len(d.units))
	for i := range once {
		once[i] = 1
	}
	counts := d.counts(once)
	exact, total, top := 0.0, 0.0, 0.0
	for _, u := range d.units {
		exact += u.equalPairs() / (u.n - 1)
	}
	for _, c := range counts {
		total += c
		top = max(top, c)
	}
	g.warnLopsided(top / total)
	g.Exact = ptr(exact / total)
	observed, expected := d.disagreement(once, counts)
	if !isFinite(observed) || !isFinite(expected) || expected == 0 && len(d.domain) > 1 {
		g.Reason = tooExtreme
		return g
	}
	if scale == NominalScale {
		g.Observed, g.Expected = g.Exact, ptr(1-expected/(total*(total-1)))
	}
	if expected == 0 {
		g.unvaried()
		return g
	}
	g.Value = ptr(1 - (total-1)*observed/expected)
	if !isFinite(*g.Value) {
		return g.finite()
	}
	if g.Unpaired > 0 {
		g.Warnings = append(g.Warnings, fmt.Sprintf("%s with fewer than two ratings left out", plural(g.Unpaired, "unit")))
	}
	if g.Reason = opt.refuse(Auto, Percentile, Clustered); g.Reason != "" {
		return g
	}
	if d.clusters < minClusters {
		g.Reason = fmt.Sprintf("no interval: %s, fewer than %d", plural(d.clusters, "cluster"), minClusters)
		return g
	}
	opt.Replicates = d.replicates(opt)
	reps := resample(d, 1, opt)
	reps = slices.DeleteFunc(reps, func(x float64) bool { return !isFinite(x) })
	if lacked := opt.Replicates - len(reps); lacked > 0 {
		g.Warnings = append(g.Warnings, fmt.Sprintf("%d replicates without variation left out", lacked))
	}
	if len(reps) <= opt.Replicates/2 {
		g.Reason = "no interval: most replicates do not vary"
		return g
	}
	slices.Sort(reps)
	tail := (1 - g.Level) / 2
	g.Lo, g.Hi = ptr(Quantile(reps, tail)), ptr(Quantile(reps, 1-tail))
	g.Method = fmt.Sprintf("percentile bootstrap of units (%s, %d replicates)", plural(d.clusters, "cluster"), opt.Replicates)
	if *g.Lo == *g.Hi {
		g.Warnings = append(g.Warnings, "no variation between units: the interval has no width")
	}
	return g.finite()
}

// alpha draws replicates of Krippendorff's alpha.
type alpha struct {
	scale    Scale
	domain   []float64 // different ratings, sorted
	units    []ratings // those with two ratings or more
	member   []int     // member[i]: the cluster of units[i]
	clusters int
	raters   int
}

// ratings of one unit: how many of each value of the domain.
type ratings struct {
	value []int
	count []float64
	n     float64
	fixed float64 // its disagreement, on scales where that does not depend on other units
}

func (u ratings) equalPairs() float64 {
	s := 0.0
	for _, c := range u.count {
		s += c * (c - 1)
	}
	return s
}

// squares is n·Σ(x − mean)² over the unit's ratings, twice: the sum of (x−y)² over ordered pairs.
func (u ratings) squares(x []float64) float64 {
	if len(u.value) == 1 {
		return 0
	}
	mean, ss := 0.0, 0.0
	for i, v := range u.value {
		mean += u.count[i] * x[v]
	}
	mean /= u.n
	for i, v := range u.value {
		ss += u.count[i] * (x[v] - mean) * (x[v] - mean)
	}
	return 2 * u.n * ss
}

func ratioDistance(a, b float64) float64 {
	if a == b {
		return 0
	}
	d := (a - b) / (a + b)
	return d * d
}

func newAlpha(units [][]float64, docs [][]string, scale Scale) *alpha {
	d := &alpha{scale: scale}
	var paired [][]float64
	var rest [][]string
	for i, u := range units {
		if len(u) > 1 {
			paired, rest = append(paired, u), append(rest, docsOf(docs, i))
			d.raters = max(d.raters, len(u))
		}
	}
	d.domain = categories(paired...)
	d.member, d.clusters = components(rest)
	for _, values := range paired {
		u := ratings{n: float64(len(values))}
		for _, v := range slices.Sorted(slices.Values(values)) {
			at, _ := slices.BinarySearch(d.domain, v)
			if k := len(u.value) - 1; k >= 0 && u.value[k] == at {
				u.count[k]++
				continue
			}
			u.value, u.count = append(u.value, at), append(u.count, 1)
		}
		switch scale {
		case NominalScale:
			u.fixed = u.n*(u.n-1) - u.equalPairs()
		case IntervalScale:
			u.fixed = u.squares(d.domain)
		case RatioScale:
			for i, v := range u.value {
				for j, w := range u.value {
					u.fixed += u.count[i] * u.count[j] * ratioDistance(d.domain[v], d.domain[w])
				}
			}
		}
		d.units = append(d.units, u)
	}
	return d
}

// counts of each value over the units, unit i taken weight[i] times.
func (d *alpha) counts(weight []float64) []float64 {
	out := make([]float64, len(d.domain))
	for i, u := range d.units {
		for j, v := range u.value {
			out[v] += weight[i] * u.count[j]
		}
	}
	return out
}

// disagreement sums the squared distances over ordered pairs of ratings: inside units, each unit
// divided by its ratings but one, and over all ratings.
func (d *alpha) disagreement(weight, counts []float64) (observed, expected float64) {
	all := ratings{}
	for v, c := range counts {
		if c > 0 {
			all.value, all.count = append(all.value, v), append(all.count, c)
			all.n += c
		}
	}
	x := d.domain
	switch d.scale {
	case NominalScale:
		expected = all.n*(all.n-1) - all.equalPairs()
	case OrdinalScale:
		x = middles(counts)
		expected = all.squares(x)
	case IntervalScale:
		expected = all.squares(x)
	case RatioScale:
		for i, v := range all.value {
			for j := range i {
				expected += 2 * all.count[i] * all.count[j] * ratioDistance(x[v], x[all.value[j]])
			}
		}
	}
	for i, u := range d.units {
		if weight[i] == 0 {
			continue
		}
		within := u.fixed
		if d.scale == OrdinalScale {
			within = u.squares(x)
		}
		observed += weight[i] * within / (u.n - 1)
	}
	return observed, expected
}

// middles are the places of the categories on the ordinal scale: ratings below, and half of its own.
func middles(counts []float64) []float64 {
	out := make([]float64, len(counts))
	below := 0.0
	for v, c := range counts {
		out[v] = below + c/2
		below += c
	}
	return out
}

// replicates caps those of the ratio scale, whose expected disagreement takes the square of the
// number of different ratings.
func (d *alpha) replicates(opt Options) int {
	n := opt.replicates()
	if k := len(d.domain); d.scale == RatioScale && k > 0 {
		n = min(n, max(1000, 2_000_000_000/(k*k)))
	}
	return n
}

func (d *alpha) scratch() any { return make([]float64, d.clusters+len(d.units)) }

func (d *alpha) draw(rng *source, scratch any, out []float64) bool {
	s := scratch.([]float64)
	times, weight := s[:d.clusters], s[d.clusters:]
	clear(times)
	for range d.clusters {
		times[rng.below(d.clusters)]++
	}
	for i, c := range d.member {
		weight[i] = times[c]
	}
	counts := d.counts(weight)
	total := 0.0
	for _, c := range counts {
		total += c
	}
	observed, expected := d.disagreement(weight, counts)
	if expected == 0 {
		return false
	}
	out[0] = 1 - (total-1)*observed/expected
	return true
}
