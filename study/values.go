package study

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"enterprisedocbench/internal/table"
	"enterprisedocbench/metrics"
	"enterprisedocbench/pipeline"
	"enterprisedocbench/stats"
)

// DocsColumn is the column of a run's tables that lists, as JSON, the documents that a row rests on.
const DocsColumn = "docs"

// ByPipeline is a measure of a run as a table: a row a unit, sorted, with the columns "unit",
// [DocsColumn] and the pipelines in the order of the run. Values are strict (a unit that failed has
// the measure's worst value), repeats averaged; what has nothing to measure is missing.
func (r *Run) ByPipeline(key string) (*table.Table, error) {
	key, err := r.keyOf(key, r.Summary.Arms)
	if err != nil {
		return nil, err
	}
	units := map[string]bool{}
	for _, a := range r.Summary.Arms {
		for u := range r.arms[a].values[key] {
			units[u] = true
		}
	}
	var rows [][]*string
	for _, u := range slices.Sorted(maps.Keys(units)) {
		unit, _ := r.unit(key, u) // Open found it
		row := []*string{&u, docsCell(unit.Docs)}
		for _, a := range r.Summary.Arms {
			row = append(row, numberCell(r.arms[a].values[key][u].Strict))
		}
		rows = append(rows, row)
	}
	return table.New(r.Dir, append([]string{"unit", DocsColumn}, r.Summary.Arms...), rows), nil
}

// ByMeasure is one pipeline of a run as a table with a column for each key, as in [Run.ByPipeline];
// the pipeline may be empty where the run has only one. Where some keys are of documents and some of
// questions, rows are documents: a question's value counts 1/m in each of the m documents that it
// rests on (the document unit of the correlations of EnterpriseDocBench section 6.1), and a document
// without such questions lacks it.
func (r *Run) ByMeasure(arm string, keys ...string) (*table.Table, error) {
	if arm == "" && len(r.Summary.Arms) > 1 {
		return nil, fmt.Errorf("%s has %d pipelines: name a measure with --key, or one of %s with --pipeline", r.Dir, len(r.Summary.Arms), strings.Join(r.Summary.Arms, ", "))
	}
	if arm == "" {
		arm = r.Summary.Arms[0]
	}
	if r.arms[arm] == nil {
		return nil, noPipeline(r, arm)
	}
	ofDocuments := 0
	full := make([]string, len(keys))
	for i, k := range keys {
		var err error
		if full[i], err = r.keyOf(k, []string{arm}); err != nil {
			return nil, err
		}
		if isParse(full[i]) {
			ofDocuments++
		}
	}
	values := r.arms[arm].values
	var rows [][]*string
	switch {
	case ofDocuments == 0 || ofDocuments == len(keys):
		units := map[string]bool{}
		for _, k := range full {
			for u := range values[k] {
				units[u] = true
			}
		}
		for _, u := range slices.Sorted(maps.Keys(units)) {
			unit, _ := r.unit(full[0], u)
			row := []*string{&u, docsCell(unit.Docs)}
			for _, k := range full {
				row = append(row, numberCell(values[k][u].Strict))
			}
			rows = append(rows, row)
		}
	default:
		joined := r.joinedDocuments()
		for _, d := range slices.Sorted(maps.Keys(r.documents)) {
			row := []*string{&d, docsCell(joined[d])}
			for _, k := range full {
				v := values[k][d].Strict
				if !isParse(k) {
					v = r.ofDocument(d, values[k])
				}
				row = append(row, numberCell(v))
			}
			rows = append(rows, row)
		}
	}
	return table.New(r.Dir, append([]string{"unit", DocsColumn}, keys...), rows), nil
}

func isParse(key string) bool { return strings.HasPrefix(key, "parse.") }

// ofDocument is the mean of the questions that rest on a document, one over m documents weighing 1/m.
func (r *Run) ofDocument(doc string, values map[string]sample) *float64 {
	sum, weight := 0.0, 0.0
	for _, q := range slices.Sorted(maps.Keys(values)) {
		docs := r.questions[q].Docs
		if v := values[q].Strict; v != nil && slices.Contains(docs, doc) {
			w := 1 / float64(len(docs))
			sum += w * *v
			weight += w
		}
	}
	if weight == 0 {
		return nil
	}
	sum /= weight
	return &sum
}

