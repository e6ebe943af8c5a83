package elements

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"enterprisedocbench"
)

// one is a file with one element in line 2.
func one(element string) string {
	return "{\"pages\":[{\"number\":1,\"elements\":[\n" + element + "]}]}"
}

func TestFaultsHaveLineAndRemedy(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{one(`{"kind":"paragraph","tekst":"x"}`), `2: unknown key "pages[0].elements[0].tekst": use `},
		{one(`{"kind":"paragraph","box":[1,2,3,4,5]}`), "2: pages[0].elements[0].box: holds 5 values: write a list of 4 numbers"},
		{one(`{"kind":"paragraph","box":[0,0,20]}`), "2: pages[0].elements[0].box: holds 3 values: write a list of 4 numbers"},
		{one(`{"kind":"paragraph","lines":[{"text":"x","box":[]}]}`), "2: pages[0].elements[0].lines[0].box: holds 0 values"},
		{one(`{"kind":"paragraph","box":[NaN,1,2,3]}`), "2: is no JSON: invalid character 'N'"},
		{one(`{"kind":"paragraph","box":[1e999,1,2,3]}`), "2: pages[0].elements[0].box[0]: is the number 1e999 (too large)"},
		{one(`{"kind":"paragraph","box":[5,1,2,3]}`), "2: page 1, element 1: box [5 1 2 3] is turned over: write [x0, y0, x1, y1] with"},
		{one(`{"kind":"table","html":"<p>no table</p>"}`), "2: page 1, element 1: html holds no <table>: write the table as <table>"},
		{one(`{"kind":"caption","caption_of":"nothere"}`), `2: page 1, element 1: caption_of names "nothere", which is no element: name the figure or table by its id`},
		{one(`{"kind":"paragraf"}`), `2: page 1, element 1: kind is "paragraf": use heading, paragraph`},
		{one("{\"id\":\"q\",\"kind\":\"table\"},\n{\"id\":\"q\",\"kind\":\"table\"}"), `3: page 1, element 2: id "q" is given twice: give every element its own`},
		{one(`{"kind":"heading","level":-1}`), "2: page 1, element 1: level is -1: count heading levels from 1"},
		{"{\"pages\":[\n{\"number\":0}]}", "2: page number 0: count physical pages from 1"},
		{"{\"pages\":[{\"number\":2},\n{\"number\":2}]}", "2: page 2 follows page 2: give each page once, in order"},
		{"{\"paged\":false,\"pages\":[{\"number\":1},\n{\"number\":2}]}", "2: has page 2 but is not paged"},
		{`{"mask":["x"],"pages":[{"number":1}]}`, `1: mask leaves out "x", which is not known: use formula`},
		{`{"pages":[]}`, "1: has no pages: write them"},
		{"[1,2]", "1: is a list, not an object: write an object"},
		{"\n{\"pages\":[{\"number\":1,", "2: is no JSON: it ends too early: correct the syntax"},
		{one("{\"kind\":\"paragraph\",\"text\":\"\xff\"}"), "2: byte 0xFF is no UTF-8: save the file as UTF-8"},
		{"\xff\xfe{\x00}\x00", "1: byte 0xFF is no UTF-8: save the file as UTF-8"},
		{"", "1: is empty: write {"},
		{one("") + "\n{}", "3: more than one JSON value: keep one"},
	} {
		for name, read := range map[string]func([]byte) (edb.Parsed, []Fault){"Decode": Decode, "Strict": Strict} {
			_, found := read([]byte(c.raw))
			if len(found) == 0 {
				t.Errorf("%s: %s passes", name, c.raw)
				continue
			}
			f := found[0]
			if got := fmt.Sprintf("%d: %s: %s", f.Line, f.Problem, f.Fix); !strings.HasPrefix(got, c.want) || f.Fix == "" {
				t.Errorf("%s: %s\n got %s\nwant %s", name, c.raw, got, c.want)
			}
		}
	}
}

func TestDecode(t *testing.T) {
	box := &edb.Box{0, .5, 1e2, 7}
	want := edb.Parsed{Doc: "d", Engine: "e@1", Paged: true, Mask: []string{"formula"}, Warnings: []string{"w"}, Pages: []edb.Page{
		{Number: 2, Elements: []edb.Element{{ID: "f", Kind: "figure", Box: box}, {Kind: "caption", Text: "c", CaptionOf: "f", Lines: []edb.Line{{Text: "c", Box: box}}}}}}}
	raw, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{string(raw), "\xef\xbb\xbf" + string(raw)} {
		if got, found := Strict([]byte(s)); len(found) > 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v %v", got, found)
		}
	}
	for s, paged := range map[string]bool{`{"pages":[{"number":1}]}`: true, `{"paged":false,"pages":[{"number":1}]}`: false, `{"paged":true,"pages":[{"number":1}]}`: true} {
		if p, found := Strict([]byte(s)); len(found) > 0 || p.Paged != paged {
			t.Errorf("%s: paged %v, %v", s, p.Paged, found)
		}
	}
	if _, found := Strict([]byte(`{"pages":[{"number":1,"number":2}]}`)); len(found) != 1 || found[0].Problem != `key "pages[0].number" stands twice` {
		t.Errorf("a key that stands twice: %v", found)
	}
}

func TestBoxFault(t *testing.T) {
	for problem, b := range map[string]edb.Box{"": {1, 1, 1, 1}, "is not finite": {math.NaN(), 0, 1, 1}, "finite": {0, 0, math.Inf(1), 1}, "turned over": {0, 2, 1, 1}} {
		if got, _ := BoxFault(b); !strings.HasSuffix(got, problem) || (got == "") != (problem == "") {
			t.Errorf("%v: %q, want %q", b, got, problem)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"pages":[{"number":1,"width":10,"elements":[{"kind":"table","text":"a\tb","html":"<table>","box":[0,0,1,1]}]}]}`)
	f.Add(`{"paged":false,"pages":[{"number":1,"elements":[{"kind":"x","box":[1,2]}]}]}`)
	f.Add("[\n")
	f.Fuzz(func(t *testing.T, s string) {
		p, found := Decode([]byte(s))
		_, all := Strict([]byte(s))
		if len(found) > 0 && len(all) == 0 {
			t.Fatalf("%q: Strict lets pass what Decode refuses: %v", s, found)
		}
		for _, x := range append(found, all...) {
			if x.Line < 1 || x.Problem == "" || x.Fix == "" {
				t.Fatalf("%q: %+v", s, x)
			}
		}
		if len(found) > 0 {
			return
		}
		back, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		if again, found := Strict(back); len(found) > 0 || again.Text() != p.Text() || again.Paged != p.Paged {
			t.Fatalf("what was read and written differs: %v", found)
		}
	})
}
