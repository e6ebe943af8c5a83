package parse

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"enterprisedocbench"
)

// Docx reads Word documents (Office Open XML): paragraphs with the headings that styles and outline
// levels make, lists, tables with merged cells, captions, footnotes, text boxes; headers and footers
// as artifacts. Deleted and hidden text is left out. A document is one page: where its pages end is
// decided by whoever prints it. Errors are Missing, Damaged, Encrypted or TooLarge.
type Docx struct{}

var _ Parser = Docx{}

// Parse implements Parser.
func (Docx) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	return parseBytes(ctx, src, parseDocx)
}

func parseDocx(b []byte) (edb.Parsed, error) {
	p, err := openOffice(b)
	if err != nil {
		return edb.Parsed{}, err
	}
	main := "word/document.xml"
	if rels, err := p.related(""); err != nil {
		return edb.Parsed{}, err
	} else if d := rels["officeDocument"]; len(d) > 0 {
		main = d[0]
	}
	root, err := p.tree(main)
	if err != nil {
		return edb.Parsed{}, err
	}
	if root == nil || root.child("body") == nil {
		return edb.Parsed{}, fail(Damaged, "the package holds no Word document")
	}
	rels, err := p.related(main)
	if err != nil {
		return edb.Parsed{}, err
	}
	w := docxWalker{styles: map[string]docxStyle{}}
	var warnings []string
	side := func(kind string) *node { // a part that the document can be read without
		for _, name := range rels[kind] {
			n, err := p.tree(name)
			if err == nil {
				return n
			}
			warnings = append(warnings, err.Error())
		}
		return nil
	}
	w.readStyles(side("styles"))
	notes := map[string]*node{}
	for _, kind := range []string{"footnote", "endnote"} {
		if n := side(kind + "s"); n != nil {
			for _, k := range n.kids {
				if k.attr["type"] == "" || k.attr["type"] == "normal" {
					notes[kind+k.attr["id"]] = k
				}
			}
		}
	}
	w.furniture(p, rels["header"], edb.KindHeader)
	w.blocks(root.child("body").kids, 0)
	for i := 0; i < len(w.notes); i++ { // a note may call another
		if n := notes[w.notes[i]]; n != nil {
			if t := squeeze(w.textOf(n.kids, 0)); t != "" {
				w.add(edb.Element{Kind: edb.KindFootnote, Text: t})
			}
		}
	}
	w.furniture(p, rels["footer"], edb.KindFooter)
	w.captions()
	out := onePage(Spec{Engine: "docx"}.Label(), w.out, "")
	out.Warnings = warnings
	return out, nil
}

// docxStyle is what a style makes of a paragraph.
type docxStyle struct {
	name, based string
	level       int // heading level from 1; 0 is none, -1 is left to the style below
	list        bool
}

type docxWalker struct {
	styles map[string]docxStyle
	out    []edb.Element
	notes  []string // keys of the notes that the text calls, once each
	figure bool     // the paragraph being read holds a picture
	boxes  []*node  // text boxes of the paragraph being read
}

var headingName = regexp.MustCompile(`(?i)^heading ([1-9])$`)

func (w *docxWalker) readStyles(root *node) {
	if root == nil {
		return
	}
	for _, s := range root.kids {
		if s.name != "style" {
			continue
		}
		st := docxStyle{name: strings.ToLower(s.val("name")), based: s.val("basedOn"), level: -1, list: s.child("pPr", "numPr") != nil}
		if m := headingName.FindStringSubmatch(st.name); m != nil {
			st.level = int(m[1][0] - '0')
		} else if st.name == "title" {
			st.level = 1
		} else if v := s.val("pPr", "outlineLvl"); v != "" {
			st.level = outline(v)
		}
		w.styles[s.attr["styleId"]] = st
	}
}

// outline turns an outline level, 0 to 8 and 9 for body text, into a heading's.
func outline(v string) int {
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 || n > 8 {
		return 0
	}
	return n + 1
}

// style follows a style and those it is based on.
func (w *docxWalker) style(id string) (level int, list bool, names []string) {
	level = -1
	for range 20 {
		s, ok := w.styles[id]
		if !ok {
			break
		}
		names = append(names, s.name)
		list = list || s.list
		if level < 0 {
			level = s.level
		}
		id = s.based
	}
	return max(level, 0), list, names
}

func (w *docxWalker) add(e edb.Element) {
	e.ID = fmt.Sprintf("e%d", len(w.out)+1)
	w.out = append(w.out, e)
}

// furniture adds the text of headers or footers, each text once.
func (w *docxWalker) furniture(p *officePackage, parts []string, kind string) {
	seen := map[string]bool{}
	for _, name := range slices.Sorted(slices.Values(parts)) {
		n, err := p.tree(name)
		if err != nil || n == nil {
			continue
		}
		if t := squeeze(w.textOf(n.kids, 0)); t != "" && !seen[t] {
			seen[t] = true
			w.add(edb.Element{Kind: kind, Text: t})
		}
	}
}

// blocks reads what stands in a body, a cell or a text box.
func (w *docxWalker) blocks(kids []*node, depth int) {
	for _, k := range kids {
		switch k.name {
		case "p":
			w.paragraph(k, depth)
		case "tbl":
			t := w.table(k)
			if len(t.rows) > 0 {
				w.add(edb.Element{Kind: edb.KindTable, Text: t.text(), HTML: t.html()})
			}
		case "del", "moveFrom", "sectPr", "sdtPr":
		default: // content controls, insertions, custom XML
			if len(k.kids) > 0 {
				w.blocks(chosen(k), depth)
			}
		}
	}
}

