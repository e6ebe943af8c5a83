package reproduce

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"enterprisedocbench/datasets"
	"enterprisedocbench/expect"
	"enterprisedocbench/metrics"
	"enterprisedocbench/parse"
	"enterprisedocbench/universe"
)

// Page is tables that are shown together.
type Page struct {
	Name  string `yaml:"page"`
	Title string `yaml:"title"`
	Intro string `yaml:"intro"`
	// Strata are measures that are also shown over all tables of the page by source, domain and kind
	// of page.
	Strata []string `yaml:"strata"`
	Tables []Table  `yaml:"tables"`
	Checks []Check  `yaml:"checks"`
}

// Table is one table: a dataset, the engines or pipelines that are run on it, and the measures shown.
type Table struct {
	Name    string `yaml:"name"`
	Title   string `yaml:"title"`
	Note    string `yaml:"note"` // what a reader must know before the figures
	Dataset Source `yaml:"dataset"`
	// Engines are parsers, each a pipeline of its own that is named after it; Pipelines are whole
	// pipelines as edb run reads them. A table has one of the two.
	Engines   []Engine         `yaml:"engines"`
	Pipelines []map[string]any `yaml:"pipelines"`
	Baseline  string           `yaml:"baseline"` // what differences are against; default: the first
	Measures  []string         `yaml:"measures"`
	// Vary runs the table on several scans of one dataset; differences are then against the first of
	// them, engine by engine.
	Vary []Variation `yaml:"vary"`
	// Unpaged says that the files have no pages: speed is in documents.
	Unpaged bool `yaml:"unpaged"`

	noise []Noise // of a check
}

// Engine is a parser of the table that edb doctor prints, or stored output of another in the folder
// Files of the collection.
type Engine struct {
	Name  string `yaml:"name"`
	Files string `yaml:"files"`
}

// UnmarshalYAML reads a name, or {name: ..., files: ...}.
func (e *Engine) UnmarshalYAML(b []byte) error {
	if err := yaml.Unmarshal(b, &e.Name); err == nil && !bytes.HasPrefix(bytes.TrimSpace(b), []byte("{")) {
		return nil
	}
	type plain Engine
	return yaml.UnmarshalWithOptions(b, (*plain)(e), yaml.Strict())
}

// Source is where a table's documents come from: exactly one of Import and World is set.
type Source struct {
	Import string  `yaml:"import"` // a collection, in the folder of the same name
	World  int     `yaml:"world"`  // a generated world of so many documents
	Seed   uint64  `yaml:"seed"`   // of the world
	Types  string  `yaml:"types"`  // only documents of this MIME type
	Sample *Sample `yaml:"sample"`
	Scan   *Scan   `yaml:"scan"` // their scanned twins in their place
}

// Sample takes part of a dataset, as a function of the seed and the documents' names alone.
type Sample struct {
	Pages int    `yaml:"pages"` // how many pages at most
	Seed  uint64 `yaml:"seed"`
	// Each is what is drawn: whole documents, or one page of each that has gold.
	Each string `yaml:"each"`
}

// Scan are the settings of [universe.Scan].
type Scan struct {
	DPI     float64 `yaml:"dpi"`
	Skew    float64 `yaml:"skew"`
	Blur    float64 `yaml:"blur"`
	JPEG    int     `yaml:"jpeg"`
	Speckle float64 `yaml:"speckle"`
	Seed    uint64  `yaml:"seed"`
}

func (s Scan) settings() universe.Scan { return universe.Scan(s) }

// Variation is a named way to scan.
type Variation struct {
	Name string `yaml:"name"`
	Scan Scan   `yaml:"scan"`
}

// Noise is a kind of known noise that parses are corrupted by, each at the rates.
type Noise struct {
	Kind  string    `yaml:"kind"` // of parse.NoiseKinds
	Rates []float64 `yaml:"rates"`
}

// Check holds a published figure against its counterpart on the data of tables: a correlation of two
// measures over all pairs of a document and an engine that have both, or the mean of one measure of
// one engine. With noise, each engine counts once more for each kind and rate, its parses corrupted.
type Check struct {
	ID        string   `yaml:"id"`
	Source    string   `yaml:"source"`
	What      string   `yaml:"what"`
	Published float64  `yaml:"published"`
	Tolerance float64  `yaml:"tolerance"`
	Here      string   `yaml:"here"` // what stands in its place here
	Tables    []string `yaml:"tables"`
	Correlate []string `yaml:"correlate"`
	Mean      string   `yaml:"mean"`
	Engines   []string `yaml:"engines"` // only these; default all
	Noise     []Noise  `yaml:"noise"`
}

