package riker

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"enterprisedocbench/universe/keyed"
)

// Kind is a type of document. The first three are RIKER's (section 4, Table 3).
type Kind int

// The types of documents.
const (
	Leases Kind = iota
	Reports
	Reviews
	Invoices
	Statements
	Handbooks
	Kinds // how many there are
)

var kindNames = [Kinds]string{"lease", "field-report", "hr-evaluation", "invoice", "quarterly-statement", "policy-handbook"}

// String is the document type as datasets name it: field-report.
func (k Kind) String() string { return kindNames[k] }

// Plan says which world is made; two equal plans make the same bytes.
type Plan struct {
	Name      string     // of the preset, or "custom"
	Set       string     // A to D, HA to HD; empty in a custom plan
	Seed      uint64     // of the entities, the documents and (unless QuestionSeed is set) the questions
	Counts    [Kinds]int // documents by type
	Questions Mix
	// QuestionSeed draws another set of questions on the same documents: RIKER's sets HA to HD
	// (section 5.10). 0: Seed decides.
	QuestionSeed uint64
	// Formats are the forms that documents take, by weight: pdf, pdf-2col, html, md, text. Nil: text.
	Formats map[string]float64
	// Filler is the share, 0 to 1, of the irrelevant clauses and remarks that documents may print.
	Filler float64
	// Budget is the number of Tokenizer's tokens that all documents together hold, to within 3 %;
	// 0: as many as they come to. Make finds the Filler for it.
	Budget    int
	Tokenizer string
}

// Mix is the number of questions of each of RIKER's categories (section 3.3).
type Mix struct {
	Single      int `json:"single"`      // L01 to L04
	Aggregation int `json:"aggregation"` // L05 to L10
	Probe       int `json:"probe"`       // L11 and L12
	List        int `json:"list"`        // list questions with the sources of each item, beyond the paper's
}

// Total is the number of all questions.
func (m Mix) Total() int { return m.Single + m.Aggregation + m.Probe + m.List }

// Documents is the number of all documents.
func (p Plan) Documents() int {
	n := 0
	for _, c := range p.Counts {
		n += c
	}
	return n
}

// presets holds RIKER's corpora (Table 3; counts of questions by kind from definitions of the 32K,
// 128K and 200K corpora) and a smaller one for small models. Token budgets are decimal thousands, so
// that a window of that many binary thousands also holds the question and the instructions.
var presets = map[string]Plan{
	"8K":   {Counts: [Kinds]int{3, 11, 14}, Questions: Mix{Single: 20, Aggregation: 16, Probe: 4}, Budget: 8000},
	"32K":  {Counts: [Kinds]int{10, 44, 56}, Questions: Mix{Single: 55, Aggregation: 44, Probe: 11}, Budget: 32000},
	"128K": {Counts: [Kinds]int{37, 216, 116}, Questions: Mix{Single: 155, Aggregation: 116, Probe: 30}, Budget: 128000},
	"200K": {Counts: [Kinds]int{60, 381, 196}, Questions: Mix{Single: 275, Aggregation: 195, Probe: 55}, Budget: 200000},
}

// crossCounts are the document counts of the cross-corpus sets B, C and D (Table 3).
var crossCounts = map[string][Kinds]int{"B": {37, 255, 128}, "C": {37, 228, 120}, "D": {37, 211, 120}}

// Presets lists the names that Preset takes, smallest first.
func Presets() []string { return []string{"8K", "32K", "128K", "200K"} }

// Preset returns the plan of one of RIKER's corpora: 8K (ours), 32K, 128K or 200K. set is "" or A,
// or, for 128K, one of the cross-corpus sets B, C and D (another seed and the paper's counts), or
// one of HA to HD: the documents of set A with 150 grounding and 150 fabrication questions, each
// set with questions of its own (section 5.10).
func Preset(name, set string, seed uint64) (Plan, error) {
	p, ok := presets[strings.ToUpper(name)]
	if !ok {
		return Plan{}, fmt.Errorf("preset %q: choose one of %s", name, strings.Join(Presets(), ", "))
	}
	p.Name, p.Seed, p.Tokenizer = strings.ToUpper(name), seed, "o200k"
	set = strings.ToUpper(set)
	switch {
	case set == "" || set == "A":
		set = "A"
	case strings.HasPrefix(set, "H") && len(set) == 2 && strings.Contains("ABCD", set[1:]):
		p.Questions = Mix{Single: 150, Probe: 150}
		p.QuestionSeed = keyed.Key(seed, "questions-"+set, 0)
	case len(set) == 1 && strings.Contains("BCD", set):
		p.Seed = keyed.Key(seed, "set-"+set, 0)
		if c, ok := crossCounts[set]; ok && p.Name == "128K" {
			p.Counts = c
		}
	default:
		return Plan{}, fmt.Errorf("set %q: choose one of A, B, C, D, HA, HB, HC, HD", set)
	}
	p.Set = set
	return p, nil
}

