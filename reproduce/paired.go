package reproduce

import (
	"fmt"
	"slices"

	"enterprisedocbench/metrics"
	"enterprisedocbench/stats"
)

// Paired is candidate − baseline of one measure over the documents that both measured. P is of the
// sign-flip test, PAdjusted is corrected over all tests of the table (Holm), Effect is Cohen's dz.
type Paired struct {
	Candidate string   `json:"candidate"`
	Baseline  string   `json:"baseline"`
	Key       string   `json:"key"`
	N         int      `json:"n"`
	Value     *float64 `json:"difference"`
	Lo        *float64 `json:"lo"`
	Hi        *float64 `json:"hi"`
	P         *float64 `json:"p"`
	PAdjusted *float64 `json:"p_adjusted"`
	Effect    *float64 `json:"effect"`
	Words     string   `json:"verdict"`
}

// variations compares each scan of a table with its first one, engine by engine, over the same
// documents.
func variations(t Table, rows []Row, units []unit) ([]Paired, int) {
	type id struct{ variation, doc string }
	at := map[id]unit{}
	var docs []string
	for _, u := range units {
		at[id{u.variation, u.doc}] = u
		if !slices.Contains(docs, u.doc) {
			docs = append(docs, u.doc)
		}
	}
	slices.Sort(docs)
	base := t.Vary[0].Name
	var out []Paired
	for _, row := range rows {
		if row.Variation == base {
			continue
		}
		for _, key := range t.Measures {
			var a, b []float64
			var clusters [][]string
			for _, d := range docs {
				x, okX := at[id{row.Variation, d}].values[row.Engine][key]
				y, okY := at[id{base, d}].values[row.Engine][key]
				if okX && okY {
					a, b, clusters = append(a, x), append(b, y), append(clusters, []string{d})
				}
			}
			p := Paired{Candidate: row.Name, Baseline: row.Engine + ", " + base, Key: key, N: len(a)}
			if len(a) > 0 {
				c := stats.ComparePaired(a, b, clusters, .8, options())
				p.Value, p.Lo, p.Hi, p.P, p.Effect = c.Difference.Value, c.Difference.Lo, c.Difference.Hi, c.Test.P, c.Effect
			}
			out = append(out, p)
		}
	}
	return out, judge(out)
}

// judge corrects p over all rows and puts the verdict on each, by the rules of study.Compare.
func judge(rows []Paired) (tests int) {
	ps := make([]*float64, len(rows))
	for i, r := range rows {
		if ps[i] = r.P; r.P != nil {
			tests++
		}
	}
	adjusted, err := stats.Adjust(ps, "holm")
	if err != nil {
		panic(err) // holm is known and each p is a probability
	}
	for i := range rows {
		rows[i].PAdjusted = adjusted[i]
		rows[i].Words = verdict(rows[i])
	}
	return tests
}

// delta is the difference that does not matter.
const delta = .02

func verdict(p Paired) string {
	switch {
	case p.N == 0:
		return "not measured"
	case p.Lo == nil:
		return "not enough data: 10 units needed"
	case -delta <= *p.Lo && *p.Hi <= delta:
		return fmt.Sprintf("equal within ±%g", delta)
	case p.PAdjusted == nil || *p.PAdjusted > .05 || *p.Lo <= 0 && *p.Hi >= 0:
		return "not enough data"
	case (*p.Value > 0) == (metrics.Worst(p.Key) == 0):
		return "better"
	}
	return "worse"
}
