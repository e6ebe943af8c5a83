package vec

// Pattern is a sequence that is compared with many others, as one cell is with all cells of the
// other table: its bit vectors are made once. Sequences of at most 64 symbols take the short way;
// longer ones are [LevenshteinRunes]. Not safe for concurrent use; Close gives its buffers back.
type Pattern struct {
	a []rune
	w *work
}

// NewPattern prepares a for comparisons. It keeps the slice.
func NewPattern(a []rune) *Pattern {
	p := &Pattern{a: a}
	if len(a) == 0 || len(a) > word {
		return p
	}
	for _, r := range a {
		if uint32(r) >= direct {
			return p
		}
	}
	p.w = pool.Get().(*work)
	next := uint16(1)
	for i, r := range a {
		id := p.w.low[r]
		if id == 0 {
			id = next
			next++
			p.w.low[r] = id
		}
		p.w.p0[id] |= 1 << i
	}
	return p
}

// Distance is the edit distance to b.
func (p *Pattern) Distance(b []rune) int {
	if p.w == nil {
		return LevenshteinRunes(p.a, b)
	}
	m := len(p.a)
	pv, mv := ^uint64(0), uint64(0)
	d, last := m, uint(m-1)&63
	for _, r := range b {
		var eq uint64
		if uint32(r) < direct {
			eq = p.w.p0[p.w.low[r]]
		}
		xv := eq | mv
		xh := (((eq & pv) + pv) ^ pv) | eq
		ph := mv | ^(xh | pv)
		mh := pv & xh
		d += int(ph>>last&1) - int(mh>>last&1)
		ph = ph<<1 | 1
		mh <<= 1
		pv = mh | ^(xv | ph)
		mv = ph & xv
	}
	return d
}

// Close gives the buffers back; the pattern must not be used afterwards.
func (p *Pattern) Close() {
	if p.w == nil {
		return
	}
	for _, r := range p.a {
		p.w.p0[p.w.low[r]] = 0
		p.w.low[r] = 0
	}
	pool.Put(p.w)
	p.w = nil
}
