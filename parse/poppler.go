package parse

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"golang.org/x/net/html"

	"enterprisedocbench"
)

// popplerEngine reads PDFs with poppler's pdftotext: words with boxes, in its own reading order; the
// geometric layer makes elements of them. The program names no fonts, so headings are known by size
// alone and a word's size is the height of its box.
type popplerEngine struct{}

func newPoppler() (Parser, error) { return popplerEngine{}, nil }

// Parse implements Parser.
func (popplerEngine) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	if err := isPDF(src.Path); err != nil {
		return edb.Parsed{}, err
	}
	b, err := program(ctx, nil, "pdftotext", "-bbox-layout", "-enc", "UTF-8", src.Path, "-")
	if err != nil {
		return edb.Parsed{}, err
	}
	pages, err := bboxPages(b)
	if err != nil {
		return edb.Parsed{}, err
	}
	out := layout(pages)
	out.Doc, out.Engine = src.Doc.ID, Spec{Engine: "poppler"}.Label()
	return out, nil
}

// isPDF reads enough of a file to say that it is a PDF.
func isPDF(path string) error {
	b, err := read(path)
	if err != nil {
		return err
	}
	return notPDF(b)
}

// loose is what the height of a word's box, from the font's ascent to its descent, is of the type
// size in most fonts.
const loose = 1.2

// bboxPages reads the XHTML of pdftotext -bbox-layout. Attributes and elements that are not known
// are passed over; a page without words is a page.
func bboxPages(b []byte) ([]rawPage, error) {
	z := html.NewTokenizer(bytes.NewReader(b))
	z.SetMaxBuf(1 << 20)
	var pages []rawPage
	var word *wordRun
	for {
		switch z.Next() {
		case html.ErrorToken:
			if err := z.Err(); !errors.Is(err, io.EOF) {
				return nil, fail(Damaged, "pdftotext's answer: %w", err)
			}
			for len(pages) > 0 && pages[len(pages)-1].width == 0 {
				pages = pages[:len(pages)-1] // promised by the page tree and not there
			}
			if len(pages) == 0 {
				return nil, fail(Damaged, "pdftotext finds no page in the file")
			}
			for i := range pages {
				stamps(&pages[i])
			}
			return pages, nil
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			switch string(name) {
			case "page":
				a := attributes(z, more)
				pages = append(pages, rawPage{number: len(pages) + 1, width: a["width"], height: a["height"], pieces: true})
			case "word":
				a := attributes(z, more)
				w := wordRun{box: edb.Box{a["xmin"], a["ymin"], a["xmax"], a["ymax"]}}
				w.font.size = round2((w.box[3] - w.box[1]) / loose)
				word = &w
			}
		case html.TextToken:
			if word != nil {
				word.text += clean(string(z.Text()))
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == "word" && word != nil {
				if word.text != "" && len(pages) > 0 {
					word.text = logical(runesOf(word.text)) // its letters come from the left, whatever their script
					upright(word)
					pages[len(pages)-1].words = append(pages[len(pages)-1].words, *word)
				}
				word = nil
			}
		}
	}
}

// stamps marks words many times as large as most of the page: an engine that does not say how text
// is turned gives watermarks as letters in huge boxes. Boxes are cut at the page's edge; words off
// the page go.
func stamps(pg *rawPage) {
	sizes := make([]float64, 0, len(pg.words))
	for _, w := range pg.words {
		sizes = append(sizes, w.font.size)
	}
	slices.Sort(sizes)
	keep := pg.words[:0]
	for _, w := range pg.words {
		common := sizes[len(sizes)/2]
		if w.font.size > giant*common || w.turn == 0 && w.box[2]-w.box[0] > giant*common*float64(utf8.RuneCountInString(w.text)) {
			w.turn = -1
		}
		b := &w.box
		b[0], b[1], b[2], b[3] = max(b[0], 0), max(b[1], 0), min(b[2], pg.width), min(b[3], pg.height)
		if b[0] < b[2] && b[1] < b[3] {
			keep = append(keep, w)
		}
	}
	pg.words = keep
}

// upright marks a word that is set up or down the page: its box is far taller than wide for its
// letters. Which of the two it is cannot be seen but of Chinese and Japanese, set in columns.
func upright(w *wordRun) {
	n := utf8.RuneCountInString(w.text)
	across, tall := w.box[2]-w.box[0], w.box[3]-w.box[1]
	switch {
	case n >= 2 && tall > 1.5*across && wide(w.text): // a column of letters that stand upright
		w.turn, w.text = 3, levelForms(w.text)
		w.font.size = round2(across)
	case n >= 3 && tall > 2*across:
		w.turn = 1
		w.font.size = round2(across / loose)
	}
}

// attributes reads a tag's numbers; what is no number is 0.
func attributes(z *html.Tokenizer, more bool) map[string]float64 {
	out := map[string]float64{}
	for more {
		var k, v []byte
		k, v, more = z.TagAttr()
		if f, err := strconv.ParseFloat(string(v), 64); err == nil {
			out[string(k)] = finite(f)
		}
	}
	return out
}
