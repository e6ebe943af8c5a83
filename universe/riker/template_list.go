package riker

import (
	"math/rand/v2"
	"slices"
)

// distinct lists the different names that chosen documents give.
func distinct(text string, q rowsOf, name string, field string, choose func(*reading) chosen) proposal {
	return proposal{text: text, form: asList, sql: "SELECT DISTINCT " + name + " " + q.from(),
		read: func(r *reading) any { return listed(bareNames(choose(r).different(field))) }}
}

const (
	customerBare = "(SELECT bare FROM companies WHERE id = t.customer)"
	lesseeBare   = "(SELECT bare FROM companies WHERE id = t.lessee)"
)

// L08: enumeration.
var listPatterns = []pattern{
	many("lessees-of", "L08", func(a *asker, r *rand.Rand) (proposal, bool) {
		c := a.lessor(r)
		return distinct("List all lessees that rent from the lessor "+c.Name+".", rowsOf{Leases, "t.lessor = " + firm(c.Bare)}, lesseeBare, "lessee",
			func(r *reading) chosen { return r.of(Leases, "lessor", c.Name) }), true
	}, Leases),
	many("buildings-of", "L08", func(a *asker, r *rand.Rand) (proposal, bool) {
		c := a.lessee(r)
		return distinct("List the buildings in which "+c.Name+" rents premises.", rowsOf{Leases, "t.lessee = " + firm(c.Bare)}, "t.building", "building",
			func(r *reading) chosen { return r.of(Leases, "lessee", c.Name) }), true
	}, Leases),
	many("leases-with", "L08", func(a *asker, r *rand.Rand) (proposal, bool) {
		c := a.lessor(r)
		words, field := clause(r)
		return distinct("List the numbers of the leases of the lessor "+c.Name+" that provide for "+words+".", rowsOf{Leases, "t.lessor = " + firm(c.Bare) + " AND t." + field + " IS NOT NULL"}, "t.number", "number",
			func(r *reading) chosen { return r.of(Leases, "lessor", c.Name).with(field, there) }), true
	}, Leases),
	many("lessees-with-agent", "L08", func(a *asker, r *rand.Rand) (proposal, bool) {
		c := a.lessor(r)
		return distinct("List the lessees in leases of the lessor "+c.Name+" that name a leasing agent.", rowsOf{Leases, "t.lessor = " + firm(c.Bare) + " AND t.agent IS NOT NULL"}, lesseeBare, "lessee",
			func(r *reading) chosen { return r.of(Leases, "lessor", c.Name).with("agent", there) }), true
	}, Leases),
	many("buildings-of-agent", "L08", func(a *asker, r *rand.Rand) (proposal, bool) {
		l := a.w.Lease(a.draw(Leases, r))
		if l.Agent == nil {
			return proposal{}, false
		}
		return distinct("List the buildings in leases that name "+l.Agent.Name+" as the leasing agent.", rowsOf{Leases, "t.agent = " + agent(l.Agent.Name)}, "t.building", "building",
			func(r *reading) chosen { return r.of(Leases, "agent", l.Agent.Name) }), true
	}, Leases),
	many("customers-of", "L08", func(a *asker, r *rand.Rand) (proposal, bool) {
		who := a.visitor(r).Name
		return distinct("List the customers that "+who+" visited according to field reports.", rowsOf{Reports, "t.agent = " + agent(who)}, customerBare, "customer",
			func(r *reading) chosen { return r.of(Reports, "agent", who) }), true
	}, Reports),
	many("customers-at-stage", "L08", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Report(a.draw(Reports, r))
		who, s := x.Agent.Name, x.Stage.String()
		return distinct("List the customers for which a field report by "+who+" gives the stage \""+s+"\".", rowsOf{Reports, "t.agent = " + agent(who) + " AND t.stage = " + lit(s)}, customerBare, "customer",
			func(r *reading) chosen { return r.of(Reports, "agent", who).saying("stage", s) }), true
	}, Reports),
	many("competitors-of", "L08", func(a *asker, r *rand.Rand) (proposal, bool) {
		who := a.visitor(r).Name
		return distinct("List the competitors named in field reports by "+who+".", rowsOf{Reports, "t.agent = " + agent(who) + " AND t.competitor IS NOT NULL"}, "t.competitor", "competitor",
			func(r *reading) chosen { return r.of(Reports, "agent", who) }), true
	}, Reports),
	many("concerned-customers", "L08", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Report(a.draw(Reports, r))
		return distinct("List the customers from the "+x.Agent.Territory.Name+" that are concerned about "+x.Concern+" according to a field report.",
			rowsOf{Reports, "t.territory = " + region(x.Agent.Territory.Name) + " AND t.concern = " + lit(x.Concern)}, customerBare, "customer",
			func(r *reading) chosen {
				return r.of(Reports, "territory", x.Agent.Territory.Name).saying("concern", x.Concern)
			}), x.Concern != ""
	}, Reports),
	many("agents-of-manager", "L08", func(a *asker, r *rand.Rand) (proposal, bool) {
		m := a.visitor(r).Territory.Manager
		return distinct("List the agents whose field reports name "+m+" as the manager.", rowsOf{Reports, managedBy(m)}, agentName, "agent", func(r *reading) chosen { return r.of(Reports, "manager", m) }), true
	}, Reports),
	many("bonus-in-period", "L08", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Review(a.draw(Reviews, r))
		m, h := x.Agent.Territory.Manager, x.Period.String()
		return distinct("List the employees under the manager "+m+" whose evaluation for "+h+" grants a bonus.", rowsOf{Reviews, managedBy(m) + " AND t.period = " + lit(h) + " AND t.bonus IS NOT NULL"}, agentName, "employee",
			func(r *reading) chosen { return r.of(Reviews, "manager", m).saying("period", h).with("bonus", there) }), true
	}, Reviews),
	many("trained", "L08", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Review(a.draw(Reviews, r))
		return distinct("List the employees for whom an evaluation recommends training in "+x.Training+".", rowsOf{Reviews, "t.training = " + lit(x.Training)}, agentName, "employee",
			func(r *reading) chosen {
				return r.whole(Reviews).saying("training", x.Training)
			}), x.Training != ""
	}, Reviews),
	many("raise-without-bonus", "L08", func(a *asker, r *rand.Rand) (proposal, bool) {
		h := a.w.Review(a.draw(Reviews, r)).Period.String()
		return distinct("List the employees whose evaluation for "+h+" grants a salary increase but no bonus.", rowsOf{Reviews, "t.period = " + lit(h) + " AND t.raise IS NOT NULL AND t.bonus IS NULL"}, agentName, "employee",
			func(r *reading) chosen { return r.of(Reviews, "period", h).with("raise", there).lacking("bonus") }), true
	}, Reviews),
	many("one-visit-only", "L08", func(a *asker, r *rand.Rand) (proposal, bool) {
		who := a.visitor(r).Name
		q := rowsOf{Reports, "t.agent = " + agent(who) + " AND t.visit = 1"}
		return proposal{text: "List the customers that " + who + " visited for the first time but never again, according to field reports.", form: asList,
			sql: "SELECT DISTINCT " + customerBare + " " + q.from() + " EXCEPT SELECT " + customerBare + " FROM reports t WHERE t.agent = " + agent(who) + " AND t.visit > 1",
			read: func(r *reading) any {
				visits := func(pass func(value) bool) chosen { return r.of(Reports, "agent", who).with("visit", pass) }
				first := visits(func(v value) bool { return v == 100 }).different("customer")
				again := visits(func(v value) bool { return v > 100 })
				seen := map[value]bool{}
				again = again.with("customer", func(v value) bool { // one witness is enough
					if seen[v] || !slices.Contains(first, r.text(v)) {
						return false
					}
					seen[v] = true
					return true
				})
				twice := again.different("customer")
				r.work = append(r.work, value(len(first)), value(len(twice)))
				return listed(bareNames(slices.DeleteFunc(first, func(s string) bool { return slices.Contains(twice, s) })))
			}}, true
	}, Reports),
	many("new-bonus", "L08", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Review(a.draw(Reviews, r))
		h, before := x.Period.String(), (x.Period - 1).String()
		return proposal{text: "List the employees who have an evaluation with a bonus for " + h + " but none with a bonus for " + before + ".", form: asList,
			sql: "SELECT " + agentName + " FROM reviews t WHERE t.period = " + lit(h) + " AND t.bonus IS NOT NULL EXCEPT SELECT " + agentName + " FROM reviews t WHERE t.period = " + lit(before) + " AND t.bonus IS NOT NULL",
			read: func(r *reading) any {
				now := r.of(Reviews, "period", h).with("bonus", there).different("employee")
				then := r.of(Reviews, "period", before).with("bonus", there).with("employee", func(v value) bool { return slices.Contains(now, r.text(v)) }).different("employee")
				r.work = append(r.work, value(len(now)), value(len(then)))
				return listed(slices.DeleteFunc(now, func(s string) bool { return slices.Contains(then, s) }))
			}}, true
	}, Reviews),
	many("invoices-of", "L08", func(a *asker, r *rand.Rand) (proposal, bool) {
		c := a.w.Invoice(a.draw(Invoices, r)).Customer
		return distinct("List the numbers of all invoices to "+c.Name+".", rowsOf{Invoices, "t.customer = " + firm(c.Bare)}, "t.number", "number",
			func(r *reading) chosen { return r.of(Invoices, "customer", c.Name) }), true
	}, Invoices),
	many("large-companies", "L08", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Statement(a.draw(Statements, r))
		return distinct("List the companies that report "+sprint("%d", x.Headcount)+" employees or more in statements for "+x.Quarter.String()+".",
			rowsOf{Statements, sprint("t.quarter = %s AND t.headcount >= %d", lit(x.Quarter.String()), x.Headcount)}, "(SELECT bare FROM companies WHERE id = t.company)", "company",
			func(r *reading) chosen {
				return r.of(Statements, "quarter", x.Quarter.String()).with("headcount", atLeast(float64(x.Headcount)))
			}), true
	}, Statements),
}

