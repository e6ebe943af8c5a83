package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A coefficient is a correlation of weighted units: w[i] says how often unit i counts, nil that each
// counts once. With whole weights it is that of the units repeated so often. NaN where undefined.
type coefficient interface {
	scratch() any
	of(w []float64, scratch any) float64
}

// pearson holds values less their means, so that sums of squares lose no digits.
type pearson struct{ x, y []float64 }

func newPearson(x, y []float64) pearson { return pearson{centred(x), centred(y)} }

func centred(v []float64) []float64 {
	m, _ := meanSquares(v)
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = x - m
	}
	return out
}

func (p pearson) scratch() any { return nil }

func (p pearson) of(w []float64, _ any) float64 { return product(p.x, p.y, w) }

// product is Pearson's r of weighted pairs.
func product(x, y, w []float64) float64 {
	var n, sx, sy, xx, yy, xy float64
	y = y[:len(x)]
	if w == nil {
		n = float64(len(x))
		for i, a := range x {
			b := y[i]
			sx += a
			sy += b
			xx += a * a
			yy += b * b
			xy += a * b
		}
	} else {
		w = w[:len(x)]
		for i, a := range x {
			k, b := w[i], y[i]
			n += k
			sx += k * a
			sy += k * b
			xx += k * a * a
			yy += k * b * b
			xy += k * a * b
		}
	}
	// A sum of squares that is all rounding is a constant.
	vx, vy := xx-sx*sx/n, yy-sy*sy/n
	if !(vx > 1e-14*xx && vy > 1e-14*yy) {
		return math.NaN()
	}
	return (xy - sx*sy/n) / math.Sqrt(vx) / math.Sqrt(vy)
}

// spearman holds dense ranks: equal values share a number, counted from 0 without gaps.
type spearman struct {
	x, y   []int32
	nx, ny int // how many different values
}

func newSpearman(x, y []float64) spearman {
	var s spearman
	s.x, s.nx = denseRanks(x)
	s.y, s.ny = denseRanks(y)
	return s
}

type spearmanScratch struct{ rankX, rankY, x, y []float64 }

func (s spearman) scratch() any {
	n := len(s.x)
	return &spearmanScratch{make([]float64, s.nx), make([]float64, s.ny), make([]float64, n), make([]float64, n)}
}

func (s spearman) of(w []float64, scratch any) float64 {
	t := scratch.(*spearmanScratch)
	midRanks(s.x, w, t.rankX, t.x)
	midRanks(s.y, w, t.rankY, t.y)
	return product(t.x, t.y, w)
}

// midRanks writes the mean rank of each unit, less the mean of all ranks, to out; of is scratch with
// a place for each different value.
func midRanks(dense []int32, w, of, out []float64) {
	clear(of)
	total := float64(len(dense))
	if w == nil {
		for _, d := range dense {
			of[d]++
		}
	} else {
		total = 0
		for i, d := range dense {
			of[d] += w[i]
			total += w[i]
		}
	}
	below := -total / 2
	for d, count := range of {
		of[d] = below + count/2
		below += count
	}
	for i, d := range dense {
		out[i] = of[d]
	}
}

// resampled fills bounds from replicates of the coefficient.
func (c *Correlation) resampled(coef coefficient, opt CorrOptions) {
	if c.Reason = opt.refuse(Auto, Percentile, Clustered, TwoWay, BCa, StudentT, Fisher); c.Reason != "" {
		return
	}
	if c.N < minUnits {
		c.Reason = fmt.Sprintf("no interval: %s, fewer than %d", plural(c.N, "unit"), minUnits)
		return
	}
	docs := perUnit(opt.Docs, c.N)
	if opt.Method == Percentile {
		clear(docs)
	}
	comp, n := components(docs)
	largest := largestShare(comp, n)
	d := &reweighted{coef: coef, comp: comp, clusters: n}
	if opt.twoWay(n, largest) {
		d.pigeonhole = newTwoWay([]Part{{Values: make([]float64, c.N), Docs: docs}})
	} else if doubt := opt.doubt(n, largest); doubt != "" {
		c.Warnings = append(c.Warnings, doubt)
	}
	c.Method = opt.describe(n, largest, named(docs))
	all := resample(d, 1, opt.Options)
	reps := all[:0]
	for _, x := range all {
		if !math.IsNaN(x) {
			reps = append(reps, x)
		}
	}
	var jackknife func() []float64
	if opt.Method == BCa {
		jackknife = d.jackknife
	}
	c.fill(reps, jackknife, "do not vary in x or y", "do not vary in x or y", opt.Options)
	if c.Lo != nil && n > 1 {
		c.PClustered = waldP(*c.Value, reps, n)
	}
}

// waldP tests a correlation by the standard error of the resampled atanh.
func waldP(r float64, reps []float64, clusters int) *float64 {
	z := make([]float64, len(reps))
	for i, x := range reps {
		z[i] = math.Atanh(min(max(x, -1+1e-15), 1-1e-15))
	}
	_, ss := meanSquares(z)
	if ss == 0 || math.Abs(r) == 1 {
		return nil
	}
	t := math.Atanh(r) / math.Sqrt(ss/float64(len(z)-1))
	p := 2 * distuv.StudentsT{Sigma: 1, Nu: float64(clusters - 1)}.CDF(-math.Abs(t))
	return &p
}

// reweighted draws weights of units and takes the coefficient of the weighted units.
type reweighted struct {
	coef       coefficient
	comp       []int
	clusters   int
	pigeonhole *twoWay // nil: whole clusters
}

type reweightedScratch struct {
	w, count   []float64
	coef       any
	pigeonhole *twoWayScratch
}

func (d *reweighted) scratch() any {
	s := &reweightedScratch{w: make([]float64, len(d.comp)), count: make([]float64, d.clusters), coef: d.coef.scratch()}
	if d.pigeonhole != nil {
		s.pigeonhole = d.pigeonhole.scratch().(*twoWayScratch)
	}
	return s
}

func (d *reweighted) draw(rng *source, scratch any, out []float64) bool {
	s := scratch.(*reweightedScratch)
	if d.pigeonhole != nil {
		s.pigeonhole.count(rng)
		units := d.pigeonhole.parts[0]
		for i := range units {
			s.w[i] = max(0, s.pigeonhole.weight(&units[i])) // a coefficient has no units below nothing
		}
	} else {
		clear(s.count)
		for range s.count {
			s.count[rng.below(len(s.count))]++
		}
		for i, c := range d.comp {
			s.w[i] = s.count[c]
		}
	}
	out[0] = d.coef.of(s.w, s.coef)
	return !math.IsNaN(out[0])
}

// jackknife is the coefficient without one cluster each.
func (d *reweighted) jackknife() []float64 {
	all := make([]float64, d.clusters)
	onAllCores(d.clusters, func(from, to int) {
		w, scratch := make([]float64, len(d.comp)), d.coef.scratch()
		for c := from; c < to; c++ {
			for i, own := range d.comp {
				w[i] = 1
				if own == c {
					w[i] = 0
				}
			}
			all[c] = d.coef.of(w, scratch)
		}
	})
	out := all[:0]
	for _, x := range all {
		if !math.IsNaN(x) {
			out = append(out, x)
		}
	}
	return out
}
