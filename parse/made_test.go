package parse

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// madePDF is a PDF written object by object, for what no collection has. Objects are numbered from 1.
type madePDF struct{ objects []string }

// add appends an object and gives its number.
func (m *madePDF) add(object string) int {
	m.objects = append(m.objects, object)
	return len(m.objects)
}

// stream appends a stream with further entries of its dictionary.
func (m *madePDF) stream(entries, data string) int {
	return m.add(fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", entries, len(data), data))
}

// bytes writes the file: object root is the catalog, trailer holds further entries.
func (m *madePDF) bytes(root int, trailer string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	at := make([]int, len(m.objects))
	for i, o := range m.objects {
		at[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	x := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, a := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", a)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root %d 0 R%s>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, root, trailer, x)
	return b.Bytes()
}

// pagesOf closes a file with one page a content, all 600 by 800 points with the same resources and
// further entries.
func (m *madePDF) pagesOf(resources, entries string, contents ...string) []byte {
	var kids []string
	tree := len(m.objects) + 2*len(contents) + 1
	for _, c := range contents {
		s := m.stream("", c)
		p := m.add(fmt.Sprintf("<</Type/Page/Parent %d 0 R/MediaBox[0 0 600 800]/Resources<<%s>>/Contents %d 0 R%s>>", tree, resources, s, entries))
		kids = append(kids, fmt.Sprintf("%d 0 R", p))
	}
	m.add(fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]>>", len(kids), strings.Join(kids, " ")))
	return m.bytes(m.add(fmt.Sprintf("<</Type/Catalog/Pages %d 0 R>>", tree)), "")
}

// latin are the resources of pages set in Helvetica (F1), bold (F2) and Times (F3).
const latin = "/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>" +
	"/F2<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>/F3<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>>>"

// pen writes the content of a page, y from the top.
type pen struct{ strings.Builder }

// at sets a line of text: font F1, F2 or F3, size and place of the base line.
func (p *pen) at(font string, size, x, y float64, text string) {
	esc := strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(text)
	fmt.Fprintf(p, "BT /%s %g Tf 1 0 0 1 %g %g Tm (%s) Tj ET\n", font, size, x, 800-y, esc)
}

// lines sets lines of 10 points, 12 apart.
func (p *pen) lines(x, y float64, lines ...string) {
	for i, l := range lines {
		p.at("F1", 10, x, y+12*float64(i), l)
	}
}

// rule draws a line.
func (p *pen) rule(x0, y0, x1, y1 float64) {
	fmt.Fprintf(p, "%g %g m %g %g l S\n", x0, 800-y0, x1, 800-y1)
}

// madePage is a file of one page in Latin fonts.
func madePage(entries string, draw func(p *pen)) []byte {
	var p pen
	draw(&p)
	return (&madePDF{}).pagesOf(latin, entries, p.String())
}

// unicodeFont is a font of glyphs that are not in the file, code n standing for the nth character of
// the map, each one size wide; what it maps to may be several characters.
func (m *madePDF) unicodeFont(mapped []string, vertical bool) int {
	var b strings.Builder
	b.WriteString("/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def 1 begincodespacerange <0000> <FFFF> endcodespacerange\n")
	fmt.Fprintf(&b, "%d beginbfchar\n", len(mapped))
	for i, s := range mapped {
		fmt.Fprintf(&b, "<%04X> <%s>\n", i+1, utf16hex(s))
	}
	b.WriteString("endbfchar endcmap end end")
	cmap := m.stream("", b.String())
	encoding := "Identity-H"
	if vertical {
		encoding = "Identity-V"
	}
	desc := m.add("<</Type/FontDescriptor/FontName/Made/Flags 4/FontBBox[0 -200 1000 800]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>")
	cid := m.add(fmt.Sprintf("<</Type/Font/Subtype/CIDFontType2/BaseFont/Made/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 1000/FontDescriptor %d 0 R>>", desc))
	return m.add(fmt.Sprintf("<</Type/Font/Subtype/Type0/BaseFont/Made/Encoding/%s/DescendantFonts[%d 0 R]/ToUnicode %d 0 R>>", encoding, cid, cmap))
}

func utf16hex(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r > 0xFFFF {
			r -= 0x10000
			fmt.Fprintf(&b, "%04X%04X", 0xD800+r>>10, 0xDC00+r&0x3FF)
			continue
		}
		fmt.Fprintf(&b, "%04X", r)
	}
	return b.String()
}

// codes writes the characters of a text as codes of a font made with the same characters.
func codes(mapped []string, text string) string {
	var b strings.Builder
	for _, r := range text {
		fmt.Fprintf(&b, "%04X", slices.Index(mapped, string(r))+1)
	}
	return "<" + b.String() + ">"
}

// letters are the characters of texts, each once.
func letters(texts ...string) (out []string) {
	for _, t := range texts {
		for _, r := range t {
			if !slices.Contains(out, string(r)) {
				out = append(out, string(r))
			}
		}
	}
	return out
}

func reversed(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

// readMade reads a made file with pdfium.
func readMade(t *testing.T, b []byte) (out []string, text string) {
	t.Helper()
	p, err := parsePDFBytes(t, testPdfium(t), b)
	if err != nil {
		t.Fatal(err)
	}
	return shapes(p), p.Text()
}
