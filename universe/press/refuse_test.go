package press_test

import (
	"strings"
	"testing"

	edb "enterprisedocbench"

	"enterprisedocbench/universe/press"
)

func one(b press.Block) press.Story {
	return press.Story{ID: "d", Title: "T", Blocks: []press.Block{b}}
}

func para(text string) press.Story { return one(press.Block{Kind: edb.KindParagraph, Text: text}) }

func tabled(t press.Table) press.Story {
	return one(press.Block{Kind: edb.KindTable, Table: &t})
}

func charted(c press.Chart) press.Story {
	return one(press.Block{Kind: edb.KindFigure, Chart: &c})
}

func TestRefusals(t *testing.T) {
	two := [][]string{{"a", "b"}, {"c", "d"}}
	for _, c := range []struct {
		name  string
		story press.Story
		want  string // in the error of a PDF
	}{
		{"nothing", press.Story{ID: "d"}, "neither title nor blocks"},
		{"no text", para(" \n "), "block 1 (paragraph): it has no text"},
		{"no kind", one(press.Block{Kind: "caption", Text: "x"}), "choose heading, paragraph"},
		{"no glyph", para("A 漢字 here"), `font LiberationSans has no glyph for '漢' (U+6F22) in "A 漢字 here": use another character`},
		{"no glyph in a title", press.Story{ID: "d", Title: "tick ✓"}, "title: font LiberationSans-Bold has no glyph for '✓'"},
		{"no glyph in a cell", tabled(press.Table{Rows: [][]string{{"x 🎉"}}}), "no glyph"},
		{"no glyph in code", one(press.Block{Kind: edb.KindCode, Text: "漢"}), "font LiberationMono has no glyph"},
		{"no glyph in the head", press.Story{ID: "d", Title: "T", Head: "漢"}, "no glyph"},
		{"a decomposed letter", para("e\u0301"), "U+0301"},
		{"a soft hyphen", para("a\u00adb"), "U+00AD, which cannot be seen"},
		{"a control character", para("a\x07b"), "U+0007"},
		{"delete", para("a\x7fb"), "U+007F"},
		{"no UTF-8", para("a\xffb"), "is not UTF-8"},
		{"a brace too many", para("a } b"), `a brace that ends nothing: write \} for a brace`},
		{"no field", para("a {|b}"), "begins no {field|value}"},
		{"no bar", para("a {b} c"), "begins no {field|value}"},
		{"no end", para("a {b|c"), "the fact b has no closing brace"},
		{"no value", para("a {b| }"), "the fact b has no value"},
		{"a fact in a fact", para("{a|{b|c}}"), "a fact inside of a fact"},
		{"a level", one(press.Block{Kind: edb.KindHeading, Level: 7, Text: "x"}), "level 7"},
		{"a long word", para(strings.Repeat("x", 200)), "points wide"},
		{"a long heading", one(press.Block{Kind: edb.KindHeading, Text: strings.Repeat("word ", 2000)}), "shorten it"},
		{"a long note", one(press.Block{Kind: edb.KindFootnote, Text: strings.Repeat("word ", 4000)}), "is longer than a page"},
		{"a long fact", para("{f|" + strings.Repeat("word ", 4000) + "}"), "a fact that is longer than a page"},
		{"no table", one(press.Block{Kind: edb.KindTable}), "it has no Table"},
		{"no chart", one(press.Block{Kind: edb.KindFigure}), "it has no Chart"},
		{"no cells", tabled(press.Table{Header: []string{"a"}}), "it has no cells"},
		{"empty cells", tabled(press.Table{Rows: [][]string{{"", ""}}}), "it has no text"},
		{"a short row", tabled(press.Table{Header: []string{"a", "b"}, Rows: [][]string{{"c"}}}), "row 1 has 1 cells, the table has 2 columns"},
		{"sides", tabled(press.Table{Rows: two, Right: []bool{true}}), "Right has 1 entries for 2 columns"},
		{"widths", tabled(press.Table{Rows: two, Widths: []float64{1}}), "Widths has 1 entries for 2 columns"},
		{"a width", tabled(press.Table{Rows: two, Widths: []float64{-1, 1}}), "width -1"},
		{"a wide table", tabled(press.Table{Rows: [][]string{strings.Fields(strings.Repeat("internationalisation ", 24))}}), "drop columns or shorten words"},
		{"a high row", tabled(press.Table{Rows: [][]string{{strings.Repeat("word ", 4000)}}}), "row 1 of the table is higher than a page"},
		{"a span outside", tabled(press.Table{Rows: two, Spans: []press.Span{{Row: 1, Rows: 2, Columns: 1}}}), "leaves the table"},
		{"a span over the header", tabled(press.Table{Header: []string{"a", "b"}, Rows: two, Spans: []press.Span{{Row: -1, Rows: 2, Columns: 1}}}), "leaves the table or its header"},
		{"spans that overlap", tabled(press.Table{Rows: [][]string{{"a", ""}, {"c", "d"}}, Spans: []press.Span{{Rows: 1, Columns: 2}, {Column: 1, Rows: 2, Columns: 1}}}), "overlaps another one"},
		{"text below a span", tabled(press.Table{Rows: two, Spans: []press.Span{{Rows: 2, Columns: 1}}}), `the cell "c" lies under another one's span`},
		{"a chart kind", charted(press.Chart{Kind: "pie", Labels: []string{"a"}, Values: []float64{1}, Printed: []string{"1"}}), `chart kind "pie": choose bars, columns or line`},
		{"no values", charted(press.Chart{Kind: press.Bars}), "it has no values"},
		{"values missing", charted(press.Chart{Kind: press.Bars, Labels: []string{"a"}, Printed: []string{"1"}}), "1 labels, 0 values and 1 printed"},
		{"a bar below 0", charted(press.Chart{Kind: press.Bars, Labels: []string{"a"}, Values: []float64{-1}, Printed: []string{"1"}}), "value -1 cannot be drawn as bars"},
		{"a label missing", charted(press.Chart{Kind: press.Bars, Labels: []string{""}, Values: []float64{1}, Printed: []string{"1"}}), "has no label"},
		{"a fact above", charted(press.Chart{Kind: press.Columns, Above: true, Labels: []string{"a"}, Values: []float64{1}, Printed: []string{"{f|1}"}}), "unset Above"},
		{"a long label", charted(press.Chart{Kind: press.Bars, Labels: []string{strings.Repeat("word ", 30)}, Values: []float64{1}, Printed: []string{"1"}}), "leave its bars"},
		{"many bars", charted(press.Chart{Kind: press.Bars, Labels: strings.Fields(strings.Repeat("a ", 60)), Values: make([]float64, 60), Printed: strings.Fields(strings.Repeat("1 ", 60))}), "show fewer values"},
		{"many columns", charted(press.Chart{Kind: press.Columns, Labels: strings.Fields(strings.Repeat("label ", 60)), Values: make([]float64, 60), Printed: strings.Fields(strings.Repeat("1 ", 60))}), "do not fit below its 60 columns"},
		{"large type", press.Story{ID: "d", Title: "T", Look: press.Look{Size: 40}}, "text of 40 points"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, f := range []press.Format{press.PDF, press.PDFTwoColumn} {
				if p, err := press.Print(c.story, f); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "document d: ") || p.Content != nil {
					t.Errorf("%s: error %v, want %q", f, err, c.want)
				}
			}
		})
	}
}

func TestParseFormat(t *testing.T) {
	for _, f := range press.Formats {
		if got, err := press.ParseFormat(string(f)); err != nil || got != f {
			t.Errorf("ParseFormat(%q) = %q, %v", f, got, err)
		}
	}
	const want = `format "docx": choose one of pdf, pdf-2col, html, md, text`
	if _, err := press.ParseFormat("docx"); err == nil || err.Error() != want {
		t.Errorf("error %v", err)
	}
	if _, err := press.Print(para("x"), "docx"); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v", err)
	}
}
