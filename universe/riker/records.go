package riker

import (
	"enterprisedocbench/universe/keyed"
)

// Report is the truth of a sales field report: one visit in a deal.
type Report struct {
	N           int
	ID, Number  string
	Deal        Deal
	Lease       *Lease // that the deal led to
	Agent       Agent
	Customer    Company
	Visit       int // from 1
	Date        Date
	Stage       Stage // at the visit
	Probability int   // percent
	Attendees   int   // people of the customer in the meeting
	NextStep    string
	NextDate    Date // zero after a closed deal

	// Optional remarks.
	Competitor string
	Budget     int
	Discount   int // percent asked for
	Concern    string
}

var (
	nextSteps = []string{"send a revised offer", "arrange a site tour", "introduce the service team", "present to the board", "collect meter readings", "draft the contract", "call the finance director", "measure the floor"}
	concerns  = []string{"slow response to fault tickets", "rising electricity cost", "noise from the loading bay", "unreliable lifts", "late invoices", "missing recycling points", "gaps in the night rota", "draughty windows"}
)

// Report returns field report n. Reports go round the deals: first visits, then second ones.
func (w *World) Report(n int) Report {
	r := keyed.Source(w.Seed, "report", n)
	d := w.Deal(n % w.deals)
	out := Report{N: n, ID: padded("report-", n+1, 6), Number: w.serial("FR", Reports, n), Deal: d, Agent: w.Agent(d.AgentN), Customer: w.Customer(d.CustomerN), Visit: 1 + n/w.deals}
	if d.LeaseN >= 0 {
		l := w.Lease(d.LeaseN)
		out.Lease = &l
	}
	out.Stage = d.Stage
	if out.Visit == 1 {
		out.Date = d.Opened.AddDays(2 + r.IntN(25))
		if d.Stage <= Lost { // not closed yet
			out.Stage = Negotiation + Stage(r.IntN(3))
		}
	} else {
		out.Date = d.Opened.AddDays(30 + r.IntN(35))
		if !d.Closed.IsZero() {
			out.Date = d.Closed.AddDays(r.IntN(6)) // on or after the day of the decision
		}
	}
	out.Probability = [...]int{100, 0, 60, 40, 15}[out.Stage]
	if out.Stage > Lost {
		out.Probability += 5 * r.IntN(4)
		out.NextDate = out.Date.AddDays(7 + r.IntN(28))
	}
	out.Attendees = 2 + r.IntN(11)
	out.NextStep = nextSteps[r.IntN(len(nextSteps))]
	if w.chance("rival", n, .55) {
		out.Competitor = w.rival(d.rival)
	}
	if w.chance("budget", n, .55) {
		out.Budget = 500 * (20 + r.IntN(500))
	}
	if w.chance("discount", n, .45) {
		out.Discount = 3 + r.IntN(15)
	}
	if w.chance("concern", n, .6) {
		out.Concern = concerns[r.IntN(len(concerns))]
	}
	return out
}

// Score is a rating of one competency, in tenths from 10 to 50.
type Score struct {
	Competency string
	Tenths     int
}

// Competencies are what reviews rate: each review five of them.
var Competencies = []string{"Negotiation", "Product knowledge", "Customer care", "Reporting", "Teamwork", "Planning", "Presentation", "Reliability"}

// Review is the truth of an HR evaluation of an agent for a half-year.
type Review struct {
	N          int
	ID, Number string
	Agent      Agent
	Period     Half
	Date       Date
	Scores     []Score
	Won        int // deals won in the period, by the world's truth
	WonValue   int // their yearly value
	Absences   int // days away

	// Optional parts.
	Raise     float64 // percent
	Training  string
	Promotion string // to a title
	Bonus     int
}

var trainings = []string{"contract law for agents", "presenting to boards", "reading balance sheets", "negotiation in teams", "customer data protection", "energy certificates", "spreadsheet modelling", "conflict resolution"}

