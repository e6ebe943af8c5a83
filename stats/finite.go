package stats

import "math"

// tooExtreme is the reason where a computation overflows, or loses all digits below the smallest number.
const tooExtreme = "too large or too small to compute with"

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// finite gives nil for a number that is not finite.
func finite(x *float64) *float64 {
	if x == nil || !isFinite(*x) {
		return nil
	}
	return x
}

// finite drops a value or bounds that are not finite, with the reason.
func (iv Interval) finite() Interval {
	switch {
	case iv.Value != nil && !isFinite(*iv.Value):
		iv.Value, iv.Lo, iv.Hi, iv.Method = nil, nil, nil, ""
		iv.Reason = tooExtreme
	case iv.Lo != nil && !isFinite(*iv.Lo), iv.Hi != nil && !isFinite(*iv.Hi):
		iv.Lo, iv.Hi, iv.Method = nil, nil, ""
		iv.Reason = "no interval: " + tooExtreme
	}
	return iv
}

// finite drops what is not finite from a test, with the reason.
func (t Test) finite() Test {
	if t.Statistic != nil && !isFinite(*t.Statistic) || t.P != nil && !isFinite(*t.P) {
		t.Statistic, t.P, t.DF, t.Method = finite(t.Statistic), nil, nil, ""
		t.Reason = tooExtreme
	}
	t.Effect = finite(t.Effect)
	return t
}

// finite drops what is not finite from a correlation, with the reason.
func (c Correlation) finite() Correlation {
	had := c.Value != nil
	c.Interval = c.Interval.finite()
	if had && c.Value == nil {
		c.T, c.DF, c.P, c.PMethod, c.PClustered, c.Disattenuated = nil, nil, nil, "", nil, nil
	}
	c.T, c.DF, c.P, c.PClustered, c.Disattenuated = finite(c.T), finite(c.DF), finite(c.P), finite(c.PClustered), finite(c.Disattenuated)
	return c
}

// finite drops what is not finite from an agreement, with the reason.
func (g Agreement) finite() Agreement {
	g.Interval = g.Interval.finite()
	g.Observed, g.Expected, g.Exact = finite(g.Observed), finite(g.Expected), finite(g.Exact)
	return g
}
