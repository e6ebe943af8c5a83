package riker

import (
	"math/rand/v2"
)

// two draws two different entities of a kind; false where the draws are the same.
func two[T comparable](draw func() T) (a, b T, ok bool) {
	a = draw()
	for range 8 {
		if b = draw(); b != a {
			return a, b, true
		}
	}
	return a, b, false
}

// larger asks which of two named candidates has the larger figure. figure works it out for the first
// and the second; sql is a scalar query for each.
func larger(text, a, b string, sqlA, sqlB string, figure func(r *reading, name string) float64) proposal {
	p := proposal{text: text, form: asName, sql: "SELECT CASE WHEN x > y THEN " + lit(a) + " WHEN y > x THEN " + lit(b) + " END FROM (SELECT (" + sqlA + ") AS x, (" + sqlB + ") AS y)"}
	p.read = func(r *reading) any {
		x, y := figure(r, a), figure(r, b)
		r.work = append(r.work, numberValue(x), numberValue(y))
		switch {
		case x > y:
			return a
		case y > x:
			return b
		}
		return nil
	}
	return p
}

// champion asks for the text of a field with the most documents or the largest sum, equals excluded.
func champion(text string, f form, q rowsOf, name string, sum string, read func(*reading) any) proposal {
	return proposal{text: text, form: f, read: read,
		sql: "WITH x AS (SELECT " + name + " AS name, " + sum + " AS total " + q.from() + " GROUP BY 1) SELECT max(name) FROM x WHERE total = (SELECT max(total) FROM x) HAVING count(*) = 1 AND (SELECT count(*) FROM x) > 1"}
}

const (
	lessorName  = "(SELECT name FROM companies WHERE id = t.lessor)"
	lesseeName  = "(SELECT name FROM companies WHERE id = t.lessee)"
	agentName   = "(SELECT name FROM agents WHERE id = t.agent)"
	managerName = "(SELECT manager FROM territories WHERE id = t.territory)"
)

func managedBy(m string) string {
	return "t.territory = (SELECT id FROM territories WHERE manager = " + lit(m) + ")"
}

// topRow asks for a field of the one document in which another is highest or lowest.
func topRow(q rowsOf, name, field, order string) string {
	best := "(SELECT " + order + "(t." + field + ") " + q.from() + ")"
	return "SELECT max(" + name + ") " + q.from() + " AND t." + field + " = " + best + " HAVING count(*) = 1 AND (SELECT count(*) " + q.from() + ") > 1"
}

// topOf reads topRow from facts.
func topOf(choose func(*reading) chosen, field string, sign value, get func(r *reading, n int32) any) func(*reading) any {
	return func(r *reading) any {
		c := choose(r)
		if len(c.rows) < 2 {
			return nil
		}
		n := c.top(field, sign)
		if r.undefined {
			return nil
		}
		return get(r, n)
	}
}

