package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/store"
)

// Raising one engine's version reruns its documents and what follows from them, for that engine
// alone.
func TestRaisedVersionRerunsItsUnitsAlone(t *testing.T) {
	const n = 12
	data := corpus(t, n)
	path := config(t, data, "  - {name: text}\n  - {name: cat, parse: {engine: {command: [cat, \"{file}\"]}}}\n")
	cache := filepath.Join(t.TempDir(), "c")
	do := func(versions map[string]int) map[string]int {
		t.Helper()
		c, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		res, err := Run(t.Context(), c, Options{Out: filepath.Join(t.TempDir(), "run"), Cache: cache, Workers: 2, versions: versions})
		if err != nil {
			t.Fatal(err)
		}
		if res.Summary.Failures != 0 {
			t.Fatalf("%d failures", res.Summary.Failures)
		}
		return res.Summary.Redone
	}
	if r := do(nil); r["parse"] != 2*n || r["retrieve"] != 2*n {
		t.Fatalf("first run: %v", r)
	}
	if r := do(map[string]int{"html": 99}); len(r) != 0 {
		t.Errorf("an engine that no pipeline uses was raised, and %v was done again", r)
	}
	r := do(map[string]int{"text": 99})
	if r["parse"] != n || r["retrieve"] != n {
		t.Errorf("text was raised: %v was done again, want %d documents and rankings", r, n)
	}
	if r := do(map[string]int{"text": 99}); len(r) != 0 {
		t.Errorf("nothing was raised since, and %v was done again", r)
	}
}

// Noise is drawn by document: two files of equal bytes are corrupted differently, and the same
// whatever else is in the corpus.
func TestEqualFilesGetNoiseOfTheirOwn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	w, err := datasets.Create(dir, datasets.Info{Name: "twins", Licence: "CC0-1.0", Made: "by a test"})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("The harbour ledger names every vessel that paid its dues. ", 40)
	for _, id := range []string{"a", "b"} {
		gold := edb.Parsed{Pages: []edb.Page{{Number: 1, Elements: []edb.Element{{ID: "e0", Kind: edb.KindParagraph, Text: strings.TrimSpace(text)}}}}}
		d := edb.Document{ID: id, Path: "files/" + id + ".txt", MIME: "text/plain", Pages: 1, Domain: "test", Split: "test", Gold: "generated",
			Licence: edb.Licence{SPDX: "CC0-1.0", Redistribute: true, Derivatives: true, Commercial: true, Evidence: "made here"}}
		if err := w.AddDocument(d, []byte(text), &gold); err != nil {
			t.Fatal(err)
		}
	}
	q := edb.Question{ID: "q", Text: "Who paid?", Modality: edb.ModalitySingleHop, Answer: &edb.GoldAnswer{Type: "text", Value: "every vessel"},
		Evidence: []edb.Evidence{{Doc: "a", Page: 1, Start: 0, End: 18, Quote: text[:18]}}}
	if err := w.AddQuestion(q); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := config(t, dir, "  - {name: a}\nnoise: [{stage: parse, kind: ocr, rates: [0.1]}]\n")
	out, cache := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "c")
	var was string
	for _, try := range []string{"made", "from the cache"} {
		run(t, path, out, cache, 2)
		rows, err := store.ReadJSONL[passageRecord](filepath.Join(out, "passages.jsonl"), true)
		if err != nil {
			t.Fatal(err)
		}
		noisy := map[string]string{}
		for _, p := range rows {
			if strings.Contains(p.Parse, "+ocr=") {
				noisy[p.Doc] += p.Text
			}
		}
		if noisy["a"] == "" || noisy["b"] == "" || noisy["a"] == noisy["b"] {
			t.Errorf("%s: equal files must be corrupted each in its own way", try)
		}
		if both := noisy["a"] + noisy["b"]; was == "" {
			was = both
		} else if was != both {
			t.Errorf("%s: other noise than the first time", try)
		}
	}
}

// Records call a folder of predictions as the configuration does, not by where the machine has it.
func TestRecordsHoldNoPathOfTheMachine(t *testing.T) {
	data := corpus(t, 3)
	path := config(t, data, "  - {name: a, parse: {engine: {files: mine}}}\n")
	pred := filepath.Join(filepath.Dir(path), "mine")
	if err := os.Mkdir(pred, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := os.WriteFile(filepath.Join(pred, fmt.Sprintf("doc-%03d.txt", i)), []byte("a reading"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(t.TempDir(), "run")
	if s := run(t, path, out, filepath.Join(t.TempDir(), "c"), 2); s.Failures != 0 {
		t.Fatalf("%d failures", s.Failures)
	}
	for _, name := range append(records, "spec.json") {
		b, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), filepath.Dir(path)) {
			t.Errorf("%s names the folder %s", name, filepath.Dir(path))
		}
	}
	b, err := os.ReadFile(filepath.Join(out, "passages.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(b), `"parse":"files:mine"`) {
		t.Errorf("passages.jsonl does not name the folder as it was given: %.200s", b)
	}
}

// Runs over other gold or other judgements are runs over another corpus, so that they are not held
// against each other.
func TestCorpusIsGoldAndJudgementsToo(t *testing.T) {
	data := corpus(t, 3)
	path := config(t, data, "  - {name: a}\n")
	key := func() store.Key {
		t.Helper()
		c, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		r := &runner{cfg: c}
		if err := r.open(); err != nil {
			t.Fatal(err)
		}
		return r.corpus
	}
	was := key()
	if key() != was {
		t.Fatal("the same dataset has another key")
	}
	change := func(name, from, to string) {
		t.Helper()
		p := filepath.Join(data, name)
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(b), from) {
			t.Fatalf("%s does not hold %q: %.300s", name, from, b)
		}
		if err := os.WriteFile(p, []byte(strings.Replace(string(b), from, to, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		now := key()
		if now == was {
			t.Errorf("%s was changed and the key is the same", name)
		}
		was = now
	}
	change("gold/doc-000.json", "The lantern by", "Tha lantern by")
	change("qrels.txt", " 1\n", " 2\n")
}

// A run folder belongs to one run at a time, and one that is not finished does not pass for the run
// that was there before.
func TestFoldersOfRunsAreWholeOrUnfinished(t *testing.T) {
	path := config(t, corpus(t, 3), "  - {name: a}\n")
	out, cache := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "c")
	run(t, path, out, cache, 2)
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	release, err := store.Lock(out + ".lock")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), c, Options{Out: out, Cache: cache}); err == nil || !strings.Contains(err.Error(), "another run is at work") {
		t.Errorf("two runs in one folder: %v", err)
	}
	if _, err := os.Stat(filepath.Join(out, "summary.json")); err != nil {
		t.Errorf("the refused run took the summary away: %v", err)
	}
	release()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Run(ctx, c, Options{Out: out, Cache: cache}); err == nil {
		t.Error("a stopped run must say so")
	}
	if _, err := os.Stat(filepath.Join(out, "summary.json")); !os.IsNotExist(err) {
		t.Errorf("an unfinished run keeps the summary of the one before: %v", err)
	}
	run(t, path, out, cache, 2)
	if _, err := os.Stat(out + ".lock"); !os.IsNotExist(err) {
		t.Errorf("a lock is left behind: %v", err)
	}
	c.Repeats = maxRepeats + 1
	if ps := c.validate(); len(ps) != 1 || ps[0].path != "$.repeats" {
		t.Errorf("endless repeats: %+v", ps)
	}
}
