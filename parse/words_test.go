package parse_test

import (
	"context"
	"errors"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"enterprisedocbench/parse"
	"enterprisedocbench/universe"
)

func leaseFile(t *testing.T) string {
	t.Helper()
	d, err := universe.Make(7, 0)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "lease.pdf")
	if err := os.WriteFile(path, d.PDF, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Two programs find the same words on the same pages, at the same places to two points.
func TestWordReadersAgree(t *testing.T) {
	if _, err := parse.WordReader("tesseract"); err == nil || !strings.Contains(err.Error(), "use poppler or pdfium") {
		t.Errorf("another engine: %v", err)
	}
	path := leaseFile(t)
	type word struct {
		page int
		text string
		x, y float64
	}
	read := func(engine string) []word {
		words, err := parse.WordReader(engine)
		if err != nil {
			t.Fatal(err)
		}
		pages, err := words(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		var out []word
		for i, p := range pages {
			for _, w := range p {
				out = append(out, word{i, w.Text, (w.Box[0] + w.Box[2]) / 2, (w.Box[1] + w.Box[3]) / 2})
			}
		}
		if _, err := words(t.Context(), path+".txt"); err == nil {
			t.Errorf("%s reads a file that is not there", engine)
		}
		return out
	}
	pdfium := read("pdfium")
	if len(pdfium) < 300 {
		t.Fatalf("pdfium finds %d words", len(pdfium))
	}
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("pdftotext is not installed: pdfium's words are compared with nothing")
	}
	poppler := read("poppler")
	if len(poppler) != len(pdfium) {
		t.Errorf("poppler finds %d words, pdfium %d", len(poppler), len(pdfium))
	}
	for _, w := range poppler {
		if !slices.ContainsFunc(pdfium, func(v word) bool {
			return v.page == w.page && v.text == w.text && max(v.x-w.x, w.x-v.x) < 2 && max(v.y-w.y, w.y-v.y) < 3
		}) {
			t.Errorf("page %d: pdfium does not find %q at (%.1f, %.1f)", w.page+1, w.text, w.x, w.y)
		}
	}
}

func TestDrawPages(t *testing.T) {
	draw, err := parse.DrawPages()
	if err != nil {
		t.Fatal(err)
	}
	path := leaseFile(t)
	stop := errors.New("enough")
	n := 0
	err = draw(t.Context(), path, 36, func(page int, img *image.Gray, width, height float64) error {
		n++
		if page != n || img.Rect.Dx() != 298 || img.Rect.Dy() != 421 || width < 595 || height > 842 {
			t.Errorf("page %d of %v is %v large", page, img.Rect, [2]float64{width, height})
		}
		if slices.Max(img.Pix) != 255 || slices.Min(img.Pix) > 150 {
			t.Errorf("page %d holds nothing dark on white", page)
		}
		if n == 2 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || n != 2 {
		t.Errorf("%d pages, then %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := draw(ctx, path, 36, func(int, *image.Gray, float64, float64) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
