package universe

import (
	"fmt"
	"strings"
	"testing"

	edb "enterprisedocbench"
)

func TestShortcutsAreMeasured(t *testing.T) {
	arc := &archive{records: []record{
		{"a", TypeLease, map[string]Mention{"use": {Value: "offices"}, "deposit": {Value: "$1"}}},
		{"b", TypeLease, map[string]Mention{"use": {Value: "offices"}, "deposit": {Value: "$2"}}},
	}}
	answer := func(s string) *edb.GoldAnswer { return &edb.GoldAnswer{Type: "text", Value: s} }
	var qs []readQuestion
	for i := range 40 {
		q := readQuestion{edb.Question{ID: fmt.Sprint(i), Text: "Which?", Answer: answer(fmt.Sprint("v", i))}, [2]string{TypeLease, "deposit"}}
		switch {
		case i < 8:
			q.Answer = answer("Verdal") // constant
		case i < 16:
			q.Text = "Is it v" + fmt.Sprint(i) + "?"
		case i < 24:
			q.took[1] = "use"
		case i < 30:
			q.Answer = &edb.GoldAnswer{Type: "boolean", Value: true}
		}
		qs = append(qs, q)
	}
	c := &checker{}
	c.shortcuts(qs, arc)
	if got := fmt.Sprint(c.out.Shortcuts[0].N, c.out.Shortcuts[0].Of, c.out.Shortcuts[1].N, c.out.Shortcuts[1].Of, c.out.Shortcuts[2].N); got != "8 34 8 40 8" {
		t.Errorf("shortcuts %s", got)
	}
	if len(c.out.Faults) != 3 || !strings.Contains(c.out.Faults[0].Problem, "the best constant answer is right for 8 of 34 questions, 23.5 %") {
		t.Errorf("faults %v", c.out.Faults)
	}
	for s, want := range map[Shortcut]bool{{N: 2, Of: 86, Share: .023, Lo: .006}: false, {N: 11, Of: 500, Share: .022, Lo: .012}: true, {N: 9, Of: 500, Share: .018, Lo: .009}: false} {
		if s.Fault() != want {
			t.Errorf("%+v: fault %v", s, !want)
		}
	}
}

func TestAbsenceLooksThroughBreaksAndAccents(t *testing.T) {
	for _, c := range []struct {
		text, phrase string
		want         bool
	}{
		{"We met Vèrdal\nFOODS there.", "Verdal Foods", true},
		{"We met Ver-\ndál Foods there.", "Verdal Foods", true},
		{"We met Ver\u00ad\ndal\u00a0Foods there.", "Verdal Foods", true},
		{"Verdal-Foods", "Verdal Foods", true},
		{"Søren Łukasz Groß", "Soren Lukasz Gross", true},
		{"Verdal Foodstuffs", "Verdal Foods", false},
		{"Riverdal Foods", "Verdal Foods", false},
		{"Verdal and Foods", "Verdal Foods", false},
		{"x Verdal Foodsy, then Verdal Foods", "Verdal Foods", true},
		{"", "Verdal", false},
		{"anything", "", false},
		{"anything", "--", false},
	} {
		if got := NewHaystack(c.text).Holds(c.phrase); got != c.want {
			t.Errorf("%q in %q: %v", c.phrase, c.text, got)
		}
	}
}

func TestTableFaults(t *testing.T) {
	for _, c := range []struct {
		table string
		want  string // in the one fault; empty: none
	}{
		{"Lease year\tFrom\tTo\tMonthly rent\tAnnual rent\nYear 1\ta\tb\t$10\t$120\nYear 2\ta\tb\t$11\t$132\nTotal\t\t\t\t$252", ""},
		{"Lease year\tFrom\tTo\tMonthly rent\tAnnual rent\nYear 1\ta\tb\t$10\t$120\nYear 2\ta\tb\t$11\t$132\nTotal\t\t\t\t$253", "Total of Annual rent is 253, but the sum of the rows is 252"},
		{"Lease year\tMonthly rent\tAnnual rent\nYear 1\t$10\t$121\nTotal\t\t$121", "Annual rent of Year 1 is 121, but 12 times the monthly rent is 120"},
		{"Service\tSites\tPrice per site\tYearly value\nCleaning\t2\t$1,200\t$2,400\nTotal\t\t\t$2,400", ""},
		{"Service\tSites\tPrice per site\tYearly value\nCleaning\t3\t$1,200\t$2,400\nTotal\t\t\t$2,400", "Yearly value of Cleaning is 2400, but sites times price is 3600"},
		{"Item\tQ2\tQ1\tChange\nRetail\t9\t4\t5\nTotal revenue\t9\t4\t5\nCost of sales\t3\t1\t2\nGross profit\t6\t3\t3\nPersonnel\t7\t1\t6\nOccupancy (rent)\t1\t1\t0\nOther costs\t0\t0\t0\nOperating profit\t(2)\t1\t(3)", ""},
		{"Item\tQ2\tQ1\tChange\nRetail\t9\t4\t5\nTotal revenue\t9\t4\t5\nCost of sales\t3\t1\t2\nGross profit\t5\t3\t3", "Gross profit of Q2 is 5, but total revenue less costs is 6; Change of Gross profit is 3, but the difference of the two quarters is 2"},
		{"Item\tAgreed term\nTenant\tX", ""},
		{"Department\tEmployees\nSales\tten\nTotal\t0", `"ten" is no number`},
		{"", ""},
	} {
		if got := strings.Join(tableFaults(c.table), "; "); got != c.want {
			t.Errorf("%q: %q, want %q", c.table, got, c.want)
		}
	}
}

func FuzzTableFaults(f *testing.F) {
	f.Add("Item\tQ2\tQ1\tChange\nTotal revenue\t9\t4\t5")
	f.Add("Total\n\t\n\tTotal")
	f.Fuzz(func(_ *testing.T, text string) { tableFaults(text) })
}

func FuzzHaystack(f *testing.F) {
	f.Add("Ver-\ndal Foods", "Verdal")
	f.Fuzz(func(t *testing.T, text, phrase string) {
		h := NewHaystack(text + "\n" + phrase + "\n" + text)
		if strings.TrimSpace(fold(phrase)) != "" && strings.TrimSpace(fold(text)) == "" && !h.Holds(phrase) {
			t.Errorf("%q is not found in itself", phrase)
		}
	})
}
