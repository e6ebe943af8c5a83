package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"enterprisedocbench/stats"
)

// stats reads ndcg.f64, one measure of three systems side by side for each question, and takes
// intervals, a paired test and the three correlations of systems 1 and 3; pairs.f64, long lists, is for
// Kendall's alone.
func init() {
	paths["stats"] = func(folder string) error {
		systems, err := columns(filepath.Join(folder, "ndcg.f64"), 3)
		if err != nil {
			return err
		}
		a, c := systems[0], systems[2]
		diff := make([]float64, len(a))
		for i := range diff {
			diff[i] = c[i] - a[i]
		}
		fisher := stats.CorrOptions{Options: stats.Options{Method: stats.Fisher}}
		resampled := stats.CorrOptions{Options: stats.Options{Method: stats.Percentile, Replicates: 1000}}
		for _, bench := range []struct {
			name  string
			total float64
			f     func() string
		}{
			{"bootstrap 10k x 3 means", 1, func() string {
				var lows []string
				for _, iv := range stats.Means(systems, nil, stats.Options{}) {
					lows = append(lows, fmt.Sprintf("%.4f", *iv.Lo))
				}
				return strings.Join(lows, " ")
			}},
			{"permutation 10k (paired)", 1, func() string {
				return fmt.Sprintf("%.4f", *stats.SignFlip(diff, nil, stats.Options{}).P)
			}},
			{"pearson+spearman+kendall", .3, func() string {
				return fmt.Sprintf("%.9f %.9f %.9f", *stats.Pearson(a, c, fisher).Value, *stats.Spearman(a, c, fisher).Value, *stats.Kendall(a, c, fisher).Value)
			}},
			{"bootstrap 1k spearman CI", 1, func() string {
				r := stats.Spearman(a, c, resampled)
				return fmt.Sprintf("%.3f %.3f", *r.Lo, *r.Hi)
			}},
			{"bootstrap 1k kendall CI", 1, func() string {
				r := stats.Kendall(a, c, resampled)
				return fmt.Sprintf("%.3f %.3f", *r.Lo, *r.Hi)
			}},
		} {
			if err := timed(bench.name, bench.total, func() (any, error) { return bench.f(), nil }); err != nil {
				return err
			}
		}
		pairs, err := columns(filepath.Join(folder, "pairs.f64"), 2)
		if os.IsNotExist(err) {
			return nil // an input without the long case
		}
		if err != nil {
			return err
		}
		for _, n := range []int{20_000, 200_000} {
			n = min(n, len(pairs[0]))
			err := timed(fmt.Sprintf("kendall of %d pairs", n), .3, func() (any, error) {
				return fmt.Sprintf("%.9f", *stats.Kendall(pairs[0][:n], pairs[1][:n], fisher).Value), nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// columns reads rows of float64 numbers, width to a row.
func columns(file string, width int) ([][]float64, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	out := make([][]float64, width)
	for i := range len(raw) / 8 {
		out[i%width] = append(out[i%width], math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:])))
	}
	return out, nil
}
