package reproduce

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/stats"
)

// Checked is a published figure beside its counterpart here.
type Checked struct {
	ID        string     `json:"id"`
	Source    string     `json:"source"`
	What      string     `json:"what"`
	Published float64    `json:"published"`
	Tolerance float64    `json:"tolerance"`
	Here      string     `json:"here"`
	Measured  edb.Figure `json:"measured"`
	Documents int        `json:"documents"` // that the units rest on
	Words     string     `json:"verdict"`
	// By are the same over each table alone.
	By []CheckedTable `json:"by,omitempty"`
}

// CheckedTable is a check over one table.
type CheckedTable struct {
	Table    string     `json:"table"`
	Measured edb.Figure `json:"measured"`
}

func (s *session) check(ctx context.Context, pages []Page, c Check) (Checked, error) {
	out := Checked{ID: c.ID, Source: c.Source, What: c.What, Published: c.Published, Tolerance: c.Tolerance, Here: c.Here}
	var all []unit
	for _, p := range pages {
		for _, t := range p.Tables {
			if !slices.Contains(c.Tables, t.Name) {
				continue
			}
			r, err := s.table(ctx, p, c.corrupted(t))
			if err != nil {
				return out, err
			}
			all = append(all, r.units...)
			f, _ := c.measure(r.units)
			out.By = append(out.By, CheckedTable{t.Name, f})
		}
	}
	if len(out.By) == 1 {
		out.By = nil
	}
	out.Measured, out.Documents = c.measure(all)
	out.Words = c.verdict(out.Measured)
	return out, nil
}

// corrupted is the table with the check's noise, under a name of its own: the table itself stays as it
// is.
func (c Check) corrupted(t Table) Table {
	if len(c.Noise) == 0 {
		return t
	}
	t.noise, t.Name = c.Noise, t.Name+"-noise"
	for _, n := range c.Noise {
		t.Name += "-" + n.Kind
		for _, r := range n.Rates {
			t.Name += fmt.Sprintf("-%g", r)
		}
	}
	return t
}

// measure gives the check's figure over units, and the number of documents it rests on. A scan and its
// original are one document.
func (c Check) measure(units []unit) (edb.Figure, int) {
	var x, y []float64
	var docs [][]string
	seen := map[string]bool{}
	for _, u := range units {
		for _, e := range engines(u) {
			if len(c.Engines) > 0 && !slices.Contains(c.Engines, e) {
				continue
			}
			v := u.values[e]
			key := c.Mean
			if key == "" {
				key = c.Correlate[0]
			}
			a, ok := v[key]
			b, ok2 := 0.0, true
			if c.Mean == "" {
				b, ok2 = v[c.Correlate[1]]
			}
			if ok && ok2 {
				doc, _, _ := strings.Cut(u.doc, "#") // a page of it
				x, y, docs = append(x, a), append(y, b), append(docs, []string{doc})
				seen[doc] = true
			}
		}
	}
	if c.Mean != "" {
		return figure(stats.Mean(x, docs, options()), c.Mean), len(seen)
	}
	r := stats.Pearson(x, y, stats.CorrOptions{Options: options(), Docs: docs})
	f := figure(r.Interval, c.Correlate[0])
	if r.Restricted {
		f.Warnings = append(f.Warnings, narrow)
	}
	return f, len(seen)
}

func engines(u unit) (out []string) {
	for e := range u.values {
		out = append(out, e)
	}
	slices.Sort(out)
	return out
}

// narrow is the warning of a correlation whose values hardly differ.
const narrow = "most values lie at one end or close together, so r says little"

func (c Check) verdict(f edb.Figure) string {
	words := c.distance(f)
	if slices.Contains(f.Warnings, narrow) {
		words += "; " + narrow
	}
	return words
}

// distance says where the measured figure lies to the published one.
func (c Check) distance(f edb.Figure) string {
	switch {
	case f.Value == nil:
		return "not measured: " + f.Reason
	case math.Abs(*f.Value-c.Published) <= c.Tolerance:
		return fmt.Sprintf("within %g", c.Tolerance)
	case f.Lo != nil && *f.Lo <= c.Published && c.Published <= *f.Hi:
		return "the interval holds the published value"
	case *f.Value < c.Published:
		return "lower here"
	}
	return "higher here"
}
