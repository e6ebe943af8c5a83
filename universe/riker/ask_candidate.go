package riker

import (
	"strconv"
	"strings"

	edb "enterprisedocbench"
)

// candidate is a proposal with its answer.
type candidate struct {
	q     Question
	depth int // decile
}

// candidate works a proposal out; false where it has no answer, or is no question of its level.
func (a *asker) candidate(p pattern, prop proposal) (candidate, bool) {
	r := &reading{facts: a.c, limit: manyPieces + 1}
	raw := prop.read(r)
	if r.undefined {
		raw = nil
	}
	q := Question{Template: p.String(), SQL: prop.sql, form: prop.form, read: prop.read, raw: raw, need: r.need, work: r.work, Absent: prop.absent, present: prop.present}
	q.Text = prop.text + " " + prop.form.instruction()
	q.Level, q.Subtype, q.Lang, q.Domain, q.Task = p.level, p.subtype, "en", domains[p.kinds[0]], p.task()
	switch {
	case p.subtype != "":
		if raw != nil {
			return candidate{}, false
		}
		q.Modality = edb.ModalityUnanswerable
		probe := prop.probe
		q.Probe = &probe
		q.need, q.work = nil, nil
		depth := -1
		if probe.Doc != "" {
			r := &reading{facts: a.c}
			if prop.doc.find(r); r.undefined {
				return candidate{}, false // it names more than one document
			}
			depth = min(9, 10*documentNumber(probe.Doc)/a.w.Documents())
		}
		return candidate{q, depth}, true
	case raw == nil:
		return candidate{}, false
	}
	q.Modality = edb.ModalitySingleHop
	if p.level >= "L05" {
		q.Modality = edb.ModalityMultiHop
		if documentsIn(r.need) < 2 {
			return candidate{}, false
		}
	}
	if r.total > manyPieces {
		if prop.evidence == "" {
			return candidate{}, false
		}
		q.EvidenceSQL = prop.evidence
	}
	if set, ok := raw.([]string); ok && len(set) > 40 {
		return candidate{}, false // no one would write it down
	}
	gold := prop.form.gold(raw, bareName)
	q.Answer = &gold
	if s, ok := raw.(string); ok && prop.form.typ == "text" && p.level == "L07" {
		q.right = sideOf(prop.text, s)
	}
	sum := 0.0
	for _, c := range r.need {
		sum += (float64(a.w.number(c.kind, int(c.n))) + .5) / float64(a.w.Documents())
	}
	q.Depth = sum / float64(len(r.need))
	return candidate{q, min(9, int(10*q.Depth))}, true
}

// sideOf says which of the two that "..., X or Y?" names is the answer.
func sideOf(text, answer string) int {
	at := strings.LastIndex(text, " or ")
	switch {
	case at < 0 || !strings.HasSuffix(text, "?"):
		return 0
	case text[at+4:len(text)-1] == answer:
		return 2
	case strings.HasSuffix(text[:at], ", "+answer):
		return 1
	}
	return 0
}

// task is the task of a pattern's questions (design of datasets).
func (p pattern) task() string {
	k := p.kinds[0]
	switch {
	case p.level == "L06" || k >= Invoices && k <= Statements && p.level >= "L04":
		return "financial-reconciliation"
	case k == Leases && (p.level == "L03" || p.level == "L04"):
		return "contract-analysis"
	case k == Handbooks:
		return "compliance-extraction"
	case p.level == "L08":
		return "summarisation"
	}
	return "lookup"
}

func documentsIn(cells []cell) int {
	seen := map[cell]bool{}
	for _, c := range cells {
		c.field = ""
		seen[c] = true
	}
	return len(seen)
}

// documentNumber is the number of a document by its ID, from 0; -1 where it is none.
func documentNumber(id string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(id, "doc-"))
	if err != nil {
		return -1
	}
	return n - 1
}
