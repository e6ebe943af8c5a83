package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
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
// are resampled independently and a unit's weight is the product of its own count and the mean
// count of its documents (the pigeonhole bootstrap, Owen 2007), which errs on the wide side; Method
// says so. With fewer than 10 units there is a value and no interval. No values: nil and a reason.
func Mean(values []float64, docs [][]string, opt Options) Interval {
	return Composite([]Part{{Values: values, Docs: docs}}, func(m []float64) float64 { return m[0] }, opt)
}

// Composite is f of the parts' means with an interval over all their units: parts may have
// different units, and clusters are shared through the documents, so that a replicate draws a
// document's parse quality and the answers about it together. f gets the means in the order of
// parts and must be pure; a part without values makes the composite undefined. N is the largest
// number of units of a part. See [Mean] for the method.
func Composite(parts []Part, f func(means []float64) float64, opt Options) Interval {
	iv := Interval{Level: opt.level()}
	means := make([]float64, len(parts))
	least := math.MaxInt
	var docs [][]string
	for i, p := range parts {
		if len(p.Values) == 0 {
			iv.Reason = "no values"
			if len(parts) > 1 {
				iv.Reason = fmt.Sprintf("part %d of %d has no values", i+1, len(parts))
			}
			return iv
		}
		for j, v := range p.Values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				iv.Reason = fmt.Sprintf("value %d is not a finite number", j+1)
				return iv
			}
			means[i] += v
		}
		means[i] /= float64(len(p.Values))
		iv.N = max(iv.N, len(p.Values))
		least = min(least, len(p.Values))
		for j := range p.Values {
			if j < len(p.Docs) {
				docs = append(docs, p.Docs[j])
			} else {
				docs = append(docs, nil)
			}
		}
	}
	if len(parts) == 0 {
		iv.Reason = "no parts"
		return iv
	}
	value := f(slices.Clone(means))
	if math.IsNaN(value) || math.IsInf(value, 0) {
		iv.Reason = "the composite of these means is not a number"
		return iv
	}
	iv.Value = &value
	if iv.N < minUnits {
		iv.Reason = fmt.Sprintf("no interval: %d units, fewer than %d", iv.N, minUnits)
		return iv
	}
	if least < minUnits {
		iv.Warnings = append(iv.Warnings, fmt.Sprintf("a part has only %d units", least))
	}
	comp, n := components(docs)
	largest := largestShare(comp, n)
	var draw drawer
	if n >= minClusters && largest <= maxShare {
		draw = newClustered(parts, comp, n)
		iv.Method = fmt.Sprintf("percentile bootstrap clustered by documents (%d clusters, %d replicates)", n, opt.replicates())
	} else {
		draw = newTwoWay(parts, docs)
		iv.Method = fmt.Sprintf("two-way document x query bootstrap (%d clusters, the largest holds %.0f %% of the units; %d replicates)",
			n, 100*largest, opt.replicates())
	}
	reps, dropped := replicate(draw, f, len(parts), opt)
	if len(reps) < opt.replicates()/2+1 {
		iv.Reason = "no interval: most replicates lack a part"
		iv.Method = ""
		return iv
	}
	if dropped > 0 {
		iv.Warnings = append(iv.Warnings, fmt.Sprintf("%d replicates lacked a part", dropped))
	}
	slices.Sort(reps)
	tail := (1 - iv.Level) / 2
	iv.Lo, iv.Hi = ptr(Quantile(reps, tail)), ptr(Quantile(reps, 1-tail))
	if reps[0] == reps[len(reps)-1] {
		iv.Warnings = append(iv.Warnings, "no variation between units: the interval has no width")
	}
	return iv
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

// Quantile returns the q-quantile of sorted values, linearly interpolated between order statistics
// (type 7 of Hyndman and Fan 1996). The slice must not be empty.
func Quantile(sorted []float64, q float64) float64 {
	h := q * float64(len(sorted)-1)
	i := min(max(int(h), 0), len(sorted)-1)
	j := min(i+1, len(sorted)-1)
	return sorted[i] + (h-float64(i))*(sorted[j]-sorted[i])
}

// A drawer makes one replicate: it fills means from random numbers and reports false where a part
// came out empty. scratch is this goroutine's own.
type drawer interface {
	scratch() any
	draw(rng *source, scratch any, means []float64) bool
}

// source deals out bounded random numbers, two to each 64-bit number of a PCG.
type source struct {
	pcg  *rand.PCG
	left uint64
	have bool
}

func (s *source) below(n int) int {
	var x uint64
	if s.have {
		x, s.have = s.left>>32, false
	} else {
		s.left = s.pcg.Uint64()
		x, s.have = s.left&(1<<32-1), true
	}
	return int(x * uint64(n) >> 32)
}

