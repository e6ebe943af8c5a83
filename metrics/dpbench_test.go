package metrics

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"enterprisedocbench/internal/testdata"
)

// The values that DP-Bench published for the outputs of four parsers: 134 documents each, six
// measures a document, 1,872 values. They come out to 1e-11; where a document's gold has no table or no heading the
// published value is null.
func TestDPBenchPublishedValues(t *testing.T) {
	dir := testdata.Data(t, "dpbench")
	read := func(parts ...string) string {
		b, err := os.ReadFile(filepath.Join(append([]string{dir}, parts...)...))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	total := 0
	for _, engine := range []string{"docling", "marker", "markitdown", "opendataloader"} {
		var scores struct {
			Documents []struct {
				ID     string              `json:"document_id"`
				Scores map[string]*float64 `json:"scores"`
			} `json:"documents"`
		}
		if err := json.Unmarshal([]byte(read("scores_"+engine+".json")), &scores); err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for _, d := range scores.Documents {
			gold, pred := read("ground_truth", d.ID+".md"), read("prediction_"+engine, d.ID+".md")
			got := map[string]*float64{}
			put := func(name string, v float64, ok bool, err error) {
				if err != nil {
					t.Fatalf("%s %s %s: %v", engine, d.ID, name, err)
				}
				got[name] = nil
				if ok {
					got[name] = &v
				}
			}
			ctx := context.Background()
			for suffix, s := range map[string]bool{"": false, "_s": true} {
				v, ok := NID(pred, gold, s)
				put("nid"+suffix, v, ok, nil)
				v, ok, err := MHS(ctx, pred, gold, s)
				put("mhs"+suffix, v, ok, err)
				v, ok, err = DPBenchTEDS(ctx, pred, gold, s)
				put("teds"+suffix, v, ok, err)
			}
			for name, v := range got {
				want, listed := d.Scores[name]
				if !listed || (v == nil) != (want == nil) {
					t.Errorf("%s %s %s: %v, published %v", engine, d.ID, name, v, want)
					continue
				}
				if v == nil {
					continue
				}
				total++
				diff := math.Abs(*v - *want)
				if worst = max(worst, diff); diff > 1e-11 {
					t.Errorf("%s %s %s: %.17g, published %.17g", engine, d.ID, name, *v, *want)
				}
			}
		}
		t.Logf("%s: greatest difference %.2g", engine, worst)
	}
	if total != 1872 {
		t.Errorf("compared %d values, 1872 are published", total)
	}
}
