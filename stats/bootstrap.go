package stats

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Part is one component of a composite: its values, and for each the documents it rests on. Units
// optionally names each value's unit (a question): parts that measure the same unit are then
// resampled together in the two-way bootstrap. Without it the parts' units are taken as different.
type Part struct {
	Values []float64
	Docs   [][]string
	Units  []string
}

// Mean is the mean of values with a percentile bootstrap interval clustered by the connected
// components of documents that share a unit. docs[i] are the documents that values[i] rests on;
// nil docs means that all units are independent.
//
// With fewer than 10 components, or one that holds more than 20 % of the units, documents and units
// are resampled independently and a unit's weight is the product of its own count and that of its
// document (the pigeonhole bootstrap, Owen 2007), of several documents 1 + Σ(count − 1); Method says so.
// This errs on the wide side: in made cases it holds the truth in 95 % or more. With fewer than 10 units
// there is a value and no interval. No values: nil and a reason.
// Options.Method chooses another interval, [Fisher] excepted.
func Mean(values []float64, docs [][]string, opt Options) Interval {
	if opt.Method == StudentT {
		return meanT(values, docs, opt).finite()
	}
	return Composite([]Part{{Values: values, Docs: docs}}, func(m []float64) float64 { return m[0] }, opt)
}

// Means is [Mean] for several systems measured on the same units: systems[s][i] is the value of
// system s on unit i. A replicate draws the units once for all systems, so that it costs little more
// than one Mean; the results are those of one Mean each. Systems of unequal length have no value.
func Means(systems [][]float64, docs [][]string, opt Options) []Interval {
	out := make([]Interval, len(systems))
	var parts []Part
	var names []string
	var own [][]string
	for s, values := range systems {
		if len(values) != len(systems[0]) {
			for i := range out {
				out[i] = Interval{Level: opt.level(), Reason: fmt.Sprintf("system %d has %d values, system 1 has %d", s+1, len(values), len(systems[0]))}
			}
			return out
		}
		if opt.Method == StudentT || len(values) == 0 || notFinite(values) > 0 { // nothing to share
			out[s] = Mean(values, docs, opt)
			continue
		}
		if names == nil {
			for i := range values {
				names = append(names, strconv.Itoa(i))
				if ds := docsOf(docs, i); len(ds) > 0 {
					own = append(own, ds)
				} else {
					own = append(own, []string{"\x00" + names[i]})
				}
			}
		}
		parts = append(parts, Part{values, own, names})
	}
	var fs []func([]float64) float64
	for p := range parts {
		fs = append(fs, func(m []float64) float64 { return m[p] })
	}
	ivs := composites(parts, fs, opt)
	for s, values := range systems {
		if out[s].Level == 0 {
			out[s], ivs = ivs[0], ivs[1:]
			out[s].N = len(values)
		}
	}
	return out
}

// PairedBootstrap is the mean of the differences a[i] − b[i] of two systems on the same units, with
// the interval that [Mean] gives to the differences. Unequal lengths have no value.
func PairedBootstrap(a, b []float64, docs [][]string, opt Options) Interval {
	if len(a) != len(b) {
		return Interval{Level: opt.level(), Reason: unequal(len(a), len(b))}
	}
	diff := make([]float64, len(a))
	for i := range a {
		diff[i] = a[i] - b[i]
		if isFinite(a[i]) && isFinite(b[i]) && !isFinite(diff[i]) {
			return Interval{Level: opt.level(), N: len(a), Reason: tooExtreme}
		}
	}
	return Mean(diff, docs, opt)
}

func unequal(a, b int) string {
	return fmt.Sprintf("the two lists have %d and %d values: give one of each for every unit", a, b)
}

// Composite is f of the parts' means with an interval over all their units: parts may have
// different units, and clusters are shared through the documents, so that a replicate draws a
// document's parse quality and the answers about it together. f gets the means in the order of
// parts and must be pure; a part without values makes the composite undefined. N is the largest
// number of units of a part; where the least has fewer than 10 there is a value and no interval. See
// [Mean] for the method.
func Composite(parts []Part, f func(means []float64) float64, opt Options) Interval {
	return composites(parts, []func([]float64) float64{f}, opt)[0]
}

