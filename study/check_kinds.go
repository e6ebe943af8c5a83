package study

import (
	"errors"
	"fmt"
	"math"

	"enterprisedocbench/stats"

	edb "enterprisedocbench"
)

// stopped says that a value is absent or an input is wrong: there is nothing to check.
func (in *inputs) stopped() bool { return in.err != nil || in.absent != "" }

// need refuses a claim that lacks a number.
func (in *inputs) need(n Number, name string) number {
	if n.text == "" {
		in.fail(fmt.Errorf("%s is not given", name))
	}
	return in.one(n)
}

func ranges(of []number) []stats.Range {
	out := make([]stats.Range, len(of))
	for i, x := range of {
		out[i] = x.r
	}
	return out
}

// compositeClaim: value = Σ weight · part.
type compositeClaim struct {
	Value   Number    `yaml:"value"`
	Parts   []Number  `yaml:"parts"`
	Weights []float64 `yaml:"weights"`
}

func (c *compositeClaim) check(in *inputs) []Finding {
	value, parts := in.need(c.Value, "value"), in.list(c.Parts)
	if !in.stopped() && (len(parts) != len(c.Weights) || len(parts) == 0) {
		in.fail(fmt.Errorf("%d parts and %d weights: give each part its weight", len(parts), len(c.Weights)))
	}
	if in.stopped() {
		return nil
	}
	sum := 0.0
	for i, p := range parts {
		sum += p.value * c.Weights[i]
	}
	return []Finding{compared(value, sum, stats.WeightedSum(ranges(parts), c.Weights))}
}

// meanClaim: value = Σ n · part / Σ n; without n the plain mean.
type meanClaim struct {
	Value Number   `yaml:"value"`
	Of    []Number `yaml:"of"`
	N     []Number `yaml:"n"`
}

func (c *meanClaim) check(in *inputs) []Finding {
	value, of, n := in.need(c.Value, "value"), in.list(c.Of), in.list(c.N)
	switch {
	case in.stopped():
	case len(of) == 0:
		in.fail(errors.New("of is empty: list what is averaged"))
	case c.N != nil && len(n) != len(of):
		in.fail(fmt.Errorf("%d values and %d counts: give each value its count", len(of), len(n)))
	}
	if in.stopped() {
		return nil
	}
	weights, total, sum := make([]float64, len(of)), 0.0, 0.0
	for i := range of {
		weights[i] = 1
		if c.N != nil {
			weights[i] = n[i].value
		}
		total += weights[i]
	}
	if !(total > 0) {
		in.fail(errors.New("the counts sum to 0"))
		return nil
	}
	for i := range weights {
		weights[i] /= total
		sum += of[i].value * weights[i]
	}
	return []Finding{compared(value, sum, stats.WeightedSum(ranges(of), weights))}
}

// listClaim: value is the sum (total), the product, the largest minus the smallest (spread), the
// largest (most) or the smallest (least) of a list.
type listClaim struct {
	Value Number   `yaml:"value"`
	Of    []Number `yaml:"of"`

	kind string
}

func (c *listClaim) check(in *inputs) []Finding {
	value, of := in.need(c.Value, "value"), in.list(c.Of)
	if !in.stopped() && len(of) == 0 {
		in.fail(errors.New("of is empty: list the numbers"))
	}
	if in.stopped() {
		return nil
	}
	v, r := of[0].value, of[0].r
	least, most := of[0].value, of[0].value
	for _, x := range of[1:] {
		least, most = min(least, x.value), max(most, x.value)
		switch c.kind {
		case "total":
			v, r = v+x.value, r.Add(x.r)
		case "most":
			v, r = most, stats.Range{Lo: max(r.Lo, x.r.Lo), Hi: max(r.Hi, x.r.Hi)}
		case "least":
			v, r = least, stats.Range{Lo: min(r.Lo, x.r.Lo), Hi: min(r.Hi, x.r.Hi)}
		}
	}
	switch c.kind {
	case "spread":
		v, r = most-least, stats.Spread(ranges(of))
	case "product":
		p := product(of)
		v, r = p.value, p.r
	}
	return []Finding{compared(value, v, r)}
}

// differenceClaim: value is the first of two numbers minus the second.
type differenceClaim struct {
	Value Number   `yaml:"value"`
	Of    []Number `yaml:"of"`
}

func (c *differenceClaim) check(in *inputs) []Finding {
	value, of := in.need(c.Value, "value"), in.list(c.Of)
	if !in.stopped() && len(of) != 2 {
		in.fail(fmt.Errorf("%d numbers: a difference has 2", len(of)))
	}
	if in.stopped() {
		return nil
	}
	return []Finding{compared(value, of[0].value-of[1].value, of[0].r.Sub(of[1].r))}
}

// ratioClaim: value is the product of some numbers divided by the product of others.
type ratioClaim struct {
	Value Number   `yaml:"value"`
	Of    []Number `yaml:"of"`
	By    []Number `yaml:"by"`
}

