package riker

import (
	"fmt"
	"testing"

	"enterprisedocbench/universe"
	"enterprisedocbench/universe/press"
)

// asked makes the questions of a plan over its truth.
func asked(t *testing.T, p Plan) (*World, []Question) {
	t.Helper()
	w, path := tables(t, p, 2)
	db, err := universe.OpenTruth(path, readingTruth)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	qs, err := w.Ask(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return w, qs
}

// mentioned prints the documents that questions rest on.
func mentioned(t *testing.T, w *World, qs []Question) map[string][]press.Mention {
	t.Helper()
	out := map[string][]press.Mention{}
	for _, q := range qs {
		for _, e := range q.Evidence {
			if _, ok := out[e.Doc]; ok {
				continue
			}
			d, err := w.Document(documentNumber(e.Doc))
			if err != nil {
				t.Fatal(err)
			}
			out[e.Doc] = d.Printed.Mentions
		}
	}
	return out
}

// asksOf are the plans whose questions are held to everything; more seeds where there is time.
func asksOf(t *testing.T) map[string]Plan {
	t.Helper()
	seeds := uint64(2)
	out := map[string]Plan{}
	add := func(name string, p Plan, err error) {
		if err != nil {
			t.Fatal(err)
		}
		p.Filler = .3
		out[name] = p
	}
	for seed := range seeds {
		for _, name := range []string{"8K", "32K"} {
			p, err := Preset(name, "", seed+1)
			add(fmt.Sprintf("%s seed %d", name, seed+1), p, err)
		}
		p, err := Sized(300, seed+1)
		add(fmt.Sprintf("mixed seed %d", seed+1), p, err)
	}
	p, err := Preset("32K", "HB", 3)
	add("32K HB", p, err)
	return out
}

// TestAsk holds the questions of several worlds to their plan: how many of each category and level,
// no text twice, evidence that suffices with no piece too many, and no shortcut.
func TestAsk(t *testing.T) {
	for name, p := range asksOf(t) {
		t.Run(name, func(t *testing.T) {
			w, qs := asked(t, p)
			levels, texts := map[string]int{}, map[string]bool{}
			for i, q := range qs {
				levels[q.Level]++
				if want := fmt.Sprintf("q%04d", i+1); q.ID != want || texts[q.Text] {
					t.Errorf("question %d: %s %q", i, q.ID, q.Text)
				}
				texts[q.Text] = true
				if q.Answerable() == (q.Answer == nil) || q.Answerable() == (len(q.Evidence) == 0) || q.Answerable() == (q.Probe != nil) || q.SQL == "" {
					t.Errorf("question %+v", q)
				}
				if q.Depth < 0 || q.Depth > 1 {
					t.Errorf("question %s lies at depth %v", q.ID, q.Depth)
				}
			}
			m := p.Questions
			for l := 1; l <= 12; l++ {
				of, n := m.Single, 4
				switch {
				case l > 10:
					of, n = m.Probe, 2
				case l > 4:
					of, n = m.Aggregation, 6
				}
				got := levels[fmt.Sprintf("L%02d", l)]
				if l == 8 {
					got -= m.List
				}
				if got != of/n && got != of/n+1 {
					t.Errorf("%d questions of level %d, want %d of %d", got, l, of, n)
				}
			}
			if len(qs) != m.Total() {
				t.Errorf("%d questions, the plan says %d", len(qs), m.Total())
			}
			mentions := mentioned(t, w, qs)
			for _, q := range qs {
				if err := w.Sufficient(q, mentions); err != nil {
					t.Error(err)
				}
			}
			for _, s := range Shortcuts(qs) {
				if s.Fault() {
					t.Errorf("shortcut %+v", s)
				}
			}
		})
	}
}
