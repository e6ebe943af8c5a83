package riker

import (
	"fmt"
	"strings"
	"testing"

	"enterprisedocbench/metrics"
	"enterprisedocbench/universe"
	"enterprisedocbench/universe/keyed"
)

// askers are worlds over their truth: one of all six types and two of RIKER's three.
func askers(t *testing.T) []*asker {
	t.Helper()
	three, err := Preset("128K", "", 6)
	if err != nil {
		t.Fatal(err)
	}
	small, err := Preset("32K", "", 6)
	if err != nil {
		t.Fatal(err)
	}
	var out []*asker
	for _, p := range []Plan{sized(t, 1500), three, small} {
		w, path := tables(t, p, 2)
		db, err := universe.OpenTruth(path, readingTruth)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		c, err := w.gather(t.Context().Err)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, &asker{w: w, c: c, ctx: t.Context(), db: db, seed: p.Seed})
	}
	return out
}

// TestEveryPattern draws from every template, whether or not a plan would choose it: records and SQL
// give the same answer, a query of evidence gives just the facts that the reading noted, probes have
// no answer either way, and each template has questions to ask.
func TestEveryPattern(t *testing.T) {
	worlds := askers(t)
	names := map[string]bool{}
	for _, p := range patterns {
		if names[p.String()] {
			t.Errorf("two templates are called %s", p)
		}
		names[p.String()] = true
		t.Run(p.String(), func(t *testing.T) {
			asked, answers := 0, map[string]bool{}
			for _, a := range worlds {
				if !p.has(a.w) {
					continue
				}
				for try := range 40 {
					r := keyed.Source(9, p.String(), try)
					a.decile = r.IntN(10)
					prop, ok := p.make(a, r)
					if !ok {
						continue
					}
					c, ok := a.candidate(p, prop)
					if !ok {
						continue
					}
					asked++
					answers[fmt.Sprint(c.q.raw)] = true
					got, err := c.q.form.query(a.ctx, a.db, c.q.SQL)
					if err != nil {
						t.Fatalf("%s: %v", c.q.SQL, err)
					}
					want := c.q.raw
					if want == notApplicable {
						want = nil
					}
					if !same(want, got) {
						t.Fatalf("%q: the records say %v, SQL %v: %s", c.q.Text, want, got, c.q.SQL)
					}
					if prop.evidence != "" {
						c.q.EvidenceSQL = prop.evidence
						if err := a.sameEvidence(c.q); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			if asked < 3 {
				t.Errorf("%d of 120 draws make a question", asked)
			}
			if p.subtype == "" && len(answers) < 2 && !strings.HasPrefix(p.name, "top-") {
				t.Errorf("all draws have the answer %v", answers)
			}
		})
	}
	if len(names) < 60 || len(Templates()) != len(names) {
		t.Errorf("%d templates", len(names))
	}
	levels := map[string]int{}
	for _, p := range patterns {
		levels[p.level]++
	}
	for l := 1; l <= 12; l++ {
		if n := levels[fmt.Sprintf("L%02d", l)]; n < 10 {
			t.Errorf("level %d has %d templates", l, n)
		}
	}
}

// TestAnswersScore holds answers and their equivalents against the measure that will judge them: each
// way to say the answer is right, and N/A declines to answer a probe.
func TestAnswersScore(t *testing.T) {
	p := sized(t, 600)
	p.Questions = Mix{Single: 120, Aggregation: 90, Probe: 12, List: 12}
	_, qs := asked(t, p)
	for _, q := range qs {
		if !q.Answerable() {
			if !metrics.Abstains("N/A", false, 0) {
				t.Fatal("N/A is no abstention")
			}
			continue
		}
		said := []string{fmt.Sprint(q.Answer.Value)}
		switch v := q.Answer.Value.(type) {
		case bool:
			said = []string{map[bool]string{true: "Yes.", false: "No."}[v]}
		case []string:
			said = []string{strings.Join(v, "; "), strings.Join(v, "\n")}
		default:
			said = append(said, q.Answer.Aliases...)
		}
		for _, s := range said {
			c, err := metrics.Correct(q.Text, s, *q.Answer)
			if err != nil || c.Accuracy != 1 {
				t.Errorf("%s %q: the answer %q scores %v (%v)", q.Template, q.Text, s, c.Accuracy, err)
			}
		}
		wrong := "Somebody else on 1 May 1901 with 987654321"
		if q.Answer.Type == "boolean" {
			wrong = map[bool]string{true: "No.", false: "Yes."}[q.raw == true]
		}
		if c, err := metrics.Correct(q.Text, wrong, *q.Answer); err != nil || c.Accuracy != 0 {
			t.Errorf("%q: a wrong answer scores %v (%v)", q.Text, c.Accuracy, err)
		}
	}
}
