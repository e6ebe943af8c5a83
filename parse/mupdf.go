package parse

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"enterprisedocbench"
)

// mupdfEngine reads PDFs with MuPDF's mutool as structured text: characters with places and fonts,
// cut into words at blanks; a second run, as a trace, gives the drawn lines. The geometric layer makes
// elements of them. The program is called as it
// is installed; nothing of it is linked.
type mupdfEngine struct{}

func newMupdf() (Parser, error) { return mupdfEngine{}, nil }

// Parse implements Parser.
func (mupdfEngine) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	if err := isPDF(src.Path); err != nil {
		return edb.Parsed{}, err
	}
	b, err := program(ctx, nil, "mutool", "draw", "-F", "stext", "-o", "-", src.Path)
	var warnings []string
	if err != nil {
		// mutool stops at the first page that it cannot draw: what it had drawn stands.
		var pe *Error
		end := bytes.LastIndex(b, []byte("</page>"))
		if end < 0 || !errors.As(err, &pe) || pe.Kind != Damaged {
			return edb.Parsed{}, err
		}
		whole := bytes.Contains(b[end:], []byte("</document>")) // all is drawn that can be
		b = append(b[:end:end], "</page></document>"...)
		if whole {
			warnings = append(warnings, fmt.Sprintf("parts of pages may be missing: %v", err))
		} else {
			warnings = append(warnings, fmt.Sprintf("the pages after %d are left out: %v", bytes.Count(b, []byte("</page>")), err))
		}
	}
	pages, err := stextPages(b)
	if err != nil {
		return edb.Parsed{}, err
	}
	for i := range pages {
		pages[i].skew = statedSkew(pages[i].words)
	}
	t := tracer{of: pages}
	err = programTo(ctx, nil, &t, "mutool", "trace", src.Path)
	if ctx.Err() != nil {
		return edb.Parsed{}, ctx.Err()
	}
	if w := t.drawn(err); w != "" && len(warnings) == 0 { // else it stops for the same reason
		warnings = append(warnings, w)
	}
	out := layout(pages)
	out.Doc, out.Engine, out.Warnings = src.Doc.ID, Spec{Engine: "mupdf"}.Label(), warnings
	return out, nil
}

// stextPages reads the XML of mutool's structured text.
func stextPages(b []byte) ([]rawPage, error) {
	d := xml.NewDecoder(bytes.NewReader(xmlText(b)))
	d.Strict = false
	var pages []rawPage
	var f font
	var cur wordRun
	var glyphs []string // of the word, with the places of their left edges
	var places []float64
	turn, slope := 0, 0.0
	flush := func() {
		cur.text = logicalAt(glyphs, places)
		glyphs, places = glyphs[:0], places[:0]
		if cur.text = strings.TrimSpace(clean(cur.text)); cur.text != "" && len(pages) > 0 {
			pages[len(pages)-1].words = append(pages[len(pages)-1].words, cur)
		}
		cur = wordRun{}
	}
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fail(Damaged, "mutool's answer: %w", err)
		}
		switch e := t.(type) {
		case xml.StartElement:
			at := func(name string) string {
				for _, a := range e.Attr {
					if a.Name.Local == name {
						return a.Value
					}
				}
				return ""
			}
			switch e.Name.Local {
			case "page":
				flush()
				w, h := numbers(at("width")), numbers(at("height"))
				pages = append(pages, rawPage{number: len(pages) + 1, width: w[0], height: h[0]})
			case "line":
				flush()
				turn, slope = direction(at("dir"))
			case "font":
				flush()
				name, size := at("name"), numbers(at("size"))
				f = fontOf(name, round2(size[0]))
			case "image":
				if b := numbers(at("bbox")); len(pages) > 0 {
					pages[len(pages)-1].images = append(pages[len(pages)-1].images, edb.Box{b[0], b[1], b[2], b[3]})
				}
			case "char":
				q, c := numbers(at("quad")), at("c")
				if strings.TrimSpace(c) == "" || c == "\ufffd" {
					if c == "\ufffd" && len(pages) > 0 {
						pages[len(pages)-1].unmapped++
					}
					flush()
					continue
				}
				box := edb.Box{min(q[0], q[2], q[4], q[6]), min(q[1], q[3], q[5], q[7]), max(q[0], q[2], q[4], q[6]), max(q[1], q[3], q[5], q[7])}
				// The quad is as tall as the font's tallest glyphs, which may be twice the type size;
				// lines are told apart by the base line.
				if y := numbers(at("y")); turn == 0 && f.size > 0 {
					box[1], box[3] = y[0]-0.8*f.size, y[0]+0.2*f.size
				}
				if len(glyphs) == 0 {
					cur = wordRun{box: box, font: f, turn: turn, slope: slope}
				}
				if k := len(places); k > 0 && box[2]-box[0] < 0.01 && turn == 0 && wordDirection(c) < 0 { // more of the glyph before
					glyphs[k-1] += c
				} else {
					glyphs, places = append(glyphs, c), append(places, box[0])
				}
				cur.box = union(cur.box, box)
			}
		case xml.EndElement:
			if e.Name.Local == "line" || e.Name.Local == "page" {
				flush()
			}
		}
	}
	flush()
	if len(pages) == 0 {
		return nil, fail(Damaged, "mutool finds no page in the file")
	}
	for i := range pages {
		stamps(&pages[i])
	}
	return pages, nil
}

var controlReference = regexp.MustCompile(`&#(x0*[0-9a-fA-F]|x0*1[0-9a-fA-F]|0*[0-9]|0*[12][0-9]|0*3[01]|x0*[fF]{3}[eEfF]);`)

// xmlText takes out of XML what XML may not hold: control characters, which programs pass on from a
// document, as bytes and as references.
func xmlText(b []byte) []byte {
	b = controlReference.ReplaceAll(b, nil)
	return bytes.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, b)
}

// direction turns the vector of a line, y down, into quarter turns counter-clockwise and the slope
// that is left, radians clockwise.
func direction(dir string) (turn int, slope float64) {
	v := numbers(dir)
	if v[0] == 0 && v[1] == 0 {
		return 0, 0
	}
	return quarter(math.Atan2(v[1], v[0]), 0)
}

// numbers reads up to eight numbers parted by blanks; what is missing or none is 0.
func numbers(s string) (out [8]float64) {
	for i, f := range strings.Fields(s) {
		if i == len(out) {
			break
		}
		if x, err := strconv.ParseFloat(f, 64); err == nil {
			out[i] = finite(x)
		}
	}
	return out
}
