package reproduce

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/stats"
)

// made gives units whose TIS is x and whose TEDS is y, by one engine.
func made(source string, xs, ys []float64) (out []unit) {
	for i := range xs {
		out = append(out, unit{doc: fmt.Sprintf("d%02d", i), source: source, domain: "law", kinds: []string{kindLayer},
			values: map[string]map[string]float64{"e": {"parse.tis": xs[i], "parse.teds": ys[i]}}})
	}
	return out
}

// TestCheckCorrelates: the figure is Pearson's r of the pairs, here by hand, over units of all tables;
// a page of a document clusters with the document.
func TestCheckCorrelates(t *testing.T) {
	x := []float64{.1, .2, .3, .4, .5, .6, .7, .8, .9, 1}
	y := []float64{.2, .1, .4, .3, .6, .5, .8, .7, 1, .9}
	c := Check{Correlate: []string{"parse.tis", "parse.teds"}, Published: .9, Tolerance: .05}
	f, docs := c.measure(made("a", x, y))
	// Pairs swapped in fives: r = 1 - 6·Σd²/(n(n²-1)) with d² = 1 for all ten ranks.
	if want := 1 - 6*10.0/(10*99); f.Value == nil || math.Abs(*f.Value-want) > 1e-12 || f.N != 10 || docs != 10 {
		t.Fatalf("r %v of %d units, %d documents; want %v", f.Value, f.N, docs, want)
	}
	if got := c.verdict(f); got != "within 0.05" {
		t.Errorf("verdict %q", got)
	}
	units := made("a", x, y)
	for i := range units {
		units[i].doc = fmt.Sprintf("d%d#%d", i/2, i)
	}
	if _, docs := c.measure(units); docs != 5 {
		t.Errorf("%d documents of 10 pages, want 5", docs)
	}
	flat := slices.Repeat([]float64{1}, 9)
	if f, _ := c.measure(made("a", append(flat, .5), append(flat, .9))); !slices.Contains(f.Warnings, narrow) {
		t.Errorf("nine of ten at the ceiling pass without a warning: %+v", f)
	}
	only := Check{Mean: "parse.tis", Engines: []string{"other"}, Tolerance: 1}
	if f, _ := only.measure(units); f.Value != nil || !strings.HasPrefix(only.verdict(f), "not measured") {
		t.Errorf("an engine that is not there has the mean %v", f.Value)
	}
	mean := Check{Mean: "parse.tis"}
	if f, _ := mean.measure(units); math.Abs(*f.Value-.55) > 1e-12 {
		t.Errorf("mean %v, want .55", *f.Value)
	}
}

func TestCheckVerdicts(t *testing.T) {
	v := func(x float64) *float64 { return &x }
	c := Check{Published: .8, Tolerance: .02}
	for want, f := range map[string]edb.Figure{
		"within 0.02":                            {Value: v(.79)},
		"the interval holds the published value": {Value: v(.7), Lo: v(.6), Hi: v(.85)},
		"lower here":                             {Value: v(.7), Lo: v(.6), Hi: v(.75)},
		"higher here":                            {Value: v(.9)},
		"not measured: none":                     {Reason: "none"},
		"lower here; " + narrow:                  {Value: v(.1), Warnings: []string{narrow}},
	} {
		if got := c.verdict(f); got != want {
			t.Errorf("%+v: %q, want %q", f, got, want)
		}
	}
}

// TestVariations: differences are against the first scan over the documents that both have, p is
// corrected over all rows, and a loss is worse.
func TestVariations(t *testing.T) {
	table := Table{Measures: []string{"parse.tis"}, Vary: []Variation{{Name: "clean"}, {Name: "bad"}, {Name: "same"}}}
	var units []unit
	var rows []Row
	for _, v := range table.Vary {
		rows = append(rows, Row{Name: "e, " + v.Name, Engine: "e", Variation: v.Name})
		for i := range 12 {
			x := .9 + .005*float64(i)
			if v.Name == "bad" {
				x -= .3 + .01*float64(i)
			}
			if v.Name == "bad" && i == 11 {
				continue // nothing to measure
			}
			units = append(units, unit{doc: fmt.Sprint(i), variation: v.Name, values: map[string]map[string]float64{"e": {"parse.tis": x}}})
		}
	}
	got, tests := variations(table, rows, units)
	if tests != 2 || len(got) != 2 {
		t.Fatalf("%d rows, %d tests", len(got), tests)
	}
	bad, same := got[0], got[1]
	if bad.N != 11 || math.Abs(*bad.Value+.35) > 1e-12 || bad.Words != "worse" || *bad.PAdjusted < *bad.P {
		t.Errorf("bad: %+v", bad)
	}
	if same.N != 12 || *same.Value != 0 || same.Words != "equal within ±0.02" {
		t.Errorf("same: %+v", same)
	}
}

