package study

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"enterprisedocbench"
)

// parsed is a run of two pipelines whose parsers differ: b takes twice the time of a and fails on one
// document, and a third document's time is unknown in a.
func parsed() *folder {
	f := plain(12)
	values := func(bad int) []float64 {
		v := make([]float64, 12)
		for i := range v {
			v[i] = .5
		}
		if bad >= 0 {
			v[bad] = -1
		}
		return v
	}
	f.put("a", "parse.tis", values(-1)...).put("b", "parse.tis", values(3)...)
	f.parsers = map[string]any{"a": "pdfium", "b": map[string]any{"command": []any{"theirs"}}}
	for i, u := range f.units[:12] {
		a, b := .1*float64(i+1), .2*float64(i+1)
		peak := int64(1000 * (i + 1))
		x := edb.Cost{Arm: "a", Stage: "parse", Unit: u.ID, CPUSeconds: &a, PeakBytes: &peak}
		if i == 5 {
			x.CPUSeconds = nil
		}
		f.spent = append(f.spent, x, edb.Cost{Arm: "b", Stage: "parse", Unit: u.ID, CPUSeconds: &b}, edb.Cost{Arm: "b", Stage: "index", CPUSeconds: &b})
	}
	f.lost = []edb.Failure{{Arm: "b", Stage: "parse", Unit: f.units[3].ID, Kind: "timeout"}, {Arm: "b", Stage: "generate", Unit: "q00", Kind: "transport"}}
	f.costs = map[string]map[string]edb.Figure{"a": {"parse.pages_per_second": {Value: ptr(40)}}, "b": {"parse.pages_per_second": {Value: ptr(20)}}}
	return f
}

func TestParsersSideBySide(t *testing.T) {
	c, err := Compare([]string{parsed().write(t)}, CompareOptions{Keys: []string{"parse.tis"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Parsing) != 2 {
		t.Fatalf("%d rows: %+v", len(c.Parsing), c.Parsing)
	}
	a, b := c.Parsing[0], c.Parsing[1]
	if a.Engine != "pdfium" || a.Documents != 12 || a.Failed != 0 || a.Against != nil || *a.Speed != 40 || *a.PeakBytes != 12000 {
		t.Errorf("baseline %+v", a)
	}
	if b.Engine != `{"command":["theirs"]}` || b.Failed != 1 || b.Kinds["timeout"] != 1 || len(b.Kinds) != 1 || b.PeakBytes != nil {
		t.Errorf("candidate %+v", b)
	}
	r := b.Against
	if r == nil || r.N != 10 || math.Abs(*r.Value-.5) > 1e-9 || math.Abs(*r.Lo-.5) > 1e-9 || math.Abs(*r.Hi-.5) > 1e-9 || r.Baseline != "a" {
		t.Errorf("speed %+v: both parts scale alike, so the interval has no width", r)
	}
}

func TestOneParserIsNotCompared(t *testing.T) {
	f := parsed()
	f.parsers = nil
	c, err := Compare([]string{f.write(t)}, CompareOptions{Keys: []string{"parse.tis"}})
	if err != nil || c.Parsing != nil {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestBrokenCostsAreNamed(t *testing.T) {
	dir := parsed().write(t)
	if err := os.WriteFile(filepath.Join(dir, "costs.jsonl"), []byte("{\"arm\":\"a\"}\n{\"cpu_s\":\"x\"}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Compare([]string{dir}, CompareOptions{Keys: []string{"parse.tis"}}); err == nil || !strings.Contains(err.Error(), "costs.jsonl:2: ") || !strings.Contains(err.Error(), "run its configuration again") {
		t.Errorf("error %v", err)
	}
	for _, name := range []string{"costs.jsonl", "failures.jsonl"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Compare([]string{dir}, CompareOptions{Keys: []string{"parse.tis"}})
	if err != nil || c.Parsing[1].Against.Value != nil || c.Parsing[1].Against.Reason == "" {
		t.Errorf("without the files: %+v, %v", c, err)
	}
}
