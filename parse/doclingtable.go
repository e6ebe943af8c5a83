package parse

import (
	"slices"
	"strings"
)

type doclingCell struct {
	Text    string `json:"text"`
	Row     int    `json:"start_row_offset_idx"`
	Col     int    `json:"start_col_offset_idx"`
	RowSpan int    `json:"row_span"`
	ColSpan int    `json:"col_span"`
	Header  bool   `json:"column_header"`
	Stub    bool   `json:"row_header"`
	Section bool   `json:"row_section"`
	// Rich is the group of what the cell holds, where that is more than plain text.
	Rich doclingRef `json:"ref"`
}

// rich parts the words of cells that hold several blocks: docling runs their texts together.
func (r *doclingReader) rich(cells []doclingCell) []doclingCell {
	out := slices.Clone(cells)
	for i := range out {
		group := r.items[out[i].Rich.Ref]
		if group == nil || len(group.Children) < 2 {
			continue
		}
		whole := strings.Join(r.blocks(group, 0, map[string]bool{}), " ")
		if strings.Join(strings.Fields(whole), "") == strings.Join(strings.Fields(out[i].Text), "") {
			out[i].Text = whole
		}
	}
	return out
}

// blocks are the texts of what is below an item, in order, each item once.
func (r *doclingReader) blocks(n *doclingItem, depth int, seen map[string]bool) (out []string) {
	if depth > maxDepth {
		return nil
	}
	for _, ref := range n.Children {
		if it := r.items[ref.Ref]; it != nil && !seen[ref.Ref] {
			seen[ref.Ref] = true
			out = append(append(out, it.Text), r.blocks(it, depth+1, seen)...)
		}
	}
	return out
}

// maxGrid bounds the places of a table that are looked at for missing cells.
const maxGrid = 1 << 20

// doclingTable puts cells into their rows. As in docling's own exports, a place that no cell covers
// is an empty cell.
func doclingTable(cells []doclingCell) htmlTable {
	cells = slices.Clone(cells)
	rows, cols := 0, 0
	for i := range cells {
		c := &cells[i]
		c.RowSpan, c.ColSpan = doclingSpan(c.RowSpan), doclingSpan(c.ColSpan)
		rows, cols = max(rows, c.Row+c.RowSpan), max(cols, c.Col+c.ColSpan)
	}
	cells = append(cells, emptyPlaces(cells, rows, cols)...)
	slices.SortStableFunc(cells, func(a, b doclingCell) int {
		if a.Row != b.Row {
			return a.Row - b.Row
		}
		return a.Col - b.Col
	})
	var t htmlTable
	for i, c := range cells {
		if i == 0 || c.Row != cells[i-1].Row {
			t.rows = append(t.rows, nil)
		}
		last := &t.rows[len(t.rows)-1]
		*last = append(*last, htmlCell{c.Header || c.Stub || c.Section, c.RowSpan, c.ColSpan, squeeze(c.Text)})
	}
	return t
}

func doclingSpan(n int) int {
	if n < 1 || n > maxSpan {
		return 1
	}
	return n
}

// emptyPlaces gives an empty cell for each place of the grid that no cell covers; none where the grid is
// out of bounds.
func emptyPlaces(cells []doclingCell, rows, cols int) (out []doclingCell) {
	if rows < 1 || cols < 1 || rows > maxGrid || cols > maxGrid || rows*cols > maxGrid {
		return nil
	}
	taken := make([]bool, rows*cols)
	for _, c := range cells {
		if c.Row < 0 || c.Col < 0 {
			return nil
		}
		for r := c.Row; r < c.Row+c.RowSpan; r++ {
			for k := c.Col; k < c.Col+c.ColSpan; k++ {
				taken[r*cols+k] = true
			}
		}
	}
	for i, t := range taken {
		if !t {
			out = append(out, doclingCell{Row: i / cols, Col: i % cols, RowSpan: 1, ColSpan: 1})
		}
	}
	return out
}
