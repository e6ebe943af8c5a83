package riker

import (
	"fmt"
	"slices"

	"enterprisedocbench/datasets"
	"enterprisedocbench/universe/keyed"
	"enterprisedocbench/universe/press"
)

// Worlds of more documents have the evidence of a sample of their questions tried.
const (
	exhaustive = 10_000
	triedAbove = 200
)

// proveQuestions tries the evidence of the questions and measures shortcuts.
func (c *checker) proveQuestions(all []Question) error {
	tried := all
	if n := c.world.Documents(); n > exhaustive && len(all) > triedAbove {
		order := keyed.NewPermutation(len(all), keyed.Key(c.world.Seed, "check-evidence", 0))
		tried = nil
		for i := range triedAbove {
			tried = append(tried, all[order.At(i)])
		}
		c.skip("the evidence of %d of %d questions: above %d documents a sample is tried", len(all)-triedAbove, len(all), exhaustive)
	}
	mentions, err := c.mentions(tried)
	if err != nil {
		return err
	}
	byQuery := 0
	err = inOrder(c.ctx, c.opt.Workers, len(tried), func(i int) (string, error) {
		if err := c.world.Sufficient(tried[i], mentions); err != nil {
			return err.Error(), nil
		}
		return "", nil
	}, func(i int, problem string) error {
		q := tried[i]
		switch {
		case problem != "":
			c.fault(datasets.Fault{File: datasets.QuestionsFile, Line: c.lines[q.ID], Problem: problem, Fix: remake})
		case q.EvidenceSQL != "":
			byQuery++
		case q.Answerable():
			c.proven[provenSufficient]++
			c.proven[provenMinimal] += len(q.Evidence)
		}
		c.progress("evidence", i+1, len(tried))
		return nil
	})
	if err != nil {
		return err
	}
	if byQuery > 0 {
		c.skip("the evidence of %d questions of more than %d pieces: a query gives it", byQuery, manyPieces)
	}
	c.out.Shortcuts = Shortcuts(all)
	for _, s := range c.out.Shortcuts {
		if s.Fault() {
			c.fault(datasets.Fault{File: datasets.QuestionsFile, Problem: fmt.Sprintf("shortcut: %s is right for %d of %d questions", s.Name, s.N, s.Of), Fix: "ask other questions: " + remake + " from another seed"})
		}
	}
	return nil
}

// mentions gives what the documents print that questions rest on.
func (c *checker) mentions(all []Question) (map[string][]press.Mention, error) {
	seen := map[int]bool{}
	var ids []int
	for _, q := range all {
		for _, e := range q.Evidence {
			if id := documentNumber(e.Doc); !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	out := map[string][]press.Mention{}
	err := inOrder(c.ctx, c.opt.Workers, len(ids), func(i int) ([]press.Mention, error) {
		d, err := c.printed(ids[i])
		return d.Mentions, err
	}, func(i int, m []press.Mention) error {
		out[DocumentID(ids[i])] = m
		c.progress("cited documents", i+1, len(ids))
		return nil
	})
	return out, err
}
