package tokens

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// abbreviations end in a full stop that ends no sentence.
var abbreviations = map[string]bool{}

func init() {
	for _, a := range strings.Fields(`dr mr mrs ms prof sr jr st sec fig figs eq eqs ref refs no nos vol pp p cf vs al inc ltd corp
		co llc plc e.g i.e etc approx dept est u.s u.k jan feb mar apr jun jul aug sep sept oct nov dec art ch app tab`) {
		abbreviations[a] = true
	}
}

// Sentences gives the sentences of a text by UAX 29, joined again where one ends in an abbreviation
// or a single initial, and split at line ends that close a paragraph (a blank line). Keys are empty;
// white space at both ends is left out.
func Sentences(s string) []Token {
	var out []Token
	at := 0
	start, join := 0, false
	flush := func(from, to int, text string) {
		trimmed := strings.TrimLeftFunc(text, unicode.IsSpace)
		from += utf8.RuneCountInString(text) - utf8.RuneCountInString(trimmed)
		trimmed = strings.TrimRightFunc(trimmed, unicode.IsSpace)
		if trimmed != "" {
			out = append(out, Token{"", from, from + utf8.RuneCountInString(trimmed)})
		}
	}
	var pending strings.Builder
	for it := sentences.FromString(s); it.Next(); {
		v := it.Value()
		if !join {
			start = at
		}
		pending.WriteString(v)
		at += utf8.RuneCountInString(v)
		if join = endsInAbbreviation(v); join {
			continue
		}
		flush(start, at, pending.String())
		pending.Reset()
	}
	if join {
		flush(start, at, pending.String())
	}
	return out
}

func endsInAbbreviation(s string) bool {
	if strings.ContainsAny(s[len(strings.TrimRight(s, "\n\r \t")):], "\n\r") {
		return false
	}
	s = strings.TrimRightFunc(s, unicode.IsSpace)
	if !strings.HasSuffix(s, ".") {
		return false
	}
	s = s[:len(s)-1]
	i := strings.LastIndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '(' || r == '[' || r == '"' })
	last := s[i+1:]
	if abbreviations[strings.ToLower(last)] {
		return true
	}
	r, size := utf8.DecodeRuneInString(last)
	return size == len(last) && unicode.IsUpper(r) // an initial
}
