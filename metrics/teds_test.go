package metrics

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"enterprisedocbench/internal/testdata"

	"pgregory.net/rapid"
)

// The 15 scores that the reference implementation's notebook prints for its example predictions
// (ibm-aur-nlp/PubTabNet).
func TestTEDSPubTabNet(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(testdata.Data(t, "pubtabnet"), "teds_oracle.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		ID, GT, Pred string
		TEDS         float64
	}
	if err := json.Unmarshal(raw, &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) < 10 {
		t.Fatalf("%d pairs", len(rows))
	}
	for _, r := range rows {
		got, err := TEDS(context.Background(), ParseTables(r.Pred)[0], ParseTables(r.GT)[0], TEDSMode{PubTabNet: true})
		if err != nil || math.Abs(got-r.TEDS) > 1e-6 {
			t.Errorf("%s: %.9f, %v; printed %.9f", r.ID, got, err, r.TEDS)
		}
	}
}

func table(rows ...string) Table {
	var b strings.Builder
	b.WriteString("<table>")
	for _, r := range rows {
		b.WriteString("<tr>")
		for c := range strings.SplitSeq(r, "|") {
			b.WriteString("<td>" + c + "</td>")
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</table>")
	return ParseTables(b.String())[0]
}

// treeDistanceSlow is the textbook recursion on the last roots of two forests.
func treeDistanceSlow(a, b *tree) float64 {
	type key struct{ i, j, k, l int }
	memo := map[key]float64{}
	rename := func(x, y int) float64 {
		if a.label[x] != b.label[y] {
			return 1
		}
		if a.text[x] < 0 || b.text[y] < 0 {
			return 0
		}
		s, u := string(a.texts[a.text[x]]), string(b.texts[b.text[y]])
		if s == u {
			return 0
		}
		return 1 - tisRaw(s, u)
	}
	var f func(i, j, k, l int) float64 // forests [i,j) and [k,l)
	f = func(i, j, k, l int) float64 {
		if i == j {
			return float64(l - k)
		}
		if k == l {
			return float64(j - i)
		}
		at := key{i, j, k, l}
		if v, ok := memo[at]; ok {
			return v
		}
		x, y := j-1, l-1
		lx, ly := max(int(a.left[x]), i), max(int(b.left[y]), k)
		v := min(f(i, j-1, k, l)+1, f(i, j, k, l-1)+1, f(i, lx, k, ly)+f(lx, j-1, ly, l-1)+rename(x, y))
		memo[at] = v
		return v
	}
	return f(0, len(a.left), 0, len(b.left))
}

func TestTreeDistanceAgainstRecursion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) *tree {
			out := &tree{known: map[string]int32{}}
			var grow func(depth int)
			grow = func(depth int) {
				first := len(out.left)
				kids := 0
				if depth > 0 {
					kids = rapid.IntRange(0, 3).Draw(t, name)
				}
				for range kids {
					grow(depth - 1)
				}
				text, s := int32(-1), rapid.StringOfN(rapid.RuneFrom([]rune("ab")), 0, 3, -1).Draw(t, name)
				if kids == 0 {
					text = out.intern(s, []rune(s))
				}
				out.add(first, int32(rapid.IntRange(0, 1).Draw(t, name)), text)
			}
			grow(rapid.IntRange(1, 4).Draw(t, name))
			return out
		}
		a, b := draw("a"), draw("b")
		got, err := treeDistance(context.Background(), a, b, false)
		want := treeDistanceSlow(a, b)
		if err != nil || math.Abs(got-want) > 1e-6 {
			t.Fatalf("%v %v: %v, %v; want %v", a, b, got, err, want)
		}
		// within a limit: the distance where it is below the limit, else no less than the distance
		p := newTreePair(a, b, false)
		defer p.close()
		for limit := abs(p.n-p.m) + 1; limit <= p.n+p.m+1; limit++ {
			fixed, err := p.within(context.Background(), limit)
			d := float64(fixed) / float64(unit)
			if err != nil || d < want-1e-6 || want < float64(limit) && d > want+1e-6 {
				t.Fatalf("%v %v: %v within %d, %v; the distance is %v", a, b, d, limit, err, want)
			}
		}
	})
}

func TestTEDSLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) Table {
			var rows []string
			for range rapid.IntRange(1, 4).Draw(t, name) {
				rows = append(rows, rapid.StringOfN(rapid.RuneFrom([]rune("a1||")), 0, 6, -1).Draw(t, name))
			}
			return table(rows...)
		}
		a, b := draw("a"), draw("b")
		ctx := context.Background()
		for _, mode := range []TEDSMode{{}, {Structure: true}} {
			ab, err1 := TEDS(ctx, a, b, mode)
			ba, err2 := TEDS(ctx, b, a, mode)
			if err1 != nil || err2 != nil || math.Abs(ab-ba) > 1e-9 || ab < 0 || ab > 1 {
				t.Fatalf("%v and %v, %v, %v", ab, ba, err1, err2)
			}
			if same, _ := TEDS(ctx, a, a, mode); same != 1 {
				t.Fatalf("a table against itself gives %v", same)
			}
		}
	})
}

func TestTEDSLimits(t *testing.T) {
	big := table(strings.Split(strings.Repeat("x|\n", 3000)+"x", "\n")...)
	if _, err := TEDS(context.Background(), big, big, TEDSMode{}); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("a table of 9,000 nodes: %v, want an error", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := TEDS(ctx, table("a"), table("b"), TEDSMode{}); err == nil {
		t.Error("a context that has ended gives a score")
	}
	none := ParseTables("<table></table>")[0]
	if v, err := TEDS(context.Background(), none, none, TEDSMode{}); v != 1 || err != nil {
		t.Errorf("two empty tables: %v, %v", v, err)
	}
	if v, err := TEDS(context.Background(), none, table("a"), TEDSMode{}); v != 0 || err != nil {
		t.Errorf("empty against one cell: %v, %v", v, err)
	}
}

func TestParseTables(t *testing.T) {
	for markup, want := range map[string]string{
		"<table><tr><td>a<td>b<tr><td>c</table>":                                         "a|b/c",
		"<table><thead><tr><th> A  <b>x</b></th></tr></thead><tbody><tr><td>1</td>":      "A x/1",
		"<table><td>a</td><td>b</td></table>":                                            "a|b",
		"<p>no</p><table><tr><td>a<table><tr><td>in</td></tr></table></td></tr></table>": "a in",
		"<table><tr><td>a<br>b</td><td><p>c</p><p>d</p></td></tr></table>":               "a b|c d",
		"<table><caption>t</caption><tr><td>a &amp; b</td></tr></table>":                 "a & b",
		"<table><tr><td><script>x</script>ﬁ</td></tr></table>":                           "fi",
		"<table><tr></tr><tr><td></td></tr></table>":                                     "/",
	} {
		ts := ParseTables(markup)
		if len(ts) != 1 {
			t.Errorf("%q: %d tables", markup, len(ts))
			continue
		}
		var rows []string
		for _, r := range ts[0].Rows {
			var cells []string
			for _, c := range r {
				cells = append(cells, c.Text)
			}
			rows = append(rows, strings.Join(cells, "|"))
		}
		if got := strings.Join(rows, "/"); got != want {
			t.Errorf("%q gives %q, want %q", markup, got, want)
		}
	}
	if n := len(ParseTables("<table><tr><td>a</table> and <table>")); n != 2 {
		t.Errorf("%d tables, want 2", n)
	}
	if c := ParseTables(`<table><tr><td colspan="2" rowspan=x>a`)[0].Rows[0][0]; c.ColSpan != 2 || c.RowSpan != 1 {
		t.Errorf("spans %+v", c)
	}
}

func FuzzParseTables(f *testing.F) {
	f.Add("<table><tr><td>a<td colspan=2>b</table>")
	f.Add("<table><thead><tr><th>x</th></tr></thead><tr><td><table><td>y")
	f.Fuzz(func(t *testing.T, s string) {
		for _, x := range ParseTables(s) {
			for _, mode := range []TEDSMode{{}, {PubTabNet: true}} {
				if x.nodes() > 300 || x.raw.elements() > 300 {
					return
				}
				if v, err := TEDS(context.Background(), x, x, mode); err != nil || v != 1 {
					t.Fatalf("%q against itself: %v, %v", s, v, err)
				}
			}
		}
	})
}
