package parse

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlStyle is how text is shown, as far as markup and style attributes say it; style sheets are not
// read.
type htmlStyle struct {
	size      float64 // points
	bold      bool
	italic    bool
	underline bool
	centred   bool
	caps      bool // shown in capitals, whatever the letters
	linked    bool // inside a link to a place of the page
	label     bool // inside a cell of a row with other cells that have text
}

// htmlSize is the size of text that says nothing of its size, points.
const htmlSize = 12

// fontSizes are the sizes of <font size>, 1 to 7, points.
var fontSizes = [...]float64{7.5, 10, 12, 13.5, 18, 24, 36}

// sizeWords are the names of sizes, points.
var sizeWords = map[string]float64{"xx-small": 6.75, "x-small": 7.5, "small": 9.75, "medium": 12, "large": 13.5, "x-large": 18, "xx-large": 24}

// of gives the style inside the element n of text that has the style s around it.
func (s htmlStyle) of(n *html.Node) htmlStyle {
	switch n.DataAtom {
	case atom.B, atom.Strong:
		s.bold = true
	case atom.I, atom.Em, atom.Cite, atom.Var, atom.Dfn:
		s.italic = true
	case atom.U, atom.Ins:
		s.underline = true
	case atom.Center:
		s.centred = true
	case atom.Big:
		s.size *= 1.2
	case atom.Small:
		s.size /= 1.2
	case atom.Font:
		s.size = fontSize(attr(n, "size"), s.size)
	case atom.A:
		s.linked = s.linked || strings.HasPrefix(attr(n, "href"), "#")
	case atom.Td, atom.Th:
		s.label = s.label || company(n)
	}
	switch strings.ToLower(attr(n, "align")) {
	case "center":
		s.centred = true
	case "left", "right", "justify":
		s.centred = false
	}
	for d := range strings.SplitSeq(attr(n, "style"), ";") {
		if name, v, ok := strings.Cut(d, ":"); ok {
			s.declare(strings.ToLower(strings.TrimSpace(name)), strings.ToLower(strings.TrimSpace(v)))
		}
	}
	return s
}

// declare takes in one declaration of a style attribute; what is not known changes nothing.
func (s *htmlStyle) declare(name, v string) {
	v = strings.TrimSpace(strings.TrimSuffix(v, "!important"))
	switch name {
	case "font-weight":
		if n, err := strconv.Atoi(v); err == nil {
			s.bold = n >= 600
		} else if v == "bold" || v == "bolder" || v == "normal" || v == "lighter" {
			s.bold = v == "bold" || v == "bolder"
		}
	case "font-style":
		s.italic = v == "italic" || strings.HasPrefix(v, "oblique")
	case "text-decoration", "text-decoration-line":
		s.underline = strings.Contains(v, "underline")
	case "text-align":
		s.centred = v == "center" || v == "-webkit-center"
	case "text-transform":
		s.caps = v == "uppercase"
	case "font-variant":
		s.caps = strings.Contains(v, "small-caps")
	case "font-size":
		s.size = cssSize(v, s.size)
	case "font":
		s.bold, s.italic = false, false
		for _, w := range strings.Fields(v) {
			w, _, _ = strings.Cut(w, "/") // the size may name the line height
			switch {
			case w == "bold" || w == "bolder" || w == "600" || w == "700" || w == "800" || w == "900":
				s.bold = true
			case w == "italic" || w == "oblique":
				s.italic = true
			default:
				s.size = cssSize(w, s.size)
			}
		}
	}
}

