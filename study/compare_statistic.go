package study

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"enterprisedocbench/pipeline"
	"enterprisedocbench/stats"
)

// cell is a set of pairs that enters a statistic with a weight.
type cell struct {
	paired
	weight float64
}

// statistic is a difference of two sides: offset + Σ weight·mean for each, or a ratio of sums.
type statistic struct {
	cells            []cell
	ratio            bool // of two cells: bad claims, then claims; the difference of their quotients
	a, b             float64
	ok               Successful
	n                int // pairs of the least known part
	onlyA, onlyB     int
	failedA, failedB int
	reason           string // why there is nothing to compare
}

// statistic makes a formula's statistic over the units that keep lets through.
func (p pairing) statistic(f formula, keep func(pipeline.Unit) bool) statistic {
	switch f.rate {
	case microRate:
		return p.micro(keep)
	case documentRate:
		return weigh(f, [][]cell{{{p.documentShares(f.key, keep), 1}}})
	}
	var parts [][]cell
	for _, t := range f.terms {
		parts = append(parts, []cell{{p.pairs(t.key, keep), t.weight}})
	}
	return weigh(f, parts)
}

// weigh sums cells up; parts[i] are those of one term. Counts of failed and unpaired units are of the
// part with most of them.
func weigh(f formula, parts [][]cell) statistic {
	s := statistic{n: math.MaxInt, a: f.offset, b: f.offset}
	s.ok = Successful{ptr(f.offset), ptr(f.offset), nil, math.MaxInt}
	for _, cells := range parts {
		n, nOK := 0, 0
		var onlyA, onlyB, failedA, failedB int
		for _, c := range cells {
			n += len(c.a)
			nOK += len(c.okA)
			onlyA, onlyB = onlyA+c.onlyA, onlyB+c.onlyB
			failedA, failedB = failedA+c.failedA, failedB+c.failedB
			if len(c.a) == 0 {
				why := firstOf(c.reason, "no unit has it")
				if c.onlyA > 0 || c.onlyB > 0 {
					why = "no unit was measured in both"
				}
				s.reason = firstOf(s.reason, fmt.Sprintf("%s: %s", c.key, why))
				continue
			}
			s.a += c.weight * mean(c.a)
			s.b += c.weight * mean(c.b)
			if len(c.okA) > 0 && s.ok.BaselineValue != nil {
				*s.ok.BaselineValue += c.weight * mean(c.okA)
				*s.ok.CandidateValue += c.weight * mean(c.okB)
			} else {
				s.ok.BaselineValue, s.ok.CandidateValue = nil, nil
			}
			s.cells = append(s.cells, c)
		}
		s.n, s.ok.N = min(s.n, n), min(s.ok.N, nOK)
		s.onlyA, s.onlyB = max(s.onlyA, onlyA), max(s.onlyB, onlyB)
		s.failedA, s.failedB = max(s.failedA, failedA), max(s.failedB, failedB)
	}
	if s.ok.BaselineValue != nil {
		s.ok.Value = ptr(*s.ok.CandidateValue - *s.ok.BaselineValue)
	}
	return s
}

// micro is the hallucination rate over all claims. Answers of either side enter with their own
// number of claims, so that the difference is that of the two figures.
func (p pairing) micro(keep func(pipeline.Unit) bool) statistic {
	s := statistic{ratio: true}
	bad, all := cell{paired: paired{key: "bad claims"}}, cell{paired: paired{key: "claims"}}
	a, b := p.base.records().claims, p.other.records().claims
	for _, id := range slices.Sorted(maps.Keys(p.base.run.questions)) {
		u := p.base.run.questions[id]
		x, okA := a[id]
		y, okB := b[id]
		if keep != nil && !keep(u) {
			continue
		}
		switch {
		case okA && okB:
			bad.units, all.units = append(bad.units, u), append(all.units, u)
			bad.a, bad.b = append(bad.a, x.bad), append(bad.b, y.bad)
			all.a, all.b = append(all.a, x.checkable), append(all.b, y.checkable)
		case okA:
			s.onlyA++
		case okB:
			s.onlyB++
		}
	}
	s.n = min(positive(all.a), positive(all.b)) // answers with claims, as the figure counts them
	if s.n == 0 || mean(all.a) == 0 || mean(all.b) == 0 {
		s.reason = "no checkable claim"
		return s
	}
	s.cells = []cell{bad, all}
	s.a, s.b = mean(bad.a)/mean(all.a), mean(bad.b)/mean(all.b)
	s.ok = Successful{ptr(s.a), ptr(s.b), ptr(s.b - s.a), s.n}
	return s
}

