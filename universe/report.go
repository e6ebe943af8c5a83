package universe

import (
	"fmt"

	"enterprisedocbench/universe/press"
)

var reportLook = press.Look{Size: 9.8, Accent: press.RGB{12, 96, 92}, Tint: press.RGB{222, 240, 237}}

// writeVisit sets a sales field report: a ruled head, a pipeline table, a chart and a section in two
// columns.
func (w World) writeVisit(v Visit) (*press.Sheet, string, furniture) {
	s := press.NewSheet(reportLook)
	t := v.Tenant
	title := "Sales Field Report"
	s.Title(title)
	s.Table(press.Table{Widths: []float64{.16, .36, .15, .33}, Rows: [][]string{
		{"Report", press.Fact("number", v.Number), "Customer", press.Fact("tenant", t.Name)},
		{"Agent", press.Fact("agent", t.Agent.Name), "Contact", press.Fact("contact", t.Director)},
		{"Region", press.Fact("region", t.Agent.Region), "Visit date", press.Fact("date", v.Date.String())},
		{"Manager", press.Fact("manager", t.Agent.Manager), "Submitted", press.Fact("submitted", v.Submitted.String())},
	}})
	s.Heading(2, "1. Summary")
	s.Para(fmt.Sprintf("%s visited %s at %s on %s.", t.Agent.Name, t.Name, v.Lease.Building, v.Date),
		fmt.Sprintf("The premises are let under lease %s, and %s people hold an access badge.", press.Fact("lease", v.Lease.Number), press.Fact("on-site", thousands(v.OnSite))),
		fmt.Sprintf("%s put the yearly budget for facility services at %s.", t.Director, press.Fact("budget", dollars(v.Budget))))
	s.Para(fmt.Sprintf("The next meeting with %s is set for %s, and a decision is expected in %s.", t.Name, press.Fact("next", v.Next.String()), press.Fact("decision", v.Decision)))
	rows := [][]string{}
	for _, o := range v.Offers {
		f := lower(o.Service)
		rows = append(rows, []string{o.Service, press.Fact("sites-"+f, fmt.Sprint(o.Sites)), press.Fact("price-"+f, dollars(o.Price)), press.Fact("value-"+f, dollars(o.Value()))})
	}
	rows = append(rows, []string{"Total", "", "", press.Fact("pipeline", dollars(v.TotalValue()))})
	s.Section("2. Pipeline", press.Table{Caption: "Table 1: Services offered to " + t.Name + ", per year", Header: []string{"Service", "Sites", "Price per site", "Yearly value"},
		Widths: []float64{.4, .14, .23, .23}, Right: []bool{false, true, true, true}, Rows: rows, Bold: []int{len(rows) - 1}})
	s.Heading(2, "3. Satisfaction")
	s.Para(fmt.Sprintf("The contact scored four services on a scale from 0 to 10; Figure 1 shows the scores given on %s.", v.Date))
	scores := press.Chart{Caption: fmt.Sprintf("Figure 1: Satisfaction of %s by service, scale from 0 to 10.", t.Name), Kind: press.Bars, Top: 100}
	for _, sc := range v.Scores {
		scores.Labels = append(scores.Labels, sc.Service)
		scores.Values = append(scores.Values, float64(sc.Tenths))
		scores.Printed = append(scores.Printed, press.Fact("score-"+lower(sc.Service), tenths(sc.Tenths)))
	}
	s.Figure(scores)
	vary := func(n int, texts ...string) string {
		return texts[w.pick(fmt.Sprint("report-wording-", n), v.ID, len(texts))]
	}
	s.Together(func(s *press.Sheet) {
		s.Heading(2, "4. Observations")
		s.Columns(func(s *press.Sheet) {
			s.Heading(3, "Needs and concerns")
			s.Para(fmt.Sprintf("The main concern of %s is %s.", t.Name, press.Fact("concern", v.Concern)),
				vary(1, "The point was raised twice during the walk through the building.", "Staff on two floors said the same when asked.", "It has been open since the spring."))
			s.Para(fmt.Sprintf("For the coming year the customer wishes for %s.", press.Fact("need", v.Need)),
				vary(2, "Drawings were promised within a week.", "A first sketch was shown and liked.", "We are to name a price."))
			s.Para(vary(5, "The walk began in the basement and ended on the roof; access was given everywhere, and the plant room log was complete.",
				"We saw the ground floor and the offices above it; the store at the rear was closed and is to be seen next time.",
				"The tour took two hours. The early shift was still on site, so the handover between shifts could be watched."),
				vary(6, "Photographs are filed with the service desk.", "Meter readings were taken and agreed on the spot.", "No safety defect was found."))
		}, func(s *press.Sheet) {
			s.Heading(3, "Competition and next steps")
			s.Para(fmt.Sprintf("A rival offer by %s is on the table.", press.Fact("competitor", v.Competitor)),
				vary(3, "It is cheaper but covers fewer hours.", "It was described as hard to compare with ours.", "It covers one site only."))
			s.Para(vary(7, "The customer values short ways and one person to call. Price matters, yet a second change of supplier within two years is not wanted.",
				"A longer contract would be signed for a fixed price, but only with a clause on response times and a monthly review.",
				"The purchasing rules ask for three quotations, of which ours would be the second to arrive."))
			s.Item("(a) Send the revised quotation.")
			s.Item(vary(4, "(b) Ask the service desk for the fault list.", "(b) Check the staffing of the early shift.", "(b) Bring reference customers to the next meeting."))
		})
	})
	return s, title + ": " + t.Name, furniture{head: "Field report " + v.Number + "   |   " + t.Agent.Region, foot: w.House() + "   |   Internal"}
}
