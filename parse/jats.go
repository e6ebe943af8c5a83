package parse

import (
	"context"
	"fmt"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/internal/xmltree"
)

// JATS reads a journal article in JATS XML as it is printed: title, authors, affiliations, the
// authors' notes, abstracts, key words, body, and what stands behind it with the references, one
// list item each. Reviews, replies and translations that stand in the same file (sub-article,
// response) are articles of their own: they are left out and counted in a warning. The result has
// one page, number 1, and is not paged. Errors are Missing, Damaged or TooLarge.
type JATS struct{}

var _ Parser = JATS{}

// Parse implements Parser.
func (JATS) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	return parseBytes(ctx, src, parseJATS)
}

// What of JATS parts words, what is not printed with the text around it, and what is a block of its
// own inside of a paragraph.
var (
	jatsApart  = xmltree.Set("break", "p", "title", "label", "td", "th", "tr", "mtr", "list-item", "def-item", "disp-formula")
	jatsUnseen = xmltree.Set("object-id", "annotation", "annotation-xml", "graphic", "inline-graphic", "alt-text", "long-desc", "permissions", "x", "contrib-id")
	jatsBlocks = xmltree.Set("fig", "fig-group", "table-wrap", "table-wrap-group", "list", "def-list", "disp-formula", "disp-formula-group", "boxed-text",
		"disp-quote", "supplementary-material", "media", "code", "preformat", "fn", "fn-group", "sec", "p", "verse-group", "statement", "speech", "ref-list")
)

// jatsText is the printed text of a node. Of a formula that is given twice, in MathML and in TeX, the
// MathML is the text.
func jatsText(n *xmltree.Node) string {
	unseen := jatsUnseen
	if n.Holds(xmltree.Set("math")) {
		unseen = jatsNoTeX
	}
	return n.Text(unseen, jatsApart)
}

var jatsNoTeX = func() map[string]bool {
	m := xmltree.Set("tex-math")
	for k := range jatsUnseen {
		m[k] = true
	}
	return m
}()

func parseJATS(b []byte) (edb.Parsed, error) {
	root, err := readXML(b, "article")
	if err != nil {
		return edb.Parsed{}, err
	}
	a := &jatsReader{}
	a.front(root.Child("front"))
	a.kids(root.Child("body"), 1)
	a.kids(root.Child("back"), 1)
	a.kids(root.Child("floats-group"), 1)
	warning := ""
	others := 0
	for _, k := range root.Kids {
		if k.Name == "sub-article" || k.Name == "response" {
			others++
		}
	}
	if others > 0 {
		warning = fmt.Sprintf("%d further articles of the file (reviews, replies, translations) are left out", others)
	}
	return onePage(Spec{Engine: "jats"}.Label(), a.els, warning), nil
}

type jatsReader struct{ flow }

// front adds what stands before the body.
func (a *jatsReader) front(front *xmltree.Node) {
	meta := front.Child("article-meta")
	if meta == nil {
		return
	}
	titles := meta.Child("title-group")
	a.heading(1, sentence(jatsText(unnoted(titles.Child("article-title"))), jatsText(unnoted(titles.Child("subtitle")))))
	var people, places []string
	for _, k := range meta.Kids {
		switch k.Name {
		case "contrib-group":
			for _, c := range k.Kids {
				switch c.Name {
				case "contrib":
					if kind := c.Attr("contrib-type"); kind == "" || kind == "author" {
						people = append(people, jatsPerson(c))
					}
				case "aff":
					places = append(places, jatsText(c))
				}
			}
		case "aff", "aff-alternatives":
			places = append(places, jatsText(k))
		}
	}
	a.text(edb.KindParagraph, strings.Join(people, ", "))
	for _, p := range places {
		a.text(edb.KindParagraph, p)
	}
	for _, k := range meta.Kids {
		switch k.Name {
		case "author-notes":
			a.kids(k, 1)
		case "abstract", "trans-abstract":
			a.section(k, 2)
		case "kwd-group":
			var list []string
			for w := range k.All("kwd") {
				list = append(list, jatsText(w))
			}
			a.heading(2, jatsText(k.Child("title")))
			a.text(edb.KindParagraph, strings.Join(list, ", "))
		}
	}
}

