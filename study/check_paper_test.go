package study

import (
	"math"
	"strings"
	"testing"

	"enterprisedocbench/expect"
)

func TestPrintedNumbers(t *testing.T) {
	for _, c := range []struct {
		in     string
		lo, hi float64
		exact  bool
	}{
		{"1,169", 1169, 1169, true},
		{"687", 687, 687, true},
		{"-4", -4, -4, true},
		{"0.34", .335, .345, false},
		{".34", .335, .345, false},
		{"-0.04", -.045, -.035, false},
		{"−0.04", -.045, -.035, false},
		{"28.1%", .2805, .2815, false},
		{"47%", .465, .475, false},
		{"7M", 6.5e6, 7.5e6, false},
		{"15.72B", 15.715e9, 15.725e9, false},
		{"0.3×", .25, .35, false},
		{"~33", 32.5, 33.5, false},
		{"<0.001", math.Inf(-1), .001, false},
		{"> 0.90", .9, math.Inf(1), false},
		{"100 - 28.1", 71.85, 71.95, false},
		{"1 - 0.15", .845, .855, false},
	} {
		n, err := parseNumber(c.in)
		if err != nil || !closeTo(n.r.Lo, c.lo) || !closeTo(n.r.Hi, c.hi) || n.exact != c.exact {
			t.Errorf("%s: %+v, %v", c.in, n, err)
		}
	}
	for _, bad := range []string{"", "-", "x", "1.", "1,16", "0x10", "NaN", "1e5", "5 %%", "1 - ", "--1", strings.Repeat("9", 40)} {
		if n, err := parseNumber(bad); err == nil {
			t.Errorf("%q was read as %v", bad, n.r)
		}
	}
}

func closeTo(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-12*math.Max(1, math.Abs(b))
}