// Pages reads the pages that [expect] declares, in its order.
func Pages() ([]Page, error) {
	var out []Page
	seen := map[string]bool{}
	for _, name := range expect.Tables() {
		data, err := expect.Table(name)
		if err != nil {
			return nil, err
		}
		p, err := ReadPage(data, name)
		if err != nil {
			return nil, err
		}
		for _, n := range append([]string{p.Name}, p.names()...) {
			if seen[n] || n == "all" {
				return nil, fmt.Errorf("%s: the name %q stands twice", name, n)
			}
			seen[n] = true
		}
		out = append(out, p)
	}
	return out, checkTables(out)
}

// ReadPage reads and checks the specification of one page; name is what errors call it.
func ReadPage(data []byte, name string) (Page, error) {
	var p Page
	if err := yaml.UnmarshalWithOptions(data, &p, yaml.Strict()); err != nil {
		return p, fmt.Errorf("%s: %w", name, err)
	}
	var errs []error
	add := func(format string, a ...any) {
		errs = append(errs, fmt.Errorf("%s: "+format, append([]any{name}, a...)...))
	}
	if p.Name == "" || p.Title == "" {
		add("the page has no name or no title")
	}
	keys(p.Strata, "strata", add)
	for i := range p.Tables {
		p.Tables[i].check(add)
	}
	for _, c := range p.Checks {
		if c.ID == "" || c.Tolerance <= 0 || len(c.Tables) == 0 || (len(c.Correlate) == 2) == (c.Mean != "") {
			add("check %q: give id, tolerance, tables, and either correlate (two measures) or mean", c.ID)
		}
		for _, n := range c.Noise {
			if !slices.Contains(parse.NoiseKinds, n.Kind) || len(n.Rates) == 0 || slices.ContainsFunc(n.Rates, func(r float64) bool { return !(r > 0 && r <= 1) }) {
				add("check %q: noise is a kind (%s) and rates above 0 and up to 1", c.ID, strings.Join(parse.NoiseKinds, ", "))
			}
		}
		keys(c.Correlate, "check "+c.ID, add)
		if c.Mean != "" {
			keys([]string{c.Mean}, "check "+c.ID, add)
		}
	}
	return p, errors.Join(errs...)
}

func keys(list []string, where string, add func(string, ...any)) {
	for i, k := range list {
		n, _, err := metrics.Lookup(k)
		if err != nil {
			add("%s: %v", where, err)
			continue
		}
		list[i] = n.String()
	}
}

func (t Table) check(add func(string, ...any)) {
	at := "table " + t.Name
	if t.Name == "" || t.Title == "" || len(t.Measures) == 0 {
		add("%s: name, title or measures are missing", at)
	}
	keys(t.Measures, at, add)
	if (len(t.Engines) == 0) == (len(t.Pipelines) == 0) {
		add("%s: give engines or pipelines", at)
	}
	for _, e := range t.Engines {
		if _, err := parse.Lookup(e.Name); err != nil && e.Files == "" {
			add("%s: %v", at, err)
		}
	}
	s := t.Dataset
	if (s.Import == "") == (s.World == 0) {
		add("%s: give dataset: {import: NAME} or {world: N}", at)
	}
	if s.Import != "" {
		if _, err := datasets.LookupImporter(s.Import); err != nil {
			add("%s: %v", at, err)
		}
	}
	if m := s.Sample; m != nil && (m.Pages < 1 || m.Each != "document" && m.Each != "page") {
		add("%s: a sample has pages of 1 or more, and each: document or page", at)
	}
	for _, v := range t.Vary {
		if v.Name == "" {
			add("%s: a variation has no name", at)
		}
	}
}

// checkTables refuses checks of tables that there are not.
func checkTables(pages []Page) error {
	var all []string
	for _, p := range pages {
		all = append(all, p.names()...)
	}
	for _, p := range pages {
		for _, c := range p.Checks {
			for _, t := range c.Tables {
				if !slices.Contains(all, t) {
					return fmt.Errorf("check %s: no table is called %q: there are %s", c.ID, t, strings.Join(all, ", "))
				}
			}
		}
	}
	return nil
}

func (p Page) names() (out []string) {
	for _, t := range p.Tables {
		out = append(out, t.Name)
	}
	return out
}

// Arms are the names of the engines or pipelines of a table.
func (t Table) Arms() (out []string) {
	for _, e := range t.Engines {
		out = append(out, e.Name)
	}
	for _, p := range t.Pipelines {
		out = append(out, fmt.Sprint(p["name"]))
	}
	return out
}
