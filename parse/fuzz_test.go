package parse

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/image/tiff"
)

// Fuzz targets of the readers that have no file of their own for it. Every reader in the binary has
// one: FuzzPdfium, FuzzRaster, FuzzLedongthuc, FuzzPDFFaults, FuzzLayout, FuzzPictures; FuzzHTML (with inline
// XBRL), FuzzXMLEngines (jats, tei, xml, json), FuzzDocx, FuzzXlsx, FuzzOfficeFiles, FuzzMarkdown, FuzzText; of stored
// output FuzzFiles, FuzzReadJSON, FuzzReadDocTags, FuzzReadHOCR, FuzzReadDocling; of answers of programs and
// services FuzzForeignAnswer, FuzzProgramAnswers, FuzzSidecar, FuzzDoclingService, FuzzFrames; and of what noise does
// to a parse FuzzCorrupt. What they have found, and inputs that reach far, is kept in testdata/fuzz.

// madeSeeds are small PDFs of our own: text, a table, a font with a character map, a loop.
func madeSeeds() [][]byte {
	table := madePage("", func(p *pen) {
		p.rule(60, 100, 360, 100)
		p.rule(60, 120, 360, 120)
		p.at("F1", 10, 65, 114, "cell")
	})
	loop := &madePDF{}
	loop.add("<</Type/Catalog/Pages 2 0 R>>")
	loop.add("<</Type/Pages/Kids[3 0 R 2 0 R]/Count 2>>")
	loop.add("<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>")
	return [][]byte{table, inFont(0, "字"), inFont(400, "של 1"), madePage("/Rotate 90", func(p *pen) { p.lines(100, 100, "turned") }), loop.bytes(1, "/Prev 9")}
}

// FuzzLedongthuc: the engine answers or says *Error. What it does not end by itself is the worker's to
// end, and no finding here; nor is what it panics over, which the worker turns into a failure.
func FuzzLedongthuc(f *testing.F) {
	for _, b := range madeSeeds() {
		f.Add(b)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(dir, "f.pdf")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		done := make(chan answers, 1)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		go func() {
			p, err := safely(ctx, ledongthucEngine{}, Source{Path: path})
			done <- answers{p, err}
		}()
		select {
		case e := <-done:
			if e.err != nil && kindOf(e.err) == "" && ctx.Err() == nil {
				t.Fatalf("%v is no *Error", e.err)
			}
			if e.err == nil {
				holds(t, e.p)
			}
		case <-ctx.Done():
			t.Skip("it does not end")
		}
	})
}

// FuzzPDFFaults: what looks for faults ends and does not panic.
func FuzzPDFFaults(f *testing.F) {
	for _, b := range madeSeeds() {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		loop, cycle := xrefLoop(b), pageTreeCycle(b)
		if loop != xrefLoop(b) || cycle != pageTreeCycle(b) {
			t.Fatal("the same file gives two answers")
		}
		if out := ligatureNames(b); len(out) != len(b) {
			t.Fatal("the file's length changed")
		}
	})
}

// FuzzOfficeFiles damages whole packages: the ZIP and its parts.
func FuzzOfficeFiles(f *testing.F) {
	f.Add(word(f, `<w:p><w:r><w:t>a</w:t></w:r></w:p>`))
	f.Add(sheet(f, `<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>`, ""))
	f.Fuzz(func(t *testing.T, b []byte) {
		engineReads(t, b, parseDocx)
		engineReads(t, b, parseXlsx)
	})
}

// mostDots bounds the pictures that the targets below unpack, so that none takes long enough to be taken for a hang;
// TestHugePictures is about the others.
const mostDots = 1 << 16

// FuzzPictures: pictures for OCR are read, as a page of their size, or refused.
func FuzzPictures(f *testing.F) {
	img := image.NewGray(image.Rect(0, 0, 12, 9))
	img.SetGray(3, 3, color.Gray{200})
	for _, write := range []func(b *bytes.Buffer) error{
		func(b *bytes.Buffer) error { return png.Encode(b, img) },
		func(b *bytes.Buffer) error { return jpeg.Encode(b, img, nil) },
		func(b *bytes.Buffer) error { return tiff.Encode(b, img, nil) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, b []byte) {
		c, _, err := image.DecodeConfig(bytes.NewReader(b))
		if err != nil || c.Width*c.Height > mostDots {
			t.Skip("no picture, or a large one")
		}
		path := filepath.Join(dir, "f")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		var seen image.Rectangle
		pages, _, err := ocr(t.Context(), Source{Path: path}, nil, 72, func(_ context.Context, img *image.Gray, _ *rawPage) error {
			seen = img.Bounds()
			return nil
		})
		switch {
		case err != nil && kindOf(err) == "":
			t.Fatalf("%v is no *Error", err)
		case err == nil && (len(pages) != 1 || seen.Dx() < 1 || seen.Dy() < 1 || seen.Dx()*seen.Dy() > mostDots):
			t.Fatalf("%d pages, a picture of %v", len(pages), seen)
		case err == nil && (pages[0].width != float64(seen.Dx())*72/imageDPI || pages[0].height != float64(seen.Dy())*72/imageDPI):
			t.Fatalf("a page of %v by %v for a picture of %v", pages[0].width, pages[0].height, seen)
		}
	})
}

// FuzzRaster damages small PDFs and draws them: a page is a picture of its size, or a warning.
func FuzzRaster(f *testing.F) {
	for _, b := range madeSeeds() {
		f.Add(b)
	}
	p := testPdfium(f).(*pdfiumEngine)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, _, err := image.DecodeConfig(bytes.NewReader(b)); err == nil {
			t.Skip("a picture")
		}
		path := filepath.Join(dir, "f.pdf")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		drawn := 0
		pages, warnings, err := ocr(t.Context(), Source{Path: path}, p, 18, func(_ context.Context, img *image.Gray, pg *rawPage) error {
			drawn++
			size := img.Bounds().Size()
			if n := size.X * size.Y; n < 1 || n > maxPixels+size.X+size.Y || !(pg.width > 0 && pg.height > 0) {
				t.Errorf("a picture of %v for a page of %v by %v", size, pg.width, pg.height)
			}
			return nil
		})
		switch {
		case err != nil && (kindOf(err) == "" || err.Error() == ""):
			t.Fatalf("%v is no *Error", err)
		case err == nil && (drawn == 0 || len(pages) < drawn || len(pages) > drawn+len(warnings)):
			t.Fatalf("%d pages, %d drawn, warnings %v", len(pages), drawn, warnings)
		}
	})
}
