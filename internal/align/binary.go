package align

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// magic starts the binary form and holds its version.
const magic = "EDBALIGN1"

var errDamaged = errors.New("alignment: damaged bytes; remove the cached entry and align again")

// MarshalBinary writes the alignment, the same bytes for the same alignment. Boxes and weights are
// left out: they are not needed to use it.
func (a *Alignment) MarshalBinary() ([]byte, error) {
	w := []byte(magic)
	// Only keys that a gold word has are needed: they carry its weight.
	used := make([]int32, len(a.keys))
	var keys []int32
	for i := range a.gold.toks {
		if k := a.gold.toks[i].word; used[k] == 0 {
			keys = append(keys, k)
			used[k] = int32(len(keys))
		}
	}
	w = binary.AppendUvarint(w, uint64(len(keys)))
	for _, k := range keys {
		w = appendString(w, a.keys[k])
	}
	w = appendSide(w, a.gold)
	w = appendSide(w, a.parsed)
	last := int32(0)
	for i, t := range a.gold.toks {
		w = binary.AppendUvarint(w, uint64(used[t.word]-1))
		flags := uint64(a.how[i])
		if t.number {
			flags |= 4
		}
		if t.share != 1 {
			flags |= 8
		}
		key := a.keys[t.word]
		if a.gold.raw[i] != key {
			flags |= 16
		}
		w = binary.AppendUvarint(w, flags)
		if flags&8 != 0 {
			w = binary.LittleEndian.AppendUint32(w, math.Float32bits(t.share))
		}
		if flags&16 != 0 {
			w = appendString(w, a.gold.raw[i])
		}
		if a.how[i] != unmatched {
			w = binary.AppendVarint(w, int64(a.image[i]-last))
			last = a.image[i]
		}
	}
	return w, nil
}

func appendString(w []byte, s string) []byte {
	return append(binary.AppendUvarint(w, uint64(len(s))), s...)
}

func appendSide(w []byte, s *side) []byte {
	paged := uint64(0)
	if s.paged {
		paged = 1
	}
	w = binary.AppendUvarint(w, paged)
	w = binary.AppendUvarint(w, uint64(len(s.pages)))
	w = binary.AppendUvarint(w, uint64(len(s.toks)))
	for _, p := range s.pages {
		w = binary.AppendVarint(w, int64(p.number))
		image := uint64(0)
		if p.image {
			image = 1
		}
		w = binary.AppendUvarint(w, uint64(p.to-p.from)<<1|image)
		last := int32(0)
		for _, t := range s.toks[p.from:p.to] {
			w = binary.AppendUvarint(w, uint64(t.start-last))
			w = binary.AppendUvarint(w, uint64(t.end-t.start))
			last = t.end
		}
	}
	return w
}

// UnmarshalBinary reads what MarshalBinary wrote. Any other bytes are an error.
func (a *Alignment) UnmarshalBinary(data []byte) error {
	if !bytes.HasPrefix(data, []byte(magic)) {
		return fmt.Errorf("alignment: not in the form %s; align again", magic)
	}
	r := &reader{data: data[len(magic):]}
	keys := make([]string, r.count(1))
	for i := range keys {
		keys[i] = r.text()
	}
	gold, parsed := r.side(), r.side()
	if r.bad {
		return errDamaged
	}
	image, how := make([]int32, len(gold.toks)), make([]uint8, len(gold.toks))
	source := make([]int32, len(parsed.toks))
	for i := range source {
		source[i] = -1
	}
	gold.raw = make([]string, len(gold.toks))
	last := int64(0)
	for i := range gold.toks {
		t := &gold.toks[i]
		k, flags := r.uint(), r.uint()
		if k >= uint64(len(keys)) || flags > 31 {
			return errDamaged
		}
		t.word, t.key, t.share = int32(k), int32(k), 1
		how[i], t.number = uint8(flags&3), flags&4 != 0
		gold.raw[i] = keys[k]
		if flags&8 != 0 {
			t.share = r.float()
		}
		if flags&16 != 0 {
			gold.raw[i] = r.text()
		}
		image[i] = -1
		if how[i] != unmatched {
			last += r.int()
			if last < 0 || last >= int64(len(source)) {
				return errDamaged
			}
			image[i] = int32(last)
			if how[i] != placed {
				source[last] = int32(i)
			}
		}
	}
	if r.bad || len(r.data) > 0 {
		return errDamaged
	}
	a.keys, a.gold, a.parsed, a.image, a.how, a.source = keys, gold, parsed, image, how, source
	a.weight, a.locators = nil, nil
	return nil
}

// reader reads numbers; once bad, everything is 0.
type reader struct {
	data []byte
	bad  bool
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.data)
	if n <= 0 {
		r.bad, r.data = true, nil
		return 0
	}
	r.data = r.data[n:]
	return v
}

func (r *reader) int() int64 {
	v, n := binary.Varint(r.data)
	if n <= 0 {
		r.bad, r.data = true, nil
		return 0
	}
	r.data = r.data[n:]
	return v
}

// count is a number of things that take at least size bytes each.
func (r *reader) count(size int) int {
	n := r.uint()
	if n > uint64(len(r.data)/size) {
		r.bad, r.data = true, nil
		return 0
	}
	return int(n)
}

func (r *reader) text() string {
	n := r.count(1)
	s := string(r.data[:n])
	r.data = r.data[n:]
	return s
}

func (r *reader) float() float32 {
	if len(r.data) < 4 {
		r.bad, r.data = true, nil
		return 0
	}
	f := math.Float32frombits(binary.LittleEndian.Uint32(r.data))
	r.data = r.data[4:]
	if !(f >= 0 && f <= 1) {
		r.bad, r.data = true, nil
		return 0
	}
	return f
}

func (r *reader) side() *side {
	s := &side{paged: r.uint() == 1}
	pages, toks := r.count(2), r.count(2)
	s.toks = make([]token, 0, toks)
	for range pages {
		p := pageRange{number: int(r.int()), from: len(s.toks)}
		n := r.uint()
		p.image = n&1 == 1
		if n >>= 1; n > uint64(toks-len(s.toks)) {
			r.bad, r.data = true, nil
			return s
		}
		last := int64(0)
		for range n {
			start := last + int64(r.uint())
			last = start + int64(r.uint())
			if start < 0 || last > math.MaxInt32 || last < start {
				r.bad, r.data = true, nil
				return s
			}
			s.toks = append(s.toks, token{start: int32(start), end: int32(last)})
		}
		p.to = len(s.toks)
		s.pages = append(s.pages, p)
	}
	if len(s.toks) != toks {
		r.bad = true
	}
	return s
}
