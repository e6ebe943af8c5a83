package pipeline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"enterprisedocbench/internal/store"
)

// ConfigError is one or more faults of a configuration file, each with line and column.
type ConfigError struct {
	Path   string
	Faults []string // "LINE:COLUMN: what is wrong"
}

func (e *ConfigError) Error() string {
	lines := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		lines[i] = e.Path + ":" + f
	}
	return strings.Join(lines, "\n")
}

// Load reads, resolves and checks a configuration file. Unknown keys, duplicate keys, wrong types,
// anchors and aliases are errors; all faults are reported together as a *ConfigError. Paths in the
// file are relative to its folder and come back joined to it.
func Load(path string) (*Config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	c, err := parseConfig(data, path, filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	if c.Name == "" {
		c.Name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	return c, nil
}

// ParseConfig is Load on bytes, with paths relative to the working directory; name is what errors
// call the file.
func ParseConfig(data []byte, name string) (*Config, error) { return parseConfig(data, name, "") }

func parseConfig(data []byte, name, base string) (*Config, error) {
	fail := func(faults ...string) error { return &ConfigError{name, faults} }
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	switch {
	case len(data) > 1<<20:
		return nil, fail("1:1: the file is larger than 1 MiB: a configuration is a short YAML file")
	case len(bytes.TrimSpace(data)) == 0:
		return nil, fail("1:1: the file is empty: name at least dataset and pipelines (see `edb config schema`)")
	case bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data):
		return nil, fail("1:1: this is no text in UTF-8: a configuration is a YAML file")
	}
	if line := store.DeepYAML(data, maxDepth); line > 0 {
		return nil, fail(fmt.Sprintf("%d:1: nests deeper than %d: write flatter values", line, maxDepth))
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, fail(yamlFault(err))
	}
	if f := unread(file); len(f) > 0 {
		return nil, fail(f...)
	}
	var c Config
	if err := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(&c); err != nil {
		return nil, fail(yamlFault(err))
	}
	if at, err := c.merge(data); err != nil {
		line, col := position(file, at)
		return nil, fail(fmt.Sprintf("%d:%d: %v", line, col, err))
	}
	c.withDefaults()
	c.base = base
	join := func(p string) string {
		if p == "" || filepath.IsAbs(p) {
			return p
		}
		return filepath.Join(base, p)
	}
	c.Dataset, c.Prices = join(c.Dataset), join(c.Prices)
	var faults []string
	for _, p := range append(c.validate(), c.absent()...) {
		line, col := position(file, p.path)
		if f := fmt.Sprintf("%d:%d: %s", line, col, p.msg); !slices.Contains(faults, f) {
			faults = append(faults, f) // a fault of the defaults is every pipeline's
		}
	}
	if len(faults) > 0 {
		return nil, fail(faults...)
	}
	if err := c.expandMatrix(); err != nil {
		line, col := position(file, "$.matrix")
		return nil, fail(fmt.Sprintf("%d:%d: %v", line, col, err))
	}
	if p, ok := c.twice(); ok {
		line, col := position(file, p.path)
		return nil, fail(fmt.Sprintf("%d:%d: %s", line, col, p.msg))
	}
	return &c, nil
}

// absent finds what the configuration names and this machine lacks: the price book, the folders of
// stored output, the programs of foreign stages.
func (c *Config) absent() (ps []problem) {
	if _, err := LoadPrices(c.Prices); err != nil {
		ps = append(ps, problem{"$.prices", err.Error()})
	}
	for i, a := range c.Pipelines {
		for _, p := range a.Stages.absent(c.base) {
			ps = append(ps, problem{fmt.Sprintf("$.pipelines[%d]%s", i, p.path), p.msg})
		}
	}
	return ps
}

func (s Stages) absent(base string) (ps []problem) {
	for _, stage := range []struct {
		path   string
		engine any
		files  bool
	}{{".parse.engine", s.Parse.Engine, true}, {".retrieve.engine", s.Retrieve.Engine, false}, {".generate.engine", s.Generate.Engine, false}} {
		f, err := foreign(stage.engine, stage.files)
		if err != nil {
			continue // no foreign system, or a fault that validate names
		}
		if len(f.Command) > 0 {
			if _, err := exec.LookPath(f.Command[0]); err != nil {
				ps = append(ps, problem{stage.path, fmt.Sprintf("command %q is not here (%v): install it, or name it by its path", f.Command[0], errors.Unwrap(err))})
			}
		}
		if f.Files != "" {
			dir := f.Files
			if !filepath.IsAbs(dir) {
				dir = filepath.Join(base, dir)
			}
			if st, err := os.Stat(dir); err != nil {
				ps = append(ps, problem{stage.path, fmt.Sprintf("files: the folder %s is not there: write the parsed documents into it first, or name the right one (a path is relative to this file)", dir)})
			} else if !st.IsDir() {
				ps = append(ps, problem{stage.path, fmt.Sprintf("files: %s is a file: name the folder that holds the parsed documents", dir)})
			}
		}
	}
	return ps
}

// maxDepth is how deep a configuration or a price book may nest.
const maxDepth = 100

// maxArms bounds what a matrix unfolds into: a slip of the pen should not plan for years.
const maxArms = 1000

// twice finds two arms of one name, which records could not tell apart.
func (c *Config) twice() (problem, bool) {
	seen := map[string]bool{}
	for _, a := range c.Pipelines {
		if seen[a.Name] {
			return problem{"$.matrix", fmt.Sprintf("the matrix makes %q twice: give each value once", a.Name)}, true
		}
		seen[a.Name] = true
	}
	for i, o := range c.Oracles {
		if slices.Contains(c.Oracles[:i], o) {
			return problem{fmt.Sprintf("$.oracles[%d]", i), fmt.Sprintf("oracle %q stands twice: remove one", o)}, true
		}
	}
	rates := map[string]bool{}
	for i, n := range c.Noise {
		for j, r := range n.Rates {
			k := fmt.Sprintf("%s at %v", n.Kind, r)
			if rates[k] {
				return problem{fmt.Sprintf("$.noise[%d].rates[%d]", i, j), fmt.Sprintf("noise %s stands twice: remove one", k)}, true
			}
			rates[k] = true
		}
	}
	return problem{}, false
}

// merge lays the defaults of the file over the program's, and each pipeline over those. An error
// comes with the path of the value.
func (c *Config) merge(data []byte) (at string, err error) {
	var raw struct {
		Defaults  map[string]any   `yaml:"defaults"`
		Pipelines []map[string]any `yaml:"pipelines"`
	}
	if err := yaml.Unmarshal(data, &raw); err != nil {
		return "$", err
	}
	overlay := func(dst any, src any) error {
		if src == nil {
			return nil
		}
		b, err := json.Marshal(src)
		if err != nil {
			return err
		}
		return json.Unmarshal(b, dst)
	}
	c.Defaults = DefaultStages()
	if err := overlay(&c.Defaults, raw.Defaults); err != nil {
		return wrongValue("$.defaults", err)
	}
	for i := range c.Pipelines {
		a := Arm{Name: c.Pipelines[i].Name, Stages: c.Defaults}
		a.Retrieve.Weights = slices.Clone(a.Retrieve.Weights)
		if err := overlay(&a, raw.Pipelines[i]); err != nil {
			return wrongValue(fmt.Sprintf("$.pipelines[%d]", i), err)
		}
		c.Pipelines[i] = a
	}
	return "", nil
}

// wrongValue gives the path and the plain words of a value that YAML would bend to the type of its
// key (5 for text, "300" for a number) and a configuration does not.
func wrongValue(at string, err error) (string, error) {
	var e *json.UnmarshalTypeError
	if !errors.As(err, &e) {
		return at, err
	}
	given, _, _ := strings.Cut(e.Value, " ")
	return at + "." + strings.TrimPrefix(e.Field, "Stages."), fmt.Errorf("a %s cannot stand here: want %s (see `edb config schema`)", given, typeName(e.Type.String()))
}

// expandMatrix replaces the pipelines by the full factorial of the matrix:
// PIPELINE/parse.engine=tesseract.
func (c *Config) expandMatrix() error {
	keys := make([]string, 0, len(c.Matrix))
	for k := range c.Matrix {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		stage, field, ok := strings.Cut(k, ".")
		if !ok || len(c.Matrix[k]) == 0 {
			return fmt.Errorf("matrix key %q: want STAGE.FIELD with a list of values", k)
		}
		if n := len(c.Pipelines) * len(c.Matrix[k]); n > maxArms {
			return fmt.Errorf("the matrix makes %d pipelines or more, over %d: give fewer values", n, maxArms)
		}
		var out []Arm
		for _, a := range c.Pipelines {
			for _, v := range c.Matrix[k] {
				b, err := json.Marshal(map[string]any{stage: map[string]any{field: v}})
				if err != nil {
					return err
				}
				arm := a
				arm.Retrieve.Weights = slices.Clone(a.Retrieve.Weights)
				d := json.NewDecoder(bytes.NewReader(b))
				d.DisallowUnknownFields()
				if err := d.Decode(&arm.Stages); err != nil {
					return fmt.Errorf("matrix key %q: %w", k, err)
				}
				arm.Name = fmt.Sprintf("%s/%s=%s", a.Name, k, matrixLabel(v))
				if ps := append(arm.Stages.validate(), arm.Stages.absent(c.base)...); len(ps) > 0 {
					return fmt.Errorf("matrix key %q, value %v: %s", k, v, ps[0].msg)
				}
				if a.Name == c.Baseline && len(out) == 0 {
					c.Baseline = arm.Name
				}
				out = append(out, arm)
			}
		}
		c.Pipelines = out
	}
	return nil
}

func matrixLabel(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, _ := json.Marshal(v)
	return string(b)
}

var goccyPosition = regexp.MustCompile(`(?s)^\[(\d+):(\d+)\] ([^\n]*)`)

// yamlFault is "LINE:COLUMN: message" of an error of the YAML library, on one line.
func yamlFault(err error) string {
	m := goccyPosition.FindStringSubmatch(err.Error())
	if m == nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return "1:1: " + first
	}
	msg := m[3]
	if name, ok := strings.CutPrefix(msg, "unknown field "); ok {
		msg = "unknown key " + name + ": remove it or see `edb config schema` for the keys there are"
	}
	if m := wrongType.FindStringSubmatch(msg); m != nil {
		msg = fmt.Sprintf("a %s cannot stand here: want %s (see `edb config schema`)", m[1], typeName(m[2]))
	}
	return fmt.Sprintf("%s:%s: %s", m[1], m[2], msg)
}

