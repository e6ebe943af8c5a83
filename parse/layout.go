package parse

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"enterprisedocbench"
)

// The geometric layer turns words with boxes into elements in reading order. Any engine that gives
// positions fills rawPage and calls layout. Boxes are points of the page as shown, origin top left.

// font is what a word is set in; size in points.
type font struct {
	name                string
	size                float64
	bold, italic, small bool // small: small capitals
}

// wordRun is one word, or a run of text without wide gaps.
type wordRun struct {
	text  string
	box   edb.Box
	font  font
	tight bool    // no blank stands before it in the engine's text
	turn  int     // quarter turns counter-clockwise from level, as shown; -1 oblique
	slope float64 // beyond the quarter turns, radians clockwise as shown; 0 where the engine does not say
	rtl   bool    // the page is read from right to left and was mirrored
}

// rawPage is a page as an engine sees it.
type rawPage struct {
	number        int
	width, height float64
	words         []wordRun
	unmapped      int       // glyphs that stand for no known character
	notes         int       // annotations of a page without words
	aside         []wordRun // words across the page's direction, put aside by level
	images        []edb.Box
	rules         []edb.Box // drawn level and upright lines, of no or little width
	grounds       []edb.Box // filled rectangles
	paths         []edb.Box // other drawings
	skew          float64   // the slope by which rules and grounds were turned level as they were read, radians clockwise
	pieces        bool      // the engine cuts words where a line climbs
}

// segment is a run of words on one line without a wide gap.
type segment struct {
	words []wordRun
	box   edb.Box
	table *grid // the segment stands for a table that was found before
}

func (s segment) text() string {
	var b strings.Builder
	for i, w := range readingOrder(s.words) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
	}
	return b.String()
}

func (s segment) font() font {
	if len(s.words) == 0 {
		return font{}
	}
	return s.words[0].font
}

// height is the segment's line height, points.
func (s segment) height() float64 { return s.box[3] - s.box[1] }

// row is the segments of one region that stand side by side.
type row struct {
	segs []segment
	box  edb.Box
}

// layout makes a document of pages: furniture is found over all pages, then each page's columns,
// tables, figures, paragraphs, headings and captions.
func layout(pages []rawPage) edb.Parsed {
	out := edb.Parsed{Paged: true}
	blank, shown := make([]bool, len(pages)), make([][2]float64, len(pages))
	for i := range pages {
		shown[i] = [2]float64{round2(pages[i].width), round2(pages[i].height)}
		blank[i] = len(pages[i].words) == 0
	}
	askew := make([]func(edb.Box) edb.Box, len(pages))
	for i := range pages {
		askew[i] = straighten(&pages[i])
	}
	body := bodySize(pages)
	hyphens := hyphenated(pages)
	rows := make([][]row, len(pages))
	artifacts := make([][]edb.Element, len(pages))
	lineNumbers(pages, artifacts)
	turned := make([]func(edb.Box) edb.Box, len(pages))
	for i := range pages {
		stacked(&pages[i])
		if w := oblique(&pages[i]); w != nil {
			artifacts[i] = append(artifacts[i], *w)
		}
		turned[i] = level(&pages[i])
		if rightToLeft(&pages[i]) {
			turned[i] = mirror(&pages[i], turned[i])
		}
		turned[i] = after(turned[i], askew[i])
		var found []segment
		for _, g := range append(charts(&pages[i]), ruled(&pages[i])...) {
			found = append(found, segment{box: g.box, table: &g})
		}
		rows[i] = rowsOf(append(found, segmentsOf(pages[i].words)...))
	}
	furniture(pages, rows, artifacts)
	for i := range pages {
		pg := &pages[i]
		p := edb.Page{Number: pg.number, Width: shown[i][0], Height: shown[i][1], NoText: blank[i]}
		els := pageElements(pg, rows[i], body, hyphens)
		p.Elements = place(artifacts[i], els)
		for j := range p.Elements {
			turnElement(&p.Elements[j], turned[i])
		}
		out.Pages = append(out.Pages, p)
	}
	byline(&out)
	levels(&out)
	joinBroken(out.Pages, hyphens)
	for i := range out.Pages {
		for j := range out.Pages[i].Elements {
			e := &out.Pages[i].Elements[j]
			id := fmt.Sprintf("p%de%d", out.Pages[i].Number, j+1)
			for k := range out.Pages[i].Elements {
				if c := &out.Pages[i].Elements[k]; c.CaptionOf != "" && c.CaptionOf == e.ID && e.ID != "" {
					c.CaptionOf = id
				}
			}
			e.ID = id
		}
	}
	return out
}

