package datasets

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	edb "enterprisedocbench"

	"pgregory.net/rapid"

	"enterprisedocbench/internal/elements"
)

func TestFileName(t *testing.T) {
	for id, want := range map[string]string{
		"plain-1.b":          "plain-1.b",
		"edgar/0000320193":   "edgar%2F0000320193",
		"../x":               "%2E.%2Fx",
		"..":                 "%2E.",
		"a b\"c'\nd":         "a%20b%22c%27%0Ad",
		"договор №5":         "договор%20%E2%84%965",
		"契約書":                "契約書",
		"100%":               "100%25",
		"bad\xffbyte":        "bad%FFbyte",
		"C:\\x":              "C%3A%5Cx",
		"re\u0301sume\u0301": "re\u0301sume\u0301",
	} {
		if got := FileName(id); got != want {
			t.Errorf("FileName(%q) = %q, want %q", id, got, want)
		}
	}
	long := strings.Repeat("ж", 300)
	if a, b := FileName(long), FileName(long+"x"); len(a) > maxName || a == b || !utf8.ValidString(a) {
		t.Errorf("long names: %q %q", a, b)
	}
}

func TestIDsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.StringN(1, 40, -1).Draw(t, "id")
		if esc := EscapeID(id); unescapeID(esc) != id || len(strings.Fields(esc)) != 1 || strings.Contains(esc, "#") {
			t.Fatalf("%q -> %q -> %q", id, esc, unescapeID(esc))
		}
		if name := FileName(id); !filepath.IsLocal(name) || strings.ContainsAny(name, "/\\\n\" ") || len(name) > maxName {
			t.Fatalf("file name %q", name)
		}
		page := rapid.IntRange(1, 1e6).Draw(t, "page")
		if d, n, ok := splitPageID(edb.PageID(id, page)); d != id || n != page || !ok {
			t.Fatalf("page id of %q: %q %d", id, d, n)
		}
	})
}

// TestStrangeIDsSurvive writes and opens datasets whose IDs are any text at all.
func TestStrangeIDsSurvive(t *testing.T) {
	n := 0
	root := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		n++
		ids := rapid.SliceOfNDistinct(rapid.StringN(1, 12, 60).Filter(func(s string) bool { return badID(s) == "" }), 1, 4,
			func(s string) string { return strings.ToLower(FileName(s)) }).Draw(rt, "ids")
		dir := filepath.Join(root, fmt.Sprint(n))
		w, err := Create(dir, Info{Name: "x"})
		if err != nil {
			rt.Fatal(err)
		}
		for i, id := range ids {
			if err := w.AddDocument(edb.Document{ID: id, Path: "x.txt", Gold: "human", Licence: licence}, []byte("x"), goldOf("täxt")); err != nil {
				rt.Fatal(err)
			}
			q := edb.Question{ID: id, Text: "?", Evidence: []edb.Evidence{{Doc: ids[len(ids)-1-i], Page: 1, Start: 1, End: 3, Quote: "äx"}}}
			if err := w.AddQuestion(q); err != nil {
				rt.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			rt.Fatal(err)
		}
		if faults, err := Check(dir); err != nil || len(faults) > 0 {
			rt.Fatal(err, faults)
		}
		d, err := Open(dir)
		if err != nil {
			rt.Fatal(err)
		}
		for _, q := range d.Questions {
			if d.Qrels[q.ID][edb.PageID(q.Evidence[0].Doc, 1)] != 1 {
				rt.Fatalf("judgement of %q is lost: %v", q.ID, d.Qrels)
			}
			if g, ok, err := d.Gold(q.Evidence[0].Doc); err != nil || !ok || g.Doc != q.Evidence[0].Doc {
				rt.Fatal(g, ok, err)
			}
		}
	})
}

func TestGoldComesBack(t *testing.T) {
	p := *goldOf("one\ntwo", "drei <&> \u2028")
	p.Pages[0].Elements[0].Lines = []edb.Line{{Text: "one", Box: &edb.Box{1, 2, 3, 4}}, {Text: "two"}}
	p.Mask = []string{"formula"}
	raw := encodeGold(p)
	got, found := elements.Strict(raw)
	if len(found) > 0 || !reflect.DeepEqual(got, p) {
		t.Errorf("got %+v, %v", got, found)
	}
}

