package riker

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	edb "enterprisedocbench"

	"enterprisedocbench/universe/press"
)

// seen is what stands in pieces of evidence: facts, read from print.
type seen struct {
	codes map[string]value
	texts []string
	docs  [Kinds][]int32
	facts map[cell]value
	times map[cell]int // how many pieces say it; with field "": facts of the document
}

func (s *seen) code(text string) value {
	v, ok := s.codes[text]
	if !ok {
		v = value(len(s.texts))
		s.codes[text] = v
		s.texts = append(s.texts, text)
	}
	return v
}

func (s *seen) text(v value) string { return s.texts[v] }

func (s *seen) every(k Kind) []int32 { return s.docs[k] }

func (s *seen) having(k Kind, field string, v value) []int32 {
	var out []int32
	for _, n := range s.docs[k] {
		if got, ok := s.facts[cell{k, n, field}]; ok && got == v {
			out = append(out, n)
		}
	}
	return out
}

func (s *seen) get(k Kind, n int32, field string) (value, bool) {
	v, ok := s.facts[cell{k, n, field}]
	return v, ok
}

var bareNumber = strings.NewReplacer("$", "", ",", "", "%", "")

// printedValue reads a printed fact: $1,234.50, 7.5%, 3.46, March 1, 2024, or a text as it stands.
func (s *seen) printedValue(typ, printed string) (value, error) {
	switch typ {
	case "number":
		v, err := strconv.ParseFloat(bareNumber.Replace(printed), 64)
		if err != nil {
			return 0, fmt.Errorf("%q is no number", printed)
		}
		return numberValue(v), nil
	case "date":
		for _, layout := range []string{"January 2, 2006", "2 January 2006", "Jan 2, 2006"} {
			if t, err := time.Parse(layout, printed); err == nil {
				return t.Unix() / dayValue, nil
			}
		}
		return 0, fmt.Errorf("%q is no date", printed)
	}
	return s.code(strings.Join(strings.Fields(printed), " ")), nil
}

// see adds the mentions that stand in a piece of evidence and gives what it saw; take undoes it.
func (s *seen) see(k Kind, n int32, e edb.Evidence, mentions []press.Mention, types map[string]string) ([]cell, error) {
	var cells []cell
	for _, m := range said(k, e, mentions) {
		v, err := s.printedValue(types[m.Field], m.Value)
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w", e.Doc, m.Field, err)
		}
		c := cell{k, n, m.Field}
		if old, ok := s.facts[c]; ok && old != v {
			return nil, fmt.Errorf("%s prints %s with two values", e.Doc, m.Field)
		}
		s.facts[c] = v
		cells = append(cells, c)
	}
	s.give(cells, nil)
	return cells, nil
}

// give counts cells once more, with their values where those were taken away.
func (s *seen) give(cells []cell, values []value) {
	for i, c := range cells {
		if values != nil {
			s.facts[c] = values[i]
		}
		s.times[c]++
		doc := cell{c.kind, c.n, ""}
		if s.times[doc]++; s.times[doc] == 1 {
			at, _ := slices.BinarySearch(s.docs[c.kind], c.n)
			s.docs[c.kind] = slices.Insert(s.docs[c.kind], at, c.n)
		}
	}
}

// take counts cells once less, forgets those that stand in no other piece, and gives their values.
func (s *seen) take(cells []cell) []value {
	values := make([]value, len(cells))
	for i, c := range cells {
		values[i] = s.facts[c]
		if s.times[c]--; s.times[c] == 0 {
			delete(s.facts, c)
		}
		doc := cell{c.kind, c.n, ""}
		if s.times[doc]--; s.times[doc] == 0 {
			if at, ok := slices.BinarySearch(s.docs[c.kind], c.n); ok {
				s.docs[c.kind] = slices.Delete(s.docs[c.kind], at, at+1)
			}
		}
	}
	return values
}

// answerFrom works a question out from what is seen: its answer and the figures behind it.
func (q Question) answerFrom(s *seen) (any, []value) {
	r := &reading{facts: s}
	raw := q.read(r)
	if r.undefined {
		return nil, nil
	}
	return raw, r.work
}

// Sufficient proves the evidence of an answerable question that Ask made. mentions gives, by document
// ID, what the documents of the evidence print. An error says that the answer does not follow from
// the evidence alone, or which piece is not needed.
//
// A piece is needed where without it the answer changes or becomes undefined, or one of the figures
// does that it is worked out from: how many documents went into a count, total, average or highest
// value, the two sides of a comparison, and how many were taken off a list. So the evidence of "yes,
// more" is all that was counted on both sides, though the answer stays yes without one of them.
//
// Questions with EvidenceSQL hold no pieces: nil.
func (w *World) Sufficient(q Question, mentions map[string][]press.Mention) error {
	if !q.Answerable() || q.EvidenceSQL != "" {
		return nil
	}
	fail := func(format string, args ...any) error {
		return fmt.Errorf("question %s (%s): %s", q.ID, q.Template, fmt.Sprintf(format, args...))
	}
	if q.read == nil {
		return fail("it was not made by Ask")
	}
	types := w.fieldTypes(q.Evidence)
	s := &seen{codes: map[string]value{}, facts: map[cell]value{}, times: map[cell]int{}}
	cells := make([][]cell, len(q.Evidence))
	for i, e := range q.Evidence {
		k, n := w.at(documentNumber(e.Doc))
		var err error
		if cells[i], err = s.see(k, int32(n), e, mentions[e.Doc], types[k]); err != nil {
			return fail("%v", err)
		}
	}
	answer, work := q.answerFrom(s)
	if !same(answer, q.raw) {
		return fail("the answer is %v, its evidence gives %v", q.raw, answer)
	}
	for i := range q.Evidence {
		values := s.take(cells[i])
		got, figures := q.answerFrom(s)
		s.give(cells[i], values)
		if same(got, answer) && slices.Equal(figures, work) {
			return fail("evidence %d (%s, page %d, %q) is not needed for the answer", i+1, q.Evidence[i].Doc, q.Evidence[i].Page, q.Evidence[i].Quote)
		}
	}
	return nil
}

// fieldTypes are the types of the fields of the documents that evidence stands in.
func (w *World) fieldTypes(evidence []edb.Evidence) (out [Kinds]map[string]string) {
	for k := range out {
		out[k] = map[string]string{}
	}
	done := map[string]bool{}
	for _, e := range evidence {
		if done[e.Doc] {
			continue
		}
		done[e.Doc] = true
		k, n := w.at(documentNumber(e.Doc))
		for _, f := range w.Record(k, n).Facts(Formal) {
			out[k][f.Field] = f.Type
		}
	}
	return out
}
