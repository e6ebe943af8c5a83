package stats

import "math"

// clustered resamples components. One record holds a component's sums and counts of all parts
// side by side, so that a draw is one load; where all parts count the same units, the count is kept
// once.
type clustered struct {
	n, parts, width int
	rec             []float64 // rec[c*width+p]: sum of part p; then the counts, of each part or of all
	two             [][2]float64
	four            [][4]float64 // rec once more, where records are that wide
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
	d.shareCounts()
	for c := range n {
		switch r := d.record(c); d.width {
		case 2:
			d.two = append(d.two, [2]float64(r))
		case 4:
			d.four = append(d.four, [4]float64(r))
		}
	}
	return d
}

func (d *clustered) record(c int) []float64 { return d.rec[c*d.width : (c+1)*d.width] }

// shareCounts keeps one count a record where those of all parts are the same.
func (d *clustered) shareCounts() {
	for c := range d.n {
		if !constant(d.record(c)[d.parts:]) {
			return
		}
	}
	short := d.parts + 1
	for c := range d.n {
		copy(d.rec[c*short:], d.record(c)[:short])
	}
	d.width, d.rec = short, d.rec[:d.n*short]
}

func (d *clustered) scratch() any { return make([]float64, d.width) }

func (d *clustered) draw(rng *source, scratch any, means []float64) bool {
	sum := scratch.([]float64)
	switch d.width {
	case 2:
		*(*[2]float64)(sum) = sum2(rng.state, d.two)
	case 4:
		*(*[4]float64)(sum) = sum4(rng.state, d.four)
	default:
		clear(sum)
		for range d.n {
			for k, v := range d.record(rng.below(d.n)) {
				sum[k] += v
			}
		}
	}
	return d.means(sum, means)
}

// sum2 adds as many records as there are, drawn by chance: the case of one system. It draws what
// source.below would, and holds generator and sums in registers.
func sum2(state pcg, rec [][2]float64) [2]float64 {
	n := uint64(len(rec))
	var s, c float64
	for i := uint64(0); i+1 < n; i += 2 {
		var x uint64
		state, x = state.next()
		r := &rec[x&(1<<32-1)*n>>32]
		s += r[0]
		c += r[1]
		r = &rec[x>>32*n>>32]
		s += r[0]
		c += r[1]
	}
	if n%2 == 1 {
		_, x := state.next()
		r := &rec[x&(1<<32-1)*n>>32]
		s += r[0]
		c += r[1]
	}
	return [2]float64{s, c}
}

// sum4 is sum2 for three systems that share their units, or two parts that do not.
func sum4(state pcg, rec [][4]float64) [4]float64 {
	n := uint64(len(rec))
	var s0, s1, s2, s3 float64
	for i := uint64(0); i+1 < n; i += 2 {
		var x uint64
		state, x = state.next()
		r := &rec[x&(1<<32-1)*n>>32]
		s0 += r[0]
		s1 += r[1]
		s2 += r[2]
		s3 += r[3]
		r = &rec[x>>32*n>>32]
		s0 += r[0]
		s1 += r[1]
		s2 += r[2]
		s3 += r[3]
	}
	if n%2 == 1 {
		_, x := state.next()
		r := &rec[x&(1<<32-1)*n>>32]
		s0 += r[0]
		s1 += r[1]
		s2 += r[2]
		s3 += r[3]
	}
	return [4]float64{s0, s1, s2, s3}
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

// jackknife is f of the means of the parts without one component each, where it is defined.
func (d *clustered) jackknife(f func([]float64) float64) []float64 {
	total := make([]float64, d.width)
	for i, v := range d.rec {
		total[i%d.width] += v
	}
	var out []float64
	rest := make([]float64, d.width)
	for c := range d.n {
		for k, v := range d.record(c) {
			rest[k] = total[k] - v
		}
		means := make([]float64, d.parts)
		if d.means(rest, means) {
			if x := f(means); !math.IsNaN(x) && !math.IsInf(x, 0) {
				out = append(out, x)
			}
		}
	}
	return out
}
