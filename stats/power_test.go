package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestUnitsNeededIsTheInverseOfMinDetectable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sd := rapid.Float64Range(1e-3, 1e3).Draw(t, "sd")
		n := rapid.IntRange(2, 1_000_000).Draw(t, "n")
		alpha := rapid.Float64Range(0.001, 0.3).Draw(t, "alpha")
		power := rapid.Float64Range(0.4, 0.99).Draw(t, "power")
		delta := MinDetectable(sd/math.Sqrt(float64(n)), alpha, power)
		if got := UnitsNeeded(sd, delta, alpha, power); got != n {
			t.Fatalf("a difference of %g needs %d units, but %d find it", delta, got, n)
		}
		if p := Power(delta, sd/math.Sqrt(float64(n)), alpha); p < power || p > power+alpha/2 {
			t.Fatalf("power %g where %g was asked for", p, power)
		}
	})
}

func TestUnitsNeededAtTheEdges(t *testing.T) {
	for _, c := range []struct {
		name      string
		sd, delta float64
		want      int
	}{
		{"no difference to find", 1, 0, math.MaxInt},
		{"no spread and no difference", 0, 0, math.MaxInt},
		{"no spread", 0, 0.1, 2},
		{"a difference far above the spread", 0.1, 100, 2},
		{"a number beyond int", 1e12, 1e-12, math.MaxInt},
		{"the sign does not count", 1, -0.5, 32},
		{"textbook", 1, 0.5, 32}, // (1.959964 + 0.841621)^2 / 0.25 = 31.4
	} {
		if got := UnitsNeeded(c.sd, c.delta, 0.05, 0.8); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
