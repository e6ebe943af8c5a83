package riker

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"enterprisedocbench/universe/press"
)

// named is a value that templates can name: a fact of the record, or one that only names something.
type named struct {
	name string
	*Fact
}

// values is what the template of a document can name.
type values struct {
	facts   []Fact
	entries []named
}

func (v *values) get(name string) *Fact {
	for i := range v.entries {
		if v.entries[i].name == name {
			return v.entries[i].Fact
		}
	}
	for i := range v.facts {
		if v.facts[i].Field == name {
			return &v.facts[i]
		}
	}
	return nil
}

// name lets templates name a value that is no fact of the document.
func (v *values) name(name, value string) {
	v.entries = append(v.entries, named{name, &Fact{Printed: value}})
}

// values prepares the values of a record.
func (w *World) values(rec Record, s Style) values {
	v := values{facts: rec.Facts(s), entries: make([]named, 0, 16)}
	v.name("house", w.House())
	label := func(kind string, i int, text string) {
		n := strconv.Itoa(i + 1)
		v.name(kind+"_"+n+"_name", text)
		v.entries = append(v.entries, named{kind + "_" + n, v.get(kind + "_" + column(text))})
	}
	switch r := rec.(type) {
	case Review:
		for i, x := range r.Scores {
			label("score", i, x.Competency)
		}
	case Statement:
		v.name("first", r.Quarter.First().In(s))
		v.name("last", r.Quarter.Last().In(s))
		for i, x := range r.Segments {
			label("segment", i, x.Name)
		}
	}
	return v
}

// say writes a line in one of its wordings; "" where it has none.
func (a *teller) say(l *sentence) string {
	if len(l.wordings) == 1 && len(l.wordings[0]) == 1 && l.wordings[0][0].kind == nodeText {
		return l.wordings[0][0].text
	}
	if l.wordings == nil {
		return ""
	}
	a.buf = a.buf[:0]
	a.write(l)
	return string(a.buf)
}

// numbered is say with the running number for #.
func (a *teller) numbered(l *sentence, n int) string {
	return strings.ReplaceAll(a.say(l), "#", strconv.Itoa(n))
}

func (a *teller) write(l *sentence) {
	var p rand.PCG
	p.Seed(a.key, uint64(l.id))
	w := 0
	if len(l.wordings) > 1 {
		w = int(p.Uint64() % uint64(len(l.wordings)))
	}
	a.nodes(l.wordings[w], &p, false)
}

// nodes writes nodes. After a value that ends in a full stop (Inc.) the sentence's own is left out:
// dot says that the last value did. It reports the same of its own end.
func (a *teller) nodes(list []node, p *rand.PCG, dot bool) bool {
	for i := range list {
		n := &list[i]
		switch n.kind {
		case nodeText:
			text := n.text
			if dot && text[0] == '.' {
				text = text[1:]
			}
			a.buf = append(a.buf, text...)
			dot = false
		case nodeChoice:
			dot = a.nodes(n.choices[p.Uint64()%uint64(len(n.choices))], p, dot)
		default:
			f := a.get(n.text)
			if f == nil {
				panic("riker: a template names " + n.text + ", which the record does not have")
			}
			switch {
			case n.kind == nodeAgreement && f.Number == 1:
				a.buf = append(a.buf, n.one...)
			case n.kind == nodeAgreement:
				a.buf = append(a.buf, n.many...)
			case n.kind == nodeFact:
				a.buf = append(a.buf, press.Fact(f.Field, f.Printed)...)
			default:
				a.buf = append(a.buf, f.Printed...)
			}
			dot = n.kind != nodeAgreement && strings.HasSuffix(f.Printed, ".")
		}
	}
	return dot
}
