package riker

import (
	"fmt"
	"math/rand/v2"
	"slices"

	edb "enterprisedocbench"
)

// missingPatterns are L12: what exists, asked for what the documents do not say about it.
var missingPatterns = slices.Concat(lackingPatterns(), []pattern{
	{name: "lacking-competency", level: "L12", subtype: absentField, kinds: []Kind{Reviews}, make: func(a *asker, r *rand.Rand) (proposal, bool) {
		n := a.draw(Reviews, r)
		c := Competencies[r.IntN(len(Competencies))]
		field := "score_" + column(c)
		_, there := a.c.get(Reviews, int32(n), field)
		p := singleOf(a.w.name(Reviews, n, r), asPoints, "What score for "+lower(c)+" does %s give?", "(SELECT score FROM scores WHERE review = t.id AND competency = "+lit(c)+")", cellOf(Reviews, asPoints, field))
		return p.lacks(a, Reviews, n, "score for "+lower(c), c), !there
	}},
	{name: "lacking-product", level: "L12", subtype: falsePremise, kinds: []Kind{Reports}, make: func(a *asker, r *rand.Rand) (proposal, bool) {
		n := a.draw(Reports, r)
		product := productNames[r.IntN(len(productNames))]
		there := slices.ContainsFunc(a.w.Report(n).Deal.Lines, func(l Line) bool { return l.Product.Name == product })
		p := singleOf(a.w.name(Reports, n, r), asMoney, "What does one unit of "+product+" cost a year in %s?", "(SELECT l.price FROM "+lines("t.deal")+" AND p.name = "+lit(product)+")",
			func(r *reading, n int32) any { return r.amount(Reports, n, line(r, Reports, n, product)+"price") })
		return p.lacks(a, Reports, n, "price of "+product, product), !there
	}},
	mismatch("wrong-visitor", falsePremise, "On which date did %s visit %s?", asDate, "visit", []Kind{Reports}, func(a *asker, r *rand.Rand) (string, string, string, string) {
		x, y := a.visitor(r), a.w.Report(a.draw(Reports, r)).Customer
		return x.Name, x.Name, y.Name, y.Bare
	}, func(x, y string) string {
		return "SELECT t.date FROM reports t WHERE t.agent = " + agent(x) + " AND t.customer = " + firm(bareName(y))
	}, func(r *reading, x, y string) any {
		return r.day(Reports, r.of(Reports, "customer", y).saying("agent", x).first(), "date").ISO()
	}),
	mismatch("wrong-period", nearMiss, "What overall rating did %s get for %s?", asPoints, "evaluation", []Kind{Reviews}, func(a *asker, r *rand.Rand) (string, string, string, string) {
		x := a.w.Review(a.draw(Reviews, r))
		h := (x.Period - Half(1+r.IntN(6))).String()
		return x.Agent.Name, x.Agent.Name, h, h
	}, func(x, y string) string {
		return "SELECT overall FROM reviews WHERE agent = " + agent(x) + " AND period = " + lit(y)
	}, func(r *reading, x, y string) any {
		return r.amount(Reviews, r.of(Reviews, "employee", x).saying("period", y).first(), "overall")
	}),
	mismatch("wrong-building", nearMiss, "What is the initial monthly rent of %s for %s?", asMoney, "lease", []Kind{Leases}, func(a *asker, r *rand.Rand) (string, string, string, string) {
		x, b := a.lessee(r), a.w.Lease(a.draw(Leases, r)).Building
		return x.Name, x.Bare, b, b
	}, func(x, y string) string {
		return "SELECT monthly FROM leases WHERE lessee = " + firm(bareName(x)) + " AND building = " + lit(y)
	}, func(r *reading, x, y string) any {
		return r.amount(Leases, r.of(Leases, "lessee", x).saying("building", y).first(), "monthly")
	}),
	mismatch("wrong-lessor", falsePremise, "What security deposit does %s pay to its lessor %s?", asMoney, "lease", []Kind{Leases}, func(a *asker, r *rand.Rand) (string, string, string, string) {
		x, y := a.lessee(r), a.lessor(r)
		return x.Name, x.Bare, y.Name, y.Bare
	}, func(x, y string) string {
		return "SELECT deposit FROM leases WHERE lessee = " + firm(bareName(x)) + " AND lessor = " + firm(bareName(y))
	}, func(r *reading, x, y string) any {
		return r.amount(Leases, r.of(Leases, "lessee", x).saying("lessor", y).first(), "deposit")
	}),
	mismatch("wrong-lessee", falsePremise, "On which date does the lease %s of %s end?", asDate, "lease", []Kind{Leases}, func(a *asker, r *rand.Rand) (string, string, string, string) {
		x, y := a.number(Leases, a.draw(Leases, r)), a.lessee(r)
		return x, x, y.Name, y.Bare
	}, func(x, y string) string {
		return "SELECT t.end FROM leases t WHERE t.number = " + lit(x) + " AND t.lessee = " + firm(bareName(y))
	}, func(r *reading, x, y string) any {
		return r.day(Leases, r.of(Leases, "lessee", y).saying("number", x).first(), "end").ISO()
	}),
	mismatch("wrong-leasing-agent", falsePremise, "What is the area let to %s in the lease that %s brought about as leasing agent?", asNumber("square feet"), "leasing agent", []Kind{Leases, Reports}, func(a *asker, r *rand.Rand) (string, string, string, string) {
		x, y := a.lessee(r), a.visitor(r).Name
		return x.Name, x.Bare, y, y
	}, func(x, y string) string {
		return "SELECT area FROM leases WHERE lessee = " + firm(bareName(x)) + " AND agent = " + agent(y)
	}, func(r *reading, x, y string) any {
		return r.amount(Leases, r.of(Leases, "lessee", x).saying("agent", y).first(), "area")
	}),
	mismatch("wrong-manager", falsePremise, "What overall rating did %s get in the evaluation that names %s as the manager?", asPoints, "manager", []Kind{Reviews}, func(a *asker, r *rand.Rand) (string, string, string, string) {
		x, m := a.w.Review(a.draw(Reviews, r)).Agent.Name, a.w.Review(a.draw(Reviews, r)).Agent.Territory.Manager
		return x, x, m, m
	}, func(x, y string) string {
		return "SELECT overall FROM reviews WHERE agent = " + agent(x) + " AND territory = (SELECT id FROM territories WHERE manager = " + lit(y) + ")"
	}, func(r *reading, x, y string) any {
		return r.amount(Reviews, r.of(Reviews, "employee", x).saying("manager", y).first(), "overall")
	}),
	mismatch("wrong-territory", falsePremise, "How many people took part in the visit that %s made for the %s?", asNumber("people"), "visit", []Kind{Reports}, func(a *asker, r *rand.Rand) (string, string, string, string) {
		x, t := a.visitor(r).Name, a.visitor(r).Territory.Name
		return x, x, t, t
	}, func(x, y string) string {
		return "SELECT attendees FROM reports WHERE agent = " + agent(x) + " AND territory = " + region(y)
	}, func(r *reading, x, y string) any {
		return r.amount(Reports, r.of(Reports, "agent", x).saying("territory", y).first(), "attendees")
	}),
	mismatch("wrong-billed", falsePremise, "What total does the invoice %s to %s come to?", asMoney, "invoice", []Kind{Invoices}, func(a *asker, r *rand.Rand) (string, string, string, string) {
		x, y := a.number(Invoices, a.draw(Invoices, r)), a.w.Invoice(a.draw(Invoices, r)).Customer
		return x, x, y.Name, y.Bare
	}, func(x, y string) string {
		return "SELECT total FROM invoices WHERE number = " + lit(x) + " AND customer = " + firm(bareName(y))
	}, func(r *reading, x, y string) any {
		return r.amount(Invoices, r.of(Invoices, "customer", y).saying("number", x).first(), "total")
	}),
	mismatch("wrong-quarter", nearMiss, "What revenue does %s show for %s?", asMoney, "statement", []Kind{Statements}, func(a *asker, r *rand.Rand) (string, string, string, string) {
		x := a.w.Statement(a.draw(Statements, r))
		q := (x.Quarter - Quarter(1+r.IntN(12))).String()
		return x.Company.Name, x.Company.Bare, q, q
	}, func(x, y string) string {
		return "SELECT revenue FROM statements WHERE company = " + firm(bareName(x)) + " AND quarter = " + lit(y)
	}, func(r *reading, x, y string) any {
		return r.amount(Statements, r.of(Statements, "company", x).saying("quarter", y).first(), "revenue")
	}),
})

