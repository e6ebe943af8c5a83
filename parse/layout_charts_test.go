package parse

import (
	"slices"
	"strings"
	"testing"

	"enterprisedocbench"
)

// Bars that lie beside labels, or stand over them, are a figure with its labels as text; cells with
// coloured grounds are a table.
func TestLayoutTakesBarChartsForFigures(t *testing.T) {
	labels := []string{"Reception", "Security", "Cleaning", "Catering"}
	values := []string{"4.8", "7.8", "3.7", "4.8"}
	lying := blankPage(1)
	for i, l := range labels {
		y, length := 450+20*float64(i), 20*float64(values[i][0]-'0')
		lying.grounds = append(lying.grounds, edb.Box{200, y, 200 + length, y + 12})
		set(&lying, 195-5*float64(len(l)), y+1, l, font{})
		set(&lying, 204+length, y+1, values[i], font{})
	}
	standing := blankPage(1)
	for i, l := range labels {
		x, height := 100+100*float64(i), 20*float64(values[i][0]-'0')
		standing.grounds = append(standing.grounds, edb.Box{x, 500 - height, x + 50, 500})
		set(&standing, x, 504, l, font{})
		set(&standing, x+15, 488-height, values[i], font{})
	}
	for name, pg := range map[string]rawPage{"lying": lying, "standing": standing} {
		set(&pg, 60, 550, "Figure 1: Scores of four services as they were given", font{})
		set(&pg, 60, 600, "Running text below the figure that is a paragraph of its own.", font{})
		els := layout([]rawPage{pg}).Pages[0].Elements
		if len(els) != 3 || els[0].Kind != edb.KindFigure || els[1].Kind != edb.KindCaption || els[1].CaptionOf != els[0].ID || els[2].Kind != edb.KindParagraph {
			t.Errorf("%s: %+v", name, els)
			continue
		}
		for _, w := range slices.Concat(labels, values) {
			if !strings.Contains(els[0].Text, w) {
				t.Errorf("%s: the figure's text %q lacks %q", name, els[0].Text, w)
			}
		}
	}
	cells := blankPage(1)
	for i, l := range labels {
		y := 300 + 14*float64(i)
		cells.grounds = append(cells.grounds, edb.Box{98, y - 2, 180, y + 12}, edb.Box{180, y - 2, 250 + 10*float64(i), y + 12})
		set(&cells, 100, y, l, font{})
		set(&cells, 200, y, values[i], font{})
	}
	if els := layout([]rawPage{cells}).Pages[0].Elements; len(els) != 1 || els[0].Kind != edb.KindTable {
		t.Errorf("cells with grounds: %+v", els)
	}
}

// A page number at the end of a footer is an element of its own; a year that all pages have is not.
func TestLayoutCutsPageNumbersOffFooters(t *testing.T) {
	var pages []rawPage
	for i := range 3 {
		pg := blankPage(i + 1)
		set(&pg, 60, 30, "Annual Report", font{})
		set(&pg, 500, 30, "2025", font{})
		set(&pg, 60, 400, strings.Repeat("body ", i+3), font{})
		set(&pg, 60, 770, "Some Company", font{})
		set(&pg, 480, 770, "Page "+string(rune('1'+i))+" of 3", font{})
		pages = append(pages, pg)
	}
	for _, p := range layout(pages).Pages {
		if got := shapes(edb.Parsed{Paged: true, Pages: []edb.Page{p}}); !slices.Equal(got[:1], []string{"header: Annual Report 2025"}) ||
			!slices.Equal(got[2:], []string{"footer: Some Company", "page-number: Page " + string(rune('0'+p.Number)) + " of 3"}) {
			t.Errorf("%q", got)
		}
	}
}

// Paragraphs set a little apart are told apart where the upper one ends like a sentence.
func TestLayoutPartsParagraphsByALittleRoom(t *testing.T) {
	pg := blankPage(1)
	y := 100.0
	for range 3 {
		for _, l := range []string{"A paragraph of three lines that are all as long", "as each other, so that only the room between it", "and the next one tells where this paragraph ends."} {
			set(&pg, 60, y, l, font{})
			y += 12
		}
		y += 5
	}
	if got := shapes(layout([]rawPage{pg})); len(got) != 3 {
		t.Errorf("%d paragraphs: %q", len(got), got)
	}
}
