package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/study"
)

// Comparison writes the differences as one table a pair of pipelines, and the notes below.
func Comparison(w io.Writer, c *study.Comparison) error {
	for i, p := range comparedPairs(c) {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if _, err := fmt.Fprintf(w, "%s against %s\n\n", p[1], p[0]); err != nil {
			return err
		}
		if err := Columns(w, differenceRows(c, p)); err != nil {
			return err
		}
	}
	if rows := parsingRows(c); rows != nil {
		fmt.Fprintf(w, "\nParsing\n\n")
		if err := Columns(w, rows); err != nil {
			return err
		}
	}
	fmt.Fprintln(w)
	for _, n := range comparisonNotes(c) {
		if _, err := fmt.Fprintln(w, n); err != nil {
			return err
		}
	}
	return nil
}

// comparedPairs are (baseline, candidate) in the order of their first row.
func comparedPairs(c *study.Comparison) [][2]string {
	var out [][2]string
	for _, d := range c.Differences {
		if p := [2]string{d.Baseline, d.Candidate}; !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// differenceRows is the table of one pair, the header first.
func differenceRows(c *study.Comparison, pair [2]string) [][]string {
	rows := [][]string{{"Measure", "Baseline", "Candidate", "Difference", "p", "p corrected", "dz", "Detectable", "n", "Verdict"}}
	for _, d := range c.Differences {
		if d.Baseline != pair[0] || d.Candidate != pair[1] {
			continue
		}
		rows = append(rows, []string{differenceLabel(d), amount(d.BaselineValue, d), amount(d.CandidateValue, d), differenceCell(d),
			pValue(d.P), pValue(d.PAdjusted), signed(d.Effect, 2), Num(d.Detectable), pairs(d), d.Words})
	}
	return rows
}

// pairs is the number of pairs; what is measured once for a pipeline has none.
func pairs(d study.Difference) string {
	if d.Verdict == study.NotTested {
		return "·"
	}
	return fmt.Sprint(d.N)
}

// differenceLabel is the key, or the stratum or mix of the key above it.
func differenceLabel(d study.Difference) string {
	switch {
	case d.Stratum != "":
		return "  " + d.By + " " + d.Stratum
	case d.Mix != "":
		return "  stated mix"
	}
	return d.Key
}

// amount prints a value of a measure: a share, or a quantity where it was measured once.
func amount(v *float64, d study.Difference) string {
	if d.Verdict == study.NotTested {
		return Quantity(edb.Figure{Value: v})
	}
	return Num(v)
}

// differenceCell prints a difference with its interval: "+0.021 [-0.004, +0.046]".
func differenceCell(d study.Difference) string {
	if d.Value == nil {
		return "·"
	}
	if d.Verdict == study.NotTested {
		return Quantity(edb.Figure{Value: d.Value})
	}
	s := signed(d.Value, 3)
	if d.Lo != nil && d.Hi != nil {
		s += fmt.Sprintf(" [%s, %s]", signed(d.Lo, 3), signed(d.Hi, 3))
	}
	return s
}

// signed prints a number with its sign; what rounds to 0 has none.
func signed(v *float64, decimals int) string {
	if v == nil {
		return "·"
	}
	s := fmt.Sprintf("%+.*f", decimals, *v)
	if strings.Trim(s, "+-0.") == "" {
		return s[1:]
	}
	return s
}

func pValue(p *float64) string {
	switch {
	case p == nil:
		return "·"
	case *p < 0.0001:
		return "<0.0001"
	}
	return fmt.Sprintf("%.4f", *p)
}

// comparisonNotes say how to read the table, what failed, what was left out and what to doubt.
func comparisonNotes(c *study.Comparison) []string {
	tests := fmt.Sprintf("%d tests", c.Tests)
	if c.Tests == 1 {
		tests = "1 test"
	}
	if c.Untested > 0 {
		tests += fmt.Sprintf(" without %d that are 0 in every unit", c.Untested)
	}
	notes := []string{fmt.Sprintf("differences are candidate - baseline over paired units; intervals %.4g %%; p corrected over %s (%s); equal means within ±%g; · not measured",
		100*c.Level, tests, c.Adjust, c.Delta)}
	for _, x := range c.Crossings {
		notes = append(notes, fmt.Sprintf("%s, %s against %s, mix %s: %s", x.Key, x.Candidate, x.Baseline, x.Mix, x.Words))
	}
	for _, x := range c.Excluded {
		notes = append(notes, fmt.Sprintf("%s, %s against %s, by %s: %s", x.Key, x.Candidate, x.Baseline, x.By, x.Words))
	}
	var warnings []string
	rows := map[string][]string{}
	for _, d := range c.Differences {
		name := fmt.Sprintf("%s, %s against %s", differenceName(d), d.Candidate, d.Baseline)
		if d.FailedBaseline+d.FailedCandidate > 0 {
			notes = append(notes, fmt.Sprintf("%s: failed units count as the worst value (baseline %d, candidate %d); over the %d pairs that succeeded %s - %s = %s",
				name, d.FailedBaseline, d.FailedCandidate, d.OK.N, Num(d.OK.CandidateValue), Num(d.OK.BaselineValue), signed(d.OK.Value, 3)))
		}
		for _, w := range d.Warnings {
			if rows[w] == nil {
				warnings = append(warnings, w)
			}
			rows[w] = append(rows[w], name)
		}
	}
	for _, w := range warnings {
		name := rows[w][0]
		if n := len(rows[w]); n > 1 {
			name += " and " + edb.Count(n-1, "more row")
		}
		notes = append(notes, name+": "+w)
	}
	seen := map[string]bool{}
	for _, d := range c.Differences {
		if d.Variant != "" && !seen[d.Key] {
			seen[d.Key] = true
			notes = append(notes, d.Key+": variant "+d.Variant)
		}
	}
	return append(notes, c.Notes...)
}

func differenceName(d study.Difference) string {
	if d.Stratum != "" || d.Mix != "" {
		return d.Key + differenceLabel(d)[1:]
	}
	return d.Key
}

// parsingRows is the table of what parsing took and lost, the header first; nil where all pipelines
// have one parser.
func parsingRows(c *study.Comparison) [][]string {
	if len(c.Parsing) == 0 {
		return nil
	}
	rows := [][]string{{"Pipeline", "Engine", "Pages/s", "Speed ÷ baseline", "Peak memory", "Documents failed"}}
	for _, p := range c.Parsing {
		rows = append(rows, []string{p.Pipeline, p.Engine, perSecond(p.Speed), speedCell(p.Against), megabytes(p.PeakBytes), failedCell(p)})
	}
	return rows
}

func speedCell(r *study.SpeedRatio) string {
	if r == nil || r.Value == nil {
		return "·"
	}
	s := fmt.Sprintf("%.2f", *r.Value)
	if r.Lo != nil && r.Hi != nil {
		s += fmt.Sprintf(" [%.2f, %.2f]", *r.Lo, *r.Hi)
	}
	return s + fmt.Sprintf(" n=%d", r.N)
}

func failedCell(p study.Parsing) string {
	s := fmt.Sprintf("%d of %d", p.Failed, p.Documents)
	if p.Failed > 0 {
		s += " (" + counts(p.Kinds) + ")"
	}
	return s
}
