package stats

import (
	"fmt"
	"math"
	"testing"
)

func TestPooled(t *testing.T) {
	var values, weights, ones []float64
	var docs [][]string
	var units []string
	sum, total := 0.0, 0.0
	for i := range 40 {
		v, w := float64(i%7)/6, float64(1+i%5)
		values, weights, ones = append(values, v), append(weights, w), append(ones, 1)
		u := fmt.Sprint("d", i)
		docs, units = append(docs, []string{u}), append(units, u)
		sum, total = sum+v*w, total+w
	}
	opt := Options{Seed: 1, Replicates: 500}
	got := Pooled(values, weights, docs, units, opt)
	if got.Value == nil || math.Abs(*got.Value-sum/total) > 1e-12 || got.Lo == nil || *got.Lo > *got.Value || *got.Hi < *got.Value {
		t.Errorf("pooled: %+v, want %v inside of an interval", got, sum/total)
	}
	mean := Mean(values, docs, opt)
	if plain := Pooled(values, ones, docs, units, opt); *plain.Value != *mean.Value || *plain.Lo != *mean.Lo || *plain.Hi != *mean.Hi {
		t.Errorf("weights of 1 give %+v, the mean %+v", plain, mean)
	}
	if bad := Pooled(values, weights[1:], docs, units, opt); bad.Value != nil || bad.Reason == "" {
		t.Errorf("unequal lengths: %+v", bad)
	}
	if none := Pooled(nil, nil, nil, nil, opt); none.Value != nil || none.Reason == "" {
		t.Errorf("no values: %+v", none)
	}
}
