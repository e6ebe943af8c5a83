package riker

import (
	"bytes"
	"encoding/json"
	"fmt"

	edb "enterprisedocbench"

	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/store"
)

// cite notes where questions stand in their file and what they cite.
func (c *checker) cite(path string) error {
	c.lines = map[string]int{}
	err := store.Lines(path, func(line int, raw []byte) error {
		var q struct{ ID string }
		if json.Unmarshal(raw, &q) == nil {
			c.lines[q.ID] = line
		}
		return nil
	})
	for _, q := range c.questions {
		for i, e := range q.Evidence {
			c.evidence[e.Doc] = append(c.evidence[e.Doc], cited{e, fmt.Sprintf("question %q, evidence %d", q.ID, i+1), c.lines[q.ID]})
		}
		if q.Probe != nil && q.Probe.Entity != "" {
			c.probes = append(c.probes, probe{"", q.Probe.Entity, q.ID})
		}
	}
	return err
}

// loadProbes reads the phrases that questions ask for in vain.
func (c *checker) loadProbes() error {
	seen := map[probe]bool{}
	for _, p := range c.probes {
		seen[p] = true
	}
	rows, err := c.db.QueryContext(c.ctx, "SELECT coalesce(doc, ''), phrase, coalesce(question, '') FROM absences WHERE reason = 'probe' ORDER BY rowid")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var p probe
		if err := rows.Scan(&p.doc, &p.phrase, &p.question); err != nil {
			return err
		}
		if !seen[p] {
			seen[p] = true
			c.probes = append(c.probes, p)
		}
	}
	return rows.Err()
}

// asked asks the world's questions again, from its records and by SQL, and holds the dataset's and the
// truth's against them.
func (c *checker) asked() error {
	if c.world.Questions.Total() == 0 {
		return nil
	}
	c.progress("questions", 0, len(c.questions))
	again, err := c.world.ask(c.ctx, c.db, c.printed)
	if c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	if err != nil {
		c.fault(datasets.Fault{File: datasets.QuestionsFile, Problem: "the world of the plan cannot ask its questions: " + err.Error(), Fix: remake})
		return nil
	}
	stored := map[string]edb.Question{}
	for _, q := range c.questions {
		stored[q.ID] = q
	}
	bad := func(id, format string, args ...any) {
		c.fault(datasets.Fault{File: datasets.QuestionsFile, Line: c.lines[id], Problem: fmt.Sprintf("question %q: ", id) + fmt.Sprintf(format, args...), Fix: remake})
	}
	for _, q := range again {
		got, ok := stored[q.ID]
		if !ok {
			bad(q.ID, "is missing")
			continue
		}
		delete(stored, q.ID)
		if c.inTruth(q, got, bad) {
			c.proven[provenAnswers]++
		}
	}
	for id := range stored {
		bad(id, "the world of the plan does not ask it")
	}
	return c.proveQuestions(again)
}

// inTruth holds a question of the dataset, and the rows that truth.sqlite has of it, against the one
// that the world asks.
func (c *checker) inTruth(want Question, got edb.Question, bad func(id, format string, args ...any)) bool {
	sound := true
	scanned := c.ds != nil && len(c.ds.Documents) > 0 && c.ds.Documents[0].Scanned
	if !bytes.Equal(store.JSON(plainQuestion(got, scanned)), store.JSON(plainQuestion(want.Question, scanned))) {
		bad(want.ID, "it is not what the world of the plan asks: text, answer or evidence differ")
		sound = false
	}
	rows := questionRows(want)
	s := &scan{c: c, table: "questions", key: 1}
	s.start("SELECT * FROM questions WHERE id = ?", want.ID)
	before := len(c.out.Faults)
	s.expect(rows[0].values)
	if err := s.end(); err != nil {
		bad(want.ID, "%v", err)
		return false
	}
	return sound && len(c.out.Faults) == before
}

// plainQuestion leaves out what a scan changes: boxes.
func plainQuestion(q edb.Question, scanned bool) edb.Question {
	if !scanned {
		return q
	}
	var evidence []edb.Evidence
	for _, e := range q.Evidence {
		e.Box = nil
		evidence = append(evidence, e)
	}
	q.Evidence = evidence
	return q
}
