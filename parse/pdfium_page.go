package parse

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"unicode/utf16"

	"enterprisedocbench"
)

// pageReader reads one page.
type pageReader struct {
	m        *pdfiumModule
	tp       uint64 // text page
	rotation int
	origin   [2]float64
	pg       *rawPage
	fonts    map[uint64]font // by PDFium's font, whose address is good for one page; size not set
}

// glyph is a character of the page's text with its index there.
type glyph struct {
	r     rune
	index int
}

// maxGlyphs bounds the characters read from one page.
const maxGlyphs = 2_000_000

// text fetches the characters of the page: in one call where each has exactly one code unit, else
// one by one, because characters without a code are left out of the whole text.
func (p *pageReader) text() []glyph {
	n := min(p.m.int32("FPDFText_CountChars", p.tp), maxGlyphs)
	if n <= 0 {
		return nil
	}
	out := make([]glyph, 0, n)
	whole := false
	if buf := p.m.call("malloc", uint64(2*(n+1))); buf != 0 {
		got := p.m.int32("FPDFText_GetText", p.tp, 0, uint64(n), buf)
		if b, ok := p.m.mod.Memory().Read(uint32(buf), uint32(2*max(got-1, 0))); ok && got == n+1 {
			units := bytes.Clone(b) // what is asked below may move the memory
			whole = true
			for i := 0; i < n && whole; i++ {
				r := rune(binary.LittleEndian.Uint16(units[2*i:]))
				switch {
				case r == 0 || utf16.IsSurrogate(r):
					whole = false
				case r == 0xFFFE && p.m.call("FPDFText_GetUnicode", p.tp, uint64(i)) == 0, // it also stands for a hyphen
					r < ' ' && p.unknown(i):
					p.pg.unmapped++
				default:
					out = append(out, glyph{r, i})
				}
			}
		}
		p.m.call("free", buf)
	}
	if whole {
		return out
	}
	p.pg.unmapped = 0
	out = out[:0]
	for i := range n {
		r := rune(p.m.call("FPDFText_GetUnicode", p.tp, uint64(i)))
		switch {
		case r == 0 || r < ' ' && p.unknown(i):
			p.pg.unmapped++
			continue
		case utf16.IsSurrogate(r) && len(out) > 0 && utf16.IsSurrogate(out[len(out)-1].r):
			out[len(out)-1].r = utf16.DecodeRune(out[len(out)-1].r, r)
			continue
		}
		out = append(out, glyph{r, i})
	}
	return out
}

// unknown says of a control character whether it is a glyph's code that the font maps to nothing.
func (p *pageReader) unknown(i int) bool {
	return p.m.int32("FPDFText_HasUnicodeMapError", p.tp, uint64(i)) == 1
}

// words cuts the page's text at blanks and asks for the boxes of each word's first and last
// characters, its font and its direction.
func (p *pageReader) words() {
	text := p.mendRTL(p.text())
	for i := 0; i < len(text); {
		if blank(text[i].r) {
			i++
			continue
		}
		j := i + 1
		for j < len(text) && !blank(text[j].r) && !(text[j].r >= 0x590 && rightward(text[j].r) < 0 && rightward(text[j-1].r) > 0) {
			j++
		}
		p.word(text[i:j])
		i = j
	}
}

func (p *pageReader) word(g []glyph) {
	a, ok := p.box(g[0].index)
	b, okB := p.box(g[len(g)-1].index)
	if !ok || !okB {
		return
	}
	turn, slope := quarter(p.angle(g[0].index), p.rotation)
	w := wordRun{box: union(a, b), font: p.font(g[0].index), turn: turn, slope: slope}
	across, along := a[3]-a[1], w.box[3]-w.box[1]
	if turn == 1 || turn == 3 {
		across, along = a[2]-a[0], w.box[2]-w.box[0]
	}
	if turn >= 0 && along > 1.6*max(across, b[3]-b[1], 1) && len(g) > 1 {
		p.bent(g, w) // a line break that pdfium did not mark
		return
	}
	w.text = runes(g)
	p.add(w)
}

