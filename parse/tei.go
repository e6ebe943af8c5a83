package parse

import (
	"context"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/internal/xmltree"
)

// TEI reads a text in TEI P5 XML, as editors write it and as GROBID makes it of papers: title and
// authors of the header, the abstract, then front, body and back in order, references as list items.
// Where an edition gives two readings (choice), the first, which is the printed one, is taken. The
// result has one page, number 1, and is not paged. Errors are Missing, Damaged or TooLarge.
type TEI struct{}

var _ Parser = TEI{}

// Parse implements Parser.
func (TEI) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	return parseBytes(ctx, src, parseTEI)
}

var (
	teiApart = xmltree.Set("lb", "l", "p", "head", "label", "cell", "row", "item", "title", "author", "date", "publisher", "biblScope", "forename", "surname",
		"orgName", "address", "settlement", "postCode", "country", "region", "pubPlace", "meeting", "idno", "editor", "note", "analytic", "monogr", "imprint", "figDesc")
	teiUnseen = xmltree.Set("fw", "graphic", "ptr", "del", "email")
	teiBlocks = xmltree.Set("p", "ab", "list", "table", "figure", "formula", "note", "div", "lg", "sp", "quote", "listBibl", "bibl", "biblStruct", "fw", "floatingText", "eg", "code")
)

func teiText(n *xmltree.Node) string { return n.Text(teiUnseen, teiApart) }

func parseTEI(b []byte) (edb.Parsed, error) {
	root, err := readXML(b, "TEI", "teiCorpus")
	if err != nil {
		return edb.Parsed{}, err
	}
	firstReading(root)
	a := &teiReader{}
	a.document(root)
	return onePage(Spec{Engine: "tei"}.Label(), a.els, ""), nil
}

// firstReading leaves of each choice below n its first reading.
func firstReading(n *xmltree.Node) {
	if n.Name == "choice" {
		for _, k := range n.Kids {
			if k.Name != "" {
				n.Kids = []*xmltree.Node{k}
				break
			}
		}
	}
	for _, k := range n.Kids {
		firstReading(k)
	}
}

type teiReader struct{ flow }

// document adds one text; a corpus is its texts one behind the other.
func (a *teiReader) document(n *xmltree.Node) {
	text := n.Child("text")
	a.header(n.Child("teiHeader"), text.Child("front", "titlePage") != nil)
	for _, part := range []string{"front", "body", "group", "back"} {
		a.kids(text.Child(part), 1)
	}
	for _, k := range n.Kids {
		if k.Name == "TEI" {
			a.document(k)
		}
	}
}

// header adds what the header knows of the text: title and authors, unless the text has a title page
// of its own, the abstract, and the key words.
func (a *teiReader) header(n *xmltree.Node, titled bool) {
	if !titled {
		a.heading(1, teiText(n.Child("fileDesc", "titleStmt", "title")))
		var people, places []string
		source := n.Child("fileDesc", "sourceDesc", "biblStruct", "analytic")
		if source == nil {
			source = n.Child("fileDesc", "titleStmt")
		}
		for p := range source.All("author") {
			name := p.Child("persName")
			if name == nil {
				name = p
			}
			if s := name.Text(xmltree.Set("affiliation", "email", "idno", "note"), teiApart); s != "" {
				people = append(people, s)
			}
			for aff := range p.All("affiliation") {
				if s := aff.Text(xmltree.Set("note"), teiApart); s != "" {
					places = append(places, s)
				}
			}
		}
		a.text(edb.KindParagraph, strings.Join(people, ", "))
		for _, p := range places {
			a.text(edb.KindParagraph, p)
		}
	}
	a.kids(n.Child("profileDesc", "abstract"), 1)
	var list []string
	for k := range n.Child("profileDesc", "textClass", "keywords").All("term") {
		list = append(list, teiText(k))
	}
	a.text(edb.KindParagraph, strings.Join(list, ", "))
}

// kids adds what stands in a node whose own heading has the level.
func (a *teiReader) kids(n *xmltree.Node, level int) {
	if n == nil {
		return
	}
	for _, k := range n.Kids {
		a.block(k, level)
	}
}

