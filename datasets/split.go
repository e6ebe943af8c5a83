package datasets

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	edb "enterprisedocbench"
)

// quarantine is the split of documents that are near to documents of two splits.
const quarantine = "quarantine"

// DefaultFractions are those of EnterpriseDocBench (section 4.3).
var DefaultFractions = map[string]float64{"train": 0.1, "val": 0.1, "test": 0.8}

// SplitOptions say how Split divides.
type SplitOptions struct {
	TextOptions
	// Fractions of train, val and test, summing to 1; empty means those of dataset.yaml, else
	// DefaultFractions.
	Fractions map[string]float64
	// Known are the lines of an earlier version: none of its documents moves.
	Known []SplitLine
	// Near is the similarity of near-duplicates in (0,1]; 0 means DefaultNear.
	Near float64
}

// Splitting says which document belongs to which split, and what came of it.
type Splitting struct {
	Fractions   map[string]float64 `json:"fractions"` // intended
	Documents   int                `json:"documents"`
	Kept        int                `json:"kept"` // documents that had a split before
	Near        float64            `json:"near"`
	Clusters    []Cluster          `json:"clusters"` // of two documents and more, in file order of the first that is here
	Domains     []DomainSplit      `json:"domains"`  // sorted, the sum last
	Questions   QuestionSplit      `json:"questions"`
	Quarantined []SplitLine        `json:"quarantined,omitempty"`
	// Leaks are pairs of near-duplicates that stand in two splits since an earlier version.
	Leaks  [][2]string `json:"leaks,omitempty"`
	Unread []Unread    `json:"unread,omitempty"`
	Lines  []SplitLine `json:"-"` // of all documents, in file order
	gone   []SplitLine // of documents that only an earlier version had; kept, in case they come back
}

// Cluster is a set of near-duplicates, in file order. First is the one whose id decided; it may be gone
// since.
type Cluster struct {
	First     string   `json:"first"`
	Documents []string `json:"documents"`
}

// DomainSplit counts the documents of a domain by split; Domain is "all" for the sum.
type DomainSplit struct {
	Domain    string         `json:"domain"`
	Documents int            `json:"documents"`
	Splits    map[string]int `json:"splits"`
}

// QuestionSplit counts questions by the split of the documents that they rest on: their evidence,
// else their relevant pages.
type QuestionSplit struct {
	Splits map[string]int `json:"splits"`
	// Spanning rest on documents of several splits; a run of one split drops them.
	Spanning []string `json:"spanning,omitempty"`
	// Free rest on no document (unanswerable ones, or nothing is judged).
	Free int `json:"free"`
}

// Split gives every document a split. Documents whose texts share the Jaccard similarity opt.Near of their
// runs of five words, or whose files are the same, belong together, and so do chains of them: the hash
// of their first member's id decides for all. Documents that are in opt.Known stay where they
// are, newcomers join the near-duplicates that are there already, and what would join two splits goes
// into quarantine. So a corpus can grow and nobody moves. Fractions are aimed at, not forced.
func (d *Dataset) Split(ctx context.Context, opt SplitOptions) (*Splitting, error) {
	opt.Near = cmp.Or(opt.Near, DefaultNear)
	if !(opt.Near > 0 && opt.Near <= 1) {
		return nil, fmt.Errorf("similarity of near-duplicates is %v: use a number over 0 and up to 1", opt.Near)
	}
	if len(d.Documents) == 0 {
		return nil, fmt.Errorf("dataset %s: has no documents: there is nothing to divide", d.Dir)
	}
	fractions, err := d.fractions(opt.Fractions)
	if err != nil {
		return nil, err
	}
	sk, unread, err := d.sketches(ctx, opt.TextOptions)
	if err != nil {
		return nil, err
	}
	known := map[string]SplitLine{}
	for _, l := range opt.Known {
		known[l.Doc] = l
	}
	s := &Splitting{Fractions: fractions, Documents: len(d.Documents), Near: opt.Near, Unread: unread}
	place := newPlacement(d.Documents, known, newCandidates(d.Documents, sk, opt.Near))
	s.Lines, s.Leaks = place.lines(fractions), place.leaks
	for _, id := range slices.Sorted(maps.Keys(known)) {
		if _, here := d.Document(id); !here {
			s.gone = append(s.gone, known[id])
		}
	}
	s.summarise(d, known)
	return s, nil
}

