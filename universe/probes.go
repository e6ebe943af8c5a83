package universe

import (
	"fmt"
	"strings"
	"unicode"

	edb "enterprisedocbench"
)

// lowerFirst makes a label a word inside a sentence.
func lowerFirst(s string) string {
	r := []rune(s)
	r[0] = unicode.ToLower(r[0])
	return string(r)
}

// bare is a company's name without its legal form.
func bare(name string) string { return name[:strings.LastIndexByte(name, ' ')] }

// probe makes an unanswerable question of a subtype.
func probe(subtype, level, domain, text string, p edb.Probe, absent, present []string) ask {
	return ask{text: text, task: taskLookup, level: level, domain: domain, subtype: subtype, probe: &p, absent: absent, present: present}
}

// missingClause asks for an optional clause that the tenant's document of a type does not have.
func missingClause(step int, has func(World, int) bool, field, domain, format string, words ...string) template {
	return func(w World, n int) (ask, bool) {
		return probe("absent-field", "L12", domain, fmt.Sprintf(format, w.Tenant(n).Name),
			edb.Probe{Field: field, Doc: DocumentID(n*types + step)}, words, []string{w.Tenant(n).Name}), !has(w, n)
	}
}

// probes asks for what is not there. Unused names come from the reserved ranges; a near miss changes
// one part of a name that does occur and is kept only where the result occurs nowhere.
func probes(count int, c corpus) []template {
	return []template{
		func(w World, n int) (ask, bool) {
			e := unusedTenant(w.Seed, n)
			return probe("absent-entity", "L11", "legal", fmt.Sprintf("What security deposit does %s pay under its lease?", e), edb.Probe{Entity: bare(e), Field: "security deposit"}, []string{bare(e)}, nil), true
		},
		missingClause(0, func(w World, n int) bool { return w.Lease(n).ParkingFee > 0 }, "parking fee", "legal", "What monthly parking fee does %s pay?", "parking"),
		func(w World, n int) (ask, bool) { return nearCompany(w, n, c) },
		func(w World, n int) (ask, bool) { return wrongAgent(w, n, other(w, n, count)) },
		func(w World, n int) (ask, bool) {
			e := unusedPerson(w.Seed, n)
			return probe("absent-entity", "L11", "sales", fmt.Sprintf("In which region does the sales agent %s work?", e), edb.Probe{Entity: e, Field: "region"}, []string{e}, nil), true
		},
		missingClause(0, func(w World, n int) bool { return w.Lease(n).BreakFee > 0 }, "break fee", "legal", "What fee must %s pay to use its break option?", "break option", "break fee"),
		func(w World, n int) (ask, bool) { return nearPerson(w, n, c) },
		func(w World, n int) (ask, bool) { return wrongLandlord(w, n, other(w, n, count)) },
		func(w World, n int) (ask, bool) {
			e := unusedTenant(w.Seed, count+n)
			return probe("absent-entity", "L11", "finance", fmt.Sprintf("What operating profit did %s report for its latest quarter?", e), edb.Probe{Entity: bare(e), Field: "operating profit"}, []string{bare(e)}, nil), true
		},
		missingClause(2, func(w World, n int) bool { return w.Statement(n).Dividend > 0 }, "dividend", "finance", "How many cents per share does %s pay as a dividend?", "dividend", "cents"),
		missingClause(0, func(w World, n int) bool { return w.Lease(n).SignageFee > 0 }, "signage fee", "legal", "What yearly fee does %s pay for its sign on the building?", "signage"),
		missingClause(0, func(w World, n int) bool { return w.Lease(n).RenewalYears > 0 }, "renewal", "legal", "For how many years may %s renew its lease?", "renew", "renewal"),
	}
}

// nearCompany asks for a company that shares the first word of a real one.
func nearCompany(w World, n int, c corpus) (ask, bool) {
	real := bare(w.Tenant(n).Name)
	first := real[:strings.LastIndexByte(real, ' ')]
	for i := range sectors {
		name := first + " " + sectors[(w.pick("near", n, len(sectors))+i)%len(sectors)]
		if !c.in("", name) {
			return probe("near-miss", "L11", "finance", fmt.Sprintf("How much cash did %s hold at the end of the quarter?", name),
				edb.Probe{Entity: name, Field: "cash"}, []string{name}, []string{real}), true
		}
	}
	return ask{}, false
}

// nearPerson asks for a person who shares the family name of a real one.
func nearPerson(w World, n int, c corpus) (ask, bool) {
	real := w.Tenant(n).Agent.Name
	family := real[strings.LastIndexByte(real, ' ')+1:]
	for i := range givenNames {
		name := givenNames[(w.pick("near-person", n, len(givenNames))+i)%len(givenNames)] + " " + family
		if !c.in("", name) {
			return probe("near-miss", "L11", "sales", fmt.Sprintf("Who is the manager of the sales agent %s?", name),
				edb.Probe{Entity: name, Field: "manager"}, []string{name}, []string{real}), true
		}
	}
	return ask{}, false
}

// wrongAgent supposes a visit by an agent who exists but never saw the tenant.
func wrongAgent(w World, n, m int) (ask, bool) {
	a := w.Tenant(m).Agent
	return probe("false-premise", "L12", "sales", fmt.Sprintf("On which date did %s visit %s?", a.Name, w.Tenant(n).Name),
		edb.Probe{Field: "visit by " + a.Name, Doc: DocumentID(n*types + 1)}, []string{a.Name}, []string{a.Name, w.Tenant(n).Name}), a.ID != w.Tenant(n).Agent.ID
}

// wrongLandlord supposes a lease with a landlord who exists but lets nothing to the tenant.
func wrongLandlord(w World, n, m int) (ask, bool) {
	l, other := w.Lease(n), w.Lease(m)
	return probe("false-premise", "L12", "legal", fmt.Sprintf("What deposit did %s pay to its landlord %s?", l.Tenant.Name, other.Landlord),
		edb.Probe{Field: "lease with " + other.Landlord, Doc: DocumentID(n * types)}, []string{other.Landlord}, []string{other.Landlord, l.Tenant.Name}), l.Landlord != other.Landlord
}
