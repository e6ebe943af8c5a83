package datasets

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	edb "enterprisedocbench"
)

// DescribeOptions are what Describe needs from the rest of the program.
type DescribeOptions struct {
	// Interval gives the bounds of a share k of n at a level; nil leaves intervals out.
	Interval func(k, n int, level float64) (lo, hi *float64)
}

// Description is what datasets hold, counted: the table of sources of EnterpriseDocBench (Table 1) for
// any corpus, and how its questions are mixed.
type Description struct {
	Datasets []string    `json:"datasets"`
	Domains  []DomainRow `json:"domains"` // by documents falling, then name; the sum last, as "all"
	// Mixes of questions, and of documents over domains.
	Modality Mix `json:"modality"`
	Task     Mix `json:"task"`
	Domain   Mix `json:"domain"`
	// Documents by what their lines say.
	Languages []Count `json:"languages"`
	Splits    []Count `json:"splits"`
	Gold      []Count `json:"gold"`
	Licences  []Count `json:"licences"`
	Classes   []Count `json:"classes"`
	// Annotations are the licences of questions, answers, judgements, labels and gold, a dataset each.
	Annotations []Count `json:"annotations"`
	Formats     []Count `json:"formats"`
	Dates       Dates   `json:"dates"` // the documents' own
	Retrieved   Dates   `json:"retrieved"`
	// DocumentsPerQuestion counts questions by the number of documents that they rest on.
	DocumentsPerQuestion []Count  `json:"documents_per_question"`
	Judged               int      `json:"judged"`   // judgements
	Relevant             int      `json:"relevant"` // of them above 0
	Answers              int      `json:"answers"`  // labelled answers
	Warnings             []string `json:"warnings"`
}

// DomainRow is one row of the table of sources.
type DomainRow struct {
	Domain    string  `json:"domain"`
	Sources   []Count `json:"sources"`
	Licences  []Count `json:"licences"`
	Doctypes  []Count `json:"doctypes"`
	Documents int     `json:"documents"`
	Asked     int     `json:"asked"` // documents that a question rests on
	Questions int     `json:"questions"`
	Pages     Sum     `json:"pages"`
	Tables    Sum     `json:"tables"`
	Figures   Sum     `json:"figures"`
	Scanned   int     `json:"scanned"`
}

// Sum is a total over the documents that say the number; nil where none does.
type Sum struct {
	Total *int `json:"total"`
	Known int  `json:"known"` // documents that say it
}

func (s *Sum) add(n int) {
	if s.Total == nil {
		s.Total = new(int)
	}
	*s.Total += n
	s.Known++
}

// Dates is a range of days, months or years, as YYYY-MM-DD, YYYY-MM or YYYY; empty where no document says
// one.
type Dates struct {
	From    string `json:"from,omitempty"`
	To      string `json:"to,omitempty"`
	Known   int    `json:"known"`
	Missing int    `json:"missing"` // documents that do not say it
}

func (t *Dates) add(date string) {
	if date == "" {
		t.Missing++
		return
	}
	t.Known++
	if t.From == "" || date < t.From {
		t.From = date
	}
	t.To = max(t.To, date)
}

// Describe counts what datasets hold. Tables and figures of a document are those of its layout, else
// those of its gold where people or the source made it. The error is that of gold that cannot be read.
func Describe(opt DescribeOptions, sets ...*Dataset) (*Description, error) {
	c := newCensus()
	for _, d := range sets {
		c.out.Datasets = append(c.out.Datasets, d.Info.Name)
		if err := c.add(d); err != nil {
			return nil, err
		}
	}
	return c.description(opt), nil
}

// census is a description in the making.
type census struct {
	out                                                                         Description
	rows                                                                        map[string]*domainTally
	lang, split, gold, spdx, class, mime, modality, task, perQuery, annotations tally
	sourceOf                                                                    map[string]tally // modality -> sources of the documents that its questions rest on
}

type domainTally struct {
	DomainRow
	source, spdx, doctype tally
}

