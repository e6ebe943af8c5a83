package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

// TestHomogeneity holds mean, Q, p and I² against statsmodels and SciPy (scripts/oracles/homogeneity.py).
func TestHomogeneity(t *testing.T) {
	var oracle struct {
		Cases []struct {
			Values, SE     []float64
			Mean, Q, P, I2 float64
		}
	}
	data, err := os.ReadFile("testdata/homogeneity.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &oracle); err != nil || len(oracle.Cases) < 5 {
		t.Fatalf("%d cases, %v", len(oracle.Cases), err)
	}
	for _, c := range oracle.Cases {
		h := Homogeneity(c.Values, c.SE)
		for _, x := range []struct {
			name      string
			got, want float64
		}{{"mean", *h.Mean, c.Mean}, {"Q", *h.Q, c.Q}, {"p", *h.P, c.P}, {"I2", *h.I2, c.I2}} {
			if math.Abs(x.got-x.want) > 1e-9*max(1, math.Abs(x.want)) {
				t.Errorf("%v: %s is %v, statsmodels gives %v", c.Values, x.name, x.got, x.want)
			}
		}
	}
	for _, bad := range [][2][]float64{{{1}, {1}}, {{1, 2}, {1}}, {{1, 2}, {0, 1}}, {{1, 2}, {math.NaN(), 1}}} {
		if h := Homogeneity(bad[0], bad[1]); h.P != nil || h.Reason == "" {
			t.Errorf("%v: %+v", bad, h)
		}
	}
}

// TestHomogeneityIsFair: where sampling is all there is, p is below .05 in one of twenty cases.
func TestHomogeneityIsFair(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	low := 0
	for range 2000 {
		values, se := make([]float64, 4), make([]float64, 4)
		for i := range values {
			se[i] = .01 + .02*rng.Float64()
			values[i] = .8 + se[i]*rng.NormFloat64()
		}
		if *Homogeneity(values, se).P < .05 {
			low++
		}
	}
	if low < 70 || low > 130 {
		t.Errorf("p below .05 in %d of 2000", low)
	}
}
