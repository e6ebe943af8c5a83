package riker

import (
	"math/rand/v2"
	"time"

	edb "enterprisedocbench"

	"enterprisedocbench/universe/keyed"
	"enterprisedocbench/universe/press"
)

// Story writes document n of a type: the template of its type and style (RIKER section 3.1.3), with
// the order of sections, the wording of each sentence and the filler drawn by the world's seed. Every
// fact of the record is stated at least once, printed as Facts has it; what the record does not have
// is not spoken of. Charts are left out of Markdown and text, which cannot draw them.
func (w *World) Story(k Kind, n int) press.Story {
	rec := w.Record(k, n)
	return w.tell(k, n, rec, w.values(rec, w.style(k, n)), w.format(w.number(k, n)))
}

// tell is Story for a record, its values and the form in which it will be printed.
func (w *World) tell(k Kind, n int, rec Record, v values, format string) press.Story {
	t := textTemplates()[k][w.style(k, n)]
	key := keyed.Key(w.Seed, storyKeys[k], n)
	a := teller{values: v, key: key, draws: format == "pdf" || format == "pdf-2col" || format == "html", narrow: format == "pdf-2col"}
	if t.filler > 0 {
		a.fillers = keyed.NewPermutation(t.filler, key)
		// The share of a document's filler is met over many documents, not rounded in each.
		a.filled = int(w.Filler*float64(t.filler) + float64(key>>11)/(1<<53))
	}
	s := press.Story{ID: w.DocID(k, n), Title: a.say(&t.title), Author: a.say(&t.author), Made: writtenOn(rec), Head: a.say(&t.head), Foot: a.say(&t.foot), Look: looks[k]}
	var order [32]int
	for _, i := range a.arranged(t, order[:0]) {
		s.Blocks = a.section(s.Blocks, &t.sections[i])
	}
	return s
}

// looks are the typography of each type.
var looks = [Kinds]press.Look{
	Leases:     {Serif: true, Size: 10.6, Accent: press.RGB{38, 50, 82}, Tint: press.RGB{228, 232, 241}},
	Reports:    {Size: 9.8, Accent: press.RGB{12, 96, 92}, Tint: press.RGB{222, 240, 237}},
	Reviews:    {Size: 10, Accent: press.RGB{88, 48, 104}, Tint: press.RGB{238, 230, 242}},
	Invoices:   {Size: 10, Accent: press.RGB{150, 78, 14}, Tint: press.RGB{248, 236, 222}},
	Statements: {Size: 9.8, Accent: press.RGB{120, 44, 62}, Tint: press.RGB{245, 230, 233}},
	Handbooks:  {Serif: true, Size: 10.4, Accent: press.RGB{30, 84, 44}, Tint: press.RGB{227, 240, 230}},
}

// storyKeys are the purposes of the draws of each type.
var storyKeys = func() (out [Kinds]string) {
	for k := range out {
		out[k] = "story-" + Kind(k).String()
	}
	return out
}()

// writtenOn is the day on which a record's document was written.
func writtenOn(rec Record) time.Time {
	switch r := rec.(type) {
	case Lease:
		return r.Signed.Time()
	case Report:
		return r.Date.Time()
	case Review:
		return r.Date.Time()
	case Invoice:
		return r.Date.Time()
	case Statement:
		return r.Approved.Time()
	case Handbook:
		return r.InForce.Time()
	}
	return time.Time{}
}

// teller writes one document.
type teller struct {
	values
	key      uint64
	draws    bool // charts
	narrow   bool // its columns have no room for labels side by side
	fillers  keyed.Permutation
	filled   int // how many of the filler lines are printed
	headings int
	tables   int
	figures  int
	buf      []byte // of the text that is being written
}

