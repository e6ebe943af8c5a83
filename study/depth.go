package study

import (
	"maps"
	"slices"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/metrics"
)

// DepthBin is the accuracy on questions whose evidence stands, on average, in one fifth of the corpus.
type DepthBin struct {
	From     float64  `json:"from"` // of the corpus, 0 its start
	To       float64  `json:"to"`
	N        int      `json:"n"` // questions
	Accuracy *float64 `json:"accuracy"`
}

const depthBinCount = 5

// positions are where documents stand in the corpus, from 0 to 1.
func positions(ds *datasets.Dataset) map[string]float64 {
	out := make(map[string]float64, len(ds.Documents))
	for i, d := range ds.Documents {
		out[d.ID] = float64(i) / float64(max(1, len(ds.Documents)-1))
	}
	return out
}

// depthBins sorts the answerable questions of RIKER's levels by the mean position of their documents;
// nil where there are none.
func depthBins(at map[string]float64, docs map[string][]string, rows []edb.Measurement) []DepthBin {
	sum, n := map[string]float64{}, map[string]int{}
	for _, r := range rows {
		if r.Key == "generate.riker(part=single)" || r.Key == "generate.riker(part=aggregation)" {
			v := metrics.Worst(r.Key)
			if r.Value != nil {
				v = *r.Value
			}
			sum[r.Unit] += v
			n[r.Unit]++
		}
	}
	if len(n) == 0 {
		return nil
	}
	bins := make([]DepthBin, depthBinCount)
	total := make([]float64, depthBinCount)
	for i := range bins {
		bins[i].From, bins[i].To = float64(i)/depthBinCount, float64(i+1)/depthBinCount
	}
	for _, unit := range slices.Sorted(maps.Keys(n)) {
		k := n[unit]
		mean, m := 0.0, 0
		for _, d := range docs[unit] {
			if p, ok := at[d]; ok {
				mean += p
				m++
			}
		}
		if m == 0 {
			continue
		}
		b := min(int(mean/float64(m)*depthBinCount), depthBinCount-1)
		bins[b].N++
		total[b] += sum[unit] / float64(k)
	}
	for i := range bins {
		if bins[i].N > 0 {
			v := total[i] / float64(bins[i].N)
			bins[i].Accuracy = &v
		}
	}
	return bins
}
