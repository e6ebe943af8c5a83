package vec

import (
	"math"
	"math/bits"
	"sync"
)

// Levenshtein returns the edit distance between a and b: the least number of code points to
// insert, delete or substitute. Bytes that are no UTF-8 count as one U+FFFD each. Either may be
// empty. It is safe for concurrent use and symmetric.
//
// Method: Myers' bit vectors in blocks of 64 rows (Hyyrö 2003) inside Ukkonen's band. A first run
// in a narrow band gives an upper bound u of the distance; a second run with the band of u, cut
// further where no path of cost u can pass, is exact. O(n·d/64).
func Levenshtein(a, b string) int {
	if a == b {
		return 0
	}
	w := pool.Get().(*work)
	defer pool.Put(w)
	w.a, w.b = appendRunes(w.a[:0], a), appendRunes(w.b[:0], b)
	return w.distance(w.a, w.b)
}

// LevenshteinRunes is [Levenshtein] over any sequences coded as runes (every int32 value is a
// symbol of its own). The arguments are only read.
func LevenshteinRunes(a, b []rune) int {
	w := pool.Get().(*work)
	defer pool.Put(w)
	return w.distance(a, b)
}

// Similarity is 1 - Levenshtein/longer length in code points, in [0,1]; two empty strings give 1.
func Similarity(a, b string) float64 {
	if a == b {
		return 1
	}
	w := pool.Get().(*work)
	defer pool.Put(w)
	w.a, w.b = appendRunes(w.a[:0], a), appendRunes(w.b[:0], b)
	n := max(len(w.a), len(w.b))
	return 1 - float64(w.distance(w.a, w.b))/float64(n)
}

// SimilarityRunes is [Similarity] over sequences coded as runes.
func SimilarityRunes(a, b []rune) float64 {
	n := max(len(a), len(b))
	if n == 0 {
		return 1
	}
	return 1 - float64(LevenshteinRunes(a, b))/float64(n)
}

func appendRunes(dst []rune, s string) []rune {
	for _, r := range s {
		dst = append(dst, r)
	}
	return dst
}

const (
	word   = 64
	direct = 0x3000 // code points below this find their id in an array, others in a map
)

type table = [1 << 16]uint64

// work holds the buffers of one call, reused through pool.
type work struct {
	a, b   []rune
	ida    []uint16 // rows, as ids from 1
	idb    []uint16 // columns; 0 is a symbol that no row has
	low    [direct]uint16
	high   map[rune]uint16
	p0, p1 table // which rows of the upper and the lower strip hold a symbol
	hp, hm []uint8
}

var pool = sync.Pool{New: func() any { return &work{high: map[rune]uint16{}} }}

func (w *work) distance(a, b []rune) int {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return len(b)
	}
	if !w.number(a, b) {
		return plain(a, b)
	}
	m, n := len(a), len(b)
	if m <= word {
		return w.short()
	}
	w.hp, w.hm = grow(w.hp, n), grow(w.hm, n)
	k := n - m + 2*int(math.Sqrt(float64(n))) + word
	if k >= n {
		return w.band(n, true)
	}
	u := w.band(k, false)
	if u <= k {
		return u
	}
	return w.band(u, true)
}

// number gives every symbol of a an id from 1 and writes both sequences as ids. It reports false
// where a holds more symbols than fit.
func (w *work) number(a, b []rune) bool {
	w.ida, w.idb = w.ida[:0], w.idb[:0]
	next := uint16(1)
	full := false
	for _, r := range a {
		var id uint16
		if uint32(r) < direct {
			id = w.low[r]
		} else {
			id = w.high[r]
		}
		if id == 0 {
			if next == math.MaxUint16 {
				full = true
				break
			}
			id = next
			next++
			if uint32(r) < direct {
				w.low[r] = id
			} else {
				w.high[r] = id
			}
		}
		w.ida = append(w.ida, id)
	}
	for _, r := range b {
		if uint32(r) < direct {
			w.idb = append(w.idb, w.low[r])
		} else {
			w.idb = append(w.idb, w.high[r])
		}
	}
	for _, r := range a {
		if uint32(r) < direct {
			w.low[r] = 0
		}
	}
	if len(w.high) > 0 {
		clear(w.high)
	}
	return !full
}

