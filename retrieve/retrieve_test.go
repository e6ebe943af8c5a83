package retrieve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"enterprisedocbench"
	"enterprisedocbench/internal/testdata"
	"enterprisedocbench/retrieve"
	"enterprisedocbench/retrieve/retrievetest"
)

func corpus() []edb.Passage {
	texts := []string{
		"The lease of the office in Berlin ends in March 2027.",
		"The rent of the office is 4,200 euros a month.",
		"Revenue rose by 12.5% to 340 million dollars.",
		"Revenue fell in the second quarter; the office was closed.",
		"The rent of the office is 4,200 euros a month.",
		"Quarterly revenue by segment: cloud, devices, services.",
	}
	var ps []edb.Passage
	for i, t := range texts {
		doc := fmt.Sprintf("d%d", i/2)
		ps = append(ps, edb.Passage{ID: fmt.Sprintf("%s@%d", doc, i%2), Doc: doc, Text: t, Spans: []edb.Span{{Page: 1 + i%2, Start: 0, End: len(t)}}, Tokens: 10})
	}
	return ps
}

func open(t *testing.T, cfg retrieve.Config, ps []edb.Passage) retrieve.Retriever {
	t.Helper()
	r, _, err := retrieve.Open(context.Background(), cfg, ps)
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := r.(io.Closer); ok {
		t.Cleanup(func() {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return r
}

func TestConformance(t *testing.T) {
	ps := corpus()
	for _, c := range []retrieve.Config{
		{Method: "bm25", K1: 1.5, B: .75},
		{Method: "dense", Encoder: "static"},
		{Method: "dense", Encoder: "lsa-128"},
		{Method: "hybrid", K1: 1.5, B: .75},
		{Method: "hybrid", K1: 1.5, B: .75, Norm: "rrf", Weights: []float64{.3, .7}},
		{Method: "bleve"},
		{Method: "all"},
	} {
		t.Run(c.Method+c.Encoder+c.Norm, func(t *testing.T) {
			retrievetest.Run(t, open(t, c, ps), ps, retrievetest.Options{Whole: c.Method == "all"})
			if retrieve.Version(c) < 1 {
				t.Errorf("version %d", retrieve.Version(c))
			}
			none := open(t, c, nil)
			if hits, err := none.Retrieve(context.Background(), edb.Question{Text: "rent"}, 5); err != nil || len(hits) != 0 {
				t.Errorf("empty corpus: %v, %v", hits, err)
			}
		})
	}
	t.Run("oracle", func(t *testing.T) {
		o := retrieve.Oracle{Passages: ps, Located: locate, Rest: open(t, retrieve.Config{Method: "bm25", K1: 1.5, B: .75}, ps)}
		q := edb.Question{ID: "q", Text: "revenue", Evidence: []edb.Evidence{{Doc: "d0", Page: 2, Start: 4, End: 20}}}
		retrievetest.Run(t, o, ps, retrievetest.Options{Questions: []edb.Question{q}})
	})
}

// locate is the share of the evidence's code points that the spans cover.
func locate(q edb.Question, p edb.Passage) float64 {
	all, hit := 0, 0
	for _, e := range q.Evidence {
		for k := e.Start; k < e.End; k++ {
			all++
			if e.Doc == p.Doc && slices.ContainsFunc(p.Spans, func(s edb.Span) bool { return s.Page == e.Page && s.Start <= k && k < s.End }) {
				hit++
			}
		}
	}
	return float64(hit) / float64(max(all, 1))
}

func TestOracleTakesWhatAddsMost(t *testing.T) {
	at := func(id string, start, end int) edb.Passage {
		doc, _, _ := strings.Cut(id, "@")
		return edb.Passage{ID: id, Doc: doc, Spans: []edb.Span{{Page: 1, Start: start, End: end}}}
	}
	// a@0 holds 60 of the evidence in a, a@1 50 of which 40 are in a@0, a@2 30 new ones; b@0 all 20 in b.
	ps := []edb.Passage{at("a@0", 0, 60), at("a@1", 20, 70), at("a@2", 70, 100), at("a@3", 200, 300), at("b@0", 0, 20)}
	q := edb.Question{ID: "q", Evidence: []edb.Evidence{{Doc: "a", Page: 1, Start: 0, End: 100}, {Doc: "b", Page: 1, Start: 0, End: 20}}}
	rest := retrieve.Func(func(context.Context, edb.Question, int) ([]edb.Hit, error) {
		return []edb.Hit{{Passage: "a@3", Doc: "a", Score: 9}, {Passage: "a@0", Doc: "a", Score: 8}}, nil
	})
	hits, err := retrieve.Oracle{Passages: ps, Located: locate, Rest: rest}.Retrieve(context.Background(), q, 10)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, h := range hits {
		got = append(got, h.Passage)
	}
	if want := []string{"a@0", "a@2", "b@0", "a@1", "a@3"}; !slices.Equal(got, want) {
		t.Errorf("ranking %v, want %v", got, want)
	}
}

func TestFusionCases(t *testing.T) {
	n := 0
	for _, c := range testdata.Cases(t, "index-retrieve") {
		if !strings.HasPrefix(c.ID, "fusion-") {
			continue
		}
		n++
		t.Run(c.ID, func(t *testing.T) {
			var in struct {
				BM25, Dense           map[string]float64
				BM25Order, DenseOrder []string
				Weights               []float64
			}
			var alt struct {
				A []string `json:"bm25_order"`
				B []string `json:"dense_order"`
			}
			var want map[string]any
			for p, v := range map[*json.RawMessage]any{&c.Expected: &want} {
				if err := json.Unmarshal(*p, v); err != nil {
					t.Fatal(err)
				}
			}
			norm := "minmax"
			lists := make([][]edb.Hit, 2)
			if json.Unmarshal(c.Input, &alt) == nil && alt.A != nil {
				norm = "rrf"
				for l, ids := range [][]string{alt.A, alt.B} {
					for i, id := range ids {
						lists[l] = append(lists[l], edb.Hit{Passage: id, Score: float64(-i)})
					}
				}
			} else {
				if err := json.Unmarshal(c.Input, &in); err != nil {
					t.Fatal(err)
				}
				for l, m := range []map[string]float64{in.BM25, in.Dense} {
					for id, s := range m {
						lists[l] = append(lists[l], edb.Hit{Passage: id, Score: s})
					}
				}
			}
			hits, err := retrieve.Fuse(lists, []float64{.5, .5}, norm)
			if err != nil {
				t.Fatal(err)
			}
			for i, id := range want["order"].([]any) {
				if hits[i].Passage != id || math.Abs(hits[i].Score-want[hits[i].Passage].(float64)) > 1e-6 {
					t.Errorf("place %d: %v, want %v with %v", i, hits[i], id, want[id.(string)])
				}
			}
		})
	}
	if n < 2 {
		t.Errorf("only %d cases fusion-*", n)
	}
}

func TestOpenRefuses(t *testing.T) {
	for want, c := range map[string]retrieve.Config{
		"retrieve.method \"x\" is not known":     {Method: "x"},
		"names it under oracles":                 {Method: "oracle"},
		"retrieve.k1 is -1":                      {Method: "bm25", K1: -1},
		"retrieve.b is 2":                        {Method: "bm25", B: 2},
		"retrieve.k1 is NaN":                     {Method: "hybrid", K1: math.NaN()},
		"retrieve.encoder \"e5\" is not known":   {Method: "dense", Encoder: "e5"},
		"retrieve.weights sum to 1.1":            {Method: "hybrid", Weights: []float64{.5, .6}},
		"retrieve.weights has 1":                 {Method: "hybrid", Weights: []float64{1}},
		"retrieve.weights holds -0.5":            {Method: "hybrid", Weights: []float64{1.5, -.5}},
		"retrieve.norm \"z\" is not known":       {Method: "hybrid", Norm: "z"},
		"retrieve.command is empty":              {Method: "command"},
		"retrieve.command \"no-such-program-x\"": {Method: "command", Command: []string{"no-such-program-x"}},
		"retrieve.url \"ftp://x\" is not":        {Method: "url", URL: "ftp://x"},
	} {
		_, _, err := retrieve.Open(context.Background(), c, corpus())
		want = strings.Replace(want, "names it", "name it", 1)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", c, err, want)
		}
	}
	twice := append(corpus(), corpus()[0])
	if _, _, err := retrieve.Open(context.Background(), retrieve.Config{Method: "all"}, twice); err == nil {
		t.Error("a passage id that stands twice was accepted")
	}
}

func python(t *testing.T) string {
	p, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs python3 to run the examples in docs/examples")
	}
	return p
}

func TestCommandExample(t *testing.T) {
	ps := corpus()
	cfg := retrieve.Config{Method: "command", Command: []string{python(t), "../docs/examples/retriever_command.py"}}
	r := open(t, cfg, ps)
	hits, err := r.Retrieve(context.Background(), edb.Question{ID: "q", Text: "rent of the office"}, 2)
	if err != nil || len(hits) != 2 || hits[0].Passage != "d0@1" || hits[1].Passage != "d2@0" || hits[0].Score != 1 {
		t.Fatalf("hits %v, %v", hits, err)
	}
	retrievetest.Run(t, r, ps, retrievetest.Options{})
}

func TestURLExample(t *testing.T) {
	cmd := exec.Command(python(t), "../docs/examples/retriever_url.py")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	port, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	ps := corpus()
	retrievetest.Run(t, open(t, retrieve.Config{Method: "url", URL: "http://127.0.0.1:" + strings.TrimSpace(port)}, ps), ps, retrievetest.Options{})
}

func TestCommandTroubles(t *testing.T) {
	for want, script := range map[string]string{
		"no answer within": "import time; time.sleep(60)",
		"ended without an answer; it wrote: Traceback": "input(); raise SystemError",
		"not a JSON object":                            "input(); print('hello', flush=True); input()",
		"no \"hits\"":                                  "input(); print('{}', flush=True); input()",
		"it reported: out of order":                    "input(); print('{\"error\": \"out of order\"}', flush=True); input()",
		"not one of the run's":                         "input(); print('{\"hits\": [{\"passage\": \"x\"}]}', flush=True); input()",
	} {
		r := open(t, retrieve.Config{Method: "command", Command: []string{python(t), "-c", script}, Timeout: 3 * time.Second}, corpus())
		_, err := r.Retrieve(context.Background(), edb.Question{ID: "q7", Text: "x"}, 3)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "question q7") {
			t.Errorf("%s: %v, want %q", script, err, want)
		}
	}
}

