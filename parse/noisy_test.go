package parse

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

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
			{ID: id("a"), Kind: edb.KindParagraph, Text: "Revenue rose strongly. Costs fell slightly. Management remains confident."},
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
			_, few := Corrupt(p, kind, 0.05, 1)
			if len(few) > len(log) {
				t.Errorf("%d edits at .05, %d at .3", len(few), len(log))
			}
			for _, e := range log {
				if e.Kind != kind || e.Lowers == "" || e.Page < 1 || e.Element == "" {
					t.Errorf("edit %+v", e)
				}
			}
		})
	}
	if _, log := Corrupt(specimen("d", 1), "mice", 1, 1); log != nil {
		t.Error("an unknown kind made edits")
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

	q, log := Corrupt(p, "ocr", rate, 7)
	letters, changed := 0, 0
	a, b := []rune(p.Text()), []rune(q.Text())
	if len(a) != len(b) {
		t.Fatalf("ocr changed the length: %d, %d", len(a), len(b))
	}
	for i := range a {
		if _, ok := alike[a[i]]; ok {
			letters++
		}
		if a[i] != b[i] {
			changed++
		}
	}
	near("share of letters exchanged", float64(changed)/float64(letters), rate, 0.01)
	sum := 0
	for _, e := range log {
		sum += e.Chars
	}
	if sum != changed {
		t.Errorf("the log counts %d exchanged characters, the text has %d", sum, changed)
	}
	for n, e := range q.Elements {
		if e.Kind != edb.KindTable {
			continue
		}
		if tab, ok := readTable(e.HTML); !ok || tab.text() != e.Text || tab.rows[0][0].colspan != 2 {
			t.Fatalf("page %d: markup %s and text %q of the table part", n, e.HTML, e.Text)
		}
	}

	q, log = Corrupt(p, "captions", rate, 7)
	near("captions lost", 1-float64(find(q, edb.KindCaption))/200, rate, 0.07)
	if len(log) != 200-find(q, edb.KindCaption) {
		t.Errorf("%d edits, %d captions left of 200", len(log), find(q, edb.KindCaption))
	}

	q, _ = Corrupt(p, "furniture", rate, 7)
	near("furniture become text", 1-float64(find(q, edb.KindHeader)+find(q, edb.KindFooter))/400, rate, 0.05)

	q, log = Corrupt(p, "merge-lines", 1, 7)
	if find(q, edb.KindHeading) != 0 || len(log) != 400 {
		t.Errorf("merge-lines at 1: %d headings left, %d edits", find(q, edb.KindHeading), len(log))
	}
	if strings.Count(q.Text(), "Revenue rose") != 200 {
		t.Error("merge-lines lost text")
	}

	q, log = Corrupt(p, "tables", 1, 7)
	tables := find(q, edb.KindTable)
	kinds := map[string]int{}
	for _, e := range log {
		kinds[e.To[:min(5, len(e.To))]]++
	}
	if len(log) != 600 || tables != 200 || kinds[""] == 0 || kinds["spans"] == 0 || kinds["\tReve"] == 0 {
		t.Errorf("tables at 1: %d edits of kinds %v, %d tables", len(log), kinds, tables)
	}

	q, log = Corrupt(p, "hyphenation", 1, 7)
	if !strings.Contains(q.Text(), "Rev- enue") || strings.Contains(q.Text(), "Year- ") {
		t.Errorf("hyphenation: %q", q.Text()[:120])
	}
	if grown := utf8.RuneCountInString(q.Text()) - utf8.RuneCountInString(p.Text()); grown != 2*len(log) {
		t.Errorf("%d edits, text grew by %d", len(log), grown)
	}

	q, log = Corrupt(p, "drop-lines", rate, 7)
	near("lines lost", float64(len(log))/(200*8), rate, 0.03) // a page has 3 sentences, 3 lines and a caption of 2
	if strings.Count(q.Text(), "Results of the period") != 200 {
		t.Error("drop-lines lost headings")
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

// The log never says less than what was done: what one edit can do to the text's length is bounded
// by its Chars.
func TestCorruptLogBounds(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		p := specimen(rapid.StringMatching(`[a-z]{1,5}`).Draw(r, "doc"), rapid.IntRange(1, 4).Draw(r, "pages"))
		kind := rapid.SampledFrom(NoiseKinds).Draw(r, "kind")
		q, log := Corrupt(p, kind, rapid.Float64Range(0, 1).Draw(r, "rate"), rapid.Uint64().Draw(r, "seed"))
		sum := 0
		for _, e := range log {
			sum += e.Chars
		}
		a, b := utf8.RuneCountInString(p.Text()), utf8.RuneCountInString(q.Text())
		if d := max(a-b, b-a); d > sum && kind != "shuffle" {
			r.Fatalf("%s: the text went from %d to %d characters, the log says %d", kind, a, b, sum)
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
