package datasets

import (
	"strconv"
	"strings"
)

// maxXMLSpan is the widest span of a cell that is believed; wider ones count as 1.
const maxXMLSpan = 1000

func xmlSpan(s string) int {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 1 || n > maxXMLSpan {
		return 1
	}
	return n
}

// xmlGrid reads a table of tr, td and th with their spans. Rows of a tfoot stand where they are
// printed, at the end.
func xmlGrid(table *xmlNode, text func(*xmlNode) string) grid {
	var g, foot grid
	var rows func(n *xmlNode, to *grid)
	rows = func(n *xmlNode, to *grid) {
		for _, k := range n.Kids {
			switch k.Name {
			case "tr":
				row := make([]gridCell, 0, len(k.Kids))
				for _, c := range k.Kids {
					if c.Name == "td" || c.Name == "th" {
						row = append(row, gridCell{text: text(c), rows: xmlSpan(c.attr("rowspan")), cols: xmlSpan(c.attr("colspan")), head: c.Name == "th"})
					}
				}
				if len(row) > 0 {
					to.rows = append(to.rows, row)
				}
			case "thead", "tbody":
				rows(k, to)
			case "tfoot":
				rows(k, &foot)
			}
		}
	}
	rows(table, &g)
	g.rows = append(g.rows, foot.rows...)
	return g
}

// calsGrid reads a table of the CALS model: one or more tgroup with thead, tbody, row and entry,
// whose spans are names of columns (namest, nameend) and morerows. Names of elements count in
// lower case.
func calsGrid(table *xmlNode, text func(*xmlNode) string) grid {
	var g grid
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
			if n, err := strconv.Atoi(k.attr("colnum")); err == nil && n > 0 && n <= maxXMLSpan {
				next = n - 1
			}
			if name := k.attr("colname"); name != "" {
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
				var row []gridCell
				for _, e := range r.Kids {
					if strings.ToLower(e.Name) == "entry" {
						row = append(row, calsCell(e, columns, kind == "thead", text))
					}
				}
				if len(row) > 0 {
					g.rows = append(g.rows, row)
				}
			}
		}
	}
	return g
}

func calsCell(e *xmlNode, columns map[string]int, head bool, text func(*xmlNode) string) gridCell {
	c := gridCell{text: text(e), rows: 1, cols: 1, head: head}
	first, ok := columns[e.attr("namest")]
	last, ok2 := columns[e.attr("nameend")]
	if ok && ok2 && last >= first && last-first < maxXMLSpan {
		c.cols = last - first + 1
	}
	if n, err := strconv.Atoi(e.attr("morerows")); err == nil && n > 0 && n < maxXMLSpan {
		c.rows = n + 1
	}
	return c
}