// sourced lists names, each with the number of the document that says so.
func sourced(name, level, text string, k Kind, q func(*asker, *rand.Rand) (entity string, rows rowsOf, choose func(*reading) chosen, ok bool), expression, field string) pattern {
	return pattern{name: name, level: level, kinds: []Kind{k}, list: true, make: func(a *asker, r *rand.Rand) (proposal, bool) {
		entity, rows, choose, ok := q(a, r)
		p := proposal{text: sprint(text, entity), form: asSources, sql: rows.selects(expression + " || ' (' || t.number || ')'")}
		p.read = func(r *reading) any {
			c := choose(r)
			c.fields = append(slices.Clone(c.fields), "number")
			if !slices.Contains(c.fields, field) {
				c.fields = append(c.fields, field)
			}
			var items []string
			for _, n := range c.rows {
				v, ok := r.get(k, n, field)
				number, also := r.get(k, n, "number")
				if ok && also {
					items = append(items, bareName(r.text(v))+" ("+r.text(number)+")")
					r.note(k, n, c.fields...)
				}
			}
			return listed(items)
		}
		return p, ok
	}}
}

type choice = func(*reading) chosen

// sourcePatterns are list questions with the sources of each item.
var sourcePatterns = []pattern{
	sourced("sources-lessees", "L08", "List the lessees in all leases with %s as the lessor, each with the number of its lease.", Leases, func(a *asker, r *rand.Rand) (string, rowsOf, choice, bool) {
		c := a.lessor(r)
		return c.Name, rowsOf{Leases, "t.lessor = " + firm(c.Bare)}, func(r *reading) chosen { return r.of(Leases, "lessor", c.Name) }, true
	}, lesseeBare, "lessee"),
	sourced("sources-buildings", "L08", "List the buildings in all leases of the lessee %s, each with the number of the lease.", Leases, func(a *asker, r *rand.Rand) (string, rowsOf, choice, bool) {
		c := a.lessee(r)
		return c.Name, rowsOf{Leases, "t.lessee = " + firm(c.Bare)}, func(r *reading) chosen { return r.of(Leases, "lessee", c.Name) }, true
	}, "t.building", "building"),
	sourced("sources-agent-leases", "L08", "List the lessees in leases that name %s as the leasing agent, each with the number of its lease.", Leases, func(a *asker, r *rand.Rand) (string, rowsOf, choice, bool) {
		l := a.w.Lease(a.draw(Leases, r))
		if l.Agent == nil {
			return "", rowsOf{}, nil, false
		}
		return l.Agent.Name, rowsOf{Leases, "t.agent = " + agent(l.Agent.Name)}, func(r *reading) chosen { return r.of(Leases, "agent", l.Agent.Name) }, true
	}, lesseeBare, "lessee"),
	sourced("sources-visits", "L08", "List the customers in all field reports by %s, each with the number of the report.", Reports, func(a *asker, r *rand.Rand) (string, rowsOf, choice, bool) {
		who := a.visitor(r).Name
		return who, rowsOf{Reports, "t.agent = " + agent(who)}, func(r *reading) chosen { return r.of(Reports, "agent", who) }, true
	}, customerBare, "customer"),
	sourced("sources-competitors", "L08", "List the competitors named in field reports by %s, each with the number of the report.", Reports, func(a *asker, r *rand.Rand) (string, rowsOf, choice, bool) {
		who := a.visitor(r).Name
		return who, rowsOf{Reports, "t.agent = " + agent(who) + " AND t.competitor IS NOT NULL"}, func(r *reading) chosen { return r.of(Reports, "agent", who).with("competitor", there) }, true
	}, "t.competitor", "competitor"),
	sourced("sources-trainings", "L08", "List the trainings recommended in evaluations of %s, each with the number of the evaluation.", Reviews, func(a *asker, r *rand.Rand) (string, rowsOf, choice, bool) {
		who := a.w.Review(a.draw(Reviews, r)).Agent.Name
		return who, rowsOf{Reviews, "t.agent = " + agent(who) + " AND t.training IS NOT NULL"}, func(r *reading) chosen { return r.of(Reviews, "employee", who).with("training", there) }, true
	}, "t.training", "training"),
	sourced("sources-periods", "L08", "List the periods for which %s was evaluated, each with the number of the evaluation.", Reviews, func(a *asker, r *rand.Rand) (string, rowsOf, choice, bool) {
		who := a.w.Review(a.draw(Reviews, r)).Agent.Name
		return who, rowsOf{Reviews, "t.agent = " + agent(who)}, func(r *reading) chosen { return r.of(Reviews, "employee", who) }, true
	}, "t.period", "period"),
	sourced("sources-promoted", "L08", "List the employees promoted in evaluations that name %s as the manager, each with the number of the evaluation.", Reviews, func(a *asker, r *rand.Rand) (string, rowsOf, choice, bool) {
		m := a.w.Review(a.draw(Reviews, r)).Agent.Territory.Manager
		return m, rowsOf{Reviews, managedBy(m) + " AND t.promotion IS NOT NULL"}, func(r *reading) chosen { return r.of(Reviews, "manager", m).with("promotion", there) }, true
	}, agentName, "employee"),
}
