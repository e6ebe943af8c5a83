package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"enterprisedocbench/metrics"
)

// bertscore reads cand.f32 and ref.f32, pairs of 200 × 200 tokens of 768 numbers, and takes the mean
// F1 of their greedy matching.
func init() {
	paths["bertscore"] = func(folder string) error {
		const tokens, dim = 200, 768
		var sides [2][]float32
		for i, name := range []string{"cand.f32", "ref.f32"} {
			raw, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				return err
			}
			sides[i] = make([]float32, len(raw)/4)
			for k := range sides[i] {
				sides[i][k] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*k:]))
			}
		}
		pairs := len(sides[0]) / (tokens * dim)
		return timedEach("bertscore 200x200x768", 1, pairs, func() (any, error) {
			total := 0.0
			for i := range pairs {
				at := i * tokens * dim
				_, _, f := metrics.GreedyMatch(
					metrics.TokenVectors{Dim: dim, Vectors: sides[0][at : at+tokens*dim]},
					metrics.TokenVectors{Dim: dim, Vectors: sides[1][at : at+tokens*dim]})
				total += *f
			}
			return fmt.Sprintf("%.6f", total/float64(pairs)), nil
		})
	}
}
