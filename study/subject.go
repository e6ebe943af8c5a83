package study

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/metrics"
)

// Subject is one system's figures on one universe: a row of RIKER's tables.
type Subject struct {
	System  string                `json:"system"`
	Dataset string                `json:"dataset"`
	Size    string                `json:"size"` // 8K, 32K, 128K, 200K, or the name of another dataset
	Set     string                `json:"set"`  // A to D, HA to HD; empty for another dataset
	From    string                `json:"from"` // the folder or file it was read from
	Figures map[string]edb.Figure `json:"figures"`
	Depth   []DepthBin            `json:"depth,omitempty"`
	// Temperature of the model, where a run says it.
	Temperature *float64 `json:"temperature,omitempty"`
}

// universe reads size and set from the name of a dataset that was made from a preset: riker-128K-B.
func universe(dataset string) (size, set string) {
	rest, ok := strings.CutPrefix(dataset, "riker-")
	if !ok {
		return dataset, ""
	}
	size, set, _ = strings.Cut(rest, "-")
	if set == "" {
		set = "A"
	}
	return size, set
}

// errNoLevels is for a run or file whose questions have none of RIKER's levels.
var errNoLevels = errors.New("its questions have no levels L01 to L12: make the dataset with edb universe new")

// Subjects reads what may stand in RIKER's tables: the arms of a run folder, or a file that
// edb eval answers --json left (one system or a list of them).
func Subjects(path string) ([]Subject, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: name a run folder, or a file of edb eval answers --json", path, cause(err))
	}
	if !st.IsDir() {
		return scoredSubjects(path)
	}
	run, err := Open(path)
	if err != nil {
		return nil, err
	}
	var out []Subject
	for _, arm := range run.Summary.Arms {
		s := Subject{System: arm, Dataset: run.Summary.Dataset, From: path, Figures: run.Summary.Pipelines[arm]}
		s.Size, s.Set = universe(s.Dataset)
		for _, p := range run.Spec.Config.Pipelines {
			if p.Name == arm && p.Generate.Provider == "openai" {
				s.System = p.Generate.Model
				if p.Retrieve.Method != "all" {
					s.System += " + " + arm
				}
				t := p.Generate.Temperature
				s.Temperature = &t
			}
		}
		if s.Figures["generate.riker"].N == 0 {
			return nil, fmt.Errorf("%s: %s: %w", path, arm, errNoLevels)
		}
		s.Depth = run.depth(arm)
		out = append(out, s)
	}
	return out, nil
}

// depth is DepthBins of an arm: documents stand in the order of their IDs.
func (r *Run) depth(arm string) []DepthBin {
	ids := sortedKeys(r.documents)
	at := make(map[string]float64, len(ids))
	for i, id := range ids {
		at[id] = float64(i) / float64(max(1, len(ids)-1))
	}
	docs := map[string][]string{}
	for id, u := range r.questions {
		docs[id] = u.Docs
	}
	var rows []edb.Measurement
	for _, key := range []string{"generate.riker(part=single)", "generate.riker(part=aggregation)"} {
		for unit, s := range r.arms[arm].values[key] {
			rows = append(rows, edb.Measurement{Unit: unit, Key: key, Value: s.Strict})
		}
	}
	slices.SortFunc(rows, func(a, b edb.Measurement) int { return strings.Compare(a.Unit, b.Unit) })
	return depthBins(at, docs, rows)
}

func scoredSubjects(path string) ([]Subject, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all struct {
		Systems []AnswersScored `json:"systems"`
	}
	if err := json.Unmarshal(data, &all); err != nil || len(all.Systems) == 0 {
		return nil, fmt.Errorf("%s: this is no output of edb eval answers --json: name such a file, or a run folder", path)
	}
	var out []Subject
	for _, a := range all.Systems {
		if err := onScale(a.Measures); err != nil {
			return nil, fmt.Errorf("%s: %s: %w: make the file again with edb eval answers --json", path, a.System, err)
		}
		s := Subject{System: a.System, Dataset: a.Dataset, From: path, Figures: a.Measures, Depth: a.Depth}
		s.Size, s.Set = universe(a.Dataset)
		if s.Figures["generate.riker"].N == 0 {
			return nil, fmt.Errorf("%s: %s: %w", path, a.System, errNoLevels)
		}
		out = append(out, s)
	}
	return out, nil
}

// onScale refuses figures of shares that are none: somebody has changed the file.
func onScale(figures map[string]edb.Figure) error {
	for _, key := range sortedKeys(figures) {
		f := figures[key]
		for _, v := range []*float64{f.Value, f.ValueOK, f.Lo, f.Hi} {
			if v != nil && metrics.Bounded(key) && !(*v >= 0 && *v <= 1) {
				return fmt.Errorf("%s is %v, not within 0 and 1", key, *v)
			}
		}
		if f.N < 0 || f.NOK < 0 || f.NOK > f.N || f.Missing < 0 {
			return fmt.Errorf("%s counts n %d, n_ok %d and missing %d, which cannot be", key, f.N, f.NOK, f.Missing)
		}
	}
	return nil
}
