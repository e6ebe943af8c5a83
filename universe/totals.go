package universe

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
)

// tableFaults says what does not add up in a printed table, given as the text of its element: cells
// parted by tabs, rows by newlines. A row "Total" is the sum of the rows above it, and the columns
// and rows of rent schedules, offers and income statements keep their sums and products.
func tableFaults(text string) []string {
	var rows [][]string
	for row := range strings.SplitSeq(text, "\n") {
		rows = append(rows, strings.Split(row, "\t"))
	}
	t := &printedTable{rows: rows, label: map[string]int{}}
	for i, r := range rows {
		t.label[r[0]] = i
	}
	for i, r := range rows {
		if r[0] == "Total" || r[0] == "Total revenue" {
			for c := 1; c < len(r); c++ {
				t.sum(i, c)
			}
		}
	}
	t.columns("Annual rent", func(v []float64) float64 { return 12 * v[0] }, "12 times the monthly rent", "Monthly rent")
	t.columns("Yearly value", func(v []float64) float64 { return v[0] * v[1] }, "sites times price", "Sites", "Price per site")
	if head := rows[0]; head[0] == "Item" && head[len(head)-1] == "Change" {
		for c := 1; c < len(head); c++ {
			t.rest("Gross profit", c, "Total revenue", "Cost of sales")
			t.rest("Operating profit", c, "Gross profit", "Personnel", "Occupancy (rent)", "Other costs")
		}
		t.columns("Change", func(v []float64) float64 { return v[0] - v[1] }, "the difference of the two quarters", head[1], head[2])
	}
	return t.faults
}

type printedTable struct {
	rows   [][]string
	label  map[string]int
	faults []string
}

// cell reads a number; false where the cell is empty or not there.
func (t *printedTable) cell(row, col int) (float64, bool) {
	if col < 0 || row >= len(t.rows) || col >= len(t.rows[row]) || t.rows[row][col] == "" {
		return 0, false
	}
	r := &reading{}
	v := r.number(t.rows[row][col])
	if r.err != nil {
		t.faults = append(t.faults, r.err.Error())
		return 0, false
	}
	return v, true
}

func (t *printedTable) compare(what string, got, want float64, by string) {
	if math.Abs(got-want) > 1e-6 {
		t.faults = append(t.faults, fmt.Sprintf("%s is %s, but %s is %s", what, plainNumber(got), by, plainNumber(want)))
	}
}

// sum holds a total against the rows between the header and it.
func (t *printedTable) sum(row, col int) {
	got, ok := t.cell(row, col)
	if !ok {
		return
	}
	want := 0.0
	for i := 1; i < row; i++ {
		v, _ := t.cell(i, col)
		want += v
	}
	t.compare(t.rows[row][0]+" of "+t.rows[0][col], got, want, "the sum of the rows")
}

// columns holds a column against others of the same row.
func (t *printedTable) columns(name string, f func([]float64) float64, by string, from ...string) {
	col := slices.Index(t.rows[0], name)
	if col < 0 {
		return
	}
	for i := 1; i < len(t.rows); i++ {
		got, ok := t.cell(i, col)
		var v []float64
		for _, n := range from {
			x, there := t.cell(i, slices.Index(t.rows[0], n))
			ok = ok && there
			v = append(v, x)
		}
		if ok {
			t.compare(name+" of "+t.rows[i][0], got, f(v), by)
		}
	}
}

// rest holds a row against the first of the rows named less the others.
func (t *printedTable) rest(name string, col int, from ...string) {
	row, ok := t.label[name]
	if !ok {
		return
	}
	got, ok := t.cell(row, col)
	want := 0.0
	for i, n := range from {
		at, there := t.label[n]
		if !there {
			return
		}
		v, there := t.cell(at, col)
		ok = ok && there
		if i > 0 {
			v = -v
		}
		want += v
	}
	if ok {
		t.compare(name+" of "+t.rows[0][col], got, want, strings.ToLower(from[0])+" less costs")
	}
}

func plainNumber(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.2f", v), ".00") }

// truthTotals are the sums that facts keep: the total, and an expression over the fields p.field and
// numbers p.number of the same dealing that must give it. Each query gives subject, field, what the
// fact says and what it should say.
var truthTotals = []string{
	sumQuery("total-rent", "annual-%"), sumQuery("pipeline", "value-%"), sumQuery("headcount", "staff-%"),
	sumQuery("revenue", "segment-%"), sumQuery("before-revenue", "before-segment-%"),
	restQuery("", "gross", "revenue", "cost-of-sales"), restQuery("before-", "gross", "revenue", "cost-of-sales"),
	restQuery("", "operating", "gross", "personnel", "occupancy", "other"), restQuery("before-", "operating", "gross", "personnel", "occupancy", "other"),
	`SELECT a.subject, a.field, a.number, 12 * m.number FROM facts a
	   JOIN facts m ON m.subject = a.subject AND m.field = 'monthly-' || substr(a.field, 8)
	  WHERE a.field LIKE 'annual-%' AND a.number <> 12 * m.number ORDER BY 1, 2`,
	`SELECT v.subject, v.field, v.number, s.number * p.number FROM facts v
	   JOIN facts s ON s.subject = v.subject AND s.field = 'sites-' || substr(v.field, 7)
	   JOIN facts p ON p.subject = v.subject AND p.field = 'price-' || substr(v.field, 7)
	  WHERE v.field LIKE 'value-%' AND v.number <> s.number * p.number ORDER BY 1, 2`,
}

func sumQuery(total, parts string) string {
	return `SELECT t.subject, t.field, t.number, sum(p.number) FROM facts t JOIN facts p ON p.subject = t.subject AND p.field LIKE '` + parts + `'
	  WHERE t.field = '` + total + `' GROUP BY t.id HAVING abs(t.number - sum(p.number)) > 1e-6 ORDER BY 1`
}

func restQuery(prefix, total, first string, others ...string) string {
	in := "''"
	for _, o := range others {
		in += ", '" + prefix + o + "'"
	}
	return `SELECT t.subject, t.field, t.number, sum(iif(p.field = '` + prefix + first + `', p.number, -p.number)) FROM facts t
	   JOIN facts p ON p.subject = t.subject AND p.field IN ('` + prefix + first + `', ` + in + `)
	  WHERE t.field = '` + prefix + total + `' GROUP BY t.id HAVING abs(t.number - sum(iif(p.field = '` + prefix + first + `', p.number, -p.number))) > 1e-6 ORDER BY 1`
}

// totalFaults says which facts of the truth do not add up.
func totalFaults(ctx context.Context, db querier) ([]string, error) {
	var out []string
	for _, q := range truthTotals {
		rows, err := db.QueryContext(ctx, q)
		if err != nil {
			return nil, err
		}
		for rows.Next() {
			var subject, field string
			var got, want float64
			if err := rows.Scan(&subject, &field, &got, &want); err != nil {
				rows.Close()
				return nil, err
			}
			out = append(out, fmt.Sprintf("fact %s of %s is %s, its parts make %s", field, subject, plainNumber(got), plainNumber(want)))
		}
		rows.Close()
		if err := rows.Err(); err != nil {
			return nil, err
		}
	}
	return out, nil
}
