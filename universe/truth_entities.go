package universe

import (
	"fmt"
)

// entity files a thing under its kind and number and gives its id. A thing may be filed many times.
func (t *truthWriter) entity(kind string, n int, name string) string {
	id := fmt.Sprintf("%s-%05d", kind, n+1)
	if !t.entities[id] {
		t.entities[id] = true
		t.insert("entities", id, kind, name)
	}
	return id
}

// relate files that subject's relation is object.
func (t *truthWriter) relate(subject, relation, object string) {
	k := subject + " " + relation
	if !t.entities[k] {
		t.entities[k] = true
		t.insert("relations", subject, relation, object)
	}
}

// tenant files a tenant company with its people, and the agent up to the manager.
func (t *truthWriter) tenant(id int) string {
	c := t.world.Tenant(id)
	tenant := t.entity("tenant", id, c.Name)
	t.relate(tenant, "director", t.entity("director", id, c.Director))
	t.relate(tenant, "finance director", t.entity("finance-director", id, c.Finance))
	agent := t.entity("agent", c.Agent.ID, c.Agent.Name)
	t.relate(tenant, "agent", agent)
	region := t.entity("region", c.Agent.ID/3, c.Agent.Region)
	t.relate(agent, "region", region)
	t.relate(region, "manager", t.entity("manager", c.Agent.ID/3, c.Agent.Manager))
	t.relate(agent, "employer", t.entity("house", 0, t.world.House()))
	return tenant
}

// dealing files what document id is about with all of its facts and gives its id.
func (t *truthWriter) dealing(id int) string {
	n := id / types
	tenant := t.tenant(n)
	agent := fmt.Sprintf("agent-%05d", t.world.Tenant(n).Agent.ID+1)
	var subject string
	var facts []truthFact
	switch id % types {
	case 0:
		subject, facts = t.lease(n, tenant, agent)
	case 1:
		v := t.world.Visit(n)
		subject = t.entity("report", n, v.Number)
		t.relate(subject, "tenant", tenant)
		t.relate(subject, "agent", agent)
		lease, _ := t.lease(n, tenant, agent)
		t.relate(subject, "lease", lease)
		t.relate(subject, "competitor", t.entity("competitor", n/2, v.Competitor))
		facts = v.facts()
	default:
		s := t.world.Statement(n)
		subject = t.entity("statement", n, s.Number)
		t.relate(subject, "tenant", tenant)
		t.relate(subject, "bank", t.entity("bank", n/4, s.Bank))
		t.relate(subject, "auditor", t.entity("auditor", n/3, s.Auditor))
		facts = s.facts()
	}
	for _, f := range facts {
		k := [2]string{subject, f.field}
		if _, twice := t.facts[k]; twice && t.err == nil {
			t.err = fmt.Errorf("%s has two facts named %s", subject, f.field)
		}
		row := len(t.facts) + 1
		t.facts[k], t.printed[k] = row, f.printed
		var number any
		if f.kind == "number" {
			number = f.number
		}
		t.insert("facts", row, subject, f.field, f.kind, f.text, number, orNull(f.unit), f.printed)
	}
	return subject
}

// lease files a lease with its parties and premises.
func (t *truthWriter) lease(n int, tenant, agent string) (string, []truthFact) {
	l := t.world.Lease(n)
	land := t.world.share("landlord-of", n, 3)
	lease := t.entity("lease", n, l.Number)
	t.relate(lease, "tenant", tenant)
	t.relate(lease, "agent", agent)
	landlord := t.entity("landlord", land, l.Landlord)
	t.relate(lease, "landlord", landlord)
	t.relate(landlord, "representative", t.entity("landlord-representative", land, l.LandlordRep))
	t.relate(lease, "premises", t.entity("building", n, l.Building))
	return lease, l.facts()
}
