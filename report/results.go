package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/reproduce"
)

// resultsHead says how the figures of every page of results are to be read.
const resultsHead = `Figures carry 95 %% intervals (percentile bootstrap over documents) and n, the number of documents or questions;
under 10 there is no interval. A document that an engine cannot read counts as 0. Differences are over the same
units, with the p of a sign-flip permutation test, the p corrected over all tests of the table (Holm) and Cohen's dz;
"not enough data" means that the interval is too wide to say better, worse, or equal within ±.02.%s

Made by ` + "`edb reproduce %s --data FOLDER`" + `, where FOLDER holds the collections.
`

// resultsSpeed is added to it where a table shows speed and memory.
const resultsSpeed = ` Speed is pages (documents, where files
have no pages) a second of CPU time on one machine, memory the most that one document took.`

// Results is a page of tables of results as Markdown.
func Results(p reproduce.Page, r *reproduce.Results) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n", p.Title)
	if p.Intro != "" {
		fmt.Fprintf(&b, "%s\n\n", strings.TrimSpace(p.Intro))
	}
	name := p.Name
	if p.Intro == "" && len(r.Tables) == 1 {
		name = r.Tables[0].Name
	}
	speed := ""
	if slices.ContainsFunc(r.Tables, timed) {
		speed = resultsSpeed
	}
	fmt.Fprintf(&b, resultsHead, speed, name)
	resultChecks(&b, r.Checks)
	resultStrata(&b, r)
	for _, t := range r.Tables {
		resultTable(&b, t)
	}
	return b.Bytes()
}

func resultTable(b *bytes.Buffer, t reproduce.Result) {
	fmt.Fprintf(b, "\n## %s\n\n%s", t.Title, strings.TrimSpace(t.Note))
	if len(t.Rows) > 0 {
		fmt.Fprintf(b, " %d documents, %d pages, %d questions.", t.Documents, t.Pages, t.Questions)
	}
	b.WriteString("\n")
	for _, m := range t.Missing {
		fmt.Fprintf(b, "\n%s is not available: %s: %s\n", m.Name, m.Problem, m.Get)
	}
	if len(t.Rows) == 0 {
		return
	}
	head := slices.Clone(t.Measures)
	switch {
	case !timed(t):
	case t.Unpaged:
		head = append(head, "documents/s", "peak memory")
	default:
		head = append(head, "pages/s", "peak memory")
	}
	head = append(head, "not read")
	fmt.Fprintf(b, "\n| | %s |\n|---|%s\n", strings.Join(head, " | "), strings.Repeat("---|", len(head)))
	for _, row := range t.Rows {
		fmt.Fprintf(b, "| %s |", row.Name)
		for _, k := range t.Measures {
			fmt.Fprintf(b, " %s |", resultCell(row.Figures[k]))
		}
		failed := counts(row.Failures)
		if failed == "" {
			failed = "0"
		}
		if timed(t) {
			fmt.Fprintf(b, " %s | %s |", perSecond(row.PerSecond), megabytes(row.PeakBytes))
		}
		fmt.Fprintf(b, " %s |\n", failed)
	}
	if len(t.Paired) == 0 {
		return
	}
	fmt.Fprintf(b, "\n| Against %s | Measure | Difference | n | p | p corrected (%d tests) | dz | Verdict |\n|---|---|---|---|---|---|---|---|\n", t.Baseline, t.Tests)
	for _, d := range t.Paired {
		fmt.Fprintf(b, "| %s | %s | %s%s | %d | %s | %s | %s | %s |\n", d.Candidate, d.Key, signed(d.Value, 3), bounds(d.Lo, d.Hi, "%+.3f"), d.N,
			pValue(d.P), pValue(d.PAdjusted), signed(d.Effect, 2), d.Words)
	}
}

// timed says whether a row of the table has a speed or a memory.
func timed(t reproduce.Result) bool {
	return slices.ContainsFunc(t.Rows, func(r reproduce.Row) bool { return r.PerSecond != nil || r.PeakBytes != nil })
}

// resultCell is a figure with its interval and n, or why there is none.
func resultCell(f edb.Figure) string {
	if f.Value == nil {
		reason := f.Reason
		if reason == "" {
			reason = "nothing to measure"
		}
		return "not measured: " + strings.TrimPrefix(reason, "not measured: ")
	}
	return fmt.Sprintf("%.3f%s n=%d", *f.Value, bounds(f.Lo, f.Hi, "%.3f"), f.N)
}

// bounds is " [lo, hi]", or nothing where there is no interval.
func bounds(lo, hi *float64, format string) string {
	if lo == nil || hi == nil {
		return ""
	}
	return fmt.Sprintf(" ["+format+", "+format+"]", *lo, *hi)
}

func perSecond(v *float64) string {
	switch {
	case v == nil:
		return "·"
	case *v >= 10:
		return fmt.Sprintf("%.0f", *v)
	}
	return fmt.Sprintf("%.2g", *v)
}

func megabytes(n *int64) string {
	if n == nil {
		return "·"
	}
	return fmt.Sprintf("%.0f MB", float64(*n)/1e6)
}

// resultStrata shows measures over all tables of a page by source, domain and kind of page.
func resultStrata(b *bytes.Buffer, r *reproduce.Results) {
	if len(r.Strata) == 0 {
		return
	}
	var engines []string
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			if !slices.Contains(engines, row.Engine) && slices.ContainsFunc(r.Strata, func(s reproduce.Stratum) bool { _, ok := s.Figures[row.Engine]; return ok }) {
				engines = append(engines, row.Engine)
			}
		}
	}
	b.WriteString("\n## By source, domain and kind of page\n\nOver the documents of all tables below; a document may be of several kinds. What is told apart is what the gold annotates.\n")
	last := ""
	for _, s := range r.Strata {
		if s.Key != last {
			fmt.Fprintf(b, "\n| %s | | %s |\n|---|---|%s\n", s.Key, strings.Join(engines, " | "), strings.Repeat("---|", len(engines)))
			last = s.Key
		}
		fmt.Fprintf(b, "| %s | %s |", s.By, s.Value)
		for _, e := range engines {
			cell := "·"
			if f, ok := s.Figures[e]; ok {
				cell = resultCell(f)
			}
			fmt.Fprintf(b, " %s |", cell)
		}
		b.WriteString("\n")
	}
}

// resultChecks shows published figures beside what is measured here.
func resultChecks(b *bytes.Buffer, checks []reproduce.Checked) {
	if len(checks) == 0 {
		return
	}
	b.WriteString("\n| published | source | value | measured here | value | documents | tolerance | verdict |\n|---|---|---|---|---|---|---|---|\n")
	for _, c := range checks {
		fmt.Fprintf(b, "| %s | %s | %g | %s | %s | %d | ±%g | %s |\n", c.What, c.Source, c.Published, c.Here, resultCell(c.Measured), c.Documents, c.Tolerance, c.Words)
	}
	b.WriteString("\nThe same over each table alone:\n\n| check | table | value |\n|---|---|---|\n")
	for _, c := range checks {
		for _, t := range c.By {
			fmt.Fprintf(b, "| %s | %s | %s |\n", c.ID, t.Table, resultCell(t.Measured))
		}
	}
}