func positive(v []float64) (n int) {
	for _, x := range v {
		if x > 0 {
			n++
		}
	}
	return n
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

func (c cell) diff() []float64 {
	d := make([]float64, len(c.a))
	for i := range d {
		d[i] = c.b[i] - c.a[i]
	}
	return d
}

func (c cell) docs() [][]string {
	out := make([][]string, len(c.units))
	for i, u := range c.units {
		out[i] = u.Docs
	}
	return out
}

// part is one list of a cell's values with what they rest on, for a joint bootstrap. Units of
// documents and of questions are named apart.
func (c cell) part(values []float64) stats.Part {
	p := stats.Part{Values: values, Docs: c.docs()}
	for _, u := range c.units {
		p.Units = append(p.Units, u.Kind+"\x00"+u.ID)
	}
	return p
}

// interval is candidate − baseline with an interval from joint resampling of all parts.
func (s statistic) interval(opt stats.Options) stats.Interval {
	var parts []stats.Part
	if s.ratio {
		bad, all := s.cells[0], s.cells[1]
		parts = []stats.Part{bad.part(bad.b), all.part(all.b), bad.part(bad.a), all.part(all.a)}
		return stats.Composite(parts, func(m []float64) float64 { return m[0]/m[1] - m[2]/m[3] }, opt)
	}
	for _, c := range s.cells {
		parts = append(parts, c.part(c.diff()))
	}
	return stats.Composite(parts, func(m []float64) float64 {
		d := 0.0
		for i, c := range s.cells {
			d += c.weight * m[i]
		}
		return d
	}, opt)
}

// test is the test of the difference, by what each pair adds to it: the sign-flip test over clusters, or
// where the interval is a two-way one Student's t with its standard error. A quotient of sums is tested
// by the latter with the standard error of its bootstrap.
func (s statistic) test(iv stats.Interval, opt stats.Options) stats.Test {
	if s.ratio {
		se, n := impliedError(iv), s.documents()
		if se == 0 || n < stats.MinDocuments {
			return stats.Test{Reason: "no p: a quotient of sums is tested by its interval, and that has no width or too few documents"}
		}
		return stats.StudentTest(*iv.Value, se, n-1, "the bootstrap")
	}
	total := 0
	for _, c := range s.cells {
		total += len(c.a)
	}
	var added []float64
	var docs [][]string
	for _, c := range s.cells {
		scale := c.weight * float64(total) / float64(len(c.a))
		for _, d := range c.diff() {
			added = append(added, scale*d)
		}
		docs = append(docs, c.docs()...)
	}
	return stats.DifferenceTest(iv, added, docs, opt)
}

// documents is how many different documents the pairs rest on.
func (s statistic) documents() int {
	set := map[string]bool{}
	for _, c := range s.cells {
		for _, u := range c.units {
			for _, d := range u.Docs {
				set[d] = true
			}
		}
	}
	return len(set)
}

// leastDocuments is how few clusters of documents can still give a sign-flip p of at most 1 - level.
func leastDocuments(level float64) int { return int(math.Ceil(1 - math.Log2(1-level))) }

// impliedError is the standard error of a normal estimate with that interval; 0 without one.
func impliedError(iv stats.Interval) float64 {
	if se := stats.ImpliedError(iv); se != nil {
		return *se
	}
	return 0
}

// same says whether no pair differs in any part.
func (s statistic) same() bool {
	for _, c := range s.cells {
		if !slices.Equal(c.a, c.b) {
			return false
		}
	}
	return true
}

// effect is Cohen's dz of a plain mean.
func (s statistic) effect() *float64 {
	if s.ratio || len(s.cells) != 1 || s.cells[0].weight != 1 {
		return nil
	}
	return stats.CohenDz(s.cells[0].diff())
}

// spread is the standard deviation of one pair's part in the difference, for planning: nil where it
// cannot be estimated.
func (s statistic) spread() *float64 {
	if s.ratio || s.n < 2 {
		return nil
	}
	sum := 0.0
	for _, c := range s.cells {
		if len(c.a) < 2 {
			return nil
		}
		d := c.diff()
		m, ss := mean(d), 0.0
		for _, x := range d {
			ss += (x - m) * (x - m)
		}
		sum += c.weight * c.weight * ss / float64(len(d)-1) / float64(len(d))
	}
	return ptr(math.Sqrt(sum * float64(s.n)))
}