// L07: comparisons; equals are never asked about.
var comparePatterns = []pattern{
	many("two-lessors", "L07", func(a *asker, r *rand.Rand) (proposal, bool) {
		x, y, ok := two(func() Company { return a.lessor(r) })
		n := func(c Company) string { return rowsOf{Leases, "t.lessor = " + firm(c.Bare)}.selects("count(*)") }
		return larger("Which lessor has more leases, "+x.Name+" or "+y.Name+"?", x.Name, y.Name, n(x), n(y),
			func(r *reading, name string) float64 { return r.of(Leases, "lessor", name).count() }), ok
	}, Leases),
	many("two-agents", "L07", func(a *asker, r *rand.Rand) (proposal, bool) {
		x, y, ok := two(func() string { return a.visitor(r).Name })
		n := func(who string) string { return rowsOf{Reports, "t.agent = " + agent(who)}.selects("count(*)") }
		return larger("Who wrote more field reports, "+x+" or "+y+"?", x, y, n(x), n(y), func(r *reading, who string) float64 { return r.of(Reports, "agent", who).count() }), ok
	}, Reports),
	many("two-customers-value", "L07", func(a *asker, r *rand.Rand) (proposal, bool) {
		x, y, ok := two(func() Company { return a.w.Report(a.draw(Reports, r)).Customer })
		n := func(c Company) string {
			return rowsOf{Reports, "t.customer = " + firm(c.Bare) + " AND t.visit = 1"}.selects("sum(t.value)")
		}
		return larger("Which customer was offered products of the higher total yearly value over all first visits, "+x.Name+" or "+y.Name+"?", x.Name, y.Name, n(x), n(y),
			func(r *reading, name string) float64 {
				return r.of(Reports, "customer", name).with("visit", func(v value) bool { return v == 100 }).sum("value")
			}), ok
	}, Reports),
	many("two-overall", "L07", func(a *asker, r *rand.Rand) (proposal, bool) {
		v := a.w.Review(a.draw(Reviews, r))
		h, x := v.Period.String(), v.Agent.Name
		y := a.w.Review(a.draw(Reviews, r)).Agent.Name
		n := func(who string) string {
			return rowsOf{Reviews, "t.agent = " + agent(who) + " AND t.period = " + lit(h)}.selects("t.overall")
		}
		return larger("Who has the higher overall rating in the evaluations for "+h+", "+x+" or "+y+"?", x, y, n(x), n(y), func(r *reading, who string) float64 {
			return r.amount(Reviews, r.of(Reviews, "employee", who).saying("period", h).one(), "overall")
		}), x != y
	}, Reviews),
	many("two-absence", "L07", func(a *asker, r *rand.Rand) (proposal, bool) {
		x, y, ok := two(func() string { return a.w.Review(a.draw(Reviews, r)).Agent.Name })
		n := func(who string) string {
			return rowsOf{Reviews, "t.agent = " + agent(who)}.selects("sum(t.days_absent)")
		}
		return larger("Who has more days of absence over all evaluations, "+x+" or "+y+"?", x, y, n(x), n(y), func(r *reading, who string) float64 { return r.of(Reviews, "employee", who).sum("days_absent") }), ok
	}, Reviews),
	many("rent-higher", "L07", func(a *asker, r *rand.Rand) (proposal, bool) {
		return compared(a, r, Leases, "monthly", "Is the initial monthly rent under %s higher than under %s?")
	}, Leases),
	many("area-larger", "L07", func(a *asker, r *rand.Rand) (proposal, bool) {
		return compared(a, r, Leases, "area", "Is the area let under %s larger than the one under %s?")
	}, Leases),
	many("attendees-more", "L07", func(a *asker, r *rand.Rand) (proposal, bool) {
		return compared(a, r, Reports, "attendees", "Did more people of the customer take part in the meeting of %s than in that of %s?")
	}, Reports),
	many("bonus-higher", "L07", func(a *asker, r *rand.Rand) (proposal, bool) {
		return compared(a, r, Reviews, "bonus", "Is the bonus granted in %s higher than the one in %s?")
	}, Reviews),
	many("rent-gap", "L07", func(a *asker, r *rand.Rand) (proposal, bool) {
		return difference(a, r, Leases, "monthly", asMoney, "By how much do the initial monthly rents under %s and under %s differ?")
	}, Leases),
	many("value-gap", "L07", func(a *asker, r *rand.Rand) (proposal, bool) {
		return difference(a, r, Reports, "value", asMoney, "By how much do the total yearly values of the products in %s and in %s differ?")
	}, Reports),
	many("overall-gap", "L07", func(a *asker, r *rand.Rand) (proposal, bool) {
		return difference(a, r, Reviews, "overall", asPoints, "By how many points do the overall ratings in %s and in %s differ?")
	}, Reviews),
	many("cash-gap", "L07", func(a *asker, r *rand.Rand) (proposal, bool) {
		return difference(a, r, Statements, "cash", asMoney, "By how much does the cash in %s differ from that in %s?")
	}, Statements),
	many("top-lessor", "L07", func(a *asker, r *rand.Rand) (proposal, bool) {
		return champion("Which lessor has the most leases of all?", asName, rowsOf{Leases, "true"}, lessorName, "count(*)", func(r *reading) any { return r.whole(Leases).most("lessor", "") }), true
	}, Leases),
	many("top-lessor-area", "L07", func(a *asker, r *rand.Rand) (proposal, bool) {
		return champion("Which lessor lets the largest area over all its leases?", asName, rowsOf{Leases, "true"}, lessorName, "sum(t.area)", func(r *reading) any { return r.whole(Leases).most("lessor", "area") }), true
	}, Leases),
	many("top-agent-territory", "L07", func(a *asker, r *rand.Rand) (proposal, bool) {
		t := a.visitor(r).Territory.Name
		return champion("Who wrote the most field reports from the "+t+"?", asName, rowsOf{Reports, "t.territory = " + region(t)}, agentName, "count(*)",
			func(r *reading) any { return r.of(Reports, "territory", t).most("agent", "") }), true
	}, Reports),
	many("top-rent", "L07", func(a *asker, r *rand.Rand) (proposal, bool) {
		c := a.lessor(r)
		return proposal{text: "Which building is let at the highest initial monthly rent among the leases of the lessor " + c.Name + "?", form: asName,
			sql:  topRow(rowsOf{Leases, "t.lessor = " + firm(c.Bare)}, "t.building", "monthly", "max"),
			read: topOf(func(r *reading) chosen { return r.of(Leases, "lessor", c.Name) }, "monthly", 1, func(r *reading, n int32) any { return r.words(Leases, n, "building") })}, true
	}, Leases),
	many("top-visit", "L07", func(a *asker, r *rand.Rand) (proposal, bool) {
		who := a.visitor(r).Name
		return proposal{text: "Which customer sent the most people to a single one of the visits that " + who + " reported?", form: asName,
			sql:  topRow(rowsOf{Reports, "t.agent = " + agent(who)}, "(SELECT name FROM companies WHERE id = t.customer)", "attendees", "max"),
			read: topOf(func(r *reading) chosen { return r.of(Reports, "agent", who) }, "attendees", 1, func(r *reading, n int32) any { return r.words(Reports, n, "customer") })}, true
	}, Reports),
	many("top-overall", "L07", func(a *asker, r *rand.Rand) (proposal, bool) {
		x := a.w.Review(a.draw(Reviews, r))
		m, h := x.Agent.Territory.Manager, x.Period.String()
		return proposal{text: "Who has the highest overall rating in the evaluations for " + h + " that name " + m + " as the manager?", form: asName,
			sql: topRow(rowsOf{Reviews, managedBy(m) + " AND t.period = " + lit(h)}, agentName, "overall", "max"),
			read: topOf(func(r *reading) chosen { return r.of(Reviews, "manager", m).saying("period", h) }, "overall", 1,
				func(r *reading, n int32) any { return r.words(Reviews, n, "employee") })}, true
	}, Reviews),
	many("top-manager", "L07", func(a *asker, r *rand.Rand) (proposal, bool) {
		h := a.w.Review(a.draw(Reviews, r)).Period.String()
		return champion("Which manager is named in the most evaluations for "+h+"?", asName, rowsOf{Reviews, "t.period = " + lit(h)}, managerName, "count(*)",
			func(r *reading) any { return r.of(Reviews, "period", h).most("manager", "") }), true
	}, Reviews),
	many("top-won", "L07", func(a *asker, r *rand.Rand) (proposal, bool) {
		h := a.w.Review(a.draw(Reviews, r)).Period.String()
		return proposal{text: "Whose deals won have the highest value in the evaluations for " + h + "?", form: asName,
			sql:  topRow(rowsOf{Reviews, "t.period = " + lit(h)}, agentName, "value_won", "max"),
			read: topOf(func(r *reading) chosen { return r.of(Reviews, "period", h) }, "value_won", 1, func(r *reading, n int32) any { return r.words(Reviews, n, "employee") })}, true
	}, Reviews),
	many("top-revenue", "L07", func(a *asker, r *rand.Rand) (proposal, bool) {
		q := a.w.Statement(a.draw(Statements, r)).Quarter.String()
		return proposal{text: "Which company shows the highest revenue in its statement for " + q + "?", form: asName,
			sql:  topRow(rowsOf{Statements, "t.quarter = " + lit(q)}, "(SELECT name FROM companies WHERE id = t.company)", "revenue", "max"),
			read: topOf(func(r *reading) chosen { return r.of(Statements, "quarter", q) }, "revenue", 1, func(r *reading, n int32) any { return r.words(Statements, n, "company") })}, true
	}, Statements),
}

