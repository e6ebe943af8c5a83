package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"enterprisedocbench/parse"
)

// noiseSums gathers the rows of a validation by pair.
type noiseSums struct {
	noises []parse.Noise
	rates  []float64 // 0 first
	by     map[[2]string]*noiseSum
}

// noiseSum is a pair of noise and measure: losses point by point, and sums by rate.
type noiseSum struct {
	x, y  []float64 // expected and measured loss of each document at each rate
	n     int       // documents
	doses []doseSum
}

type doseSum struct {
	measured, expected float64
	n, both            int
}

func newNoiseSums(noises []parse.Noise, rates []float64) *noiseSums {
	return &noiseSums{noises: noises, rates: append([]float64{0}, rates...), by: map[[2]string]*noiseSum{}}
}

func (s *noiseSums) add(r ValidateRow) {
	if r.Measured == nil {
		return
	}
	p := s.by[[2]string{r.Noise, r.Key}]
	if p == nil {
		p = &noiseSum{doses: make([]doseSum, len(s.rates))}
		s.by[[2]string{r.Noise, r.Key}] = p
	}
	if r.Rate == 0 {
		p.n++
	}
	d := &p.doses[slices.Index(s.rates, r.Rate)]
	d.measured += *r.Measured
	d.n++
	if r.Expected == nil {
		return
	}
	d.expected += *r.Expected
	d.both++
	p.x, p.y = append(p.x, 1-*r.Expected), append(p.y, 1-*r.Measured)
}

// pairs fits each pair, in the order of noises and keys; keys that no gold has are left out.
func (s *noiseSums) pairs() (out []NoisePair) {
	for _, n := range s.noises {
		for _, key := range ValidateKeys {
			if p := s.by[[2]string{n.Name, key}]; p != nil {
				out = append(out, p.fit(n.Name, key, s.rates))
			}
		}
	}
	return out
}

func (p *noiseSum) fit(noise, key string, rates []float64) NoisePair {
	out := NoisePair{Noise: noise, Key: key, N: p.n}
	worst := 0.0
	for i, d := range p.doses {
		dose := Dose{Rate: rates[i]}
		if d.n > 0 {
			m := d.measured / float64(d.n)
			dose.Measured = &m
		}
		if d.both > 0 && d.both == d.n {
			e := d.expected / float64(d.n)
			dose.Expected = &e
			worst = max(worst, math.Abs(*dose.Measured-e))
		}
		out.Doses = append(out.Doses, dose)
	}
	if out.Reason = notPredicted(noise, key); out.Reason != "" {
		return out
	}
	if len(p.x) == 0 {
		out.Reason = "nothing to measure"
		return out
	}
	out.Worst = &worst
	ok := worst <= InterceptWithin
	if most := slices.Max(p.x); most < leastDamage {
		out.Reason = fmt.Sprintf("no document loses %v: no slope, the means are held alone", leastDamage)
		out.Passed = &ok
		return out
	}
	slope, intercept, found := line(p.x, p.y)
	if !found {
		out.Reason = "all documents are expected to lose the same: no slope, the means are held alone"
		out.Passed = &ok
		return out
	}
	ok = math.Abs(slope-1) <= SlopeWithin && math.Abs(intercept) <= InterceptWithin
	out.Slope, out.Intercept, out.Passed = &slope, &intercept, &ok
	return out
}

// line is the least-squares line y = intercept + slope x; found is false where all x are equal.
func line(x, y []float64) (slope, intercept float64, found bool) {
	var mx, my float64
	for i := range x {
		mx, my = mx+x[i], my+y[i]
	}
	n := float64(len(x))
	mx, my = mx/n, my/n
	var xx, xy float64
	for i := range x {
		xx += (x[i] - mx) * (x[i] - mx)
		xy += (x[i] - mx) * (y[i] - my)
	}
	if !(xx > 0) {
		return 0, 0, false
	}
	slope = xy / xx
	return slope, my - slope*mx, true
}

// Mean is the mean measured value at a rate, nil where there is none.
func (p NoisePair) Mean(rate float64) *float64 {
	i, ok := slices.BinarySearchFunc(p.Doses, rate, func(d Dose, r float64) int { return cmp.Compare(d.Rate, r) })
	if !ok {
		return nil
	}
	return p.Doses[i].Measured
}
