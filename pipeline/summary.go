package pipeline

import (
	"maps"
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/internal/figure"
	"enterprisedocbench/metrics"
	"enterprisedocbench/stats"
)

// touches gives the documents a unit rests on, by which units cluster: a document itself, the
// evidence of a question, or (unanswerable) the question alone.
func (r *runner) touches(unit string) []string {
	if ds, ok := r.clusters[unit]; ok {
		return ds
	}
	return []string{unit}
}

func (r *runner) cluster() {
	r.clusters = map[string][]string{}
	for _, q := range r.asked {
		if ds := q.Documents(); ds != nil {
			r.clusters[q.ID] = ds
		}
	}
}

func (r *runner) options() stats.Options {
	return stats.Options{Seed: r.cfg.Seed, Replicates: r.cfg.Metrics.Replicates, Level: 0.95}
}

// summarize makes the figures of every arm from the rows alone.
func (r *runner) summarize() (*edb.Summary, error) {
	r.cluster()
	s := r.plan()
	s.Pipelines, s.Costs, s.Outcomes = map[string]map[string]edb.Figure{}, map[string]map[string]edb.Figure{}, r.outcomes
	byArm := map[string][]edb.Measurement{}
	for _, row := range r.rows {
		byArm[row.Arm] = append(byArm[row.Arm], row)
	}
	cuts := r.cuts()
	for i, a := range r.arms {
		r.opt.Progress("summarize", i+1, len(r.arms))
		set := figure.Samples(byArm[a.name], r.touches, nil)
		figures := map[string]edb.Figure{}
		for _, key := range slices.Sorted(maps.Keys(set)) {
			figures[key] = set[key].Figure(key, r.options())
		}
		r.composites(set, figures)
		r.noQuality(figures)
		r.pooled(a.name, figures)
		for key, f := range figures {
			figures[key] = figure.OnScale(key, f)
		}
		s.Pipelines[a.name] = figures
		for _, c := range cuts {
			cut := figure.Samples(byArm[a.name], r.touches, func(unit string) bool { return c.units[unit] })
			for _, key := range []string{"retrieve.ndcg@5", "generate.accuracy", "generate.hr", "generate.abstain"} {
				if v, ok := cut[key]; ok && len(v.Strict) > 0 {
					s.Strata = append(s.Strata, edb.Stratum{Arm: a.name, By: c.by, Value: c.value, Key: key, Figure: v.Figure(key, r.options()), Directional: len(v.Strict) < r.cfg.Strata.MinN})
				}
			}
		}
	}
	s.Warnings = r.warnings()
	r.priced(s)
	s.Failures = len(r.failures)
	s.FailureKind = map[string]int{}
	for _, f := range r.failures {
		s.FailureKind[f.Stage+": "+f.Kind]++
		if f.Stage == "parse" {
			s.Unparsed++
		}
	}
	s.Redone = map[string]int{}
	for _, c := range r.costs {
		if !c.Cached {
			s.Redone[c.Stage]++
		}
	}
	return s, nil
}

// cut is a part of the questions.
type cut struct {
	by, value string
	units     map[string]bool
}

// cuts are the questions by modality and by domain, domains merged as the configuration says.
func (r *runner) cuts() []cut {
	modality, domain := map[string]map[string]bool{}, map[string]map[string]bool{}
	put := func(m map[string]map[string]bool, value, unit string) {
		if value == "" {
			return
		}
		if m[value] == nil {
			m[value] = map[string]bool{}
		}
		m[value][unit] = true
	}
	for _, q := range r.asked {
		put(modality, q.Modality, q.ID)
		d := q.Domain
		if to, ok := r.cfg.Strata.Merge[d]; ok {
			d = to
		}
		put(domain, d, q.ID)
	}
	var out []cut
	for _, m := range edb.Modalities {
		if modality[m] != nil {
			out = append(out, cut{"modality", m, modality[m]})
		}
	}
	for _, d := range slices.Sorted(maps.Keys(domain)) {
		out = append(out, cut{"domain", d, domain[d]})
	}
	return out
}

// plan is the part of the summary that is known before anything runs.
func (r *runner) plan() *edb.Summary {
	s := &edb.Summary{Run: r.dir, Dataset: r.ds.Info.Name, Documents: len(r.docs), Questions: len(r.asked), Dropped: r.dropped,
		ByModality: map[string]int{}, Baseline: r.cfg.Baseline}
	for _, a := range r.arms {
		s.Arms = append(s.Arms, a.name)
		if a.Stages.Generate.Provider != "none" {
			s.Calls += len(r.asked) * r.cfg.Repeats
		}
	}
	for _, q := range r.asked {
		s.ByModality[q.Modality]++
	}
	for _, d := range r.docs {
		s.Pages += d.Pages
	}
	return s
}

// composites adds P, G and Q, each on the means of its parts with an interval over all their units.
func (r *runner) composites(set map[string]*figure.Sample, figures map[string]edb.Figure) {
	captions, _ := r.cfg.Metrics.captions()
	p, g := figure.P(set, captions, r.options()), figure.G(set, r.options())
	p.Put(figures)
	g.Put(figures)

	nd, okR := set["retrieve.ndcg@5"]
	okR = okR && len(nd.Strict) > 0
	okP, okG := len(p.Missing) == 0, len(g.Missing) == 0
	quality := func(withP bool) edb.Figure {
		var parts []stats.Part
		if withP {
			parts = append(parts, p.Parts...)
		}
		parts = append(parts, stats.Part{Values: nd.Strict, Docs: nd.Docs, Units: nd.Units})
		parts = append(parts, g.Parts...)
		f := edb.Figure{Def: 1, Variant: p.Figure.Variant}
		figure.Fill(&f, stats.Composite(parts, func(m []float64) float64 {
			var P, R, G float64
			if withP {
				P, m = p.Of(m[:len(p.Parts)]), m[len(p.Parts):]
			}
			R, G = m[0], g.Of(m[1:])
			if withP {
				return metrics.Weighted([]float64{P, R, G}, metrics.QWeights)
			}
			return metrics.Weighted([]float64{R, G}, metrics.QWeights[1:])
		}, r.options()))
		f.N, f.NOK = min(len(nd.Strict), g.Figure.N), min(len(nd.OK), g.Figure.NOK)
		if withP {
			f.N, f.NOK = min(f.N, p.Figure.N), min(f.NOK, p.Figure.NOK)
		}
		return f
	}
	switch {
	case okP && okR && okG:
		figures["quality.q"] = quality(true)
	case okR && okG:
		figures["quality.q"] = edb.Figure{Reason: "P is not measured", Def: 1, Variant: p.Figure.Variant}
	default:
		var miss []string
		for _, x := range []struct {
			ok   bool
			name string
		}{{okP, "P"}, {okR, "R"}, {okG, "G"}} {
			if !x.ok {
				miss = append(miss, x.name)
			}
		}
		figures["quality.q"] = edb.Figure{Reason: strings.Join(miss, ", ") + " not measured", Def: 1}
	}
	if okR && okG {
		f := quality(false)
		f.Variant = ""
		figures["quality.q(without=parse)"] = f
	}
}
