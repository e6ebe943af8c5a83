package pipeline

// Unit is a line of units.jsonl: a document or a question that the run measured, with what tells it
// apart in comparisons of finished runs. Docs are the documents that it rests on, by which units
// cluster: a document itself, the evidence of a question, or (unanswerable) the question alone.
// Domain is as the dataset says, before strata.merge.
type Unit struct {
	ID       string   `json:"unit"`
	Kind     string   `json:"kind"` // document or question
	Modality string   `json:"modality,omitempty"`
	Task     string   `json:"task,omitempty"`
	Domain   string   `json:"domain,omitempty"`
	Docs     []string `json:"docs"`
}

// Kinds of units.
const (
	UnitDocument = "document"
	UnitQuestion = "question"
)

// units lists the documents and the questions of the run, each sorted by ID.
func (r *runner) units() []Unit {
	r.cluster()
	var out []Unit
	for _, d := range r.docs {
		out = append(out, Unit{ID: d.ID, Kind: UnitDocument, Domain: d.Domain, Docs: []string{d.ID}})
	}
	for _, q := range r.asked {
		out = append(out, Unit{q.ID, UnitQuestion, q.Modality, q.Task, q.Domain, r.touches(q.ID)})
	}
	return out
}
