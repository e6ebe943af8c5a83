package parse

import (
	"context"
	"fmt"
	"image"
	"strings"
	"unicode"

	"enterprisedocbench"
)

// autoEngine reads each page of a PDF by its text layer where that is sound, else by OCR. What
// decides is in unsound; every page that OCR read is named in the warnings, with the reason.
// Pictures are read by OCR.
type autoEngine struct{ ocr *tesseractEngine }

func newAuto() (Parser, error) {
	p, err := newTesseract()
	if err != nil {
		return nil, err
	}
	return autoEngine{p.(*tesseractEngine)}, nil
}

// Parse implements Parser.
func (e autoEngine) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	label := Spec{Engine: "auto"}.Label()
	if err := isPDF(src.Path); err != nil {
		out, ocrErr := e.ocr.Parse(ctx, src)
		if ocrErr != nil {
			return out, err // neither a PDF nor a picture: what it is no PDF for says more
		}
		out.Engine = label
		return out, nil
	}
	lang, warning := e.ocr.language(src.Doc.Lang)
	eye := func(ctx context.Context, img *image.Gray, pg *rawPage) error { return recognise(ctx, img, lang, pg) }
	var pages []rawPage
	var warnings []string
	err := e.ocr.pdf.document(ctx, src.Path, func(d *docReader, n int) (err error) {
		if pages, warnings, err = d.pages(ctx, n); err != nil {
			return err
		}
		read := 0
		for i := range pages {
			why := unsound(pages[i])
			if why == "" {
				continue
			}
			pg := rawPage{number: i + 1}
			if err := d.recognise(ctx, i, ocrDPI, eye, &pg); err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				warnings = append(warnings, fmt.Sprintf("page %d: %s, and OCR failed: %v", i+1, why, err))
				continue
			}
			if len(pg.words) == 0 && len(pages[i].words) > 0 {
				warnings = append(warnings, fmt.Sprintf("page %d: %s, and OCR read nothing: its text layer stands", i+1, why))
				continue
			}
			read++
			pages[i] = pg
			warnings = append(warnings, fmt.Sprintf("page %d: %s: read by OCR", i+1, why))
		}
		if read > 0 && warning != "" {
			warnings = append(warnings, warning)
		}
		return nil
	})
	if err != nil {
		return edb.Parsed{}, err
	}
	out := layout(pages)
	out.Doc, out.Engine, out.Warnings = src.Doc.ID, label, warnings
	return out, nil
}

// Bounds of a sound text layer.
const (
	maxGarbled  = 0.1 // share of glyphs without a character, or with one that is none
	minVowelled = 0.5 // share of Latin words of four letters and more that hold a vowel
	fewWords    = 8   // beside a picture of the whole page
)

// unsound says why a page's text layer cannot be trusted, "" where it can:
//
//   - no text, though the page shows something
//   - a picture covers nine tenths of the page and stands with fewer than 8 words (a scan with a
//     stamp or a page number)
//   - a tenth or more of the glyphs have no character, or a private or unassigned one
//   - of 20 or more Latin words half or more have no vowel (codes without a usable map)
func unsound(pg rawPage) string {
	if len(pg.words) == 0 {
		if len(pg.images)+len(pg.paths)+len(pg.rules)+pg.unmapped == 0 {
			return ""
		}
		return "no text layer"
	}
	if len(pg.words) < fewWords {
		for _, b := range pg.images {
			if (b[2]-b[0])*(b[3]-b[1]) >= 0.9*pg.width*pg.height {
				return "a scan with little text"
			}
		}
	}
	glyphs, bad := pg.unmapped, pg.unmapped
	latin, vowelled := 0, 0
	for _, w := range pg.words {
		letters, other := 0, false
		for _, r := range w.text {
			glyphs++
			if r == unicode.ReplacementChar || unicode.Is(unicode.Co, r) || !unicode.IsPrint(r) {
				bad++
			}
			switch {
			case unicode.Is(unicode.Latin, r):
				letters++
			case unicode.IsLetter(r):
				other = true
			}
		}
		if letters >= 4 && !other {
			latin++
			if strings.ContainsFunc(w.text, vowel) {
				vowelled++
			}
		}
	}
	if float64(bad) >= maxGarbled*float64(glyphs) {
		return fmt.Sprintf("%d of %d glyphs have no usable character", bad, glyphs)
	}
	if latin >= 20 && float64(vowelled) < minVowelled*float64(latin) {
		return fmt.Sprintf("%d of %d words have no vowel", latin-vowelled, latin)
	}
	return ""
}

// vowel says whether a letter is a Latin vowel, with or without marks; y is one.
func vowel(r rune) bool {
	return strings.ContainsRune("aeiouyæœøåäëïöüÿáéíóúýàèìòùâêîôûãõñąęıőűůāēīōū", unicode.ToLower(r))
}
