package press

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/klauspost/compress/zlib"
)

// producer names the program in the files' properties.
const producer = "EnterpriseDocBench universe"

// draw writes the laid-out pages as PDF 1.7: one content stream a page, each font with the glyphs that
// are used and the characters that they stand for. The bytes depend on nothing but the pages and what
// is said about them.
func (s *Sheet) draw(title, author string, made time.Time) ([]byte, error) {
	w := &pdfWriter{buf: make([]byte, 0, 48<<10)}
	w.buf = append(w.buf, "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"...)
	fonts := s.fonts()
	// Numbers: 1 catalog, 2 pages, 3 properties, 4 resources, then five a font and two a page.
	const firstFont = 5
	firstPage := firstFont + 5*len(fonts)
	w.open(1)
	w.add("<</Type/Catalog/Pages 2 0 R/Lang(en-US)>>")
	w.shut()
	w.open(2)
	w.add("<</Type/Pages/Count ", strconv.Itoa(len(s.pages)), "/Kids[")
	for i := range s.pages {
		w.add(strconv.Itoa(firstPage+2*i), " 0 R ")
	}
	w.add("]>>")
	w.shut()
	w.open(3)
	date := "(D:" + made.UTC().Format("20060102150405") + "Z)"
	w.add("<</Title", textString(title), "/Author", textString(author), "/Producer", textString(producer), "/CreationDate", date, "/ModDate", date, ">>")
	w.shut()
	w.open(4)
	w.add("<</Font<<")
	for i := range fonts {
		w.add("/F", strconv.Itoa(i), " ", strconv.Itoa(firstFont+5*i), " 0 R")
	}
	w.add(">>>>")
	w.shut()
	for i, f := range fonts {
		if err := w.font(firstFont+5*i, f); err != nil {
			return nil, fmt.Errorf("font %s: %w", f.name, err)
		}
	}
	var stream []byte
	for i, p := range s.pages {
		w.open(firstPage + 2*i)
		w.add("<</Type/Page/Parent 2 0 R/Resources 4 0 R/MediaBox[0 0 ", fixed2(PageWidth), " ", fixed2(PageHeight), "]/Contents ",
			strconv.Itoa(firstPage+2*i+1), " 0 R>>")
		w.shut()
		stream = pageStream(stream[:0], p, fonts)
		w.open(firstPage + 2*i + 1)
		if err := w.stream("", stream); err != nil {
			return nil, err
		}
		w.shut()
	}
	return w.end(), nil
}

// usedFont is a face with the glyphs that a document uses, in the order of their characters.
type usedFont struct {
	*face
	chars   []rune
	numbers map[rune]uint16 // of glyphs in the file, from 1
}

// fonts lists the faces that the pages use, in order of first use.
func (s *Sheet) fonts() []*usedFont {
	var out []*usedFont
	used := map[*face]*[lastPrintable + 1]bool{}
	for _, p := range s.pages {
		for i := range p.ops {
			o := &p.ops[i]
			if o.face == nil {
				continue
			}
			u := used[o.face]
			if u == nil {
				u = new([lastPrintable + 1]bool)
				used[o.face] = u
				out = append(out, &usedFont{face: o.face})
			}
			for _, r := range o.text {
				u[r] = true
			}
		}
	}
	for _, f := range out {
		for r, is := range used[f.face] {
			if is {
				f.chars = append(f.chars, rune(r))
			}
		}
		f.numbers = make(map[rune]uint16, len(f.chars))
		for i, r := range f.chars {
			f.numbers[r] = uint16(i + 1)
		}
	}
	return out
}

