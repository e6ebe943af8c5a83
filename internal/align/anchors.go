package align

import (
	"cmp"
	"slices"
)

// anchors pairs runs of n unmatched words that occur once on either side. Runs do not leave their
// block unless cross is set. It returns how many runs were paired.
func (m *matcher) anchors(g, p pageRange, n int, cross bool) int {
	clear(m.seenG)
	clear(m.seenP)
	grams(m.g.toks, m.image, g, n, cross, m.seenG)
	if len(m.seenG) == 0 {
		return 0
	}
	grams(m.p.toks, m.source, p, n, cross, m.seenP)
	type anchor struct{ g, p int32 }
	var found []anchor
	for h, at := range m.seenG {
		if at < 0 {
			continue
		}
		if to, ok := m.seenP[h]; ok && to >= 0 {
			found = append(found, anchor{at, to})
		}
	}
	slices.SortFunc(found, func(a, b anchor) int { return cmp.Compare(a.g, b.g) })
	paired := 0
	for _, a := range found {
		fits := true
		for k := range int32(n) {
			gi, pi := m.image[a.g+k], m.source[a.p+k]
			if gi >= 0 && gi != a.p+k || gi < 0 && pi >= 0 {
				fits = false
				break
			}
		}
		if !fits {
			continue
		}
		paired++
		for k := range n {
			m.pair(int(a.g)+k, int(a.p)+k)
		}
	}
	return paired
}

// grams notes where each run of n unmatched words starts, -1 where there are several.
func grams(toks []token, partner []int32, r pageRange, n int, cross bool, seen map[uint64]int32) {
	run := 0
	for i := r.from; i < r.to; i++ {
		if partner[i] >= 0 {
			run = 0
			continue
		}
		if run > 0 && !cross && toks[i].elem != toks[i-1].elem {
			run = 0
		}
		run++
		if run < n {
			continue
		}
		var h uint64
		for k := i - n + 1; k <= i; k++ {
			h = h<<21 | uint64(toks[k].key)&(1<<21-1)
		}
		if _, twice := seen[h]; twice {
			seen[h] = -1
		} else {
			seen[h] = int32(i - n + 1)
		}
	}
}

// longBlock is how many letters and digits a block needs to be paired before its words are.
const longBlock = 12

// equalBlocks pairs unmatched blocks with equal words where both sides have the same number of
// them: nearest boxes first, else in order.
func (m *matcher) equalBlocks(g, p pageRange, least int) {
	type group struct{ g, p []int }
	groups := map[string]*group{}
	var order []*group
	collect := func(s *side, partner []int32, r pageRange, add func(*group, int), grow bool) {
		for b := r.firstBlock; b < r.lastBlock; b++ {
			key, chars := blockKey(s, partner, s.blocks[b])
			if key == "" || chars < least {
				continue
			}
			x := groups[key]
			if x == nil {
				if !grow {
					continue
				}
				x = &group{}
				groups[key] = x
				order = append(order, x)
			}
			add(x, b)
		}
	}
	collect(m.g, m.image, g, func(x *group, b int) { x.g = append(x.g, b) }, true)
	if len(order) == 0 {
		return
	}
	collect(m.p, m.source, p, func(x *group, b int) { x.p = append(x.p, b) }, false)
	for _, x := range order {
		if len(x.g) != len(x.p) {
			continue
		}
		for i, pb := range m.byBox(x.g, x.p) {
			gb, pb := m.g.blocks[x.g[i]], m.p.blocks[pb]
			for k := range gb.to - gb.from {
				m.pair(gb.from+k, pb.from+k)
			}
		}
	}
}

// blockKey is a block's words as a string, empty where one of them is matched already.
func blockKey(s *side, partner []int32, b block) (key string, chars int) {
	buf := make([]byte, 0, 4*(b.to-b.from))
	for i := b.from; i < b.to; i++ {
		if partner[i] >= 0 {
			return "", 0
		}
		k := s.toks[i].key
		buf = append(buf, byte(k), byte(k>>8), byte(k>>16), byte(k>>24))
		chars += len(s.raw[i])
	}
	return string(buf), chars
}

// byBox gives for each block of gs its partner among ps.
func (m *matcher) byBox(gs, ps []int) []int {
	out := slices.Clone(ps)
	if len(gs) == 1 || len(gs) > 256 {
		return out
	}
	type link struct {
		d    float64
		g, p int
	}
	var links []link
	for i, gb := range gs {
		for j, pb := range ps {
			a, b := m.g.blocks[gb].box, m.p.blocks[pb].box
			if a == nil || b == nil {
				return out
			}
			d := 0.0
			for k := range a {
				d += (a[k] - b[k]) * (a[k] - b[k])
			}
			links = append(links, link{d, i, j})
		}
	}
	slices.SortFunc(links, func(a, b link) int {
		return cmp.Or(cmp.Compare(a.d, b.d), cmp.Compare(a.g, b.g), cmp.Compare(a.p, b.p))
	})
	doneG, doneP := make([]bool, len(gs)), make([]bool, len(ps))
	for _, l := range links {
		if !doneG[l.g] && !doneP[l.p] {
			doneG[l.g], doneP[l.p] = true, true
			out[l.g] = ps[l.p]
		}
	}
	return out
}
