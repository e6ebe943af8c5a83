package stats

import (
	"fmt"
	"math"
)

// Plan is what a comparison of two systems asks of its test before units are collected: a two-sided
// test at level Alpha that finds the difference with chance Power. The zero value is .05, .80 and
// independent units. All computations take the estimate as normal, which flatters plans of fewer than
// about 30 units by a unit or two.
type Plan struct {
	Alpha, Power float64
	// PerCluster is the mean number of units of a cluster (questions of a document); up to 1 units are
	// independent. ClusterCV is the standard deviation of that number divided by the mean; ICC the
	// correlation of two units of one cluster.
	PerCluster, ClusterCV, ICC float64
}

// DesignEffect is how many times as many units are needed as with independent ones:
// 1 + ((CV² + 1)·m − 1)·ICC with m units a cluster (Eldridge, Ashby and Kerry 2006). It is at least
// 1/m, and 1 without clusters.
func (p Plan) DesignEffect() float64 {
	if p.PerCluster <= 1 {
		return 1
	}
	return max(1/p.PerCluster, 1+((p.ClusterCV*p.ClusterCV+1)*p.PerCluster-1)*p.ICC)
}

func (p Plan) levels() (alpha, power float64) {
	alpha, power = p.Alpha, p.Power
	if alpha == 0 {
		alpha = 0.05
	}
	if power == 0 {
		power = 0.80
	}
	return alpha, power
}

// bad says what in a plan cannot be.
func (p Plan) bad() string {
	alpha, power := p.levels()
	switch {
	case !(alpha > 0 && alpha < 1):
		return fmt.Sprintf("a level of %g is not between 0 and 1", alpha)
	case !(power > alpha/2 && power < 1):
		return fmt.Sprintf("a power of %g is not between alpha/2 and 1", power)
	case !(p.ICC >= -1 && p.ICC <= 1):
		return fmt.Sprintf("an intracluster correlation of %g is not between -1 and 1", p.ICC)
	case !(p.PerCluster >= 0) || math.IsInf(p.PerCluster, 0) || !(p.ClusterCV >= 0) || math.IsInf(p.ClusterCV, 0):
		return "the size of clusters is not a number from 0"
	}
	return ""
}

// Contrast is what is compared: the variance of one unit's contribution to the estimated difference,
// were there no difference and were it delta.
type Contrast struct {
	Name        string // "paired means"
	Units       string // what n counts: "pairs", or "units in each group"
	null, truth func(delta float64) float64
	least, most float64 // differences that can be
	bad         string
}

// PairedMeans compares two systems on the same units; sd is the standard deviation of the differences.
func PairedMeans(sd float64) Contrast {
	c := meansContrast("paired means", "pairs", sd*sd)
	if !(sd >= 0) || math.IsInf(sd, 0) {
		c.bad = fmt.Sprintf("a standard deviation of %g is not a number from 0", sd)
	}
	return c
}

// IndependentMeans compares two groups of equally many units with standard deviations sdA and sdB.
func IndependentMeans(sdA, sdB float64) Contrast {
	c := meansContrast("independent means", "units in each group", sdA*sdA+sdB*sdB)
	if !(sdA >= 0 && sdB >= 0) || math.IsInf(sdA+sdB, 0) {
		c.bad = fmt.Sprintf("standard deviations of %g and %g are not numbers from 0", sdA, sdB)
	}
	return c
}

func meansContrast(name, units string, variance float64) Contrast {
	v := func(float64) float64 { return variance }
	return Contrast{Name: name, Units: units, null: v, truth: v, least: math.Inf(-1), most: math.Inf(1)}
}

// IndependentShares compares the share of successes in two groups of equally many units; base is the
// share in the one, base + delta that in the other. Source: Fleiss, Levin and Paik 2003, without
// continuity correction, as in statsmodels' power_proportions_2indep.
func IndependentShares(base float64) Contrast {
	c := Contrast{Name: "independent shares", Units: "units in each group", least: -base, most: 1 - base}
	if !(base >= 0 && base <= 1) {
		c.bad = fmt.Sprintf("a share of %g is not between 0 and 1", base)
	}
	c.null = func(d float64) float64 { p := base + d/2; return 2 * p * (1 - p) }
	c.truth = func(d float64) float64 { p := base + d; return base*(1-base) + p*(1-p) }
	return c
}

// PairedShares compares the share of successes of two systems on the same units (McNemar's test);
// discordant is the share of units on which they differ, and no difference can be larger. Source:
// Connor 1987.
func PairedShares(discordant float64) Contrast {
	c := Contrast{Name: "paired shares", Units: "pairs", least: -discordant, most: discordant}
	if !(discordant > 0 && discordant <= 1) {
		c.bad = fmt.Sprintf("a share of differing pairs of %g is not above 0 and up to 1", discordant)
	}
	c.null = func(float64) float64 { return discordant }
	c.truth = func(d float64) float64 { return discordant - d*d }
	return c
}

