package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// CorrOptions of a correlation. Options.Method chooses the interval: [Auto] is the bootstrap over
// documents as for every figure; [Fisher] and [StudentT] are the closed forms of published tables.
type CorrOptions struct {
	Options
	Docs [][]string // Docs[i]: the documents that unit i rests on; nil: units are independent

	// ScaleX and ScaleY are the lowest and the highest value that can be had. Left at zero they are
	// 0 and 1 for values in that range, else the least and the greatest value seen.
	ScaleX, ScaleY [2]float64
	// SDX and SDY are standard deviations in the population that the units should stand for; 0 where
	// they are not known. See Correlation.Restricted.
	SDX, SDY float64
	// ReliabilityX and ReliabilityY are those of x and y, as from [Reliability]; where both are set
	// the correlation is also given corrected for attenuation.
	ReliabilityX, ReliabilityY float64

	// Ranked makes [PartialCorrelation] use ranks (Spearman).
	Ranked bool
}

// Correlation is a coefficient with its interval, its test against 0 and what limits its reading.
// The embedded Interval holds value, bounds, N, Method (of the interval), Reason and Warnings.
type Correlation struct {
	Interval
	Coefficient string // "pearson", "spearman", "kendall tau-b", "partial pearson", "partial spearman"

	// T is Student's t of the coefficient with DF degrees of freedom; for Kendall it is the normal z
	// and DF is nil. T is nil where it is infinite (|value| = 1) or where P is exact.
	T, DF *float64
	// P is two-sided, of units taken as independent; PMethod says how it was made.
	P       *float64
	PMethod string
	// PClustered is two-sided, from the standard error of the resampled atanh and Student's t with
	// one degree of freedom fewer than clusters. Nil for closed-form intervals.
	PClustered *float64

	FloorX, CeilingX, FloorY, CeilingY float64 // shares of units at the ends of the scales, 0..1
	// Restricted warns that the spread of x or y is so narrow that the coefficient says little about
	// the whole scale: a standard deviation under .8 of the population's where that is given, else
	// under .1 of the scale's length; or half of the units at one end.
	Restricted bool

	Disattenuated *float64 // corrected for attenuation, where reliabilities are given
}

// kind is one of the coefficients: its name, its value and test on n units, and how it is resampled.
type kind struct {
	name  string
	least int // fewest units that have a value
	se    func(r, n float64) float64
	lost  float64 // degrees of freedom beyond the pair's own that the coefficient uses
}

var (
	// The standard errors on the scale of atanh: Fisher 1921; Bonett and Wright 2000; Fieller,
	// Hartley and Pearson 1957.
	pearsonKind  = kind{name: "pearson", least: 3, se: func(_, n float64) float64 { return 1 / math.Sqrt(n-3) }}
	spearmanKind = kind{name: "spearman", least: 3, se: func(r, n float64) float64 { return math.Sqrt((1 + r*r/2) / (n - 3)) }}
	kendallKind  = kind{name: "kendall tau-b", least: 3, se: func(_, n float64) float64 { return math.Sqrt(.437 / (n - 4)) }}
)

// Pearson is the product-moment correlation of paired values with its t test (as in SciPy's
// pearsonr). Undefined, with a reason: unequal lengths, values that are not finite, x or y that does
// not vary, fewer than 3 units. Bounds: Options.Method; the resampled ones need 10 units.
func Pearson(x, y []float64, opt CorrOptions) Correlation {
	c, ok := start(pearsonKind, x, y, opt)
	if !ok {
		return c
	}
	p := newPearson(x, y)
	return c.finish(pearsonKind, p.of(nil, nil), p, opt)
}

// Spearman is the rank correlation, ties getting their mean rank, with its t test (as in SciPy's
// spearmanr). See [Pearson] for bounds and reasons.
func Spearman(x, y []float64, opt CorrOptions) Correlation {
	c, ok := start(spearmanKind, x, y, opt)
	if !ok {
		return c
	}
	s := newSpearman(x, y)
	return c.finish(spearmanKind, s.of(nil, s.scratch()), s, opt)
}

