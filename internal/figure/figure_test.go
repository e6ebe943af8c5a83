package figure

import (
	"math"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/stats"
)

func row(unit, key string, v float64) edb.Measurement {
	return edb.Measurement{Unit: unit, Key: key, Value: &v}
}

func lost(unit, key string) edb.Measurement {
	return edb.Measurement{Unit: unit, Key: key, Failed: true, Reason: "crash"}
}

func none(unit, key, why string) edb.Measurement {
	return edb.Measurement{Unit: unit, Key: key, Reason: why}
}

func TestAverage(t *testing.T) {
	for _, c := range []struct {
		name       string
		rows       []edb.Measurement
		strict, ok float64 // NaN: none
		n, failed  int
		reason     string
	}{
		{"one", []edb.Measurement{row("a", "parse.tis", .5)}, .5, .5, 1, 0, ""},
		{"a failed repeat is the worst", []edb.Measurement{row("a", "parse.tis", .8), lost("a", "parse.tis")}, .4, .8, 2, 1, "crash"},
		{"the worst of a rate of errors is 1", []edb.Measurement{row("a", "generate.hr", .2), lost("a", "generate.hr")}, .6, .2, 2, 1, "crash"},
		{"all failed", []edb.Measurement{lost("a", "parse.tis")}, 0, math.NaN(), 1, 1, "crash"},
		{"nothing to measure", []edb.Measurement{none("a", "parse.tea", "no table")}, math.NaN(), math.NaN(), 0, 0, "no table"},
		{"a repeat without anything does not count", []edb.Measurement{none("a", "generate.fa", "no claim"), row("a", "generate.fa", 1)}, 1, 1, 1, 0, "no claim"},
	} {
		m := Average(c.rows)
		if !same(m.Strict, c.strict) || !same(m.OK, c.ok) || m.Rows != c.n || m.Failed != c.failed || m.Reason != c.reason {
			t.Errorf("%s: %+v", c.name, m)
		}
	}
}

func same(got *float64, want float64) bool {
	if math.IsNaN(want) {
		return got == nil
	}
	return got != nil && math.Abs(*got-want) < 1e-12
}

func TestFigureOfSamples(t *testing.T) {
	var rows []edb.Measurement
	for i := range 20 {
		u := string(rune('a' + i))
		rows = append(rows, row(u, "parse.tis", float64(i%2)), row(u, "parse.tis", 1))
	}
	rows = append(rows, lost("y", "parse.tis"), none("z", "parse.tis", "no gold"), none("z", "parse.tea", "no table"))
	self := func(u string) []string { return []string{u} }
	set := Samples(rows, self, nil)
	f := set["parse.tis"].Figure("parse.tis", stats.Options{})
	if f.N != 21 || f.NOK != 20 || f.Missing != 1 || !same(f.Value, 15./21) || !same(f.ValueOK, .75) || f.Lo == nil || *f.Lo < 0 || *f.Hi > 1 || *f.Lo > *f.Value || *f.Hi < *f.Value {
		t.Errorf("figure %+v", f)
	}
	if f := set["parse.tea"].Figure("parse.tea", stats.Options{}); f.Value != nil || f.Reason != "no table" || f.Missing != 1 {
		t.Errorf("figure without a unit %+v", f)
	}
	if cut := Samples(rows, self, func(u string) bool { return u == "a" }); len(cut["parse.tis"].Units) != 1 || cut["parse.tea"] != nil {
		t.Errorf("a cut keeps %+v", cut)
	}
}

func TestQuestionsOfRikerClusterAlone(t *testing.T) {
	var s Sample
	s.Add([]edb.Measurement{row("q1", "generate.riker", 1)}, []string{"d1", "d2"})
	if len(s.Docs[0]) != 1 || s.Docs[0][0] != "q1" {
		t.Errorf("clusters %v, want the question itself", s.Docs)
	}
}

func TestPIsOfMeansAndNamesWhatIsMissing(t *testing.T) {
	self := func(u string) []string { return []string{u} }
	rows := []edb.Measurement{row("a", "parse.tis", .5), row("b", "parse.tis", 1), row("a", "parse.tea", .2), lost("b", "parse.lf"), none("a", "parse.caption_f1", "no caption")}
	figures := map[string]edb.Figure{}
	p := P(Samples(rows, self, nil), "parse.caption_f1", stats.Options{})
	p.Put(figures)
	if f := figures["parse.p"]; f.Value != nil || f.Reason != "not measured: no unit has caption_f1" || f.Variant != "fcq=caption_f1" || len(figures) != 2 {
		t.Errorf("%+v", figures)
	}
	if f := figures["parse.p(parts=tis+tea+lf)"]; !same(f.Value, (.4*.75+.3*.2)/.85) || f.N != 1 || f.NOK != 0 {
		t.Errorf("%+v", f)
	}
	rows = append(rows, row("a", "parse.fcq(encoder=minilm-l6)", .6))
	clear(figures)
	P(Samples(rows, self, nil), "parse.fcq(encoder=minilm-l6)", stats.Options{}).Put(figures)
	if f := figures["parse.p"]; !same(f.Value, .4*.75+.3*.2+.15*.6) || f.Variant != "fcq=minilm-l6" || len(figures) != 1 {
		t.Errorf("%+v", figures)
	}
	clear(figures)
	P(Samples(rows, self, nil), "parse.caption_f1", stats.Options{}, "tea", "lf").Put(figures)
	if f := figures["parse.p"]; !same(f.Value, .3*.2/.45) {
		t.Errorf("some parts: %+v", figures)
	}
}

func TestGTurnsTheHallucinationRateRound(t *testing.T) {
	self := func(u string) []string { return []string{u} }
	rows := []edb.Measurement{row("q", "generate.fa", 1), row("q", "generate.sap", 1), row("q", "generate.sar", 1), row("q", "generate.hr", .25), row("q", "generate.ac", 1)}
	figures := map[string]edb.Figure{}
	G(Samples(rows, self, nil), stats.Options{}).Put(figures)
	if f := figures["generate.g"]; !same(f.Value, .8+.2*.75) {
		t.Errorf("%+v", f)
	}
}
