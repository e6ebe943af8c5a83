package universe

import (
	"fmt"
	"strconv"

	edb "enterprisedocbench"
)

// Tasks of questions.
const (
	taskLookup     = "lookup"
	taskCompliance = "compliance-extraction"
	taskContract   = "contract-analysis"
	taskFinance    = "financial-reconciliation"
)

// template proposes a question about tenant n; false where it has none for this tenant. Levels are
// RIKER's (section 3.3): L01 direct, L02 indirect, L03 optional section, L04 several conditions
// inside a document, L06 sums and differences, L07 comparison, L09 several hops, L11 entity that does
// not exist, L12 information that is absent.
type template func(w World, n int) (ask, bool)

// plain makes a template for one printed field of the only document of a type about the tenant.
// kind says how the print is read: text, number or date.
func plain(typ, task, level, kind, field, format string, truth func(World, int) (edb.GoldAnswer, bool)) template {
	return func(w World, n int) (ask, bool) {
		answer, ok := truth(w, n)
		name := w.Tenant(n).Name
		return ask{text: fmt.Sprintf(format, name), task: task, level: level, domain: domainOf(typ), answer: answer,
			sql: sqlSelect(sqlFind(typ, "tenant", sqlText(name), field, kind)),
			again: func(r *reading) any {
				return r.typed(kind, r.find(typ, "tenant", name, field))
			}}, ok
	}
}

func domainOf(typ string) string {
	switch typ {
	case TypeLease:
		return "legal"
	case TypeReport:
		return "sales"
	}
	return "finance"
}

// typed reads a print as what it is.
func (r *reading) typed(kind, printed string) any {
	switch {
	case r.err != nil:
		return nil
	case kind == "number":
		return r.number(printed)
	case kind == "date":
		return r.date(printed)
	}
	return printed
}

// ofLease, ofVisit and ofStatement turn a truth of one document into one of the tenant.
func ofLease(f func(Lease) edb.GoldAnswer, when ...func(Lease) bool) func(World, int) (edb.GoldAnswer, bool) {
	return func(w World, n int) (edb.GoldAnswer, bool) {
		l := w.Lease(n)
		for _, c := range when {
			if !c(l) {
				return edb.GoldAnswer{}, false
			}
		}
		return f(l), true
	}
}

func ofVisit(f func(Visit) edb.GoldAnswer) func(World, int) (edb.GoldAnswer, bool) {
	return func(w World, n int) (edb.GoldAnswer, bool) { return f(w.Visit(n)), true }
}

func ofStatement(f func(Statement) edb.GoldAnswer, when ...func(Statement) bool) func(World, int) (edb.GoldAnswer, bool) {
	return func(w World, n int) (edb.GoldAnswer, bool) {
		s := w.Statement(n)
		for _, c := range when {
			if !c(s) {
				return edb.GoldAnswer{}, false
			}
		}
		return f(s), true
	}
}

func whole(n int, unit string) edb.GoldAnswer { return count(float64(n), thousands(n), unit) }

