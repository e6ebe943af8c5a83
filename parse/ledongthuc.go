package parse

import (
	"context"
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
	for i := range raw {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		raw[i].number = i + 1
		page := r.Page(i + 1)
		if page.V.IsNull() {
			continue
		}
		glyphs(page, &raw[i])
	}
	out = layout(raw)
	out.Doc, out.Engine = src.Doc.ID, "ledongthuc@1"
	return out, nil
}

// glyphs gathers a page's glyphs into words by their gaps.
func glyphs(page pdf.Page, pg *rawPage) {
	x0, y0 := 0.0, 0.0
	pg.width, pg.height = 612, 792
	box := page.V.Key("MediaBox")
	for parent := page.V.Key("Parent"); box.Len() != 4 && !parent.IsNull(); parent = parent.Key("Parent") {
		box = parent.Key("MediaBox")
	}
	if box.Len() == 4 {
		x0, y0 = box.Index(0).Float64(), box.Index(1).Float64()
		pg.width, pg.height = box.Index(2).Float64()-x0, box.Index(3).Float64()-y0
	}
	var cur wordRun
	flush := func() {
		if cur.text = strings.TrimSpace(clean(cur.text)); cur.text != "" {
			pg.words = append(pg.words, cur)
		}
		cur = wordRun{}
	}
	for _, t := range page.Content().Text {
		size := t.FontSize
		if size <= 0 {
			size = 10
		}
		x, top := t.X-x0, pg.height-(t.Y-y0)-0.78*size
		w := t.W
		if w <= 0 {
			w = 0.5 * size * float64(utf8.RuneCountInString(t.S))
		}
		if strings.TrimSpace(t.S) == "" {
			flush()
			continue
		}
		b := edb.Box{x, top, x + w, top + size}
		f := font{name: t.Font, size: size, bold: strings.Contains(strings.ToLower(t.Font), "bold")}
		if cur.text != "" && (b[0]-cur.box[2] > 0.2*size || b[0] < cur.box[2]-0.6*size || b[1]-cur.box[1] > 0.5*size || cur.box[1]-b[1] > 0.5*size) {
			flush()
		}
		if cur.text == "" {
			cur = wordRun{box: b, font: f}
		}
		cur.text += t.S
		cur.box = union(cur.box, b)
	}
	flush()
}
