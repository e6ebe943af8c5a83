package xmltree

import (
	"strconv"
	"strings"
)

// Cell is a cell of a table as the markup says it. Rows and Cols are its spans, from 1.
type Cell struct {
	Text       string
	Rows, Cols int
	Head       bool
}

// maxSpan is the widest span of a cell that is believed; wider ones count as 1.
const maxSpan = 1000

func span(s string) int {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 1 || n > maxSpan {
		return 1
	}
	return n
}

// Rows reads a table of tr, td and th with their spans; text gives the text of a cell. Rows of a tfoot stand where they are
// printed, at the end.
func Rows(table *Node, text func(*Node) string) [][]Cell {
	var g, foot [][]Cell
	var rows func(n *Node, to *[][]Cell)
	rows = func(n *Node, to *[][]Cell) {
		for _, k := range n.Kids {
			switch k.Name {
			case "tr":
				row := make([]Cell, 0, len(k.Kids))
				for _, c := range k.Kids {
					if c.Name == "td" || c.Name == "th" {
						row = append(row, Cell{Text: text(c), Rows: span(c.Attr("rowspan")), Cols: span(c.Attr("colspan")), Head: c.Name == "th"})
					}
				}
				if len(row) > 0 {
					*to = append(*to, row)
				}
			case "thead", "tbody":
				rows(k, to)
			case "tfoot":
				rows(k, &foot)
			}
		}
	}
	rows(table, &g)
	return append(g, foot...)
}

// CALS reads a table of the CALS model: one or more tgroup with thead, tbody, row and entry,
// whose spans are names of columns (namest, nameend) and morerows. Names of elements count in
// lower case.
func CALS(table *Node, text func(*Node) string) [][]Cell {
	var g [][]Cell
	for _, group := range table.Kids {
		if strings.ToLower(group.Name) != "tgroup" {
			continue
		}
		columns := map[string]int{}
		next := 0
		for _, k := range group.Kids {
			if strings.ToLower(k.Name) != "colspec" {
				continue
			}
			if n, err := strconv.Atoi(k.Attr("colnum")); err == nil && n > 0 && n <= maxSpan {
				next = n - 1
			}
			if name := k.Attr("colname"); name != "" {
				columns[name] = next
			}
			next++
		}
		for _, k := range group.Kids {
			kind := strings.ToLower(k.Name)
			if kind != "thead" && kind != "tbody" && kind != "tfoot" {
				continue
			}
			for _, r := range k.Kids {
				if strings.ToLower(r.Name) != "row" {
					continue
				}
				var row []Cell
				for _, e := range r.Kids {
					if strings.ToLower(e.Name) == "entry" {
						row = append(row, calsCell(e, columns, kind == "thead", text))
					}
				}
				if len(row) > 0 {
					g = append(g, row)
				}
			}
		}
	}
	return g
}

func calsCell(e *Node, columns map[string]int, head bool, text func(*Node) string) Cell {
	c := Cell{Text: text(e), Rows: 1, Cols: 1, Head: head}
	first, ok := columns[e.Attr("namest")]
	last, ok2 := columns[e.Attr("nameend")]
	if ok && ok2 && last >= first && last-first < maxSpan {
		c.Cols = last - first + 1
	}
	if n, err := strconv.Atoi(e.Attr("morerows")); err == nil && n > 0 && n < maxSpan {
		c.Rows = n + 1
	}
	return c
}