func newCensus() *census {
	c := &census{rows: map[string]*domainTally{}, sourceOf: map[string]tally{}}
	for _, t := range []*tally{&c.lang, &c.split, &c.gold, &c.spdx, &c.class, &c.mime, &c.modality, &c.task, &c.perQuery, &c.annotations} {
		*t = tally{}
	}
	return c
}

func (c *census) row(domain string) *domainTally {
	if c.rows[domain] == nil {
		c.rows[domain] = &domainTally{DomainRow{Domain: domain}, tally{}, tally{}, tally{}}
	}
	return c.rows[domain]
}

func (c *census) add(d *Dataset) error {
	for _, r := range RateAnnotations(d) {
		c.annotations[cmp.Or(r.SPDX, notStated)+" ("+r.Class+")"]++
	}
	asked := map[string]bool{}
	for _, q := range d.Questions {
		c.question(d, q, asked)
	}
	for _, m := range d.Qrels {
		for _, grade := range m {
			c.out.Judged++
			if grade > 0 {
				c.out.Relevant++
			}
		}
	}
	c.out.Answers += len(d.Answers)
	for _, doc := range d.Documents {
		if err := c.document(d, doc, asked[doc.ID]); err != nil {
			return err
		}
	}
	return nil
}

func (c *census) question(d *Dataset, q edb.Question, asked map[string]bool) {
	c.modality[q.Modality]++
	c.task[q.Task]++
	docs := d.restsOn(q)
	c.perQuery[howMany(len(docs))]++
	domain := q.Domain
	for _, id := range docs {
		doc, _ := d.Document(id)
		asked[id] = true
		domain = cmp.Or(domain, doc.Domain)
		if q.Modality != "" {
			if c.sourceOf[q.Modality] == nil {
				c.sourceOf[q.Modality] = tally{}
			}
			c.sourceOf[q.Modality][sourceName(d, doc)]++
		}
	}
	c.row(domain).Questions++
}

// manyDocuments are the classes of DocumentsPerQuestion, each from a number on.
var manyDocuments = []struct {
	from int
	name string
}{{0, "0"}, {1, "1"}, {2, "2"}, {3, "3 to 5"}, {6, "6 to 10"}, {11, "11 and more"}}

func howMany(n int) (name string) {
	for _, m := range manyDocuments {
		if n >= m.from {
			name = m.name
		}
	}
	return name
}

// sourceName is where a document is from; where its line does not say, its dataset is all that is known.
func sourceName(d *Dataset, doc edb.Document) string {
	if doc.Source != nil && doc.Source.Name != "" {
		return doc.Source.Name
	}
	return d.Info.Name
}

func (c *census) document(d *Dataset, doc edb.Document, asked bool) error {
	r := c.row(doc.Domain)
	r.Documents++
	r.source[sourceName(d, doc)]++
	r.spdx[doc.Licence.SPDX]++
	r.doctype[doc.Doctype]++
	if asked {
		r.Asked++
	}
	if doc.Pages > 0 {
		r.Pages.add(doc.Pages)
	}
	if doc.Scanned {
		r.Scanned++
	}
	c.lang[doc.Lang]++
	c.split[doc.Split]++
	c.gold[cmp.Or(doc.Gold, "none")]++
	c.spdx[doc.Licence.SPDX]++
	c.class[rate(doc.Licence).Class]++
	c.mime[doc.MIME]++
	c.out.Dates.add(doc.Date)
	retrieved := ""
	if doc.Source != nil {
		retrieved = doc.Source.Retrieved
	}
	c.out.Retrieved.add(retrieved)
	return c.layout(d, doc, &r.DomainRow)
}

func (c *census) layout(d *Dataset, doc edb.Document, r *DomainRow) error {
	if doc.Layout != nil {
		r.Tables.add(doc.Layout.Tables)
		r.Figures.add(doc.Layout.Figures)
		return nil
	}
	tables, figures := d.GoldHolds(edb.KindTable), d.GoldHolds(edb.KindFigure)
	if !doc.GoldScoresParsing() || !tables && !figures {
		return nil
	}
	gold, ok, err := d.Gold(doc.ID)
	if err != nil || !ok {
		return err
	}
	n := tally{}
	for _, e := range gold.Elements {
		n[e.Kind]++
	}
	if tables {
		r.Tables.add(n[edb.KindTable])
	}
	if figures {
		r.Figures.add(n[edb.KindFigure])
	}
	return nil
}

