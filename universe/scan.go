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

	edb "enterprisedocbench"

	"enterprisedocbench/universe/keyed"
	"enterprisedocbench/universe/press"
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
			tight := press.Around(e.Lines)
			lines := make([]edb.Line, len(e.Lines))
			for j, l := range e.Lines {
				lines[j] = edb.Line{Text: l.Text, Box: t.Box(l.Box)}
			}
			box := t.Box(e.Box)
			if tight != nil && e.Box != nil && *tight == *e.Box {
				box = press.Around(lines)
			}
			if e.Lines != nil {
				e.Lines = lines
			}
			e.Box = box
			elements[i] = e
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
		sizes    []image.Point
		failed   = make(chan error, 1)
		wg       sync.WaitGroup
		slots    = make(chan struct{}, runtime.GOMAXPROCS(0))
	)
	err = draw(ctx, path, s.DPI, func(n int, img *image.Gray, width, height float64) error {
		r := rand.New(rand.NewPCG(keyed.Key(s.Seed, "scan "+name, n), uint64(n)))
		t := Turn{s.Skew * (2*r.Float64() - 1), width, height}
		b := &bytes.Buffer{}
		turns, pictures, sizes = append(turns, t), append(pictures, b), append(sizes, img.Rect.Size())
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
	out, err := bind(pictures, sizes, turns)
	if err != nil {
		return nil, nil, fmt.Errorf("scan %s: %w", filepath.Base(path), err)
	}
	return out, turns, nil
}

// bind makes a PDF of one grey JPEG picture a page. sizes[i] is that of pictures[i] in dots.
func bind(pictures []*bytes.Buffer, sizes []image.Point, turns []Turn) ([]byte, error) {
	if len(pictures) == 0 {
		return nil, errors.New("the file has no page")
	}
	var b bytes.Buffer
	var at []int // where object i+1 begins
	object := func(format string, args ...any) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n", len(at))
		fmt.Fprintf(&b, format, args...)
	}
	const first = 4 // the objects of page i are first+3*i and the two behind it
	b.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	object("<</Type/Catalog/Pages 2 0 R>>\nendobj\n")
	var kids strings.Builder
	for i := range pictures {
		fmt.Fprintf(&kids, "%d 0 R ", first+3*i)
	}
	object("<</Type/Pages/Count %d/Kids[%s]>>\nendobj\n", len(pictures), strings.TrimSpace(kids.String()))
	object("<</Producer(EnterpriseDocBench universe, scan)>>\nendobj\n")
	for i, t := range turns {
		n := first + 3*i
		draw := fmt.Sprintf("q %g 0 0 %g 0 0 cm /P Do Q", t.Width, t.Height)
		object("<</Type/Page/Parent 2 0 R/MediaBox[0 0 %g %g]/Contents %d 0 R/Resources<</XObject<</P %d 0 R>>>>>>\nendobj\n", t.Width, t.Height, n+1, n+2)
		object("<</Length %d>>\nstream\n%s\nendstream\nendobj\n", len(draw), draw)
		object("<</Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode/Length %d>>\nstream\n%s\nendstream\nendobj\n",
			sizes[i].X, sizes[i].Y, pictures[i].Len(), pictures[i].Bytes())
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, o := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R/Info 3 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, table)
	return b.Bytes(), nil
}

// isPDFName reports whether a file is named as a PDF.
func isPDFName(path string) bool { return strings.EqualFold(filepath.Ext(path), ".pdf") }

func round2(v float64) float64 { return math.Round(v*100) / 100 }
