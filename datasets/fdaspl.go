package datasets

import (
	"context"
	"strconv"
	"strings"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/xmltree"
)

// importFDASPL reads drug labels as Structured Product Labeling, the XML of the FDA. Gold is what the
// XML says. The first element of a section carries the section's LOINC code as its ID: "34089-3",
// and "34089-3.2" for the second section of that code.
func importFDASPL(ctx context.Context, from, out string, opt ImportOptions) error {
	return importXML(ctx, from, out, opt, xmlCollection{
		info: Info{
			Name: "fda_spl", Version: "1",
			Licence:  "CC0-1.0 (openFDA); the labels are public FDA documents",
			Made:     "drug labels as SPL XML; gold is what the XML says, with LOINC codes as IDs; data on ingredients and packages is no text of the label",
			Citation: "US Food and Drug Administration, Structured Product Labeling; files of openFDA",
		},
		fix:   "name the folder with the labels as .xml",
		roots: []string{"document"},
		read: func(root *xmltree.Node, d *edb.Document) *blocks {
			l := &label{codes: map[string]int{}}
			d.Title, d.Domain, d.Doctype = splText(root.Child("title")), "health", "drug-label"
			if k := root.Child("effectiveTime"); k != nil {
				d.Date = compactDate(k.Attr("value"))
			}
			l.heading(1, d.Title)
			for _, c := range root.Kids {
				if c.Name == "component" {
					l.component(c, 2)
				}
			}
			return &l.blocks
		},
		licence: edb.Licence{SPDX: "CC0-1.0", Redistribute: true, Derivatives: true, Commercial: true,
			Evidence: "openFDA gives its data under CC0-1.0; labels are public FDA documents"},
	})
}

type label struct {
	blocks
	codes map[string]int
}

var (
	splApart  = xmltree.Set("br", "paragraph", "item", "td", "th", "tr", "caption", "title")
	splUnseen = xmltree.Set("observationMedia")
	splBlocks = xmltree.Set("paragraph", "list", "table", "renderMultiMedia")
)

func splText(n *xmltree.Node) string { return n.Text(splUnseen, splApart) }

// component adds the sections below a component, a structured body or a section; their headings
// have the level.
func (l *label) component(n *xmltree.Node, level int) {
	for _, k := range n.Kids {
		switch k.Name {
		case "section":
			l.section(k, level)
		case "component", "structuredBody":
			l.component(k, level)
		}
	}
}

func (l *label) section(n *xmltree.Node, level int) {
	first := len(l.els)
	for _, k := range n.Kids {
		switch k.Name {
		case "title":
			l.heading(level, splText(k))
		case "text", "excerpt":
			l.text(k, edb.KindParagraph)
		}
	}
	if code := n.Child("code").Attr("code"); code != "" && len(l.els) > first {
		if l.codes[code]++; l.codes[code] > 1 {
			code += "." + strconv.Itoa(l.codes[code])
		}
		if id := l.els[first].ID; strings.HasPrefix(id, "e") { // tables and figures keep theirs: captions name them
			l.els[first].ID = code
		}
	}
	l.component(n, level+1)
}

// text adds running text as elements of the kind, and the blocks inside of it.
func (l *label) text(n *xmltree.Node, kind string) {
	n.Split(splBlocks, func(run *xmltree.Node) {
		l.add(edb.Element{Kind: kind, Text: splText(run)})
	}, func(k *xmltree.Node) {
		switch k.Name {
		case "paragraph":
			l.text(k, kind)
		case "list":
			if c := k.Child("caption"); c != nil {
				l.paragraph(splText(c))
			}
			for _, item := range k.Kids {
				if item.Name == "item" {
					l.text(item, edb.KindListItem)
				}
			}
		case "table":
			l.table(splText(k.Child("caption")), xmlGrid(xmltree.Rows(k, splText)))
		case "renderMultiMedia":
			l.figure(splText(k.Child("caption")))
		}
	})
}
