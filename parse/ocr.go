package parse

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // pictures of pages
	_ "image/png"

	_ "golang.org/x/image/tiff"
)

// imageDPI is taken for pictures that stand for a page, since most say nothing or something wrong.
const imageDPI = 200

// recogniser adds the words of a picture to a page whose size in points is set.
type recogniser func(ctx context.Context, img *image.Gray, pg *rawPage) error

// ocr reads a file as pictures of its pages: a PDF is drawn with dpi dots an inch, whatever text it
// holds; a PNG, JPEG or TIFF file is one page. A page that cannot be drawn or read is a page without
// words and a warning; where none can be drawn the file is at fault.
func ocr(ctx context.Context, src Source, pdf *pdfiumEngine, dpi float64, eye recogniser) (pages []rawPage, warnings []string, err error) {
	b, err := read(src.Path)
	if err != nil {
		return nil, nil, err
	}
	if c, _, err := image.DecodeConfig(bytes.NewReader(b)); err == nil {
		if err := small(c.Width, c.Height); err != nil {
			return nil, nil, err
		}
		img, _, err := image.Decode(bytes.NewReader(b))
		if err != nil {
			return nil, nil, fail(Damaged, "the picture cannot be read: %w", err)
		}
		size := img.Bounds().Size()
		pg := rawPage{number: 1, width: float64(size.X) * 72 / imageDPI, height: float64(size.Y) * 72 / imageDPI}
		if err := eye(ctx, grey(img), &pg); err != nil {
			return nil, nil, err
		}
		return []rawPage{pg}, nil, nil
	}
	err = pdf.document(ctx, src.Path, func(d *docReader, n int) error {
		for i := range n {
			pg := rawPage{number: i + 1}
			if err := d.recognise(ctx, i, dpi, eye, &pg); err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				warnings = append(warnings, fmt.Sprintf("page %d: %v", i+1, err))
			}
			pages = append(pages, pg)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	// What the page tree promises behind the last page that can be drawn is no page: see pages.
	for len(pages) > 0 && pages[len(pages)-1].width == 0 {
		pages = pages[:len(pages)-1]
	}
	if len(pages) == 0 {
		return nil, nil, fail(Damaged, "no page can be drawn: %s", append(warnings, "it has none")[0])
	}
	return pages, warnings, nil
}

// recognise draws page i and reads the picture.
func (d *docReader) recognise(ctx context.Context, i int, dpi float64, eye recogniser, pg *rawPage) error {
	img, w, h, err := d.raster(i, dpi)
	if err != nil {
		return err
	}
	pg.width, pg.height = w, h
	return eye(ctx, img, pg)
}

// small refuses a picture that is too large to be a page.
func small(w, h int) error {
	if w < 1 || h < 1 || w > 1<<20 || h > 1<<20 || w*h > 4*maxPixels {
		return fail(TooLarge, "the picture has %d by %d dots, not 1 to %d", w, h, 4*maxPixels)
	}
	return nil
}

func grey(img image.Image) *image.Gray {
	b := img.Bounds()
	out := image.NewGray(image.Rect(0, 0, b.Dx(), b.Dy()))
	for y := range b.Dy() {
		for x := range b.Dx() {
			r, g, bl, a := img.At(b.Min.X+x, b.Min.Y+y).RGBA()
			// What shows through is white paper.
			c := color.Gray16Model.Convert(color.RGBA64{R: uint16(r + 0xffff - a), G: uint16(g + 0xffff - a), B: uint16(bl + 0xffff - a), A: 0xffff}).(color.Gray16)
			out.Pix[y*out.Stride+x] = uint8(c.Y >> 8)
		}
	}
	return out
}
