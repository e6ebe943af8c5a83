package press

import (
	"fmt"
	"sync"
	"unicode/utf8"

	"github.com/go-fonts/liberation/liberationmonoregular"
	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationsansregular"
	"github.com/go-fonts/liberation/liberationserifbold"
	"github.com/go-fonts/liberation/liberationserifregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// face is one font with the widths of the characters that documents may use, in thousandths of the
// font size, rounded as the PDF's own width table rounds them: a line is as wide here as it is drawn.
type face struct {
	name            string // PostScript
	ttf             []byte
	ascent, descent float64 // shares of the font size
	load            sync.Once
	glyphs          []uint16 // by character; 0: none
	widths          []uint16 // by character
	outlines        outlines
	err             error
}

var (
	sans      = &face{name: "LiberationSans", ttf: liberationsansregular.TTF, ascent: .905, descent: .212}
	sansBold  = &face{name: "LiberationSans-Bold", ttf: liberationsansbold.TTF, ascent: .905, descent: .212}
	serif     = &face{name: "LiberationSerif", ttf: liberationserifregular.TTF, ascent: .891, descent: .216}
	serifBold = &face{name: "LiberationSerif-Bold", ttf: liberationserifbold.TTF, ascent: .891, descent: .216}
	mono      = &face{name: "LiberationMono", ttf: liberationmonoregular.TTF, ascent: .833, descent: .300}
)

// printable lists the ranges of characters that documents may use, where the font has them: Latin with
// all its accents, Greek, Cyrillic, punctuation, raised figures, currencies and a few signs.
var printable = [][2]rune{{0x20, 0x7e}, {0xa1, 0xac}, {0xae, 0x24f}, {0x2b0, 0x2df}, {0x370, 0x3ff}, {0x400, 0x52f}, {0x1e00, 0x1eff},
	{0x2010, 0x2027}, {0x2030, 0x205e}, {0x2070, 0x209c}, {0x20a0, 0x20bf}, {0x2100, 0x215e}, {0x2190, 0x2193}, {0x2212, 0x2212},
	{0x2248, 0x2248}, {0x2260, 0x2265}}

const lastPrintable = 0x2265

func (f *face) prepare() {
	fnt, err := sfnt.Parse(f.ttf)
	if err == nil {
		f.outlines, err = readOutlines(f.ttf)
	}
	if err != nil {
		f.err = fmt.Errorf("font %s: %w", f.name, err)
		return
	}
	var buf sfnt.Buffer
	em := int(fnt.UnitsPerEm())
	f.glyphs, f.widths = make([]uint16, lastPrintable+1), make([]uint16, lastPrintable+1)
	for _, r := range printable {
		for c := r[0]; c <= r[1]; c++ {
			g, err := fnt.GlyphIndex(&buf, c)
			if err != nil || g == 0 {
				continue
			}
			a, err := fnt.GlyphAdvance(&buf, g, fixed.I(em), font.HintingNone)
			if err != nil || a <= 0 {
				continue
			}
			f.glyphs[c] = uint16(g)
			f.widths[c] = uint16((a.Round()*1000 + em/2) / em)
		}
	}
}

// units is the width of text in thousandths of the font size. A character without a glyph is an error:
// a PDF would show nothing in its place and keep it in the text, so that eye and text would differ.
func (f *face) units(text string) (int, error) {
	f.load.Do(f.prepare)
	if f.err != nil {
		return 0, f.err
	}
	n := 0
	for i := 0; i < len(text); {
		c, size := decode(text, i)
		if c > lastPrintable || f.glyphs[c] == 0 {
			return 0, fmt.Errorf("font %s has no glyph for %q (%U) in %q: use another character", f.name, c, c, text)
		}
		n += int(f.widths[c])
		i += size
	}
	return n, nil
}

// decode is the character of text at an offset, and its length.
func decode(text string, at int) (rune, int) {
	if c := text[at]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(text[at:])
}
