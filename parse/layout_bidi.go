package parse

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"enterprisedocbench"
)

// Pages in scripts that run from right to left are mirrored before they are read, so that what holds
// for columns, tables, lists and lines from left to right holds for them; boxes are mirrored back.
// Words come from the engines with their letters in reading order, which logical helps those to that
// find letters by their places; what is settled here otherwise is the order of words.

// direction of a word: 1 to the right, -1 to the left, 0 neither (digits, punctuation).
func wordDirection(s string) int {
	for _, r := range s {
		switch {
		case r < 0x590:
			if unicode.IsLetter(r) {
				return 1
			}
		case unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Samaritan, unicode.Mandaic):
			if unicode.IsLetter(r) {
				return -1
			}
		case unicode.IsLetter(r):
			return 1
		}
	}
	return 0
}

// rightToLeft says whether most letters of a page run from right to left.
func rightToLeft(pg *rawPage) bool {
	left, right := 0, 0
	for _, w := range pg.words {
		switch wordDirection(w.text) {
		case -1:
			left += utf8.RuneCountInString(w.text)
		case 1:
			right += utf8.RuneCountInString(w.text)
		}
	}
	return left > right
}

// mirror turns a page over, left to right, and gives what turns boxes back and then does back.
func mirror(pg *rawPage, back func(edb.Box) edb.Box) func(edb.Box) edb.Box {
	w := pg.width
	over := func(b edb.Box) edb.Box { return edb.Box{w - b[2], b[1], w - b[0], b[3]} }
	for i := range pg.words {
		pg.words[i].box, pg.words[i].rtl = over(pg.words[i].box), true
	}
	for _, list := range [][]edb.Box{pg.images, pg.rules, pg.grounds, pg.paths} {
		for i := range list {
			list[i] = over(list[i])
		}
	}
	for i := range pg.aside {
		pg.aside[i].box = over(pg.aside[i].box)
	}
	if back == nil {
		return over
	}
	return func(b edb.Box) edb.Box { return back(over(b)) }
}

// against says whether a word runs against the direction of its page.
func against(w wordRun) bool {
	d := wordDirection(w.text)
	return d == -1 && !w.rtl || d == 1 && w.rtl
}

// readingOrder is the words of a line, which come in the order of their places, as they are read: runs
// of words against the page's direction are turned round, numbers and signs inside of them with them.
func readingOrder(words []wordRun) []wordRun {
	out := words
	for i := 0; i < len(words); i++ {
		if !against(words[i]) {
			continue
		}
		last := i
		for j := i + 1; j < len(words) && (against(words[j]) || wordDirection(words[j].text) == 0); j++ {
			if against(words[j]) {
				last = j
			}
		}
		if last > i {
			if &out[0] == &words[0] {
				out = slices.Clone(words)
			}
			slices.Reverse(out[i : last+1])
		}
		i = last
	}
	return out
}

// glue is the text of two touching runs, the second behind the first by its place.
func glue(a, b wordRun) string {
	if against(a) && against(b) {
		return b.text + a.text
	}
	return a.text + b.text
}

// logical is the text of a word whose letters come in the order of their places, from the left, in
// reading order: where a letter of it runs from right to left, all is turned round but numbers and
// letters of the other direction, and brackets are mirrored. An entry is what one glyph stands for,
// which is in reading order already; letters by their shapes (presentation forms) become letters.
func logical(glyphs []string) string {
	rtl := false
	for _, g := range glyphs {
		rtl = rtl || wordDirection(g) == -1
	}
	if !rtl {
		return strings.Join(glyphs, "")
	}
	leftward := func(g string) bool { // what stays in its order
		r, _ := utf8.DecodeRuneInString(g)
		return wordDirection(g) == 1 || unicode.IsDigit(r)
	}
	var b strings.Builder
	for i := len(glyphs); i > 0; {
		from := i - 1
		if leftward(glyphs[from]) {
			for k := from - 1; k >= 0 && wordDirection(glyphs[k]) != -1; k-- { // signs inside belong to it
				if leftward(glyphs[k]) {
					from = k
				}
			}
			for _, g := range glyphs[from:i] {
				b.WriteString(g)
			}
			if from > 0 && wordDirection(glyphs[i-1]) > 0 && wordDirection(glyphs[from-1]) < 0 {
				b.WriteByte(' ') // behind a foreign word: no script from right to left sets endings to one
			}
		} else {
			b.WriteString(mirrored(glyphs[from]))
		}
		i = from
	}
	return hamzas.Replace(shapeless(b.String()))
}

// hamzas puts lam before an alef with hamza or madda where another alef stands before the two, which no
// Arabic word has: they were one glyph, whose letters were turned round.
var hamzas = strings.NewReplacer("األ", "الأ", "اإل", "الإ", "اآل", "الآ")

// logicalAt is logical for glyphs in the order in which they are drawn, with the places of their left
// edges: letters that run from right to left are drawn from either end.
func logicalAt(glyphs []string, places []float64) string {
	if k := len(places); k > 1 && places[k-1] < places[0] && slices.ContainsFunc(glyphs, func(g string) bool { return wordDirection(g) < 0 }) {
		glyphs = slices.Clone(glyphs)
		slices.Reverse(glyphs)
	}
	return logical(glyphs)
}

// mirrored is a bracket as it stands in text of the other direction.
func mirrored(s string) string {
	const pairs = "()[]{}<>«»‹›"
	r, n := utf8.DecodeRuneInString(s)
	if n == len(s) {
		rs := []rune(pairs)
		if i := slices.Index(rs, r); i >= 0 {
			return string(rs[i^1])
		}
	}
	return s
}

// shapeless turns Hebrew and Arabic letters that are coded by their shapes, ligatures among them, into
// letters.
func shapeless(s string) string {
	shaped := func(r rune) bool { return r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC }
	if strings.IndexFunc(s, shaped) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if shaped(r) {
			b.WriteString(norm.NFKC.String(string(r)))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// runesOf gives each character of a text as an entry.
func runesOf(s string) []string {
	out := make([]string, 0, len(s))
	for _, r := range s {
		out = append(out, string(r))
	}
	return out
}
