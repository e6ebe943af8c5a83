package metrics

import (
	"strings"
	"unicode"

	"enterprisedocbench/internal/tokens"
)

// squad is the normal form of SQuAD (Rajpurkar et al. 2016): lower case, punctuation and the
// articles a, an, the removed, white space collapsed; NFKC first.
func squad(s string) []string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsPunct(r) || unicode.IsSymbol(r) && r < 0x80 {
			return -1
		}
		return r
	}, strings.ToLower(tokens.Normalize(s)))
	var out []string
	for _, w := range strings.Fields(s) {
		if w != "a" && w != "an" && w != "the" {
			out = append(out, w)
		}
	}
	return out
}

// TokenF1 is the SQuAD F1 of answer and gold over words separated by white space. Both empty: 1; one
// empty: 0. In [0,1].
func TokenF1(answer, gold string) float64 { return overlapF1(squad(answer), squad(gold)) }

// CharF1 is the same over characters, for writing without spaces between words.
func CharF1(answer, gold string) float64 {
	split := func(s string) []string {
		var out []string
		for _, w := range squad(s) {
			for _, r := range w {
				out = append(out, string(r))
			}
		}
		return out
	}
	return overlapF1(split(answer), split(gold))
}

// AnswerF1 is CharF1 where the gold is mostly Han, Kana or Hangul, else TokenF1.
func AnswerF1(answer, gold string) float64 {
	if cjk(gold) {
		return CharF1(answer, gold)
	}
	return TokenF1(answer, gold)
}

// cjk reports whether most letters of s are Han, Kana or Hangul.
func cjk(s string) bool {
	n, all := 0, 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			all++
			if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
				n++
			}
		}
	}
	return 2*n > all
}

func overlapF1(a, b []string) float64 {
	if len(a) == 0 || len(b) == 0 {
		if len(a) == len(b) {
			return 1
		}
		return 0
	}
	count := map[string]int{}
	for _, x := range b {
		count[x]++
	}
	same := 0
	for _, x := range a {
		if count[x] > 0 {
			count[x]--
			same++
		}
	}
	if same == 0 {
		return 0
	}
	return 2 * float64(same) / float64(len(a)+len(b))
}

// holdsWords reports whether the words of gold stand in the answer in a row.
func holdsWords(answer, gold string) bool {
	g := strings.Join(squad(gold), " ")
	a := strings.Join(squad(answer), " ")
	if g == "" {
		return false
	}
	if cjk(gold) {
		return strings.Contains(strings.ReplaceAll(a, " ", ""), strings.ReplaceAll(g, " ", ""))
	}
	return strings.Contains(" "+a+" ", " "+g+" ")
}
