package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/internal/store"
)

// model is a chat server that answers with a counter; after hears the number of each call.
func model(t *testing.T, usage bool, after func(n int64)) (*httptest.Server, *atomic.Int64) {
	t.Helper()
	var calls atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := calls.Add(1)
		if after != nil {
			after(n)
		}
		reply := map[string]any{"choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": fmt.Sprintf("The rent is %d dollars.", n)}, "finish_reason": "stop"}}}
		if usage {
			reply["usage"] = map[string]any{"prompt_tokens": 100, "completion_tokens": 10}
		}
		if err := json.NewEncoder(w).Encode(reply); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(s.Close)
	return s, &calls
}

func chatConfig(t *testing.T, data string, s *httptest.Server, more string) string {
	return config(t, data, fmt.Sprintf("  - {name: a, generate: {provider: openai, base_url: %q, model: counter}}\n%s", s.URL+"/v1", more))
}

func answersOf(t *testing.T, dir string) []answerRecord {
	t.Helper()
	rows, err := store.ReadJSONL[answerRecord](filepath.Join(dir, "answers.jsonl"), true)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// case run-repeat-not-cached: each repeat is a call of its own, and a second run calls nobody.
func TestRepeatsAreAskedAnew(t *testing.T) {
	s, calls := model(t, true, nil)
	path := chatConfig(t, corpus(t, 1), s, "repeats: 5\n")
	out, cache := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "c")
	run(t, path, out, cache, 2)
	distinct := map[string]bool{}
	for _, a := range answersOf(t, out) {
		distinct[a.Text] = true
	}
	if len(distinct) != 5 || calls.Load() != 5 {
		t.Errorf("%d distinct answers of %d calls, want 5 of 5", len(distinct), calls.Load())
	}
	run(t, path, out, cache, 2)
	if n := calls.Load() - 5; n != 0 {
		t.Errorf("the second run made %d calls", n)
	}
}

// case run-resume: 60 of 100 answers are had when the run is stopped; it goes on with the 40 others
// and ends as one that was not stopped.
func TestStoppedRunsCallModelsForTheRestAlone(t *testing.T) {
	data := corpus(t, 100)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	s, calls := model(t, true, func(n int64) {
		if n == 60 {
			stop()
		}
	})
	path := chatConfig(t, data, s, "")
	out, cache := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "c")
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(ctx, c, Options{Out: out, Cache: cache, Workers: 1}); err == nil {
		t.Fatal("a stopped run must say so")
	}
	kept, err := store.OpenCache(cache)
	if err != nil {
		t.Fatal(err)
	}
	had, err := kept.Len()
	if err != nil {
		t.Fatal(err)
	}
	kept.Close()
	before := calls.Load()
	if before < 60 || before > 61 || had == 0 {
		t.Fatalf("%d calls before the stop, %d entries kept", before, had)
	}
	run(t, path, out, cache, 1)
	// The call in flight when the run was stopped may be asked once more.
	if n := calls.Load() - before; n < 40 || n > 41 {
		t.Errorf("%d calls after the stop, want 40", n)
	}
	seen := map[string]int{}
	for _, a := range answersOf(t, out) {
		if a.Error != "" || a.Text == "" {
			t.Errorf("%s: %q, %q", a.Query, a.Text, a.Error)
		}
		seen[a.Query]++
	}
	if len(seen) != 100 {
		t.Errorf("%d questions are answered, want 100", len(seen))
	}
}

// case run-zero-results: a server that refuses every call leaves no answer scored, and every unit
// listed. case run-usage-unknown: without a usage block tokens and cost are unknown, not 0.
func TestRefusingAndSilentServers(t *testing.T) {
	refuse := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no key", http.StatusUnauthorized) }))
	defer refuse.Close()
	data := corpus(t, 3)
	out := filepath.Join(t.TempDir(), "run")
	sum := run(t, chatConfig(t, data, refuse, ""), out, filepath.Join(t.TempDir(), "c"), 2)
	if sum.Failures != 3 || sum.FailureKind["generate: generate"] != 3 {
		t.Errorf("%d failures, %v", sum.Failures, sum.FailureKind)
	}
	if f := sum.Pipelines["a"]["generate.accuracy"]; f.NOK != 0 || f.N != 3 || f.Value == nil || *f.Value != 0 {
		t.Errorf("accuracy where nobody answered: %+v", f)
	}
	rows, err := store.ReadJSONL[edb.Failure](filepath.Join(out, "failures.jsonl"), true)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range rows {
		if !strings.Contains(f.Error, "401") {
			t.Errorf("the reason does not name the status: %q", f.Error)
		}
	}
	silent, _ := model(t, false, nil)
	sum = run(t, chatConfig(t, data, silent, ""), filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "c"), 2)
	if f := sum.Costs["a"]["cost.usd_per_1k_queries"]; f.Value != nil || f.Reason == "" {
		t.Errorf("cost without usage: %+v", f)
	}
}
