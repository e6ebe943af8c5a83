package study

import (
	"fmt"
	"math"

	"enterprisedocbench/stats"
)

// correlationClaim: a Pearson correlation of n units with its statistics. t, where it agrees with r,
// narrows what r can have been; p, r² and the bounds of Fisher's interval are recomputed from that.
type correlationClaim struct {
	R           Number  `yaml:"r"`
	N           Number  `yaml:"n"`
	DF          Number  `yaml:"df"`
	T           Number  `yaml:"t"`
	P           Number  `yaml:"p"`
	PAdjusted   Number  `yaml:"p_adjusted"`  // Bonferroni
	Comparisons int     `yaml:"comparisons"` // of the adjustment
	R2          Number  `yaml:"r2"`
	Lo          Number  `yaml:"lo"`
	Hi          Number  `yaml:"hi"`
	Level       float64 `yaml:"level"`
}

func (c *correlationClaim) check(in *inputs) []Finding {
	r := in.need(c.R, "r")
	n := 0
	if c.N.text != "" {
		n = in.count(c.N, 4, "n")
	}
	printed := map[string]number{
		"df": in.one(c.DF), "t": in.one(c.T), "p": in.one(c.P), "adjusted p": in.one(c.PAdjusted),
		"r²": in.one(c.R2), "lower bound": in.one(c.Lo), "upper bound": in.one(c.Hi),
	}
	level := c.Level
	if level == 0 {
		level = 0.95
	}
	if !(level > 0 && level < 1) {
		in.fail(fmt.Errorf("level %g is not between 0 and 1", level))
	}
	if c.PAdjusted.text != "" && c.Comparisons < 1 {
		in.fail(fmt.Errorf("p_adjusted needs comparisons, a whole number from 1"))
	}
	if !in.stopped() && (r.r.Lo > 1 || r.r.Hi < -1) {
		in.fail(fmt.Errorf("r is %s: a correlation lies between -1 and 1", r.text))
	}
	if in.stopped() {
		return nil
	}
	core := stats.Range{Lo: max(-1, r.r.Lo), Hi: min(1, r.r.Hi)}
	var out []Finding
	say := func(name string, value float64, want stats.Range) *Finding {
		v := compared(printed[name], value, want)
		v.Row = name
		out = append(out, v)
		return &out[len(out)-1]
	}
	if n == 0 {
		if c.R2.text != "" {
			say("r²", r.value*r.value, stats.SquareOf(core))
		}
		for _, s := range []struct {
			name string
			n    Number
		}{{"t", c.T}, {"p", c.P}, {"adjusted p", c.PAdjusted}, {"lower bound", c.Lo}, {"upper bound", c.Hi}} {
			if s.n.text != "" {
				v := cannot(printed[s.name], "the number of units is not printed")
				v.Row = s.name
				out = append(out, v)
			}
		}
		if len(out) == 0 {
			out = append(out, cannot(r, "the number of units is not printed"))
		}
		return out
	}
	df := float64(n - 2)
	if c.DF.text != "" {
		say("df", df, stats.Exactly(df))
	}
	value := r.value
	if c.T.text != "" {
		v := say("t", stats.TFromR(stats.Exactly(value), df).Lo, stats.TFromR(core, df))
		from := stats.RFromT(printed["t"].r, df)
		if both, ok := core.Intersect(from); ok {
			if !printed["t"].r.Meets(stats.Exactly(*v.Value)) {
				v.Note = fmt.Sprintf("not from the printed r = %s; from an unrounded r of %.5f to %.5f", r.text, both.Lo, both.Hi)
				value = both.Mid()
			}
			core = both
		}
	}
	t := stats.TFromR(core, df)
	at := stats.TFromR(stats.Exactly(value), df)
	p, pAt := stats.PFromT(t, df), stats.PFromT(at, df)
	if c.P.text != "" {
		say("p", pAt.Lo, p)
	}
	if c.PAdjusted.text != "" {
		m := float64(c.Comparisons)
		say("adjusted p", math.Min(1, m*pAt.Lo), stats.Range{Lo: math.Min(1, m*p.Lo), Hi: math.Min(1, m*p.Hi)})
	}
	if c.R2.text != "" {
		say("r²", value*value, stats.SquareOf(core))
	}
	lo, hi := stats.FisherBounds(core, n, level)
	loAt, hiAt := stats.FisherBounds(stats.Exactly(value), n, level)
	if c.Lo.text != "" {
		say("lower bound", loAt.Lo, lo)
	}
	if c.Hi.text != "" {
		say("upper bound", hiAt.Lo, hi)
	}
	if len(out) == 0 {
		out = append(out, cannot(r, "only r and n are printed"))
	}
	return out
}
