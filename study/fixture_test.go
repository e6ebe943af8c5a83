package study

import (
	"fmt"
	"path/filepath"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/metrics"
	"enterprisedocbench/pipeline"
)

// folder describes a small run; write puts it on disk as edb run would.
type folder struct {
	corpus, dataset string
	program         string
	units           []pipeline.Unit
	arms            []string
	rows            []edb.Measurement
	claims          []answerClaims
	engines         []string
	config          pipeline.Config
	parts           map[string]string                // of the corpus
	variant         string                           // of P and Q
	costs           map[string]map[string]edb.Figure // by arm and key
	parsers         map[string]any                   // by arm
	spent           []edb.Cost
	lost            []edb.Failure
}

type answerClaims struct {
	Arm    string      `json:"arm"`
	Query  string      `json:"query"`
	Repeat int         `json:"repeat,omitempty"`
	Claims []edb.Claim `json:"claims"`
}

// plain is a run of two pipelines, a and b, on questions of one document each.
func plain(questions int) *folder {
	f := &folder{corpus: "c0ffee0123456789", program: "0", dataset: "hand", arms: []string{"a", "b"}, engines: []string{"align@1", "score@1"}, variant: "fcq=caption_f1"}
	f.config.Metrics = pipeline.Metrics{Verifier: "lexical", CaptionEncoder: "none", Replicates: 2000}
	f.config.Strata.MinN = 4
	for i := range questions {
		f.units = append(f.units, document(fmt.Sprintf("d%02d", i)))
	}
	for i := range questions {
		f.units = append(f.units, question(i, "single-hop", fmt.Sprintf("d%02d", i)))
	}
	return f
}

func document(id string) pipeline.Unit {
	return pipeline.Unit{ID: id, Kind: pipeline.UnitDocument, Domain: "legal", Docs: []string{id}}
}

func question(i int, modality string, docs ...string) pipeline.Unit {
	return pipeline.Unit{ID: fmt.Sprintf("q%02d", i), Kind: pipeline.UnitQuestion, Modality: modality, Task: "lookup", Domain: "legal", Docs: docs}
}

// put adds a value of every question (or document, for parse measures) in order. NaN is no value,
// -1 a failure.
func (f *folder) put(arm, key string, values ...float64) *folder {
	kind := pipeline.UnitQuestion
	if n, _ := metrics.ParseName(key); n.Axis == "parse" {
		kind = pipeline.UnitDocument
	}
	i := 0
	for _, u := range f.units {
		if u.Kind != kind {
			continue
		}
		m := edb.Measurement{Arm: arm, Unit: u.ID, Key: key, Def: 1}
		switch v := values[i]; {
		case v == -1:
			m.Failed, m.Reason = true, "the stage failed"
		case v != v:
			m.Reason = "nothing to measure here"
		default:
			m.Value = &v
		}
		f.rows = append(f.rows, m)
		i++
	}
	return f
}

// write makes the folder and gives its path.
func (f *folder) write(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	f.writeTo(t, dir)
	return dir
}

func (f *folder) writeTo(t testing.TB, dir string) {
	t.Helper()
	s := edb.Summary{Run: dir, Dataset: f.dataset, Arms: f.arms, Baseline: f.arms[0], Costs: f.costs,
		Pipelines: map[string]map[string]edb.Figure{}}
	for _, a := range f.arms {
		s.Pipelines[a] = f.figures(a)
		f.config.Pipelines = append(f.config.Pipelines, pipeline.Arm{Name: a, Stages: pipeline.Stages{Parse: pipeline.Parse{Engine: f.parsers[a]}}})
	}
	spec := map[string]any{"spec": map[string]any{"program": f.program, "config": &f.config, "corpus": f.corpus, "engines": f.engines}, "corpus_parts": f.parts, "machine": map[string]any{"cpus": 2}}
	for _, err := range []error{
		store.WriteFile(filepath.Join(dir, "spec.json"), store.JSON(spec)),
		store.WriteFile(filepath.Join(dir, "summary.json"), store.JSON(s)),
		store.WriteJSONL(filepath.Join(dir, "units.jsonl"), f.units),
		store.WriteJSONL(filepath.Join(dir, "measurements.jsonl"), f.rows),
		store.WriteJSONL(filepath.Join(dir, "claims.jsonl"), f.claims),
		store.WriteJSONL(filepath.Join(dir, "costs.jsonl"), f.spent),
		store.WriteJSONL(filepath.Join(dir, "failures.jsonl"), f.lost),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// figures are the means and the composites of an arm.
func (f *folder) figures(arm string) map[string]edb.Figure {
	rows := map[string][]edb.Measurement{}
	for _, m := range f.rows {
		if m.Arm == arm {
			rows[m.Key] = append(rows[m.Key], m)
		}
	}
	out := map[string]edb.Figure{}
	v := func(key string) *float64 { return out[key].Value }
	for k, r := range rows {
		out[k] = metrics.Aggregate(r)
	}
	put := func(key string, value *float64, reason, variant string) {
		out[key] = edb.Figure{Value: value, Reason: reason, Variant: variant, Def: 1}
	}
	p := metrics.P(v("parse.tis"), v("parse.tea"), v("parse.caption_f1"), v("parse.lf"), "caption_f1")
	g := metrics.G(v("generate.fa"), v("generate.sap"), v("generate.sar"), v("generate.hr"), v("generate.ac"))
	q := metrics.Q(p.Full, v("retrieve.ndcg@5"), g.Full, f.variant)
	put("parse.p", p.Full, p.Reason, f.variant)
	put("generate.g", g.Full, g.Reason, "")
	put("quality.q", nil, "not measured", f.variant)
	if p.Full != nil {
		put("quality.q", q.Value, q.Reason, f.variant)
	}
	put("quality.q(without=parse)", metrics.QWithoutParse(v("retrieve.ndcg@5"), g.Full), "", "")
	if len(f.claims) > 0 {
		put("generate.hr(mode=micro)", ptr(0), "", "")
		put("generate.hr(mode=binary,unit=document)", ptr(0), "", "")
	}
	return out
}

// claim is a list of claims: s supported, c contradicted.
func claims(verdicts string) []edb.Claim {
	out := []edb.Claim{}
	for _, v := range verdicts {
		out = append(out, edb.Claim{Verdict: map[rune]string{'s': edb.VerdictSupported, 'c': edb.VerdictContradicted}[v]})
	}
	return out
}

func compare(t testing.TB, opt CompareOptions, args ...string) *Comparison {
	t.Helper()
	c, err := Compare(args, opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// find is the row of a key over all units, or of a stratum, or of the mix ("mix").
func find(t testing.TB, c *Comparison, key, stratum string) Difference {
	t.Helper()
	for _, d := range c.Differences {
		if d.Key == key && (d.Stratum == stratum && d.Mix == "" || stratum == "mix" && d.Mix != "") {
			return d
		}
	}
	t.Fatalf("no row of %s %s in %+v", key, stratum, c.Differences)
	return Difference{}
}

func near(t interface {
	Helper()
	Errorf(string, ...any)
}, name string, got *float64, want, tolerance float64) {
	t.Helper()
	if got == nil {
		t.Errorf("%s is nil, want %g", name, want)
	} else if d := *got - want; d > tolerance || d < -tolerance || d != d {
		t.Errorf("%s is %.15g, want %.15g", name, *got, want)
	}
}

func rewriteSummary(t testing.TB, dir string, s edb.Summary) {
	t.Helper()
	if err := store.WriteFile(filepath.Join(dir, "summary.json"), store.JSON(s)); err != nil {
		t.Fatal(err)
	}
}
