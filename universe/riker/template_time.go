package riker

import "math/rand/v2"

func span(field string, first, last Date) string {
	return "t." + field + " BETWEEN " + lit(first.ISO()) + " AND " + lit(last.ISO())
}

// L10: windows of time.
var timePatterns = []pattern{
	many("active-in-quarter", "L10", func(a *asker, r *rand.Rand) (proposal, bool) {
		q := quarterOf(a.w.Lease(a.draw(Leases, r)).Start) + Quarter(r.IntN(4))
		return counted("How many leases were active on at least one day of "+q.String()+"?", "leases", rowsOf{Leases, "t.start <= " + lit(q.Last().ISO()) + " AND t.end >= " + lit(q.First().ISO())},
			func(r *reading) chosen {
				return r.whole(Leases).with("start", until(q.Last())).with("end", from(q.First()))
			}, "start", "end"), true
	}, Leases),
	many("ending-in-year", "L10", func(a *asker, r *rand.Rand) (proposal, bool) {
		y := a.w.Lease(a.draw(Leases, r)).End.Year()
		return counted(sprint("How many leases end in %d?", y), "leases", rowsOf{Leases, span("end", NewDate(y, 1, 1), NewDate(y, 12, 31))},
			func(r *reading) chosen {
				return r.whole(Leases).with("end", between(NewDate(y, 1, 1), NewDate(y, 12, 31)))
			}, "end"), true
	}, Leases),
	many("starting-in-half", "L10", func(a *asker, r *rand.Rand) (proposal, bool) {
		h := halfOf(a.w.Lease(a.draw(Leases, r)).Start)
		return added("What do the initial monthly rents of all leases that begin in "+h.String()+" come to?", asMoney, "monthly", rowsOf{Leases, span("start", h.First(), h.Last())},
			func(r *reading) chosen { return r.whole(Leases).with("start", between(h.First(), h.Last())) }, "start"), true
	}, Leases),
	many("ending-within", "L10", func(a *asker, r *rand.Rand) (proposal, bool) {
		d, n := a.w.Lease(a.draw(Leases, r)).End.AddDays(-r.IntN(200)), 30*(6+r.IntN(20))
		return distinct(sprint("List the buildings whose leases end on or within %d days after %s.", n, d.In(Formal)), rowsOf{Leases, span("end", d, d.AddDays(n))}, "t.building", "building",
			func(r *reading) chosen { return r.whole(Leases).with("end", between(d, d.AddDays(n))) }), a.w.Counts[Leases] < 5000
	}, Leases),
	many("lessor-active-rent", "L10", func(a *asker, r *rand.Rand) (proposal, bool) {
		l := a.w.Lease(a.draw(Leases, r))
		d := l.Start.AddDays(r.IntN(700))
		return added("What do the initial monthly rents of the leases of the lessor "+l.Lessor.Name+" come to that were running on "+d.In(Formal)+"?", asMoney, "monthly",
			rowsOf{Leases, "t.lessor = " + firm(l.Lessor.Bare) + " AND t.start <= " + lit(d.ISO()) + " AND t.end >= " + lit(d.ISO())},
			func(r *reading) chosen {
				return r.of(Leases, "lessor", l.Lessor.Name).with("start", until(d)).with("end", from(d))
			}, "lessor", "start", "end"), true
	}, Leases),
	many("signed-in-quarter", "L10", func(a *asker, r *rand.Rand) (proposal, bool) {
		q := quarterOf(a.w.Lease(a.draw(Leases, r)).Signed)
		return distinct("List the buildings whose leases were signed in "+q.String()+".", rowsOf{Leases, span("signed", q.First(), q.Last())}, "t.building", "building",
			func(r *reading) chosen { return r.whole(Leases).with("signed", between(q.First(), q.Last())) }), a.w.Counts[Leases] < 5000
	}, Leases),
	many("visits-in-month", "L10", func(a *asker, r *rand.Rand) (proposal, bool) {
		m, first, last := monthOf(a.w.Report(a.draw(Reports, r)).Date)
		return counted("How many visits told of in field reports took place in "+m+"?", "visits", rowsOf{Reports, span("date", first, last)},
			func(r *reading) chosen { return r.whole(Reports).with("date", between(first, last)) }, "date"), true
	}, Reports),
	many("agent-visits-in-quarter", "L10", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Report(a.draw(Reports, r))
		q := quarterOf(x.Date)
		return distinct("List the customers that "+x.Agent.Name+" visited in "+q.String()+".", rowsOf{Reports, "t.agent = " + agent(x.Agent.Name) + " AND " + span("date", q.First(), q.Last())}, customerBare, "customer",
			func(r *reading) chosen {
				return r.of(Reports, "agent", x.Agent.Name).with("date", between(q.First(), q.Last()))
			}), true
	}, Reports),
	many("territory-visits-in-half", "L10", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Report(a.draw(Reports, r))
		t, h := x.Agent.Territory.Name, halfOf(x.Date)
		return added("How many people of customers took part in the visits from the "+t+" in "+h.String()+"?", asNumber("people"), "attendees", rowsOf{Reports, "t.territory = " + region(t) + " AND " + span("date", h.First(), h.Last())},
			func(r *reading) chosen {
				return r.of(Reports, "territory", t).with("date", between(h.First(), h.Last()))
			}, "territory", "date"), true
	}, Reports),
	many("next-visits-due", "L10", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Report(a.draw(Reports, r))
		d, n := x.Date, 14+7*r.IntN(12)
		return counted(sprint("How many field reports plan the next visit for a day within %d days after %s?", n, d.In(Formal)), "reports", rowsOf{Reports, span("next_date", d.AddDays(1), d.AddDays(n))},
			func(r *reading) chosen {
				return r.whole(Reports).with("next_date", between(d.AddDays(1), d.AddDays(n)))
			}, "next_date"), true
	}, Reports),
	many("agent-latest-visit", "L10", func(a *asker, r *rand.Rand) (proposal, bool) {
		who := a.visitor(r).Name
		return proposal{text: "On which date was the latest visit that " + who + " reported?", form: asDate, sql: topRow(rowsOf{Reports, "t.agent = " + agent(who)}, "t.date", "date", "max"),
			read: topOf(func(r *reading) chosen { return r.of(Reports, "agent", who) }, "date", 1, func(r *reading, n int32) any { v, _ := r.get(Reports, n, "date"); return dateOf(v).ISO() })}, true
	}, Reports),
	many("between-visits", "L10", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Report(a.draw(Reports, r))
		c, who := x.Customer, x.Agent.Name
		q := "FROM reports t WHERE t.customer = " + firm(c.Bare) + " AND t.agent = " + agent(who)
		return proposal{text: "How many days lie between the first and the last visit of " + who + " to " + c.Name + "?", form: asNumber("days"),
			sql: "SELECT CASE WHEN count(*) = 2 AND max(t.date) > min(t.date) THEN CAST(julianday(max(t.date)) - julianday(min(t.date)) AS INTEGER) END " + q,
			read: func(r *reading) any {
				both := r.of(Reports, "customer", c.Name).saying("agent", who).with("date", there)
				if len(both.rows) != 2 {
					return nil
				}
				both.noted()
				x, _ := r.get(Reports, both.rows[0], "date")
				y, _ := r.get(Reports, both.rows[1], "date")
				if x == y {
					return nil
				}
				return float64(max(x-y, y-x))
			}}, true
	}, Reports),
	many("hired-before", "L10", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Review(a.draw(Reviews, r))
		h, y := x.Period.String(), x.Agent.Hired().Year()+1
		day := NewDate(y, 1, 1)
		return counted(sprint("How many of the employees evaluated for %s joined the firm before %s?", h, day.In(Formal)), "employees",
			rowsOf{Reviews, "t.period = " + lit(h) + " AND (SELECT hired FROM agents WHERE id = t.agent) < " + lit(day.ISO())},
			func(r *reading) chosen { return r.of(Reviews, "period", h).with("hired", until(day.AddDays(-1))) }, "period", "hired"), true
	}, Reviews),
	many("longest-serving", "L10", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Review(a.draw(Reviews, r))
		m, h := x.Agent.Territory.Manager, x.Period.String()
		q := "FROM reviews t JOIN agents a ON a.id = t.agent WHERE " + managedBy(m) + " AND t.period = " + lit(h)
		return proposal{text: "Who joined the firm first among the employees whose evaluation for " + h + " names " + m + " as the manager?", form: asName,
			sql:  "SELECT max(a.name) " + q + " AND a.hired = (SELECT min(a.hired) " + q + ") HAVING count(*) = 1 AND (SELECT count(*) " + q + ") > 1",
			read: topOf(func(r *reading) chosen { return r.of(Reviews, "manager", m).saying("period", h) }, "hired", -1, func(r *reading, n int32) any { return r.words(Reviews, n, "employee") })}, true
	}, Reviews),
	many("evaluated-in", "L10", func(a *asker, r *rand.Rand) (proposal, bool) {
		m, first, last := monthOf(a.w.Review(a.draw(Reviews, r)).Date)
		return counted("How many evaluations were carried out in "+m+"?", "evaluations", rowsOf{Reviews, span("date", first, last)},
			func(r *reading) chosen { return r.whole(Reviews).with("date", between(first, last)) }, "date"), true
	}, Reviews),
	many("employee-change", "L10", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Review(a.draw(Reviews, r))
		who, now, before := x.Agent.Name, x.Period.String(), (x.Period - 1).String()
		at := func(p string) string {
			return "(SELECT overall FROM reviews WHERE agent = " + agent(who) + " AND period = " + lit(p) + ")"
		}
		return proposal{text: "By how many points did the overall rating of " + who + " change from " + before + " to " + now + ", up or down?", form: asPoints, sql: "SELECT nullif(round(abs(" + at(now) + " - " + at(before) + "), 2), 0)",
			read: func(r *reading) any {
				u := r.say(Reviews, r.of(Reviews, "employee", who).saying("period", now).one(), "overall")
				v := r.say(Reviews, r.of(Reviews, "employee", who).saying("period", before).one(), "overall")
				r.work = append(r.work, u, v)
				if u == v {
					return nil
				}
				return float64(max(u-v, v-u)) / 100
			}}, true
	}, Reviews),
	many("invoices-due", "L10", func(a *asker, r *rand.Rand) (proposal, bool) {
		m, first, last := monthOf(a.w.Invoice(a.draw(Invoices, r)).Due)
		return added("What do the subtotals of all invoices that are due in "+m+" come to?", asMoney, "subtotal", rowsOf{Invoices, span("due", first, last)},
			func(r *reading) chosen { return r.whole(Invoices).with("due", between(first, last)) }, "due"), true
	}, Invoices),
	many("approved-by", "L10", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Statement(a.draw(Statements, r))
		q := x.Quarter.String()
		return counted("How many statements for "+q+" were approved on or before "+x.Approved.In(Formal)+"?", "statements", rowsOf{Statements, "t.quarter = " + lit(q) + " AND t.approved <= " + lit(x.Approved.ISO())},
			func(r *reading) chosen { return r.of(Statements, "quarter", q).with("approved", until(x.Approved)) }, "quarter", "approved"), true
	}, Statements),
}
