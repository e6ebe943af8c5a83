package stats

import (
	"encoding/json"
	"math"
	"testing"
)

// What overflows is no value, with the reason: never NaN, an infinity or a 0 that nothing says.
func TestExtremeValuesHaveAReason(t *testing.T) {
	for _, size := range []float64{1e155, 1e200, 1e307, math.MaxFloat64, 1e-200, 5e-324} {
		var x, y []float64
		var units [][]float64
		for i := range 24 {
			x = append(x, size*float64(i%3-1))
			y = append(y, size*(float64(i%5-2)/2))
			units = append(units, []float64{x[i], y[i], math.Abs(x[i])})
		}
		opt := Options{Replicates: 200}
		results := map[string]any{
			"compare": ComparePaired(x, y, nil, .8, opt), "mean": Mean(x, nil, opt), "t": Mean(x, nil, Options{Method: StudentT}), "bca": Mean(x, nil, Options{Method: BCa, Replicates: 200}),
			"dz": CohenDz(x), "g": HedgesG(x, y),
			"weights": WeightSensitivity([][]float64{{.1, .2}, {.3, .1}}, []float64{1e308, 1e308}, .1),
		}
		control := make([]float64, len(x))
		for i := range control {
			control[i] = size * (float64(i%7-3) / 3)
		}
		results["partial"] = PartialCorrelation(x, y, [][]float64{control}, CorrOptions{Options: opt})
		pearson := Pearson(x, y, CorrOptions{Options: opt})
		results["pearson"], results["fisher"] = pearson, Pearson(x, y, CorrOptions{Options: Options{Method: Fisher}})
		for _, s := range []Scale{NominalScale, OrdinalScale, IntervalScale} {
			results["alpha "+s.String()] = KrippendorffAlpha(units, nil, s, opt)
		}
		for _, w := range []Weights{Unweighted, Linear, Quadratic} {
			results["kappa "+w.String()] = CohenKappa(x, y, nil, w, opt)
		}
		_, p, _ := PlanFrom(x, nil)
		results["plan"] = p
		for name, r := range results {
			if _, err := json.Marshal(r); err != nil {
				t.Errorf("%s of values around %g: %v", name, size, err)
			}
		}
		if pearson.Value == nil && pearson.Reason != tooExtreme {
			t.Errorf("pearson of values around %g: no value and the reason %q", size, pearson.Reason)
		}
	}
	if s := WeightSensitivity([][]float64{{.1, .2}, {.3, .1}}, []float64{1e308, 1e308}, .1); s.Reason == "" {
		t.Error("weights whose sum overflows have no reason")
	}
}
