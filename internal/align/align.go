package align

import (
	"sync"

	"enterprisedocbench"
)

// How a gold token came to its place.
const (
	unmatched = iota
	exact     // one to one, equal keys
	misread   // one to one, other key
	placed    // lost by the parser; the place of its neighbour
)

// Alignment holds the words of a gold text and of a parse of the same document and which is which.
// It is complete in itself: neither text is needed to use it. It is safe for concurrent use once
// [Alignment.SetIDF] has been called or left out.
type Alignment struct {
	keys   []string
	gold   *side
	parsed *side
	image  []int32 // gold token -> parsed token, -1
	how    []uint8
	source []int32   // parsed token -> gold token, one to one, -1
	weight []float64 // by key; nil is uniform

	mu       sync.Mutex
	locators map[int]*Locator // of gold pages that a quote was looked for on, by number
}

// New aligns the words of a parse with those of the gold. Empty texts give an empty alignment.
func New(gold, parsed edb.Parsed) *Alignment {
	d := &dictionary{ids: map[string]int32{}}
	m := &matcher{d: d, g: newSide(gold, d), p: newSide(parsed, d)}
	whole := !gold.Paged || !parsed.Paged
	m.p.cutGlued(m.g, parsed, whole, d)
	m.g.cutGlued(m.p, gold, whole, d)
	m.init()
	if whole {
		m.match(all(m.g), all(m.p), samePage)
	} else {
		for _, gp := range m.g.pages {
			if pp, ok := m.p.page(gp.number); ok {
				m.match(gp, pp, samePage)
			}
		}
		for _, by := range []int{1, -1} {
			for _, gp := range m.g.pages {
				if pp, ok := m.p.page(gp.number + by); ok {
					m.match(gp, pp, nextPage)
				}
			}
		}
	}
	m.place()
	return &Alignment{keys: d.keys, gold: m.g, parsed: m.p, image: m.image, how: m.how, source: m.source}
}

func all(s *side) pageRange {
	return pageRange{to: len(s.toks), lastBlock: len(s.blocks)}
}

type reach int

const (
	samePage reach = iota
	nextPage
)

// matcher is an alignment in the making.
type matcher struct {
	d      *dictionary
	g, p   *side
	image  []int32
	how    []uint8
	source []int32

	seenG, seenP map[uint64]int32 // reused
}

func (m *matcher) init() {
	m.image = make([]int32, len(m.g.toks))
	m.how = make([]uint8, len(m.g.toks))
	m.source = make([]int32, len(m.p.toks))
	for i := range m.image {
		m.image[i] = -1
	}
	for i := range m.source {
		m.source[i] = -1
	}
	m.seenG, m.seenP = map[uint64]int32{}, map[uint64]int32{}
}

func (m *matcher) pair(g, p int) {
	m.image[g], m.source[p] = int32(p), int32(g)
	m.how[g] = exact
	if m.g.toks[g].key != m.p.toks[p].key {
		m.how[g] = misread
	}
}

// match runs the steps on a page of the gold and a page of the parse.
func (m *matcher) match(g, p pageRange, r reach) {
	if g.from == g.to || p.from == p.to || !m.open(g, p) {
		return
	}
	if r == nextPage {
		for range 2 {
			n := m.anchors(g, p, 3, false) + m.anchors(g, p, 2, false)
			m.extend(g, p, true)
			if n == 0 {
				break
			}
		}
		m.nearest(g, p, 8)
		return
	}
	m.equalBlocks(g, p, longBlock)
	for round := range 3 {
		n := 0
		for size := 3; size >= 1; size-- {
			if size > 1 || round == 0 {
				n += m.anchors(g, p, size, false)
			}
		}
		m.extend(g, p, false)
		if n == 0 || !m.open(g, p) {
			break
		}
	}
	m.equalBlocks(g, p, 0)
	m.extend(g, p, true)
	m.anchors(g, p, 2, true)
	m.extend(g, p, true)
	m.nearestBox(g, p)
	m.nearest(g, p, 100)
	m.misreadBox(g, p)
}

// open reports whether both ranges have unmatched tokens.
func (m *matcher) open(g, p pageRange) bool {
	open := false
	for i := g.from; i < g.to && !open; i++ {
		open = m.image[i] < 0
	}
	if !open {
		return false
	}
	for i := p.from; i < p.to; i++ {
		if m.source[i] < 0 {
			return true
		}
	}
	return false
}
