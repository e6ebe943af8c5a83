package universe

import (
	"fmt"
	"strconv"
)

// truthFact is one fact about a dealing (a lease, a visit, a statement), straight from the world's
// truth: what it is called, its typed value, and how documents print it.
type truthFact struct {
	field   string
	kind    string // text, number or date
	text    string // the text; a date as 2006-01-02; a number as it is printed
	number  float64
	unit    string
	printed string
}

func textFact(field, v string) truthFact {
	return truthFact{field: field, kind: "text", text: v, printed: v}
}

func dateFact(field string, d Date) truthFact {
	return truthFact{field: field, kind: "date", text: d.ISO(), printed: d.String()}
}

func numberFact(field string, v float64, unit, printed string) truthFact {
	return truthFact{field: field, kind: "number", text: printed, number: v, unit: unit, printed: printed}
}

func dollarFact(field string, n int) truthFact {
	return numberFact(field, float64(n), "USD", dollars(n))
}

// tableFact is an amount in dollars in a table that says so in its caption.
func tableFact(field string, n int) truthFact {
	return numberFact(field, float64(n), "USD", thousands(n))
}

func countFact(field string, n int, unit string) truthFact {
	return numberFact(field, float64(n), unit, thousands(n))
}

func percentFact(field string, v float64) truthFact {
	return numberFact(field, v, "percent", percent(v))
}

// facts lists what a lease agreement prints.
func (l Lease) facts() []truthFact {
	t := l.Tenant
	consent := "only with the Landlord's consent"
	if l.Sublet {
		consent = "without the Landlord's consent"
	}
	out := []truthFact{
		textFact("number", l.Number), dateFact("signed", l.Signed), textFact("landlord", l.Landlord), textFact("tenant", t.Name),
		textFact("agent", t.Agent.Name), textFact("building", l.Building), textFact("address", l.Address), countFact("area", l.Area, "square feet"),
		dateFact("start", l.Start), dateFact("end", l.End), textFact("use", l.Use), countFact("years", len(l.Schedule), "years"),
		percentFact("increase", l.Increase), dollarFact("deposit", l.Deposit), percentFact("late-fee", float64(l.LateFee)),
		dollarFact("insurance", l.Insurance), textFact("sublet", consent), countFact("notice", l.NoticeDays, "days"),
		dollarFact("total-rent", l.TotalRent()), textFact("tenant-signatory", t.Director), textFact("landlord-signatory", l.LandlordRep),
	}
	for i, y := range l.Schedule {
		out = append(out, dollarFact(fmt.Sprintf("monthly-%d", i+1), y.Monthly), dollarFact(fmt.Sprintf("annual-%d", i+1), 12*y.Monthly))
	}
	if l.ParkingSpaces > 0 {
		out = append(out, countFact("parking-spaces", l.ParkingSpaces, "spaces"), dollarFact("parking-fee", l.ParkingFee))
	}
	if l.BreakMonths > 0 {
		out = append(out, countFact("break-months", l.BreakMonths, "months"), dollarFact("break-fee", l.BreakFee))
	}
	if l.RenewalYears > 0 {
		out = append(out, countFact("renewal-years", l.RenewalYears, "years"), countFact("renewal-notice", l.RenewalNotice, "months"))
	}
	if l.SignageFee > 0 {
		out = append(out, dollarFact("signage-fee", l.SignageFee))
	}
	return out
}

// facts lists what a field report prints.
func (v Visit) facts() []truthFact {
	t := v.Tenant
	out := []truthFact{
		textFact("number", v.Number), textFact("tenant", t.Name), textFact("agent", t.Agent.Name), textFact("contact", t.Director),
		textFact("region", t.Agent.Region), dateFact("date", v.Date), textFact("manager", t.Agent.Manager), dateFact("submitted", v.Submitted),
		textFact("lease", v.Lease.Number), countFact("on-site", v.OnSite, "people"), dollarFact("budget", v.Budget), dateFact("next", v.Next),
		textFact("decision", v.Decision), dollarFact("pipeline", v.TotalValue()), textFact("concern", v.Concern), textFact("need", v.Need),
		textFact("competitor", v.Competitor),
	}
	for _, o := range v.Offers {
		f := lower(o.Service)
		out = append(out, countFact("sites-"+f, o.Sites, "sites"), dollarFact("price-"+f, o.Price), dollarFact("value-"+f, o.Value()))
	}
	for _, s := range v.Scores {
		out = append(out, numberFact("score-"+lower(s.Service), float64(s.Tenths)/10, "points", tenths(s.Tenths)))
	}
	return out
}

// facts lists what a quarterly statement prints.
func (s Statement) facts() []truthFact {
	out := []truthFact{
		textFact("number", s.Number), textFact("tenant", s.Tenant.Name), textFact("quarter", s.Quarter.String()),
		countFact("headcount", s.Headcount(), "employees"), dollarFact("cash", s.Cash), dollarFact("facility", s.Facility), textFact("bank", s.Bank),
		textFact("finance", s.Tenant.Finance), textFact("director", s.Tenant.Director), dateFact("approved", s.Approved), textFact("auditor", s.Auditor),
	}
	for _, column := range []struct {
		before string
		Period
	}{{"", s.Now}, {"before-", s.Before}} {
		before, p := column.before, column.Period
		for i, n := range s.SegmentNames {
			out = append(out, tableFact(before+"segment-"+lower(n), p.Segments[i]))
		}
		out = append(out, tableFact(before+"revenue", p.Revenue()), tableFact(before+"cost-of-sales", p.CostOfSales), tableFact(before+"gross", p.Gross()),
			tableFact(before+"personnel", p.Personnel), tableFact(before+"occupancy", p.Occupancy), tableFact(before+"other", p.OtherCosts),
			tableFact(before+"operating", p.Operating()))
	}
	for i, r := range s.Revenues {
		printed := millions(r)
		v, _ := strconv.ParseFloat(printed, 64) // as printed: two decimals
		out = append(out, numberFact("revenue-"+lower((s.Quarter-Quarter(3-i)).String()), v, "million USD", printed))
	}
	for i, d := range s.Departments {
		out = append(out, countFact("staff-"+lower(d), s.Staff[i], "employees"))
	}
	if s.Dividend > 0 {
		out = append(out, countFact("dividend", s.Dividend, "cents"))
	}
	return out
}

// clauses are the optional parts of documents, by type: what is not there is an absence. phrases
// must then not stand in the document.
var clauses = map[string][]struct {
	name    string
	phrases []string
	field   string // there where the clause is
}{
	TypeLease: {
		{"parking", []string{"parking"}, "parking-fee"},
		{"break option", []string{"break option", "break fee"}, "break-fee"},
		{"renewal", []string{"renew", "renewal"}, "renewal-years"},
		{"signage", []string{"signage"}, "signage-fee"},
	},
	TypeStatement: {{"dividend", []string{"dividend", "cents"}, "dividend"}},
}
