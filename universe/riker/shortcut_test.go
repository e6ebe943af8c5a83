package riker

import (
	"fmt"
	"slices"
	"testing"

	edb "enterprisedocbench"
)

func TestShortcuts(t *testing.T) {
	of := func(template string, raw any, text string) Question {
		f := asName
		switch raw.(type) {
		case bool:
			f = asYesNo
		case float64:
			f = asNumber("days")
		}
		gold := f.gold(raw, bareName)
		return Question{Question: edb.Question{Text: text, Modality: edb.ModalitySingleHop, Answer: &gold}, Template: template, raw: raw}
	}
	var qs []Question
	for i := range 90 {
		qs = append(qs, of("a", fmt.Sprintf("Mere%d Tower", i), "Which building?"))
	}
	for i := range 6 {
		qs[i].raw, qs[i].Answer.Value = "Orm House", "Orm House"
	}
	qs[10].Text = "Is it MERE10\nTówer?"
	qs[11].alone = true
	for i := range 4 {
		q := of("b", float64(7), "How many days?")
		q.Level = "L05"
		if i > 1 {
			q.raw = float64(100 + i)
		}
		qs = append(qs, q)
	}
	for i := range 6 {
		qs = append(qs, of("c", i < 5, "Is it?"))
	}
	first := of("d", "Orm House", "Which is larger, Orm House or Mere Tower?")
	first.right = 1
	qs = append(qs, first, Question{Question: edb.Question{Modality: edb.ModalityUnanswerable}})
	want := map[string][2]int{"the best constant answer": {6, 94}, "the best constant answer of each template": {8, 94}, "the answer inside the question": {1, 94}, "one candidate": {1, 94},
		"always yes or always no, beyond a coin": {2, 101}, "always the first or the second of two, beyond a coin": {0, 101}}
	for _, s := range Shortcuts(qs) {
		if w, ok := want[s.Name]; !ok || s.N != w[0] || s.Of != w[1] {
			t.Errorf("%s: %d of %d, want %v", s.Name, s.N, s.Of, w)
		}
		delete(want, s.Name)
	}
	if len(want) > 0 {
		t.Errorf("not measured: %v", want)
	}
	// In a small set a repeat for which there was no other question is shown, and is no fault.
	few := slices.Clone(qs[10:28])
	few[1].raw, few[1].alone = few[0].raw, false
	for forced, fault := range map[bool]bool{false: true, true: false} {
		few[1].forced = forced
		s := Shortcuts(few)[0]
		if s.N != 2 || s.Of != 18 || s.Fault() != fault {
			t.Errorf("forced %v: %+v", forced, s)
		}
	}
	if Shortcuts(nil) != nil {
		t.Error("shortcuts of no questions")
	}
}