// bent adds a word whose ends stand on different lines, cut where the line changes.
func (p *pageReader) bent(g []glyph, like wordRun) {
	var cur wordRun
	from := 0
	for k := range g {
		b, ok := p.box(g[k].index)
		if !ok {
			continue
		}
		mid, lo, hi := (b[1]+b[3])/2, cur.box[1], cur.box[3]
		if like.turn == 1 || like.turn == 3 {
			mid, lo, hi = (b[0]+b[2])/2, cur.box[0], cur.box[2]
		}
		if k > from && (mid < lo || mid > hi) {
			cur.text = runes(g[from:k])
			p.add(cur)
			from, cur = k, wordRun{}
		}
		if k == from {
			cur = wordRun{box: b, font: like.font, turn: like.turn, slope: like.slope}
		}
		cur.box = union(cur.box, b)
	}
	cur.text = runes(g[from:])
	p.add(cur)
}

func runes(g []glyph) string {
	var b strings.Builder
	for _, x := range g {
		b.WriteRune(x.r)
	}
	return clean(b.String())
}

func (p *pageReader) add(w wordRun) {
	if w.text != "" && w.box[2] > -p.pg.width && w.box[0] < 2*p.pg.width && w.box[3] > -p.pg.height && w.box[1] < 2*p.pg.height {
		p.pg.words = append(p.pg.words, w)
	}
}

// box is a character's box with the font's full height, as shown.
func (p *pageReader) box(i int) (edb.Box, bool) {
	if p.m.int32("FPDFText_GetLooseCharBox", p.tp, uint64(i), uint64(p.m.scratch)) == 0 {
		return edb.Box{}, false
	}
	r := p.m.floats(4) // left, top, right, bottom
	return shown(p.rotation, p.origin, p.pg.width, p.pg.height, r[0], r[1], r[2], r[3]), true
}

// angle is that of a character's base line, radians clockwise. What PDFium gives is that of its upright
// strokes, which lean in letters that were made italic by slanting them.
func (p *pageReader) angle(i int) float64 {
	radians := p.m.float32("FPDFText_GetCharAngle", p.tp, uint64(i))
	if math.Abs(math.Remainder(radians, math.Pi/2)) < leastSkew {
		return radians
	}
	if p.m.int32("FPDFText_GetMatrix", p.tp, uint64(i), uint64(p.m.scratch)) == 0 {
		return radians
	}
	m := p.m.floats(4) // a, b, c, d
	return math.Atan2(-m[1], m[0])
}

// font gives a character's font; names and weights are asked once a font.
func (p *pageReader) font(i int) font {
	size := finite(math.Float64frombits(p.m.call("FPDFText_GetFontSize", p.tp, uint64(i))))
	var id uint64
	if obj := p.m.call("FPDFText_GetTextObject", p.tp, uint64(i)); obj != 0 {
		id = p.m.call("FPDFTextObj_GetFont", obj)
	}
	f, ok := p.fonts[id]
	if !ok {
		if n := p.m.int32("FPDFText_GetFontInfo", p.tp, uint64(i), uint64(p.m.scratch), scratchSize-8, 0); n > 0 && n <= scratchSize-8 {
			f = fontOf(p.m.cstring(uint32(n)), 0)
		}
		weight := p.m.int32("FPDFText_GetFontWeight", p.tp, uint64(i))
		f.bold = f.bold || weight >= 600 && weight < 1000
		if id != 0 {
			p.fonts[id] = f
		}
	}
	f.size = size
	return f
}

// Kinds of page objects in PDFium.
const (
	objectText    = 1
	objectPath    = 2
	objectImage   = 3
	objectShading = 4
	objectForm    = 5
)

// maxObjects bounds how many drawn objects of a page are looked at.
const maxObjects = 4000

// objects notes images (figures), drawn lines and boxes (table rules) and drawings placed whole.
func (p *pageReader) objects(page uint64) {
	n := min(p.m.int32("FPDFPage_CountObjects", page), maxObjects)
	for i := range n {
		o := p.m.call("FPDFPage_GetObject", page, uint64(i))
		if o == 0 {
			continue
		}
		kind := p.m.int32("FPDFPageObj_GetType", o)
		if kind == objectText || kind < objectText || kind > objectForm {
			continue
		}
		s := uint64(p.m.scratch)
		if p.m.int32("FPDFPageObj_GetBounds", o, s, s+4, s+8, s+12) == 0 {
			continue
		}
		b := p.m.floats(4) // left, bottom, right, top
		box := shown(p.rotation, p.origin, p.pg.width, p.pg.height, b[0], b[3], b[2], b[1])
		switch kind {
		case objectImage:
			p.pg.images = append(p.pg.images, box)
		case objectForm:
			if p.m.int32("FPDFFormObj_CountObjects", o) >= 5 {
				p.pg.images = append(p.pg.images, box)
			}
		case objectPath:
			if !p.rules(o) {
				p.pg.paths = append(p.pg.paths, box)
			}
		default:
			p.pg.paths = append(p.pg.paths, box)
		}
	}
}

