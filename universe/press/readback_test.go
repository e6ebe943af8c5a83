package press_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/tokens"
	"enterprisedocbench/metrics"
	"enterprisedocbench/parse"
	"enterprisedocbench/universe/press"

	"pgregory.net/rapid"
)

var engines = map[press.Format]parse.Parser{press.HTML: parse.HTML{}, press.Markdown: parse.Markdown{}, press.Text: parse.Text{}}

// readBack reads a printed document with the engine of its format.
func readBack(t testing.TB, p press.Printed, f press.Format) edb.Parsed {
	t.Helper()
	path := filepath.Join(t.TempDir(), "doc"+p.Ext)
	if err := os.WriteFile(path, p.Content, 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := engines[f].Parse(t.Context(), parse.Source{Path: path})
	if err != nil {
		t.Fatalf("%s: %v\n%s", f, err, p.Content)
	}
	return got
}

// rowsOf leaves out the marks of head and body, which our engines do not give.
var rowsOf = strings.NewReplacer("<thead>", "", "</thead>", "", "<tbody>", "", "</tbody>", "")

// seen is the gold as an engine may see it: the HTML engine leaves SVG out, so that the labels of
// drawn charts are missing there and nowhere else.
func seen(gold edb.Parsed, f press.Format) edb.Parsed {
	out := edb.Parsed{Pages: []edb.Page{{Number: 1}}}
	for _, e := range gold.Elements {
		if f == press.HTML && e.Kind == edb.KindFigure {
			e.Text = ""
		}
		out.Pages[0].Elements = append(out.Pages[0].Elements, e)
	}
	return out
}

func TestOwnEnginesReadTheGoldBack(t *testing.T) {
	for name, s := range map[string]press.Story{"sample": sample(), "letter": letter(3), "paper": paper(4)} {
		for f := range engines {
			p, err := press.Print(s, f)
			if err != nil {
				t.Fatal(err)
			}
			got, want := readBack(t, p, f), seen(p.Gold, f)
			if tis := metrics.TIS(got.Text(), want.Text()); tis != 1 {
				t.Errorf("%s, %s: TIS %.4f\n got %q\nwant %q", name, f, tis, got.Text(), want.Text())
			}
			if f == press.HTML {
				if tis := metrics.TIS(got.Text(), p.Gold.Text()); (tis == 1) != (want.Text() == p.Gold.Text()) {
					t.Errorf("%s: TIS %.4f although charts are SVG", name, tis)
				}
			}
			if f == press.Text {
				continue // plain text has one kind of element
			}
			var a, b []string
			for _, e := range want.Elements {
				a = append(a, e.Kind+" "+tokens.Normalize(e.Text)+" "+rowsOf.Replace(e.HTML))
			}
			for _, e := range got.Elements {
				b = append(b, e.Kind+" "+tokens.Normalize(e.Text)+" "+e.HTML)
			}
			if x, y := strings.Join(a, "\n"), strings.Join(b, "\n"); x != y {
				t.Errorf("%s, %s: elements\n%s\n----- want\n%s", name, f, y, x)
			}
		}
	}
}

// odd are texts that mean something to readers of Markdown or HTML unless they are escaped.
var odd = []string{

	"1. A number", "- A dash", "+ plus", "# hash", "> quote", "a * b * c", "snake_case and _this_", "[a](b) ![c](d) [^1]", "`code` ``",
	"<b>bold</b> & &amp; &#65; &copy;", "a | b", "$5 and $6", "$x$ and $y$", "$$z$$", "~~gone~~", `back\slash \* end\`, "***", "---", "===", "12) item",
	"a@b.example and http://x.example/a_b_c?d=*e*", "www.example.org/_a_", ": colon", "{#id} {.class} {a=b}", "a  b\tc\nd", "“quoted” – dash", "1.", "`",
	"\\[x\\]", "!", "trailing #", "# #", "a\\", "<!-- c -->", "--", "|", "||", "Q&A; R&D &lt;", "_a", "a_", "*", "**a**b", "&", "a :: b", "x{y}z", "^a^ ~b~",
}

func TestOddTextsComeBack(t *testing.T) {
	for _, text := range odd {
		s := everywhere(press.Escape(text), false)
		for f := range engines {
			p, err := press.Print(s, f)
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			if got, want := tokens.Normalize(readBack(t, p, f).Text()), tokens.Normalize(seen(p.Gold, f).Text()); got != want {
				t.Errorf("%q in %s:\n got %q\nwant %q\nfile %s", text, f, got, want, p.Content)
			}
		}
	}
}

// Any string of characters that mean something to readers of Markdown or HTML comes back.
func TestMarksComeBack(t *testing.T) {
	runes := rapid.SampledFrom([]rune("ab 1.-+*_`[](){}<>&#!|~$\\=:@/\"';^%,wé?tp"))
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.StringOfN(runes, 1, 14, -1).Draw(r, "text")
		if beyond.MatchString(strings.TrimSpace(text)) {
			return
		}
		s := everywhere(press.Escape(text), false)
		for f := range engines {
			p, err := press.Print(s, f)
			if err != nil {
				continue // white space alone
			}
			if got, want := tokens.Normalize(readBack(t, p, f).Text()), tokens.Normalize(seen(p.Gold, f).Text()); got != want {
				r.Fatalf("%q in %s:\n got %q\nwant %q", text, f, got, want)
			}
		}
	})
}

// everywhere is a story that has a text at every place. Captions come with tables, where a text may
// be taken for one itself: they are left out unless asked for.
func everywhere(text string, captions bool) press.Story {
	caption := "The caption"
	if captions {
		caption = text
	}
	return press.Story{ID: "d", Title: text, Head: "head", Foot: "foot", Blocks: []press.Block{
		{Kind: edb.KindHeading, Level: 2, Text: text},
		{Kind: edb.KindParagraph, Text: text},
		{Kind: edb.KindParagraph, Text: "Before " + text},
		{Kind: edb.KindHeading, Level: 3, Text: "Between"},
		{Kind: edb.KindListItem, Text: text},
		{Kind: edb.KindListItem, Level: 2, Text: text + " and more"},
		{Kind: edb.KindParagraph, Text: text + " after"},
		{Kind: edb.KindFootnote, Text: text},
		{Kind: edb.KindCode, Text: text},
		{Kind: edb.KindParagraph, Text: "Table"},
		{Kind: edb.KindTable, Table: &press.Table{Caption: caption, Header: []string{"A", text}, Rows: [][]string{{text, "b"}, {"c", text + " d"}}}},
		{Kind: edb.KindFigure, Chart: &press.Chart{Caption: text + " x", Kind: press.Bars, Labels: []string{text}, Values: []float64{1}, Printed: []string{"1"}}},
		{Kind: edb.KindParagraph, Text: "The end"},
	}}
}
