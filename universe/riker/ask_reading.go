package riker

import (
	"cmp"
	"slices"

	"enterprisedocbench/universe/keyed"
)

// cell is one field of one document.
type cell struct {
	kind  Kind
	n     int32
	field string
}

// reading answers one question from facts. It notes the cells that the answer rests on, and the
// figures that it is worked out from: how many documents went into a count or total, the two sides
// of a comparison. Where a document or a field that is needed is missing, or two candidates are
// equal, the answer is undefined.
type reading struct {
	facts
	need      []cell // at most limit
	limit     int
	total     int    // of cells
	sum       uint64 // of the cells' keys, when hashed: a fingerprint of the set
	hashed    bool
	work      []value
	undefined bool
}

// note takes down fields of a document.
func (r *reading) note(k Kind, n int32, fields ...string) {
	for _, f := range fields {
		r.total++
		if len(r.need) < r.limit {
			r.need = append(r.need, cell{k, n, f})
		}
		if r.hashed {
			r.sum += cellKey(k, int(n), f)
		}
	}
}

func cellKey(k Kind, n int, field string) uint64 {
	return keyed.Key(uint64(k), field, n)
}

// say reads a field that must be there.
func (r *reading) say(k Kind, n int32, field string) value {
	if r.undefined {
		return 0
	}
	v, ok := r.get(k, n, field)
	if !ok {
		r.undefined = true
		return 0
	}
	r.note(k, n, field)
	return v
}

// amount, day and words are say for numbers, dates and texts.
func (r *reading) amount(k Kind, n int32, field string) float64 {
	return float64(r.say(k, n, field)) / 100
}

func (r *reading) day(k Kind, n int32, field string) Date { return dateOf(r.say(k, n, field)) }

func (r *reading) words(k Kind, n int32, field string) string {
	v := r.say(k, n, field)
	if r.undefined {
		return ""
	}
	return r.text(v)
}

// chosen are documents of a type, and the fields by which they were chosen.
type chosen struct {
	r      *reading
	kind   Kind
	rows   []int32
	fields []string
}

// of chooses the documents that print a text in a field.
func (r *reading) of(k Kind, field, s string) chosen {
	return chosen{r, k, r.having(k, field, r.code(s)), []string{field}}
}

// whole chooses all documents of a type.
func (r *reading) whole(k Kind) chosen { return chosen{r, k, r.every(k), nil} }

// with keeps the documents whose field is there and passes.
func (c chosen) with(field string, pass func(value) bool) chosen {
	var rows []int32
	for _, n := range c.rows {
		if v, ok := c.r.get(c.kind, n, field); ok && pass(v) {
			rows = append(rows, n)
		}
	}
	c.rows = rows
	return c.naming(field)
}

// saying keeps the documents that print a text in a field.
func (c chosen) saying(field, s string) chosen {
	want := c.r.code(s)
	return c.with(field, func(v value) bool { return v == want })
}

// lacking keeps the documents in which a field is missing.
func (c chosen) lacking(field string) chosen {
	var rows []int32
	for _, n := range c.rows {
		if _, ok := c.r.get(c.kind, n, field); !ok {
			rows = append(rows, n)
		}
	}
	c.rows = rows
	return c
}

func there(value) bool { return true }

func from(d Date) func(value) bool  { t := dateValue(d); return func(v value) bool { return v >= t } }
func until(d Date) func(value) bool { t := dateValue(d); return func(v value) bool { return v <= t } }
func between(a, b Date) func(value) bool {
	x, y := dateValue(a), dateValue(b)
	return func(v value) bool { return v >= x && v <= y }
}
func atLeast(x float64) func(value) bool {
	t := numberValue(x)
	return func(v value) bool { return v >= t }
}
func above(x float64) func(value) bool {
	t := numberValue(x)
	return func(v value) bool { return v > t }
}

// naming adds a field to the reasons for which documents are chosen.
func (c chosen) naming(field string) chosen {
	if !slices.Contains(c.fields, field) {
		c.fields = append(slices.Clone(c.fields), field)
	}
	return c
}

// noted takes down why each document was chosen.
func (c chosen) noted() chosen {
	for _, n := range c.rows {
		c.r.note(c.kind, n, c.fields...)
	}
	c.fields = nil
	return c
}

