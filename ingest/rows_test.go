package ingest

import (
	"math"
	"strings"
	"testing"

	"enterprisedocbench/metrics"
)

// Wilson's closed form at one half, z/(1+z²/n) · sqrt(.25/n + z²/4n²) with z = 1.959964, by another
// program.
func TestHalfWidth(t *testing.T) {
	for n, want := range map[int]float64{60: 0.1226498, 100: 0.0961685} {
		if got := halfWidth(n); got == nil || math.Abs(*got-want) > 1e-6 {
			t.Errorf("n=%d: %s", n, Half(got))
		}
	}
	if got := halfWidth(0); got != nil {
		t.Errorf("n=0: %v", *got)
	}
	if s := Half(halfWidth(60)); s != "±.12" {
		t.Errorf("60 questions print as %q", s)
	}
}

func TestItemsFor(t *testing.T) {
	for _, h := range []float64{0.4, 0.2, 0.12, 0.1, 0.05, 0.01} {
		n := itemsFor(h)
		if *halfWidth(n) > h || n > 1 && *halfWidth(n - 1) <= h {
			t.Errorf("%v: %d is not the least", h, n)
		}
	}
}

func TestEveryMeasureHasARow(t *testing.T) {
	for name, q := range map[string]Questions{
		"synthetic":          {Synthetic: true, N: 60, WithEvidence: 60, Located: 60, Answered: 4},
		"own":                {N: 60, WithEvidence: 50, Located: 40, Answered: 60, Unanswerable: 10},
		"own, answers alone": {N: 60, Answered: 60},
		"none":               {Synthetic: true},
	} {
		rs := rows(&Sheet{Questions: q})
		at := map[string]Row{}
		for _, r := range rs {
			at[r.Key] = r
			if r.Note == "" || r.State == "" || r.State == Labels && r.Needs == "" {
				t.Errorf("%s: %+v says nothing", name, r)
			}
		}
		for _, m := range metrics.All() {
			if _, ok := at[m.Key]; !ok {
				t.Errorf("%s: no row for %s", name, m.Key)
			}
		}
		if r := at["quality.q"]; r.State != Never || r.HalfWidth != nil {
			t.Errorf("%s: Q is %+v", name, r)
		}
		if r := at["parse.p"]; r.State != Labels {
			t.Errorf("%s: P is %+v", name, r)
		}
		r := at["retrieve.ndcg"]
		switch {
		case q.WithEvidence == 0 && r.State != Labels, q.Synthetic && q.WithEvidence > 0 && !strings.Contains(r.Note, "synthetic"), r.N != q.WithEvidence:
			t.Errorf("%s: retrieval is %+v", name, r)
		}
	}
}

func TestLabellingCountsWhatIsThere(t *testing.T) {
	synthetic := labelling(&Sheet{Questions: Questions{Synthetic: true, N: 60, WithEvidence: 60}})
	own := labelling(&Sheet{Questions: Questions{N: 60, WithEvidence: 60}})
	if synthetic[0].Have != 0 || own[0].Have != 60 {
		t.Errorf("questions of one's own: %d and %d", synthetic[0].Have, own[0].Have)
	}
	// 63 for ±.12: three more of three minutes each.
	if p := own[0].Plans[0]; p.Items != 63 || p.Hours != 0.2 {
		t.Errorf("±.12 needs %+v", p)
	}
	if w := synthetic[0]; w.HourItems != 20 || Half(w.HourHalfWidth) != "±.20" {
		t.Errorf("an hour gives %+v", w)
	}
}