// Kendall is the rank correlation tau-b (Kendall 1945) in O(n log n). P is exact for up to 33 units
// without ties, and where one pair at most is out of order, else from the normal approximation with
// the variance under ties (as in SciPy's kendalltau). See [Pearson] for bounds and reasons.
func Kendall(x, y []float64, opt CorrOptions) Correlation {
	c, ok := start(kendallKind, x, y, opt)
	if !ok {
		return c
	}
	k := newKendall(x, y)
	balance, differX, differY := k.count(nil, k.scratch().(*kendallScratch))
	c.T, c.P, c.PMethod = k.test(balance)
	return c.finish(kendallKind, tauB(balance, differX, differY), k, opt)
}

// start checks the pairs and describes them; false where there is no value.
func start(k kind, x, y []float64, opt CorrOptions) (Correlation, bool) {
	c := Correlation{Coefficient: k.name, Interval: Interval{Level: opt.level(), N: min(len(x), len(y))}}
	c.Reason = noPairs(k.least, x, y)
	if c.Reason != "" {
		return c, false
	}
	var narrowX, narrowY bool
	c.FloorX, c.CeilingX, narrowX = scaleUse(x, opt.ScaleX, opt.SDX)
	c.FloorY, c.CeilingY, narrowY = scaleUse(y, opt.ScaleY, opt.SDY)
	c.Restricted = narrowX || narrowY
	return c, true
}

func noPairs(least int, x, y []float64) string {
	if len(x) != len(y) {
		return unequal(len(x), len(y))
	}
	if len(x) == 0 {
		return "no values"
	}
	for i, v := range [][]float64{x, y} {
		if j := notFinite(v); j > 0 {
			return fmt.Sprintf("value %d of %s is not a finite number", j, [...]string{"x", "y"}[i])
		}
	}
	if len(x) < least {
		return fmt.Sprintf("%s, fewer than %d", plural(len(x), "unit"), least)
	}
	switch fixed, other := constant(x), constant(y); {
	case fixed && other:
		return "x and y do not vary"
	case fixed:
		return "x does not vary"
	case other:
		return "y does not vary"
	}
	return ""
}

// plural writes "1 unit", "2 units".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// scaleUse gives the shares of values at the ends of a scale and says whether they use little of it.
func scaleUse(v []float64, scale [2]float64, population float64) (floor, ceiling float64, narrow bool) {
	least, most := v[0], v[0]
	for _, x := range v {
		if x < least {
			least = x
		} else if x > most {
			most = x
		}
	}
	if scale == [2]float64{} {
		scale = [2]float64{least, most}
		if least >= 0 && most <= 1 {
			scale = [2]float64{0, 1}
		}
	}
	low, high, n := 0, 0, float64(len(v))
	for _, x := range v {
		if x <= scale[0] {
			low++
		}
		if x >= scale[1] {
			high++
		}
	}
	floor, ceiling = float64(low)/n, float64(high)/n
	_, ss := meanSquares(v)
	sd := math.Sqrt(ss / max(1, n-1))
	narrow = sd < .1*(scale[1]-scale[0])
	if population > 0 {
		narrow = sd < .8*population
	}
	return floor, ceiling, narrow || floor >= .5 || ceiling >= .5
}

