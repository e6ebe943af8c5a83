// Package figure makes a measure's figure from its rows. It takes the rows of each unit (repeats of a
// document or a question) and the documents that the unit rests on, and gives the strict mean, the
// mean over what succeeded, the counts and the interval (definitions: a failed unit takes the
// measure's worst value; repeats are averaged first; units cluster by documents).
package figure

import (
	"maps"
	"slices"

	"enterprisedocbench"
	"enterprisedocbench/metrics"
	"enterprisedocbench/stats"
)

// Mean is what the rows of one unit come to.
type Mean struct {
	Strict *float64 // over rows that have a value or failed, a failed one at the measure's worst; nil: nothing to measure
	OK     *float64 // over rows that have a value; nil without one
	Rows   int      // rows that have a value or failed
	Failed int
	Reason string // the first that a row gives
}

// Average averages the rows of one unit and one measure, of which there is at least one.
func Average(rows []edb.Measurement) Mean {
	var m Mean
	worst := metrics.Worst(rows[0].Key)
	sum, sumOK, n, nOK := 0.0, 0.0, 0.0, 0.0
	for _, row := range rows {
		switch {
		case row.Failed:
			m.Failed++
			sum += worst
			n++
		case row.Value != nil:
			sum += *row.Value
			sumOK += *row.Value
			n++
			nOK++
		}
		if m.Reason == "" {
			m.Reason = row.Reason
		}
	}
	m.Rows = int(n)
	if n > 0 {
		sum /= n
		m.Strict = &sum
	}
	if nOK > 0 {
		sumOK /= nOK
		m.OK = &sumOK
	}
	return m
}

// Sample gathers the units of one measure. The zero value is ready.
type Sample struct {
	Strict  []float64
	OK      []float64  // of units that succeeded
	Weights []float64  // of Strict
	Docs    [][]string // documents that each unit of Strict rests on
	Units   []string

	okWeights []float64
	missing   int
	why       metrics.Reasons // why units are missing
}

// Add takes the rows of one unit: its repeats, with the same key. docs are the documents that it rests
// on; a measure that resamples questions (metrics.PerQuestion) has each as its own cluster.
func (s *Sample) Add(rows []edb.Measurement, docs []string) {
	m := Average(rows)
	if m.Strict == nil {
		s.why.Add(m.Reason)
		s.missing++
		return
	}
	if metrics.PerQuestion(rows[0].Key) {
		docs = []string{rows[0].Unit}
	}
	weight := metrics.Weight(rows[0])
	s.Strict, s.Weights = append(s.Strict, *m.Strict), append(s.Weights, weight)
	s.Docs, s.Units = append(s.Docs, docs), append(s.Units, rows[0].Unit)
	if m.OK != nil {
		s.OK, s.okWeights = append(s.OK, *m.OK), append(s.okWeights, weight)
	}
}

// Figure is the figure of a measure over the units. The interval of a share stays between 0 and 1;
// without a unit there is no value, and the reason says why.
func (s *Sample) Figure(key string, opt stats.Options) edb.Figure {
	f := edb.Figure{N: len(s.Strict), NOK: len(s.OK), Missing: s.missing, Def: metrics.Def(key)}
	if len(s.Strict) == 0 {
		f.Reason = s.why.String()
		return f
	}
	Fill(&f, stats.Pooled(s.Strict, s.Weights, s.Docs, s.Units, opt))
	f.Method = metrics.IntervalMethod(key, f.Method)
	if len(s.OK) > 0 {
		v := metrics.Weighted(s.OK, s.okWeights)
		f.ValueOK = &v
	}
	return OnScale(key, f)
}

// Fill copies an interval into a figure, and its reason where the figure has none.
func Fill(f *edb.Figure, iv stats.Interval) {
	f.Value, f.Lo, f.Hi, f.Level, f.Method, f.Warnings = iv.Value, iv.Lo, iv.Hi, iv.Level, iv.Method, iv.Warnings
	if f.Reason == "" {
		f.Reason = iv.Reason
	}
}

// OnScale keeps the interval of a share between 0 and 1.
func OnScale(key string, f edb.Figure) edb.Figure {
	if metrics.Bounded(key) {
		return f.Within(0, 1)
	}
	return f
}

// Samples groups rows by measure and unit, units in the order of their names. docs gives the
// documents that a unit rests on; units that keep refuses are left out (nil keeps all).
func Samples(rows []edb.Measurement, docs func(unit string) []string, keep func(unit string) bool) map[string]*Sample {
	byUnit := map[string]map[string][]edb.Measurement{}
	for _, r := range rows {
		if keep != nil && !keep(r.Unit) {
			continue
		}
		if byUnit[r.Key] == nil {
			byUnit[r.Key] = map[string][]edb.Measurement{}
		}
		byUnit[r.Key][r.Unit] = append(byUnit[r.Key][r.Unit], r)
	}
	out := map[string]*Sample{}
	for key, units := range byUnit {
		s := &Sample{}
		for _, unit := range slices.Sorted(maps.Keys(units)) {
			s.Add(units[unit], docs(unit))
		}
		out[key] = s
	}
	return out
}
