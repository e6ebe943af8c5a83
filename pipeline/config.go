package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/generate"
	"enterprisedocbench/index"
	"enterprisedocbench/metrics"
	"enterprisedocbench/parse"
)

// Config is one run: a dataset, the pipelines to compare on it, and how to measure them.
type Config struct {
	Name      string           `yaml:"name" json:"name,omitempty" jsonschema:"description=name of the run; default: the name of the file"`
	Dataset   string           `yaml:"dataset" json:"dataset" jsonschema:"description=the dataset directory\\, relative to this file"`
	Seed      uint64           `yaml:"seed" json:"seed"`
	Queries   Queries          `yaml:"queries" json:"queries"`
	Repeats   int              `yaml:"repeats" json:"repeats" jsonschema:"description=how often each question is answered; at least 1"`
	Baseline  string           `yaml:"baseline" json:"baseline,omitempty" jsonschema:"description=the pipeline that cost.relative divides by; default bm25\\, else the first"`
	Defaults  Stages           `yaml:"defaults" json:"defaults"`
	Pipelines []Arm            `yaml:"pipelines" json:"pipelines"`
	Matrix    map[string][]any `yaml:"matrix" json:"matrix,omitempty" jsonschema:"description=STAGE.FIELD to a list of values: full factorial over all pipelines"`
	Oracles   []string         `yaml:"oracles" json:"oracles,omitempty" jsonschema:"description=extra arms with a stage replaced by truth: parse\\, retrieve\\, generate\\, or ceiling: the gold answer where all of its evidence was retrieved"`
	Noise     []Noise          `yaml:"noise" json:"noise,omitempty"`
	Metrics   Metrics          `yaml:"metrics" json:"metrics"`
	Strata    Strata           `yaml:"strata" json:"strata"`
	Prices    string           `yaml:"prices" json:"prices,omitempty" jsonschema:"description=price book\\, relative to this file; default: the one in the program"`
	Limits    Limits           `yaml:"limits" json:"limits"`

	base string // folder of the file: what {files: DIR} is relative to
}

// Queries says which questions are asked. Limit 0 asks all.
type Queries struct {
	Split string `yaml:"split" json:"split" jsonschema:"description=train\\, val\\, test or all (the default)"`
	Limit int    `yaml:"limit" json:"limit"`
}

// Stages are the settings of the four stages.
type Stages struct {
	Parse    Parse    `yaml:"parse" json:"parse"`
	Chunk    Chunk    `yaml:"chunk" json:"chunk"`
	Retrieve Retrieve `yaml:"retrieve" json:"retrieve"`
	Generate Generate `yaml:"generate" json:"generate"`
}

// Arm is one pipeline. In a file it holds only what differs from the defaults.
type Arm struct {
	Name   string `yaml:"name" json:"name"`
	Stages `yaml:",inline"`
}

// Foreign names a system that is not ours: exactly one of the three.
type Foreign struct {
	Command []string `yaml:"command" json:"command,omitempty"`
	URL     string   `yaml:"url" json:"url,omitempty"`
	Files   string   `yaml:"files" json:"files,omitempty"`
}

// Parse settings. Engine is a name of the table that `edb doctor` prints, or {command: [...]},
// {url: ...}, {files: DIR}.
type Parse struct {
	Engine any `yaml:"engine" json:"engine" jsonschema:"oneof_type=string;object"`
}

// Chunk settings (EnterpriseDocBench appendix A: 512 tokens, overlap 64).
type Chunk struct {
	Tokens    int    `yaml:"tokens" json:"tokens"`
	Overlap   int    `yaml:"overlap" json:"overlap"`
	Tokenizer string `yaml:"tokenizer" json:"tokenizer" jsonschema:"enum=o200k,enum=cl100k,enum=words,enum=characters"`
}

