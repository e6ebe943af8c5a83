package vec

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestDotByHand(t *testing.T) {
	for _, c := range []struct {
		a, b []float32
		want float32
	}{
		{nil, nil, 0},
		{[]float32{2}, []float32{3}, 6},
		{[]float32{1, 2, 3, 4, 5, 6, 7, 8, 9}, []float32{1, 1, 1, 1, 1, 1, 1, 1, 10}, 126},
		{[]float32{1, -1}, []float32{1, 1, 99}, 0},
	} {
		if got := Dot(c.a, c.b); got != c.want {
			t.Errorf("Dot(%v, %v) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestDotNearFloat64Sum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 70).Draw(t, "n")
		a := rapid.SliceOfN(rapid.Float32Range(-10, 10), n, n).Draw(t, "a")
		b := rapid.SliceOfN(rapid.Float32Range(-10, 10), n, n).Draw(t, "b")
		var want, size float64
		for i := range a {
			want += float64(a[i]) * float64(b[i])
			size += math.Abs(float64(a[i]) * float64(b[i]))
		}
		if got := float64(Dot(a, b)); math.Abs(got-want) > 1e-5*size+1e-12 {
			t.Fatalf("Dot = %v, float64 sum = %v", got, want)
		}
		if x, y := Dot(a, b), Dot(b, a); x != y {
			t.Fatalf("not symmetric: %v, %v", x, y)
		}
	})
}

func TestNormalize(t *testing.T) {
	a := []float32{3, 4}
	Normalize(a)
	if math.Abs(float64(a[0])-.6) > 1e-6 || math.Abs(float64(a[1])-.8) > 1e-6 {
		t.Errorf("Normalize(3, 4) = %v", a)
	}
	z := []float32{0, 0}
	Normalize(z)
	if z[0] != 0 || z[1] != 0 {
		t.Errorf("zeros became %v", z)
	}
	inf := []float32{float32(math.Inf(1)), 1}
	Normalize(inf)
	if inf[0] != 0 || inf[1] != 0 {
		t.Errorf("an infinite vector became %v", inf)
	}
	y := []float32{1, 2, 3}
	Axpy(2, []float32{1, 1}, y)
	if y[0] != 3 || y[1] != 4 || y[2] != 3 {
		t.Errorf("Axpy gave %v", y)
	}
}
