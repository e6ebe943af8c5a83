package parse

import (
	"fmt"
	"html"
	"regexp"
	"strings"

	"enterprisedocbench"
)

// doctagBlocks are the elements of DocTags and the kinds that they are; headings of sections carry
// their level in the tag's name.
var doctagBlocks = map[string]string{
	"title": edb.KindHeading, "section_header": edb.KindHeading, "text": edb.KindParagraph, "paragraph": edb.KindParagraph, "reference": edb.KindParagraph,
	"list_item": edb.KindListItem, "caption": edb.KindCaption, "footnote": edb.KindFootnote, "formula": edb.KindFormula, "code": edb.KindCode,
	"page_header": edb.KindHeader, "page_footer": edb.KindFooter, "otsl": edb.KindTable, "table": edb.KindTable, "document_index": edb.KindTable,
	"picture": edb.KindFigure, "chart": edb.KindFigure, "checkbox_selected": edb.KindParagraph, "checkbox_unselected": edb.KindParagraph,
}

// doctagOther are tags without text of their own: frames around blocks, and marks.
var doctagOther = map[string]bool{
	"doctag": true, "document": true, "ordered_list": true, "unordered_list": true, "group": true, "inline": true, "section": true,
	"form": true, "key_value_region": true, "page_break": true, "nl": true,
}

// otslCells are the tags that begin a cell of a table in OTSL. The last three are parts of cells to
// the left, above, or both.
var otslCells = map[string]bool{"fcel": true, "ecel": true, "ched": true, "rhed": true, "srow": true, "lcel": true, "ucel": true, "xcel": true}

var (
	doctag      = regexp.MustCompile(`</?([A-Za-z_][A-Za-z0-9_+.#-]{0,40})>`)
	doctagLevel = regexp.MustCompile(`^section_header_level_([1-9])$`)
	doctagMark  = regexp.MustCompile(`^(loc_\d+|page_\d+|_[A-Za-z0-9+.#_-]+_)$`)
)

// maxDocTags bounds how many blocks may stand inside of each other.
const maxDocTags = 64

// readDocTags reads docling's tags. Pages end at <page_break>; a file without one is not paged. Places
// are given there in 500ths of a page whose size the file does not tell, so there are no boxes. Text of
// pictures but their captions is left out. A tag that is not known stands for itself.
func readDocTags(b []byte) (edb.Parsed, error) {
	s, warning, err := decode(b)
	if err != nil {
		return edb.Parsed{}, err
	}
	r := &doctagReader{page: 1, els: map[int][]edb.Element{}}
	at := 0
	for _, m := range doctag.FindAllStringSubmatchIndex(s, -1) {
		name, closing := s[m[2]:m[3]], s[m[0]+1] == '/'
		if !r.known(name) {
			continue
		}
		r.text(s[at:m[0]])
		at = m[1]
		if err := r.tag(name, closing); err != nil {
			return edb.Parsed{}, wrong(1+strings.Count(s[:m[0]], "\n"), "close them", "%v", err)
		}
	}
	r.text(s[at:])
	for len(r.open) > 0 {
		r.close()
	}
	p := edb.Parsed{Paged: r.page > 1}
	if warning != "" {
		p.Warnings = []string{warning}
	}
	for n := 1; n <= r.page; n++ {
		pg := edb.Page{Number: n, Elements: r.els[n]}
		pg.NoText = pg.Text() == ""
		p.Pages = append(p.Pages, pg)
	}
	return p, nil
}

// doctagBlock is an element that is being read.
type doctagBlock struct {
	tag, kind string
	level     int
	text      strings.Builder
	captions  []string
	rows      [][]otslCell
}

type otslCell struct {
	tag  string
	text string
}

type doctagReader struct {
	page, n int
	els     map[int][]edb.Element
	open    []*doctagBlock
}

// known says whether a name is a tag where it stands: in a picture, tags also name its class.
func (r *doctagReader) known(name string) bool {
	if doctagBlocks[name] != "" || doctagOther[name] || otslCells[name] || doctagMark.MatchString(name) || doctagLevel.MatchString(name) {
		return true
	}
	return len(r.open) > 0 && r.top().kind == edb.KindFigure
}

func (r *doctagReader) top() *doctagBlock { return r.open[len(r.open)-1] }

func (r *doctagReader) text(s string) {
	s = html.UnescapeString(s)
	if len(r.open) == 0 {
		if strings.TrimSpace(s) != "" { // outside of any block
			r.add(edb.Element{Kind: edb.KindParagraph, Text: s})
		}
		return
	}
	b := r.top()
	if b.kind == edb.KindTable {
		if row := len(b.rows) - 1; row >= 0 && len(b.rows[row]) > 0 {
			b.rows[row][len(b.rows[row])-1].text += s
		}
		return
	}
	b.text.WriteString(s)
}

