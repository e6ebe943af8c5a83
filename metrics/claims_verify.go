package metrics

import (
	"slices"
	"strings"
	"unicode"

	"enterprisedocbench"
	"enterprisedocbench/internal/tokens"
	"enterprisedocbench/internal/vec"
)

// Shares at which the lexical verifier decides. They are part of its definition: changing one needs
// a new version of the measures it feeds.
const (
	supportWords    = 0.8 // of a claim's words in the passage, for support
	supportSentence = 0.5 // of them in the one sentence or row that also holds all its slots
	alignWords      = 0.6 // of a claim's predicate anchors in a sentence, for a contradiction
	fragmentWords   = 0.5 // of the question's words in the passage, where the claim is only a value
	bareWords       = 0.3 // of them in the sentence, where it is only a number or date
	fuzzyDistance   = 3   // edit distances below it are the same text
	fuzzyLength     = 20  // code points from which a text may be matched with edits
)

// passage is a text prepared for verification.
type passage struct {
	text  string
	flat  string // normalised and case-folded
	runes []rune // of flat
	all   map[string]bool
	parts []part // sentences, rows with their header, and neighbouring pairs
}

type part struct {
	text string
	slots
}

func newPassage(text string) *passage {
	p := &passage{text: text, flat: fold(text), all: map[string]bool{}}
	p.runes = []rune(p.flat)
	add := func(s string) {
		p.parts = append(p.parts, part{s, slotsOf(s)})
	}
	header, inTable := "", false
	for line := range strings.SplitSeq(text, "\n") {
		if strings.Contains(line, "\t") {
			if !inTable {
				header, inTable = line, true
				add(line)
				continue
			}
			add(header + "\t" + line)
			continue
		}
		inTable = false
		r := []rune(line)
		last := -1
		for _, s := range tokens.Sentences(line) {
			add(string(r[s.Start:s.End]))
			here := len(p.parts) - 1
			if last >= 0 {
				a, b := p.parts[last], p.parts[here]
				p.parts = append(p.parts, part{a.text + " " + b.text, both(a.slots, b.slots)})
			}
			last = here
		}
	}
	for _, x := range p.parts {
		for k := range x.all {
			p.all[k] = true
		}
	}
	return p
}

func fold(s string) string {
	return strings.ToLower(tokens.Normalize(citeMark.ReplaceAllString(s, "")))
}

// exactly reports whether the claim stands in the passage after normalisation, at word boundaries.
func (p *passage) exactly(claim string) bool {
	c := strings.TrimRight(strings.Trim(fold(claim), " \"“”'"), ".,;:!")
	if c == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(p.flat[from:], c)
		if i < 0 {
			return false
		}
		i += from
		if boundary(p.flat, i) && boundary(p.flat, i+len(c)) {
			return true
		}
		from = i + 1
		for from < len(p.flat) && p.flat[from]&0xC0 == 0x80 {
			from++
		}
		if from >= len(p.flat) {
			return false
		}
	}
}

// boundary reports whether byte i of s lies between two words. A point or comma between digits
// belongs to a number: "1" does not stand in "1.5".
func boundary(s string, i int) bool {
	if i == 0 || i == len(s) {
		return true
	}
	before, after := []rune(s[max(0, i-8):i]), []rune(s[i:min(len(s), i+8)])
	b, a := before[len(before)-1], after[0]
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	if unicode.In(b, unicode.Han, unicode.Hiragana, unicode.Katakana) || unicode.In(a, unicode.Han, unicode.Hiragana, unicode.Katakana) {
		return true
	}
	if word(b) && word(a) {
		return false
	}
	if unicode.IsDigit(b) && (a == '.' || a == ',') && len(after) > 1 && unicode.IsDigit(after[1]) {
		return false
	}
	if (b == '.' || b == ',') && unicode.IsDigit(a) && len(before) > 1 && unicode.IsDigit(before[len(before)-2]) {
		return false
	}
	return true
}

