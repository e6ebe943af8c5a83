package report

import (
	"fmt"
	"io"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/study"
)

// Validation writes how measures answer to known noise: the pairs that the noise moves with their
// slopes, then the losses of all measures by all noise at the highest rate. all adds the pairs that it
// does not move and those that are not predicted, with the reasons.
func Validation(w io.Writer, v *study.Validation, all bool) error {
	top := v.Rates[len(v.Rates)-1]
	rows := [][]string{{"Noise", "Measure", "n", "Slope", "Intercept", "Worst", fmt.Sprintf("At %v", top), "Expected", "Result"}}
	still, unknown := 0, 0
	for _, p := range v.Pairs {
		last := p.Doses[len(p.Doses)-1]
		result := p.Reason
		switch {
		case p.Passed == nil:
			unknown++
		case p.Slope == nil:
			still++
			result = passed(*p.Passed) + ": " + p.Reason
		default:
			result = passed(*p.Passed)
		}
		if p.Slope == nil && !all && (p.Passed == nil || *p.Passed) {
			continue
		}
		rows = append(rows, []string{p.Noise, p.Key, fmt.Sprint(p.N), Num(p.Slope), Num(p.Intercept), Num(p.Worst), Num(last.Measured), Num(last.Expected), result})
	}
	if err := Columns(w, rows); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nNot moved by the noise, and holding: %s; not predicted: %d.\n\nMean loss at rate %v (~ not predicted, · nothing to measure):\n\n", edb.Count(still, "pair"), unknown, top)
	if err := Columns(w, crossTalk(v, top)); err != nil {
		return err
	}
	for _, n := range v.Noises {
		if n.Reason != "" {
			fmt.Fprintf(w, "%s: %s\n", n.Noise, n.Reason)
		}
	}
	verdict := fmt.Sprintf("passed: %d pairs of noise and measure over %d documents", v.Held, v.Documents)
	if !v.Passed {
		verdict = fmt.Sprintf("failed: %d of %d pairs of noise and measure over %d documents", v.Failed, v.Held, v.Documents)
	}
	_, err := fmt.Fprintln(w, verdict)
	return err
}

// crossTalk is the matrix of losses: a line a noise, a column a measure.
func crossTalk(v *study.Validation, rate float64) [][]string {
	head := []string{"Noise", "Family"}
	for _, k := range study.ValidateKeys {
		head = append(head, strings.TrimPrefix(k, "parse."))
	}
	rows := [][]string{head}
	for _, n := range v.Noises {
		line := []string{n.Noise, n.Family}
		for _, key := range study.ValidateKeys {
			cell := "·"
			for _, p := range v.Pairs {
				if p.Noise != n.Noise || p.Key != key {
					continue
				}
				if m := p.Mean(rate); m != nil {
					loss := 1 - *m
					cell = strings.TrimPrefix(fmt.Sprintf("%.3f", loss), "0")
					if loss < 0.0005 {
						cell = "0"
					}
					if p.Passed == nil {
						cell += "~"
					}
				}
			}
			line = append(line, cell)
		}
		rows = append(rows, line)
	}
	return rows
}
