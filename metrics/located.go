package metrics

import (
	"fmt"
	"strconv"

	"enterprisedocbench"
	"enterprisedocbench/internal/align"
)

// EvidenceKeys are the measures at evidence grain that reports show.
var EvidenceKeys = []string{
	"retrieve.located@5", "retrieve.legible@5",
	"retrieve.evidence_hit@5", "retrieve.evidence_hit@5(at=0.3)", "retrieve.evidence_hit@5(at=0.8)",
	"retrieve.located(budget=2560)", "retrieve.legible(budget=2560)",
}

// Aligned gives the alignment of a document's gold with the parse that was indexed. Where there is
// none, failed says whether the parse failed (its evidence then counts as not retrieved) or the
// document has no gold text (there is then nothing to measure).
type Aligned func(doc string) (a *align.Alignment, failed bool)

// EvidenceMeasures scores one question's ranking at evidence grain: retrieve.located,
// retrieve.legible and retrieve.evidence_hit, at a depth of k passages (@k) or for the first tokens
// of the ranking ((budget=2560); the passage that goes over the budget is cut).
//
// located is the share of the words of all its evidences, weighted by idf, whose place the passages
// hold; legible the share that is also read right, where an evidence with a misread number counts
// nothing; evidence_hit is 1 where every evidence is located at .5 or more, else 0 ((at=0.3) and
// (at=0.8) move the bar). An evidence without words, or in a failed document, weighs as much as the
// others do on average. No evidence, or no gold text: nothing to measure. A hit whose passage is
// unknown covers nothing. Keys of other measures give a row with a reason.
// Source: ours; EnterpriseDocBench counts pages only.
func EvidenceMeasures(evidence []edb.Evidence, hits []edb.Hit, passage func(id string) (edb.Passage, bool), aligned Aligned, keys []string) []edb.Measurement {
	ev, reason := prepare(evidence, aligned)
	done := map[string][]align.Cover{}
	var out []edb.Measurement
	for _, key := range keys {
		name, m, err := Lookup(key)
		if err != nil {
			out = append(out, none(key, err.Error()))
			continue
		}
		key = name.String()
		cut, err := cutOf(name)
		switch {
		case m.Key != "retrieve.located" && m.Key != "retrieve.legible" && m.Key != "retrieve.evidence_hit":
			out = append(out, none(key, "not a measure at evidence grain"))
			continue
		case err != nil:
			out = append(out, none(key, err.Error()))
			continue
		case reason != "":
			out = append(out, none(key, reason))
			continue
		}
		covers, ok := done[cut.id]
		if !ok {
			covers = ev.cover(cut.spans(hits, passage))
			done[cut.id] = covers
		}
		switch m.Key {
		case "retrieve.located":
			out = append(out, row(key, pooled(covers, func(c align.Cover) float64 { return c.Located })))
		case "retrieve.legible":
			out = append(out, row(key, pooled(covers, func(c align.Cover) float64 { return c.Legible })))
		default:
			out = append(out, row(key, hitAt(covers, name.Param("at"))))
		}
	}
	return out
}

// located are a question's evidences with their words; the alignment of a failed document is nil.
type located struct {
	docs  []string
	by    []*align.Alignment
	masks []align.Mask
}

func prepare(evidence []edb.Evidence, aligned Aligned) (located, string) {
	var l located
	if len(evidence) == 0 {
		return l, "the question has no evidence"
	}
	for _, e := range evidence {
		a, failed := aligned(e.Doc)
		if a == nil && !failed {
			return l, fmt.Sprintf("document %s has no gold text to locate its evidence in", e.Doc)
		}
		var m align.Mask
		if a != nil {
			m = a.Evidence(e)
		}
		l.docs, l.by, l.masks = append(l.docs, e.Doc), append(l.by, a), append(l.masks, m)
	}
	return l, ""
}

func (l located) cover(spans map[string][]edb.Span) []align.Cover {
	out := make([]align.Cover, len(l.docs))
	for i, doc := range l.docs {
		if l.by[i] != nil {
			out[i] = l.by[i].CoverMask(l.masks[i], spans[doc])
		}
	}
	return out
}

// pooled is the mean of a share over evidences by weight.
func pooled(covers []align.Cover, share func(align.Cover) float64) float64 {
	total, n := 0.0, 0
	for _, c := range covers {
		if c.Weight > 0 {
			total += c.Weight
			n++
		}
	}
	usual := 1.0
	if n > 0 {
		usual = total / float64(n)
	}
	sum, weight := 0.0, 0.0
	for _, c := range covers {
		w := c.Weight
		if w == 0 {
			w = usual
		}
		sum += w * share(c)
		weight += w
	}
	return min(sum/weight, 1)
}

func hitAt(covers []align.Cover, at string) float64 {
	bar := .5
	if v, err := strconv.ParseFloat(at, 64); err == nil {
		bar = v
	}
	for _, c := range covers {
		if c.Located < bar-1e-9 {
			return 0
		}
	}
	return 1
}

// cut says how much of a ranking is taken: depth passages, or budget tokens; neither is all.
type cut struct {
	id            string
	depth, budget int
}

func cutOf(n Name) (cut, error) {
	c := cut{depth: n.Depth}
	if b := n.Param("budget"); b != "" {
		v, err := strconv.Atoi(b)
		if err != nil || v <= 0 {
			return c, fmt.Errorf("measure %s: budget is not a whole number of tokens from 1", n)
		}
		c.budget = v
	}
	c.id = fmt.Sprint(c.depth, "/", c.budget)
	return c, nil
}

// spans gathers what the cut holds, by document.
func (c cut) spans(hits []edb.Hit, passage func(id string) (edb.Passage, bool)) map[string][]edb.Span {
	if c.depth > 0 && len(hits) > c.depth {
		hits = hits[:c.depth]
	}
	out := map[string][]edb.Span{}
	left := c.budget
	for _, h := range hits {
		p, ok := passage(h.Passage)
		if !ok {
			continue
		}
		spans := p.Spans
		if c.budget > 0 {
			if left <= 0 {
				break
			}
			if p.Tokens > left {
				spans = head(spans, float64(left)/float64(p.Tokens))
			}
			left -= p.Tokens
		}
		out[p.Doc] = append(out[p.Doc], spans...)
	}
	return out
}

// head is the first part of spans, by code points.
func head(spans []edb.Span, part float64) []edb.Span {
	total := 0
	for _, s := range spans {
		total += s.End - s.Start
	}
	left := int(part * float64(total))
	var out []edb.Span
	for _, s := range spans {
		if left <= 0 {
			break
		}
		s.End = min(s.End, s.Start+left)
		left -= s.End - s.Start
		out = append(out, s)
	}
	return out
}
