package datasets

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/store"
)

// goldFile is gold/ID.json. Paged may be left out and is true then.
type goldFile struct {
	Doc    string     `json:"doc,omitempty"`
	Engine string     `json:"engine,omitempty"`
	Paged  *bool      `json:"paged,omitempty"`
	Mask   []string   `json:"mask,omitempty"`
	Pages  []edb.Page `json:"pages"`
}

var goldType = reflect.TypeFor[goldFile]()

// encodeGold gives gold/ID.json with one page a line.
func encodeGold(p edb.Parsed) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"paged":%v`, p.Paged)
	if p.Engine != "" {
		fmt.Fprintf(&b, `,"engine":%s`, store.JSON(p.Engine))
	}
	if len(p.Mask) > 0 {
		fmt.Fprintf(&b, `,"mask":%s`, store.JSON(p.Mask))
	}
	b.WriteString(`,"pages":[`)
	for i, page := range p.Pages {
		if i > 0 {
			b.WriteByte(',')
		}
		if page.Elements == nil {
			page.Elements = []edb.Element{}
		}
		b.WriteByte('\n')
		b.Write(store.JSON(page))
	}
	b.WriteString("\n]}\n")
	return b.Bytes()
}

// decodeGold reads gold/ID.json; unknown keys are an error.
func decodeGold(raw []byte) (edb.Parsed, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	var g goldFile
	if err := dec.Decode(&g); err != nil {
		return edb.Parsed{}, err
	}
	return edb.Parsed{Engine: g.Engine, Paged: g.Paged == nil || *g.Paged, Mask: g.Mask, Pages: g.Pages}, nil
}

// goldPath gives the name of the document's gold, relative to the dataset, or "" where no file is
// there.
func (d *Dataset) goldPath(id string) string {
	for _, ext := range []string{".json", ".md"} {
		p := GoldDir + "/" + FileName(id) + ext
		if _, err := os.Lstat(filepath.Join(d.Dir, filepath.FromSlash(p))); err == nil {
			return p
		}
	}
	return ""
}

func (d *Dataset) goldIsMarkdown(id string) bool { return strings.HasSuffix(d.goldPath(id), ".md") }

// Gold reads the gold of a document: gold/ID.json, else gold/ID.md through Markdown. It reports
// false where the document has none. Doc is set to the ID and Mask to what the file and the rules of
// dataset.yaml leave out together. Nothing is kept: every call reads the file.
func (d *Dataset) Gold(id string) (edb.Parsed, bool, error) {
	doc, ok := d.Document(id)
	if !ok {
		return edb.Parsed{}, false, fmt.Errorf("gold: document %q is not in %s: name one that is", id, DocumentsFile)
	}
	if doc.Gold == "none" || doc.Gold == "" {
		return edb.Parsed{}, false, nil
	}
	p, faults := d.readGold(doc)
	if len(faults) > 0 {
		return edb.Parsed{}, false, faultError(d.Dir, faults[:1])
	}
	return p, true, nil
}

// GoldSum is the SHA-256 of a document's gold file in hexadecimal; "" where the document has none or
// the file cannot be read.
func (d *Dataset) GoldSum(id string) string {
	doc, ok := d.Document(id)
	if !ok || doc.Gold == "none" || doc.Gold == "" {
		return ""
	}
	rel := d.goldPath(id)
	if rel == "" {
		return ""
	}
	path, err := d.inside(rel)
	if err != nil {
		return ""
	}
	sum, _, err := store.HashFile(path)
	if err != nil {
		return ""
	}
	return sum
}

func (d *Dataset) readGold(doc edb.Document) (edb.Parsed, []Fault) {
	rel := d.goldPath(doc.ID)
	if rel == "" {
		return edb.Parsed{}, []Fault{{DocumentsFile, d.docLine[doc.ID], fmt.Sprintf("document %q: gold is %q but neither gold/%s.json nor .md is there", doc.ID, doc.Gold, FileName(doc.ID)),
			"add the file or say none"}}
	}
	fail := func(problem, fix string) (edb.Parsed, []Fault) {
		return edb.Parsed{}, []Fault{{rel, 0, problem, fix}}
	}
	path, err := d.inside(rel)
	if err != nil {
		return fail("leads out of the dataset", "put a copy in its place")
	}
	raw, err := os.ReadFile(path)
	switch {
	case err != nil:
		return fail("cannot be read: "+cause(err), "make it readable")
	case len(bytes.TrimSpace(raw)) == 0:
		return fail("is empty", "write the gold or say none")
	case !utf8.Valid(raw):
		return fail("is not UTF-8", "convert it")
	}
	var p edb.Parsed
	if filepath.Ext(rel) == ".md" {
		if d.Markdown == nil {
			return fail("is Markdown and no reader for that is set", "set Dataset.Markdown")
		}
		if p, err = d.Markdown(path); err != nil {
			return fail("cannot be read as Markdown: "+err.Error(), "correct it")
		}
	} else if p, err = decodeGold(raw); err != nil {
		if f := shapeFaults(rel, raw, goldType); len(f) > 0 {
			return edb.Parsed{}, f
		}
		return fail(err.Error(), "correct it")
	}
	p.Doc = doc.ID
	p.Mask = append(slices.Clone(p.Mask), d.Info.mask(doc.ID)...)
	slices.Sort(p.Mask)
	p.Mask = slices.Compact(p.Mask)
	return p, nil
}

// shapeFaults lists where a JSON file of many lines differs from the shape of t.
func shapeFaults(file string, raw []byte, t reflect.Type) []Fault {
	var out []Fault
	for _, m := range shape(raw, t) {
		at := min(m.Offset, int64(len(raw)))
		out = append(out, Fault{file, 1 + bytes.Count(raw[:at], []byte("\n")), m.Problem, m.Fix})
	}
	return out
}

// boxSlack is how far, in points, a box may stand out of its page: half a stroke and rounding.
const boxSlack = 1.5

// pageLines gives the line that each page of gold/ID.json begins in.
func pageLines(raw []byte) []int {
	dec := json.NewDecoder(bytes.NewReader(raw))
	var out []int
	depth, line, seen := 0, 1, int64(0)
	for {
		tok, err := dec.Token()
		if err != nil {
			return out
		}
		switch tok {
		case json.Delim('['):
			depth++
			continue
		case json.Delim(']'), json.Delim('}'):
			depth--
			continue
		case json.Delim('{'):
			if depth++; depth == 3 { // the gold, its pages, a page
				line += bytes.Count(raw[seen:dec.InputOffset()], []byte("\n"))
				seen = dec.InputOffset()
				out = append(out, line)
			}
		}
	}
}

// goldFaults checks the gold of a document for what its shape does not say. Line of a fault counts
// the pages from 1; 0 is the whole.
func goldFaults(d edb.Document, p edb.Parsed) []Fault {
	var l list
	ids := map[string]bool{}
	last := 0
	for i, pg := range p.Pages {
		from := len(l)
		switch {
		case pg.Number < 1:
			l.add(fmt.Sprintf("page number %d", pg.Number), "count pages from 1")
		case pg.Number <= last:
			l.add(fmt.Sprintf("page %d follows page %d", pg.Number, last), "give each page once, in order")
		case !p.Paged && pg.Number > 1:
			l.add(fmt.Sprintf("has page %d but is not paged", pg.Number), "put everything on page 1 or say \"paged\": true")
		case p.Paged && d.Pages > 0 && pg.Number > d.Pages:
			l.add(fmt.Sprintf("has page %d but the document has %s", pg.Number, edb.Count(d.Pages, "page")), "correct the number here or in "+DocumentsFile)
		}
		last = pg.Number
		for i, e := range pg.Elements {
			at := fmt.Sprintf("page %d, element %d: ", pg.Number, i+1)
			if !slices.Contains(edb.Kinds, e.Kind) {
				l.add(fmt.Sprintf("%skind is %q", at, e.Kind), "use "+oneOf(edb.Kinds))
			}
			if e.ID != "" && ids[e.ID] {
				l.add(fmt.Sprintf("%sid %q is given twice", at, e.ID), "give every element its own")
			}
			ids[e.ID] = true
			if e.Level < 0 {
				l.add(fmt.Sprintf("%slevel is %d", at, e.Level), "count heading levels from 1")
			}
			boxFaults(&l, at, pg, e.Box)
			for _, line := range e.Lines {
				boxFaults(&l, at, pg, line.Box)
			}
		}
		for j := from; j < len(l); j++ {
			l[j].Line = i + 1
		}
	}
	for n, e := range p.Elements {
		if e.CaptionOf != "" && !ids[e.CaptionOf] {
			l.add(fmt.Sprintf("page %d: caption_of names %q, which is no element", n, e.CaptionOf), "name the figure or table by its id")
		}
	}
	for _, m := range p.Mask {
		if !slices.Contains(Masks, m) {
			l.add(fmt.Sprintf("mask leaves out %q, which is not known", m), "use "+oneOf(Masks))
		}
	}
	return l
}

func boxFaults(l *list, at string, pg edb.Page, b *edb.Box) {
	if b == nil {
		return
	}
	for _, v := range b {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			l.add(fmt.Sprintf("%sbox %v is not finite", at, *b), "write [x0, y0, x1, y1] in points")
			return
		}
	}
	switch {
	case b[0] > b[2] || b[1] > b[3]:
		l.add(fmt.Sprintf("%sbox %v is turned over", at, *b), "write [x0, y0, x1, y1] with x0 <= x1 and y0 <= y1, origin top left")
	case b[0] < -boxSlack || b[1] < -boxSlack || (pg.Width > 0 && b[2] > pg.Width+boxSlack) || (pg.Height > 0 && b[3] > pg.Height+boxSlack):
		l.add(fmt.Sprintf("%sbox %v stands out of the page of %g x %g points", at, *b, pg.Width, pg.Height), "give points with the origin at the top left of the page")
	}
}