// pair draws two documents of a type.
func pair(a *asker, r *rand.Rand, k Kind) (x, y docName, ok bool) {
	i, j := a.draw(k, r), a.draw(k, r)
	return a.w.name(k, i, r), a.w.name(k, j, r), i != j
}

func scalar(d docName, field string) string {
	return "(SELECT t." + field + " FROM " + tableOf[d.kind] + " t WHERE " + d.where + ")"
}

// compared asks whether a field is higher in one document than in another.
func compared(a *asker, r *rand.Rand, k Kind, field, ask string) (proposal, bool) {
	x, y, ok := pair(a, r, k)
	return proposal{text: sprint2(ask, x.say, y.say), form: asYesNo, sql: "SELECT CASE WHEN x > y THEN 1 WHEN x < y THEN 0 END FROM (SELECT " + scalar(x, field) + " AS x, " + scalar(y, field) + " AS y)",
		read: func(r *reading) any {
			u, v := r.say(k, x.find(r), field), r.say(k, y.find(r), field)
			r.work = append(r.work, u, v)
			if u == v {
				return nil
			}
			return u > v
		}}, ok
}

// difference asks by how much a field differs in two documents.
func difference(a *asker, r *rand.Rand, k Kind, field string, f form, ask string) (proposal, bool) {
	x, y, ok := pair(a, r, k)
	return proposal{text: sprint2(ask, x.say, y.say), form: f, sql: "SELECT nullif(round(abs(" + scalar(x, field) + " - " + scalar(y, field) + "), 2), 0)",
		read: func(r *reading) any {
			u, v := r.say(k, x.find(r), field), r.say(k, y.find(r), field)
			r.work = append(r.work, u, v)
			if u == v {
				return nil
			}
			return float64(max(u-v, v-u)) / 100
		}}, ok
}
