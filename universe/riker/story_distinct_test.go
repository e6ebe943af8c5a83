package riker

import (
	"math"
	"testing"
)

func TestDistinctness(t *testing.T) {
	world := func(seed uint64, filler float64) *World {
		p, err := Sized(600, seed)
		if err != nil {
			t.Fatal(err)
		}
		p.Filler = filler
		w, err := New(p)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	for _, filler := range []float64{0, .5} {
		d, err := Distinctness(world(1, filler), world(2, filler), 300)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("filler %v: %+v", filler, d)
		if d.NearWithin > .01 || d.NearAcross > 0 || d.HighestAcross >= .8 || d.TemplateOverlap > .5 || d.TemplateOverlap == 0 || d.FactSetCollision > 1e-6 || d.FactSetCollision <= 0 {
			t.Errorf("filler %v: %+v", filler, d)
		}
	}
	same, err := Distinctness(world(1, 0), world(1, 0), 50)
	if err != nil {
		t.Fatal(err)
	}
	if same.NearAcross != 1 || same.HighestAcross != 1 || same.TemplateOverlap != 1 {
		t.Errorf("a world beside itself: %+v", same)
	}
	if _, err := Distinctness(world(1, 0), world(2, 0), 0); err == nil {
		t.Error("a sample of no documents: no error")
	}
}

// TestNamesakes holds the formula of the collision probability against worlds that were drawn.
func TestNamesakes(t *testing.T) {
	const seeds = 30
	people := func(seed uint64) (map[string]bool, *World) {
		p, err := Sized(200, seed)
		if err != nil {
			t.Fatal(err)
		}
		w, err := New(p)
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		for c := range w.customers() {
			names[w.Customer(c).Bare] = true
		}
		return names, w
	}
	found, want, n := 0, 0.0, 0
	for seed := range uint64(seeds) {
		a, w := people(2 * seed)
		b, v := people(2*seed + 1)
		for name := range a {
			if b[name] {
				found++
			}
			n++
		}
		want += namesakes(w.customers(), v.customers(), stems()*len(sectorWords)) * float64(len(a))
	}
	if math.Abs(float64(found)-want) > 5*math.Sqrt(want)+1 {
		t.Errorf("%d of %d companies have a namesake in another world, the formula says %.1f", found, n, want)
	}
	for _, c := range []struct {
		m, k, n int
		want    float64
	}{{10, 10, 100, .1}, {10, 0, 100, 0}, {90, 90, 100, .9}, {180, 90, 100, .45}, {100, 180, 100, .9}, {0, 5, 100, 0}} {
		if got := namesakes(c.m, c.k, c.n); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("namesakes(%d, %d, %d) = %v, want %v", c.m, c.k, c.n, got, c.want)
		}
	}
}
