package riker

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	edb "enterprisedocbench"
)

// Subtypes of unanswerable questions.
const (
	absentEntity = "absent-entity"
	absentField  = "absent-field"
	falsePremise = "false-premise"
	nearMiss     = "near-miss"
)

// together joins phrases that stand in documents, but not in one and the same: an entry of
// Question.Absent may be such a set.
func together(parts ...string) string { return strings.Join(parts, Apart) }

// Apart parts the phrases of an entry of Question.Absent that never stand in one document together.
const Apart = "\t"

// about draws something to ask a document of a type for, as answerable questions do.
func about(k Kind, r *rand.Rand) one {
	var list []one
	for _, p := range slices.Concat(directPatterns, optionalPatterns) {
		if p.one != nil && p.kinds[0] == k {
			list = append(list, *p.one)
		}
	}
	return list[r.IntN(len(list))]
}

// unused asks about a document that does not exist. entity is what makes it so.
func unused(name, subtype string, k Kind, make func(a *asker, r *rand.Rand) (d docName, entity string, real []string)) pattern {
	return pattern{name: name, level: "L11", kinds: []Kind{k}, subtype: subtype, make: func(a *asker, r *rand.Rand) (proposal, bool) {
		d, entity, real := make(a, r)
		d.kind, d.n = k, -1
		p := about(k, r).of(d)
		p.probe, p.absent, p.present = edb.Probe{Entity: entity}, []string{entity}, real
		return p, entity != ""
	}}
}

var serialPrefix = [Kinds]string{"LC", "FR", "HR", "IN", "QS", "PH"}

// unusedNumber asks about a document by a number that none has.
func unusedNumber(k Kind) pattern {
	return unused("unused-"+k.String()+"-number", absentEntity, k, func(a *asker, r *rand.Rand) (docName, string, []string) {
		s := a.w.UnusedSerial(serialPrefix[k], r.IntN(1_000_000/reserved))
		return byNumber(k, -1, s), s, nil
	})
}

// nearNumber asks about a document by a number that one digit sets off from a real one.
func nearNumber(k Kind) pattern {
	return unused("near-"+k.String()+"-number", nearMiss, k, func(a *asker, r *rand.Rand) (docName, string, []string) {
		real := a.number(k, a.draw(k, r))
		digits := []byte(real)
		i := strings.IndexByte(real, '-') + 2 + r.IntN(6)
		digits[i] = '0' + (digits[i]-'0'+byte(1+r.IntN(9)))%10
		s := string(digits)
		return byNumber(k, -1, s), s, []string{real}
	})
}

// number is the number of a document.
func (a *asker) number(k Kind, n int) string {
	v, _ := a.c.get(k, int32(n), "number")
	return a.c.text(v)
}

