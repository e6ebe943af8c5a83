package pipeline

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"enterprisedocbench/metrics"
)

// The run files of a run, scored against the judgements of its dataset as anybody's are, give the
// run's own figures.
func TestRunFilesScoreAsTheRun(t *testing.T) {
	data := corpus(t, 20)
	golds, err := filepath.Glob(filepath.Join(data, "gold", "*.json"))
	if err != nil || len(golds) != 20 {
		t.Fatal(len(golds), err)
	}
	for _, g := range golds { // page grain
		b, err := os.ReadFile(g)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(g, []byte(strings.Replace(string(b), `"paged":false`, `"paged":true`, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(t.TempDir(), "run")
	sum := run(t, config(t, data, "  - {name: bm25}\n  - {name: k1=.4 b=0, retrieve: {k1: 0.4, b: 0}}\n"), out, t.TempDir(), 2)
	keys := []string{"retrieve.ndcg@5", "retrieve.rr", "retrieve.ap"}
	for arm, file := range map[string]string{"bm25": "bm25.trec", "k1=.4 b=0": "k1%3D.4%20b%3D0.trec"} {
		got, err := metrics.EvalRetrieval(filepath.Join(data, "qrels.txt"), filepath.Join(out, "trec", file), keys, metrics.RetrievalOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Warnings) > 0 || got.Answered != 20 {
			t.Errorf("%s: %d answered, %q", arm, got.Answered, got.Warnings)
		}
		for _, k := range keys {
			a, b := got.Measures[k].Value, sum.Pipelines[arm][k].Value
			if a == nil || b == nil || math.Abs(*a-*b) > 1e-12 || *a == 0 {
				t.Errorf("%s: %s is %v by the run file, %v by the run", arm, k, a, b)
			}
		}
	}
}

// Scores fall strictly as 32-bit numbers, whatever the retriever gave, and ids are those of qrels.txt.
func TestTrecLines(t *testing.T) {
	var b bytes.Buffer
	f := folded{
		pages:  []string{"a b#1", "a#b#2", "c#1", "d#1", "e#1"},
		scores: []float64{1e300, 1, 1, 1 - 1e-12, 5},
	}
	if err := trec(&b, "bm25 + noise", "q 1", f); err != nil {
		t.Fatal(err)
	}
	var ids []string
	last := math.Inf(1)
	for line := range strings.Lines(b.String()) {
		f := strings.Fields(line)
		if len(f) != 6 || f[0] != "q%201" || f[1] != "Q0" || f[3] != strconv.Itoa(len(ids)+1) || f[5] != "bm25%20+%20noise" {
			t.Fatalf("line %q", line)
		}
		score, err := strconv.ParseFloat(f[4], 32)
		if err != nil || score >= last {
			t.Errorf("score %s after %v: %v", f[4], last, err)
		}
		ids, last = append(ids, f[2]), score
	}
	if want := []string{"a%20b#1", "a%23b#2", "c#1", "d#1", "e#1"}; !slices.Equal(ids, want) {
		t.Errorf("ids %q, want %q", ids, want)
	}
}

// A run begins by removing what one that was killed was writing.
func TestRunsRemoveWhatAKilledOneLeft(t *testing.T) {
	out := filepath.Join(t.TempDir(), "run")
	var left []string
	for _, name := range []string{".tmp-123", filepath.Join("trec", ".tmp-4")} {
		left = append(left, filepath.Join(out, name))
	}
	if err := os.MkdirAll(filepath.Join(out, "trec"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range left {
		if err := os.WriteFile(path, []byte("half"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run(t, config(t, corpus(t, 2), "  - {name: bm25}\n"), out, t.TempDir(), 1)
	for _, path := range left {
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", path, err)
		}
	}
}
