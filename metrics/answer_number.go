package metrics

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/internal/tokens"
)

// goldNumber is a gold value as a number: the values that an answer may give, in full and in the
// gold's scale, and whether it is a percentage or a fraction.
type goldNumber struct {
	targets   []float64
	scale     float64
	percent   bool
	fraction  bool
	currency  bool
	tolerance float64
}

// scaleOf reads "thousand", "thousands", "in millions", "1000"; 1 where there is none.
func scaleOf(s string) float64 {
	s = strings.TrimSuffix(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(s)), "in "), "s")
	if f, ok := scales[s]; ok {
		return f
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil && f > 0 {
		return f
	}
	return 1
}

func readGoldNumber(g edb.GoldAnswer) (goldNumber, error) {
	out := goldNumber{scale: scaleOf(g.Scale), tolerance: g.Tolerance}
	unit := strings.ToLower(g.Unit)
	out.percent = unit == "%" || strings.HasPrefix(unit, "percent")
	out.fraction = unit == "fraction" || unit == "ratio"
	out.currency = strings.ContainsAny(unit, "$€£¥") || slices.Contains([]string{"usd", "eur", "gbp", "jpy"}, unit)
	var v float64
	switch x := g.Value.(type) {
	case float64:
		v = x
	case int:
		v = float64(x)
	case string:
		ns := tokens.Numbers(x)
		if len(ns) == 0 {
			return out, fmt.Errorf("gold value %q is no number", x)
		}
		v = ns[0].Value
		out.percent = out.percent || ns[0].Percent
		out.currency = out.currency || ns[0].Currency != ""
		if f, ok := scales[ns[0].Scale]; ok {
			v *= f
		}
	default:
		return out, fmt.Errorf("gold value %v is no number", g.Value)
	}
	out.targets = []float64{v}
	if out.scale != 1 {
		out.targets = append(out.targets, v*out.scale)
	}
	return out, nil
}

func (g goldNumber) near(x, want float64) bool {
	tol := g.tolerance
	if tol == 0 {
		tol = 1e-9
	}
	return math.Abs(x-want) <= tol*math.Max(math.Abs(want), 0) || x == want || want == 0 && math.Abs(x) <= g.tolerance
}

// matches reports whether a number of the answer is the gold: in full, in the gold's scale where the
// answer names none, or as a percentage of a fraction.
func (g goldNumber) matches(n tokens.Number) bool {
	values := []float64{n.Value}
	if f, ok := scales[n.Scale]; ok {
		values = []float64{n.Value * f}
	} else if g.scale != 1 {
		values = append(values, n.Value*g.scale)
	}
	switch {
	case n.Percent && g.fraction:
		values = []float64{n.Value / 100}
	case n.Percent && !g.percent && !g.fraction:
		// a percentage may stand for a share of at most a few wholes, never for a count
		values = []float64{n.Value, n.Value / 100}
	case !n.Percent && g.percent:
		values = append(values, n.Value*100) // 0.2 for 20 %
	}
	for _, v := range values {
		for _, w := range g.targets {
			if g.near(v, w) {
				return true
			}
		}
	}
	return false
}

var concluding = regexp.MustCompile(`(?i)\b(answer is|therefore|thus|hence|so|in total|total of|equals|result is)\b|=`)

// manyNumbers is the number of different candidates above which an answer no longer gives a number
// but lists them.
const manyNumbers = 3

// pick gives the numbers of an answer that may be meant as its value: those of dates and those that
// the question names left out as long as others remain, percentages alone where the gold is one.
// After "so", "the answer is" and the like only what follows the last of these counts. Of more than
// three different ones the first and the last.
func pick(question, answer string, g goldNumber) []tokens.Number {
	answer = citeMark.ReplaceAllString(answer, "")
	all := tokens.Numbers(withoutDates(answer, datesOf(answer)))
	if len(all) == 0 {
		all = tokens.Numbers(answer)
	}
	narrow := func(keep func(tokens.Number) bool) {
		var out []tokens.Number
		for _, n := range all {
			if keep(n) {
				out = append(out, n)
			}
		}
		if len(out) > 0 {
			all = out
		}
	}
	if g.percent {
		narrow(func(n tokens.Number) bool { return n.Percent })
	}
	if g.currency {
		narrow(func(n tokens.Number) bool { return n.Currency != "" })
	}
	var named []string
	for _, n := range tokens.Numbers(question) {
		named = append(named, numberForm(n))
	}
	narrow(func(n tokens.Number) bool { return !slices.Contains(named, numberForm(n)) })
	if m := concluding.FindAllStringIndex(answer, -1); m != nil {
		after := len([]rune(answer[:m[len(m)-1][1]]))
		narrow(func(n tokens.Number) bool { return n.Start >= after })
	}
	var forms []string
	for _, n := range all {
		if f := numberForm(n); !slices.Contains(forms, f) {
			forms = append(forms, f)
		}
	}
	if len(forms) > manyNumbers {
		return []tokens.Number{all[0], all[len(all)-1]}
	}
	return all
}
