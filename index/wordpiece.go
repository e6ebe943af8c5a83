package index

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// wordPiece splits text into the pieces of an uncased BERT vocabulary: lower case, accents
// dropped, punctuation and Han characters on their own, words cut into the longest known pieces
// from the left (Devlin and others, BERT, 2019). It is safe for concurrent use.
type wordPiece struct {
	ids map[string]uint32
}

// longestWord is the bytes beyond which a word is unknown as a whole.
const longestWord = 100

// appendIDs appends the piece numbers of s. Words that the vocabulary cannot spell are left out.
func (w *wordPiece) appendIDs(out []uint32, s string) []uint32 {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			s = norm.NFD.String(s)
			break
		}
	}
	word := make([]byte, 0, 32)
	flush := func() {
		if len(word) > 0 {
			out = w.pieces(out, word)
			word = word[:0]
		}
	}
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf && lower[r] != 0:
			word = append(word, lower[r])
		case r == 0 || r == utf8.RuneError || unicode.Is(unicode.Mn, r):
		case unicode.IsSpace(r):
			flush()
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
		case r < utf8.RuneSelf || unicode.IsPunct(r) || unicode.Is(unicode.Han, r):
			flush()
			word = utf8.AppendRune(word, r)
			flush()
		default:
			word = utf8.AppendRune(word, unicode.ToLower(r))
		}
	}
	flush()
	return out
}

// pieces appends the longest known pieces of one word, or nothing.
func (w *wordPiece) pieces(out []uint32, word []byte) []uint32 {
	if len(word) > longestWord {
		return out
	}
	if id, ok := w.ids[string(word)]; ok {
		return append(out, id)
	}
	begin := len(out)
	var buf [longestWord + 2]byte
	for from := 0; from < len(word); {
		to := len(word)
		for ; to > from; to-- {
			key := word[from:to]
			if from > 0 {
				key = append(append(buf[:0], "##"...), key...)
			}
			if id, ok := w.ids[string(key)]; ok {
				out = append(out, id)
				break
			}
		}
		if to == from {
			return out[:begin]
		}
		from = to
	}
	return out
}
