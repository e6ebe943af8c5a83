package datasets

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlGrid reads the first table of a piece of markup: <table> with its rows wherever they stand in
// it, or bare rows. Text of tables inside of a cell is text of the cell. False: there is no cell.
func htmlGrid(markup string) (grid, bool) {
	var g grid
	if !strings.Contains(strings.ToLower(markup), "<table") {
		markup = "<table>" + markup + "</table>"
	}
	root, err := html.Parse(strings.NewReader(markup))
	if err != nil {
		return g, false
	}
	var table *html.Node
	cells := 0
	for n := range root.Descendants() {
		switch {
		case table == nil && n.DataAtom == atom.Table:
			table = n
		case table == nil || n.DataAtom != atom.Tr || enclosing(n) != table:
		default:
			var row []gridCell
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				if c.DataAtom == atom.Td || c.DataAtom == atom.Th {
					row = append(row, gridCell{text: nodeText(c), rows: spanOf(c, "rowspan"), cols: spanOf(c, "colspan")})
				}
			}
			g.rows = append(g.rows, row)
			cells += len(row)
		}
	}
	return g, cells > 0
}

// enclosing is the innermost table around a node.
func enclosing(n *html.Node) *html.Node {
	for n = n.Parent; n != nil && n.DataAtom != atom.Table; {
		n = n.Parent
	}
	return n
}

// maxSpan is the widest span that is believed; wider ones are read as 1.
const maxSpan = 1000

func spanOf(n *html.Node, key string) int {
	for _, a := range n.Attr {
		if v, err := strconv.Atoi(strings.TrimSpace(a.Val)); a.Key == key && err == nil && v > 0 && v <= maxSpan {
			return v
		}
	}
	return 1
}

// nodeText is the text of a node with white space squeezed; blocks stand apart.
func nodeText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		switch d.DataAtom {
		case 0:
			if d.Type == html.TextNode {
				b.WriteString(d.Data)
			}
		case atom.Br, atom.P, atom.Div, atom.Li, atom.Tr, atom.Td:
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