// Kinds of path segments in PDFium.
const (
	segmentLine = 0
	segmentMove = 2
)

// rules notes the level and upright lines of a path, or the ground that it fills; see rawPage.draw.
func (p *pageReader) rules(o uint64) bool {
	n := p.m.int32("FPDFPath_CountSegments", o)
	if n < 2 || n > maxSegments {
		return false
	}
	s := uint64(p.m.scratch)
	if p.m.int32("FPDFPath_GetDrawMode", o, s, s+4) == 0 {
		return false
	}
	mode, _ := p.m.mod.Memory().Read(p.m.scratch, 8)
	filled, stroked := binary.LittleEndian.Uint32(mode) != 0, binary.LittleEndian.Uint32(mode[4:]) != 0
	if p.m.int32("FPDFPageObj_GetMatrix", o, s) == 0 {
		return false
	}
	var mat [6]float64
	raw, ok := p.m.mod.Memory().Read(p.m.scratch, 24)
	if !ok {
		return false
	}
	for i := range mat {
		mat[i] = finite(float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))))
	}
	var out trail
	toPage := func(x, y float64) [2]float64 { // as shown, the page turned level
		b := shown(p.rotation, p.origin, p.pg.width, p.pg.height, x, y, x, y)
		if p.pg.skew == 0 {
			return [2]float64{b[0], b[1]}
		}
		return turnPoint([2]float64{b[0], b[1]}, -p.pg.skew, p.pg.width, p.pg.height)
	}
	for i := range n {
		seg := p.m.call("FPDFPath_GetPathSegment", o, uint64(i))
		if seg == 0 || p.m.int32("FPDFPathSegment_GetPoint", seg, s, s+4) == 0 {
			return false
		}
		f := p.m.floats(2)
		pt := toPage(mat[0]*f[0]+mat[2]*f[1]+mat[4], mat[1]*f[0]+mat[3]*f[1]+mat[5])
		switch p.m.int32("FPDFPathSegment_GetType", seg) {
		case segmentMove:
			out.move(pt)
		case segmentLine:
			out.line(pt)
		default:
			return false
		}
		if p.m.int32("FPDFPathSegment_GetClose", seg) != 0 {
			out.close()
		}
		if out.bent {
			return false
		}
	}
	return p.pg.draw(&out, filled, stroked)
}

// ligatureNames rewrites, in the tables of glyph names that stand in the clear, the names of
// ligatures by their parts (f_i), which PDFium does not know, to the names that it knows (fi). The
// length stays; bytes outside such tables are not touched. Where nothing changes the same bytes
// come back.
func ligatureNames(b []byte) []byte {
	const mark = "/Differences"
	out := b
	for at := 0; ; {
		i := bytes.Index(out[at:], []byte(mark))
		if i < 0 {
			return out
		}
		at += i + len(mark)
		end := bytes.IndexByte(out[at:min(len(out), at+16384)], ']')
		if end < 0 {
			continue
		}
		table := out[at : at+end]
		if !bytes.Contains(table, []byte("f_")) || bytes.IndexFunc(table, func(r rune) bool { return r > '~' }) >= 0 {
			continue
		}
		if &out[0] == &b[0] {
			out = bytes.Clone(b)
			table = out[at : at+end]
		}
		for _, l := range []string{"f_f_i", "f_f_l", "f_f", "f_i", "f_l"} {
			from := []byte("/" + l)
			name := "/" + strings.ReplaceAll(l, "_", "")
			to := []byte(name + strings.Repeat(" ", len(from)-len(name)))
			for k := 0; ; {
				x := bytes.Index(table[k:], from)
				if x < 0 {
					break
				}
				k += x + len(from)
				if k == len(table) || strings.IndexByte("/ \t\r\n\f]", table[k]) >= 0 {
					copy(table[k-len(from):], to)
				}
			}
		}
	}
}
