package universe

import (
	"fmt"
	"math"
	"time"

	"enterprisedocbench/universe/keyed"
)

// World is a simulated world: all its entities and facts are functions of Seed and an id from 0.
// The zero World is the world of seed 0. Copying it is free; it holds no state.
type World struct{ Seed uint64 }

// Kinds of people; each person has one.
const (
	agentPerson = iota
	managerPerson
	directorPerson
	financePerson
	landlordPerson
	personKinds
)

func (w World) person(kind, id int) string { return personName(w.Seed, id*personKinds+kind) }

// pick chooses one of n things for a purpose and an id.
func (w World) pick(purpose string, id, n int) int {
	return int(keyed.Key(w.Seed, purpose, id) % uint64(n))
}

// House is the firm that brokers the leases, sends the agents out and keeps the books. Its name is
// printed on all documents.
func (w World) House() string { return placeName(w.Seed, "house", 0) + " Property Partners" }

// blockSize is the number of tenants that share agents, landlords and managers. Relations are drawn
// inside blocks, so a relation is known without the rest of the world.
const blockSize = 12

// share deals the tenants of a block out to blockSize/each owners by a keyed permutation and gives
// the owner of tenant id.
func (w World) share(purpose string, id, each int) int {
	block := id / blockSize
	p := keyed.NewPermutation(blockSize, keyed.Key(w.Seed, purpose, block))
	return block*(blockSize/each) + p.At(id%blockSize)/each
}

// Agent is a sales agent of the house.
type Agent struct {
	ID      int
	Name    string
	Region  string
	Manager string // of the region: the same person for all of its agents
}

// Agent returns agent id. Three agents make a region.
func (w World) Agent(id int) Agent {
	r := id / 3
	region := regionWords[keyed.NewPermutation(len(regionWords), keyed.Key(w.Seed, "region", 0)).At(r%len(regionWords))] + " Region"
	if r >= len(regionWords) {
		region = fmt.Sprintf("%s %d", region, r/len(regionWords)+1)
	}
	return Agent{ID: id, Name: w.person(agentPerson, id), Region: region, Manager: w.person(managerPerson, r)}
}

// Tenant is a company that rents premises through the house and buys services from it.
type Tenant struct {
	ID       int
	Name     string
	Director string // signs the lease and the statement, receives the agent
	Finance  string // finance director
	Agent    Agent
}

// Tenant returns tenant company id.
func (w World) Tenant(id int) Tenant {
	return Tenant{ID: id, Name: tenantName(w.Seed, id), Director: w.person(directorPerson, id),
		Finance: w.person(financePerson, id), Agent: w.Agent(w.share("agent-of", id, 2))}
}

// Date is a day without a clock.
type Date struct{ time.Time }

func day(y int, m time.Month, d int) Date { return Date{time.Date(y, m, d, 0, 0, 0, 0, time.UTC)} }

// String is the date as documents print it: March 1, 2024.
func (d Date) String() string { return d.Format("January 2, 2006") }

// ISO is the date as answers hold it: 2024-03-01.
func (d Date) ISO() string { return d.Format(time.DateOnly) }

// Year is one row of a lease's rent schedule, in whole dollars.
type Year struct {
	Start, End Date
	Monthly    int
}

// Lease is the truth of a lease agreement. Money is in whole US dollars; 0 and empty in an optional
// field mean that the lease has no such clause.
type Lease struct {
	ID                int
	Number            string
	Tenant            Tenant
	Landlord          string
	LandlordRep       string
	Building, Address string
	Floor             string
	Area              int // square feet
	Use               string
	Signed            Date
	Start, End        Date
	Increase          float64 // percent a year
	Schedule          []Year
	Deposit           int
	LateFee           int // percent a year
	NoticeDays        int
	Insurance         int // cover
	Sublet            bool

	// Optional clauses.
	ParkingSpaces, ParkingFee   int
	BreakMonths, BreakFee       int
	RenewalYears, RenewalNotice int
	SignageFee                  int
}

