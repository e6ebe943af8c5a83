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

	"enterprisedocbench"
)

// Fuzz targets of the readers that have no file of their own for it. Every reader in the binary has
// one: FuzzPdfium, FuzzLedongthuc, FuzzPDFFaults, FuzzLayout, FuzzPictures; FuzzHTML, FuzzXMLEngines (jats, tei, xml,
// json), FuzzDocx, FuzzXlsx, FuzzOfficeFiles, FuzzMarkdown, FuzzText; and of stored output FuzzReadJSON,
// FuzzReadDocTags, FuzzReadHOCR, FuzzReadDocling; of answers of programs FuzzProgramAnswers.

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
// end, and no finding here.
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
		type end struct {
			p   edb.Parsed
			err error
		}
		done := make(chan end, 1)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		go func() {
			p, err := ledongthucEngine{}.Parse(ctx, Source{Path: path})
			done <- end{p, err}
		}()
		select {
		case e := <-done:
			if e.err != nil && kindOf(e.err) == "" && ctx.Err() == nil {
				t.Fatalf("%v is no *Error", e.err)
			}
			if e.err == nil && len(e.p.Pages) == 0 {
				t.Fatal("neither pages nor an error")
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
	f.Add(workbook(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		for name, read := range map[string]func([]byte) (edb.Parsed, error){"docx": parseDocx, "xlsx": parseXlsx} {
			p, err := read(b)
			switch {
			case err != nil && kindOf(err) == "":
				t.Fatalf("%s: %v is no *Error", name, err)
			case err == nil && len(p.Pages) == 0:
				t.Fatalf("%s: neither pages nor an error", name)
			}
		}
	})
}

// FuzzPictures: pictures for OCR are read or refused.
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
		if c, _, err := image.DecodeConfig(bytes.NewReader(b)); err != nil || c.Width*c.Height > 1<<22 {
			t.Skip("no picture, or a large one")
		}
		path := filepath.Join(dir, "f")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		seen := 0
		pages, _, err := ocr(t.Context(), Source{Path: path}, nil, 72, func(_ context.Context, img *image.Gray, _ *rawPage) error {
			seen += len(img.Pix)
			return nil
		})
		if err != nil && kindOf(err) == "" {
			t.Fatalf("%v is no *Error", err)
		}
		if err == nil && (len(pages) != 1 || seen == 0) {
			t.Fatalf("%d pages, %d dots", len(pages), seen)
		}
	})
}
