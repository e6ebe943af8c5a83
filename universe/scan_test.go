package universe_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	edb "enterprisedocbench"

	"enterprisedocbench/datasets"
	"enterprisedocbench/metrics"
	"enterprisedocbench/parse"
	"enterprisedocbench/universe"

	"pgregory.net/rapid"
)

// flat draws one page of 100 by 200 points: white with a black square at (60, 120) to (70, 130).
func flat(_ context.Context, _ string, dpi float64, page func(int, *image.Gray, float64, float64) error) error {
	k := dpi / 72
	img := image.NewGray(image.Rect(0, 0, int(100*k), int(200*k)))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	for y := int(120 * k); y < int(130*k); y++ {
		for x := int(60 * k); x < int(70*k); x++ {
			img.SetGray(x, y, color.Gray{})
		}
	}
	return errors.Join(page(1, img, 100, 200), page(2, img, 100, 200))
}

func drawer(t *testing.T) universe.DrawPages {
	t.Helper()
	draw, err := parse.DrawPages()
	if err != nil {
		t.Fatal(err)
	}
	return draw
}

func engine(t *testing.T, name string) parse.Parser {
	t.Helper()
	e, err := parse.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := e.New()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// draft writes one generated document and gives its path and gold.
func draft(t *testing.T, id int) (string, universe.Document) {
	t.Helper()
	d, err := universe.Make(7, id)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), d.ID+".pdf")
	if err := os.WriteFile(path, d.PDF, 0o644); err != nil {
		t.Fatal(err)
	}
	return path, d
}

func TestScanIsTheSameBytesAndEachPageLiesItsOwnWay(t *testing.T) {
	s := universe.Scan{DPI: 100, Skew: 3, Blur: .7, JPEG: 60, Speckle: .002, Seed: 5}
	a, turns, err := s.PDF(t.Context(), "x.pdf", "x", flat)
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := s.PDF(t.Context(), "x.pdf", "x", flat)
	if err != nil || !bytes.Equal(a, b) {
		t.Errorf("the same scan differs (%v)", err)
	}
	if len(turns) != 2 || turns[0].Degrees == turns[1].Degrees || math.Abs(turns[0].Degrees) > 3 || turns[0].Width != 100 || turns[0].Height != 200 {
		t.Errorf("turns %+v", turns)
	}
	for _, other := range []universe.Scan{{DPI: 100, Skew: 3, Blur: .7, JPEG: 60, Speckle: .002, Seed: 6}, {DPI: 100, Skew: 3, Blur: .7, JPEG: 61, Speckle: .002, Seed: 5}, {}} {
		if c, _, err := other.PDF(t.Context(), "x.pdf", "x", flat); err != nil || bytes.Equal(a, c) {
			t.Errorf("%+v gives the same bytes (%v)", other, err)
		}
	}
	if c, _, err := s.PDF(t.Context(), "x.pdf", "y", flat); err != nil || bytes.Equal(a, c) {
		t.Errorf("another name gives the same bytes (%v)", err)
	}
}

