package docs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
)

// marked gives the one block of a page that carries a mark.
func marked(t *testing.T, page, mark string) block {
	t.Helper()
	blocks, _ := read(t, page)
	for _, b := range blocks {
		if b.mark == mark {
			return b
		}
	}
	t.Fatalf("%s has no block marked %q", page, mark)
	return block{}
}

// twelve writes a dataset of twelve letters with a question each, and bench.yaml beside it.
func twelve(t *testing.T, dir string) {
	t.Helper()
	w, err := datasets.Create(filepath.Join(dir, "data"), datasets.Info{Name: "twelve", Licence: "CC0-1.0", Made: "by a test"})
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range strings.Fields("Brandt Chen Duarte Evans Fischer Gomez Hansen Ivanov Jansen Keller Lopez Meyer") {
		d := edb.Document{ID: fmt.Sprintf("d%02d", i), Path: fmt.Sprintf("files/d%02d.txt", i), MIME: "text/plain", Pages: 1, Gold: "generated", Split: "test",
			Licence: edb.Licence{SPDX: "CC0-1.0", Redistribute: true, Derivatives: true, Commercial: true, Evidence: "made here"}}
		text := fmt.Sprintf("The monthly rent of %s is %d USD.", name, 1000+10*i)
		gold := edb.Parsed{Paged: true, Pages: []edb.Page{{Number: 1, Elements: []edb.Element{{ID: "e", Kind: edb.KindParagraph, Text: text}}}}}
		if err := w.AddDocument(d, []byte(text), &gold); err != nil {
			t.Fatal(err)
		}
		if err := w.AddQuestion(edb.Question{ID: fmt.Sprintf("q%02d", i), Text: fmt.Sprintf("What is the monthly rent of %s?", name), Modality: edb.ModalitySingleHop,
			Answer:   &edb.GoldAnswer{Type: "number", Value: float64(1000 + 10*i), Unit: "USD"},
			Evidence: []edb.Evidence{{Doc: d.ID, Page: 1, End: len(text), Quote: text}}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	bench := "dataset: data\ndefaults: {parse: {engine: text}}\nmetrics: {replicates: 500}\npipelines: [{name: bm25}]\n"
	if err := os.WriteFile(filepath.Join(dir, "bench.yaml"), []byte(bench), 0o644); err != nil {
		t.Fatal(err)
	}
}

// shell runs a script with edb on the path.
func shell(t *testing.T, dir, bin, script string, env ...string) {
	t.Helper()
	cmd := exec.Command("sh", "-e", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), append(env, "PATH="+filepath.Dir(bin)+string(os.PathListSeparator)+os.Getenv("PATH"))...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n--- of the script\n%s", err, out, script)
	}
}

// TestTheWorkflowRuns reads the workflow of ci.md and runs its steps that call edb, in their order, on
// a small dataset: first with the run itself kept as the baseline, then as the script for other systems.
func TestTheWorkflowRuns(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the steps of a workflow need sh, which is not installed")
	}
	var flow struct {
		Name        string
		On          map[string]any
		Permissions map[string]string
		Jobs        map[string]struct {
			RunsOn string `yaml:"runs-on"`
			Steps  []struct {
				Name, Uses, Run, If string
				WorkingDirectory    string `yaml:"working-directory"`
				With                map[string]any
			}
		}
	}
	if err := yaml.UnmarshalWithOptions([]byte(marked(t, "ci.md", "workflow").text), &flow, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	steps := flow.Jobs["gate"].Steps
	if len(flow.Jobs) != 1 || len(steps) < 5 || flow.Jobs["gate"].RunsOn == "" {
		t.Fatalf("%+v", flow)
	}
	bin := filepath.Join(t.TempDir(), "edb")
	if out, err := exec.Command("go", "build", "-o", bin, "enterprisedocbench/cmd/edb").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	dir := t.TempDir()
	twelve(t, dir)
	summary := filepath.Join(dir, "step.md")
	pinned := regexp.MustCompile(`^[\w-]+/[\w/-]+@v\d+$`)
	ran := 0
	calls := regexp.MustCompile(`(?m)^\s*edb `)
	for range 2 { // the second time there is a baseline
		for _, s := range steps {
			if (s.Uses == "") == (s.Run == "") {
				t.Errorf("step %q neither uses nor runs, or both", s.Name)
			}
			if s.Uses != "" && !pinned.MatchString(s.Uses) {
				t.Errorf("step %q uses %q, which names no version", s.Name, s.Uses)
			}
			if calls.MatchString(s.Run) || strings.Contains(s.Run, "baseline") {
				ran += len(calls.FindAllString(s.Run, -1))
				shell(t, dir, bin, s.Run, "GITHUB_STEP_SUMMARY="+summary)
			}
		}
	}
	if ran < 8 {
		t.Errorf("%d commands were run", ran)
	}
	shell(t, dir, bin, marked(t, "ci.md", "script").text, "BASELINE=baseline")
	for _, name := range []string{"gate.xml", "gate-main.xml", "compare.html", "gate.md", "step.md", "run/report.html"} {
		if st, err := os.Stat(filepath.Join(dir, name)); err != nil || st.Size() == 0 {
			t.Errorf("%s was not written: %v", name, err)
		}
	}
	md, err := os.ReadFile(summary)
	if err != nil || strings.Count(string(md), "### edb gate: passed") != 3 {
		t.Errorf("the step summary: %v\n%s", err, md)
	}
}
