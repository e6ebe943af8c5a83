package datasets

import (
	"strings"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/xmltree"
)

// article is the gold of one JATS article: title as the heading of level 1, sections from level 2.
type article struct {
	blocks
	title, lang, date string
}

// Elements of JATS: what breaks words apart, what is no part of the running text, and what is a
// block of its own inside of a paragraph.
var (
	jatsApart   = xmltree.Set("break", "p", "title", "label", "sec", "list-item", "td", "th", "tr", "mtr", "disp-formula")
	jatsUnseen  = xmltree.Set("object-id", "annotation", "annotation-xml", "tex-math", "graphic", "inline-graphic", "alt-text", "long-desc", "permissions", "comment", "element-citation", "mixed-citation", "x")
	jatsMembers = xmltree.Set("contrib-group", "xref", "contrib-id")
	jatsBlocks  = xmltree.Set("fig", "fig-group", "table-wrap", "table-wrap-group", "list", "def-list", "disp-formula", "disp-formula-group", "boxed-text", "disp-quote",
		"supplementary-material", "media", "code", "preformat", "fn", "fn-group", "sec", "p", "verse-group", "statement", "speech")
)

func jatsText(n *xmltree.Node) string { return n.Text(jatsUnseen, jatsApart) }

func readArticle(root *xmltree.Node) *article {
	a := &article{date: jatsDate(root)}
	if l := root.Attr("lang"); len(l) >= 2 {
		a.lang = strings.ToLower(l[:2])
	}
	meta := root.Child("front", "article-meta")
	a.title = jatsText(withoutNotes(meta.Child("title-group", "article-title")))
	a.heading(1, a.title)
	a.credits(meta)
	for s := range meta.All("abstract") {
		a.section(s, 2)
	}
	for k := range meta.All("kwd-group") {
		a.keywords(k)
	}
	a.walk(root.Child("body"), 1)
	if back := root.Child("back"); back != nil {
		for _, k := range back.Kids {
			a.block(k, 1)
		}
	}
	a.walk(root.Child("floats-group"), 1)
	return a
}

// withoutNotes is a node without the footnotes and references to them that its title carries.
func withoutNotes(n *xmltree.Node) *xmltree.Node {
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

// credits adds the authors as "Given Surname, Given Surname", as articles print them, and their
// institutions. Editors and members of groups are left out.
func (a *article) credits(meta *xmltree.Node) {
	if meta == nil {
		return
	}
	var people []string
	var places []*xmltree.Node
	for _, k := range meta.Kids {
		if k.Name == "aff" {
			places = append(places, k)
		}
		if k.Name != "contrib-group" {
			continue
		}
		before := len(people)
		for _, c := range k.Kids {
			if c.Name == "contrib" && (c.Attr("contrib-type") == "" || c.Attr("contrib-type") == "author") {
				name := c.Child("name")
				people = append(people, strings.TrimSpace(jatsText(name.Child("given-names"))+" "+jatsText(name.Child("surname"))+" "+c.Child("collab").Text(jatsMembers, jatsApart)))
			}
		}
		for _, c := range k.Kids {
			if c.Name == "aff" && len(people) > before {
				places = append(places, c)
			}
		}
	}
	a.paragraph(strings.Join(people, ", "))
	for _, p := range places {
		a.paragraph(jatsText(p))
	}
}

func (a *article) keywords(n *xmltree.Node) {
	var out []string
	for k := range n.All("kwd") {
		out = append(out, jatsText(k))
	}
	a.heading(2, jatsText(n.Child("title")))
	a.paragraph(strings.Join(out, ", "))
}

// section adds the heading of a section at the level and what is below it.
func (a *article) section(n *xmltree.Node, level int) {
	a.heading(level, strings.TrimSpace(jatsText(n.Child("label"))+" "+jatsText(withoutNotes(n.Child("title")))))
	a.walk(n, level)
}

// walk adds the blocks of a node whose own heading has the level.
func (a *article) walk(n *xmltree.Node, level int) {
	if n == nil {
		return
	}
	for _, k := range n.Kids {
		a.block(k, level)
	}
}

func (a *article) block(n *xmltree.Node, level int) {
	switch n.Name {
	case "", "title", "label", "ref-list", "sub-article", "response", "object-id", "permissions", "graphic", "notes":
	case "sec", "app", "ack", "glossary", "fn-group", "boxed-text", "abstract":
		if n.Name == "boxed-text" && n.Child("caption") != nil {
			a.heading(level+1, strings.TrimSpace(jatsText(n.Child("label"))+" "+jatsText(n.Child("caption", "title"))))
			a.walk(n.Child("caption"), level+1)
			a.walk(n, level+1)
			return
		}
		a.section(n, level+1)
	case "caption": // of a box, added with its heading
	case "p":
		a.mixed(n, edb.KindParagraph, level)
	case "fig":
		a.figure(caption(n))
	case "media":
		if n.Child("label") != nil || n.Child("caption") != nil {
			a.figure(caption(n))
		}
	case "supplementary-material":
		a.paragraph(caption(n))
	case "table-wrap":
		a.tableWrap(n, level)
	case "list", "def-list":
		a.list(n, level)
	case "disp-formula":
		a.add(edb.Element{Kind: edb.KindFormula, Text: jatsText(n)})
	case "code", "preformat":
		a.add(edb.Element{Kind: edb.KindCode, Text: strings.Trim(n.Raw(), "\r\n")})
	case "fn":
		a.mixed(n, edb.KindFootnote, level)
	default:
		a.walk(n, level)
	}
}

// mixed adds a paragraph, item or footnote, cut at the blocks that stand inside it.
func (a *article) mixed(n *xmltree.Node, kind string, level int) {
	n.Split(jatsBlocks, func(text *xmltree.Node) {
		a.add(edb.Element{Kind: kind, Text: jatsText(text)})
	}, func(k *xmltree.Node) {
		if k.Name == "p" && kind != edb.KindParagraph {
			a.mixed(k, kind, level)
			return
		}
		a.block(k, level)
	})
}

// caption is what is printed with a figure, table or file: its label, title and paragraphs.
func caption(n *xmltree.Node) string {
	return strings.TrimSpace(jatsText(n.Child("label")) + " " + jatsText(n.Child("caption")))
}

func (a *article) tableWrap(n *xmltree.Node, level int) {
	text := caption(n)
	found := false
	for t := range n.All("table") {
		a.table(text, xmlGrid(xmltree.Rows(t, jatsText)))
		text, found = "", true
	}
	if !found && text != "" { // printed as a picture
		a.figure(text)
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

func (a *article) list(n *xmltree.Node, level int) {
	for _, k := range n.Kids {
		switch k.Name {
		case "list-item", "def-item":
			a.item(k, level)
		case "title":
			a.paragraph(jatsText(k))
		}
	}
}

// item adds an item of a list, an element for each of its paragraphs, and the lists inside it.
func (a *article) item(n *xmltree.Node, level int) {
	for _, k := range n.Kids {
		switch k.Name {
		case "label", "": // printed as a number or dot
		case "p", "term", "def":
			a.mixed(k, edb.KindListItem, level)
		case "list", "def-list":
			a.list(k, level)
		default:
			a.block(k, level)
		}
	}
}
