package parse

import (
	"context"
	"fmt"

	"enterprisedocbench"
)

// WordReader gives a function that reads the words of a PDF with their boxes, page by page, as the
// program behind an engine finds them: no lines, columns or reading order are made of them. The
// engine is "poppler" or "pdfium". It reads in this process: for files that are vouched for. The
// function must not be called from several goroutines.
func WordReader(engine string) (func(ctx context.Context, path string) ([][]edb.Line, error), error) {
	switch engine {
	case "poppler":
		return func(ctx context.Context, path string) ([][]edb.Line, error) {
			if err := isPDF(path); err != nil {
				return nil, err
			}
			b, err := program(ctx, nil, "pdftotext", "-q", "-bbox-layout", "-enc", "UTF-8", path, "-")
			if err != nil {
				return nil, err
			}
			pages, err := bboxPages(b)
			return wordLines(pages), err
		}, nil
	case "pdfium":
		p, err := newPdfium()
		if err != nil {
			return nil, err
		}
		e := p.(*pdfiumEngine)
		return func(ctx context.Context, path string) ([][]edb.Line, error) {
			var pages []rawPage
			err := e.document(ctx, path, func(r *docReader, n int) (err error) {
				pages, _, err = r.pages(ctx, n)
				return err
			})
			return wordLines(pages), err
		}, nil
	}
	return nil, fmt.Errorf("engine %q does not give words: use poppler or pdfium", engine)
}

// wordLines gives each word as a line of its own.
func wordLines(pages []rawPage) [][]edb.Line {
	out := make([][]edb.Line, len(pages))
	for i, p := range pages {
		for _, w := range p.words {
			box := w.box
			out[i] = append(out[i], edb.Line{Text: w.text, Box: &box})
		}
	}
	return out
}
