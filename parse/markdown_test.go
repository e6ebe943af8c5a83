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

// What is wanted was written by hand from testdata/paper.md; dashes and quotes are those that
// pandoc 3 prints with its default extension smart.
func TestMarkdownPaper(t *testing.T) {
	p, err := ReadFile("testdata/paper.md")
	if err != nil {
		t.Fatal(err)
	}
	compareLines(t, lines(p), []string{
		"heading1: A tool\u2019s story \u2013 told",
		"paragraph: Two lines of abstract.",
		"heading1: Summary",
		"paragraph: It\u2019s a \u201csmall\u201d tool [@key2020; see @other, p. 3] with $a_i * b_i$ and $5 or $6 \u2013 see \\autoref{fig:one}. " +
			"The next line_here & there, bold and code -- \"as is\".",
		"formula: $$\nE = mc^2\n= x_1 * y_1\n$$",
		"formula: \\begin{equation}\na_1\n\nb_1\n\\end{equation}",
		"p1e7 figure: ",
		"caption of p1e7: The workflow of the tool.",
		"caption of p1e9: Names and values.",
		"p1e9 table: Name\tValue\n\u03b1\t1\nb\t$x",
		"caption of p1e12: Before the table.",
		"p1e12 table: c\td",
		"p1e13 table: Head\n1\t2",
		"list-item: first continued",
		"list-item: inner",
		"list-item: second",
		"code: x = \"$a$\"",
		"paragraph: quoted",
		"footnote: The note.",
	})
	if got := p.Pages[0].Elements[12].HTML; got != `<table><tr><th colspan="2">Head</th></tr><tr><td>1</td><td>2</td></tr></table>` {
		t.Errorf("HTML table: %s", got)
	}
}

func TestMarkdownPieces(t *testing.T) {
	cases := []struct {
		name, in string
		want     []string
	}{
		{"no head, no smart quotes", "It's \"x\" -- y", []string{`paragraph: It's "x" -- y`}},
		{"smart after markup", "---\ntitle: T\n---\n`x`'s *a*'s (\"b\")", []string{"heading1: T", "paragraph: x\u2019s a\u2019s (\u201cb\u201d)"}},
		{"rule is no head", "---\n\ntext\n\n---\n\nmore", []string{"paragraph: text", "paragraph: more"}},
		{"head without end", "---\ntitle: a\n\ntext", nil},
		{"braces in a formula", "with $\\sum_{i=1}^n x_{j=2}$ in it", []string{`paragraph: with $\sum_{i=1}^n x_{j=2}$ in it`}},
		{"formula over lines", "a $x\ny$ b", []string{"paragraph: a $x y$ b"}},
		{"formula alone", "$$a_1*b_1*c$$", []string{"formula: $$a_1*b_1*c$$"}},
		{"formula without end", "$$\na\n\nb", []string{"paragraph: $$ a", "paragraph: b"}},
		{"money", "from $5 to $10", []string{"paragraph: from $5 to $10"}},
		{"escaped dollar", `\$5 and $a\$b$`, []string{`paragraph: $5 and $a\$b$`}},
		{"caption on the next line", "| a | b |\n|---|---|\n| 1 | 2 |\nTable: Numbers.", []string{"caption of p1e1: Numbers.", "p1e1 table: a\tb\n1\t2"}},
		{"two images", "![one](a.png)\n![two](b.png)", []string{"p1e1 figure: ", "caption of p1e1: one", "p1e3 figure: ", "caption of p1e3: two"}},
		{"image in text", "see ![one](a.png) here", []string{"paragraph: see one here"}},
		{"HTML table with a caption", "x\n\n<table><caption>C</caption><tr><td>1</td></tr></table>\n\ny", []string{"paragraph: x", "caption of p1e3: C", "p1e3 table: 1", "paragraph: y"}},
		{"setext", "Title\n=====\n\nSub\n---", []string{"heading1: Title", "heading2: Sub"}},
		{"listing", "\\begin{lstlisting}\n# not a heading\n\\end{lstlisting}\n\nafter", []string{"code: \\begin{lstlisting}\n# not a heading\n\\end{lstlisting}", "paragraph: after"}},
		{"task and link", "- [x] done [there](http://a.b)", []string{"list-item: done there"}},
		{"comment", "a\n\n<!-- no -->\n\nb", []string{"paragraph: a", "paragraph: b"}},
		{"entities", "&lt;b&gt; &#65; \\*", []string{"paragraph: <b> A *"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p, err := parseMarkdown([]byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			if c.want == nil { // a text in which nothing may get lost
				if !strings.Contains(p.Text(), "title: a") || !strings.Contains(p.Text(), "text") {
					t.Errorf("text %q", p.Text())
				}
				return
			}
			compareLines(t, lines(p), c.want)
		})
	}
}

// Sources of published papers: the title comes from the head, every heading of the source is one, no
// formula loses a character, every image that stands alone is a figure with its caption.
func TestMarkdownPapers(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testdata.Data(t, "joss"), "*.md"))
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	slices.Sort(files)
	for _, f := range files {
		if filepath.Base(f) == "README.md" {
			continue
		}
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		p, err := ReadFile(f)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		holds(t, p)
		head, body, ok := yamlHead(string(b))
		els := p.Pages[0].Elements
		if !ok || head["title"] == "" || els[0].Kind != edb.KindHeading || els[0].Level != 1 {
			t.Errorf("%s: title %q, first element %+v", f, head["title"], els[0])
		}
		want, figures, fence := 1, 0, false
		for line := range strings.Lines(body) {
			switch {
			case strings.HasPrefix(strings.TrimSpace(line), "```"):
				fence = !fence
			case !fence && strings.HasPrefix(line, "#"):
				want++
			case strings.HasPrefix(line, "!["):
				figures++
			}
		}
		got, captions := 0, 0
		for _, e := range els {
			switch {
			case e.Kind == edb.KindHeading:
				got++
			case e.Kind == edb.KindCaption && e.CaptionOf != "":
				captions++
			}
		}
		if got != want || captions < figures {
			t.Errorf("%s: %d headings, want %d; %d captions, want at least %d", f, got, want, captions, figures)
		}
		if a, b := strings.Count(body, "$"), strings.Count(p.Text(), "$"); a != b {
			t.Errorf("%s: %d dollar signs of %d are left", f, b, a)
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	b, err := os.ReadFile("testdata/paper.md")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte("---\ntitle: >\n  a\n---\n$$\n"))
	f.Add([]byte("> $$\n> a\n$$\n- \\begin{align*}\n"))
	f.Add([]byte("|a|\n|-|\n|b|\nTable: c\n\n<table>\n\n<tr><td>[^1]\n\n[^1]: $x\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		engineReads(t, b, parseMarkdown)
	})
}
