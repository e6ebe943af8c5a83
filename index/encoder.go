package index

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"enterprisedocbench"
)

// Encoder turns texts into vectors of Dim numbers, one a text and in their order; vectors have
// length 1, or are all zeros where a text holds nothing the encoder knows. It must be safe for
// concurrent use and give the same vector for the same text. Version rises when vectors change.
type Encoder interface {
	Name() string
	Version() int
	Dim() int
	Encode(ctx context.Context, texts []string) ([][]float32, error)
}

// EncoderInfo is one line of the table of encoders.
type EncoderInfo struct {
	Name    string
	Version int
	What    string
	// Open makes the encoder. Passages are those of the index; only an encoder that learns from
	// them looks at them.
	Open func(ctx context.Context, passages []edb.Passage) (Encoder, error)
	// Available says what is missing on this machine and the command that brings it; nil: nothing ever.
	Available func() error
}

// Encoders lists every encoder that runs in the program itself, the default one first.
func Encoders() []EncoderInfo {
	return append([]EncoderInfo{
		{Name: StaticName, Version: staticVersion, What: "word-piece vectors distilled from all-MiniLM-L6-v2, weighted by rarity in the index; in the binary",
			Open: func(_ context.Context, ps []edb.Passage) (Encoder, error) { return NewStatic(ps) }},
		{Name: LSAName, Version: lsaVersion, What: "tf-idf reduced by a truncated singular value decomposition of the passages (latent semantic analysis)",
			Open: func(ctx context.Context, ps []edb.Passage) (Encoder, error) { return NewLSA(ctx, ps, lsaDim) }},
	}, sentenceEncoders()...)
}

// LookupEncoder finds an encoder by name; "static" and the empty name are the default.
func LookupEncoder(name string) (EncoderInfo, error) {
	all := Encoders()
	if name == "" || name == "static" {
		return all[0], nil
	}
	names := []string{"static"}
	for _, e := range all {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	return EncoderInfo{}, fmt.Errorf("retrieve.encoder %q is not known: use one of %s", name, strings.Join(names, ", "))
}

// each runs f for 0..n-1 on all cores and stops early when ctx ends.
func each(ctx context.Context, n int, f func(i int)) error {
	workers := min(runtime.GOMAXPROCS(0), n)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n && ctx.Err() == nil; i += workers {
				f(i)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// counts is the terms of a text with how often, by term ascending; numbers come from id, and terms
// that it does not know are left out.
func counts(ids []uint32) (terms []uint32, tf []float32) {
	slices.Sort(ids)
	for i, t := range ids {
		if i > 0 && t == ids[i-1] {
			tf[len(tf)-1]++
			continue
		}
		terms, tf = append(terms, t), append(tf, 1)
	}
	return terms, tf
}
