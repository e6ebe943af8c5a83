package stats

import (
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
)

// A drawer makes one replicate: it fills out from random numbers and reports false where the
// replicate is undefined. scratch is this goroutine's own.
type drawer interface {
	scratch() any
	draw(rng *source, scratch any, out []float64) bool
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

// reseed puts a generator at the beginning of replicate r.
func reseed(pcg *rand.PCG, opt Options, r int) { pcg.Seed(opt.Seed, uint64(r)+0x9e3779b97f4a7c15) }

// resample runs all replicates on all cores. Replicate r has its own generator, seeded by (seed, r),
// and its numbers stand at [r*width : (r+1)*width]; those of an undefined one are NaN.
func resample(d drawer, width int, opt Options) []float64 {
	n := opt.replicates()
	all := make([]float64, n*width)
	onAllCores(n, func(from, to int) {
		scratch := d.scratch()
		pcg := rand.NewPCG(0, 0)
		for r := from; r < to; r++ {
			reseed(pcg, opt, r)
			out := all[r*width : (r+1)*width]
			if !d.draw(&source{pcg: pcg}, scratch, out) {
				for i := range out {
					out[i] = math.NaN()
				}
			}
		}
	})
	return all
}

// onAllCores splits 0..n into one range a core and returns when all are done.
func onAllCores(n int, f func(from, to int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { f(w*n/workers, (w+1)*n/workers) })
	}
	wg.Wait()
}

// clustered resamples components. One record holds a component's sums and counts of all parts
// side by side, so that a draw is one load; where all parts count the same units, the count is kept
// once.
type clustered struct {
	n, parts, width int
	rec             []float64 // rec[c*width+p]: sum of part p; then the counts, of each part or of all
}

func newClustered(parts []Part, comp []int, n int) *clustered {
	d := &clustered{n: n, parts: len(parts), width: 2 * len(parts)}
	d.rec = make([]float64, n*d.width)
	i := 0
	for p, part := range parts {
		for _, v := range part.Values {
			at := comp[i] * d.width
			d.rec[at+p] += v
			d.rec[at+d.parts+p]++
			i++
		}
	}
	for c := range n {
		counts := d.rec[c*d.width+d.parts : (c+1)*d.width]
		if !constant(counts) {
			return d
		}
	}
	for c := range n {
		copy(d.rec[c*(d.parts+1):], d.rec[c*d.width:c*d.width+d.parts+1])
	}
	d.width = d.parts + 1
	d.rec = d.rec[:n*d.width]
	return d
}

func (d *clustered) scratch() any { return make([]float64, d.width) }

func (d *clustered) draw(rng *source, scratch any, means []float64) bool {
	sum := scratch.([]float64)
	clear(sum)
	switch d.width {
	case 2:
		d.sum2(rng, (*[2]float64)(sum))
	case 4:
		d.sum4(rng, (*[4]float64)(sum))
	default:
		for range d.n {
			at := d.width * rng.below(d.n)
			for k, v := range d.rec[at : at+d.width] {
				sum[k] += v
			}
		}
	}
	return d.means(sum, means)
}

// sum2 draws for one system, sum4 for three that share their units (or for one pair that does not):
// two draws to a random number, the sums in registers.
func (d *clustered) sum2(rng *source, sum *[2]float64) {
	rec, n := d.rec, uint64(d.n)
	var s, c float64
	for i := uint64(0); i < n; i += 2 {
		x := rng.pcg.Uint64()
		r := rec[2*((x&(1<<32-1))*n>>32):][:2]
		s += r[0]
		c += r[1]
		if i+1 < n {
			r = rec[2*((x>>32)*n>>32):][:2]
			s += r[0]
			c += r[1]
		}
	}
	*sum = [2]float64{s, c}
}

func (d *clustered) sum4(rng *source, sum *[4]float64) {
	rec, n := d.rec, uint64(d.n)
	var s0, s1, s2, s3 float64
	for i := uint64(0); i < n; i += 2 {
		x := rng.pcg.Uint64()
		r := rec[4*((x&(1<<32-1))*n>>32):][:4]
		s0 += r[0]
		s1 += r[1]
		s2 += r[2]
		s3 += r[3]
		if i+1 < n {
			r = rec[4*((x>>32)*n>>32):][:4]
			s0 += r[0]
			s1 += r[1]
			s2 += r[2]
			s3 += r[3]
		}
	}
	*sum = [4]float64{s0, s1, s2, s3}
}

// means turns sums and counts into means; false where a part is empty.
func (d *clustered) means(sum, means []float64) bool {
	for p := range means {
		count := sum[d.parts]
		if d.width == 2*d.parts {
			count = sum[d.parts+p]
		}
		if count == 0 {
			return false
		}
		means[p] = sum[p] / count
	}
	return true
}

// without gives the means of the parts without component c; false where a part is then empty.
func (d *clustered) without(c int, total, means []float64) bool {
	rest := make([]float64, d.width)
	for k := range rest {
		rest[k] = total[k] - d.rec[c*d.width+k]
	}
	return d.means(rest, means)
}

func (d *clustered) total() []float64 {
	sum := make([]float64, d.width)
	for i, v := range d.rec {
		sum[i%d.width] += v
	}
	return sum
}
