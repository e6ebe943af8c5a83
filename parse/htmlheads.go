package parse

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"enterprisedocbench"
)

// Many pages mark no heading as one: reports that were converted from print set them in bold, larger,
// centred or in capitals, on lines of their own. Such blocks become headings here, with levels by how
// much they stand out.

// division is how the heading of a division of a document begins: the greater ones, then the lesser.
var division = regexp.MustCompile(`^(?i:(part|book|volume|chapter|title)|(item|section|article|appendix|annex|schedule))\s+(?:[IVXLC]+|\d+[A-Za-z]?|[A-Z])(?:$|[^\pL\d])`)

// decimals is how a numbered heading begins.
var decimals = regexp.MustCompile(`^(\d{1,2}(?:\.\d{1,2})*)\.?\s+\p{Lu}`)

// A heading has so many characters and words at most.
const (
	headRunes = 200
	headWords = 30
)

// headStyle is what makes a heading stand out.
type headStyle struct {
	division int     // 0 greater, 1 lesser, 2 none
	size     float64 // points
	bold     bool
	caps     bool
	centred  bool
	plain    bool // neither in italics nor underlined
	depth    int  // of a decimal number, from 1; 0 where there is none
}

// over orders styles: negative where a stands above b.
func over(a, b headStyle) int {
	yes := func(x, y bool) int {
		switch {
		case x && !y:
			return -1
		case y && !x:
			return 1
		}
		return 0
	}
	size := 0
	if math.Abs(a.size-b.size) > .04*max(a.size, b.size) {
		size = cmp.Compare(b.size, a.size)
	}
	depth := 0
	if a.depth > 0 && b.depth > 0 {
		depth = cmp.Compare(a.depth, b.depth)
	}
	return cmp.Or(cmp.Compare(a.division, b.division), size, yes(a.bold, b.bold), yes(a.caps, b.caps), yes(a.centred, b.centred), yes(a.plain, b.plain), depth)
}

// styledHeadings turns blocks that are set as headings into headings, where the markup names at most
// a title. Of the cover no line becomes one, nor of what every page repeats.
func (w *htmlWalker) styledHeadings(root *html.Node) {
	marked := 0
	for _, e := range w.out {
		if e.Kind == edb.KindHeading {
			marked++
		}
	}
	if marked > 1 {
		return
	}
	body, usual := w.running()
	entries := contents(root)
	furniture := w.furniture()
	found := make([]*headStyle, len(w.out))
	first, listed := -1, 0
	for i, m := range w.marks {
		if m != nil && first < 0 && slices.ContainsFunc(m.ids, func(id string) bool { return entries[id] != nil }) {
			first = i
		}
		if m == nil || furniture[w.out[i].Text] || w.out[i].Kind != edb.KindParagraph && m.line == "" {
			continue
		}
		text := cmp.Or(m.line, w.out[i].Text)
		in := inContents(text, m, entries)
		if in {
			listed++
		}
		if titled(text, m, in) && w.leads(i) {
			found[i] = m.style(text, body, usual, in)
		}
	}
	from := w.cover(found)
	if listed >= 4 {
		for from = first; from > 0 && found[from-1] != nil && found[from-1].division < 2; from-- {
		}
	}
	var open []headStyle
	for i := from; i < len(w.out); i++ {
		e, s := &w.out[i], found[i]
		if e.Kind == edb.KindHeading {
			open = append(open[:0], headStyle{division: -1})
			continue
		}
		if s == nil {
			continue
		}
		for len(open) > 0 && over(open[len(open)-1], *s) >= 0 {
			open = open[:len(open)-1]
		}
		open = append(open, *s)
		*e = edb.Element{ID: e.ID, Kind: edb.KindHeading, Level: min(len(open), 6), Text: cmp.Or(w.marks[i].line, e.Text)}
	}
}

// cover gives the place of the first block behind the cover: where the markup ends pages, a first page
// with four lines or more that are set as headings, and more of them than long paragraphs. It is 0 where
// there is no cover.
func (w *htmlWalker) cover(found []*headStyle) int {
	const long = 200
	heads, paragraphs := 0, 0
	for i, m := range w.marks {
		switch {
		case m != nil && m.fresh >= 0:
			if heads >= 4 && heads > paragraphs {
				return i
			}
			return 0
		case found[i] != nil:
			heads++
		case w.out[i].Kind == edb.KindParagraph && len(w.out[i].Text) > long:
			paragraphs++
		}
	}
	return 0
}

