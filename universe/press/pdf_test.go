package press_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	edb "enterprisedocbench"

	"enterprisedocbench/parse"
	"enterprisedocbench/universe/press"
)

var pdfium = sync.OnceValues(func() (func(context.Context, string) ([][]edb.Line, error), error) { return parse.WordReader("pdfium") })

// words reads a PDF's words with their boxes through PDFium, which shares nothing with the press.
func words(t *testing.T, p press.Printed) [][]edb.Line {
	t.Helper()
	read, err := pdfium()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "doc.pdf")
	if err := os.WriteFile(path, p.Content, 0o644); err != nil {
		t.Fatal(err)
	}
	pages, err := read(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// inBox gives the first word of a quote that does not stand in its box, "" where all do.
func inBox(page []edb.Line, quote string, box edb.Box) string {
	have := map[string]int{}
	for _, w := range page {
		x, y := (w.Box[0]+w.Box[2])/2, (w.Box[1]+w.Box[3])/2
		if x > box[0]-1 && x < box[2]+1 && y > box[1]-1 && y < box[3]+1 {
			have[w.Text]++
		}
	}
	for _, word := range strings.Fields(quote) {
		if have[word]--; have[word] < 0 {
			return word
		}
	}
	return ""
}

// chapters is a story of many pages: long tables, long paragraphs, spans, footnotes, code.
func chapters(n int) press.Story {
	s := sample()
	s.ID = "long"
	var rows [][]string
	for i := range 60 {
		rows = append(rows, []string{fmt.Sprintf("Item %d", i), press.Fact(fmt.Sprintf("count-%d", i), fmt.Sprint(1000+i)), "a cell of some words that is broken over lines where the column is narrow"})
	}
	var long strings.Builder
	for i := range 400 {
		fmt.Fprintf(&long, "Sentence %d says that the value is %s today. ", i, press.Fact(fmt.Sprintf("said-%d", i), fmt.Sprintf("%d units", 7000+i)))
	}
	more := []press.Block{
		{Kind: edb.KindHeading, Text: "Long table"},
		{Kind: edb.KindTable, Table: &press.Table{Caption: "Table 9: Long", Header: []string{"Name", "Count", "Remark"}, Rows: rows, Right: []bool{false, true, false},
			Spans: []press.Span{{Row: 20, Column: 0, Rows: 1, Columns: 1}}}},
		{Kind: edb.KindParagraph, Text: long.String(), Keep: true},
		{Kind: edb.KindParagraph, Text: "Kept with what comes before, which no page can hold."},
		{Kind: edb.KindTable, Table: &press.Table{Header: strings.Fields("Aardvarks Buffaloes Crocodiles Dromedaries Elephants Flamingos Giraffes"), Rows: [][]string{strings.Fields("1 2 3 4 5 6 7")}}},
		{Kind: edb.KindFootnote, Text: "² Said by " + press.Fact("by", "Nobody") + "."},
		{Kind: edb.KindFootnote, Text: "³ A second note."},
	}
	blocks := s.Blocks
	for range n {
		s.Blocks = append(append(s.Blocks, more...), blocks...)
	}
	return s
}

func TestPDFiumFindsEveryLineAndQuote(t *testing.T) {
	for name, s := range map[string]press.Story{"sample": sample(), "serif": func() press.Story { s := sample(); s.Look = press.Look{Serif: true, Size: 11}; return s }(), "letter": letter(1), "paper": paper(2), "long": chapters(2)} {
		for _, f := range []press.Format{press.PDF, press.PDFTwoColumn} {
			p, err := press.Print(s, f)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			pages := words(t, p)
			if len(pages) != len(p.Gold.Pages) {
				t.Fatalf("%s, %s: %d pages, the gold has %d", name, f, len(pages), len(p.Gold.Pages))
			}
			for _, m := range p.Mentions {
				if w := inBox(pages[m.Evidence.Page-1], m.Evidence.Quote, *m.Evidence.Box); w != "" {
					t.Errorf("%s, %s: PDFium finds no %q of %q in its box on page %d", name, f, w, m.Evidence.Quote, m.Evidence.Page)
				}
			}
			for i, pg := range p.Gold.Pages {
				count := 0
				for _, e := range pg.Elements {
					if b := e.Box; b[0] < press.MarginSide-.02 || b[2] > press.PageWidth-press.MarginSide+.02 || b[1] < 40 || b[3] > press.PageHeight-30 || b[0] >= b[2] || b[1] >= b[3] {
						t.Errorf("%s, %s: %s %s of page %d lies at %v", name, f, e.Kind, e.ID, i+1, *b)
					}
					for _, l := range e.Lines {
						if l.Box == nil {
							continue
						}
						count += len(strings.Fields(l.Text))
						if w := inBox(pages[i], l.Text, *l.Box); w != "" {
							t.Errorf("%s, %s: PDFium finds no %q of the line %q on page %d", name, f, w, l.Text, i+1)
						}
					}
				}
				if count != len(pages[i]) {
					t.Errorf("%s, %s: page %d has %d words, the gold %d", name, f, i+1, len(pages[i]), count)
				}
			}
			overlaps(t, name+", "+string(f), p.Gold)
		}
	}
}

// overlaps fails where two elements of a page lie over each other.
func overlaps(t *testing.T, name string, gold edb.Parsed) {
	t.Helper()
	for _, p := range gold.Pages {
		for i, a := range p.Elements {
			for _, b := range p.Elements[i+1:] {
				if min(a.Box[2], b.Box[2])-max(a.Box[0], b.Box[0]) > .5 && min(a.Box[3], b.Box[3])-max(a.Box[1], b.Box[1]) > .5 {
					t.Errorf("%s: page %d: %s %q and %s %q overlap: %v, %v", name, p.Number, a.Kind, a.Text[:min(20, len(a.Text))], b.Kind, b.Text[:min(20, len(b.Text))], *a.Box, *b.Box)
				}
			}
		}
	}
}

func TestLongBlocksAreCut(t *testing.T) {
	for _, f := range []press.Format{press.PDF, press.PDFTwoColumn} {
		p, err := press.Print(chapters(1), f)
		if err != nil {
			t.Fatal(err)
		}
		tables, rows, notes := 0, 0, 0
		for _, pg := range p.Gold.Pages {
			for i, e := range pg.Elements {
				if e.Kind == edb.KindTable && strings.HasPrefix(e.Text, "Name\tCount\tRemark\n") {
					tables++
					rows += strings.Count(e.Text, "\n")
				}
				if e.Kind == edb.KindFootnote {
					notes++
					for _, later := range pg.Elements[i:] {
						if later.Kind != edb.KindFootnote && !later.Artifact() {
							t.Errorf("%s: a %s comes after a footnote of page %d", f, later.Kind, pg.Number)
						}
					}
				}
			}
		}
		if tables < 2 || rows != 60 {
			t.Errorf("%s: the long table has %d parts and %d rows, want 2 or more and 60", f, tables, rows)
		}
		if notes != 4 {
			t.Errorf("%s: %d footnotes, want 4", f, notes)
		}
		said := 0
		for _, m := range p.Mentions {
			if strings.HasPrefix(m.Field, "said-") {
				said++
				if !strings.Contains(m.Evidence.Quote, m.Value) {
					t.Errorf("%s: %q does not say %q", f, m.Evidence.Quote, m.Value)
				}
			}
		}
		if said != 400 {
			t.Errorf("%s: %d facts of the long paragraph, want 400", f, said)
		}
	}
}

func TestKeepHoldsBlocksTogether(t *testing.T) {
	page := map[string]int{}
	for fill := range 40 {
		s := press.Story{ID: "k", Title: "T"}
		for range fill {
			s.Blocks = append(s.Blocks, press.Block{Kind: edb.KindParagraph, Text: "Filler."})
		}
		s.Blocks = append(s.Blocks,
			press.Block{Kind: edb.KindHeading, Text: "Kept heading"},
			press.Block{Kind: edb.KindParagraph, Text: "Kept first.", Keep: true},
			press.Block{Kind: edb.KindTable, Keep: true, Table: &press.Table{Rows: [][]string{{"a"}, {"b"}, {"c"}}}},
			press.Block{Kind: edb.KindParagraph, Text: "Kept last."})
		p, err := press.Print(s, press.PDF)
		if err != nil {
			t.Fatal(err)
		}
		for n, e := range p.Gold.Elements {
			page[e.Text] = n
		}
		if page["Kept heading"] != page["Kept first."] || page["Kept heading"] != page["Kept last."] || page["a\nb\nc"] != page["Kept last."] {
			t.Errorf("after %d paragraphs the blocks lie on pages %v", fill, page)
		}
	}
	if page["Kept last."] != 2 {
		t.Errorf("forty paragraphs leave the blocks on page %d: nothing was tested", page["Kept last."])
	}
}

// PDFium reads a page whose order is plain in the order of the gold, header and footer aside.
func TestPDFiumReadsThePlainPageInOrder(t *testing.T) {
	p, err := press.Print(letter(5), press.PDF)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range words(t, p)[0] {
		got = append(got, w.Text)
	}
	if all, want := strings.Join(got, " "), strings.Join(strings.Fields(p.Gold.Text()), " "); !strings.Contains(all, want) {
		t.Errorf("got %s\nwant %s", all, want)
	}
}
