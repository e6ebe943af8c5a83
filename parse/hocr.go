package parse

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"enterprisedocbench"
)

// hocrBlocks are the classes of hOCR that begin a block of text, and headings' levels.
var hocrBlocks = map[string]struct {
	kind  string
	level int
}{
	"ocr_par": {edb.KindParagraph, 0}, "ocr_title": {edb.KindHeading, 1}, "ocr_part": {edb.KindHeading, 1}, "ocr_chapter": {edb.KindHeading, 1},
	"ocr_section": {edb.KindHeading, 2}, "ocr_subsection": {edb.KindHeading, 3}, "ocr_subsubsection": {edb.KindHeading, 4},
	"ocr_header": {edb.KindHeader, 0}, "ocr_footer": {edb.KindFooter, 0}, "ocr_pageno": {edb.KindPageNumber, 0},
	"ocr_caption": {edb.KindCaption, 0}, "ocr_math": {edb.KindFormula, 0}, "ocr_display": {edb.KindFormula, 0}, "ocr_author": {edb.KindParagraph, 0},
	"ocr_photo": {edb.KindFigure, 0}, "ocr_image": {edb.KindFigure, 0}, "ocr_linedrawing": {edb.KindFigure, 0},
}

// hocrLines are the classes of a line of text. Tesseract gives a line the class of what it may be (a
// header, a caption); within a paragraph it stays a line.
var hocrLines = []string{"ocr_line", "ocrx_line", "ocr_header", "ocr_caption", "ocr_textfloat"}

// isHOCR says whether HTML is the output of an OCR program.
var isHOCR = regexp.MustCompile(`(?i)class\s*=\s*["']?ocr_page\b`).Match

// readHOCR reads hOCR: its pages, its blocks with their lines, boxes where the file states how many
// dots an inch were scanned (scan_res), since boxes are points.
func readHOCR(b []byte) (edb.Parsed, error) {
	s, warning, err := decodeHTML(b)
	if err != nil {
		return edb.Parsed{}, err
	}
	root, err := html.ParseWithOptions(strings.NewReader(s), html.ParseOptionEnableScripting(false))
	if err != nil {
		return edb.Parsed{}, wrong(1, "write it again with the OCR program", "the hOCR does not parse: %v", err)
	}
	p := edb.Parsed{Paged: true}
	if warning != "" {
		p.Warnings = []string{warning}
	}
	r, unplaced := &hocrReader{}, false
	for n := range root.Descendants() {
		if !classed(n, "ocr_page") {
			continue
		}
		r.els = nil
		box, ok := hocrNumbers(n, "bbox", 4)
		r.scale = [2]float64{}
		if res, stated := hocrNumbers(n, "scan_res", 2); ok && stated && res[0] > 0 && res[1] > 0 {
			r.scale = [2]float64{72 / res[0], 72 / res[1]}
		}
		pg := edb.Page{Number: len(p.Pages) + 1}
		if r.scale[0] > 0 {
			r.origin = [2]float64{box[0], box[1]}
			pg.Width, pg.Height = max(0, (box[2]-box[0])*r.scale[0]), max(0, (box[3]-box[1])*r.scale[1])
			r.width, r.height = pg.Width, pg.Height
		} else if !unplaced {
			unplaced = true
			p.Warnings = append(p.Warnings, fmt.Sprintf("page %d states no scan_res: its places are left out", pg.Number))
		}
		r.walk(n, 0)
		pg.Elements = r.els
		pg.NoText = pg.Text() == ""
		p.Pages = append(p.Pages, pg)
	}
	if len(p.Pages) == 0 {
		return edb.Parsed{}, wrong(1, "name HTML that is no hOCR .html", "no element of the class ocr_page")
	}
	return p, nil
}

type hocrReader struct {
	els           []edb.Element
	n             int        // elements so far, of all pages
	scale, origin [2]float64 // points a dot, 0 where unknown; dots
	width, height float64    // of the page, points
}

