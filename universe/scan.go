package universe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	edb "enterprisedocbench"

	"codeberg.org/go-pdf/fpdf"
)

// Scan makes scans of PDFs: each page is drawn, turned, blurred, speckled and kept as a JPEG picture;
// nothing of the text layer stays. What is 0 is left out, save DPI and JPEG, which then have their
// defaults.
type Scan struct {
	DPI float64 // dots an inch, 50 to 600; 0 is 200
	// Skew is the largest angle in degrees, 0 to 15; each page is turned by an angle drawn evenly from
	// -Skew to Skew.
	Skew    float64
	Blur    float64 // standard deviation of the Gaussian blur in dots, 0 to 20
	JPEG    int     // quality, 1 to 100; 0 is 75
	Speckle float64 // share of the dots that dirt covers, 0 to 0.5: three of four specks black, the others white
	Seed    uint64
}

// DrawPages draws the pages of a PDF in order and hands each over with its number from 1 and its
// size in points.
type DrawPages = func(ctx context.Context, path string, dpi float64, page func(n int, img *image.Gray, width, height float64) error) error

func (s Scan) filled() (Scan, error) {
	if s.DPI == 0 {
		s.DPI = 200
	}
	if s.JPEG == 0 {
		s.JPEG = 75
	}
	bound := func(name string, v, lo, hi float64) error {
		if v >= lo && v <= hi { // false for NaN
			return nil
		}
		return fmt.Errorf("scan: %s is %v: use %v to %v", name, v, lo, hi)
	}
	return s, errors.Join(bound("dpi", s.DPI, 50, 600), bound("skew", s.Skew, 0, 15), bound("blur", s.Blur, 0, 20),
		bound("jpeg", float64(s.JPEG), 1, 100), bound("speckle", s.Speckle, 0, .5))
}

// Turn says how a page of a scan lies: turned clockwise about its middle. Width and Height are points.
type Turn struct{ Degrees, Width, Height float64 }

// Box is the smallest box around a turned one, cut at the page's edge; nil where nothing of it is
// left.
func (t Turn) Box(b *edb.Box) *edb.Box {
	if b == nil {
		return nil
	}
	sin, cos := math.Sincos(t.Degrees * math.Pi / 180)
	cx, cy := t.Width/2, t.Height/2
	out := edb.Box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, x := range []float64{b[0], b[2]} {
		for _, y := range []float64{b[1], b[3]} {
			u, v := cx+(x-cx)*cos-(y-cy)*sin, cy+(x-cx)*sin+(y-cy)*cos
			out = edb.Box{min(out[0], u), min(out[1], v), max(out[2], u), max(out[3], v)}
		}
	}
	out = edb.Box{round2(max(out[0], 0)), round2(max(out[1], 0)), round2(min(out[2], t.Width)), round2(min(out[3], t.Height))}
	if out[0] >= out[2] || out[1] >= out[3] {
		return nil
	}
	return &out
}

// Turned is gold as it lies on a scan whose page n is turned by turns[n-1]: the boxes move, all else
// stays. An element whose box was the one around its lines has the one around its turned lines.
func Turned(gold edb.Parsed, turns []Turn) edb.Parsed {
	out := gold
	out.Pages = nil
	for _, p := range gold.Pages {
		if p.Number < 1 || p.Number > len(turns) {
			out.Pages = append(out.Pages, p)
			continue
		}
		t := turns[p.Number-1]
		elements := make([]edb.Element, len(p.Elements))
		for i, e := range p.Elements {
			tight := around(e.Lines)
			lines := make([]edb.Line, len(e.Lines))
			for j, l := range e.Lines {
				lines[j] = edb.Line{Text: l.Text, Box: t.Box(l.Box)}
			}
			box := t.Box(e.Box)
			if tight != nil && e.Box != nil && *tight == *e.Box {
				box = around(lines)
			}
			if e.Lines != nil {
				e.Lines = lines
			}
			e.Box, elements[i] = box, e
		}
		p.Elements = elements
		out.Pages = append(out.Pages, p)
	}
	return out
}

// PDF gives a scan of the PDF at path and how its pages lie. name enters the seed of each page, so
// that two documents do not lie alike. The same file, settings, name and drawing give the same bytes
// (with the same version of Go, whose JPEG encoder is used).
func (s Scan) PDF(ctx context.Context, path, name string, draw DrawPages) ([]byte, []Turn, error) {
	s, err := s.filled()
	if err != nil {
		return nil, nil, err
	}
	if draw == nil {
		return nil, nil, errors.New("scan: nothing draws the pages: give a drawing function")
	}
	var (
		turns    []Turn
		pictures []*bytes.Buffer
		failed   = make(chan error, 1)
		wg       sync.WaitGroup
		slots    = make(chan struct{}, runtime.GOMAXPROCS(0))
	)
	err = draw(ctx, path, s.DPI, func(n int, img *image.Gray, width, height float64) error {
		r := rand.New(rand.NewPCG(key(s.Seed, "scan "+name, n), uint64(n)))
		t := Turn{s.Skew * (2*r.Float64() - 1), width, height}
		b := &bytes.Buffer{}
		turns, pictures = append(turns, t), append(pictures, b)
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			out := speckle(blur(skew(img, t.Degrees), s.Blur), s.Speckle, r)
			if err := jpeg.Encode(b, out, &jpeg.Options{Quality: s.JPEG}); err != nil {
				select {
				case failed <- err:
				default:
				}
			}
		})
		return nil
	})
	wg.Wait()
	select {
	case e := <-failed:
		err = errors.Join(err, e)
	default:
	}
	if err != nil {
		return nil, nil, fmt.Errorf("scan %s: %w", filepath.Base(path), err)
	}
	out, err := bind(pictures, turns)
	if err != nil {
		return nil, nil, fmt.Errorf("scan %s: %w", filepath.Base(path), err)
	}
	return out, turns, nil
}

// bind makes a PDF of one picture a page.
func bind(pictures []*bytes.Buffer, turns []Turn) ([]byte, error) {
	if len(pictures) == 0 {
		return nil, errors.New("the file has no page")
	}
	made := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	pdf := fpdf.NewCustom(&fpdf.InitType{OrientationStr: "P", UnitStr: "pt", Size: fpdf.SizeType{Wd: turns[0].Width, Ht: turns[0].Height}})
	pdf.SetAutoPageBreak(false, 0)
	pdf.SetMargins(0, 0, 0)
	pdf.SetCatalogSort(true)
	pdf.SetCreationDate(made)
	pdf.SetModificationDate(made)
	pdf.SetProducer("EnterpriseDocBench universe, scan", true)
	for i, t := range turns {
		name := fmt.Sprintf("p%06d", i+1)
		opt := fpdf.ImageOptions{ImageType: "JPG"}
		pdf.AddPageFormat("P", fpdf.SizeType{Wd: t.Width, Ht: t.Height})
		pdf.RegisterImageOptionsReader(name, opt, pictures[i])
		pdf.ImageOptions(name, 0, 0, t.Width, t.Height, false, opt, 0, "")
	}
	var b bytes.Buffer
	if err := pdf.Output(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// isPDFName reports whether a file is named as a PDF.
func isPDFName(path string) bool { return strings.EqualFold(filepath.Ext(path), ".pdf") }
