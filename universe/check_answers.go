package universe

import (
	"fmt"
	"strconv"

	edb "enterprisedocbench"

	"enterprisedocbench/datasets"
)

// answers holds the answer of every question against the truth in SQL, the truth in memory (the
// world of the seed, made again) and what the documents print, and tries every set of evidence.
func (c *checker) answers() error {
	proposals, err := c.proposals()
	if err != nil {
		return err
	}
	arc := c.archive()
	var read []readQuestion
	for _, q := range c.ds.Questions {
		if q.Answer == nil {
			continue
		}
		line := c.line[q.ID]
		bad := func(format string, args ...any) {
			c.fault(datasets.QuestionsFile, line, fmt.Sprintf("question %q: ", q.ID)+fmt.Sprintf(format, args...), "correct the answer, or "+remake)
		}
		sound := c.inSQL(q, bad)
		p, ok := proposals[q.ID]
		if !ok || p.Text != q.Text {
			if proposals != nil {
				bad("the world of this seed does not ask %q", q.Text)
			}
			continue
		}
		if fmt.Sprint(p.ask.answer.Value) != fmt.Sprint(q.Answer.Value) {
			bad("the answer is %v, the truth in memory %v", q.Answer.Value, p.ask.answer.Value)
			sound = false
		}
		r := &reading{a: arc}
		switch printed := p.ask.again(r); {
		case r.err != nil:
			bad("the documents do not answer it: %v", r.err)
			continue
		case fmt.Sprint(printed) != fmt.Sprint(q.Answer.Value):
			bad("the answer is %v, the documents print %v", q.Answer.Value, printed)
			sound = false
		}
		if sound {
			c.proven[provenAnswers]++
		}
		c.evidence(q, p, arc)
		read = append(read, readQuestion{q, r.took})
	}
	c.shortcuts(read, arc)
	return nil
}

// proposals makes the world's questions again from its seed; nil, and a note, where that cannot be.
func (c *checker) proposals() (map[string]asked, error) {
	var opt Options
	set := map[string]string{}
	rows, err := c.db.QueryContext(c.ctx, "SELECT key, value FROM world")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", TruthFile, err)
	}
	defer rows.Close()
	for rows.Next() {
		var k, v string
		if err := rows.Scan(&k, &v); err != nil {
			return nil, fmt.Errorf("%s: %w", TruthFile, err)
		}
		set[k] = v
	}
	opt.Seed, _ = strconv.ParseUint(set["seed"], 10, 64)
	opt.Documents, _ = strconv.Atoi(set["documents"])
	opt.Questions, _ = strconv.Atoi(set["questions"])
	if set["generator"] != generator || opt.Documents < 1 {
		c.skip("answers in memory, evidence and shortcuts: the world is of the generator %q, this is %q", set["generator"], generator)
		return nil, nil
	}
	docs := make([]Document, opt.Documents)
	for i := range docs {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
		if docs[i], err = MakeGold(opt.Seed, i); err != nil {
			return nil, err
		}
	}
	all, err := askAll(docs, opt)
	if err != nil {
		return nil, err
	}
	out := map[string]asked{}
	for _, a := range all {
		out[a.ID] = a
	}
	return out, nil
}

// archive files what the documents of the directory were found to print.
func (c *checker) archive() *archive {
	a := &archive{by: map[[3]string][]int{}}
	for _, d := range c.ds.Documents {
		r := record{d.ID, d.Doctype, map[string]Mention{}}
		for _, p := range c.places[d.ID] {
			ms := c.mentions[[2]string{d.ID, p.field}]
			if _, twice := r.facts[p.field]; twice || len(ms) == 0 {
				continue
			}
			r.facts[p.field] = ms[0]
			k := [3]string{r.typ, p.field, ms[0].Value}
			a.by[k] = append(a.by[k], len(a.records))
		}
		a.records = append(a.records, r)
	}
	return a
}

// inSQL runs the question's query over the truth.
func (c *checker) inSQL(q edb.Question, bad func(string, ...any)) bool {
	stored, err := single(c.ctx, c.db, "SELECT query FROM questions WHERE id = "+sqlText(q.ID))
	query, ok := stored.(string)
	if err != nil || !ok {
		bad("%s does not hold its query", TruthFile)
		return false
	}
	if err := readsOnly(query); err != nil {
		bad("its query: %v", err)
		return false
	}
	got, err := single(c.ctx, c.db, query)
	if err != nil {
		bad("its query: %v", err)
		return false
	}
	if !answers(*q.Answer, got) {
		bad("the answer is %v, its query gives %v", q.Answer.Value, got)
		return false
	}
	return true
}

// evidence tries the evidence of a question: with all of it the question is answered, and without
// any one piece it is not. Names and numbers that lead from one document to another are known; what
// is read in a document must stand in a piece of evidence.
func (c *checker) evidence(q edb.Question, p asked, arc *archive) {
	answered := func(without int) bool {
		r := &reading{a: arc, see: func(doc, field string) (Mention, bool) {
			for _, m := range c.mentions[[2]string{doc, field}] {
				for i, e := range q.Evidence {
					if i != without && e.Doc == doc && e.Page == m.Evidence.Page && e.Start <= m.Evidence.Start && e.End >= m.Evidence.End {
						return m, true
					}
				}
			}
			return Mention{}, false
		}}
		got := p.ask.again(r)
		return r.err == nil && fmt.Sprint(got) == fmt.Sprint(p.ask.answer.Value)
	}
	fault := func(problem, fix string) {
		c.fault(datasets.QuestionsFile, c.line[q.ID], fmt.Sprintf("question %q: %s", q.ID, problem), fix)
	}
	if !answered(-1) {
		fault("its evidence does not suffice for the answer", "add the place that is missing, or "+remake)
		return
	}
	c.proven[provenSufficient]++
	for i, e := range q.Evidence {
		if answered(i) {
			fault(fmt.Sprintf("evidence %d (document %q, page %d) is not needed for the answer", i+1, e.Doc, e.Page), "take it out, or "+remake)
			continue
		}
		c.proven[provenMinimal]++
	}
}
