package stats

import (
	"math"
	"math/bits"
	"runtime"
	"sync"
)

// A drawer makes one replicate: it fills out from random numbers and reports false where the
// replicate is undefined. scratch is this goroutine's own.
type drawer interface {
	scratch() any
	draw(rng *source, scratch any, out []float64) bool
}

// source deals out bounded random numbers, two to each 64-bit number of a generator.
type source struct {
	state pcg
	left  uint64
	have  bool
}

func (s *source) below(n int) int {
	var x uint64
	if s.have {
		x, s.have = s.left>>32, false
	} else {
		s.state, s.left = s.state.next()
		x, s.have = s.left&(1<<32-1), true
	}
	return int(x * uint64(n) >> 32)
}

// pcg is the generator of math/rand/v2, PCG-DXSM (O'Neill 2014), number for number, as a value: a
// loop then holds its state in registers.
type pcg struct{ hi, lo uint64 }

// replicate is the generator at the beginning of replicate r.
func (o Options) replicate(r int) pcg { return pcg{o.Seed, uint64(r) + 0x9e3779b97f4a7c15} }

func (p pcg) next() (pcg, uint64) {
	hi, lo := bits.Mul64(p.lo, 0x4385df649fccf645)
	hi += p.hi*0x4385df649fccf645 + p.lo*0x2360ed051fc65da4
	lo, carry := bits.Add64(lo, 0x14057b7ef767814f, 0)
	hi += 0x5851f42d4c957f2d + carry
	x := hi ^ hi>>32
	x *= 0xda942042e4dd58b5
	x ^= x >> 48
	return pcg{hi, lo}, x * (lo | 1)
}

// resample runs all replicates on all cores. Replicate r has its own generator, seeded by (seed, r),
// and its numbers stand at [r*width : (r+1)*width]; those of an undefined one are NaN.
func resample(d drawer, width int, opt Options) []float64 {
	n := opt.replicates()
	all := make([]float64, n*width)
	onAllCores(n, func(from, to int) {
		scratch := d.scratch()
		for r := from; r < to; r++ {
			out := all[r*width : (r+1)*width]
			if !d.draw(&source{state: opt.replicate(r)}, scratch, out) {
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
