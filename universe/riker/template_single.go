package riker

import "math/rand/v2"

// direct asks for a field that every document of the type prints.
func direct(k Kind, field string, f form, ask string) pattern {
	return directAs(k, field, f, ask, "t."+field)
}

func directAs(k Kind, field string, f form, ask, sql string) pattern {
	return single(k.String()+"-"+field, "L01", k, f, ask, sql, cellOf(k, f, field))
}

// L01: what a document states outright.
var directPatterns = []pattern{
	direct(Leases, "monthly", asMoney, "What is the initial monthly rent under %s?"),
	direct(Leases, "deposit", asMoney, "What security deposit is to be paid under %s?"),
	direct(Leases, "area", asNumber("square feet"), "How many square feet are let under %s?"),
	direct(Leases, "signed", asDate, "On which date was %s signed?"),
	direct(Leases, "start", asDate, "On which date does the term of %s begin?"),
	direct(Leases, "notice_days", asNumber("days"), "How many days of notice does %s require?"),
	direct(Leases, "late_fee", asPercent, "What yearly percentage is charged on late payments under %s?"),
	direct(Leases, "increase", asPercent, "By what percentage does the rent rise each year under %s?"),
	direct(Leases, "use", asWords, "For what use are the premises let under %s?"),
	directAs(Leases, "lessor", asName, "Who is the lessor in %s?", "(SELECT name FROM companies WHERE id = t.lessor)"),
	directAs(Leases, "lessor_representative", asName, "Who represents the lessor in %s?", "(SELECT director FROM companies WHERE id = t.lessor)"),
	directAs(Leases, "lessee_director", asName, "Which director signs for the lessee in %s?", "(SELECT director FROM companies WHERE id = t.lessee)"),
	direct(Leases, "address", asWords, "At what address are the premises of %s?"),
	direct(Reports, "attendees", asNumber("people"), "How many people of the customer took part in the meeting, according to %s?"),
	direct(Reports, "value", asMoney, "What is the total yearly value of the products in %s?"),
	direct(Reports, "probability", asPercent, "What probability of closing does %s give?"),
	direct(Reports, "next_step", asWords, "Which next step is named in %s?"),
	direct(Reports, "stage", asWords, "What stage of the deal does %s give?"),
	directAs(Reports, "contact", asName, "Whom did the agent meet, according to %s?", "(SELECT contact FROM companies WHERE id = t.customer)"),
	directAs(Reports, "agent", asName, "Who wrote %s?", "(SELECT name FROM agents WHERE id = t.agent)"),
	direct(Reviews, "overall", asPoints, "What overall rating does %s give?"),
	direct(Reviews, "days_absent", asNumber("days"), "How many days of absence does %s record?"),
	direct(Reviews, "value_won", asMoney, "What is the value of the deals won, according to %s?"),
	direct(Reviews, "date", asDate, "On which date was %s carried out?"),
	directAs(Reviews, "employee_number", asExact, "What is the employee number in %s?", "(SELECT employee_number FROM agents WHERE id = t.agent)"),
	directAs(Reviews, "hired", asDate, "On which date did the employee join the firm, according to %s?", "(SELECT hired FROM agents WHERE id = t.agent)"),
	competency("L01"),
	direct(Invoices, "total", asMoney, "What total is due under %s?"),
	direct(Invoices, "due", asDate, "When is %s due?"),
	direct(Statements, "cash", asMoney, "How much cash does %s show?"),
	direct(Statements, "headcount", asNumber("employees"), "How many employees does %s report?"),
	direct(Statements, "operating", asMoney, "What operating profit does %s show?"),
	directAs(Statements, "finance_director", asName, "Who is the finance director in %s?", "(SELECT finance_director FROM companies WHERE id = t.company)"),
	direct(Handbooks, "per_diem", asMoney, "What daily allowance does %s set?"),
	direct(Handbooks, "mileage", asNumber("cents"), "How many cents per mile does %s pay?"),
	direct(Handbooks, "gift_limit", asMoney, "Up to what value may gifts be taken under %s?"),
}

// competency asks for one score of an evaluation.
func competency(level string) pattern {
	return pattern{name: "hr-evaluation-score", level: level, kinds: []Kind{Reviews}, make: func(a *asker, r *rand.Rand) (proposal, bool) {
		n := a.draw(Reviews, r)
		s := a.w.Review(n).Scores[r.IntN(5)]
		return singleOf(a.w.name(Reviews, n, r), asPoints, "What score for "+lower(s.Competency)+" does %s give?",
			"(SELECT score FROM scores WHERE review = t.id AND competency = "+lit(s.Competency)+")", cellOf(Reviews, asPoints, "score_"+column(s.Competency))), true
	}}
}

