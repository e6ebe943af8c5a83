package riker

import (
	"fmt"
	"math"
	"slices"
)

// A value is what a fact says, as a whole number: hundredths of a number, the days of a date since
// 1970, the code of a text.
type value = int64

const dayValue = 86400

// numberValue is a number with at most two decimals as a value.
func numberValue(v float64) value { return value(math.Round(v * 100)) }

func dateOf(v value) Date { return NewDate(1970, 1, 1).AddDays(int(v)) }

func dateValue(d Date) value { return d.Time().Unix() / dayValue }

// facts is what a reader knows: documents by type and number, and what they print. columns knows all
// of the world's records, seen what stands in some pieces of evidence.
type facts interface {
	// having lists, by number, the documents of a type that print v in a field.
	having(k Kind, field string, v value) []int32
	// every lists the documents of a type by number.
	every(k Kind) []int32
	// get is what document n of a type says in a field; false: it does not say.
	get(k Kind, n int32, field string) (value, bool)
	// code is the value of a text, text its inverse.
	code(s string) value
	text(v value) string
}

// inColumns are the fields that are asked of many documents at once, by type. What else a question
// needs of a few documents is computed from their records.
var inColumns = [Kinds][]string{
	Leases:     {"lessor", "lessee", "building", "agent", "area", "signed", "start", "end", "monthly", "deposit", "notice_days", "parking_fee", "signage_fee", "pet_deposit", "break_fee", "renewal_years"},
	Reports:    {"agent", "territory", "manager", "customer", "visit", "date", "stage", "probability", "value", "attendees", "next_step", "next_date", "competitor", "budget", "discount", "concern"},
	Reviews:    {"employee", "territory", "manager", "period", "date", "overall", "deals_won", "value_won", "days_absent", "hired", "title", "raise", "training", "promotion", "bonus"},
	Invoices:   {"customer", "date", "due", "subtotal", "tax_rate", "total", "discount"},
	Statements: {"company", "quarter", "revenue", "operating", "cash", "headcount", "approved", "dividend", "covenant"},
	Handbooks:  {"territory", "edition"},
}

// silent is the value of a field that a document does not print.
const silent = math.MinInt32

type fieldColumn struct {
	values []int32
	// rows lists the documents by value, first[v] and first[v+1] bound those of code v; nil until a
	// question looks a text up.
	rows, first []int32
}

// columns holds the facts of all records in one 32-bit number each, gathered in one pass.
type columns struct {
	w     *World
	codes map[string]int32
	texts []string
	cols  [Kinds]map[string]*fieldColumn
	types [Kinds]map[string]string // of fields: text, number or date

	lastKind Kind
	lastN    int32
	last     []Fact
}

// gather reads all records once.
func (w *World) gather(stop func() error) (*columns, error) {
	c := &columns{w: w, codes: map[string]int32{}, lastN: -1}
	for k := range Kinds {
		c.cols[k], c.types[k] = map[string]*fieldColumn{}, map[string]string{}
		for _, f := range inColumns[k] {
			v := make([]int32, w.Counts[k])
			for i := range v {
				v[i] = silent
			}
			c.cols[k][f] = &fieldColumn{values: v}
		}
		for n := range w.Counts[k] {
			if n%1024 == 0 {
				if err := stop(); err != nil {
					return nil, err
				}
			}
			for _, f := range w.Record(k, n).Facts(Formal) {
				c.types[k][f.Field] = f.Type
				col, ok := c.cols[k][f.Field]
				if !ok {
					continue
				}
				v := c.of(f)
				if v <= silent || v > math.MaxInt32 {
					return nil, fmt.Errorf("%s %d: %s %s does not fit a column", k, n, f.Field, f.Printed)
				}
				col.values[n] = int32(v)
			}
		}
	}
	return c, nil
}

// of is the value of a fact.
func (c *columns) of(f Fact) value {
	switch f.Type {
	case "number":
		return numberValue(f.Number)
	case "date":
		return isoValue(f.Text)
	}
	return c.code(f.Text)
}

func (c *columns) code(s string) value {
	v, ok := c.codes[s]
	if !ok {
		v = int32(len(c.texts))
		c.codes[s] = v
		c.texts = append(c.texts, s)
	}
	return value(v)
}

func (c *columns) text(v value) string { return c.texts[v] }

func (c *columns) every(k Kind) []int32 {
	out := make([]int32, c.w.Counts[k])
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

func (c *columns) having(k Kind, field string, v value) []int32 {
	col, ok := c.cols[k][field]
	if !ok { // documents of few numbers, or a world of few documents
		return slices.DeleteFunc(c.every(k), func(n int32) bool { got, ok := c.get(k, n, field); return !ok || got != v })
	}
	if col.first == nil {
		col.index(len(c.texts))
	}
	if int(v)+1 >= len(col.first) {
		return nil
	}
	return col.rows[col.first[v]:col.first[v+1]]
}

// index sorts the documents by value, of which there are n.
func (c *fieldColumn) index(n int) {
	c.first = make([]int32, n+1)
	for _, v := range c.values {
		if v != silent {
			c.first[v+1]++
		}
	}
	for v := range n {
		c.first[v+1] += c.first[v]
	}
	at := slices.Clone(c.first)
	c.rows = make([]int32, c.first[n])
	for i, v := range c.values {
		if v != silent {
			c.rows[at[v]] = int32(i)
			at[v]++
		}
	}
}

func (c *columns) get(k Kind, n int32, field string) (value, bool) {
	if col, ok := c.cols[k][field]; ok {
		v := col.values[n]
		return value(v), v != silent
	}
	if c.lastKind != k || c.lastN != n {
		c.lastKind, c.lastN, c.last = k, n, c.w.Record(k, int(n)).Facts(Formal)
	}
	for _, f := range c.last {
		if f.Field == field {
			return c.of(f), true
		}
	}
	return 0, false
}
