package ingest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	edb "enterprisedocbench"
)

// Group is rows that say the same, printed as one line.
type Group struct {
	Keys []string
	Row
}

// Groups joins rows that differ in their key alone, in the order of their first keys.
func (s *Sheet) Groups() []Group {
	var out []Group
	for _, r := range s.Rows {
		i := slices.IndexFunc(out, func(g Group) bool {
			return g.State == r.State && g.Note == r.Note && g.N == r.N && g.Needs == r.Needs
		})
		if i < 0 {
			out = append(out, Group{Row: r})
			i = len(out) - 1
		}
		out[i].Keys = append(out[i].Keys, r.Key)
	}
	return out
}

// Units prints n, "" where the row counts none.
func (r Row) Units() string {
	if r.N == 0 {
		return ""
	}
	return strconv.Itoa(r.N)
}

// Half prints the row's half-width.
func (r Row) Half() string { return Half(r.HalfWidth) }

// Half prints a half-width: "±.12"; "" where there is none.
func Half(h *float64) string {
	if h == nil {
		return ""
	}
	return "±" + strings.TrimPrefix(fmt.Sprintf("%.2f", *h), "0")
}

// fewDocuments is the number below which the intervals of a run resample documents and questions alike.
const fewDocuments = 10

// Lines says in words what was asked and how parsers agree.
func (s *Sheet) Lines() []string {
	var out []string
	add := func(format string, a ...any) { out = append(out, fmt.Sprintf(format, a...)) }
	q := s.Questions
	if k := q.Known; k != nil {
		add("questions: %d of %d synthetic known-item questions (%s)", k.Made, k.Asked, counts(k.ByKind))
		if len(k.Dropped) > 0 {
			add("  dropped candidates: %s", counts(k.Dropped))
		}
	} else {
		add("questions: %d of yours (%s); %d with an answer, %d with evidence", q.N, counts(q.ByModality), q.Answered, q.WithEvidence)
		if q.Loose > 0 {
			add("  %d quotes are not in the text of their page: the whole page stands for them", q.Loose)
		}
	}
	if s.Documents < fewDocuments {
		add("  few documents (%d): questions about one document are not independent, so intervals will be wide", s.Documents)
	}
	a := s.Agreement
	if a.Reason != "" {
		add("agreement of parsers: not measured: %s", a.Reason)
	}
	for i, p := range a.Pairs {
		if i == 0 {
			add("agreement of parsers (TIS of the same pages; agreement, not quality):")
		}
		add("  %s and %s: %s over %s, %s%s", p.A, p.B, number(p.TIS, p.Lo, p.Hi), edb.Count(p.Documents, "document"), edb.Count(p.Pages, "page"), failed(p.Failed))
	}
	for i, w := range a.Worst {
		if i == 0 {
			add("  they differ most on:")
		}
		add("    %q page %d: %.3f (%s and %s)", w.Doc, w.Page, w.TIS, w.A, w.B)
	}
	if n := len(a.NoText); n > 0 {
		add("pages without a text layer: %d (%s)", n, refs(a.NoText))
	}
	t := s.TextLayer
	switch {
	case t.Reason != "":
		add("text layer against OCR: %s", t.Reason)
	default:
		add("text layer against OCR (%s, %s%s): TIS %s", t.Engine, edb.Count(t.Pages, "page"), failed(t.Failed), number(t.TIS, t.Lo, t.Hi))
		for i, w := range t.Worst {
			if i == 0 {
				add("  lowest: the text layer says something else than the page shows, or OCR cannot read the page:")
			}
			add("    %q page %d: %.3f", w.Doc, w.Page, w.TIS)
		}
	}
	if len(t.Scanned) > 0 {
		add("scans: OCR reads text on %d of %s without a text layer that were tried (%s)", len(t.Scanned), edb.Count(t.NoText, "page"), refs(t.Scanned))
	}
	return out
}

func number(v, lo, hi *float64) string {
	switch {
	case v == nil:
		return "not measured"
	case lo == nil || hi == nil:
		return fmt.Sprintf("%.3f", *v)
	}
	return fmt.Sprintf("%.3f [%.2f, %.2f]", *v, *lo, *hi)
}

func failed(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d failed", n)
}

// refs names the first pages of a list.
func refs(list []PageRef) string {
	var out []string
	for i, r := range list {
		if i == 5 {
			out = append(out, "...")
			break
		}
		out = append(out, fmt.Sprintf("%q page %d", r.Doc, r.Page))
	}
	return strings.Join(out, ", ")
}
