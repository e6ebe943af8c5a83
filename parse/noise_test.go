package parse

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"enterprisedocbench"
)

// specimen is a document with every kind of thing that noise hits.
func specimen(doc string, pages int) edb.Parsed {
	p := edb.Parsed{Doc: doc, Paged: true}
	for n := 1; n <= pages; n++ {
		id := func(s string) string { return fmt.Sprintf("p%d%s", n, s) }
		t := htmlTable{rows: [][]htmlCell{{{true, 1, 2, "Year ended"}}, {{false, 1, 1, "Revenue"}, {false, 1, 1, "1250"}}, {{false, 1, 1, "Costs"}, {false, 1, 1, "980"}}}}
		p.Pages = append(p.Pages, edb.Page{Number: n, Width: 600, Height: 800, Elements: []edb.Element{
			{ID: id("h"), Kind: edb.KindHeader, Text: "Annual report"},
			{ID: id("t"), Kind: edb.KindHeading, Level: 1, Text: "Results of the period"},
			{ID: id("a"), Kind: edb.KindParagraph, Text: "Revenue rose strongly – costs fell. Cash flow was sufficient. Management remains confident."},
			{ID: id("b"), Kind: edb.KindParagraph, Text: "First printed line\nsecond printed line\nthird printed line"},
			{ID: id("c"), Kind: edb.KindCaption, Text: "Table 1. Revenue and costs", CaptionOf: id("tab")},
			{ID: id("tab"), Kind: edb.KindTable, Text: t.text(), HTML: t.html()},
			{ID: id("f"), Kind: edb.KindFooter, Text: fmt.Sprint(n)},
		}})
	}
	return p
}