var wrongType = regexp.MustCompile(`cannot unmarshal (\S+) into Go (?:struct field \S+|value) of type (\S+)`)

// typeName says a Go type in words.
func typeName(t string) string {
	switch {
	case strings.HasPrefix(t, "int"), strings.HasPrefix(t, "uint"):
		return "a whole number"
	case strings.HasPrefix(t, "float"):
		return "a number"
	case strings.HasPrefix(t, "[]"):
		return "a list"
	case t == "bool":
		return "true or false"
	case t == "string":
		return "text"
	}
	return "a mapping"
}

// unread lists what YAML has and a configuration does not: anchors and aliases (a small file of them
// unfolds into an enormous one), infinities, further documents.
func unread(f *ast.File) (faults []string) {
	v := visitor(func(n ast.Node) {
		switch n.(type) {
		case *ast.AnchorNode, *ast.AliasNode:
			p := n.GetToken().Position
			faults = append(faults, fmt.Sprintf("%d:%d: anchors and aliases are not read: write the value out", p.Line, p.Column))
		case *ast.InfinityNode, *ast.NanNode:
			p := n.GetToken().Position
			faults = append(faults, fmt.Sprintf("%d:%d: %s is not a finite number: write one", p.Line, p.Column, n.GetToken().Value))
		}
	})
	for i, d := range f.Docs {
		if d.Body != nil {
			if i > 0 {
				p := d.Body.GetToken().Position
				faults = append(faults, fmt.Sprintf("%d:%d: a second YAML document: a configuration is one, put it into a file of its own", p.Line, p.Column))
			}
			ast.Walk(v, d.Body)
		}
	}
	return faults
}

type visitor func(ast.Node)

func (v visitor) Visit(n ast.Node) ast.Visitor { v(n); return v }

// position finds the line and column of a path; where the value is not in the file (a default), of
// the nearest parent that is. A pipeline's value that comes from the defaults is looked up there.
func position(f *ast.File, path string) (line, col int) {
	tries := []string{path}
	if i := strings.Index(path, "]."); strings.HasPrefix(path, "$.pipelines[") && i > 0 {
		tries = append(tries, "$.defaults."+path[i+2:])
	}
	for p := path; p != "$"; {
		i := strings.LastIndexAny(p, ".[")
		if i <= 0 {
			break
		}
		p = p[:i]
		tries = append(tries, p)
	}
	for _, t := range tries {
		p, err := yaml.PathString(t)
		if err != nil {
			continue
		}
		if n, err := p.FilterFile(f); err == nil && n != nil {
			pos := n.GetToken().Position
			return pos.Line, pos.Column
		}
	}
	return 1, 1
}

// IsConfig reports whether err is a fault of a configuration.
func IsConfig(err error) bool {
	var e *ConfigError
	return errors.As(err, &e)
}
