package align

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"enterprisedocbench"
)

// document makes a paged document of pages of paragraphs.
func document(pages ...[]string) edb.Parsed {
	p := edb.Parsed{Doc: "d", Paged: true}
	for i, blocks := range pages {
		pg := edb.Page{Number: i + 1, Width: 612, Height: 792}
		for _, b := range blocks {
			pg.Elements = append(pg.Elements, edb.Element{Kind: edb.KindParagraph, Text: b})
		}
		p.Pages = append(p.Pages, pg)
	}
	return p
}

// evidence finds a text in a page of gold, word for word.
func evidence(t testing.TB, p edb.Parsed, page int, text string) edb.Evidence {
	t.Helper()
	full := p.Pages[page-1].Text()
	i := strings.Index(full, text)
	if i < 0 {
		t.Fatalf("%q is not on page %d", text, page)
	}
	start := utf8.RuneCountInString(full[:i])
	return edb.Evidence{Doc: p.Doc, Page: page, Start: start, End: start + utf8.RuneCountInString(text)}
}

func span(t testing.TB, p edb.Parsed, page int, text string) edb.Span {
	ev := evidence(t, p, page, text)
	return edb.Span{Page: page, Start: ev.Start, End: ev.End}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

func TestCover(t *testing.T) {
	rent := "The annual rent is 1,234.50 euros and falls due on 3 March."
	other := "Costs of repair are borne by the tenant alone."
	for _, c := range []struct {
		name             string
		gold, parsed     edb.Parsed
		page             int
		ev               string
		spanPage         int
		span             string
		located, legible float64
	}{
		{"same text", document([]string{rent, other}), document([]string{rent, other}), 1, rent, 1, rent, 1, 1},
		{"other passage", document([]string{rent, other}), document([]string{rent, other}), 1, rent, 1, other, 0, 0},
		// 5 of the 12 words lie before "euros"
		{"half of it", document([]string{rent}), document([]string{rent}), 1, rent, 1, "The annual rent is 1,234.50", 5. / 12, 5. / 12},
		{"blocks in another order", document([]string{rent, other}), document([]string{other, rent}), 1, rent, 1, rent, 1, 1},
		{"spaces lost in the parse", document([]string{rent, other}),
			document([]string{"Theannualrentis 1,234.50 eurosandfallsdueon 3 March.", other}), 1, rent, 1, "Theannualrentis 1,234.50 eurosandfallsdueon 3 March.", 1, 1},
		{"spaces lost in the gold", document([]string{"Theannualrentis1,234.50eurosandfallsdueon3March.", other}),
			document([]string{rent, other}), 1, "Theannualrentis1,234.50eurosandfallsdueon3March.", 1, rent, 1, 1},
		{"word broken at a line end", document([]string{"the vocabulary of contracts"}),
			document([]string{"the vocab-\nulary of contracts"}), 1, "vocabulary", 1, "vocab-\nulary", 1, 1},
		{"number written otherwise", document([]string{rent}), document([]string{strings.Replace(rent, "1,234.50", "1234.5", 1)}), 1, rent, 1,
			"The annual rent is 1234.5 euros and falls due on 3 March.", 1, 1},
		{"one letter misread", document([]string{rent}), document([]string{strings.Replace(rent, "annual", "annua1", 1)}), 1, rent, 1,
			"The annua1 rent is 1,234.50 euros and falls due on 3 March.", 1, 11. / 12},
		{"a number misread makes all illegible", document([]string{rent}), document([]string{strings.Replace(rent, "1,234.50", "1,284.50", 1)}), 1, rent, 1,
			"The annual rent is 1,284.50 euros and falls due on 3 March.", 1, 0},
		{"a number lost makes all illegible", document([]string{rent}), document([]string{strings.Replace(rent, " 1,234.50", "", 1)}), 1, rent, 1,
			"The annual rent is euros and falls due on 3 March.", 1, 0},
		{"carried to the next page", document([]string{other, rent}, []string{"Further terms follow here."}),
			document([]string{other}, []string{rent, "Further terms follow here."}), 1, rent, 2, rent, 1, 1},
		{"Han", document([]string{"国際標準化に関する動向", "天気予報と気温"}), document([]string{"天気予報と気温", "国際標準化に関する動向"}), 1,
			"国際標準化に関する動向", 1, "国際標準化に関する動向", 1, 1},
		{"block not parsed at all", document([]string{rent, other}), document([]string{other}), 1, rent, 1, other, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := New(c.gold, c.parsed)
			got := a.Cover(evidence(t, c.gold, c.page, c.ev), []edb.Span{span(t, c.parsed, c.spanPage, c.span)})
			if !near(got.Located, c.located) || !near(got.Legible, c.legible) {
				t.Errorf("located %v legible %v, want %v %v", got.Located, got.Legible, c.located, c.legible)
			}
		})
	}
}