// chosen are the children to follow: of alternatives for new and old readers the first alone.
func chosen(n *node) []*node {
	if n.name == "AlternateContent" {
		if c := n.child("Choice"); c != nil {
			return c.kids
		}
		if c := n.child("Fallback"); c != nil {
			return c.kids
		}
	}
	return n.kids
}

func (w *docxWalker) paragraph(p *node, depth int) {
	w.figure, w.boxes = false, nil
	text := squeeze(w.textOf(p.kids, 0))
	level, list, names := w.style(p.val("pPr", "pStyle"))
	if v := p.val("pPr", "outlineLvl"); v != "" {
		level = outline(v)
	}
	if num := p.val("pPr", "numPr", "numId"); num != "" {
		list = num != "0"
	}
	figure, boxes := w.figure, w.boxes
	if figure {
		w.add(edb.Element{Kind: edb.KindFigure})
	}
	if text != "" {
		e := edb.Element{Kind: edb.KindParagraph, Text: text}
		switch {
		case slices.Contains(names, "caption"):
			e.Kind = edb.KindCaption
		case level > 0:
			e.Kind, e.Level = edb.KindHeading, level
		case slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, "code") || n == "html preformatted" }):
			e.Kind = edb.KindCode
		case list:
			e.Kind = edb.KindListItem
		}
		w.add(e)
	}
	if depth < 8 {
		for _, b := range boxes {
			w.blocks(b.kids, depth+1)
		}
	}
}

// textOf is the running text of nodes; pictures, text boxes and calls of notes are noted on the way.
func (w *docxWalker) textOf(kids []*node, depth int) string {
	if depth > maxXMLDepth {
		return ""
	}
	var b strings.Builder
	for _, k := range kids {
		switch k.name {
		case "t":
			b.WriteString(k.text)
		case "tab", "br", "cr", "ptab":
			b.WriteByte(' ')
		case "noBreakHyphen":
			b.WriteByte('-')
		case "del", "moveFrom", "instrText", "delText", "pPr", "rPr", "fldChar", "footnoteRef", "endnoteRef":
		case "footnoteReference", "endnoteReference":
			if key := strings.TrimSuffix(k.name, "Reference") + k.attr["id"]; !slices.Contains(w.notes, key) {
				w.notes = append(w.notes, key)
			}
		case "blip", "imagedata":
			w.figure = true
		case "txbxContent":
			w.boxes = append(w.boxes, k)
		case "r":
			if !k.on("rPr", "vanish") {
				b.WriteString(w.textOf(k.kids, depth+1))
			}
		case "p", "tc", "tr":
			b.WriteString(w.textOf(k.kids, depth+1) + " ")
		default:
			b.WriteString(w.textOf(chosen(k), depth+1))
		}
	}
	return b.String()
}

// table reads rows and cells; cells merged downwards are one with a rowspan.
func (w *docxWalker) table(tbl *node) htmlTable {
	var t htmlTable
	open := map[int][2]int{} // column of the grid -> row and cell that the merge began in
	var visit func(kids []*node)
	var cells func(kids []*node, row *[]htmlCell, col *int, head bool)
	cells = func(kids []*node, row *[]htmlCell, col *int, head bool) {
		for _, c := range kids {
			if c.name == "sdt" || c.name == "sdtContent" || c.name == "customXml" || c.name == "ins" {
				cells(c.kids, row, col, head)
				continue
			}
			if c.name != "tc" {
				continue
			}
			span := 1
			if n, err := strconv.Atoi(c.val("tcPr", "gridSpan")); err == nil && n > 1 && n <= maxSpan {
				span = n
			}
			merge := c.child("tcPr", "vMerge")
			if at, ok := open[*col]; ok && merge != nil && merge.attr["val"] != "restart" && at[0] < len(t.rows) {
				t.rows[at[0]][at[1]].rowspan++
				*col += span
				continue
			}
			delete(open, *col)
			if merge != nil {
				open[*col] = [2]int{len(t.rows), len(*row)}
			}
			*row = append(*row, htmlCell{head: head, rowspan: 1, colspan: span, text: squeeze(w.textOf(c.kids, 0))})
			*col += span
		}
	}
	visit = func(kids []*node) {
		for _, r := range kids {
			switch r.name {
			case "tr":
				if r.child("trPr", "del") != nil {
					continue
				}
				var row []htmlCell
				col := 0
				if n, err := strconv.Atoi(r.val("trPr", "gridBefore")); err == nil && n > 0 && n < maxSpan {
					col = n
				}
				cells(r.kids, &row, &col, r.on("trPr", "tblHeader"))
				t.rows = append(t.rows, row)
			case "sdt", "sdtContent", "customXml", "ins":
				visit(r.kids)
			}
		}
	}
	visit(tbl.kids)
	return t
}

// captions ties each caption to the table or figure beside it: the one before, else the one after;
// a caption that begins like one of a table looks for a table first.
func (w *docxWalker) captions() {
	taken := map[string]bool{}
	for i := range w.out {
		if w.out[i].Kind != edb.KindCaption {
			continue
		}
		for _, j := range []int{i - 1, i + 1} {
			if j < 0 || j >= len(w.out) || w.out[j].Kind != edb.KindFigure && w.out[j].Kind != edb.KindTable || taken[w.out[j].ID] {
				continue
			}
			table := strings.HasPrefix(strings.ToLower(w.out[i].Text), "tab")
			if table != (w.out[j].Kind == edb.KindTable) && j == i-1 && i+1 < len(w.out) && (w.out[i+1].Kind == edb.KindTable) == table {
				continue
			}
			w.out[i].CaptionOf, taken[w.out[j].ID] = w.out[j].ID, true
			break
		}
	}
}
