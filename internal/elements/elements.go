// Package elements reads the element layout, {"pages":[{"number","elements":[...]}]}: the one form that
// gold and predictions have as JSON (docs/formats.md). It takes the bytes of a file and gives the parsed
// document, or every fault with its line and remedy; or it checks a document that is in memory already.
package elements

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"enterprisedocbench"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/internal/strict"
)

// Masks lists what a mask may leave out: formulas, citation keys in the running text, the list of
// references, the line numbers that drafts print in the margin, the pages that gold with pages does not
// list, the headings that gold does not list, and the order of the text.
var Masks = []string{"formula", "citation", "references", "line-numbers", "other-pages", "headings", "order"}

// Fault is one thing that is wrong. Line counts from 1 and is 0 where it is not known.
type Fault struct {
	Line         int
	Problem, Fix string

	page, element int // from 0; -1 for what is about more than one
}

// At is a fault of an element of a page, both counted from 0 as they stand in the list of pages; element
// -1 is the page itself. [Place] finds its line.
func At(page, element int, problem, fix string) Fault {
	return Fault{Problem: problem, Fix: fix, page: page, element: element}
}

// File is the layout as JSON. Paged may be left out and is true then.
type File struct {
	Doc      string       `json:"doc"`
	Engine   string       `json:"engine"`
	Paged    *bool        `json:"paged"`
	Mask     []string     `json:"mask"`
	Warnings []string     `json:"warnings"`
	Pages    []edb.Page   `json:"pages"`
	Tagged   []edb.Tagged `json:"tagged"`
}

var fileType = reflect.TypeFor[File]()

// Decode reads the layout. Unknown keys, values of a wrong type, boxes that are not four numbers and all
// that [Check] finds are faults, with their lines. The document stands beside faults of Check, and is empty
// with others. Of a key that stands twice the last counts.
func Decode(raw []byte) (edb.Parsed, []Fault) {
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	if f, bad := encoding(raw); bad {
		return edb.Parsed{}, []Fault{f}
	}
	var in File
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	err := dec.Decode(&in)
	if err == nil {
		if _, err = dec.Token(); err == nil {
			err = errors.New("holds more than one JSON value")
		} else if errors.Is(err, io.EOF) {
			err = nil
		}
	}
	if err != nil {
		if found := misfits(raw); len(found) > 0 {
			return edb.Parsed{}, found
		}
		return edb.Parsed{}, []Fault{{Line: store.JSONLine(raw, err), Problem: store.Plain(err).Error(), Fix: "correct it"}}
	}
	p := edb.Parsed{Doc: in.Doc, Engine: in.Engine, Paged: in.Paged == nil || *in.Paged, Mask: in.Mask, Warnings: in.Warnings, Pages: in.Pages, Tagged: in.Tagged}
	found := Check(p)
	if len(found) > 0 {
		Place(raw, found)
	}
	return p, found
}

// Strict is [Decode], and refuses keys that stand twice or are written with other capitals. It takes
// several times as long.
func Strict(raw []byte) (edb.Parsed, []Fault) {
	if f, bad := encoding(raw); bad {
		return edb.Parsed{}, []Fault{f}
	}
	if found := misfits(raw); len(found) > 0 {
		return edb.Parsed{}, found
	}
	return Decode(raw)
}

