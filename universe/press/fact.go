package press

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"enterprisedocbench/internal/tokens"
)

// Fact writes a fact into a text: the value is printed, and Print says where.
func Fact(field, value string) string { return "{" + field + "|" + Escape(value) + "}" }

var escaper = strings.NewReplacer(`\`, `\\`, `{`, `\{`, `}`, `\}`)

// Escape writes text so that nothing in it is taken for a fact.
func Escape(text string) string {
	if strings.ContainsAny(text, `\{}`) {
		return escaper.Replace(text)
	}
	return text
}

// mark is a fact in a text: the code points of the printed value and of what says it.
type mark struct {
	field, value   string
	start, end     int // of the value
	evStart, evEnd int
	page, elem     int // where the text stands: index of the page and of its element
}

// passage is a text as it is printed, with its facts.
type passage struct {
	text  string
	marks []mark
}

// plain says whether s is printed as it is written: it holds neither facts nor escapes, and its white
// space is single spaces inside.
func plain(s string) bool {
	space := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x7f || c < ' ' || c == '{' || c == '}' || c == '\\' || c == ' ' && space {
			return false
		}
		space = c == ' '
	}
	return !space || s == ""
}

// readText reads a written text. White space is brought to single spaces, and left out at the ends,
// unless raw. What says a fact is the whole text.
func readText(s string, raw bool) (passage, error) {
	if plain(s) {
		return passage{text: s}, nil
	}
	if !utf8.ValidString(s) {
		return passage{}, fmt.Errorf("%q is not UTF-8", s)
	}
	var (
		b       strings.Builder
		p       passage
		n       int // code points written
		space   bool
		inside  bool // a value
		started bool
		from    int // bytes
	)
	b.Grow(len(s))
	put := func(r rune) error {
		if !raw && unicode.IsSpace(r) {
			space = n > 0
			return nil
		}
		if r != '\n' && !unicode.IsPrint(r) {
			return fmt.Errorf("%q holds %U, which cannot be seen: leave it out", s, r)
		}
		if space {
			b.WriteByte(' ')
			n++
			space = false
		}
		if inside && !started {
			started, from = true, b.Len()
			p.marks[len(p.marks)-1].start = n
		}
		b.WriteRune(r)
		n++
		return nil
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\\' && i+1 < len(s) && strings.IndexByte(`\{}`, s[i+1]) >= 0:
			r, size = rune(s[i+1]), 2
		case r == '{' && inside:
			return passage{}, fmt.Errorf("%q has a fact inside of a fact: write \\{ for a brace", s)
		case r == '{':
			bar := strings.IndexAny(s[i:], "|}")
			if bar < 2 || s[i+bar] == '}' {
				return passage{}, fmt.Errorf("%q holds a brace that begins no {field|value}: write \\{ for a brace", s)
			}
			p.marks = append(p.marks, mark{field: s[i+1 : i+bar]})
			inside, started = true, false
			i += bar + 1
			continue
		case r == '}' && !inside:
			return passage{}, fmt.Errorf("%q holds a brace that ends nothing: write \\} for a brace", s)
		case r == '}':
			m := &p.marks[len(p.marks)-1]
			if !started {
				return passage{}, fmt.Errorf("the fact %s has no value in %q", m.field, s)
			}
			m.value, m.end = b.String()[from:], n
			inside = false
			i += size
			continue
		}
		if err := put(r); err != nil {
			return passage{}, err
		}
		i += size
	}
	if inside {
		return passage{}, fmt.Errorf("the fact %s has no closing brace in %q", p.marks[len(p.marks)-1].field, s)
	}
	p.text = b.String()
	for i := range p.marks {
		p.marks[i].evEnd = n
	}
	return p, nil
}

// bySentence makes the sentences of the text what says its facts: those that hold the value.
func (p passage) bySentence() passage {
	if len(p.marks) > 0 {
		p.by(tokens.Sentences(p.text))
	}
	return p
}

// byLine is bySentence for the lines of code.
func (p passage) byLine() passage {
	if len(p.marks) == 0 {
		return p
	}
	var lines []tokens.Token
	at := 0
	for line := range strings.SplitSeq(p.text, "\n") {
		n := utf8.RuneCountInString(line)
		lead := n - utf8.RuneCountInString(strings.TrimLeft(line, " "))
		lines = append(lines, tokens.Token{Start: at + lead, End: at + n})
		at += n + 1
	}
	p.by(lines)
	return p
}

func (p passage) by(units []tokens.Token) {
	for i := range p.marks {
		m := &p.marks[i]
		first := true
		for _, u := range units {
			if u.End <= m.start || u.Start >= m.end {
				continue
			}
			if first {
				m.evStart, first = u.Start, false
			}
			m.evEnd = u.End
		}
		m.evStart, m.evEnd = min(m.evStart, m.start), max(m.evEnd, m.end)
	}
}

// statements joins texts by one space; each is what says its own facts.
func statements(texts ...string) (passage, error) {
	var out passage
	n := 0
	for i, s := range texts {
		p, err := readText(s, false)
		if err != nil {
			return passage{}, err
		}
		if i > 0 {
			out.text += " "
			n++
		}
		out.text += p.text
		out.marks = append(out.marks, shifted(p.marks, n)...)
		n += utf8.RuneCountInString(p.text)
	}
	return out, nil
}

// shifted moves marks by n code points, in place.
func shifted(marks []mark, n int) []mark {
	for i := range marks {
		m := &marks[i]
		m.start, m.end, m.evStart, m.evEnd = m.start+n, m.end+n, m.evStart+n, m.evEnd+n
	}
	return marks
}

var errEmpty = errors.New("it has no text: leave it out")
