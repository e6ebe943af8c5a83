package parse

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/internal/store"
)

// doclingDoc is a DoclingDocument (docling-core's schema, versions 1): lists of items, and a tree of
// references to them in reading order.
type doclingDoc struct {
	Schema string `json:"schema_name"`
	Origin struct {
		MIME string `json:"mimetype"`
	} `json:"origin"`
	Body      doclingItem            `json:"body"`
	Furniture doclingItem            `json:"furniture"`
	Groups    []doclingItem          `json:"groups"`
	Texts     []doclingItem          `json:"texts"`
	Tables    []doclingItem          `json:"tables"`
	Pictures  []doclingItem          `json:"pictures"`
	KeyValues []doclingItem          `json:"key_value_items"`
	Forms     []doclingItem          `json:"form_items"`
	Regions   []doclingItem          `json:"field_regions"`
	Fields    []doclingItem          `json:"field_items"`
	Pages     map[string]doclingPage `json:"pages"`
}

type doclingPage struct {
	Number int `json:"page_no"`
	Size   struct {
		Width  float64 `json:"width"`
		Height float64 `json:"height"`
	} `json:"size"`
}

type doclingRef struct {
	Ref string `json:"$ref"`
}

type doclingItem struct {
	Self      string       `json:"self_ref"`
	Label     string       `json:"label"`
	Layer     string       `json:"content_layer"`
	Children  []doclingRef `json:"children"`
	Captions  []doclingRef `json:"captions"`
	Footnotes []doclingRef `json:"footnotes"`
	Text      string       `json:"text"`
	Level     int          `json:"level"`
	Prov      []struct {
		Page int `json:"page_no"`
		Box  struct {
			L      float64 `json:"l"`
			T      float64 `json:"t"`
			R      float64 `json:"r"`
			B      float64 `json:"b"`
			Origin string  `json:"coord_origin"`
		} `json:"bbox"`
		Chars [2]int `json:"charspan"` // of the text, in code points
	} `json:"prov"`
	Data struct {
		Cells []doclingCell `json:"table_cells"`
	} `json:"data"`
}

// doclingKinds are the kinds of docling's labels; others are paragraphs.
var doclingKinds = map[string]string{
	"title": edb.KindHeading, "section_header": edb.KindHeading, "field_heading": edb.KindHeading, "list_item": edb.KindListItem, "caption": edb.KindCaption,
	"footnote": edb.KindFootnote, "formula": edb.KindFormula, "code": edb.KindCode, "page_header": edb.KindHeader, "page_footer": edb.KindFooter,
	"table": edb.KindTable, "document_index": edb.KindTable, "picture": edb.KindFigure, "chart": edb.KindFigure,
}

// readDocling reads a DoclingDocument in JSON. As in docling's own exports, text inside of pictures is
// left out, and so are the layers that are not printed (background, invisible, notes). What is in
// the layer of furniture without being labelled as such is a header where nothing of the body came
// before on its page, else a footer. Headings of sections stand a level below the title.
func readDocling(b []byte) (edb.Parsed, error) {
	var d doclingDoc
	if err := json.Unmarshal(b, &d); err != nil {
		return edb.Parsed{}, wrong(store.JSONLine(b, err), "write it again with docling", "not a DoclingDocument: %v", store.Words(err))
	}
	if d.Schema != "DoclingDocument" {
		return edb.Parsed{}, wrong(1, "write it again with docling", `not a DoclingDocument: schema_name is not "DoclingDocument"`)
	}
	r := &doclingReader{doc: &d, items: map[string]*doclingItem{}, seen: map[string]bool{}, owned: map[string]bool{}, scale: d.scale()}
	for _, list := range [][]doclingItem{d.Groups, d.Texts, d.Tables, d.Pictures, d.KeyValues, d.Forms, d.Regions, d.Fields} {
		for i := range list {
			r.items[list[i].Self] = &list[i]
		}
	}
	r.pages()
	r.claim(&d.Body, 0)
	r.claim(&d.Furniture, 0)
	clear(r.seen)
	r.children(&d.Body, 0)
	r.children(&d.Furniture, 0)
	for i := range r.out.Pages {
		r.out.Pages[i].NoText = r.out.Pages[i].Text() == ""
	}
	return r.out, nil
}

type doclingReader struct {
	doc   *doclingDoc
	items map[string]*doclingItem
	seen  map[string]bool
	owned map[string]bool // captions and footnotes: they stand with what they belong to
	out   edb.Parsed
	n     int // elements so far
	last  int // page number of the element before
	scale float64
}

// emu is how many of the units of a slide make a point.
const emu = 12700

// scale is what docling's lengths are multiplied with to be points: slides come in English metric
// units, and sheets in columns and rows, which are no lengths (0).
func (d *doclingDoc) scale() float64 {
	switch {
	case strings.Contains(d.Origin.MIME, "presentation"), strings.Contains(d.Origin.MIME, "powerpoint"):
		return 1. / emu
	case strings.Contains(d.Origin.MIME, "spreadsheet"), strings.Contains(d.Origin.MIME, "excel"):
		return 0
	}
	return 1
}