func TestUnpagedParseIsAlignedOverTheWholeDocument(t *testing.T) {
	gold := document([]string{"Alpha beta gamma delta."}, []string{"Epsilon zeta eta theta."}, []string{"Iota kappa lambda mu."})
	parsed := document([]string{"Iota kappa lambda mu.", "Epsilon zeta eta theta.", "Alpha beta gamma delta."})
	parsed.Paged = false
	a := New(gold, parsed)
	sp := []edb.Span{span(t, parsed, 1, "Epsilon zeta eta theta.\nAlpha")}
	if c := a.Cover(evidence(t, gold, 2, "zeta eta"), sp); c.Located != 1 || c.Legible != 1 {
		t.Errorf("cover %+v", c)
	}
	got := a.PageShares(sp)
	if want := []PageShare{{2, .8}, {1, .2}}; !slices.Equal(got, want) {
		t.Errorf("shares %v, want %v", got, want)
	}
}

func TestPageSharesTieGoesToTheLowerPage(t *testing.T) {
	p := document([]string{"one two"}, []string{"three four"})
	got := New(p, p).PageShares([]edb.Span{{Page: 2, Start: 0, End: 10}, {Page: 1, Start: 0, End: 7}})
	if want := []PageShare{{1, .5}, {2, .5}}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

func TestImageOfAPageLocatesItWholly(t *testing.T) {
	gold := document([]string{"Signed on the last day."}, []string{"Other page."})
	scanned := document(nil, []string{"Other page."})
	scanned.Pages[0].NoText = true
	for name, a := range map[string]*Alignment{"page without text layer": New(gold, scanned), "page image": New(gold, gold)} {
		ev := edb.Evidence{Doc: "d", Page: 1, Start: 0, End: 6}
		if c := a.Cover(ev, []edb.Span{{Page: 1}}); c.Located != 1 || c.Legible != 0 {
			t.Errorf("%s: %+v", name, c)
		}
		if c := a.Cover(ev, []edb.Span{{Page: 2}}); c.Located != 0 {
			t.Errorf("%s, other page: %+v", name, c)
		}
	}
}

func TestFigureIsLocatedByItsPage(t *testing.T) {
	gold := document(nil, []string{"text"})
	a := New(gold, gold)
	ev := edb.Evidence{Page: 1}
	if c := a.Cover(ev, []edb.Span{{Page: 1}}); c.Located != 1 || c.Tokens != 0 || c.Legible != 0 {
		t.Errorf("%+v", c)
	}
	if c := a.Cover(ev, []edb.Span{{Page: 2, End: 4}}); c.Located != 0 {
		t.Errorf("%+v", c)
	}
	if c := a.Cover(ev, nil); c.Located != 0 {
		t.Errorf("no spans: %+v", c)
	}
}

func TestEvidenceWithoutOffsets(t *testing.T) {
	gold := document([]string{"Cost of goods sold was 12 in 2018.", "Sales were 40."})
	a := New(gold, gold)
	for _, c := range []struct {
		quote, by string
		tokens    int
	}{{"Costofgoodssold was12", "quote", 6}, {"", "page", 11}, {"something else entirely", "page", 11}} {
		if m := a.Evidence(edb.Evidence{Page: 1, Quote: c.quote}); m.By != c.by || len(m.Tokens) != c.tokens {
			t.Errorf("%q: %+v, want %d words by %s", c.quote, m, c.tokens, c.by)
		}
	}
}

func TestIDFWeighsTheEvidence(t *testing.T) {
	// Three pages: "the" is on all, "zebra" on one. ln(1+.5/3.5) = .133531, ln(1+2.5/1.5) = .980829.
	gold := document([]string{"the zebra"}, []string{"the ox"}, []string{"the cow"})
	a := New(gold, gold)
	a.SetIDF(NewIDF(gold))
	c := a.Cover(edb.Evidence{Page: 1, Start: 0, End: 9}, []edb.Span{{Page: 1, Start: 0, End: 3}})
	if want := .133531392 / (.133531392 + .980829253); !near(c.Located, want) {
		t.Errorf("located %v, want %v", c.Located, want)
	}
}

func TestFindQuote(t *testing.T) {
	gold := document([]string{"Net sales rose.", "Cost of goods sold 5,363 4,869", "Costs rose."}, []string{"Net sales rose.", "Café prices"})
	text := []rune(gold.Pages[0].Text())
	ev, score, ok := FindQuote(gold, 1, "Costofgoodssold5,3634,869")
	if !ok || score != 1 || string(text[ev.Start:ev.End]) != "Cost of goods sold 5,363 4,869" {
		t.Errorf("%+v %v %v", ev, score, ok)
	}
	if ev, _, ok := FindQuote(gold, 0, "café"); !ok || ev.Page != 2 || ev.Start != 16 || ev.End != 20 {
		t.Errorf("%+v %v", ev, ok)
	}
	if _, score, ok := FindQuote(gold, 1, "Deferred tax assets were written down"); ok {
		t.Errorf("found with %v", score)
	}
	if _, _, ok := FindQuote(gold, 1, "63"); ok {
		t.Error("a number inside a number was found")
	}
	spans, ambiguous, score := LocateText(gold, "net  sales rose")
	if len(spans) != 1 || spans[0].Page != 1 || !ambiguous || score != 1 {
		t.Errorf("%v %v %v", spans, ambiguous, score)
	}
	spans, ambiguous, score = LocateText(gold, "Cost of goods sold 5,363 4,889 Costs rose")
	if len(spans) != 1 || ambiguous || score < .8 || score >= 1 {
		t.Errorf("%v %v %v", spans, ambiguous, score)
	}
	if spans, _, _ := LocateText(gold, " - "); spans != nil {
		t.Errorf("%v", spans)
	}
}

// drawDocument draws a document of small vocabulary, so that words and blocks repeat, with a box a block.
func drawDocument(t *rapid.T) edb.Parsed {
	vocabulary := []string{"the", "rent", "of", "2018", "1,234.5", "tenant", "sold", "goods", "net", "co-op", "国", "é"}
	p := edb.Parsed{Doc: "d", Paged: true}
	for n := range rapid.IntRange(1, 3).Draw(t, "pages") {
		pg := edb.Page{Number: n + 1}
		for b := range rapid.IntRange(1, 12).Draw(t, "blocks") {
			words := rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 9).Draw(t, "words")
			pg.Elements = append(pg.Elements, edb.Element{Kind: edb.KindParagraph, Text: strings.Join(words, " "),
				Box: &edb.Box{50, float64(60 * b), 500, float64(60*b + 50)}})
		}
		p.Pages = append(p.Pages, pg)
	}
	return p
}