// Review returns evaluation n. Reviews go round the agents, the latest half-year first.
func (w *World) Review(n int) Review {
	r := keyed.Source(w.Seed, "review", n)
	a := n % w.agents
	out := Review{N: n, ID: padded("review-", n+1, 6), Number: w.serial("HR", Reviews, n), Agent: w.Agent(a), Period: Half(2*2025 + 1 - n/w.agents)}
	out.Date = out.Period.Last().AddDays(5 + r.IntN(40))
	for _, c := range r.Perm(len(Competencies))[:5] {
		out.Scores = append(out.Scores, Score{Competencies[c], 18 + r.IntN(33)})
	}
	for _, d := range w.dealsOf(a) {
		if x := w.Deal(d); x.Stage == Won && !x.Closed.Before(out.Period.First()) && !x.Closed.After(out.Period.Last()) {
			out.Won++
			out.WonValue += x.Value()
		}
	}
	out.Absences = r.IntN(15)
	if w.chance("raise", n, .6) {
		out.Raise = float64(10+5*r.IntN(9)) / 10
	}
	if w.chance("training", n, .55) {
		out.Training = trainings[r.IntN(len(trainings))]
	}
	if w.chance("promotion", n, .3) {
		title := agentTitles[r.IntN(len(agentTitles))]
		if title != out.Agent.Title() {
			out.Promotion = title
		}
	}
	if w.chance("bonus", n, .5) {
		out.Bonus = 50 * (10 + r.IntN(150))
	}
	return out
}

// Overall is the mean of the scores in hundredths: 346 is 3.46. Five scores in tenths make it exact.
func (r Review) Overall() int {
	sum := 0
	for _, s := range r.Scores {
		sum += s.Tenths
	}
	return sum * 2
}

// Invoice is the truth of an invoice of the house for a won deal, in whole US dollars but for tax.
type Invoice struct {
	N          int
	ID, Number string
	Deal       Deal
	Customer   Company
	Instalment int // from 1
	Date, Due  Date
	Lines      []Line
	TaxRate    int // percent

	// Optional parts.
	Order    string // the customer's order number
	Discount int    // US dollars, before tax
}

// Invoice returns invoice n. Invoices go round the won deals, one instalment a year each.
func (w *World) Invoice(n int) Invoice {
	r := keyed.Source(w.Seed, "invoice", n)
	d := w.Deal(w.won(n % w.wonDeals()))
	out := Invoice{N: n, ID: padded("invoice-", n+1, 6), Number: w.serial("IN", Invoices, n), Deal: d, Customer: w.Customer(d.CustomerN), Instalment: 1 + n/w.wonDeals(), Lines: d.Lines}
	out.Date = d.Closed.AddMonths(12 * (out.Instalment - 1)).AddDays(3 + r.IntN(20))
	out.Due = out.Date.AddDays([]int{14, 21, 30, 45, 60}[r.IntN(5)])
	out.TaxRate = []int{5, 7, 8, 10, 12}[r.IntN(5)]
	if w.chance("order", n, .55) {
		out.Order = w.serial("PO", Kinds-1, n)
	}
	if w.chance("invoice-discount", n, .4) {
		out.Discount = max(1, total(out.Lines)*(2+r.IntN(8))/100)
	}
	return out
}

// Subtotal is the sum of the lines less the discount.
func (i Invoice) Subtotal() int { return total(i.Lines) - i.Discount }

// TaxCents and TotalCents are the tax and the sum due in cents; the rate makes them exact.
func (i Invoice) TaxCents() int { return i.Subtotal() * i.TaxRate }

// TotalCents is subtotal and tax.
func (i Invoice) TotalCents() int { return 100*i.Subtotal() + i.TaxCents() }

// Segment is a source of revenue.
type Segment struct {
	Name   string
	Amount int
}

var segmentNames = []string{"Retail", "Wholesale", "Export", "Online sales", "Maintenance contracts", "Licensing", "Project work"}

// Statement is the truth of a lessee's quarterly statement, in whole US dollars.
type Statement struct {
	N          int
	ID, Number string
	Company    Company
	CompanyN   int
	Quarter    Quarter
	Segments   []Segment
	CostOfSales, Personnel, Occupancy,
	Other int
	Rented    []Lease // whose rent is the occupancy cost; none: Occupancy is that of premises of its own
	Cash      int
	Headcount int
	Approved  Date

	// Optional parts.
	Dividend int // cents a share
	Covenant int // percent: the bank's limit of debt
}

// Revenue is the sum of the segments.
func (s Statement) Revenue() int {
	sum := 0
	for _, x := range s.Segments {
		sum += x.Amount
	}
	return sum
}

// Gross is revenue less cost of sales.
func (s Statement) Gross() int { return s.Revenue() - s.CostOfSales }

// Operating is the gross profit less all other costs.
func (s Statement) Operating() int { return s.Gross() - s.Personnel - s.Occupancy - s.Other }