// nearly reports whether a window of the claim's length is less than three edits away, with the
// same digits in the same order. Only windows at word starts are tried.
func (p *passage) nearly(claim string) bool {
	c := []rune(strings.TrimRight(fold(claim), ".,;:!"))
	if len(c) < fuzzyLength || len(c) > len(p.runes) {
		return false
	}
	want := digits(c)
	for i := 0; i+len(c) <= len(p.runes); i++ {
		if i > 0 && p.runes[i-1] != ' ' {
			continue
		}
		w := p.runes[i : i+len(c)]
		if digits(w) != want || !alike(c, w) {
			continue
		}
		end := i + len(c)
		if end < len(p.runes) && unicode.IsDigit(p.runes[end]) && unicode.IsDigit(p.runes[end-1]) {
			continue // the window cuts a number
		}
		if denied(c) != denied(w) {
			continue
		}
		if vec.LevenshteinRunes(c, w) < fuzzyDistance {
			return true
		}
	}
	return false
}

// alike throws out most windows for the price of counting letters: two edits change at most four counts.
func alike(a, b []rune) bool {
	var n [64]int
	for _, r := range a {
		n[r&63]++
	}
	for _, r := range b {
		n[r&63]--
	}
	d := 0
	for _, x := range n {
		d += max(x, -x)
	}
	return d <= 2*(fuzzyDistance-1)
}

func denied(r []rune) bool { return slotsOf(string(r)).denies }

func digits(r []rune) string {
	var b strings.Builder
	for _, x := range r {
		if unicode.IsDigit(x) {
			b.WriteRune(x)
		}
	}
	return b.String()
}

// statement is a claim ready to be held against passages. A claim that is only a value ("$27,000",
// "Yes") says it of what the question asks, so the question's words are its anchors.
type statement struct {
	text     string
	fragment bool // only a value
	boolean  bool // only yes or no
	slots
	sentences []statement // where there are several
}

func newStatement(question, claim string) statement {
	s := oneStatement(question, claim)
	if ss := tokens.Sentences(claim); len(ss) > 1 {
		r := []rune(claim)
		for _, x := range ss {
			s.sentences = append(s.sentences, oneStatement(question, string(r[x.Start:x.End])))
		}
	}
	return s
}

func oneStatement(question, claim string) statement {
	s := statement{text: claim, slots: slotsOf(claim)}
	q := slotsOf(question)
	words := len(s.anchors) + len(s.entities)
	boolean := booleanLead.MatchString(claim) && yesNoQuestion.MatchString(question)
	switch {
	case boolean && words <= 2:
		denies := s.denies || falseLead.MatchString(claim)
		s.slots, s.boolean = q, true
		s.denies = q.denies != denies
	case boolean:
		// "Yes: the sentence" and "No: the sentence" stand for the sentence
		_, rest, _ := strings.Cut(claim, booleanLead.FindString(claim))
		if t := strings.TrimLeft(rest, " ,:.;-–—"); t != "" {
			s.text = t
			s.slots = slotsOf(t)
		}
	case !finite.MatchString(claim) && len(s.anchors) <= 2:
		s.fragment = true
		s.entities = append(slices.Clone(s.entities), s.anchors...)
		s.anchors = slices.Clone(q.anchors)
	}
	return s
}

// supports applies the lexical rule: exact after normalisation; else fewer than three edits on a
// window of the same length, never across digits; else all numbers and dates, and half of the
// words, stand in one sentence or table row of the same polarity while the passage holds all names
// and eight tenths of the words.
func (p *passage) supports(c statement) (string, bool) {
	if !c.boolean && (p.exactly(c.text) || p.nearly(c.text)) {
		return p.where(c), true
	}
	words := append(slices.Clone(c.anchors), c.entities...)
	if !within(c.entities, p.all) {
		return "", false
	}
	least := supportWords
	if c.fragment {
		words, least = c.anchors, fragmentWords
	}
	if found(words, p.all) < least {
		return "", false
	}
	best, at := -1.0, -1
	for i, x := range p.parts {
		if x.denies != c.denies || !subset(c.numbers, x.numbers) || !subset(c.dates, x.dates) {
			continue
		}
		least := supportSentence
		if c.fragment {
			if !within(c.entities, x.all) {
				continue
			}
			if least = 0; len(c.entities) == 0 {
				least = bareWords
			}
		}
		if s := found(words, x.all); s >= least && s > best {
			best, at = s, i
		}
	}
	if at < 0 {
		return "", false
	}
	return p.parts[at].text, true
}

