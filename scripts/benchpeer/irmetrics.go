package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"enterprisedocbench/metrics"
)

func init() {
	paths["irmetrics"] = func(folder string) error {
		keys := []string{"retrieve.ndcg@10", "retrieve.rr", "retrieve.p@5", "retrieve.r@100"}
		return timed("files to means", 1, func() (any, error) {
			r, err := metrics.EvalRetrieval(filepath.Join(folder, "qrels.txt"), filepath.Join(folder, "run.txt"), keys, metrics.RetrievalOptions{})
			if err != nil {
				return nil, err
			}
			var check []string
			for _, k := range keys {
				check = append(check, fmt.Sprintf("%.7f", *r.Measures[k].Value))
			}
			return strings.Join(check, ","), nil
		})
	}
}