// cssSize is a font-size in points, where around is that of the text around; what cannot be read
// gives around.
func cssSize(v string, around float64) float64 {
	if p, ok := sizeWords[v]; ok {
		return p
	}
	switch v {
	case "larger":
		return around * 1.2
	case "smaller":
		return around / 1.2
	}
	for _, u := range [...]struct {
		name   string
		points float64
	}{{"rem", htmlSize}, {"em", around}, {"%", around / 100}, {"pt", 1}, {"px", .75}, {"pc", 12}, {"in", 72}, {"cm", 72 / 2.54}, {"mm", 72 / 25.4}} {
		if digits, ok := strings.CutSuffix(v, u.name); ok {
			if n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64); err == nil && n > 0 && n*u.points < 1000 {
				return n * u.points
			}
			return around
		}
	}
	return around
}

// fontSize is the size that <font size=v> sets, points: 1 to 7, or with a sign that much from 3.
func fontSize(v string, around float64) float64 {
	n, err := strconv.Atoi(strings.TrimSpace(v))
	if err != nil {
		return around
	}
	if strings.ContainsAny(v, "+-") {
		n += 3
	}
	return fontSizes[max(1, min(n, len(fontSizes)))-1]
}

// pageBreaks says whether a page of the printed document ends before or after an element.
func pageBreaks(n *html.Node) (before, after bool) {
	for d := range strings.SplitSeq(attr(n, "style"), ";") {
		name, v, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(d, " ", "")), ":")
		if v == "" || v == "auto" || strings.HasPrefix(v, "avoid") {
			continue
		}
		before = before || name == "page-break-before" || name == "break-before"
		after = after || name == "page-break-after" || name == "break-after"
	}
	return before, after
}

// company says whether a cell's row has another cell with text.
func company(cell *html.Node) bool {
	for _, side := range [...]func(*html.Node) *html.Node{
		func(n *html.Node) *html.Node { return n.PrevSibling }, func(n *html.Node) *html.Node { return n.NextSibling }} {
		for n := side(cell); n != nil; n = side(n) {
			if (n.DataAtom == atom.Td || n.DataAtom == atom.Th) && hasText(n) {
				return true
			}
		}
	}
	return false
}

func hasText(n *html.Node) bool {
	for d := range n.Descendants() {
		if d.Type == html.TextNode && strings.TrimSpace(d.Data) != "" {
			return true
		}
	}
	return false
}

// htmlMark is how the text of a block is shown, in letters, and where it stands.
type htmlMark struct {
	letters, digits                          int
	bold, italic, underline, centred, linked int
	capitals, lower                          int // letters as shown
	label                                    int
	size                                     float64  // sum over the letters
	line                                     string   // of a table that is one line of text: that line
	ids                                      []string // names by which links point here
	fresh                                    int      // blocks since a page break, 0 right after one; -1 before the first
}

// take counts text that is shown in the style s.
func (m *htmlMark) take(text string, s htmlStyle) {
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			m.digits++
			continue
		case !unicode.IsLetter(r):
			continue
		case s.caps || unicode.IsUpper(r):
			m.capitals++
		case unicode.IsLower(r):
			m.lower++
		}
		m.letters++
		m.size += s.size
		for _, c := range [...]struct {
			is bool
			n  *int
		}{{s.bold, &m.bold}, {s.italic, &m.italic}, {s.underline, &m.underline}, {s.centred, &m.centred}, {s.linked, &m.linked}, {s.label, &m.label}} {
			if c.is {
				*c.n++
			}
		}
	}
}

// below counts the text below a node whose surroundings have the style s.
func (m *htmlMark) below(n *html.Node, s htmlStyle, depth int) {
	if n.Type == html.TextNode {
		m.take(n.Data, s)
		return
	}
	if depth > maxDepth || n.Type == html.ElementNode && (unseen[n.DataAtom] || hidden(n)) {
		return
	}
	s = s.of(n)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		m.below(c, s, depth+1)
	}
}

// points is the mean size of the block's letters.
func (m *htmlMark) points() float64 { return m.size / float64(max(m.letters, 1)) }

// all says whether n of the block's letters are as good as all of them.
func (m *htmlMark) all(n int) bool { return n > 0 && 20*n >= 19*m.letters }
