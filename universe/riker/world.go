package riker

import (
	"strconv"

	"enterprisedocbench/universe/keyed"
)

// World computes the records of a plan. It holds the sizes of the pools and keyed orders, no
// records; it may be used by many goroutines at once.
type World struct {
	Plan
	order keyed.Permutation // position in the corpus -> type and number

	agents, territories int
	deals, leaseDeals   int // all deals; the first leaseDeals led to leases 0, 1, 2, ...
	companies           int // lessees, whether or not their lease is in the corpus

	people, firms, lessors, places, numbers space
}

// New prepares a world. The error is Plan.Check's.
func New(p Plan) (*World, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	w := &World{Plan: p, order: keyed.NewPermutation(p.Documents(), keyed.Key(p.Seed, "order", 0))}
	c := p.Counts
	w.leaseDeals = c[Leases]
	w.deals = w.leaseDeals + roundUp(max(ceilDiv(c[Reports], visitsEach)-w.leaseDeals, ceilDiv(c[Invoices], 2)-w.leaseDeals, dealBlock), dealBlock)
	w.agents = max(3, ceilDiv(c[Reviews], reviewsEach), ceilDiv(w.deals, dealsEach))
	w.territories = min(max(w.agents/5, 2), len(regionWords))
	w.companies = max(1, ceilDiv(c[Leases], leaseBlock)) * len(lesseeShares)
	w.people = newSpace(p.Seed, "person", peopleNames())
	w.firms = newSpace(p.Seed, "firm", stems()*len(sectorWords))
	w.lessors = newSpace(p.Seed, "lessor", stems()*len(estateWords))
	w.places = newSpace(p.Seed, "place", stems())
	w.numbers = newSpace(p.Seed, "number", 9_000_000)
	return w, nil
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
func roundUp(a, b int) int { return ceilDiv(a, b) * b }

const (
	visitsEach  = 2  // field reports of a deal at most
	reviewsEach = 4  // half-years that an agent is reviewed for at most
	dealsEach   = 8  // deals of an agent on average at most
	leaseBlock  = 12 // leases that share lessees and lessors
	dealBlock   = 10 // deals in which each stage has its fixed number
	agentBlock  = 4  // agents that share deals
)

// Shares of a block, by slot: how many leases a lessee or lessor of the block has, how many deals of
// ten an agent of a block gets, and how deals without a lease end. They are uneven on purpose, so
// that one leads.
var (
	lesseeShares = []int{3, 2, 2, 1, 1, 1, 1, 1}
	lessorShares = []int{6, 4, 2}
	agentShares  = []int{4, 3, 2, 1}
	stageShares  = []int{5, 2, 1, 1, 1} // of Stages
)

// slot is the index of the share that a slot of a block belongs to.
func slot(shares []int, s int) int {
	for i, n := range shares {
		if s < n {
			return i
		}
		s -= n
	}
	panic("riker: slot outside of its block")
}

// dealt gives the share that member i gets when members are dealt out in blocks of size.
func (w *World) dealt(purpose string, shares []int, size, i int) int {
	block := i / size
	s := keyed.NewPermutation(size, keyed.Key(w.Seed, purpose, block)).At(i % size)
	return block*len(shares) + slot(shares, s)
}

// pick chooses one of n things for a purpose and a number.
func (w *World) pick(purpose string, i, n int) int {
	return int(keyed.Key(w.Seed, purpose, i) % uint64(n))
}

// chance is true for a share of the numbers.
func (w *World) chance(purpose string, i int, share float64) bool {
	return float64(keyed.Key(w.Seed, purpose, i)>>11)/(1<<53) < share
}

// Role is what a person is in the world; each person has one.
type Role int

// The roles.
const (
	AgentRole    Role = iota // employed by the house
	ManagerRole              // of a territory
	LessorRole               // represents a lessor
	DirectorRole             // of a customer
	FinanceRole              // finance director of a customer
	ContactRole              // whom agents meet at a customer
	ClerkRole                // of the house: reviews, invoices and handbooks pass through them
	roles
)

// Person returns the name of the person who has a role for the n-th time.
func (w *World) Person(r Role, n int) string { return personAt(w.people.used(n*int(roles) + int(r))) }

// UnusedPerson is the i-th name that nobody in the world bears.
func (w *World) UnusedPerson(i int) string { return personAt(w.people.unused(i)) }

// House is the firm that lets the buildings, employs the agents and prints the documents.
func (w *World) House() string { return placeAt(w.places.used(0)) + " Property Partners" }

// Company is a lessee, prospect or lessor.
type Company struct {
	ID       string // firm-00012, lessor-00003
	Name     string // with its legal form
	Bare     string // without it: what questions may call it
	Town     string
	Director string // of a lessor: its representative
	Finance  string
	Contact  string
}

// Customer returns customer c: the first w.companies are lessees, the others prospects.
func (w *World) Customer(c int) Company {
	i, tier := w.firms.used(c)
	bare := companyAt(sectorWords, i, tier)
	return Company{ID: padded("firm-", c+1, 6), Name: bare + " " + firmForms[w.pick("form", c, len(firmForms))], Bare: bare,
		Town: w.town(c / 5), Director: w.Person(DirectorRole, c), Finance: w.Person(FinanceRole, c), Contact: w.Person(ContactRole, c)}
}

// UnusedCompany is the i-th company name, without a legal form, that no company bears.
func (w *World) UnusedCompany(i int) string {
	n, tier := w.firms.unused(i)
	return companyAt(sectorWords, n, tier)
}

// Lessor returns lessor l.
func (w *World) Lessor(l int) Company {
	i, tier := w.lessors.used(l)
	bare := companyAt(estateWords, i, tier)
	return Company{ID: padded("lessor-", l+1, 6), Name: bare + " LLC", Bare: bare, Town: w.town(l), Director: w.Person(LessorRole, l)}
}

// UnusedLessor is the i-th lessor name, without a legal form, that no lessor bears.
func (w *World) UnusedLessor(i int) string {
	n, tier := w.lessors.unused(i)
	return companyAt(estateWords, n, tier)
}

// The space of places is shared out by number: 0 the house, then towns, streets, buildings and
// competitors in turn, so that no two are called alike.
func (w *World) place(kind, i int) string { return placeAt(w.places.used(1 + 4*i + kind)) }
func (w *World) town(i int) string        { return w.place(0, i) }
func (w *World) street(i int) string      { return w.place(1, i) }
func (w *World) building(i int) string    { return w.place(2, i) }
func (w *World) rival(i int) string       { return w.place(3, i) + " Facility Group" }

// UnusedBuilding is the i-th name of a building that does not exist.
func (w *World) UnusedBuilding(i int) string {
	return placeAt(w.places.unused(i)) + " " + buildingWords[w.pick("unused-building", i, len(buildingWords))]
}

// serial makes the number of document n of a type: a prefix and digits that no other document has.
func (w *World) serial(prefix string, k Kind, n int) string {
	i, tier := w.numbers.used(n*int(Kinds) + int(k))
	s := padded(prefix+"-", 1_000_000+i, 7)
	if tier > 0 {
		s += "-" + strconv.Itoa(tier+1)
	}
	return s
}

// UnusedSerial is the i-th number that no document has.
func (w *World) UnusedSerial(prefix string, i int) string {
	n, _ := w.numbers.unused(i)
	return padded(prefix+"-", 1_000_000+n, 7)
}

// Territory is a part of the country with one manager.
type Territory struct {
	ID, Name, Manager string
}

// Territory returns territory t.
func (w *World) Territory(t int) Territory {
	word := regionWords[keyed.NewPermutation(len(regionWords), keyed.Key(w.Seed, "territory", 0)).At(t)]
	return Territory{padded("territory-", t+1, 2), word + " Territory", w.Person(ManagerRole, t)}
}

// Product is what the house sells beside leases.
type Product struct {
	ID, Name string
	Price    int // list price, US dollars a year
}

var productNames = []string{"Cleaning Plan", "Reception Desk Service", "Energy Audit", "Fit-Out Design", "Access Control", "Climate Maintenance",
	"Lift Inspection", "Waste Collection", "Grounds Care", "Fire Safety Review", "Parcel Room", "Meeting Suite Pass", "Solar Roof Lease", "Water Testing",
	"Night Patrol", "Mail Handling", "Storage Cage", "Charging Points", "Window Washing", "Network Cabling", "Canteen Service", "Bicycle Garage", "Roof Survey", "Archive Vault"}

// Product returns product p of len(productNames).
func (w *World) Product(p int) Product {
	return Product{padded("product-", p+1, 2), productNames[p], 20 * (40 + w.pick("product-price", p, 400))}
}

// Job is one line of an employment history; a zero To means until today.
type Job struct {
	Employer, Title string
	From, To        Date
}

// Agent is a sales agent of the house.
type Agent struct {
	N         int
	ID, Name  string
	Employee  string // number
	Territory Territory
	Jobs      []Job // oldest first; the last is with the house
}

// Hired is the day on which the agent joined the house.
func (a Agent) Hired() Date { return a.Jobs[len(a.Jobs)-1].From }

// Title is what the agent is at the house.
func (a Agent) Title() string { return a.Jobs[len(a.Jobs)-1].Title }

var agentTitles = []string{"Leasing Agent", "Senior Leasing Agent", "Account Executive", "Key Account Executive", "Field Sales Agent"}

// Agent returns agent a. Earlier employers are prospects of the world.
func (w *World) Agent(a int) Agent {
	r := keyed.Source(w.Seed, "agent", a)
	out := Agent{N: a, ID: padded("agent-", a+1, 6), Name: w.Person(AgentRole, a), Employee: padded("E", 100_000+keyed.NewPermutation(900_000, keyed.Key(w.Seed, "employee", 0)).At(a%900_000), 6),
		Territory: w.Territory(w.pick("agent-territory", a, w.territories))}
	hired := NewDate(2012+r.IntN(11), 1+r.IntN(12), 1)
	from := hired.AddMonths(-12 * (2 + r.IntN(9)))
	for n := r.IntN(3); n > 0; n-- {
		to := from.AddMonths(12 + r.IntN(30))
		if !to.Before(hired) {
			break
		}
		out.Jobs = append(out.Jobs, Job{w.Customer(w.companies + w.pick("employer", 3*a+n, max(1, w.deals-w.leaseDeals))).Name, agentTitles[r.IntN(len(agentTitles))], from, to.AddDays(-1)})
		from = to
	}
	out.Jobs = append(out.Jobs, Job{w.House(), agentTitles[r.IntN(len(agentTitles))], hired, Date{}})
	return out
}