// place puts artifacts where they stand: headers before the text, the rest behind it.
func place(artifacts, els []edb.Element) []edb.Element {
	out := make([]edb.Element, 0, len(artifacts)+len(els))
	for _, a := range artifacts {
		if a.Kind == edb.KindHeader {
			out = append(out, a)
		}
	}
	out = append(out, els...)
	for _, a := range artifacts {
		if a.Kind != edb.KindHeader {
			out = append(out, a)
		}
	}
	return out
}

// bodySize is the size in which most characters of the document are set, in points.
func bodySize(pages []rawPage) float64 {
	count := map[float64]int{}
	for _, p := range pages {
		for _, w := range p.words {
			count[math.Round(w.font.size*10)/10] += utf8.RuneCountInString(w.text)
		}
	}
	best, most := 0.0, -1
	for s, n := range count {
		if n > most || n == most && s < best {
			best, most = s, n
		}
	}
	return best
}

// segmentsOf groups words into lines and cuts the lines at wide gaps.
func segmentsOf(words []wordRun) []segment {
	ws := slices.Clone(words)
	slices.SortStableFunc(ws, func(a, b wordRun) int {
		return compare(a.box[1]+a.box[3], b.box[1]+b.box[3])
	})
	type line struct {
		words    []wordRun
		top, bot float64
	}
	var lines []line
	for _, w := range ws {
		mid := (w.box[1] + w.box[3]) / 2
		at := -1
		for i := len(lines) - 1; i >= 0 && i >= len(lines)-6; i-- {
			l := &lines[i]
			overlap := min(l.bot, w.box[3]) - max(l.top, w.box[1])
			if mid > l.top && mid < l.bot && overlap > 0.5*min(l.bot-l.top, w.box[3]-w.box[1]) {
				at = i
				break
			}
		}
		if at < 0 {
			lines = append(lines, line{[]wordRun{w}, w.box[1], w.box[3]})
			continue
		}
		l := &lines[at]
		l.words = append(l.words, w)
		if w.box[3]-w.box[1] > l.bot-l.top { // the tallest word decides, so that superscripts do not pull lines together
			l.top, l.bot = w.box[1], w.box[3]
		}
	}
	var out []segment
	for _, l := range lines {
		slices.SortStableFunc(l.words, func(a, b wordRun) int { return compare(a.box[0], b.box[0]) })
		var cur segment
		for _, w := range l.words {
			if len(cur.words) > 0 {
				gap := w.box[0] - cur.box[2]
				size := max(min(w.box[3]-w.box[1], cur.height()), 4)
				if gap > 1.15*size && !(leader(w.text) && gap < 4*size) {
					out = append(out, cur)
					cur = segment{}
				} else if w.tight && gap < 0.08*size && gap > -0.5*size && joins(cur.words[len(cur.words)-1], w) {
					last := &cur.words[len(cur.words)-1]
					last.text = glue(*last, w)
					last.box = union(last.box, w.box)
					cur.box = union(cur.box, w.box)
					continue
				}
			}
			if len(cur.words) == 0 {
				cur.box = w.box
			}
			cur.words = append(cur.words, w)
			cur.box = union(cur.box, w.box)
		}
		if len(cur.words) > 0 {
			out = append(out, cur)
		}
	}
	return out
}

