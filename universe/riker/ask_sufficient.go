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

// printedValue reads a printed fact: $1,234.50, 7.5%, 3.46, March 1, 2024, or a text as it stands.
func (s *seen) printedValue(typ, printed string) (value, error) {
	switch typ {
	case "number":
		v, err := strconv.ParseFloat(strings.NewReplacer("$", "", ",", "", "%", "").Replace(printed), 64)
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

// see reads the mentions that stand in the given evidence.
func (w *World) see(evidence []edb.Evidence, mentions map[string][]press.Mention, types [Kinds]map[string]string) (*seen, error) {
	s := &seen{codes: map[string]value{}, facts: map[cell]value{}}
	for _, e := range evidence {
		k, n := w.at(documentNumber(e.Doc))
		here := false
		for _, m := range said(k, e, mentions[e.Doc]) {
			v, err := s.printedValue(types[k][m.Field], m.Value)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", e.Doc, m.Field, err)
			}
			c := cell{k, int32(n), m.Field}
			if old, ok := s.facts[c]; ok && old != v {
				return nil, fmt.Errorf("%s prints %s with two values", e.Doc, m.Field)
			}
			s.facts[c] = v
			here = true
		}
		if here && !slices.Contains(s.docs[k], int32(n)) {
			s.docs[k] = append(s.docs[k], int32(n))
		}
	}
	for k := range s.docs {
		slices.Sort(s.docs[k])
	}
	return s, nil
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
	s, err := w.see(q.Evidence, mentions, types)
	if err != nil {
		return fail("%v", err)
	}
	answer, work := q.answerFrom(s)
	if !same(answer, q.raw) {
		return fail("the answer is %v, its evidence gives %v", q.raw, answer)
	}
	for i := range q.Evidence {
		s, err := w.see(slices.Delete(slices.Clone(q.Evidence), i, i+1), mentions, types)
		if err != nil {
			return fail("%v", err)
		}
		if got, figures := q.answerFrom(s); same(got, answer) && slices.Equal(figures, work) {
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