// FuzzDocumentLine holds that a line of documents.jsonl is read or refused with a reason, and that
// what is read without fault is what encoding/json reads.
func FuzzDocumentLine(f *testing.F) {
	f.Add(`{"id":"a","path":"files/a.pdf","pages":2,"licence":{"spdx":"MIT"},"layout":{"tables":1}}`)
	f.Add(`{"id":"a","id":"b"}`)
	f.Add(`{"ID":1,"pages":1.5,"layout":null,"source":[]}`)
	f.Add(`[[[`)
	f.Add(`{"id":"a"} x`)
	f.Fuzz(func(t *testing.T, s string) {
		v, faults := decodeRow[edb.Document]([]byte(s), reflect.TypeFor[edb.Document]())
		for _, x := range faults {
			if x.Problem == "" || x.Fix == "" {
				t.Fatalf("a fault without words: %+v", x)
			}
		}
		if len(faults) > 0 {
			return
		}
		var want edb.Document
		if err := json.Unmarshal([]byte(s), &want); err != nil || v == nil || !reflect.DeepEqual(*v, want) {
			t.Fatalf("%q: %+v, %v", s, v, err)
		}
		documentFaults(*v)
	})
}

func FuzzGold(f *testing.F) {
	f.Add(string(encodeGold(*goldOf("a", "b"))))
	f.Add(`{"pages":[{"number":-1,"elements":[{"kind":"x","box":[1,2]}]}]}`)
	f.Add(`{"pages":[{"number":1,"elements":[{"kind":"table","box":[1e308,2,-1e308,4],"lines":[{"text":"x"}]}]}]}`)
	f.Fuzz(func(t *testing.T, s string) {
		p, found := elements.Decode([]byte(s))
		if len(found) > 0 {
			return
		}
		goldFaults(edb.Document{Pages: 1}, p)
		if again, found := elements.Decode(encodeGold(p)); len(found) > 0 || again.Text() != p.Text() || len(again.Pages) != len(p.Pages) {
			t.Fatalf("%q does not come back: %v", s, found)
		}
	})
}

func FuzzInfo(f *testing.F) {
	f.Add("name: x\nseed: 7\nsplits: {test: 1}\nmask:\n  - {documents: \"*\", leave_out: [formula]}\n")
	f.Add("a: &a [*a]")
	f.Add("---\n---\n")
	f.Add("name: [")
	f.Fuzz(func(t *testing.T, s string) {
		info, faults := parseInfo([]byte(s))
		for _, x := range faults {
			if x.Problem == "" || x.Line < 1 {
				t.Fatalf("a fault without place or words: %+v", x)
			}
		}
		info.mask("some/document")
	})
}

func FuzzQrel(f *testing.F) {
	f.Add("q 0 d#1 1")
	f.Add("q%20x 0 d%23#2 -1")
	f.Add("q 0 #1 1")
	f.Fuzz(func(t *testing.T, s string) {
		q, page, grade, problem, fix := parseQrel(s)
		if (problem == "") != (fix == "") {
			t.Fatalf("%q: %q %q", s, problem, fix)
		}
		if problem != "" || badID(q) != "" {
			return
		}
		m := map[string]map[string]int{q: {page: grade}}
		line := strings.TrimSuffix(string(encodeQrels(m)), "\n")
		if q2, p2, g2, problem, _ := parseQrel(line); q2 != q || p2 != page || g2 != grade || problem != "" {
			t.Fatalf("%q -> %q -> %q %q %d %q", s, line, q2, p2, g2, problem)
		}
	})
}

func FuzzICDAR(f *testing.F) {
	f.Add(`<document><table id="1"><region page="1"><cell start-row="1" start-col="2" end-col="3"><content>a</content></cell></region></table></document>`)
	f.Add(`<document><table><region page="1"><cell start-row="-9" end-row="9999999"/></region></table></document>`)
	f.Fuzz(func(t *testing.T, s string) {
		d, err := parseICDAR(s)
		if err != nil {
			return
		}
		for _, table := range d.Tables {
			for _, page := range table.pages() {
				g, err := table.grid(page)
				if err != nil {
					continue
				}
				places := 0
				for _, row := range g.rows {
					for _, c := range row {
						if !c.covered {
							places += max(1, c.rows) * max(1, c.cols)
						}
					}
				}
				if places != len(g.rows)*len(g.rows[0]) {
					t.Fatalf("%d places in %d by %d", places, len(g.rows), len(g.rows[0]))
				}
				if !strings.HasPrefix(g.html(), "<table><tr>") {
					t.Fatal(g.html())
				}
			}
		}
	})
}