func TestBadPapersAreRefused(t *testing.T) {
	const head = "paper: p\ntables:\n  t: |\n    model,x,y\n    A,1.0,-\n    B,2.0,3.0\nclaims:\n"
	one := func(body string) string { return head + "  - {id: a, source: s, what: w, " + body + "}\n" }
	for _, c := range []struct{ name, in, want string }{
		{"no YAML", "a: [", "f:"},
		{"no claims", "paper: p\n", "f: no claims"},
		{"no tables", "paper: p\nclaims:\n  - {id: c, source: s, what: w, total: {value: 1, of: ['u[*].x']}}\n", `no table "u": there are none: write it under tables`},
		{"an unknown key", one("totals: {value: 1}"), "f:8:"},
		{"an unknown key of a kind", one("total: {value: 1, off: [1]}"), "f:8:"},
		{"no kind", head + "  - {id: a, source: s, what: w}\n", `f:8: claim "a": no kind: give one of correlation, composite,`},
		{"two kinds", one("same: {of: [1, 1]}, most: {value: 1, of: [1]}"), "it is most and same: make two claims"},
		{"no source", head + "  - {id: a, what: w, same: {of: [1, 1]}}\n", "id, source and what are needed"},
		{"an id twice", one("same: {of: [1, 1]}") + "  - {id: a, source: s, what: w, same: {of: [1, 1]}}\n", `f:9: claim "a" stands twice`},
		{"no number", one("total: {value: 1, of: [one]}"), `"one" is not a printed number`},
		{"a list for a number", one("total: {value: [1], of: [1]}"), "f:8:"},
		{"no value", one("total: {of: [1]}"), "value is not given"},
		{"an unknown table", one("total: {value: 1, of: ['u[*].x']}"), `no table "u": the tables are t`},
		{"an unknown row", one("total: {value: 1, of: ['t[C].x']}"), `table t has no row "C": its rows are A, B`},
		{"an unknown column", one("total: {value: 1, of: ['t[*].z']}"), `table t has no column "z": its columns are x, y`},
		{"no row", one("total: {value: t.x, of: [1]}"), "t.x names no row: write t[ROW].x, or each: t"},
		{"rows of an unknown table", one("each: u, total: {value: 1, of: [1]}"), `no table "u"`},
		{"weights", one("composite: {value: 1, parts: [1, 2], weights: [1]}"), "2 parts and 1 weights"},
		{"counts", one("mean: {value: 1, of: [1, 2], n: [1]}"), "2 values and 1 counts"},
		{"no sum of counts", one("mean: {value: 1, of: [1], n: [0]}"), "the counts sum to 0"},
		{"three for a difference", one("difference: {value: 1, of: [1, 2, 3]}"), "a difference has 2"},
		{"one statement", one("same: {of: [1]}"), "1 statement: give at least 2"},
		{"n is no count", one("rate: {value: 50%, n: 1.5}"), `n is "1.5": it must be a whole number from 1`},
		{"no share", one("rate: {value: 28.1, n: 35}"), "28.1 is no share from 0 to 1: write a percentage with %"},
		{"no correlation", one("correlation: {r: 1.4, n: 50}"), "r is 1.4"},
		{"too few units", one("correlation: {r: 0.4, n: 3}"), "whole number from 4"},
		{"no comparisons", one("correlation: {r: 0.4, n: 30, p_adjusted: 0.1}"), "p_adjusted needs comparisons"},
		{"a level", one("rate: {value: 50%, n: 2, level: 95}"), "level 95 is not between 0 and 1"},
		{"no limit", one("bound: {value: 1}"), "no limit"},
		{"nothing open", one("open: {value: 1}"), "value and needs belong here"},
		{"a ragged table", "paper: p\ntables: {t: \"a,b\\n1\\n\"}\nclaims: []\n", "f: table t:2: 1 cells under 2 columns"},
		{"two rows of one name", "paper: p\ntables: {t: \"a,b\\nA,1\\nA,2\\n\"}\nclaims: []\n", `two rows are named "A"`},
		{"a table with words", strings.Replace(one("total: {value: 1, of: ['t[*].x']}"), "2.0", "two", 1), "table t, row B, column x"},
	} {
		p, err := ReadPaper([]byte(c.in), "f")
		if err == nil || p != nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "f:") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestRowsWithoutAValueHaveNoVerdict(t *testing.T) {
	p, err := ReadPaper([]byte(`paper: p
tables:
  t: |
    model,x,y
    A,1.0,-
    B,2.0,2.0
    C,2.0,3.0
  u: |
    model,x
    B,2.0
claims:
  - {id: two, source: s, what: w, each: t, same: {of: [t.x, t.y]}}
  - {id: other, source: s, what: w, each: t, same: {of: [t.x, u.x]}}
  - {id: column, source: s, what: w, total: {value: 5.0, of: ["t[*].y"]}}
  - {id: hole, source: s, what: w, total: {value: 5.0, of: ["t[A].y"]}}
`), "f")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range Recompute(p) {
		got = append(got, strings.TrimSpace(f.Claim+" "+f.Row)+" "+f.Verdict)
	}
	want := "two B follows, two C does not follow, other B follows, column follows, hole cannot be checked"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("%s\nwant %s", s, want)
	}
}

func FuzzReadPaper(f *testing.F) {
	for _, paper := range expect.Papers() {
		data, _, err := expect.Claims(paper)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:min(len(data), 2000)])
	}
	f.Add([]byte("paper: p\ntables: {t: \"a,b\\nA,1.0\\n\"}\nclaims:\n- {id: a, source: s, what: w, each: t, rate: {value: t.b%, n: 3}}\n"))
	f.Add([]byte("claims: [{id: a, source: s, what: w, correlation: {r: 1, n: 4, t: <1, hi: 1}}]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ReadPaper(data, "f")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Fatalf("%v without a place", err)
			}
			return
		}
		for _, x := range Recompute(p) {
			for _, v := range []*float64{x.Value, x.Lo, x.Hi} {
				if v != nil && (math.IsNaN(*v) || math.IsInf(*v, 0)) {
					t.Fatalf("%+v", x)
				}
			}
			if x.Verdict != Follows && x.Verdict != DoesNotFollow && x.Verdict != CannotCheck {
				t.Fatalf("%+v", x)
			}
		}
	})
}