// running is the size of most running text, points, and how it is set.
func (w *htmlWalker) running() (size float64, usual htmlStyle) {
	by := map[float64]int{}
	var all, bold, italic, underline, centred int
	for i, m := range w.marks {
		if m == nil || w.out[i].Kind != edb.KindParagraph && w.out[i].Kind != edb.KindListItem {
			continue
		}
		by[math.Round(4*m.points())/4] += m.letters
		all += m.letters
		bold, italic, underline, centred = bold+m.bold, italic+m.italic, underline+m.underline, centred+m.centred
	}
	most := 0
	for s, n := range by {
		if n > most || n == most && s < size {
			size, most = s, n
		}
	}
	return size, htmlStyle{size: size, bold: 2*bold > all, italic: 2*italic > all, underline: 2*underline > all, centred: 2*centred > all}
}

// titled says whether a block reads as a heading does: short, with more letters than digits, not the
// end of a sentence, no remark in brackets, and no link alone. Of what the table of contents lists and
// of numbered divisions, a full stop is the end of the number or the title.
func titled(text string, m *htmlMark, listed bool) bool {
	if utf8.RuneCountInString(text) > headRunes || len(strings.Fields(text)) > headWords || m.letters < 2 || m.letters < m.digits ||
		m.all(m.linked) || m.label > 0 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, "§¶“\"‘'«„¿¡"))
	word, _, _ := strings.Cut(text, " ")
	if !unicode.IsUpper(first) && !unicode.IsDigit(first) && !unicode.Is(unicode.Lo, first) &&
		!(unicode.IsLetter(first) && strings.ToLower(word) != word) { // a name such as eBook
		return false
	}
	switch text[len(text)-1] {
	case ',', ';', ':':
		return false
	case '.':
		return listed || division.MatchString(text) || decimals.MatchString(text)
	}
	return true
}

// leads says whether something that is not the end of the page follows the block.
func (w *htmlWalker) leads(i int) bool {
	for _, e := range w.out[i+1:] {
		if !e.Artifact() {
			return true
		}
	}
	return false
}

// style gives the style of a block that stands out from running text of the size body, set as usual
// says, or that the table of contents lists; nil for others.
func (m *htmlMark) style(text string, body float64, usual htmlStyle, listed bool) *headStyle {
	s := headStyle{division: 2, size: m.points(), bold: m.all(m.bold), caps: m.capitals > 1 && m.lower == 0, centred: m.all(m.centred) && !usual.centred,
		plain: !m.all(m.italic) && !m.all(m.underline)}
	if d := division.FindStringSubmatch(text); d != nil {
		s.division = 0
		if d[2] != "" {
			s.division = 1
		}
	}
	if d := decimals.FindStringSubmatch(text); d != nil {
		s.depth = 1 + strings.Count(d[1], ".")
	}
	large := s.size > 1.12*body
	small := s.size < .92*body
	if large || listed || !small && (s.bold && !usual.bold || m.all(m.italic) && !usual.italic || m.all(m.underline) && !usual.underline || s.caps && s.centred) {
		return &s
	}
	return nil
}

// furniture are the texts that stand at the beginnings of three pages or more.
func (w *htmlWalker) furniture() map[string]bool {
	times := map[string]int{}
	for i, m := range w.marks {
		if m != nil && m.fresh >= 0 && m.fresh < 2 {
			times[w.out[i].Text]++
		}
	}
	out := map[string]bool{}
	for text, n := range times {
		out[text] = n >= 3
	}
	return out
}

// contents are the texts of links to later places of the page, by the name of the place; of a number
// of a page, those of its row of a table.
func contents(root *html.Node) map[string][]string {
	seen := map[string]bool{}
	out := map[string][]string{}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		for _, id := range names(n) {
			seen[id] = true
		}
		id, ok := strings.CutPrefix(attr(n, "href"), "#")
		if !ok || n.DataAtom != atom.A || id == "" || seen[id] {
			continue
		}
		t := plainWords(textOf(n, 0))
		if strings.IndexFunc(t, unicode.IsLetter) < 0 {
			for row := range n.Ancestors() {
				if row.DataAtom == atom.Tr {
					t = strings.TrimSuffix(plainWords(textOf(row, 0)), t)
					break
				}
			}
		}
		if len(t) > 2 {
			out[id] = append(out[id], t)
		}
	}
	return out
}

// names are the names by which links point to an element.
func names(n *html.Node) (out []string) {
	if id := attr(n, "id"); id != "" {
		out = append(out, id)
	}
	if id := attr(n, "name"); id != "" && n.DataAtom == atom.A {
		out = append(out, id)
	}
	return out
}

// inContents says whether a block is what a link to it says: the words of the link are half of its own or
// more.
func inContents(text string, m *htmlMark, entries map[string][]string) bool {
	if m == nil || len(m.ids) == 0 || len(entries) == 0 || utf8.RuneCountInString(text) > headRunes {
		return false
	}
	words := plainWords(text)
	for _, id := range m.ids {
		for _, t := range entries[id] {
			if strings.Contains(words, t) && 2*len(t) >= len(words) {
				return true
			}
		}
	}
	return false
}

// plainWords is text in lower-case letters and digits alone.
func plainWords(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
