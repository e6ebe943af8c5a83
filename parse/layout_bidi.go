package parse

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"enterprisedocbench"
)

// Pages in scripts that run from right to left are mirrored before they are read, so that what holds
// for columns, tables, lists and lines from left to right holds for them; boxes are mirrored back.
// Words come from the engines with their letters in reading order; what is settled here is the order
// of words.

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
