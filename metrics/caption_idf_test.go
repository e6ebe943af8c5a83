package metrics

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/internal/encoder"
)

// captionDocuments is metrics/testdata/bertscore_documents.json, written by scripts/oracles/encoder.py
// with bert-score 0.3.13. Scores[p][g] are P, R and F1.
type captionDocuments struct {
	Documents []struct {
		Gold, Pred []string
		Scores     [][][3]float64
	}
}

func readCaptionDocuments(t *testing.T) (o captionDocuments) {
	t.Helper()
	b, err := os.ReadFile("testdata/bertscore_documents.json")
	if err == nil {
		err = json.Unmarshal(b, &o)
	}
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// With idf the weights come from the gold captions of all documents, as bert-score's idf_sents does.
func TestIDFOverSeveralDocumentsAgreesWithThePackage(t *testing.T) {
	o := readCaptionDocuments(t)
	needMiniLM(t)
	var all GoldCaptions
	for _, d := range o.Documents {
		all.Add(captioned(d.Gold...))
	}
	table, err := all.idf(encoder.MiniLM)
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range o.Documents {
		got, err := BERTScore{Encoder: encoder.MiniLM, IDF: true, References: table}.Matrix(t.Context(), d.Pred, d.Gold)
		if err != nil {
			t.Fatal(err)
		}
		sum, best := 0.0, 0.0
		for p := range d.Pred {
			for g := range d.Gold {
				for k, v := range []float64{got[p][g].P, got[p][g].R, got[p][g].F1} {
					if math.Abs(v-d.Scores[p][g][k]) > 1e-5 {
						t.Errorf("document %d, captions %d and %d, number %d: %.7f, bert-score has %.7f", i, p, g, k, v, d.Scores[p][g][k])
					}
				}
			}
		}
		for _, g := range permutations(len(d.Gold)) { // the best assignment, by trying all
			sum = 0
			for p := range d.Pred {
				if p < len(g) {
					sum += d.Scores[p][g[p]][2]
				}
			}
			best = max(best, sum)
		}
		if len(d.Pred) > len(d.Gold) { // a single gold caption takes the best of several
			best = 0
			for p := range d.Pred {
				best = max(best, d.Scores[p][0][2])
			}
		}
		want := best / float64(max(len(d.Gold), len(d.Pred)))
		rows, err := ParseInput{Gold: captioned(d.Gold...), Pred: captioned(d.Pred...), Captions: &all}.Measure(t.Context(), []string{"parse.fcq(encoder=minilm-l6,idf=yes)"})
		if err != nil {
			t.Fatal(err)
		}
		if v := rows[0].Value; v == nil || math.Abs(*v-want) > 1e-5 {
			t.Errorf("document %d: %s (%s), want %.6f", i, show(v), rows[0].Reason, want)
		}
	}
}

func permutations(n int) (out [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, p := range permutations(n - 1) {
		for i := range n {
			q := append(append(append([]int{}, p[:i]...), n-1), p[i:]...)
			out = append(out, q)
		}
	}
	return out
}

func TestGoldCaptions(t *testing.T) {
	sum := func(golds ...edb.Parsed) string {
		var c GoldCaptions
		for _, g := range golds {
			c.Add(g)
		}
		return c.Sum()
	}
	if a, b := sum(captioned("a", "b")), sum(captioned("a"), captioned("b")); a != b {
		t.Error("which document a caption stands in counts")
	}
	if a, b := sum(captioned("ab")), sum(captioned("a", "b")); a == b {
		t.Error("other captions have the same sum")
	}
	if sum(captioned("Table 1: of a table")) != sum() {
		t.Error("captions of tables count")
	}
	for keys, want := range map[string]bool{"parse.fcq(encoder=minilm-l6,idf=yes)": true, "parse.fcq(encoder=minilm-l6)": false, "parse.tis": false} {
		if NeedCaptions([]string{"parse.lf", keys}) != want {
			t.Errorf("%s: want %v", keys, want)
		}
	}
}

func TestAnnotated(t *testing.T) {
	rows := []edb.Measurement{row("parse.tis", 1), row("parse.tea", .5), failed("parse.lf", "crash"), row("parse.fcq(encoder=minilm-l6)", 1), row("parse.element_f1(kind=table)", 1)}
	Annotated(rows, func(kind string) bool { return kind == edb.KindTable })
	for i, held := range []bool{false, true, false, false, true} {
		if (rows[i].Value != nil) != held || !held && (rows[i].Failed || rows[i].Reason == "") {
			t.Errorf("%+v, held %v", rows[i], held)
		}
	}
}