func (c *ratioClaim) check(in *inputs) []Finding {
	value, of, by := in.need(c.Value, "value"), in.list(c.Of), in.list(c.By)
	if !in.stopped() && (len(of) == 0 || len(by) == 0) {
		in.fail(errors.New("of or by is empty: list what is divided, and by what"))
	}
	if in.stopped() {
		return nil
	}
	above, below := product(of), product(by)
	r, ok := above.r.Div(below.r)
	if !ok {
		return []Finding{cannot(value, "the divisor may be 0")}
	}
	return []Finding{compared(value, above.value/below.value, r)}
}

func product(of []number) number {
	p := number{value: 1, r: stats.Exactly(1)}
	for _, x := range of {
		p.value, p.r = p.value*x.value, p.r.Mul(x.r)
	}
	return p
}

// openClaim: a number that cannot be recomputed from what is printed, and what would be needed.
type openClaim struct {
	Value string `yaml:"value"`
	Needs string `yaml:"needs"`
}

func (c *openClaim) check(in *inputs) []Finding {
	if c.Value == "" || c.Needs == "" {
		in.fail(errors.New("value and needs belong here: say what is printed and what is not"))
	}
	return []Finding{{Verdict: CannotCheck, Printed: c.Value, Note: "needs " + c.Needs}}
}

// boundClaim: value lies below, above, at most or at least at a number.
type boundClaim struct {
	Value   Number `yaml:"value"`
	Below   Number `yaml:"below"`
	Above   Number `yaml:"above"`
	AtMost  Number `yaml:"at_most"`
	AtLeast Number `yaml:"at_least"`
}

func (c *boundClaim) check(in *inputs) []Finding {
	value := in.need(c.Value, "value")
	var out []Finding
	for _, b := range []struct {
		limit Number
		word  string
		ok    func(limit number) bool
	}{
		{c.Below, "below", func(l number) bool { return value.r.Lo < l.value }},
		{c.Above, "above", func(l number) bool { return value.r.Hi > l.value }},
		{c.AtMost, "at most", func(l number) bool { return value.r.Lo <= l.r.Hi }},
		{c.AtLeast, "at least", func(l number) bool { return value.r.Hi >= l.r.Lo }},
	} {
		if b.limit.text == "" {
			continue
		}
		limit := in.one(b.limit)
		if in.stopped() {
			return nil
		}
		v := Finding{Verdict: DoesNotFollow, Printed: b.word + " " + limit.text, Recomputed: value.text, Value: finite(value.value), Lo: finite(value.r.Lo), Hi: finite(value.r.Hi)}
		if b.ok(limit) {
			v.Verdict = Follows
		}
		out = append(out, v)
	}
	if len(out) == 0 && !in.stopped() {
		in.fail(errors.New("no limit: give below, above, at_most or at_least"))
	}
	return out
}

// rowsClaim: value is the number of rows of a table.
type rowsClaim struct {
	Value Number `yaml:"value"`
	Of    string `yaml:"of"`
}

func (c *rowsClaim) check(in *inputs) []Finding {
	value := in.need(c.Value, "value")
	t, err := in.paper.table(c.Of)
	if err != nil {
		in.fail(err)
	}
	if in.stopped() {
		return nil
	}
	n := float64(len(t.names))
	return []Finding{compared(value, n, stats.Exactly(n))}
}

// sameClaim: one quantity, stated several times. Statements must have a value in common that all of them
// may be rounded from: 86.7 and 86.6 can both be 86.65, by two rules of rounding.
type sameClaim struct {
	Of []Number `yaml:"of"`
}

func (c *sameClaim) check(in *inputs) []Finding {
	of := in.list(c.Of)
	if !in.stopped() && len(of) < 2 {
		in.fail(fmt.Errorf("%s: give at least 2 of one quantity", edb.Count(len(of), "statement")))
	}
	if in.stopped() {
		return nil
	}
	var out []Finding
	for _, x := range of[1:] {
		v := Finding{Printed: x.text, Verdict: DoesNotFollow}
		if of[0].r.Meets(x.r) {
			v.Verdict = Follows
			if !agree(of[0], x) {
				v.Note = "only a value at the edge of both rounds to the two"
			}
		}
		v.recomputed(of[0], of[0].value, of[0].r)
		v.Recomputed = of[0].text
		out = append(out, v)
	}
	return out
}

// agree says whether two printed numbers are one by their digits: with equally many decimals the same
// ones, else a value in common.
func agree(a, b number) bool {
	if math.Abs(a.step()-b.step()) < 1e-12*a.step() && a.exact == b.exact {
		return math.Abs(a.value-b.value) < a.step()/2
	}
	return a.r.Overlaps(b.r)
}

// distinctClaim: quantities that are told to be different. Where they cannot be told apart by their
// digits, one of them adds nothing to the other.
type distinctClaim struct {
	Of []Number `yaml:"of"`
}

func (c *distinctClaim) check(in *inputs) []Finding {
	of := in.list(c.Of)
	if !in.stopped() && len(of) < 2 {
		in.fail(fmt.Errorf("%d quantities: give at least 2", len(of)))
	}
	if in.stopped() {
		return nil
	}
	var out []Finding
	for _, x := range of[1:] {
		v := Finding{Printed: x.text, Verdict: Follows}
		v.recomputed(x, of[0].value, of[0].r)
		if agree(of[0], x) {
			v.Verdict, v.Note = DoesNotFollow, "the two are one number to the last digit"
		}
		out = append(out, v)
	}
	return out
}