// singleHop asks for one fact of running text.
var singleHop = []template{
	plain(TypeLease, taskContract, "L01", "number", "deposit", "What security deposit does %s pay under its lease?", ofLease(func(l Lease) edb.GoldAnswer { return money(l.Deposit) })),
	plain(TypeReport, taskLookup, "L01", "date", "date", "On which date was %s visited for the sales field report?", ofVisit(func(v Visit) edb.GoldAnswer { return dateAnswer(v.Date) })),
	plain(TypeStatement, taskLookup, "L01", "number", "cash", "How much cash did %s hold at the end of the quarter?", ofStatement(func(s Statement) edb.GoldAnswer { return money(s.Cash) })),
	plain(TypeLease, taskCompliance, "L01", "number", "notice", "How many days must a party to the lease of %s allow the other to put a breach right?", ofLease(func(l Lease) edb.GoldAnswer { return whole(l.NoticeDays, "days") })),
	plain(TypeReport, taskLookup, "L01", "text", "concern", "What is the main concern of %s?", ofVisit(func(v Visit) edb.GoldAnswer { return textAnswer(v.Concern) })),
	plain(TypeStatement, taskCompliance, "L01", "text", "auditor", "Which firm audits the annual accounts of %s?", ofStatement(func(s Statement) edb.GoldAnswer { return textAnswer(s.Auditor) })),
	plain(TypeLease, taskContract, "L01", "text", "agent", "Who is the agent of record that negotiated the lease of %s?", ofLease(func(l Lease) edb.GoldAnswer { return textAnswer(l.Tenant.Agent.Name) })),
	plain(TypeReport, taskLookup, "L01", "number", "budget", "What is the yearly budget of %s for facility services?", ofVisit(func(v Visit) edb.GoldAnswer { return money(v.Budget) })),
	plain(TypeStatement, taskLookup, "L01", "text", "finance", "Who prepared the quarterly financial statement of %s?", ofStatement(func(s Statement) edb.GoldAnswer { return textAnswer(s.Tenant.Finance) })),
	plain(TypeLease, taskCompliance, "L01", "number", "insurance", "What public liability cover must %s carry for each event?", ofLease(func(l Lease) edb.GoldAnswer { return money(l.Insurance) })),
	plain(TypeReport, taskLookup, "L01", "date", "next", "When is the next meeting with %s?", ofVisit(func(v Visit) edb.GoldAnswer { return dateAnswer(v.Next) })),
	plain(TypeStatement, taskLookup, "L01", "number", "facility", "How large is the credit facility available to %s?", ofStatement(func(s Statement) edb.GoldAnswer { return money(s.Facility) })),
	plain(TypeLease, taskContract, "L03", "number", "parking-fee", "What monthly parking fee does %s pay?", ofLease(func(l Lease) edb.GoldAnswer { return money(l.ParkingFee) }, func(l Lease) bool { return l.ParkingFee > 0 })),
	plain(TypeReport, taskLookup, "L01", "text", "competitor", "Which rival has made an offer to %s?", ofVisit(func(v Visit) edb.GoldAnswer { return textAnswer(v.Competitor) })),
	plain(TypeStatement, taskCompliance, "L01", "date", "approved", "On which date was the quarterly statement of %s approved?", ofStatement(func(s Statement) edb.GoldAnswer { return dateAnswer(s.Approved) })),
	plain(TypeLease, taskContract, "L01", "text", "landlord-signatory", "Who signed for the landlord in the lease with %s?", ofLease(func(l Lease) edb.GoldAnswer { return textAnswer(l.LandlordRep) })),
	plain(TypeReport, taskLookup, "L01", "text", "need", "What does %s wish for in the coming year?", ofVisit(func(v Visit) edb.GoldAnswer { return textAnswer(v.Need) })),
	plain(TypeStatement, taskLookup, "L01", "text", "bank", "Which bank gives %s its credit facility?", ofStatement(func(s Statement) edb.GoldAnswer { return textAnswer(s.Bank) })),
	plain(TypeLease, taskCompliance, "L01", "number", "late-fee", "What yearly interest rate applies to sums that %s pays late?", ofLease(func(l Lease) edb.GoldAnswer { return count(float64(l.LateFee), percent(float64(l.LateFee)), "percent") })),
	plain(TypeReport, taskLookup, "L01", "number", "on-site", "How many people hold an access badge at the premises of %s?", ofVisit(func(v Visit) edb.GoldAnswer { return whole(v.OnSite, "people") })),
	mayNotSublet,
	plain(TypeLease, taskContract, "L03", "number", "break-fee", "What fee must %s pay to use its break option?", ofLease(func(l Lease) edb.GoldAnswer { return money(l.BreakFee) }, func(l Lease) bool { return l.BreakFee > 0 })),
	plain(TypeLease, taskContract, "L01", "number", "increase", "By what percentage does the rent of %s rise each year?", ofLease(func(l Lease) edb.GoldAnswer { return count(l.Increase, percent(l.Increase), "percent") })),
	plain(TypeStatement, taskLookup, "L03", "number", "dividend", "How many cents per share does %s pay as a dividend?", ofStatement(func(s Statement) edb.GoldAnswer { return whole(s.Dividend, "cents") }, func(s Statement) bool { return s.Dividend > 0 })),
	plain(TypeLease, taskContract, "L03", "number", "renewal-years", "For how many years may %s renew its lease?", ofLease(func(l Lease) edb.GoldAnswer { return whole(l.RenewalYears, "years") }, func(l Lease) bool { return l.RenewalYears > 0 })),
	plain(TypeLease, taskContract, "L03", "number", "signage-fee", "What yearly fee does %s pay for its sign on the building?", ofLease(func(l Lease) edb.GoldAnswer { return money(l.SignageFee) }, func(l Lease) bool { return l.SignageFee > 0 })),
}

func mayNotSublet(w World, n int) (ask, bool) {
	l := w.Lease(n)
	return ask{text: fmt.Sprintf("Does %s need the landlord's consent to sublet parts of its premises?", l.Tenant.Name), task: taskCompliance, level: "L02", domain: "legal",
		answer: boolean(!l.Sublet), sql: sqlSelect(sqlFind(TypeLease, "tenant", sqlText(l.Tenant.Name), "sublet", "text") + "\n  = 'only with the Landlord''s consent'"), again: func(r *reading) any {
			return r.find(TypeLease, "tenant", l.Tenant.Name, "sublet") == "only with the Landlord's consent"
		}}, true
}

