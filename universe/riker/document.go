package riker

import (
	"fmt"
	"strconv"

	edb "enterprisedocbench"

	"enterprisedocbench/universe/press"
)

// Document is one printed document of a world with everything that is known about it.
type Document struct {
	edb.Document
	Kind    Kind
	N       int // among the documents of its kind
	Style   Style
	Format  press.Format
	Printed press.Printed
}

// domains are the fields of business of the types of documents.
var domains = [Kinds]string{Leases: "legal", Reports: "sales", Reviews: "hr", Invoices: "finance", Statements: "finance", Handbooks: "policy"}

// Document prints document id, counted from 0 in the corpus, in its format: alone and with the same
// bytes as in the whole corpus. It proves that each fact of the record is mentioned with exactly its
// printed value and that nothing else is; it fails where that does not hold, where id is not in the
// corpus, or where the press cannot print a text. SHA256 is left to who writes the file.
func (w *World) Document(id int) (Document, error) {
	if id < 0 || id >= w.Documents() {
		return Document{}, fmt.Errorf("document %d: the corpus has documents 0 to %d", id, w.Documents()-1)
	}
	k, n := w.at(id)
	d := Document{Kind: k, N: n, Style: w.style(k, n), Format: press.Format(w.format(id))}
	rec := w.Record(k, n)
	v := w.values(rec, d.Style)
	story := w.tell(k, n, rec, v, string(d.Format))
	var err error
	if d.Printed, err = press.Print(story, d.Format); err != nil {
		return Document{}, err
	}
	if err := v.stated(d.Printed.Mentions); err != nil {
		return Document{}, fmt.Errorf("document %s: %w", story.ID, err)
	}
	d.Document = edb.Document{ID: story.ID, Path: story.ID + d.Printed.Ext, Bytes: int64(len(d.Printed.Content)), MIME: d.Printed.MIME,
		Title: story.Title, Domain: domains[k], Doctype: k.String(), Lang: "en", Split: "test", Gold: "generated",
		Source: &edb.Origin{Name: "RIKER universe, seed " + strconv.FormatUint(w.Seed, 10), ID: strconv.Itoa(id)},
		Licence: edb.Licence{SPDX: "CC0-1.0", Redistribute: true, Derivatives: true, Commercial: true,
			Evidence: "made by the universe generator of EnterpriseDocBench"},
		Layout: &edb.Layout{Columns: 1}}
	if d.Printed.Gold.Paged {
		d.Pages = len(d.Printed.Gold.Pages)
	}
	if d.Format == press.PDFTwoColumn {
		d.Layout.Columns = 2
	}
	for _, e := range d.Printed.Gold.Elements {
		switch e.Kind {
		case edb.KindTable:
			d.Layout.Tables++
		case edb.KindFigure:
			d.Layout.Figures++
		}
	}
	return d, nil
}

// Text is document id as plain text, whatever its format: what token budgets count.
func (w *World) Text(id int) (string, error) {
	k, n := w.at(id)
	rec := w.Record(k, n)
	p, err := press.Print(w.tell(k, n, rec, w.values(rec, w.style(k, n)), string(press.Text)), press.Text)
	return string(p.Content), err
}

// stated proves that mentions state the facts, each at least once and as it is printed, and nothing
// else.
func (v *values) stated(mentions []press.Mention) error {
	var space [96]bool
	seen := space[:0]
	seen = append(seen, make([]bool, len(v.facts))...)
	for i := range mentions {
		m := &mentions[i]
		at := -1
		for j := range v.facts {
			if v.facts[j].Field == m.Field {
				at = j
				break
			}
		}
		switch {
		case at < 0:
			return fmt.Errorf("it states %s as %q, which is no fact of it", m.Field, m.Value)
		case v.facts[at].Printed != m.Value:
			return fmt.Errorf("it states %s as %q, the fact is %q", m.Field, m.Value, v.facts[at].Printed)
		}
		seen[at] = true
	}
	for i, ok := range seen {
		if !ok {
			return fmt.Errorf("it does not state %s", v.facts[i].Field)
		}
	}
	return nil
}
