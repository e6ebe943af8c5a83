package vec

import "math/bits"

// LCS is the length of the longest common subsequence of a and b: the most symbols that can be kept
// when one is turned into the other by insertions and deletions alone. Symmetric; 0 where either is
// empty. The arguments are only read.
//
// Method: the bit vectors of Crochemore et al. 2001 in Hyyrö's form (2004), after what both have in
// common at their ends is taken away. O(len(a) · len(b)/64).
func LCS(a, b []rune) int {
	same := 0
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b, same = a[1:], b[1:], same+1
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b, same = a[:len(a)-1], b[:len(b)-1], same+1
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return same
	}
	blocks := (len(a) + word - 1) / word
	ids := map[rune]int{}
	for _, r := range a {
		if _, ok := ids[r]; !ok {
			ids[r] = len(ids)
		}
	}
	var low [256]int32 // id + 1, found without the map
	for r, id := range ids {
		if r >= 0 && r < 256 {
			low[r] = int32(id) + 1
		}
	}
	rows := make([]uint64, len(ids)*blocks)
	for i, r := range a {
		rows[ids[r]*blocks+i/word] |= 1 << (i % word)
	}
	v := make([]uint64, blocks)
	for i := range v {
		v[i] = ^uint64(0)
	}
	for _, r := range b {
		id := -1
		if r >= 0 && r < 256 {
			id = int(low[r]) - 1
		} else if k, ok := ids[r]; ok {
			id = k
		}
		if id < 0 {
			continue // no row has the symbol: nothing changes
		}
		carry := uint64(0)
		row := rows[id*blocks : id*blocks+blocks]
		for k, x := range v {
			u := x & row[k]
			var sum uint64
			sum, carry = bits.Add64(x, u, carry)
			v[k] = sum | (x - u)
		}
	}
	kept := 0
	for k, x := range v {
		if k == blocks-1 && len(a)%word != 0 {
			x |= ^uint64(0) << (len(a) % word)
		}
		kept += bits.OnesCount64(^x)
	}
	return same + kept
}