var uses = []string{"general office use", "light assembly and storage", "showroom and retail sales", "laboratory and testing",
	"warehousing and order picking", "design studio and workshop", "customer service centre", "training centre"}

// Lease returns the lease of tenant id.
func (w World) Lease(id int) Lease {
	r := keyed.Source(w.Seed, "lease", id)
	l := Lease{ID: id, Tenant: w.Tenant(id)}
	land := w.share("landlord-of", id, 3)
	l.Landlord, l.LandlordRep = landlordName(w.Seed, land), w.person(landlordPerson, land)
	l.Building = placeName(w.Seed, "building", id) + " " + houseWords[r.IntN(len(houseWords))]
	// Three tenants share a street; the remainder of the number keeps their houses apart.
	l.Address = fmt.Sprintf("%d %s %s, %s", 1+3*r.IntN(80)+id%3, placeName(w.Seed, "street", id/3), streetWords[w.pick("street-word", id/3, len(streetWords))], placeName(w.Seed, "town", land))
	l.Floor = []string{"ground", "first", "second", "third", "fourth", "fifth"}[r.IntN(6)]
	l.Area = 50 * (30 + r.IntN(270))
	l.Use = uses[r.IntN(len(uses))]
	first := r.IntN(24) // July 2022 to June 2024
	l.Start = Date{day(2022, time.July, 1).AddDate(0, first, 0)}
	l.Signed = Date{l.Start.AddDate(0, 0, -20-r.IntN(60))}
	l.Number = fmt.Sprintf("LA-%d-%06d", l.Signed.Year(), 100000+keyed.NewPermutation(900000, keyed.Key(w.Seed, "lease-number", 0)).At(id%900000))
	years := 4 + r.IntN(4)
	l.End = Date{l.Start.AddDate(years, 0, -1)}
	l.Increase = []float64{1.5, 2, 2.5, 3, 3.5}[r.IntN(5)]
	monthly := 10 * ((l.Area*(140+r.IntN(160))/100 + 5) / 10)
	for y := range years {
		l.Schedule = append(l.Schedule, Year{Date{l.Start.AddDate(y, 0, 0)}, Date{l.Start.AddDate(y+1, 0, -1)},
			int(math.Round(float64(monthly) * math.Pow(1+l.Increase/100, float64(y))))})
	}
	l.Deposit = monthly*(2+r.IntN(3)) + 50*(1+r.IntN(9))
	l.LateFee = 4 + r.IntN(9)
	l.NoticeDays = []int{30, 45, 60, 75, 90, 120}[r.IntN(6)]
	l.Insurance = 250000 * (4 + r.IntN(17))
	l.Sublet = r.IntN(2) == 0
	if w.has("parking", id) {
		l.ParkingSpaces, l.ParkingFee = 4+r.IntN(37), 5*(60+r.IntN(120))
	}
	if w.has("break", id) {
		l.BreakMonths, l.BreakFee = 12*(2+r.IntN(2)), 100*(50+r.IntN(300))
	}
	if w.has("renewal", id) {
		l.RenewalYears, l.RenewalNotice = 2+r.IntN(4), 6+3*r.IntN(3)
	}
	if w.has("signage", id) {
		l.SignageFee = 10 * (20 + r.IntN(130))
	}
	return l
}

// has decides an optional clause: two of three leases have it, in turns inside a block, so that both
// kinds stand in every block.
func (w World) has(clause string, id int) bool {
	p := keyed.NewPermutation(blockSize, keyed.Key(w.Seed, clause, id/blockSize))
	return p.At(id%blockSize)%3 != 0
}

// RentIn is the rent due in the month that begins at first; 0 outside the term.
func (l Lease) RentIn(first Date) int {
	for _, y := range l.Schedule {
		if !first.Before(y.Start.Time) && !first.After(y.End.Time) {
			return y.Monthly
		}
	}
	return 0
}

// TotalRent is the rent of the whole term.
func (l Lease) TotalRent() int {
	sum := 0
	for _, y := range l.Schedule {
		sum += 12 * y.Monthly
	}
	return sum
}

