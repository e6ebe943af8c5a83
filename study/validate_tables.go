package study

import (
	"unicode/utf8"

	"enterprisedocbench"
	"enterprisedocbench/internal/tokens"
	"enterprisedocbench/metrics"
	"enterprisedocbench/parse"
)

// tables is TEA, or with matched the mean over the tables of which something is left: each table's
// edited nodes ÷ its nodes, the edited cells by the share of their characters unless structure alone
// counts.
func (l *ledger) tables(structure, matched bool) float64 {
	sum, gold, left := 0.0, 0, 0
	for at, e := range l.elements {
		if e.Kind != edb.KindTable {
			continue
		}
		content, shape := l.table(at, e)
		gold++
		if content <= 0 {
			continue // nothing is left that it could be matched by
		}
		left++
		if structure {
			sum += shape
		} else {
			sum += content
		}
	}
	n := gold
	if matched {
		n = left
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// table is what TEDS should say of one table, with its contents and of its structure.
func (l *ledger) table(at place, e edb.Element) (content, structure float64) {
	rows := rowsOf(e)
	nodes := len(rows)
	for _, r := range rows {
		nodes += len(r)
	}
	if nodes == 0 {
		return 1, 1
	}
	shape, grown, texts := 0, 0, 0.0
	cells := map[[2]int]bool{}
	for _, d := range l.charged[at.page] {
		if d.Element != at.at || d.Row < 1 || d.Row > len(rows) {
			continue
		}
		row := rows[d.Row-1]
		switch d.Op {
		case parse.EditRow:
			shape += 1 + len(row)
		case parse.EditShift:
			shape++
			grown++
		case parse.EditSpan:
			shape++
		case parse.EditReplace:
			if k := [2]int{d.Row, d.Cell}; !cells[k] && d.Cell <= len(row) {
				cells[k] = true
				texts += l.cell(at, e, k)
			}
		}
	}
	longer := float64(nodes + grown)
	return max(0, 1-(float64(shape)+texts)/longer), max(0, 1-float64(shape)/longer)
}

// cell is the share of a cell's characters that edits cost.
func (l *ledger) cell(at place, e edb.Element, k [2]int) float64 {
	start := rowStart(e.Text, k[0])
	r := []rune(e.Text)
	for c := 1; c < k[1] && start < len(r); start++ {
		if r[start] == '\t' {
			c++
		}
	}
	end := start
	for end < len(r) && r[end] != '\t' && r[end] != '\n' {
		end++
	}
	cost := 0
	for _, d := range l.edits[at] {
		if d.Row == k[0] && d.Cell == k[1] {
			c, _ := l.cost(d, tokens.Normalize)
			cost += c
		}
	}
	now, _ := damaged(r, start, end, l.edits[at])
	longer := max(utf8.RuneCountInString(tokens.Normalize(string(r[start:end]))), utf8.RuneCountInString(tokens.Normalize(now)))
	if longer == 0 {
		return 0
	}
	return min(1, float64(cost)/float64(longer))
}

// rowsOf are the rows of a table element: its markup's, or those of its text.
func rowsOf(e edb.Element) [][]metrics.Cell {
	if ts := metrics.ParseTables(e.HTML); len(ts) > 0 {
		return ts[0].Rows
	}
	return metrics.TextTable(e.Text).Rows
}