// fractions takes the given ones, else those of dataset.yaml, else the default; two that differ are
// refused, since one of them would be a lie.
func (d *Dataset) fractions(given map[string]float64) (map[string]float64, error) {
	if len(given) > 0 {
		if f := (Info{Name: "x", Splits: given}).faults(nil); len(f) > 0 {
			return nil, fmt.Errorf("%s: %s", f[0].Problem, f[0].Fix)
		}
		if given[quarantine] > 0 {
			return nil, fmt.Errorf("split %q has a fraction: it holds what fits into no other: leave it out", quarantine)
		}
	}
	switch {
	case len(given) == 0 && len(d.Info.Splits) == 0:
		return DefaultFractions, nil
	case len(given) == 0:
		return d.Info.Splits, nil
	case len(d.Info.Splits) > 0 && !maps.Equal(given, d.Info.Splits):
		return nil, fmt.Errorf("%s/%s gives other fractions of splits (%s): change them there", d.Dir, InfoFile, showFractions(d.Info.Splits))
	}
	return given, nil
}

func showFractions(f map[string]float64) string {
	var out []string
	for _, k := range slices.SortedFunc(maps.Keys(f), bySplitOrder) {
		out = append(out, fmt.Sprintf("%s=%v", k, f[k]))
	}
	return strings.Join(out, ",")
}

func bySplitOrder(a, b string) int {
	return cmp.Compare(slices.Index(splits, a), slices.Index(splits, b))
}

// drawSplit gives the split of an id: its SHA-256 as a number in [0,1) against the fractions one
// after the other.
func drawSplit(id string, fractions map[string]float64) string {
	sum := sha256.Sum256([]byte(id))
	u := float64(binary.BigEndian.Uint64(sum[:8])>>11) / (1 << 53)
	last := ""
	for _, name := range splits {
		if f := fractions[name]; f > 0 {
			if last = name; u < f {
				return name
			}
			u -= f
		}
	}
	return last
}

// placement holds documents against those that have a split already.
type placement struct {
	docs   []edb.Document
	known  map[string]SplitLine
	near   candidates
	leaks  [][2]string
	touch  []map[string]string // newcomer -> split of near known documents -> first member there
	bridge []bool              // newcomers that are near to documents of two splits
	sets   sets                // of newcomers that are near to each other, bridges left out
}

func newPlacement(docs []edb.Document, known map[string]SplitLine, near candidates) *placement {
	p := &placement{docs: docs, known: known, near: near, touch: make([]map[string]string, len(docs)), bridge: make([]bool, len(docs)), sets: newSets(len(docs))}
	p.meetKnown()
	for i, t := range p.touch {
		p.bridge[i] = len(t) > 1
	}
	isNew := func(i int) bool { _, ok := known[docs[i].ID]; return !ok && !p.bridge[i] }
	near.each(func(i, j int) bool { return isNew(i) && isNew(j) && p.sets.root(i) != p.sets.root(j) }, p.sets.join)
	return p
}

// meetKnown notes which splits each newcomer is near to, and which known documents of two splits are
// near to each other.
func (p *placement) meetKnown() {
	leak := map[[2]int]bool{}
	pick := func(i, j int) (line SplitLine, newcomer int, both bool) {
		a, oldA := p.known[p.docs[i].ID]
		b, oldB := p.known[p.docs[j].ID]
		switch {
		case oldA && oldB:
			return a, -1, true
		case oldA:
			return a, j, false
		case oldB:
			return b, i, false
		}
		return a, -1, false
	}
	p.near.each(func(i, j int) bool {
		line, n, both := pick(i, j)
		if both {
			other := p.known[p.docs[j].ID].Split
			return line.Split != other && line.Split != quarantine && other != quarantine && !leak[[2]int{i, j}]
		}
		return n >= 0 && line.Split != quarantine && p.touch[n][line.Split] == ""
	}, func(i, j int) {
		line, n, both := pick(i, j)
		if both {
			leak[[2]int{i, j}] = true
			return
		}
		if p.touch[n] == nil {
			p.touch[n] = map[string]string{}
		}
		p.touch[n][line.Split] = line.First
	})
	for _, at := range slices.SortedFunc(maps.Keys(leak), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
		p.leaks = append(p.leaks, [2]string{p.docs[at[0]].ID, p.docs[at[1]].ID})
	}
}

