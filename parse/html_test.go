package parse

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/internal/testdata"
)

// lines writes elements for comparison: ID, kind, level, target of a caption, text.
func lines(p edb.Parsed) []string {
	var out []string
	for _, e := range p.Elements {
		s := e.Kind
		if e.Level > 0 {
			s += string(rune('0' + e.Level))
		}
		if e.CaptionOf != "" {
			s += " of " + e.CaptionOf
		}
		if e.Kind == edb.KindFigure || e.Kind == edb.KindTable {
			s = e.ID + " " + s
		}
		out = append(out, s+": "+e.Text)
	}
	return out
}

func compareLines(t *testing.T, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		g, w := "nothing", "nothing"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("element %d:\n got %q\nwant %q", i+1, g, w)
		}
	}
}

// What is wanted of the files in testdata was written by hand from the files.
func TestHTMLPage(t *testing.T) {
	p, err := ReadFile("testdata/page.html")
	if err != nil {
		t.Fatal(err)
	}
	compareLines(t, lines(p), []string{
		"header: Site name",
		"header: Home",
		"header: About",
		"heading1: Annual report",
		"paragraph: First line second line, boldly.",
		"heading2: Results",
		"list-item: one",
		"list-item: one a",
		"list-item: two",
		"caption of p1e11: Table 1. Sales",
		"p1e11 table: Region\tYear\n2024\t2025\nNorth & East\t1,200\t1,300",
		"p1e12 figure: A bar chart",
		"caption of p1e12: Figure 1. Sales by year",
		"p1e14 figure: ",
		"caption of p1e14: Figure 2. Drawn by a script",
		"code: if x {\n    go()\n}",
		"footnote: A note.",
		"footer: Page 3 of 9",
	})
	if p.Paged || len(p.Pages) != 1 || p.Pages[0].Number != 1 {
		t.Errorf("paged %v, %d pages", p.Paged, len(p.Pages))
	}
	want := `<table><tr><th rowspan="2">Region</th><th colspan="2">Year</th></tr><tr><th>2024</th><th>2025</th></tr>` +
		`<tr><td>North &amp; East</td><td>1,200</td><td>1,300</td></tr></table>`
	if got := p.Pages[0].Elements[10].HTML; got != want {
		t.Errorf("table\n got %s\nwant %s", got, want)
	}
}