// L02: what follows from one or two facts.
var indirectPatterns = []pattern{
	single("lease-years", "L02", Leases, asNumber("years"), "For how many years does %s run?", "CAST(strftime('%Y', date(t.end, '+1 day')) AS INTEGER) - CAST(strftime('%Y', t.start) AS INTEGER)",
		func(r *reading, n int32) any {
			return float64(r.day(Leases, n, "end").AddDays(1).Year() - r.day(Leases, n, "start").Year())
		}),
	gap("lease-signed-start", Leases, "signed", "start", "How many days lie between the signing of %s and the beginning of its term?"),
	weekday(Leases, "signed", "On which day of the week was %s signed?"),
	weekday(Leases, "end", "On which day of the week does the term of %s end?"),
	single("lease-year-rent", "L02", Leases, asMoney, "What rent comes due in the first twelve months under %s?", "12 * t.monthly",
		func(r *reading, n int32) any { return 12 * r.amount(Leases, n, "monthly") }),
	single("lease-deposit-months", "L02", Leases, asMoney, "By how much does the security deposit exceed one month's initial rent under %s?", "t.deposit - t.monthly",
		func(r *reading, n int32) any {
			return r.amount(Leases, n, "deposit") - r.amount(Leases, n, "monthly")
		}),
	single("lease-year-end", "L02", Leases, asExact, "In which year does the term of %s end?", "strftime('%Y', t.end)",
		func(r *reading, n int32) any { return r.day(Leases, n, "end").ISO()[:4] }),
	weekday(Reports, "date", "On which day of the week did the visit told of in %s take place?"),
	gap("report-next", Reports, "date", "next_date", "How many days after the visit is the next one, according to %s?"),
	pattern{name: "report-unit", level: "L02", kinds: []Kind{Reports}, make: func(a *asker, r *rand.Rand) (proposal, bool) {
		n := a.draw(Reports, r)
		lines := a.w.Report(n).Deal.Lines
		if len(lines) < 2 {
			return proposal{}, false
		}
		i := r.IntN(len(lines))
		p := lines[i].Product.Name
		return singleOf(a.w.name(Reports, n, r), asMoney, "What is the yearly value of all listed products other than "+p+" in %s?",
			"t.value - (SELECT amount FROM deal_lines l JOIN products p ON p.id = l.product WHERE l.deal = t.deal AND p.name = "+lit(p)+")",
			func(r *reading, n int32) any {
				l := line(r, Reports, n, p)
				return r.amount(Reports, n, "value") - r.amount(Reports, n, l+"amount")
			}), true
	}},
	single("review-service", "L02", Reviews, asNumber("years"), "How many full years had the employee been with the firm on the day on which %s was carried out?",
		"CAST(strftime('%Y', t.date) AS INTEGER) - (SELECT CAST(strftime('%Y', hired) AS INTEGER) + (strftime('%m-%d', hired) > strftime('%m-%d', t.date)) FROM agents WHERE id = t.agent)",
		func(r *reading, n int32) any {
			hired, on := r.day(Reviews, n, "hired"), r.day(Reviews, n, "date")
			years := 0
			for !hired.AddMonths(12 * (years + 1)).After(on) {
				years++
			}
			return float64(years)
		}),
	weekday(Reviews, "date", "On which day of the week was %s carried out?"),
	single("review-mean-deal", "L02", Reviews, asMoney, "What was the average value of a deal won, according to %s?", "CASE WHEN 100 * t.value_won % t.deals_won = 0 THEN 1.0 * t.value_won / t.deals_won END",
		func(r *reading, n int32) any {
			value, won := r.say(Reviews, n, "value_won"), r.say(Reviews, n, "deals_won")
			if won < 200 || 100*value%won != 0 {
				return nil
			}
			return float64(value) / float64(won)
		}),
	gap("invoice-terms", Invoices, "date", "due", "How many days after its date is %s due?"),
	gap("statement-approved", Statements, "approved", "", "How many days after the end of the quarter was %s approved?"),
	single("statement-gross-less", "L02", Statements, asMoney, "By how much does the revenue exceed the cost of sales and the personnel cost together in %s?", "t.revenue - t.cost_of_sales - t.personnel",
		func(r *reading, n int32) any {
			return r.amount(Statements, n, "revenue") - r.amount(Statements, n, "cost_of_sales") - r.amount(Statements, n, "personnel")
		}),
	single("handbook-week", "L02", Handbooks, asMoney, "What daily allowance adds up over five days under %s?", "5 * t.per_diem",
		func(r *reading, n int32) any { return 5 * r.amount(Handbooks, n, "per_diem") }),
}

