package riker

import (
	"fmt"

	"enterprisedocbench/datasets"
)

// tie is a sum, or another tie between records, that truth.sqlite keeps. The query gives the rows
// that break it: what they are, what they say and what they should say.
type tie struct{ name, query string }

// rents gives the monthly rent of every lease year: the first year's, and each later one's with the
// increase, rounded to whole dollars.
const rents = `WITH RECURSIVE rents (lease, day, amount) AS (
  SELECT id, start, monthly FROM leases
  UNION ALL
  SELECT r.lease, date(r.day, '+12 months'), CAST(r.amount * (1 + l.increase / 100) + .5 AS INTEGER) FROM rents r JOIN leases l ON l.id = r.lease WHERE date(r.day, '+12 months') <= l.end
)`

var totalsOf = []tie{
	{"deal lines are quantity times price", "SELECT deal || ' line ' || n, amount, quantity * price FROM deal_lines WHERE amount <> quantity * price"},
	{"deals are the sum of their lines", "SELECT d.id, d.value, sum(l.amount) FROM deals d LEFT JOIN deal_lines l ON l.deal = d.id GROUP BY d.id HAVING d.value IS NOT sum(l.amount)"},
	{"reports give the value of their deal", "SELECT r.id, r.value, d.value FROM reports r LEFT JOIN deals d ON d.id = r.deal WHERE r.value IS NOT d.value"},
	{"invoices are the lines of their deal less the discount", `SELECT i.id, i.subtotal, d.value - coalesce(i.discount, 0) FROM invoices i LEFT JOIN deals d ON d.id = i.deal WHERE i.subtotal IS NOT d.value - coalesce(i.discount, 0)`},
	{"tax is its rate of the subtotal", "SELECT id, tax, subtotal * tax_rate / 100.0 FROM invoices WHERE abs(tax - subtotal * tax_rate / 100.0) > 1e-6"},
	{"totals of invoices are subtotal and tax", "SELECT id, total, subtotal + tax FROM invoices WHERE abs(total - subtotal - tax) > 1e-6"},
	{"revenue is the sum of its segments", "SELECT s.id, s.revenue, sum(g.amount) FROM statements s LEFT JOIN segments g ON g.statement = s.id GROUP BY s.id HAVING s.revenue IS NOT sum(g.amount)"},
	{"gross profit is revenue less cost of sales", "SELECT id, gross, revenue - cost_of_sales FROM statements WHERE gross <> revenue - cost_of_sales"},
	{"operating profit is gross profit less costs", "SELECT id, operating, gross - personnel - occupancy - other FROM statements WHERE operating <> gross - personnel - occupancy - other"},
	{"occupancy is the rent of the quarter", rents + `, months (m) AS (VALUES (0), (1), (2)), paid AS (
  SELECT s.id, s.occupancy, sum((SELECT r.amount FROM rents r WHERE r.lease = l.id AND r.day <= s.quarter_end ORDER BY r.day DESC LIMIT 1)) AS rent
    FROM statements s JOIN leases l ON l.lessee = s.company JOIN months
   WHERE l.start <= date(s.quarter_start, '+' || (m + 1) || ' months', '-1 day') AND l.end >= date(s.quarter_start, '+' || m || ' months')
   GROUP BY s.id)
SELECT id, occupancy, rent FROM paid WHERE occupancy IS NOT rent`},
	{"reviews count the deals that were won", `SELECT r.id, r.deals_won, count(d.id) FROM reviews r LEFT JOIN deals d ON d.agent = r.agent AND d.stage = 'Closed won' AND d.closed BETWEEN r.period_start AND r.period_end
 GROUP BY r.id HAVING r.deals_won <> count(d.id)`},
	{"reviews sum the deals that were won", `SELECT r.id, r.value_won, coalesce(sum(d.value), 0) FROM reviews r LEFT JOIN deals d ON d.agent = r.agent AND d.stage = 'Closed won' AND d.closed BETWEEN r.period_start AND r.period_end
 GROUP BY r.id HAVING r.value_won <> coalesce(sum(d.value), 0)`},
	{"overall scores are the mean of the scores", "SELECT r.id, r.overall, avg(s.score) FROM reviews r LEFT JOIN scores s ON s.review = r.id GROUP BY r.id HAVING abs(r.overall - avg(s.score)) > 1e-9 OR count(s.score) <> 5"},
	{"leases name the agent of their deal", "SELECT l.id, l.agent, d.agent FROM leases l JOIN deals d ON d.lease = l.id WHERE l.agent IS NOT NULL AND l.agent <> d.agent"},
	{"reports and invoices name the parties of their deal", `SELECT r.id, r.agent || ', ' || r.customer, d.agent || ', ' || d.customer FROM reports r JOIN deals d ON d.id = r.deal WHERE r.agent <> d.agent OR r.customer <> d.customer OR r.lease IS NOT d.lease
 UNION ALL SELECT i.id, i.customer, d.customer FROM invoices i JOIN deals d ON d.id = i.deal WHERE i.customer <> d.customer`},
	{"people work in the territory of their agent", `SELECT r.id, r.territory, a.territory FROM reports r JOIN agents a ON a.id = r.agent WHERE r.territory <> a.territory
 UNION ALL SELECT r.id, r.territory, a.territory FROM reviews r JOIN agents a ON a.id = r.agent WHERE r.territory <> a.territory`},
	{"dates come in order", `SELECT id, signed || ', ' || start || ', ' || end, 'one after the other' FROM leases WHERE NOT (signed < start AND start < end)
 UNION ALL SELECT id, opened || ', ' || closed, 'one after the other' FROM deals WHERE closed < opened
 UNION ALL SELECT id, date || ', ' || due, 'one after the other' FROM invoices WHERE due < date`},
}

// totals holds every tie against the tables, by SQL alone.
func (c *checker) totals() error {
	for i, t := range totalsOf {
		c.progress("totals", i, len(totalsOf))
		rows, err := c.db.QueryContext(c.ctx, t.query)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		sound := true
		for rows.Next() {
			var id, got, want any
			if err := rows.Scan(&id, &got, &want); err != nil {
				rows.Close()
				return err
			}
			sound = false
			c.fault(datasets.Fault{File: TruthFile, Problem: fmt.Sprintf("%s: %s says %s, not %s", t.name, shown(id), shown(got), shown(want)), Fix: remake})
		}
		rows.Close()
		if err := rows.Err(); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		if sound {
			c.proven[provenTotals]++
		}
	}
	c.progress("totals", len(totalsOf), len(totalsOf))
	return nil
}
