package metrics

import (
	"fmt"
	"strings"

	"enterprisedocbench"
)

// Weights of the composites (EnterpriseDocBench sections 3.1, 3.4 and 5.2), in the order
// of PParts, GParts and QParts. Each sums to 1.
var (
	PParts   = []string{"tis", "tea", "fcq", "lf"}
	PWeights = []float64{0.40, 0.30, 0.15, 0.15}
	GParts   = []string{"fa", "sap", "sar", "hr", "ac"} // hr enters as 1 - hr
	GWeights = []float64{0.30, 0.25, 0.15, 0.20, 0.10}
	QParts   = []string{"p", "r", "g"}
	QWeights = []float64{0.25, 0.50, 0.25}
)

// Weighted is the weighted mean of values with the weights divided by their sum. Values and weights
// have one length; with no positive weight it is 0.
func Weighted(values, weights []float64) float64 {
	sum, total := 0.0, 0.0
	for i, v := range values {
		sum += weights[i] * v
		total += weights[i]
	}
	if total == 0 {
		return 0
	}
	return sum / total
}

// Composed is a composite of parts of which some may be missing.
type Composed struct {
	Key     string   // parse.p, or parse.p(parts=tis+lf) where parts are missing
	Value   *float64 // nil without any part
	Full    *float64 // the value under the plain key: nil where a part is missing
	Reason  string   // why Full is nil
	Variant string   // "fcq=caption_f1" where that stands in
}

// P is the parsing score of a pipeline, .40 TIS + .30 TEA + .15 FCQ + .15 LF (EnterpriseDocBench
// section 3.1), on the parts' means. Where a part is nil P is not measured, and the composite over
// the others, weights renormalised, has a key that names them. fcqVariant is "caption_f1" where
// captions were scored without an encoder, or the encoder's name; it makes figures comparable only
// with their like.
func P(tis, tea, fcq, lf *float64, fcqVariant string) Composed {
	c := compose("parse.p", PParts, PWeights, []*float64{tis, tea, fcq, lf})
	if fcqVariant != "" && fcq != nil {
		c.Variant = "fcq=" + fcqVariant
	}
	return c
}

// G is the generation score, .30 FA + .25 SAP + .15 SAR + .20 (1-HR) + .10 AC (EnterpriseDocBench
// section 3.4), on the component means of a pipeline, or on one answer's values. A missing part is
// treated as in [P].
func G(fa, sap, sar, hr, ac *float64) Composed {
	return compose("generate.g", GParts, GWeights, []*float64{fa, sap, sar, inverted(hr), ac})
}

// Q is the end-to-end quality, .25 P + .50 nDCG@5 + .25 G (EnterpriseDocBench section 5.2). Without
// P, Q is not measured and Value is quality.q(without=parse), weights renormalised; without R or G
// there is neither. variant is that of P.
func Q(p, r, g *float64, variant string) Composed {
	c := compose("quality.q", QParts, QWeights, []*float64{p, r, g})
	switch {
	case r == nil || g == nil:
		c.Value, c.Key = nil, "quality.q"
	case p == nil:
		c.Key = "quality.q(without=parse)"
	default:
		c.Variant = variant
	}
	return c
}

// QWithoutParse is Q over retrieval and generation alone, printed for every row where one row lacks
// P. It is nil where R or G is.
func QWithoutParse(r, g *float64) *float64 { return Q(nil, r, g, "").Value }

func inverted(x *float64) *float64 {
	if x == nil {
		return nil
	}
	y := 1 - *x
	return &y
}

func compose(key string, names []string, weights []float64, values []*float64) Composed {
	var have, lack []string
	var v, w []float64
	for i, x := range values {
		if x == nil {
			lack = append(lack, names[i])
			continue
		}
		have = append(have, names[i])
		v, w = append(v, *x), append(w, weights[i])
	}
	c := Composed{Key: key}
	if len(v) > 0 {
		x := Weighted(v, w)
		c.Value = &x
	}
	if len(lack) == 0 {
		c.Full = c.Value
		return c
	}
	c.Reason = fmt.Sprintf("not measured: no %s", strings.Join(lack, ", no "))
	if len(have) > 0 {
		c.Key = fmt.Sprintf("%s(parts=%s)", key, strings.Join(have, "+"))
	}
	return c
}

// Aggregate is the plain figure of rows of one measure: the strict mean, in which a failed unit
// takes the measure's worst value, the mean over what succeeded, and the counts. Rows with a weight
// count by it. It gives no interval. Rows are averaged in their order; those with nothing to measure
// are counted as missing.
func Aggregate(rows []edb.Measurement) edb.Figure {
	var f edb.Figure
	var strict, ok, all, allOK float64
	var why Reasons
	for _, r := range rows {
		f.Def = r.Def
		w := Weight(r)
		switch {
		case r.Failed:
			f.N++
			strict, all = strict+w*Worst(r.Key), all+w
		case r.Value != nil:
			f.N++
			f.NOK++
			strict, all = strict+w**r.Value, all+w
			ok, allOK = ok+w**r.Value, allOK+w
		default:
			f.Missing++
			why.Add(r.Reason)
		}
	}
	if f.N == 0 {
		f.Reason = why.String()
		return f
	}
	strict /= all
	f.Value = &strict
	if f.NOK > 0 {
		ok /= allOK
		f.ValueOK = &ok
	}
	return f
}

// Pooled says whether a key is of a measure whose units count by their weights (mean=micro).
func Pooled(key string) bool {
	n, err := ParseName(key)
	return err == nil && n.Param("mean") == "micro"
}

// Weight is how much a row counts in a mean: 1 where it has no weight of its own.
func Weight(r edb.Measurement) float64 {
	if r.Weight > 0 {
		return r.Weight
	}
	return 1
}

// FailureBounds gives the least and the greatest mean that the failed rows could have led to, had
// they been measured: all at 0 and all at 1. Both are nil without measured or failed rows. The
// measure must be bounded by 0 and 1.
func FailureBounds(rows []edb.Measurement) (lo, hi *float64) {
	sum, failures, n := 0.0, 0.0, 0.0
	for _, r := range rows {
		switch {
		case r.Failed:
			failures++
			n++
		case r.Value != nil:
			sum += *r.Value
			n++
		}
	}
	if n == 0 {
		return nil, nil
	}
	l, h := sum/n, (sum+failures)/n
	return &l, &h
}

// Judged makes a row of a value that came from outside (a judge, another program). A value that is
// no number in [0,1] is rejected: the row is a failed one that says so, and never enters a mean.
func Judged(key string, value float64) edb.Measurement {
	if value >= 0 && value <= 1 {
		return row(key, value)
	}
	return failed(key, fmt.Sprintf("out of range: rejected (%g is not in [0,1])", value))
}

// Worst is what a failed unit takes in the strict figure, by the table of measures.
func Worst(key string) float64 {
	_, m, err := Lookup(key)
	if err != nil {
		return 0
	}
	return m.Worst
}

// Bounded reports whether a key's values lie in [0, 1]; false where there is no such measure.
func Bounded(key string) bool {
	_, m, err := Lookup(key)
	return err == nil && m.Bounded
}
