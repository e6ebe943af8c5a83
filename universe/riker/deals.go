package riker

import (
	"math/rand/v2"
	"strconv"

	"enterprisedocbench/universe/keyed"
)

// Lease is the truth of a commercial lease. Money is in whole US dollars; 0 in an optional field
// means that the lease has no such clause.
type Lease struct {
	N              int
	ID, Number     string
	Deal           int
	Lessor, Lessee Company
	LessorN        int
	LesseeN        int
	Building       string
	Address, Town  string
	Use            string
	Area           int    // square feet
	Agent          *Agent // named and credited; nil: the lease names none
	Signed         Date
	Start, End     Date
	Monthly        int
	Deposit        int
	Increase       float64 // percent a year
	NoticeDays     int
	LateFee        int // percent a year

	// Optional clauses.
	ParkingFee   int // a month
	SignageFee   int // a year
	PetDeposit   int
	BreakFee     int
	RenewalYears int
}

var uses = []string{"general office use", "light assembly", "showroom and retail sales", "laboratory and testing", "warehousing", "a design studio", "a customer service centre", "a training centre", "a dental practice", "a print shop"}

// leaseDraws are the first draws of a lease, and the source of the others.
type leaseDraws struct {
	building, house, use, area int
	start, signed              Date
	*rand.Rand
}

func (w *World) drawLease(n int) leaseDraws {
	r := keyed.Source(w.Seed, "lease", n)
	d := leaseDraws{building: r.IntN(len(buildingWords)), house: 1 + r.IntN(240), use: r.IntN(len(uses)), area: 50 * (16 + r.IntN(280)), Rand: r}
	d.start = NewDate(2023, 7, 1).AddMonths(r.IntN(30))
	d.signed = d.start.AddDays(-12 - r.IntN(50))
	return d
}

// Lease returns lease n: the outcome of deal n.
func (w *World) Lease(n int) Lease {
	draws := w.drawLease(n)
	r := draws.Rand
	l := Lease{N: n, ID: padded("lease-", n+1, 6), Deal: n, Number: w.serial("LC", Leases, n)}
	l.LesseeN, l.LessorN = w.dealt("lessee", lesseeShares, leaseBlock, n), w.dealt("lessor", lessorShares, leaseBlock, n)
	l.Lessee, l.Lessor = w.Customer(l.LesseeN), w.Lessor(l.LessorN)
	l.Building = w.building(n) + " " + buildingWords[draws.building]
	l.Town = w.town(n / 6)
	l.Address = strconv.Itoa(draws.house) + " " + w.street(n/3) + " " + streetWords[w.pick("street-word", n/3, len(streetWords))] + ", " + l.Town
	l.Use, l.Area, l.Start, l.Signed = uses[draws.use], draws.area, draws.start, draws.signed
	if w.chance("lease-agent", n, .75) {
		a := w.Agent(w.agentOf(n))
		l.Agent = &a
	}
	l.End = l.Start.AddMonths(12 * (2 + r.IntN(6))).AddDays(-1)
	l.Monthly = 10 * (l.Area * (130 + r.IntN(170)) / 1000)
	l.Deposit = l.Monthly*(1+r.IntN(4)) + 50*(1+r.IntN(9))
	l.Increase = []float64{1.5, 2, 2.5, 3, 3.5, 4}[r.IntN(6)]
	l.NoticeDays = []int{30, 45, 60, 75, 90, 120, 150, 180}[r.IntN(8)]
	l.LateFee = 4 + r.IntN(12)
	optional := func(name string, v int) int {
		if w.chance("lease-"+name, n, .55) {
			return v
		}
		return 0
	}
	l.ParkingFee = optional("parking", 5*(20+r.IntN(160)))
	l.SignageFee = optional("signage", 10*(20+r.IntN(130)))
	l.PetDeposit = optional("pets", 25*(8+r.IntN(60)))
	l.BreakFee = optional("break", 100*(50+r.IntN(300)))
	l.RenewalYears = optional("renewal", 1+r.IntN(6))
	return l
}

// Years is the length of the term.
func (l Lease) Years() int { return l.End.AddDays(1).Year() - l.Start.Year() }

// Active says whether the lease runs on at least one day of a period.
func (l Lease) Active(first, last Date) bool { return !l.Start.After(last) && !l.End.Before(first) }

// leasesOf lists the leases of lessee e.
func (w *World) leasesOf(e int) []int { return w.members("lessee", lesseeShares, e) }

// members lists the leases that a member of a share got.
func (w *World) members(purpose string, shares []int, m int) []int {
	block := m / len(shares)
	p := keyed.NewPermutation(leaseBlock, keyed.Key(w.Seed, purpose, block))
	var out []int
	for i := range leaseBlock {
		if n := block*leaseBlock + i; n < w.Counts[Leases] && slot(shares, p.At(i)) == m%len(shares) {
			out = append(out, n)
		}
	}
	return out
}

