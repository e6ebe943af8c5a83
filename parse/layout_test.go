package parse

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"enterprisedocbench"
	"enterprisedocbench/internal/testdata"
)

// set puts words of a text on a page, 10 points high, each character 5 wide.
func set(pg *rawPage, x, y float64, text string, f font) {
	if f.size == 0 {
		f.size = 10
	}
	cw := f.size / 2
	for w := range strings.FieldsSeq(text) {
		width := cw * float64(len([]rune(w)))
		pg.words = append(pg.words, wordRun{text: w, box: edb.Box{x, y, x + width, y + f.size}, font: f})
		x += width + 0.3*f.size
	}
}

func blankPage(number int) rawPage { return rawPage{number: number, width: 600, height: 800} }

// shapes gives "kind: text" for each element.
func shapes(p edb.Parsed) []string {
	var out []string
	for _, e := range p.Elements {
		out = append(out, e.Kind+": "+e.Text)
	}
	return out
}

func wantShapes(t *testing.T, p edb.Parsed, want ...string) {
	t.Helper()
	if got := shapes(p); !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestLayoutReadsColumnsOneAfterTheOther(t *testing.T) {
	pg := blankPage(1)
	set(&pg, 60, 60, "A title that runs across both columns of the page", font{size: 18, bold: true})
	for i := range 12 {
		set(&pg, 60, 120+12*float64(i), "left column words here go on and on here", font{})
		set(&pg, 320, 120+12*float64(i), "right column words here go on and on too", font{})
	}
	got := layout([]rawPage{pg})
	text := got.Text()
	if l, r := strings.LastIndex(text, "left"), strings.Index(text, "right"); l < 0 || r < l {
		t.Errorf("columns are mixed: %.200q", text)
	}
	if e := got.Pages[0].Elements[0]; e.Kind != edb.KindHeading || e.Level != 1 {
		t.Errorf("first element %s of level %d, want a heading of level 1", e.Kind, e.Level)
	}
}

func TestLayoutSeesMarginColumns(t *testing.T) {
	pg := blankPage(1)
	for i := range 20 {
		set(&pg, 180, 100+14*float64(i), "the running text of the article fills this wide column", font{})
	}
	for i := range 8 {
		set(&pg, 20, 103+9.3*float64(i), "Editor: Someone", font{size: 7})
	}
	text := layout([]rawPage{pg}).Text()
	if strings.Contains(text, "Someone the") || strings.Contains(text, "column Editor") {
		t.Errorf("margin and text are mixed: %q", text)
	}
}

func TestLayoutFindsUnruledTables(t *testing.T) {
	pg := blankPage(1)
	rows := [][]string{{"Country", "2009", "2010"}, {"Brazil", "50,000", "43,000"}, {"China", "700,000", "455,000"}, {"India", "40,000", "5,000"}, {"Japan", "25,000", "60,000"}}
	set(&pg, 60, 84, "Table 1: Output in tonnes", font{})
	for i, r := range rows {
		for j, c := range r {
			set(&pg, 60+120*float64(j), 100+14*float64(i), c, font{})
		}
	}
	got := layout([]rawPage{pg})
	wantShapes(t, got, "caption: Table 1: Output in tonnes",
		"table: Country\t2009\t2010\nBrazil\t50,000\t43,000\nChina\t700,000\t455,000\nIndia\t40,000\t5,000\nJapan\t25,000\t60,000")
	els := got.Pages[0].Elements
	if els[0].CaptionOf == "" || els[0].CaptionOf != els[1].ID {
		t.Errorf("caption of %q, table is %q", els[0].CaptionOf, els[1].ID)
	}
	if want := "<table><tr><td>Country</td><td>2009</td><td>2010</td></tr>"; !strings.HasPrefix(els[1].HTML, want) {
		t.Errorf("HTML %q does not begin with %q", els[1].HTML, want)
	}
}

// box of a drawn line.
func rule(x0, y0, x1, y1 float64) edb.Box { return edb.Box{x0, y0, x1, y1} }

func TestLayoutReadsDrawnCells(t *testing.T) {
	pg := blankPage(1)
	for _, y := range []float64{100, 120, 140, 180} {
		pg.rules = append(pg.rules, rule(60, y, 360, y))
	}
	for _, x := range []float64{60, 160, 360} {
		pg.rules = append(pg.rules, rule(x, 100, x, 180))
	}
	pg.rules = append(pg.rules, rule(260, 120, 260, 180)) // the head's second cell spans two columns
	set(&pg, 65, 105, "Name", font{})
	set(&pg, 230, 105, "Share of all", font{})
	set(&pg, 65, 125, "alpha", font{})
	set(&pg, 165, 125, "1.5", font{})
	set(&pg, 265, 125, "a note", font{})
	set(&pg, 65, 145, "beta", font{})
	set(&pg, 165, 145, "text that runs", font{})
	set(&pg, 165, 160, "on below", font{})
	got := layout([]rawPage{pg})
	want := `<table><tr><td>Name</td><td colspan="2">Share of all</td></tr><tr><td>alpha</td><td>1.5</td><td>a note</td></tr><tr><td>beta</td><td>text that runs on below</td><td></td></tr></table>`
	if els := got.Pages[0].Elements; len(els) != 1 || els[0].HTML != want {
		t.Errorf("got %+v\nwant one table %s", els, want)
	}
}

func TestLayoutTakesFurnitureOut(t *testing.T) {
	var pages []rawPage
	for i := range 4 {
		pg := blankPage(i + 1)
		set(&pg, 60, 30, "Annual Report", font{})
		set(&pg, 60, 400, strings.Repeat("body ", i+3), font{})
		set(&pg, 300, 770, string(rune('1'+i)), font{})
		pages = append(pages, pg)
	}
	got := layout(pages)
	for _, p := range got.Pages {
		if n := len(p.Elements); n != 3 || p.Elements[0].Kind != edb.KindHeader || p.Elements[1].Kind != edb.KindParagraph || p.Elements[2].Kind != edb.KindPageNumber {
			t.Errorf("page %d: %+v", p.Number, p.Elements)
		}
	}
	if strings.Contains(got.Text(), "Annual") {
		t.Error("the header is in the text")
	}
}

func TestLayoutTakesLineNumbersOut(t *testing.T) {
	var pages []rawPage
	n := 0
	for i, count := range []int{30, 4} { // the last page goes on with few
		pg := blankPage(i + 1)
		for k := range count {
			n++
			y := 100 + 14*float64(k)
			set(&pg, 40, y, json.Number(strings.TrimSpace(itoa(n))).String(), font{size: 7})
			set(&pg, 80, y, "a line of the draft with many words in it", font{})
		}
		pages = append(pages, pg)
	}
	for _, p := range layout(pages).Pages {
		if strings.ContainsAny(p.Text(), "0123456789") {
			t.Errorf("page %d: numbers in %q", p.Number, p.Text())
		}
	}
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

func TestLayoutLevelsTurnedPages(t *testing.T) {
	pg := blankPage(1)
	for k := range 5 { // text that runs upwards, lines from left to right
		x := 100 + 14*float64(k)
		pg.words = append(pg.words,
			wordRun{text: "line", box: edb.Box{x, 600, x + 10, 620}, font: font{size: 10}, turn: 1},
			wordRun{text: string(rune('a' + k)), box: edb.Box{x, 590, x + 10, 595}, font: font{size: 10}, turn: 1})
	}
	pg.words = append(pg.words, wordRun{text: "DRAFT", box: edb.Box{100, 100, 500, 600}, turn: -1})
	got := layout([]rawPage{pg})
	wantShapes(t, got, "header: DRAFT", "paragraph: line a line b line c line d line e")
	if b := got.Pages[0].Elements[1].Box; *b != (edb.Box{100, 590, 166, 620}) {
		t.Errorf("box %v is not as shown", *b)
	}
	if p := got.Pages[0]; p.Width != 600 || p.Height != 800 {
		t.Errorf("page of %v by %v", p.Width, p.Height)
	}
}

func TestLayoutEmptyPages(t *testing.T) {
	got := layout([]rawPage{blankPage(1), {number: 2}})
	for _, p := range got.Pages {
		if !p.NoText || len(p.Elements) != 0 {
			t.Errorf("page %d: NoText %v, %d elements", p.Number, p.NoText, len(p.Elements))
		}
	}
	if len(layout(nil).Pages) != 0 {
		t.Error("pages out of nothing")
	}
}

func TestLayoutCaseDehyphen(t *testing.T) {
	seen := false
	for _, c := range testdata.Cases(t, "parse") {
		if c.ID != "text-dehyphen-keep" {
			continue
		}
		seen = true
		var in struct{ Lines []string }
		var want struct {
			JoinedContains []string `json:"joined_contains"`
			NotAllowed     []string `json:"not_allowed"`
		}
		if err := json.Unmarshal(c.Input, &in); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(c.Expected, &want); err != nil {
			t.Fatal(err)
		}
		pg := blankPage(1)
		for i, l := range in.Lines {
			set(&pg, 60, 100+14*float64(i), l, font{})
		}
		text := layout([]rawPage{pg}).Text()
		for _, s := range want.JoinedContains {
			if !strings.Contains(text, s) {
				t.Errorf("%q lacks %q", text, s)
			}
		}
		for _, s := range want.NotAllowed {
			if strings.Contains(text, s) {
				t.Errorf("%q holds %q", text, s)
			}
		}
	}
	if !seen {
		t.Fatal("the case is not there")
	}
}

func TestJoinLines(t *testing.T) {
	for _, c := range []struct {
		lines []string
		known []string
		want  string
	}{
		{[]string{"the vocab-", "ulary"}, nil, "the vocabulary"},
		{[]string{"a well-", "known fact"}, []string{"well-known"}, "a well-known fact"},
		{[]string{"in 2019-", "2020"}, nil, "in 2019-2020"},
		{[]string{"Jean-", "Paul"}, nil, "Jean-Paul"},
		{[]string{"one", "", " two "}, nil, "one two"},
		{[]string{"a dash -", "here"}, nil, "a dash - here"},
		{[]string{"soft\u00ad", "ly"}, nil, "softly"},
		{nil, nil, ""},
	} {
		known := map[string]bool{}
		for _, k := range c.known {
			known[k] = true
		}
		if got := joinLines(c.lines, known); got != c.want {
			t.Errorf("%q: %q, want %q", c.lines, got, c.want)
		}
	}
}

func TestTurnBoxBackAndForth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := rapid.IntRange(0, 3).Draw(t, "quarters")
		v := rapid.SliceOfN(rapid.Float64Range(0, 500), 4, 4).Draw(t, "box")
		b := edb.Box{min(v[0], v[2]), min(v[1], v[3]), max(v[0], v[2]), max(v[1], v[3])}
		w, h := 600.0, 800.0
		there := turnBox(b, q, w, h)
		if q%2 == 1 {
			w, h = h, w
		}
		back := turnBox(there, (4-q)%4, w, h)
		for i := range b {
			if math.Abs(b[i]-back[i]) > 1e-9 {
				t.Fatalf("%v came back as %v", b, back)
			}
		}
	})
}

