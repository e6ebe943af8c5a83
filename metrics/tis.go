package metrics

import (
	"enterprisedocbench/internal/tokens"
	"enterprisedocbench/internal/vec"
)

// TIS is the Text Integrity Score: 1 - d/max(|a|,|b|), with d the Levenshtein distance in code
// points between predicted and gold text, both after tokens.Normalize (NFKC, soft hyphens removed,
// white-space runs to one space, trimmed). In [0,1], higher is better.
// Both texts empty: 1. One empty: 0.
// Source: EnterpriseDocBench section 3.1; the normalisation is ours.
func TIS(pred, gold string) float64 {
	return vec.Similarity(tokens.Normalize(pred), tokens.Normalize(gold))
}
