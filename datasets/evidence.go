package datasets

import (
	"fmt"
	"maps"
	"slices"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/elements"
)

// evidenceCheck compares evidence with gold. It keeps the page texts of the document it saw last, so
// evidence should come sorted by document.
type evidenceCheck struct {
	ds   *Dataset
	doc  string
	gold edb.Parsed
	has  bool
	text map[int][]rune
	err  []Fault
}

func newEvidenceCheck(d *Dataset) *evidenceCheck { return &evidenceCheck{ds: d} }

func (c *evidenceCheck) load(doc edb.Document) {
	if c.text != nil && c.doc == doc.ID {
		return
	}
	c.doc, c.text, c.has, c.err = doc.ID, map[int][]rune{}, false, nil
	if doc.Gold == "none" || doc.Gold == "" {
		return
	}
	if c.ds.Markdown == nil && c.ds.goldIsMarkdown(doc.ID) {
		return // only a reader of Markdown could tell
	}
	c.gold, c.err = c.ds.readGold(doc)
	if len(c.err) > 0 && len(c.gold.Pages) == 0 {
		return
	}
	c.has, c.err = true, nil // what else is wrong with it hinders nothing here
	for _, p := range c.gold.Pages {
		c.text[p.Number] = []rune(p.Text())
	}
}

// faults says what is wrong with one evidence. Gold that cannot be read is reported as its own
// fault by the caller's pass over gold, here only as far as it hinders.
func (c *evidenceCheck) faults(e edb.Evidence) []Fault {
	var l list
	doc, ok := c.ds.Document(e.Doc)
	if !ok {
		l.add(fmt.Sprintf("document %q is unknown", e.Doc), "name one of "+DocumentsFile)
		return l
	}
	if doc.Pages > 0 && e.Page > doc.Pages {
		l.add(fmt.Sprintf("page %d of document %q, which has %s", e.Page, e.Doc, edb.Count(doc.Pages, "page")), "count physical pages from 1")
		return l
	}
	if e.Start == 0 && e.End == 0 && e.Box == nil {
		return l
	}
	c.load(doc)
	switch {
	case len(c.err) > 0:
		l.add(fmt.Sprintf("the gold of document %q cannot be read (%s)", e.Doc, c.err[0]), "correct the gold")
	case !c.has && (doc.Gold == "none" || doc.Gold == ""):
		if e.End > 0 {
			l.add(fmt.Sprintf("has offsets but document %q has no gold to count in", e.Doc), "leave start and end out")
		}
	case c.has:
		text, there := c.text[e.Page]
		switch {
		case !there:
			l.add(fmt.Sprintf("page %d is not in the gold of document %q", e.Page, e.Doc), "name a page that is")
		case e.End > len(text):
			l.add(fmt.Sprintf("ends at %d, but page %d of document %q has %d code points", e.End, e.Page, e.Doc, len(text)), "count code points of the page's text from 0")
		case e.Start < 0 || e.Start > e.End: // reading the question said so
		case e.Quote != "" && e.End > 0 && string(text[e.Start:e.End]) != e.Quote:
			l.add(fmt.Sprintf("quote %s is not what stands at %d to %d of page %d of document %q: %s", short(e.Quote), e.Start, e.End, e.Page, e.Doc, short(string(text[e.Start:e.End]))),
				"correct the offsets or the quote")
		}
		if e.Box != nil {
			if i := slices.IndexFunc(c.gold.Pages, func(p edb.Page) bool { return p.Number == e.Page }); i >= 0 {
				problem, fix := elements.BoxFault(*e.Box)
				if problem == "" {
					problem, fix = outside(c.gold.Pages[i], *e.Box)
				}
				if problem != "" {
					l.add(problem, fix)
				}
			}
		}
	}
	return l
}

// short quotes a text, cut to 40 code points.
func short(s string) string {
	r := []rune(s)
	if len(r) <= 40 {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprintf("%q…", string(r[:40]))
}

// CheckEvidence compares the evidence of the given questions with the gold and returns the first
// fault as a *FaultError. It reads the gold of every document that evidence with offsets lies in.
func (d *Dataset) CheckEvidence(questions []edb.Question) error {
	return faultError(d.Dir, d.evidenceFaults(questions))
}

// place is that of a piece of evidence in a list of questions.
type place struct{ question, evidence int }

func (d *Dataset) evidenceFaults(questions []edb.Question) []Fault {
	byDoc := map[string][]place{}
	for i, q := range questions {
		for j, e := range q.Evidence {
			byDoc[e.Doc] = append(byDoc[e.Doc], place{i, j})
		}
	}
	var out []Fault
	check := newEvidenceCheck(d)
	for _, doc := range slices.Sorted(maps.Keys(byDoc)) {
		for _, at := range byDoc[doc] {
			q := questions[at.question]
			for _, f := range check.faults(q.Evidence[at.evidence]) {
				out = append(out, Fault{QuestionsFile, d.questionLine[q.ID], fmt.Sprintf("question %q: evidence %d: %s", q.ID, at.evidence+1, f.Problem), f.Fix})
			}
		}
	}
	sortFaults(out)
	return out
}
