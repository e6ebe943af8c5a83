package universe

import (
	"fmt"
	"time"

	edb "enterprisedocbench"

	"enterprisedocbench/universe/press"
)

// Document types, in the order in which ids run through them.
const (
	TypeLease     = "commercial lease agreement"
	TypeReport    = "sales field report"
	TypeStatement = "quarterly financial statement"
)

// types is the number of document types; document id is about tenant id/types.
const types = 3

// Mention is one printed fact of a document: which field, how it is printed, and the statement
// (sentence, table row, chart label) that says it.
type Mention = press.Mention

// Document is one document of a world with everything that is known about it.
type Document struct {
	edb.Document
	PDF      []byte
	Gold     edb.Parsed
	Mentions []Mention // in reading order
}

// DocumentID is the ID of document id: lease-00001, report-00001, statement-00001, lease-00002, ...
func DocumentID(id int) string {
	return fmt.Sprintf("%s-%05d", []string{"lease", "report", "statement"}[id%types], id/types+1)
}

// furniture is what repeats on every page.
type furniture struct{ head, foot string }

// Make makes document id of the world of a seed, alone and with the same bytes as in the whole
// corpus. It fails where id is negative or a name cannot be printed.
func Make(seed uint64, id int) (Document, error) {
	return lay(seed, id, func(s *press.Sheet, d *Document, f furniture) error {
		p, err := s.Print(press.Story{ID: d.ID, Title: d.Title, Author: World{seed}.House(), Head: f.head, Foot: f.foot,
			Made: time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)})
		d.PDF, d.Gold, d.Mentions = p.Content, p.Gold, p.Mentions
		d.Bytes = int64(len(d.PDF))
		return err
	})
}

// MakeGold is Make without the PDF: the gold and the printed facts alone.
func MakeGold(seed uint64, id int) (Document, error) {
	return lay(seed, id, func(s *press.Sheet, d *Document, f furniture) (err error) {
		d.Gold, d.Mentions, err = s.Gold(d.ID, f.head, f.foot)
		return err
	})
}

// lay lays document id out and finishes it.
func lay(seed uint64, id int, finish func(*press.Sheet, *Document, furniture) error) (Document, error) {
	if id < 0 {
		return Document{}, fmt.Errorf("document %d: ids count from 0", id)
	}
	w := World{seed}
	d := Document{Document: edb.Document{ID: DocumentID(id), MIME: "application/pdf", Lang: "en", Split: "test", Gold: "generated",
		Source: &edb.Origin{Name: fmt.Sprintf("universe, seed %d", seed), ID: fmt.Sprint(id)},
		Licence: edb.Licence{SPDX: "CC0-1.0", Redistribute: true, Derivatives: true, Commercial: true,
			Evidence: "made by the universe generator of EnterpriseDocBench"}}}
	d.Path = d.ID + ".pdf"
	var s *press.Sheet
	var f furniture
	columns := 1
	switch n := id / types; id % types {
	case 0:
		d.Doctype, d.Domain = TypeLease, "legal"
		s, d.Title, f = w.writeLease(w.Lease(n))
	case 1:
		d.Doctype, d.Domain, columns = TypeReport, "sales", 2
		s, d.Title, f = w.writeVisit(w.Visit(n))
	default:
		d.Doctype, d.Domain = TypeStatement, "finance"
		s, d.Title, f = w.writeStatement(w.Statement(n))
	}
	if err := finish(s, &d, f); err != nil {
		return Document{}, fmt.Errorf("document %s: %w", d.ID, err)
	}
	d.Pages = len(d.Gold.Pages)
	d.Layout = &edb.Layout{Columns: columns}
	for _, e := range d.Gold.Elements {
		switch e.Kind {
		case edb.KindTable:
			d.Layout.Tables++
		case edb.KindFigure:
			d.Layout.Figures++
		}
	}
	return d, nil
}