// replicate runs all replicates on all cores. Replicate r has its own generator, seeded by (seed, r).
func replicate(d drawer, f func([]float64) float64, parts int, opt Options) (reps []float64, dropped int) {
	n := opt.replicates()
	all := make([]float64, n)
	workers := min(runtime.GOMAXPROCS(0), n)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			scratch, means := d.scratch(), make([]float64, parts)
			pcg := rand.NewPCG(0, 0)
			for r := w * n / workers; r < (w+1)*n/workers; r++ {
				pcg.Seed(opt.Seed, uint64(r)+0x9e3779b97f4a7c15)
				s := source{pcg: pcg}
				all[r] = math.NaN()
				if d.draw(&s, scratch, means) {
					all[r] = f(means)
				}
			}
		})
	}
	wg.Wait()
	for _, x := range all {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			dropped++
			continue
		}
		reps = append(reps, x)
	}
	return reps, dropped
}

// clustered resamples components. One record holds a component's sums and counts of all parts
// side by side, so that a draw is one load.
type clustered struct {
	n, parts int
	rec      []float64 // rec[(c*parts+p)*2]: sum, then count
}

func newClustered(parts []Part, comp []int, n int) *clustered {
	d := &clustered{n: n, parts: len(parts), rec: make([]float64, 2*n*len(parts))}
	i := 0
	for p, part := range parts {
		for _, v := range part.Values {
			at := (comp[i]*len(parts) + p) * 2
			d.rec[at] += v
			d.rec[at+1]++
			i++
		}
	}
	return d
}

func (d *clustered) scratch() any { return make([]float64, 2*d.parts) }

func (d *clustered) draw(rng *source, scratch any, means []float64) bool {
	sum := scratch.([]float64)
	clear(sum)
	width := len(sum)
	if width == 2 { // the common case: one part
		s, c := 0.0, 0.0
		for range d.n {
			at := 2 * rng.below(d.n)
			s += d.rec[at]
			c += d.rec[at+1]
		}
		sum[0], sum[1] = s, c
	} else {
		for range d.n {
			at := width * rng.below(d.n)
			for k, v := range d.rec[at : at+width] {
				sum[k] += v
			}
		}
	}
	for p := range means {
		if sum[2*p+1] == 0 {
			return false
		}
		means[p] = sum[2*p] / sum[2*p+1]
	}
	return true
}

// twoWay resamples documents and units independently.
type twoWay struct {
	docs, units int
	parts       [][]weighted
}

type weighted struct {
	value float64
	unit  int
	docs  []int
}

func newTwoWay(parts []Part, docs [][]string) *twoWay {
	d := &twoWay{}
	docID, unitID := map[string]int{}, map[string]int{}
	i := 0
	for _, part := range parts {
		var ws []weighted
		for j, v := range part.Values {
			w := weighted{value: v, unit: -1}
			if j < len(part.Units) {
				if id, ok := unitID[part.Units[j]]; ok {
					w.unit = id
				} else {
					unitID[part.Units[j]] = d.units
				}
			}
			if w.unit < 0 {
				w.unit = d.units
				d.units++
			}
			for _, name := range docs[i] {
				id, ok := docID[name]
				if !ok {
					id = d.docs
					docID[name] = id
					d.docs++
				}
				w.docs = append(w.docs, id)
			}
			if len(w.docs) == 0 { // rests on nothing shared: a document of its own
				w.docs = []int{d.docs}
				d.docs++
			}
			i++
			ws = append(ws, w)
		}
		d.parts = append(d.parts, ws)
	}
	return d
}

type twoWayScratch struct{ docs, units []float64 }

func (d *twoWay) scratch() any {
	return &twoWayScratch{make([]float64, d.docs), make([]float64, d.units)}
}

func (d *twoWay) draw(rng *source, scratch any, means []float64) bool {
	s := scratch.(*twoWayScratch)
	clear(s.docs)
	clear(s.units)
	for range d.docs {
		s.docs[rng.below(d.docs)]++
	}
	for range d.units {
		s.units[rng.below(d.units)]++
	}
	for p, ws := range d.parts {
		sum, weight := 0.0, 0.0
		for _, w := range ws {
			m := s.units[w.unit]
			if m == 0 {
				continue
			}
			dw := 0.0
			for _, id := range w.docs {
				dw += s.docs[id]
			}
			m *= dw / float64(len(w.docs))
			sum += m * w.value
			weight += m
		}
		if weight == 0 {
			return false
		}
		means[p] = sum / weight
	}
	return true
}
