package vec

// Place is where a pattern was found: the code point after its last one, and the edit distance of
// the best stretch that ends there.
type Place struct{ End, Distance int }

// Find returns the places of text at which pattern ends with at most limit edits, each the best of
// its neighbourhood: of ends closer together than half the pattern only the one with the fewest
// edits is kept (the first of equals). In order of End. An empty pattern is found nowhere.
//
// Method: Myers' bit vectors with a free start (Sellers' search). O(text · pattern/64).
func Find(pattern, text []rune, limit int) []Place {
	m := len(pattern)
	if m == 0 {
		return nil
	}
	blocks := (m + word - 1) / word
	ids := make(map[rune]int, m)
	for _, r := range pattern {
		if _, ok := ids[r]; !ok {
			ids[r] = len(ids) + 1
		}
	}
	var low [256]int32
	for r, id := range ids {
		if r >= 0 && r < 256 {
			low[r] = int32(id)
		}
	}
	eqs := make([]uint64, (len(ids)+1)*blocks)
	for i, r := range pattern {
		eqs[ids[r]*blocks+i/word] |= 1 << (i % word)
	}
	pv, mv := make([]uint64, blocks), make([]uint64, blocks)
	for i := range pv {
		pv[i] = ^uint64(0)
	}
	last := uint(m-1) % word
	d := m
	var out []Place
	for j, r := range text {
		id := 0
		if r >= 0 && r < 256 {
			id = int(low[r])
		} else {
			id = ids[r]
		}
		eq := eqs[id*blocks : id*blocks+blocks]
		var cp, cm uint64
		for b := range blocks {
			if b == blocks-1 {
				xv := eq[b] | mv[b]
				e := eq[b] | cm
				xh := (((e & pv[b]) + pv[b]) ^ pv[b]) | e
				ph := mv[b] | ^(xh | pv[b])
				mh := pv[b] & xh
				d += int(ph>>last&1) - int(mh>>last&1)
				ph = ph<<1 | cp
				mh = mh<<1 | cm
				pv[b] = mh | ^(xv | ph)
				mv[b] = ph & xv
				break
			}
			pv[b], mv[b], cp, cm = step(eq[b], pv[b], mv[b], cp, cm)
		}
		if d > limit {
			continue
		}
		if n := len(out); n > 0 && j+1-out[n-1].End <= m/2 {
			if d < out[n-1].Distance {
				out[n-1] = Place{j + 1, d}
			}
			continue
		}
		out = append(out, Place{j + 1, d})
	}
	return out
}