// pages sets up the pages; a document without any, such as a web page, is one page that is not paged.
func (r *doclingReader) pages() {
	for _, p := range r.doc.Pages {
		if p.Number >= 1 {
			r.out.Pages = append(r.out.Pages, edb.Page{Number: p.Number, Width: max(0, finite(r.scale*p.Size.Width)), Height: max(0, finite(r.scale*p.Size.Height))})
		}
	}
	slices.SortFunc(r.out.Pages, func(a, b edb.Page) int {
		return cmp.Or(a.Number-b.Number, cmp.Compare(a.Width, b.Width), cmp.Compare(a.Height, b.Height))
	})
	r.out.Pages = slices.CompactFunc(r.out.Pages, func(a, b edb.Page) bool { return a.Number == b.Number })
	if r.out.Paged = len(r.out.Pages) > 0; !r.out.Paged {
		r.out.Pages = []edb.Page{{Number: 1}}
	}
}

// page is the page of a number, else the first.
func (r *doclingReader) page(number int) *edb.Page {
	for i := range r.out.Pages {
		if r.out.Pages[i].Number == number {
			return &r.out.Pages[i]
		}
	}
	return &r.out.Pages[0]
}

// take gives the item behind a reference, nil where there is none or it was taken before.
func (r *doclingReader) take(ref doclingRef) *doclingItem {
	it := r.items[ref.Ref]
	if it == nil || r.seen[ref.Ref] {
		return nil
	}
	r.seen[ref.Ref] = true
	return it
}

func (r *doclingReader) children(n *doclingItem, depth int) {
	if depth > maxDepth {
		return
	}
	for _, ref := range n.Children {
		if r.owned[ref.Ref] {
			continue
		}
		if it := r.take(ref); it != nil {
			r.item(it, depth+1)
		}
	}
}

// claim notes the captions and footnotes of an item and of what is below it.
func (r *doclingReader) claim(n *doclingItem, depth int) {
	for _, ref := range slices.Concat(n.Captions, n.Footnotes) {
		r.owned[ref.Ref] = true
	}
	if depth > maxDepth {
		return
	}
	for _, ref := range n.Children {
		if it := r.take(ref); it != nil {
			r.claim(it, depth+1)
		}
	}
}

func (r *doclingReader) item(it *doclingItem, depth int) {
	kind := doclingKinds[it.Label]
	switch {
	case it.Layer == "background" || it.Layer == "invisible" || it.Layer == "notes":
		r.children(it, depth)
	case strings.HasPrefix(it.Self, "#/groups/"):
		if it.Label == "inline" {
			r.inline(it, &doclingItem{Layer: it.Layer}, depth)
			return
		}
		r.children(it, depth)
	case kind == edb.KindTable && strings.HasPrefix(it.Self, "#/tables/"):
		r.captioned(it, edb.KindTable, depth)
	case kind == edb.KindFigure:
		r.captioned(it, edb.KindFigure, depth)
	case it.Text == "" && r.onlyInline(it) != nil:
		group := r.onlyInline(it)
		r.seen[group.Self] = true
		r.inline(group, it, depth)
		r.children(it, depth)
	default:
		r.text(it, kind)
		r.children(it, depth)
	}
}

// onlyInline is the group of runs that an item without text of its own consists of, nil where there is none.
func (r *doclingReader) onlyInline(it *doclingItem) *doclingItem {
	if len(it.Children) == 0 {
		return nil
	}
	if g := r.items[it.Children[0].Ref]; g != nil && g.Label == "inline" && !r.seen[g.Self] {
		return g
	}
	return nil
}

// inline adds runs of text that docling parts by their type face as one element of the kind of the
// item that holds them; what is no text among them follows.
func (r *doclingReader) inline(group, holder *doclingItem, depth int) {
	whole := *holder
	var parts []string
	var rest []*doclingItem
	for _, it := range r.runs(group, depth) {
		if k := doclingKinds[it.Label]; k == edb.KindFigure || k == edb.KindTable {
			rest = append(rest, it)
			continue
		}
		parts = append(parts, it.Text)
		if len(whole.Prov) == 0 {
			whole.Prov = it.Prov
		}
	}
	whole.Prov = whole.Prov[:min(1, len(whole.Prov))]
	whole.Text = strings.Join(parts, " ")
	r.text(&whole, doclingKinds[holder.Label])
	for _, it := range rest {
		r.item(it, depth+1)
	}
}

