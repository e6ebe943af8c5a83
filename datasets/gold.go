package datasets

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/elements"
	"enterprisedocbench/internal/store"
)

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

// readGold reads a document's gold. What could be read stands beside faults of its content.
func (d *Dataset) readGold(doc edb.Document) (p edb.Parsed, faults []Fault) {
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
	if filepath.Ext(rel) == ".md" {
		if d.Markdown == nil {
			return fail("is Markdown and no reader for that is set", "set Dataset.Markdown")
		}
		if p, err = d.Markdown(path); err != nil {
			return fail("cannot be read as Markdown: "+err.Error(), "correct it")
		}
	} else {
		var found []elements.Fault
		if p, found = elements.Decode(raw); len(found) > 0 {
			faults = inFile(rel, found)
		}
	}
	p.Doc = doc.ID
	p.Mask = append(slices.Clone(p.Mask), d.Info.mask(doc.ID)...)
	slices.Sort(p.Mask)
	p.Mask = slices.Compact(p.Mask)
	return p, faults
}

// inFile names the file that faults of elements were found in.
func inFile(file string, found []elements.Fault) []Fault {
	out := make([]Fault, len(found))
	for i, f := range found {
		out[i] = Fault{file, f.Line, f.Problem, f.Fix}
	}
	return out
}

// boxSlack is how far, in points, a box may stand out of its page: half a stroke and rounding.
const boxSlack = 1.5

// goldFaults checks the gold of a document for what elements.Check cannot know: the document's pages,
// and boxes that stand out of theirs.
func goldFaults(d edb.Document, p edb.Parsed) (out []elements.Fault) {
	for i, pg := range p.Pages {
		if p.Paged && d.Pages > 0 && pg.Number > d.Pages {
			out = append(out, elements.At(i, -1, fmt.Sprintf("has page %d but the document has %s", pg.Number, edb.Count(d.Pages, "page")), "correct the number here or in "+DocumentsFile))
		}
		for j, e := range pg.Elements {
			for _, b := range elements.Boxes(e) {
				if problem, fix := outside(pg, b); problem != "" {
					out = append(out, elements.At(i, j, fmt.Sprintf("page %d, element %d: %s", pg.Number, j+1, problem), fix))
				}
			}
		}
	}
	return out
}

// outside says that a box stands out of its page; both are empty where it does not.
func outside(pg edb.Page, b edb.Box) (problem, fix string) {
	if b[0] < -boxSlack || b[1] < -boxSlack || (pg.Width > 0 && b[2] > pg.Width+boxSlack) || (pg.Height > 0 && b[3] > pg.Height+boxSlack) {
		return fmt.Sprintf("box %v stands out of the page of %g x %g points", b, pg.Width, pg.Height), "give points with the origin at the top left of the page"
	}
	return "", ""
}
