package riker

import (
	"fmt"
	"math/rand/v2"

	"enterprisedocbench"
)

// many asks about documents of a type that a draw chooses.
func many(name, level string, make func(a *asker, r *rand.Rand) (proposal, bool), kinds ...Kind) pattern {
	return pattern{name: name, level: level, kinds: kinds, make: make}
}

// atLeastTwo makes numbers below two undefined: they are no aggregation.
func atLeastTwo(v float64) any {
	if v < 2 {
		return nil
	}
	return v
}

// positive makes anything else undefined.
func positive(v float64) any {
	if v <= 0 {
		return nil
	}
	return v
}

// counted is a question for how many documents are chosen.
func counted(text, unit string, q rowsOf, choose func(*reading) chosen, fields ...string) proposal {
	return proposal{text: text, form: asNumber(unit), sql: q.selects("count(*)"), evidence: q.evidence(fields...),
		read: func(r *reading) any { return atLeastTwo(choose(r).count()) }}
}

// lessorOf and its like draw an entity: the one that a drawn document is about.
func (a *asker) lessor(r *rand.Rand) Company { return a.w.Lease(a.draw(Leases, r)).Lessor }
func (a *asker) lessee(r *rand.Rand) Company { return a.w.Lease(a.draw(Leases, r)).Lessee }
func (a *asker) visitor(r *rand.Rand) Agent  { return a.w.Report(a.draw(Reports, r)).Agent }

// clause draws an optional clause of leases, in words.
func clause(r *rand.Rand) (words, field string) {
	i := r.IntN(5)
	return []string{"a fee for parking", "a fee for signage", "a pet deposit", "a fee for ending the term early", "a right to renew"}[i],
		[]string{"parking_fee", "signage_fee", "pet_deposit", "break_fee", "renewal_years"}[i]
}

