package parse

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"enterprisedocbench"
)

// change is what a noise makes of a place in a text: the length of what is exchanged, in code points
// (0 is nothing), and what comes instead.
type change struct {
	n  int
	to string
}

// eachText gives every text of a page's elements to rewrite, which says what becomes of the code
// points from i on; tables are changed cell by cell, in markup and text alike.
func (n *noise) eachText(pg *edb.Page, tables bool, rewrite func(r []rune, i int) change) {
	for j := range pg.Elements {
		e := &pg.Elements[j]
		switch {
		case e.Artifact() || e.Text == "":
		case e.Kind == edb.KindTable:
			t, ok := tableToBreak(*e)
			if !ok || !tables {
				continue
			}
			at, changed := 0, false
			for r, row := range t.rows {
				for c := range row {
					was := row[c].text
					row[c].text = n.rewrite(j, *e, at, Edit{Row: r + 1, Cell: c + 1}, was, rewrite)
					changed = changed || row[c].text != was
					at += utf8.RuneCountInString(was) + 1
				}
			}
			if changed {
				e.Text, e.HTML, e.Lines = t.text(), t.html(), nil
			}
		default:
			if text := n.rewrite(j, *e, 0, Edit{}, e.Text, rewrite); text != e.Text {
				e.Text, e.Lines, e.HTML = text, nil, ""
			}
		}
	}
}

// rewrite changes one text that begins at a place of its element's.
func (n *noise) rewrite(j int, e edb.Element, at int, where Edit, text string, f func(r []rune, i int) change) string {
	r := []rune(text)
	var b strings.Builder
	for i := 0; i < len(r); {
		c := f(r, i)
		if c.n == 0 {
			b.WriteRune(r[i])
			i++
			continue
		}
		where.Op, where.At, where.From, where.To = EditReplace, at+i, string(r[i:i+c.n]), c.to
		n.note(j, e, where)
		b.WriteString(c.to)
		i += c.n
	}
	return b.String()
}

// alike gives for each ASCII letter and digit one that prints much like it, and for some pairs the one
// letter that they run together to.
var (
	alike     = map[rune]rune{}
	alikePair = map[[2]rune]string{{'r', 'n'}: "m", {'c', 'l'}: "d", {'v', 'v'}: "w", {'l', 'i'}: "h"}
)

func init() {
	for _, pair := range strings.Fields("lI Il 1l 0O O0 oc ce ec il jl S5 5S sz zs B8 8B ao un nu hb bh tf ft gq qg Z2 2Z 6b 38 83 9g rn mn 4A 7T " +
		"AR CG DO EF FE GC HN JI KX LI MN NM PF QO RA TY UV VU WV XK YV dc kx pq vy wv xk yv") {
		r := []rune(pair)
		alike[r[0]] = r[1]
	}
}

// ocr exchanges characters.
func (n *noise) ocr(pg *edb.Page) {
	n.eachText(pg, true, func(r []rune, i int) change {
		to, ok := alike[r[i]]
		if !ok || !n.hit() {
			return change{}
		}
		if i+1 < len(r) {
			if both := alikePair[[2]rune{r[i], r[i+1]}]; both != "" {
				n.rand.Float64() // the draw of the letter that is gone, so that further ones stay the same
				return change{2, both}
			}
		}
		return change{1, string(to)}
	})
}

// mojibake reads the UTF-8 of characters beyond ASCII as Windows-1252.
func (n *noise) mojibake(pg *edb.Page) {
	n.eachText(pg, true, func(r []rune, i int) change {
		if r[i] < 0x80 || unicode.IsSpace(r[i]) || r[i] == '\u00ad' || !n.hit() {
			return change{}
		}
		wrong, err := charmap.Windows1252.NewDecoder().String(string(r[i]))
		if err != nil {
			return change{}
		}
		return change{1, wrong}
	})
}