// Shuffling the blocks of a perfect parse changes nothing: the passage that holds a block still
// locates all of it, legibly, and no other does.
func TestShuffledBlocksLoseNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gold := drawDocument(t)
		parsed := gold
		parsed.Pages = nil
		type place struct{ gold, parsed edb.Span }
		var places []place
		for _, pg := range gold.Pages {
			order := rapid.Permutation(indexes(len(pg.Elements))).Draw(t, "order")
			at := make([]edb.Span, len(pg.Elements))
			start := 0
			moved := pg
			moved.Elements = nil
			for _, i := range order {
				n := utf8.RuneCountInString(pg.Elements[i].Text)
				at[i] = edb.Span{Page: pg.Number, Start: start, End: start + n}
				start += n + 1
				moved.Elements = append(moved.Elements, pg.Elements[i])
			}
			parsed.Pages = append(parsed.Pages, moved)
			start = 0
			for i, e := range pg.Elements {
				n := utf8.RuneCountInString(e.Text)
				places = append(places, place{edb.Span{Page: pg.Number, Start: start, End: start + n}, at[i]})
				start += n + 1
			}
		}
		a := New(gold, parsed)
		a.SetIDF(NewIDF(gold))
		for i, x := range places {
			ev := edb.Evidence{Page: x.gold.Page, Start: x.gold.Start, End: x.gold.End}
			if c := a.Cover(ev, []edb.Span{x.parsed}); !near(c.Located, 1) || !near(c.Legible, 1) {
				t.Fatalf("block %d: %+v", i, c)
			}
			if s := a.PageShares([]edb.Span{x.parsed}); len(s) != 1 || s[0].Page != x.gold.Page {
				t.Fatalf("block %d: shares %v", i, s)
			}
			for j, y := range places {
				if c := a.Cover(ev, []edb.Span{y.parsed}); j != i && c.Located > 1e-9 {
					t.Fatalf("block %d located by block %d: %+v", i, j, c)
				}
			}
		}
	})
}