// Retrieve settings. Depth passages are scored, K reach the generator. BM25's k1 1.5 and b .75 and
// the hybrid weights .5/.5 are the paper's (EnterpriseDocBench appendix A).
type Retrieve struct {
	Method  string    `yaml:"method" json:"method" jsonschema:"enum=bm25,enum=dense,enum=hybrid,enum=bleve,enum=all,enum=foreign"`
	Engine  any       `yaml:"engine" json:"engine,omitempty" jsonschema:"oneof_type=object"`
	Depth   int       `yaml:"depth" json:"depth"`
	K       int       `yaml:"k" json:"k"`
	K1      float64   `yaml:"k1" json:"k1"`
	B       float64   `yaml:"b" json:"b"`
	Encoder string    `yaml:"encoder" json:"encoder"`
	Weights []float64 `yaml:"weights" json:"weights"`
	Norm    string    `yaml:"norm" json:"norm" jsonschema:"enum=minmax,enum=rrf"`
}

// Generate settings. KeyEnv names the environment variable that holds the key; the key itself
// stands in no record.
type Generate struct {
	Provider    string  `yaml:"provider" json:"provider" jsonschema:"enum=extractive,enum=openai,enum=oracle,enum=scripted,enum=none,enum=foreign"`
	Engine      any     `yaml:"engine" json:"engine,omitempty" jsonschema:"oneof_type=object"`
	Model       string  `yaml:"model" json:"model,omitempty"`
	BaseURL     string  `yaml:"base_url" json:"base_url,omitempty"`
	KeyEnv      string  `yaml:"key_env" json:"key_env,omitempty"`
	Prompt      string  `yaml:"prompt" json:"prompt,omitempty"`
	Temperature float64 `yaml:"temperature" json:"temperature"`
	MaxTokens   int     `yaml:"max_tokens" json:"max_tokens"`
	Fault       string  `yaml:"fault" json:"fault,omitempty" jsonschema:"enum=none,enum=half,enum=probes,enum=loops,enum=refuses,description=what the scripted reader does wrong"`
	Decompose   int     `yaml:"decompose" json:"decompose,omitempty" jsonschema:"description=passages asked about at a time, the partial answers then together (map and reduce); 0 asks about all at once"`
	Threshold   float64 `yaml:"threshold" json:"threshold" jsonschema:"description=the extractive reader abstains below it; 0 is its default"`
}

// Noise adds arms with a stage corrupted at each rate.
type Noise struct {
	Stage string    `yaml:"stage" json:"stage" jsonschema:"enum=parse"`
	Kind  string    `yaml:"kind" json:"kind"`
	Rates []float64 `yaml:"rates" json:"rates"`
}

// Metrics chooses the parts that measures depend on.
type Metrics struct {
	Verifier       string   `yaml:"verifier" json:"verifier" jsonschema:"enum=lexical"`
	CaptionEncoder string   `yaml:"caption_encoder" json:"caption_encoder" jsonschema:"enum=none,enum=minilm-l6"`
	Parse          []string `yaml:"parse" json:"parse,omitempty" jsonschema:"description=further measures of parsing by name (parse.nid for one)"`
	Replicates     int      `yaml:"replicates" json:"replicates" jsonschema:"description=bootstrap replicates; default 10000"`
}

// captions is the measure of figure captions that P is made of.
func (m Metrics) captions() (key, variant string) {
	if m.CaptionEncoder == "none" {
		return "parse.caption_f1", "fcq=caption_f1"
	}
	return metrics.CaptionKey(m.CaptionEncoder), "fcq=" + m.CaptionEncoder
}

// further lists the measures of parsing beside those that every run has.
func (m Metrics) further() []string {
	keys := slices.Clone(m.Parse)
	if key, _ := m.captions(); m.CaptionEncoder != "none" && !slices.Contains(keys, key) {
		keys = append(keys, key)
	}
	return keys
}

// Strata says how results are cut.
type Strata struct {
	Merge map[string]string `yaml:"merge" json:"merge,omitempty"`
	MinN  int               `yaml:"min_n" json:"min_n"`
}

// Limits bound one document in a parser's worker.
type Limits struct {
	CPUSeconds  float64 `yaml:"cpu_s" json:"cpu_s"`
	WallSeconds float64 `yaml:"wall_s" json:"wall_s"`
	MemoryMB    int     `yaml:"memory_mb" json:"memory_mb"`
}

