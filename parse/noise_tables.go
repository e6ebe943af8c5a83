package parse

import (
	"fmt"
	"slices"

	"enterprisedocbench"
)

// tableToBreak reads the table of an element; ok is false where its markup and its text say different
// things, so that what is done to both would not be the same.
func tableToBreak(e edb.Element) (t htmlTable, ok bool) {
	if e.HTML == "" {
		return textTable(e.Text), e.Text != ""
	}
	t, ok = readTable(e.HTML)
	return t, ok && t.text() == e.Text
}

// eachTable gives every table of a page to f, which says whether it changed it.
func (n *noise) eachTable(pg *edb.Page, f func(j int, e edb.Element, t *htmlTable) bool) {
	for j := range pg.Elements {
		e := &pg.Elements[j]
		if e.Kind != edb.KindTable {
			continue
		}
		if t, ok := tableToBreak(*e); ok && f(j, *e, &t) {
			e.Text, e.HTML, e.Lines = t.text(), t.html(), nil
		}
	}
}

func rowText(row []htmlCell) string { return htmlTable{rows: [][]htmlCell{row}}.text() }

// dropRows loses rows. A table that loses all of them stays as an empty one.
func (n *noise) dropRows(pg *edb.Page) {
	n.eachTable(pg, func(j int, e edb.Element, t *htmlTable) bool {
		kept := t.rows[:0:0]
		for r, row := range t.rows {
			if n.hit() {
				n.note(j, e, Edit{Op: EditRow, Row: r + 1, From: rowText(row)})
				continue
			}
			kept = append(kept, row)
		}
		changed := len(kept) < len(t.rows)
		t.rows = kept
		return changed
	})
}

// shiftRows puts an empty cell in front of rows.
func (n *noise) shiftRows(pg *edb.Page) {
	n.eachTable(pg, func(j int, e edb.Element, t *htmlTable) (changed bool) {
		for r, row := range t.rows {
			if !n.hit() {
				continue
			}
			n.note(j, e, Edit{Op: EditShift, Row: r + 1, From: rowText(row), To: "\t" + rowText(row)})
			t.rows[r] = slices.Concat([]htmlCell{{rowspan: 1, colspan: 1}}, row)
			changed = true
		}
		return changed
	})
}

// loseSpans makes cells that reach over several rows or columns into cells of one place.
func (n *noise) loseSpans(pg *edb.Page) {
	n.eachTable(pg, func(j int, e edb.Element, t *htmlTable) (changed bool) {
		for r, row := range t.rows {
			for c := range row {
				cell := &row[c]
				if cell.rowspan == 1 && cell.colspan == 1 || !n.hit() {
					continue
				}
				n.note(j, e, Edit{Op: EditSpan, Row: r + 1, Cell: c + 1, From: fmt.Sprintf("%dx%d", cell.colspan, cell.rowspan), To: "1x1"})
				cell.rowspan, cell.colspan, changed = 1, 1, true
			}
		}
		return changed
	})
}