// short is the case of at most 64 rows: one word, no band.
func (w *work) short() int {
	m := len(w.ida)
	for i, id := range w.ida {
		w.p0[id] |= 1 << i
	}
	pv, mv := ^uint64(0), uint64(0)
	d, last := m, uint(m-1)&63
	for _, id := range w.idb {
		eq := w.p0[id]
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
	for _, id := range w.ida {
		w.p0[id] = 0
	}
	return d
}

// band fills the band of diagonals that a path of cost k can touch, two strips of 64 rows at a
// time. What lies outside counts as reached by insertions or deletions alone, so the value is
// always the cost of some path: an upper bound, and exact where the distance is at most k. With
// cut, cells from which k can no longer be met narrow the band; then only a value ≤ k means
// something.
//
// Columns are numbered from 0; dLeft is the value at (bottom row, column lo-1), dRight at
// (bottom row, column hi-1).
func (w *work) band(k int, cut bool) int {
	m, n := len(w.ida), len(w.idb)
	diff := n - m // ≥ 0
	side := max(0, (k-diff)/2)
	lo, hi := 0, 0
	dLeft, dRight := 0, 0 // row 0 at columns -1 and hi-1
	reach := n
	for row := 0; row < m; {
		rows := min(2*word, m-row)
		// the strip's columns: diagonals j-i in [-side, diff+side]
		newLo := max(lo, min(n-1, row-side-1))
		newHi := min(n, row+rows+diff+side+1)
		if cut {
			newHi = min(newHi, reach)
		}
		if row+rows == m {
			newHi = n
		}
		newHi = max(newHi, newLo+1)
		for newLo > lo && lo < hi { // the left edge moves right along the row above
			dLeft += int(w.hp[lo]) - int(w.hm[lo])
			lo++
		}
		if newLo > lo {
			dLeft += newLo - lo
			lo = newLo
		}
		for ; hi < newHi; hi++ { // beyond the row above: insertions
			w.hp[hi], w.hm[hi] = 1, 0
			dRight++
		}
		for ; hi > newHi; hi-- {
			dRight -= int(w.hp[hi-1]) - int(w.hm[hi-1])
		}
		idb, hp, hm := w.idb[lo:hi], w.hp[lo:hi], w.hm[lo:hi]
		strip := w.ida[row : row+rows]
		if rows <= word {
			dRight += one(&w.p0, strip, idb, hp, hm)
		} else {
			dRight += two(&w.p0, &w.p1, strip, idb, hp, hm)
		}
		row += rows
		dLeft += rows
		if !cut || row == m {
			continue
		}
		// Drop what cannot end at k: value + distance to the target's diagonal.
		for lo < hi-1 && dLeft+int(w.hp[lo])-int(w.hm[lo])+abs((n-lo-1)-(m-row)) > k && dLeft+abs((n-lo)-(m-row)) > k {
			dLeft += int(w.hp[lo]) - int(w.hm[lo])
			lo++
		}
		d, j := dRight, hi
		for j > lo+1 && d+abs((n-j)-(m-row)) > k {
			j--
			d -= int(w.hp[j]) - int(w.hm[j])
		}
		free := (n - j) - (m - row)
		reach = j + min(2*word, m-row) + max(free, 0) + max(0, k-d-abs(free))/2 + 1
	}
	return dRight
}

func abs(x int) int { return max(x, -x) }

// one runs a strip of at most 64 rows over the columns of idb. hp and hm bring the differences
// along the row above (+1, -1) and take those of the strip's last row. It returns the value at the
// last row less that above the strip, in the last column.
func one(p *table, strip, idb []uint16, hp, hm []uint8) int {
	for i, id := range strip {
		p[id] |= 1 << i
	}
	hp, hm = hp[:len(idb)], hm[:len(idb)]
	pv, mv := ^uint64(0), uint64(0)
	last := uint(len(strip)-1) & 63
	for j, id := range idb {
		eq := p[id]
		inP, inM := uint64(hp[j]), uint64(hm[j])
		xv := eq | mv
		eq |= inM
		xh := (((eq & pv) + pv) ^ pv) | eq
		ph := mv | ^(xh | pv)
		mh := pv & xh
		hp[j], hm[j] = uint8(ph>>last&1), uint8(mh>>last&1)
		ph = ph<<1 | inP
		mh = mh<<1 | inM
		pv = mh | ^(xv | ph)
		mv = ph & xv
	}
	for _, id := range strip {
		p[id] = 0
	}
	mask := ^uint64(0) >> (63 - last)
	return bits.OnesCount64(pv&mask) - bits.OnesCount64(mv&mask)
}

// two is [one] for 65 to 128 rows: the upper word runs one column ahead of the lower, so that the
// two chains of operations overlap in the processor.
func two(p, q *table, strip, idb []uint16, hp, hm []uint8) int {
	up, down := strip[:word], strip[word:]
	for i, id := range up {
		p[id] |= 1 << i
	}
	for i, id := range down {
		q[id] |= 1 << i
	}
	last := uint(len(down)-1) & 63
	n := len(idb)
	hp, hm = hp[:n], hm[:n]
	pv, mv := ^uint64(0), uint64(0)
	pw, mw := ^uint64(0), uint64(0)
	// upper word, first column
	id := idb[0]
	var cp, cm uint64
	pv, mv, cp, cm = step(p[id], pv, mv, uint64(hp[0]), uint64(hm[0]))
	for j := 1; j < n; j++ {
		eq2 := q[id]
		id = idb[j]
		eq := p[id]
		inP, inM := uint64(hp[j]), uint64(hm[j])

		xv2 := eq2 | mw
		eq2 |= cm
		xh2 := (((eq2 & pw) + pw) ^ pw) | eq2
		ph2 := mw | ^(xh2 | pw)
		mh2 := pw & xh2
		hp[j-1], hm[j-1] = uint8(ph2>>last&1), uint8(mh2>>last&1)
		ph2 = ph2<<1 | cp
		mh2 = mh2<<1 | cm
		pw = mh2 | ^(xv2 | ph2)
		mw = ph2 & xv2

		xv := eq | mv
		eq |= inM
		xh := (((eq & pv) + pv) ^ pv) | eq
		ph := mv | ^(xh | pv)
		mh := pv & xh
		cp, cm = ph>>63, mh>>63
		ph = ph<<1 | inP
		mh = mh<<1 | inM
		pv = mh | ^(xv | ph)
		mv = ph & xv
	}
	// lower word, last column
	eq := q[id]
	xv := eq | mw
	eq |= cm
	xh := (((eq & pw) + pw) ^ pw) | eq
	ph := mw | ^(xh | pw)
	mh := pw & xh
	hp[n-1], hm[n-1] = uint8(ph>>last&1), uint8(mh>>last&1)
	ph = ph<<1 | cp
	mh = mh<<1 | cm
	pw = mh | ^(xv | ph)
	mw = ph & xv
	for _, id := range up {
		p[id] = 0
	}
	for _, id := range down {
		q[id] = 0
	}
	mask := ^uint64(0) >> (63 - last)
	return bits.OnesCount64(pv) - bits.OnesCount64(mv) + bits.OnesCount64(pw&mask) - bits.OnesCount64(mw&mask)
}

// step is one column of one word: new vertical differences and the carry of its last row.
func step(eq, pv, mv, inP, inM uint64) (npv, nmv, outP, outM uint64) {
	xv := eq | mv
	eq |= inM
	xh := (((eq & pv) + pv) ^ pv) | eq
	ph := mv | ^(xh | pv)
	mh := pv & xh
	outP, outM = ph>>63, mh>>63
	ph = ph<<1 | inP
	mh = mh<<1 | inM
	return mh | ^(xv | ph), ph & xv, outP, outM
}

// plain is the full table by rows, for sequences with more symbols than the bit method takes.
func plain(a, b []rune) int {
	row := make([]int, len(a)+1)
	for i := range row {
		row[i] = i
	}
	for j, y := range b {
		diag := row[0]
		row[0] = j + 1
		for i, x := range a {
			d := min(row[i+1], row[i]) + 1
			if x == y {
				d = min(d, diag)
			} else {
				d = min(d, diag+1)
			}
			diag, row[i+1] = row[i+1], d
		}
	}
	return row[len(a)]
}

func grow(s []uint8, n int) []uint8 {
	if cap(s) < n {
		return make([]uint8, n)
	}
	return s[:n]
}