// encoding is the fault of bytes that are no UTF-8, with the line of the first.
func encoding(raw []byte) (Fault, bool) {
	if utf8.Valid(raw) {
		return Fault{}, false
	}
	at := 0
	for at < len(raw) {
		r, n := utf8.DecodeRune(raw[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return Fault{Line: 1 + bytes.Count(raw[:at], []byte("\n")), Problem: fmt.Sprintf("byte 0x%02X is no UTF-8", raw[at]), Fix: "save the file as UTF-8"}, true
}

// misfits lists where a file differs from the layout in shape.
func misfits(raw []byte) []Fault {
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(raw)) == 0 {
		return []Fault{{Line: 1, Problem: "is empty", Fix: `write {"pages":[{"number","elements":[...]}]}`}}
	}
	var out []Fault
	for _, m := range strict.Misfits(raw, fileType) {
		out = append(out, Fault{Line: 1 + bytes.Count(raw[:min(m.Offset, int64(len(raw)))], []byte("\n")), Problem: m.Problem, Fix: m.Fix})
	}
	return out
}

// Check finds what is wrong with a document by itself: page numbers, kinds, ids that stand twice, levels,
// boxes that are not finite or turned over, tables without <table>, captions of what is not there, and
// unknown masks. Lines are unknown; see [Place].
func Check(p edb.Parsed) (out []Fault) {
	add := func(page, element int, fix, problem string, a ...any) {
		out = append(out, At(page, element, fmt.Sprintf(problem, a...), fix))
	}
	if len(p.Pages) == 0 {
		add(-1, -1, `write them under "pages", or none of the file`, "has no pages")
	}
	ids := map[string]bool{}
	last := 0
	for i, pg := range p.Pages {
		switch {
		case pg.Number < 1:
			add(i, -1, "count physical pages from 1", "page number %d", pg.Number)
		case pg.Number <= last:
			add(i, -1, "give each page once, in order", "page %d follows page %d", pg.Number, last)
		case !p.Paged && pg.Number > 1:
			add(i, -1, `put everything on page 1 or say "paged": true`, "has page %d but is not paged", pg.Number)
		}
		last = pg.Number
		for j, e := range pg.Elements {
			at := where(pg, j)
			if !slices.Contains(edb.Kinds, e.Kind) {
				add(i, j, "use "+strict.OneOf(edb.Kinds), "%skind is %q", at, e.Kind)
			}
			if e.ID != "" && ids[e.ID] {
				add(i, j, "give every element its own", "%sid %q is given twice", at, e.ID)
			}
			ids[e.ID] = true
			if e.Level < 0 {
				add(i, j, "count heading levels from 1", "%slevel is %d", at, e.Level)
			}
			if e.HTML != "" && !strings.Contains(strings.ToLower(e.HTML), "<table") {
				add(i, j, "write the table as <table>, or leave html out", "%shtml holds no <table>", at)
			}
			for _, b := range Boxes(e) {
				if problem, fix := BoxFault(b); problem != "" {
					add(i, j, fix, "%s%s", at, problem)
				}
			}
		}
	}
	for i, pg := range p.Pages {
		for j, e := range pg.Elements {
			if e.CaptionOf != "" && !ids[e.CaptionOf] {
				add(i, j, "name the figure or table by its id", "%scaption_of names %q, which is no element", where(pg, j), e.CaptionOf)
			}
		}
	}
	for _, m := range p.Mask {
		if !slices.Contains(Masks, m) {
			add(-1, -1, "use "+strict.OneOf(Masks), "mask leaves out %q, which is not known", m)
		}
	}
	return out
}

func where(pg edb.Page, element int) string {
	return fmt.Sprintf("page %d, element %d: ", pg.Number, element+1)
}

// BoxFault says why a box cannot be one, as a problem and its fix; both are empty where it can.
func BoxFault(b edb.Box) (problem, fix string) {
	for _, v := range b {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprintf("box %v is not finite", b), "write [x0, y0, x1, y1] in points"
		}
	}
	if b[0] > b[2] || b[1] > b[3] {
		return fmt.Sprintf("box %v is turned over", b), "write [x0, y0, x1, y1] with x0 <= x1 and y0 <= y1, origin top left"
	}
	return "", ""
}

// Boxes are the boxes of an element and of its lines.
func Boxes(e edb.Element) (out []edb.Box) {
	if e.Box != nil {
		out = append(out, *e.Box)
	}
	for _, line := range e.Lines {
		if line.Box != nil {
			out = append(out, *line.Box)
		}
	}
	return out
}

// Place gives faults of pages and elements their lines in the file that they were read from; those of
// the whole stand at line 1.
func Place(raw []byte, faults []Fault) {
	pages, elements := lines(raw)
	for i := range faults {
		f := &faults[i]
		f.Line = 1
		if f.page >= 0 && f.page < len(pages) {
			f.Line = pages[f.page]
			if f.element >= 0 && f.element < len(elements[f.page]) {
				f.Line = elements[f.page][f.element]
			}
		}
	}
}

// lines gives the lines that each page and each of its elements begin in.
func lines(raw []byte) (pages []int, elements [][]int) {
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	dec := json.NewDecoder(bytes.NewReader(raw))
	depth, line, seen := 0, 1, int64(0)
	here := func() int {
		line += bytes.Count(raw[seen:dec.InputOffset()], []byte("\n"))
		seen = dec.InputOffset()
		return line
	}
	for {
		tok, err := dec.Token()
		if err != nil {
			return pages, elements
		}
		switch tok {
		case json.Delim('['):
			depth++
		case json.Delim(']'), json.Delim('}'):
			depth--
		case json.Delim('{'):
			switch depth++; depth { // the file, its pages, a page, its elements, an element
			case 3:
				pages, elements = append(pages, here()), append(elements, nil)
			case 5:
				if n := len(elements); n > 0 {
					elements[n-1] = append(elements[n-1], here())
				}
			}
		}
	}
}
