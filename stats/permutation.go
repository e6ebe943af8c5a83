package stats

import (
	"fmt"
	"math"
)

// exactClusters is the largest number of clusters whose sign patterns are all tried.
const exactClusters = 20

// SignFlip tests paired differences against 0 by turning their signs, two-sided (Fisher 1935): all
// differences of one cluster, a connected component of documents that share a unit, turn together,
// because questions about one document are not independent. nil docs turns each unit for itself.
// Statistic is the mean difference, Effect is Cohen's dz over units.
//
// Up to 20 clusters all patterns are tried and P is exact; else P = (1 + as extreme)/(1 + replicates),
// never 0. Clusters whose differences sum to 0 take part in neither: their sign changes nothing. The
// least possible P of c clusters is 2^(1−c); a warning says where that is above 1 − level. One
// cluster alone has no P.
func SignFlip(diff []float64, docs [][]string, opt Options) Test {
	t := Test{Name: "paired sign-flip permutation", N: len(diff), EffectName: "Cohen's dz"}
	if len(diff) == 0 {
		t.Reason = "no values"
		return t
	}
	if i := notFinite(diff); i > 0 {
		t.Reason = fmt.Sprintf("value %d is not a finite number", i)
		return t
	}
	mean, _ := meanSquares(diff)
	if sumAbs := 2 * absolute(diff); !isFinite(sumAbs) {
		t.Reason = tooExtreme
		return t
	}
	t.Statistic, t.Effect = &mean, CohenDz(diff)
	comp, n := components(perUnit(docs, len(diff)))
	sums, all := clusterSums(diff, comp, n)
	if n == 1 {
		t.Reason = "no p: one cluster of documents, whose sign alone says nothing"
		return t
	}
	if all == 0 {
		t.P, t.Method = ptr(1), "exact"
		t.Warnings = append(t.Warnings, "all differences are 0")
		return t
	}
	if share := largestShare(comp, n); share > maxShare {
		t.Warnings = append(t.Warnings, fmt.Sprintf("one of %d clusters holds %.0f %% of the units", n, 100*share))
	}
	if least := math.Exp2(float64(1 - n)); least > 1-opt.level() {
		t.Warnings = append(t.Warnings, fmt.Sprintf("%s: no p below %.2g is possible", plural(n, "cluster"), least))
	}
	f := newFlips(sums)
	if len(sums) <= exactClusters {
		t.Method = fmt.Sprintf("exact over the signs of %s", plural(n, "cluster"))
		t.P = ptr(f.exact())
		return t
	}
	t.Method = fmt.Sprintf("%d random sign patterns of %s", opt.replicates(), plural(n, "cluster"))
	t.P = ptr(float64(1+f.random(opt)) / float64(1+opt.replicates()))
	return t
}

func absolute(v []float64) (sum float64) {
	for _, x := range v {
		sum += math.Abs(x)
	}
	return sum
}

// clusterSums adds the differences of each cluster and leaves out the sums that are 0; all is the sum
// of absolute differences.
func clusterSums(diff []float64, comp []int, n int) (sums []float64, all float64) {
	each := make([]float64, n)
	for i, d := range diff {
		each[comp[i]] += d
		all += math.Abs(d)
	}
	for _, s := range each {
		if math.Abs(s) > 1e-12*all {
			sums = append(sums, s)
		}
	}
	return sums, all
}

// flips adds up the sums whose sign is turned, eight to a table: tables[g][bits] is the sum of those
// of group g that bits names. The sum under a pattern is then total − 2·turned.
type flips struct {
	n      int
	tables [][256]float64
	total  float64
	bound  float64 // as extreme as seen, less what rounding may take
}

func newFlips(sums []float64) flips {
	f := flips{n: len(sums), tables: make([][256]float64, (len(sums)+7)/8)}
	size := 0.0
	for i, s := range sums {
		f.total += s
		size += math.Abs(s)
		table, bit := &f.tables[i/8], 1<<(i%8)
		for b := range bit {
			table[b|bit] = table[b] + s
		}
	}
	for g := range f.tables { // the last table may have fewer than eight: other bits change nothing
		for b, used := 0, min(256, 1<<min(8, len(sums)-8*g)); b < 256; b++ {
			f.tables[g][b] = f.tables[g][b%used]
		}
	}
	f.bound = math.Abs(f.total) - 1e-12*size
	return f
}

func (f flips) extreme(turned float64) bool { return math.Abs(f.total-2*turned) >= f.bound }

// exact is the share of all patterns that are as extreme.
func (f flips) exact() float64 {
	patterns, count := 1<<f.n, 0
	for p := range patterns {
		turned := 0.0
		for g := range f.tables {
			turned += f.tables[g][p>>(8*g)&255]
		}
		if f.extreme(turned) {
			count++
		}
	}
	return float64(count) / float64(patterns)
}

// random counts the random patterns that are as extreme. Pattern r has its own generator, seeded by
// (seed, r).
func (f flips) random(opt Options) int {
	n := opt.replicates()
	extreme := make([]bool, n)
	onAllCores(n, func(from, to int) {
		for r := from; r < to; r++ {
			state, x := opt.replicate(r), uint64(0)
			turned := 0.0
			tables := f.tables
			for len(tables) >= 8 {
				state, x = state.next()
				turned += tables[0][byte(x)] + tables[1][byte(x>>8)] + tables[2][byte(x>>16)] + tables[3][byte(x>>24)] +
					(tables[4][byte(x>>32)] + tables[5][byte(x>>40)] + tables[6][byte(x>>48)] + tables[7][byte(x>>56)])
				tables = tables[8:]
			}
			_, x = state.next()
			for g := range tables {
				turned += tables[g][byte(x>>(8*g))]
			}
			extreme[r] = f.extreme(turned)
		}
	})
	count := 0
	for _, e := range extreme {
		if e {
			count++
		}
	}
	return count
}
