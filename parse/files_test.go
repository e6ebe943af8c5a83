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
		{"a.doctags.txt", "<text>t</text>", []string{"paragraph: t"}, false},
		{"a.DT", "<doctag><text>t</text></doctag>", []string{"paragraph: t"}, false},
		{"a.markdown", "# H", []string{"heading1: H"}, false},
		{"a.xhtml", "<h2>H</h2>", []string{"heading2: H"}, false},
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
		{"a.json", "{\"pages\":[\n{\"number\":1,\n\"elements\":7}]}", ":3: pages[0].elements: is a number, not a list: write a list"},
		{"a.json", "{\"pages\":\n[}", ":2: is no JSON: "},
		{"a.json", "", ":1: is empty: write "},
		{"a.json", "{\"pages\":[]}", ":1: has no pages: "},
		{"a.json", "[]", ":1: is a list, not an object: write an object"},
		{"a.json", "{\"pages\":[{\"number\":1,\"elements\":[]}]}\n{}", ":2: more than one JSON value: keep one"},
		{"a.json", `{"pages":[{"number":1,"elements":[{"kind":"paragraph","tekst":"x"}]}]}`, `:1: unknown key "pages[0].elements[0].tekst": use `},
		{"a.json", "{\"pages\":[{\"number\":3,\"elements\":[{\"kind\":\"heading\"},\n{\"kind\":\"title\"},{\"kind\":\"x\"}]}]}", `:2: page 3, element 2: kind is "title": use heading, `},
		{"a.json", `{"schema_name":"DoclingDocument","texts":7}`, ":1: not a DoclingDocument: texts: number does not belong here"},
		{"a.docx", "PK", ": has the ending of no form that is read: use .json, .md, "},
		{"noext", "t", ": has the ending of no form that is read: use .json, .md, "},
		{"a.txt", "\x00\x01\x02", ": the file is not text: 3 of its 3 bytes are control bytes: make it again as text"},
	}
	for _, c := range cases {
		path := put(t, c.name, c.content)
		_, err := ReadFile(path)
		if err == nil || !strings.HasPrefix(err.Error(), path+c.want) || strings.Contains(err.Error(), "Go ") {
			t.Errorf("%s %q: %v, want the path and %q", c.name, c.content, err, c.want)
		}
	}
	none := filepath.Join(t.TempDir(), "none.md")
	if _, err := ReadFile(none); err == nil || err.Error() != none+": cannot be read: no such file or directory: name a file that is there" {
		t.Errorf("a missing file: %v", err)
	}
}

func TestStem(t *testing.T) {
	for name, want := range map[string]string{"a.b.json": "a.b", "a.doctags.txt": "a", "A.XHTML": "A", "a.pdf": "", "json": "", ".json": "", "a.txt.gz": ""} {
		stem, ok := Stem(name)
		if ok != (want != "") || ok && stem != want || !ok && stem != name {
			t.Errorf("%s: %q, %v", name, stem, ok)
		}
	}
	for _, e := range Endings() {
		if stem, ok := Stem("x" + e); !ok || stem != "x" {
			t.Errorf("x%s: %q, %v", e, stem, ok)
		}
	}
}

func TestStoredTakesTheFirstEnding(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.xhtml", "a.txt", "d%2Fb.dt", "file.markdown"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range [][3]string{{"a", "x.pdf", "a.xhtml"}, {"d/b", "", "d%2Fb.dt"}, {"q", "files/file.pdf", "file.markdown"}, {"q", "", ""}, {"..", "", ""}} {
		want := ""
		if c[2] != "" {
			want = filepath.Join(dir, c[2])
		}
		if got := Stored(dir, c[0], c[1]); got != want {
			t.Errorf("%q of %q: %q, want %q", c[0], c[1], got, want)
		}
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
