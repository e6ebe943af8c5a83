package pipeline

import (
	"fmt"
	"maps"
	"math"
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
	captions, variant := r.cfg.Metrics.captions()
	p := r.composite(set, []string{"parse.tis", "parse.tea", captions, "parse.lf"}, metrics.PWeights)
	p.named.Variant = variant
	g := r.composite(set, []string{"generate.fa", "generate.sap", "generate.sar", "generate.hr", "generate.ac"}, metrics.GWeights)
	put := func(key string, c composite) {
		if len(c.missing) == 0 {
			figures[key] = c.named
			return
		}
		figures[key] = edb.Figure{Reason: "not measured: no unit has " + strings.Join(c.missing, ", "), Def: 1, Variant: c.named.Variant}
		if len(c.have) > 0 {
			figures[fmt.Sprintf("%s(parts=%s)", key, strings.Join(c.have, "+"))] = c.named
		}
	}
	put("parse.p", p)
	put("generate.g", g)

	nd, okR := set["retrieve.ndcg@5"]
	okR = okR && len(nd.Strict) > 0
	okP, okG := len(p.missing) == 0, len(g.missing) == 0
	quality := func(withP bool) edb.Figure {
		var parts []stats.Part
		if withP {
			parts = append(parts, p.parts...)
		}
		parts = append(parts, stats.Part{Values: nd.Strict, Docs: nd.Docs, Units: nd.Units})
		parts = append(parts, g.parts...)
		f := edb.Figure{Def: 1, Variant: p.named.Variant}
		figure.Fill(&f, stats.Composite(parts, func(m []float64) float64 {
			var P, R, G float64
			if withP {
				P, m = metrics.Weighted(m[:len(p.parts)], p.weights), m[len(p.parts):]
			}
			R, G = m[0], g.of(m[1:])
			if withP {
				return metrics.Weighted([]float64{P, R, G}, metrics.QWeights)
			}
			return metrics.Weighted([]float64{R, G}, metrics.QWeights[1:])
		}, r.options()))
		f.N, f.NOK = min(len(nd.Strict), g.named.N), min(len(nd.OK), g.named.NOK)
		if withP {
			f.N, f.NOK = min(f.N, p.named.N), min(f.NOK, p.named.NOK)
		}
		return f
	}
	switch {
	case okP && okR && okG:
		figures["quality.q"] = quality(true)
	case okR && okG:
		figures["quality.q"] = edb.Figure{Reason: "P is not measured", Def: 1, Variant: p.named.Variant}
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

// composite is a weighted mean of parts; parts that no unit has are left out and named.
type composite struct {
	named         edb.Figure
	have, missing []string
	parts         []stats.Part
	weights       []float64
	invert        []bool // 1 − part: the hallucination rate
}

func (c composite) of(means []float64) float64 {
	m := slices.Clone(means)
	for i := range m {
		if c.invert[i] {
			m[i] = 1 - m[i]
		}
	}
	return metrics.Weighted(m, c.weights)
}

func (r *runner) composite(set map[string]*figure.Sample, keys []string, weights []float64) composite {
	var c composite
	n, nOK := math.MaxInt, math.MaxInt // a composite is no better known than its least known part
	for i, k := range keys {
		_, short, _ := strings.Cut(k, ".")
		short, _, _ = strings.Cut(short, "(") // parts=fcq: the variant names the encoder
		s := set[k]
		if s == nil || len(s.Strict) == 0 {
			c.missing = append(c.missing, short)
			continue
		}
		c.have = append(c.have, short)
		c.parts = append(c.parts, stats.Part{Values: s.Strict, Docs: s.Docs, Units: s.Units})
		c.weights = append(c.weights, weights[i])
		c.invert = append(c.invert, k == "generate.hr")
		n, nOK = min(n, len(s.Strict)), min(nOK, len(s.OK))
	}
	if len(c.parts) == 0 {
		return c
	}
	figure.Fill(&c.named, stats.Composite(c.parts, c.of, r.options()))
	c.named.N, c.named.NOK, c.named.Def = n, nOK, 1
	return c
}