// finish adds test and bounds to a value. coef resamples it.
func (c Correlation) finish(k kind, value float64, coef coefficient, opt CorrOptions) Correlation {
	if 1-math.Abs(value) < 1e-14 { // perfect but for rounding
		value = math.Copysign(1, value)
	}
	c.Value = &value
	if !isFinite(value) {
		return c.finite()
	}
	n := float64(c.N) - k.lost
	if c.PMethod == "" {
		c.studentT(value, n-2)
	}
	if opt.ReliabilityX != 0 || opt.ReliabilityY != 0 {
		d := Disattenuate(value, opt.ReliabilityX, opt.ReliabilityY)
		c.Disattenuated = d.Value
		if d.Reason != "" {
			c.Warnings = append(c.Warnings, "not corrected for attenuation: "+d.Reason)
		}
	}
	if c.Restricted {
		c.Warnings = append(c.Warnings, "restricted range: x or y uses little of its scale")
	}
	switch opt.Method {
	case Fisher:
		c.fisher(k, value, n)
	case StudentT:
		c.boundT(value, n-2)
	default:
		c.resampled(coef, opt)
		return c.finite()
	}
	c = c.finite()
	if opt.Docs == nil {
		return c
	}
	if _, clusters := components(perUnit(opt.Docs, c.N)); clusters < c.N {
		c.Warnings = append(c.Warnings, fmt.Sprintf("units share documents (%s): interval and p take them as independent", plural(clusters, "cluster")))
	}
	return c
}

// studentT is the test of a coefficient by t = r·sqrt(df/(1−r²)).
func (c *Correlation) studentT(r, df float64) {
	c.PMethod = "Student's t"
	if df < 1 {
		c.PMethod = ""
		c.Warnings = append(c.Warnings, "no test: no degrees of freedom are left")
		return
	}
	c.DF = &df
	if math.Abs(r) == 1 {
		c.P = ptr(0)
		c.Warnings = append(c.Warnings, "perfect correlation: t is infinite")
		return
	}
	t := r * math.Sqrt(df/((1-r)*(1+r)))
	c.T, c.P = &t, ptr(twoSidedT(t, df))
}

func twoSidedT(t, df float64) float64 {
	return min(1, 2*distuv.StudentsT{Sigma: 1, Nu: df}.CDF(-math.Abs(t)))
}

// fisher bounds r by atanh r ± z·se.
func (c *Correlation) fisher(k kind, r, n float64) {
	se := k.se(r, n)
	switch {
	case math.IsNaN(se) || math.IsInf(se, 0):
		c.Reason = "no interval: " + plural(c.N, "unit") + ", too few for Fisher's"
	case math.Abs(r) == 1:
		c.Reason = "no interval: perfect correlation"
	default:
		c.Method = "fisher z"
		z, half := math.Atanh(r), se*distuv.UnitNormal.Quantile((1+c.Level)/2)
		c.Lo, c.Hi = ptr(math.Tanh(z-half)), ptr(math.Tanh(z+half))
	}
}

// boundT bounds r by r ± t·sqrt((1−r²)/df), cut to [−1,1].
func (c *Correlation) boundT(r, df float64) {
	if df < 1 || math.Abs(r) == 1 {
		c.Reason = "no interval: perfect correlation"
		if df < 1 {
			c.Reason = "no interval: no degrees of freedom are left"
		}
		return
	}
	c.Method = "t"
	half := distuv.StudentsT{Sigma: 1, Nu: df}.Quantile((1+c.Level)/2) * math.Sqrt((1-r)*(1+r)/df)
	c.Lo, c.Hi = ptr(max(-1, r-half)), ptr(min(1, r+half))
}

// FisherFromR gives test and Fisher's interval of a published Pearson correlation of n units. It has
// no value for r outside [−1,1] or fewer than 3 units, and no interval for |r| = 1 or fewer than 4.
func FisherFromR(r float64, n int, level float64) Correlation {
	c := Correlation{Coefficient: pearsonKind.name, Interval: Interval{Level: Options{Level: level}.level(), N: n}}
	switch {
	case !(r >= -1 && r <= 1):
		c.Reason = fmt.Sprintf("correlation %g is not from -1 to 1", r)
	case n < pearsonKind.least:
		c.Reason = fmt.Sprintf("%s, fewer than %d", plural(n, "unit"), pearsonKind.least)
	default:
		c.Value = &r
		c.studentT(r, float64(n-2))
		c.fisher(pearsonKind, r, float64(n))
	}
	return c
}