// gap asks for the days between two dates; to "": from the end of the document's quarter to its date.
func gap(name string, k Kind, first, second, ask string) pattern {
	if second == "" {
		return single(name, "L02", k, asNumber("days"), ask, "CAST(julianday(t."+first+") - julianday(t.quarter_end) AS INTEGER)",
			func(r *reading, n int32) any {
				var q, y int
				if !scanQuarter(r.words(k, n, "quarter"), &q, &y) {
					return nil
				}
				return days(Quarter(4*y+q-1).Last(), r.day(k, n, first))
			})
	}
	return single(name, "L02", k, asNumber("days"), ask, "CAST(julianday(t."+second+") - julianday(t."+first+") AS INTEGER)",
		func(r *reading, n int32) any { return days(r.day(k, n, first), r.day(k, n, second)) })
}

func weekday(k Kind, field, ask string) pattern {
	return single(k.String()+"-weekday-"+field, "L02", k, asWeekday, ask,
		"CASE strftime('%w', t."+field+") WHEN '0' THEN 'Sunday' WHEN '1' THEN 'Monday' WHEN '2' THEN 'Tuesday' WHEN '3' THEN 'Wednesday' WHEN '4' THEN 'Thursday' WHEN '5' THEN 'Friday' ELSE 'Saturday' END",
		func(r *reading, n int32) any { return r.day(k, n, field).Time().Weekday().String() })
}

// optionalPart asks for a part that a document may not have; without it the answer is N/A, which is
// grounded too (RIKER section 3.3.1).
func optionalPart(k Kind, field string, f form, ask string) pattern {
	return optionalAs(k, field, f, ask, "t."+field)
}

func optionalAs(k Kind, field string, f form, ask, sql string) pattern {
	read := cellOf(k, f, field)
	return single(k.String()+"-"+field, "L03", k, f, ask, sql, func(r *reading, n int32) any {
		if _, ok := r.get(k, n, field); !ok {
			return notApplicable
		}
		return read(r, n)
	})
}

// L03: optional parts. The same questions about documents without the part are the probes of L12.
var optionalPatterns = []pattern{
	optionalPart(Leases, "parking_fee", asMoney, "What monthly fee for parking is set in %s?"),
	optionalPart(Leases, "signage_fee", asMoney, "What yearly fee for signage is set in %s?"),
	optionalPart(Leases, "pet_deposit", asMoney, "What pet deposit is set in %s?"),
	optionalPart(Leases, "break_fee", asMoney, "What fee for ending the term early is set in %s?"),
	optionalPart(Leases, "renewal_years", asNumber("years"), "For how many years may the lessee renew under %s?"),
	optionalAs(Leases, "agent", asName, "Which leasing agent is named in %s?", "(SELECT name FROM agents WHERE id = t.agent)"),
	optionalPart(Reports, "competitor", asName, "Which competitor is named in %s?"),
	optionalPart(Reports, "budget", asMoney, "What budget of the customer is given in %s?"),
	optionalPart(Reports, "discount", asPercent, "What percentage of discount did the customer ask for, according to %s?"),
	optionalPart(Reports, "concern", asWords, "What is the customer concerned about, according to %s?"),
	optionalPart(Reports, "next_date", asDate, "On which date is the next visit planned in %s?"),
	optionalPart(Reviews, "raise", asPercent, "What percentage of salary increase does %s grant?"),
	optionalPart(Reviews, "training", asWords, "Which training does %s recommend?"),
	optionalPart(Reviews, "promotion", asWords, "To which title does %s promote the employee?"),
	optionalPart(Reviews, "bonus", asMoney, "What bonus does %s grant?"),
	optionalPart(Invoices, "order_number", asExact, "Which order number of the customer is given in %s?"),
	optionalPart(Invoices, "discount", asMoney, "What discount is taken off in %s?"),
	optionalPart(Statements, "dividend", asNumber("cents"), "What dividend, in cents per share, is declared in %s?"),
	optionalPart(Statements, "covenant", asPercent, "What percentage is the limit of debt under the covenant in %s?"),
	optionalPart(Handbooks, "remote_days", asNumber("days"), "How many days a week may be worked remotely under %s?"),
	optionalPart(Handbooks, "phone_budget", asMoney, "What monthly telephone allowance does %s set?"),
	optionalPart(Handbooks, "study_days", asNumber("days"), "How many days of study leave a year does %s grant?"),
	optionalPart(Handbooks, "car_allowance", asMoney, "What monthly car allowance does %s set?"),
}