// misspelt changes one small letter of a name to another, never the first of a word.
func misspelt(name string, r *rand.Rand) string {
	runes := []rune(name)
	var at []int
	for i, c := range runes {
		if c >= 'a' && c <= 'z' && i > 0 && runes[i-1] != ' ' {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return ""
	}
	i := at[r.IntN(len(at))]
	letters := "aeiou"
	if !strings.ContainsRune(letters, runes[i]) {
		letters = "bdfglmnprst"
	}
	for {
		if c := rune(letters[r.IntN(len(letters))]); c != runes[i] {
			runes[i] = c
			return string(runes)
		}
	}
}

func (a *asker) unusedFirm(r *rand.Rand) Company {
	bare := a.w.UnusedCompany(r.IntN(stems() * len(sectorWords) / reserved))
	return Company{Name: bare + " " + firmForms[r.IntN(len(firmForms))], Bare: bare}
}

func misspeltFirm(c Company, r *rand.Rand) Company {
	bare := misspelt(c.Bare, r)
	return Company{Name: bare + strings.TrimPrefix(c.Name, c.Bare), Bare: bare}
}

// leaseBy names a lease by one attribute.
func leaseBy(say, where, field, s string) docName {
	return docName{kind: Leases, say: say, where: where, find: func(r *reading) int32 { return r.of(Leases, field, s).one() }}
}

func leaseOfFirm(c Company) docName {
	return leaseBy("the lease of "+c.Name, "t.lessee = "+firm(c.Bare), "lessee", c.Name)
}

// absentPatterns are L11: who and what does not exist.
var absentPatterns = []pattern{
	unusedNumber(Leases), unusedNumber(Reports), unusedNumber(Reviews), unusedNumber(Invoices), unusedNumber(Statements), unusedNumber(Handbooks),
	nearNumber(Leases), nearNumber(Reports), nearNumber(Reviews), nearNumber(Invoices), nearNumber(Statements),
	unused("unused-lessee", absentEntity, Leases, func(a *asker, r *rand.Rand) (docName, string, []string) {
		c := a.unusedFirm(r)
		return leaseOfFirm(c), c.Bare, nil
	}),
	unused("near-lessee", nearMiss, Leases, func(a *asker, r *rand.Rand) (docName, string, []string) {
		real := a.lessee(r)
		c := misspeltFirm(real, r)
		return leaseOfFirm(c), c.Bare, []string{real.Bare}
	}),
	unused("unused-building", absentEntity, Leases, func(a *asker, r *rand.Rand) (docName, string, []string) {
		b := a.w.UnusedBuilding(r.IntN(stems() / reserved))
		return leaseBy("the lease for "+b, "t.building = "+lit(b), "building", b), b, nil
	}),
	unused("near-building", nearMiss, Leases, func(a *asker, r *rand.Rand) (docName, string, []string) {
		real := a.w.Lease(a.draw(Leases, r)).Building
		b := misspelt(real, r)
		return leaseBy("the lease for "+b, "t.building = "+lit(b), "building", b), b, []string{real}
	}),
	unused("unused-customer", absentEntity, Reports, func(a *asker, r *rand.Rand) (docName, string, []string) {
		c := a.unusedFirm(r)
		return reportOn(-1, c, a.w.Report(a.draw(Reports, r)).Date), c.Bare, nil
	}),
	unused("near-customer", nearMiss, Reports, func(a *asker, r *rand.Rand) (docName, string, []string) {
		x := a.w.Report(a.draw(Reports, r))
		c := misspeltFirm(x.Customer, r)
		return reportOn(-1, c, x.Date), c.Bare, []string{x.Customer.Bare}
	}),
	unused("unused-employee", absentEntity, Reviews, func(a *asker, r *rand.Rand) (docName, string, []string) {
		who := a.w.UnusedPerson(r.IntN(peopleNames() / reserved))
		return reviewOf(-1, who, a.w.Review(a.draw(Reviews, r)).Period.String()), who, nil
	}),
	unused("near-employee", nearMiss, Reviews, func(a *asker, r *rand.Rand) (docName, string, []string) {
		x := a.w.Review(a.draw(Reviews, r))
		who := misspelt(x.Agent.Name, r)
		return reviewOf(-1, who, x.Period.String()), who, []string{x.Agent.Name}
	}),
	unused("unused-billed", absentEntity, Invoices, func(a *asker, r *rand.Rand) (docName, string, []string) {
		c := a.unusedFirm(r)
		return invoiceTo(-1, c, a.w.Invoice(a.draw(Invoices, r)).Date), c.Bare, nil
	}),
	unused("unused-company", absentEntity, Statements, func(a *asker, r *rand.Rand) (docName, string, []string) {
		c := a.unusedFirm(r)
		return statementOf(-1, c, a.w.Statement(a.draw(Statements, r)).Quarter.String()), c.Bare, nil
	}),
	unused("near-company", nearMiss, Statements, func(a *asker, r *rand.Rand) (docName, string, []string) {
		x := a.w.Statement(a.draw(Statements, r))
		c := misspeltFirm(x.Company, r)
		return statementOf(-1, c, x.Quarter.String()), c.Bare, []string{x.Company.Bare}
	}),
	nobody("unused-lessor", absentEntity, "Who represents the lessor %s?", asName, Leases, func(a *asker, r *rand.Rand) (string, string) {
		return a.w.UnusedLessor(r.IntN(stems() * len(estateWords) / reserved)), ""
	}, func(s string) string { return "SELECT director FROM companies WHERE bare = " + lit(s) },
		func(r *reading, s string) any {
			return r.words(Leases, witness(r, Leases, "lessor", s+" LLC"), "lessor_representative")
		}),
	nobody("near-lessor", nearMiss, "Who represents the lessor %s?", asName, Leases, func(a *asker, r *rand.Rand) (string, string) {
		real := a.lessor(r).Bare
		return misspelt(real, r), real
	}, func(s string) string { return "SELECT director FROM companies WHERE bare = " + lit(s) },
		func(r *reading, s string) any {
			return r.words(Leases, witness(r, Leases, "lessor", s+" LLC"), "lessor_representative")
		}),
	nobody("unused-agent", absentEntity, "Who is the manager of the agent %s?", asName, Reports, func(a *asker, r *rand.Rand) (string, string) {
		return a.w.UnusedPerson(r.IntN(peopleNames() / reserved)), ""
	}, managerOf, func(r *reading, s string) any {
		return r.words(Reports, witness(r, Reports, "agent", s), "manager")
	}),
	nobody("near-agent", nearMiss, "Who is the manager of the agent %s?", asName, Reports, func(a *asker, r *rand.Rand) (string, string) {
		real := a.visitor(r).Name
		return misspelt(real, r), real
	}, managerOf, func(r *reading, s string) any {
		return r.words(Reports, witness(r, Reports, "agent", s), "manager")
	}),
	nobody("unused-hired", absentEntity, "On which date did %s join the firm?", asDate, Reviews, func(a *asker, r *rand.Rand) (string, string) {
		return a.w.UnusedPerson(r.IntN(peopleNames() / reserved)), ""
	}, func(s string) string { return "SELECT hired FROM agents WHERE name = " + lit(s) },
		func(r *reading, s string) any {
			n := witness(r, Reviews, "employee", s)
			if r.undefined {
				return nil
			}
			return r.day(Reviews, n, "hired").ISO()
		}),
}

func managerOf(s string) string {
	return "SELECT x.manager FROM agents a JOIN territories x ON x.id = a.territory WHERE a.name = " + lit(s)
}

// nobody asks for a fact about a person or company that does not exist.
func nobody(name, subtype, ask string, f form, k Kind, entity func(a *asker, r *rand.Rand) (name, real string), sql func(string) string, read func(*reading, string) any) pattern {
	return pattern{name: name, level: "L11", kinds: []Kind{k}, subtype: subtype, make: func(a *asker, r *rand.Rand) (proposal, bool) {
		s, real := entity(a, r)
		p := proposal{text: fmt.Sprintf(ask, s), form: f, sql: sql(s), read: func(r *reading) any { return read(r, s) }, probe: edb.Probe{Entity: s}, absent: []string{s}}
		if real != "" {
			p.present = []string{real}
		}
		return p, s != ""
	}}
}
