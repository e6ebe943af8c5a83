package datasets

import (
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	edb "enterprisedocbench"
)

var factLicence = edb.Licence{SPDX: "CC0-1.0", Evidence: "made here"}

func TestFacts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	w, err := Create(dir, Info{Name: "x"})
	must(t, err)
	must(t, w.AddDocument(edb.Document{ID: "a", Path: "a.txt", Pages: 2, Licence: factLicence}, []byte("x"), nil))
	for _, x := range []Fact{
		{ID: "2", Doc: "a", Page: 2, Type: "order", Before: "b", After: "c", MaxDiffs: 2},
		{ID: "1", Doc: "a", Page: 1, Type: "present", Text: "t", AnyCase: true, FirstN: 5},
	} {
		must(t, w.AddFact(x))
	}
	for _, c := range []struct {
		fact Fact
		want string
	}{
		{Fact{ID: "1", Doc: "a", Page: 1, Type: "absent", Text: "x"}, `fact "1": id is given twice: give every fact its own`},
		{Fact{ID: "3", Doc: "a", Page: 0, Type: "absent", Text: "x"}, `fact "3": page is 0: count physical pages from 1`},
		{Fact{ID: "3", Doc: "a", Page: 1, Type: "math"}, `fact "3": type is "math": use present, absent, order, table, formula or baseline`},
		{Fact{ID: "3", Doc: "a", Page: 1, Type: "table"}, `fact "3": cell is missing from a fact of type table: add it`},
		{Fact{ID: "3", Page: 1, Type: "baseline"}, `fact "3": doc is missing: name the document`},
		{Fact{Doc: "a", Page: 1, Type: "baseline"}, `fact "": id is empty: give the fact another id`},
		{Fact{ID: "3", Doc: "a", Page: 1, Type: "baseline", MaxDiffs: -1}, `fact "3": max_diffs is -1: write a number from 0`},
	} {
		if err := w.AddFact(c.fact); err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
	must(t, w.Close())
	if err := w.AddFact(Fact{ID: "9", Doc: "a", Page: 1, Type: "baseline"}); err == nil {
		t.Error("a closed writer takes facts")
	}
	d, err := Open(dir)
	must(t, err)
	if len(d.Facts) != 2 || d.Facts[0].ID != "1" || d.Facts[1].MaxDiffs != 2 || !d.Facts[0].AnyCase {
		t.Errorf("%+v", d.Facts)
	}
	put(t, dir, FactsFile, strings.Join([]string{
		`{"id":"1","doc":"a","page":1,"type":"present","text":"t","size":4}`,
		`{"id":"2","doc":"b","page":1,"type":"present","text":"t"}`,
		`{"id":"3","doc":"a","page":3,"type":"present"}`,
		`{"id":"1","doc":"a","page":1,"type":"baseline"}`,
		`{"id":`}, "\n"))
	faults, err := Check(dir)
	must(t, err)
	var got []string
	for _, f := range faults {
		got = append(got, f.String())
	}
	want := []string{
		`facts.jsonl:1: unknown key "size": use after, any_case, before, cell, `,
		`facts.jsonl:2: fact "2": document "b" is unknown: name one of documents.jsonl`,
		`facts.jsonl:3: fact "3": text is missing from a fact of type present: add it`,
		`facts.jsonl:3: fact "3": page 3 of document "a", which has 2 pages: count physical pages from 1`,
		`facts.jsonl:4: fact "1": id stands in line 1 already: give every fact its own`,
		`facts.jsonl:5: is no JSON: it ends too early: correct the syntax`,
	}
	if len(got) != len(want) {
		t.Fatalf("got %d faults:\n%s", len(got), strings.Join(got, "\n"))
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) && got[i] != want[i] {
			t.Errorf("got  %s\nwant %s", got[i], want[i])
		}
	}
}

// TestFactOfNobody holds that a fact about a document that is not there leaves no dataset.
func TestFactOfNobody(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	w, err := Create(dir, Info{Name: "x"})
	must(t, err)
	must(t, w.AddFact(Fact{ID: "1", Doc: "b", Page: 1, Type: "baseline"}))
	if err := w.Close(); err == nil || err.Error() != `fact "1": document "b" is unknown: name one of documents.jsonl` {
		t.Errorf("got %v", err)
	}
	if left, _ := filepath.Glob(dir + "*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestFactsPage holds that the examples of the manual are facts, and that it names every key and type.
func TestFactsPage(t *testing.T) {
	page := read1(t, "..", "docs", "formats.md")
	m := regexp.MustCompile("(?s)## facts.jsonl\n(.*?)```json\n(.*?)```(.*?)\n## ").FindStringSubmatch(page)
	if m == nil {
		t.Fatal("the section is missing")
	}
	n := 0
	for line := range strings.Lines(m[2]) {
		v, faults := decodeRow[Fact]([]byte(line), reflect.TypeFor[Fact]())
		if v == nil || len(faults)+len(factFaults(*v)) > 0 {
			t.Errorf("%s: %v", line, faults)
		}
		n++
	}
	names := slices.Clone(FactTypes)
	f := reflect.TypeFor[Fact]()
	for i := range f.NumField() {
		name, _, _ := strings.Cut(f.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	for _, name := range names {
		if !strings.Contains(m[3], "`"+name+"`") {
			t.Errorf("%s is not explained", name)
		}
	}
	if n != 3 {
		t.Errorf("%d examples", n)
	}
}

func FuzzFact(f *testing.F) {
	f.Add([]byte(`{"id":"1","doc":"a","page":1,"type":"table","cell":"c","any_case":true,"first_n":3}`))
	f.Add([]byte(`{"id":1,"page":"x"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		v, faults := decodeRow[Fact](raw, reflect.TypeFor[Fact]())
		if v == nil && len(faults) == 0 {
			t.Error("nothing was read and nothing is wrong")
		}
		if v != nil {
			for _, x := range factFaults(*v) {
				if x.Problem == "" || x.Fix == "" {
					t.Errorf("%+v", x)
				}
			}
		}
	})
}