// pageStream writes the drawing operators of a page.
func pageStream(b []byte, p *draft, fonts []*usedFont) []byte {
	b = append(b, ".6 w\n"...)
	var (
		f            *usedFont
		size         float64
		fill, stroke RGB
	)
	for i := range p.ops {
		o := &p.ops[i]
		if o.face == nil && !o.fill {
			if o.color != stroke {
				stroke = o.color
				b = append(appendColor(b, stroke), "RG\n"...)
			}
			b = appendNumbers(b, o.x, PageHeight-o.y)
			b = append(b, "m "...)
			b = appendNumbers(b, o.x+o.w, PageHeight-o.y-o.h)
			b = append(b, "l S\n"...)
			continue
		}
		if o.color != fill {
			fill = o.color
			b = append(appendColor(b, fill), "rg\n"...)
		}
		if o.fill {
			b = appendNumbers(b, o.x, PageHeight-o.y-o.h, o.w, o.h)
			b = append(b, "re f\n"...)
			continue
		}
		b = append(b, "BT "...)
		if f == nil || f.face != o.face || size != o.size {
			i := slices.IndexFunc(fonts, func(u *usedFont) bool { return u.face == o.face })
			f, size = fonts[i], o.size
			b = append(b, "/F"...)
			b = strconv.AppendInt(b, int64(i), 10)
			b = append(b, ' ')
			b = append(appendNumbers(b, size), "Tf "...)
		}
		b = append(appendNumbers(b, o.x, PageHeight-o.y), "Td("...)
		for _, r := range o.text {
			g := f.numbers[r]
			b = appendLiteral(appendLiteral(b, byte(g>>8)), byte(g))
		}
		b = append(b, ")Tj ET\n"...)
	}
	return b
}

// appendLiteral writes one byte of a literal string.
func appendLiteral(b []byte, c byte) []byte {
	switch c {
	case '(', ')', '\\':
		return append(b, '\\', c)
	case '\r':
		return append(b, '\\', 'r')
	}
	return append(b, c)
}

func appendColor(b []byte, c RGB) []byte {
	for _, v := range c {
		b = append(strconv.AppendFloat(b, float64(v)/255, 'f', 3, 64), ' ')
	}
	return b
}

// appendNumbers writes numbers with two decimals, each with a space behind it.
func appendNumbers(b []byte, list ...float64) []byte {
	for _, v := range list {
		n := int64(v*100 + .5)
		if v < 0 {
			b = append(b, '-')
			n = int64(-v*100 + .5)
		}
		b = strconv.AppendInt(b, n/100, 10)
		if n %= 100; n > 0 {
			b = append(b, '.', byte('0'+n/10))
			if n%10 > 0 {
				b = append(b, byte('0'+n%10))
			}
		}
		b = append(b, ' ')
	}
	return b
}

func fixed2(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

// textString writes text as a PDF text string: ASCII as it is, else UTF-16.
func textString(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf || s[i] < ' ' {
			b := []byte("<feff")
			for _, u := range utf16.Encode([]rune(s)) {
				b = fmt.Appendf(b, "%04x", u)
			}
			return string(append(b, '>'))
		}
	}
	b := []byte{'('}
	for i := 0; i < len(s); i++ {
		b = appendLiteral(b, s[i])
	}
	return string(append(b, ')'))
}

// font writes the five objects of a font from number n on: the font, its descendant, its properties,
// the outlines, and which character each glyph stands for.
func (w *pdfWriter) font(n int, f *usedFont) error {
	ref := func(i int) string { return strconv.Itoa(n+i) + " 0 R" }
	name := subsetTag(f) + "+" + f.name
	w.open(n)
	w.add("<</Type/Font/Subtype/Type0/BaseFont/", name, "/Encoding/Identity-H/DescendantFonts[", ref(1), "]/ToUnicode ", ref(4), ">>")
	w.shut()
	w.open(n + 1)
	w.add("<</Type/Font/Subtype/CIDFontType2/BaseFont/", name, "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor ",
		ref(2), "/CIDToGIDMap/Identity/DW 1000/W[1[")
	for _, r := range f.chars {
		w.buf = append(strconv.AppendInt(w.buf, int64(f.widths[r]), 10), ' ')
	}
	w.add("]]>>")
	w.shut()
	w.open(n + 2)
	flags, ascent, descent := 4, int(f.ascent*1000), int(-f.descent*1000)
	if f.face == serif || f.face == serifBold {
		flags |= 2
	}
	if f.face == mono {
		flags |= 1
	}
	w.add("<</Type/FontDescriptor/FontName/", name, "/Flags ", strconv.Itoa(flags), "/FontBBox[")
	for _, v := range f.outlines.box {
		w.add(strconv.Itoa(int(v)*1000/f.outlines.em), " ")
	}
	w.add("]/ItalicAngle 0/Ascent ", strconv.Itoa(ascent), "/Descent ", strconv.Itoa(descent), "/CapHeight 729/StemV 80/FontFile2 ", ref(3), ">>")
	w.shut()
	glyphs := make([]uint16, len(f.chars))
	for i, r := range f.chars {
		glyphs[i] = f.glyphs[r]
	}
	file := f.outlines.subset(glyphs)
	w.open(n + 3)
	if err := w.stream("/Length1 "+strconv.Itoa(len(file)), file); err != nil {
		return err
	}
	w.shut()
	w.open(n + 4)
	err := w.stream("", toUnicode(f.chars))
	w.shut()
	return err
}

