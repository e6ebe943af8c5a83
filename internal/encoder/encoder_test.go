package encoder

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"enterprisedocbench/internal/tokens"
)

// tinyModel is a BERT of two small layers with random weights (scripts/oracles/encoder.py).
func tinyModel(t testing.TB) *Model {
	t.Helper()
	weights, err := os.ReadFile("testdata/tiny.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Load(weights, tinyVocabulary(t), 3)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func tinyVocabulary(t testing.TB) *tokens.WordPiece {
	t.Helper()
	text, err := os.ReadFile("testdata/tiny.txt")
	if err != nil {
		t.Fatal(err)
	}
	split, err := tokens.ReadVocabulary(text)
	if err != nil {
		t.Fatal(err)
	}
	return split
}

func oracle(t *testing.T, name string, into any) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err == nil {
		err = json.Unmarshal(b, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// apart is the greatest difference of two lists of numbers.
func apart(got []float32, want []float64) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	worst := 0.0
	for i, w := range want {
		worst = max(worst, math.Abs(float64(got[i])-w))
	}
	return worst
}

func TestTinyModelAgreesWithTransformers(t *testing.T) {
	var want struct {
		Cases []struct {
			IDs    []uint32
			Layers [][][]float64
		}
	}
	oracle(t, "tiny.json", &want)
	m := tinyModel(t)
	var all [][]uint32
	for _, c := range want.Cases {
		all = append(all, c.IDs)
	}
	for layer := range m.Layers() + 1 {
		got, err := m.Hidden(context.Background(), all, layer)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range want.Cases {
			flat := slices.Concat(c.Layers[layer]...)
			if d := apart(got[i], flat); d > 5e-6 {
				t.Errorf("text %d, layer %d: %.2g apart from transformers", i, layer, d)
			}
		}
	}
}

// miniLM opens the real model, or skips.
func miniLM(t testing.TB) *Model {
	t.Helper()
	info, err := Lookup(MiniLM)
	if err != nil {
		t.Fatal(err)
	}
	if err := info.Available(); err != nil {
		t.Skip(err)
	}
	m, err := Open(MiniLM)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMiniLMAgreesWithTransformers(t *testing.T) {
	m := miniLM(t)
	var want struct {
		SentencePieces int `json:"sentence_pieces"`
		Cases          []struct {
			Text     string
			IDs      []uint32
			Layers   [][][]float64
			Sentence []float64
		}
	}
	oracle(t, "minilm-l6.json", &want)
	info, _ := Lookup(MiniLM)
	if info.SentencePieces != want.SentencePieces || m.Dim() != info.Dim || m.MaxTokens() != 512 {
		t.Errorf("%d pieces a sentence, %d numbers, %d places", info.SentencePieces, m.Dim(), m.MaxTokens())
	}
	var all [][]uint32
	var texts []string
	for _, c := range want.Cases {
		ids := m.Tokenize(c.Text, m.MaxTokens())
		if !slices.Equal(ids, c.IDs) {
			t.Fatalf("%.60q: pieces %v, transformers has %v", c.Text, ids, c.IDs)
		}
		all, texts = append(all, ids), append(texts, c.Text)
	}
	worst := 0.0
	for layer := range m.Layers() + 1 {
		got, err := m.Hidden(context.Background(), all, layer)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range want.Cases {
			n := len(all[i])
			for k, row := range []int{0, n / 2, n - 1} {
				var some []float32
				for j := 0; j < 12; j++ {
					some = append(some, got[i][row*m.Dim()+32*j])
				}
				d := apart(some, c.Layers[layer][k])
				worst = max(worst, d)
				if d > 2e-5 {
					t.Errorf("%.40q, layer %d, piece %d: %.2g apart from transformers", c.Text, layer, row, d)
				}
			}
		}
	}
	vectors, err := m.Sentences(context.Background(), texts, info.SentencePieces)
	if err != nil {
		t.Fatal(err)
	}
	sentence := 0.0
	for i, c := range want.Cases {
		var some []float32
		for j := 0; j < m.Dim(); j += 16 {
			some = append(some, vectors[i][j])
		}
		d := apart(some, c.Sentence)
		sentence = max(sentence, d)
		if d > 2e-6 {
			t.Errorf("%.40q: sentence vector %.2g apart from sentence-transformers", c.Text, d)
		}
	}
	t.Logf("greatest difference: %.2g in hidden vectors, %.2g in sentence vectors", worst, sentence)
}

func TestVectorsDoNotDependOnNeighbours(t *testing.T) {
	m := tinyModel(t)
	texts := []string{"abc", "a longer one, with 3 digits (and marks).", "", "zz"}
	var ids [][]uint32
	for _, x := range texts {
		ids = append(ids, m.Tokenize(x, 40))
	}
	var many [][]uint32
	for range 30 {
		many = append(many, ids...)
	}
	got, err := m.Hidden(context.Background(), many, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i := range many {
		alone, err := m.Hidden(context.Background(), many[i:i+1], 2)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(alone[0], got[i]) {
			t.Fatalf("text %d has other vectors alone than among others", i)
		}
	}
}

func TestTokenize(t *testing.T) {
	m := tinyModel(t)
	id := func(pieces ...string) (out []uint32) {
		for _, p := range pieces {
			i, ok := m.split.ID(p)
			if !ok {
				t.Fatalf("no piece %q", p)
			}
			out = append(out, i)
		}
		return out
	}
	for _, c := range []struct {
		name, text string
		limit      int
		want       []uint32
	}{
		{"empty", "", 9, id("[CLS]", "[SEP]")},
		{"white space", " \t\n", 9, id("[CLS]", "[SEP]")},
		{"a word", "Ab", 9, id("[CLS]", "a", "##b", "[SEP]")},
		{"unknown", "a\u4e00b", 9, id("[CLS]", "a", "[UNK]", "b", "[SEP]")},
		{"special names", "a[SEP]b [unk", 9, id("[CLS]", "a", "[SEP]", "b", "[UNK]", "u", "##n", "##k", "[SEP]")},
		{"cut", "a b c d e", 4, id("[CLS]", "a", "b", "[SEP]")},
		{"cut by the model", strings.Repeat("a ", 99), 99, nil},
		{"no room", "a", 0, id("[CLS]", "[SEP]")},
	} {
		got := m.Tokenize(c.text, c.limit)
		if c.want == nil {
			if len(got) != m.MaxTokens() || got[len(got)-1] != m.sep {
				t.Errorf("%s: %d pieces", c.name, len(got))
			}
			continue
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestHiddenRefuses(t *testing.T) {
	m := tinyModel(t)
	for name, c := range map[string]struct {
		ids   []uint32
		layer int
		want  string
	}{
		"layer":   {[]uint32{2, 3}, 3, "layer 3: the model has layers 0 to 2"},
		"empty":   {nil, 1, "text 0 has 0 pieces: 1 to 40 are wanted"},
		"long":    {make([]uint32, 41), 1, "text 0 has 41 pieces: 1 to 40 are wanted"},
		"unknown": {[]uint32{2, 99999}, 1, "text 0: piece 99999 is not in the vocabulary"},
	} {
		if _, err := m.Hidden(context.Background(), [][]uint32{c.ids}, c.layer); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Hidden(ctx, [][]uint32{{2, 3}}, 1); err == nil {
		t.Error("a context that ended gave no error")
	}
}

func TestActivations(t *testing.T) {
	for x := -9.0; x < 9; x += 0.00137 {
		v := []float32{float32(x)}
		gelu(v)
		x64 := float64(float32(x))
		if want := x64 * math.Erfc(-x64/math.Sqrt2) / 2; math.Abs(float64(v[0])-want) > 3e-7*max(1, math.Abs(want)) {
			t.Fatalf("gelu(%v) = %v, want %v", x, v[0], want)
		}
	}
	for x := 0.0; x > -87; x -= 0.0137 {
		if got, want := float64(exp(float32(x))), math.Exp(float64(float32(x))); math.Abs(got-want) > 2e-7*want {
			t.Fatalf("exp(%v) = %v, want %v", x, got, want)
		}
	}
	if exp(-1000) != 0 {
		t.Error("exp(-1000) is not 0")
	}
	row := []float32{1, 2, 3, -50, 7, 7}
	softmax(row, 3, .5)
	for i := 0; i < 6; i += 3 {
		if s := row[i] + row[i+1] + row[i+2]; math.Abs(float64(s)-1) > 1e-6 {
			t.Errorf("softmax sums to %v", s)
		}
	}
}

func BenchmarkHidden(b *testing.B) {
	m := miniLM(b)
	text := "Figure 3: Net revenue of the northern region rose by 4.2% to $1,204 million in 2023, while operating costs of the southern region fell (panel b); error bars show one standard deviation."
	var ids [][]uint32
	for range 16 {
		ids = append(ids, m.Tokenize(text, 512))
	}
	for b.Loop() {
		if _, err := m.Hidden(context.Background(), ids, 6); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(ids[0])), "pieces/text")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*16)/1e6, "ms/text")
}
