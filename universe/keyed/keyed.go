// Package keyed draws from (seed, purpose, id) without state: keys, random sources and permutations
// that are the same wherever and in whatever order they are asked for. It is what lets one document
// of a world be made alone, byte for byte as in the whole.
package keyed

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

// Key derives a 64-bit key from a world's seed, a purpose and an id. Another purpose gives a key that
// has nothing to do with this one.
func Key(seed uint64, purpose string, id int) uint64 {
	h := mix(seed ^ 0x9e3779b97f4a7c15)
	for len(purpose) > 0 {
		var b [8]byte
		n := copy(b[:], purpose)
		purpose = purpose[n:]
		h = mix(h ^ binary.LittleEndian.Uint64(b[:]) + 0x9e3779b97f4a7c15)
	}
	return mix(h ^ uint64(id) + 0x632be59bd9b4e019)
}

// Source is the random source of one entity and purpose. Two purposes never share a stream, so a
// new draw for one fact leaves every other fact of the world as it was.
func Source(seed uint64, purpose string, id int) *rand.Rand {
	return rand.New(rand.NewPCG(Key(seed, purpose, id), uint64(id)))
}

// Permutation is a keyed bijection of [0, n): a four-round Feistel network over the smallest square
// of a power of two that holds n, walked until the image falls inside. No table is kept, so n may be
// as large as the name space. The zero Permutation is of no use: NewPermutation makes one.
type Permutation struct {
	n    int
	half uint
	keys [4]uint64
}

// NewPermutation returns the permutation of [0, n) for a key; n must be at least 1.
func NewPermutation(n int, key uint64) Permutation {
	p := Permutation{n: n, half: 1}
	for 1<<(2*p.half) < n {
		p.half++
	}
	for i := range p.keys {
		p.keys[i] = mix(key + uint64(i+1)*0x9e3779b97f4a7c15)
	}
	return p
}

// At returns the image of i, which must lie in [0, n).
func (p Permutation) At(i int) int {
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

// Find returns the i whose image is j, which must lie in [0, n): At backwards.
func (p Permutation) Find(j int) int {
	mask := uint64(1)<<p.half - 1
	x := uint64(j)
	for {
		l, r := x>>p.half, x&mask
		for i := len(p.keys) - 1; i >= 0; i-- {
			l, r = r^(mix(l^p.keys[i])&mask), l
		}
		x = l<<p.half | r
		if x < uint64(p.n) {
			return int(x)
		}
	}
}
