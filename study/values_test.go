package study

import (
	"math"
	"strings"
	"testing"

	"enterprisedocbench/internal/table"
	"enterprisedocbench/pipeline"
)

// twoArms are three documents and three questions: one about each, one about both; pipeline a failed one question.
func twoArms() *folder {
	f := plain(0)
	f.units = []pipeline.Unit{document("d1"), document("d2"), document("d3"),
		question(1, "table", "d1"), question(2, "table", "d2"), question(3, "table", "d1", "d2")}
	f.put("a", "parse.tis", 0.9, 0.5, math.NaN())
	f.put("b", "parse.tis", 0.8, 0.4, 1)
	f.put("a", "retrieve.ndcg@5", 1, 0, 0.5)
	f.put("b", "retrieve.ndcg@5", -1, 0.25, math.NaN())
	return f
}

func column(t *testing.T, v *table.Table, err error, name string) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	cells, err := v.Texts(name)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range cells {
		if c == nil {
			out = append(out, "·")
		} else {
			out = append(out, *c)
		}
	}
	return strings.Join(out, " ")
}

func TestARunIsATable(t *testing.T) {
	r, err := Open(twoArms().write(t))
	if err != nil {
		t.Fatal(err)
	}
	v, err := r.ByPipeline("retrieve.ndcg@5")
	for name, want := range map[string]string{"unit": "q01 q02 q03", "docs": `["d1"] ["d2"] ["d1","d2"]`, "a": "1 0 0.5", "b": "0 0.25 ·"} {
		if got := column(t, v, err, name); got != want {
			t.Errorf("by pipeline, %s: %s, want %s", name, got, want)
		}
	}
	v, err = r.ByMeasure("a", "parse.tis")
	if got := column(t, v, err, "parse.tis"); got != "0.9 0.5 ·" {
		t.Errorf("by measure: %s", got)
	}
	// d1 has q01 (weight 1) and half of q03: (1 + .5·.5) / 1.5; d3 has no question.
	v, err = r.ByMeasure("a", "parse.tis", "retrieve.ndcg@5")
	for name, want := range map[string]string{"unit": "d1 d2 d3", "docs": `["d1","d2"] ["d1","d2"] ["d3"]`, "parse.tis": "0.9 0.5 ·", "retrieve.ndcg@5": "0.8333333333333334 0.16666666666666666 ·"} {
		if got := column(t, v, err, name); got != want {
			t.Errorf("by document, %s: %s, want %s", name, got, want)
		}
	}
}

func TestTablesOfARunThatCannotBe(t *testing.T) {
	r, err := Open(twoArms().write(t))
	if err != nil {
		t.Fatal(err)
	}
	_, noKey := r.ByPipeline("parse.lf")
	_, badKey := r.ByPipeline("lf")
	_, noArm := r.ByMeasure("c", "parse.tis")
	_, whichArm := r.ByMeasure("", "parse.tis")
	_, composite := r.PartsOf("parse.tis", false)
	_, units := r.PartsOf("quality.q", true)
	for _, c := range []struct {
		err  error
		want string
	}{
		{noKey, "no unit has the measure parse.lf: there are parse.tis, retrieve.ndcg@5"},
		{badKey, `measure "lf"`},
		{noArm, `"c"`},
		{whichArm, "has 2 pipelines: name a measure with --key, or one of a, b"},
		{composite, "give parse.p, generate.g or quality.q"},
		{units, "samples go with parse.p or generate.g"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v, want %q", c.err, c.want)
		}
	}
}

func TestPartsOfComposites(t *testing.T) {
	f := plain(3)
	for _, part := range []string{"fa", "sap", "sar", "ac"} {
		f.put("a", "generate."+part, 1, 0.5, 0)
		f.put("b", "generate."+part, 1, 1, 1)
	}
	f.put("a", "generate.hr", 0.25, 0.5, -1) // a failure has the worst rate, 1
	r, err := Open(f.write(t))
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.PartsOf("generate.g", true)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(p.Systems, " ") != "a" || len(p.Left) != 1 || p.Left[0] != "b: no hr" {
		t.Fatalf("systems %v, left out %v", p.Systems, p.Left)
	}
	hr := p.Values[0][3]
	if p.Names[3] != "hr" || len(hr.Values) != 3 || hr.Values[0] != 0.75 || hr.Values[1] != 0.5 || hr.Values[2] != 0 || hr.Docs[2][0] != "d02" {
		t.Errorf("1 - hr is %+v", hr)
	}
	means, err := r.PartsOf("generate.g", false)
	if err != nil {
		t.Fatal(err)
	}
	if got := means.Values[0][3].Values; len(got) != 1 || math.Abs(got[0]-(1-1.75/3)) > 1e-12 {
		t.Errorf("1 - hr is %v on average", got)
	}
}