func indexes(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// The alignment is one to one save for words that only have a place, its bytes read back to the
// same answers, and shares of measures stay in range whatever the two texts are.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gold, parsed := drawDocument(t), drawDocument(t)
		parsed.Paged = rapid.Bool().Draw(t, "paged")
		a := New(gold, parsed)
		used := map[int32]bool{}
		for g, p := range a.image {
			if how := a.how[g]; how == exact || how == misread {
				if used[p] || a.source[p] != int32(g) {
					t.Fatalf("word %d of the parse is used twice", p)
				}
				used[p] = true
				if how == exact && a.gold.toks[g].key != a.parsed.toks[p].key {
					t.Fatal("unequal keys called exact")
				}
			}
		}
		data, err := a.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var b Alignment
		if err := b.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		again, _ := New(gold, parsed).MarshalBinary()
		if !bytes.Equal(data, again) {
			t.Fatal("not the same bytes")
		}
		w := NewIDF(gold)
		a.SetIDF(w)
		b.SetIDF(w)
		page := gold.Pages[rapid.IntRange(0, len(gold.Pages)-1).Draw(t, "page")]
		n := utf8.RuneCountInString(page.Text())
		from := rapid.IntRange(0, n).Draw(t, "from")
		evs := []edb.Evidence{{Page: page.Number, Start: from, End: rapid.IntRange(from, n).Draw(t, "to")},
			{Page: page.Number, Quote: page.Elements[0].Text}}
		spans := []edb.Span{{Page: 1, Start: 3, End: 40}, {Page: 1, Start: 20, End: 70}, {Page: 2, Start: 0, End: 9}}
		for _, ev := range evs {
			c := a.Cover(ev, spans)
			if c.Located < 0 || c.Located > 1 || c.Legible < 0 || c.Legible > c.Located {
				t.Fatalf("%+v", c)
			}
			if d := b.Cover(ev, spans); d != c {
				t.Fatalf("read back %+v, was %+v", d, c)
			}
			if less := a.Cover(ev, spans[:1]); less.Located > c.Located+1e-12 {
				t.Fatalf("more passages locate less: %v, %v", less, c)
			}
			if !slices.Equal(a.Image(ev), b.Image(ev)) {
				t.Fatal("images differ")
			}
		}
		if !slices.Equal(a.PageShares(spans), b.PageShares(spans)) {
			t.Fatal("page shares differ")
		}
	})
}

