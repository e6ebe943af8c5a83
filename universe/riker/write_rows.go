package riker

import (
	"cmp"
	"encoding/json"
	"enterprisedocbench/universe"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// documentRows are the rows of a document itself: its own, what it leaves out, and, where places is set,
// where it prints its facts.
func (w *World) documentRows(d Document, tokens int, places bool) []row {
	out := make([]row, 0, 1+len(d.Printed.Mentions))
	out = append(out, row{"documents", []any{d.ID, d.Kind.String(), d.N, string(d.Format), d.Style.String(), d.Title, max(d.Pages, 1), orNull(tokens)}})
	if places {
		out = append(out, placeRows(d)...)
	}
	there := map[string]bool{}
	for _, m := range d.Printed.Mentions {
		there[m.Field] = true
	}
	for _, c := range Clauses[d.Kind] {
		if there[c.Field] {
			continue
		}
		for _, p := range c.Phrases {
			out = append(out, row{"absences", []any{d.ID, c.Field, p, "clause", nil}})
		}
	}
	return out
}

// placeRows are the rows of renderings, in the order of their key.
func placeRows(d Document) []row {
	ps := placesOf(d)
	out := make([]row, len(ps))
	for i, p := range ps {
		out[i] = row{"renderings", append(append([]any{d.ID, p.Field, p.N, p.Value, p.Page, p.Start, p.End}, universe.Corners(p.Box)...), p.Quote)}
	}
	return out
}

// placesOf lists the places of a document's facts by field, and those of a field in reading order.
func placesOf(d Document) []Place {
	out := make([]Place, len(d.Printed.Mentions))
	for i, m := range d.Printed.Mentions {
		out[i] = Place{Field: m.Field, Value: m.Value, Evidence: m.Evidence}
	}
	slices.SortStableFunc(out, func(a, b Place) int { return cmp.Compare(a.Field, b.Field) })
	for i := range out {
		out[i].N = 1
		if i > 0 && out[i-1].Field == out[i].Field {
			out[i].N = out[i-1].N + 1
		}
	}
	return out
}

// questionRows are the rows of a question: its own, its evidence, and the words that a probe asks for.
func questionRows(q Question) []row {
	var typ, answer, value, unit any
	if a := q.Answer; a != nil {
		typ, unit = a.Type, orNull(a.Unit)
		answer, value = answerColumns(a.Value)
	}
	var depth any
	if q.Answer != nil && !math.IsNaN(q.Depth) {
		depth = q.Depth
	}
	out := []row{{"questions", []any{q.ID, q.Level, q.Template, q.Text, q.Modality, orNull(q.Subtype), orNull(q.Task), orNull(q.Domain), typ, answer, value, unit, orNull(q.SQL), orNull(q.EvidenceSQL), depth}}}
	for i, e := range q.Evidence {
		out = append(out, row{"evidence", append(append([]any{q.ID, i + 1, e.Doc, e.Page, e.Start, e.End}, universe.Corners(e.Box)...), e.Quote)})
	}
	if p := q.Probe; p != nil {
		for _, phrase := range q.Absent {
			out = append(out, row{"absences", []any{orNull(p.Doc), cmp.Or(p.Field, p.Entity), phrase, "probe", q.ID}})
		}
	}
	return out
}

// answerColumns are an answer's text and number: yes and no have the numbers 1 and 0, a set is a list
// in JSON.
func answerColumns(v any) (text, number any) {
	switch v := v.(type) {
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), v
	case bool:
		if v {
			return "yes", 1.0
		}
		return "no", 0.0
	case string:
		return v, nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v), nil
	}
	return string(b), nil
}