// maxWeight bounds the weight of a format, as weights are summed.
const maxWeight = 1e9

// mixed are the shares of document types in a world of --documents N, in percent.
var mixed = [Kinds]int{15, 35, 20, 15, 13, 2}

// Sized returns a plan of n documents of all six types, with one question for each ten documents, at
// least 40 and at most 1,000, in the shares of RIKER's 128K corpus.
func Sized(n int, seed uint64) (Plan, error) {
	if n < 20 {
		return Plan{}, fmt.Errorf("a world of %d documents is too small to ask about: make 20 or more", n)
	}
	if n > maxDocuments {
		return Plan{}, fmt.Errorf("a world of %d documents is too large: make %d at most", n, maxDocuments)
	}
	p := Plan{Name: "custom", Seed: seed, Tokenizer: "o200k", Filler: .5}
	left := n
	for k := range p.Counts {
		p.Counts[k] = n * mixed[k] / 100
		left -= p.Counts[k]
	}
	p.Counts[Reports] += left
	total := min(max(n/10, 40), 1000)
	p.Questions = Mix{Single: total * 50 / 100, Aggregation: total * 35 / 100, Probe: total * 10 / 100}
	p.Questions.List = total - p.Questions.Total()
	return p, nil
}

// Check says what is wrong with a plan that was put together by hand; nil: nothing.
func (p Plan) Check() error {
	for k, c := range p.Counts {
		if c < 0 || c > maxDocuments {
			return fmt.Errorf("%d documents of type %s: give 0 to %d", c, Kind(k), maxDocuments)
		}
	}
	for name, c := range map[string]int{"single": p.Questions.Single, "aggregation": p.Questions.Aggregation, "probe": p.Questions.Probe, "list": p.Questions.List} {
		if c < 0 || c > maxDocuments {
			return fmt.Errorf("%d questions of kind %s: give 0 to %d", c, name, maxDocuments)
		}
	}
	if p.Documents() == 0 {
		return errors.New("a world without documents: give at least one type a count")
	}
	if !(p.Filler >= 0 && p.Filler <= 1) { // true for NaN, too
		return fmt.Errorf("filler %v: give a share from 0 to 1", p.Filler)
	}
	for f, w := range p.Formats {
		if !(w >= 0 && w <= maxWeight) {
			return fmt.Errorf("format %s with weight %v: give 0 to %.0e", f, w, maxWeight)
		}
	}
	return nil
}

// at returns what document id, from 0, is: its type and its number among the documents of the type.
// The types are shuffled by the seed, so where evidence stands in the corpus is drawn too.
func (w *World) at(id int) (Kind, int) {
	i := w.order.At(id)
	for k, c := range w.Counts {
		if i < c {
			return Kind(k), i
		}
		i -= c
	}
	panic(fmt.Sprintf("riker: document %d of %d", id, w.Documents()))
}

// number is the inverse of at: the number of document n of a type in the corpus.
func (w *World) number(k Kind, n int) int {
	for _, c := range w.Counts[:k] {
		n += c
	}
	return w.order.Find(n)
}

// DocumentID names document number n of the corpus, from 0.
func DocumentID(n int) string { return padded("doc-", n+1, 6) }

// DocID is the ID of document n of a type.
func (w *World) DocID(k Kind, n int) string { return DocumentID(w.number(k, n)) }

// format is the form of document number id.
func (w *World) format(id int) string {
	if len(w.Formats) == 0 {
		return "text"
	}
	names := make([]string, 0, len(w.Formats))
	sum := 0.0
	for f, x := range w.Formats {
		names = append(names, f)
		sum += x
	}
	slices.SortFunc(names, cmp.Compare[string])
	at := float64(keyed.Key(w.Seed, "format", id)>>11) / (1 << 53) * sum
	for _, f := range names {
		if at -= w.Formats[f]; at < 0 {
			return f
		}
	}
	return names[len(names)-1]
}
