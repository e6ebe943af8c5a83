package universe

import (
	"fmt"
)

var reportLook = look{body: sans, bold: sansBold, size: 9.8, accent: rgb{12, 96, 92}, tint: rgb{222, 240, 237}}

// writeVisit sets a sales field report: a ruled head, a pipeline table, a chart and a section in two
// columns.
func (w World) writeVisit(v Visit) (*sheet, string, furniture) {
	s := newSheet(reportLook)
	t := v.Tenant
	title := "Sales Field Report"
	s.title(title)
	s.table("", grid{widths: []float64{.16, .36, .15, .33}, rows: [][]string{
		{"Report", fact("number", v.Number), "Customer", fact("tenant", t.Name)},
		{"Agent", fact("agent", t.Agent.Name), "Contact", fact("contact", t.Director)},
		{"Region", fact("region", t.Agent.Region), "Visit date", fact("date", v.Date.String())},
		{"Manager", fact("manager", t.Agent.Manager), "Submitted", fact("submitted", v.Submitted.String())},
	}})
	s.heading(2, "1. Summary")
	s.para(fmt.Sprintf("%s visited %s at %s on %s.", t.Agent.Name, t.Name, v.Lease.Building, v.Date),
		fmt.Sprintf("The premises are let under lease %s, and %s people hold an access badge.", fact("lease", v.Lease.Number), fact("on-site", thousands(v.OnSite))),
		fmt.Sprintf("%s put the yearly budget for facility services at %s.", t.Director, fact("budget", dollars(v.Budget))))
	s.para(fmt.Sprintf("The next meeting with %s is set for %s, and a decision is expected in %s.", t.Name, fact("next", v.Next.String()), fact("decision", v.Decision)))
	rows := [][]string{}
	for _, o := range v.Offers {
		f := lower(o.Service)
		rows = append(rows, []string{o.Service, fact("sites-"+f, fmt.Sprint(o.Sites)), fact("price-"+f, dollars(o.Price)), fact("value-"+f, dollars(o.Value()))})
	}
	rows = append(rows, []string{"Total", "", "", fact("pipeline", dollars(v.TotalValue()))})
	s.section("2. Pipeline", "Table 1", grid{caption: "Services offered to " + t.Name + ", per year", header: []string{"Service", "Sites", "Price per site", "Yearly value"},
		widths: []float64{.4, .14, .23, .23}, right: []bool{false, true, true, true}, rows: rows, bold: []int{len(rows) - 1}})
	s.heading(2, "3. Satisfaction")
	s.para(fmt.Sprintf("The contact scored four services on a scale from 0 to 10; Figure 1 shows the scores given on %s.", v.Date))
	var bars []bar
	for _, sc := range v.Scores {
		bars = append(bars, bar{sc.Service, "score-" + lower(sc.Service), tenths(sc.Tenths), float64(sc.Tenths)})
	}
	s.figure([]string{fmt.Sprintf("Figure 1: Satisfaction of %s by service, scale from 0 to 10.", t.Name)}, lying(bars, 100))
	vary := func(n int, texts ...string) string {
		return texts[w.pick(fmt.Sprint("report-wording-", n), v.ID, len(texts))]
	}
	s.together(func(s *sheet) {
		s.heading(2, "4. Observations")
		s.columns(func(s *sheet) {
			s.heading(3, "Needs and concerns")
			s.para(fmt.Sprintf("The main concern of %s is %s.", t.Name, fact("concern", v.Concern)),
				vary(1, "The point was raised twice during the walk through the building.", "Staff on two floors said the same when asked.", "It has been open since the spring."))
			s.para(fmt.Sprintf("For the coming year the customer wishes for %s.", fact("need", v.Need)),
				vary(2, "Drawings were promised within a week.", "A first sketch was shown and liked.", "We are to name a price."))
			s.para(vary(5, "The walk began in the basement and ended on the roof; access was given everywhere, and the plant room log was complete.",
				"We saw the ground floor and the offices above it; the store at the rear was closed and is to be seen next time.",
				"The tour took two hours. The early shift was still on site, so the handover between shifts could be watched."),
				vary(6, "Photographs are filed with the service desk.", "Meter readings were taken and agreed on the spot.", "No safety defect was found."))
		}, func(s *sheet) {
			s.heading(3, "Competition and next steps")
			s.para(fmt.Sprintf("A rival offer by %s is on the table.", fact("competitor", v.Competitor)),
				vary(3, "It is cheaper but covers fewer hours.", "It was described as hard to compare with ours.", "It covers one site only."))
			s.para(vary(7, "The customer values short ways and one person to call. Price matters, yet a second change of supplier within two years is not wanted.",
				"A longer contract would be signed for a fixed price, but only with a clause on response times and a monthly review.",
				"The purchasing rules ask for three quotations, of which ours would be the second to arrive."))
			s.item("(a) Send the revised quotation.")
			s.item(vary(4, "(b) Ask the service desk for the fault list.", "(b) Check the staffing of the early shift.", "(b) Bring reference customers to the next meeting."))
		})
	})
	return s, title + ": " + t.Name, furniture{head: "Field report " + v.Number + "   |   " + t.Agent.Region, foot: w.House() + "   |   Internal"}
}
