package report

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"enterprisedocbench"
)

// Run is a run as a report shows it: the summary that stands in summary.json.
type Run struct{ edb.Summary }

// Num prints a share with three decimals; nil is "·", not scored.
func Num(v *float64) string {
	if v == nil {
		return "·"
	}
	return fmt.Sprintf("%.3f", *v)
}

// Cell prints a figure as value, interval and n: "0.873 [0.81, 0.92] n=60".
func Cell(f edb.Figure) string {
	if f.Value == nil {
		return "·"
	}
	return spread(f) + fmt.Sprintf(" n=%d", f.N)
}

// spread is a figure's value with its interval, without n.
func spread(f edb.Figure) string {
	s := Num(f.Value)
	if f.Lo != nil && f.Hi != nil {
		s += fmt.Sprintf(" [%.2f, %.2f]", *f.Lo, *f.Hi)
	}
	return s
}

// pair prints two figures in one cell, and n once where both have the same.
func pair(a, b edb.Figure) string {
	if a.Value == nil && b.Value == nil {
		return "·"
	}
	if a.Value != nil && b.Value != nil && a.N == b.N {
		return spread(a) + " / " + Cell(b)
	}
	return Cell(a) + " / " + Cell(b)
}

// Quantity prints a figure with a unit: times, bytes, dollars.
func Quantity(f edb.Figure) string {
	if f.Value == nil {
		return "·"
	}
	v := *f.Value
	switch {
	case v == 0:
		return "0"
	case math.Abs(v) >= 1000:
		return fmt.Sprintf("%.0f", v)
	case math.Abs(v) >= 1:
		return fmt.Sprintf("%.2f", v)
	case math.Abs(v) >= 0.001:
		return fmt.Sprintf("%.4f", v)
	}
	return fmt.Sprintf("%.2e", v)
}

// parsing is P, or the composite of the parts that were measured, with its key.
func parsing(figs map[string]edb.Figure) (string, edb.Figure) {
	if f := figs["parse.p"]; f.Value != nil {
		return "parse.p", f
	}
	for _, k := range slices.Sorted(maps.Keys(figs)) {
		if strings.HasPrefix(k, "parse.p(parts=") {
			return k, figs[k]
		}
	}
	return "parse.p", figs["parse.p"]
}

func generation(figs map[string]edb.Figure) (string, edb.Figure) {
	if f := figs["generate.g"]; f.Value != nil {
		return "generate.g", f
	}
	for _, k := range slices.Sorted(maps.Keys(figs)) {
		if strings.HasPrefix(k, "generate.g(parts=") {
			return k, figs[k]
		}
	}
	return "generate.g", figs["generate.g"]
}

// quality is Q, or Q without P where some arm has none and one can be had without it.
func (r Run) quality() string {
	lacks, without := false, false
	for _, a := range r.Arms {
		lacks = lacks || r.Pipelines[a]["quality.q"].Value == nil
		without = without || r.Pipelines[a]["quality.q(without=parse)"].Value != nil
	}
	if lacks && without {
		return "quality.q(without=parse)"
	}
	return "quality.q"
}

// qualityName says what quality gives.
func (r Run) qualityName() string {
	if r.quality() == "quality.q" {
		return "Q"
	}
	return "without P"
}

// Rows is the table of EnterpriseDocBench (Table 2) as strings, the header first.
func (r Run) Rows() [][]string {
	q := r.quality()
	rows := [][]string{{"Pipeline", "Parsing P", "Index rel.", "nDCG@5 / P@3", "Generation G", "Rel. cost", "Quality " + r.qualityName()}}
	for _, a := range r.Arms {
		f, c := r.Pipelines[a], r.Costs[a]
		pk, p := parsing(f)
		gk, g := generation(f)
		pc, gc := Cell(p), Cell(g)
		if pk != "parse.p" && p.Value != nil {
			pc += " " + strings.TrimPrefix(pk, "parse.p")
		}
		if gk != "generate.g" && g.Value != nil {
			gc += " " + strings.TrimPrefix(gk, "generate.g")
		}
		cost := Quantity(c["cost.relative"])
		if cost != "·" {
			cost += "×"
		}
		rows = append(rows, []string{a, pc, Quantity(c["index.relative"]),
			pair(f["retrieve.ndcg@5"], f["retrieve.p@3"]), gc, cost, Cell(f[q])})
	}
	return rows
}

// Notes are the lines below the table: what was measured, what is missing and why, what failed.
func (r Run) Notes() []string {
	questions := edb.Count(r.Questions, "question")
	if r.Questions > 0 {
		questions += " (" + counts(r.ByModality) + ")"
	}
	notes := []string{fmt.Sprintf("%s, %s, %s; intervals 95 %%, page grain; · not measured",
		edb.Count(r.Documents, "document"), edb.Count(r.Pages, "page"), questions)}
	notes = append(notes, r.Warnings...)
	seen := map[string]bool{}
	for _, a := range r.Arms {
		for _, k := range []string{"parse.p", "retrieve.ndcg@5", "generate.g", "quality.q"} {
			f := r.Pipelines[a][k]
			if f.Value == nil && f.Reason != "" && !seen[k+f.Reason] {
				seen[k+f.Reason] = true
				notes = append(notes, k+": "+f.Reason)
			}
			if f.Value != nil && f.Variant != "" && !seen[k+f.Variant] {
				seen[k+f.Variant] = true
				notes = append(notes, k+": variant "+f.Variant)
			}
		}
	}
	if r.Dropped > 0 {
		notes = append(notes, fmt.Sprintf("%s left out: the evidence is outside the split", edb.Count(r.Dropped, "question")))
	}
	if r.Failures > 0 {
		notes = append(notes, fmt.Sprintf("%s failed (%s): see failures.jsonl", edb.Count(r.Failures, "unit"), counts(r.FailureKind)))
	}
	return notes
}

func counts(m map[string]int) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		name := k
		if name == "" {
			name = "no modality"
		}
		out = append(out, fmt.Sprintf("%s %d", name, m[k]))
	}
	return strings.Join(out, ", ")
}

// Text writes the table and its notes.
func (r Run) Text(w io.Writer) error {
	if err := Columns(w, r.Rows()); err != nil {
		return err
	}
	for _, n := range r.Notes() {
		if _, err := fmt.Fprintln(w, n); err != nil {
			return err
		}
	}
	return nil
}

// Columns writes rows as columns of equal width, a rule under the first.
func Columns(w io.Writer, rows [][]string) error {
	if len(rows) == 0 {
		return nil
	}
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, c := range row {
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	for n, row := range rows {
		var b strings.Builder
		for i, c := range row {
			b.WriteString(c)
			if i < len(row)-1 {
				b.WriteString(strings.Repeat(" ", width[i]-utf8.RuneCountInString(c)+2))
			}
		}
		b.WriteByte('\n')
		if n == 0 {
			for i, x := range width {
				b.WriteString(strings.Repeat("─", x))
				if i < len(width)-1 {
					b.WriteString("  ")
				}
			}
			b.WriteByte('\n')
		}
		if _, err := io.WriteString(w, b.String()); err != nil {
			return err
		}
	}
	return nil
}
