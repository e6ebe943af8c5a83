package stats

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"enterprisedocbench/internal/testdata"
)

// The human labels of RAGChecker: two people rate each instance from -2 to 2 on three questions. The
// coefficients are those of scikit-learn, statsmodels and krippendorff.
func TestAgreementOfPeople(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(testdata.Data(t, "ragchecker"), "human_labeled.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]any
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	want := readReferences(t).RAGChecker
	if len(want) != 3 {
		t.Fatalf("%d questions", len(want))
	}
	for _, w := range want {
		t.Run(w.Label, func(t *testing.T) {
			at := map[float64]int{}
			var units [][]float64
			for _, r := range rows {
				id, label := r["instance_id"].(float64), r[w.Label].(float64)
				i, ok := at[id]
				if !ok {
					i = len(units)
					at[id] = i
					units = append(units, nil)
				}
				units[i] = append(units[i], label)
			}
			var a, b []float64
			var counts [][]int
			for _, u := range units {
				if len(u) != 2 {
					t.Fatalf("%d labels of an instance", len(u))
				}
				a, b = append(a, u[0]), append(b, u[1])
				row := make([]int, 5)
				row[int(u[0])+2]++
				row[int(u[1])+2]++
				counts = append(counts, row)
			}
			if len(units) != w.N {
				t.Fatalf("%d instances, want %d", len(units), w.N)
			}
			opt := Options{Replicates: 1000}
			for _, c := range []struct {
				g    Agreement
				want float64
			}{
				{CohenKappa(a, b, nil, Quadratic, opt), w.Quadratic},
				{FleissKappa(counts, nil, opt), w.Fleiss},
				{KrippendorffAlpha(units, nil, OrdinalScale, opt), w.Ordinal},
			} {
				near(t, c.g.Name, c.g.Value, c.want, exact)
				if c.g.Lo == nil || *c.g.Lo >= *c.g.Value || *c.g.Hi <= *c.g.Value || *c.g.Hi-*c.g.Lo > 0.3 {
					t.Errorf("%s: interval %v to %v: %s", c.g.Name, c.g.Lo, c.g.Hi, c.g.Reason)
				}
			}
		})
	}
}