// arranged is the order of the sections: each run of neighbours that may change places is shuffled.
func (a *teller) arranged(t *textTemplate, order []int) []int {
	for i := range t.sections {
		order = append(order, i)
	}
	var p rand.PCG
	p.Seed(a.key, 1<<32)
	for i := 0; i < len(order); i++ {
		from := i
		for i < len(order) && !t.sections[i].fixed {
			i++
		}
		for j := i - 1; j > from; j-- {
			x := from + int(p.Uint64()%uint64(j-from+1))
			order[j], order[x] = order[x], order[j]
		}
	}
	return order
}

func (a *teller) wanted(l *sentence) bool {
	if l.filler > 0 && a.fillers.At(l.filler-1) >= a.filled {
		return false
	}
	return l.need == "" || (a.get(l.need) == nil) == l.not
}

// section appends the blocks of a section, with its heading where it has any.
func (a *teller) section(out []press.Block, s *textSection) []press.Block {
	if s.heading.wordings != nil && !a.wanted(&s.heading) {
		return out
	}
	heading := len(out)
	if s.heading.wordings != nil {
		out = append(out, press.Block{Kind: edb.KindHeading, Level: 2})
	}
	first := len(out)
	for i := range s.blocks {
		out = a.block(out, &s.blocks[i])
	}
	if len(out) == first {
		return out[:heading]
	}
	if heading < first {
		a.headings++
		out[heading].Text = a.numbered(&s.heading, a.headings)
	}
	return out
}

func (a *teller) block(out []press.Block, b *textBlock) []press.Block {
	switch b.kind {
	case edb.KindTable, edb.KindFigure:
		l := &b.lines[0]
		if !a.wanted(l) || b.kind == edb.KindFigure && !a.draws {
			return out
		}
		if b.kind == edb.KindFigure {
			if c := a.chart(b); c != nil {
				out = append(out, press.Block{Kind: b.kind, Chart: c})
			}
			return out
		}
		return append(out, press.Block{Kind: b.kind, Table: a.table(b)})
	}
	a.buf = a.buf[:0]
	for i := range b.lines {
		if l := &b.lines[i]; a.wanted(l) {
			if len(a.buf) > 0 {
				a.buf = append(a.buf, ' ')
			}
			a.write(l)
		}
	}
	if len(a.buf) == 0 {
		return out
	}
	return append(out, press.Block{Kind: b.kind, Text: string(a.buf)})
}

func (a *teller) table(b *textBlock) *press.Table {
	t := &press.Table{}
	if len(b.lines[0].wordings[0]) > 0 {
		a.tables++
		t.Caption = a.numbered(&b.lines[0], a.tables)
	}
	for i := range b.head {
		t.Header = append(t.Header, a.say(&b.head[i]))
	}
	for i := range b.rows {
		r := &b.rows[i]
		if !a.wanted(&r.sentence) {
			continue
		}
		cells := make([]string, len(r.cells))
		for c := range r.cells {
			cells[c] = a.say(&r.cells[c])
		}
		if r.total {
			t.Bold = append(t.Bold, len(t.Rows))
		}
		t.Rows = append(t.Rows, cells)
	}
	if b.head != nil {
		t.Right = make([]bool, len(b.head))
		for c := 1; c < len(t.Right); c++ {
			t.Right[c] = true
		}
	}
	return t
}

// chart is nil where there are not two values to compare.
func (a *teller) chart(b *textBlock) *press.Chart {
	c := &press.Chart{Kind: b.chart}
	if a.narrow {
		c.Kind = press.Bars
	}
	for i := range b.rows {
		r := &b.rows[i]
		if !a.wanted(&r.sentence) {
			continue
		}
		c.Labels = append(c.Labels, a.say(&r.cells[0]))
		c.Values = append(c.Values, a.get(r.need).Number)
		c.Printed = append(c.Printed, a.say(&r.cells[1]))
	}
	if len(c.Labels) < 2 {
		return nil
	}
	a.figures++
	c.Caption = a.numbered(&b.lines[0], a.figures)
	return c
}
