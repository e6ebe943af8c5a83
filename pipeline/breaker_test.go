package pipeline

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/internal/store"
)

// runAsking runs a configuration without waiting between tries, and gives the answers.
func runAsking(t *testing.T, path, cache string, workers int) []answerRecord {
	t.Helper()
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "run")
	if _, err := Run(t.Context(), c, Options{Out: out, Cache: cache, Workers: workers, retries: -1}); err != nil {
		t.Fatal(err)
	}
	return answersOf(t, out)
}

// A server that nobody runs is asked five times; the other questions fail at once and say why, and
// are asked again by the next run.
func TestADeadServerIsAskedFiveTimes(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := "http://" + l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	data := corpus(t, 20)
	path := config(t, data, fmt.Sprintf("  - {name: a, generate: {provider: openai, base_url: %q, model: m}}\n", closed+"/v1"))
	cache := t.TempDir()
	for _, workers := range []int{1, 8} {
		asked := 0
		for _, a := range runAsking(t, path, cache, workers) {
			switch {
			case strings.HasPrefix(a.Error, "not asked: the first 5 calls failed, the last with: "):
			case strings.Contains(a.Error, "cannot be reached"):
				asked++
			default:
				t.Errorf("%s: %q", a.Query, a.Error)
			}
		}
		if asked != 5 {
			t.Errorf("%d workers: %d questions were asked, want 5", workers, asked)
		}
	}
}

// Failures of some calls, even of the first four, stop nothing.
func TestAServerThatAnswersOnceIsAskedOn(t *testing.T) {
	var calls atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) != 5 {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","content":"It is 1."},"finish_reason":"stop"}]}`)
	}))
	defer s.Close()
	runAsking(t, chatConfig(t, corpus(t, 20), s, ""), t.TempDir(), 4)
	if n := calls.Load(); n != 20 {
		t.Errorf("%d calls, want 20", n)
	}
}

// A retriever that is a service is treated alike.
func TestADeadRetrieverIsAskedFiveTimes(t *testing.T) {
	data := corpus(t, 12)
	path := config(t, data, "  - {name: a, retrieve: {engine: {command: [sh, -c, exit 3]}}}\n")
	out := filepath.Join(t.TempDir(), "run")
	run(t, path, out, t.TempDir(), 2)
	rows, err := store.ReadJSONL[edb.Failure](filepath.Join(out, "failures.jsonl"), true)
	if err != nil {
		t.Fatal(err)
	}
	spared := 0
	for _, f := range rows {
		if f.Stage == "retrieve" && strings.HasPrefix(f.Error, "not asked: ") {
			spared++
		}
	}
	if spared != 7 {
		t.Errorf("%d questions were spared, want 7: %v", spared, rows)
	}
}

func TestBreaker(t *testing.T) {
	bad := errors.New("bad")
	b := newBreaker()
	var calls atomic.Int64
	var wg sync.WaitGroup
	for range 30 {
		wg.Go(func() {
			if err := b.call(t.Context(), func() error { calls.Add(1); return bad }); !errors.Is(err, bad) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := calls.Load(); n != 5 {
		t.Errorf("%d calls, want 5", n)
	}
	// Who waits for the first calls stops waiting when the run stops.
	b = newBreaker()
	b.begun = firstCalls
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := b.call(ctx, func() error { return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
