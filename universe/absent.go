package universe

import "strings"

// Haystack is a text in which absence is proven: case, accents, punctuation and every break inside
// or between words are left out of account.
type Haystack struct {
	text   string // folded, without spaces
	starts []bool // starts[i]: a word begins at byte i; one more entry for the end
}

// NewHaystack folds a text once, for many phrases.
func NewHaystack(s string) Haystack {
	f := fold(s)
	h := Haystack{starts: make([]bool, 0, len(f)+1)}
	b := make([]byte, 0, len(f))
	gap := true
	for i := range len(f) {
		if f[i] == ' ' {
			gap = true
			continue
		}
		b = append(b, f[i])
		h.starts = append(h.starts, gap)
		gap = false
	}
	h.text, h.starts = string(b), append(h.starts, true)
	return h
}

// Empty says that the text has no words.
func (h Haystack) Empty() bool { return h.text == "" }

// Needle is a phrase to look for in many texts.
type Needle string

// NewNeedle folds a phrase once.
func NewNeedle(phrase string) Needle { return Needle(strings.ReplaceAll(fold(phrase), " ", "")) }

// Holds reports whether the phrase stands in the text from the beginning of a word to the end of
// one. A word that is broken over two lines, with a hyphen or without, is still that word.
func (h Haystack) Holds(phrase string) bool { return h.Has(NewNeedle(phrase)) }

// Has is Holds for a phrase that was folded before.
func (h Haystack) Has(n Needle) bool {
	p := string(n)
	if p == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(h.text[from:], p)
		if i < 0 {
			return false
		}
		at := from + i
		if h.starts[at] && h.starts[at+len(p)] {
			return true
		}
		from = at + 1
	}
}
