package parse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ledongthuc/pdf"

	"enterprisedocbench"
)

// ledongthucEngine reads PDFs with a pure Go reader. It gives glyphs with places; the geometric
// layer does the rest. It refuses some files, loses text of others and hangs on a few: the worker's
// limits hold it.
type ledongthucEngine struct{}

func newLedongthuc() (Parser, error) { return ledongthucEngine{}, nil }

// Parse implements Parser.
func (ledongthucEngine) Parse(ctx context.Context, src Source) (out edb.Parsed, err error) {
	b, err := read(src.Path)
	if err != nil {
		return out, err
	}
	if err := notPDF(b); err != nil {
		return out, err
	}
	if xrefLoop(b) { // which the reader follows for ever
		return out, fail(Damaged, "xref loop: a table of cross references comes round to itself")
	}
	defer func() {
		if p := recover(); p != nil {
			out, err = edb.Parsed{}, fail(Damaged, "the reader gave up: %.120v", p)
		}
	}()
	r, err := pdf.NewReader(strings.NewReader(string(b)), int64(len(b)))
	if err != nil {
		if strings.Contains(strings.ToLower(err.Error()), "encrypt") || strings.Contains(strings.ToLower(err.Error()), "password") {
			return out, fail(Encrypted, "password required")
		}
		return out, fail(Damaged, "the reader cannot read the file: %w", err)
	}
	n := r.NumPage()
	if n < 1 || n > 20000 {
		return out, fail(Damaged, "the file has no page that can be found")
	}
	raw := make([]rawPage, n)
	var warnings []string
	broken := 0
	for i := range raw {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		raw[i].number = i + 1
		if err := readGlyphs(r, i+1, &raw[i]); err != nil {
			warnings = append(warnings, fmt.Sprintf("page %d: %v", i+1, err))
			broken++
		}
	}
	if broken == n {
		return out, fail(Damaged, "the reader cannot read any of the %d pages: %s", n, warnings[0])
	}
	out = layout(raw)
	out.Doc, out.Engine, out.Warnings = src.Doc.ID, Spec{Engine: "ledongthuc"}.Label(), warnings
	return out, nil
}

// readGlyphs reads one page; the reader panics on what it does not know.
func readGlyphs(r *pdf.Reader, number int, pg *rawPage) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the reader gave up: %.120v", p)
		}
	}()
	page := r.Page(number)
	if page.V.IsNull() {
		return errors.New("the page cannot be found")
	}
	glyphs(page, pg)
	return nil
}

// inherited looks a key up on the page and above it in the page tree.
func inherited(v pdf.Value, key string) pdf.Value {
	for range 50 {
		if x := v.Key(key); !x.IsNull() || v.IsNull() {
			return x
		}
		v = v.Key("Parent")
	}
	return pdf.Value{}
}

// giant is how many times the page's common type size letters are stamps: the reader does not say
// how text is turned, and watermarks are set large.
const giant = 6

// glyphs gathers a page's glyphs into words by their gaps.
func glyphs(page pdf.Page, pg *rawPage) {
	pg.width, pg.height = 612, 792
	var origin [2]float64
	box := inherited(page.V, "CropBox")
	if box.Len() != 4 {
		box = inherited(page.V, "MediaBox")
	}
	if box.Len() == 4 {
		x0, y0, x1, y1 := finite(box.Index(0).Float64()), finite(box.Index(1).Float64()), finite(box.Index(2).Float64()), finite(box.Index(3).Float64())
		origin = [2]float64{min(x0, x1), min(y0, y1)}
		pg.width, pg.height = max(x0, x1)-origin[0], max(y0, y1)-origin[1]
	}
	turn := int(inherited(page.V, "Rotate").Int64()/90%4+4) % 4
	if turn%2 == 1 {
		pg.width, pg.height = pg.height, pg.width
	}
	var cur wordRun
	var letters []string
	var places []float64
	tight := false
	flush := func() {
		cur.text = logicalAt(letters, places)
		letters, places = letters[:0], places[:0]
		if cur.text = strings.TrimSpace(clean(cur.text)); cur.text != "" {
			pg.words = append(pg.words, cur)
		}
		cur = wordRun{}
	}
	text := page.Content().Text
	common, end, base := commonSize(text), 0.0, 0.0
	pen, behind := math.Inf(1), 0.0 // the last glyph's place; how many without a width stand there before this one
	fonts := map[string]font{}
	for _, t := range text {
		size := math.Abs(finite(t.FontSize))
		if size <= 0.1 {
			size = 10
		}
		w := finite(t.W)
		if w <= 0 {
			w = 0.5 * size * float64(utf8.RuneCountInString(t.S))
		}
		if t.S == "\n" || t.S == "\ufffd" { // what the reader sets behind every array of strings
			continue
		}
		if strings.TrimSpace(t.S) == "" {
			flush()
			tight = false
			continue
		}
		if x := finite(t.X); t.W == 0 && math.Abs(x-pen) < size {
			behind++
			pen = x
		} else {
			pen, behind = x, 0
		}
		at := shown(turn, origin, pg.width, pg.height, finite(t.X), finite(t.Y), finite(t.X), finite(t.Y))
		at[0] += 0.02 * size * behind // so that they stay in order
		b := edb.Box{at[0], at[1] - 0.78*size, at[0] + w, at[1] + 0.22*size}
		f, ok := fonts[t.Font]
		if !ok {
			f = fontOf(t.Font, 0)
			fonts[t.Font] = f
		}
		f.size = size
		if cur.text != "" && (b[0]-end > 0.2*size || b[0] < cur.box[2]-0.6*size || math.Abs(b[1]-cur.box[1]) > 0.5*size || f != cur.font) {
			flush()
		}
		if cur.text == "" {
			cur = wordRun{box: b, font: f, tight: tight && math.Abs(at[1]-base) < size}
			if size > giant*common {
				cur.turn = -1
			}
		}
		tight, base = true, at[1]
		end = at[0] + max(finite(t.W), 0) // without widths only shifts move the pen
		cur.text += t.S
		letters, places = append(letters, t.S), append(places, at[0]+0.05*size*float64(len(letters)))
		cur.box = union(cur.box, b)
	}
	flush()
}

// commonSize is the type size of most glyphs of a page; 0 without glyphs.
func commonSize(text []pdf.Text) float64 {
	sizes := make([]float64, 0, len(text))
	for _, t := range text {
		sizes = append(sizes, math.Abs(finite(t.FontSize)))
	}
	if len(sizes) == 0 {
		return 0
	}
	slices.Sort(sizes)
	return sizes[len(sizes)/2]
}
