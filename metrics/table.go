package metrics

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"enterprisedocbench/internal/tokens"
)

// Table is a table as TEDS sees it: rows of cells. Where a row or column span covers a place, no
// cell stands there.
type Table struct {
	Rows [][]Cell
	raw  *node // the markup, for compat=pubtabnet
}

// Cell is one cell: its text normalised by tokens.Normalize with inline markup taken away, and its
// spans, from 1.
type Cell struct {
	Text             string
	ColSpan, RowSpan int
}

// ParseTables reads every table of an HTML text, in order; a table inside a cell is that cell's
// text. The reader is tolerant: cells without a row, rows without a table body, missing end tags,
// th for td. Cells outside any table element are no table.
func ParseTables(markup string) []Table {
	var out []Table
	for _, n := range parseMarkup(markup).find("table", nil) {
		t := Table{raw: n}
		t.collect(n)
		out = append(out, t)
	}
	return out
}

// Cells is the number of cells.
func (t Table) Cells() (n int) {
	for _, r := range t.Rows {
		n += len(r)
	}
	return n
}

// nodes is the size of the tree without its root: rows and cells.
func (t Table) nodes() int { return len(t.Rows) + t.Cells() }

func (t *Table) collect(n *node) {
	implied := false // the last row was made for cells that stand outside any row
	for _, c := range n.children {
		switch c.tag {
		case "tr":
			row := []Cell{}
			c.cells(&row)
			t.Rows = append(t.Rows, row)
			implied = false
		case "td", "th":
			if !implied {
				t.Rows = append(t.Rows, nil)
				implied = true
			}
			last := &t.Rows[len(t.Rows)-1]
			*last = append(*last, c.cell())
		case "table", "caption", "":
		default: // thead, tbody, tfoot, form, ...
			t.collect(c)
		}
	}
}

// cells appends the cells of a row, also those wrapped in something else.
func (n *node) cells(row *[]Cell) {
	for _, c := range n.children {
		switch c.tag {
		case "td", "th":
			*row = append(*row, c.cell())
		case "":
		default:
			c.cells(row)
		}
	}
}

func (n *node) cell() Cell {
	var b strings.Builder
	n.plain(&b)
	return Cell{Text: tokens.Normalize(b.String()), ColSpan: n.span("colspan", 1000), RowSpan: n.span("rowspan", 65534)}
}

func (n *node) span(name string, most int) int {
	v, err := strconv.Atoi(strings.TrimSpace(n.attr[name]))
	if err != nil || v < 1 {
		return 1
	}
	return min(v, most)
}

// block holds the elements that end a word of running text.
var block = map[string]bool{"br": true, "p": true, "div": true, "li": true, "ul": true, "ol": true, "tr": true, "td": true, "th": true, "table": true, "hr": true}

// plain writes the text below a node, a space where a block element begins or ends.
func (n *node) plain(b *strings.Builder) {
	for _, c := range n.children {
		if c.tag == "" {
			b.WriteString(c.text)
			continue
		}
		if block[c.tag] {
			b.WriteByte(' ')
		}
		c.plain(b)
		if block[c.tag] {
			b.WriteByte(' ')
		}
	}
}

// node is markup as written: no implied elements. A text node has no tag.
type node struct {
	tag, text string
	attr      map[string]string
	children  []*node
}

// find lists the topmost descendants with a tag.
func (n *node) find(tag string, out []*node) []*node {
	for _, c := range n.children {
		if c.tag == tag {
			out = append(out, c)
		} else {
			out = c.find(tag, out)
		}
	}
	return out
}

// elements counts the element descendants.
func (n *node) elements() (count int) {
	for _, c := range n.children {
		if c.tag != "" {
			count += 1 + c.elements()
		}
	}
	return count
}

var void = map[string]bool{"area": true, "base": true, "br": true, "col": true, "embed": true, "hr": true, "img": true, "input": true, "link": true, "meta": true, "source": true, "track": true, "wbr": true}

// closes says which open elements a start tag ends, looked for no further up than a table.
var closes = map[string][]string{
	"td": {"td", "th"}, "th": {"td", "th"}, "tr": {"td", "th", "tr"},
	"tbody": {"td", "th", "tr", "tbody", "thead", "tfoot"}, "thead": {"td", "th", "tr", "tbody", "thead", "tfoot"}, "tfoot": {"td", "th", "tr", "tbody", "thead", "tfoot"},
}

// maxDepth bounds the nesting that is followed; deeper markup is flattened.
const maxDepth = 200

func parseMarkup(markup string) *node {
	root := &node{tag: "root"}
	stack := []*node{root}
	z := html.NewTokenizer(strings.NewReader(markup))
	hidden := "" // inside script or style
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return root
		}
		top := stack[len(stack)-1]
		switch kind {
		case html.TextToken:
			if hidden == "" {
				top.children = append(top.children, &node{text: string(z.Text())})
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			raw, more := z.TagName()
			n := &node{tag: string(raw)}
			for more {
				var k, v []byte
				k, v, more = z.TagAttr()
				if n.attr == nil {
					n.attr = map[string]string{}
				}
				if _, twice := n.attr[string(k)]; !twice {
					n.attr[string(k)] = string(v)
				}
			}
			stack = closeFor(stack, n.tag)
			top = stack[len(stack)-1]
			if n.tag == "script" || n.tag == "style" {
				hidden = n.tag
				continue
			}
			top.children = append(top.children, n)
			if kind == html.StartTagToken && !void[n.tag] && len(stack) < maxDepth {
				stack = append(stack, n)
			}
		case html.EndTagToken:
			raw, _ := z.TagName()
			tag := string(raw)
			if tag == hidden {
				hidden = ""
				continue
			}
			for i := len(stack) - 1; i > 0; i-- {
				if stack[i].tag == tag {
					stack = stack[:i]
					break
				}
				if stack[i].tag == "table" && tag != "table" {
					break // an end tag inside a table closes nothing outside it
				}
			}
		}
	}
}

func closeFor(stack []*node, tag string) []*node {
	list := closes[tag]
	if list == nil {
		return stack
	}
	cut := len(stack)
	for i := len(stack) - 1; i > 0 && stack[i].tag != "table"; i-- {
		for _, t := range list {
			if stack[i].tag == t {
				cut = i
			}
		}
	}
	return stack[:cut]
}