func (r *doctagReader) tag(name string, closing bool) error {
	kind, level := doctagBlocks[name], 0
	if m := doctagLevel.FindStringSubmatch(name); m != nil {
		kind, level = edb.KindHeading, int(m[1][0]-'0')+1
	}
	switch {
	case kind != "" && closing:
		for i := len(r.open) - 1; i >= 0; i-- {
			if r.open[i].tag == name {
				for len(r.open) > i {
					r.close()
				}
				break
			}
		}
	case kind != "":
		switch name {
		case "title":
			level = 1
		case "section_header":
			level = 2
		}
		if len(r.open) >= maxDocTags {
			return fmt.Errorf("more than %d blocks stand inside of each other", maxDocTags)
		}
		b := &doctagBlock{tag: name, kind: kind, level: level}
		if kind == edb.KindTable {
			b.rows = [][]otslCell{nil}
		}
		r.open = append(r.open, b)
	case name == "page_break" && !closing:
		for len(r.open) > 0 {
			r.close()
		}
		r.page++
	case len(r.open) > 0 && r.top().kind == edb.KindTable && !closing:
		b := r.top()
		if name == "nl" {
			b.rows = append(b.rows, nil)
		} else if otslCells[name] {
			last := len(b.rows) - 1
			b.rows[last] = append(b.rows[last], otslCell{tag: name})
		}
	}
	return nil
}

func (r *doctagReader) add(e edb.Element) string {
	if e.Kind != edb.KindTable && e.Kind != edb.KindCode {
		e.Text = squeeze(e.Text)
	}
	if strings.TrimSpace(e.Text) == "" && e.Kind != edb.KindFigure {
		return ""
	}
	r.n++
	e.ID = fmt.Sprintf("e%d", r.n)
	r.els[r.page] = append(r.els[r.page], e)
	return e.ID
}

// close ends the innermost block.
func (r *doctagReader) close() {
	b := r.top()
	r.open = r.open[:len(r.open)-1]
	if b.kind == edb.KindCaption && len(r.open) > 0 {
		if up := r.top(); up.kind == edb.KindTable || up.kind == edb.KindFigure {
			if c := squeeze(b.text.String()); c != "" {
				up.captions = append(up.captions, c)
			}
			return
		}
	}
	for _, up := range r.open {
		if up.kind == edb.KindFigure {
			return // what is printed in a picture
		}
	}
	switch b.kind {
	case edb.KindTable:
		t := otslTable(b.rows)
		of := ""
		if strings.TrimSpace(t.text()) != "" {
			of = fmt.Sprintf("e%d", r.n+len(b.captions)+1)
		}
		for _, c := range b.captions {
			r.add(edb.Element{Kind: edb.KindCaption, Text: c, CaptionOf: of})
		}
		if of != "" {
			r.add(edb.Element{Kind: edb.KindTable, Text: t.text(), HTML: t.html()})
		}
	case edb.KindFigure:
		of := r.add(edb.Element{Kind: edb.KindFigure})
		for _, c := range b.captions {
			r.add(edb.Element{Kind: edb.KindCaption, Text: c, CaptionOf: of})
		}
	case edb.KindCode:
		r.add(edb.Element{Kind: b.kind, Text: strings.Trim(b.text.String(), "\r\n")})
	default:
		r.add(edb.Element{Kind: b.kind, Level: b.level, Text: b.text.String()})
	}
}

// otslTable makes a table of the cells of OTSL (Lysak et al., Optimized Table Tokenization for Table
// Structure Recognition, 2023): a cell reaches as far right as lcel and as far down as ucel follow.
func otslTable(rows [][]otslCell) htmlTable {
	var t htmlTable
	is := func(i, j int, tag string) bool { return i < len(rows) && j < len(rows[i]) && rows[i][j].tag == tag }
	for i, row := range rows {
		var cells []htmlCell
		for j, c := range row {
			if c.tag == "lcel" || c.tag == "ucel" || c.tag == "xcel" {
				continue
			}
			cell := htmlCell{head: c.tag == "ched", rowspan: 1, colspan: 1, text: squeeze(c.text)}
			for cell.colspan < maxSpan && is(i, j+cell.colspan, "lcel") {
				cell.colspan++
			}
			for cell.rowspan < maxSpan && is(i+cell.rowspan, j, "ucel") {
				cell.rowspan++
			}
			cells = append(cells, cell)
		}
		if len(row) > 0 {
			t.rows = append(t.rows, cells)
		}
	}
	return t
}
