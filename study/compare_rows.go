package study

// rows keeps the units of a difference that is a mean over units; a composite keeps those of its parts.
func (c *comparer) rows(d Difference, s statistic) {
	for _, x := range s.cells {
		key := x.key
		if s.ratio {
			key = d.Key + ": " + x.key
		}
		for i, u := range x.units {
			row := PairedRow{d.Baseline, d.Candidate, key, u.ID, x.a[i], x.b[i], x.b[i] - x.a[i], u.Docs}
			c.out.Rows = append(c.out.Rows, row)
		}
	}
}