// randomPages makes pages of words, rules and images from bytes.
func randomPages(data []byte) []rawPage {
	var seed [16]byte
	copy(seed[:], data)
	r := rand.New(rand.NewPCG(uint64(len(data)), uint64(seed[0])|uint64(seed[1])<<8|uint64(seed[2])<<16))
	pages := make([]rawPage, 1+r.IntN(3))
	next := 0
	take := func() int {
		if next < len(data) {
			next++
			return int(data[next-1])
		}
		return r.IntN(256)
	}
	box := func() edb.Box {
		x, y := float64(take()*3-40), float64(take()*4-60)
		return edb.Box{x, y, x + float64(take()%90), y + float64(take()%30)}
	}
	words := []string{"a", "Table", "1", "2", "3:", "12.5", "well-", "known", "•", "Figure", "(7)", "\u00ad", "..", "….", "漢字", "x-y"}
	for i := range pages {
		pages[i] = rawPage{number: i + 1, width: 600, height: 800}
		for range take() {
			pages[i].words = append(pages[i].words, wordRun{text: words[take()%len(words)], box: box(), font: font{size: float64(take() % 20), bold: take()%4 == 0}, turn: take()%6%5 - 1})
		}
		for range take() % 40 {
			b := box()
			if take()%2 == 0 {
				b[3] = b[1]
			} else {
				b[2] = b[0]
			}
			pages[i].rules = append(pages[i].rules, b)
		}
		for range take() % 5 {
			pages[i].images, pages[i].grounds, pages[i].paths = append(pages[i].images, box()), append(pages[i].grounds, box()), append(pages[i].paths, box())
		}
	}
	return pages
}

