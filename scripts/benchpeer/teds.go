package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"enterprisedocbench/metrics"
)

func init() {
	paths["teds"] = func(folder string) error {
		for _, size := range []string{"10x5", "50x10", "200x10"} {
			var markup [2]string
			for i, side := range []string{"gt", "pred"} {
				raw, err := os.ReadFile(filepath.Join(folder, size+"_"+side+".html"))
				if err != nil {
					return err
				}
				markup[i] = string(raw)
			}
			for _, what := range []string{"content", "struct"} {
				err := timed(fmt.Sprintf("%s/%s", size, what), .3, func() (any, error) {
					gold, pred := metrics.ParseTables(markup[0]), metrics.ParseTables(markup[1])
					v, err := metrics.TEDS(context.Background(), pred[0], gold[0], metrics.TEDSMode{Structure: what == "struct"})
					return math.Round(v*1e6) / 1e6, err
				})
				if err != nil {
					return err
				}
			}
		}
		return nil
	}
}
