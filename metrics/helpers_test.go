package metrics

import (
	"enterprisedocbench"
	"enterprisedocbench/internal/vec"
)

type rowT = edb.Measurement

func tisRaw(a, b string) float64 { return vec.Similarity(a, b) }