// lackingPatterns ask for each optional part in documents that do not have it, in the words of L03.
func lackingPatterns() []pattern {
	var out []pattern
	for k, clauses := range Clauses {
		for _, c := range clauses {
			i := slices.IndexFunc(optionalPatterns, func(p pattern) bool { return p.name == Kind(k).String()+"-"+c.Field })
			o := optionalPatterns[i].one
			out = append(out, pattern{name: "lacking-" + Kind(k).String() + "-" + c.Field, level: "L12", subtype: absentField, kinds: []Kind{Kind(k)}, make: func(a *asker, r *rand.Rand) (proposal, bool) {
				n := a.draw(Kind(k), r)
				_, there := a.c.get(Kind(k), int32(n), c.Field)
				p := singleOf(a.w.name(Kind(k), n, r), o.form, o.ask, o.sql, cellOf(Kind(k), o.form, c.Field))
				return p.lacks(a, Kind(k), n, c.Name, c.Phrases...), !there
			}})
		}
	}
	return out
}

// lacks makes a proposal a probe for something that phrases would tell of in document n.
func (p proposal) lacks(a *asker, k Kind, n int, field string, phrases ...string) proposal {
	p.probe = edb.Probe{Field: field, Doc: a.w.DocID(k, n)}
	p.absent = phrases
	return p
}

// mismatch asks about two that exist but have nothing to do with each other: no document speaks of
// both. draw gives each as the question and as documents have it.
func mismatch(name, subtype, ask string, f form, field string, kinds []Kind, draw func(a *asker, r *rand.Rand) (x, inX, y, inY string), sql func(x, y string) string, read func(r *reading, x, y string) any) pattern {
	return pattern{name: name, level: "L12", subtype: subtype, kinds: kinds, make: func(a *asker, r *rand.Rand) (proposal, bool) {
		x, inX, y, inY := draw(a, r)
		return proposal{text: fmt.Sprintf(ask, x, y), form: f, sql: sql(x, y), probe: edb.Probe{Field: field + " of " + x + " and " + y}, absent: []string{together(inX, inY)},
			read: func(r *reading) any {
				v := read(r, x, y)
				if r.undefined {
					return nil
				}
				return v
			}}, x != y
	}}
}