func (a *teiReader) block(n *xmltree.Node, level int) {
	switch n.Name {
	case "graphic", "pb", "cb", "milestone", "figDesc":
	case "": // running text where blocks stand
		a.text(edb.KindParagraph, n.Data)
	case "div", "div1", "div2", "div3", "div4", "div5", "div6", "div7":
		a.kids(n, level+1)
	case "head", "docTitle", "byline", "docAuthor", "docDate", "trailer":
		if n.Name == "head" || n.Name == "docTitle" {
			// GROBID writes no sections inside of sections: their numbers tell the depth.
			if number := strings.TrimRight(n.Attr("n"), "."); number != "" {
				a.heading(2+strings.Count(number, "."), sentence(n.Attr("n"), teiText(n)))
				return
			}
			a.heading(level, teiText(n))
			return
		}
		a.text(edb.KindParagraph, teiText(n))
	case "p", "ab", "quote", "speaker", "stage", "opener", "closer", "salute", "signed", "dateline", "epigraph":
		a.mixed(n, edb.KindParagraph, level)
	case "lg":
		a.text(edb.KindParagraph, teiText(n))
	case "l":
		a.text(edb.KindParagraph, teiText(n))
	case "list":
		a.list(n, level)
	case "table":
		a.table(teiText(n.Child("head")), teiTable(n))
	case "figure":
		a.illustration(n, level)
	case "formula":
		a.text(edb.KindFormula, teiText(n))
	case "note":
		kind := edb.KindFootnote
		if p := n.Attr("place"); p == "inline" || p == "margin" {
			kind = edb.KindParagraph
		}
		a.mixed(n, kind, level)
	case "bibl", "biblStruct":
		a.text(edb.KindListItem, teiReference(n))
	case "fw":
		kind := edb.KindHeader
		switch n.Attr("type") {
		case "pageNum", "pageNumber", "folNum":
			kind = edb.KindPageNumber
		case "footer", "sig", "catch":
			kind = edb.KindFooter
		}
		a.text(kind, n.Text(nil, nil))
	case "code", "eg":
		a.text(edb.KindCode, strings.Trim(n.Raw(), "\r\n"))
	default:
		if spoken(n) {
			a.mixed(n, edb.KindParagraph, level)
			return
		}
		a.kids(n, level)
	}
}

// mixed adds running text as elements of the kind, and the blocks that stand inside of it.
func (a *teiReader) mixed(n *xmltree.Node, kind string, level int) {
	without(n, "note").Split(teiBlocks, func(run *xmltree.Node) {
		a.text(kind, teiText(run))
	}, func(k *xmltree.Node) {
		if k.Name == "p" || k.Name == "ab" {
			a.mixed(k, kind, level)
			return
		}
		a.block(k, level)
	})
	for _, k := range n.Kids { // as in print, behind the text that points at them
		if k.Name == "note" {
			a.block(k, level)
		}
	}
}

func (a *teiReader) list(n *xmltree.Node, level int) {
	label := ""
	for _, k := range n.Kids {
		switch k.Name {
		case "head":
			a.text(edb.KindParagraph, teiText(k))
		case "label":
			label = teiText(k)
		case "item":
			if label != "" { // of a glossary: the term stands before what it means
				k = &xmltree.Node{Name: k.Name, Kids: append([]*xmltree.Node{{Data: label + " "}}, k.Kids...)}
				label = ""
			}
			a.mixed(k, edb.KindListItem, level)
		}
	}
}

// teiReference is an entry of a list of references: as it is printed where GROBID kept that, else its
// parts.
func teiReference(n *xmltree.Node) string {
	for note := range n.All("note") {
		if note.Attr("type") == "raw_reference" {
			return teiText(note)
		}
	}
	return teiText(n)
}

// illustration adds a figure or, where GROBID found one, the table in it, with head and description as
// the caption.
func (a *teiReader) illustration(n *xmltree.Node, level int) {
	caption := sentence(teiText(n.Child("head")), teiText(n.Child("figDesc")))
	if t := n.Child("table"); t != nil {
		a.table(caption, teiTable(t))
	} else {
		a.figure(caption)
	}
	for _, k := range n.Kids {
		if k.Name == "note" || k.Name == "p" {
			a.block(k, level)
		}
	}
}

// teiTable reads rows of cells; cells and rows with the role "label" are headers.
func teiTable(n *xmltree.Node) htmlTable {
	var t htmlTable
	for row := range n.All("row") {
		var cells []htmlCell
		for _, c := range row.Kids {
			if c.Name == "cell" {
				head := c.Attr("role") == "label" || row.Attr("role") == "label"
				cells = append(cells, htmlCell{head, spanOf(c.Attr("rows")), spanOf(c.Attr("cols")), teiText(c)})
			}
		}
		if len(cells) > 0 {
			t.rows = append(t.rows, cells)
		}
	}
	return t
}
