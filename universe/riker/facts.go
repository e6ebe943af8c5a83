package riker

import (
	"strconv"

	"enterprisedocbench"
)

// Facts lists what a lease states, in the order of truth.sqlite's columns where it has them. A
// document states each of its facts at least once, printed so.
func (l Lease) Facts(s Style) []Fact {
	out := []Fact{text("number", l.Number), text("lessor", l.Lessor.Name), text("lessee", l.Lessee.Name), text("building", l.Building), text("address", l.Address),
		text("use", l.Use), count("area", l.Area, "square feet"), s.date("signed", l.Signed), s.date("start", l.Start), s.date("end", l.End), usd("monthly", l.Monthly),
		usd("deposit", l.Deposit), percent("increase", l.Increase), count("notice_days", l.NoticeDays, "days"), percent("late_fee", float64(l.LateFee)),
		text("lessor_representative", l.Lessor.Director), text("lessee_director", l.Lessee.Director)}
	if l.Agent != nil {
		out = append(out, text("agent", l.Agent.Name))
	}
	out = optional(out, l.ParkingFee > 0, usd("parking_fee", l.ParkingFee))
	out = optional(out, l.SignageFee > 0, usd("signage_fee", l.SignageFee))
	out = optional(out, l.PetDeposit > 0, usd("pet_deposit", l.PetDeposit))
	out = optional(out, l.BreakFee > 0, usd("break_fee", l.BreakFee))
	return optional(out, l.RenewalYears > 0, count("renewal_years", l.RenewalYears, "years"))
}

func optional(list []Fact, there bool, f Fact) []Fact {
	if there {
		return append(list, f)
	}
	return list
}

// lineFacts are the lines of a deal or invoice: product, quantity, price and amount of each.
func lineFacts(out []Fact, lines []Line) []Fact {
	for i, l := range lines {
		p := "line_" + strconv.Itoa(i+1) + "_"
		out = append(out, text(p+"product", l.Product.Name), count(p+"quantity", l.Quantity, ""), usd(p+"price", l.Price), usd(p+"amount", l.Amount()))
	}
	return out
}

// Facts lists what a field report states.
func (r Report) Facts(s Style) []Fact {
	out := []Fact{text("number", r.Number), text("agent", r.Agent.Name), text("territory", r.Agent.Territory.Name), text("manager", r.Agent.Territory.Manager),
		text("customer", r.Customer.Name), text("contact", r.Customer.Contact), count("visit", r.Visit, ""), s.date("date", r.Date), text("stage", r.Stage.String()),
		percent("probability", float64(r.Probability)), usd("value", r.Deal.Value()), count("attendees", r.Attendees, "people"), text("next_step", r.NextStep)}
	out = lineFacts(out, r.Deal.Lines)
	if r.Lease != nil {
		out = append(out, text("lease", r.Lease.Number), text("building", r.Lease.Building))
	}
	out = optional(out, !r.NextDate.IsZero(), s.date("next_date", r.NextDate))
	out = optional(out, r.Competitor != "", text("competitor", r.Competitor))
	out = optional(out, r.Budget > 0, usd("budget", r.Budget))
	out = optional(out, r.Discount > 0, percent("discount", float64(r.Discount)))
	return optional(out, r.Concern != "", text("concern", r.Concern))
}

// Facts lists what an evaluation states. The employment history is three facts a job: employer_1,
// title_1 and from_1, oldest first; the last job's title and day are title and hired.
func (r Review) Facts(s Style) []Fact {
	out := []Fact{text("number", r.Number), text("employee", r.Agent.Name), text("employee_number", r.Agent.Employee), text("title", r.Agent.Title()), s.date("hired", r.Agent.Hired()),
		text("territory", r.Agent.Territory.Name), text("manager", r.Agent.Territory.Manager), text("period", r.Period.String()), s.date("date", r.Date),
		hundredths("overall", r.Overall()), count("deals_won", r.Won, "deals"), usd("value_won", r.WonValue), count("days_absent", r.Absences, "days")}
	for _, x := range r.Scores {
		out = append(out, tenths("score_"+column(x.Competency), x.Tenths))
	}
	for i, j := range r.Agent.Jobs[:len(r.Agent.Jobs)-1] {
		out = append(out, text("employer_"+strconv.Itoa(i+1), j.Employer), text("title_"+strconv.Itoa(i+1), j.Title), s.date("from_"+strconv.Itoa(i+1), j.From), s.date("to_"+strconv.Itoa(i+1), j.To))
	}
	out = optional(out, r.Raise > 0, percent("raise", r.Raise))
	out = optional(out, r.Training != "", text("training", r.Training))
	out = optional(out, r.Promotion != "", text("promotion", r.Promotion))
	return optional(out, r.Bonus > 0, usd("bonus", r.Bonus))
}

// Facts lists what an invoice states.
func (i Invoice) Facts(s Style) []Fact {
	out := []Fact{text("number", i.Number), text("customer", i.Customer.Name), count("instalment", i.Instalment, ""), s.date("date", i.Date), s.date("due", i.Due),
		usd("subtotal", i.Subtotal()), percent("tax_rate", float64(i.TaxRate)), cents("tax", i.TaxCents()), cents("total", i.TotalCents())}
	out = lineFacts(out, i.Lines)
	out = optional(out, i.Order != "", text("order_number", i.Order))
	return optional(out, i.Discount > 0, usd("discount", i.Discount))
}

