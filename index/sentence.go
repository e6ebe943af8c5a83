package index

import (
	"context"

	"enterprisedocbench"
	"enterprisedocbench/internal/encoder"
)

// sentenceEncoders are the transformer encoders whose weights stand in a folder of their own, as
// encoders of passages. They read the first pieces of a passage only (256 for minilm-l6, some 200
// words), as their makers' tool does.
func sentenceEncoders() (out []EncoderInfo) {
	for _, m := range encoder.Models() {
		out = append(out, EncoderInfo{
			Name: m.Name, Version: m.Version, What: m.What, Available: m.Available,
			Open: func(context.Context, []edb.Passage) (Encoder, error) { return openSentence(m) },
		})
	}
	return out
}

// sentence is the mean of the vectors that a transformer gives the pieces of a text.
type sentence struct {
	info  encoder.Info
	model *encoder.Model
}

func openSentence(info encoder.Info) (Encoder, error) {
	m, err := encoder.Open(info.Name)
	if err != nil {
		return nil, err
	}
	return sentence{info, m}, nil
}

func (s sentence) Name() string { return s.info.Name }

func (s sentence) Version() int { return s.info.Version }

func (s sentence) Dim() int { return s.model.Dim() }

// Encode gives one vector of length 1 a text; zeros where a text has no piece. (The model has a vector
// for an empty text too, which would make an empty question find something.)
func (s sentence) Encode(ctx context.Context, texts []string) ([][]float32, error) {
	out, err := s.model.Sentences(ctx, texts, s.info.SentencePieces)
	if err != nil {
		return nil, err
	}
	for i, t := range texts {
		if len(s.model.Tokenize(t, 3)) == 2 {
			clear(out[i])
		}
	}
	return out, nil
}
