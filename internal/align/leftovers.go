package align

import (
	"cmp"
	"math"
	"slices"
)

type link struct {
	d    float64
	g, p int32
}

// settle pairs links that still can be, the nearest first.
func (m *matcher) settle(links []link) int {
	slices.SortFunc(links, func(a, b link) int {
		return cmp.Or(cmp.Compare(a.d, b.d), cmp.Compare(a.g, b.g), cmp.Compare(a.p, b.p))
	})
	n := 0
	for _, l := range links {
		if m.image[l.g] < 0 && m.source[l.p] < 0 {
			m.pair(int(l.g), int(l.p))
			n++
		}
	}
	return n
}

// left lists unmatched tokens of the parse by key.
func (m *matcher) left(p pageRange, keep func(t token) bool) map[int32][]int32 {
	out := map[int32][]int32{}
	for i := p.from; i < p.to; i++ {
		if m.source[i] < 0 && keep(m.p.toks[i]) {
			out[m.p.toks[i].key] = append(out[m.p.toks[i].key], int32(i))
		}
	}
	return out
}

// farBox is how far apart in points the same word may stand on two sides.
const farBox = 36

// nearestBox pairs equal words that are left, the nearest on the page first.
func (m *matcher) nearestBox(g, p pageRange) {
	left := m.left(p, func(t token) bool { return t.boxed })
	if len(left) == 0 {
		return
	}
	var links []link
	for i := g.from; i < g.to; i++ {
		t := m.g.toks[i]
		if m.image[i] >= 0 || !t.boxed {
			continue
		}
		for _, q := range left[t.key][:min(len(left[t.key]), 512)] {
			if d := distance(t, m.p.toks[q]); d <= farBox {
				links = append(links, link{d, int32(i), q})
			}
		}
	}
	m.settle(links)
}

func distance(a, b token) float64 {
	return math.Hypot(float64(a.x-b.x), float64(a.y-b.y))
}

// nearest pairs equal words that are left, nearest to where an aligned neighbour asks for them, at
// most far words away.
func (m *matcher) nearest(g, p pageRange, far float64) {
	for range 3 {
		left := m.left(p, func(token) bool { return true })
		if len(left) == 0 {
			return
		}
		want := m.wanted(g, p)
		var links []link
		for i := g.from; i < g.to; i++ {
			if m.image[i] >= 0 {
				continue
			}
			w := want[i-g.from]
			if math.IsNaN(w) {
				continue
			}
			list := left[m.g.toks[i].key]
			at, _ := slices.BinarySearchFunc(list, w, func(q int32, w float64) int { return cmp.Compare(float64(q), w) })
			for k := max(0, at-3); k < min(len(list), at+3); k++ {
				if d := math.Abs(float64(list[k]) - w); d <= far {
					links = append(links, link{d, int32(i), list[k]})
				}
			}
		}
		if m.settle(links) == 0 {
			return
		}
	}
}

// wanted says for each gold token of a range at which token of the parse its nearest aligned
// neighbour would put it; NaN where there is none.
func (m *matcher) wanted(g, p pageRange) []float64 {
	out := make([]float64, g.to-g.from)
	dist := make([]int, len(out))
	last := -1
	for i := g.from; i < g.to; i++ {
		out[i-g.from], dist[i-g.from] = math.NaN(), math.MaxInt
		if q := int(m.image[i]); q >= p.from && q < p.to {
			last = i
		} else if last >= 0 {
			out[i-g.from], dist[i-g.from] = float64(int(m.image[last])+i-last), i-last
		}
	}
	last = -1
	for i := g.to - 1; i >= g.from; i-- {
		if q := int(m.image[i]); q >= p.from && q < p.to {
			last = i
		} else if last >= 0 && last-i < dist[i-g.from] {
			out[i-g.from] = float64(int(m.image[last]) + i - last)
		}
	}
	return out
}

// misreadBox pairs words that are left and stand on the same spot, whatever their keys.
func (m *matcher) misreadBox(g, p pageRange) {
	var gs, ps []int32
	for i := g.from; i < g.to; i++ {
		if m.image[i] < 0 && m.g.toks[i].boxed {
			gs = append(gs, int32(i))
		}
	}
	for i := p.from; i < p.to; i++ {
		if m.source[i] < 0 && m.p.toks[i].boxed {
			ps = append(ps, int32(i))
		}
	}
	if len(gs) == 0 || len(ps) == 0 {
		return
	}
	// By height, so that only words of the same line are compared.
	slices.SortStableFunc(ps, func(a, b int32) int { return cmp.Compare(m.p.toks[a].y, m.p.toks[b].y) })
	const high, wide = 5, 24
	var links []link
	for _, i := range gs {
		t := m.g.toks[i]
		k, _ := slices.BinarySearchFunc(ps, t.y-high, func(q int32, y float32) int { return cmp.Compare(m.p.toks[q].y, y) })
		for ; k < len(ps) && m.p.toks[ps[k]].y <= t.y+high; k++ {
			if dx := m.p.toks[ps[k]].x - t.x; dx >= -wide && dx <= wide {
				links = append(links, link{distance(t, m.p.toks[ps[k]]), i, ps[k]})
			}
		}
	}
	m.settle(links)
}

// nearWords is how far a lost word may stand from the neighbour whose place it takes.
const nearWords = 8

// place gives gold words that are still left the place of an aligned neighbour in the same block.
func (m *matcher) place() {
	n := len(m.g.toks)
	from := make([]int32, n) // nearest aligned token of the block, -1
	last := -1
	for i := range n {
		from[i] = -1
		if last >= 0 && m.g.toks[last].elem != m.g.toks[i].elem {
			last = -1
		}
		if m.image[i] >= 0 {
			last = i
		} else if last >= 0 && i-last <= nearWords {
			from[i] = int32(last)
		}
	}
	last = -1
	for i := n - 1; i >= 0; i-- {
		if last >= 0 && m.g.toks[last].elem != m.g.toks[i].elem {
			last = -1
		}
		if m.image[i] >= 0 {
			last = i
		} else if last >= 0 && last-i <= nearWords && (from[i] < 0 || last-i < i-int(from[i])) {
			from[i] = int32(last)
		}
	}
	for i := range n {
		if m.image[i] < 0 && from[i] >= 0 {
			m.image[i], m.how[i] = m.image[from[i]], placed
		}
	}
}
