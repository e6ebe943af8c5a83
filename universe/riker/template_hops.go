package riker

import (
	"math/rand/v2"
	"slices"
)

// hop goes from a named document over a field of it to documents of another type.
func hop(name string, k Kind, f form, ask, sql string, read func(r *reading, n int32) any, with ...Kind) pattern {
	p := single(name, "L09", k, f, ask, sql, read)
	p.kinds = append(p.kinds, with...)
	return p
}

// witness is the first document of a type that prints a text in a field.
func witness(r *reading, k Kind, field, s string) int32 {
	if r.undefined {
		return 0
	}
	return r.of(k, field, s).first()
}

// leaseOfReport is the lease that a field report names.
func leaseOfReport(r *reading, n int32) int32 {
	number, customer := r.words(Reports, n, "lease"), ""
	if r.undefined {
		return 0
	}
	if c, ok := r.facts.(*columns); ok { // the lease is among those of the customer
		v, _ := c.get(Reports, n, "customer")
		customer = c.text(v)
		for _, l := range c.having(Leases, "lessee", c.code(customer)) {
			if v, ok := c.get(Leases, l, "number"); ok && c.text(v) == number {
				r.note(Leases, l, "number")
				return l
			}
		}
		r.undefined = true
		return 0
	}
	return r.of(Leases, "number", number).one()
}

// visitsTo are the field reports on visits to the lessee of a lease.
func visitsTo(r *reading, lease int32) chosen {
	who := r.words(Leases, lease, "lessee")
	if r.undefined {
		return chosen{r: r, kind: Reports}
	}
	return r.of(Reports, "customer", who)
}

const ofLease = "(SELECT %s FROM leases l WHERE l.id = t.lease)"

