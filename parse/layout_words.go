package parse

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"enterprisedocbench"
)

// joinBroken puts together words that a column or page breaks: where a paragraph ends in the first
// half of a word and the next one begins with the second, that half goes over to the first paragraph,
// whose page and box stay; lines stay as they are printed. Between the two may stand what interrupts
// running text: figures, tables, captions, notes and furniture. Hyphens are kept as at the end of a line.
func joinBroken(pages []edb.Page, hyphens map[string]bool) {
	var last *edb.Element
	for i := range pages {
		for j := 0; j < len(pages[i].Elements); j++ {
			e := &pages[i].Elements[j]
			switch {
			case e.Artifact() || e.Kind == edb.KindFigure || e.Kind == edb.KindTable || e.Kind == edb.KindCaption || e.Kind == edb.KindFootnote:
				continue
			case e.Kind != edb.KindParagraph && e.Kind != edb.KindListItem:
				last = nil
				continue
			}
			if last != nil && e.Kind == edb.KindParagraph && broken(last.Text) {
				if r, _ := utf8.DecodeRuneInString(e.Text); unicode.IsLower(r) {
					half, rest, _ := strings.Cut(e.Text, " ")
					if rest != "" { // a paragraph of nothing else stays
						last.Text = joinLines([]string{last.Text, half}, hyphens)
						e.Text = rest
					}
				}
			}
			last = e
		}
	}
}

// broken says whether a text ends within a word.
func broken(s string) bool {
	if t, ok := strings.CutSuffix(s, "\u00ad"); ok {
		return t != ""
	}
	t, ok := strings.CutSuffix(s, "-")
	r, _ := utf8.DecodeLastRuneInString(t)
	return ok && unicode.IsLetter(r)
}