func TestHTMLPieces(t *testing.T) {
	cases := []struct {
		name, in string
		want     []string
	}{
		{"layout table", `<table><tr><td><h2>A</h2>b</td><td><table><tr><td>c</td></tr></table></td></tr></table>`, []string{"heading2: A", "paragraph: b", "p1e3 table: c"}},
		{"layout role", `<table role=presentation><tr><td>a</td><td>b</td></tr></table>`, []string{"paragraph: a", "paragraph: b"}},
		{"spans that are none", `<table><tr><td colspan="0">a</td><td rowspan="9999999">b</td><td colspan="x">c</td></tr></table>`, []string{"p1e1 table: a\tb\tc"}},
		{"rows without tbody end", `<table><tr><td>a<td>b<tr><td>c`, []string{"p1e1 table: a\tb\nc"}},
		{"table without rows", `<table></table>x`, []string{"paragraph: x"}},
		{"cell of blocks", `<table><tr><td><p>a</p><p>b</p></td><td>c<br>d</td></tr></table>`, []string{"p1e1 table: a b\tc d"}},
		{"text around blocks", `a<div>b</div>c<p>d`, []string{"paragraph: a", "paragraph: b", "paragraph: c", "paragraph: d"}},
		{"text after a sublist", `<ul><li>a<ul><li>b</li></ul>c</li></ul>`, []string{"list-item: a", "list-item: b", "list-item: c"}},
		{"ornament", `<p>a<img src=x.gif>b</p>`, []string{"paragraph: ab"}},
		{"formula", `<p>a</p><math display=block><mi>x</mi><annotation>\x</annotation></math>`, []string{"paragraph: a", "formula: x"}},
		{"roles", `<div role=banner>a</div><div role=contentinfo>b</div><div role=navigation><p>c</p></div>`, []string{"header: a", "footer: b", "header: c"}},
		{"table in the footer", `<body><footer><table><tr><td>a</td><td>b</td></tr></table></footer></body>`, []string{"footer: a b"}},
		{"nothing", `<html><body><script>x</script></body></html>`, nil},
		{"inline XBRL header", `<div style="DISPLAY: none"><ix:header>facts</ix:header></div><p><ix:nonFraction>12</ix:nonFraction>%</p>`, []string{"paragraph: 12%"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p, err := parseHTML([]byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			compareLines(t, lines(p), c.want)
			if p.Pages[0].NoText != (p.Text() == "") {
				t.Errorf("no text: %v", p.Pages[0].NoText)
			}
		})
	}
}

func TestHTMLEncodings(t *testing.T) {
	cases := []struct{ name, in, want, warning string }{
		{"utf-8", "<p>caf\u00e9", "caf\u00e9", ""},
		{"mark", "\xef\xbb\xbf<p>caf\u00e9", "caf\u00e9", ""},
		{"utf-16", "\xff\xfe<\x00p\x00>\x00\xe9\x00", "\u00e9", ""},
		{"declared", "<meta charset=iso-8859-2><p>\xb1", "\u0105", "not UTF-8: read as iso-8859-2"},
		{"undeclared", "<p>caf\xe9 \x80", "caf\u00e9 \u20ac", "not UTF-8: read as windows-1252"},
	}
	for _, c := range cases {
		p, err := parseHTML([]byte(c.in))
		if err != nil || p.Text() != c.want || strings.Join(p.Warnings, ";") != c.warning {
			t.Errorf("%s: %q, %q, %v, want %q, %q", c.name, p.Text(), p.Warnings, err, c.want, c.warning)
		}
	}
	if _, err := parseHTML([]byte("<p>\x00\x01\x02\x03")); kindOf(err) != Damaged {
		t.Errorf("bytes that are no text: %v", err)
	}
}

// Nesting deeper than the reader follows must be said, not cut off in silence.
func TestHTMLDeep(t *testing.T) {
	in := strings.Repeat("<div>", 20000) + "deep" + strings.Repeat("</div>", 20000)
	p, err := parseHTML([]byte(in))
	if err == nil && p.Text() != "deep" {
		t.Errorf("text %q and no error", p.Text())
	}
	if err != nil && kindOf(err) != Damaged {
		t.Errorf("error %v", err)
	}
}

// The tables that a public benchmark's pages were made into by four tools are all read.
func TestHTMLTablesReadBack(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testdata.Data(t, "dpbench"), "prediction_docling", "*", "*.md"))
	if err != nil || len(files) == 0 {
		files, _ = filepath.Glob(filepath.Join(testdata.Data(t, "dpbench"), "*", "*.md"))
	}
	if len(files) == 0 {
		t.Skip("the folder holds no Markdown")
	}
	slices.Sort(files)
	tables := 0
	for _, f := range files[:min(len(files), 60)] {
		p, err := ReadFile(f)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		for _, e := range p.Elements {
			if e.Kind != edb.KindTable {
				continue
			}
			tables++
			back, ok := readTable(e.HTML)
			if !ok || back.html() != e.HTML || back.text() != e.Text {
				t.Errorf("%s: table %s does not read back", f, e.ID)
			}
		}
	}
	if tables == 0 {
		t.Errorf("no table in %d files", len(files))
	}
}

func FuzzHTML(f *testing.F) {
	for _, name := range []string{"testdata/page.html", "testdata/report.html"} {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte("<table><caption>a<tr><td colspan=2>b<table><tr><td>c"))
	f.Add([]byte(`<div style="display:none"><ix:header><ix:hidden><ix:nonNumeric name="a">b</ix:nonNumeric></ix:hidden></ix:header></div><table><tr><td>Cash<td><ix:nonFraction name="c" scale="6" sign="-">1,2</ix:nonFraction></table>`))
	f.Add([]byte("<figure><figcaption>a<figure><img alt=b><figcaption>c"))
	f.Add([]byte(ixPage))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := engineReads(t, b, parseHTML)
		if err != nil {
			return
		}
		for _, x := range p.Tagged {
			if x.Element != "" && printedAt(p, x) == "" {
				t.Errorf("the fact %+v stands nowhere", x)
			}
		}
		for _, e := range p.Elements {
			if e.Kind != edb.KindTable {
				continue
			}
			if back, ok := readTable(e.HTML); !ok || back.html() != e.HTML {
				t.Errorf("table %q does not read back", e.HTML)
			}
		}
	})
}
