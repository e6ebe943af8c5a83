package study

import (
	"fmt"

	edb "enterprisedocbench"
)

// worseEnd is how much worse the candidate is, and the end of the interval where it is most so, both
// positive where it is worse. The end is nil without an interval.
func (d Difference) worseEnd() (drop float64, end *float64) {
	if d.Higher {
		drop = 0 - *d.Value // not -0
		if d.Lo != nil {
			end = ptr(-*d.Lo)
		}
		return drop, end
	}
	return *d.Value, d.Hi
}

// drop holds how much worse a pipeline is than its baseline against a threshold.
func (g *gate) drop(d Difference, res *CheckResult) {
	if d.Value == nil {
		res.Words = because(NotMeasured, d.Reason)
		return
	}
	drop, end := d.worseEnd()
	res.Value = &drop
	what := "the drop"
	if g.opt.Bound {
		if res.Value, what = end, "the drop may be as large as its bound, which"; end == nil {
			res.Words = "no interval to go by: " + firstOf(d.Reason, "none was made")
			return
		}
	}
	over := *res.Value - *res.Threshold
	res.Passed = over <= slack
	res.Words = fmt.Sprintf("%s is %.4g (%s)", what, *res.Value, d.plain())
	if !res.Passed {
		res.Words += fmt.Sprintf(", over %.4g", *res.Threshold)
	}
}

// notWorse passes where the paired test does not say worse, or, with a delta, only where the interval
// rules a drop of delta out. What cannot be tested fails.
func (g *gate) notWorse(d Difference, res *CheckResult) {
	if d.Value == nil || d.Verdict == NotTested {
		res.Words = because(NotTested, firstOf(d.Reason, "nothing to measure"))
		return
	}
	drop, end := d.worseEnd()
	res.Value = &drop
	if end == nil || d.P == nil {
		res.Words = because(NotTested, firstOf(d.Reason, "there is no interval and no p"))
		return
	}
	if least := leastDocuments(0.95); d.docs < least && (drop != 0 || *end != 0) {
		res.Words = fmt.Sprintf("not tested: %s, %d or more needed", edb.Count(d.docs, "document"), least)
		return
	}
	if g.opt.Delta > 0 {
		res.Value = end
		res.Passed = *end < g.opt.Delta
		res.Words = fmt.Sprintf("a drop of %.4g is ruled out (%s)", g.opt.Delta, d.plain())
		if !res.Passed {
			res.Words = fmt.Sprintf("a drop of %.4g is not ruled out (%s)", g.opt.Delta, d.plain())
		}
		return
	}
	significant := drop > 0 && *d.P <= 0.05 && (*d.Lo > 0 || *d.Hi < 0)
	res.Passed = !significant
	res.Words = "not significantly worse (" + d.plain() + ")"
	if significant {
		res.Words = "significantly worse (" + d.plain() + ")"
	} else if d.Detectable != nil {
		res.Words += fmt.Sprintf("; a difference of %.2g would be noticed", *d.Detectable)
	}
}

// plain is the difference in one phrase: "0.769 to 0.593, -0.176 [-0.299, -0.058], p 0.0042, 90 units".
func (d Difference) plain() string {
	s := fmt.Sprintf("%.4g to %.4g, %+.3f", *d.BaselineValue, *d.CandidateValue, *d.Value)
	if d.Verdict == NotTested {
		return fmt.Sprintf("%.4g to %.4g", *d.BaselineValue, *d.CandidateValue)
	}
	if d.Lo != nil {
		s += fmt.Sprintf(" [%+.3f, %+.3f]", *d.Lo, *d.Hi)
	}
	if d.P != nil {
		s += fmt.Sprintf(", p %.4f", *d.P)
	}
	s += fmt.Sprintf(", %s", edb.Count(d.N, "unit"))
	if alone := d.OnlyBaseline + d.OnlyCandidate; alone > 0 {
		s += fmt.Sprintf(", %d more in one of the two only", alone)
	}
	return s
}
