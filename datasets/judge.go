package datasets

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/store"
)

// Judgement is what somebody says of a page: its grade for a question, 0 for not relevant. At says where
// it was written, as FILE:LINE.
type Judgement struct {
	Query string
	Page  string // "DOC#PAGE" with the plain document id
	Grade int
	At    string
}

// JudgeOptions say how judgements are taken in.
type JudgeOptions struct {
	Replace bool // a grade takes the place of another one in qrels.txt
}

// Judged counts what became of judgements.
type Judged struct {
	New      int `json:"new"`
	Same     int `json:"same"`    // as qrels.txt had it
	Changed  int `json:"changed"` // in the place of another grade
	Relevant int `json:"relevant"`
	// Of the dataset now:
	All         int `json:"all"`
	AllRelevant int `json:"all_relevant"`
}

// maxJudgeFaults bounds how many faults an error of Judge names.
const maxJudgeFaults = 20

// Judge adds judgements to qrels.txt of a dataset directory, whole or not at all. Where there is no such
// file it is written with the judgements that follow from evidence. A judgement of what the dataset
// does not have, of a question without an answer, of another grade than a line before it or qrels.txt,
// and a 0 for a page of evidence are faults; all are named, and then nothing is written.
func Judge(dir string, list []Judgement, opt JudgeOptions) (Judged, error) {
	release, err := takeLock(filepath.Clean(dir))
	if err != nil {
		return Judged{}, err
	}
	defer release()
	d, err := Open(dir)
	if err != nil {
		return Judged{}, err
	}
	out, err := d.judge(list, opt)
	if err != nil || out.New+out.Changed == 0 {
		return out, err
	}
	return out, noRoom(dir, store.WriteFile(filepath.Join(dir, QrelsFile), encodeQrels(d.Qrels)))
}

// judge puts judgements into Qrels and counts them.
func (d *Dataset) judge(list []Judgement, opt JudgeOptions) (Judged, error) {
	var out Judged
	var faults []error
	add := func(j Judgement, problem, fix string) {
		faults = append(faults, fmt.Errorf("%s: question %q: %s: %s", j.At, j.Query, problem, fix))
	}
	evidence := map[string]map[string]bool{}
	for _, q := range d.Questions {
		for _, e := range q.Evidence {
			if evidence[q.ID] == nil {
				evidence[q.ID] = map[string]bool{}
			}
			evidence[q.ID][edb.PageID(e.Doc, e.Page)] = true
		}
	}
	type pair struct{ query, page string }
	said := map[pair]Judgement{}
	for _, j := range list {
		at := pair{j.Query, j.Page}
		before, twice := said[at]
		old, had := d.Qrels[j.Query][j.Page]
		bad := d.qrelFaults(j.Query, j.Page)
		for _, f := range bad {
			add(j, f.Problem, f.Fix)
		}
		switch {
		case len(bad) > 0:
		case j.Grade < 0:
			add(j, fmt.Sprintf("grade %d", j.Grade), "write 0 for not relevant, 1 or more for relevant")
		case twice && before.Grade != j.Grade:
			add(j, fmt.Sprintf("page %q has the grade %d here and %d at %s", j.Page, j.Grade, before.Grade, before.At), "agree on one")
		case twice:
		case j.Grade == 0 && evidence[j.Query][j.Page]:
			add(j, fmt.Sprintf("page %q is evidence of the question and is judged 0", j.Page), "grade it 1 or more, or correct the evidence in "+QuestionsFile)
		case had && old != j.Grade && !opt.Replace:
			add(j, fmt.Sprintf("page %q has the grade %d here and %d in %s", j.Page, j.Grade, old, QrelsFile), "give --replace where the new grade is right, else take the row out")
		default:
			said[at] = j
			out.count(j, old, had)
		}
	}
	if len(faults) > maxJudgeFaults {
		faults = append(faults[:maxJudgeFaults], fmt.Errorf("and %d more", len(faults)-maxJudgeFaults))
	}
	if len(faults) > 0 {
		return Judged{}, errors.Join(faults...)
	}
	for _, j := range said {
		judge(d.Qrels, j.Query, j.Page, j.Grade)
	}
	for _, m := range d.Qrels {
		for _, grade := range m {
			out.All++
			if grade > 0 {
				out.AllRelevant++
			}
		}
	}
	return out, nil
}

func (c *Judged) count(j Judgement, old int, had bool) {
	switch {
	case !had:
		c.New++
	case old == j.Grade:
		c.Same++
	default:
		c.Changed++
	}
	if j.Grade > 0 {
		c.Relevant++
	}
}

// ParseRanked reads a line of a TREC run over a dataset's pages, "question Q0 DOC#PAGE rank score run",
// and gives the plain ids of question and page.
func ParseRanked(line string) (query, page string, err error) {
	f := strings.Fields(line)
	if len(f) < 6 {
		return "", "", fmt.Errorf("has %s, not question Q0 DOC#PAGE rank score run", edb.Count(len(f), "column"))
	}
	return parsePair(f[0], f[2])
}

// ParseJudged reads a line "question 0 DOC#PAGE grade". Without a grade, or with ?, the page is not judged.
func ParseJudged(line string) (j Judgement, judged bool, err error) {
	f := strings.Fields(line)
	if len(f) != 3 && len(f) != 4 {
		return j, false, fmt.Errorf("has %s: write \"question 0 DOC#PAGE grade\"", edb.Count(len(f), "column"))
	}
	grade := ""
	if len(f) == 4 {
		grade = f[3]
	}
	return ParseJudgement(f[0], f[2], grade)
}

// ParseJudgement reads the parts of a judgement, ids as qrels.txt has them. An empty grade or ? is none.
func ParseJudgement(query, page, grade string) (j Judgement, judged bool, err error) {
	if j.Query, j.Page, err = parsePair(query, page); err != nil {
		return j, false, err
	}
	if grade == "" || grade == "?" {
		return j, false, nil
	}
	if j.Grade, err = strconv.Atoi(grade); err != nil || j.Grade < 0 {
		return j, false, fmt.Errorf("grade %q is no grade: write 0 for not relevant, 1 or more for relevant, nothing for not judged", grade)
	}
	return j, true, nil
}

func parsePair(query, page string) (q, p string, err error) {
	doc, n, ok := splitPageID(page)
	if !ok {
		return "", "", fmt.Errorf("%q names no page: write DOC#PAGE with pages from 1", page)
	}
	return unescapeID(query), edb.PageID(unescapeID(doc), n), nil
}

// EscapePage makes "DOC#PAGE" safe as one column of qrels.txt.
func EscapePage(page string) string {
	doc, n, ok := splitPageID(page)
	if !ok {
		return EscapeID(page)
	}
	return EscapeID(doc) + "#" + strconv.Itoa(n)
}
