package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/metrics"
	"enterprisedocbench/stats"
)

// Composite is a weighted mean of the means of its parts, each over the units that have it, with an
// interval over all their units. Parts that no unit has are left out, weights renormalised, and named.
type Composite struct {
	Key           string
	Figure        edb.Figure // over the parts that there are; the zero Figure without any
	Have, Missing []string   // names of parts, as in parse.p(parts=tis+lf)
	Parts         []stats.Part

	weights []float64
	invert  []bool // 1 - part: the hallucination rate
}

// P is the parsing score (EnterpriseDocBench section 3.1) with the figure caption measure that captions
// names: parse.caption_f1 or parse.fcq(encoder=NAME). The figure's variant says which. With parts, only
// those of tis, tea, lf and the caption measure's name.
func P(set map[string]*Sample, captions string, opt stats.Options, parts ...string) Composite {
	c := compose("parse.p", set, []string{"parse.tis", "parse.tea", captions, "parse.lf"}, metrics.PWeights, parts, opt)
	c.Figure.Variant = "fcq=caption_f1"
	if n, err := metrics.ParseName(captions); err == nil && n.Param("encoder") != "" {
		c.Figure.Variant = "fcq=" + n.Param("encoder")
	}
	return c
}

// G is the generation score (EnterpriseDocBench section 3.4) on the component means.
func G(set map[string]*Sample, opt stats.Options) Composite {
	return compose("generate.g", set, []string{"generate.fa", "generate.sap", "generate.sar", "generate.hr", "generate.ac"}, metrics.GWeights, nil, opt)
}

// Of is the composite of means of its parts.
func (c Composite) Of(means []float64) float64 {
	m := slices.Clone(means)
	for i := range m {
		if c.invert[i] {
			m[i] = 1 - m[i]
		}
	}
	return metrics.Weighted(m, c.weights)
}

// Put files the composite under its key where no part is missing; else that is not measured, and the
// renormalised one stands under a key that names its parts.
func (c Composite) Put(figures map[string]edb.Figure) {
	if len(c.Missing) == 0 {
		figures[c.Key] = OnScale(c.Key, c.Figure)
		return
	}
	figures[c.Key] = edb.Figure{Reason: "not measured: no unit has " + strings.Join(c.Missing, ", "), Def: 1, Variant: c.Figure.Variant}
	if len(c.Have) > 0 {
		figures[c.Named()] = OnScale(c.Key, c.Figure)
	}
}

// Named is the key with the names of the parts that there are.
func (c Composite) Named() string {
	return fmt.Sprintf("%s(parts=%s)", c.Key, strings.Join(c.Have, "+"))
}

// PartName is what a part of a composite is called by its measure: parse.fcq(encoder=NAME) is fcq, since
// the variant names the encoder.
func PartName(key string) string {
	_, short, _ := strings.Cut(key, ".")
	short, _, _ = strings.Cut(short, "(")
	return short
}

func compose(key string, set map[string]*Sample, keys []string, weights []float64, only []string, opt stats.Options) Composite {
	c := Composite{Key: key}
	n, nOK := math.MaxInt, math.MaxInt // a composite is no better known than its least known part
	for i, k := range keys {
		short := PartName(k)
		s := set[k]
		if len(only) > 0 && !slices.Contains(only, short) {
			continue
		}
		if s == nil || len(s.Strict) == 0 {
			c.Missing = append(c.Missing, short)
			continue
		}
		c.Have = append(c.Have, short)
		c.Parts = append(c.Parts, stats.Part{Values: s.Strict, Docs: s.Docs, Units: s.Units})
		c.weights = append(c.weights, weights[i])
		c.invert = append(c.invert, k == "generate.hr")
		n, nOK = min(n, len(s.Strict)), min(nOK, len(s.OK))
	}
	if len(c.Parts) == 0 {
		return c
	}
	Fill(&c.Figure, stats.Composite(c.Parts, c.Of, opt))
	c.Figure.N, c.Figure.NOK, c.Figure.Def = n, nOK, 1
	return c
}