// unmap loses characters of a page's fonts.
func (n *noise) unmap(pg *edb.Page) {
	lost := map[rune]bool{}
	n.eachText(pg, true, func(r []rune, i int) change {
		c := r[i]
		if unicode.IsSpace(c) || c == '\u00ad' || c == utf8.RuneError {
			return change{}
		}
		gone, seen := lost[c]
		if !seen {
			gone = n.hit()
			lost[c] = gone
		}
		if !gone {
			return change{}
		}
		return change{1, string(utf8.RuneError)}
	})
}

// presentation are the ligatures that Unicode has as characters, the longest first.
var presentation = []struct{ letters, one string }{{"ffi", "ﬃ"}, {"ffl", "ﬄ"}, {"ff", "ﬀ"}, {"fi", "ﬁ"}, {"fl", "ﬂ"}}

// ligatures sets letters as one character.
func (n *noise) ligatures(pg *edb.Page) {
	n.eachText(pg, true, func(r []rune, i int) change {
		if r[i] != 'f' {
			return change{}
		}
		for _, p := range presentation {
			if !strings.HasPrefix(string(r[i:min(len(r), i+3)]), p.letters) {
				continue
			}
			if !n.hit() {
				return change{}
			}
			if len(p.letters) == 3 {
				n.rand.Float64() // the draw of the second f, which is gone
			}
			return change{len(p.letters), p.one}
		}
		return change{}
	})
}

// hyphenate leaves words of running text broken in the middle.
func (n *noise) hyphenate(pg *edb.Page) {
	n.eachText(pg, false, func(r []rune, i int) change {
		if i > 0 && !unicode.IsSpace(r[i-1]) {
			return change{}
		}
		end := i
		for end < len(r) && unicode.IsLetter(r[end]) {
			end++
		}
		if end-i < 6 || end < len(r) && !unicode.IsSpace(r[end]) || !n.hit() {
			return change{}
		}
		at := (i + end) / 2
		return change{end - i, string(r[i:at]) + "- " + string(r[at:end])}
	})
}

// dropLines loses lines, or sentences where an element's lines are not marked, of all but headings and
// tables, each with the break behind it (the last with the one before).
func (n *noise) dropLines(pg *edb.Page) {
	kept := pg.Elements[:0:0]
	for j, e := range pg.Elements {
		if e.Artifact() || e.Text == "" || e.Kind == edb.KindHeading || e.Kind == edb.KindTable {
			kept = append(kept, e)
			continue
		}
		sep := "\n"
		if !strings.Contains(e.Text, sep) {
			sep = ". "
		}
		parts := strings.SplitAfter(e.Text, sep)
		if parts[len(parts)-1] == "" {
			parts = parts[:len(parts)-1]
		}
		lost := make([]bool, len(parts))
		last := -1 // the last part that stays
		for k := range parts {
			if lost[k] = n.hit(); !lost[k] {
				last = k
			}
		}
		if last < 0 {
			n.note(j, e, Edit{Op: EditLose, From: e.Text})
			continue
		}
		if text := n.without(j, e, parts, lost, last); text != e.Text {
			e.Text, e.Lines, e.HTML = text, nil, ""
		}
		kept = append(kept, e)
	}
	pg.Elements = kept
}

// without is the text of the parts that stay. Behind the last of them its break goes too.
func (n *noise) without(j int, e edb.Element, parts []string, lost []bool, last int) string {
	var b strings.Builder
	at := 0
	for k, s := range parts {
		size := utf8.RuneCountInString(s)
		switch {
		case k == last && k < len(parts)-1:
			cut := strings.TrimRight(s, " \n")
			rest := s[len(cut):] + strings.Join(parts[k+1:], "")
			b.WriteString(cut)
			n.note(j, e, Edit{Op: EditReplace, At: at + utf8.RuneCountInString(cut), From: rest})
			return b.String()
		case lost[k]:
			n.note(j, e, Edit{Op: EditReplace, At: at, From: s})
		default:
			b.WriteString(s)
		}
		at += size
	}
	return b.String()
}
