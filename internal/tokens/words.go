package tokens

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// Token is a piece of a text: code points [Start, End). Key is its normal form for comparison.
type Token struct {
	Key        string
	Start, End int
}

// Words gives the words of a text by UAX 29, those that hold a letter or digit, in order. Numbers
// stay whole and have a canonical key ("1,234.50" and "1234.5" are equal); Han and Kana give one
// token a character.
func Words(s string) []Token {
	out := make([]Token, 0, len(s)/6+1)
	at := 0
	for it := words.FromString(s); it.Next(); {
		w := it.Value()
		n := utf8.RuneCountInString(w)
		switch kind(w) {
		case ideographic:
			i := at
			for _, r := range w {
				if unicode.IsLetter(r) || unicode.IsDigit(r) {
					out = append(out, Token{Key(string(r)), i, i + 1})
				}
				i++
			}
		case number:
			out = append(out, Token{numberKey(w), at, at + n})
		case word:
			out = append(out, Token{Key(w), at, at + n})
		}
		at += n
	}
	return out
}

// WordKeys gives the keys of Words.
func WordKeys(s string) []string {
	ws := Words(s)
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = w.Key
	}
	return out
}

type wordKind int

const (
	other wordKind = iota
	word
	number
	ideographic
)

func kind(w string) wordKind {
	k := other
	digitsOnly := true
	for _, r := range w {
		switch {
		case r < 0x80:
			if r >= '0' && r <= '9' {
				if k == other {
					k = number
				}
			} else if r|0x20 >= 'a' && r|0x20 <= 'z' {
				k, digitsOnly = word, false
			} else if r != ',' && r != '.' && r != '\'' {
				digitsOnly = false
			}
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			return ideographic
		case unicode.IsLetter(r):
			k, digitsOnly = word, false
		case unicode.IsNumber(r):
			if k == other {
				k = word
			}
			digitsOnly = false
		}
	}
	if k == number && !digitsOnly {
		return word
	}
	return k
}

// numberKey drops separators of thousands, leading zeros of long forms and zeros after the point.
func numberKey(w string) string {
	if i := strings.LastIndexByte(w, ','); i >= 0 && !groups(w) {
		return w // "1,2,3" is a list, not a number
	}
	w = strings.ReplaceAll(strings.ReplaceAll(w, ",", ""), "'", "")
	if strings.Count(w, ".") == 1 {
		w = strings.TrimRight(w, "0")
		w = strings.TrimSuffix(w, ".")
		if w == "" {
			return "0"
		}
	}
	return w
}

// groups reports whether every comma is followed by exactly three digits.
func groups(w string) bool {
	whole, _, _ := strings.Cut(w, ".")
	parts := strings.Split(whole, ",")
	for _, p := range parts[1:] {
		if len(p) != 3 {
			return false
		}
	}
	return true
}