// joins says whether two touching runs are one word that the engine has cut (at a change of font).
func joins(a, b wordRun) bool {
	return math.Abs(a.box[3]-b.box[3]) < 0.35*(a.box[3]-a.box[1]) && a.box[2] > a.box[0] && b.box[2] > b.box[0]
}

// rowsOf groups segments that stand side by side, top to bottom.
func rowsOf(segs []segment) []row {
	ss := slices.Clone(segs)
	slices.SortStableFunc(ss, func(a, b segment) int {
		if c := compare(a.box[1]+a.box[3], b.box[1]+b.box[3]); c != 0 {
			return c
		}
		return compare(a.box[0], b.box[0])
	})
	var out []row
	for _, s := range ss {
		if n := len(out); n > 0 {
			r := &out[n-1]
			overlap := min(r.box[3], s.box[3]) - max(r.box[1], s.box[1])
			if overlap > 0.5*min(r.box[3]-r.box[1], s.height()) {
				r.segs = append(r.segs, s)
				r.box = union(r.box, s.box)
				continue
			}
		}
		out = append(out, row{[]segment{s}, s.box})
	}
	for i := range out {
		slices.SortStableFunc(out[i].segs, func(a, b segment) int { return compare(a.box[0], b.box[0]) })
	}
	return out
}

// hyphenated collects the words that hold a hyphen in mid-line: where a line ends in the first half
// of one, the hyphen belongs to the word.
func hyphenated(pages []rawPage) map[string]bool {
	out := map[string]bool{}
	for _, p := range pages {
		for _, w := range p.words {
			t := strings.ToLower(strings.Trim(w.text, ".,;:()[]\"'"))
			if i := strings.IndexByte(t, '-'); i > 0 && i < len(t)-1 {
				out[t] = true
			}
		}
	}
	return out
}

// joinLines makes running text of lines: words broken at a hyphen are joined, the hyphen kept where
// the same word stands with it in mid-line, or where what follows is no lower-case letter.
func joinLines(lines []string, hyphens map[string]bool) string {
	var b strings.Builder
	for _, l := range lines {
		l = strings.TrimSpace(l)
		if l == "" {
			continue
		}
		s := b.String()
		if s == "" {
			b.WriteString(l)
			continue
		}
		last := s[len(s)-1]
		next, _ := utf8.DecodeRuneInString(l)
		if last == '-' && len(s) > 1 && s[len(s)-2] != ' ' && s[len(s)-2] != '-' {
			left := strings.ToLower(strings.TrimLeft(s[strings.LastIndexAny(s, " \n")+1:], "(\"'["))
			right := l
			if i := strings.IndexAny(l, " ,.;:)"); i >= 0 {
				right = l[:i]
			}
			lower := next >= 'a' && next <= 'z' || next >= 'ß'
			if lower && !hyphens[left+strings.ToLower(right)] {
				joined := s[:len(s)-1]
				b.Reset()
				b.WriteString(joined)
			}
			b.WriteString(l)
			continue
		}
		if strings.HasSuffix(s, "\u00ad") {
			b.Reset()
			b.WriteString(strings.TrimSuffix(s, "\u00ad"))
			b.WriteString(l)
			continue
		}
		if end, _ := utf8.DecodeLastRuneInString(s); !(unspaced(end) && unspaced(next)) {
			b.WriteByte(' ')
		}
		b.WriteString(l)
	}
	return b.String()
}

// unspaced says whether a character is of a script that is set without blanks between words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFF65 || r >= 0xFE10 && r <= 0xFE19 || r >= 0xFE30 && r <= 0xFE4F
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func round2(x float64) float64 { return math.Round(x*100) / 100 }

func roundBox(b edb.Box) *edb.Box {
	return &edb.Box{round2(b[0]), round2(b[1]), round2(b[2]), round2(b[3])}
}
