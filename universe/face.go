package universe

import (
	"fmt"
	"sync"

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
	family, style   string
	ttf             []byte
	ascent, descent float64 // shares of the font size
	load            sync.Once
	widths          map[rune]int
	err             error
}

var (
	sans      = &face{family: "sans", ttf: liberationsansregular.TTF, ascent: .905, descent: .212}
	sansBold  = &face{family: "sans", style: "B", ttf: liberationsansbold.TTF, ascent: .905, descent: .212}
	serif     = &face{family: "serif", ttf: liberationserifregular.TTF, ascent: .891, descent: .216}
	serifBold = &face{family: "serif", style: "B", ttf: liberationserifbold.TTF, ascent: .891, descent: .216}
)

// printable lists the ranges of characters that documents may use: Latin and common punctuation.
var printable = [][2]rune{{0x20, 0x7e}, {0xa1, 0x24f}, {0x2010, 0x2044}, {0x20ac, 0x20ac}, {0x2212, 0x2212}}

func (f *face) prepare() {
	fnt, err := sfnt.Parse(f.ttf)
	if err != nil {
		f.err = fmt.Errorf("font %s%s: %w", f.family, f.style, err)
		return
	}
	var buf sfnt.Buffer
	em := int(fnt.UnitsPerEm())
	f.widths = map[rune]int{}
	for _, r := range printable {
		for c := r[0]; c <= r[1]; c++ {
			g, err := fnt.GlyphIndex(&buf, c)
			if err != nil || g == 0 || c == 0xad {
				continue
			}
			a, err := fnt.GlyphAdvance(&buf, g, fixed.I(em), font.HintingNone)
			if err != nil {
				continue
			}
			f.widths[c] = (a.Round()*1000 + em/2) / em
		}
	}
}

// width is the width of text at a size in points. A character without a glyph is an error: a PDF
// would show nothing in its place and keep it in the text, so that eye and text would differ.
func (f *face) width(text string, size float64) (float64, error) {
	f.load.Do(f.prepare)
	if f.err != nil {
		return 0, f.err
	}
	n := 0
	for _, c := range text {
		w, ok := f.widths[c]
		if !ok {
			return 0, fmt.Errorf("font %s%s has no glyph for %q in %q: use another character", f.family, f.style, c, text)
		}
		n += w
	}
	return float64(n) * size / 1000, nil
}
