package parse

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Chinese and Japanese may be set in columns read from the top, the next column to the left. Turned a
// quarter counter-clockwise, such columns are lines: so their words are marked as running down the page
// (three quarter turns), and what holds for turned pages holds for them.

// column is how many letters that stand one below the other are text set in columns.
const column = 3

// maxLetters bounds the words of a page that are looked at for columns: no page of text has more.
const maxLetters = 10_000

// stacked joins letters that stand one below the other, and touch nothing at their sides, to words that
// run down the page.
func stacked(pg *rawPage) {
	var at []int // the letters, by their place
	for i, w := range pg.words {
		if w.turn == 0 && wide(w.text) && utf8.RuneCountInString(w.text) == 1 {
			at = append(at, i)
		}
	}
	if len(at) < column || len(pg.words) > maxLetters {
		return
	}
	mid := func(i int) (x, y, em float64) {
		b := pg.words[i].box
		return (b[0] + b[2]) / 2, (b[1] + b[3]) / 2, max(b[2]-b[0], pg.words[i].font.size, 1)
	}
	slices.SortFunc(at, func(i, j int) int {
		_, a, _ := mid(i)
		_, b, _ := mid(j)
		return cmp.Or(compare(a, b), compare(pg.words[i].box[0], pg.words[j].box[0]))
	})
	next, taken := map[int]int{}, map[int]bool{}
	for k, i := range at {
		x, y, em := mid(i)
		best := -1
		for _, j := range at[k+1:] {
			u, v, other := mid(j)
			if v-y > 1.18*em {
				break
			}
			if v-y > 0.7*em && min(math.Abs(u-x), math.Abs(pg.words[i].box[0]-pg.words[j].box[0])) < 0.2*em && math.Abs(other-em) < 0.3*em && !taken[j] {
				best = j
				break
			}
		}
		if best >= 0 {
			next[i], taken[best] = best, true
		}
	}
	gone := map[int]bool{}
	for _, i := range at {
		if taken[i] {
			continue
		}
		chain := []int{i}
		for j, ok := next[i]; ok; j, ok = next[j] {
			chain = append(chain, j)
		}
		beside := 0
		for _, j := range chain {
			if pg.besides(j) {
				beside++
			}
		}
		if len(chain) < column || beside*3 > len(chain) {
			continue
		}
		w := &pg.words[i]
		w.turn = 3
		for _, j := range chain[1:] {
			w.text += pg.words[j].text
			w.box = union(w.box, pg.words[j].box)
			gone[j] = true
		}
		w.text = levelForms(w.text)
	}
	if len(gone) == 0 {
		return
	}
	keep := pg.words[:0:0]
	for i, w := range pg.words {
		if !gone[i] {
			keep = append(keep, w)
		}
	}
	pg.words = keep
	leftover(pg)
}

// besides says whether another word touches a letter's side.
func (pg *rawPage) besides(i int) bool {
	b := pg.words[i].box
	near := 0.3 * (b[2] - b[0])
	for j, w := range pg.words {
		if j == i || w.turn != 0 || min(w.box[3], b[3])-max(w.box[1], b[1]) < 0.5*min(w.box[3]-w.box[1], b[3]-b[1]) {
			continue
		}
		if w.box[0] < b[2]+near && w.box[2] > b[0]-near {
			return true
		}
	}
	return false
}

// leftover takes to the columns of a page what else belongs to them: letters and short numbers that
// stand upright right above or below one.
func leftover(pg *rawPage) {
	again := true
	for round := 0; again && round < 4; round++ {
		again = false
		for i, w := range pg.words {
			if w.turn != 0 || utf8.RuneCountInString(w.text) > 3 {
				continue
			}
			for _, c := range pg.words {
				em := c.box[2] - c.box[0]
				if c.turn == 3 && wide(c.text) && math.Abs((c.box[0]+c.box[2])/2-(w.box[0]+w.box[2])/2) < 0.3*em && w.box[2]-w.box[0] < 1.3*em &&
					w.box[1] < c.box[3]+1.2*em && w.box[3] > c.box[1]-1.2*em {
					pg.words[i].turn, again = 3, true
					pg.words[i].text = levelForms(w.text)
					break
				}
			}
		}
	}
}

// wide says whether a text is of characters that columns are set in, each as wide as high.
func wide(s string) bool {
	for _, r := range s {
		if !unspaced(r) {
			return false
		}
	}
	return s != ""
}

// levelForms gives the common form of signs that columns have a form of their own for.
func levelForms(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0xFE10 && r <= 0xFE19 || r >= 0xFE30 && r <= 0xFE48 {
			if c, n := utf8.DecodeRuneInString(norm.NFKC.String(string(r))); n > 0 {
				return c
			}
		}
		return r
	}, s)
}
