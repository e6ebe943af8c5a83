package pipeline

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestBadPrices(t *testing.T) {
	const whole = "queries_per_year: 1000\n"
	for _, c := range [][2]string{
		{"", "p.yaml:1:1: queries_per_year is missing"},
		{"vcpu_hour: 1\n", "p.yaml:1:1: queries_per_year is missing"},
		{whole + "vcpu_hour: -1\n", "p.yaml:1:1: vcpu_hour is -1: write a price or number of 0 or more"},
		{whole + "gpu_hour: .nan\n", "p.yaml:1:1: gpu_hour is NaN"},
		{"queries_per_year: .inf\n", "p.yaml:1:1: queries_per_year is +Inf"},
		{whole + "tokens_per_million: {m: {prompt: 1, completion: -2}}\n", "p.yaml:1:1: tokens_per_million.m.completion is -2"},
		{whole + "gpus: 1\n", "p.yaml:2:1: "},
	} {
		if _, err := readPrices([]byte(c[0]), "p.yaml"); err == nil || !strings.HasPrefix(err.Error(), c[1]) {
			t.Errorf("%q: %v, want %s", c[0], err, c[1])
		}
	}
	if p, err := LoadPrices(""); err != nil || p.QueriesPerYear <= 0 {
		t.Errorf("%+v, %v", p, err)
	}
}

// FuzzPrices: a price book has prices of 0 or more, or is refused with its place.
func FuzzPrices(f *testing.F) {
	f.Add(string(defaultPrices))
	f.Add("queries_per_year: 1e3\ntokens_per_million: {m: {prompt: .5, completion: -.inf}}\n")
	f.Fuzz(func(t *testing.T, s string) {
		p, err := readPrices([]byte(s), "p.yaml")
		if err != nil {
			var bad *ConfigError
			if !errors.As(err, &bad) || len(bad.Faults) == 0 || !strings.HasPrefix(err.Error(), "p.yaml:") {
				t.Fatalf("%v has no place", err)
			}
			return
		}
		for name, x := range p.all {
			if !(x >= 0) || math.IsInf(x, 0) {
				t.Fatalf("%s is %v", name, x)
			}
		}
		if p.QueriesPerYear <= 0 {
			t.Fatal("no query a year")
		}
	})
}
