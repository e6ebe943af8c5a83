package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// kendall holds units in the order of x, and their dense ranks in y.
type kendall struct {
	unit   []int32 // unit[k]: the unit at place k of the order
	y      []int32 // y[k]: its dense rank in y
	end    []int32 // end[g]: where group g of equal x ends in the order
	ny     int
	countX []float64 // how many units share each value of x, and of y
	countY []float64
}

func newKendall(x, y []float64) kendall {
	rx, nx := denseRanks(x)
	ry, ny := denseRanks(y)
	k := kendall{ny: ny, end: make([]int32, nx), unit: make([]int32, len(x)), y: make([]int32, len(x)),
		countX: make([]float64, nx), countY: make([]float64, ny)}
	for i, r := range rx {
		k.countX[r]++
		k.countY[ry[i]]++
	}
	at := int32(0)
	for g, c := range k.countX {
		k.end[g] = at // the place of the next unit of the group; its end when all are placed
		at += int32(c)
	}
	for i, r := range rx {
		k.unit[k.end[r]], k.y[k.end[r]] = int32(i), ry[i]
		k.end[r]++
	}
	return k
}

type kendallScratch struct {
	tree []float64 // Fenwick tree of weights by rank in y
	y    []float64 // weight of each rank in y
}

func (k kendall) scratch() any {
	return &kendallScratch{make([]float64, k.ny+1), make([]float64, k.ny)}
}

func (k kendall) of(w []float64, scratch any) float64 {
	return tauB(k.count(w, scratch.(*kendallScratch)))
}

func tauB(balance, differX, differY float64) float64 {
	if !(differX > 0 && differY > 0) {
		return math.NaN()
	}
	return balance / math.Sqrt(differX) / math.Sqrt(differY)
}

// count returns the weight of pairs in order minus that of pairs out of order, and the weights of
// pairs that differ in x and in y. Whole weights are counted exactly.
func (k kendall) count(w []float64, s *kendallScratch) (balance, differX, differY float64) {
	clear(s.tree)
	clear(s.y)
	total := 0.0
	from := int32(0)
	for _, to := range k.end {
		before := total
		for p := from; p < to; p++ { // against the groups of smaller x
			weight := 1.0
			if w != nil {
				if weight = w[k.unit[p]]; weight == 0 {
					continue
				}
			}
			y := int(k.y[p])
			below := 0.0
			for i := y; i > 0; i &= i - 1 {
				below += s.tree[i]
			}
			// s.y counts whole groups only, as the tree does: it is filled below.
			balance += weight * (2*below + s.y[y] - before)
		}
		for p := from; p < to; p++ {
			weight := 1.0
			if w != nil {
				if weight = w[k.unit[p]]; weight == 0 {
					continue
				}
			}
			y := int(k.y[p])
			s.y[y] += weight
			total += weight
			for i := y + 1; i < len(s.tree); i += i & -i {
				s.tree[i] += weight
			}
		}
		differX += (total - before) * before
		from = to
	}
	below := 0.0
	for _, c := range s.y {
		differY += c * below
		below += c
	}
	return balance, differX, differY
}

// test is the test of tau = 0 of units that count once each, from their balance.
func (k kendall) test(balance float64) (z, p *float64, method string) {
	n := float64(len(k.unit))
	pairs := n * (n - 1) / 2
	tx, x0, x1 := ties(k.countX)
	ty, y0, y1 := ties(k.countY)
	if tx == 0 && ty == 0 {
		out := (pairs - math.Abs(balance)) / 2 // pairs that break the dominant order
		if n <= 33 || out <= 1 {
			return nil, ptr(kendallExact(len(k.unit), int(out))), "exact"
		}
	}
	m := n * (n - 1)
	variance := (m*(2*n+5)-x1-y1)/18 + 2*tx*ty/m + x0*y0/(9*m*(n-2))
	v := balance / math.Sqrt(variance)
	return &v, ptr(2 * distuv.UnitNormal.CDF(-math.Abs(v))), "normal approximation, variance under ties"
}

// ties sums c(c−1)/2, c(c−1)(c−2) and c(c−1)(2c+5) over the sizes c of groups of equal values.
func ties(counts []float64) (pairs, triples, weighted float64) {
	for _, c := range counts {
		pairs += c * (c - 1) / 2
		triples += c * (c - 1) * (c - 2)
		weighted += c * (c - 1) * (2*c + 5)
	}
	return pairs, triples, weighted
}

// kendallExact is the share of the orders of n units with at most out inversions, doubled, for out
// up to half of all pairs (Kendall 1970, chapter 5). Above 33 units out is 0 or 1.
func kendallExact(n, out int) float64 {
	if 4*out == n*(n-1) {
		return 1
	}
	if out <= 1 {
		logFactorial, _ := math.Lgamma(float64(n + 1))
		ways := 1.0
		if out == 1 {
			ways = float64(n)
		}
		return min(1, math.Exp(math.Log(2*ways)-logFactorial))
	}
	share := make([]float64, out+1) // of the orders of m units, those with j inversions
	share[0] = 1
	for m := 2; m <= n; m++ {
		next := make([]float64, out+1)
		for j := range next {
			for i := max(0, j-m+1); i <= j; i++ {
				next[j] += share[i]
			}
			next[j] /= float64(m)
		}
		share = next
	}
	sum := 0.0
	for _, s := range share {
		sum += s
	}
	return min(1, 2*sum)
}
