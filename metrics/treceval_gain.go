package metrics

import (
	"cmp"
	"math"
	"slices"
)

// gains turns grades into gains: a grade's own value, unless another is given for it.
type gains map[int32]float64

func (g gains) of(grade int32) float64 {
	if v, ok := g[grade]; ok {
		return v
	}
	return max(float64(grade), 0)
}

// best lists the gains above 0 of all judged documents, falling: the ideal list.
func (g gains) best(levels map[int32]int) []float64 {
	var out []float64
	for grade, n := range levels {
		if v := g.of(grade); v > 0 {
			for range n {
				out = append(out, v)
			}
		}
	}
	slices.SortFunc(out, func(a, b float64) int { return cmp.Compare(b, a) })
	return out
}

// cumulated gives the discounted sums over the first 0, 1, 2, ... of n values.
func cumulated(n int, value func(i int) float64) []float64 {
	out := make([]float64, n+1)
	for i := range n {
		out[i+1] = out[i]
		if v := value(i); v != 0 {
			out[i+1] += v / discount(i)
		}
	}
	return out
}

// at gives the sum after k, or after all.
func at(sums []float64, k int) float64 { return sums[min(k, len(sums)-1)] }

// dcgs gives the cumulated gains of the list and of the ideal list.
func (l *trecList) dcgs(g gains) (got, ideal, best []float64) {
	best = g.best(l.levels)
	got = cumulated(len(l.grades), func(i int) float64 { return g.of(l.grades[i]) })
	return got, cumulated(len(best), func(i int) float64 { return best[i] }), best
}

// ndcgAt is ndcg_cut_k (k = 0: ndcg, over the whole list).
func (l *trecList) ndcgAt(g gains, k int) float64 {
	got, ideal, _ := l.dcgs(g)
	if k == 0 {
		k = max(len(got), len(ideal))
	}
	return ratio(at(got, k), at(ideal, k))
}

// ndcgAtRelevant is ndcg_rel: nDCG averaged over all documents with a gain, at the rank of each that
// was retrieved and at the end of the list for the others.
func (l *trecList) ndcgAtRelevant(g gains) float64 {
	got, ideal, best := l.dcgs(g)
	sum, found := 0.0, 0
	for i, grade := range l.grades {
		if g.of(grade) > 0 {
			sum += ratio(got[i+1], at(ideal, i+1))
			found++
		}
	}
	sum += float64(len(best)-found) * ratio(at(got, len(got)), at(ideal, len(ideal)))
	return ratio(sum, float64(len(best)))
}

// ndcgAtLevels is Rndcg: nDCG averaged over the ranks where the gain of the ideal list falls, and over
// the end of a list that goes on after the last of them.
func (l *trecList) ndcgAtLevels(g gains) float64 {
	if l.relevant == 0 {
		return 0
	}
	got, ideal, best := l.dcgs(g)
	sum, n := 0.0, 0
	for i := 1; i <= len(best); i++ {
		if i == len(best) || best[i] != best[i-1] {
			sum += ratio(at(got, i), ideal[i])
			n++
		}
	}
	if n > 0 && len(l.grades) > len(best)+1 {
		sum += ratio(at(got, len(got)), at(ideal, len(ideal)))
		n++
	}
	return ratio(sum, float64(n))
}

// normalisedGain is G: gains discounted by how far the list has fallen behind the ideal one, which
// costs at least 1 a rank, over the sum of the ideal gains.
func (l *trecList) normalisedGain(g gains) float64 {
	best := g.best(l.levels)
	total, cost, have, sum := 0.0, 0.0, 0.0, 0.0
	for _, v := range best {
		total += v
	}
	for i, grade := range l.grades {
		v, ideal := g.of(grade), 0.0
		if i < len(best) {
			ideal = best[i]
		}
		have += v
		cost += max(ideal, 1)
		if v != 0 {
			sum += v / math.Log2(2+cost-have)
		}
	}
	return ratio(sum, total)
}

// unit scales gains into 0 to 1 where they leave it.
func (g gains) unit(levels map[int32]int) func(grade int32) float64 {
	lo, hi := 0.0, 1.0
	for grade := range levels {
		lo, hi = min(lo, g.of(grade)), max(hi, g.of(grade))
	}
	return func(grade int32) float64 {
		if grade < 0 {
			return 0
		}
		return (g.of(grade) - lo) / (hi - lo)
	}
}