// L09: facts of one document lead to another.
var hopPatterns = []pattern{
	many("lessor-latest-end", "L09", func(a *asker, r *rand.Rand) (proposal, bool) {
		c := a.lessor(r)
		q := rowsOf{Leases, "t.lessor = " + firm(c.Bare)}
		return proposal{text: "On which date does the last of the leases of the lessor " + c.Name + " end?", form: asDate, sql: topRow(q, "t.end", "end", "max"),
			read: topOf(func(r *reading) chosen { return r.of(Leases, "lessor", c.Name) }, "end", 1, func(r *reading, n int32) any { v, _ := r.get(Leases, n, "end"); return dateOf(v).ISO() })}, true
	}, Leases),
	many("lessee-earliest-start", "L09", func(a *asker, r *rand.Rand) (proposal, bool) {
		c := a.lessee(r)
		q := rowsOf{Leases, "t.lessee = " + firm(c.Bare)}
		return proposal{text: "On which date does the earliest of the leases of " + c.Name + " begin?", form: asDate, sql: topRow(q, "t.start", "start", "min"),
			read: topOf(func(r *reading) chosen { return r.of(Leases, "lessee", c.Name) }, "start", -1, func(r *reading, n int32) any { v, _ := r.get(Leases, n, "start"); return dateOf(v).ISO() })}, true
	}, Leases),
	hop("lease-manager", Leases, asName, "Who is the manager of the leasing agent who is named in %s?", "(SELECT x.manager FROM agents a JOIN territories x ON x.id = a.territory WHERE a.id = t.agent)",
		func(r *reading, n int32) any {
			return r.words(Reports, witness(r, Reports, "agent", r.words(Leases, n, "agent")), "manager")
		}, Reports),
	hop("lease-agent-territory", Leases, asName, "In which territory does the leasing agent work who is named in %s?", "(SELECT x.name FROM agents a JOIN territories x ON x.id = a.territory WHERE a.id = t.agent)",
		func(r *reading, n int32) any {
			return r.words(Reviews, witness(r, Reviews, "employee", r.words(Leases, n, "agent")), "territory")
		}, Reviews),
	hop("lease-agent-hired", Leases, asDate, "On which date did the leasing agent who is named in %s join the firm?", "(SELECT hired FROM agents WHERE id = t.agent)",
		func(r *reading, n int32) any {
			return r.day(Reviews, witness(r, Reviews, "employee", r.words(Leases, n, "agent")), "hired").ISO()
		}, Reviews),
	hop("lease-visit-attendees", Leases, asNumber("people"), "How many people took part in the first visit about the deal that led to %s?", "(SELECT attendees FROM reports WHERE lease = t.id AND visit = 1)",
		func(r *reading, n int32) any {
			number := r.words(Leases, n, "number")
			c := visitsTo(r, n)
			if r.undefined {
				return nil
			}
			return r.amount(Reports, c.saying("lease", number).with("visit", func(v value) bool { return v == 100 }).one(), "attendees")
		}, Reports),
	hop("report-deposit", Reports, asMoney, "What security deposit was agreed in the lease that %s names?", sprint(ofLease, "deposit"),
		func(r *reading, n int32) any { return r.amount(Leases, leaseOfReport(r, n), "deposit") }, Leases),
	hop("report-lessor", Reports, asName, "Who is the lessor in the lease that %s names?", "(SELECT c.name FROM leases l JOIN companies c ON c.id = l.lessor WHERE l.id = t.lease)",
		func(r *reading, n int32) any { return r.words(Leases, leaseOfReport(r, n), "lessor") }, Leases),
	hop("report-lease-end", Reports, asDate, "When does the lease that %s names end?", sprint(ofLease, "end"),
		func(r *reading, n int32) any { return r.day(Leases, leaseOfReport(r, n), "end").ISO() }, Leases),
	hop("report-agent-number", Reports, asExact, "What is the employee number of the agent who wrote %s?", "(SELECT employee_number FROM agents WHERE id = t.agent)",
		func(r *reading, n int32) any {
			return r.words(Reviews, witness(r, Reviews, "employee", r.words(Reports, n, "agent")), "employee_number")
		}, Reviews),
	hop("report-agent-hired", Reports, asDate, "On which date did the agent who wrote %s join the firm?", "(SELECT hired FROM agents WHERE id = t.agent)",
		func(r *reading, n int32) any {
			return r.day(Reviews, witness(r, Reviews, "employee", r.words(Reports, n, "agent")), "hired").ISO()
		}, Reviews),
	{name: "report-agent-overall", level: "L09", kinds: []Kind{Reports, Reviews}, make: func(a *asker, r *rand.Rand) (proposal, bool) {
		n := a.draw(Reports, r)
		h := a.w.Review(a.draw(Reviews, r)).Period.String()
		return singleOf(a.w.name(Reports, n, r), asPoints, "What overall rating did the agent who wrote %s get for "+h+"?", "(SELECT v.overall FROM reviews v WHERE v.agent = t.agent AND v.period = "+lit(h)+")",
			func(r *reading, n int32) any {
				who := r.words(Reports, n, "agent")
				if r.undefined {
					return nil
				}
				return r.amount(Reviews, r.of(Reviews, "employee", who).saying("period", h).one(), "overall")
			}), true
	}},
	many("manager-agents-value", "L09", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Review(a.draw(Reviews, r))
		m, h := x.Agent.Territory.Manager, x.Period.String()
		staff := "t.agent IN (SELECT v.agent FROM reviews v JOIN territories x ON x.id = v.territory WHERE x.manager = " + lit(m) + " AND v.period = " + lit(h) + " AND v.bonus IS NOT NULL)"
		return proposal{text: "How many people of customers took part in all visits together that were reported by those employees whose evaluation for " + h + " names " + m + " as the manager and grants a bonus?", form: asNumber("people"),
			sql: rowsOf{Reports, staff}.selects("sum(t.attendees)"),
			read: func(r *reading) any {
				sum, n := 0.0, 0
				reviews := r.of(Reviews, "manager", m).saying("period", h).with("bonus", there)
				// Who wrote no report adds nothing.
				reviews = reviews.with("employee", func(v value) bool { return len(r.having(Reports, "agent", v)) > 0 })
				for _, who := range reviews.different("employee") {
					c := r.of(Reports, "agent", who)
					n += len(c.rows)
					sum += c.sum("attendees")
				}
				if n < 2 {
					return nil
				}
				return sum
			}}, true
	}, Reviews, Reports),
	many("lessor-agents", "L09", func(a *asker, r *rand.Rand) (proposal, bool) {
		c := a.lessor(r)
		return proposal{text: "List the managers of the leasing agents who are named in leases of the lessor " + c.Name + ".", form: asList,
			sql: "SELECT DISTINCT x.manager FROM leases t JOIN agents a ON a.id = t.agent JOIN territories x ON x.id = a.territory WHERE t.lessor = " + firm(c.Bare) + " AND EXISTS (SELECT 1 FROM reviews v WHERE v.agent = a.id)",
			read: func(r *reading) any {
				seen := map[string]bool{}
				var out []string
				for _, n := range r.of(Leases, "lessor", c.Name).with("agent", there).rows {
					v, _ := r.get(Leases, n, "agent")
					reviews := r.having(Reviews, "employee", v)
					if len(reviews) == 0 {
						continue
					}
					m, ok := r.get(Reviews, reviews[0], "manager")
					if !ok {
						r.undefined = true
						return nil
					}
					if seen[r.text(m)] {
						continue
					}
					seen[r.text(m)] = true
					out = append(out, r.text(m))
					r.note(Leases, n, "lessor", "agent")
					r.note(Reviews, reviews[0], "employee", "manager")
				}
				return listed(out)
			}}, true
	}, Leases, Reviews),
	hop("invoice-agent", Invoices, asName, "Which agent visited the customer that %s bills, according to the field report on the first visit with products of the same total value before discount?",
		"(SELECT CASE WHEN count(*) = 1 THEN max((SELECT name FROM agents WHERE id = r.agent)) END FROM reports r WHERE r.customer = t.customer AND r.visit = 1 AND r.value = t.subtotal + ifnull(t.discount, 0))",
		func(r *reading, n int32) any {
			total := r.say(Invoices, n, "subtotal")
			if v, ok := r.get(Invoices, n, "discount"); ok {
				r.note(Invoices, n, "discount")
				total += v
			}
			who := r.words(Invoices, n, "customer")
			if r.undefined {
				return nil
			}
			report := r.of(Reports, "customer", who).with("visit", func(v value) bool { return v == 100 }).with("value", func(v value) bool { return v == total }).one()
			return r.words(Reports, report, "agent")
		}, Reports),
	hop("invoice-contact", Invoices, asName, "Who is the contact at the customer that %s bills?", "(SELECT c.contact FROM companies c WHERE c.id = t.customer AND EXISTS (SELECT 1 FROM reports r WHERE r.customer = c.id))",
		func(r *reading, n int32) any {
			return r.words(Reports, witness(r, Reports, "customer", r.words(Invoices, n, "customer")), "contact")
		}, Reports),
	hop("statement-lessor", Statements, asName, "Who represents the lessor of the building for which the company of %s signed its earliest lease?",
		"(SELECT CASE WHEN count(*) > 1 THEN (SELECT c.director FROM leases m JOIN companies c ON c.id = m.lessor WHERE m.lessee = t.company ORDER BY m.signed LIMIT 1) END FROM leases l WHERE l.lessee = t.company HAVING count(DISTINCT l.signed) = count(*))",
		func(r *reading, n int32) any {
			company := r.words(Statements, n, "company")
			if r.undefined {
				return nil
			}
			c := r.of(Leases, "lessee", company)
			var signed []value
			for _, n := range c.rows {
				v, _ := r.get(Leases, n, "signed")
				if slices.Contains(signed, v) {
					return nil
				}
				signed = append(signed, v)
			}
			if len(c.rows) < 2 {
				return nil
			}
			return r.words(Leases, c.top("signed", -1), "lessor_representative")
		}, Leases),
	hop("lease-lessee-finance", Leases, asName, "Who is the finance director of the lessee in %s?", "(SELECT c.finance_director FROM companies c WHERE c.id = t.lessee AND EXISTS (SELECT 1 FROM statements s WHERE s.company = c.id))",
		func(r *reading, n int32) any {
			return r.words(Statements, witness(r, Statements, "company", r.words(Leases, n, "lessee")), "finance_director")
		}, Statements),
	{name: "lease-lessee-cash", level: "L09", kinds: []Kind{Leases, Statements}, make: func(a *asker, r *rand.Rand) (proposal, bool) {
		n, q := a.draw(Leases, r), a.w.Statement(a.draw(Statements, r)).Quarter.String()
		return singleOf(a.w.name(Leases, n, r), asMoney, "How much cash did the lessee in %s hold at the end of "+q+"?", "(SELECT cash FROM statements s WHERE s.company = t.lessee AND s.quarter = "+lit(q)+")",
			func(r *reading, n int32) any {
				who := r.words(Leases, n, "lessee")
				if r.undefined {
					return nil
				}
				return r.amount(Statements, r.of(Statements, "company", who).saying("quarter", q).one(), "cash")
			}), true
	}},
	hop("report-gift-limit", Reports, asMoney, "Up to what value may the agent who wrote %s take gifts, by the latest handbook of the territory?",
		"(SELECT gift_limit FROM handbooks b WHERE b.territory = t.territory ORDER BY b.edition DESC LIMIT 1)",
		func(r *reading, n int32) any {
			territory := r.words(Reports, n, "territory")
			if r.undefined {
				return nil
			}
			return r.amount(Handbooks, r.of(Handbooks, "territory", territory).top("edition", 1), "gift_limit")
		}, Handbooks),
}
