package parse

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"enterprisedocbench"
)

// Headings of a page: text that is larger than the body or bold, and numbered or centred lines in
// capitals, small capitals or italics.

var (
	boldNames   = regexp.MustCompile(`(?i)bold|black|heavy|demi|-medi(?:ital)?$|^(?:cm|sf|ec|tc|la)(?:ss)?(?:bx|b)(?:ti|sl|o|csc)?\d`)
	italicNames = regexp.MustCompile(`(?i)ital|obliq|slant|^(?:cm|sf|ec)(?:ss|bx)?(?:ti|sl|i)\d`)
	smallCaps   = regexp.MustCompile(`(?i)small-?cap|caps\d*|^(?:cm|sf|ec)[a-z]*csc?\d|csc\d|-sc\b`)
)

// face is the name of a font without the mark of a subset ("ABCDEF+Name").
func face(name string) string {
	if len(name) > 7 && name[6] == '+' {
		return name[7:]
	}
	return name
}

// fontOf gives a font with what its name says of it.
func fontOf(name string, size float64) font {
	n := face(name)
	return font{name: name, size: size, bold: boldNames.MatchString(n), italic: italicNames.MatchString(n), small: smallCaps.MatchString(n)}
}

// italic says whether a line is set in italics, numbers and signs aside.
func italic(s segment) bool {
	return everyWord(s, func(w wordRun) bool { return w.font.italic })
}

// capitals says whether a line is set in capitals or small capitals, of four letters or more.
func capitals(s segment) bool {
	n := 0
	for _, w := range s.words {
		for _, r := range w.text {
			if unicode.IsLetter(r) {
				n++
			}
		}
	}
	return n >= 4 && everyWord(s, func(w wordRun) bool { return strings.ToUpper(w.text) == w.text || w.font.small })
}

// everyWord says whether a line has words with letters, beside a number in front, and all of them are such.
func everyWord(s segment, such func(wordRun) bool) bool {
	n := 0
	for i, w := range s.words {
		if i == 0 && len(s.words) > 1 && strings.ContainsAny(w.text, ".0123456789") || strings.IndexFunc(w.text, unicode.IsLetter) < 0 {
			continue
		}
		if !such(w) {
			return false
		}
		n++
	}
	return n > 0
}

// emphasis is how a line stands out from running text of the same size: "bold", "italic", "capitals", or
// "" where it does not.
func emphasis(s segment) string {
	switch {
	case allBold(s):
		return "bold"
	case capitals(s):
		return "capitals"
	case italic(s):
		return "italic"
	}
	return ""
}

// numberedHead says whether a line begins a heading that is numbered and set apart.
func numberedHead(s segment) bool { return emphasis(s) != "" && numbered.MatchString(s.text()) }

// plainHeading says whether lines that are neither larger than the body nor bold are a heading: all
// in capitals or all in italics, and numbered; or in capitals and centred between left and right.
func plainHeading(lines []segment, left, right float64) bool {
	how := emphasis(lines[0])
	if how != "capitals" && how != "italic" {
		return false
	}
	for _, l := range lines {
		if emphasis(l) != how {
			return false
		}
	}
	return numbered.MatchString(lines[0].text()) || how == "capitals" && centred(lines, left, right)
}

// centred says whether lines stand in the middle between left and right, and short of both.
func centred(lines []segment, left, right float64) bool {
	for _, l := range lines {
		a, b := l.box[0]-left, right-l.box[2]
		if min(a, b) < 2*l.height() || max(a, b)-min(a, b) > l.height() {
			return false
		}
	}
	return true
}

var (
	dated    = regexp.MustCompile(`^(?:\d{1,2}(?:st|nd|rd|th)?\.?\s+\p{L}{3,},?|\p{Lu}\p{L}{2,}\.?\s+\d{1,2}(?:st|nd|rd|th)?,)\s+\d{4}$`)
	marks    = regexp.MustCompile(`^[\d,;∗*†‡§¶♯#()]+$`)
	nameWord = regexp.MustCompile(`^(?:\p{Lu}[\p{L}'’.-]*|d[aeiou]s?|la|le|v[ao]n|den?|der|ter|el|al|bin|and|und|et|y|&)[\d,;∗*†‡§¶]*$`)
)

// people says whether a line is a date, or names of people with "and", commas, initials or marks
// of footnotes.
func people(text string) bool {
	if dated.MatchString(text) {
		return true
	}
	words := strings.Fields(text)
	names, signs := 0, 0
	for i, w := range words {
		switch {
		case marks.MatchString(w):
			if i == 0 {
				return false
			}
			signs++
		case !nameWord.MatchString(w):
			return false
		default:
			if unicode.IsUpper([]rune(w)[0]) {
				names++
			}
			last, _ := utf8.DecodeLastRuneInString(w)
			if w == "and" || strings.ContainsRune(",;∗*†‡§¶", last) || unicode.IsDigit(last) || last == '.' && utf8.RuneCountInString(w) == 2 {
				signs++
			}
		}
	}
	return names > 1 && signs > 0
}

// byline turns what stands between the title of a document, its largest heading, and its first long
// paragraph from headings into paragraphs where it is names and dates.
func byline(p *edb.Parsed) {
	if len(p.Pages) == 0 {
		return
	}
	els := p.Pages[0].Elements
	title, largest := -1, 0
	for i, pg := range p.Pages {
		for j, e := range pg.Elements {
			if e.Kind == edb.KindHeading && e.Level < largest { // levels are sizes below 0 here
				title, largest = -1, e.Level
				if i == 0 {
					title = j
				}
			}
		}
	}
	if title < 0 {
		return
	}
	for i := title + 1; i < len(els); i++ {
		switch e := &els[i]; {
		case e.Kind == edb.KindParagraph && utf8.RuneCountInString(e.Text) > 400:
			return
		case e.Kind == edb.KindHeading && people(e.Text):
			e.Kind, e.Level = edb.KindParagraph, 0
		}
	}
}

// headingSizes are the sizes of the headings, points.
func headingSizes(p edb.Parsed) []float64 {
	var out []float64
	for _, e := range p.Elements {
		if s := float64(-e.Level) / 10; e.Kind == edb.KindHeading && e.Level < 0 && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
