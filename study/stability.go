package study

import (
	"fmt"
	"strings"

	"enterprisedocbench/stats"
)

// Stability says whether a measure belongs to the systems or to the corpora (RIKER section 3.6).
type Stability struct {
	Size    string         `json:"size"`
	Measure string         `json:"measure"`
	Sets    []string       `json:"sets"`
	Systems []StableSystem `json:"systems"`
	Taus    []SetPair      `json:"taus"` // of the rankings of all systems, for each two sets
	MeanTau *float64       `json:"mean_tau"`
	Reason  string         `json:"reason,omitempty"` // why there is no tau
	Papers  []PublishedTau `json:"published,omitempty"`
}

// StableSystem is one system on several corpora.
type StableSystem struct {
	System string     `json:"system"`
	Values []*float64 `json:"values"` // in the order of Sets
	SE     []*float64 `json:"se"`     // from the intervals
	stats.Homogeneous
	Verdict string `json:"verdict"`
}

// SetPair is Kendall's τ-b between the rankings on two sets.
type SetPair struct {
	A, B string
	Tau  *float64 `json:"tau"`
	N    int      `json:"n"` // systems
}

// PublishedTau is Kendall's τ-b between the ranking measured here at a size and the paper's, over the
// systems that have the same name in both; nil with fewer than three.
type PublishedTau struct {
	Size string   `json:"size"`
	Tau  *float64 `json:"tau"`
	N    int      `json:"n"`
}

// PublishedTaus compares the rankings by overall accuracy with those of the paper (tables 4 to 6).
func PublishedTaus(subjects []Subject, paper *Paper) []PublishedTau {
	t := &tables{subjects: subjects, published: paper}
	var out []PublishedTau
	for _, size := range t.measuredSizes() {
		theirs := map[string]float64{}
		for _, r := range t.printed("at"+strings.ToLower(size), []string{"overall"}) {
			if r.Cells[0].Value != nil {
				theirs[r.System] = *r.Cells[0].Value
			}
		}
		var x, y []float64
		for _, system := range t.systems() {
			if s, ok := t.find(system, size, "A"); ok && s.Figures[overallKey].Value != nil {
				if v, ok := theirs[system]; ok {
					x, y = append(x, *s.Figures[overallKey].Value), append(y, v)
				}
			}
		}
		if len(x) == 0 {
			continue
		}
		p := PublishedTau{Size: size, N: len(x)}
		if len(x) >= 3 {
			p.Tau = stats.Kendall(x, y, stats.CorrOptions{Options: stats.Options{Method: stats.Fisher}}).Value
		}
		out = append(out, p)
	}
	return out
}

// Stable compares the systems' overall accuracy over the sets A to D of each size, or their
// fabrication over HA to HD: for each system whether the values differ by more than their intervals
// predict (Cochran's Q), and Kendall's τ-b between the rankings of every two sets.
func Stable(subjects []Subject) []Stability {
	t := &tables{subjects: subjects}
	var out []Stability
	for _, size := range sizes {
		for _, kind := range []struct {
			key  string
			sets []string
		}{{overallKey, []string{"A", "B", "C", "D"}}, {fabricateKey, []string{"HA", "HB", "HC", "HD"}}} {
			s := Stability{Size: size, Measure: kind.key}
			for _, set := range kind.sets {
				for _, x := range subjects {
					if x.Size == size && x.Set == set {
						s.Sets = append(s.Sets, set)
						break
					}
				}
			}
			if len(s.Sets) < 2 {
				continue
			}
			s.fill(t)
			out = append(out, s)
		}
	}
	return out
}

func (s *Stability) fill(t *tables) {
	bySet := make([][]float64, len(s.Sets)) // systems measured on all sets
	for _, system := range t.systems() {
		row := StableSystem{System: system}
		var values, se []float64
		for _, set := range s.Sets {
			x, ok := t.find(system, s.Size, set)
			f := x.Figures[s.Measure]
			if !ok || f.Value == nil {
				row.Values, row.SE = append(row.Values, nil), append(row.SE, nil)
				continue
			}
			v := *f.Value
			values = append(values, v)
			row.Values = append(row.Values, &v)
			var e *float64
			if f.Lo != nil && f.Hi != nil {
				w := (*f.Hi - *f.Lo) / (2 * 1.959963984540054)
				e = &w
				se = append(se, w)
			}
			row.SE = append(row.SE, e)
		}
		if len(values) == 0 {
			continue
		}
		row.Homogeneous = stats.Homogeneity(values, se)
		row.Verdict = verdictOf(row.Homogeneous)
		s.Systems = append(s.Systems, row)
		if len(values) == len(s.Sets) {
			for i, v := range values {
				bySet[i] = append(bySet[i], v)
			}
		}
	}
	if len(bySet[0]) < 3 {
		s.Reason = fmt.Sprintf("%d systems were measured on all sets: a ranking needs three", len(bySet[0]))
		return
	}
	sum, n := 0.0, 0
	for i := range s.Sets {
		for j := i + 1; j < len(s.Sets); j++ {
			c := stats.Kendall(bySet[i], bySet[j], stats.CorrOptions{Options: stats.Options{Method: stats.Fisher}})
			s.Taus = append(s.Taus, SetPair{s.Sets[i], s.Sets[j], c.Value, len(bySet[i])})
			if c.Value != nil {
				sum, n = sum+*c.Value, n+1
			}
		}
	}
	if n > 0 {
		sum /= float64(n)
		s.MeanTau = &sum
	}
}

func verdictOf(h stats.Homogeneous) string {
	switch {
	case h.P == nil:
		return "not measured: " + h.Reason
	case *h.P < .05:
		return "differs between corpora by more than sampling predicts"
	}
	return "no larger than sampling predicts"
}