// L05: counting.
var countPatterns = []pattern{
	many("lessor-leases", "L05", func(a *asker, r *rand.Rand) (proposal, bool) {
		c := a.lessor(r)
		return counted("How many leases name "+c.Name+" as the lessor?", "leases", rowsOf{Leases, "t.lessor = " + firm(c.Bare)},
			func(r *reading) chosen { return r.of(Leases, "lessor", c.Name) }, "lessor"), true
	}, Leases),
	many("lessee-leases", "L05", func(a *asker, r *rand.Rand) (proposal, bool) {
		c := a.lessee(r)
		return counted("How many leases has "+c.Name+" signed as the lessee?", "leases", rowsOf{Leases, "t.lessee = " + firm(c.Bare)},
			func(r *reading) chosen { return r.of(Leases, "lessee", c.Name) }, "lessee"), true
	}, Leases),
	many("agent-leases", "L05", func(a *asker, r *rand.Rand) (proposal, bool) {
		l := a.w.Lease(a.draw(Leases, r))
		if l.Agent == nil {
			return proposal{}, false
		}
		return counted("How many leases name "+l.Agent.Name+" as the leasing agent?", "leases", rowsOf{Leases, "t.agent = " + agent(l.Agent.Name)},
			func(r *reading) chosen { return r.of(Leases, "agent", l.Agent.Name) }, "agent"), true
	}, Leases),
	many("lessor-clause", "L05", func(a *asker, r *rand.Rand) (proposal, bool) {
		c := a.lessor(r)
		words, field := clause(r)
		return counted("How many leases with "+c.Name+" as the lessor provide for "+words+"?", "leases", rowsOf{Leases, "t.lessor = " + firm(c.Bare) + " AND t." + field + " IS NOT NULL"},
			func(r *reading) chosen { return r.of(Leases, "lessor", c.Name).with(field, there) }, "lessor", field), true
	}, Leases),
	many("rent-above", "L05", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Lease(a.draw(Leases, r)).Monthly / 100 * 100
		return counted(fmt.Sprintf("How many leases have an initial monthly rent above $%s?", edb.Thousands(x)), "leases", rowsOf{Leases, fmt.Sprintf("t.monthly > %d", x)},
			func(r *reading) chosen { return r.whole(Leases).with("monthly", above(float64(x))) }, "monthly"), true
	}, Leases),
	many("agent-reports", "L05", func(a *asker, r *rand.Rand) (proposal, bool) {
		who := a.visitor(r).Name
		return counted("How many field reports did "+who+" write?", "reports", rowsOf{Reports, "t.agent = " + agent(who)},
			func(r *reading) chosen { return r.of(Reports, "agent", who) }, "agent"), true
	}, Reports),
	many("customer-visits", "L05", func(a *asker, r *rand.Rand) (proposal, bool) {
		c := a.w.Report(a.draw(Reports, r)).Customer
		return counted("How many field reports tell of visits to "+c.Name+"?", "reports", rowsOf{Reports, "t.customer = " + firm(c.Bare)},
			func(r *reading) chosen { return r.of(Reports, "customer", c.Name) }, "customer"), true
	}, Reports),
	many("territory-stage", "L05", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Report(a.draw(Reports, r))
		t, s := x.Agent.Territory.Name, x.Stage.String()
		return counted("How many field reports from the "+t+" give the stage \""+s+"\"?", "reports", rowsOf{Reports, "t.territory = " + region(t) + " AND t.stage = " + lit(s)},
			func(r *reading) chosen { return r.of(Reports, "territory", t).saying("stage", s) }, "territory", "stage"), true
	}, Reports),
	many("agent-competitors", "L05", func(a *asker, r *rand.Rand) (proposal, bool) {
		who := a.visitor(r).Name
		return counted("How many field reports by "+who+" name a competitor?", "reports", rowsOf{Reports, "t.agent = " + agent(who) + " AND t.competitor IS NOT NULL"},
			func(r *reading) chosen { return r.of(Reports, "agent", who).with("competitor", there) }, "agent", "competitor"), true
	}, Reports),
	many("territory-budget", "L05", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Report(a.draw(Reports, r))
		t, b := x.Agent.Territory.Name, x.Budget/1000*1000
		return counted(fmt.Sprintf("How many field reports from the %s give a customer's budget above $%s?", t, edb.Thousands(b)), "reports", rowsOf{Reports, fmt.Sprintf("t.territory = %s AND t.budget > %d", region(t), b)},
			func(r *reading) chosen {
				return r.of(Reports, "territory", t).with("budget", above(float64(b)))
			}, "territory", "budget"), b > 0
	}, Reports),
	many("agent-attendance", "L05", func(a *asker, r *rand.Rand) (proposal, bool) {
		who, x := a.visitor(r).Name, 3+r.IntN(6)
		return counted(fmt.Sprintf("At how many of the visits that %s reported did %d or more people of the customer take part?", who, x), "reports", rowsOf{Reports, fmt.Sprintf("t.agent = %s AND t.attendees >= %d", agent(who), x)},
			func(r *reading) chosen { return r.of(Reports, "agent", who).with("attendees", atLeast(float64(x))) }, "agent", "attendees"), true
	}, Reports),
	many("manager-employees", "L05", func(a *asker, r *rand.Rand) (proposal, bool) {
		m := a.w.Review(a.draw(Reviews, r)).Agent.Territory.Manager
		where := "t.territory = (SELECT id FROM territories WHERE manager = " + lit(m) + ")"
		return proposal{text: "How many different employees have evaluations that name " + m + " as their manager?", form: asNumber("employees"), sql: rowsOf{Reviews, where}.selects("count(DISTINCT t.agent)"),
			read: func(r *reading) any {
				return atLeastTwo(float64(len(r.of(Reviews, "manager", m).different("employee"))))
			}}, true
	}, Reviews),
	many("period-overall", "L05", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Review(a.draw(Reviews, r))
		h, p := x.Period.String(), float64(x.Overall()/10)/10
		return counted(fmt.Sprintf("How many evaluations for %s give an overall rating of %.1f or higher?", h, p), "evaluations", rowsOf{Reviews, fmt.Sprintf("t.period = %s AND t.overall >= %.1f", lit(h), p)},
			func(r *reading) chosen { return r.of(Reviews, "period", h).with("overall", atLeast(p)) }, "period", "overall"), true
	}, Reviews),
	many("period-bonus", "L05", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Review(a.draw(Reviews, r))
		h, b := x.Period.String(), x.Bonus/500*500
		return counted(fmt.Sprintf("How many evaluations for %s grant a bonus above $%s?", h, edb.Thousands(b)), "evaluations", rowsOf{Reviews, fmt.Sprintf("t.period = %s AND t.bonus > %d", lit(h), b)},
			func(r *reading) chosen { return r.of(Reviews, "period", h).with("bonus", above(float64(b))) }, "period", "bonus"), b > 0
	}, Reviews),
	many("manager-absence", "L05", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Review(a.draw(Reviews, r))
		m, d := x.Agent.Territory.Manager, 2+r.IntN(10)
		return counted(fmt.Sprintf("How many evaluations that name %s as the manager record %d or more days of absence?", m, d), "evaluations",
			rowsOf{Reviews, fmt.Sprintf("t.territory = (SELECT id FROM territories WHERE manager = %s) AND t.days_absent >= %d", lit(m), d)},
			func(r *reading) chosen {
				return r.of(Reviews, "manager", m).with("days_absent", atLeast(float64(d)))
			}, "manager", "days_absent"), true
	}, Reviews),
	many("customer-invoices", "L05", func(a *asker, r *rand.Rand) (proposal, bool) {
		c := a.w.Invoice(a.draw(Invoices, r)).Customer
		return counted("How many invoices were sent to "+c.Name+"?", "invoices", rowsOf{Invoices, "t.customer = " + firm(c.Bare)},
			func(r *reading) chosen { return r.of(Invoices, "customer", c.Name) }, "customer"), true
	}, Invoices),
	many("quarter-dividends", "L05", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Statement(a.draw(Statements, r))
		q, d := x.Quarter.String(), 2+r.IntN(40)
		return counted(fmt.Sprintf("How many statements for %s declare a dividend of %d cents per share or more?", q, d), "statements", rowsOf{Statements, fmt.Sprintf("t.quarter = %s AND t.dividend >= %d", lit(q), d)},
			func(r *reading) chosen {
				return r.of(Statements, "quarter", q).with("dividend", atLeast(float64(d)))
			}, "quarter", "dividend"), true
	}, Statements),
}