// composites gives one interval for each of fs, all from the same replicates.
func composites(parts []Part, fs []func([]float64) float64, opt Options) []Interval {
	out := make([]Interval, len(fs))
	base, means, least := measure(parts, opt)
	live := 0
	for i, f := range fs {
		iv := base
		if iv.Reason == "" {
			value := f(slices.Clone(means))
			if slices.ContainsFunc(means, func(m float64) bool { return !isFinite(m) }) {
				iv.Reason = tooExtreme
			} else if !isFinite(value) {
				iv.Reason = "the composite of these means is not a number"
			} else {
				iv.Value = &value
				iv.Reason = opt.refuse(Auto, Percentile, Clustered, TwoWay, BCa)
				switch {
				case iv.N < minUnits:
					iv.Reason = fmt.Sprintf("no interval: %s, fewer than %d", plural(iv.N, "unit"), minUnits)
				case least < minUnits: // its uncertainty cannot be said, and the composite's is no less
					iv.Reason = fmt.Sprintf("no interval: a part has %s, fewer than %d", plural(least, "unit"), minUnits)
				case iv.Reason == "":
					live++
				}
			}
		}
		out[i] = iv
	}
	if live == 0 {
		return out
	}
	draw, method, warning := design(parts, opt)
	reps := resample(draw, len(parts), opt)
	for i := range out {
		if out[i].Reason == "" {
			out[i].Method = method
			if warning != "" {
				out[i].Warnings = append(out[i].Warnings, warning)
			}
			bound(&out[i], draw, reps, len(parts), fs[i], opt)
			out[i] = out[i].finite()
		}
	}
	return out
}

// measure takes the means of the parts and counts units; Reason says why there are none.
func measure(parts []Part, opt Options) (iv Interval, means []float64, least int) {
	iv = Interval{Level: opt.level()}
	means = make([]float64, len(parts))
	least = math.MaxInt
	if len(parts) == 0 {
		iv.Reason = "no parts"
	}
	for i, p := range parts {
		if len(p.Values) == 0 {
			iv.Reason = "no values"
			if len(parts) > 1 {
				iv.Reason = fmt.Sprintf("part %d of %d has no values", i+1, len(parts))
			}
			return iv, nil, 0
		}
		if j := notFinite(p.Values); j > 0 {
			iv.Reason = fmt.Sprintf("value %d is not a finite number", j)
			return iv, nil, 0
		}
		for _, v := range p.Values {
			means[i] += v
		}
		means[i] /= float64(len(p.Values))
		iv.N = max(iv.N, len(p.Values))
		least = min(least, len(p.Values))
	}
	return iv, means, least
}

// design chooses how the parts are resampled, and how that is called.
func design(parts []Part, opt Options) (d drawer, method, warning string) {
	var docs [][]string
	for _, p := range parts {
		for j := range p.Values {
			if opt.Method == Percentile {
				docs = append(docs, nil)
			} else {
				docs = append(docs, docsOf(p.Docs, j))
			}
		}
	}
	comp, n := components(docs)
	largest := largestShare(comp, n)
	if opt.twoWay(n, largest) {
		return newTwoWay(parts), opt.describe(n, largest, named(docs)), ""
	}
	if opt.Method == Percentile && len(parts) > 1 {
		comp, n = sameUnits(parts, comp, n)
	}
	return newClustered(parts, comp, n), opt.describe(n, largest, named(docs)), opt.doubt(n, largest)
}

// sameUnits joins the values of units that carry one name in several parts.
func sameUnits(parts []Part, comp []int, n int) ([]int, int) {
	var units [][]string
	for _, p := range parts {
		for j := range p.Values {
			if j < len(p.Units) {
				units = append(units, []string{p.Units[j]})
			} else {
				units = append(units, nil)
			}
		}
	}
	if len(units) == 0 {
		return comp, n
	}
	return components(units)
}

// twoWay says whether documents and units are resampled independently.
func (o Options) twoWay(clusters int, largest float64) bool {
	return o.Method == TwoWay || o.Method == Auto && (clusters < minClusters || largest > maxShare)
}

