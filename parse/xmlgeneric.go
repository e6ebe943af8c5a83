package parse

import (
	"context"
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/internal/xmltree"
)

// XML reads documents in XML whose vocabulary it does not know (drug labels, patents, anything):
// text in document order, cut where the elements end. Elements called title, head, heading and the
// like are headings, whose level is how many titled elements stand around them; rows and cells make
// tables (HTML and CALS), items of lists are list items, the rest is paragraphs. A single word that is
// an element's whole text (a code, a date, a number) is taken for data and left out, and so is what
// stands in attributes. The result has one page, number 1, and is not paged. Errors are Missing, Damaged or TooLarge.
type XML struct{}

var _ Parser = XML{}

// Parse implements Parser.
func (XML) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	return parseBytes(ctx, src, parseXML)
}

// Names, in lower case, that mean the same in most vocabularies.
var (
	xmlTitles  = xmltree.Set("title", "head", "heading", "subtitle", "h", "h1", "h2", "h3", "h4", "h5", "h6", "doctitle", "headline")
	xmlParas   = xmltree.Set("p", "para", "paragraph", "ptext", "stext", "simpara", "abstract-text", "line", "verse", "footnote", "note")
	xmlItems   = xmltree.Set("li", "item", "list-item", "listitem", "dt", "dd", "claim", "clm")
	xmlFormula = xmltree.Set("math", "maths", "formula", "disp-formula", "equation")
	xmlCode    = xmltree.Set("pre", "code", "programlisting", "literallayout", "preformat", "screen")
)

func parseXML(b []byte) (edb.Parsed, error) {
	root, err := readXML(b)
	if err != nil {
		return edb.Parsed{}, err
	}
	x := &xmlReader{inline: map[string]bool{}}
	x.learn(root)
	x.node(root, 0, edb.KindParagraph)
	return onePage(Spec{Engine: "xml"}.Label(), x.els, ""), nil
}

type xmlReader struct {
	flow
	// inline are the elements that stand beside running text somewhere in the document.
	inline map[string]bool
}

// learn finds the elements that stand in running text.
func (x *xmlReader) learn(n *xmltree.Node) {
	mixed := spoken(n)
	for _, k := range n.Kids {
		if k.Name == "" {
			continue
		}
		if mixed && !xmlBlock(k) {
			x.inline[k.Name] = true
		}
		x.learn(k)
	}
}

// xmlBlock says whether a node begins a block by what it is called or by what is in it.
func xmlBlock(n *xmltree.Node) bool {
	low := strings.ToLower(n.Name)
	return xmlTitles[low] || xmlParas[low] || xmlItems[low] || xmlCode[low] || isTable(n)
}

// isTable says whether a node is a table with rows.
func isTable(n *xmltree.Node) bool {
	return strings.EqualFold(n.Name, "table") && (tagged(n, "tr") || tagged(n, "tgroup"))
}

// tagged says whether an element of the name, in any case, stands below n.
func tagged(n *xmltree.Node, name string) bool {
	return slices.ContainsFunc(n.Kids, func(k *xmltree.Node) bool {
		return k.Name != "" && (strings.EqualFold(k.Name, name) || tagged(k, name))
	})
}

// read is what stands below n as one line; elements that are not inline part words.
func (x *xmlReader) read(n *xmltree.Node) string {
	var b strings.Builder
	var write func(n *xmltree.Node)
	write = func(n *xmltree.Node) {
		if n.Name == "" {
			b.WriteString(n.Data)
			return
		}
		if !x.inline[n.Name] {
			b.WriteByte(' ')
			defer b.WriteByte(' ')
		}
		for _, k := range n.Kids {
			write(k)
		}
	}
	for _, k := range n.Kids {
		write(k)
	}
	return squeeze(b.String())
}

// node adds what stands in n, below titles of the given depth, as elements of the kind.
func (x *xmlReader) node(n *xmltree.Node, depth int, kind string) {
	if n.Name == "" {
		x.text(kind, n.Data)
		return
	}
	low := strings.ToLower(n.Name)
	switch {
	case isTable(n):
		x.tables(n)
		return
	case xmlTitles[low]:
		x.heading(max(depth, 1), x.read(n))
		return
	case xmlCode[low]:
		if s := strings.Trim(n.Raw(), "\r\n"); strings.ContainsAny(strings.TrimSpace(s), " \t\n") {
			x.text(edb.KindCode, s)
		}
		return
	case xmlFormula[low]:
		x.text(edb.KindFormula, x.read(n))
		return
	case xmlItems[low]:
		kind = edb.KindListItem
	}
	if slices.ContainsFunc(n.Kids, func(k *xmltree.Node) bool { return xmlTitles[strings.ToLower(k.Name)] }) {
		depth++
	}
	if !spoken(n) && !xmlParas[low] && !xmlItems[low] && !x.onlyInline(n) {
		for _, k := range n.Kids {
			x.node(k, depth, kind)
		}
		return
	}
	var run []*xmltree.Node
	flush := func() {
		// A word alone outside of anything that is text by its name is data: a code, a date, a number.
		if s := x.read(&xmltree.Node{Name: n.Name, Kids: run}); kind == edb.KindListItem || xmlParas[low] || strings.Contains(s, " ") {
			x.text(kind, s)
		}
		run = nil
	}
	for _, k := range n.Kids {
		if k.Name != "" && (xmlBlock(k) || x.holdsBlock(k)) {
			flush()
			x.node(k, depth, kind)
			continue
		}
		run = append(run, k)
	}
	flush()
}

// onlyInline says whether all elements in n are such as stand in running text.
func (x *xmlReader) onlyInline(n *xmltree.Node) bool {
	some := false
	for _, k := range n.Kids {
		if k.Name != "" {
			if some = true; !x.inline[k.Name] {
				return false
			}
		}
	}
	return some
}

func (x *xmlReader) holdsBlock(n *xmltree.Node) bool {
	return slices.ContainsFunc(n.Kids, func(k *xmltree.Node) bool {
		return k.Name != "" && (xmlBlock(k) || x.holdsBlock(k))
	})
}

// tables adds a table with its caption or title.
func (x *xmlReader) tables(n *xmltree.Node) {
	caption := ""
	for _, k := range n.Kids {
		if low := strings.ToLower(k.Name); low == "caption" || low == "title" {
			caption = sentence(caption, x.read(k))
		}
	}
	rows := xmltree.Rows(n, x.read)
	if tagged(n, "tgroup") {
		rows = xmltree.CALS(n, x.read)
	}
	if len(rows) == 0 { // rows that stand deeper than in either model
		x.text(edb.KindParagraph, x.read(n))
		return
	}
	x.table(caption, tableOfCells(rows))
}
