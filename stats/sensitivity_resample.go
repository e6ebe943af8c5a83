package stats

// Stability is a ranking under samples of the units and changes of the weights at once.
type Stability struct {
	Samples int
	// MinTau and MeanTau are over all samples and variants, Kendall's tau-b against the ranking of all
	// units with the given weights. Nil where none has a tau.
	MinTau, MeanTau *float64
	Same            float64 // share of samples and variants that change no place, in [0,1]
	Method          string
	Reason          string
}

// WeightStability repeats [WeightSensitivity] on bootstrap samples of the units, as in
// EnterpriseDocBench section 3.1 (10 samples, each weight ± .10): parts[i][j] is part j of system i
// with its units. Units are resampled by documents as in [Composite], all systems and parts
// together. samples is the number of samples.
func WeightStability(parts [][]Part, weights []float64, delta float64, samples int, opt Options) Stability {
	var s Stability
	var all []Part
	for _, row := range parts {
		all = append(all, row...)
	}
	if samples < 1 {
		s.Reason = "no samples"
		return s
	}
	iv, means, _ := measure(all, opt)
	if s.Reason = iv.Reason; s.Reason != "" {
		return s
	}
	if s.Reason = opt.refuse(Auto, Percentile, Clustered, TwoWay); s.Reason != "" {
		return s
	}
	rows := func(means []float64) [][]float64 {
		out := make([][]float64, len(parts))
		for i, row := range parts {
			out[i], means = means[:len(row)], means[len(row):]
		}
		return out
	}
	whole := rows(means)
	if s.Reason = badWeights(whole, weights, delta); s.Reason != "" {
		return s
	}
	opt.Replicates = samples
	given := shares(weights)
	base := compose(whole, given)
	drawn, method, _ := design(all, opt)
	reps := resample(drawn, len(all), opt)
	s.Method = method
	same, tried, sum, taus := 0, 0, 0.0, 0
	for r := range samples {
		sample := reps[r*len(all) : (r+1)*len(all)]
		if notFinite(sample) > 0 {
			continue
		}
		s.Samples++
		for _, change := range []string{"without", "plus", "minus"} {
			for j := range weights {
				v := vary(rows(sample), given, base, j, change, delta)
				if v.Values == nil {
					continue
				}
				tried++
				if len(v.Moves) == 0 {
					same++
				}
				if v.Tau != nil {
					sum += *v.Tau
					taus++
					if s.MinTau == nil || *v.Tau < *s.MinTau {
						s.MinTau = v.Tau
					}
				}
			}
		}
	}
	if s.Samples == 0 || tried == 0 {
		s.Reason = "every sample lacks a part"
		return s
	}
	s.Same = float64(same) / float64(tried)
	if taus > 0 {
		s.MeanTau = ptr(sum / float64(taus))
	}
	return s
}
