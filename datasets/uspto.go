package datasets

import (
	"context"
	"strconv"
	"strings"

	edb "enterprisedocbench"
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
		read: func(root *xmlNode, d *edb.Document) *blocks {
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

	patentHeads  = names("heading", "H")
	patentParas  = names("p", "paragraph", "PARA", "us-claim-statement")
	patentTables = names("tables", "table-cwu", "TABLE-US", "table")
	patentMath   = names("maths", "MATH-US", "math-cwu")
	patentLists  = names("ul", "ol", "dl")
	patentItems  = names("li", "dt", "dd", "claim", "CLM")
	patentBlocks = func() map[string]bool {
		m := map[string]bool{}
		for _, set := range []map[string]bool{patentHeads, patentParas, patentTables, patentMath, patentLists, patentItems} {
			for k := range set {
				m[k] = true
			}
		}
		return m
	}()
	patentApart  = names("br", "claim-text", "CLMSTEP", "entry", "li", "p", "paragraph", "PARA", "mtr", "F")
	patentUnseen = names("img", "image", "EMI", "chemistry", "us-chemistry", "chemistry-cwu", "CHEM-US", "MATHEMATICA")
)

func patentText(n *xmlNode) string { return n.text(patentUnseen, patentApart) }

// first gives the first element below n that has one of the names.
func (n *xmlNode) first(list []string) *xmlNode {
	for _, name := range list {
		for k := range n.all(name) {
			return k
		}
	}
	return nil
}

func (p *patent) read(root *xmlNode, d *edb.Document) {
	d.Title, d.Domain, d.Doctype = patentText(root.first(patentTitle)), "patents", "patent"
	if strings.Contains(root.Name, "application") {
		d.Doctype = "patent-application"
	}
	p.heading(1, d.Title)
	p.flow(root.first(patentAbstract), edb.KindParagraph)
	p.flow(root.first(patentBody), edb.KindParagraph)
	for _, name := range patentClaims {
		for k := range root.all(name) {
			p.flow(k, edb.KindParagraph)
		}
	}
	d.Layout = p.layout()
	if k := root.first(patentDrawings); k != nil {
		for _, name := range []string{"figure", "EMI"} {
			for range k.all(name) {
				d.Layout.Figures++
			}
		}
	}
}

// flow adds running text as elements of the kind and the blocks inside of it.
func (p *patent) flow(n *xmlNode, kind string) {
	if n == nil {
		return
	}
	n.split(patentBlocks, func(run *xmlNode) {
		p.add(edb.Element{Kind: kind, Text: patentText(run)})
	}, func(k *xmlNode) {
		switch {
		case patentHeads[k.Name]:
			level, _ := strconv.Atoi(k.attr("level") + k.attr("lvl") + k.attr("LVL"))
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

func (p *patent) tables(n *xmlNode) {
	if n.Name == "table" {
		p.table("", calsGrid(n, patentText))
		return
	}
	for t := range n.all("table") {
		p.table("", calsGrid(t, patentText))
	}
}
