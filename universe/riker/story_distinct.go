package riker

import (
	"fmt"
	"math"
	"slices"

	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/tokens"
)

// Distinct says how far the documents of a world are alike, and like those of another world: what
// the protection of a fresh corpus against contamination rests on (RIKER section 6.1).
type Distinct struct {
	Documents int `json:"documents"` // of each world that were compared
	// NearWithin is the share of the documents that have a near-duplicate in their own world,
	// NearAcross in the other one: the same shingles of five words at a Jaccard similarity of at least
	// datasets.DefaultNear. HighestWithin and HighestAcross are the greatest similarities.
	NearWithin    float64 `json:"near_within"`
	NearAcross    float64 `json:"near_across"`
	HighestWithin float64 `json:"highest_within"`
	HighestAcross float64 `json:"highest_across"`
	// TemplateOverlap is the share of the distinct runs of eight words of the first world's documents
	// that stand in the other world's too.
	TemplateOverlap float64 `json:"template_overlap"`
	// PersonCollision and CompanyCollision are the probabilities that a person or a company of the
	// first world has a namesake in the other one.
	PersonCollision  float64 `json:"person_collision"`
	CompanyCollision float64 `json:"company_collision"`
	// FactSetCollision bounds the probability that any document of one world states the same facts as
	// any of the other.
	FactSetCollision float64 `json:"fact_set_collision"`
}

// Distinctness compares sample documents of each of two worlds, spread evenly over their corpora and
// read as plain text; two documents are compared where they are of one type. It is exact on the
// sample, and takes time with its square. The error is that of a document that cannot be printed.
//
// The collision probabilities are computed from the sizes of the name spaces. Each world takes its m
// names from a space of N by a keyed permutation of its own, so a name of one world is among those of
// the other with probability
//
//	m / N
//
// in each tier of the space that both reach. Two documents of type k of the two worlds state the same
// facts with a probability of at most
//
//	p(k) = 1 / (9·10⁶ · product of the sizes of the spaces that its names come from)
//
// where 9·10⁶ is the space of document numbers: dates and amounts would lower it further. Any pair
// among the a(k)·b(k) pairs of the two worlds does with at most
//
//	sum over k of a(k)·b(k)·p(k)
func Distinctness(a, b *World, sample int) (Distinct, error) {
	in := interner{map[string]int32{}, map[[shortRun]int32]int32{}}
	x, err := in.read(a, sample)
	if err != nil {
		return Distinct{}, err
	}
	y, err := in.read(b, sample)
	if err != nil {
		return Distinct{}, err
	}
	d := Distinct{Documents: min(len(x), len(y))}
	near, highest := 0, 0.0
	for i := range x {
		best := 0.0
		for j := range x {
			if i != j {
				best = max(best, x[i].like(x[j]))
			}
		}
		highest = max(highest, best)
		if best >= datasets.DefaultNear {
			near++
		}
	}
	d.NearWithin, d.HighestWithin = float64(near)/float64(len(x)), highest
	near, highest = 0, 0
	for i := range x {
		best := 0.0
		for j := range y {
			best = max(best, x[i].like(y[j]))
		}
		highest = max(highest, best)
		if best >= datasets.DefaultNear {
			near++
		}
	}
	d.NearAcross, d.HighestAcross = float64(near)/float64(len(x)), highest
	d.TemplateOverlap = overlap(x, y)
	d.PersonCollision = namesakes(a.persons(), b.persons(), peopleNames())
	d.CompanyCollision = namesakes(a.customers(), b.customers(), stems()*len(sectorWords))
	for k := range Kinds {
		d.FactSetCollision += float64(a.Counts[k]) * float64(b.Counts[k]) * sameFacts(k)
	}
	d.FactSetCollision = min(d.FactSetCollision, 1)
	return d, nil
}

const (
	shortRun = 5 // words of a shingle of near-duplicates, as datasets.Split has them
	longRun  = 8 // words that show a template
)

// sampled is a document that is compared: its words and its distinct short runs, sorted.
type sampled struct {
	kind  Kind
	words []int32
	runs  []int32
}

