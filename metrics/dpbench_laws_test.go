package metrics

import (
	"context"
	"strings"
	"testing"

	"enterprisedocbench"
)

func TestDPBenchEmptyCases(t *testing.T) {
	ctx := context.Background()
	const table = "| a | b |\n|---|---|\n| 1 | 2 |\n"
	if _, ok := NID("text", " \n", false); ok {
		t.Error("NID without gold text is measured")
	}
	if v, ok := NID("", table, true); !ok || v != 1 {
		t.Errorf("NID of tables alone, tables taken out: %v %v, want 1", v, ok)
	}
	if v, ok := NID("words", table, true); !ok || v != 0 {
		t.Errorf("NID of words against tables alone, tables taken out: %v %v, want 0", v, ok)
	}
	if _, ok, err := MHS(ctx, "# a", "text", false); ok || err != nil {
		t.Error("MHS without gold heading is measured")
	}
	if v, ok, err := MHS(ctx, "a", "# a", false); !ok || v != 0 || err != nil {
		t.Errorf("MHS of a text without heading: %v %v %v, want 0", v, ok, err)
	}
	if v, ok, err := MHS(ctx, "### a\nx", "# a\nx", false); !ok || v != 1 || err != nil {
		t.Errorf("MHS with another level: %v %v %v, want 1", v, ok, err)
	}
	if _, ok, err := DPBenchTEDS(ctx, table, "text", false); ok || err != nil {
		t.Error("TEDS without gold table is measured")
	}
	if v, ok, err := DPBenchTEDS(ctx, "text", table, false); !ok || v != 0 || err != nil {
		t.Errorf("TEDS of a text without table: %v %v %v, want 0", v, ok, err)
	}
	if v, ok, err := DPBenchTEDS(ctx, "<table><thead><tr><th>a</th><td> b</td></tr></thead><tr><td>1</td><td>2</td></tr></table>", table, false); !ok || v != 1 || err != nil {
		t.Errorf("TEDS of the same table in HTML: %v %v %v, want 1", v, ok, err)
	}
	done, stop := context.WithCancel(ctx)
	stop()
	if _, _, err := DPBenchTEDS(done, table, table, false); err == nil {
		t.Error("a context that has ended gives a score")
	}
}

func TestPipeTablesBecomeHTML(t *testing.T) {
	for in, want := range map[string]string{
		"a\n| x | y |\n|---|:-:|\n| 1 | 2 |\nb": "a\n<table><tr><th>x</th><th>y</th></tr><tr><td>1</td><td>2</td></tr></table>\nb",
		"x|y\n-|-\n":                            "<table><tr><th>x</th><th>y</th></tr></table>\n",
		"| a | b | c |\n|-|-|-|-|\n":            "<table><tr><th>a</th><th>b</th><th>b</th><th>c</th></tr></table>\n",
		"| | |\n|-|-|\n| 1 |\n":                 "<table><tr><th>1</th><th></th></tr></table>\n",
		"| a |\r\n|---|\r\n| \"<\" |":           "<table><tr><th>a</th></tr><tr><td>&quot;&lt;&quot;</td></tr></table>\r\n",
		"no | table\nhere":                      "no | table\nhere",
	} {
		if got := htmlTablesOf(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// What the measures of DP-Bench and facts read comes from outside: no text may break them, and lines
// join to what they were cut from.
func FuzzMarkdownMeasures(f *testing.F) {
	f.Add("| a | b |\n|-|-|\n| 1 |", "# h\ntext <table><tr><td rowspan=0 colspan=9999>x")
	f.Add("\u2028|\x85\x1c# ", "<table><table><thead><tr><th rowspan=\"65534\">a<br>b</table>")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a)+len(b) > 4000 {
			return
		}
		if got := strings.Join(pythonLines(a), ""); got != a {
			t.Fatalf("lines of %q join to %q", a, got)
		}
		ctx := context.Background()
		for _, s := range []bool{false, true} {
			v, ok := NID(a, b, s)
			m, ok2, _ := MHS(ctx, a, b, s)
			d, ok3, _ := DPBenchTEDS(ctx, a, b, s)
			if ok && !(v >= 0 && v <= 1) || ok2 && !(m >= 0 && m <= 1) || ok3 && !(d >= 0 && d <= 1) {
				t.Fatalf("out of [0,1]: %v %v %v", v, m, d)
			}
		}
		page := doc(edb.Element{Kind: edb.KindTable, HTML: b}, para(a))
		for _, kind := range edb.FactTypes {
			Facts(page, []edb.Fact{{Type: kind, Page: 1, Text: b, Before: a, After: b, Cell: "x", Up: "a", TopHeading: "b", LeftHeading: "c", Formula: a, MaxDiffs: 1}}, "")
		}
	})
}
