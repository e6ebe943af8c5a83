package universe

import (
	"fmt"
	"strings"

	"enterprisedocbench/universe/keyed"
	"enterprisedocbench/universe/press"
)

var leaseLook = press.Look{Serif: true, Size: 10.6, Accent: press.RGB{38, 50, 82}, Tint: press.RGB{228, 232, 241}}

// clause is one numbered section of a lease.
type clause struct {
	title string
	set   func(*press.Sheet)
}

// writeLease sets a commercial lease agreement of two to four pages. The order of the clauses and
// the wording of the standard ones change from lease to lease.
func (w World) writeLease(l Lease) (*press.Sheet, string, furniture) {
	s := press.NewSheet(leaseLook)
	t := l.Tenant
	title := "Commercial Lease Agreement"
	s.Title(title)
	s.Para(fmt.Sprintf("This lease agreement, number %s, is made on %s between %s (the Landlord) and %s (the Tenant).",
		press.Fact("number", l.Number), press.Fact("signed", l.Signed.String()), press.Fact("landlord", l.Landlord), press.Fact("tenant", t.Name)),
		fmt.Sprintf("It was negotiated for the Tenant by %s of %s, who acts as the agent of record.", press.Fact("agent", t.Agent.Name), w.House()))
	s.Table(press.Table{Caption: "Table 1: Key terms",
		Header: []string{"Item", "Agreed term"},
		Widths: []float64{.34, .66},
		Rows: [][]string{
			{"Tenant", t.Name},
			{"Premises", press.Fact("building", l.Building) + ", " + l.Floor + " floor"},
			{"Address", press.Fact("address", l.Address)},
			{"Rentable area", press.Fact("area", thousands(l.Area)) + " square feet"},
			{"Term", fmt.Sprintf("%s to %s", press.Fact("start", l.Start.String()), press.Fact("end", l.End.String()))},
			{"Permitted use", press.Fact("use", l.Use)},
		},
	})
	vary := func(n int, texts ...string) string { return texts[w.pick(fmt.Sprint("wording-", n), l.ID, len(texts))] }
	rows := [][]string{}
	for i, y := range l.Schedule {
		rows = append(rows, []string{fmt.Sprintf("Year %d", i+1), y.Start.String(), y.End.String(),
			press.Fact(fmt.Sprintf("monthly-%d", i+1), dollars(y.Monthly)), press.Fact(fmt.Sprintf("annual-%d", i+1), dollars(12*y.Monthly))})
	}
	rows = append(rows, []string{"Total", "", "", "", press.Fact("total-rent", dollars(l.TotalRent()))})

	first := []clause{
		{"Premises and use", func(s *press.Sheet) {
			s.Para(fmt.Sprintf("The Landlord lets to the Tenant the %s floor of %s.", l.Floor, l.Building),
				fmt.Sprintf("%s shall use the premises for %s and for no other purpose.", t.Name, l.Use),
				vary(1, "The Tenant takes the premises as they stand on the first day of the term.",
					"The Tenant has inspected the premises and accepts their condition."))
			s.Para(vary(2, "The Tenant may use the common parts of the building together with the other occupiers, keep to the house rules and keep the escape routes free at all times.",
				"Entrances, stairs and lifts are shared with the other occupiers; nothing may be stored in them and the house rules apply to everyone who uses them."))
		}},
		{"Term and rent", func(s *press.Sheet) {
			s.Para(fmt.Sprintf("The term runs for %s years from the commencement date in Table 1.", press.Fact("years", fmt.Sprint(len(l.Schedule)))),
				fmt.Sprintf("The rent rises by %s on each anniversary of the commencement date, as Table 2 sets out.", press.Fact("increase", percent(l.Increase))),
				vary(3, "Rent is due in advance on the first working day of each month.", "Each monthly instalment is payable in advance, on the first working day of the month."))
			s.Table(press.Table{Caption: "Table 2: Rent schedule of " + t.Name, Header: []string{"Lease year", "From", "To", "Monthly rent", "Annual rent"},
				Widths: []float64{.14, .23, .24, .19, .20}, Right: []bool{false, false, false, true, true}, Rows: rows, Bold: []int{len(rows) - 1}})
		}},
	}
	middle := []clause{
		{"Security deposit", func(s *press.Sheet) {
			s.Para(fmt.Sprintf("On signing, %s pays a security deposit of %s to the Landlord.", t.Name, press.Fact("deposit", dollars(l.Deposit))),
				vary(4, "The Landlord may draw on it for arrears and damage and the Tenant shall then make it up within ten working days.",
					"It is held without interest and is returned within forty days after the premises have been handed back, less any sum that is owed."))
		}},
		{"Late payment", func(s *press.Sheet) {
			s.Para(fmt.Sprintf("A sum that %s pays late bears interest at %s a year from the due date.", t.Name, press.Fact("late-fee", percent(float64(l.LateFee)))),
				vary(5, "The Landlord need not give a reminder.", "Acceptance of a late payment waives no right of the Landlord."))
		}},
		{"Repairs and alterations", func(s *press.Sheet) {
			s.Para(vary(6, "The Landlord keeps the structure, the roof and the main services of the building in repair.",
				"Structure, roof and main services are the Landlord's to maintain."),
				vary(7, "The Tenant keeps the inside of the premises clean and in good order and makes good what it or its visitors break.",
					"Everything inside the premises, glass and floor coverings included, is the Tenant's to maintain."))
			s.Item("(a) Alterations need the Landlord's consent in writing, which is not to be withheld without reason.")
			s.Item(vary(8, "(b) At the end of the term the Tenant removes its fittings and makes good the traces.", "(b) Partitions that the Tenant has put in are removed at its cost when the term ends."))
			s.Item("(c) The Landlord may enter to inspect or repair after two days' notice, and at once in an emergency.")
		}},
		{"Insurance", func(s *press.Sheet) {
			s.Para(fmt.Sprintf("Throughout the term %s carries public liability insurance with a cover of at least %s for each event.", t.Name, press.Fact("insurance", dollars(l.Insurance))),
				vary(9, "A certificate is to be shown each year.", "The Landlord insures the building itself and recovers the premium through the service charge."))
		}},
		{"Assignment and subletting", func(s *press.Sheet) {
			if l.Sublet {
				s.Para(fmt.Sprintf("%s may sublet parts of the premises %s, provided that it names the subtenant beforehand.", t.Name, press.Fact("sublet", "without the Landlord's consent")))
			} else {
				s.Para(fmt.Sprintf("%s may sublet parts of the premises %s, given in writing beforehand.", t.Name, press.Fact("sublet", "only with the Landlord's consent")))
			}
			s.Para(vary(10, "The lease as a whole may be assigned only to a successor of the Tenant's entire business.", "Assignment of the whole lease requires a guarantee by the assigning party for one further year."))
		}},
		{"Notices", func(s *press.Sheet) {
			s.Para(fmt.Sprintf("A party that wishes to complain of a breach gives the other %s days to put it right.", press.Fact("notice", fmt.Sprint(l.NoticeDays))),
				fmt.Sprintf("Notices to %s go to the premises; notices to the Landlord go to %s at its registered office.", t.Name, l.Landlord))
		}},
		{"Service charge and utilities", func(s *press.Sheet) {
			s.Para(vary(11, "The Tenant bears its share of the running costs of the building in proportion to the rentable area and pays for heat, water and power by meter.",
				"Running costs of the building are divided among the occupiers by rentable area; power, water and heat are charged by meter."))
			s.Para(vary(12, "A statement of the costs is sent once a year, and differences are settled within thirty days.", "The Landlord accounts for the costs once a year and both sides settle the balance with the next instalment."))
		}},
		{"Environment and safety", func(s *press.Sheet) {
			s.Para(vary(13, "No hazardous goods may be brought into the building save those that the permitted use needs, and these only in the quantities that the authorities allow.",
				"The Tenant keeps a register of hazardous goods, stores them as the authorities require and removes them when the term ends."))
			s.Para("Both parties share consumption data once a year so that the energy use of the building can be reported.")
		}},
		{"Damage and interruption", func(s *press.Sheet) {
			s.Para(vary(14, "If fire or water makes the premises unfit for use, the rent abates in proportion until they are restored.",
				"For as long as damage by fire or water keeps the premises from being used, the rent is reduced in the same measure."),
				"If restoration takes longer than nine months, either party may end the lease by notice.")
		}},
	}
	if l.ParkingSpaces > 0 {
		middle = append(middle, clause{"Parking", func(s *press.Sheet) {
			s.Para(fmt.Sprintf("The Landlord provides %s marked parking spaces to %s for a parking fee of %s a month.",
				press.Fact("parking-spaces", fmt.Sprint(l.ParkingSpaces)), t.Name, press.Fact("parking-fee", dollars(l.ParkingFee))))
		}})
	}
	if l.BreakMonths > 0 {
		middle = append(middle, clause{"Break option", func(s *press.Sheet) {
			s.Para(fmt.Sprintf("%s may use a break option after %s months by paying a break fee of %s.", t.Name,
				press.Fact("break-months", fmt.Sprint(l.BreakMonths)), press.Fact("break-fee", dollars(l.BreakFee))))
		}})
	}
	if l.RenewalYears > 0 {
		middle = append(middle, clause{"Renewal", func(s *press.Sheet) {
			s.Para(fmt.Sprintf("%s may renew the lease once for %s years if it declares so %s months before the term ends.", t.Name,
				press.Fact("renewal-years", fmt.Sprint(l.RenewalYears)), press.Fact("renewal-notice", fmt.Sprint(l.RenewalNotice))))
		}})
	}
	if l.SignageFee > 0 {
		middle = append(middle, clause{"Signage", func(s *press.Sheet) {
			s.Para(fmt.Sprintf("For a yearly signage fee of %s the Landlord allows a sign with the name of %s on the front of the building.", press.Fact("signage-fee", dollars(l.SignageFee)), t.Name))
		}})
	}
	keyed.Source(w.Seed, "clause-order", l.ID).Shuffle(len(middle), func(i, j int) { middle[i], middle[j] = middle[j], middle[i] })
	last := clause{"Governing law and signature", func(s *press.Sheet) {
		s.Para(vary(15, "The law of the place of the premises governs this lease, and changes to it need writing.", "Changes to this lease need writing; the courts at the place of the premises decide disputes."))
		s.Together(func(s *press.Sheet) {
			s.Para(fmt.Sprintf("Signed for %s by %s, director.", t.Name, press.Fact("tenant-signatory", t.Director)))
			s.Para(fmt.Sprintf("Signed for %s by %s, authorised representative.", l.Landlord, press.Fact("landlord-signatory", l.LandlordRep)))
		})
	}}
	for i, c := range append(append(first, middle...), last) {
		s.Heading(2, fmt.Sprintf("%d. %s", i+1, c.title))
		c.set(s)
	}
	return s, title + ": " + t.Name, furniture{
		head: fmt.Sprintf("Lease %s   |   %s", l.Number, strings.ToUpper(t.Name)),
		foot: w.House() + "   |   Confidential",
	}
}
