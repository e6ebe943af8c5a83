package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"enterprisedocbench/pipeline"
)

// Mix is a stated mix of strata: weights that are not negative and sum to 1.
type Mix struct {
	By      string
	Strata  []string // in the order in which they were written
	Weights map[string]float64
}

// ParseMix reads BY=STRATUM:WEIGHT,...: for example modality=single-hop:.3,table:.7. Weights sum to 1.
func ParseMix(s string) (*Mix, error) {
	by, list, ok := strings.Cut(s, "=")
	if !ok || !slices.Contains(strataNames, by) {
		return nil, fmt.Errorf("mix %q: write BY=STRATUM:WEIGHT,... with BY one of %s, for example modality=single-hop:.3,table:.7", s, strings.Join(strataNames, ", "))
	}
	m := &Mix{By: by, Weights: map[string]float64{}}
	sum := 0.0
	for part := range strings.SplitSeq(list, ",") {
		i := strings.LastIndexByte(part, ':')
		if i < 1 {
			return nil, fmt.Errorf("mix %q: %q is not STRATUM:WEIGHT", s, part)
		}
		w, err := strconv.ParseFloat(part[i+1:], 64)
		if err != nil || !(w >= 0 && w <= 1) {
			return nil, fmt.Errorf("mix %q: weight %q of %s is not a number from 0 to 1", s, part[i+1:], part[:i])
		}
		if _, twice := m.Weights[part[:i]]; twice {
			return nil, fmt.Errorf("mix %q: %s stands twice", s, part[:i])
		}
		m.Strata = append(m.Strata, part[:i])
		m.Weights[part[:i]] = w
		sum += w
	}
	if math.Abs(sum-1) > 1e-6 {
		return nil, fmt.Errorf("mix %q: the weights sum to %.6g: make them sum to 1", s, sum)
	}
	for k, w := range m.Weights {
		m.Weights[k] = w / sum
	}
	return m, nil
}

// String is the mix as it is written.
func (m *Mix) String() string {
	var parts []string
	for _, s := range m.Strata {
		parts = append(parts, fmt.Sprintf("%s:%.4g", s, m.Weights[s]))
	}
	return m.By + "=" + strings.Join(parts, ",")
}

// check refuses strata that no unit is of.
func (m *Mix) check(r *Run) error {
	var units []pipeline.Unit
	for _, u := range r.questions {
		units = append(units, u)
	}
	have := strataOf(units, m.By)
	for _, s := range m.Strata {
		if !slices.Contains(have, s) {
			return fmt.Errorf("mix %s: no question of %s has %s %q: choose from %s", m, r.Dir, m.By, s, strings.Join(have, ", "))
		}
	}
	return nil
}

// Crossing says at which mix of strata the other pipeline would lead. Changes lists, for each two
// strata between which weight can be moved so that the lead changes, the weights at the tie, all
// other weights as stated; the least move comes first.
type Crossing struct {
	Baseline  string   `json:"baseline"`
	Candidate string   `json:"candidate"`
	Key       string   `json:"key"`
	Mix       string   `json:"mix"`
	Leader    string   `json:"leader"` // at the stated mix; "" at a tie
	Changes   []Change `json:"changes"`
	Words     string   `json:"words"`
}

// Change is a tie: weight moved from one stratum to another.
type Change struct {
	From       string  `json:"from"`
	To         string  `json:"to"`
	Moved      float64 `json:"moved"`
	FromWeight float64 `json:"from_weight"` // at the tie
	ToWeight   float64 `json:"to_weight"`
}