// lines gives the line of every document, in file order.
func (p *placement) lines(fractions map[string]float64) []SplitLine {
	touched := map[int]map[string]string{} // root of a set -> what its members touch
	for i, t := range p.touch {
		if len(t) == 0 || p.bridge[i] {
			continue
		}
		r := p.sets.root(i)
		if touched[r] == nil {
			touched[r] = map[string]string{}
		}
		for split, first := range t {
			if touched[r][split] == "" {
				touched[r][split] = first
			}
		}
	}
	out := make([]SplitLine, len(p.docs))
	for i, d := range p.docs {
		root := p.sets.root(i)
		t := touched[root]
		if p.bridge[i] {
			t = p.touch[i]
		}
		line, old := p.known[d.ID]
		switch first := p.docs[root].ID; {
		case old:
			out[i] = line
		case len(t) > 1:
			out[i] = SplitLine{Doc: d.ID, First: d.ID, Split: quarantine, Bridges: slices.Sorted(maps.Values(t))}
		case len(t) == 1:
			for split, f := range t {
				out[i] = SplitLine{Doc: d.ID, First: f, Split: split}
			}
		default:
			out[i] = SplitLine{Doc: d.ID, First: first, Split: drawSplit(first, fractions)}
		}
	}
	return out
}

// summarise counts what the lines say.
func (s *Splitting) summarise(d *Dataset, known map[string]SplitLine) {
	byDomain := map[string]*DomainSplit{}
	all := DomainSplit{Domain: "all", Splits: map[string]int{}}
	size := map[string][]string{}
	at := map[string]string{}
	for i, l := range s.Lines {
		dom := d.Documents[i].Domain
		if byDomain[dom] == nil {
			byDomain[dom] = &DomainSplit{Domain: dom, Splits: map[string]int{}}
		}
		for _, c := range []*DomainSplit{byDomain[dom], &all} {
			c.Documents++
			c.Splits[l.Split]++
		}
		at[l.Doc] = l.Split
		if _, ok := known[l.Doc]; ok {
			s.Kept++
		}
		if l.Split == quarantine {
			s.Quarantined = append(s.Quarantined, l)
		}
		size[l.First] = append(size[l.First], l.Doc)
	}
	for _, k := range slices.Sorted(maps.Keys(byDomain)) {
		s.Domains = append(s.Domains, *byDomain[k])
	}
	s.Domains = append(s.Domains, all)
	s.Clusters = []Cluster{}
	for _, l := range s.Lines {
		if docs := size[l.First]; len(docs) > 1 && docs[0] == l.Doc {
			s.Clusters = append(s.Clusters, Cluster{l.First, docs})
		}
	}
	s.Questions = d.questionSplits(func(doc string) string { return at[doc] })
}

// questionSplits counts questions by the splits of their documents.
func (d *Dataset) questionSplits(of func(doc string) string) QuestionSplit {
	out := QuestionSplit{Splits: map[string]int{}}
	for _, q := range d.Questions {
		in := map[string]bool{}
		for _, doc := range d.restsOn(q) {
			if s := of(doc); s != "" { // documents elsewhere are in none
				in[s] = true
			}
		}
		switch len(in) {
		case 0:
			out.Free++
		case 1:
			for s := range in {
				out.Splits[s]++
			}
		default:
			out.Spanning = append(out.Spanning, q.ID)
		}
	}
	return out
}

// restsOn gives the documents of a question's evidence, sorted; where it has none, those of its
// relevant pages.
func (d *Dataset) restsOn(q edb.Question) []string {
	docs := map[string]bool{}
	for _, e := range q.Evidence {
		docs[e.Doc] = true
	}
	if len(docs) == 0 {
		for page, grade := range d.Qrels[q.ID] {
			if doc, _, ok := splitPageID(page); ok && grade > 0 {
				docs[doc] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(docs))
}
