package parse

import (
	"errors"
	"fmt"
	"image"
	"math"
)

// maxPixels bounds a page's picture; larger pages are drawn with fewer dots an inch.
const maxPixels = 40_000_000

// What FPDF_RenderPageBitmap is asked for: annotations drawn, shades of grey.
const (
	renderAnnotations = 0x01
	renderGrey        = 0x08
	bitmapGrey        = 1
)

// raster draws page i at about dpi dots an inch in shades of grey and gives the picture with the
// page's size in points. The picture has the page as it is shown.
func (d *docReader) raster(i int, dpi float64) (img *image.Gray, width, height float64, err error) {
	m := d.m
	page := m.call("FPDF_LoadPage", d.doc, uint64(i))
	if page == 0 {
		return nil, 0, 0, errors.New("pdfium cannot load it")
	}
	defer m.call("FPDF_ClosePage", page)
	width, height = m.float32("FPDF_GetPageWidthF", page), m.float32("FPDF_GetPageHeightF", page)
	if width <= 0 || height <= 0 {
		return nil, 0, 0, fmt.Errorf("it is %g by %g points large", width, height)
	}
	scale := dpi / 72
	if n := width * height * scale * scale; n > maxPixels {
		scale *= math.Sqrt(maxPixels / n)
	}
	w, h := max(1, int(math.Round(width*scale))), max(1, int(math.Round(height*scale)))
	bitmap := m.call("FPDFBitmap_CreateEx", uint64(w), uint64(h), bitmapGrey, 0, 0)
	if bitmap == 0 {
		return nil, 0, 0, fmt.Errorf("there is no memory for a picture of %d by %d dots", w, h)
	}
	defer m.call("FPDFBitmap_Destroy", bitmap)
	m.call("FPDFBitmap_FillRect", bitmap, 0, 0, uint64(w), uint64(h), 0xFFFFFFFF)
	m.call("FPDF_RenderPageBitmap", bitmap, page, 0, 0, uint64(w), uint64(h), 0, renderAnnotations|renderGrey)
	at, stride := uint32(m.call("FPDFBitmap_GetBuffer", bitmap)), m.int32("FPDFBitmap_GetStride", bitmap)
	dots, ok := m.mod.Memory().Read(at, uint32(stride*h))
	if at == 0 || stride < w || !ok {
		return nil, 0, 0, errors.New("pdfium gives no picture of it")
	}
	img = image.NewGray(image.Rect(0, 0, w, h))
	for y := range h {
		copy(img.Pix[y*img.Stride:y*img.Stride+w], dots[y*stride:])
	}
	return img, width, height, nil
}
