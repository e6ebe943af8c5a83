package study

import (
	"fmt"
	"strings"

	"enterprisedocbench/stats"
)

// What can be said of a reported number.
const (
	Follows       = "follows"
	DoesNotFollow = "does not follow"
	CannotCheck   = "cannot be checked"
)

// Finding is one reported number held against what other reported numbers make of it.
type Finding struct {
	Claim  string `json:"claim"`         // the claim's id
	Row    string `json:"row,omitempty"` // the table's row, or the statistic
	Source string `json:"source"`
	What   string `json:"what"`
	Kind   string `json:"kind"` // correlation, composite, mean, ...

	Verdict string `json:"verdict"`
	Printed string `json:"printed"`
	// Value is what the printed numbers give as they stand; Lo and Hi bound it by their last digits.
	// Nil where there is nothing to compute or no such bound.
	Value *float64 `json:"value"`
	Lo    *float64 `json:"lo"`
	Hi    *float64 `json:"hi"`
	// Recomputed is the same for people, in the unit of Printed.
	Recomputed string `json:"recomputed"`
	Note       string `json:"note,omitempty"`
}

// Recompute computes every claim of a paper from the numbers it prints. A printed number stands for all
// values that round to it; a claim follows where what is printed and what is recomputed have a value
// in common, so that rounding alone is never an error. The verdicts stand in the order of the claims,
// those of a table's rows in the order of the rows.
func Recompute(p *Paper) []Finding {
	var out []Finding
	for i := range p.Claims {
		c := &p.Claims[i]
		for _, row := range c.rows {
			vs := c.check(p, row)
			for j := range vs {
				v := &vs[j]
				v.Claim, v.Source, v.What, v.Kind = c.ID, c.Source, c.What, c.kind
				v.Row = strings.TrimPrefix(strings.Join([]string{row, v.Row}, " "), " ")
				v.Row = strings.TrimSuffix(v.Row, " ")
				if c.Note != "" && v.Verdict == DoesNotFollow {
					v.Note = join(v.Note, c.Note)
				}
			}
			out = append(out, vs...)
		}
	}
	return out
}

// check gives the verdicts of a claim for one row; row is "" where the claim has no table. A row that
// lacks a value that the claim needs has none.
func (c *Claim) check(p *Paper, row string) []Finding {
	in := &inputs{paper: p, row: row}
	vs := c.body.check(in)
	switch {
	case in.absent != "" && row != "":
		return nil
	case in.absent != "":
		return []Finding{{Verdict: CannotCheck, Note: in.absent + " is not given"}}
	}
	return vs
}

// compared is the verdict on a printed number that should meet a recomputed one.
func compared(printed number, value float64, r stats.Range) Finding {
	v := Finding{Printed: printed.text, Verdict: DoesNotFollow}
	if printed.r.Meets(r) {
		v.Verdict = Follows
	}
	v.recomputed(printed, value, r)
	return v
}

// recomputed fills in what was computed, in the unit of the printed number.
func (v *Finding) recomputed(printed number, value float64, r stats.Range) {
	v.Value, v.Lo, v.Hi = finite(value), finite(r.Lo), finite(r.Hi)
	v.Recomputed = printed.like(value)
	lo, hi := printed.like(r.Lo), printed.like(r.Hi)
	if lo != hi {
		v.Recomputed += fmt.Sprintf(" (%s to %s)", lo, hi)
	}
}

func cannot(printed number, why string) Finding {
	return Finding{Printed: printed.text, Verdict: CannotCheck, Note: why}
}

func join(notes ...string) string {
	var out []string
	for _, n := range notes {
		if n != "" {
			out = append(out, n)
		}
	}
	return strings.Join(out, "; ")
}
