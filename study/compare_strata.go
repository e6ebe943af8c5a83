package study

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/pipeline"
)

// What strata are made by.
const (
	byModality = "modality"
	byTask     = "task"
	byDomain   = "domain"
)

var strataNames = []string{byModality, byTask, byDomain}

// stratum is the stratum of a unit; "" where it has none.
func stratum(u pipeline.Unit, by string) string {
	switch by {
	case byModality:
		return u.Modality
	case byTask:
		return u.Task
	}
	return u.Domain
}

// strataOf lists the strata of units, modalities in the order of the questions' table, others by name.
func strataOf(units []pipeline.Unit, by string) []string {
	set := map[string]bool{}
	for _, u := range units {
		if s := stratum(u, by); s != "" {
			set[s] = true
		}
	}
	out := slices.Sorted(maps.Keys(set))
	if by == byModality {
		order := func(s string) int {
			if i := slices.Index(edb.Modalities, s); i >= 0 {
				return i
			}
			return len(edb.Modalities)
		}
		slices.SortStableFunc(out, func(a, b string) int { return order(a) - order(b) })
	}
	return out
}

// ofDocuments says whether a formula rests on documents, which have a domain and nothing else.
func (f formula) ofDocuments() bool {
	return slices.ContainsFunc(f.terms, func(t term) bool { return strings.HasPrefix(t.key, "parse.") })
}

// strata adds a row for every stratum; those with fewer than min_n units are shown and not tested.
func (c *comparer) strata(p pairing, f formula, d Difference) {
	if f.ofDocuments() && c.opt.By != byDomain {
		c.note("%s rests on documents, which have no %s: it is not cut", f.key, c.opt.By)
		return
	}
	units := slices.Concat(slices.Collect(maps.Values(p.base.run.documents)), slices.Collect(maps.Values(p.base.run.questions)))
	var in, out []string
	for _, value := range strataOf(units, c.opt.By) {
		s := p.statistic(f, func(u pipeline.Unit) bool { return stratum(u, c.opt.By) == value })
		if s.n == 0 && s.onlyA+s.onlyB == 0 {
			continue // nothing of this measure in the stratum
		}
		row := d
		row.By, row.Stratum = c.opt.By, value
		c.difference(&row, s)
		if row.Verdict == "" && s.n >= c.minN {
			in = append(in, value)
		}
		if row.Verdict != NotMeasured && s.n < c.minN {
			out = append(out, value)
			row.Verdict = Directional
			row.P, row.Test, row.Detectable = nil, "", nil
			row.Reason = fmt.Sprintf("%s, fewer than %d", edb.Count(s.n, "unit"), c.minN)
		}
		c.out.Differences = append(c.out.Differences, row)
	}
	c.excluded(p, f, d, in, out)
}