// named says whether any unit rests on a document that a caller named: units without are given one of
// their own, whose name begins with a NUL byte.
func named(docs [][]string) bool {
	return slices.ContainsFunc(docs, func(ds []string) bool {
		return slices.ContainsFunc(ds, func(d string) bool { return !strings.HasPrefix(d, "\x00") })
	})
}

// describe puts the resampling into words for Interval.Method; documents says whether there are any.
func (o Options) describe(clusters int, largest float64, documents bool) string {
	switch {
	case o.twoWay(clusters, largest):
		return fmt.Sprintf("two-way document x query bootstrap (%s, the largest holds %.0f %% of the units; %d replicates)",
			plural(clusters, "cluster"), 100*largest, o.replicates())
	case o.Method == BCa && !documents:
		return fmt.Sprintf("BCa bootstrap of independent units (%s, %d replicates)", plural(clusters, "unit"), o.replicates())
	case o.Method == BCa:
		return fmt.Sprintf("BCa bootstrap clustered by documents (%s, %d replicates)", plural(clusters, "cluster"), o.replicates())
	case o.Method == Percentile || !documents:
		return fmt.Sprintf("percentile bootstrap of independent units (%s, %d replicates)", plural(clusters, "unit"), o.replicates())
	}
	return fmt.Sprintf("percentile bootstrap clustered by documents (%s, %d replicates)", plural(clusters, "cluster"), o.replicates())
}

// doubt warns where whole clusters are resampled though there are few, or one is large.
func (o Options) doubt(clusters int, largest float64) string {
	if o.Method == Percentile || clusters >= minClusters && largest <= maxShare {
		return ""
	}
	return fmt.Sprintf("%s, the largest with %.0f %% of the units: the interval is too narrow", plural(clusters, "cluster"), 100*largest)
}

// bound fills Lo and Hi from the replicates of the means, width of them to each.
func bound(iv *Interval, draw drawer, means []float64, width int, f func([]float64) float64, opt Options) {
	reps := make([]float64, 0, len(means)/width)
	for at := 0; at < len(means); at += width {
		if math.IsNaN(means[at]) {
			continue
		}
		if x := f(means[at : at+width : at+width]); !math.IsNaN(x) && !math.IsInf(x, 0) {
			reps = append(reps, x)
		}
	}
	var jackknife func() []float64
	if c, ok := draw.(*clustered); ok && opt.Method == BCa {
		jackknife = func() []float64 { return c.jackknife(f) }
	}
	iv.fill(reps, jackknife, "lacked a part", "lack a part", opt)
}

// fill puts the bounds of replicates into an interval whose Value is set: percentiles, or BCa where
// a jackknife is given. Too many undefined replicates leave a reason.
func (iv *Interval) fill(reps []float64, jackknife func() []float64, lacked, lack string, opt Options) {
	dropped := opt.replicates() - len(reps)
	if len(reps) < opt.replicates()/2+1 {
		iv.Reason = "no interval: most replicates " + lack
		iv.Method = ""
		return
	}
	if dropped > 0 {
		iv.Warnings = append(iv.Warnings, fmt.Sprintf("%d replicates %s", dropped, lacked))
	}
	tail := (1 - iv.Level) / 2
	low, high := tail, 1-tail
	if jackknife != nil {
		var err error
		if low, high, err = bca(*iv.Value, reps, jackknife(), tail); err != nil {
			iv.Warnings = append(iv.Warnings, err.Error()+": percentiles instead of BCa")
			low, high = tail, 1-tail
		}
	}
	iv.Lo, iv.Hi = ptr(quantileOf(reps, low)), ptr(quantileOf(reps, high))
	if constant(reps) {
		iv.Warnings = append(iv.Warnings, "no variation between units: the interval has no width")
	}
}

func largestShare(comp []int, n int) float64 {
	size := make([]int, n)
	most := 0
	for _, c := range comp {
		size[c]++
		most = max(most, size[c])
	}
	return float64(most) / float64(len(comp))
}
