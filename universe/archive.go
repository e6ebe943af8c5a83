package universe

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	edb "enterprisedocbench"
)

// record is the printed facts of one document.
type record struct {
	doc, typ string
	facts    map[string]Mention // the first mention of each field
}

// archive is what a reader of all documents knows: printed facts, to be searched by what they say.
// It has no access to the world, so an answer found here is independent of the truth tables.
type archive struct {
	records []record
	by      map[[3]string][]int // type, field, printed value -> records
}

// newArchive files the printed facts of documents. A field printed with two values in one document
// is an error: the document would contradict itself.
func newArchive(docs []Document) (*archive, error) {
	a := &archive{by: map[[3]string][]int{}}
	for i, d := range docs {
		r := record{d.ID, d.Doctype, map[string]Mention{}}
		for _, m := range d.Mentions {
			if first, ok := r.facts[m.Field]; ok {
				if first.Value != m.Value {
					return nil, fmt.Errorf("document %s prints %s as %q and as %q", d.ID, m.Field, first.Value, m.Value)
				}
				continue
			}
			r.facts[m.Field] = m
			k := [3]string{r.typ, m.Field, m.Value}
			a.by[k] = append(a.by[k], i)
		}
		a.records = append(a.records, r)
	}
	return a, nil
}

// reading answers one question from an archive and notes what it read. The first error sticks.
type reading struct {
	a        *archive
	evidence []edb.Evidence
	err      error
	took     [2]string // type and field that were read last
	// see, where set, gives the fact of a document in place of the archive's first mention of it.
	see func(doc, field string) (Mention, bool)
}

// find reads field want in the only document of a type whose field says value. More than one
// document, or none, is an error: the question would have no single answer.
func (r *reading) find(typ, field, value, want string) string {
	if r.err != nil {
		return ""
	}
	hits := r.a.by[[3]string{typ, field, value}]
	if len(hits) != 1 {
		r.err = fmt.Errorf("%d documents of type %s say %s is %q, not one", len(hits), typ, field, value)
		return ""
	}
	return r.take(r.a.records[hits[0]], want)
}

// any is find where several documents may say value, but all must agree on want; the first is read.
func (r *reading) any(typ, field, value, want string) string {
	if r.err != nil {
		return ""
	}
	hits := r.a.by[[3]string{typ, field, value}]
	if len(hits) == 0 {
		r.err = fmt.Errorf("no document of type %s says %s is %q", typ, field, value)
		return ""
	}
	for _, h := range hits[1:] {
		if got, first := r.a.records[h].facts[want].Value, r.a.records[hits[0]].facts[want].Value; got != first {
			r.err = fmt.Errorf("documents of type %s where %s is %q disagree on %s: %q and %q", typ, field, value, want, first, got)
			return ""
		}
	}
	return r.take(r.a.records[hits[0]], want)
}

func (r *reading) take(rec record, want string) string {
	m, ok := rec.facts[want]
	if r.see != nil {
		m, ok = r.see(rec.doc, want)
	}
	r.took = [2]string{rec.typ, want}
	if !ok {
		r.err = fmt.Errorf("document %s does not print %s", rec.doc, want)
		return ""
	}
	for _, e := range r.evidence {
		if e.Doc == m.Evidence.Doc && e.Page == m.Evidence.Page && e.Start == m.Evidence.Start && e.End == m.Evidence.End {
			return m.Value
		}
	}
	r.evidence = append(r.evidence, m.Evidence)
	return m.Value
}

// number reads a printed number: $1,234, (56), 7.5% or 12.
func (r *reading) number(printed string) float64 {
	s := strings.NewReplacer("$", "", ",", "", "%", "").Replace(printed)
	neg := strings.HasPrefix(s, "(")
	v, err := strconv.ParseFloat(strings.Trim(s, "()"), 64)
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("%q is no number", printed)
	}
	if neg {
		v = -v
	}
	return v
}

// date reads a printed date as an ISO date.
func (r *reading) date(printed string) string {
	d, err := time.Parse("January 2, 2006", printed)
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("%q is no date", printed)
	}
	return d.Format(time.DateOnly)
}
