package generate

import (
	"regexp"
	"strings"
	"unicode"

	"enterprisedocbench/internal/tokens"
)

// value is a candidate answer inside a unit: code points [start, end) of its text.
type value struct {
	text       string
	start, end int
}

var datePattern = regexp.MustCompile(`(?i)\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,? \d{4}\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (?:\d{1,2}, )?\d{4}\b|\b\d{1,2}[/.]\d{1,2}[/.]\d{4}\b|\bQ[1-4] \d{4}\b`)

// numbered are the words whose number is a name: "Table 1".
var numbered = words("figure fig fig. table section clause article page chapter part no no. item annex appendix schedule")

func dates(s string) []value {
	var out []value
	for _, m := range datePattern.FindAllStringIndex(s, -1) {
		start := len([]rune(s[:m[0]]))
		t := s[m[0]:m[1]]
		out = append(out, value{t, start, start + len([]rune(t))})
	}
	return out
}

// numbers are the numbers that are no part of a date, with currency, percent sign and scale.
func numbers(s string) []value {
	ds := dates(s)
	r := []rune(s)
	var out []value
next:
	for _, n := range tokens.Numbers(s) {
		for _, d := range ds {
			if n.Start >= d.start && n.Start < d.end {
				continue next
			}
		}
		start, end := n.Start, n.End
		if numbered[strings.ToLower(lastWord(string(r[max(0, start-12):start])))] {
			continue
		}
		for start > 0 && strings.ContainsRune("$€£¥-−", r[start-1]) {
			start--
		}
		rest := string(r[end:])
		if strings.HasPrefix(rest, "%") {
			end++
		} else if n.Scale != "" {
			if i := strings.IndexFunc(strings.TrimLeft(rest, " "), func(r rune) bool { return !unicode.IsLetter(r) }); i >= 0 {
				end += len(rest) - len(strings.TrimLeft(rest, " ")) + i
			} else {
				end = len(r)
			}
		}
		out = append(out, value{string(r[start:min(end, len(r))]), start, min(end, len(r))})
	}
	return out
}

// names are runs of capitalised words; a lone first word of a sentence is none.
func names(s string) []value {
	r := []rune(s)
	var out []value
	start, end, n := -1, 0, 0
	flush := func(sentenceStart bool) {
		if start >= 0 && !(sentenceStart && n == 1) {
			for end < len(r) && r[end] == '.' && legal[strings.ToLower(lastWord(string(r[start:end])))] && end+1 < len(r) {
				end++
			}
			out = append(out, value{string(r[start:end]), start, end})
		}
		start, n = -1, 0
	}
	first := false
	for i, w := range tokens.Words(s) {
		up := unicode.IsUpper(r[w.Start])
		if start >= 0 && (!up || strings.ContainsAny(string(r[end:w.Start]), ",;:()\t\"")) {
			flush(first)
		}
		if up && !(stop[w.Key] && start < 0) {
			if start < 0 {
				start, first = w.Start, i == 0
			}
			n++
			end = w.End
			if t := r[w.Start:w.End]; len(t) > 2 && (t[len(t)-2] == '\'' || t[len(t)-2] == '’') && t[len(t)-1] == 's' {
				end -= 2
				flush(first)
			}
		}
	}
	flush(first)
	return out
}

func lastWord(s string) string {
	fs := strings.Fields(s)
	if len(fs) == 0 {
		return ""
	}
	return fs[len(fs)-1]
}

// candidates are the values of the kind that a question wants, those that the question itself names
// left out.
func candidates(want int, text string, q asked) []value {
	var vs []value
	switch want {
	case wantNumber:
		vs = numbers(text)
	case wantDate:
		vs = dates(text)
	case wantName:
		vs = names(text)
	default:
		return nil
	}
	inQuestion := joined(normal(q.text))
	var out []value
	for _, v := range vs {
		if k := normal(v.text); len(k) > 0 && !holds(inQuestion, k) {
			out = append(out, v)
		}
	}
	return out
}