// DefaultStages are the settings of a pipeline that names none.
func DefaultStages() Stages {
	return Stages{
		Parse:    Parse{Engine: "pdfium"},
		Chunk:    Chunk{Tokens: 512, Overlap: 64, Tokenizer: "o200k"},
		Retrieve: Retrieve{Method: "bm25", Depth: 100, K: 5, K1: 1.5, B: 0.75, Encoder: "static", Weights: []float64{0.5, 0.5}, Norm: "minmax"},
		Generate: Generate{Provider: "extractive", MaxTokens: 512},
	}
}

// withDefaults fills what a run leaves open.
func (c *Config) withDefaults() {
	if c.Repeats == 0 {
		c.Repeats = 1
	}
	if c.Queries.Split == "" {
		c.Queries.Split = "all"
	}
	if c.Metrics.Verifier == "" {
		c.Metrics.Verifier = "lexical"
	}
	if c.Metrics.CaptionEncoder == "" {
		c.Metrics.CaptionEncoder = "none"
	}
	if c.Metrics.Replicates == 0 {
		c.Metrics.Replicates = 10000
	}
	if c.Strata.MinN == 0 {
		c.Strata.MinN = 50
	}
	d := parse.DefaultLimits
	if c.Limits.CPUSeconds == 0 {
		c.Limits.CPUSeconds = d.CPU.Seconds()
	}
	if c.Limits.WallSeconds == 0 {
		c.Limits.WallSeconds = d.Wall.Seconds()
	}
	if c.Limits.MemoryMB == 0 {
		c.Limits.MemoryMB = int(d.RSS >> 20)
	}
	if c.Baseline == "" && len(c.Pipelines) > 0 {
		c.Baseline = c.Pipelines[0].Name
		for _, a := range c.Pipelines {
			if a.Name == "bm25" {
				c.Baseline = "bm25"
			}
		}
	}
}

// maxRepeats bounds how often a question is asked: every answer is held until it is scored.
const maxRepeats = 1000

// problem is a fault of a configuration with the path of the value ("$.pipelines[0].chunk.overlap").
type problem struct{ path, msg string }

// validate lists every fault; the configuration is resolved (defaults merged into the pipelines).
func (c *Config) validate() (ps []problem) {
	add := func(path, format string, a ...any) { ps = append(ps, problem{path, fmt.Sprintf(format, a...)}) }
	if c.Dataset == "" {
		add("$", "dataset is missing: name a dataset directory")
	}
	if c.Repeats < 1 || c.Repeats > maxRepeats {
		add("$.repeats", "repeats is %d: use 1 to %d", c.Repeats, maxRepeats)
	}
	if !slices.Contains([]string{"all", "train", "val", "test"}, c.Queries.Split) {
		add("$.queries.split", "split %q is not one of all, train, val, test", c.Queries.Split)
	}
	if c.Queries.Limit < 0 {
		add("$.queries.limit", "limit is %d: use 0 for all questions", c.Queries.Limit)
	}
	if c.Metrics.Verifier != "lexical" {
		add("$.metrics.verifier", "verifier %q is not one of lexical", c.Metrics.Verifier)
	}
	if e := c.Metrics.CaptionEncoder; e != "none" {
		if err := metrics.Ready(metrics.CaptionKey(e)); err != nil {
			add("$.metrics.caption_encoder", "%v; with none, parse.caption_f1 stands in P in its place", err)
		}
	}
	for i, key := range c.Metrics.Parse {
		at := fmt.Sprintf("$.metrics.parse[%d]", i)
		n, _, err := metrics.Lookup(key)
		if err == nil {
			_, err = metrics.EvalParse(context.Background(), edb.Parsed{}, edb.Parsed{}, []string{key})
		}
		switch {
		case err != nil:
			add(at, "%v", err)
		case n.Key() == "parse.facts" || slices.Contains(metrics.ParseKeys, n.String()) || slices.Contains(c.Metrics.Parse[:i], n.String()):
			add(at, "%s is measured already: leave it out", key)
		default:
			c.Metrics.Parse[i] = n.String()
		}
	}
	for _, v := range []struct {
		key   string
		value float64
	}{{"limits.cpu_s", c.Limits.CPUSeconds}, {"limits.wall_s", c.Limits.WallSeconds}, {"limits.memory_mb", float64(c.Limits.MemoryMB)},
		{"metrics.replicates", float64(c.Metrics.Replicates)}, {"strata.min_n", float64(c.Strata.MinN)}} {
		if v.value < 0 {
			add("$."+v.key, "%s is %v: use a number above 0, or leave it out for the default", v.key, v.value)
		}
	}
	if len(c.Pipelines) == 0 {
		add("$", "pipelines is missing: name at least one")
	}
	seen := map[string]bool{}
	for i, a := range c.Pipelines {
		at := fmt.Sprintf("$.pipelines[%d]", i)
		switch {
		case a.Name == "":
			add(at, "a pipeline has no name")
		case strings.ContainsAny(a.Name, "/+\n\t"):
			add(at+".name", "pipeline name %q holds one of / + or a line break, which name arms", a.Name)
		case seen[a.Name]:
			add(at+".name", "two pipelines are called %q: rename one", a.Name)
		}
		seen[a.Name] = true
		for _, p := range a.Stages.validate() {
			add(at+p.path, "%s", p.msg)
		}
	}
	if c.Baseline != "" && len(c.Pipelines) > 0 && !seen[c.Baseline] {
		add("$.baseline", "baseline %q is not the name of a pipeline", c.Baseline)
	}
	for i, o := range c.Oracles {
		if !slices.Contains([]string{"parse", "retrieve", "generate", "ceiling"}, o) {
			add(fmt.Sprintf("$.oracles[%d]", i), "oracle %q is not one of parse, retrieve, generate, ceiling", o)
		}
	}
	for i, n := range c.Noise {
		at := fmt.Sprintf("$.noise[%d]", i)
		if n.Stage != "parse" {
			add(at+".stage", "noise in stage %q cannot be made: use parse", n.Stage)
		}
		if !slices.Contains(parse.NoiseKinds, n.Kind) {
			add(at+".kind", "noise kind %q is not one of %s", n.Kind, strings.Join(parse.NoiseKinds, ", "))
		}
		for j, r := range n.Rates {
			if r < 0 || r > 1 {
				add(fmt.Sprintf("%s.rates[%d]", at, j), "rate %v is not within 0 and 1", r)
			}
		}
	}
	return ps
}

