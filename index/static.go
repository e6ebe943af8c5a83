package index

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"enterprisedocbench"
	"enterprisedocbench/internal/tokens"
	"enterprisedocbench/internal/vec"
)

// StaticName names the encoder whose vectors are in the binary.
const (
	StaticName    = "static-minilm-256"
	staticVersion = 2
)

// staticTable is what scripts/static-encoder makes of the model all-MiniLM-L6-v2; see NOTICE.
//
//go:embed static-minilm.bin.gz
var staticTable []byte

// table is one vector a word piece: int8 numbers and one scale a row.
type table struct {
	split *tokens.WordPiece
	dim   int
	scale []float32
	rows  []int8
	size  int64
}

var loadStatic = sync.OnceValues(func() (*table, error) { return readTable(staticTable) })

// readTable reads what distil.py wrote; its README describes the form.
func readTable(packed []byte) (*table, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("static encoder: %w", err)
	}
	data, err := io.ReadAll(io.LimitReader(z, 1<<27))
	if err != nil {
		return nil, fmt.Errorf("static encoder: %w", err)
	}
	bad := errors.New("static encoder: not a table that scripts/static-encoder wrote")
	if len(data) < 16 || string(data[:4]) != "EDBS" {
		return nil, bad
	}
	rows, dim, text := int(binary.LittleEndian.Uint32(data[4:])), int(binary.LittleEndian.Uint32(data[8:])), int(binary.LittleEndian.Uint32(data[12:]))
	data = data[16:]
	if rows > 1<<20 || dim < 1 || dim > 1<<12 || len(data) != text+4*rows+rows*dim {
		return nil, bad
	}
	pieces := strings.Split(strings.TrimSuffix(string(data[:text]), "\n"), "\n")
	if len(pieces) != rows {
		return nil, bad
	}
	t := &table{dim: dim, scale: make([]float32, rows), rows: make([]int8, rows*dim), size: int64(len(packed))}
	if t.split, err = tokens.NewWordPiece(pieces); err != nil {
		return nil, fmt.Errorf("static encoder: %w", err)
	}
	data = data[text:]
	for i := range t.scale {
		t.scale[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	for i, b := range data[4*rows:] {
		t.rows[i] = int8(b)
	}
	return t, nil
}

// pieces appends the piece numbers of a text. Words that the vocabulary cannot spell are left out.
func (t *table) pieces(out []uint32, text string) []uint32 {
	begin := len(out)
	out = t.split.AppendIDs(out, text)
	known := slices.DeleteFunc(out[begin:], func(id uint32) bool { return id == t.split.Unknown() })
	return out[:begin+len(known)]
}

// Static is the mean of word-piece vectors distilled from a sentence encoder, each weighted by how
// rare the piece is in the passages of the index. It knows words, not their order.
type Static struct {
	t   *table
	idf []float32 // by piece
}

// NewStatic opens the encoder in the binary. Passages give the rarity of pieces; with none, all
// weigh the same.
func NewStatic(passages []edb.Passage) (*Static, error) {
	t, err := loadStatic()
	if err != nil {
		return nil, err
	}
	s := &Static{t: t, idf: make([]float32, len(t.scale))}
	df := make([]int, len(t.scale))
	var ids []uint32
	for i := range passages {
		ids = t.pieces(ids[:0], passages[i].Text)
		terms, _ := counts(ids)
		for _, p := range terms {
			df[p]++
		}
	}
	for p := range s.idf {
		s.idf[p] = 1
		if n := float64(len(passages)); n > 0 {
			s.idf[p] = float32(math.Log(1 + (n-float64(df[p])+.5)/(float64(df[p])+.5)))
		}
	}
	return s, nil
}

// Name is "static-minilm-256".
func (s *Static) Name() string { return StaticName }

// Version of the vectors.
func (s *Static) Version() int { return staticVersion }

// Dim is the length of a vector.
func (s *Static) Dim() int { return s.t.dim }

// Bytes is the size of the table and of the rarities.
func (s *Static) Bytes() int64 { return s.t.size + int64(4*len(s.idf)) }

// Encode gives one vector of length 1 a text; zeros where no piece is known.
func (s *Static) Encode(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	err := each(ctx, len(texts), func(i int) {
		v := make([]float32, s.t.dim)
		terms, tf := counts(s.t.pieces(nil, texts[i]))
		for j, p := range terms {
			w := tf[j] * s.idf[p] * s.t.scale[p]
			for k, q := range s.t.rows[int(p)*s.t.dim : (int(p)+1)*s.t.dim] {
				v[k] += float32(w * float32(q))
			}
		}
		vec.Normalize(v)
		out[i] = v
	})
	return out, err
}
