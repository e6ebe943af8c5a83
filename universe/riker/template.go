package riker

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	edb "enterprisedocbench"
)

// pattern is a template of questions. Its SQL and its reading share nothing but the parameters that
// make draws: the one asks the tables of truth.sqlite, the other reads facts as documents print them.
type pattern struct {
	name    string
	level   string // L01 to L12 (RIKER section 3.3)
	kinds   []Kind // types of documents that a world must have for it, the one it asks about first
	subtype string // of a probe
	list    bool   // asks for a list with sources
	one     *one   // what it asks a single document for
	make    func(a *asker, r *rand.Rand) (proposal, bool)
}

// proposal is a question that may be asked.
type proposal struct {
	text     string // without the instruction
	form     form
	sql      string
	evidence string // SQL of (doc, field), for answers that rest on very many pieces
	read     func(*reading) any
	doc      *docName // the single document that is asked; nil: none or many
	// Of probes.
	probe           edb.Probe
	absent, present []string
}

// String is how the pattern is named in records: L03-lease-parking_fee.
func (p pattern) String() string { return p.level + "-" + p.name }

// has says whether a world has the documents that a pattern asks about.
func (p pattern) has(w *World) bool {
	return !slices.ContainsFunc(p.kinds, func(k Kind) bool { return w.Counts[k] == 0 })
}

// patterns are all templates.
var patterns = slices.Concat(directPatterns, indirectPatterns, optionalPatterns, complexPatterns, countPatterns, sumPatterns,
	comparePatterns, listPatterns, hopPatterns, timePatterns, sourcePatterns, absentPatterns, missingPatterns)

// one is what a question asks a document for. ask has a place for the document's name, and sql is an
// expression over its row t.
type one struct {
	form     form
	ask, sql string
	read     func(*reading, int32) any
}

// single asks one document, which it names in some way, for something.
func single(name, level string, k Kind, f form, ask, sql string, read func(*reading, int32) any) pattern {
	o := one{f, ask, sql, read}
	return pattern{name: name, level: level, kinds: []Kind{k}, one: &o, make: func(a *asker, r *rand.Rand) (proposal, bool) {
		return o.of(a.w.name(k, a.draw(k, r), r)), true
	}}
}

func (o one) of(d docName) proposal { return singleOf(d, o.form, o.ask, o.sql, o.read) }

func singleOf(d docName, f form, ask, sql string, read func(*reading, int32) any) proposal {
	return proposal{doc: &d, text: fmt.Sprintf(ask, d.say), form: f, sql: fmt.Sprintf("SELECT %s FROM %s t WHERE %s", sql, tableOf[d.kind], d.where),
		read: func(r *reading) any {
			n := d.find(r)
			if r.undefined {
				return nil
			}
			return read(r, n)
		}}
}

// cellOf reads a field of a document as what the form wants.
func cellOf(k Kind, f form, field string) func(*reading, int32) any {
	return func(r *reading, n int32) any {
		switch f.typ {
		case "number":
			return r.amount(k, n, field)
		case "date":
			return r.day(k, n, field).ISO()
		}
		return r.words(k, n, field)
	}
}

// rowsOf is a choice of documents of a type in SQL.
type rowsOf struct {
	kind  Kind
	where string // over the table as t
}

func (q rowsOf) from() string { return "FROM " + tableOf[q.kind] + " t WHERE " + q.where }

func (q rowsOf) selects(expression string) string { return "SELECT " + expression + " " + q.from() }

// evidence is the query of the cells that an answer rests on: fields of all chosen documents.
func (q rowsOf) evidence(fields ...string) string {
	var parts []string
	for _, f := range fields {
		parts = append(parts, "SELECT t.doc AS doc, "+lit(f)+" AS field "+q.from())
	}
	return strings.Join(parts, " UNION ALL ")
}

// bareName is the name of a company without its legal form.
func bareName(name string) string {
	i := strings.LastIndexByte(name, ' ')
	if i > 0 && (name[i+1:] == "LLC" || slices.Contains(firmForms, name[i+1:])) {
		return name[:i]
	}
	return name
}

func bareNames(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = bareName(n)
	}
	slices.Sort(out)
	return out
}

// listed is a list as an answer: two items or more.
func listed(items []string) any {
	if len(items) < 2 {
		return nil
	}
	slices.Sort(items)
	return items
}

// quarterOf, halfOf and monthOf are the periods of a day.
func quarterOf(d Date) Quarter { return Quarter(4*d.Year() + (int(d.Time().Month())-1)/3) }

func halfOf(d Date) Half { return Half(2*d.Year() + (int(d.Time().Month())-1)/6) }

func monthOf(d Date) (name string, first, last Date) {
	first = NewDate(d.Year(), int(d.Time().Month()), 1)
	return d.Time().Format("January 2006"), first, first.AddMonths(1).AddDays(-1)
}

func days(a, b Date) float64 { return b.Time().Sub(a.Time()).Hours() / 24 }

func sprint(format string, args ...any) string { return fmt.Sprintf(format, args...) }

func sprint2(format, a, b string) string { return fmt.Sprintf(format, a, b) }

// lower makes a label part of a sentence.
func lower(s string) string { return strings.ToLower(s) }

// scanQuarter reads Q3 2025.
func scanQuarter(s string, q, y *int) bool {
	n, err := fmt.Sscanf(s, "Q%d %d", q, y)
	return err == nil && n == 2
}
