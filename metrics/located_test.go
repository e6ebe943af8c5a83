package metrics

import (
	"math"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/internal/align"
)

func TestEvidenceMeasures(t *testing.T) {
	text := "alpha beta gamma delta epsilon zeta eta theta iota kappa" // 10 words, 56 code points
	doc := func(id, text string) edb.Parsed {
		return edb.Parsed{Doc: id, Paged: true, Pages: []edb.Page{{Number: 1, Elements: []edb.Element{{Kind: edb.KindParagraph, Text: text}}}}}
	}
	a := align.New(doc("a", text), doc("a", text))
	b := align.New(doc("b", "rent 1,200"), doc("b", "rent 1,800"))
	aligned := func(id string) (*align.Alignment, bool) {
		switch id {
		case "a":
			return a, false
		case "b":
			return b, false
		}
		return nil, id == "broken"
	}
	passages := map[string]edb.Passage{
		"a@0": {ID: "a@0", Doc: "a", Spans: []edb.Span{{Page: 1, Start: 0, End: 16}}, Tokens: 3},  // alpha beta gamma
		"a@1": {ID: "a@1", Doc: "a", Spans: []edb.Span{{Page: 1, Start: 11, End: 56}}, Tokens: 8}, // gamma ... kappa
		"b@0": {ID: "b@0", Doc: "b", Spans: []edb.Span{{Page: 1, Start: 0, End: 10}}, Tokens: 2},
	}
	passage := func(id string) (edb.Passage, bool) { p, ok := passages[id]; return p, ok }
	evA := edb.Evidence{Doc: "a", Page: 1, Start: 0, End: 56}
	evB := edb.Evidence{Doc: "b", Page: 1, Start: 0, End: 10}
	hits := []edb.Hit{{Passage: "a@0", Doc: "a"}, {Passage: "gone", Doc: "a"}, {Passage: "b@0", Doc: "b"}, {Passage: "a@1", Doc: "a"}}
	for _, c := range []struct {
		name string
		ev   []edb.Evidence
		key  string
		want float64 // NaN: nothing to measure
	}{
		{"first passage", []edb.Evidence{evA}, "retrieve.located@1", .3},
		{"overlap counts once", []edb.Evidence{evA}, "retrieve.located@4", 1},
		{"two documents, 10 and 2 words", []edb.Evidence{evA, evB}, "retrieve.located@3", 5. / 12},
		{"a misread number is not legible", []edb.Evidence{evA, evB}, "retrieve.legible@4", 10. / 12},
		{"hit needs every evidence", []edb.Evidence{evA, evB}, "retrieve.evidence_hit@3", 0},
		{"hit at .3", []edb.Evidence{evA, evB}, "retrieve.evidence_hit@3(at=0.3)", 1},
		{"hit", []edb.Evidence{evA, evB}, "retrieve.evidence_hit@4", 1},
		// 3 + 2 tokens, then 4 of the 8 of a@1: code points 11 to 33 hold 3 words more and gamma again.
		{"budget", []edb.Evidence{evA}, "retrieve.located(budget=9)", .6},
		{"failed document", []edb.Evidence{evA, {Doc: "broken", Page: 1}}, "retrieve.located@4", .5},
		{"no gold text", []edb.Evidence{{Doc: "bare", Page: 1}}, "retrieve.located@4", math.NaN()},
		{"no evidence", nil, "retrieve.located@4", math.NaN()},
		{"other measure", []edb.Evidence{evA}, "retrieve.ndcg@4", math.NaN()},
	} {
		rows := EvidenceMeasures(c.ev, hits, passage, aligned, []string{c.key})
		if len(rows) != 1 || rows[0].Key != c.key {
			t.Fatalf("%s: %+v", c.name, rows)
		}
		r := rows[0]
		if math.IsNaN(c.want) {
			if r.Value != nil || r.Reason == "" {
				t.Errorf("%s: %+v", c.name, r)
			}
			continue
		}
		if r.Value == nil || math.Abs(*r.Value-c.want) > 1e-9 {
			t.Errorf("%s: got %v (%s), want %v", c.name, r.Value, r.Reason, c.want)
		}
	}
	if rows := EvidenceMeasures([]edb.Evidence{evA}, nil, passage, aligned, EvidenceKeys); len(rows) != len(EvidenceKeys) || *rows[0].Value != 0 || rows[0].Def != 1 {
		t.Errorf("empty ranking: %+v", rows)
	}
}
