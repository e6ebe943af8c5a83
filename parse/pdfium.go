package parse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"enterprisedocbench"
)

// pdfiumEngine reads PDFs with PDFium compiled to WebAssembly: no file system, memory bounded. One
// module serves all documents, one at a time; a document that traps it costs the module.
type pdfiumEngine struct {
	m *pdfiumModule
}

func newPdfium() (Parser, error) {
	m, err := startPdfium()
	if err != nil {
		return nil, err
	}
	return &pdfiumEngine{m}, nil
}

// PDFium's last errors.
const (
	pdfiumPassword = 4
	pdfiumSecurity = 5
)

// Parse implements Parser.
func (e *pdfiumEngine) Parse(ctx context.Context, src Source) (out edb.Parsed, err error) {
	var pages []rawPage
	var warnings []string
	err = e.document(ctx, src.Path, func(r *docReader, n int) (err error) {
		pages, warnings, err = r.pages(ctx, n)
		return err
	})
	if err != nil {
		return edb.Parsed{}, err
	}
	out = layout(pages)
	out.Doc, out.Engine, out.Warnings = src.Doc.ID, Spec{Engine: "pdfium"}.Label(), warnings
	return out, nil
}

// document opens a PDF and hands it with its number of pages to do. A document that traps the
// module costs the module; the next one gets a fresh one.
func (e *pdfiumEngine) document(ctx context.Context, path string, do func(r *docReader, n int) error) (err error) {
	b, err := read(path)
	if err != nil {
		return err
	}
	if err := notPDF(b); err != nil {
		return err
	}
	if e.m == nil { // an earlier restart failed
		if e.m, err = startPdfium(); err != nil {
			return err
		}
	}
	defer func() {
		if r := recover(); r != nil { // a trap: the module is spent
			t, ok := r.(trap)
			if !ok {
				panic(r)
			}
			e.m.close()
			e.m = nil
			kind := Damaged
			if strings.Contains(t.err.Error(), "memory") {
				kind = Memory
			}
			line, _, _ := strings.Cut(t.err.Error(), "\n")
			err = fail(kind, "pdfium gave up on the file: %s", line)
		}
	}()
	m := e.m
	data := m.load(ligatureNames(b))
	if data == 0 {
		return fail(Memory, "the file of %d bytes does not fit into pdfium's memory", len(b))
	}
	defer m.call("free", data)
	doc := m.call("FPDF_LoadMemDocument64", data, uint64(len(b)), 0)
	if doc == 0 {
		switch m.int32("FPDF_GetLastError") {
		case pdfiumPassword:
			return fail(Encrypted, "password required")
		case pdfiumSecurity:
			return fail(Encrypted, "the encryption is not supported")
		}
		return fail(Damaged, "pdfium cannot read the file")
	}
	defer m.call("FPDF_CloseDocument", doc)
	n := m.int32("FPDF_GetPageCount", doc)
	if n <= 0 {
		return fail(Damaged, "the file has no page")
	}
	r := docReader{m: m, doc: doc, file: b}
	defer r.closePages(0)
	return do(&r, n)
}

// pages reads the n pages of the document.
func (d *docReader) pages(ctx context.Context, n int) (pages []rawPage, warnings []string, err error) {
	loaded := 0
	if xrefLoop(d.file) {
		warnings = append(warnings, "xref loop: a table of cross references names one before it that comes round to itself")
	}
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		pg := rawPage{number: i + 1}
		if err := d.page(i, &pg); err != nil {
			warnings = append(warnings, fmt.Sprintf("page %d: %v", i+1, err))
		} else {
			loaded = i + 1
		}
		if pg.unmapped > 0 {
			warnings = append(warnings, fmt.Sprintf("page %d: %d glyphs have no character", i+1, pg.unmapped))
		}
		if pg.notes > 0 {
			warnings = append(warnings, fmt.Sprintf("page %d: no text of its own, but annotations (%d form fields, notes or links), which are not read", i+1, pg.notes))
		}
		pages = append(pages, pg)
	}
	if loaded == 0 {
		return nil, nil, fail(Damaged, "pdfium cannot load any of the %d pages", n)
	}
	if loaded < n && pageTreeCycle(d.file) {
		warnings = append(warnings, "page tree cycle: a node holds itself; what it repeats is left out")
	}
	// What the page tree promises behind the last page that can be had is no page (a tree that
	// holds itself, a count that lies); the warnings name it.
	return pages[:loaded], warnings, nil
}

