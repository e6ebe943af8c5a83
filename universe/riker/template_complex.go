package riker

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// line is the prefix of the line of a document that is about a product.
func line(r *reading, k Kind, n int32, product string) string {
	for i := 1; ; i++ {
		p := fmt.Sprintf("line_%d_", i)
		v, ok := r.get(k, n, p+"product")
		if !ok && i > 8 {
			r.undefined = true
			return ""
		}
		if ok && r.text(v) == product {
			r.note(k, n, p+"product")
			return p
		}
	}
}

// topLine is the product of the line with the highest (1) or lowest (-1) figure; equals: undefined.
func topLine(r *reading, k Kind, n int32, figure string, sign float64) any {
	best, product, count := 0.0, "", 0
	for i := 1; i <= 8; i++ {
		p := fmt.Sprintf("line_%d_", i)
		if _, ok := r.get(k, n, p+"product"); !ok {
			continue
		}
		v, name := sign*r.amount(k, n, p+figure), r.words(k, n, p+"product")
		count++
		switch {
		case product == "" || v > best:
			best, product = v, name
		case v == best:
			r.undefined = true
		}
	}
	r.work = append(r.work, value(count))
	if count < 2 {
		return nil
	}
	return product
}

func lines(table string) string {
	return "deal_lines l JOIN products p ON p.id = l.product WHERE l.deal = " + table
}

// scores reads all scores of an evaluation.
func scores(r *reading, n int32) (names []string, tenths []float64) {
	for _, c := range Competencies {
		f := "score_" + column(c)
		if _, ok := r.get(Reviews, n, f); ok {
			names, tenths = append(names, c), append(tenths, r.amount(Reviews, n, f))
		}
	}
	r.work = append(r.work, value(len(names)))
	return names, tenths
}

func topScore(r *reading, n int32, sign float64) any {
	names, points := scores(r, n)
	best, ties := -1, 0
	for i := range names {
		switch {
		case best < 0 || sign*points[i] > sign*points[best]:
			best, ties = i, 0
		case points[i] == points[best]:
			ties++
		}
	}
	if best < 0 || ties > 0 {
		return nil
	}
	return names[best]
}

// topScoreSQL gives the one competency with the highest or lowest score.
func topScoreSQL(f string) string {
	best := "(SELECT " + f + "(score) FROM scores WHERE review = t.id)"
	return "(SELECT CASE WHEN count(*) = 1 THEN max(competency) END FROM scores WHERE review = t.id AND score = " + best + ")"
}

// topLineSQL gives the one product with the highest or lowest figure.
func topLineSQL(figure, f string) string {
	return "(SELECT CASE WHEN count(*) = 1 THEN max(p.name) END FROM " + lines("t.deal") + " AND l." + figure + " = (SELECT " + f + "(" + figure + ") FROM deal_lines WHERE deal = t.deal))"
}

