package universe

import (
	"fmt"
	"strings"
)

var statementLook = look{body: sans, bold: sansBold, size: 9.8, accent: rgb{120, 44, 62}, tint: rgb{245, 230, 233}}

// writeStatement sets a quarterly financial statement: an income statement with subtotals, staff by
// department, a chart of the last four quarters and notes.
func (w World) writeStatement(st Statement) (*sheet, string, furniture) {
	s := newSheet(statementLook)
	t := st.Tenant
	q, before := st.Quarter.String(), (st.Quarter - 1).String()
	title := "Quarterly Financial Statement " + q
	s.title(title)
	s.para(fmt.Sprintf("Statement %s of %s for the quarter from %s to %s.", fact("number", st.Number), fact("tenant", t.Name), st.Quarter.First(), st.Quarter.Last()),
		"All amounts are in US dollars and have not been audited.")
	s.heading(2, "1. Results")
	s.para(fmt.Sprintf("%s closed %s with a revenue of %s and an operating profit of %s.", t.Name, fact("quarter", q), dollars(st.Now.Revenue()), dollars(st.Now.Operating())))
	row := func(label, field string, now, was int) []string {
		return []string{label, fact(field, thousands(now)), fact("before-"+field, thousands(was)), thousands(now - was)}
	}
	var rows [][]string
	for i, n := range st.SegmentNames {
		rows = append(rows, row(n, "segment-"+lower(n), st.Now.Segments[i], st.Before.Segments[i]))
	}
	bold := []int{len(rows), len(rows) + 2, len(rows) + 6}
	rows = append(rows,
		row("Total revenue", "revenue", st.Now.Revenue(), st.Before.Revenue()),
		row("Cost of sales", "cost-of-sales", st.Now.CostOfSales, st.Before.CostOfSales),
		row("Gross profit", "gross", st.Now.Gross(), st.Before.Gross()),
		row("Personnel", "personnel", st.Now.Personnel, st.Before.Personnel),
		row("Occupancy (rent)", "occupancy", st.Now.Occupancy, st.Before.Occupancy),
		row("Other costs", "other", st.Now.OtherCosts, st.Before.OtherCosts),
		row("Operating profit", "operating", st.Now.Operating(), st.Before.Operating()))
	s.table("Table 1", grid{caption: "Income statement of " + t.Name + ", US dollars", header: []string{"Item", q, before, "Change"},
		widths: []float64{.4, .2, .2, .2}, right: []bool{false, true, true, true}, rows: rows, bold: bold})
	var bars []bar
	var said []string
	for i, r := range st.Revenues {
		label := (st.Quarter - Quarter(3-i)).String()
		bars = append(bars, bar{label: label, printed: millions(r), value: float64(r)})
		said = append(said, label+" "+fact("revenue-"+lower(label), millions(r)))
	}
	s.figure([]string{fmt.Sprintf("Figure 1: Revenue of %s by quarter in million US dollars (%s).", t.Name, strings.Join(said, ", "))}, standing(bars))
	var staff [][]string
	for i, d := range st.Departments {
		staff = append(staff, []string{d, fact("staff-"+lower(d), thousands(st.Staff[i]))})
	}
	staff = append(staff, []string{"Total", fact("headcount", thousands(st.Headcount()))})
	s.section("2. Staff", "Table 2", grid{caption: "Employees of " + t.Name + " at " + st.Quarter.Last().String(), header: []string{"Department", "Employees"},
		widths: []float64{.6, .4}, right: []bool{false, true}, rows: staff, bold: []int{len(staff) - 1}})
	s.heading(2, "3. Financing")
	s.para(fmt.Sprintf("At the end of the quarter %s held cash of %s.", t.Name, fact("cash", dollars(st.Cash))),
		fmt.Sprintf("A credit facility of %s is available from %s.", fact("facility", dollars(st.Facility)), fact("bank", st.Bank)))
	if st.Dividend > 0 {
		s.para(fmt.Sprintf("%s pays a dividend of %s cents per share for the quarter.", t.Name, fact("dividend", fmt.Sprint(st.Dividend))))
	}
	s.heading(2, "4. Approval")
	s.para(fmt.Sprintf("The statement was prepared by %s, finance director, and approved by %s, director, on %s.",
		fact("finance", t.Finance), fact("director", t.Director), fact("approved", st.Approved.String())),
		fmt.Sprintf("The annual accounts of %s are audited by %s.", t.Name, fact("auditor", st.Auditor)),
		fmt.Sprintf("The books are kept by %s.", w.House()))
	return s, title + ": " + t.Name, furniture{head: fmt.Sprintf("%s   |   %s", t.Name, q), foot: "Statement " + st.Number + "   |   Unaudited"}
}