// Facts lists what a quarterly statement states. Table cells print amounts without a currency sign.
func (q Statement) Facts(s Style) []Fact {
	cell := func(field string, n int) Fact { return number(field, float64(n), "USD", edb.Thousands(n)) }
	out := []Fact{text("number", q.Number), text("company", q.Company.Name), text("quarter", q.Quarter.String()), cell("revenue", q.Revenue()), cell("cost_of_sales", q.CostOfSales),
		cell("gross", q.Gross()), cell("personnel", q.Personnel), cell("occupancy", q.Occupancy), cell("other", q.Other), cell("operating", q.Operating()), usd("cash", q.Cash),
		count("headcount", q.Headcount, "employees"), text("finance_director", q.Company.Finance), text("director", q.Company.Director), s.date("approved", q.Approved)}
	for _, x := range q.Segments {
		out = append(out, cell("segment_"+column(x.Name), x.Amount))
	}
	for i, l := range q.Rented {
		out = append(out, text("lease_"+strconv.Itoa(i+1), l.Number))
	}
	out = optional(out, q.Dividend > 0, count("dividend", q.Dividend, "cents"))
	return optional(out, q.Covenant > 0, percent("covenant", float64(q.Covenant)))
}

// Facts lists what a policy handbook states.
func (h Handbook) Facts(s Style) []Fact {
	out := []Fact{text("number", h.Number), text("territory", h.Territory.Name), text("manager", h.Territory.Manager), count("edition", h.Edition, ""), s.date("in_force", h.InForce), text("owner", h.Owner),
		usd("per_diem", h.PerDiem), count("mileage", h.Mileage, "cents"), usd("gift_limit", h.GiftLimit), count("leave_days", h.LeaveDays, "days"), count("notice_days", h.NoticeDays, "days"),
		count("probation", h.Probation, "months"), count("retention", h.Retention, "years"), usd("approval", h.Approval)}
	out[3].Printed = strconv.Itoa(h.Edition) // a year has no comma
	out[3].Text = out[3].Printed
	out = optional(out, h.RemoteDays > 0, count("remote_days", h.RemoteDays, "days"))
	out = optional(out, h.PhoneBudget > 0, usd("phone_budget", h.PhoneBudget))
	out = optional(out, h.StudyDays > 0, count("study_days", h.StudyDays, "days"))
	return optional(out, h.CarAllowance > 0, usd("car_allowance", h.CarAllowance))
}

// Clause is an optional part of a type of document. Where a document does not have the part, none of
// Phrases stands in it, in any case or spelling, and truth.sqlite holds an absence.
type Clause struct {
	Field, Name string
	Phrases     []string
}

// Clauses lists the optional parts by type.
var Clauses = [Kinds][]Clause{
	Leases: {
		{"agent", "leasing agent", []string{"agent"}},
		{"parking_fee", "parking", []string{"parking"}},
		{"signage_fee", "signage", []string{"signage", "sign on the building"}},
		{"pet_deposit", "pets", []string{"pet", "pets", "pet deposit"}},
		{"break_fee", "break option", []string{"break option", "break fee"}},
		{"renewal_years", "renewal", []string{"renew", "renewal", "renewed"}},
	},
	Reports: {
		{"competitor", "competitor", []string{"competitor", "competing offer", "Facility Group"}},
		{"budget", "budget", []string{"budget"}},
		{"discount", "discount", []string{"discount"}},
		{"concern", "concern", []string{"concern", "complaint"}},
		{"next_date", "next visit", []string{"next visit", "next appointment"}},
	},
	Reviews: {
		{"raise", "salary increase", []string{"salary increase", "raise", "pay rise"}},
		{"training", "training", []string{"training", "course"}},
		{"promotion", "promotion", []string{"promotion", "promoted"}},
		{"bonus", "bonus", []string{"bonus"}},
	},
	Invoices: {
		{"order_number", "order number", []string{"order number", "purchase order", "PO"}},
		{"discount", "discount", []string{"discount"}},
	},
	Statements: {
		{"dividend", "dividend", []string{"dividend", "per share"}},
		{"covenant", "debt covenant", []string{"covenant"}},
	},
	Handbooks: {
		{"remote_days", "remote work", []string{"remote", "from home"}},
		{"phone_budget", "telephone allowance", []string{"phone", "telephone"}},
		{"study_days", "study leave", []string{"study leave", "study days"}},
		{"car_allowance", "car allowance", []string{"car allowance", "company car"}},
	},
}

// Record is what one document is about.
type Record interface {
	Facts(Style) []Fact
}

// Record computes what document n of a type is about.
func (w *World) Record(k Kind, n int) Record {
	switch k {
	case Leases:
		return w.Lease(n)
	case Reports:
		return w.Report(n)
	case Reviews:
		return w.Review(n)
	case Invoices:
		return w.Invoice(n)
	case Statements:
		return w.Statement(n)
	}
	return w.Handbook(n)
}