// Offer is one line of a report's pipeline, in whole dollars a year.
type Offer struct {
	Service string
	Sites   int
	Price   int
}

// Value is the yearly value of the offer.
func (o Offer) Value() int { return o.Sites * o.Price }

// Score is the customer's satisfaction with a service, in tenths from 0 to 100.
type Score struct {
	Service string
	Tenths  int
}

// Visit is the truth of a sales field report.
type Visit struct {
	ID         int
	Number     string
	Tenant     Tenant
	Lease      Lease
	Date, Next Date
	Submitted  Date
	Offers     []Offer
	Scores     []Score
	Competitor string
	Budget     int
	OnSite     int // people on the premises
	Concern    string
	Need       string
	Decision   string // month in which the customer decides
}

var (
	services = []string{"Cleaning", "Reception staff", "Energy audit", "Fit-out design", "Access control", "Air conditioning",
		"Lift maintenance", "Waste removal", "Landscaping", "Fire safety checks"}
	concerns = []string{"slow response to fault tickets", "rising electricity cost", "noise from the loading bay", "unreliable lifts",
		"gaps in the night security rota", "late invoices", "water pressure on the upper floors", "missing recycling points"}
	needs = []string{"a second meeting suite", "more cold storage", "a quieter open-plan floor", "charging points for vans",
		"a secure archive room", "better daylight in the workshop", "a staff canteen", "step-free access at the rear"}
)

// Visit returns the field report about tenant id.
func (w World) Visit(id int) Visit {
	r := keyed.Source(w.Seed, "visit", id)
	v := Visit{ID: id, Tenant: w.Tenant(id), Lease: w.Lease(id)}
	v.Number = fmt.Sprintf("FR-%06d", 100000+keyed.NewPermutation(900000, keyed.Key(w.Seed, "report-number", 0)).At(id%900000))
	v.Date = Date{day(2025, time.January, 6).AddDate(0, 0, 7*r.IntN(48)+r.IntN(5))}
	v.Submitted = Date{v.Date.AddDate(0, 0, 1+r.IntN(2))}
	v.Next = Date{v.Date.AddDate(0, 0, 28+7*r.IntN(8))}
	order := r.Perm(len(services))
	for _, i := range order[:4+r.IntN(2)] {
		v.Offers = append(v.Offers, Offer{services[i], 1 + r.IntN(6), 20 * (60 + r.IntN(540))})
	}
	for _, i := range order[5:9] {
		v.Scores = append(v.Scores, Score{services[i], 31 + r.IntN(66)})
	}
	v.Competitor = placeName(w.Seed, "competitor", id/2) + " Facility Group"
	v.Budget = 500 * (60 + r.IntN(500))
	v.OnSite = 14 + r.IntN(380)
	v.Concern = concerns[r.IntN(len(concerns))]
	v.Need = needs[r.IntN(len(needs))]
	v.Decision = v.Next.AddDate(0, 1+r.IntN(3), 0).Format("January 2006")
	return v
}

// TotalValue is the yearly value of all offers.
func (v Visit) TotalValue() int {
	sum := 0
	for _, o := range v.Offers {
		sum += o.Value()
	}
	return sum
}

// Quarter counts calendar quarters from the year 0.
type Quarter int

// String is the quarter as documents print it: Q3 2025.
func (q Quarter) String() string { return fmt.Sprintf("Q%d %d", int(q)%4+1, int(q)/4) }

// First is the quarter's first day, Last its last.
func (q Quarter) First() Date { return day(int(q)/4, time.Month(int(q)%4*3+1), 1) }

// Last is the quarter's last day.
func (q Quarter) Last() Date { return Date{q.First().AddDate(0, 3, -1)} }

// Period is one column of an income statement, in whole dollars.
type Period struct {
	Quarter                                       Quarter
	Segments                                      []int
	CostOfSales, Personnel, Occupancy, OtherCosts int
}

