package encoder

import (
	"fmt"
	"math"

	"enterprisedocbench/internal/tokens"
	"enterprisedocbench/internal/vec"
)

// Model is a BERT encoder with its tokenizer. It is safe for concurrent use.
type Model struct {
	split                      *tokens.WordPiece
	cls, sep                   uint32
	words, positions, segment  []float32 // embeddings: pieces × hidden, places × hidden, hidden
	norm                       layerNorm
	layers                     []layer
	hidden, heads, inner, most int // most: pieces of a text, the two marks included
}

// layer is one transformer block.
type layer struct {
	qkv, out, up, down linear
	attention, output  layerNorm
}

// linear is y = W x + b, W packed.
type linear struct {
	w    vec.Panels
	bias []float32
}

// layerNorm scales to mean 0 and variance 1, then by its own numbers.
type layerNorm struct {
	scale, shift []float32
}

// epsilon of the layer norms, as in BERT's configuration.
const epsilon = 1e-12

// Load makes a model of the bytes of a safetensors file with the arrays of Hugging Face's BertModel and
// of a tokenizer. All sizes come from the arrays, save the number of attention heads.
func Load(weights []byte, split *tokens.WordPiece, heads int) (*Model, error) {
	arrays, err := readSafetensors(weights)
	if err != nil {
		return nil, err
	}
	m := &Model{split: split, heads: heads}
	var ok1, ok2 bool
	m.cls, ok1 = split.ID("[CLS]")
	m.sep, ok2 = split.ID("[SEP]")
	if !ok1 || !ok2 {
		return nil, fmt.Errorf("the vocabulary has no [CLS] or no [SEP]")
	}
	read := func(name string, shape ...int) (x []float32) {
		if err == nil {
			x, err = floats(arrays, name, shape...)
		}
		return x
	}
	extent := func(name string, dim int) int {
		if t := arrays[name]; dim < len(t.shape) {
			return t.shape[dim]
		}
		return 0
	}
	const words, positions = "embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight"
	m.hidden, m.most = extent(words, 1), extent(positions, 0)
	if h := m.hidden; h == 0 || heads < 1 || h%heads != 0 {
		return nil, fmt.Errorf("array %q has %d columns, which %d heads cannot share", words, h, heads)
	}
	m.words = read(words, split.Len(), m.hidden)
	m.positions = read(positions, m.most, m.hidden)
	if segments := read("embeddings.token_type_embeddings.weight", -1, m.hidden); len(segments) >= m.hidden {
		m.segment = segments[:m.hidden]
	}
	norm := func(name string) layerNorm {
		return layerNorm{read(name+".weight", m.hidden), read(name+".bias", m.hidden)}
	}
	m.norm = norm("embeddings.LayerNorm")
	dense := func(out, in int, names ...string) (l linear) {
		var w []float32
		for _, n := range names {
			w = append(w, read(n+".weight", out, in)...)
			l.bias = append(l.bias, read(n+".bias", out)...)
		}
		if err == nil {
			l.w.SetRows(w, out*len(names), in, in)
		}
		return l
	}
	for i := 0; err == nil; i++ {
		at := fmt.Sprintf("encoder.layer.%d.", i)
		up := at + "intermediate.dense"
		if _, more := arrays[up+".weight"]; !more {
			break
		}
		if i == 0 {
			m.inner = extent(up+".weight", 0)
		}
		self := at + "attention.self."
		m.layers = append(m.layers, layer{
			qkv:       dense(m.hidden, m.hidden, self+"query", self+"key", self+"value"),
			out:       dense(m.hidden, m.hidden, at+"attention.output.dense"),
			attention: norm(at + "attention.output.LayerNorm"),
			up:        dense(m.inner, m.hidden, up),
			down:      dense(m.hidden, m.inner, at+"output.dense"),
			output:    norm(at + "output.LayerNorm"),
		})
	}
	if err == nil && (len(m.layers) == 0 || m.most < 3 || m.segment == nil) {
		err = fmt.Errorf("%d layers, places for %d pieces: not the arrays of a BERT encoder", len(m.layers), m.most)
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Dim is how many numbers a vector has.
func (m *Model) Dim() int { return m.hidden }

// Layers is how many layers there are.
func (m *Model) Layers() int { return len(m.layers) }

// MaxTokens is how many pieces of a text count, [CLS] and [SEP] included.
func (m *Model) MaxTokens() int { return m.most }

// Mark says that a piece is [CLS] or [SEP].
func (m *Model) Mark(id uint32) bool { return id == m.cls || id == m.sep }

// apply writes rows of x through l into y, both row-major without gaps.
func (l *linear) apply(y, x []float32, rows, in int) {
	out := len(l.bias)
	l.w.Mul(y, out, x, in, rows)
	for r := range rows {
		row := y[r*out : (r+1)*out]
		for i, b := range l.bias {
			row[i] += b
		}
	}
}

// apply normalises each row of x in place.
func (n layerNorm) apply(x []float32) {
	dim := len(n.scale)
	for ; len(x) >= dim; x = x[dim:] {
		row := x[:dim]
		sum, squares := 0.0, 0.0
		for _, v := range row {
			sum += float64(v)
		}
		mean := sum / float64(dim)
		for _, v := range row {
			d := float64(v) - mean
			squares += d * d
		}
		factor := float32(1 / math.Sqrt(squares/float64(dim)+epsilon))
		m, scale, shift := float32(mean), n.scale[:len(row)], n.shift[:len(row)]
		for i, v := range row {
			row[i] = (v-m)*factor*scale[i] + shift[i]
		}
	}
}