func (s Stages) validate() (ps []problem) {
	add := func(path, format string, a ...any) { ps = append(ps, problem{path, fmt.Sprintf(format, a...)}) }
	if spec, err := s.Parse.spec(); err != nil {
		add(".parse.engine", "%v", err)
	} else if e, err := parse.Lookup(spec.Engine); err == nil && e.Available != nil {
		if err := e.Available(); err != nil {
			add(".parse.engine", "engine %q is not here: %v: %s", e.Name, err, e.Get)
		}
	}
	if s.Chunk.Tokens < 1 {
		add(".chunk.tokens", "tokens is %d: use 1 or more", s.Chunk.Tokens)
	}
	if s.Chunk.Overlap < 0 || s.Chunk.Overlap >= s.Chunk.Tokens {
		add(".chunk.overlap", "overlap %d must be 0 or more and smaller than tokens (%d)", s.Chunk.Overlap, s.Chunk.Tokens)
	}
	if !slices.Contains([]string{"o200k", "cl100k", "words", "characters"}, s.Chunk.Tokenizer) {
		add(".chunk.tokenizer", "tokenizer %q is not one of o200k, cl100k, words, characters", s.Chunk.Tokenizer)
	}
	r := s.Retrieve
	if r.Depth < 1 {
		add(".retrieve.depth", "depth is %d: use 1 or more", r.Depth)
	}
	if r.K < 1 || r.K > r.Depth {
		add(".retrieve.k", "k is %d: use 1 to depth (%d)", r.K, r.Depth)
	}
	if r.K1 < 0 {
		add(".retrieve.k1", "k1 is %v: use 0 or more", r.K1)
	}
	if r.B < 0 || r.B > 1 {
		add(".retrieve.b", "b is %v: use 0 to 1", r.B)
	}
	if r.Engine == nil && !slices.Contains([]string{"bm25", "dense", "hybrid", "bleve", "all"}, r.Method) {
		add(".retrieve.method", "method %q is not one of bm25, dense, hybrid, bleve, all (or give engine: {command: [...]} or {url: ...})", r.Method)
	}
	if r.Engine != nil {
		if _, err := foreign(r.Engine, false); err != nil {
			add(".retrieve.engine", "%v", err)
		}
	}
	if r.Engine == nil && (r.Method == "dense" || r.Method == "hybrid") {
		e, err := index.LookupEncoder(r.Encoder)
		if err == nil && e.Available != nil {
			err = e.Available()
		}
		if err != nil {
			add(".retrieve.encoder", "%v", err)
		}
	}
	if r.Method == "hybrid" {
		sum := 0.0
		for _, w := range r.Weights {
			sum += w
			if w < 0 {
				add(".retrieve.weights", "weight %v is negative", w)
			}
		}
		if len(r.Weights) != 2 {
			add(".retrieve.weights", "%d weights: give two, for bm25 and dense", len(r.Weights))
		} else if sum < 1-1e-9 || sum > 1+1e-9 {
			add(".retrieve.weights", "weights sum to %v, not 1", sum)
		}
		if r.Norm != "minmax" && r.Norm != "rrf" {
			add(".retrieve.norm", "norm %q is not one of minmax, rrf", r.Norm)
		}
	}
	g := s.Generate
	if g.Engine != nil {
		if _, err := foreign(g.Engine, false); err != nil {
			add(".generate.engine", "%v", err)
		}
	} else if !slices.Contains([]string{"extractive", "openai", "oracle", "scripted", "none"}, g.Provider) {
		add(".generate.provider", "provider %q is not one of extractive, openai, oracle, scripted, none (or give engine: {command: [...]} or {url: ...})", g.Provider)
	}
	if g.Provider == "openai" && g.Engine == nil {
		if g.BaseURL == "" {
			add(".generate.base_url", "base_url is missing: the address of an OpenAI-compatible server, for example http://localhost:8080/v1")
		}
		if g.Model == "" {
			add(".generate.model", "model is missing")
		}
	}
	if g.Fault != "" && !slices.Contains(generate.Faults, g.Fault) {
		add(".generate.fault", "fault %q is not one of %s", g.Fault, strings.Join(generate.Faults, ", "))
	} else if g.Fault != "" && g.Provider != "scripted" {
		add(".generate.fault", "only the provider scripted has faults")
	}
	if g.Decompose < 0 {
		add(".generate.decompose", "decompose is %d: give the number of passages that are asked about at a time, or 0", g.Decompose)
	}
	if g.MaxTokens < 1 {
		add(".generate.max_tokens", "max_tokens is %d: use 1 or more", g.MaxTokens)
	}
	return ps
}

