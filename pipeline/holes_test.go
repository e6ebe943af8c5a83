package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSilentFaultsOfConfigurationsAreSaid(t *testing.T) {
	const head = "dataset: d\npipelines:\n  - {name: a}\n"
	const stages = "dataset: d\npipelines:\n  - {name: a, "
	for _, c := range []struct{ name, text, want string }{
		{"matrix value twice", head + "matrix: {chunk.tokens: [128, 128]}\n", `c.yaml:4:9: the matrix makes "a/chunk.tokens=128" twice: give each value once`},
		{"oracle twice", head + "oracles: [parse, parse]\n", `c.yaml:4:18: oracle "parse" stands twice: remove one`},
		{"noise twice", head + "noise: [{stage: parse, kind: ocr, rates: [0.1, 0.1]}]\n", "c.yaml:4:48: noise ocr at 0.1 stands twice: remove one"},
		{"negative wall limit", head + "limits: {wall_s: -1}\n", "c.yaml:4:18: limits.wall_s is -1: use a number above 0"},
		{"negative memory limit", head + "limits: {memory_mb: -1}\n", "c.yaml:4:21: limits.memory_mb is -1: "},
		{"negative replicates", head + "metrics: {replicates: -5}\n", "c.yaml:4:23: metrics.replicates is -5: "},
		{"second document", head + "---\ndataset: e\n", "a second YAML document"},
		{"not a number", stages + "retrieve: {k1: .nan}}\n", "c.yaml:3:30: .nan is not a finite number"},
		{"infinite", stages + "retrieve: {k1: -.inf}}\n", "c.yaml:3:30: -.inf is not a finite number"},
		{"number for a name", "dataset: d\npipelines:\n  - {name: 5}\n", "c.yaml:3:12: a number cannot stand here: want text"},
		{"text for a number", stages + "chunk: {tokens: \"300\"}}\n", "c.yaml:3:31: a string cannot stand here: want a whole number"},
		{"fraction for a count", "dataset: d\ndefaults: {chunk: {tokens: 300.5}}\npipelines: [{name: a}]\n", "c.yaml:2:28: a number cannot stand here: want a whole number"},
	} {
		_, err := ParseConfig([]byte(c.text), "c.yaml")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		} else if !IsConfig(err) {
			t.Errorf("%s: %T is no configuration error", c.name, err)
		}
	}
}

// A folder of predictions is joined to the configuration's once, however many pipelines share it.
func TestPredictionsStandBesideTheConfiguration(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("sub/pred", 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"defaults": "dataset: d\ndefaults: {parse: {engine: {files: pred}}}\npipelines: [{name: a}, {name: b}]\n",
		"matrix":   "dataset: d\npipelines: [{name: a, parse: {engine: {files: pred}}}]\nmatrix: {retrieve.k1: [1, 2]}\n",
	} {
		path := filepath.Join("sub", name+".yaml")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		c, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		arms, _, err := c.arms()
		if err != nil || len(arms) != 2 {
			t.Fatalf("%s: %d arms, %v", name, len(arms), err)
		}
		for _, a := range arms {
			s := a.parsing.spec
			if want := filepath.Join("sub", "pred"); s.Files != want || s.Name() != "files:pred" {
				t.Errorf("%s: %s reads %q and is called %q, want %q and files:pred", name, a.name, s.Files, s.Name(), want)
			}
		}
	}
}
