package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"enterprisedocbench"
)

const bm25Magic = "EDBBM25\x01"

// AppendBinary appends the index as bytes: lengths, the terms in order of their bytes with shared
// beginnings left out, and the postings as differences of passage numbers, all in variable-length
// integers. Passages stand beside it; ReadBM25 brings both together.
func (x *BM25) AppendBinary(b []byte) []byte {
	b = append(b, bm25Magic...)
	b = binary.AppendUvarint(b, uint64(len(x.passages)))
	b = binary.AppendUvarint(b, uint64(x.words.n))
	for _, l := range x.lengths {
		b = binary.AppendUvarint(b, uint64(l))
	}
	type named struct {
		text []byte
		term uint32
	}
	order := make([]named, x.words.n)
	for t := range order {
		order[t] = named{x.words.bytes(uint32(t)), uint32(t)}
	}
	slices.SortFunc(order, func(p, q named) int { return bytes.Compare(p.text, q.text) })
	var prev []byte
	for _, o := range order {
		text := o.text
		same := 0
		for same < len(prev) && same < len(text) && prev[same] == text[same] {
			same++
		}
		b = binary.AppendUvarint(b, uint64(same))
		b = binary.AppendUvarint(b, uint64(len(text)-same))
		b = append(b, text[same:]...)
		prev = text
		list := x.list(o.term)
		b = binary.AppendUvarint(b, uint64(len(list)))
		last := uint32(0)
		for _, p := range list {
			gap := uint64(p.doc-last) << 1
			last = p.doc
			if p.tf == 1 {
				b = binary.AppendUvarint(b, gap|1)
			} else {
				b = binary.AppendUvarint(b, gap)
				b = binary.AppendUvarint(b, uint64(p.tf))
			}
		}
	}
	return b
}

var errShort = errors.New("bm25 index: the data ends too soon or holds a number out of range: build it again")

// ReadBM25 reads what AppendBinary wrote for the same passages. Damaged data is an error.
func ReadBM25(data []byte, passages []edb.Passage) (*BM25, error) {
	if !bytes.HasPrefix(data, []byte(bm25Magic)) {
		return nil, errors.New("bm25 index: not such an index, or of another version: build it again")
	}
	r := reader{b: data[len(bm25Magic):]}
	n := r.int(1 << 32)
	terms := r.int(1 << 32)
	if r.err == nil && n != len(passages) {
		return nil, fmt.Errorf("bm25 index: made of %d passages, given %d: build it again", n, len(passages))
	}
	if r.err != nil || terms > len(r.b) || n > len(r.b) {
		return nil, errShort
	}
	x := &BM25{passages: passages, lengths: make([]uint32, n), starts: []uint32{0}}
	total := 0
	for d := range x.lengths {
		x.lengths[d] = uint32(r.int(1 << 31))
		total += int(x.lengths[d])
	}
	if n > 0 {
		x.mean = float64(total) / float64(n)
	}
	x.words.init()
	z := &scanner{pair: -1}
	var text []byte
	for t := range terms {
		same, more := r.int(len(text)+1), r.int(len(r.b)+1)
		if r.err != nil || same+more == 0 {
			return nil, errShort
		}
		text = append(text[:same], r.take(more)...)
		if bytes.IndexByte(text, 0) >= 0 {
			return nil, errShort
		}
		z.buf = append(z.buf[:0], text...)
		z.found()
		if c := x.words.intern(z); int(c.term) != t {
			return nil, errShort // the same term twice
		}
		count := r.int(n + 1)
		doc := -1
		for range count {
			g := r.int(1 << 33)
			tf := 1
			if g&1 == 0 {
				tf = r.int(1 << 31)
			}
			next := g >> 1
			if doc >= 0 {
				next += doc
			}
			if r.err != nil || next <= doc || next >= n || tf < 1 || uint32(tf) > x.lengths[next] {
				return nil, errShort
			}
			doc = next
			x.posts = append(x.posts, posting{uint32(doc), uint32(tf)})
		}
		x.starts = append(x.starts, uint32(len(x.posts)))
	}
	if r.err != nil || len(r.b) != 0 {
		return nil, errShort
	}
	x.finish()
	return x, nil
}

// reader takes numbers off the front of b; after an error it gives zeros.
type reader struct {
	b   []byte
	err error
}

// int reads a number below limit.
func (r *reader) int(limit int) int {
	v, w := binary.Uvarint(r.b)
	if r.err != nil || w <= 0 || v >= uint64(limit) {
		r.err, r.b = errShort, nil
		return 0
	}
	r.b = r.b[w:]
	return int(v)
}

func (r *reader) take(n int) []byte {
	if n > len(r.b) {
		r.err, r.b = errShort, nil
		return nil
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}
