package parse

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"enterprisedocbench"
)

// askew is a page in Latin fonts with known widths whose content is turned counter-clockwise about the
// page's middle.
func askew(degrees float64, draw func(p *pen)) []byte {
	var p pen
	sin, cos := math.Sincos(degrees * degree)
	fmt.Fprintf(&p, "q 1 0 0 1 300 400 cm %.6f %.6f %.6f %.6f 0 0 cm 1 0 0 1 -300 -400 cm\n", cos, sin, -sin, cos)
	draw(&p)
	p.WriteString("Q\n")
	m := &madePDF{}
	var fonts strings.Builder
	for i, base := range []string{"Helvetica", "Helvetica-Bold"} {
		widths := strings.Repeat("500 ", 95)
		f := m.add(fmt.Sprintf("<</Type/Font/Subtype/Type1/BaseFont/%s/Encoding/WinAnsiEncoding/FirstChar 32/LastChar 126/Widths[%s]>>", base, widths))
		fmt.Fprintf(&fonts, "/F%d %d 0 R", i+1, f)
	}
	return m.pagesOf("/Font<<"+fonts.String()+">>", "", p.String())
}

// readWith reads a made file with an engine, or skips the test where its program is not here.
func readWith(t *testing.T, engine string, file []byte) edb.Parsed {
	t.Helper()
	var p Parser
	if engine == "pdfium" {
		p = testPdfium(t)
	} else {
		e, err := Lookup(engine)
		if err != nil {
			t.Fatal(err)
		}
		if e.Available != nil && e.Available() != nil {
			t.Skipf("%s is not here: %v", engine, e.Available())
		}
		if p, err = e.New(); err != nil {
			t.Fatal(err)
		}
	}
	out, err := parsePDFBytes(t, p, file)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A page that lies askew is read as one that lies straight, and its boxes are where things stand.
func TestSkewedPages(t *testing.T) {
	twoColumns := func(p *pen) {
		p.at("F2", 16, 120, 100, "A title over both of the columns")
		for i := range 30 {
			p.lines(60, 140+12*float64(i), fmt.Sprintf("left %d goes on and on and on and on here", i))
			p.lines(320, 140+12*float64(i), fmt.Sprintf("right %d goes on and on and on and on too", i))
		}
	}
	oneColumn := func(p *pen) {
		for i := range 30 {
			p.lines(60, 140+12*float64(i), fmt.Sprintf("line %d goes on and on from the left side of the page to the other side of it and ends", i))
		}
	}
	for _, engine := range []string{"pdfium", "mupdf", "poppler", "ledongthuc"} {
		t.Run(engine, func(t *testing.T) {
			for k, draw := range []func(p *pen){oneColumn, twoColumns} {
				want := readWith(t, engine, askew(0, draw))
				for _, d := range []float64{0.5, 1, -2, 3, -5, 5} {
					got := readWith(t, engine, askew(d, draw))
					if g, w := got.Text(), want.Text(); g != w {
						t.Errorf("%d columns at %v degrees: %d characters differ from the level page's %d:\n%.300s", k+1, d, len(g), len(w), g)
						continue
					}
					if len(got.Pages[0].Elements) != len(want.Pages[0].Elements) {
						t.Errorf("%d columns at %v degrees: %d elements, want %d", k+1, d, len(got.Pages[0].Elements), len(want.Pages[0].Elements))
						continue
					}
					for i, e := range want.Pages[0].Elements {
						for j, l := range e.Lines {
							mid := turnPoint([2]float64{(l.Box[0] + l.Box[2]) / 2, (l.Box[1] + l.Box[3]) / 2}, -d*degree, 600, 800)
							b := got.Pages[0].Elements[i].Lines[j].Box
							if math.Hypot((b[0]+b[2])/2-mid[0], (b[1]+b[3])/2-mid[1]) > 3 {
								t.Fatalf("%d columns at %v degrees: line %q has the box %v, its middle is %.1f", k+1, d, l.Text, *b, mid)
							}
						}
					}
				}
			}
		})
	}
}

// Drawn cells of a page that lies askew are cells.
func TestSkewedRules(t *testing.T) {
	draw := func(p *pen) {
		p.lines(60, 80, "Running text above the table that goes on for a line or so and", "does not belong to the table at all.")
		for _, y := range []float64{120, 140, 160, 180} {
			p.rule(60, y, 360, y)
		}
		for _, x := range []float64{60, 160, 360} {
			p.rule(x, 120, x, 180)
		}
		p.rule(260, 140, 260, 180)
		for i, r := range [][]string{{"Region", "Sales of both years"}, {"North", "12.5", "13.5"}, {"South", "7", "8"}} {
			for j, s := range r {
				p.at("F1", 10, 65+100*float64(j), 134+20*float64(i), s)
			}
		}
	}
	want := `<table><tr><td>Region</td><td colspan="2">Sales of both years</td></tr><tr><td>North</td><td>12.5</td><td>13.5</td></tr><tr><td>South</td><td>7</td><td>8</td></tr></table>`
	for _, d := range []float64{0, 1, -3, 5} {
		p := readWith(t, "pdfium", askew(d, draw))
		var got string
		for _, e := range p.Elements {
			if e.Kind == edb.KindTable {
				got = e.HTML
			}
		}
		if got != want {
			t.Errorf("%v degrees: %q\n%s", d, shapes(p), got)
		}
	}
}

// Words without stated slopes, as OCR gives them: hulls of slanted words, or level boxes that climb.
func TestSkewIsMeasured(t *testing.T) {
	page := func() rawPage {
		pg := blankPage(1)
		for i := range 25 {
			set(&pg, 60, 100+12*float64(i), fmt.Sprintf("left %d of the page goes on and on", i), font{})
			set(&pg, 320, 100+12*float64(i), fmt.Sprintf("right %d of the page goes on as well", i), font{})
		}
		return pg
	}
	want := layout([]rawPage{page()}).Text()
	for _, hulls := range []bool{true, false} {
		for _, d := range []float64{0.4, 1, 2, 4, -5} {
			pg := page()
			for i := range pg.words {
				b := &pg.words[i].box
				mid := turnPoint([2]float64{(b[0] + b[2]) / 2, (b[1] + b[3]) / 2}, d*degree, pg.width, pg.height)
				w, h := b[2]-b[0], b[3]-b[1]
				if sin, cos := math.Sincos(math.Abs(d) * degree); hulls {
					w, h = w*cos+h*sin, w*sin+h*cos
				}
				*b = edb.Box{mid[0] - w/2, mid[1] - h/2, mid[0] + w/2, mid[1] + h/2}
			}
			if s := measuredSkew(pg.words) / degree; math.Abs(s-d) > 0.05 {
				t.Errorf("%v degrees are measured as %v", d, s)
			}
			if got := layout([]rawPage{pg}).Text(); got != want {
				t.Errorf("%v degrees, hulls %v: %.300s", d, hulls, got)
			}
		}
	}
}

// What stands level stays as it is, whatever else the page holds.
func TestSkewLeavesLevelPagesAlone(t *testing.T) {
	for name, change := range map[string]func(pg *rawPage){
		"level":    func(*rawPage) {},
		"rounding": func(pg *rawPage) { pg.words[3].slope = 0.1 * degree },
		"a slope of a quarter of a degree": func(pg *rawPage) {
			for i := range pg.words {
				pg.words[i].slope = 0.25 * degree
			}
		},
		"a few words askew": func(pg *rawPage) {
			for i := range 10 {
				pg.words[i].slope = 2 * degree
			}
		},
		"few lines": func(pg *rawPage) { pg.words = pg.words[:6] },
		"nothing":   func(pg *rawPage) { pg.words = nil },
	} {
		pg := blankPage(1)
		for i := range 20 {
			set(&pg, 60, 100+12*float64(i), fmt.Sprintf("line %d of the page goes on and on", i), font{})
		}
		change(&pg)
		before := slices.Clone(pg.words)
		if straighten(&pg) != nil || !slices.Equal(before, pg.words) {
			t.Errorf("%s: the page was turned", name)
		}
	}
	pg := blankPage(1)
	set(&pg, 60, 100, "a line of some words that stands level", font{})
	set(&pg, 60, 300, "DRAFT", font{size: 60})
	pg.words[len(pg.words)-1].slope = 8 * degree
	if straighten(&pg); pg.words[len(pg.words)-1].turn != -1 {
		t.Error("a word that leans by eight degrees is no stamp")
	}
}

// The hull of a leaning box gives the box back.
func TestLevelBox(t *testing.T) {
	for _, d := range []float64{0.5, 3, -5, 10} {
		back := func() func(edb.Box) edb.Box {
			pg := blankPage(1)
			for i := range 10 {
				set(&pg, 100, 100+12*float64(i), "words that all lean by as much", font{})
			}
			for i := range pg.words {
				pg.words[i].slope = d * degree
			}
			return straighten(&pg)
		}()
		b := edb.Box{100, 200, 180, 212}
		got := levelBox(back(b), d*degree, d*degree, 600, 800)
		for i := range b {
			if math.Abs(got[i]-b[i]) > 1e-6 {
				t.Errorf("%v degrees: %v, want %v", d, got, b)
				break
			}
		}
	}
}

// Letters that were made italic by slanting them are text, not stamps.
func TestSlantedLettersAreText(t *testing.T) {
	file := (&madePDF{}).pagesOf(latin, "", "BT /F1 10 Tf 1 0 0.2126 1 100 700 Tm (A line in slanted letters) Tj ET\nBT /F1 10 Tf 1 0 0 1 100 688 Tm (and one in upright ones) Tj ET\n")
	if got, _ := readMade(t, file); !slices.Equal(got, []string{"paragraph: A line in slanted letters and one in upright ones"}) {
		t.Errorf("%q", got)
	}
}