// foreign reads {command: [...]}, {url: ...} or {files: DIR}; exactly one key.
func foreign(v any, files bool) (Foreign, error) {
	var f Foreign
	want := "{command: [...]} or {url: ...}"
	if files {
		want = "an engine's name, {command: [...]}, {url: ...} or {files: DIR}"
	}
	m, ok := v.(map[string]any)
	if !ok || len(m) != 1 {
		return f, fmt.Errorf("want %s", want)
	}
	for k, v := range m {
		switch {
		case k == "command":
			list, ok := v.([]any)
			for _, a := range list {
				s, isString := a.(string)
				ok = ok && isString
				f.Command = append(f.Command, s)
			}
			if !ok || len(f.Command) == 0 {
				return f, fmt.Errorf("command is a list of strings: the program and its arguments")
			}
		case k == "url":
			if f.URL, ok = v.(string); !ok || !strings.HasPrefix(f.URL, "http://") && !strings.HasPrefix(f.URL, "https://") {
				return f, fmt.Errorf("url starts with http:// or https://")
			}
		case k == "files" && files:
			if f.Files, ok = v.(string); !ok || f.Files == "" {
				return f, fmt.Errorf("files names a folder of parsed documents")
			}
		default:
			return f, fmt.Errorf("unknown key %q: want %s", k, want)
		}
	}
	return f, nil
}

// spec turns the setting into what the parse package understands.
func (p Parse) spec() (parse.Spec, error) {
	if name, ok := p.Engine.(string); ok {
		if _, err := parse.Lookup(name); err != nil {
			return parse.Spec{}, err
		}
		return parse.Spec{Engine: name}, nil
	}
	f, err := foreign(p.Engine, true)
	return parse.Spec{Command: f.Command, URL: f.URL, Files: f.Files}, err
}