// runs are the items of a group of runs, those of groups in it among them.
func (r *doclingReader) runs(group *doclingItem, depth int) (out []*doclingItem) {
	if depth > maxDepth {
		return nil
	}
	for _, ref := range group.Children {
		it := r.take(ref)
		switch {
		case it == nil:
		case strings.HasPrefix(it.Self, "#/groups/"):
			out = append(out, r.runs(it, depth+1)...)
		default:
			out = append(out, it)
			if it.Label != "picture" && it.Label != "table" {
				out = append(out, r.runs(it, depth+1)...)
			}
		}
	}
	return out
}

// text adds an item of text, on each page that it stands on with what stands there.
func (r *doclingReader) text(it *doclingItem, kind string) {
	if kind == "" || kind == edb.KindTable || kind == edb.KindFigure {
		kind = edb.KindParagraph
	}
	e := edb.Element{Kind: kind}
	if kind == edb.KindHeading {
		if e.Level = 1; it.Label != "title" {
			e.Level = 1 + max(1, min(it.Level, 100))
		}
	}
	if _, err := strconv.Atoi(strings.TrimSpace(it.Text)); err == nil && e.Artifact() {
		e.Kind = edb.KindPageNumber
	}
	runes := []rune(it.Text)
	whole := len(it.Prov) < 2
	at := 0
	for _, p := range it.Prov {
		whole = whole || p.Chars[0] != at && p.Chars[0] != at+1 || p.Chars[1] <= p.Chars[0] || p.Chars[1] > len(runes)
		at = p.Chars[1]
	}
	if whole || at != len(runes) {
		e.Text = it.Text
		r.add(e, it, 0)
		return
	}
	for i, p := range it.Prov {
		e.Text = string(runes[p.Chars[0]:p.Chars[1]])
		r.add(e, it, i)
	}
}

// add adds an element with an ID of its own where the item's i-th place says, and gives the ID.
func (r *doclingReader) add(e edb.Element, it *doclingItem, i int) string {
	if e.Kind != edb.KindTable && e.Kind != edb.KindCode {
		e.Text = squeeze(e.Text)
	}
	if strings.TrimSpace(e.Text) == "" && e.Kind != edb.KindFigure {
		return ""
	}
	pg := r.page(r.last)
	if i < len(it.Prov) {
		p := it.Prov[i]
		pg = r.page(p.Page)
		b := edb.Box{finite(r.scale * p.Box.L), finite(r.scale * p.Box.T), finite(r.scale * p.Box.R), finite(r.scale * p.Box.B)}
		if p.Box.Origin == "BOTTOMLEFT" {
			b[1], b[3] = pg.Height-b[1], pg.Height-b[3]
		}
		b = edb.Box{max(0, min(b[0], b[2])), max(0, min(b[1], b[3])), min(pg.Width, max(b[0], b[2])), min(pg.Height, max(b[1], b[3]))}
		if r.out.Paged && b[0] < b[2] && b[1] < b[3] {
			e.Box = &b
		}
	}
	if it.Layer == "furniture" && !e.Artifact() {
		kind := edb.KindHeader
		if slices.ContainsFunc(pg.Elements, func(e edb.Element) bool { return !e.Artifact() }) {
			kind = edb.KindFooter
		}
		e = edb.Element{Kind: kind, Text: squeeze(e.Text), Box: e.Box}
		if e.Text == "" {
			return ""
		}
	}
	r.last = pg.Number
	r.n++
	e.ID = fmt.Sprintf("e%d", r.n)
	pg.Elements = append(pg.Elements, e)
	return e.ID
}

// captioned adds a table, its captions before it, or a figure, its captions behind it; footnotes
// follow. Children that are text are words in the picture or in its cells.
func (r *doclingReader) captioned(it *doclingItem, kind string, depth int) {
	take := func(refs []doclingRef) (out []doclingItem) {
		for _, ref := range refs {
			c := r.take(ref)
			if c == nil {
				continue
			}
			whole := *c
			for _, run := range r.runs(c, depth) {
				whole.Text += " " + run.Text
			}
			if whole.Text = squeeze(whole.Text); whole.Text != "" {
				out = append(out, whole)
			}
		}
		return out
	}
	captions, notes := take(it.Captions), take(it.Footnotes)
	for _, ref := range it.Children {
		r.take(ref)
	}
	e := edb.Element{Kind: kind}
	of := fmt.Sprintf("e%d", r.n+1)
	if kind == edb.KindTable {
		t := doclingTable(r.rich(it.Data.Cells))
		e.Text, e.HTML = t.text(), t.html()
		of = fmt.Sprintf("e%d", r.n+len(captions)+1)
	}
	if it.Layer == "furniture" || kind == edb.KindTable && strings.TrimSpace(e.Text) == "" {
		of = ""
	}
	if kind == edb.KindFigure {
		r.add(e, it, 0)
	}
	for i := range captions {
		r.add(edb.Element{Kind: edb.KindCaption, Text: captions[i].Text, CaptionOf: of}, &captions[i], 0)
	}
	if kind == edb.KindTable {
		r.add(e, it, 0)
	}
	for i := range notes {
		r.text(&notes[i], edb.KindFootnote)
	}
}
