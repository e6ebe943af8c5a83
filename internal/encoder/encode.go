package encoder

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"

	"enterprisedocbench/internal/vec"
)

// Tokenize gives the pieces of a text between [CLS] and [SEP], at most limit of them in all, and at
// most as many as the model has places for. The words [PAD], [UNK], [CLS], [SEP] and [MASK] are the
// pieces of these names wherever they stand, as in the reference tokenizer.
func (m *Model) Tokenize(text string, limit int) []uint32 {
	limit = max(min(limit, m.most), 2)
	out := []uint32{m.cls}
	for len(text) > 0 && len(out) < limit {
		mark, at := firstMark(text)
		out = m.split.AppendIDs(out, text[:at])
		if mark == "" {
			break
		}
		id, ok := m.split.ID(mark)
		if !ok {
			id = m.split.Unknown()
		}
		out, text = append(out, id), text[at+len(mark):]
	}
	return append(out[:min(len(out), limit-1)], m.sep)
}

// firstMark finds the first name of a special piece; none: "" and the length of the text.
func firstMark(text string) (mark string, at int) {
	for from := 0; ; {
		i := strings.IndexByte(text[from:], '[')
		if i < 0 {
			return "", len(text)
		}
		from += i
		for _, m := range [...]string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"} {
			if strings.HasPrefix(text[from:], m) {
				return m, from
			}
		}
		from++
	}
}

// together is how many pieces go through the layers in one go: enough for the products to be fast.
const together = 256

// Hidden gives the vectors of the pieces of each text after a layer (0: the embeddings), one row of
// Dim numbers a piece. A text's vectors do not depend on the texts beside it. It uses all cores and
// stops early when ctx ends. A layer that is not there, a text without pieces, one with more than
// MaxTokens, or a piece that is not in the vocabulary is an error.
func (m *Model) Hidden(ctx context.Context, texts [][]uint32, layer int) ([][]float32, error) {
	if layer < 0 || layer > len(m.layers) {
		return nil, fmt.Errorf("layer %d: the model has layers 0 to %d", layer, len(m.layers))
	}
	var groups [][2]int
	size := 0
	for i, t := range texts {
		if len(t) == 0 || len(t) > m.most {
			return nil, fmt.Errorf("text %d has %d pieces: 1 to %d are wanted", i, len(t), m.most)
		}
		for _, id := range t {
			if int(id) >= m.split.Len() {
				return nil, fmt.Errorf("text %d: piece %d is not in the vocabulary", i, id)
			}
		}
		if size += len(t); i == 0 || size > together {
			groups, size = append(groups, [2]int{i, i}), len(t)
		}
		groups[len(groups)-1][1] = i + 1
	}
	out := make([][]float32, len(texts))
	var wg sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), len(groups))
	for w := range workers {
		wg.Go(func() {
			var b buffers
			for g := w; g < len(groups) && ctx.Err() == nil; g += workers {
				from, to := groups[g][0], groups[g][1]
				m.forward(ctx, &b, texts[from:to], out[from:to], layer)
			}
		})
	}
	wg.Wait()
	return out, ctx.Err()
}

// buffers are what a worker computes in, kept from one group to the next.
type buffers struct {
	qkv, mixed, wide, scores []float32
	keys, values             vec.Panels
}

func grown(x []float32, n int) []float32 {
	if cap(x) < n {
		return make([]float32, n)
	}
	return x[:n]
}

// forward runs some texts through the first layers, all their pieces as rows of one matrix.
func (m *Model) forward(ctx context.Context, b *buffers, texts [][]uint32, out [][]float32, layers int) {
	rows := 0
	for _, t := range texts {
		rows += len(t)
	}
	h := m.hidden
	x := make([]float32, rows*h)
	row := 0
	for _, t := range texts {
		for place, id := range t {
			v := x[row*h : (row+1)*h]
			word, position := m.words[int(id)*h:int(id+1)*h], m.positions[place*h:(place+1)*h]
			for i := range v {
				v[i] = word[i] + m.segment[i] + position[i]
			}
			row++
		}
	}
	m.norm.apply(x)
	b.qkv, b.mixed, b.wide = grown(b.qkv, rows*3*h), grown(b.mixed, rows*h), grown(b.wide, rows*m.inner)
	for i := range m.layers[:layers] {
		if ctx.Err() != nil {
			return
		}
		m.block(b, &m.layers[i], x, texts)
	}
	row = 0
	for i, t := range texts {
		out[i] = x[row*h : (row+len(t))*h : (row+len(t))*h]
		row += len(t)
	}
}

// block runs x through one layer in place.
func (m *Model) block(b *buffers, l *layer, x []float32, texts [][]uint32) {
	h, rows := m.hidden, len(x)/m.hidden
	l.qkv.apply(b.qkv, x, rows, h)
	row := 0
	for _, t := range texts {
		m.attend(b, row, len(t))
		row += len(t)
	}
	y := b.qkv[:rows*h] // free again
	l.out.apply(y, b.mixed, rows, h)
	add(x, y)
	l.attention.apply(x)
	l.up.apply(b.wide, x, rows, h)
	gelu(b.wide)
	l.down.apply(y, b.wide, rows, m.inner)
	add(x, y)
	l.output.apply(x)
}

// attend mixes the values of one text, whose n pieces begin at row, for each head.
func (m *Model) attend(b *buffers, row, n int) {
	h, width := m.hidden, m.hidden/m.heads
	b.scores = grown(b.scores, n*n)
	qkv, mixed := b.qkv[row*3*h:(row+n)*3*h], b.mixed[row*h:(row+n)*h]
	scale := float32(1 / math.Sqrt(float64(width)))
	for head := range m.heads {
		at := head * width
		b.keys.SetRows(qkv[h+at:], n, width, 3*h)
		b.keys.Mul(b.scores, n, qkv[at:], 3*h, n)
		softmax(b.scores, n, scale)
		b.values.SetColumns(qkv[2*h+at:], n, width, 3*h)
		b.values.Mul(mixed[at:], h, b.scores, n, n)
	}
}

func add(x, y []float32) {
	y = y[:len(x)]
	for i, v := range y {
		x[i] += v
	}
}

// Sentences gives one vector of length 1 a text: the mean of the vectors of its first limit pieces
// ([CLS] and [SEP] among them) after the last layer.
// Source: Reimers and Gurevych 2019; the pooling of sentence-transformers' all-MiniLM models.
func (m *Model) Sentences(ctx context.Context, texts []string, limit int) ([][]float32, error) {
	ids := make([][]uint32, len(texts))
	for i, t := range texts {
		ids[i] = m.Tokenize(t, limit)
	}
	out, err := m.Hidden(ctx, ids, len(m.layers))
	if err != nil {
		return nil, err
	}
	for i, x := range out {
		v := make([]float32, m.hidden)
		for row := x; len(row) > 0; row = row[m.hidden:] {
			add(v, row[:m.hidden])
		}
		vec.Normalize(v)
		out[i] = v
	}
	return out, nil
}
