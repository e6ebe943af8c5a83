package metrics

import (
	"strconv"
	"strings"

	"enterprisedocbench"
)

// factTable is a table as facts see it: cells on a grid, each over all places that its spans cover.
type factTable struct {
	cells []factCell
	grid  [][]int // row, column: index of the cell, -1 where none stands
}

type factCell struct {
	text                     string
	head                     bool
	row, col, rowEnd, colEnd int // ends excluded
}

// widest bounds the columns of a grid; what stands further right is left out.
const widest = 2000

func newFactTable(table *node) factTable {
	var t factTable
	var rows []*node
	heads := map[*node]bool{}
	var walk func(n *node, head bool)
	walk = func(n *node, head bool) {
		for _, c := range n.children {
			if c.tag == "tr" {
				rows = append(rows, c)
				heads[c] = head
			}
			walk(c, head || c.tag == "thead")
		}
	}
	walk(table, false)
	t.grid = make([][]int, len(rows))
	for r, tr := range rows {
		col := 0
		for _, n := range tr.children {
			if n.tag != "td" && n.tag != "th" {
				continue
			}
			for t.at(r, col) >= 0 {
				col++
			}
			down := n.span("rowspan", 1<<15)
			if v, err := strconv.Atoi(strings.TrimSpace(n.attr["rowspan"])); err == nil && v == 0 {
				down = len(rows)
			}
			c := factCell{text: factText(n.factText()), head: n.tag == "th" || heads[tr], row: r, col: col,
				rowEnd: min(r+down, len(rows)), colEnd: col + n.span("colspan", 1000)}
			if c.colEnd > widest {
				break
			}
			for i := c.row; i < c.rowEnd; i++ {
				for len(t.grid[i]) < c.colEnd {
					t.grid[i] = append(t.grid[i], -1)
				}
				for j := c.col; j < c.colEnd; j++ {
					t.grid[i][j] = len(t.cells)
				}
			}
			t.cells = append(t.cells, c)
			col = c.colEnd
		}
	}
	return t
}

// factText is the text of a cell with line breaks as such.
func (n *node) factText() string {
	var b strings.Builder
	var walk func(n *node)
	walk = func(n *node) {
		for _, c := range n.children {
			if c.tag == "" {
				b.WriteString(c.text)
			} else if c.tag == "br" {
				b.WriteByte('\n')
			}
			walk(c)
		}
	}
	walk(n)
	return b.String()
}

func (t *factTable) at(row, col int) int {
	if row < 0 || row >= len(t.grid) || col < 0 || col >= len(t.grid[row]) {
		return -1
	}
	return t.grid[row][col]
}

// next lists the cells that stand next to a cell in a direction, empty places skipped.
func (t *factTable) next(cell, down, right int) (out []int) {
	c := t.cells[cell]
	seen := map[int]bool{cell: true}
	look := func(row, col int) {
		for row >= 0 && row < len(t.grid) && col >= 0 && col < widest {
			if k := t.at(row, col); k >= 0 && k != cell {
				if !seen[k] {
					seen[k] = true
					out = append(out, k)
				}
				return
			}
			row, col = row+down, col+right
		}
	}
	switch {
	case down < 0:
		for j := c.col; j < c.colEnd; j++ {
			look(c.row-1, j)
		}
	case down > 0:
		for j := c.col; j < c.colEnd; j++ {
			look(c.rowEnd, j)
		}
	case right < 0:
		for i := c.row; i < c.rowEnd; i++ {
			look(i, c.col-1)
		}
	case right > 0:
		for i := c.row; i < c.rowEnd; i++ {
			look(i, c.colEnd)
		}
	}
	return out
}

// heads lists the head cells in a direction, or, where there is none, the outermost ones.
func (t *factTable) heads(cell, down, right int) []int {
	var heads, outer []int
	seen := map[int]bool{cell: true}
	open := []int{cell}
	for len(open) > 0 {
		k := open[0]
		open = open[1:]
		beyond := t.next(k, down, right)
		if k != cell && t.cells[k].head {
			heads = append(heads, k)
		}
		if k != cell && len(beyond) == 0 {
			outer = append(outer, k)
		}
		for _, x := range beyond {
			if !seen[x] {
				seen[x] = true
				open = append(open, x)
			}
		}
	}
	if heads != nil {
		return heads
	}
	return outer
}

func (t *factTable) meets(f edb.Fact) bool {
	like := func(want string) func(k int) bool {
		w := []rune(factText(want))
		least := max(.5, 1-float64(f.MaxDiffs)/float64(max(len(w), 1)))
		return func(k int) bool { return indel(w, []rune(t.cells[k].text)) >= least }
	}
	some := func(cells []int, want string) bool {
		if want == "" {
			return true
		}
		ok := like(want)
		for _, k := range cells {
			if ok(k) {
				return true
			}
		}
		return false
	}
	ok := like(f.Cell)
	for k := range t.cells {
		if ok(k) && some(t.next(k, -1, 0), f.Up) && some(t.next(k, 1, 0), f.Down) && some(t.next(k, 0, -1), f.Left) && some(t.next(k, 0, 1), f.Right) &&
			some(t.heads(k, 0, -1), f.LeftHeading) && some(t.heads(k, -1, 0), f.TopHeading) {
			return true
		}
	}
	return false
}