// where is the part that shares the most words with a claim.
func (p *passage) where(c statement) string {
	best, text := -1.0, p.text
	for _, x := range p.parts {
		if s := found(append(slices.Clone(c.anchors), c.entities...), x.all); s > best {
			best, text = s, x.text
		}
	}
	return text
}

// contradicts reports whether some sentence or row aligns with the claim's predicate anchors and
// differs in exactly one slot, which it names.
func (p *passage) contradicts(c statement) (against, slot string, ok bool) {
	if len(c.anchors) == 0 {
		return "", "", false
	}
	best := -1.0
	for _, x := range p.parts {
		aligned := found(c.anchors, x.all)
		if aligned < alignWords || aligned <= best {
			continue
		}
		var differ []string
		if !subset(c.numbers, x.numbers) {
			if !comparable(c.numbers, x.numbers) {
				continue // no number of that kind to hold it against: absent, not contradicted
			}
			differ = append(differ, "number")
		}
		if !subset(c.dates, x.dates) {
			if len(x.dates) == 0 {
				continue
			}
			differ = append(differ, "date")
		}
		if !within(c.entities, x.all) {
			if within(c.entities, p.all) && len(differ) > 0 {
				// named in the passage, only not in this sentence
			} else if others(x.entities, c.all) {
				differ = append(differ, "entity")
			} else {
				continue
			}
		}
		if c.denies != x.denies {
			differ = append(differ, "polarity")
		}
		if len(differ) == 1 {
			if differ[0] == "polarity" && aligned < supportWords {
				continue
			}
			best, against, slot, ok = aligned, x.text, differ[0], true
		}
	}
	return against, slot, ok
}

// comparable reports whether every missing number has one of its kind (percentage or not) to differ from.
func comparable(claim, there []string) bool {
	for _, n := range claim {
		if slices.Contains(there, n) {
			continue
		}
		percent := strings.HasSuffix(n, "%")
		if !slices.ContainsFunc(there, func(m string) bool { return strings.HasSuffix(m, "%") == percent && !slices.Contains(claim, m) }) {
			return false
		}
	}
	return true
}

func others(names []string, claim map[string]bool) bool {
	return slices.ContainsFunc(names, func(n string) bool { return !claim[n] })
}

func subset(a, b []string) bool {
	for _, x := range a {
		if !slices.Contains(b, x) {
			return false
		}
	}
	return true
}

func within(a []string, b map[string]bool) bool {
	for _, x := range a {
		if !b[x] {
			return false
		}
	}
	return true
}

// found is the share of words that stand in a text; with no words it is 1.
func found(words []string, in map[string]bool) float64 {
	if len(words) == 0 {
		return 1
	}
	n := 0
	for _, w := range words {
		if in[w] {
			n++
		}
	}
	return float64(n) / float64(len(words))
}

// Supports reports whether a passage bears a claim made in answer to a question, by the lexical
// verifier, and the sentence or row that does. An empty passage supports nothing.
func Supports(question, claim, passage string) (where string, ok bool) {
	return newPassage(passage).supports(newStatement(question, claim))
}

// piecewise reports whether each sentence of a claim is borne by some passage: a short answer that
// rests on two documents is one claim all the same.
func piecewise(c statement, context []*passage) (string, bool) {
	var all []string
	for _, s := range c.sentences {
		at := -1
		for i, p := range context {
			if where, ok := p.supports(s); ok {
				all, at = append(all, where), i
				break
			}
		}
		if at < 0 {
			return "", false
		}
	}
	return strings.Join(all, "\n"), len(all) > 0
}

// backs reports whether a cited passage supports a claim, or one of the sentences of a claim that
// has several.
func (p *passage) backs(c statement) bool {
	if _, ok := p.supports(c); ok {
		return true
	}
	for _, s := range c.sentences {
		if _, ok := p.supports(s); ok {
			return true
		}
	}
	return false
}

// verdict is what one passage set makes of a claim.
func verdict(c statement, context []*passage) (v, against, slot string) {
	for _, p := range context {
		if where, ok := p.supports(c); ok {
			return edb.VerdictSupported, where, ""
		}
	}
	if where, ok := piecewise(c, context); ok {
		return edb.VerdictSupported, where, ""
	}
	for _, p := range context {
		if where, slot, ok := p.contradicts(c); ok {
			return edb.VerdictContradicted, where, slot
		}
	}
	return edb.VerdictAbsentUnknown, "", ""
}
