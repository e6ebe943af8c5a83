package riker

import (
	"fmt"
	"math/rand/v2"
)

// docName is one document as a question names it.
type docName struct {
	kind  Kind
	n     int32
	say   string   // lease LC-1234567; the evaluation of X for H2 2025
	where string   // in SQL, over the table of the type as t
	terms []string // what it names, as documents print it
	find  func(*reading) int32
}

// tableOf are the tables of truth.sqlite that hold the documents, by type.
var tableOf = [Kinds]string{"leases", "reports", "reviews", "invoices", "statements", "handbooks"}

// called are the words for a document of a type that its number follows.
var called = [Kinds]string{"lease", "field report", "evaluation", "invoice", "statement", "handbook"}

func byNumber(k Kind, n int32, number string) docName {
	return docName{k, n, called[k] + " " + number, "t.number = " + lit(number), []string{number}, func(r *reading) int32 {
		if c, ok := r.facts.(*columns); ok { // numbers are unique: look where it must be
			if n >= 0 {
				if v, ok := c.get(k, n, "number"); ok && c.text(v) == number {
					return chosen{r, k, []int32{n}, []string{"number"}}.one()
				}
			}
			r.undefined = true
			return 0
		}
		return r.of(k, "number", number).one()
	}}
}

// firm and its like are entities in SQL.
func firm(bare string) string   { return "(SELECT id FROM companies WHERE bare = " + lit(bare) + ")" }
func agent(name string) string  { return "(SELECT id FROM agents WHERE name = " + lit(name) + ")" }
func region(name string) string { return "(SELECT id FROM territories WHERE name = " + lit(name) + ")" }

func leaseOf(n int32, c Company, building string) docName {
	return docName{Leases, n, fmt.Sprintf("the lease of %s for %s", c.Name, building), "t.lessee = " + firm(c.Bare) + " AND t.building = " + lit(building),
		[]string{c.Bare, building}, func(r *reading) int32 { return r.of(Leases, "lessee", c.Name).saying("building", building).one() }}
}

func reportOn(n int32, c Company, d Date) docName {
	return docName{Reports, n, fmt.Sprintf("the field report on the visit to %s of %s", c.Name, d.In(Formal)), "t.customer = " + firm(c.Bare) + " AND t.date = " + lit(d.ISO()),
		[]string{c.Bare}, func(r *reading) int32 {
			return r.of(Reports, "customer", c.Name).with("date", between(d, d)).one()
		}}
}

func reviewOf(n int32, name, period string) docName {
	return docName{Reviews, n, fmt.Sprintf("the evaluation of %s for %s", name, period), "t.agent = " + agent(name) + " AND t.period = " + lit(period),
		[]string{name, period}, func(r *reading) int32 { return r.of(Reviews, "employee", name).saying("period", period).one() }}
}

func invoiceTo(n int32, c Company, d Date) docName {
	return docName{Invoices, n, fmt.Sprintf("the invoice to %s of %s", c.Name, d.In(Formal)), "t.customer = " + firm(c.Bare) + " AND t.date = " + lit(d.ISO()),
		[]string{c.Bare}, func(r *reading) int32 {
			return r.of(Invoices, "customer", c.Name).with("date", between(d, d)).one()
		}}
}

func statementOf(n int32, c Company, quarter string) docName {
	return docName{Statements, n, fmt.Sprintf("the statement of %s for %s", c.Name, quarter), "t.company = " + firm(c.Bare) + " AND t.quarter = " + lit(quarter),
		[]string{c.Bare, quarter}, func(r *reading) int32 {
			return r.of(Statements, "company", c.Name).saying("quarter", quarter).one()
		}}
}

func handbookOf(n int32, territory string, edition int) docName {
	return docName{Handbooks, n, fmt.Sprintf("the %d handbook of the %s", edition, territory), "t.territory = " + region(territory) + fmt.Sprintf(" AND t.edition = %d", edition),
		[]string{territory}, func(r *reading) int32 {
			return r.of(Handbooks, "territory", territory).with("edition", func(v value) bool { return v == value(100*edition) }).one()
		}}
}

// name gives a document one of the names that questions may use.
func (w *World) name(k Kind, n int, r *rand.Rand) docName {
	i := int32(n)
	byNumbers := r.IntN(3) == 0
	switch rec := w.Record(k, n).(type) {
	case Lease:
		if byNumbers {
			return byNumber(k, i, rec.Number)
		}
		return leaseOf(i, rec.Lessee, rec.Building)
	case Report:
		if byNumbers {
			return byNumber(k, i, rec.Number)
		}
		return reportOn(i, rec.Customer, rec.Date)
	case Review:
		if byNumbers {
			return byNumber(k, i, rec.Number)
		}
		return reviewOf(i, rec.Agent.Name, rec.Period.String())
	case Invoice:
		if byNumbers {
			return byNumber(k, i, rec.Number)
		}
		return invoiceTo(i, rec.Customer, rec.Date)
	case Statement:
		if byNumbers {
			return byNumber(k, i, rec.Number)
		}
		return statementOf(i, rec.Company, rec.Quarter.String())
	case Handbook:
		if byNumbers {
			return byNumber(k, i, rec.Number)
		}
		return handbookOf(i, rec.Territory.Name, rec.Edition)
	}
	panic("riker: a record of no type")
}