// Revenue is the sum of the segments.
func (p Period) Revenue() int {
	sum := 0
	for _, s := range p.Segments {
		sum += s
	}
	return sum
}

// Gross is revenue less cost of sales.
func (p Period) Gross() int { return p.Revenue() - p.CostOfSales }

// Operating is the gross profit less all other costs.
func (p Period) Operating() int { return p.Gross() - p.Personnel - p.Occupancy - p.OtherCosts }

// Statement is the truth of a quarterly financial statement. Money is in whole US dollars.
type Statement struct {
	ID           int
	Number       string
	Tenant       Tenant
	Quarter      Quarter
	SegmentNames []string
	Now, Before  Period
	Revenues     []int // of the last four quarters, oldest first
	Departments  []string
	Staff        []int
	Cash         int
	Facility     int
	Bank         string
	Auditor      string
	Approved     Date
	Dividend     int // cents a share; 0: none, and not mentioned
}

var (
	segmentNames = []string{"Retail", "Wholesale", "Export", "Online sales", "Maintenance contracts", "Licensing", "Project work"}
	departments  = []string{"Production", "Sales", "Administration", "Logistics", "Research", "Customer care"}
)

// period computes one quarter of tenant id.
func (w World) period(id int, q Quarter, segments int) Period {
	r := keyed.Source(w.Seed, "period-"+q.String(), id)
	p := Period{Quarter: q}
	base := (180000 + w.pick("scale", id, 900000)) * (78 + r.IntN(45)) / 100
	for s := range segments {
		p.Segments = append(p.Segments, base*(60+w.pick(fmt.Sprint("segment-", s), id, 90))/100*(92+r.IntN(20))/100)
	}
	rev := p.Revenue()
	p.CostOfSales = rev*(38+r.IntN(12))/100 + r.IntN(900)
	p.Personnel = rev*(17+r.IntN(8))/100 + r.IntN(900)
	p.OtherCosts = rev*(5+r.IntN(6))/100 + r.IntN(900)
	lease := w.Lease(id)
	for m := range 3 {
		p.Occupancy += lease.RentIn(Date{q.First().AddDate(0, m, 0)})
	}
	return p
}

// Statement returns the quarterly statement of tenant id: one quarter of 2025.
func (w World) Statement(id int) Statement {
	r := keyed.Source(w.Seed, "statement", id)
	s := Statement{ID: id, Tenant: w.Tenant(id), Quarter: Quarter(2025*4 + r.IntN(4))}
	s.Number = fmt.Sprintf("QS-%06d", 100000+keyed.NewPermutation(900000, keyed.Key(w.Seed, "statement-number", 0)).At(id%900000))
	n := 3 + r.IntN(2)
	for _, i := range r.Perm(len(segmentNames))[:n] {
		s.SegmentNames = append(s.SegmentNames, segmentNames[i])
	}
	s.Now, s.Before = w.period(id, s.Quarter, n), w.period(id, s.Quarter-1, n)
	for back := 3; back >= 0; back-- {
		s.Revenues = append(s.Revenues, w.period(id, s.Quarter-Quarter(back), n).Revenue())
	}
	for _, i := range r.Perm(len(departments))[:4] {
		s.Departments = append(s.Departments, departments[i])
		s.Staff = append(s.Staff, 3+r.IntN(120))
	}
	s.Cash = 1000*(90+r.IntN(2400)) + r.IntN(1000)
	s.Facility = 50000 * (4 + r.IntN(50))
	s.Bank = placeName(w.Seed, "bank", id/4) + " Bank"
	s.Auditor = placeName(w.Seed, "auditor", id/3) + " Audit Partners"
	s.Approved = Date{s.Quarter.Last().AddDate(0, 0, 18+r.IntN(24))}
	if w.has("dividend", id) {
		s.Dividend = 4 + r.IntN(90)
	}
	return s
}

// Headcount is the number of employees in all departments.
func (s Statement) Headcount() int {
	sum := 0
	for _, n := range s.Staff {
		sum += n
	}
	return sum
}
