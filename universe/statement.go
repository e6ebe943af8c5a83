package universe

import (
	"fmt"
	"strings"

	"enterprisedocbench/universe/press"
)

var statementLook = press.Look{Size: 9.8, Accent: press.RGB{120, 44, 62}, Tint: press.RGB{245, 230, 233}}

// writeStatement sets a quarterly financial statement: an income statement with subtotals, staff by
// department, a chart of the last four quarters and notes.
func (w World) writeStatement(st Statement) (*press.Sheet, string, furniture) {
	s := press.NewSheet(statementLook)
	t := st.Tenant
	q, before := st.Quarter.String(), (st.Quarter - 1).String()
	title := "Quarterly Financial Statement " + q
	s.Title(title)
	s.Para(fmt.Sprintf("Statement %s of %s for the quarter from %s to %s.", press.Fact("number", st.Number), press.Fact("tenant", t.Name), st.Quarter.First(), st.Quarter.Last()),
		"All amounts are in US dollars and have not been audited.")
	s.Heading(2, "1. Results")
	s.Para(fmt.Sprintf("%s closed %s with a revenue of %s and an operating profit of %s.", t.Name, press.Fact("quarter", q), dollars(st.Now.Revenue()), dollars(st.Now.Operating())))
	row := func(label, field string, now, was int) []string {
		return []string{label, press.Fact(field, thousands(now)), press.Fact("before-"+field, thousands(was)), thousands(now - was)}
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
	s.Table(press.Table{Caption: "Table 1: Income statement of " + t.Name + ", US dollars", Header: []string{"Item", q, before, "Change"},
		Widths: []float64{.4, .2, .2, .2}, Right: []bool{false, true, true, true}, Rows: rows, Bold: bold})
	chart := press.Chart{Kind: press.Columns, Above: true}
	var said []string
	for i, r := range st.Revenues {
		label := (st.Quarter - Quarter(3-i)).String()
		chart.Labels = append(chart.Labels, label)
		chart.Values = append(chart.Values, float64(r))
		chart.Printed = append(chart.Printed, millions(r))
		said = append(said, label+" "+press.Fact("revenue-"+lower(label), millions(r)))
	}
	chart.Caption = fmt.Sprintf("Figure 1: Revenue of %s by quarter in million US dollars (%s).", t.Name, strings.Join(said, ", "))
	s.Figure(chart)
	var staff [][]string
	for i, d := range st.Departments {
		staff = append(staff, []string{d, press.Fact("staff-"+lower(d), thousands(st.Staff[i]))})
	}
	staff = append(staff, []string{"Total", press.Fact("headcount", thousands(st.Headcount()))})
	s.Section("2. Staff", press.Table{Caption: "Table 2: Employees of " + t.Name + " at " + st.Quarter.Last().String(), Header: []string{"Department", "Employees"},
		Widths: []float64{.6, .4}, Right: []bool{false, true}, Rows: staff, Bold: []int{len(staff) - 1}})
	s.Heading(2, "3. Financing")
	s.Para(fmt.Sprintf("At the end of the quarter %s held cash of %s.", t.Name, press.Fact("cash", dollars(st.Cash))),
		fmt.Sprintf("A credit facility of %s is available from %s.", press.Fact("facility", dollars(st.Facility)), press.Fact("bank", st.Bank)))
	if st.Dividend > 0 {
		s.Para(fmt.Sprintf("%s pays a dividend of %s cents per share for the quarter.", t.Name, press.Fact("dividend", fmt.Sprint(st.Dividend))))
	}
	s.Heading(2, "4. Approval")
	s.Para(fmt.Sprintf("The statement was prepared by %s, finance director, and approved by %s, director, on %s.",
		press.Fact("finance", t.Finance), press.Fact("director", t.Director), press.Fact("approved", st.Approved.String())),
		fmt.Sprintf("The annual accounts of %s are audited by %s.", t.Name, press.Fact("auditor", st.Auditor)),
		fmt.Sprintf("The books are kept by %s.", w.House()))
	return s, title + ": " + t.Name, furniture{head: fmt.Sprintf("%s   |   %s", t.Name, q), foot: "Statement " + st.Number + "   |   Unaudited"}
}
