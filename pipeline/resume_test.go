package pipeline

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/parse"
)

// TestMain lets the test binary be a parser's worker, or a whole run that the parent kills.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "__worker" {
		if err := parse.ServeWorker(context.Background(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if cfg := os.Getenv("EDB_TEST_RUN"); cfg != "" {
		c, err := Load(cfg)
		if err == nil {
			_, err = Run(context.Background(), c, Options{Out: os.Getenv("EDB_TEST_OUT"), Cache: os.Getenv("EDB_TEST_CACHE"), Workers: 2})
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// corpus writes n text documents of a few sentences, gold and one question each.
func corpus(t *testing.T, n int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	w, err := datasets.Create(dir, datasets.Info{Name: "small", Licence: "CC0-1.0", Made: "by a test"})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("river stone ledger harbour copper willow engine meadow lantern orchard signal timber velvet canyon")
	for i := range n {
		id := fmt.Sprintf("doc-%03d", i)
		fact := fmt.Sprintf("The %s rent of site %d is %d dollars a month.", words[r.IntN(len(words))], i, 1000+17*i)
		var b strings.Builder
		for range 6 {
			fmt.Fprintf(&b, "The %s by the %s keeps a %s for the %s.\n\n", words[r.IntN(14)], words[r.IntN(14)], words[r.IntN(14)], words[r.IntN(14)])
		}
		text := b.String() + fact
		gold := edb.Parsed{Paged: false, Pages: []edb.Page{{Number: 1}}}
		at, start := 0, 0
		for k, p := range strings.Split(text, "\n\n") {
			gold.Pages[0].Elements = append(gold.Pages[0].Elements, edb.Element{ID: fmt.Sprint("e", k), Kind: edb.KindParagraph, Text: p})
			start = at
			at += len(p) + 1
		}
		d := edb.Document{ID: id, Path: "files/" + id + ".txt", MIME: "text/plain", Pages: 1, Domain: "test", Split: "test", Gold: "generated",
			Licence: edb.Licence{SPDX: "CC0-1.0", Redistribute: true, Derivatives: true, Commercial: true, Evidence: "made here"}}
		if err := w.AddDocument(d, []byte(text), &gold); err != nil {
			t.Fatal(err)
		}
		q := edb.Question{ID: fmt.Sprintf("q-%03d", i), Text: fmt.Sprintf("What is the rent of site %d?", i), Modality: edb.ModalitySingleHop, Task: "lookup", Domain: "test",
			Answer:   &edb.GoldAnswer{Type: "number", Value: float64(1000 + 17*i), Unit: "USD"},
			Evidence: []edb.Evidence{{Doc: id, Page: 1, Start: start, End: start + len(fact), Quote: fact}}}
		if err := w.AddQuestion(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func config(t *testing.T, data, pipelines string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.yaml")
	text := fmt.Sprintf("name: t\ndataset: %q\nseed: 3\nmetrics: {replicates: 200}\ndefaults: {parse: {engine: text}, chunk: {tokens: 40, overlap: 8}}\npipelines:\n%s", data, pipelines)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const twoArms = "  - {name: bm25}\n  - {name: low-k1, retrieve: {k1: 0.4}}\n"

func run(t *testing.T, path, out, cache string, workers int) *edb.Summary {
	t.Helper()
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	res, err := Run(t.Context(), c, Options{Out: out, Cache: cache, Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return res.Summary
}

var records = []string{"passages.jsonl", "rankings.jsonl", "answers.jsonl", "claims.jsonl", "measurements.jsonl", "failures.jsonl"}

func sameRecords(t *testing.T, a, b string) {
	t.Helper()
	for _, name := range records {
		x, errX := os.ReadFile(filepath.Join(a, name))
		y, errY := os.ReadFile(filepath.Join(b, name))
		if errX != nil || errY != nil || !bytes.Equal(x, y) {
			t.Errorf("%s differs (%v %v, %d and %d bytes)", name, errX, errY, len(x), len(y))
		}
	}
}

func TestWorkersChangeNothingAndNothingIsDoneTwice(t *testing.T) {
	data := corpus(t, 40)
	path := config(t, data, twoArms)
	dir := t.TempDir()
	one := run(t, path, filepath.Join(dir, "one"), filepath.Join(dir, "c1"), 1)
	run(t, path, filepath.Join(dir, "eight"), filepath.Join(dir, "c8"), 8)
	sameRecords(t, filepath.Join(dir, "one"), filepath.Join(dir, "eight"))
	if one.Failures != 0 || one.Questions != 40 {
		t.Fatalf("%d failures, %d questions", one.Failures, one.Questions)
	}
	if f := one.Pipelines["bm25"]["parse.tis"]; f.Value == nil || *f.Value < 0.999 {
		t.Errorf("a text file parsed as text must be whole: %+v", f)
	}
	if f := one.Pipelines["bm25"]["retrieve.located@5"]; f.Value == nil || *f.Value < 0.9 {
		t.Errorf("located: %+v", f)
	}

	again := run(t, path, filepath.Join(dir, "again"), filepath.Join(dir, "c1"), 2)
	sameRecords(t, filepath.Join(dir, "one"), filepath.Join(dir, "again"))
	if len(again.Redone) != 0 {
		t.Errorf("the second run did work again: %v", again.Redone)
	}
	other := run(t, config(t, data, "  - {name: bm25, generate: {threshold: 0.9}}\n"), filepath.Join(dir, "thr"), filepath.Join(dir, "c1"), 2)
	if other.Redone["parse"] != 0 || other.Redone["retrieve"] != 0 || other.Redone["generate"] != 40 {
		t.Errorf("another threshold must rerun the generator alone: %v", other.Redone)
	}
	k1 := run(t, config(t, data, "  - {name: bm25}\n  - {name: k1, retrieve: {k1: 0.9}}\n"), filepath.Join(dir, "k1"), filepath.Join(dir, "c1"), 2)
	if k1.Redone["parse"] != 0 || k1.Redone["retrieve"] != 40 {
		t.Errorf("another k1 must rerun that arm's rankings alone: %v", k1.Redone)
	}
}

// A run that is killed at any moment and started again ends with the records of one that was not,
// and what the cache held before a start is not made again.
func TestKilledRunsGoOnWhereTheyWere(t *testing.T) {
	kills, n := 6, 60
	if os.Getenv("EDB_LONG") != "" {
		kills, n = 50, 400 // 400 documents, 800 rankings, 800 answers
	}
	path := config(t, corpus(t, n), twoArms)
	dir := t.TempDir()
	run(t, path, filepath.Join(dir, "whole"), filepath.Join(dir, "c0"), 2)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out, cache := filepath.Join(dir, "killed"), filepath.Join(dir, "c1")
	r := rand.New(rand.NewPCG(4, 5))
	before := 0
	for k := range kills {
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), "EDB_TEST_RUN="+path, "EDB_TEST_OUT="+out, "EDB_TEST_CACHE="+cache)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(30+r.IntN(60*(k+1))) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
		now := entries(t, cache)
		if now < before {
			t.Fatalf("kill %d lost finished work: %d entries, %d before", k, now, before)
		}
		before = now
	}
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), c, Options{Out: out, Cache: cache, Workers: 2}); err != nil {
		t.Fatal(err)
	}
	sameRecords(t, filepath.Join(dir, "whole"), out)
	if a, b := entries(t, cache), entries(t, filepath.Join(dir, "c0")); a != b {
		t.Errorf("%d entries after the kills, %d without", a, b)
	}
}

// entries counts the finished pieces of work in a cache.
func entries(t *testing.T, dir string) int {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, "index.sqlite")); err != nil {
		return 0
	}
	c, err := store.OpenCache(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	n, err := c.Len()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestFaultsCostThemselvesAlone(t *testing.T) {
	data := corpus(t, 30)
	for name, content := range map[string]string{"doc-001": "", "doc-002": strings.Repeat("\x00\x01\x02", 400)} {
		if err := os.WriteFile(filepath.Join(data, "files", name+".txt"), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(data, "files", "doc-003.txt")); err != nil {
		t.Fatal(err)
	}
	mark := rand.IntN(1 << 30) // tells our processes from another's
	hang := fmt.Sprintf("  - {name: text}\n  - {name: hang, parse: {engine: {command: [sh, -c, 'case $0 in *doc-00*) sleep 61.%d;; *) cat \"$0\";; esac', \"{file}\"]}}}\n", mark)
	path := config(t, data, hang)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(f, "limits: {wall_s: 0.5}")
	f.Close()
	dir := t.TempDir()
	start := time.Now()
	s := run(t, path, filepath.Join(dir, "run"), filepath.Join(dir, "c"), 4)
	if d := time.Since(start); d > 30*time.Second {
		t.Errorf("ten hanging documents held the run for %v", d)
	}
	got := map[string]int{}
	rows, err := store.ReadJSONL[edb.Failure](filepath.Join(dir, "run", "failures.jsonl"), true)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		got[r.Arm+" "+r.Kind]++
		if r.Error == "" {
			t.Errorf("no reason: %+v", r)
		}
	}
	if got["text damaged"] != 2 || got["text missing"] != 1 || got["hang timeout"] < 7 {
		t.Errorf("failures: %v", got)
	}
	tis := s.Pipelines["text"]["parse.tis"]
	if tis.N != 30 || tis.NOK != 27 || tis.ValueOK == nil || *tis.ValueOK < 0.999 {
		t.Errorf("the other documents must be measured: %+v", tis)
	}
	if left, _ := exec.Command("pgrep", "-f", fmt.Sprintf("sleep 61.%d", mark)).Output(); len(bytes.TrimSpace(left)) > 0 {
		t.Errorf("processes are left behind: %s", left)
	}
}
