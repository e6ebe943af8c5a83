package parse

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"enterprisedocbench"
)

func put(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadFile(t *testing.T) {
	const table = "<table><tr><td>a</td><td>b</td></tr></table>"
	cases := []struct {
		name, content string
		want          []string
		paged         bool
	}{
		{"a.txt", "one\n\ntwo", []string{"paragraph: one", "paragraph: two"}, false},
		{"table.txt", " " + table + "\n", []string{"p1e1 table: a\tb"}, false},
		{"table.html", table, []string{"p1e1 table: a\tb"}, false},
		{"table.md", table, []string{"p1e1 table: a\tb"}, false},
		{"A.MD", "# H\n\nt", []string{"heading1: H", "paragraph: t"}, false},
		{"a.htm", "<h2>H</h2>t", []string{"heading2: H", "paragraph: t"}, false},
		{"noext", "t", []string{"paragraph: t"}, false},
		{"empty.md", "\n", nil, false},
		{"gold.json", `{"pages":[{"number":2,"elements":[{"kind":"heading","text":"H","level":2}]}]}`, []string{"heading2: H"}, true},
		{"one.json", `{"pages":[{"number":1,"elements":[{"kind":"paragraph","text":"the \"paged\" word"}]}]}`, []string{`paragraph: the "paged" word`}, true},
		{"unpaged.json", "\xef\xbb\xbf" + `{"paged":false,"pages":[{"number":1,"elements":[]}]}`, nil, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p, err := ReadFile(put(t, c.name, c.content))
			if err != nil {
				t.Fatal(err)
			}
			compareLines(t, lines(p), c.want)
			if p.Paged != c.paged || len(p.Pages) != 1 {
				t.Errorf("paged %v, %d pages", p.Paged, len(p.Pages))
			}
		})
	}
}

func TestReadFileErrors(t *testing.T) {
	cases := []struct{ name, content, want string }{
		{"a.json", "{\"pages\":[\n{\"number\":1,\n\"elements\":7}]}", "line 3: not the element layout"},
		{"a.json", "{\"pages\":\n[}", "line 2: not the element layout"},
		{"a.json", "", "line 1: not the element layout"},
		{"a.json", "{\"pages\":[]}", "line 1: no pages"},
		{"a.json", "[]", "line 1: not the element layout"},
		{"a.json", "{\"pages\":[{\"number\":1,\"elements\":[]}]}\n{}", "line 2: more stands behind the document"},
		{"a.json", `{"pages":[{"number":0,"elements":[]}]}`, "entry 1 of pages has number 0: physical pages count from 1"},
		{"a.json", `{"pages":[{"number":2,"elements":[]},{"number":2,"elements":[]}]}`, "entry 2 of pages has number 2"},
		{"a.json", `{"pages":[{"number":3,"elements":[{"kind":"heading"},{"kind":"title"}]}]}`, `page 3, element 2: kind "title" is not one of heading, paragraph`},
		{"a.json", `{"pages":[{"number":1,"elements":[{"kind":"table","id":"a"},{"kind":"table","id":"a"}]}]}`, `page 1, element 2: id "a" is given twice`},
		{"a.json", `{"pages":[{"number":1,"elements":[{"kind":"table","box":[5,5,1,9]}]}]}`, "page 1, element 1: box [5 5 1 9] is not"},
		{"a.json", `{"paged":false,"pages":[{"number":1,"elements":[]},{"number":2,"elements":[]}]}`, `"paged" is false but there are 2 pages`},
		{"a.docx", "PK", `files ending in ".docx" are not read: use .json, .md, .html, .txt, .doctags or .hocr`},
		{"a.txt", "\x00\x01\x02", "the file is not text"},
	}
	for _, c := range cases {
		path := put(t, c.name, c.content)
		_, err := ReadFile(path)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s %q: %v, want the path and %q", c.name, c.content, err, c.want)
		}
	}
	if _, err := ReadFile(filepath.Join(t.TempDir(), "none.md")); err == nil {
		t.Error("a missing file was read")
	}
}

func FuzzReadJSON(f *testing.F) {
	f.Add([]byte(`{"pages":[{"number":1,"width":10,"elements":[{"kind":"table","text":"a\tb","html":"<table>","box":[0,0,1,1]}]}]}`))
	f.Add([]byte(`{"paged":false,"pages":[{"number":1}]}`))
	f.Add([]byte("[\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := readJSON(b)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without words")
			}
			return
		}
		for i, pg := range p.Pages {
			if pg.Number < 1 || i > 0 && pg.Number <= p.Pages[i-1].Number {
				t.Errorf("page %d has number %d", i+1, pg.Number)
			}
		}
		back, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		again, err := readJSON(back)
		if err != nil {
			t.Fatalf("what was read and written is not read again: %v", err)
		}
		if again.Text() != p.Text() || again.Paged != p.Paged {
			t.Error("what was read and written differs")
		}
	})
}

func TestOracle(t *testing.T) {
	o := Oracle{Gold: func(doc string) (edb.Parsed, error) {
		if doc != "d" {
			return edb.Parsed{}, fail(Missing, "no gold")
		}
		return paged("gold"), nil
	}}
	p, err := o.Parse(t.Context(), Source{Doc: edb.Document{ID: "d"}})
	if err != nil || p.Doc != "d" || p.Engine != "oracle@1" || p.Text() != "text of gold" {
		t.Errorf("got %+v, %v", p, err)
	}
	if _, err := o.Parse(t.Context(), Source{Doc: edb.Document{ID: "x"}}); kindOf(err) != Missing {
		t.Errorf("no gold: %v", err)
	}
}