func TestCommandStartsAgain(t *testing.T) {
	script := "import json,sys\nfor l in sys.stdin:\n  q=json.loads(l)\n  if q['text']=='die': sys.exit(1)\n  print('{\"hits\": [{\"doc\": \"d1\", \"page\": 2}]}', flush=True)"
	r := open(t, retrieve.Config{Method: "command", Command: []string{python(t), "-c", script}}, corpus())
	if _, err := r.Retrieve(context.Background(), edb.Question{Text: "die"}, 3); err == nil {
		t.Error("a process that died is no error")
	}
	hits, err := r.Retrieve(context.Background(), edb.Question{Text: "live"}, 3)
	if err != nil || len(hits) != 1 || hits[0].Passage != "d1@1" || hits[0].Score != 1 {
		t.Errorf("after it died: %v, %v", hits, err)
	}
}

func TestURLTroubles(t *testing.T) {
	var body string
	code := 200
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Content-Type") == "application/x-ndjson" {
			w.WriteHeader(404) // an index of its own
			return
		}
		w.WriteHeader(code)
		io.WriteString(w, body)
	}))
	defer s.Close()
	r := open(t, retrieve.Config{Method: "url", URL: s.URL, Timeout: 5 * time.Second}, corpus())
	q := edb.Question{ID: "q7", Text: "x"}
	body = `{"hits":[{"doc":"d2","text":"quarterly revenue by segment","score":0.5},{"doc":"d2","page":1,"score":0.7},{"doc":"d2","page":1,"score":0.1}]}`
	hits, err := r.Retrieve(context.Background(), q, 5)
	if err != nil || len(hits) != 2 || hits[0] != (edb.Hit{Passage: "d2@0", Doc: "d2", Score: .7}) || hits[1].Passage != "d2@1" {
		t.Errorf("by document: %v, %v", hits, err)
	}
	for b, want := range map[string]string{
		`{"hits":[{"doc":"d9"}]}`:                              `document "d9" has no passages`,
		`{"hits":[{"doc":"d1","page":7}]}`:                     "no passage on page 7",
		`{"hits":[{"passage":"d1@0","doc":"d2"}]}`:             "is of document",
		`{"hits":[{"passage":"d1@0","score":1},{"doc":"d2"}]}`: "give every hit a score",
		`{"hits":[{"passage":"d1@0","score":1e300}]}`:          "out of range",
		`[`: "not a JSON object",
	} {
		body = b
		if _, err := r.Retrieve(context.Background(), q, 5); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", b, err, want)
		}
	}
	code, body = 500, "broken"
	if _, err := r.Retrieve(context.Background(), q, 5); err == nil || !strings.Contains(err.Error(), "status 500: broken") {
		t.Errorf("status 500: %v", err)
	}
}
