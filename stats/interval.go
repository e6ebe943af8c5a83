package stats

import (
	"fmt"
	"strings"
)

// Interval is an estimate with bounds. Value is nil where nothing can be estimated, Lo and Hi where
// no interval can be given; Reason then says why.
type Interval struct {
	Value, Lo, Hi *float64
	Level         float64  // 0.95
	N             int      // units
	Method        string   // how the bounds were made
	Reason        string   // why there is no value, or no interval
	Warnings      []string // what a reader must know before trusting the bounds
}

// Methods of an interval, for Options.Method. Documents joined by the units that rest on both are one
// cluster; without documents every unit is a cluster of its own.
const (
	// Auto is the rule of every figure: the clustered bootstrap, or the two-way bootstrap with fewer
	// than 10 clusters or one that holds more than 20 % of the units.
	Auto = ""
	// Percentile resamples units as if they were independent, whatever documents they share.
	Percentile = "percentile"
	// Clustered resamples whole clusters, however few there are.
	Clustered = "clustered"
	// TwoWay resamples documents and units independently (Owen 2007); see [Mean] for which side it
	// errs on.
	TwoWay = "two-way"
	// BCa resamples whole clusters and corrects the bounds for bias and skew (Efron 1987).
	BCa = "bca"
	// StudentT is the closed form with Student's t: for a mean with the clustered standard error, for
	// a correlation r ± t·sqrt((1−r²)/df). It takes the units of a correlation as independent.
	StudentT = "t"
	// Fisher is the closed form on the scale atanh r, for correlations of independent units.
	Fisher = "fisher"
)

// Options of an interval. The zero value means seed 0, 10,000 replicates, level 0.95 and [Auto].
type Options struct {
	Seed       uint64
	Replicates int
	Level      float64
	Method     string // one of the constants above
}

func (o Options) replicates() int {
	if o.Replicates <= 0 {
		return 10000
	}
	return o.Replicates
}

func (o Options) level() float64 {
	if o.Level <= 0 || o.Level >= 1 {
		return 0.95
	}
	return o.Level
}

// refuse says why a method cannot be used where only those of allowed can; "" where it can.
func (o Options) refuse(allowed ...string) string {
	var names []string
	for _, a := range allowed {
		if o.Method == a {
			return ""
		}
		if a != Auto {
			names = append(names, a)
		}
	}
	return fmt.Sprintf("no interval: method %q is none of %s", o.Method, strings.Join(names, ", "))
}

// minUnits is the least number of units for which a resampled interval is given.
const minUnits = 10

// minClusters and maxShare bound where resampling whole clusters is trusted: with fewer clusters, or
// one that holds a larger share of the units, the two-way bootstrap is used.
const (
	minClusters = 10
	maxShare    = 0.20
)

func ptr(x float64) *float64 { return &x }