// classed says whether a node has one of the classes.
func classed(n *html.Node, names ...string) bool {
	return n.Type == html.ElementNode && slices.ContainsFunc(strings.Fields(attr(n, "class")), func(c string) bool { return slices.Contains(names, c) })
}

// walk adds the blocks below a node. Running text outside of any block is a paragraph.
func (r *hocrReader) walk(n *html.Node, depth int) {
	if depth > maxDepth {
		return
	}
	var loose []*html.Node // lines that stand in no block
	flush := func() {
		if len(loose) > 0 {
			r.block(edb.Element{Kind: edb.KindParagraph}, n, loose)
		}
		loose = nil
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode || classed(c, "ocr_page") {
			continue
		}
		if classed(c, "ocr_line", "ocrx_line", "ocr_textfloat") {
			loose = append(loose, c)
			continue
		}
		flush()
		found := false
		for _, class := range strings.Fields(attr(c, "class")) {
			if b, ok := hocrBlocks[class]; ok && !found {
				found = true
				r.block(edb.Element{Kind: b.kind, Level: b.level}, c, hocrLinesOf(c))
			}
		}
		if !found {
			r.walk(c, depth+1)
		}
	}
	flush()
}

func hocrLinesOf(n *html.Node) (out []*html.Node) {
	for d := range n.Descendants() {
		if classed(d, hocrLines...) {
			out = append(out, d)
		}
	}
	return out
}

// block adds an element of the lines; where there are none, of all text of the node.
func (r *hocrReader) block(e edb.Element, n *html.Node, lines []*html.Node) {
	var texts []string
	for _, l := range lines {
		if s := squeeze(textOf(l, 0)); s != "" {
			texts = append(texts, s)
			e.Lines = append(e.Lines, edb.Line{Text: s, Box: r.box(l)})
		}
	}
	if e.Text = joinLines(texts, nil); len(lines) == 0 {
		e.Text = squeeze(textOf(n, 0))
	}
	if e.Kind == edb.KindFigure {
		e.Text, e.Lines = "", nil
	} else if e.Text == "" {
		return
	}
	e.Box = r.box(n)
	if b := e.Box; b == nil || classed(n, "ocr_page") {
		e.Box = nil
		for _, l := range e.Lines {
			if l.Box != nil && e.Box == nil {
				e.Box = l.Box
			} else if l.Box != nil {
				u := union(*e.Box, *l.Box)
				e.Box = &u
			}
		}
	}
	r.n++
	e.ID = fmt.Sprintf("e%d", r.n)
	r.els = append(r.els, e)
}

// box is a node's box in points, cut at the page's edge; nil where it is not known.
func (r *hocrReader) box(n *html.Node) *edb.Box {
	v, ok := hocrNumbers(n, "bbox", 4)
	if !ok || r.scale[0] == 0 {
		return nil
	}
	b := edb.Box{(v[0] - r.origin[0]) * r.scale[0], (v[1] - r.origin[1]) * r.scale[1], (v[2] - r.origin[0]) * r.scale[0], (v[3] - r.origin[1]) * r.scale[1]}
	b = edb.Box{round2(max(0, b[0])), round2(max(0, b[1])), min(r.width, round2(b[2])), min(r.height, round2(b[3]))}
	if b[0] > b[2] || b[1] > b[3] {
		return nil
	}
	return &b
}

// hocrNumbers reads a property of a node's title, as in "bbox 0 0 100 20; x_wconf 95".
func hocrNumbers(n *html.Node, name string, count int) ([8]float64, bool) {
	for prop := range strings.SplitSeq(attr(n, "title"), ";") {
		word, rest, _ := strings.Cut(strings.TrimSpace(prop), " ")
		if word == name && len(strings.Fields(rest)) >= count {
			v := numbers(rest)
			for i := range v {
				v[i] = max(-1e6, min(v[i], 1e6))
			}
			return v, true
		}
	}
	return [8]float64{}, false
}
