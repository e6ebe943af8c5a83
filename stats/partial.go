package stats

import (
	"fmt"
	"math"
)

// PartialCorrelation is the correlation of x and y with the controls held fixed: controls[k][i] is
// control k of unit i. With opt.Ranked all variables are ranked first (Spearman). Each control costs
// a degree of freedom. Undefined, with a reason, as [Pearson], and where a control does not vary or
// follows from the others, or where x or y follows from the controls.
func PartialCorrelation(x, y []float64, controls [][]float64, opt CorrOptions) Correlation {
	k := pearsonKind
	if opt.Ranked {
		k = spearmanKind
	}
	k.name = "partial " + k.name
	k.lost = float64(len(controls))
	k.least += len(controls)
	c, ok := start(k, x, y, opt)
	if !ok {
		return c
	}
	for i, v := range controls {
		if len(v) != len(x) {
			c.Reason = fmt.Sprintf("control %d has %d values, x has %d", i+1, len(v), len(x))
		} else if j := notFinite(v); j > 0 {
			c.Reason = fmt.Sprintf("value %d of control %d is not a finite number", j, i+1)
		} else if constant(v) {
			c.Reason = fmt.Sprintf("control %d does not vary", i+1)
		}
		if c.Reason != "" {
			return c
		}
	}
	p := newPartial(append(append([][]float64{}, controls...), x, y), opt.Ranked)
	value, follows := p.solve(nil, p.scratch().(*partialScratch))
	if follows >= 0 && p.overflows() {
		c.Reason = tooExtreme
		return c
	}
	if follows >= 0 {
		c.Reason = fmt.Sprintf("control %d follows from the other controls", follows+1)
		if follows >= len(controls) {
			c.Reason = [...]string{"x", "y"}[follows-len(controls)] + " does not vary with the controls held fixed"
		}
		return c
	}
	return c.finish(k, value, p, opt)
}

// partial is a coefficient over several variables, the last two of which are x and y.
type partial struct {
	values [][]float64 // less their means; nil entries where ranks are taken
	dense  [][]int32
	groups []int
}

func newPartial(variables [][]float64, ranked bool) partial {
	p := partial{values: make([][]float64, len(variables)), dense: make([][]int32, len(variables)), groups: make([]int, len(variables))}
	for i, v := range variables {
		if ranked {
			p.dense[i], p.groups[i] = denseRanks(v)
		} else {
			p.values[i] = centred(v)
			_, ss := meanSquares(v)
			scale := math.Sqrt(ss)
			for j := range p.values[i] {
				p.values[i][j] /= scale
			}
		}
	}
	return p
}

// overflows says whether a variable could not be brought to one scale.
func (p partial) overflows() bool {
	for _, v := range p.values {
		if notFinite(v) > 0 || v != nil && constant(v) {
			return true
		}
	}
	return false
}

type partialScratch struct {
	ranks [][]float64 // of each group
	v     [][]float64
	cov   [][]float64
}

func (p partial) scratch() any {
	s := &partialScratch{}
	for i, v := range p.values {
		s.cov = append(s.cov, make([]float64, len(p.values)))
		if v != nil {
			s.v, s.ranks = append(s.v, v), append(s.ranks, nil)
			continue
		}
		s.v, s.ranks = append(s.v, make([]float64, len(p.dense[i]))), append(s.ranks, make([]float64, p.groups[i]))
	}
	return s
}

func (p partial) of(w []float64, scratch any) float64 {
	r, follows := p.solve(w, scratch.(*partialScratch))
	if follows >= 0 {
		return math.NaN()
	}
	return r
}

// solve factors the weighted covariances (Cholesky): the last two rows then hold what the controls
// leave of x and y. follows is the first variable that the ones before it leave nothing of, −1 for
// none; y is held against the controls alone.
func (p partial) solve(w []float64, s *partialScratch) (r float64, follows int) {
	for i, dense := range p.dense {
		if dense != nil {
			midRanks(dense, w, s.ranks[i], s.v[i])
		}
	}
	covariances(s.v, w, s.cov)
	last := len(s.cov) - 1
	l := s.cov
	for i := range l {
		whole := l[i][i]
		for j := 0; j < min(i, last-1); j++ { // against the controls
			for k := range j {
				l[i][j] -= l[i][k] * l[j][k]
			}
			l[i][j] /= l[j][j]
			l[i][i] -= l[i][j] * l[i][j]
		}
		if !(l[i][i] > 1e-12*whole) {
			return 0, i
		}
		if i < last-1 {
			l[i][i] = math.Sqrt(l[i][i])
		}
	}
	xy := l[last][last-1]
	for k := range last - 1 {
		xy -= l[last][k] * l[last-1][k]
	}
	return xy / math.Sqrt(l[last-1][last-1]) / math.Sqrt(l[last][last]), -1
}

// covariances fills the lower half of cov with the weighted sums of products around the means.
func covariances(v [][]float64, w []float64, cov [][]float64) {
	means := make([]float64, len(v))
	total := 0.0
	for i := range v[0] {
		k := 1.0
		if w != nil {
			k = w[i]
		}
		total += k
		for j := range v {
			means[j] += k * v[j][i]
		}
	}
	for a := range v {
		clear(cov[a])
		means[a] /= total
	}
	for i := range v[0] {
		k := 1.0
		if w != nil {
			if k = w[i]; k == 0 {
				continue
			}
		}
		for a := range v {
			d := k * (v[a][i] - means[a])
			for b := range a + 1 {
				cov[a][b] += d * (v[b][i] - means[b])
			}
		}
	}
}
