package universe

import (
	"fmt"
	"strings"
	"unicode"

	edb "enterprisedocbench"

	"golang.org/x/text/unicode/norm"
)

// ask is a proposed question: its truth from the world and a second way to it through what the
// documents print. probe questions have neither.
type ask struct {
	text, task, level, domain string
	answer                    edb.GoldAnswer
	again                     func(*reading) any
	sql                       string // the same over truth.sqlite: one row, one column
	subtype                   string
	probe                     *edb.Probe
	absent                    []string // must not stand in the probed document, or in any where probe.Doc is empty
	present                   []string // must stand in some document: what a near miss resembles
}

func textAnswer(v string, aliases ...string) edb.GoldAnswer {
	return edb.GoldAnswer{Type: "text", Value: v, Aliases: aliases, Facts: []string{v}}
}

// money is whole dollars. Its fact is the number as running text and tables both print it.
func money(n int) edb.GoldAnswer {
	return edb.GoldAnswer{Type: "number", Value: float64(n), Unit: "USD", Aliases: []string{dollars(n), thousands(n)}, Facts: []string{thousands(n)}}
}

// count is a number with its printed form and unit.
func count(v float64, printed, unit string) edb.GoldAnswer {
	return edb.GoldAnswer{Type: "number", Value: v, Unit: unit, Aliases: []string{printed}, Facts: []string{printed}}
}

func dateAnswer(d Date) edb.GoldAnswer {
	return edb.GoldAnswer{Type: "date", Value: d.ISO(), Aliases: []string{d.String()}, Facts: []string{d.String()}}
}

func boolean(b bool) edb.GoldAnswer {
	s := "no"
	if b {
		s = "yes"
	}
	return edb.GoldAnswer{Type: "boolean", Value: b, Aliases: []string{s}, Facts: []string{s}}
}

// plainLetters are letters with strokes and joined letters, which Unicode does not take apart.
var plainLetters = map[rune]string{'ø': "o", 'ł': "l", 'đ': "d", 'ħ': "h", 'ŧ': "t", 'ı': "i", 'ß': "ss", 'æ': "ae", 'œ': "oe", 'þ': "th", 'ð': "d"}

// fold makes text comparable: case, accents, punctuation, white space and line breaks left out of
// account, words parted by one space and space at both ends.
func fold(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte(' ')
	gap := true
	for _, c := range norm.NFKD.String(s) {
		switch {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			b.WriteByte(byte(c))
			gap = false
		case 'A' <= c && c <= 'Z':
			b.WriteByte(byte(c) + 'a' - 'A')
			gap = false
		case c < unicode.MaxASCII:
			if !gap {
				b.WriteByte(' ')
				gap = true
			}
		case unicode.Is(unicode.Mn, c) || c == '\u00ad': // accents, hyphens that are not shown
		case unicode.IsLetter(c) || unicode.IsDigit(c):
			c = unicode.ToLower(c)
			if p, ok := plainLetters[c]; ok {
				b.WriteString(p)
			} else {
				b.WriteRune(c)
			}
			gap = false
		case !gap:
			b.WriteByte(' ')
			gap = true
		}
	}
	if !gap {
		b.WriteByte(' ')
	}
	return b.String()
}

// givenAway reports whether the answer stands in the question.
func (a ask) givenAway() bool {
	if a.answer.Type == "boolean" {
		return false
	}
	q := fold(a.text)
	for _, s := range append([]string{fmt.Sprint(a.answer.Value)}, a.answer.Aliases...) {
		if f := fold(s); f != " " && strings.Contains(q, f) {
			return true
		}
	}
	return false
}

// corpus is the folded text of all documents, artifacts included, for proofs of absence.
type corpus struct {
	ids  []string
	text []string
}

func newCorpus(docs []Document) corpus {
	var c corpus
	for _, d := range docs {
		var b strings.Builder
		b.WriteString(d.Title)
		for _, e := range d.Gold.Elements {
			b.WriteByte('\n')
			b.WriteString(e.Text)
		}
		c.ids, c.text = append(c.ids, d.ID), append(c.text, fold(b.String()))
	}
	return c
}

// in reports whether phrase stands in a document; doc "" means in any.
func (c corpus) in(doc, phrase string) bool {
	f := fold(phrase)
	for i, id := range c.ids {
		if (doc == "" || doc == id) && strings.Contains(c.text[i], f) {
			return true
		}
	}
	return false
}

// question proves the proposal and makes it a question.
func (a ask) question(id, modality string, arc *archive, c corpus) (edb.Question, error) {
	q := edb.Question{ID: id, Text: a.text, Modality: modality, Subtype: a.subtype, Task: a.task, Level: a.level, Domain: a.domain, Lang: "en"}
	fail := func(format string, args ...any) (edb.Question, error) {
		return q, fmt.Errorf("question %s (%s): %s", id, a.text, fmt.Sprintf(format, args...))
	}
	if modality == edb.ModalityUnanswerable {
		q.Probe = a.probe
		if a.probe == nil || len(a.absent) == 0 {
			return fail("names nothing that is absent")
		}
		if a.probe.Entity != "" && c.in("", a.probe.Entity) {
			return fail("probe %q stands in a document", a.probe.Entity)
		}
		for _, p := range a.absent {
			if c.in(a.probe.Doc, p) {
				return fail("%q is meant to be absent, but stands in document %q", p, a.probe.Doc)
			}
		}
		for _, p := range a.present {
			if !c.in("", p) {
				return fail("%q is meant to be present, but stands in no document", p)
			}
		}
		return q, nil
	}
	r := &reading{a: arc}
	printed := a.again(r)
	if r.err != nil {
		return fail("%v", r.err)
	}
	if fmt.Sprint(printed) != fmt.Sprint(a.answer.Value) {
		return fail("the truth is %v, but the documents say %v", a.answer.Value, printed)
	}
	if len(r.evidence) == 0 {
		return fail("rests on no evidence")
	}
	answer := a.answer
	q.Answer, q.Evidence = &answer, r.evidence
	return q, nil
}
