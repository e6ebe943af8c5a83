package index

import (
	"context"
	"math"
	"math/rand/v2"

	"enterprisedocbench"
	"enterprisedocbench/internal/vec"
)

// LSAName names the encoder that is learned from the passages themselves.
const (
	LSAName    = "lsa-128"
	lsaVersion = 1
	lsaDim     = 128
)

// LSA is latent semantic analysis (Deerwester and others, Indexing by Latent Semantic Analysis,
// 1990): passages as vectors of (1 + ln tf)*idf over their terms, cut to the directions of largest
// singular value. The decomposition is the randomized one of Halko, Martinsson and Tropp (2011)
// with a fixed seed, so the same passages give the same vectors.
type LSA struct {
	words lexicon
	idf   []float32
	basis []float32 // terms x dim, row by row
	dim   int
}

// sparse is the passages as rows of weighted terms.
type sparse struct {
	terms   [][]uint32
	weights [][]float32
	cols    int
}

// NewLSA learns an encoder of dim numbers from the passages. Terms of a single passage are left
// out: they tie nothing together. Fewer passages or terms than dim leave the last numbers 0.
func NewLSA(ctx context.Context, passages []edb.Passage, dim int) (*LSA, error) {
	full := BuildBM25(passages)
	l := &LSA{dim: dim}
	l.words.init()
	z := newScanner("")
	for t := range full.words.n {
		if n := len(full.list(uint32(t))); n > 1 {
			z.buf = append(z.buf[:0], full.words.bytes(uint32(t))...)
			z.found()
			l.words.intern(z)
			l.idf = append(l.idf, float32(full.idf(n)))
		}
	}
	m := sparse{make([][]uint32, len(passages)), make([][]float32, len(passages)), l.words.n}
	if err := each(ctx, len(passages), func(i int) { m.terms[i], m.weights[i] = l.row(passages[i].Text) }); err != nil {
		return nil, err
	}
	var err error
	l.basis, err = directions(ctx, m, dim)
	return l, err
}

// row is a text as weighted terms of length 1.
func (l *LSA) row(text string) ([]uint32, []float32) {
	var ids []uint32
	z := newScanner(text)
	for z.next() {
		if t, ok := l.words.find(z); ok {
			ids = append(ids, t)
		}
	}
	terms, w := counts(ids)
	for i, t := range terms {
		w[i] = (1 + float32(math.Log(float64(w[i])))) * l.idf[t]
	}
	vec.Normalize(w)
	return terms, w
}

// directions is the first dim right singular vectors of m, as cols x dim.
func directions(ctx context.Context, m sparse, dim int) ([]float32, error) {
	k := min(dim+16, len(m.terms), m.cols)
	out := make([]float32, m.cols*dim)
	if k == 0 {
		return out, nil
	}
	r := rand.New(rand.NewPCG(1, 2))
	y := make([]float32, m.cols*k)
	for i := range y {
		y[i] = float32(r.NormFloat64())
	}
	for range 3 {
		orthonormal(y, k)
		var err error
		if y, err = m.gram(ctx, y, k); err != nil {
			return nil, err
		}
	}
	orthonormal(y, k)
	// Rotate the basis so that its vectors come by singular value, largest first.
	a, err := m.gram(ctx, y, k)
	if err != nil {
		return nil, err
	}
	s := make([]float64, k*k)
	for t := range m.cols {
		for i := range k {
			for j := range k {
				s[i*k+j] += float64(y[t*k+i]) * float64(a[t*k+j])
			}
		}
	}
	rot, order := eigen(s, k)
	for t := range m.cols {
		for c := range min(dim, k) {
			var v float64
			for i := range k {
				v += float64(y[t*k+i]) * rot[i*k+order[c]]
			}
			out[t*dim+c] = float32(v)
		}
	}
	return out, nil
}

// gram is mᵀ(m y) for y of cols x k.
func (m sparse) gram(ctx context.Context, y []float32, k int) ([]float32, error) {
	out := make([]float32, len(y))
	row := make([]float32, k)
	for i, terms := range m.terms {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		clear(row)
		for j, t := range terms {
			vec.Axpy(m.weights[i][j], y[int(t)*k:int(t+1)*k], row)
		}
		for j, t := range terms {
			vec.Axpy(m.weights[i][j], row, out[int(t)*k:int(t+1)*k])
		}
	}
	return out, nil
}

// Name is "lsa-128" for 128 numbers.
func (l *LSA) Name() string { return LSAName }

// Version of the vectors.
func (l *LSA) Version() int { return lsaVersion }

// Dim is the length of a vector.
func (l *LSA) Dim() int { return l.dim }

// Bytes is the size of what was learned: the basis in float32 and the terms.
func (l *LSA) Bytes() int64 {
	n := int64(4*len(l.basis) + 4*len(l.idf))
	for _, s := range l.words.sizes {
		n += int64(s) + 1
	}
	return n
}

// Encode projects texts on the learned directions. Texts of unknown terms become zeros.
func (l *LSA) Encode(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	err := each(ctx, len(texts), func(i int) {
		v := make([]float32, l.dim)
		terms, w := l.row(texts[i])
		for j, t := range terms {
			vec.Axpy(w[j], l.basis[int(t)*l.dim:int(t+1)*l.dim], v)
		}
		vec.Normalize(v)
		out[i] = v
	})
	return out, err
}