// notPDF refuses what is plainly another format, by name.
func notPDF(b []byte) error {
	head := strings.ToLower(string(b[:min(len(b), 1024)]))
	if strings.Contains(head, "%pdf-") {
		return nil
	}
	if t := strings.TrimSpace(head); strings.HasPrefix(t, "<!doctype html") || strings.HasPrefix(t, "<html") {
		return fail(Damaged, "the file is an HTML page, not a PDF: fetch it again")
	}
	return fail(Damaged, "the file does not begin like a PDF")
}

// docReader reads the pages of one document.
type docReader struct {
	m    *pdfiumModule
	doc  uint64
	file []byte
	open []uint64 // pages not closed yet
}

// keepOpen is how many pages stay open behind the one that is read. PDFium lets a font go with the
// last open page that uses it; loading fonts anew is most of the work on many documents.
const keepOpen = 3

// closePages closes the oldest pages until no more than keep are open.
func (d *docReader) closePages(keep int) {
	for len(d.open) > keep {
		d.m.call("FPDF_ClosePage", d.open[0])
		d.open = d.open[1:]
	}
}

// page reads one page's words with their boxes and fonts, its images and its drawn lines.
func (d *docReader) page(i int, pg *rawPage) error {
	m := d.m
	page := m.call("FPDF_LoadPage", d.doc, uint64(i))
	if page == 0 {
		return errors.New("pdfium cannot load it")
	}
	d.open = append(d.open, page)
	defer d.closePages(keepOpen)
	pg.width, pg.height = m.float32("FPDF_GetPageWidthF", page), m.float32("FPDF_GetPageHeightF", page)
	rotation := m.int32("FPDFPage_GetRotation", page) & 3
	var origin [2]float64
	if m.int32("FPDF_GetPageBoundingBox", page, uint64(m.scratch)) != 0 {
		b := m.floats(4) // left, top, right, bottom
		origin = [2]float64{b[0], b[3]}
	}
	tp := m.call("FPDFText_LoadPage", page)
	if tp == 0 {
		return errors.New("pdfium cannot read its text")
	}
	defer m.call("FPDFText_ClosePage", tp)
	r := pageReader{m: m, tp: tp, rotation: rotation, origin: origin, pg: pg, fonts: map[uint64]font{}}
	r.words()
	pg.skew = statedSkew(pg.words)
	if len(pg.words) == 0 {
		pg.notes = m.int32("FPDFPage_GetAnnotCount", page)
	}
	r.objects(page)
	return nil
}

// shown maps a rectangle of user space (y upwards) to points of the page as shown, origin top left.
func shown(rotation int, origin [2]float64, w, h float64, l, t, r, b float64) edb.Box {
	l, r, t, b = l-origin[0], r-origin[0], t-origin[1], b-origin[1]
	switch rotation {
	case 1: // 90 degrees clockwise: user x runs down, user y runs right
		return edb.Box{b, l, t, r}
	case 2:
		return edb.Box{w - r, b, w - l, t}
	case 3:
		return edb.Box{w - t, h - r, w - b, h - l}
	}
	return edb.Box{l, h - t, r, h - b}
}

// quarter gives the direction of text as shown, 0 to 3 quarter turns counter-clockwise or -1 for
// between, from PDFium's angle, which counts clockwise, and the page's clockwise quarter turns; and
// the slope that is left, radians clockwise.
func quarter(radians float64, rotation int) (turn int, slope float64) {
	q := radians / (math.Pi / 2)
	n := math.Round(q)
	if math.Abs(q-n) > 0.12 {
		return -1, 0
	}
	if slope = radians - n*math.Pi/2; math.Abs(slope) < 0.05*degree { // as small as rounding
		slope = 0
	}
	return ((-int(n)-rotation)%4 + 8) % 4, slope
}

func blank(r rune) bool {
	return r == ' ' || r == '\t' || r == '\u00a0' || r == '\u2002' || r == '\u2003' || r == '\u2009' || r == '\u3000' || r == '\n' || r == '\r'
}

// clean drops what stands for no character, control codes above all; the mark that pdfium sets
// where a hyphen ends a line becomes that hyphen.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == 0x02 || r == 0xFFFE:
			return '-'
		case r < ' ' || r == 0x7F || r == 0xFFFF || r == 0xFEFF || r == '\u200b':
			return -1
		}
		return r
	}, s)
}

func union(a, b edb.Box) edb.Box {
	return edb.Box{min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])}
}
