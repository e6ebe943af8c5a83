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
	Schema    string                 `json:"schema_name"`
	Body      doclingItem            `json:"body"`
	Furniture doclingItem            `json:"furniture"`
	Groups    []doclingItem          `json:"groups"`
	Texts     []doclingItem          `json:"texts"`
	Tables    []doclingItem          `json:"tables"`
	Pictures  []doclingItem          `json:"pictures"`
	KeyValues []doclingItem          `json:"key_value_items"`
	Forms     []doclingItem          `json:"form_items"`
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

type doclingCell struct {
	Text    string `json:"text"`
	Row     int    `json:"start_row_offset_idx"`
	Col     int    `json:"start_col_offset_idx"`
	RowSpan int    `json:"row_span"`
	ColSpan int    `json:"col_span"`
	Header  bool   `json:"column_header"`
}

// doclingKinds are the kinds of docling's labels; others are paragraphs.
var doclingKinds = map[string]string{
	"title": edb.KindHeading, "section_header": edb.KindHeading, "list_item": edb.KindListItem, "caption": edb.KindCaption,
	"footnote": edb.KindFootnote, "formula": edb.KindFormula, "code": edb.KindCode, "page_header": edb.KindHeader, "page_footer": edb.KindFooter,
	"table": edb.KindTable, "document_index": edb.KindTable, "picture": edb.KindFigure, "chart": edb.KindFigure,
}

// readDocling reads a DoclingDocument in JSON. Text inside of pictures is left out, as docling's own
// exports do; headings of sections stand a level below the title.
func readDocling(b []byte) (edb.Parsed, error) {
	var d doclingDoc
	if err := json.Unmarshal(b, &d); err != nil {
		return edb.Parsed{}, wrong(store.JSONLine(b, err), "write it again with docling", "not a DoclingDocument: %v", store.Words(err))
	}
	if d.Schema != "DoclingDocument" {
		return edb.Parsed{}, wrong(1, "write it again with docling", `not a DoclingDocument: schema_name is not "DoclingDocument"`)
	}
	r := &doclingReader{doc: &d, items: map[string]*doclingItem{}, seen: map[string]bool{}}
	for _, list := range [][]doclingItem{d.Groups, d.Texts, d.Tables, d.Pictures, d.KeyValues, d.Forms} {
		for i := range list {
			r.items[list[i].Self] = &list[i]
		}
	}
	r.pages()
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
	out   edb.Parsed
	n     int // elements so far
}

// pages sets up the pages; a document without any, such as a web page, is one page that is not paged.
func (r *doclingReader) pages() {
	for _, p := range r.doc.Pages {
		if p.Number >= 1 {
			r.out.Pages = append(r.out.Pages, edb.Page{Number: p.Number, Width: max(0, finite(p.Size.Width)), Height: max(0, finite(p.Size.Height))})
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
		if it := r.take(ref); it != nil {
			r.item(it, depth+1)
		}
	}
}

func (r *doclingReader) item(it *doclingItem, depth int) {
	kind := doclingKinds[it.Label]
	switch {
	case strings.HasPrefix(it.Self, "#/groups/"):
		if it.Label == "inline" {
			r.inline(it)
			return
		}
		r.children(it, depth)
	case kind == edb.KindTable && strings.HasPrefix(it.Self, "#/tables/"):
		r.captioned(it, edb.KindTable, depth)
	case kind == edb.KindFigure:
		r.captioned(it, edb.KindFigure, depth)
	default:
		r.text(it, kind)
		r.children(it, depth)
	}
}

// inline adds runs of text that docling parts by their type face as one paragraph.
func (r *doclingReader) inline(group *doclingItem) {
	var whole doclingItem
	var parts []string
	for _, ref := range group.Children {
		if it := r.take(ref); it != nil {
			parts = append(parts, it.Text)
			if len(whole.Prov) == 0 {
				whole.Prov = it.Prov
			}
		}
	}
	whole.Prov = whole.Prov[:min(1, len(whole.Prov))]
	whole.Text = strings.Join(parts, " ")
	r.text(&whole, edb.KindParagraph)
}

// text adds an item of text, on each page that it stands on with what stands there.
func (r *doclingReader) text(it *doclingItem, kind string) {
	if kind == "" || kind == edb.KindTable || kind == edb.KindFigure {
		kind = edb.KindParagraph
	}
	e := edb.Element{Kind: kind}
	if kind == edb.KindHeading {
		if e.Level = 1; it.Label == "section_header" {
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
	pg := r.page(0)
	if i < len(it.Prov) {
		p := it.Prov[i]
		pg = r.page(p.Page)
		b := edb.Box{finite(p.Box.L), finite(p.Box.T), finite(p.Box.R), finite(p.Box.B)}
		if p.Box.Origin == "BOTTOMLEFT" {
			b[1], b[3] = pg.Height-b[1], pg.Height-b[3]
		}
		b = edb.Box{max(0, min(b[0], b[2])), max(0, min(b[1], b[3])), min(pg.Width, max(b[0], b[2])), min(pg.Height, max(b[1], b[3]))}
		if r.out.Paged && b[0] < b[2] && b[1] < b[3] {
			e.Box = &b
		}
	}
	r.n++
	e.ID = fmt.Sprintf("e%d", r.n)
	pg.Elements = append(pg.Elements, e)
	return e.ID
}

// captioned adds a table, its captions before it, or a figure, its captions behind it; footnotes
// follow. Children that are text are words in the picture or in its cells.
func (r *doclingReader) captioned(it *doclingItem, kind string, depth int) {
	take := func(refs []doclingRef) (out []*doclingItem) {
		for _, ref := range refs {
			if c := r.take(ref); c != nil {
				out = append(out, c)
			}
		}
		return out
	}
	captions, notes := take(it.Captions), take(it.Footnotes)
	for _, ref := range it.Children {
		r.take(ref)
	}
	add := func(of string) {
		for _, c := range captions {
			r.add(edb.Element{Kind: edb.KindCaption, Text: c.Text, CaptionOf: of}, c, 0)
		}
	}
	e := edb.Element{Kind: kind}
	if kind == edb.KindTable {
		t := doclingTable(it.Data.Cells)
		e.Text, e.HTML = t.text(), t.html()
		of := ""
		if strings.TrimSpace(e.Text) != "" {
			spoken := 0
			for _, c := range captions {
				if strings.TrimSpace(c.Text) != "" {
					spoken++
				}
			}
			of = fmt.Sprintf("e%d", r.n+spoken+1)
		}
		add(of)
		r.add(e, it, 0)
	} else {
		add(r.add(e, it, 0))
	}
	for _, n := range notes {
		r.text(n, edb.KindFootnote)
	}
}

// doclingTable puts cells into their rows.
func doclingTable(cells []doclingCell) htmlTable {
	cells = slices.Clone(cells)
	slices.SortStableFunc(cells, func(a, b doclingCell) int {
		if a.Row != b.Row {
			return a.Row - b.Row
		}
		return a.Col - b.Col
	})
	var t htmlTable
	for i, c := range cells {
		if i == 0 || c.Row != cells[i-1].Row {
			t.rows = append(t.rows, nil)
		}
		span := func(n int) int {
			if n < 1 || n > maxSpan {
				return 1
			}
			return n
		}
		last := &t.rows[len(t.rows)-1]
		*last = append(*last, htmlCell{c.Header, span(c.RowSpan), span(c.ColSpan), squeeze(c.Text)})
	}
	return t
}