// added is a question for the sum of a field over chosen documents; averaged for its mean.
func added(text string, f form, field string, q rowsOf, choose func(*reading) chosen, fields ...string) proposal {
	return proposal{text: text, form: f, sql: q.selects("sum(t." + field + ")"), evidence: q.evidence(append(fields, field)...),
		read: func(r *reading) any {
			c := choose(r)
			if len(c.rows) < 2 {
				return nil
			}
			return positive(c.sum(field))
		}}
}

func averaged(text string, f form, field string, q rowsOf, choose func(*reading) chosen, fields ...string) proposal {
	return proposal{text: text, form: f, sql: q.selects("round(avg(t." + field + "), 6)"), evidence: q.evidence(append(fields, field)...),
		read: func(r *reading) any {
			c := choose(r)
			if len(c.rows) < 2 {
				return nil
			}
			return c.mean(field)
		}}
}

// L06: sums and averages.
var sumPatterns = []pattern{
	many("lessor-rent", "L06", func(a *asker, r *rand.Rand) (proposal, bool) {
		c := a.lessor(r)
		return added("What is the total of the initial monthly rents of all leases with "+c.Name+" as the lessor?", asMoney, "monthly", rowsOf{Leases, "t.lessor = " + firm(c.Bare)},
			func(r *reading) chosen { return r.of(Leases, "lessor", c.Name) }, "lessor"), true
	}, Leases),
	many("lessee-rent", "L06", func(a *asker, r *rand.Rand) (proposal, bool) {
		c := a.lessee(r)
		return added("What do the initial monthly rents of all leases of "+c.Name+" come to?", asMoney, "monthly", rowsOf{Leases, "t.lessee = " + firm(c.Bare)},
			func(r *reading) chosen { return r.of(Leases, "lessee", c.Name) }, "lessee"), true
	}, Leases),
	many("lessor-area", "L06", func(a *asker, r *rand.Rand) (proposal, bool) {
		c := a.lessor(r)
		return added("How many square feet does "+c.Name+" let in all its leases together?", asNumber("square feet"), "area", rowsOf{Leases, "t.lessor = " + firm(c.Bare)},
			func(r *reading) chosen { return r.of(Leases, "lessor", c.Name) }, "lessor"), true
	}, Leases),
	many("agent-deposits", "L06", func(a *asker, r *rand.Rand) (proposal, bool) {
		l := a.w.Lease(a.draw(Leases, r))
		if l.Agent == nil {
			return proposal{}, false
		}
		return added("What do the security deposits of all leases that name "+l.Agent.Name+" as the leasing agent come to?", asMoney, "deposit", rowsOf{Leases, "t.agent = " + agent(l.Agent.Name)},
			func(r *reading) chosen { return r.of(Leases, "agent", l.Agent.Name) }, "agent"), true
	}, Leases),
	many("lessor-mean-area", "L06", func(a *asker, r *rand.Rand) (proposal, bool) {
		c := a.lessor(r)
		return averaged("What is the average area, in square feet, of the leases with "+c.Name+" as the lessor?", asNumber("square feet"), "area", rowsOf{Leases, "t.lessor = " + firm(c.Bare)},
			func(r *reading) chosen { return r.of(Leases, "lessor", c.Name) }, "lessor"), true
	}, Leases),
	many("agent-attendees", "L06", func(a *asker, r *rand.Rand) (proposal, bool) {
		who := a.visitor(r).Name
		return added("How many people of customers took part in all visits together that "+who+" reported?", asNumber("people"), "attendees", rowsOf{Reports, "t.agent = " + agent(who)},
			func(r *reading) chosen { return r.of(Reports, "agent", who) }, "agent"), true
	}, Reports),
	many("agent-first-value", "L06", func(a *asker, r *rand.Rand) (proposal, bool) {
		who := a.visitor(r).Name
		return added("What is the total yearly value of the products over all first visits that "+who+" reported?", asMoney, "value", rowsOf{Reports, "t.agent = " + agent(who) + " AND t.visit = 1"},
			func(r *reading) chosen {
				return r.of(Reports, "agent", who).with("visit", func(v value) bool { return v == 100 })
			}, "agent", "visit"), true
	}, Reports),
	many("agent-budgets", "L06", func(a *asker, r *rand.Rand) (proposal, bool) {
		who := a.visitor(r).Name
		return added("What do all customer budgets named in field reports by "+who+" come to?", asMoney, "budget", rowsOf{Reports, "t.agent = " + agent(who) + " AND t.budget IS NOT NULL"},
			func(r *reading) chosen { return r.of(Reports, "agent", who).with("budget", there) }, "agent"), true
	}, Reports),
	many("agent-mean-probability", "L06", func(a *asker, r *rand.Rand) (proposal, bool) {
		who := a.visitor(r).Name
		return averaged("What is the average probability of closing over all field reports by "+who+"?", asPercent, "probability", rowsOf{Reports, "t.agent = " + agent(who)},
			func(r *reading) chosen { return r.of(Reports, "agent", who) }, "agent"), true
	}, Reports),
	many("employee-absence", "L06", func(a *asker, r *rand.Rand) (proposal, bool) {
		who := a.w.Review(a.draw(Reviews, r)).Agent.Name
		return added("How many days of absence do all evaluations of "+who+" record together?", asNumber("days"), "days_absent", rowsOf{Reviews, "t.agent = " + agent(who)},
			func(r *reading) chosen { return r.of(Reviews, "employee", who) }, "employee"), true
	}, Reviews),
	many("employee-won", "L06", func(a *asker, r *rand.Rand) (proposal, bool) {
		who := a.w.Review(a.draw(Reviews, r)).Agent.Name
		return added("What is the value of the deals won in all evaluated periods of "+who+" together?", asMoney, "value_won", rowsOf{Reviews, "t.agent = " + agent(who)},
			func(r *reading) chosen { return r.of(Reviews, "employee", who) }, "employee"), true
	}, Reviews),
	many("manager-bonus", "L06", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Review(a.draw(Reviews, r))
		m, h := x.Agent.Territory.Manager, x.Period.String()
		return added("What do the bonuses in the evaluations for "+h+" that name "+m+" as the manager come to?", asMoney, "bonus",
			rowsOf{Reviews, "t.territory = (SELECT id FROM territories WHERE manager = " + lit(m) + ") AND t.period = " + lit(h) + " AND t.bonus IS NOT NULL"},
			func(r *reading) chosen { return r.of(Reviews, "manager", m).saying("period", h).with("bonus", there) }, "manager", "period"), true
	}, Reviews),
	many("manager-value-won", "L06", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Review(a.draw(Reviews, r))
		m, h := x.Agent.Territory.Manager, x.Period.String()
		return added("What is the total value of deals won in the evaluations for "+h+" that name "+m+" as the manager?", asMoney, "value_won",
			rowsOf{Reviews, "t.territory = (SELECT id FROM territories WHERE manager = " + lit(m) + ") AND t.period = " + lit(h)},
			func(r *reading) chosen { return r.of(Reviews, "manager", m).saying("period", h) }, "manager", "period"), true
	}, Reviews),
	many("employee-mean-overall", "L06", func(a *asker, r *rand.Rand) (proposal, bool) {
		who := a.w.Review(a.draw(Reviews, r)).Agent.Name
		return averaged("What is the average overall rating over all evaluations of "+who+"?", asPoints, "overall", rowsOf{Reviews, "t.agent = " + agent(who)},
			func(r *reading) chosen { return r.of(Reviews, "employee", who) }, "employee"), true
	}, Reviews),
	many("customer-billed", "L06", func(a *asker, r *rand.Rand) (proposal, bool) {
		c := a.w.Invoice(a.draw(Invoices, r)).Customer
		return added("What is the total of the subtotals of all invoices to "+c.Name+"?", asMoney, "subtotal", rowsOf{Invoices, "t.customer = " + firm(c.Bare)},
			func(r *reading) chosen { return r.of(Invoices, "customer", c.Name) }, "customer"), true
	}, Invoices),
	many("company-revenue", "L06", func(a *asker, r *rand.Rand) (proposal, bool) {
		c := a.w.Statement(a.draw(Statements, r)).Company
		return added("What revenue do all quarterly statements of "+c.Name+" show together?", asMoney, "revenue", rowsOf{Statements, "t.company = " + firm(c.Bare)},
			func(r *reading) chosen { return r.of(Statements, "company", c.Name) }, "company"), true
	}, Statements),
}