// jatsPerson is an author as articles print one: "Given Surname", or the name of a group.
func jatsPerson(n *xmltree.Node) string {
	name := n.Child("name")
	if name == nil {
		name = n.Child("name-alternatives", "name")
	}
	group := n.Child("collab").Text(xmltree.Set("contrib-group", "xref", "contrib-id"), jatsApart)
	return sentence(jatsText(name.Child("given-names")), jatsText(name.Child("surname")), jatsText(name.Child("suffix")), group)
}

// unnoted is a title without the notes that it carries and the marks that point at them.
func unnoted(n *xmltree.Node) *xmltree.Node {
	if n == nil {
		return nil
	}
	c := *n
	c.Kids = nil
	for _, k := range n.Kids {
		if k.Name != "fn" && (k.Name != "xref" || k.Attr("ref-type") != "fn") {
			c.Kids = append(c.Kids, k)
		}
	}
	return &c
}

// section adds the heading of a section at the level and what is below it.
func (a *jatsReader) section(n *xmltree.Node, level int) {
	a.heading(level, sentence(jatsText(n.Child("label")), jatsText(unnoted(n.Child("title")))))
	a.kids(n, level)
}

// kids adds what stands in a node whose own heading has the level.
func (a *jatsReader) kids(n *xmltree.Node, level int) {
	if n == nil {
		return
	}
	for _, k := range n.Kids {
		a.block(k, level)
	}
}

func (a *jatsReader) block(n *xmltree.Node, level int) {
	switch n.Name {
	case "title", "label", "subtitle", "caption", "object-id", "permissions", "sub-article", "response":
		// Said with what they belong to, or not printed.
	case "": // running text where blocks stand
		a.text(edb.KindParagraph, n.Data)
	case "sec", "app", "ack", "glossary", "notes", "bio", "fn-group", "app-group":
		a.section(n, level+1)
	case "ref-list":
		a.section(n, level+1)
	case "ref":
		a.text(edb.KindListItem, jatsReference(n))
	case "boxed-text", "statement":
		a.heading(level+1, sentence(jatsText(n.Child("label")), jatsText(n.Child("caption", "title")), jatsText(n.Child("title"))))
		a.kids(n.Child("caption"), level+1)
		a.kids(n, level+1)
	case "p", "corresp", "verse-line", "attrib":
		a.mixed(n, edb.KindParagraph, level)
	case "fig":
		a.figure(jatsCaption(n))
	case "graphic":
		a.figure(jatsCaption(n))
	case "media":
		if c := jatsCaption(n); c != "" {
			a.figure(c)
		}
	case "supplementary-material":
		a.text(edb.KindParagraph, jatsCaption(n))
		for m := range n.All("media") {
			a.text(edb.KindParagraph, jatsCaption(m))
		}
	case "table-wrap":
		a.tables(n, level)
	case "table":
		a.table("", jatsTable(n))
	case "list", "def-list":
		a.list(n, level)
	case "disp-formula":
		// The number stands behind the formula in print, before it in the file.
		a.text(edb.KindFormula, sentence(jatsText(without(n, "label")), jatsText(n.Child("label"))))
	case "code", "preformat":
		a.text(edb.KindCode, strings.Trim(n.Raw(), "\r\n"))
	case "fn":
		a.mixed(n, edb.KindFootnote, level)
	default:
		a.kids(n, level)
	}
}

// mixed adds running text as elements of the kind, and the blocks that stand inside of it. A mark that
// stands before them (of a footnote) belongs to the first text.
func (a *jatsReader) mixed(n *xmltree.Node, kind string, level int) {
	if mark := n.Child("label"); mark != nil {
		if p := n.Child("p"); p != nil {
			p.Kids = append([]*xmltree.Node{mark, {Data: " "}}, p.Kids...)
			n = without(n, "label")
		}
	}
	without(n, "fn").Split(jatsBlocks, func(run *xmltree.Node) {
		a.text(kind, jatsText(run))
	}, func(k *xmltree.Node) {
		if k.Name == "p" {
			a.mixed(k, kind, level)
			return
		}
		a.block(k, level)
	})
	for _, k := range n.Kids { // as in print, behind the text that points at them
		if k.Name == "fn" {
			a.block(k, level)
		}
	}
}

