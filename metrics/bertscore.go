package metrics

import (
	"context"
	"fmt"
	"math"

	"enterprisedocbench/internal/encoder"
)

// BERTScore compares texts by the vectors that an encoder gives their tokens.
type BERTScore struct {
	Encoder string // a name of encoder.Models
	// IDF weighs each token by log((N+1)/(n+1)) with n of the N references holding it. References counts
	// them; nil: the references that Matrix is given.
	IDF        bool
	References *IDFTable
	// Baseline takes away what texts score that have nothing to do with each other: each value x
	// becomes (x-b)/(1-b). nil: none is taken away.
	Baseline *BERTBaseline
}

// BERTBaseline is the mean precision, recall and F1 of unrelated texts.
type BERTBaseline struct{ P, R, F1 float64 }

// baselines of the encoders at their layer; scripts/oracles/encoder_baseline.py says how they came
// about.
var baselines = map[string]BERTBaseline{
	encoder.MiniLM: {0.52918887, 0.52856189, 0.52720827},
}

// NewBERTScore sets up a scorer; rescaled takes the baseline of the encoder.
func NewBERTScore(name string, idf, rescaled bool) (BERTScore, error) {
	b := BERTScore{Encoder: name, IDF: idf}
	if _, err := encoder.Lookup(name); err != nil {
		return b, err
	}
	if rescaled {
		base, ok := baselines[name]
		if !ok {
			return b, fmt.Errorf("encoder %s has no baseline: leave rescale out", name)
		}
		b.Baseline = &base
	}
	return b, nil
}

// PRF is precision, recall and F1.
type PRF struct{ P, R, F1 float64 }

// Rescale takes a baseline away.
func (x PRF) Rescale(b BERTBaseline) PRF {
	return PRF{(x.P - b.P) / (1 - b.P), (x.R - b.R) / (1 - b.R), (x.F1 - b.F1) / (1 - b.F1)}
}

// Matrix scores every candidate against every reference: out[c][r]. Texts are cut after 512 pieces;
// [CLS] and [SEP] are matched with and do not count. A pair with one empty text scores 0 before
// rescaling; one with two, or one in which no token has weight, has no value (nil). With IDF and no table of
// references the weights come from these references, so a single one has none. An encoder that is not there is an
// error that names the command which brings it.
// Source: Zhang et al. 2020; the values of the bert-score package on the same weights, layer by
// number, to within 1e-5 (metrics/testdata/bertscore.json).
func (b BERTScore) Matrix(ctx context.Context, candidates, references []string) ([][]*PRF, error) {
	info, err := encoder.Lookup(b.Encoder)
	if err != nil {
		return nil, err
	}
	m, err := encoder.Open(b.Encoder)
	if err != nil {
		return nil, err
	}
	n := len(candidates)
	var ids [][]uint32
	place := map[string]int{} // a text that stands twice is encoded once
	index := make([]int, 0, n+len(references))
	for i := range n + len(references) {
		text := ""
		if i < n {
			text = candidates[i]
		} else {
			text = references[i-n]
		}
		at, ok := place[text]
		if !ok {
			at = len(ids)
			place[text] = at
			ids = append(ids, m.Tokenize(text, m.MaxTokens()))
		}
		index = append(index, at)
	}
	vectors, err := m.Hidden(ctx, ids, info.ScoreLayer)
	if err != nil {
		return nil, err
	}
	rarity := func(uint32) float64 { return 1 }
	if b.IDF {
		table := b.References
		if table == nil {
			table = &IDFTable{}
			for _, at := range index[n:] {
				table.add(ids[at])
			}
		}
		rarity = table.weight
	}
	texts := make([]TokenVectors, len(ids))
	for i, t := range ids {
		w := make([]float64, len(t))
		for j, id := range t {
			if !m.Mark(id) {
				w[j] = rarity(id)
			}
		}
		texts[i] = TokenVectors{Dim: m.Dim(), Vectors: vectors[i], Weights: w}
	}
	out := make([][]*PRF, n)
	for c := range out {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		out[c] = make([]*PRF, len(references))
		for r := range references {
			x, y := index[c], index[n+r]
			out[c][r] = b.pair(texts[x], texts[y], len(ids[x]) == 2 || len(ids[y]) == 2)
		}
	}
	return out, nil
}

// pair scores two texts; short says that one of them has no token.
func (b BERTScore) pair(candidate, reference TokenVectors, short bool) *PRF {
	p, r, f := GreedyMatch(candidate, reference)
	if p == nil || !short && (candidate.empty() || reference.empty()) {
		return nil
	}
	out := PRF{min(*p, 1), min(*r, 1), min(*f, 1)} // 32-bit cosines of equal vectors may pass 1 by a rounding
	if b.Baseline != nil {
		out = out.Rescale(*b.Baseline)
	}
	return &out
}

// IDFTable says how many of a list of references hold each piece of a word of an encoder's. The zero
// value has no reference.
type IDFTable struct {
	n  int
	in map[uint32]int
}

// NewIDFTable counts the pieces of references, each of which counts as often as it stands in the list.
// An encoder that is not there is an error that names the command which brings it.
// Source: get_idf_dict of the bert-score package.
func NewIDFTable(name string, references []string) (*IDFTable, error) {
	m, err := encoder.Open(name)
	if err != nil {
		return nil, err
	}
	t := &IDFTable{}
	for _, r := range references {
		t.add(m.Tokenize(r, m.MaxTokens()))
	}
	return t, nil
}

func (t *IDFTable) add(reference []uint32) {
	if t.in == nil {
		t.in = map[uint32]int{}
	}
	t.n++
	seen := map[uint32]bool{}
	for _, id := range reference {
		if !seen[id] {
			seen[id] = true
			t.in[id]++
		}
	}
}

// weight is log((N+1)/(n+1)): 0 for what every reference holds.
func (t *IDFTable) weight(id uint32) float64 {
	return math.Log((float64(t.n) + 1) / float64(t.in[id]+1))
}

// CaptionKey is the name of FCQ with an encoder.
func CaptionKey(name string) string { return "parse.fcq(encoder=" + name + ")" }

// Ready opens the encoders that measures need, so that a run that lacks one ends before it begins.
// The error names the command that brings what is missing.
func Ready(keys ...string) error {
	for _, key := range keys {
		n, _, err := Lookup(key)
		if err != nil {
			return err
		}
		if err := ready(n); err != nil {
			return err
		}
	}
	return nil
}

func ready(n Name) error {
	if n.Key() != "parse.fcq" {
		return nil
	}
	name := n.Param("encoder")
	if name == "" {
		return fmt.Errorf("measure %s: name the encoder, as in parse.fcq:encoder=%s", n, encoder.MiniLM)
	}
	_, err := encoder.Open(name)
	return err
}

// EncoderVersions lists the versions of the encoders that measures need; a version rises when vectors
// change.
func EncoderVersions(keys []string) (versions []string) {
	for _, key := range keys {
		if n, err := ParseName(key); err == nil && n.Key() == "parse.fcq" {
			if info, err := encoder.Lookup(n.Param("encoder")); err == nil {
				versions = append(versions, fmt.Sprintf("%s@%d", info.Name, info.Version))
			}
		}
	}
	return versions
}
