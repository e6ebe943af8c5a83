package datasets

import (
	"context"
	"strconv"
	"strings"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/xmltree"
)

// importUSPTO reads patents and applications in the five formats that the US patent office has
// published since 2001: PAP and Red Book XML, and ST.32 SGML written as XML. Gold is what the XML says: title,
// abstract, description and claims, one list item a claim.
func importUSPTO(ctx context.Context, from, out string, opt ImportOptions) error {
	return importXML(ctx, from, out, opt, xmlCollection{
		info: Info{
			Name: "uspto", Version: "1",
			Licence:  "public domain: works of the US Government",
			Made:     "patents and applications as XML; gold is title, abstract, description, tables and claims; drawings and chemical structures are pictures that the files do not hold",
			Citation: "United States Patent and Trademark Office, bulk data; samples of PatentPublicData",
		},
		fix:   "name the folder with the patents as .xml",
		roots: []string{"us-patent-grant", "us-patent-application", "patent-application-publication", "PATDOC"},
		read: func(root *xmltree.Node, d *edb.Document) *blocks {
			p := &patent{}
			p.read(root, d)
			return &p.blocks
		},
		licence: edb.Licence{SPDX: "LicenseRef-US-Government-Work", Redistribute: true, Derivatives: true, Commercial: true,
			Evidence: "patents are published by the US patent office without copyright"},
	})
}

type patent struct{ blocks }

// Elements by their meaning, in the names of all formats.
var (
	patentTitle    = []string{"invention-title", "title-of-invention", "B540"}
	patentAbstract = []string{"abstract", "subdoc-abstract", "SDOAB"}
	patentBody     = []string{"description", "subdoc-description", "SDODE"}
	patentClaims   = []string{"us-claim-statement", "claims", "subdoc-claims", "SDOCL"}
	patentDrawings = []string{"drawings", "subdoc-drawings", "SDODR"}

	patentHeads  = xmltree.Set("heading", "H")
	patentParas  = xmltree.Set("p", "paragraph", "PARA", "us-claim-statement")
	patentTables = xmltree.Set("tables", "table-cwu", "TABLE-US", "table")
	patentMath   = xmltree.Set("maths", "MATH-US", "math-cwu")
	patentLists  = xmltree.Set("ul", "ol", "dl")
	patentItems  = xmltree.Set("li", "dt", "dd", "claim", "CLM")
	patentBlocks = func() map[string]bool {
		m := map[string]bool{}
		for _, set := range []map[string]bool{patentHeads, patentParas, patentTables, patentMath, patentLists, patentItems} {
			for k := range set {
				m[k] = true
			}
		}
		return m
	}()
	patentApart  = xmltree.Set("br", "claim-text", "CLMSTEP", "entry", "li", "p", "paragraph", "PARA", "mtr", "F")
	patentUnseen = xmltree.Set("img", "image", "EMI", "chemistry", "us-chemistry", "chemistry-cwu", "CHEM-US", "MATHEMATICA")
)

func patentText(n *xmltree.Node) string { return n.Text(patentUnseen, patentApart) }

// first gives the first element below n that has one of the names.
func first(n *xmltree.Node, list []string) *xmltree.Node {
	for _, name := range list {
		for k := range n.All(name) {
			return k
		}
	}
	return nil
}

func (p *patent) read(root *xmltree.Node, d *edb.Document) {
	d.Title, d.Domain, d.Doctype, d.Date = patentText(first(root, patentTitle)), "patents", "patent", patentDate(root)
	if strings.Contains(root.Name, "application") {
		d.Doctype = "patent-application"
	}
	p.heading(1, d.Title)
	p.flow(first(root, patentAbstract), edb.KindParagraph)
	p.flow(first(root, patentBody), edb.KindParagraph)
	for _, name := range patentClaims {
		for k := range root.All(name) {
			p.flow(k, edb.KindParagraph)
		}
	}
	d.Layout = p.layout()
	if k := first(root, patentDrawings); k != nil {
		for _, name := range []string{"figure", "EMI"} {
			for range k.All(name) {
				d.Layout.Figures++
			}
		}
	}
}

// patentDate is the day on which a patent or application was published, which stands first in all formats.
func patentDate(root *xmltree.Node) string {
	for _, name := range []string{"publication-reference", "B140", "document-id"} {
		for k := range root.All(name) {
			for _, date := range []string{"date", "DATE", "document-date"} {
				for d := range k.All(date) {
					return compactDate(d.Text(nil, nil))
				}
			}
		}
	}
	return compactDate(root.Attr("date-publ"))
}

// flow adds running text as elements of the kind and the blocks inside of it.
func (p *patent) flow(n *xmltree.Node, kind string) {
	if n == nil {
		return
	}
	n.Split(patentBlocks, func(run *xmltree.Node) {
		p.add(edb.Element{Kind: kind, Text: patentText(run)})
	}, func(k *xmltree.Node) {
		switch {
		case patentHeads[k.Name]:
			level, _ := strconv.Atoi(k.Attr("level") + k.Attr("lvl") + k.Attr("LVL"))
			p.heading(min(max(level, 1), 5)+1, patentText(k))
		case patentTables[k.Name]:
			p.tables(k)
		case patentMath[k.Name]:
			p.add(edb.Element{Kind: edb.KindFormula, Text: patentText(k)})
		case k.Name == "claim" || k.Name == "CLM":
			p.add(edb.Element{Kind: edb.KindListItem, Text: patentText(k)})
		case patentItems[k.Name]:
			p.flow(k, edb.KindListItem)
		default:
			p.flow(k, kind)
		}
	})
}

func (p *patent) tables(n *xmltree.Node) {
	if n.Name == "table" {
		p.table("", xmlGrid(xmltree.CALS(n, patentText)))
		return
	}
	for t := range n.All("table") {
		p.table("", xmlGrid(xmltree.CALS(t, patentText)))
	}
}
