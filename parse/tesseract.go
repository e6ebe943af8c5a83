package parse

import (
	"context"
	"fmt"
	"image"
	"strconv"
	"strings"

	"enterprisedocbench"
)

// ocrDPI is how many dots an inch pages are drawn with for OCR: what tesseract's models were trained
// around.
const ocrDPI = 300

// minConfidence is what tesseract must say of a word, 0 to 100, for it to be taken: below, it reads
// rules and dirt.
const minConfidence = 20

// tesseractEngine reads pictures of pages with tesseract: PDFs are drawn first, whatever text they
// hold; PNG, JPEG and TIFF files are one page. Words with boxes go through the geometric layer. The
// language is the document's where tesseract has it, else English.
type tesseractEngine struct {
	pdf   *pdfiumEngine
	langs map[string]bool
}

func newTesseract() (Parser, error) {
	p, err := newPdfium()
	if err != nil {
		return nil, err
	}
	return &tesseractEngine{pdf: p.(*pdfiumEngine), langs: languages()}, nil
}

// languages are those that the installed tesseract can read.
func languages() map[string]bool {
	out := map[string]bool{}
	b, err := program(context.Background(), nil, "tesseract", "--list-langs")
	if err != nil {
		return out
	}
	for line := range strings.Lines(string(b)) {
		out[strings.TrimSpace(line)] = true
	}
	return out
}

// tesseractNames are tesseract's names of languages by BCP 47 primary tag.
var tesseractNames = map[string]string{
	"ar": "ara", "bg": "bul", "cs": "ces", "da": "dan", "de": "deu", "el": "ell", "en": "eng", "es": "spa", "et": "est", "fa": "fas",
	"fi": "fin", "fr": "fra", "he": "heb", "hi": "hin", "hr": "hrv", "hu": "hun", "it": "ita", "ja": "jpn", "ko": "kor", "lt": "lit",
	"lv": "lav", "nl": "nld", "no": "nor", "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus", "sk": "slk", "sl": "slv", "sv": "swe",
	"th": "tha", "tr": "tur", "uk": "ukr", "vi": "vie", "zh": "chi_sim",
}

// language is what a document is read in; the warning says where its own is not there.
func (e *tesseractEngine) language(lang string) (name, warning string) {
	tag, _, _ := strings.Cut(strings.ToLower(lang), "-")
	name = tesseractNames[tag]
	switch {
	case tag == "" || e.langs[name]:
		if name == "" {
			name = "eng"
		}
		return name, ""
	case name == "":
		return "eng", fmt.Sprintf("language %q has no name in tesseract: read as English", lang)
	}
	return "eng", fmt.Sprintf("tesseract has no data for %q: read as English; apt-get install tesseract-ocr-%s", lang, strings.ReplaceAll(name, "_", "-"))
}

// Parse implements Parser.
func (e *tesseractEngine) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	lang, warning := e.language(src.Doc.Lang)
	pages, warnings, err := ocr(ctx, src, e.pdf, ocrDPI, func(ctx context.Context, img *image.Gray, pg *rawPage) error {
		return recognise(ctx, img, lang, pg)
	})
	if err != nil {
		return edb.Parsed{}, err
	}
	if warning != "" {
		warnings = append([]string{warning}, warnings...)
	}
	out := layout(pages)
	out.Doc, out.Engine, out.Warnings = src.Doc.ID, Spec{Engine: "tesseract"}.Label(), warnings
	return out, nil
}

// recognise reads a picture of a page whose size in points is set.
func recognise(ctx context.Context, img *image.Gray, lang string, pg *rawPage) error {
	size := img.Bounds().Size()
	dpi := int(float64(size.X)*72/pg.width + 0.5)
	in := append(fmt.Appendf(nil, "P5\n%d %d\n255\n", size.X, size.Y), img.Pix...)
	b, err := program(ctx, in, "tesseract", "stdin", "stdout", "--dpi", strconv.Itoa(max(dpi, 70)), "-l", lang, "-c", "thresholding_method=0", "tsv")
	if err != nil {
		return err
	}
	pg.words = append(pg.words, tsvWords(b, pg.width/float64(size.X), pg.height/float64(size.Y))...)
	return nil
}

// tsvWords reads tesseract's table: a row a word with its place in dots, which fx and fy turn into
// points. Words stand as tall as their line, so that lines are told apart as tesseract did.
func tsvWords(b []byte, fx, fy float64) (out []wordRun) {
	var line edb.Box
	for row := range strings.Lines(string(b)) {
		f := strings.SplitN(strings.TrimRight(row, "\r\n"), "\t", 12)
		if len(f) < 12 {
			continue
		}
		var n [4]float64
		for i := range n {
			x, err := strconv.ParseFloat(f[6+i], 64)
			if err != nil {
				x = 0
			}
			n[i] = finite(x)
		}
		box := edb.Box{n[0] * fx, n[1] * fy, (n[0] + n[2]) * fx, (n[1] + n[3]) * fy}
		switch f[0] {
		case "4":
			line = box
		case "5":
			conf, err := strconv.ParseFloat(f[10], 64)
			text := strings.TrimSpace(clean(f[11]))
			if err != nil || conf < minConfidence || text == "" {
				continue
			}
			if h := line[3] - line[1]; h > 0 && h < 3*(box[3]-box[1]) {
				box[1], box[3] = line[1], line[3]
			}
			out = append(out, wordRun{text: text, box: box, font: font{size: round2((box[3] - box[1]) / loose)}})
		}
	}
	return out
}
