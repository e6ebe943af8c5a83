package parse

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"enterprisedocbench"
)

// inFont is a page whose lines are set in a font of their own letters, right to left where right is
// above 0: the line then ends there and its letters are drawn from its end.
func inFont(right float64, lines ...string) []byte {
	m := &madePDF{}
	set := letters(lines...)
	f := m.unicodeFont(set, false)
	var b strings.Builder
	for i, l := range lines {
		x := 100.0
		if right > 0 {
			x = right - 12*float64(len([]rune(l)))
			l = visual(l)
		}
		fmt.Fprintf(&b, "BT /F1 12 Tf 1 0 0 1 %g %d Tm %s Tj ET\n", x, 700-16*i, codes(set, l))
	}
	return m.pagesOf(fmt.Sprintf("/Font<</F1 %d 0 R>>", f), "", b.String())
}

// visual is a right-to-left line as it is drawn from the left: all reversed but numbers and words of
// the other direction.
func visual(l string) string {
	words := strings.Split(l, " ")
	slices.Reverse(words)
	for i, w := range words {
		if wordDirection(w) == -1 {
			words[i] = reversed(w)
		}
	}
	return strings.Join(words, " ")
}

// TestMadePDFs: what the geometric layer must see, each in a small file of its own.
func TestMadePDFs(t *testing.T) {
	for _, c := range []struct {
		name string
		file []byte
		want []string
	}{
		{"Hebrew reads from the right, numbers in it from the left", inFont(400, "שלום עולם", "עולם שלום 123 שלום"),
			[]string{"paragraph: שלום עולם עולם שלום 123 שלום"}},
		{"Arabic", inFont(400, "السلام عليكم"), []string{"paragraph: السلام عليكم"}},
		{"Chinese lines join without a blank", inFont(0, "本文件描述系统的结构和接口，", "并说明如何使用。"),
			[]string{"paragraph: 本文件描述系统的结构和接口，并说明如何使用。"}},
		{"Korean lines join with one", inFont(0, "시스템의 구조와", "인터페이스"), []string{"paragraph: 시스템의 구조와 인터페이스"}},
		{"a character map of Adobe's", (&madePDF{}).pagesOf("/Font<</F1<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UCS2-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType0"+
			"/BaseFont/STSong-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>/DW 1000>>]>>>>", "", "BT /F1 12 Tf 100 700 Td <4E2D6587> Tj ET"),
			[]string{"paragraph: 中文"}},
		{"glyph names: uni, u, accents, parts, suffixes, old Cyrillic", (&madePDF{}).pagesOf("/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Type/Encoding"+
			"/Differences[65/uni20AC/u1F600/Aacute/f_i/a.sc/ffi/afii10017/one.oldstyle]>>>>>>", "", "BT /F1 12 Tf 100 700 Td (A B C D E F G H) Tj ET"),
			[]string{"paragraph: € 😀 Á fi a ffi А 1"}},
		{"a page turned by 90", madePage("/Rotate 90", func(p *pen) { p.lines(100, 100, "First line of a page that is turned", "and the second line of it") }),
			[]string{"paragraph: First line of a page that is turned and the second line of it"}},
		{"and by 270", madePage("/Rotate 270", func(p *pen) { p.lines(100, 100, "First line of a page that is turned", "and the second line of it") }),
			[]string{"paragraph: First line of a page that is turned and the second line of it"}},
		{"lines skewed by two degrees", (&madePDF{}).pagesOf(latin, "", "BT /F1 10 Tf 0.9994 0.0349 -0.0349 0.9994 100 700 Tm (A line that is skewed by two degrees) Tj ET\n"+
			"BT /F1 10 Tf 0.9994 0.0349 -0.0349 0.9994 100.4 688 Tm (and another line below it that goes on) Tj ET\n"),
			[]string{"paragraph: A line that is skewed by two degrees and another line below it that goes on"}},
		{"headings, hyphens, lists, a footnote", madePage("", func(p *pen) {
			p.at("F2", 18, 60, 60, "Annual Report")
			p.at("F2", 14, 60, 90, "1 Overview")
			p.lines(60, 110, "The first paragraph has a soft vocab-", "ulary of words, n-tridecanal among them and n-", "tridecanal once more.")
			p.at("F2", 12, 60, 165, "1.1 Details")
			p.lines(60, 185, "Things to do:", "\x95 the first item of the list", "\x95 the second item of the list")
			p.lines(60, 245, "1. one numbered", "2. two numbered that runs", "on in the next line", "3. three numbered")
			p.at("F1", 7, 60, 730, "1 A note at the foot of the page.")
		}), []string{"heading: Annual Report", "heading: 1 Overview",
			"paragraph: The first paragraph has a soft vocabulary of words, n-tridecanal among them and n-tridecanal once more.",
			"heading: 1.1 Details", "paragraph: Things to do:", "list-item: • the first item of the list", "list-item: • the second item of the list",
			"list-item: 1. one numbered", "list-item: 2. two numbered that runs on in the next line", "list-item: 3. three numbered",
			"footnote: 1 A note at the foot of the page."}},
		{"two columns under one title", madePage("", func(p *pen) {
			p.at("F2", 16, 120, 60, "A title over both of the columns")
			for i := range 14 {
				p.lines(60, 100+12*float64(i), fmt.Sprintf("left %d goes on and on and on here", i))
				p.lines(320, 100+12*float64(i), fmt.Sprintf("right %d goes on and on and on too", i))
			}
		}), []string{"heading: A title over both of the columns", "paragraph: " + counting("left %d goes on and on and on here"), "paragraph: " + counting("right %d goes on and on and on too")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, _ := readMade(t, c.file); !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

func counting(line string) string {
	var out []string
	for i := range 14 {
		out = append(out, fmt.Sprintf(line, i))
	}
	return strings.Join(out, " ")
}

// TestMadeTables: merged cells of ruled tables, captions tied to what they name.
func TestMadeTables(t *testing.T) {
	cells := func(p *pen, y float64, texts ...string) {
		for i, s := range texts {
			if s != "" {
				p.at("F1", 10, 65+100*float64(i), y, s)
			}
		}
	}
	for _, c := range []struct {
		name, html string
		draw       func(p *pen)
	}{
		{"a cell over two columns", `<table><tr><td>Region</td><td colspan="2">Sales of both years</td></tr><tr><td>North</td><td>12.5</td><td>13.5</td></tr><tr><td>South</td><td>7</td><td>8</td></tr></table>`,
			func(p *pen) {
				for _, y := range []float64{100, 120, 140, 160} {
					p.rule(60, y, 360, y)
				}
				p.rule(60, 100, 60, 160)
				p.rule(160, 100, 160, 160)
				p.rule(260, 120, 260, 160)
				p.rule(360, 100, 360, 160)
				cells(p, 114, "Region", "Sales of both years")
				cells(p, 134, "North", "12.5", "13.5")
				cells(p, 154, "South", "7", "8")
			}},
		{"a cell over two rows", `<table><tr><td rowspan="2">Both</td><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr><tr><td>One</td><td>e</td><td>f</td></tr></table>`,
			func(p *pen) {
				p.rule(60, 100, 360, 100)
				p.rule(160, 120, 360, 120)
				p.rule(60, 140, 360, 140)
				p.rule(60, 160, 360, 160)
				for _, x := range []float64{60, 160, 260, 360} {
					p.rule(x, 100, x, 160)
				}
				cells(p, 124, "Both")
				cells(p, 114, "", "a", "b")
				cells(p, 134, "", "c", "d")
				cells(p, 154, "One", "e", "f")
			}},
		{"no rules at all", `<table><tr><td>Country</td><td>2009</td><td>2010</td></tr><tr><td>Brazil</td><td>50,000</td><td>43,000</td></tr><tr><td>China</td><td>700,000</td><td>455,000</td></tr></table>`,
			func(p *pen) {
				cells(p, 114, "Country", "2009", "2010")
				cells(p, 128, "Brazil", "50,000", "43,000")
				cells(p, 142, "China", "700,000", "455,000")
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := madePage("", func(p *pen) {
				p.at("F1", 10, 60, 80, "Table 1: What there is")
				c.draw(p)
				p.lines(60, 200, "Running text below that goes on for a line or so and", "does not belong to the table.")
			})
			p, err := parsePDFBytes(t, testPdfium(t), file)
			if err != nil {
				t.Fatal(err)
			}
			els := p.Pages[0].Elements
			if len(els) != 3 || els[0].Kind != edb.KindCaption || els[1].Kind != edb.KindTable || els[0].CaptionOf != els[1].ID || els[2].Kind != edb.KindParagraph {
				t.Fatalf("%q", shapes(p))
			}
			if els[1].HTML != c.html {
				t.Errorf("got  %s\nwant %s", els[1].HTML, c.html)
			}
		})
	}
}

// Headers, footers and page numbers of several pages are artifacts.
func TestMadeFurniture(t *testing.T) {
	var pages []string
	for i := range 4 {
		var p pen
		p.at("F1", 8, 60, 30, "Annual report of the company")
		p.lines(60, 300, fmt.Sprintf("What page %s has to say is its own and", []string{"one", "two", "three", "four"}[i]), "goes on for two lines.")
		p.at("F1", 8, 300, 775, fmt.Sprint(i+1))
		pages = append(pages, p.String())
	}
	p, err := parsePDFBytes(t, testPdfium(t), (&madePDF{}).pagesOf(latin, "", pages...))
	if err != nil {
		t.Fatal(err)
	}
	for _, pg := range p.Pages {
		if len(pg.Elements) != 3 || pg.Elements[0].Kind != edb.KindHeader || pg.Elements[2].Kind != edb.KindPageNumber {
			t.Errorf("page %d: %+v", pg.Number, pg.Elements)
		}
	}
}

// Glyphs without a character are counted, whatever stands for them in PDFium, and leave no mark.
func TestMadeUnmappedGlyphs(t *testing.T) {
	m := &madePDF{}
	f := m.unicodeFont([]string{"S", "p", "\x00"}, false)
	p, err := parsePDFBytes(t, testPdfium(t), m.pagesOf(fmt.Sprintf("/Font<</F1 %d 0 R>>", f), "",
		"BT /F1 12 Tf 100 680 Td <000100030002> Tj ET\nBT /F1 12 Tf 100 620 Td <0001000A0002> Tj ET\n")) // 3 maps to NUL, 10 to nothing
	if err != nil {
		t.Fatal(err)
	}
	if text := p.Text(); text != "Sp\nSp" && text != "Sp Sp" {
		t.Errorf("text %q", text)
	}
	if !slices.Equal(p.Warnings, []string{"page 1: 2 glyphs have no character"}) {
		t.Errorf("warnings %q", p.Warnings)
	}
}

func TestPDFFaults(t *testing.T) {
	good := madePage("", func(p *pen) { p.lines(100, 100, "Good") })
	if xrefLoop(good) || pageTreeCycle(good) {
		t.Error("faults in a sound file")
	}
	at := strings.LastIndex(string(good), "xref\n0")
	if at < 0 {
		t.Fatal("no xref")
	}
	loop := []byte(strings.Replace(string(good), "/Root", fmt.Sprintf("/Prev %d/Root", at), 1))
	if !xrefLoop(loop) {
		t.Error("a section that names itself is no loop")
	}
	m := &madePDF{}
	m.add("<</Type/Pages/Kids[2 0 R]/Count 1>>")
	m.add("<</Type/Pages/Kids[3 0 R 1 0 R]/Count 1>>")
	m.add("<</Type/Page/Parent 2 0 R>>")
	if file := m.bytes(m.add("<</Type/Catalog/Pages 1 0 R>>"), ""); !pageTreeCycle(file) {
		t.Error("a tree that holds itself is no cycle")
	}
	for _, b := range [][]byte{nil, []byte("startxref"), []byte("startxref 99"), []byte("startxref 0"), []byte("1 0 obj/Type/Pages/Kids[")} {
		if xrefLoop(b) || pageTreeCycle(b) {
			t.Errorf("%q has faults", b)
		}
	}
}

// A page that says nothing but in its annotations says that it has some.
func TestMadeAnnotationsAlone(t *testing.T) {
	p, err := parsePDFBytes(t, testPdfium(t), (&madePDF{}).pagesOf(latin, "/Annots[<</Type/Annot/Subtype/FreeText/Rect[10 10 200 40]/Contents(A note)/DA(/F1 10 Tf)>>]", ""))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "page 1: no text of its own, but annotations (1 form fields") || !p.Pages[0].NoText {
		t.Errorf("%q, %+v", p.Warnings, p.Pages[0])
	}
}
