package parse

import (
	"context"
	"image"
)

// DrawPages starts PDFium and gives a function that draws the pages of a PDF in order, in shades of
// grey at about dpi dots an inch, and hands each to page with its number from 1 and the page's size
// in points. The picture shows the page as a viewer does; very large pages get fewer dots. It ends
// with the first error of page. It draws in this process: for files that are vouched for. The
// function must not be called from several goroutines.
func DrawPages() (func(ctx context.Context, path string, dpi float64, page func(n int, img *image.Gray, width, height float64) error) error, error) {
	p, err := newPdfium()
	if err != nil {
		return nil, err
	}
	e := p.(*pdfiumEngine)
	return func(ctx context.Context, path string, dpi float64, page func(n int, img *image.Gray, width, height float64) error) error {
		return e.document(ctx, path, func(d *docReader, n int) error {
			for i := range n {
				if err := ctx.Err(); err != nil {
					return err
				}
				img, w, h, err := d.raster(i, dpi)
				if err != nil {
					return fail(Damaged, "page %d: %w", i+1, err)
				}
				if err := page(i+1, img, w, h); err != nil {
					return err
				}
			}
			return nil
		})
	}, nil
}
