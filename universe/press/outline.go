package press

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
)

// outlines are the tables of a TrueType font that drawing needs.
type outlines struct {
	head, hhea, hmtx, maxp, glyf []byte
	loca                         []uint32 // offsets into glyf, one more than there are glyphs
	metrics                      int      // glyphs with an advance of their own in hmtx
	em                           int      // units of the em square
	box                          [4]int16 // around all glyphs, in those units
}

var errFont = errors.New("the TrueType tables are damaged")

func readOutlines(ttf []byte) (o outlines, err error) {
	table := map[string][]byte{}
	if len(ttf) < 12 {
		return o, errFont
	}
	for i := range int(binary.BigEndian.Uint16(ttf[4:])) {
		at := 12 + 16*i
		if at+16 > len(ttf) {
			return o, errFont
		}
		from, n := int(binary.BigEndian.Uint32(ttf[at+8:])), int(binary.BigEndian.Uint32(ttf[at+12:]))
		if from+n > len(ttf) {
			return o, errFont
		}
		table[string(ttf[at:at+4])] = ttf[from : from+n]
	}
	o.head, o.hhea, o.hmtx, o.maxp, o.glyf = table["head"], table["hhea"], table["hmtx"], table["maxp"], table["glyf"]
	if len(o.head) < 54 || len(o.hhea) < 36 || len(o.maxp) < 32 {
		return o, errFont
	}
	o.em = int(binary.BigEndian.Uint16(o.head[18:]))
	for i := range o.box {
		o.box[i] = int16(binary.BigEndian.Uint16(o.head[36+2*i:]))
	}
	o.metrics = int(binary.BigEndian.Uint16(o.hhea[34:]))
	loca, n := table["loca"], int(binary.BigEndian.Uint16(o.maxp[4:]))+1
	long := binary.BigEndian.Uint16(o.head[50:]) == 1
	if long && len(loca) < 4*n || !long && len(loca) < 2*n || o.metrics < 1 || len(o.hmtx) < 4*o.metrics {
		return o, errFont
	}
	o.loca = make([]uint32, n)
	for i := range o.loca {
		if long {
			o.loca[i] = binary.BigEndian.Uint32(loca[4*i:])
		} else {
			o.loca[i] = 2 * uint32(binary.BigEndian.Uint16(loca[2*i:]))
		}
		if int(o.loca[i]) > len(o.glyf) || i > 0 && o.loca[i] < o.loca[i-1] {
			return o, errFont
		}
	}
	return o, nil
}

// Flags of the parts of a composite glyph.
const (
	argsAreWords  = 1 << 0
	haveScale     = 1 << 3
	moreParts     = 1 << 5
	haveXYScale   = 1 << 6
	haveMatrix    = 1 << 7
	haveHints     = 1 << 8
	partHeader    = 4
	glyphHeader   = 10
	compositeMark = 0x8000 // of the number of contours: negative
)

// glyph is the outline of glyph g, without hints where it is simple; parts are the offsets of the
// glyph numbers that it is put together from.
func (o *outlines) glyph(g uint16) (data []byte, parts []int) {
	if int(g)+1 >= len(o.loca) {
		return nil, nil
	}
	data = o.glyf[o.loca[g]:o.loca[g+1]]
	if len(data) < glyphHeader {
		return nil, nil
	}
	contours := int(binary.BigEndian.Uint16(data))
	if contours&compositeMark == 0 {
		at := glyphHeader + 2*contours
		if at+2 > len(data) {
			return nil, nil
		}
		hints := int(binary.BigEndian.Uint16(data[at:]))
		if at+2+hints > len(data) {
			return nil, nil
		}
		return slices.Concat(data[:at], []byte{0, 0}, data[at+2+hints:]), nil
	}
	out := slices.Clone(data)
	for at := glyphHeader; at+partHeader <= len(out); {
		flags := binary.BigEndian.Uint16(out[at:])
		binary.BigEndian.PutUint16(out[at:], flags&^haveHints)
		parts = append(parts, at+2)
		at += partHeader + 2
		if flags&argsAreWords != 0 {
			at += 2
		}
		switch {
		case flags&haveScale != 0:
			at += 2
		case flags&haveXYScale != 0:
			at += 4
		case flags&haveMatrix != 0:
			at += 8
		}
		if flags&moreParts == 0 {
			return out[:min(at, len(out))], parts
		}
	}
	return nil, nil
}

