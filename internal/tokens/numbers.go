package tokens

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Number is a number as it stands in a text: code points [Start, End). Value has its sign, and is
// not multiplied by the scale: "$4.2 million" is 4.2 with Scale "million"; "20%" is 20 with Percent.
// Parentheses around an amount make it negative, as in accounts, when it holds a comma group or a
// currency sign: "(2,500)" is −2500 while "(3.14)" is 3.14.
type Number struct {
	Value      float64
	Text       string
	Scale      string // "", thousand, million, billion, trillion
	Currency   string // "", "$", "€", "£", "¥"
	Percent    bool
	Start, End int
}

var numberPattern = regexp.MustCompile(`(\()?\s?([-−–+]\s?)?([$€£¥]\s?)?([-−]\s?)?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?:[eE]([-+]?\d{1,3})\b)?(\s?%|\s?percent\b)?(\))?(?:\s?(thousand|million|billion|trillion|mn|bn|[kKmMbB])\b)?`)

var scaleNames = map[string]string{"k": "thousand", "m": "million", "mn": "million", "b": "billion", "bn": "billion"}

// Numbers gives the numbers of a text in order. Digits inside words ("Q3", "A4") are not numbers.
func Numbers(s string) []Number {
	var out []Number
	at, byteAt := 0, 0
	for _, m := range numberPattern.FindAllStringSubmatchIndex(s, -1) {
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return s[m[2*i]:m[2*i+1]]
		}
		from, to := m[10], m[11]
		if before, _ := utf8.DecodeLastRuneInString(s[:from]); letterOrDigit(before) {
			continue
		}
		after, _ := utf8.DecodeRuneInString(s[to:])
		if letterOrDigit(after) && group(9) == "" && group(6) == "" {
			continue
		}
		v, err := strconv.ParseFloat(strings.ReplaceAll(group(5), ",", "")+exponent(group(6)), 64)
		if err != nil {
			continue
		}
		sign := strings.TrimSpace(group(2))
		inner := strings.TrimSpace(group(4))
		n := Number{Value: v, Percent: group(7) != "", Currency: strings.TrimSpace(group(3))}
		n.Scale = strings.ToLower(group(9))
		if full, ok := scaleNames[n.Scale]; ok {
			n.Scale = full
		}
		if m[0] < from && (sign == "-" || sign == "−" || inner != "") {
			if r, _ := utf8.DecodeLastRuneInString(s[:max(m[4], 0)]); m[4] < 0 || !letterOrDigit(r) || inner != "" {
				n.Value = -v
			}
		}
		if group(1) != "" && group(8) != "" && (strings.Contains(group(5), ",") || n.Currency != "") && n.Value > 0 {
			n.Value = -v
			from, to = m[0], m[17]
		}
		at += utf8.RuneCountInString(s[byteAt:from])
		byteAt = from
		n.Text, n.Start = s[from:to], at
		n.End = at + utf8.RuneCountInString(s[from:to])
		out = append(out, n)
	}
	return out
}

func exponent(e string) string {
	if e == "" {
		return ""
	}
	return "e" + e
}

func letterOrDigit(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
}