// Statement returns quarterly statement n. Statements go round the lessees, the latest quarter first.
func (w *World) Statement(n int) Statement {
	r := keyed.Source(w.Seed, "statement", n)
	c := n % w.companies
	out := Statement{N: n, ID: padded("statement-", n+1, 6), Number: w.serial("QS", Statements, n), Company: w.Customer(c), CompanyN: c, Quarter: Quarter(4*2025 + 3 - n/w.companies)}
	first, last := out.Quarter.First(), out.Quarter.Last()
	for _, l := range w.leasesOf(c) {
		lease := w.Lease(l)
		months := 0
		for m := range 3 {
			if lease.Active(first.AddMonths(m), first.AddMonths(m+1).AddDays(-1)) {
				months++
			}
		}
		if months > 0 {
			out.Rented = append(out.Rented, lease)
			out.Occupancy += months * lease.rentIn(last)
		}
	}
	if len(out.Rented) == 0 {
		out.Occupancy = 1000 + r.IntN(40000)
	}
	base := 150_000 + w.pick("scale", c, 900_000) + 2*out.Occupancy
	order := keyed.Source(w.Seed, "segments", c).Perm(len(segmentNames))
	for i := range 3 + w.pick("segment-count", c, 2) {
		out.Segments = append(out.Segments, Segment{segmentNames[order[i]], base * (40 + r.IntN(60)) / 100})
	}
	rev := out.Revenue()
	out.CostOfSales = rev*(36+r.IntN(12))/100 + r.IntN(900)
	out.Personnel = rev*(15+r.IntN(9))/100 + r.IntN(900)
	out.Other = rev*(4+r.IntN(6))/100 + r.IntN(900)
	out.Cash = rev * (10 + r.IntN(70)) / 100
	out.Headcount = 8 + w.pick("headcount", c, 300) + r.IntN(12)
	out.Approved = last.AddDays(18 + r.IntN(30))
	if w.chance("dividend", n, .5) {
		out.Dividend = 2 + r.IntN(60)
	}
	if w.chance("covenant", n, .5) {
		out.Covenant = 35 + r.IntN(40)
	}
	return out
}

// rentIn is the monthly rent in the lease year of a day: the first year's rent, with the increase
// of each later year rounded to whole dollars.
func (l Lease) rentIn(day Date) int {
	rent := float64(l.Monthly)
	for y := l.Start.AddMonths(12); !y.After(day) && !y.After(l.End); y = y.AddMonths(12) {
		rent = float64(int(rent*(1+l.Increase/100) + .5))
	}
	return int(rent)
}

// Handbook is the truth of a policy handbook: the rules of a territory in one edition.
type Handbook struct {
	N          int
	ID, Number string
	Territory  Territory
	TerritoryN int
	Edition    int  // year
	InForce    Date // from
	Owner      string
	PerDiem    int // US dollars a day
	Mileage    int // cents a mile
	GiftLimit  int // US dollars
	LeaveDays  int
	NoticeDays int
	Probation  int // months
	Retention  int // years that reports are kept
	Approval   int // US dollars above which the manager signs

	// Optional rules.
	RemoteDays   int // a week
	PhoneBudget  int // US dollars a month
	StudyDays    int // a year
	CarAllowance int // US dollars a month
}

// Handbook returns handbook n. Handbooks go round the territories, the latest edition first.
func (w *World) Handbook(n int) Handbook {
	r := keyed.Source(w.Seed, "handbook", n)
	t := n % w.territories
	out := Handbook{N: n, ID: padded("handbook-", n+1, 6), Number: w.serial("PH", Handbooks, n), Territory: w.Territory(t), TerritoryN: t, Edition: 2025 - n/w.territories, Owner: w.Person(ClerkRole, t)}
	out.InForce = NewDate(out.Edition, 1+r.IntN(3), 1)
	out.PerDiem, out.Mileage, out.GiftLimit = 35+r.IntN(70), 41+r.IntN(40), 5*(5+r.IntN(40))
	out.LeaveDays, out.NoticeDays, out.Probation = 18+r.IntN(15), 15*(1+r.IntN(8)), 2+r.IntN(8)
	out.Retention, out.Approval = 2+r.IntN(9), 250*(2+r.IntN(40))
	optional := func(name string, v int) int {
		if w.chance("handbook-"+name, n, .5) {
			return v
		}
		return 0
	}
	out.RemoteDays = optional("remote", 1+r.IntN(4))
	out.PhoneBudget = optional("phone", 15+5*r.IntN(16))
	out.StudyDays = optional("study", 1+r.IntN(10))
	out.CarAllowance = optional("car", 10*(15+r.IntN(60)))
	return out
}
