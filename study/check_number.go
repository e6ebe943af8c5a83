package study

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"enterprisedocbench/stats"
)

// number is a number as it is printed, with all values that it may stand for.
type number struct {
	text     string
	r        stats.Range
	value    float64 // as printed, in plain units: 28.1 % is .281
	decimals int     // of the printed digits
	scale    float64 // .01 for %, 1e9 for B, else 1
	suffix   string
	exact    bool // a whole number without unit: a count
}

var suffixes = map[string]float64{"": 1, "%": 0.01, "x": 1, "×": 1, "K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}

var printedNumber = regexp.MustCompile(`^([~<>]?)\s*([+-]?)(\d{1,3}(?:,\d{3})+|\d*)(?:\.(\d+))?\s*(%|x|×|[KMBT])?$`)

// parseNumber reads a printed number: digits with an optional point, thousands separated by commas,
// and a unit %, x, K, M, B or T. A whole number without unit is a count and exact; any other stands
// for all values that round to its last digit, as does a whole number after "~". "<" and ">" give a
// bound. "C - X" with a count C is the complement of a printed X.
func parseNumber(s string) (number, error) {
	s = strings.ReplaceAll(strings.TrimSpace(s), "−", "-")
	if whole, rest, ok := strings.Cut(s, " - "); ok {
		c, err := parseNumber(whole)
		if err != nil {
			return number{}, err
		}
		x, err := parseNumber(rest)
		if err != nil {
			return number{}, err
		}
		return complement(c, x), nil
	}
	m := printedNumber.FindStringSubmatch(s)
	if m == nil || m[3] == "" && m[4] == "" {
		return number{}, fmt.Errorf("%q is not a printed number: write digits as in 1,169, -0.04, 28.1%%, <0.001 or ~33", s)
	}
	digits := strings.ReplaceAll(m[3], ",", "")
	if m[4] != "" {
		digits += "." + m[4]
	}
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil || len(digits) > 30 {
		return number{}, fmt.Errorf("%q has too many digits", s)
	}
	if m[2] == "-" {
		v = -v
	}
	n := number{text: s, decimals: len(m[4]), scale: suffixes[m[5]], suffix: m[5]}
	n.value = v * n.scale
	n.exact = m[1] == "" && m[4] == "" && m[5] == ""
	n.r = stats.Exactly(n.value)
	switch m[1] {
	case "<":
		n.r.Lo = math.Inf(-1)
	case ">":
		n.r.Hi = math.Inf(1)
	default:
		if !n.exact {
			r := stats.Rounded(v, n.decimals)
			n.r = stats.Range{Lo: r.Lo * n.scale, Hi: r.Hi * n.scale}
		}
	}
	return n, nil
}

// complement is whole − x, in the unit of x.
func complement(whole, x number) number {
	out := x
	out.text = whole.text + " - " + x.text
	out.value = whole.value - x.value
	out.r = whole.r.Sub(x.r)
	out.exact = whole.exact && x.exact
	return out
}

// like writes a value in the unit of n, with a digit more than n has.
func (n number) like(v float64) string {
	switch {
	case math.IsInf(v, -1):
		return "no least"
	case math.IsInf(v, 1):
		return "no most"
	}
	digits := n.decimals + 1
	if n.exact && v == math.Trunc(v) {
		digits = 0
	}
	s := strconv.FormatFloat(v/n.scale, 'f', digits, 64)
	if strings.Trim(s, "-0.") == "" {
		if s = strings.TrimPrefix(s, "-"); math.Abs(v) > n.step()*1e-9 && n.r.Lo != n.r.Hi && math.IsInf(n.r.Lo, -1) {
			s = strconv.FormatFloat(v/n.scale, 'g', 2, 64) // under a bound, how far is the point
		}
	}
	return s + n.suffix
}

// step is the unit of the last printed digit.
func (n number) step() float64 { return n.scale * math.Pow10(-n.decimals) }

func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}