// The black square lies where the turned box says, as the scan is drawn again.
func TestBoxesFollowTheSkew(t *testing.T) {
	draw := drawer(t)
	square := &edb.Box{60, 120, 70, 130}
	for _, skew := range []float64{0, 1, 15} {
		pdf, turns, err := universe.Scan{DPI: 144, Skew: skew, JPEG: 90, Seed: 3}.PDF(t.Context(), "x.pdf", "x", flat)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "s.pdf")
		if err := os.WriteFile(path, pdf, 0o644); err != nil {
			t.Fatal(err)
		}
		err = draw(t.Context(), path, 144, func(n int, img *image.Gray, w, h float64) error {
			got := edb.Box{math.Inf(1), math.Inf(1), 0, 0}
			for y := range img.Rect.Dy() {
				for x := range img.Rect.Dx() {
					if img.GrayAt(x, y).Y < 128 {
						got = edb.Box{min(got[0], float64(x)/2), min(got[1], float64(y)/2), max(got[2], float64(x+1)/2), max(got[3], float64(y+1)/2)}
					}
				}
			}
			want := turns[n-1].Box(square)
			for i := range got {
				if math.Abs(got[i]-want[i]) > 1 {
					t.Errorf("skew %v, page %d (%.2f degrees): the square is at %v, the box says %v", skew, n, turns[n-1].Degrees, got, *want)
					break
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestTurnedBoxesHoldTheirLines(t *testing.T) {
	gold, err := universe.MakeGold(7, 1)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		var turns []universe.Turn
		for _, p := range gold.Gold.Pages {
			turns = append(turns, universe.Turn{Degrees: rapid.Float64Range(-3, 3).Draw(t, "degrees"), Width: p.Width, Height: p.Height})
		}
		out := universe.Turned(gold.Gold, turns)
		if out.Text() != gold.Gold.Text() {
			t.Fatal("the text changed")
		}
		for page, e := range out.Elements {
			for _, l := range e.Lines {
				if l.Box == nil {
					continue
				}
				if b := l.Box; e.Box == nil || b[0] < e.Box[0]-.02 || b[1] < e.Box[1]-.02 || b[2] > e.Box[2]+.02 || b[3] > e.Box[3]+.02 {
					t.Fatalf("page %d: line %q at %v stands out of %s at %v", page, l.Text, *b, e.ID, e.Box)
				}
			}
		}
	})
	if b := (universe.Turn{Width: 100, Height: 100}).Box(&edb.Box{1, 2, 3, 4}); *b != (edb.Box{1, 2, 3, 4}) {
		t.Errorf("no turn moves a box to %v", *b)
	}
	if b := (universe.Turn{Degrees: 45, Width: 100, Height: 100}).Box(&edb.Box{0, 0, 1, 1}); b != nil {
		t.Errorf("a corner that is turned off the page has the box %v", *b)
	}
}

func TestScanRefuses(t *testing.T) {
	for _, c := range []struct {
		scan universe.Scan
		want string
	}{
		{universe.Scan{DPI: 10}, "scan: dpi is 10: use 50 to 600"},
		{universe.Scan{Skew: -1}, "scan: skew is -1: use 0 to 15"},
		{universe.Scan{Blur: math.NaN()}, "scan: blur is NaN: use 0 to 20"},
		{universe.Scan{JPEG: 101}, "scan: jpeg is 101: use 1 to 100"},
		{universe.Scan{Speckle: .6, JPEG: -1}, "scan: speckle is 0.6: use 0 to 0.5"},
	} {
		if _, _, err := c.scan.PDF(t.Context(), "x.pdf", "x", flat); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.scan, err, c.want)
		}
	}
	nothing := func(context.Context, string, float64, func(int, *image.Gray, float64, float64) error) error {
		return nil
	}
	if _, _, err := (universe.Scan{}).PDF(t.Context(), "x.pdf", "x", nothing); err == nil || !strings.Contains(err.Error(), "scan x.pdf: the file has no page") {
		t.Errorf("no page: %v", err)
	}
	if _, _, err := (universe.Scan{}).PDF(t.Context(), "x.pdf", "x", nil); err == nil {
		t.Error("nothing draws, and no error")
	}
	dir := filepath.Join(t.TempDir(), "w")
	w, err := datasets.Create(dir, datasets.Info{Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	for id, derivatives := range map[string]bool{"a.pdf": false, "b.txt": true} {
		content := []byte("%PDF-1.4")
		if id == "b.txt" {
			content = []byte("text")
		}
		if err := w.AddDocument(edb.Document{ID: id, Path: id, Licence: edb.Licence{SPDX: "CC-BY-ND-4.0", Redistribute: true, Derivatives: derivatives, Evidence: "test"}}, content, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	out := dir + "-out"
	if err := (universe.Scan{}).Dataset(t.Context(), dir, out, flat, nil, nil); err == nil || !strings.Contains(err.Error(), `documents.jsonl:1: document "a.pdf": its licence forbids changed copies`) {
		t.Errorf("a licence without changes: %v", err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("something was left behind")
	}
}

func TestScannedTwin(t *testing.T) {
	dir, out := filepath.Join(t.TempDir(), "w"), filepath.Join(t.TempDir(), "s")
	if err := universe.WriteDemo(t.Context(), dir, universe.Options{Seed: 7, Documents: 9, Questions: 20}); err != nil {
		t.Fatal(err)
	}
	s := universe.Scan{DPI: 60, Skew: 2, JPEG: 20, Seed: 9}
	if err := s.Dataset(t.Context(), dir, out, drawer(t), nil, nil); err != nil {
		t.Fatal(err)
	}
	got, err := universe.Check(t.Context(), out, universe.CheckOptions{Words: words(t), Reader: "pdfium"})
	if err != nil || len(got.Faults) > 0 {
		t.Fatalf("%v %v", got.Faults, err)
	}
	if len(got.Skipped) != 1 || !strings.Contains(got.Skipped[0], "9 scanned documents") {
		t.Errorf("skipped: %v", got.Skipped)
	}
	a, err := datasets.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	b, err := datasets.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	if b.Info.Name != "demo-world-scanned" || !strings.Contains(b.Info.Made, "60 dots an inch, skew to 2 degrees") || !slices.EqualFunc(a.Questions, b.Questions, func(x, y edb.Question) bool { return x.Text == y.Text && len(x.Evidence) == len(y.Evidence) }) {
		t.Errorf("the twin is %+v with %d questions", b.Info, len(b.Questions))
	}
	moved := 0
	for i, q := range b.Questions {
		for j, e := range q.Evidence {
			if *e.Box != *a.Questions[i].Evidence[j].Box {
				moved++
			}
		}
	}
	for _, d := range b.Documents {
		if !d.Scanned {
			t.Errorf("document %s is not marked as scanned", d.ID)
		}
	}
	if moved == 0 {
		t.Error("no box moved")
	}
	again := out + "2"
	if err := s.Dataset(t.Context(), dir, again, drawer(t), nil, nil); err != nil {
		t.Fatal(err)
	}
	x, y := files(t, out), files(t, again)
	for name := range x {
		if x[name] != y[name] {
			t.Errorf("%s differs from one time to the next", name)
		}
	}
	if err := s.Dataset(t.Context(), dir, out, drawer(t), nil, nil); err == nil {
		t.Error("a twin was written over another")
	}
}

// Text that is read back with OCR: nearly all of it from a clean scan, less from a poor one; the text
// layer is gone.
func TestScansAreReadWithOCR(t *testing.T) {
	path, d := draft(t, 2)
	draw := drawer(t)
	pdfium := engine(t, "pdfium")
	if _, err := exec.LookPath("tesseract"); err != nil {
		t.Skip("tesseract is not installed: scans are not read back")
	}
	ocr := engine(t, "tesseract")
	var scores []float64
	for _, s := range []universe.Scan{
		{DPI: 200, Skew: .5, Blur: .5, JPEG: 80, Speckle: .0002, Seed: 1},
		{DPI: 110, Skew: .5, Blur: 1.2, JPEG: 20, Speckle: .02, Seed: 1},
	} {
		pdf, _, err := s.PDF(t.Context(), path, d.ID, draw)
		if err != nil {
			t.Fatal(err)
		}
		scan := filepath.Join(t.TempDir(), "scan.pdf")
		if err := os.WriteFile(scan, pdf, 0o644); err != nil {
			t.Fatal(err)
		}
		src := parse.Source{Doc: edb.Document{ID: d.ID, MIME: "application/pdf", Lang: "en"}, Path: scan}
		plain, err := pdfium.Parse(t.Context(), src)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range plain.Pages {
			if !p.NoText || p.Text() != "" {
				t.Errorf("page %d of the scan has a text layer: %q", p.Number, p.Text())
			}
		}
		got, err := ocr.Parse(t.Context(), src)
		if err != nil {
			t.Fatal(err)
		}
		scores = append(scores, metrics.TIS(got.Text(), d.Gold.Text()))
	}
	t.Logf("TIS of a clean scan %.3f, of a poor one %.3f", scores[0], scores[1])
	if scores[0] < .85 { // tables and the chart cost tesseract a tenth on clean drawings too
		t.Errorf("TIS of a clean scan is %.3f, under 0.85", scores[0])
	}
	if scores[1] > scores[0]-.02 {
		t.Errorf("TIS of a poor scan is %.3f, of a clean one %.3f", scores[1], scores[0])
	}
}
