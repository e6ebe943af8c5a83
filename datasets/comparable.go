package datasets

import (
	"fmt"
	"slices"
	"strings"

	edb "enterprisedocbench"
)

// Comparable says whether figures of an axis may stand beside each other: "yes"; "in part", over the
// units that did not change; or "no".
type Comparable struct {
	Axis    string `json:"axis"`
	Verdict string `json:"verdict"`
	Units   int    `json:"units"` // that are the same in both
	Reason  string `json:"reason"`
}

// judgeAxes says which figures may be compared. Parsing is measured document by document. Retrieval
// and generation search all documents, so another corpus makes every question another task.
func (c *comparison) judgeAxes() {
	d := c.out.Documents
	parse := Comparable{Axis: "parse", Units: c.wholeDocs}
	changed := len(d.Added) + len(d.Removed) + len(c.to) - c.wholeDocs
	switch rules := slices.DeleteFunc(slices.Clone(c.out.Rules), func(s string) bool { return s == "documents" }); {
	case len(rules) > 0:
		parse.Verdict, parse.Reason, parse.Units = "no", strings.Join(rules, " and ")+" of "+InfoFile+" differ", 0
	case changed == 0:
		parse.Verdict, parse.Reason = "yes", "files and gold are the same"
	case c.wholeDocs == 0:
		parse.Verdict, parse.Reason = "no", "no document has the same file and gold in both"
	default:
		parse.Verdict, parse.Reason = "in part", fmt.Sprintf("over the %s with the same file and gold; documents that differ: %d", edb.Count(c.wholeDocs, "document"), changed)
	}
	c.out.Comparable = []Comparable{parse, c.questionAxis("retrieve", false), c.questionAxis("generate", true)}
	for i, x := range c.out.Comparable {
		if n := len(d.Split); n > 0 && x.Verdict != "no" {
			c.out.Comparable[i].Verdict = "in part"
			c.out.Comparable[i].Reason = fmt.Sprintf("%s; only runs over all splits, since documents are in another one: %d", x.Reason, n)
		}
	}
}

// questionAxis judges retrieval, or generation where the answers count too.
func (c *comparison) questionAxis(axis string, answers bool) Comparable {
	x := Comparable{Axis: axis, Verdict: "no"}
	same := 0
	for id, asked := range c.askedSame {
		if asked && (!answers || c.answerSame[id]) {
			same++
		}
	}
	d := c.out.Documents
	corpus := len(d.Added) + len(d.Removed) + len(d.File)
	all := max(len(c.a.Questions), len(c.b.Questions))
	switch {
	case corpus > 0:
		x.Reason = fmt.Sprintf("the index holds other documents: %d added, %d removed, %d with another file", len(d.Added), len(d.Removed), len(d.File))
	case slices.Contains(c.out.Rules, "mask"):
		x.Reason = "evidence is located in the gold without what it masks, and mask of " + InfoFile + " differs"
	case all == 0:
		x.Reason = "neither has a question"
	case same == 0:
		x.Reason = "no question is the same in both"
	case same == all:
		x.Verdict, x.Units, x.Reason = "yes", same, "documents and questions are the same"
	default:
		x.Verdict, x.Units, x.Reason = "in part", same, fmt.Sprintf("over the %s unchanged; questions that differ: %d", edb.Count(same, "question"), len(c.out.Questions.Added)+len(c.out.Questions.Removed)+len(c.askedSame)-same)
	}
	return x
}
