package universe

import (
	"encoding/binary"
	"math/rand/v2"
)

// mix is a 64-bit finaliser: every bit of the input moves half the bits of the output.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	x ^= x >> 31
	return x
}

// key derives a 64-bit key from the world's seed, a purpose and an id.
func key(seed uint64, purpose string, id int) uint64 {
	h := mix(seed ^ 0x9e3779b97f4a7c15)
	for len(purpose) > 0 {
		var b [8]byte
		n := copy(b[:], purpose)
		purpose = purpose[n:]
		h = mix(h ^ binary.LittleEndian.Uint64(b[:]) + 0x9e3779b97f4a7c15)
	}
	return mix(h ^ uint64(id) + 0x632be59bd9b4e019)
}

// source is the random source of one entity and purpose. Two purposes never share a stream, so a
// new draw for one fact leaves every other fact of the world as it was.
func source(seed uint64, purpose string, id int) *rand.Rand {
	return rand.New(rand.NewPCG(key(seed, purpose, id), uint64(id)))
}

// permutation is a keyed bijection of [0, n): a four-round Feistel network over the smallest square
// of a power of two that holds n, walked until the image falls inside. No table is kept, so n may be
// as large as the name space.
type permutation struct {
	n    int
	half uint
	keys [4]uint64
}

// newPermutation returns the permutation of [0, n) for a key; n must be at least 1.
func newPermutation(n int, k uint64) permutation {
	p := permutation{n: n, half: 1}
	for 1<<(2*p.half) < n {
		p.half++
	}
	for i := range p.keys {
		p.keys[i] = mix(k + uint64(i+1)*0x9e3779b97f4a7c15)
	}
	return p
}

// at returns the image of i, which must lie in [0, n).
func (p permutation) at(i int) int {
	mask := uint64(1)<<p.half - 1
	x := uint64(i)
	for {
		l, r := x>>p.half, x&mask
		for _, k := range p.keys {
			l, r = r, l^(mix(r^k)&mask)
		}
		x = l<<p.half | r
		if x < uint64(p.n) {
			return int(x)
		}
	}
}
