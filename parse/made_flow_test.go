package parse

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"enterprisedocbench"
)

// Levels follow the numbers: under a title from 2 on, else from 1 on, whatever the sizes are.
func TestMadeHeadingLevels(t *testing.T) {
	body := []string{"Running text of the section that goes on for a line or two and", "fills it, so that its size is that of most of the letters."}
	for _, c := range []struct {
		name  string
		title float64
		sizes [3]float64 // of 1, 1.1 and 1.1.1
		want  []int
	}{
		{"a title and one size", 20, [3]float64{12, 12, 12}, []int{1, 2, 3, 4, 3, 2}},
		{"a title and two sizes", 20, [3]float64{12, 11, 10}, []int{1, 2, 3, 4, 3, 2}},
		{"a title and three sizes", 20, [3]float64{14, 12, 11}, []int{1, 2, 3, 4, 3, 2}},
		{"no title", 0, [3]float64{14, 12, 11}, []int{1, 2, 3, 2, 1}},
		{"no title and one size", 0, [3]float64{12, 12, 12}, []int{1, 2, 3, 2, 1}},
	} {
		file := madePage("", func(p *pen) {
			if c.title > 0 {
				p.at("F2", c.title, 60, 60, "A Survey of River Basins")
			}
			y := 100.0
			for _, h := range []string{"1 Section", "1.1 Details", "1.1.1 Deep detail", "1.2 More details", "2 Last section"} {
				p.at("F2", c.sizes[strings.Count(h, ".")], 60, y, h)
				p.lines(60, y+20, body...)
				y += 60
			}
		})
		p, err := parsePDFBytes(t, testPdfium(t), file)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, e := range p.Elements {
			if e.Kind == edb.KindHeading {
				got = append(got, e.Level)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: levels %v, want %v in %q", c.name, got, c.want, shapes(p))
		}
	}
}

// picture places a small picture; y is its top.
func (p *pen) picture(x, y, w, h float64) {
	fmt.Fprintf(p, "q %g 0 0 %g %g %g cm BI /W 2 /H 2 /CS /G /BPC 8 ID \x10\x41\x61\x40 EI Q\n", w, h, x, 800-y-h)
}

// Captions belong to one figure or table each, in any language, and line charts are figures.
func TestMadeCaptions(t *testing.T) {
	text := []string{"Running text of the page that goes on for a line or two and", "fills it, so that its size is that of most of the letters."}
	for _, c := range []struct {
		name string
		want string // the captions, in order, each with the kind it belongs to and that one's place among its kind
		draw func(p *pen)
	}{
		{"each of two pictures has one", "figure 1, figure 2", func(p *pen) {
			p.lines(60, 60, text...)
			for k := range 2 {
				y := 100 + 170*float64(k)
				p.picture(100, y, 300, 100)
				p.at("F1", 9, 100, y+140, fmt.Sprintf("Figure %d: caption number %d of the page.", k+1, k+1))
			}
		}},
		{"German", "table 1, figure 1", func(p *pen) {
			p.lines(60, 60, text...)
			p.at("F1", 9, 72, 150, "Tabelle 1: Werte der Proben")
			for _, y := range []float64{156, 172, 204} {
				p.rule(72, y, 400, y)
			}
			for i, r := range [][]string{{"Ort", "Nass", "Trocken"}, {"Nord", "0,51", "0,40"}, {"Sued", "0,71", "0,66"}} {
				for j, s := range r {
					p.at("F1", 9, 76+110*float64(j), 167+14*float64(i), s)
				}
			}
			p.picture(100, 240, 200, 100)
			p.at("F1", 9, 100, 355, "Abbildung 2: Ein kleines Bild des Ortes.")
			p.lines(60, 400, text...)
		}},
		{"a line chart", "figure 1, figure 2", func(p *pen) {
			p.lines(60, 60, text...)
			p.rule(100, 360, 100, 200)
			p.rule(100, 360, 400, 360)
			p.WriteString("100 480 m ")
			for i := range 30 {
				fmt.Fprintf(p, "%d %d l ", 110+10*i, 450+(i*i*37)%140)
			}
			p.WriteString("S\n")
			p.at("F1", 9, 100, 400, "Figure 1. Energy against time.")
			p.lines(60, 440, text...)
			p.picture(100, 480, 200, 100)
			p.at("F1", 9, 100, 595, "Fig. 2: A small picture of the site.")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := parsePDFBytes(t, testPdfium(t), madePage("", c.draw))
			if err != nil {
				t.Fatal(err)
			}
			place, seen := map[string]string{}, map[string]int{}
			for _, e := range p.Elements {
				seen[e.Kind]++
				place[e.ID] = fmt.Sprintf("%s %d", e.Kind, seen[e.Kind])
			}
			var got []string
			for _, e := range p.Elements {
				if e.Kind == edb.KindCaption {
					got = append(got, place[e.CaptionOf])
				}
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("captions belong to %q, want %q in %q", got, c.want, shapes(p))
			}
		})
	}
}

// A word broken by a column or a page is one, in the paragraph where it begins.
func TestMadeBrokenWords(t *testing.T) {
	columns := madePage("", func(p *pen) {
		for i := range 30 {
			p.lines(60, 60+12*float64(i), fmt.Sprintf("left line %d goes on and on and on", i))
			if i > 0 {
				p.lines(320, 60+12*float64(i), fmt.Sprintf("right line %d goes on and on an", i))
			}
		}
		p.lines(60, 420, "and the last word is the vocab-")
		p.lines(320, 60, "ulary, of the second column of text")
	})
	page := func(first, last string) string {
		var p pen
		p.lines(60, 60, first)
		for i := range 20 {
			p.lines(60, 72+12*float64(i), fmt.Sprintf("line %d of the page that goes on and on to the end of it", i))
		}
		p.lines(60, 312, last)
		return p.String()
	}
	pages := (&madePDF{}).pagesOf(latin, "", page("There is n-tridecanal here", "this is the end of the page and n-"), page("tridecanal goes on and a word is bro-", "which ends the page with hyper-"), page("Upper case is no second half of it", "The end."))
	for _, c := range []struct {
		file      []byte
		want, not []string
	}{
		{columns, []string{"the vocabulary,\nof the second column"}, []string{"vocab-"}},
		{pages, []string{"and n-tridecanal\ngoes on", "with hyper-\nUpper case"}, nil},
	} {
		_, text := readMade(t, c.file)
		for _, w := range c.want {
			if !strings.Contains(strings.ReplaceAll(text, "\n\n", "\n"), w) {
				t.Errorf("no %q in %q", w, text)
			}
		}
		for _, n := range c.not {
			if strings.Contains(text, n) {
				t.Errorf("%q in %q", n, text)
			}
		}
	}
}

func TestJoinBroken(t *testing.T) {
	para := func(s string) edb.Element { return edb.Element{Kind: edb.KindParagraph, Text: s} }
	for _, c := range []struct {
		name string
		els  []edb.Element
		want []string
	}{
		{"over a figure", []edb.Element{para("a vocab-"), {Kind: edb.KindFigure}, {Kind: edb.KindFooter, Text: "x"}, para("ulary of it")}, []string{"a vocabulary", "", "x", "of it"}},
		{"not over a heading", []edb.Element{para("a vocab-"), {Kind: edb.KindHeading, Text: "H"}, para("ulary of it")}, []string{"a vocab-", "H", "ulary of it"}},
		{"not where nothing would be left", []edb.Element{para("a vocab-"), para("ulary")}, []string{"a vocab-", "ulary"}},
		{"not behind a number or a dash", []edb.Element{para("in 2019-"), para("of it all"), para("so --"), para("of it")}, []string{"in 2019-", "of it all", "so --", "of it"}},
		{"soft hyphens", []edb.Element{para("a vocab\u00ad"), para("ulary of it")}, []string{"a vocabulary", "of it"}},
		{"over three paragraphs", []edb.Element{para("a vocab-"), para("ulary of hy-"), para("phens too")}, []string{"a vocabulary", "of hyphens", "too"}},
	} {
		pages := []edb.Page{{Elements: c.els}}
		joinBroken(pages, nil)
		var got []string
		for _, e := range pages[0].Elements {
			got = append(got, e.Text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