// joinedDocuments lists for each document itself and those that share a question with it.
func (r *Run) joinedDocuments() map[string][]string {
	out := map[string][]string{}
	for d := range r.documents {
		out[d] = []string{d}
	}
	for _, q := range r.questions {
		for _, d := range q.Docs {
			out[d] = append(out[d], q.Docs...)
		}
	}
	for d := range out {
		slices.Sort(out[d])
		out[d] = slices.Compact(out[d])
	}
	return out
}

// keyOf is the canonical form of a key that a unit of one of the arms has.
func (r *Run) keyOf(key string, arms []string) (string, error) {
	n, _, err := metrics.Lookup(key)
	if err != nil {
		return "", err
	}
	all := map[string]bool{}
	for _, a := range arms {
		for k := range r.arms[a].values {
			all[k] = true
		}
	}
	if !all[n.String()] {
		return "", fmt.Errorf("%s: no unit has the measure %s: there are %s", r.Dir, n, strings.Join(slices.Sorted(maps.Keys(all)), ", "))
	}
	return n.String(), nil
}

func docsCell(docs []string) *string {
	b, err := json.Marshal(docs)
	if err != nil {
		panic(err) // a list of strings
	}
	s := string(b)
	return &s
}

func numberCell(v *float64) *string {
	if v == nil {
		return nil
	}
	s := strconv.FormatFloat(*v, 'g', -1, 64)
	return &s
}

// Parts are the pipelines of a run by the parts of a composite.
type Parts struct {
	Systems []string
	Names   []string // of the parts
	Weights []float64
	Values  [][]stats.Part // Values[i][j]: part j of system i, higher is better
	Left    []string       // pipelines that lack a part, each with what it lacks
}

// PartsOf gives the parts of parse.p, generate.g or quality.q: with units the values of every unit,
// else the figures of the summary. quality.q has no units, because its parts are of documents and of
// questions. A rate of errors enters as 1 − rate.
func (r *Run) PartsOf(composite string, units bool) (Parts, error) {
	var p Parts
	switch composite {
	case "parse.p":
		p.Names, p.Weights = metrics.PParts, metrics.PWeights
	case "generate.g":
		p.Names, p.Weights = metrics.GParts, metrics.GWeights
	case "quality.q":
		p.Names, p.Weights = []string{"parse.p", "retrieve.ndcg@5", "generate.g"}, metrics.QWeights
		if units {
			return p, fmt.Errorf("quality.q has parts of documents and parts of questions: samples go with parse.p or generate.g")
		}
	default:
		return p, fmt.Errorf("composite %q: give parse.p, generate.g or quality.q", composite)
	}
	for _, arm := range r.Summary.Arms {
		figures := r.Summary.Pipelines[arm]
		keys := p.Names
		switch composite {
		case "parse.p":
			keys = parseParts("", figures["parse.p"].Variant)
		case "generate.g":
			keys = partKeys(metrics.GParts, "", generation)
		}
		var row []stats.Part
		var lacks []string
		for j, key := range keys {
			part := stats.Part{}
			if f := figures[key]; !units && f.Value != nil {
				part.Values = []float64{*f.Value}
			} else if units {
				part = r.part(arm, key)
			}
			if len(part.Values) == 0 {
				lacks = append(lacks, p.Names[j])
			}
			if metrics.Worst(key) == 1 {
				for i := range part.Values {
					part.Values[i] = 1 - part.Values[i]
				}
			}
			row = append(row, part)
		}
		if lacks != nil {
			p.Left = append(p.Left, arm+": no "+strings.Join(lacks, ", no "))
			continue
		}
		p.Systems, p.Values = append(p.Systems, arm), append(p.Values, row)
	}
	return p, nil
}

// part collects the strict values of a measure with the documents that their units rest on.
func (r *Run) part(arm, key string) stats.Part {
	var p stats.Part
	values := r.arms[arm].values[key]
	for _, u := range slices.Sorted(maps.Keys(values)) {
		if v := values[u].Strict; v != nil {
			var unit pipeline.Unit
			unit, _ = r.unit(key, u)
			p.Values, p.Docs, p.Units = append(p.Values, *v), append(p.Docs, unit.Docs), append(p.Units, u)
		}
	}
	return p
}