// Stage is how far a deal has come.
type Stage int

// The stages; a deal is closed in the first two.
const (
	Won Stage = iota
	Lost
	Negotiation
	Proposal
	Prospecting
)

// String is the stage as documents print it.
func (s Stage) String() string {
	return [...]string{"Closed won", "Closed lost", "Negotiation", "Proposal", "Prospecting"}[s]
}

// Line is one product of a deal or invoice, in whole US dollars a year.
type Line struct {
	Product  Product
	Quantity int
	Price    int // of one
}

// Amount is quantity × price.
func (l Line) Amount() int { return l.Quantity * l.Price }

func total(lines []Line) int {
	sum := 0
	for _, l := range lines {
		sum += l.Amount()
	}
	return sum
}

// Deal is an agent's dealing with a customer. Deal n led to lease n where there is one; the others
// are about products alone.
type Deal struct {
	N         int
	ID        string
	AgentN    int
	CustomerN int
	LeaseN    int // -1: none
	Lines     []Line
	Stage     Stage // at the end of 2025
	Opened    Date
	Closed    Date // zero while it is open
	rival     int
}

// Value is the yearly value of the deal's products.
func (d Deal) Value() int { return total(d.Lines) }

// agentOf is the agent of deal d. Deals go round the blocks of agents, and inside of a block by
// uneven shares.
func (w *World) agentOf(d int) int {
	groups := ceilDiv(w.agents, agentBlock)
	return w.agentAt(d%groups, d/groups)
}

// agentAt is the agent of the x-th deal of a block of agents.
func (w *World) agentAt(group, x int) int {
	size := min(agentBlock, w.agents-group*agentBlock)
	p := keyed.NewPermutation(dealBlock, keyed.Key(w.Seed, "deal-agent", group<<20|x/dealBlock))
	rank := slot(agentShares, p.At(x%dealBlock))
	return group*agentBlock + (rank+w.pick("leader", group, size))%size
}

// dealsOf lists the deals of agent a, in order.
func (w *World) dealsOf(a int) []int {
	groups := ceilDiv(w.agents, agentBlock)
	group := a / agentBlock
	var out []int
	for x := 0; x*groups+group < w.deals; x++ {
		if w.agentAt(group, x) == a {
			out = append(out, x*groups+group)
		}
	}
	return out
}

// stageOf is how deal d ends: deals with a lease are won, the others by fixed shares of a block.
func (w *World) stageOf(d int) Stage {
	if d < w.leaseDeals {
		return Won
	}
	e := d - w.leaseDeals
	return Stage(slot(stageShares, w.stages(e/dealBlock).At(e%dealBlock)))
}

func (w *World) stages(block int) keyed.Permutation {
	return keyed.NewPermutation(dealBlock, keyed.Key(w.Seed, "stage", block))
}

// won is the i-th won deal; there are w.wonDeals of them.
func (w *World) won(i int) int {
	if i < w.leaseDeals {
		return i
	}
	i -= w.leaseDeals
	return w.leaseDeals + i/stageShares[Won]*dealBlock + w.stages(i/stageShares[Won]).Find(i%stageShares[Won])
}

func (w *World) wonDeals() int {
	return w.leaseDeals + (w.deals-w.leaseDeals)/dealBlock*stageShares[Won]
}

// Deal returns deal d.
func (w *World) Deal(d int) Deal {
	r := keyed.Source(w.Seed, "deal", d)
	out := Deal{N: d, ID: padded("deal-", d+1, 6), AgentN: w.agentOf(d), LeaseN: -1, Stage: w.stageOf(d), rival: d / 3}
	if d < w.leaseDeals {
		out.LeaseN = d
		out.CustomerN = w.dealt("lessee", lesseeShares, leaseBlock, d)
	} else {
		// Two deals share a prospect.
		out.CustomerN = w.companies + (d-w.leaseDeals)/2
	}
	first := r.Perm(len(productNames))
	for _, p := range first[:1+r.IntN(4)] {
		product := w.Product(p)
		out.Lines = append(out.Lines, Line{product, 1 + r.IntN(9), product.Price * (90 + r.IntN(11)) / 100})
	}
	switch {
	case out.LeaseN >= 0:
		out.Closed = w.drawLease(d).signed
	case out.Stage == Won || out.Stage == Lost:
		out.Closed = NewDate(2024, 1, 8).AddDays(r.IntN(710))
	}
	end := out.Closed
	if end.IsZero() {
		end = NewDate(2025, 12, 1).AddDays(r.IntN(28))
	}
	out.Opened = end.AddDays(-70 - r.IntN(60))
	return out
}