// tables asks for a cell or a total of a table.
var tables = []template{
	func(w World, n int) (ask, bool) {
		l := w.Lease(n)
		k := w.pick("ask-year", n, len(l.Schedule))
		return plain(TypeLease, taskContract, "L01", "number", fmt.Sprintf("monthly-%d", k+1), "What is the monthly rent of %s in lease year "+fmt.Sprint(k+1)+"?",
			ofLease(func(l Lease) edb.GoldAnswer { return money(l.Schedule[k].Monthly) }))(w, n)
	},
	func(w World, n int) (ask, bool) {
		o := w.Visit(n).Offers[w.pick("ask-offer", n, 4)]
		return plain(TypeReport, taskLookup, "L01", "number", "value-"+lower(o.Service), "What is the yearly value of the "+lowerFirst(o.Service)+" offered to %s?",
			ofVisit(func(Visit) edb.GoldAnswer { return money(o.Value()) }))(w, n)
	},
	func(w World, n int) (ask, bool) {
		s := w.Statement(n)
		k := w.pick("ask-segment", n, len(s.SegmentNames))
		return plain(TypeStatement, taskFinance, "L01", "number", "segment-"+lower(s.SegmentNames[k]),
			"What revenue did %s make with "+lowerFirst(s.SegmentNames[k])+" in "+s.Quarter.String()+"?",
			ofStatement(func(s Statement) edb.GoldAnswer { return money(s.Now.Segments[k]) }))(w, n)
	},
	plain(TypeLease, taskContract, "L01", "number", "total-rent", "What is the total rent of %s over the whole lease term?", ofLease(func(l Lease) edb.GoldAnswer { return money(l.TotalRent()) })),
	plain(TypeReport, taskFinance, "L01", "number", "pipeline", "What is the total yearly value of all services offered to %s?", ofVisit(func(v Visit) edb.GoldAnswer { return money(v.TotalValue()) })),
	plain(TypeStatement, taskFinance, "L01", "number", "before-gross", "What gross profit did %s make in the quarter before the one it reports on?", ofStatement(func(s Statement) edb.GoldAnswer { return money(s.Before.Gross()) })),
	plain(TypeStatement, taskLookup, "L01", "number", "headcount", "How many employees does %s have in total?", ofStatement(func(s Statement) edb.GoldAnswer { return whole(s.Headcount(), "employees") })),
	plain(TypeStatement, taskFinance, "L01", "number", "occupancy", "What occupancy cost does the latest quarter of %s show?", ofStatement(func(s Statement) edb.GoldAnswer { return money(s.Now.Occupancy) })),
	func(w World, n int) (ask, bool) {
		s := w.Statement(n)
		k := w.pick("ask-department", n, len(s.Departments))
		return plain(TypeStatement, taskLookup, "L01", "number", "staff-"+lower(s.Departments[k]), "How many employees of %s work in "+lowerFirst(s.Departments[k])+"?",
			ofStatement(func(s Statement) edb.GoldAnswer { return whole(s.Staff[k], "employees") }))(w, n)
	},
	plain(TypeLease, taskLookup, "L01", "number", "area", "What is the rentable area of the premises of %s in square feet?", ofLease(func(l Lease) edb.GoldAnswer { return whole(l.Area, "square feet") })),
}

// figures asks for a value that a chart shows in its labels or caption and no table holds.
var figures = []template{
	func(w World, n int) (ask, bool) {
		sc := w.Visit(n).Scores[w.pick("ask-score", n, 4)]
		return plain(TypeReport, taskLookup, "L01", "number", "score-"+lower(sc.Service), "What satisfaction score did %s give to "+lowerFirst(sc.Service)+"?",
			ofVisit(func(Visit) edb.GoldAnswer { return count(float64(sc.Tenths)/10, tenths(sc.Tenths), "points") }))(w, n)
	},
	func(w World, n int) (ask, bool) {
		s := w.Statement(n)
		k := w.pick("ask-quarter", n, 2)
		q := (s.Quarter - Quarter(3-k)).String()
		return plain(TypeStatement, taskFinance, "L01", "number", "revenue-"+lower(q), "According to the chart, what was the revenue of %s in "+q+", in million US dollars?",
			ofStatement(func(s Statement) edb.GoldAnswer {
				p := millions(s.Revenues[k])
				v, _ := strconv.ParseFloat(p, 64)
				a := count(v, p+" million", "USD")
				a.Scale, a.Facts = "million", []string{p}
				return a
			}))(w, n)
	},
}
