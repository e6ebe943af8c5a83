package retrieve

import (
	"context"
	"fmt"
	"math"

	"enterprisedocbench"
	"enterprisedocbench/index"
)

const hybridVersion = 1

// poolDepth is how deep each list is read before fusing, however few hits are asked for, so that
// asking for fewer gives a beginning of the same ranking.
const poolDepth = 100

// rrfK is the constant of reciprocal rank fusion (Cormack and others, SIGIR 2009).
const rrfK = 60

func weightsOf(c Config) []float64 {
	if len(c.Weights) == 0 {
		return []float64{.5, .5}
	}
	return c.Weights
}

func checkHybrid(c Config) error {
	if err := checkBM25(c); err != nil {
		return err
	}
	if err := checkDense(c); err != nil {
		return err
	}
	return checkFusion(weightsOf(c), 2, c.Norm)
}

func checkFusion(weights []float64, lists int, norm string) error {
	if len(weights) != lists {
		return fmt.Errorf("retrieve.weights has %d numbers: it needs %d, one a list (bm25, dense)", len(weights), lists)
	}
	sum := 0.0
	for _, w := range weights {
		if !(w >= 0) {
			return fmt.Errorf("retrieve.weights holds %v: weights must be 0 or more", w)
		}
		sum += w
	}
	if !(math.Abs(sum-1) <= 1e-9) {
		return fmt.Errorf("retrieve.weights sum to %v: they must sum to 1", sum)
	}
	if norm != "" && norm != "minmax" && norm != "rrf" {
		return fmt.Errorf("retrieve.norm %q is not known: use minmax or rrf", norm)
	}
	return nil
}

func openHybrid(ctx context.Context, c Config, ps []edb.Passage) (Retriever, IndexInfo, error) {
	a, ia, err := openBM25(ctx, c, ps)
	if err != nil {
		return nil, IndexInfo{}, err
	}
	b, ib, err := openDense(ctx, c, ps)
	if err != nil {
		return nil, IndexInfo{}, err
	}
	ib.Bytes += ia.Bytes
	return Hybrid([]Retriever{a, b}, weightsOf(c), c.Norm), ib, nil
}

// Hybrid fuses the rankings of several retrievers as Fuse does.
func Hybrid(rs []Retriever, weights []float64, norm string) Retriever {
	return Func(func(ctx context.Context, q edb.Question, depth int) ([]edb.Hit, error) {
		lists := make([][]edb.Hit, len(rs))
		for i, r := range rs {
			var err error
			if lists[i], err = r.Retrieve(ctx, q, max(depth, poolDepth)); err != nil {
				return nil, err
			}
		}
		hits, err := Fuse(lists, weights, norm)
		if err != nil {
			return nil, err
		}
		return index.Rank(hits, depth), nil
	})
}

// Fuse joins rankings of one query into one. "minmax" (also ""): each list's scores are stretched
// to 0..1 over its own hits (all 1 where they are equal), a passage missing from a list has 0 there,
// and the weighted sum ranks. "rrf": a passage at place r of a list of weight w adds
// n*w/(60 + r), n the number of lists, so equal weights give the plain sum. Weights sum to 1.
func Fuse(lists [][]edb.Hit, weights []float64, norm string) ([]edb.Hit, error) {
	if err := checkFusion(weights, len(lists), norm); err != nil {
		return nil, err
	}
	at := map[string]int{}
	var out []edb.Hit
	for l, hits := range lists {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, h := range hits {
			lo, hi = min(lo, h.Score), max(hi, h.Score)
		}
		for r, h := range hits {
			s := 1.0
			switch {
			case norm == "rrf":
				s = float64(len(lists)) / float64(rrfK+r+1)
			case hi > lo:
				s = (h.Score - lo) / (hi - lo)
			}
			i, ok := at[h.Passage]
			if !ok {
				i = len(out)
				at[h.Passage] = i
				out = append(out, edb.Hit{Passage: h.Passage, Doc: h.Doc})
			}
			out[i].Score += weights[l] * s
		}
	}
	for i := range out {
		out[i].Score = index.Round(out[i].Score)
	}
	return index.Rank(out, len(out)), nil
}
