package parse

import (
	"slices"
	"unicode"
)

// PDFium gives text that runs from right to left in reading order, character by character. Three things
// it leaves to be mended: the letters of a ligature, which it turns round with the rest; marks over
// letters that were drawn before their letter, which it takes for words; and the blank behind a word of
// the other direction, which stands on its other side.

// rightward is what direction a character runs in: 1 to the right, -1 to the left, 0 neither.
func rightward(r rune) int {
	if r < 0x590 {
		if unicode.IsLetter(r) {
			return 1
		}
		return 0
	}
	return wordDirection(string(r))
}

// mendRTL puts the letters of ligatures in order and marks behind their letters, if the text holds
// letters that run from right to left.
func (p *pageReader) mendRTL(text []glyph) []glyph {
	if !slices.ContainsFunc(text, func(g glyph) bool { return rightward(g.r) < 0 }) {
		return text
	}
	out := text[:0:0]
	for i := 0; i < len(text); i++ {
		g := text[i]
		if blank(g.r) && i+2 < len(text) && unicode.Is(unicode.Mn, text[i+1].r) && rightward(text[i+2].r) < 0 && p.over(g, text[i+1], text[i+2]) {
			out = append(out, text[i+2], text[i+1])
			i += 2
			continue
		}
		if n := p.ligature(text[i:]); n > 1 {
			part := slices.Clone(text[i : i+n])
			if first, last := part[0].r, part[n-1].r; !(n == 2 && first == 'ل' && alef(last)) { // stated in order
				slices.Reverse(part)
			}
			out = append(out, part...)
			i += n - 1
			continue
		}
		out = append(out, g)
	}
	return out
}

func alef(r rune) bool { return r == 'ا' || r == 'أ' || r == 'إ' || r == 'آ' || r == 'ٱ' }

// ligature is how many characters from the first on one glyph stands for: they share its place.
func (p *pageReader) ligature(g []glyph) int {
	n := 1
	for n < len(g) && rightward(g[n-1].r) < 0 && rightward(g[n].r) < 0 {
		a, okA := p.box(g[n-1].index)
		b, okB := p.box(g[n].index)
		if !okA || !okB || a != b || a[2] <= a[0] || a[3] <= a[1] {
			break
		}
		n++
	}
	return n
}

// over says whether a mark behind a gap of no width stands over the letter that follows it.
func (p *pageReader) over(gap, mark, letter glyph) bool {
	g, okG := p.box(gap.index)
	m, okM := p.box(mark.index)
	l, okL := p.box(letter.index)
	mid := (m[0] + m[2]) / 2
	return okG && okM && okL && g[2]-g[0] < 0.1 && mid > l[0] && mid < l[2] && m[1] < l[3] && m[3] > l[1]
}
