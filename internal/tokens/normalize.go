package tokens

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// softHyphen marks a place where a word may be broken; it is never part of the text.
const softHyphen = '\u00ad'

// Normalize is the form in which texts are compared by TIS: soft hyphens removed, NFKC, runs of
// white space to one space, trimmed. It is idempotent.
func Normalize(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == softHyphen {
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.FieldsFunc(norm.NFKC.String(s), unicode.IsSpace), " ")
}

// Key is the form in which words are compared: NFKC and case-folded, soft hyphens removed.
func Key(s string) string {
	plain := true
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			plain = false
			break
		}
	}
	if plain {
		return strings.ToLower(s)
	}
	s = strings.ReplaceAll(s, string(softHyphen), "")
	return norm.NFKC.String(cases.Fold().String(norm.NFKC.String(s)))
}