func asJSON(t testing.TB, v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestCorruptLaws(t *testing.T) {
	for _, kind := range NoiseKinds {
		t.Run(kind, func(t *testing.T) {
			p := specimen("d", 40)
			before := asJSON(t, p)
			same, none := Corrupt(p, kind, 0, 1)
			if asJSON(t, same) != before || len(none) != 0 {
				t.Error("rate 0 changes something")
			}
			one, log := Corrupt(p, kind, 0.3, 1)
			if asJSON(t, p) != before {
				t.Fatal("the argument was changed")
			}
			if asJSON(t, one) == before || len(log) == 0 {
				t.Fatal("rate .3 changes nothing")
			}
			two, log2 := Corrupt(p, kind, 0.3, 1)
			if asJSON(t, one) != asJSON(t, two) || asJSON(t, log) != asJSON(t, log2) {
				t.Error("the same seed gives something else")
			}
			if other, _ := Corrupt(p, kind, 0.3, 2); asJSON(t, other) == asJSON(t, one) {
				t.Error("another seed gives the same")
			}
			q := p
			q.Doc = "e"
			if other, _ := Corrupt(q, kind, 0.3, 1); asJSON(t, other.Pages) == asJSON(t, one.Pages) {
				t.Error("another document gets the same errors")
			}
			for _, e := range log {
				if e.Noise != kind && !slices.Contains(groups, kind) || e.Op == "" || e.Page < 1 || e.From == e.To {
					t.Errorf("edit %+v", e)
				}
			}
		})
	}
	if _, log := Corrupt(specimen("d", 1), "mice", 1, 1); log != nil {
		t.Error("an unknown kind made edits")
	}
}

// A higher rate hits all that a lower one hits: places that are hit do not depend on each other.
func TestCorruptNests(t *testing.T) {
	p := specimen("d", 40)
	for _, n := range Noises() {
		if n.Name == "shuffle" || n.Name == "drop-lines" || n.Name == "ocr" {
			continue // blocks move on; the last line takes its break along; a pair of letters may go in one or in two
		}
		_, few := Corrupt(p, n.Name, 0.2, 1)
		_, many := Corrupt(p, n.Name, 0.5, 1)
		in := map[string]bool{}
		for _, e := range many {
			in[fmt.Sprint(e.Page, e.Element, e.Row, e.Cell, e.At, e.From)] = true
		}
		for _, e := range few {
			if !in[fmt.Sprint(e.Page, e.Element, e.Row, e.Cell, e.At, e.From)] {
				t.Errorf("%s: the edit %+v of rate .2 is not made at .5", n.Name, e)
			}
		}
		if len(few) == 0 || len(few) >= len(many) {
			t.Errorf("%s: %d edits at .2, %d at .5", n.Name, len(few), len(many))
		}
	}
}

func TestNoisesHaveFamilies(t *testing.T) {
	for _, n := range Noises() {
		if n.Name == "" || n.What == "" || n.Family != Formatting && n.Family != Semantic {
			t.Errorf("%+v", n)
		}
	}
	for _, g := range groups {
		if len(NoisesOf(g)) < 2 {
			t.Errorf("the group %s has %d members", g, len(NoisesOf(g)))
		}
	}
	if n := len(NoisesOf(Formatting)) + len(NoisesOf(Semantic)); n != len(Noises()) {
		t.Errorf("%d kinds in families, %d kinds", n, len(Noises()))
	}
}

func TestCorruptEffects(t *testing.T) {
	p := specimen("d", 200)
	find := func(q edb.Parsed, kind string) (n int) {
		for _, e := range q.Elements {
			if e.Kind == kind {
				n++
			}
		}
		return n
	}
	near := func(what string, got, want, slack float64) {
		t.Helper()
		if math.Abs(got-want) > slack {
			t.Errorf("%s: %.4f, want %.4f", what, got, want)
		}
	}
	const rate = 0.2

	letters := 0
	for _, r := range p.Text() {
		if _, ok := alike[r]; ok {
			letters++
		}
	}
	q, log := Corrupt(p, "ocr", rate, 7)
	near("share of letters misread", float64(len(log))/float64(letters), rate, 0.02)
	for n, e := range q.Elements {
		if e.Kind != edb.KindTable {
			continue
		}
		if tab, ok := readTable(e.HTML); !ok || tab.text() != e.Text || tab.rows[0][0].colspan != 2 {
			t.Fatalf("page %d: markup %s and text %q of the table part", n, e.HTML, e.Text)
		}
	}

	q, log = Corrupt(p, "captions", rate, 7)
	near("captions lost", float64(len(log))/200, rate, 0.07)
	if len(log) != 200-find(q, edb.KindCaption) {
		t.Errorf("%d edits, %d captions left of 200", len(log), find(q, edb.KindCaption))
	}

	q, _ = Corrupt(p, "furniture", rate, 7)
	near("furniture become text", 1-float64(find(q, edb.KindHeader)+find(q, edb.KindFooter))/400, rate, 0.05)

	q, log = Corrupt(p, "merge-lines", 1, 7)
	if find(q, edb.KindHeading) != 0 || len(log) != 400 || strings.Count(q.Text(), "Revenue rose") != 200 {
		t.Errorf("merge-lines at 1: %d headings left, %d edits", find(q, edb.KindHeading), len(log))
	}

	for kind, want := range map[string]int{"table-rows": 600, "table-columns": 600, "table-spans": 200} {
		if q, log = Corrupt(p, kind, 1, 7); len(log) != want || find(q, edb.KindTable) != 200 {
			t.Errorf("%s at 1: %d edits, %d tables", kind, len(log), find(q, edb.KindTable))
		}
	}
	if q.Text() == "" || strings.Contains(asJSON(t, q), "colspan") && !strings.Contains(asJSON(t, p), "colspan") {
		t.Error("spans came from nowhere")
	}

	q, log = Corrupt(p, "hyphenation", 1, 7)
	if !strings.Contains(q.Text(), "Rev- enue") || strings.Contains(q.Text(), "Year- ") {
		t.Errorf("hyphenation: %q", q.Text()[:120])
	}
	if grown := utf8.RuneCountInString(q.Text()) - utf8.RuneCountInString(p.Text()); grown != 2*len(log) {
		t.Errorf("%d edits, text grew by %d", len(log), grown)
	}

	q, log = Corrupt(p, "drop-lines", rate, 7)
	near("characters of lines lost", float64(utf8.RuneCountInString(p.Text())-utf8.RuneCountInString(q.Text()))/float64(utf8.RuneCountInString(p.Text())), 0.14, 0.03)
	if strings.Count(q.Text(), "Results of the period") != 200 || len(log) == 0 {
		t.Error("drop-lines lost headings")
	}

	q, _ = Corrupt(p, "ligatures", 1, 7)
	if q.Text() == p.Text() || norm.NFKC.String(q.Text()) != p.Text() {
		t.Error("NFKC does not undo ligatures")
	}

	q, _ = Corrupt(p, "mojibake", 1, 7)
	if !strings.Contains(q.Text(), "rose strongly â€“ costs") {
		t.Errorf("mojibake: %q", q.Text()[:200])
	}

	q, _ = Corrupt(p, "unmapped", 1, 7)
	if strings.ContainsFunc(q.Text(), func(r rune) bool { return !unicode.IsSpace(r) && r != utf8.RuneError }) {
		t.Errorf("unmapped at 1 leaves %q", q.Text()[:50])
	}

	q, _ = Corrupt(p, "shuffle", 0.5, 7)
	for i := range p.Pages {
		ids := func(pg edb.Page) (s []string) {
			for _, e := range pg.Elements {
				s = append(s, e.ID)
			}
			slices.Sort(s)
			return s
		}
		if !slices.Equal(ids(p.Pages[i]), ids(q.Pages[i])) {
			t.Fatalf("page %d: shuffle lost or moved elements across pages", i+1)
		}
	}
}

// replay does the edits of a log anew, from the log alone.
func replay(p edb.Parsed, log []Edit) (texts []string) {
	for _, pg := range p.Pages {
		type put struct {
			at   float64
			text string
		}
		var puts []put
		for j, e := range pg.Elements {
			at, text, rows, gone := float64(j), []rune(e.Text), strings.Split(e.Text, "\n"), e.Artifact()
			cut := map[int]bool{}
			for k := len(log) - 1; k >= 0; k-- { // from the end, so that places hold
				d := log[k]
				if d.Page != pg.Number || d.Element != j {
					continue
				}
				switch d.Op {
				case EditReplace:
					text = slices.Concat(text[:d.At], []rune(d.To), text[d.At+utf8.RuneCountInString(d.From):])
				case EditLose:
					gone = true
				case EditKind:
					gone = false
				case EditMove:
					n, _ := strconv.Atoi(d.To)
					at = float64(n)
				case EditRow:
					cut[d.Row-1] = true
				case EditShift:
					rows[d.Row-1] = d.To
					text = []rune(strings.Join(rows, "\n"))
				}
			}
			if len(cut) > 0 {
				kept := rows[:0:0]
				for r, s := range rows {
					if !cut[r] {
						kept = append(kept, s)
					}
				}
				text = []rune(strings.Join(kept, "\n"))
			}
			if !gone && len(text) > 0 {
				puts = append(puts, put{at, string(text)})
			}
		}
		for _, d := range log {
			if d.Op == EditAdd && d.Page == pg.Number {
				puts = append(puts, put{float64(d.Element) - 0.5, d.To})
			}
		}
		slices.SortStableFunc(puts, func(a, b put) int { return cmp.Compare(a.at, b.at) })
		for _, x := range puts {
			texts = append(texts, x.text)
		}
	}
	return texts
}

// The log says all that was done: from it and the text before comes the text after.
func TestCorruptLogReplays(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		p := specimen(rapid.StringMatching(`[a-z]{1,5}`).Draw(r, "doc"), rapid.IntRange(1, 4).Draw(r, "pages"))
		if rapid.Bool().Draw(r, "no furniture") {
			for i := range p.Pages {
				p.Pages[i].Elements = slices.DeleteFunc(p.Pages[i].Elements, edb.Element.Artifact)
			}
		}
		kind := rapid.SampledFrom(Noises()).Draw(r, "kind").Name
		q, log := Corrupt(p, kind, rapid.Float64Range(0, 1).Draw(r, "rate"), rapid.Uint64().Draw(r, "seed"))
		sep := func(s string) string { return s }
		if kind == "merge-lines" { // joins are breaks that became blanks
			sep = func(s string) string { return strings.ReplaceAll(s, "\n", " ") }
		}
		if got, want := sep(q.Text()), sep(strings.Join(replay(p, log), "\n")); got != want {
			r.Fatalf("%s: the text is\n%q\nthe log gives\n%q", kind, got, want)
		}
		ids := map[string]bool{}
		for _, e := range q.Elements {
			if ids[e.ID] {
				r.Fatalf("id %q is given twice", e.ID)
			}
			ids[e.ID] = true
		}
	})
}