func (c *census) description(opt DescribeOptions) *Description {
	all := domainTally{DomainRow{Domain: "all"}, tally{}, tally{}, tally{}}
	domains := tally{}
	for _, k := range slices.Sorted(maps.Keys(c.rows)) {
		r := c.rows[k]
		r.Sources, r.Licences, r.Doctypes = r.source.counts(), r.spdx.counts(), r.doctype.counts()
		r.Domain = cmp.Or(r.Domain, notStated)
		c.out.Domains = append(c.out.Domains, r.DomainRow)
		all.merge(r)
		if r.Documents > 0 {
			domains[k] = r.Documents
		}
	}
	slices.SortStableFunc(c.out.Domains, func(a, b DomainRow) int { return cmp.Compare(b.Documents, a.Documents) })
	c.concentration()
	all.Sources, all.Licences, all.Doctypes = all.source.counts(), all.spdx.counts(), all.doctype.counts()
	c.out.Domains = append(c.out.Domains, all.DomainRow)
	c.out.Modality = newMix(c.modality, TargetModalities, opt)
	c.out.Task = newMix(c.task, nil, opt)
	c.out.Domain = newMix(domains, nil, opt)
	c.out.Languages, c.out.Splits, c.out.Gold = c.lang.counts(), c.split.counts(), c.gold.counts()
	c.out.Licences, c.out.Classes, c.out.Formats = c.spdx.counts(), c.class.counts(), c.mime.counts()
	c.out.Annotations = c.annotations.counts()
	for _, m := range manyDocuments {
		if n := c.perQuery[m.name]; n > 0 {
			c.out.DocumentsPerQuestion = append(c.out.DocumentsPerQuestion, Count{m.name, n})
		}
	}
	for _, k := range c.out.Modality.Classes {
		if k.Off {
			c.out.Warnings = append(c.out.Warnings, fmt.Sprintf("modality %s is %.0f %% of the questions [%.0f, %.0f], the target is %.0f %%", k.Name, 100**k.Share, 100**k.Lo, 100**k.Hi, 100**k.Target))
		}
	}
	if c.out.Warnings == nil {
		c.out.Warnings = []string{}
	}
	return &c.out
}

func (t *domainTally) merge(r *domainTally) {
	for _, x := range []struct{ to, from tally }{{t.source, r.source}, {t.spdx, r.spdx}, {t.doctype, r.doctype}} {
		for k, n := range x.from {
			x.to[k] += n
		}
	}
	for _, x := range []struct{ to, from *Sum }{{&t.Pages, &r.Pages}, {&t.Tables, &r.Tables}, {&t.Figures, &r.Figures}} {
		if x.from.Total != nil {
			known := x.to.Known
			x.to.add(*x.from.Total)
			x.to.Known = known + x.from.Known
		}
	}
	t.Documents += r.Documents
	t.Asked += r.Asked
	t.Questions += r.Questions
	t.Scanned += r.Scanned
}

// concentration warns of strata of which one source has more than half: what is measured there is
// measured on that source.
func (c *census) concentration() {
	warn := func(stratum string, t tally, what string) {
		n := 0
		for _, k := range t {
			n += k
		}
		if top := t.counts(); n > 1 && 2*top[0].N > n {
			c.out.Warnings = append(c.out.Warnings, fmt.Sprintf("%s: %d of %d %s are from one source, %s", stratum, top[0].N, n, what, top[0].Name))
		}
	}
	for _, d := range slices.Sorted(maps.Keys(c.rows)) {
		warn("domain "+cmp.Or(d, notStated), c.rows[d].source, "documents")
	}
	for _, m := range edb.Modalities {
		if len(c.sourceOf[m]) > 0 {
			warn("modality "+m, c.sourceOf[m], "documents asked of")
		}
	}
}
