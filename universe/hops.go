package universe

import (
	"fmt"
	"math"

	edb "enterprisedocbench"
)

// hop makes a template that goes from a clue to a tenant in one document and on to a fact in another.
func hop(domain, task, format string, clue func(World, int) string, truth func(World, int) (edb.GoldAnswer, bool), query func(clue string) string, again func(r *reading, clue string) any) template {
	return func(w World, n int) (ask, bool) {
		answer, ok := truth(w, n)
		c := clue(w, n)
		return ask{text: fmt.Sprintf(format, c), task: task, level: "L09", domain: domain, answer: answer, sql: sqlSelect(query(sqlText(c))),
			again: func(r *reading) any { return again(r, c) }}, ok
	}
}

func addressOf(w World, n int) string   { return w.Lease(n).Address }
func leaseOf(w World, n int) string     { return w.Lease(n).Number }
func reportOf(w World, n int) string    { return w.Visit(n).Number }
func statementOf(w World, n int) string { return w.Statement(n).Number }

// other is a tenant beside n among the first count, never n itself.
func other(w World, n, count int) int {
	return (n + 1 + w.pick("other", n, count-1)) % count
}

// multiHop asks for what only two documents together tell.
func multiHop(count int) []template {
	return []template{
		hop("sales", taskLookup, "Who is the manager of the agent who negotiated the lease for the premises at %s?", addressOf,
			ofLease(func(l Lease) edb.GoldAnswer { return textAnswer(l.Tenant.Agent.Manager) }),
			managerQuery, func(r *reading, clue string) any {
				return r.any(TypeReport, "agent", r.find(TypeLease, "address", clue, "agent"), "manager")
			}),
		hop("finance", taskFinance, "What operating profit did the company that signed lease %s report for its latest quarter?", leaseOf,
			ofStatement(func(s Statement) edb.GoldAnswer { return money(s.Now.Operating()) }),
			then(TypeLease, "number", "tenant", TypeStatement, "tenant", "operating", "number"), func(r *reading, clue string) any {
				return r.number(r.find(TypeStatement, "tenant", r.find(TypeLease, "number", clue, "tenant"), "operating"))
			}),
		hop("legal", taskContract, "What security deposit was agreed with the customer of field report %s?", reportOf,
			ofLease(func(l Lease) edb.GoldAnswer { return money(l.Deposit) }),
			then(TypeReport, "number", "tenant", TypeLease, "tenant", "deposit", "number"), func(r *reading, clue string) any {
				return r.number(r.find(TypeLease, "tenant", r.find(TypeReport, "number", clue, "tenant"), "deposit"))
			}),
		func(w World, n int) (ask, bool) { return depositGap(w, n, other(w, n, count)) },
		hop("finance", taskLookup, "Who is the finance director of the company that rents the premises at %s?", addressOf,
			ofStatement(func(s Statement) edb.GoldAnswer { return textAnswer(s.Tenant.Finance) }),
			then(TypeLease, "address", "tenant", TypeStatement, "tenant", "finance", "text"), func(r *reading, clue string) any {
				return r.find(TypeStatement, "tenant", r.find(TypeLease, "address", clue, "tenant"), "finance")
			}),
		hop("sales", taskLookup, "What total yearly value of services was offered to the company that published statement %s?", statementOf,
			ofVisit(func(v Visit) edb.GoldAnswer { return money(v.TotalValue()) }),
			then(TypeStatement, "number", "tenant", TypeReport, "tenant", "pipeline", "number"), func(r *reading, clue string) any {
				return r.number(r.find(TypeReport, "tenant", r.find(TypeStatement, "number", clue, "tenant"), "pipeline"))
			}),
		func(w World, n int) (ask, bool) { return sameLandlord(w, n, other(w, n, count)) },
		hop("finance", taskLookup, "How much cash did the customer of field report %s hold at the end of its latest quarter?", reportOf,
			ofStatement(func(s Statement) edb.GoldAnswer { return money(s.Cash) }),
			then(TypeReport, "number", "tenant", TypeStatement, "tenant", "cash", "number"), func(r *reading, clue string) any {
				return r.number(r.find(TypeStatement, "tenant", r.find(TypeReport, "number", clue, "tenant"), "cash"))
			}),
		hop("sales", taskLookup, "On which date did an agent visit the company that rents the premises at %s?", addressOf,
			ofVisit(func(v Visit) edb.GoldAnswer { return dateAnswer(v.Date) }),
			then(TypeLease, "address", "tenant", TypeReport, "tenant", "date", "date"), func(r *reading, clue string) any {
				return r.date(r.find(TypeReport, "tenant", r.find(TypeLease, "address", clue, "tenant"), "date"))
			}),
		func(w World, n int) (ask, bool) { return rentTogether(w, n, other(w, n, count)) },
		hop("legal", taskCompliance, "Which landlord does the company that published statement %s rent from?", statementOf,
			ofLease(func(l Lease) edb.GoldAnswer { return textAnswer(l.Landlord) }),
			then(TypeStatement, "number", "tenant", TypeLease, "tenant", "landlord", "text"), func(r *reading, clue string) any {
				return r.find(TypeLease, "tenant", r.find(TypeStatement, "number", clue, "tenant"), "landlord")
			}),
	}
}

func depositGap(w World, n, m int) (ask, bool) {
	a, b := w.Lease(n), w.Lease(m)
	return ask{text: fmt.Sprintf("By how many dollars do the security deposits of %s and %s differ?", a.Tenant.Name, b.Tenant.Name), task: taskContract, level: "L06", domain: "legal",
		answer: money(max(a.Deposit-b.Deposit, b.Deposit-a.Deposit)),
		sql:    sqlSelect("abs(" + ofBoth(a, b, "deposit", "number", "\n  - ") + ")"), again: func(r *reading) any {
			x := r.find(TypeLease, "tenant", a.Tenant.Name, "deposit")
			y := r.find(TypeLease, "tenant", b.Tenant.Name, "deposit")
			return math.Abs(r.number(x) - r.number(y))
		}}, true
}

func rentTogether(w World, n, m int) (ask, bool) {
	a, b := w.Lease(n), w.Lease(m)
	return ask{text: fmt.Sprintf("What do %s and %s together pay as monthly rent in their first lease years?", a.Tenant.Name, b.Tenant.Name), task: taskFinance, level: "L06", domain: "legal",
		answer: money(a.Schedule[0].Monthly + b.Schedule[0].Monthly), sql: sqlSelect(ofBoth(a, b, "monthly-1", "number", "\n  + ")), again: func(r *reading) any {
			return r.number(r.find(TypeLease, "tenant", a.Tenant.Name, "monthly-1")) + r.number(r.find(TypeLease, "tenant", b.Tenant.Name, "monthly-1"))
		}}, true
}

func sameLandlord(w World, n, m int) (ask, bool) {
	a, b := w.Lease(n), w.Lease(m)
	return ask{text: fmt.Sprintf("Do %s and %s rent from the same landlord?", a.Tenant.Name, b.Tenant.Name), task: taskContract, level: "L07", domain: "legal",
		answer: boolean(a.Landlord == b.Landlord), sql: sqlSelect(ofBoth(a, b, "landlord", "text", "\n  = ")), again: func(r *reading) any {
			return r.find(TypeLease, "tenant", a.Tenant.Name, "landlord") == r.find(TypeLease, "tenant", b.Tenant.Name, "landlord")
		}}, true
}
