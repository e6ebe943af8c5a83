package riker

import (
	"fmt"
	"strconv"
)

// orNull is nil for the zero value: an optional part that a document does not have.
func orNull[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

func dateOrNull(d Date) any {
	if d.IsZero() {
		return nil
	}
	return d.ISO()
}

func agentID(a int) string    { return fmt.Sprintf("agent-%06d", a+1) }
func customerID(c int) string { return fmt.Sprintf("firm-%06d", c+1) }

// rows are the rows of the tables that hold what document n of a type states.
func (w *World) rows(k Kind, n int) []row {
	doc := w.DocID(k, n)
	switch k {
	case Leases:
		return w.leaseRows(w.Lease(n), doc)
	case Reports:
		return w.reportRows(w.Report(n), doc)
	case Reviews:
		return w.reviewRows(w.Review(n), doc)
	case Invoices:
		return w.invoiceRows(w.Invoice(n), doc)
	case Statements:
		return w.statementRows(w.Statement(n), doc)
	}
	return w.handbookRows(w.Handbook(n), doc)
}

func (w *World) leaseRows(l Lease, doc string) []row {
	var agent any
	if l.Agent != nil {
		agent = l.Agent.ID
	}
	return []row{{"leases", []any{l.ID, doc, l.Number, l.Lessor.ID, l.Lessee.ID, agent, l.Building, l.Address, l.Town, l.Use, l.Area, l.Signed.ISO(), l.Start.ISO(), l.End.ISO(),
		l.Monthly, l.Deposit, l.Increase, l.NoticeDays, l.LateFee, orNull(l.ParkingFee), orNull(l.SignageFee), orNull(l.PetDeposit), orNull(l.BreakFee), orNull(l.RenewalYears)}}}
}

func (w *World) reportRows(r Report, doc string) []row {
	var lease any
	if r.Lease != nil {
		lease = r.Lease.ID
	}
	return []row{{"reports", []any{r.ID, doc, r.Number, r.Deal.ID, lease, r.Agent.ID, r.Agent.Territory.ID, r.Customer.ID, r.Visit, r.Date.ISO(), r.Stage.String(), r.Probability, r.Deal.Value(), r.Attendees, r.NextStep,
		dateOrNull(r.NextDate), orNull(r.Competitor), orNull(r.Budget), orNull(r.Discount), orNull(r.Concern)}}}
}

func (w *World) reviewRows(r Review, doc string) []row {
	out := []row{{"reviews", []any{r.ID, doc, r.Number, r.Agent.ID, r.Agent.Territory.ID, r.Period.String(), r.Period.First().ISO(), r.Period.Last().ISO(), r.Date.ISO(), float64(r.Overall()) / 100, r.Won, r.WonValue, r.Absences,
		orNull(r.Raise), orNull(r.Training), orNull(r.Promotion), orNull(r.Bonus)}}}
	for _, s := range r.Scores {
		out = append(out, row{"scores", []any{r.ID, s.Competency, float64(s.Tenths) / 10}})
	}
	return out
}

func (w *World) invoiceRows(i Invoice, doc string) []row {
	return []row{{"invoices", []any{i.ID, doc, i.Number, i.Deal.ID, i.Customer.ID, i.Instalment, i.Date.ISO(), i.Due.ISO(), i.Subtotal(), i.TaxRate, float64(i.TaxCents()) / 100, float64(i.TotalCents()) / 100, orNull(i.Order), orNull(i.Discount)}}}
}

func (w *World) statementRows(s Statement, doc string) []row {
	out := []row{{"statements", []any{s.ID, doc, s.Number, s.Company.ID, s.Quarter.String(), s.Quarter.First().ISO(), s.Quarter.Last().ISO(), s.Revenue(), s.CostOfSales, s.Gross(), s.Personnel, s.Occupancy, s.Other, s.Operating(), s.Cash, s.Headcount, s.Approved.ISO(),
		orNull(s.Dividend), orNull(s.Covenant)}}}
	for _, x := range s.Segments {
		out = append(out, row{"segments", []any{s.ID, x.Name, x.Amount}})
	}
	return out
}

func (w *World) handbookRows(h Handbook, doc string) []row {
	return []row{{"handbooks", []any{h.ID, doc, h.Number, h.Territory.ID, h.Edition, h.InForce.ISO(), h.Owner, h.PerDiem, h.Mileage, h.GiftLimit, h.LeaveDays, h.NoticeDays, h.Probation, h.Retention, h.Approval,
		orNull(h.RemoteDays), orNull(h.PhoneBudget), orNull(h.StudyDays), orNull(h.CarAllowance)}}}
}

func (w *World) agentRows(a int) []row {
	x := w.Agent(a)
	out := []row{{"agents", []any{x.ID, x.Name, x.Employee, x.Territory.ID, x.Title(), x.Hired().ISO()}}}
	for i, j := range x.Jobs {
		out = append(out, row{"jobs", []any{x.ID, i + 1, j.Employer, j.Title, j.From.ISO(), dateOrNull(j.To)}})
	}
	return out
}

func (w *World) customerRow(c int) row {
	x, role := w.Customer(c), "prospect"
	if c < w.companies {
		role = "lessee"
	}
	return row{"companies", []any{x.ID, role, x.Name, x.Bare, x.Town, x.Director, x.Finance, x.Contact}}
}

func (w *World) lessorRow(l int) row {
	x := w.Lessor(l)
	return row{"companies", []any{x.ID, "lessor", x.Name, x.Bare, x.Town, x.Director, nil, nil}}
}

func (w *World) dealRows(d int) []row {
	x := w.Deal(d)
	var lease any
	if x.LeaseN >= 0 {
		lease = fmt.Sprintf("lease-%06d", x.LeaseN+1)
	}
	out := []row{{"deals", []any{x.ID, agentID(x.AgentN), customerID(x.CustomerN), lease, x.Value(), x.Stage.String(), x.Opened.ISO(), dateOrNull(x.Closed)}}}
	for i, l := range x.Lines {
		out = append(out, row{"deal_lines", []any{x.ID, i + 1, l.Product.ID, l.Quantity, l.Price, l.Amount()}})
	}
	return out
}

// worldRows say how the world was made.
func (w *World) worldRows(tokens int) []row {
	out := []row{{"world", []any{"generator", generator}}, {"world", []any{"plan", string(encodePlan(w.Plan))}}, {"world", []any{"documents", strconv.Itoa(w.Documents())}}, {"world", []any{"house", w.House()}}}
	if tokens > 0 {
		out = append(out, row{"world", []any{"tokens", strconv.Itoa(tokens)}})
	}
	return out
}
