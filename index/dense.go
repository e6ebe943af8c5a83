package index

import (
	"context"
	"fmt"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/internal/vec"
)

// DenseVersion counts the changes of what a search returns for the same vectors.
const DenseVersion = 1

// Dense holds one vector a passage and searches all of them exactly. It is safe for concurrent
// searches.
type Dense struct {
	passages []edb.Passage
	enc      Encoder
	dim      int
	flat     []float32
}

// batch is how many texts go to the encoder at once.
const batch = 256

// BuildDense encodes the texts of passages. The slice is kept, not copied, and must not change.
func BuildDense(ctx context.Context, passages []edb.Passage, enc Encoder) (*Dense, error) {
	x := &Dense{passages: passages, enc: enc, dim: enc.Dim(), flat: make([]float32, 0, len(passages)*enc.Dim())}
	texts := make([]string, 0, batch)
	for from := 0; from < len(passages); from += batch {
		part := passages[from:min(from+batch, len(passages))]
		texts = texts[:0]
		for i := range part {
			texts = append(texts, part[i].Text)
		}
		vs, err := enc.Encode(ctx, texts)
		if err != nil {
			return nil, fmt.Errorf("encode passages from %s on with %s: %w", part[0].ID, enc.Name(), err)
		}
		if len(vs) != len(part) {
			return nil, fmt.Errorf("encoder %s gave %d vectors for %d texts", enc.Name(), len(vs), len(part))
		}
		for i, v := range vs {
			if len(v) != x.dim {
				return nil, fmt.Errorf("encoder %s gave %d numbers for passage %s, want %d", enc.Name(), len(v), part[i].ID, x.dim)
			}
			x.flat = append(x.flat, v...)
			vec.Normalize(x.flat[len(x.flat)-x.dim:])
		}
	}
	return x, nil
}

// Len is the number of passages.
func (x *Dense) Len() int { return len(x.passages) }

// Bytes is the size on disk: the vectors in float32 and what the encoder learned from the passages.
func (x *Dense) Bytes() int64 {
	n := int64(4 * len(x.flat))
	if l, ok := x.enc.(interface{ Bytes() int64 }); ok {
		n += l.Bytes()
	}
	return n
}

// Search returns the depth passages with the largest cosine to the query, best first, scores
// rounded to 1e-6, ties by passage id. Cosines may be negative: with depth at the number of
// passages or above, every passage is returned. A query of which the encoder knows nothing (an
// empty one) finds nothing.
func (x *Dense) Search(ctx context.Context, query string, depth int) ([]edb.Hit, error) {
	if depth < 1 || len(x.passages) == 0 {
		return nil, ctx.Err()
	}
	vs, err := x.enc.Encode(ctx, []string{query})
	if err != nil {
		return nil, fmt.Errorf("encode the query with %s: %w", x.enc.Name(), err)
	}
	if len(vs) != 1 || len(vs[0]) != x.dim {
		return nil, fmt.Errorf("encoder %s gave no vector of %d numbers for the query", x.enc.Name(), x.dim)
	}
	q := append([]float32(nil), vs[0]...)
	vec.Normalize(q)
	if vec.Norm(q) == 0 {
		return nil, nil
	}
	t := top{depth: depth}
	for i := range x.passages {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s := Round(float64(vec.Dot(q, x.flat[i*x.dim:(i+1)*x.dim])))
		if len(t.hits) < depth || s >= t.hits[0].Score {
			t.offer(edb.Hit{Passage: x.passages[i].ID, Doc: x.passages[i].Doc, Score: s})
		}
	}
	return Rank(t.hits, depth), nil
}

// top keeps the depth best hits in a heap whose first is the worst.
type top struct {
	depth int
	hits  []edb.Hit
}

func worse(a, b edb.Hit) bool {
	return a.Score < b.Score || a.Score == b.Score && strings.Compare(a.Passage, b.Passage) > 0
}

func (t *top) offer(x edb.Hit) {
	h := t.hits
	if len(h) < t.depth {
		h = append(h, x)
		for i := len(h) - 1; i > 0 && worse(h[i], h[(i-1)/2]); i = (i - 1) / 2 {
			h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		}
		t.hits = h
		return
	}
	if !worse(h[0], x) {
		return
	}
	h[0] = x
	for i := 0; ; {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && worse(h[c+1], h[c]) {
			c++
		}
		if !worse(h[c], h[i]) {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}