// one is the only document; more or none: undefined.
func (c chosen) one() int32 {
	if len(c.rows) != 1 {
		c.r.undefined = true
		return 0
	}
	c.noted()
	return c.rows[0]
}

// first is the first of documents that agree on what is asked: a witness.
func (c chosen) first() int32 {
	if len(c.rows) == 0 {
		c.r.undefined = true
		return 0
	}
	c.rows = c.rows[:1]
	return c.one()
}

// count is how many there are.
func (c chosen) count() float64 {
	c.noted()
	c.r.work = append(c.r.work, value(len(c.rows)))
	return float64(len(c.rows))
}

// sum adds a field up, which all of them must have.
func (c chosen) sum(field string) float64 {
	if !slices.Contains(c.fields, field) {
		c = c.with(field, there).all(len(c.rows))
	}
	c.noted()
	var sum value
	for _, n := range c.rows {
		v, _ := c.r.get(c.kind, n, field)
		sum += v
	}
	c.r.work = append(c.r.work, value(len(c.rows)), sum)
	return float64(sum) / 100
}

// all makes the reading undefined unless there are as many.
func (c chosen) all(n int) chosen {
	c.r.undefined = c.r.undefined || len(c.rows) != n
	return c
}

// mean is the average of a field; undefined where it has more than two decimals.
func (c chosen) mean(field string) float64 {
	cents := value(c.sum(field)*100 + .5)
	n := value(len(c.rows))
	if n == 0 || cents%n != 0 {
		c.r.undefined = true
		return 0
	}
	return float64(cents/n) / 100
}

// longest is the number of different texts above which they are not gathered.
const longest = 2000

// different lists the different texts of a field, in order; each from one witness.
func (c chosen) different(field string) []string {
	c = c.naming(field)
	seen := map[value]bool{}
	var out []string
	for _, n := range c.rows {
		v, ok := c.r.get(c.kind, n, field)
		if !ok || seen[v] {
			continue
		}
		seen[v] = true
		out = append(out, c.r.text(v))
		c.r.note(c.kind, n, c.fields...)
		if len(out) > longest {
			c.r.undefined = true
			return nil
		}
	}
	slices.Sort(out)
	return out
}

// top is the document in which a field is highest (sign 1) or lowest (-1); equals: undefined.
func (c chosen) top(field string, sign value) int32 {
	if len(c.rows) == 0 {
		c.r.undefined = true
		return 0
	}
	if !slices.Contains(c.fields, field) {
		c = c.with(field, there).all(len(c.rows))
	}
	c.noted()
	if len(c.rows) == 0 {
		return 0
	}
	best, ties := c.rows[0], 0
	v, _ := c.r.get(c.kind, best, field)
	v *= sign
	for _, n := range c.rows {
		x, _ := c.r.get(c.kind, n, field)
		x *= sign
		switch {
		case x > v:
			best, v, ties = n, x, 1
		case x == v:
			ties++
		}
	}
	c.r.work = append(c.r.work, value(len(c.rows)))
	if ties > 1 {
		c.r.undefined = true
	}
	return best
}

// most is the text of a field with the largest sum of another (with "": of documents); equals:
// undefined.
func (c chosen) most(group, field string) string {
	c = c.naming(group)
	sums := map[value]value{}
	var rows []int32
	for _, n := range c.rows {
		g, ok := c.r.get(c.kind, n, group)
		if !ok {
			continue
		}
		rows = append(rows, n)
		if field == "" {
			sums[g] += 100
		} else if v, ok := c.r.get(c.kind, n, field); ok {
			sums[g] += v
		} else {
			c.r.undefined = true
		}
	}
	if field != "" {
		c = c.naming(field)
	}
	c.rows = rows
	c.noted()
	type entry struct{ group, sum value }
	var list []entry
	for g, s := range sums {
		list = append(list, entry{g, s})
	}
	slices.SortFunc(list, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.sum, a.sum), cmp.Compare(c.r.text(a.group), c.r.text(b.group)))
	})
	c.r.work = append(c.r.work, value(len(rows)))
	for _, e := range list {
		c.r.work = append(c.r.work, e.sum)
	}
	if len(list) < 2 || list[0].sum == list[1].sum {
		c.r.undefined = true
		return ""
	}
	return c.r.text(list[0].group)
}