// FuzzLayout holds the layer to its promises on any geometry: no word is lost or made up, the same
// input gives the same output, ids are unique, captions point at elements, numbers are numbers.
func FuzzLayout(f *testing.F) {
	for i := range 30 {
		f.Add([]byte{byte(i), byte(i * 7), byte(i * 31), 200, 9, 4, byte(255 - i)})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, again := layout(randomPages(data)), layout(randomPages(data))
		if !reflect.DeepEqual(got, again) {
			t.Fatal("the same pages gave two results")
		}
		letters := func(s string) int {
			n := 0
			for _, r := range s {
				if r != '-' && r != '\u00ad' && r != ' ' && r != '\t' && r != '\n' {
					n++
				}
			}
			return n
		}
		for i, in := range randomPages(data) {
			want, have := 0, 0
			for _, w := range in.words {
				want += letters(w.text)
			}
			ids := map[string]bool{}
			for _, e := range got.Pages[i].Elements {
				have += letters(e.Text)
				if e.ID == "" || ids[e.ID] {
					t.Fatalf("id %q is empty or not unique", e.ID)
				}
				ids[e.ID] = true
				if e.Box != nil {
					for _, v := range e.Box {
						if math.IsNaN(v) || math.IsInf(v, 0) {
							t.Fatalf("box %v", *e.Box)
						}
					}
				}
				if e.Level < 0 || e.Level > 6 {
					t.Fatalf("level %d", e.Level)
				}
			}
			for _, e := range got.Pages[i].Elements {
				if e.CaptionOf != "" && !ids[e.CaptionOf] {
					t.Fatalf("caption of %q, which is not there", e.CaptionOf)
				}
			}
			if want != have {
				t.Fatalf("page %d: %d characters in, %d out", i+1, want, have)
			}
		}
	})
}
