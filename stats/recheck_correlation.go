package stats

import "math"

// The functions of this file go from a correlation's range to its statistics and back, with df
// degrees of freedom (n − 2 for a plain correlation) or n units.

// TFromR is the range of Student's t of a correlation: r·√(df/(1 − r²)).
func TFromR(r Range, df float64) Range { return r.each(func(x float64) float64 { return tOf(x, df) }) }

// RFromT is the correlation that has a given t: t/√(t² + df).
func RFromT(t Range, df float64) Range {
	return t.each(func(x float64) float64 {
		if math.IsInf(x, 0) {
			return math.Copysign(1, x)
		}
		return x / math.Sqrt(x*x+df)
	})
}

// PFromT is the range of the two-sided p of t.
func PFromT(t Range, df float64) Range {
	a := t.absolute()
	p := func(x float64) float64 {
		if math.IsInf(x, 0) {
			return 0
		}
		return twoSidedT(x, df)
	}
	return Range{p(a.Hi), p(a.Lo)}
}

// SquareOf is the range of r².
func SquareOf(r Range) Range {
	a := r.absolute()
	return Range{a.Lo * a.Lo, a.Hi * a.Hi}
}

// FisherBounds are the ranges of the bounds of a correlation's interval by Fisher's z:
// tanh(atanh r ∓ z/√(n − 3)). It must be n > 3 and the level in (0,1).
func FisherBounds(r Range, n int, level float64) (lo, hi Range) {
	half := zQuantile((1+level)/2) / math.Sqrt(float64(n-3))
	return r.each(func(x float64) float64 { return math.Tanh(math.Atanh(x) - half) }),
		r.each(func(x float64) float64 { return math.Tanh(math.Atanh(x) + half) })
}

// RFromFisher are the correlations whose interval has the given lower, or upper, bound.
func RFromFisher(lo, hi Range, n int, level float64) (fromLo, fromHi Range) {
	half := zQuantile((1+level)/2) / math.Sqrt(float64(n-3))
	return lo.each(func(x float64) float64 { return math.Tanh(math.Atanh(x) + half) }),
		hi.each(func(x float64) float64 { return math.Tanh(math.Atanh(x) - half) })
}

func tOf(r, df float64) float64 {
	if math.Abs(r) >= 1 {
		return math.Inf(int(math.Copysign(1, r)))
	}
	return r * math.Sqrt(df/(1-r*r))
}

// each applies a rising function to both ends.
func (r Range) each(f func(float64) float64) Range { return Range{f(r.Lo), f(r.Hi)} }

func (r Range) absolute() Range {
	if r.Lo <= 0 && r.Hi >= 0 {
		return Range{0, max(-r.Lo, r.Hi)}
	}
	return hull(math.Abs(r.Lo), math.Abs(r.Hi))
}
