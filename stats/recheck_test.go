package stats

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestPrintedNumbersAreRanges(t *testing.T) {
	r := Rounded(.34, 2)
	if math.Abs(r.Lo-.335) > 1e-15 || math.Abs(r.Hi-.345) > 1e-15 {
		t.Errorf("%v", r)
	}
	for _, c := range []struct {
		name            string
		a, b            Range
		meets, overlaps bool
	}{
		{"the same", Rounded(.71, 2), Rounded(.71, 2), true, true},
		{"finer inside", Rounded(.71, 2), Exactly(.709), true, true},
		{"ends touch", Rounded(86.6, 1), Rounded(86.7, 1), true, false},
		{"apart", Rounded(.82, 2), Rounded(.786, 3), false, false},
		{"a count at the end", Rounded(.5, 0), Exactly(1), true, true},
		{"no upper end", Range{0, .001}, Range{math.Inf(-1), .0005}, true, true},
	} {
		if c.a.Meets(c.b) != c.meets || c.b.Meets(c.a) != c.meets || c.a.Overlaps(c.b) != c.overlaps || c.b.Overlaps(c.a) != c.overlaps {
			t.Errorf("%s: meets %v, overlaps %v", c.name, c.a.Meets(c.b), c.a.Overlaps(c.b))
		}
	}
}

// Whatever the numbers were before they were printed, the result is in the range.
func TestRangesHoldWhatIsInThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Float64Range(-20, 20)
		decimals := rapid.IntRange(0, 4).Draw(t, "decimals")
		print := func(x float64) Range {
			f := math.Pow10(decimals)
			return Rounded(math.Round(x*f)/f, decimals)
		}
		a, b := number.Draw(t, "a"), number.Draw(t, "b")
		ra, rb := print(a), print(b)
		in := func(what string, r Range, x float64) {
			if !r.Meets(Exactly(x)) {
				t.Fatalf("%s: %g is not in %v", what, x, r)
			}
		}
		in("sum", ra.Add(rb), a+b)
		in("difference", ra.Sub(rb), a-b)
		in("product", ra.Mul(rb), a*b)
		if q, ok := ra.Div(rb); ok {
			in("quotient", q, a/b)
		} else if math.Abs(b) > 1 {
			t.Fatalf("no quotient by %g", b)
		}
		in("total", Total([]Range{ra, rb, ra}), 2*a+b)
		in("weighted sum", WeightedSum([]Range{ra, rb}, []float64{.3, -.7}), .3*a-.7*b)
		in("spread", Spread([]Range{ra, rb}), math.Abs(a-b))
		in("square", SquareOf(ra), a*a)
	})
}

func TestCorrelationsFromTheirStatisticsAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(5, 3000).Draw(t, "n")
		x := rapid.Float64Range(-.99, .99).Draw(t, "r")
		r, df := Rounded(math.Round(x*100)/100, 2), float64(n-2)
		in := func(what string, r Range, x float64) {
			if !r.Meets(Exactly(x)) {
				t.Fatalf("%s: %g is not in %v", what, x, r)
			}
		}
		c := FisherFromR(x, n, .95)
		lo, hi := FisherBounds(r, n, .95)
		in("t", TFromR(r, df), tOf(x, df))
		in("p", PFromT(TFromR(r, df), df), *c.P)
		in("lo", lo, *c.Lo)
		in("hi", hi, *c.Hi)
		back := RFromT(Exactly(tOf(x, df)), df)
		fromLo, fromHi := RFromFisher(Exactly(*c.Lo), Exactly(*c.Hi), n, .95)
		for _, b := range []Range{back, fromLo, fromHi} {
			if math.Abs(b.Lo-x) > 1e-9 || b.Lo != b.Hi {
				t.Fatalf("%v, want %g back", b, x)
			}
		}
	})
}

// EnterpriseDocBench section 6.1: with 1,169 documents a printed r of .14 has t from 4.65 to 5.01;
// t = 4.74 belongs to r = .1374. The values are those of the case stat-pearson-fisher for r = .14.
func TestThePapersCorrelation(t *testing.T) {
	at := TFromR(Exactly(.14), 1167)
	near(t, "t of .14", &at.Lo, 4.8302, 5e-5)
	wide := TFromR(Rounded(.14, 2), 1167)
	if !wide.Meets(Rounded(4.74, 2)) || wide.Meets(Rounded(5.05, 2)) {
		t.Errorf("t of a printed .14 is %v", wide)
	}
	r := RFromT(Exactly(4.74), 1167)
	near(t, "r of 4.74", &r.Lo, .13744, 5e-6)
	if p := PFromT(Range{math.Inf(-1), math.Inf(1)}, 10); p.Lo != 0 || p.Hi != 1 {
		t.Errorf("p of any t is %v", p)
	}
}

func TestCountsOfARate(t *testing.T) {
	for _, c := range []struct {
		rate        Range
		n           int
		least, most int
		ok          bool
	}{
		{Rounded(.281, 3), 35, 0, 0, false}, // EnterpriseDocBench table 3: 9.8 of 35
		{Rounded(.092, 3), 158, 0, 0, false},
		{Rounded(.144, 3), 250, 36, 36, true},
		{Rounded(.238, 3), 21, 5, 5, true},
		{Rounded(1, 0), 3, 2, 3, true}, // 100 % to the nearest whole share
		{Exactly(0), 10, 0, 0, true},
		{Rounded(.5, 1), 0, 0, 0, false},
	} {
		least, most, ok := Counts(c.rate, c.n)
		if least != c.least || most != c.most || ok != c.ok {
			t.Errorf("%v of %d: %d to %d, %v", c.rate, c.n, least, most, ok)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		d := rapid.IntRange(0, 5).Draw(t, "decimals")
		f := math.Pow10(d)
		least, most, ok := Counts(Rounded(math.Round(float64(k)/float64(n)*f)/f, d), n)
		if !ok || k < least || k > most {
			t.Fatalf("%d of %d: %d to %d, %v", k, n, least, most, ok)
		}
	})
}

func TestWilsonBoundsOfPrintedRates(t *testing.T) {
	for _, c := range []struct {
		rate, lo, hi float64
		n            int
	}{{28.1, 16.0, 44.6, 35}, {9.2, 5.6, 14.7, 158}, {14.4, 10.6, 19.3, 250}, {23.8, 10.6, 45.1, 21}} {
		lo, hi := WilsonBounds(Rounded(c.rate/100, 3), c.n, .95)
		if !lo.Meets(Rounded(c.lo/100, 3)) || !hi.Meets(Rounded(c.hi/100, 3)) {
			t.Errorf("%g of %d: %v, %v", c.rate, c.n, lo, hi)
		}
		if lo.Meets(Rounded(c.lo/100+.002, 3)) {
			t.Errorf("%g of %d: a bound two digits off passes", c.rate, c.n)
		}
	}
	if lo, hi := WilsonBounds(Rounded(.5, 1), 0, .95); lo != (Range{0, 1}) || hi != (Range{0, 1}) {
		t.Error("no units bound nothing", lo, hi)
	}
}

func TestPrecisionHasACeiling(t *testing.T) {
	for _, c := range []struct {
		k              int
		relevant, want float64
	}{{3, 1, 1.0 / 3}, {5, 2, .4}, {3, 3, 1}, {3, 7, 1}} {
		if got := PrecisionCeiling(c.k, c.relevant); got != c.want {
			t.Errorf("%s: %g", fmt.Sprint(c), got)
		}
	}
}
