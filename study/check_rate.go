package study

import (
	"errors"
	"fmt"

	"enterprisedocbench/stats"
)

// rateClaim: a share of n units. Some whole number of n must have the rate, and the bounds, where
// given, must be Wilson's. mean: true says that the rate is a mean of scores and no share:
// there is then nothing to recompute.
type rateClaim struct {
	Value Number  `yaml:"value"`
	N     Number  `yaml:"n"`
	Lo    Number  `yaml:"lo"`
	Hi    Number  `yaml:"hi"`
	Level float64 `yaml:"level"`
	Mean  bool    `yaml:"mean"`
}

func (c *rateClaim) check(in *inputs) []Finding {
	rate := in.need(c.Value, "value")
	if c.N.text == "" {
		if in.stopped() {
			return nil
		}
		return []Finding{cannot(rate, "the number of units is not printed")}
	}
	n := in.count(c.N, 1, "n")
	level := c.Level
	if level == 0 {
		level = 0.95
	}
	if !(level > 0 && level < 1) {
		in.fail(fmt.Errorf("level %g is not between 0 and 1", level))
	}
	if !in.stopped() && (rate.r.Lo > 1 || rate.r.Hi < 0) {
		in.fail(fmt.Errorf("%s is no share from 0 to 1: write a percentage with %%", rate.text))
	}
	lo, hi := in.one(c.Lo), in.one(c.Hi)
	if in.stopped() {
		return nil
	}
	if c.Mean {
		return []Finding{cannot(rate, "a mean of scores: its interval needs their spread")}
	}
	out := []Finding{countVerdict(rate, n)}
	wantLo, wantHi := stats.WilsonBounds(rate.r, n, level)
	mid := stats.Wilson(min(1, max(0, rate.value)), n, level)
	for _, b := range []struct {
		name    string
		given   Number
		printed number
		value   float64
		r       stats.Range
	}{{"Wilson, lower", c.Lo, lo, *mid.Lo, wantLo}, {"Wilson, upper", c.Hi, hi, *mid.Hi, wantHi}} {
		if b.given.text == "" {
			continue
		}
		v := compared(b.printed, b.value, b.r)
		v.Row = b.name
		out = append(out, v)
	}
	return out
}

// countVerdict says whether a whole number of n has the rate, and which are nearest where none has.
func countVerdict(rate number, n int) Finding {
	v := Finding{Row: "count", Printed: fmt.Sprintf("%s of %d", rate.text, n), Verdict: Follows}
	least, most, ok := stats.Counts(rate.r, n)
	v.Value, v.Lo, v.Hi = finite(rate.value*float64(n)), finite(rate.r.Lo*float64(n)), finite(rate.r.Hi*float64(n))
	switch {
	case ok && least == most:
		v.Recomputed = fmt.Sprintf("%d of %d", least, n)
	case ok:
		v.Recomputed = fmt.Sprintf("%d to %d of %d", least, most, n)
	default:
		v.Verdict = DoesNotFollow
		below := min(n, max(0, int(rate.value*float64(n))))
		above := min(n, below+1)
		v.Recomputed = fmt.Sprintf("%s of %d", number{decimals: 1, scale: 1}.like(rate.value*float64(n)), n)
		v.Note = fmt.Sprintf("no whole number of %d has this rate: %d gives %s, %d gives %s", n,
			below, rate.like(float64(below)/float64(n)), above, rate.like(float64(above)/float64(n)))
	}
	return v
}

// precisionClaim: precision at k where a question has so many relevant results.
type precisionClaim struct {
	Value    Number `yaml:"value"`
	K        Number `yaml:"k"`
	Relevant Number `yaml:"relevant"`
}

func (c *precisionClaim) check(in *inputs) []Finding {
	value, k := in.need(c.Value, "value"), in.count(c.K, 1, "k")
	if c.Relevant.text == "" {
		if in.stopped() {
			return nil
		}
		return []Finding{cannot(value, "the number of relevant results a question is not printed")}
	}
	relevant := in.one(c.Relevant)
	if !in.stopped() && relevant.r.Lo < 0 {
		in.fail(errors.New("relevant is below 0"))
	}
	if in.stopped() {
		return nil
	}
	most := stats.PrecisionCeiling(k, relevant.r.Hi)
	v := compared(value, most, stats.Range{Lo: 0, Hi: most})
	v.Recomputed = "at most " + value.like(most)
	return []Finding{v}
}

// supplyClaim: a share of so many questions is about so many documents, each with so many questions
// at most.
type supplyClaim struct {
	Share     Number `yaml:"share"`
	Of        Number `yaml:"of"`
	Documents Number `yaml:"documents"`
	Most      Number `yaml:"most"`
}

func (c *supplyClaim) check(in *inputs) []Finding {
	share, of, docs := in.need(c.Share, "share"), in.need(c.Of, "of"), in.need(c.Documents, "documents")
	most := in.one(c.Most)
	if in.stopped() {
		return nil
	}
	needed := share.r.Mul(of.r)
	v := Finding{Printed: share.text + " of " + of.text, Value: finite(share.value * of.value), Lo: finite(needed.Lo), Hi: finite(needed.Hi)}
	count := number{scale: 1, exact: true}
	v.Recomputed = fmt.Sprintf("%s questions about %s documents", count.like(share.value*of.value), docs.text)
	switch available := docs.r.Mul(most.r); {
	case docs.r.Hi == 0:
		v.Verdict = Follows
		if needed.Lo > 0 {
			v.Verdict = DoesNotFollow
		}
	case c.Most.text == "":
		v.Verdict, v.Note = CannotCheck, "how many questions a document can have is not printed"
	case needed.Lo > available.Hi:
		v.Verdict = DoesNotFollow
		v.Note = fmt.Sprintf("at %s a document there are %s", most.text, count.like(available.Hi))
	default:
		v.Verdict = Follows
	}
	return []Finding{v}
}