// metric is the advance and the left side bearing of glyph g, as hmtx has them.
func (o *outlines) metric(g uint16) []byte {
	if int(g) < o.metrics {
		return o.hmtx[4*int(g) : 4*int(g)+4]
	}
	last := o.hmtx[4*(o.metrics-1):]
	if at := 4*o.metrics + 2*(int(g)-o.metrics); at+2 <= len(o.hmtx) {
		return []byte{last[0], last[1], o.hmtx[at], o.hmtx[at+1]}
	}
	return last[:4]
}

// subset writes a TrueType font of the given glyphs, numbered from 1 in their order; what they are put
// together from comes after them. It holds what a PDF's CIDFontType2 needs and no hints.
func (o *outlines) subset(glyphs []uint16) []byte {
	all := append(make([]uint16, 1, len(glyphs)+9), glyphs...)
	number := make(map[uint16]uint16, len(all)+8)
	for i, g := range all {
		number[g] = uint16(i)
	}
	var glyf, loca, hmtx []byte
	glyf = make([]byte, 0, 200*len(all))
	for i := 0; i < len(all); i++ {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		hmtx = append(hmtx, o.metric(all[i])...)
		data, parts := o.glyph(all[i])
		at := len(glyf)
		glyf = append(glyf, data...)
		for _, p := range parts {
			part := binary.BigEndian.Uint16(data[p:])
			n, ok := number[part]
			if !ok {
				n = uint16(len(all))
				number[part] = n
				all = append(all, part)
			}
			binary.BigEndian.PutUint16(glyf[at+p:], n)
		}
		for len(glyf)%4 != 0 {
			glyf = append(glyf, 0)
		}
	}
	loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
	head, hhea, maxp := slices.Clone(o.head[:54]), slices.Clone(o.hhea[:36]), slices.Clone(o.maxp[:32])
	binary.BigEndian.PutUint32(head[8:], 0)  // the checksum of the file
	binary.BigEndian.PutUint16(head[50:], 1) // long offsets
	binary.BigEndian.PutUint16(hhea[34:], uint16(len(all)))
	binary.BigEndian.PutUint16(maxp[4:], uint16(len(all)))
	binary.BigEndian.PutUint16(maxp[26:], 0) // no hints
	return sfntFile([]sfntTable{{"glyf", glyf}, {"head", head}, {"hhea", hhea}, {"hmtx", hmtx}, {"loca", loca}, {"maxp", maxp}})
}

type sfntTable struct {
	tag  string
	data []byte
}

// sfntFile puts tables, sorted by tag, into one file.
func sfntFile(tables []sfntTable) []byte {
	n := len(tables)
	power := bits.Len(uint(n)) - 1
	out := []byte{0, 1, 0, 0}
	for _, v := range []int{n, 16 << power, power, 16*n - 16<<power} {
		out = binary.BigEndian.AppendUint16(out, uint16(v))
	}
	at, headAt := 12+16*n, 0
	for _, t := range tables {
		out = append(out, t.tag...)
		out = binary.BigEndian.AppendUint32(out, checksum(t.data))
		out = binary.BigEndian.AppendUint32(out, uint32(at))
		out = binary.BigEndian.AppendUint32(out, uint32(len(t.data)))
		if t.tag == "head" {
			headAt = at
		}
		at += (len(t.data) + 3) &^ 3
	}
	out = slices.Grow(out, at-len(out))
	for _, t := range tables {
		out = append(out, t.data...)
		for len(out)%4 != 0 {
			out = append(out, 0)
		}
	}
	binary.BigEndian.PutUint32(out[headAt+8:], 0xb1b0afba-checksum(out))
	return out
}

func checksum(b []byte) (sum uint32) {
	for ; len(b) >= 4; b = b[4:] {
		sum += binary.BigEndian.Uint32(b)
	}
	if len(b) > 0 {
		var last [4]byte
		copy(last[:], b)
		sum += binary.BigEndian.Uint32(last[:])
	}
	return sum
}
