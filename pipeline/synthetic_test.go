package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/internal/store"
)

// A run that asks synthetic questions says so first and gives no Q; the same questions without the
// mark give one.
func TestNoQFromSyntheticQuestions(t *testing.T) {
	data := corpus(t, 12)
	golds, err := filepath.Glob(filepath.Join(data, "gold", "*.json"))
	if err != nil || len(golds) != 12 {
		t.Fatal(len(golds), err)
	}
	for _, g := range golds { // page grain, which Q rests on
		b, err := os.ReadFile(g)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(g, []byte(strings.Replace(string(b), `"paged":false`, `"paged":true`, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	path := config(t, data, "  - {name: bm25}\n")
	plain := run(t, path, filepath.Join(t.TempDir(), "plain"), t.TempDir(), 2)
	figs := plain.Pipelines["bm25"]
	if len(plain.Warnings) > 0 || figs["quality.q(without=parse)"].Value == nil {
		t.Fatalf("questions of people: %v, %+v", plain.Warnings, figs["quality.q(without=parse)"])
	}
	queries := filepath.Join(data, "queries.jsonl")
	qs, err := store.ReadJSONL[edb.Question](queries, true)
	if err != nil {
		t.Fatal(err)
	}
	for i := range qs[:3] {
		qs[i].Review = map[string]any{"synthetic": true}
	}
	if err := store.WriteJSONL(queries, qs); err != nil {
		t.Fatal(err)
	}
	marked := run(t, path, filepath.Join(t.TempDir(), "marked"), t.TempDir(), 2)
	if len(marked.Warnings) != 1 || !strings.HasPrefix(marked.Warnings[0], "3 of 12 questions are synthetic") {
		t.Errorf("warnings %q", marked.Warnings)
	}
	for k, f := range marked.Pipelines["bm25"] {
		if strings.HasPrefix(k, "quality.q") && (f.Value != nil || f.Reason != "no Q from synthetic questions") {
			t.Errorf("%s is %+v", k, f)
		}
	}
	if a, b := figs["retrieve.ndcg@5"].Value, marked.Pipelines["bm25"]["retrieve.ndcg@5"].Value; a == nil || b == nil && *a != *b {
		t.Errorf("the mark changes retrieval: %v, %v", a, b)
	}
}