func FuzzUnmarshal(f *testing.F) {
	p := document([]string{"Costofgoodssold 5,363", "net sales"}, []string{"more"})
	q := document([]string{"Cost of goods sold 5,363", "net salse"}, nil)
	data, _ := New(p, q).MarshalBinary()
	f.Add(data)
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		var a Alignment
		if a.UnmarshalBinary(data) != nil {
			return
		}
		for _, ev := range []edb.Evidence{{Page: 1, Quote: "net sales"}, {Page: 2, Start: 0, End: 3}} {
			if c := a.Cover(ev, []edb.Span{{Page: 1, Start: 0, End: 9}}); c.Located < 0 || c.Located > 1 {
				t.Fatalf("%+v", c)
			}
			a.Image(ev)
		}
		a.PageShares([]edb.Span{{Page: 1, Start: 0, End: 9}})
	})
}

func FuzzFindQuote(f *testing.F) {
	f.Add("Cost of goods sold\n5,363", "Costofgoods")
	f.Fuzz(func(t *testing.T, text, quote string) {
		n := utf8.RuneCountInString(text)
		spans, _, score := LocateText(document([]string{text}), quote)
		if score < 0 || score > 1 {
			t.Fatalf("score %v", score)
		}
		for _, s := range spans {
			if s.Start < 0 || s.End > n || s.End <= s.Start {
				t.Fatalf("%+v in a text of %d", s, n)
			}
		}
	})
}

// long makes a report of n pages: prose, and tables whose words repeat.
func long(n int, r *rand.Rand) edb.Parsed {
	words := make([]string, 4000)
	for i := range words {
		words[i] = fmt.Sprintf("w%c%c%d", 'a'+i%26, 'a'+i/26%26, i%7)
	}
	p := edb.Parsed{Paged: true}
	for k := range n {
		pg := edb.Page{Number: k + 1}
		for b := range 12 {
			var sb strings.Builder
			for range 40 {
				f := r.Float64()
				sb.WriteString(words[int(f*f*f*4000)])
				sb.WriteByte(' ')
			}
			if b%3 == 0 {
				fmt.Fprintf(&sb, "total %d,%03d 100 total 0 of the", r.IntN(9), r.IntN(999))
			}
			pg.Elements = append(pg.Elements, edb.Element{Kind: edb.KindParagraph, Text: sb.String()})
		}
		p.Pages = append(p.Pages, pg)
	}
	return p
}

// garble drops and misreads words at a rate and shuffles blocks.
func garble(p edb.Parsed, rate float64, r *rand.Rand) edb.Parsed {
	out := p
	out.Pages = nil
	for _, pg := range p.Pages {
		c := pg
		c.Elements = slices.Clone(pg.Elements)
		for i := range c.Elements {
			ws := strings.Fields(c.Elements[i].Text)
			for k := range ws {
				if r.Float64() < rate {
					ws[k] = "x" + ws[k][1:]
				}
			}
			c.Elements[i].Text = strings.Join(ws, " ")
		}
		r.Shuffle(len(c.Elements), func(i, j int) { c.Elements[i], c.Elements[j] = c.Elements[j], c.Elements[i] })
		out.Pages = append(out.Pages, c)
	}
	return out
}

func TestNoiseIsLocated(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	gold := long(5, r)
	for _, rate := range []float64{.05, .2} {
		a := New(gold, garble(gold, rate, r))
		same, other, place, lost := a.Shares()
		if same < 1-rate-.05 || lost > .02 {
			t.Errorf("rate %v: same %.3f misread %.3f placed %.3f lost %.3f", rate, same, other, place, lost)
		}
	}
}

func BenchmarkNew200Pages(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 1))
	gold := long(200, r)
	parsed := garble(gold, .05, r)
	for b.Loop() {
		New(gold, parsed)
	}
}

func BenchmarkNew200PagesUnpaged(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 1))
	gold := long(200, r)
	parsed := garble(gold, .05, r)
	parsed.Paged = false
	for b.Loop() {
		New(gold, parsed)
	}
}
