package riker

import (
	"fmt"
	"maps"
	"slices"
)

// accept asks the truth and takes a question.
func (a *asker) accept(q Question) error {
	got, err := q.form.query(a.ctx, a.db, q.SQL)
	if err != nil {
		return fmt.Errorf("question %q (%s): %s: %w", q.Text, q.Template, q.SQL, err)
	}
	want := q.raw
	if want == notApplicable {
		want = nil
	}
	if want == nil && got != nil && q.Subtype == nearMiss {
		// A number or name that is one letter off may be another document's: in a large world that is
		// found here, where all of it is asked. The probe falls out.
		q.Absent = nil
	} else if !same(want, got) {
		return fmt.Errorf("question %q (%s): the records say %v, truth.sqlite says %v: %s", q.Text, q.Template, want, got, q.SQL)
	}
	if q.EvidenceSQL != "" {
		if err := a.sameEvidence(q); err != nil {
			return err
		}
		q.need = nil
	}
	a.texts[q.Text] = true
	if q.Answerable() {
		if way, first, two := twoWay(q); two {
			a.yes[way] += map[bool]int{true: 1, false: -1}[first]
		} else {
			k := [2]string{q.Template, answerKey(q)}
			if a.once[k] {
				a.twice++
			}
			a.once[k] = true
			a.known[answerKey(q)]++
		}
	}
	a.out = append(a.out, q)
	return nil
}

// sameEvidence holds a question's query of evidence against what its reading rests on.
func (a *asker) sameEvidence(q Question) error {
	r := &reading{facts: a.c, hashed: true}
	q.read(r)
	rows, err := a.db.QueryContext(a.ctx, q.EvidenceSQL)
	if err != nil {
		return fmt.Errorf("question %q (%s): %s: %w", q.Text, q.Template, q.EvidenceSQL, err)
	}
	defer rows.Close()
	total, sum := 0, uint64(0)
	for rows.Next() {
		var doc, field string
		if err := rows.Scan(&doc, &field); err != nil {
			return fmt.Errorf("question %q (%s): %w", q.Text, q.Template, err)
		}
		k, n := a.w.at(documentNumber(doc))
		total++
		sum += cellKey(k, n, field)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("question %q (%s): %w", q.Text, q.Template, err)
	}
	if total != r.total || sum != r.sum {
		return fmt.Errorf("question %q (%s): its answer rests on %d facts, its query of evidence gives %d or others: %s", q.Text, q.Template, r.total, total, q.EvidenceSQL)
	}
	return nil
}

// Templates lists the names of all templates, by level.
func Templates() []string {
	names := map[string]bool{}
	for _, p := range patterns {
		names[p.String()] = true
	}
	return slices.Sorted(maps.Keys(names))
}