// interner numbers words and short runs.
type interner struct {
	words map[string]int32
	runs  map[[shortRun]int32]int32
}

func (in interner) read(w *World, sample int) ([]sampled, error) {
	n := w.Documents()
	if sample < 1 {
		return nil, fmt.Errorf("a sample of %d documents: take 1 or more", sample)
	}
	sample = min(sample, n)
	out := make([]sampled, sample)
	for i := range out {
		id := i * n / sample
		text, err := w.Text(id)
		if err != nil {
			return nil, err
		}
		s := &out[i]
		s.kind, _ = w.at(id)
		for _, key := range tokens.WordKeys(text) {
			s.words = append(s.words, number32(in.words, key))
		}
		for at := 0; at+shortRun <= len(s.words); at++ {
			s.runs = append(s.runs, number32(in.runs, [shortRun]int32(s.words[at:])))
		}
		slices.Sort(s.runs)
		s.runs = slices.Compact(s.runs)
	}
	return out, nil
}

func number32[K comparable](numbers map[K]int32, key K) int32 {
	n, ok := numbers[key]
	if !ok {
		n = int32(len(numbers))
		numbers[key] = n
	}
	return n
}

// like is the Jaccard similarity of two documents' short runs; 0 for other types.
func (s sampled) like(o sampled) float64 {
	if s.kind != o.kind || len(s.runs) == 0 || len(o.runs) == 0 {
		return 0
	}
	both := 0
	for i, j := 0, 0; i < len(s.runs) && j < len(o.runs); {
		switch {
		case s.runs[i] == o.runs[j]:
			both++
			i++
			j++
		case s.runs[i] < o.runs[j]:
			i++
		default:
			j++
		}
	}
	return float64(both) / float64(len(s.runs)+len(o.runs)-both)
}

// overlap is the share of the distinct long runs of x that stand in y too.
func overlap(x, y []sampled) float64 {
	runs := func(list []sampled) map[[longRun]int32]bool {
		out := map[[longRun]int32]bool{}
		for _, s := range list {
			for at := 0; at+longRun <= len(s.words); at++ {
				out[[longRun]int32(s.words[at:])] = true
			}
		}
		return out
	}
	a, b := runs(x), runs(y)
	both := 0
	for r := range a {
		if b[r] {
			both++
		}
	}
	if len(a) == 0 {
		return 0
	}
	return float64(both) / float64(len(a))
}

// namesakes is the probability that one of m names is among k others, all from tiers of a space of n
// of which a reserved part is never used.
func namesakes(m, k, n int) float64 {
	used := n - n/reserved
	// Tier by tier: the names of the m that lie in tier t meet the k's share of the same tier.
	sum := 0.0
	for t := 0; t*used < m; t++ {
		mine := min(m-t*used, used)
		theirs := min(max(k-t*used, 0), used)
		sum += float64(mine) * float64(theirs) / float64(n)
	}
	return sum / float64(max(m, 1))
}

// customers is how many companies a world has, prospects included.
func (w *World) customers() int { return w.companies + ceilDiv(w.deals-w.leaseDeals, 2) }

// persons is how many people a world has.
func (w *World) persons() int {
	lessors := ceilDiv(w.Counts[Leases], leaseBlock) * len(lessorShares)
	return w.agents + 2*w.territories + lessors + 3*w.customers()
}

// sameFacts bounds the probability that two documents of a type in two worlds state the same facts.
func sameFacts(k Kind) float64 {
	const documentNumbers = 9_000_000
	people, firms, lessors, places := float64(peopleNames()), float64(stems()*len(sectorWords)), float64(stems()*len(estateWords)), float64(stems())
	return 1 / (documentNumbers * [Kinds]float64{
		Leases:     lessors * firms * math.Pow(people, 2) * math.Pow(places, 3), // and building, street, town
		Reports:    math.Pow(people, 3) * firms,                                 // agent, manager, contact
		Reviews:    math.Pow(people, 2) * 900_000,                               // and the employee number
		Invoices:   firms,
		Statements: firms * math.Pow(people, 2),
		Handbooks:  math.Pow(people, 2),
	}[k])
}
