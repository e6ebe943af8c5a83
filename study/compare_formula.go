package study

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"enterprisedocbench/metrics"
)

// formula says how a key follows from unit measures: offset + Σ weight·mean(term), or one of the two
// rates that are no mean over answers.
type formula struct {
	key     string
	offset  float64
	terms   []term
	higher  bool // higher is better
	once    bool // measured once for the whole pipeline
	rate    rate
	variant string
	unit    string
}

type term struct {
	key    string
	weight float64
}

// rate is a hallucination rate that claims.jsonl gives: bad claims of all claims, or documents with
// a bad claim of all documents with claims.
type rate int

const (
	noRate rate = iota
	microRate
	documentRate
)

// formula resolves a key for a pair and refuses what cannot be paired.
func (p pairing) formula(key string) (formula, error) {
	n, m, err := metrics.Lookup(key)
	if err != nil {
		return formula{}, err
	}
	f := formula{key: key, higher: m.HigherBetter, unit: m.Unit}
	fa, fb := p.base.figure(key), p.other.figure(key)
	f.variant = firstOf(fa.Variant, fb.Variant)
	switch {
	case n.Axis == "index" || n.Axis == "cost" || m.Unit != "":
		f.once = true
	case n.Key() == "parse.p":
		f.add(1, parseParts(n.Param("parts"), f.variant), metrics.PWeights)
	case n.Key() == "generate.g":
		f.add(1, partKeys(metrics.GParts, n.Param("parts"), generation), metrics.GWeights)
	case n.Key() == "quality.q":
		weights := metrics.QWeights
		if n.Param("without") == "parse" {
			weights = []float64{0, metrics.QWeights[1], metrics.QWeights[2]}
		}
		total := weights[0] + weights[1] + weights[2]
		if weights[0] > 0 {
			f.add(weights[0]/total, parseParts("", f.variant), metrics.PWeights)
		}
		f.terms = append(f.terms, term{"retrieve.ndcg@5", weights[1] / total})
		f.add(weights[2]/total, partKeys(metrics.GParts, "", generation), metrics.GWeights)
	case key == "generate.hr(mode=micro)":
		f.rate = microRate
	case key == "generate.hr(mode=binary,unit=document)":
		f.rate = documentRate
	default:
		f.terms = []term{{key, 1}}
	}
	if len(f.terms) == 0 && !f.once && f.rate == noRate {
		return f, fmt.Errorf("measure %s names no part of the composite", key)
	}
	return f, p.sameMeasure(key, f.terms)
}

// add appends parts of a composite, their weights divided by their sum and multiplied by share. A
// part without a key is left out of the composite; a rate of errors enters as 1 − rate.
func (f *formula) add(share float64, keys []string, weights []float64) {
	total := 0.0
	for i, k := range keys {
		if k != "" {
			total += weights[i]
		}
	}
	for i, k := range keys {
		w := share * weights[i] / total
		switch {
		case k == "":
		case metrics.Worst(k) == 1:
			f.offset += w
			f.terms = append(f.terms, term{k, -w})
		default:
			f.terms = append(f.terms, term{k, w})
		}
	}
}

// partKeys are the keys of a composite's parts in their order; parts that the name leaves out are
// empty.
func partKeys(all []string, named string, key func(string) string) []string {
	out := make([]string, len(all))
	for i, p := range all {
		k := key(p)
		_, short, _ := strings.Cut(k, ".")
		short, _, _ = strings.Cut(short, "(")
		if named == "" || slices.Contains(strings.Split(named, "+"), short) {
			out[i] = k
		}
	}
	return out
}

func generation(part string) string { return "generate." + part }

// parseParts are the keys of P's parts. What stands in for FCQ is named by the variant.
func parseParts(named, variant string) []string {
	return partKeys(metrics.PParts, named, func(part string) string {
		if part != "fcq" {
			return "parse." + part
		}
		switch by := strings.TrimPrefix(variant, "fcq="); by {
		case "", "caption_f1":
			return "parse.caption_f1"
		default:
			return metrics.CaptionKey(by)
		}
	})
}

// chooseKeys resolves the keys that are asked for, or the headline measures that the sides have.
func chooseKeys(asked []string, sides []side) ([]string, error) {
	if len(asked) == 0 {
		return headline(sides), nil
	}
	var out []string
	for _, k := range asked {
		key, err := knownKey(k, sides)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	return out, nil
}

// knownKey is the canonical form of a key that at least one side has; it is an error that names the
// near ones otherwise.
func knownKey(key string, sides []side) (string, error) {
	n, _, err := metrics.Lookup(key)
	if err != nil {
		return "", err
	}
	near, axis := map[string]bool{}, map[string]bool{}
	for _, s := range sides {
		if s.has(n.String()) {
			return n.String(), nil
		}
		for _, figures := range []map[string]bool{keysOf(s.run.Summary.Pipelines[s.arm]), keysOf(s.run.Summary.Costs[s.arm])} {
			for k := range figures {
				if o, err := metrics.ParseName(k); err == nil && o.Axis == n.Axis {
					axis[k] = true
					near[k] = o.Base == n.Base
				}
			}
		}
	}
	maps.DeleteFunc(near, func(_ string, same bool) bool { return !same })
	choose := slices.Sorted(maps.Keys(near))
	if len(choose) == 0 {
		choose = slices.Sorted(maps.Keys(axis))
	}
	if len(choose) == 0 {
		return "", fmt.Errorf("measure %s: no pipeline here has it, nor any of %s", n, n.Axis)
	}
	return "", fmt.Errorf("measure %s: no pipeline here has it: choose one of %s", n, strings.Join(choose, " "))
}

func keysOf[V any](m map[string]V) map[string]bool {
	out := map[string]bool{}
	for k := range m {
		out[k] = true
	}
	return out
}

// headline are P, nDCG@5, G and Q, each with the form that all sides have: a composite of the parts
// that are there, Q without parsing.
func headline(sides []side) []string {
	measured := func(key string) bool {
		return !slices.ContainsFunc(sides, func(s side) bool { return s.figure(key).Value == nil })
	}
	choose := func(key, other string) string {
		if measured(key) {
			return key
		}
		for _, k := range slices.Sorted(maps.Keys(sides[0].run.Summary.Pipelines[sides[0].arm])) {
			if strings.HasPrefix(k, other) && measured(k) {
				return k
			}
		}
		return key
	}
	return []string{choose("parse.p", "parse.p("), "retrieve.ndcg@5", choose("generate.g", "generate.g("), choose("quality.q", "quality.q(")}
}