// mixed adds the row of the stated mix and the mix at which the lead changes.
func (c *comparer) mixed(p pairing, f formula, d Difference) error {
	m := c.opt.Mix
	if err := m.check(p.base.run); err != nil {
		return err
	}
	if f.rate != noRate {
		c.note("%s is no mean over questions: it is not re-weighted", f.key)
		return nil
	}
	if f.ofDocuments() && len(f.terms) == parseTerms(f) && m.By != byDomain {
		c.note("%s rests on documents, which have no %s: it is not re-weighted", f.key, m.By)
		return nil
	}
	strata := p.byStratum(f, m)
	s := strata.statistic(f, m.Weights)
	d.Mix = m.String()
	c.difference(&d, s)
	var few []string
	for _, name := range m.Strata {
		if n := strata.n(name); m.Weights[name] > 0 && n > 0 && n < c.minN {
			few = append(few, fmt.Sprintf("%s %d", name, n))
		}
		if m.Weights[name] > 0 && strata.n(name) == 0 {
			c.note("%s: nothing to measure for %s %s; its weight in the mix goes to the others", f.key, m.By, name)
		}
	}
	if len(few) > 0 && d.Value != nil {
		d.Warnings = append(d.Warnings, fmt.Sprintf("strata of fewer than %d units: %s", c.minN, strings.Join(few, ", ")))
	}
	c.out.Differences = append(c.out.Differences, d)
	if d.Value != nil {
		c.out.Crossings = append(c.out.Crossings, strata.crossing(f, m, d))
	}
	return nil
}

func parseTerms(f formula) int {
	n := 0
	for _, t := range f.terms {
		if strings.HasPrefix(t.key, "parse.") {
			n++
		}
	}
	return n
}

// stratified are the pairs of each term of a formula by stratum. A term of documents is not cut
// where strata are of questions: it has one piece, under "".
type stratified struct {
	strata []string
	cells  []map[string]paired // by term
	means  []map[string]float64
}

func (p pairing) byStratum(f formula, m *Mix) stratified {
	out := stratified{strata: m.Strata}
	for _, t := range f.terms {
		pieces := map[string]paired{}
		if strings.HasPrefix(t.key, "parse.") && m.By != byDomain {
			pieces[""] = p.pairs(t.key, nil)
		} else {
			for _, s := range m.Strata {
				pieces[s] = p.pairs(t.key, func(u pipeline.Unit) bool { return stratum(u, m.By) == s })
			}
		}
		means := map[string]float64{}
		for s, x := range pieces {
			if len(x.a) > 0 {
				means[s] = mean(cell{paired: x}.diff())
			}
		}
		out.cells, out.means = append(out.cells, pieces), append(out.means, means)
	}
	return out
}

// n is the number of pairs that a stratum gives to the term that has most there.
func (s stratified) n(name string) int {
	n := 0
	for _, pieces := range s.cells {
		n = max(n, len(pieces[name].a))
	}
	return n
}

// shares are the weights of the pieces of one term; strata without a pair give theirs to the others
// in proportion. Nil where no piece has weight.
func (s stratified) shares(term int, weights map[string]float64) map[string]float64 {
	if _, whole := s.cells[term][""]; whole {
		return map[string]float64{"": 1}
	}
	total := 0.0
	for _, name := range s.strata {
		if len(s.cells[term][name].a) > 0 {
			total += weights[name]
		}
	}
	if total <= 0 {
		return nil
	}
	out := map[string]float64{}
	for _, name := range s.strata {
		if len(s.cells[term][name].a) > 0 && weights[name] > 0 {
			out[name] = weights[name] / total
		}
	}
	return out
}

func (s stratified) statistic(f formula, weights map[string]float64) statistic {
	var parts [][]cell
	for i, t := range f.terms {
		shares := s.shares(i, weights)
		var cells []cell
		for _, name := range append([]string{""}, s.strata...) {
			if w, ok := shares[name]; ok {
				cells = append(cells, cell{s.cells[i][name], t.weight * w})
			}
		}
		if len(cells) == 0 {
			cells = []cell{{paired{key: t.key, reason: "no stratum of the mix has it"}, t.weight}}
		}
		parts = append(parts, cells)
	}
	return weigh(f, parts)
}

// difference is candidate − baseline at a mix; false where a term has no weight there.
func (s stratified) difference(f formula, weights map[string]float64) (float64, bool) {
	d := 0.0
	for i, t := range f.terms {
		shares := s.shares(i, weights)
		if shares == nil {
			return 0, false
		}
		for _, name := range append([]string{""}, s.strata...) {
			if w, ok := shares[name]; ok {
				d += t.weight * w * s.means[i][name]
			}
		}
	}
	return d, true
}
