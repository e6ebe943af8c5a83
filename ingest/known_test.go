package ingest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/tokens"
)

// document makes a parse of pages, each a list of elements "KIND: TEXT".
func document(id string, pages ...[]string) edb.Parsed {
	p := edb.Parsed{Doc: id, Paged: true}
	for i, es := range pages {
		pg := edb.Page{Number: i + 1, NoText: len(es) == 0}
		for _, e := range es {
			kind, text, _ := strings.Cut(e, ": ")
			pg.Elements = append(pg.Elements, edb.Element{Kind: kind, Text: text})
		}
		p.Pages = append(p.Pages, pg)
	}
	return p
}

// ask makes questions of documents as Init does.
func ask(docs []edb.Parsed, seed uint64, n int) ([]edb.Question, Known) {
	var pages []pageOf
	var cands []candidate
	for _, d := range docs {
		for _, pg := range d.Pages {
			if t := pg.Text(); t != "" {
				pages = append(pages, pageOf{d.Doc, pg.Number, t})
			}
		}
		cands = append(cands, candidates(d.Doc, d, seed, perDocument(n, len(docs)))...)
	}
	return knownItems(pages, cands, seed, n)
}

const (
	zinc    = "The zinc furnace at Lünen melts forty tonnes of scrap before every autumn inspection."
	copper  = "Copper cathodes leave the Hamburg refinery in sealed wagons under customs supervision."
	notice  = "Either party may terminate this agreement by giving written notice ninety days in advance."
	furnace = "Maintenance crews replace the lining whenever thermal sensors report persistent hotspots."
)

func TestKnownItemsStandOnce(t *testing.T) {
	docs := []edb.Parsed{
		document("a", []string{"header: Confidential " + copper, "heading: Melting schedules abroad", "paragraph: " + zinc + " " + notice}),
		document("b", []string{"paragraph: " + strings.ToUpper(notice), "paragraph: " + furnace}, nil, []string{"paragraph: " + copper}),
	}
	qs, k := ask(docs, 1, 20)
	var got []string
	for _, q := range qs {
		e := q.Evidence[0]
		got = append(got, q.Review["kind"].(string)+" "+e.Quote)
	}
	slices.Sort(got)
	// The heading's evidence goes on to the end of the paragraph below it: one of the two is asked for.
	want := []string{"terms " + copper, "terms " + furnace}
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("no question for %q; got %q", w, got)
		}
	}
	if len(got) != 3 {
		t.Errorf("got %d questions, want 3: %q", len(got), got)
	}
	if k.Dropped[dropTwice] != 2 { // the notice, in either document
		t.Errorf("dropped %v, want the notice twice", k.Dropped)
	}
	if k.Made != len(qs) || k.Asked != 20 {
		t.Errorf("%d made of %d asked", k.Made, k.Asked)
	}
}

func TestCells(t *testing.T) {
	text := "Segment\tRevenue 2023\tRevenue 2024\tRemark\nSmelting\t1,204\t1,310.5\tas planned\n\t7\t8\t\n2024\t1\t2\t3\nTotal assets\t9,999\n"
	var got []string
	for _, c := range cells(text, 100) {
		got = append(got, fmt.Sprintf("%s = %v @%d-%d %q", c.query, c.answer.Value, c.start, c.end, c.quote))
	}
	want := []string{
		`Smelting Revenue 2023 = 1204 @141-174 "Smelting\t1,204\t1,310.5\tas planned"`,
		`Smelting Revenue 2024 = 1310.5 @141-174 "Smelting\t1,204\t1,310.5\tas planned"`,
		`Total assets Revenue 2023 = 9999 @192-210 "Total assets\t9,999"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestHeadings(t *testing.T) {
	under := "Crews inspect the casting hall twice a year and file a short report."
	tests := []struct {
		name string
		els  []string
		want string // the evidence
	}{
		{"what stands below", []string{"heading: Casting hall inspections", "paragraph: " + under}, "Casting hall inspections\n" + under},
		{"furniture between", []string{"heading: Casting hall inspections", "page-number: 3", "paragraph: " + under}, "Casting hall inspections\n" + under},
		{"a heading below", []string{"heading: Casting hall inspections", "heading: Scope", "paragraph: " + under}, ""},
		{"nothing below", []string{"heading: Casting hall inspections"}, ""},
		{"a word below", []string{"heading: Casting hall inspections", "paragraph: None."}, ""},
		{"one word", []string{"heading: Inspections", "paragraph: " + under}, ""},
		{"figures", []string{"heading: 1.2.3 4.5 A1 B2 the and", "paragraph: " + under}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got string
			for _, c := range candidates("d", document("d", tt.els), 1, 10) {
				if c.kind == kindHeading {
					got = c.quote
				}
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestSentencesThatSayNothingAreNotAsked(t *testing.T) {
	for _, s := range []string{
		"Too short to ask.", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19.", "a b c d e f g h i j k l m n o p q r s t.",
		strings.Repeat("very ", 100) + "long.", "12.5 % of 3,400.25 kg at 77.1 °C was 99.9 % pure (n = 4,021).",
	} {
		if got := sentences(s, 0); len(got) != 0 {
			t.Errorf("%q gives %d questions", s, len(got))
		}
	}
}

// Of any corpus: the evidence is what stands at its offsets, no page but its own holds all words of a
// query drawn from a sentence, and the order in which documents come decides nothing but the turn.
func TestKnownItemsAreKnown(t *testing.T) {
	words := strings.Fields("zinc furnace melts scrap copper cathode leaves refinery sealed wagon under customs party may terminate agreement giving written notice ninety days crews replace lining sensors report hotspots 契 約 書 été")
	sentence := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 14).Draw(t, "words"), " ") + "."
	})
	rapid.Check(t, func(t *rapid.T) {
		var docs []edb.Parsed
		for d := range rapid.IntRange(1, 4).Draw(t, "documents") {
			var pages [][]string
			for range rapid.IntRange(1, 3).Draw(t, "pages") {
				var es []string
				for range rapid.IntRange(0, 4).Draw(t, "elements") {
					kind := rapid.SampledFrom([]string{"paragraph", "heading", "footer", "list-item"}).Draw(t, "kind")
					es = append(es, kind+": "+strings.Join(rapid.SliceOfN(sentence, 1, 3).Draw(t, "text"), " "))
				}
				pages = append(pages, es)
			}
			docs = append(docs, document(fmt.Sprint("d", d), pages...))
		}
		seed := rapid.Uint64().Draw(t, "seed")
		qs, k := ask(docs, seed, 12)
		again, _ := ask(docs, seed, 12)
		if fmt.Sprint(qs) != fmt.Sprint(again) {
			t.Fatal("the same seed gives other questions")
		}
		if len(qs) != k.Made {
			t.Fatalf("%d questions, %d made", len(qs), k.Made)
		}
		for _, q := range qs {
			e := q.Evidence[0]
			hits := 0
			for _, d := range docs {
				for _, pg := range d.Pages {
					text := pg.Text()
					if d.Doc == e.Doc && pg.Number == e.Page && string([]rune(text)[e.Start:e.End]) != e.Quote {
						t.Fatalf("%q is not at %d to %d of %q", e.Quote, e.Start, e.End, text)
					}
					have := tokens.WordKeys(text)
					all := true
					for _, w := range tokens.WordKeys(q.Text) {
						all = all && slices.Contains(have, w)
					}
					if all {
						hits++
					}
				}
			}
			if hits > 1 && q.Review["kind"] == kindTerms {
				t.Fatalf("%d pages hold all words of %q", hits, q.Text)
			}
		}
	})
}