// L04: several conditions in a document, or facts of it that refer to each other.
var complexPatterns = []pattern{
	single("lease-at-signing", "L04", Leases, asMoney, "What do the security deposit and the first month's rent come to together under %s?", "t.deposit + t.monthly",
		func(r *reading, n int32) any {
			return r.amount(Leases, n, "deposit") + r.amount(Leases, n, "monthly")
		}),
	single("lease-rent-parking", "L04", Leases, asMoney, "What do rent and parking come to together in the first twelve months under %s?", "12 * (t.monthly + t.parking_fee)",
		func(r *reading, n int32) any {
			return 12 * (r.amount(Leases, n, "monthly") + r.amount(Leases, n, "parking_fee"))
		}),
	single("lease-second-year", "L04", Leases, asMoney, "What monthly rent applies after the first yearly increase under %s, rounded to whole dollars?",
		"CASE WHEN CAST(round(t.monthly * t.increase * 10) AS INTEGER) % 1000 <> 500 THEN round(t.monthly * (100 + t.increase) / 100) END",
		func(r *reading, n int32) any {
			cents := r.say(Leases, n, "monthly") / 100 * (10_000 + r.say(Leases, n, "increase")) / 100
			if cents%100 == 50 {
				return nil
			}
			return float64((cents + 50) / 100)
		}),
	single("lease-deposits", "L04", Leases, asMoney, "What do the security deposit and the pet deposit come to together under %s?", "t.deposit + t.pet_deposit",
		func(r *reading, n int32) any {
			return r.amount(Leases, n, "deposit") + r.amount(Leases, n, "pet_deposit")
		}),
	single("lease-break-months", "L04", Leases, asMoney, "By how much does the fee for ending the term early exceed the initial monthly rent under %s?", "CASE WHEN t.break_fee > t.monthly THEN t.break_fee - t.monthly END",
		func(r *reading, n int32) any {
			return positive(r.amount(Leases, n, "break_fee") - r.amount(Leases, n, "monthly"))
		}),
	single("lease-last-renewal", "L04", Leases, asDate, "If the lessee renews for as long as it may, on which date does %s end?", "date(t.end, '+1 day', '+' || t.renewal_years || ' years', '-1 day')",
		func(r *reading, n int32) any {
			return r.day(Leases, n, "end").AddDays(1).AddMonths(12 * int(r.amount(Leases, n, "renewal_years"))).AddDays(-1).ISO()
		}),
	single("report-top-product", "L04", Reports, asName, "Which product has the highest yearly amount in %s?", topLineSQL("amount", "max"), func(r *reading, n int32) any { return topLine(r, Reports, n, "amount", 1) }),
	single("report-cheapest", "L04", Reports, asName, "Which product has the lowest price for one unit in %s?", topLineSQL("price", "min"), func(r *reading, n int32) any { return topLine(r, Reports, n, "price", -1) }),
	single("report-most-units", "L04", Reports, asName, "Of which product are most units wanted in %s?", topLineSQL("quantity", "max"), func(r *reading, n int32) any { return topLine(r, Reports, n, "quantity", 1) }),
	{name: "report-line-amount", level: "L04", kinds: []Kind{Reports}, make: func(a *asker, r *rand.Rand) (proposal, bool) {
		n := a.draw(Reports, r)
		ls := a.w.Report(n).Deal.Lines
		p := ls[r.IntN(len(ls))].Product.Name
		return singleOf(a.w.name(Reports, n, r), asMoney, "What does one unit of "+p+" cost a year in %s?", "(SELECT l.price FROM "+lines("t.deal")+" AND p.name = "+lit(p)+")",
			func(r *reading, n int32) any { return r.amount(Reports, n, line(r, Reports, n, p)+"price") }), len(ls) > 1
	}},
	single("report-after-discount", "L04", Reports, asMoney, "What would the total yearly value of the products be with the discount that the customer asked for in %s, in dollars and cents?", "t.value * (100 - t.discount) / 100.0",
		func(r *reading, n int32) any {
			return float64(r.say(Reports, n, "value")/100*(100-r.say(Reports, n, "discount")/100)) / 100
		}),
	single("report-budget-left", "L04", Reports, asMoney, "By how much does the customer's budget exceed the total yearly value of the products in %s?", "CASE WHEN t.budget > t.value THEN t.budget - t.value END",
		func(r *reading, n int32) any {
			return positive(r.amount(Reports, n, "budget") - r.amount(Reports, n, "value"))
		}),
	single("review-best", "L04", Reviews, asName, "Which competency has the highest score in %s?", topScoreSQL("max"), func(r *reading, n int32) any { return topScore(r, n, 1) }),
	single("review-worst", "L04", Reviews, asName, "Which competency has the lowest score in %s?", topScoreSQL("min"), func(r *reading, n int32) any { return topScore(r, n, -1) }),
	single("review-spread", "L04", Reviews, asPoints, "By how many points do the highest and the lowest score differ in %s?", "(SELECT round(max(score) - min(score), 1) FROM scores WHERE review = t.id)",
		func(r *reading, n int32) any {
			_, p := scores(r, n)
			lo, hi := 100.0, 0.0
			for _, x := range p {
				lo, hi = min(lo, x), max(hi, x)
			}
			return float64(int(10*(hi-lo)+.5)) / 10
		}),
	single("review-last-employer", "L04", Reviews, asName, "For which employer did the employee work last before joining the firm, according to %s?",
		"(SELECT employer FROM jobs WHERE agent = t.agent AND end IS NOT NULL ORDER BY n DESC LIMIT 1)",
		func(r *reading, n int32) any {
			last, start := "", value(0)
			for i := 1; i <= 3; i++ {
				f := fmt.Sprintf("from_%d", i)
				if v, ok := r.get(Reviews, n, f); ok && (last == "" || v > start) {
					last, start = fmt.Sprintf("employer_%d", i), v
				}
			}
			if last == "" {
				return nil
			}
			r.note(Reviews, n, strings.Replace(last, "employer", "from", 1)) // the dates say which is the last
			return r.words(Reviews, n, last)
		}),
	single("invoice-untaxed-gap", "L04", Invoices, asMoney, "By how much does the total exceed the subtotal in %s, in dollars and cents?", "round(t.total - t.subtotal, 2)",
		func(r *reading, n int32) any {
			return float64(r.say(Invoices, n, "total")-r.say(Invoices, n, "subtotal")) / 100
		}),
	single("invoice-top-product", "L04", Invoices, asName, "Which product has the highest amount in %s?", topLineSQL("amount", "max"), func(r *reading, n int32) any { return topLine(r, Invoices, n, "amount", 1) }),
	single("statement-costs", "L04", Statements, asMoney, "What do the cost of sales, personnel, occupancy and other costs come to together in %s?", "t.cost_of_sales + t.personnel + t.occupancy + t.other",
		func(r *reading, n int32) any {
			return r.amount(Statements, n, "cost_of_sales") + r.amount(Statements, n, "personnel") + r.amount(Statements, n, "occupancy") + r.amount(Statements, n, "other")
		}),
	single("statement-top-segment", "L04", Statements, asName, "Which source of revenue is the largest in %s?", "(SELECT CASE WHEN count(*) = 1 THEN max(name) END FROM segments WHERE statement = t.id AND amount = (SELECT max(amount) FROM segments WHERE statement = t.id))",
		func(r *reading, n int32) any {
			best, name, count := -1.0, "", 0
			for _, s := range segmentNames {
				f := "segment_" + column(s)
				if _, ok := r.get(Statements, n, f); !ok {
					continue
				}
				count++
				switch v := r.amount(Statements, n, f); {
				case v > best:
					best, name = v, s
				case v == best:
					return nil
				}
			}
			r.work = append(r.work, value(count))
			if count < 2 {
				return nil
			}
			return name
		}),
	{name: "handbook-trip", level: "L04", kinds: []Kind{Handbooks}, make: func(a *asker, r *rand.Rand) (proposal, bool) {
		d, m := 2+r.IntN(8), 50*(2+r.IntN(20))
		return singleOf(a.w.name(Handbooks, a.draw(Handbooks, r), r), asMoney, fmt.Sprintf("What may an employee claim for a journey of %d days and %d miles under ", d, m)+"%s, in dollars and cents?",
			fmt.Sprintf("%d * t.per_diem + %d * t.mileage / 100.0", d, m), func(r *reading, n int32) any {
				return float64(d)*r.amount(Handbooks, n, "per_diem") + float64(m)*float64(r.say(Handbooks, n, "mileage"))/10_000
			}), true
	}},
}
