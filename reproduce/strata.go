package reproduce

import (
	"maps"
	"slices"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/metrics"
	"enterprisedocbench/parse"
	"enterprisedocbench/stats"
	"enterprisedocbench/study"
)

// unit is one document of one table: what kind it is, and the strict value of each measure by engine.
type unit struct {
	doc, source, domain, variation string
	kinds                          []string
	values                         map[string]map[string]float64 // by engine and key
}

// Stratum is one measure over the documents of all tables of a page that have one thing in common.
type Stratum struct {
	By      string                `json:"by"` // source, domain or kind of page
	Value   string                `json:"value"`
	Key     string                `json:"key"`
	Figures map[string]edb.Figure `json:"figures"` // by engine
}

// seed of the resampling of figures over several tables; replicates is how often.
const (
	seed       = 7
	replicates = 10000
)

func options() stats.Options { return stats.Options{Seed: seed, Replicates: replicates, Level: .95} }

// further says whether a run measures a key of parsing only where it is asked for.
func further(key string) bool {
	n, err := metrics.ParseName(key)
	if err != nil {
		return false
	}
	switch n.Key() {
	case "parse.facts", "parse.element_f1", "parse.p":
		return false
	}
	return !slices.Contains(metrics.ParseKeys, key)
}

// unitsOf reads what a run measured of each document.
func unitsOf(run *study.Run, dir string, t Table, v Variation) ([]unit, error) {
	ds, err := datasets.Open(dir)
	if err != nil {
		return nil, err
	}
	ds.Markdown = parse.ReadFile
	byID := map[string]*unit{}
	var out []unit
	for _, d := range ds.Documents {
		gold, _, err := ds.Gold(d.ID)
		if err != nil {
			return nil, err
		}
		out = append(out, unit{doc: d.ID, source: t.Title, domain: d.Domain, variation: v.Name, kinds: kindsOf(d, gold, ds), values: map[string]map[string]float64{}})
	}
	for i := range out {
		byID[out[i].doc] = &out[i]
	}
	keys := slices.Clone(t.Measures)
	for _, k := range metrics.ParseKeys {
		if !slices.Contains(keys, k) && !metrics.Pooled(k) {
			keys = append(keys, k)
		}
	}
	for _, key := range keys {
		values, err := run.ByPipeline(key)
		if err != nil {
			continue // no document has it
		}
		ids, err := values.Texts("unit")
		if err != nil {
			return nil, err
		}
		for _, arm := range run.Summary.Arms {
			numbers, err := values.Numbers(arm)
			if err != nil {
				return nil, err
			}
			for i, x := range numbers {
				u := byID[*ids[i]]
				if u == nil || x == nil { // of a question, or nothing to measure
					continue
				}
				if u.values[arm] == nil {
					u.values[arm] = map[string]float64{}
				}
				u.values[arm][key] = *x
			}
		}
	}
	return out, nil
}

// Kinds of pages, in the order in which they are shown.
const (
	kindScan    = "scanned"
	kindLayer   = "text layer"
	kindOne     = "one column"
	kindTwo     = "two columns"
	kindTable   = "with tables"
	kindFigure  = "with figures"
	kindFormula = "with formulas"
	kindText    = "running text alone"
)

var kindOrder = []string{kindLayer, kindScan, kindOne, kindTwo, kindTable, kindFigure, kindFormula, kindText}

// kindsOf says of a document what its record and its gold tell about its pages. Columns are known only
// where the collection states them; what the gold does not annotate is not told apart.
func kindsOf(d edb.Document, gold edb.Parsed, ds *datasets.Dataset) (kinds []string) {
	if d.MIME == "application/pdf" {
		if d.Scanned {
			kinds = append(kinds, kindScan)
		} else {
			kinds = append(kinds, kindLayer)
		}
	}
	switch {
	case d.Layout != nil && d.Layout.Columns == 1:
		kinds = append(kinds, kindOne)
	case d.Layout != nil && d.Layout.Columns > 1:
		kinds = append(kinds, kindTwo)
	}
	has := map[string]bool{}
	for _, e := range gold.Elements {
		has[e.Kind] = true
	}
	plain := len(has) > 0
	has[edb.KindFigure] = has[edb.KindFigure] || has[edb.KindCaption]
	for _, k := range []struct{ element, kind string }{{edb.KindTable, kindTable}, {edb.KindFigure, kindFigure}, {edb.KindFormula, kindFormula}} {
		if has[k.element] {
			kinds = append(kinds, k.kind)
			plain = false
		}
		plain = plain && ds.GoldHolds(k.element)
	}
	if plain {
		kinds = append(kinds, kindText)
	}
	return kinds
}

// strata gives each measure by source, domain and kind of page over the documents of all tables.
func strata(keys []string, tables []Result) []Stratum {
	var units []unit
	for _, t := range tables {
		units = append(units, t.units...)
	}
	var out []Stratum
	for _, key := range keys {
		for _, by := range []struct {
			name string
			of   func(unit) []string
		}{
			{"source", func(u unit) []string { return []string{u.source} }},
			{"domain", func(u unit) []string { return []string{u.domain} }},
			{"kind of page", func(u unit) []string { return u.kinds }},
		} {
			groups := map[string][]unit{}
			var order []string
			for _, u := range units {
				for _, g := range by.of(u) {
					if g != "" && groups[g] == nil {
						order = append(order, g)
					}
					groups[g] = append(groups[g], u)
				}
			}
			if by.name == "kind of page" {
				order = slices.DeleteFunc(slices.Clone(kindOrder), func(k string) bool { return groups[k] == nil })
			}
			for _, g := range order {
				if s := (Stratum{by.name, g, key, figures(groups[g], key)}); len(s.Figures) > 0 {
					out = append(out, s)
				}
			}
		}
	}
	return out
}

// figures are the means of a measure over units, by engine.
func figures(units []unit, key string) map[string]edb.Figure {
	values, docs := map[string][]float64{}, map[string][][]string{}
	for _, u := range units {
		for _, e := range slices.Sorted(maps.Keys(u.values)) {
			if v, ok := u.values[e][key]; ok {
				values[e] = append(values[e], v)
				docs[e] = append(docs[e], []string{u.doc})
			}
		}
	}
	out := map[string]edb.Figure{}
	for e, v := range values {
		out[e] = figure(stats.Mean(v, docs[e], options()), key)
	}
	return out
}

func figure(iv stats.Interval, key string) edb.Figure {
	return edb.Figure{Value: iv.Value, Lo: iv.Lo, Hi: iv.Hi, Level: iv.Level, N: iv.N, NOK: iv.N, Method: iv.Method, Reason: iv.Reason, Warnings: iv.Warnings, Def: metrics.Def(key)}
}
