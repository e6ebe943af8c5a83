package metrics

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
)

// begin skips a byte order mark.
func begin(data []byte) int {
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		return 3
	}
	return 0
}

// fields cuts the line at pos into at most len(out) fields (offsets from, to). It says how many
// the line holds (at most one more than fits is counted) and where the next line begins.
func fields(data []byte, pos int, out [][2]int) (n, next int) {
	i := pos
	for {
		for i < len(data) && (data[i] == ' ' || data[i] == '\t' || data[i] == '\r') {
			i++
		}
		if i == len(data) {
			return n, i
		}
		if data[i] == '\n' {
			return n, i + 1
		}
		if n == len(out) {
			if nl := bytes.IndexByte(data[i:], '\n'); nl >= 0 {
				return n + 1, i + nl + 1
			}
			return n + 1, len(data)
		}
		from := i
		for i < len(data) && (data[i] > ' ' || data[i] != ' ' && data[i] != '\t' && data[i] != '\r' && data[i] != '\n') {
			i++
		}
		out[n] = [2]int{from, i}
		n++
	}
}

// docSet is an open-addressed set of the documents of one query: slots hold 1 + the index in the
// query's entries. The zero value needs a reset.
type docSet struct {
	slots []int32
	mask  uint32
}

func (s *docSet) reset(n int) {
	size := 16
	for size < 2*n {
		size *= 2
	}
	if cap(s.slots) < size {
		s.slots = make([]int32, size)
	} else {
		s.slots = s.slots[:size]
		clear(s.slots)
	}
	s.mask = uint32(size - 1)
}

// add puts e at index len(kept), or reports where its document already stands.
func (s *docSet) add(data []byte, kept []entry, e entry) (int, bool) {
	doc := e.doc(data)
	i := hashBytes(doc) & s.mask
	for ; s.slots[i] != 0; i = (i + 1) & s.mask {
		j := int(s.slots[i] - 1)
		if bytes.Equal(kept[j].doc(data), doc) {
			return j, true
		}
	}
	s.slots[i] = int32(len(kept)) + 1
	return len(kept), false
}

// find reports where a document stands among entries.
func (s *docSet) find(data []byte, entries []entry, doc []byte) (int, bool) {
	i := hashBytes(doc) & s.mask
	for ; s.slots[i] != 0; i = (i + 1) & s.mask {
		if j := int(s.slots[i] - 1); bytes.Equal(entries[j].doc(data), doc) {
			return j, true
		}
	}
	return 0, false
}

// hashBytes mixes eight bytes at a time.
func hashBytes(b []byte) uint32 {
	const m1, m2 = 0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53
	h := uint64(len(b)) * 0x9e3779b97f4a7c15
	for len(b) >= 8 {
		h = (h ^ binary.LittleEndian.Uint64(b)) * m1
		h ^= h >> 32
		b = b[8:]
	}
	var v uint64
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	h = (h ^ v) * m1
	h ^= h >> 29
	return uint32(h * m2 >> 32)
}

// smallInt reads a decimal integer of at most nine digits.
func smallInt(b []byte) (int32, bool) {
	neg := false
	if len(b) > 1 && (b[0] == '-' || b[0] == '+') {
		neg, b = b[0] == '-', b[1:]
	}
	if len(b) == 0 || len(b) > 9 {
		return 0, false
	}
	v := int32(0)
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int32(c-'0')
	}
	if neg {
		v = -v
	}
	return v, true
}

var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}

// decimal reads a finite number, correctly rounded: at most 15 digits with a point directly (both
// parts are exact in a float64, so the one division rounds once), anything else through strconv.
func decimal(b []byte) (float64, bool) {
	i := 0
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		i = 1
	}
	mant, digits, point := uint64(0), 0, -1
	for ; i < len(b) && digits <= 15; i++ {
		c := b[i]
		if c == '.' && point < 0 {
			point = digits
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		mant = mant*10 + uint64(c-'0')
		digits++
	}
	if i == len(b) && digits > 0 && digits <= 15 {
		v := float64(mant)
		if point >= 0 {
			v /= powers[digits-point]
		}
		if b[0] == '-' {
			v = -v
		}
		return v, true
	}
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, false
	}
	return v, true
}
