package metrics

import (
	"math"
	"testing"

	"enterprisedocbench"
)

func headings(texts ...string) (out []edb.Element) {
	for _, t := range texts {
		out = append(out, edb.Element{Kind: edb.KindHeading, Text: t, Level: 1})
	}
	return out
}

func TestHeadingShares(t *testing.T) {
	gold := headings("Scope", "Terms of payment", "Prices")
	for _, c := range []struct {
		name             string
		pred             []edb.Element
		recall, precison float64
	}{
		{"all", gold, 1, 1},
		{"two of three, and two others", headings("Scope", "1. Terms of payment", "Region", "Total"), 2. / 3, .5},
		{"none", nil, 0, 0},
		{"each serves one", headings("Scope", "Scope"), 1. / 3, .5},
	} {
		r, ok := HeadingRecall(c.pred, gold)
		p, ok2 := HeadingPrecision(c.pred, gold)
		if !ok || !ok2 || math.Abs(r-c.recall) > 1e-12 || math.Abs(p-c.precison) > 1e-12 {
			t.Errorf("%s: recall %v, precision %v; want %v, %v", c.name, r, p, c.recall, c.precison)
		}
		if f, _ := HeadingF1(c.pred, gold); r+p > 0 && math.Abs(f-2*r*p/(r+p)) > 1e-12 {
			t.Errorf("%s: F1 %v is not of recall %v and precision %v", c.name, f, r, p)
		}
	}
	if _, ok := HeadingRecall(gold, nil); ok {
		t.Error("recall of no gold")
	}
	if _, ok := HeadingPrecision(gold, nil); ok {
		t.Error("precision against no gold")
	}
}

// TestMasksLeaveMeasuresOut: where gold has only some headings, or no order, what rests on all of them or
// on the order is not measured, and the rest is.
func TestMasksLeaveMeasuresOut(t *testing.T) {
	for mask, c := range map[string]struct{ out, in []string }{
		MaskHeadings: {[]string{"parse.heading_f1", "parse.heading_precision", "parse.heading_tree"}, []string{"parse.heading_recall", "parse.lf", "parse.tis"}},
		MaskOrder: {[]string{"parse.tis", "parse.tis(mode=raw)", "parse.lf", "parse.order", "parse.heading_tree", "parse.entity_recall"},
			[]string{"parse.heading_f1", "parse.heading_recall", "parse.number_recall"}},
	} {
		gold := edb.Parsed{Mask: []string{mask}, Pages: []edb.Page{{Number: 1, Elements: append(headings("Scope 3"), edb.Element{Kind: edb.KindParagraph, Text: "Ann Smith paid 7."})}}}
		rows, err := EvalParse(t.Context(), gold, gold, append(append([]string{}, c.out...), c.in...))
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range rows {
			if out := i < len(c.out); (r.Value == nil) != out || out && (r.Reason == "" || r.Failed) {
				t.Errorf("mask %s: %s is %v (%s)", mask, r.Key, r.Value, r.Reason)
			}
		}
	}
}