func TestNoisy(t *testing.T) {
	inner := Oracle{Gold: func(doc string) (edb.Parsed, error) { return specimen(doc, 3), nil }}
	src := Source{Doc: edb.Document{ID: "d"}}
	got, err := Noisy{inner, "ocr", 0.1, 5}.Parse(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	clean, _ := inner.Parse(context.Background(), src)
	want, _ := Corrupt(clean, "ocr", 0.1, 5)
	if asJSON(t, got) != asJSON(t, want) {
		t.Error("Noisy is not Corrupt of what it wraps")
	}
	for _, bad := range []Noisy{{inner, "mice", 0.1, 1}, {inner, "ocr", 1.5, 1}, {inner, "ocr", math.NaN(), 1}} {
		if _, err := bad.Parse(context.Background(), src); err == nil {
			t.Errorf("noise %q at %v was accepted", bad.Kind, bad.Rate)
		}
	}
}

// FuzzCorrupt: noise of any kind and rate leaves the parse that it is given as it is and gives the
// same edits every time, one in the log for each change.
func FuzzCorrupt(f *testing.F) {
	f.Add(uint8(0), uint8(90), []byte(`{"pages":[{"number":1,"elements":[{"id":"h","kind":"heading","text":"Fine files"},{"id":"t","kind":"table","text":"a\tb\nc\td","html":"<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>"},{"id":"c","kind":"caption","text":"Table 1. Ünder","caption_of":"t"}]}]}`))
	f.Add(uint8(8), uint8(255), []byte(`{"pages":[{"number":1,"elements":[{"kind":"paragraph","text":"One. Two.\nThree"},{"kind":"footer","text":"7"}]},{"number":3,"elements":[]}]}`))
	f.Fuzz(func(t *testing.T, which, rate uint8, b []byte) {
		p, err := readJSON(b)
		if err != nil {
			t.Skip("no parse")
		}
		before, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		kind := NoiseKinds[int(which)%len(NoiseKinds)]
		got, log := Corrupt(p, kind, float64(rate)/255, 7)
		again, log2 := Corrupt(p, kind, float64(rate)/255, 7)
		if !reflect.DeepEqual(got, again) || !slices.Equal(log, log2) {
			t.Fatal("the same noise gives two results")
		}
		if after, err := json.Marshal(p); err != nil || !bytes.Equal(before, after) {
			t.Fatalf("the parse was changed: %v", err)
		}
		if now, err := json.Marshal(got); err != nil || bytes.Equal(now, before) != (len(log) == 0) && kind != "shuffle" {
			t.Fatalf("%d edits are logged, the parse changed: %v, %v", len(log), !bytes.Equal(now, before), err)
		}
		for _, e := range log {
			if !slices.Contains(groups, kind) && !slices.ContainsFunc(p.Pages, func(pg edb.Page) bool { return pg.Number == e.Page && e.Element <= len(pg.Elements) }) {
				t.Fatalf("an edit of what is not there: %+v", e)
			}
		}
	})
}