// TestStrata: each group's figure is the mean of its units, as stats gives it, and a document of two
// kinds stands in both.
func TestStrata(t *testing.T) {
	a := made("A", []float64{.2, .4}, []float64{0, 0})
	b := made("B", []float64{.9}, []float64{0})
	b[0].doc, b[0].kinds = "x", []string{kindLayer, kindTable}
	got := strata([]string{"parse.tis"}, []Result{{units: a}, {units: b}})
	want := map[string]float64{"source A": .3, "source B": .9, "domain law": .5, "kind of page " + kindLayer: .5, "kind of page " + kindTable: .9}
	have := map[string]float64{}
	for _, s := range got {
		have[s.By+" "+s.Value] = math.Round(*s.Figures["e"].Value*1e9) / 1e9
	}
	if d := cmp.Diff(want, have); d != "" {
		t.Error(d)
	}
	mean := stats.Mean([]float64{.2, .4, .9}, nil, options())
	if f := figures(slices.Concat(a, b), "parse.tis")["e"]; *f.Value != *mean.Value || f.N != 3 || f.Lo != nil {
		t.Errorf("%+v", f)
	}
}

func TestKindsOf(t *testing.T) {
	gold := func(kinds ...string) (p edb.Parsed) {
		p.Pages = []edb.Page{{Number: 1}}
		for _, k := range kinds {
			p.Pages[0].Elements = append(p.Pages[0].Elements, edb.Element{Kind: k})
		}
		return p
	}
	whole, tables := &datasets.Dataset{}, &datasets.Dataset{Info: datasets.Info{GoldParts: []string{edb.KindTable}}}
	pdf := edb.Document{MIME: "application/pdf"}
	scan := edb.Document{MIME: "application/pdf", Scanned: true, Layout: &edb.Layout{Columns: 2}}
	for _, c := range []struct {
		d    edb.Document
		gold edb.Parsed
		ds   *datasets.Dataset
		want []string
	}{
		{pdf, gold(edb.KindParagraph), whole, []string{kindLayer, kindText}},
		{pdf, gold(edb.KindParagraph, edb.KindTable), tables, []string{kindLayer, kindTable}},
		{pdf, gold(edb.KindParagraph), tables, []string{kindLayer}}, // formulas are not annotated
		{scan, gold(edb.KindCaption, edb.KindFormula), whole, []string{kindScan, kindTwo, kindFigure, kindFormula}},
		{edb.Document{MIME: "text/html"}, gold(), whole, nil},
	} {
		if got := kindsOf(c.d, c.gold, c.ds); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.d, got, c.want)
		}
	}
}

func TestRecorded(t *testing.T) {
	v := func(x float64) edb.Figure { return edb.Figure{Value: &x} }
	tables := []Result{{Name: "t", Rows: []Row{{Name: "a", Figures: map[string]edb.Figure{"k": v(.50004), "l": v(.512), "m": v(.47), "n": {}}}, {Name: "new"}}}}
	r := Recorded{"t": {"a": {"k": .5, "l": .5, "m": .5, "n": .5}, "gone": {"k": 1}}}
	var got []string
	for _, d := range r.Against(tables) {
		got = append(got, d.Key+" "+d.Verdict)
	}
	if want := []string{"k OK", "l OK within tolerance", "m FAIL", "n FAIL"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if d := cmp.Diff(Recorded{"t": {"a": {"k": .50004, "l": .512, "m": .47}}}, Record(tables)); d != "" {
		t.Error(d)
	}
	if rec, err := LoadRecorded(); err != nil {
		t.Error(rec, err)
	}
}
