package study

import (
	"fmt"
	"slices"
	"strings"

	"enterprisedocbench/pipeline"
	"enterprisedocbench/stats"
)

// Excluded holds the strata that were tested against those that were too small for it: whether the
// difference between the pipelines is another there, and whether they hold other questions. Apart is
// the included strata's difference minus the excluded ones', with its interval and p.
type Excluded struct {
	Baseline  string     `json:"baseline"`
	Candidate string     `json:"candidate"`
	Key       string     `json:"key"`
	By        string     `json:"by"`
	Strata    []string   `json:"excluded"`
	N         int        `json:"n_included"`
	NExcluded int        `json:"n_excluded"`
	Included  *float64   `json:"difference_included"`
	Rest      *float64   `json:"difference_excluded"`
	Apart     *float64   `json:"apart"`
	Lo        *float64   `json:"lo"`
	Hi        *float64   `json:"hi"`
	P         *float64   `json:"p"`
	Mix       []MixShare `json:"mix"`
	Words     string     `json:"words"`
}

// MixShare is a stratum of another kind: its share of the units of the included and of the excluded
// strata, and Newcombe's interval of the difference.
type MixShare struct {
	By       string   `json:"by"`
	Stratum  string   `json:"stratum"`
	Included float64  `json:"included"`
	Excluded float64  `json:"excluded"`
	Lo       *float64 `json:"lo"`
	Hi       *float64 `json:"hi"`
}

// excluded tests the included strata against the excluded ones, where there are both.
func (c *comparer) excluded(p pairing, f formula, d Difference, in, out []string) {
	if len(in) == 0 || len(out) == 0 || f.rate == microRate {
		return
	}
	of := func(names []string) statistic {
		return p.statistic(f, func(u pipeline.Unit) bool { return slices.Contains(names, stratum(u, c.opt.By)) })
	}
	a, b := of(in), of(out)
	if a.reason != "" || b.reason != "" {
		return
	}
	x := Excluded{Baseline: d.Baseline, Candidate: d.Candidate, Key: d.Key, By: c.opt.By, Strata: out, N: a.n, NExcluded: b.n,
		Included: ptr(a.b - a.a), Rest: ptr(b.b - b.a)}
	both := statistic{cells: slices.Clone(a.cells)}
	for _, cell := range b.cells {
		cell.weight = -cell.weight
		both.cells = append(both.cells, cell)
	}
	iv := both.interval(c.options())
	x.Apart, x.Lo, x.Hi = iv.Value, iv.Lo, iv.Hi
	verdict := "cannot be tested: " + firstOf(iv.Reason, "no interval")
	if se := impliedError(iv); se > 0 {
		x.P = stats.StudentTest(*iv.Value, se, max(1, both.documents()-1), "the bootstrap").P
		verdict = "no sign that it differs"
		if *iv.Lo > 0 || *iv.Hi < 0 {
			verdict = "it differs: the table does not speak for the strata left out"
		}
	}
	x.Mix = mixShares(a.cells[0].units, b.cells[0].units, c.opt.By, c.opt.Level)
	var other []string
	for _, m := range x.Mix {
		if m.Lo != nil && (*m.Lo > 0 || *m.Hi < 0) {
			other = append(other, fmt.Sprintf("%s %.0f %% against %.0f %%", m.Stratum, 100*m.Included, 100*m.Excluded))
		}
	}
	mix := ""
	if len(x.Mix) > 0 {
		mix = "; the mix of " + x.Mix[0].By + " does not differ"
		if len(other) > 0 {
			mix = "; the mix of " + x.Mix[0].By + " differs: " + strings.Join(other, ", ")
		}
	}
	x.Words = fmt.Sprintf("difference %+.3f over the %d units of the strata tested, %+.3f over the %d of those left out (%s): %s%s",
		*x.Included, x.N, *x.Rest, x.NExcluded, strings.Join(out, ", "), verdict, mix)
	c.out.Excluded = append(c.out.Excluded, x)
}

// mixShares compares how two sets of units split by another kind of stratum than by.
func mixShares(in, out []pipeline.Unit, by string, level float64) []MixShare {
	other := byModality
	if by == byModality {
		other = byDomain
	}
	count := func(units []pipeline.Unit, name string) (k int) {
		for _, u := range units {
			if stratum(u, other) == name {
				k++
			}
		}
		return k
	}
	var shares []MixShare
	for _, name := range strataOf(slices.Concat(in, out), other) {
		k, j := count(in, name), count(out, name)
		iv := stats.Newcombe(k, len(in), j, len(out), level)
		shares = append(shares, MixShare{other, name, float64(k) / float64(len(in)), float64(j) / float64(len(out)), iv.Lo, iv.Hi})
	}
	return shares
}
