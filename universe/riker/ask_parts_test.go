package riker

import (
	"math/rand/v2"
	"reflect"
	"testing"

	edb "enterprisedocbench"

	"enterprisedocbench/universe"
)

func TestPrintedValue(t *testing.T) {
	s := &seen{codes: map[string]value{}}
	for _, c := range []struct {
		typ, printed string
		want         value
		bad          bool
	}{
		{"number", "$1,234.50", 123450, false}, {"number", "7.5%", 750, false}, {"number", "3.46", 346, false}, {"number", "12", 1200, false}, {"number", "ten", 0, true}, {"number", "", 0, true},
		{"date", "March 1, 2024", dateValue(NewDate(2024, 3, 1)), false}, {"date", "1 March 2024", dateValue(NewDate(2024, 3, 1)), false}, {"date", "Mar 1, 2024", dateValue(NewDate(2024, 3, 1)), false},
		{"date", "2024", 0, true}, {"text", "Orm\n House", 0, false}, {"text", "Orm House", 0, false}, {"text", "Mere Tower", 1, false},
	} {
		got, err := s.printedValue(c.typ, c.printed)
		if got != c.want || (err != nil) != c.bad {
			t.Errorf("%s %q: %d, %v", c.typ, c.printed, got, err)
		}
	}
	if d := dateOf(dateValue(NewDate(1969, 12, 31))); d.ISO() != "1969-12-31" {
		t.Errorf("the day before the count begins is %s", d.ISO())
	}
}

// FuzzPrintedValue reads what a document may print: no panic, and texts come back as they were.
func FuzzPrintedValue(f *testing.F) {
	f.Add("number", "$1,234.50")
	f.Add("date", "March 1, 2024")
	f.Add("text", "Orm  House")
	f.Fuzz(func(t *testing.T, typ, printed string) {
		s := &seen{codes: map[string]value{}}
		v, err := s.printedValue(typ, printed)
		if err == nil && typ == "text" {
			if again := s.code(s.text(v)); again != v {
				t.Errorf("%q is %d, then %d", printed, v, again)
			}
		}
	})
}

func TestCover(t *testing.T) {
	p := func(start int, fields ...string) piece {
		return piece{edb.Evidence{Page: 1, Start: start, End: start + 5}, fields}
	}
	starts := func(list []piece) (out []int) {
		for _, x := range list {
			out = append(out, x.Start)
		}
		return out
	}
	all := []piece{p(0, "a"), p(10, "b"), p(20, "a", "b"), p(30, "c", "a"), p(40, "d", "b")}
	for _, c := range []struct {
		fields  []string
		want    []int
		missing string
	}{
		{[]string{"a"}, []int{0}, ""}, {[]string{"a", "b"}, []int{20}, ""}, {[]string{"c", "d"}, []int{30, 40}, ""}, {[]string{"a", "b", "c", "d"}, []int{30, 40}, ""},
		{nil, nil, ""}, {[]string{"a", "x"}, nil, "x"},
	} {
		got, missing := cover(all, c.fields)
		if !reflect.DeepEqual(starts(got), c.want) || missing != c.missing {
			t.Errorf("%v: %v, missing %q", c.fields, starts(got), missing)
		}
	}
}

// TestMisspelt changes one letter and no more, and never what folding takes away.
func TestMisspelt(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"Falbrook Glassworks", "Đức Mạc", "Ægir Ullevål", "Orm House", "Anh Võ"} {
		for range 50 {
			got := []rune(misspelt(name, r))
			want := []rune(name)
			differ := 0
			for i := range want {
				if len(got) == len(want) && got[i] != want[i] {
					differ++
				}
			}
			if differ != 1 || universe.NewHaystack(name).Holds(string(got)) {
				t.Errorf("%q becomes %q", name, string(got))
			}
		}
	}
	if misspelt("ÉÈ", r) != "" {
		t.Error("a name without small letters is misspelt")
	}
}

func TestGold(t *testing.T) {
	for _, c := range []struct {
		f       form
		v       any
		aliases []string
		facts   []string
	}{
		{asMoney, 1234.0, []string{"$1,234", "1,234", "1234"}, []string{"1,234"}},
		{asMoney, 1234.5, []string{"$1,234.50", "1,234.50", "1234.5"}, []string{"1,234.50"}},
		{asPercent, 2.5, []string{"2.5%", "2.5 percent", "2.5"}, []string{"2.5"}},
		{asNumber("days"), 7.0, []string{"7"}, []string{"7"}},
		{asDate, "2024-03-01", []string{"March 1, 2024", "1 March 2024", "Mar 1, 2024"}, []string{"March 1, 2024"}},
		{asName, "Orm Foods GmbH", []string{"Orm Foods"}, []string{"Orm Foods"}},
		{asName, "Orm House", nil, []string{"Orm House"}},
		{asYesNo, true, []string{"yes"}, []string{"yes"}},
		{asList, []string{"a", "b"}, nil, []string{"a", "b"}},
	} {
		g := c.f.gold(c.v, bareName)
		if g.Type != c.f.typ || g.Tolerance != 0 || !reflect.DeepEqual(g.Value, c.v) || !reflect.DeepEqual(g.Aliases, c.aliases) || !reflect.DeepEqual(g.Facts, c.facts) {
			t.Errorf("%v: %+v", c.v, g)
		}
	}
	if g := asMoney.gold(notApplicable, bareName); g.Type != "text" || g.Value != "N/A" || len(g.Aliases) < 5 {
		t.Errorf("N/A: %+v", g)
	}
	for x, want := range map[float64]string{-1234.5: "-1,234.5", 0: "0", 999: "999", 1e6: "1,000,000", .25: ".25"} {
		if got := commas(x); got != want && got != "0"+want {
			t.Errorf("%v: %q", x, got)
		}
	}
}