// Units is the least number of units (of Contrast.Units) that finds the difference delta; nil, with
// the reason, where the plan or delta cannot be or no number suffices.
func (p Plan) Units(c Contrast, delta float64) (*int, string) {
	why := p.refuse(c, delta)
	switch {
	case why != "":
		return nil, why
	case delta == 0:
		return nil, "no number of units finds a difference of 0"
	}
	n := wholeUnits(p.units(c, delta))
	if n == math.MaxInt {
		return nil, "more units than can be counted"
	}
	return &n, ""
}

// units is the number that is needed, before rounding up.
func (p Plan) units(c Contrast, delta float64) float64 {
	alpha, power := p.levels()
	root := -zQuantile(alpha/2)*math.Sqrt(c.null(delta)) + zQuantile(power)*math.Sqrt(max(0, c.truth(delta)))
	return p.DesignEffect() * math.Pow(max(0, root)/delta, 2)
}

// Detects is the chance that n units show the difference delta to be there, with its right sign;
// nil, with the reason, where the plan, n or delta cannot be.
func (p Plan) Detects(c Contrast, delta float64, n int) (*float64, string) {
	if why := p.refuse(c, delta); why != "" {
		return nil, why
	}
	if n < 2 {
		return nil, plural(n, "unit") + ", fewer than 2"
	}
	alpha, _ := p.levels()
	size := float64(n) / p.DesignEffect()
	null, truth := math.Sqrt(c.null(delta)/size), math.Sqrt(max(0, c.truth(delta))/size)
	short := -zQuantile(alpha/2)*null - math.Abs(delta)
	switch {
	case truth > 0:
		return ptr(normalTail(short / truth)), ""
	case short < 0:
		return ptr(1), ""
	}
	return nil, "nothing varies: there is no test"
}

// MinDetectable is the least difference above 0 that n units find; nil, with the reason, where the
// plan or n cannot be or the units find no possible difference.
func (p Plan) MinDetectable(c Contrast, n int) (*float64, string) {
	if why := p.refuse(c, 0); why != "" {
		return nil, why
	}
	if n < 2 {
		return nil, plural(n, "unit") + ", fewer than 2"
	}
	low, high := 0.0, c.most
	if math.IsInf(high, 1) { // means: the variance does not depend on the difference
		return ptr(math.Sqrt(p.units(c, 1) / float64(n))), ""
	}
	if p.units(c, high) > float64(n) {
		return nil, fmt.Sprintf("%d are too few for the largest possible difference, %.4g", n, high)
	}
	for range 200 { // the number needed falls as the difference grows
		mid := low + (high-low)/2
		if p.units(c, mid) > float64(n) {
			low = mid
		} else {
			high = mid
		}
	}
	return &high, ""
}

func (p Plan) refuse(c Contrast, delta float64) string {
	if why := p.bad(); why != "" {
		return why
	}
	if c.bad != "" {
		return c.bad
	}
	if !(delta >= c.least && delta <= c.most) || math.IsInf(delta, 0) {
		return fmt.Sprintf("a difference of %g cannot be: it lies between %.4g and %.4g", delta, c.least, c.most)
	}
	return ""
}

// Clusters numbers units by the connected components of the documents that they rest on, for [ICC]
// and [ClusteredSE]: units that share a document, directly or through others, have one number. A unit
// without documents has its own.
func Clusters(docs [][]string) []int {
	comp, _ := components(docs)
	return comp
}

// ICC is the correlation of two values of one cluster, by the one-way analysis of variance:
// (MSB − MSW) / (MSB + (n₀ − 1)·MSW) with n₀ the cluster size that stands for unequal ones (Donner
// 1986; ICC1 of pingouin for equal sizes). It may be below 0. Nil, with the reason, for unequal
// lengths, fewer than two clusters, clusters of one value each, and values that do not vary.
func ICC(values []float64, cluster []int) (*float64, string) {
	if len(values) != len(cluster) {
		return nil, unequal(len(values), len(cluster))
	}
	if j := notFinite(values); j > 0 {
		return nil, fmt.Sprintf("value %d is not a finite number", j)
	}
	type group struct{ n, sum float64 }
	var groups []group
	at := map[int]int{}
	for i, v := range values {
		g, ok := at[cluster[i]]
		if !ok {
			g = len(groups)
			at[cluster[i]] = g
			groups = append(groups, group{})
		}
		groups[g].n++
		groups[g].sum += v
	}
	n, k := float64(len(values)), float64(len(groups))
	switch {
	case k < 2:
		return nil, plural(int(k), "cluster") + ", fewer than 2"
	case k == n:
		return nil, "every cluster has one value"
	case constant(values):
		return nil, "the values do not vary"
	}
	mean, total := meanSquares(values)
	between, squares := 0.0, 0.0
	for _, g := range groups {
		d := g.sum/g.n - mean
		between += g.n * d * d
		squares += g.n * g.n
	}
	within := max(0, total-between)
	size := (n - squares/n) / (k - 1)
	msb, msw := between/(k-1), within/(n-k)
	return ptr((msb - msw) / (msb + (size-1)*msw)), ""
}
