package stats

import (
	"fmt"
	"math"
	"slices"
)

// Agreement is how far raters agree beyond what chance would give. The embedded interval holds the
// coefficient: 1 is perfect agreement, 0 what chance gives, below 0 less than that. Value is nil where
// the ratings do not vary: agreement is then observed, but nothing can be said about chance.
//
// For the kappas and nominal alpha, Value is (Observed − Expected) / (1 − Expected).
type Agreement struct {
	Interval
	Name       string
	Observed   *float64 // agreement of the raters with the coefficient's weights, in [0,1]
	Expected   *float64 // the same, had they rated independently of the unit
	Exact      *float64 // share of pairs of ratings of one unit that are equal
	Raters     int      // most ratings of a unit
	Categories int      // different ratings
	Unpaired   int      // units with fewer than two ratings; they are not in N
}

// Weights say how much a disagreement counts. The distance of two ratings is that of their numbers,
// as a share of the largest distance between two categories.
type Weights int

// The weights of Cohen's kappa.
const (
	Unweighted Weights = iota // every disagreement counts 1
	Linear                    // the distance
	Quadratic                 // its square
)

func (w Weights) String() string {
	return [...]string{"unweighted", "linear weights", "quadratic weights"}[w]
}

// distance of two ratings whose scale has the given width, in [0,1].
func (w Weights) distance(a, b, width float64) float64 {
	if a == b {
		return 0
	}
	d := math.Abs(a-b) / width
	switch w {
	case Linear:
		return d
	case Quadratic:
		return d * d
	}
	return 1
}

// lopsided is the share of ratings in one category above which a reader is warned that the
// coefficient rests on few ratings.
const lopsided = 0.9

// warnLopsided says so where almost all ratings are the same. Coefficients of agreement are then low
// and unsteady even where raters hardly ever differ.
func (g *Agreement) warnLopsided(share float64) {
	if share > lopsided && share < 1 {
		g.Warnings = append(g.Warnings, fmt.Sprintf("one category holds %.0f %% of the ratings: the coefficient rests on few", 100*share))
	}
}

// unvaried says why there is no coefficient where the ratings do not vary.
func (g *Agreement) unvaried() {
	g.Reason = "expected agreement is 1"
	g.Warnings = append(g.Warnings, "all ratings are the same: chance would agree as well")
}

// categories are the different values, sorted.
func categories(ratings ...[]float64) []float64 {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(ratings...))))
}

// badRating refuses a rating that is no number.
func badRating(ratings ...[]float64) string {
	for _, r := range ratings {
		if notFinite(r) > 0 {
			return "a rating is not a finite number"
		}
	}
	return ""
}
