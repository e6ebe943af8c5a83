package datasets

import (
	"strings"
	"testing"
)

func TestParagraphs(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"one", []string{"one"}},
		{"one\ntwo\n\nthree", []string{"one\ntwo\n", "three"}},
		{"\n\n\none\n\n\n\ntwo\n\n", []string{"\n\n\none\n\n\n", "two\n\n"}},
		{"\n\n", []string{"\n\n"}},
	} {
		got := paragraphs(c.text)
		if strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestCUADAnswers(t *testing.T) {
	for _, c := range []struct {
		category, answer, kind string
		value                  any
	}{
		{"Insurance", "Yes", "boolean", true},
		{"Agreement Date", "12/14/97", "date", "1997-12-14"},
		{"Agreement Date", "5/8/2014", "date", "2014-05-08"},
		{"Expiration Date", "3/1/49", "date", "2049-03-01"},
		{"Agreement Date", "1/2/50", "date", "1950-01-02"},
		{"Agreement Date", "13/45/97", "text", "13/45/97"},
		{"Expiration Date", "perpetual", "text", "perpetual"},
		{"Effective Date", "[]/[]/2000", "text", "the span"},
		{"Effective Date", "", "text", "the span"},
		{"Governing Law", "Delaware", "text", "Delaware"},
	} {
		a := cuadQuestion{Category: c.category, Answer: c.answer, Spans: []cuadSpan{{Text: "the span"}, {Text: "another"}}}.answer()
		if a.Type != c.kind || a.Value != c.value || (c.value == "the span") != (len(a.Aliases) == 1 && a.Aliases[0] == "another") {
			t.Errorf("%s %q: %+v", c.category, c.answer, *a)
		}
	}
	a := cuadQuestion{Category: "Parties", Answer: `A, Inc. ("A"); B;`}.answer()
	if got := a.Value.([]string); len(got) != 2 || got[0] != `A, Inc. ("A")` || got[1] != "B" {
		t.Errorf("%q", got)
	}
}

func TestCUADOmissions(t *testing.T) {
	text := []rune("The Agent   may not assign é this; nor\nmay  he sell it.")
	ev, err := cuadSpan{Text: "may not assign<omitted>nor may he sell it<omitted>."}.evidence("d", text)
	must(t, err)
	if len(ev) != 2 || string(text[ev[0].Start:ev[0].End]) != "may not assign" || ev[1].Quote != "nor\nmay  he sell it" || string(text[ev[1].Start:ev[1].End]) != ev[1].Quote {
		t.Errorf("%+v", ev)
	}
	ev, err = cuadSpan{Text: "not there"}.evidence("d", text)
	if must(t, err); len(ev) != 1 || ev[0].End != 0 || ev[0].Quote != "not there" {
		t.Errorf("%+v", ev)
	}
	if _, err := (cuadSpan{Text: "<omitted>"}).evidence("d", text); err == nil {
		t.Error("a span without words is evidence")
	}
}