// subsetTag is the six letters that mark a font as a part of itself.
func subsetTag(f *usedFont) string {
	h := uint64(14695981039346656037)
	for _, r := range f.chars {
		h = (h ^ uint64(r)) * 1099511628211
	}
	b := make([]byte, 6)
	for i := range b {
		b[i] = byte('A' + h%26)
		h /= 26
	}
	return string(b)
}

// toUnicode is the map from glyph numbers, from 1, to characters.
func toUnicode(chars []rune) []byte {
	b := []byte("/CIDInit/ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def\n" +
		"/CMapName/Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n<0000><ffff>\nendcodespacerange\n")
	const most = 100 // of entries in a block
	for from := 0; from < len(chars); from += most {
		part := chars[from:min(len(chars), from+most)]
		b = append(strconv.AppendInt(b, int64(len(part)), 10), " beginbfchar\n"...)
		for i, r := range part {
			b = append(appendHex(append(b, '<'), uint16(from+i+1)), '>', '<')
			b = append(appendHex(b, uint16(r)), '>', '\n')
		}
		b = append(b, "endbfchar\n"...)
	}
	return append(b, "endcmap\nCMapName currentdict/CMap defineresource pop\nend\nend\n"...)
}

func appendHex(b []byte, v uint16) []byte {
	const digits = "0123456789abcdef"
	return append(b, digits[v>>12], digits[v>>8&15], digits[v>>4&15], digits[v&15])
}

// pdfWriter writes the objects of a file and where they begin.
type pdfWriter struct {
	buf     []byte
	offsets []int // of object i+1
}

func (w *pdfWriter) add(parts ...string) {
	for _, p := range parts {
		w.buf = append(w.buf, p...)
	}
}

// open begins object n; numbers come in order.
func (w *pdfWriter) open(n int) {
	w.offsets = append(w.offsets, len(w.buf))
	w.buf = append(strconv.AppendInt(w.buf, int64(n), 10), " 0 obj\n"...)
}

func (w *pdfWriter) shut() { w.add("\nendobj\n") }

// Write appends compressed bytes.
func (w *pdfWriter) Write(b []byte) (int, error) {
	w.buf = append(w.buf, b...)
	return len(b), nil
}

var deflaters = sync.Pool{New: func() any {
	z, err := zlib.NewWriterLevel(nil, zlib.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant
	}
	return z
}}

// stream writes a compressed stream; extra goes into its dictionary.
func (w *pdfWriter) stream(extra string, data []byte) error {
	const room = "          " // for the length
	w.add("<</Filter/FlateDecode", extra, "/Length ")
	at := len(w.buf)
	w.add(room, ">>stream\n")
	from := len(w.buf)
	z := deflaters.Get().(*zlib.Writer)
	defer deflaters.Put(z)
	z.Reset(w)
	if _, err := z.Write(data); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	strconv.AppendInt(w.buf[at:at:at+len(room)], int64(len(w.buf)-from), 10)
	w.add("\nendstream")
	return nil
}

// end writes the table of objects and gives the file.
func (w *pdfWriter) end() []byte {
	at := len(w.buf)
	w.add("xref\n0 ", strconv.Itoa(len(w.offsets)+1), "\n0000000000 65535 f \n")
	for _, o := range w.offsets {
		w.buf = fmt.Appendf(w.buf, "%010d 00000 n \n", o)
	}
	w.add("trailer\n<</Size ", strconv.Itoa(len(w.offsets)+1), "/Root 1 0 R/Info 3 0 R>>\nstartxref\n", strconv.Itoa(at), "\n%%EOF\n")
	return w.buf
}
