package riker

import (
	"fmt"
	"slices"
	"strings"

	edb "enterprisedocbench"

	"enterprisedocbench/universe"
	"enterprisedocbench/universe/keyed"
)

// phrases are what probes say is absent, and what near misses resemble.
type phrases struct {
	list  []phrase
	only  map[int]bool // documents that a phrase is about
	whole bool         // some phrases are about all documents
}

type phrase struct {
	q       int
	doc     int // -1: all
	parts   []universe.Needle
	present bool
	found   bool
}

func newPhrases(qs []Question, w *World) *phrases {
	p := &phrases{only: map[int]bool{}}
	for i, q := range qs {
		if q.Answerable() {
			continue
		}
		doc := -1
		if q.Probe.Doc != "" {
			doc = documentNumber(q.Probe.Doc)
			p.only[doc] = true
		} else {
			p.whole = true
		}
		for _, s := range q.Absent {
			p.list = append(p.list, phrase{i, doc, apart(s), false, false})
		}
		if w.Documents() > provenWhole {
			continue // a real name is a fact of a record, which its document prints
		}
		for _, s := range q.present {
			p.list = append(p.list, phrase{i, -1, apart(s), true, false})
			p.whole = true
		}
	}
	return p
}

// in says whether a document is searched.
func (p *phrases) in(w *World, id int) bool {
	if p.only[id] {
		return true
	}
	n := w.Documents()
	return p.whole && (n <= provenWhole || keyed.Key(w.Seed, "proof", id)%uint64(n) < provenWhole)
}

// look says which phrases stand in a document.
func (p *phrases) look(id int, gold edb.Parsed) []bool {
	var b strings.Builder
	for _, g := range gold.Pages {
		for _, e := range g.Elements {
			b.WriteString(e.Text)
			b.WriteByte('\n')
		}
	}
	h := universe.NewHaystack(b.String())
	out := make([]bool, len(p.list))
	for i, x := range p.list {
		if x.doc >= 0 && x.doc != id {
			continue
		}
		out[i] = stand(h, x.parts)
	}
	return out
}

// apart are the phrases of an entry of Question.Absent, stand says whether all of them stand in a text.
func apart(entry string) (out []universe.Needle) {
	for _, s := range strings.Split(entry, Apart) {
		out = append(out, universe.NewNeedle(s))
	}
	return out
}

func stand(h universe.Haystack, phrases []universe.Needle) bool {
	return !slices.ContainsFunc(phrases, func(n universe.Needle) bool { return !h.Has(n) })
}

func (p *phrases) add(holds []bool) {
	for i, h := range holds {
		p.list[i].found = p.list[i].found || h
	}
}

// settle marks the probes whose proof failed: they lose their phrases.
func (p *phrases) settle(qs []Question) {
	for _, x := range p.list {
		if x.found != x.present {
			qs[x.q].Absent = nil
		}
	}
}

// proven takes n of the proposed probes, those of the two levels alike, whose absence is proven.
func (a *asker) proven(out, probes []Question, n int) ([]Question, error) {
	want := map[string]int{"L11": (n + 1) / 2, "L12": n / 2}
	for _, q := range probes {
		if len(q.Absent) > 0 && want[q.Level] > 0 {
			want[q.Level]--
			out = append(out, q)
		}
	}
	for _, l := range []string{"L11", "L12"} {
		if want[l] > 0 {
			return nil, fmt.Errorf("%d questions of level %s ask for what stands in a document after all: ask fewer, or choose another seed", want[l], l)
		}
	}
	return out, nil
}
