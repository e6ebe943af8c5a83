package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/metrics"
	"enterprisedocbench/stats"
)

// composedOfRun reads the pipelines of a run by the parts of a composite: the figures of
// summary.json, or with units what measurements.jsonl has of each unit. Pipelines that lack a part
// are left out, with a word.
func composedOfRun(s *streams, dir, of string, units bool) (composed, error) {
	var out composed
	var prefix string
	switch of {
	case "parse.p":
		out.parts, out.weights, prefix = metrics.PParts, metrics.PWeights, "parse."
	case "generate.g":
		out.parts, out.weights, prefix = metrics.GParts, metrics.GWeights, "generate."
	case "quality.q":
		out.parts, out.weights = []string{"parse.p", "retrieve.ndcg@5", "generate.g"}, metrics.QWeights
		if units {
			return out, errors.New("quality.q has no units of its own: take --samples with parse.p or generate.g")
		}
	default:
		return out, fmt.Errorf("--of %q: give parse.p, generate.g or quality.q", of)
	}
	data, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if errors.Is(err, os.ErrNotExist) {
		return out, fmt.Errorf("%s: no summary.json: name the folder that edb run left", dir)
	} else if err != nil {
		return out, unreadable(dir, err)
	}
	var summary edb.Summary
	if err := json.Unmarshal(data, &summary); err != nil {
		return out, fmt.Errorf("%s: summary.json: %w: run edb run again", dir, err)
	}
	var rows []edb.Measurement
	if units {
		if rows, err = store.ReadJSONL[edb.Measurement](filepath.Join(dir, "measurements.jsonl"), false); err != nil {
			return out, err
		}
	}
	for _, arm := range summary.Arms {
		figures := summary.Pipelines[arm]
		var row []stats.Part
		var lacks []string
		for _, part := range out.parts {
			key := partKey(figures, prefix+part)
			f, ok := figures[key]
			if !ok || f.Value == nil {
				lacks = append(lacks, part)
				continue
			}
			p := stats.Part{Values: []float64{*f.Value}}
			if units {
				p = partOf(rows, arm, key)
			}
			if part == "hr" { // enters as 1 - hr
				for i := range p.Values {
					p.Values[i] = 1 - p.Values[i]
				}
			}
			row = append(row, p)
		}
		if lacks != nil {
			fmt.Fprintf(s.err, "edb: %s is left out: no %s\n", arm, strings.Join(lacks, ", no "))
			continue
		}
		out.systems, out.values = append(out.systems, arm), append(out.values, row)
	}
	return out, nil
}

// partKey is the key of a part among the figures of a pipeline: captions are scored by an encoder that
// the key names, or by words.
func partKey(figures map[string]edb.Figure, key string) string {
	if key != "parse.fcq" {
		return key
	}
	for _, k := range slices.Sorted(maps.Keys(figures)) {
		if strings.HasPrefix(k, "parse.fcq(") {
			return k
		}
	}
	return "parse.caption_f1"
}

// partOf collects what the units of a pipeline gave to a measure; a failed unit has the worst value.
func partOf(rows []edb.Measurement, arm, key string) stats.Part {
	var p stats.Part
	counts := []int{}
	for _, r := range rows {
		if r.Arm != arm || r.Key != key || r.Value == nil && !r.Failed {
			continue
		}
		v := metrics.Worst(key)
		if r.Value != nil {
			v = *r.Value
		}
		if n := len(p.Units); n > 0 && p.Units[n-1] == r.Unit { // repeats stand together
			counts[n-1]++
			p.Values[n-1] += (v - p.Values[n-1]) / float64(counts[n-1])
			continue
		}
		p.Values, p.Units, p.Docs = append(p.Values, v), append(p.Units, r.Unit), append(p.Docs, []string{r.Unit})
		counts = append(counts, 1)
	}
	return p
}
