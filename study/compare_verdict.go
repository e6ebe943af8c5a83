package study

import (
	"fmt"
	"math"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/stats"
)

// power is the chance of being noticed that Detectable and NNeeded are for.
const power = 0.8

// judge corrects the p values over all tests of the comparison and puts a verdict on every row.
func (c *comparer) judge() error {
	rows := c.out.Differences
	ps := make([]*float64, len(rows))
	for i, d := range rows {
		switch {
		case d.P == nil:
		case d.same:
			c.out.Untested++
		default:
			ps[i] = d.P
			c.out.Tests++
		}
	}
	adjusted, err := stats.Adjust(ps, c.opt.Adjust)
	if err != nil {
		return err
	}
	alpha := 1 - c.opt.Level
	shared := alpha
	if c.opt.Adjust != "none" {
		shared /= float64(max(1, c.out.Tests))
	}
	for i := range rows {
		d := &rows[i]
		if d.PAdjusted = adjusted[i]; d.same {
			d.PAdjusted = d.P
		}
		if d.se > 0 && d.P != nil {
			d.Detectable = ptr(stats.MinDetectable(d.se, shared, power))
		}
		if d.Verdict == "" {
			d.Verdict = c.verdict(*d, alpha)
			if d.Verdict == NotEnough {
				d.NNeeded = needed(*d, c.opt.Delta, shared)
			}
		}
		d.Words = d.words(c.opt)
	}
	return nil
}

// verdict: what lies within ±delta is equal, whatever its sign; better and worse ask both the
// corrected test and the interval. From a few documents nothing is decided, unless no unit differs:
// their intervals do not speak for other documents.
func (c *comparer) verdict(d Difference, alpha float64) string {
	if d.Lo == nil || d.docs < leastDocuments(c.opt.Level) && (*d.Lo != 0 || *d.Hi != 0) {
		return NotEnough
	}
	if -c.opt.Delta <= *d.Lo && *d.Hi <= c.opt.Delta {
		return Equal
	}
	if d.PAdjusted == nil || *d.PAdjusted > alpha || *d.Lo <= 0 && *d.Hi >= 0 {
		return NotEnough
	}
	if (*d.Value > 0) == d.Higher {
		return Better
	}
	return Worse
}

// needed is how many units would decide with a chance of .8 should the difference stay what it is:
// enough to tell it from 0 at the shared level, or, where it is smaller than delta, to tell it from
// delta, whichever takes fewer. The design effect of the clusters is that of the interval. 0 where
// the spread of the differences cannot be estimated.
func needed(d Difference, delta, alpha float64) int {
	sd := d.se * math.Sqrt(float64(d.N))
	if d.Lo == nil || sd == 0 {
		if d.spread == nil || *d.spread == 0 {
			return 0
		}
		sd = *d.spread
	}
	n := stats.UnitsNeeded(sd, math.Max(math.Abs(*d.Value), delta-math.Abs(*d.Value)), alpha, power)
	return max(n, d.N+1, minUnits)
}

// minUnits is the least number of units for which there is an interval.
const minUnits = 10

func (d Difference) words(opt CompareOptions) string {
	switch d.Verdict {
	case Equal:
		return fmt.Sprintf("equal within ±%g", opt.Delta)
	case NotEnough:
		if least := leastDocuments(opt.Level); d.docs < least && d.N >= minUnits {
			return fmt.Sprintf("not enough data: %s, %d or more needed", edb.Count(d.docs, "document"), least)
		}
		if d.NNeeded == 0 {
			return fmt.Sprintf("not enough data: %d or more units needed", max(minUnits, d.N+1))
		}
		return fmt.Sprintf("not enough data: %s units needed", edb.Thousands(d.NNeeded))
	case Directional, NotMeasured, NotTested:
		return because(d.Verdict, d.Reason)
	}
	return d.Verdict
}

// because joins a verdict and its reason, which may begin with the same words.
func because(verdict, reason string) string {
	return verdict + ": " + strings.TrimPrefix(reason, verdict+": ")
}