// without is a node without its children of the name.
func without(n *xmltree.Node, name string) *xmltree.Node {
	c := *n
	c.Kids = nil
	for _, k := range n.Kids {
		if k.Name != name {
			c.Kids = append(c.Kids, k)
		}
	}
	return &c
}

// jatsCaption is what is printed with a figure, a table or a file: label, title and paragraphs.
func jatsCaption(n *xmltree.Node) string {
	return sentence(jatsText(n.Child("label")), jatsText(n.Child("caption")))
}

func jatsTable(n *xmltree.Node) htmlTable {
	if n.Child("tgroup") != nil {
		return tableOfCells(xmltree.CALS(n, jatsText))
	}
	return tableOfCells(xmltree.Rows(n, jatsText))
}

// tables adds the tables of a table-wrap; one that is a picture is a figure. The notes below it are
// footnotes.
func (a *jatsReader) tables(n *xmltree.Node, level int) {
	caption, found := jatsCaption(n), false
	for t := range n.All("table") {
		a.table(caption, jatsTable(t))
		caption, found = "", true
	}
	if !found && caption != "" {
		a.figure(caption)
	}
	for foot := range n.All("table-wrap-foot") {
		for _, k := range foot.Kids {
			if k.Name == "p" {
				a.mixed(k, edb.KindFootnote, level)
				continue
			}
			a.block(k, level)
		}
	}
}

func (a *jatsReader) list(n *xmltree.Node, level int) {
	a.text(edb.KindParagraph, jatsText(n.Child("title")))
	for _, k := range n.Kids {
		switch k.Name {
		case "list-item":
			a.item(k, level)
		case "def-item":
			a.text(edb.KindListItem, sentence(jatsText(k.Child("term")), jatsText(k.Child("def"))))
		case "list", "def-list":
			a.list(k, level)
		}
	}
}

// item adds an item of a list, an element for each of its paragraphs; the lists inside of it follow.
func (a *jatsReader) item(n *xmltree.Node, level int) {
	for _, k := range n.Kids {
		switch k.Name {
		case "label": // printed as a number or a dot
		case "", "p":
			a.mixed(&xmltree.Node{Name: "p", Kids: []*xmltree.Node{k}}, edb.KindListItem, level)
		default:
			a.block(k, level)
		}
	}
}

// jatsReference is an entry of the list of references. A citation that is written out is taken as
// it is; of one that is only data, the parts are joined as lists of references print them.
func jatsReference(n *xmltree.Node) string {
	out := []string{jatsText(n.Child("label"))}
	for _, k := range n.Kids {
		switch k.Name {
		case "mixed-citation", "element-citation", "citation", "nlm-citation", "citation-alternatives", "note":
			if spoken(k) {
				out = append(out, jatsText(k))
			} else {
				out = append(out, jatsCitation(k))
			}
		}
	}
	return sentence(out...)
}

// spoken says whether text stands between the parts of a node.
func spoken(n *xmltree.Node) bool {
	for _, k := range n.Kids {
		if k.Name == "" && strings.TrimSpace(k.Data) != "" {
			return true
		}
	}
	return false
}

func jatsCitation(n *xmltree.Node) string {
	var parts []string
	for _, k := range n.Kids {
		switch k.Name {
		case "":
		case "person-group":
			var people []string
			for _, p := range k.Kids {
				if p.Name != "" {
					people = append(people, sentence(jatsText(p.Child("surname")), jatsText(p.Child("given-names")), p.Child("collab").Text(jatsUnseen, jatsApart), bare(p)))
				}
			}
			parts = append(parts, strings.Join(people, ", "))
		case "lpage":
			if last := len(parts) - 1; last >= 0 && n.Child("fpage") != nil {
				parts[last] += "–" + jatsText(k)
				continue
			}
			parts = append(parts, jatsText(k))
		case "pub-id":
		default:
			if s := jatsText(k); s != "" {
				parts = append(parts, s)
			}
		}
	}
	return strings.Join(parts, ", ")
}

// bare is the text of a node without elements.
func bare(n *xmltree.Node) string {
	for _, k := range n.Kids {
		if k.Name != "" {
			return ""
		}
	}
	return n.Text(nil, nil)
}
