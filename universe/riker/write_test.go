package riker_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"enterprisedocbench/universe/riker"
)

// small is a world of all types and formats that is made quickly.
func small(t testing.TB) riker.Plan {
	t.Helper()
	p, err := riker.Sized(60, 5)
	if err != nil {
		t.Fatal(err)
	}
	p.Formats = map[string]float64{"pdf": 1, "pdf-2col": 1, "html": 2, "md": 2, "text": 3}
	p.Questions = riker.Mix{Single: 22, Aggregation: 14, Probe: 6, List: 2}
	return p
}

func write(t testing.TB, p riker.Plan, opt riker.WriteOptions) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "world")
	if _, err := riker.Write(t.Context(), dir, p, opt); err != nil {
		t.Fatal(err)
	}
	return dir
}

// content maps the files of a directory to what they hold.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func same(t *testing.T, a, b map[string]string) {
	t.Helper()
	for name := range b {
		if _, ok := a[name]; !ok {
			t.Errorf("%s is written once only", name)
		}
	}
	for name := range a {
		if a[name] != b[name] {
			t.Errorf("%s has other bytes", name)
		}
	}
}

func TestSameBytesOnAnyNumberOfCores(t *testing.T) {
	p := small(t)
	one := content(t, write(t, p, riker.WriteOptions{Workers: 1}))
	same(t, one, content(t, write(t, p, riker.WriteOptions{Workers: 5})))
	for _, name := range []string{"truth.sqlite", "plan.json", "queries.jsonl", "qrels.txt", "documents.jsonl", "dataset.yaml"} {
		if one[name] == "" {
			t.Errorf("%s is not there", name)
		}
	}
	p.Formats = nil
	sharded := riker.WriteOptions{Workers: 1, ShardSize: 25}
	two := content(t, write(t, p, sharded))
	sharded.Workers = 5
	same(t, two, content(t, write(t, p, sharded)))
	for _, name := range []string{"corpus-00003-of-00003.jsonl.zst", "truth.sqlite", "plan.json", "queries.jsonl", filepath.Join("qrels", "test.tsv")} {
		if two[name] == "" {
			t.Errorf("%s is not there", name)
		}
	}
}

// TestShardsAlone makes shards one by one, in any order, in one folder.
func TestShardsAlone(t *testing.T) {
	p := small(t)
	p.Formats = nil
	whole := content(t, write(t, p, riker.WriteOptions{ShardSize: 25, NoTruth: true}))
	dir := filepath.Join(t.TempDir(), "shards")
	for _, shard := range []int{3, 1, 2} {
		got, err := riker.Write(t.Context(), dir, p, riker.WriteOptions{ShardSize: 25, Shard: shard})
		if err != nil || got.Documents != 60 {
			t.Fatalf("shard %d: %+v, error %v", shard, got, err)
		}
	}
	same(t, whole, content(t, dir))
	if len(whole) != 4 {
		t.Errorf("%d files: three shards and the plan belong there", len(whole))
	}
	other := p
	other.Seed++
	for name, c := range map[string]struct {
		p    riker.Plan
		opt  riker.WriteOptions
		want string
	}{
		"another world":   {other, riker.WriteOptions{ShardSize: 25, Shard: 1}, "another plan"},
		"no such shard":   {p, riker.WriteOptions{ShardSize: 25, Shard: 4}, "shard 4 of 3"},
		"PDFs":            {small(t), riker.WriteOptions{ShardSize: 25, Shard: 1}, "shards hold text"},
		"PDFs, all":       {small(t), riker.WriteOptions{ShardSize: 25}, "shards hold text"},
		"full folder":     {p, riker.WriteOptions{ShardSize: 25}, "not empty"},
		"without a truth": {p, riker.WriteOptions{NoTruth: true}, "truth beside it"},
	} {
		if _, err := riker.Write(t.Context(), dir, c.p, c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	same(t, whole, content(t, dir))
}

// TestNothingIsLeftWhenInterrupted ends the making in each of its stages.
func TestNothingIsLeftWhenInterrupted(t *testing.T) {
	for _, stage := range []string{"truth", "documents", "questions"} {
		for _, size := range []int{0, 25} {
			ctx, cancel := context.WithCancel(t.Context())
			parent := t.TempDir()
			p := small(t)
			if size > 0 {
				p.Formats = nil
			}
			_, err := riker.Write(ctx, filepath.Join(parent, "world"), p, riker.WriteOptions{ShardSize: size, Progress: func(s string, done, _ int) {
				if s == stage {
					cancel()
				}
			}})
			cancel()
			if !errors.Is(err, context.Canceled) {
				t.Errorf("ended in %s: error %v", stage, err)
			}
			if left := content(t, parent); len(left) > 0 {
				t.Errorf("ended in %s: %d files are left", stage, len(left))
			}
		}
	}
}

func TestBudget(t *testing.T) {
	p, err := riker.Preset("8K", "", 3)
	if err != nil {
		t.Fatal(err)
	}
	got, tokens, err := riker.Fit(t.Context(), p, riker.WriteOptions{})
	if err != nil || math.Abs(float64(tokens)/8000-1) > .01 || got.Filler <= 0 || got.Filler >= 1 {
		t.Errorf("%d tokens with filler %v, error %v", tokens, got.Filler, err)
	}
	again, _, err := riker.Fit(t.Context(), p, riker.WriteOptions{Workers: 3})
	if err != nil || again.Filler != got.Filler {
		t.Errorf("filler %v, and then %v", got.Filler, again.Filler)
	}
	for _, budget := range []int{500, 500_000} {
		p.Budget = budget
		if _, _, err := riker.Fit(t.Context(), p, riker.WriteOptions{}); err == nil || !strings.Contains(err.Error(), "from the budget") {
			t.Errorf("budget %d: error %v", budget, err)
		}
	}
	p.Budget, p.Tokenizer = 8000, "nope"
	if _, _, err := riker.Fit(t.Context(), p, riker.WriteOptions{}); err == nil {
		t.Error("no such tokenizer: no error")
	}
}

func TestPlaces(t *testing.T) {
	dir := write(t, small(t), riker.WriteOptions{})
	places, err := riker.Places(dir, "doc-000007")
	if err != nil || len(places) < 5 {
		t.Fatalf("%d places, error %v", len(places), err)
	}
	db := open(t, dir)
	for _, p := range places {
		var quote string
		err := db.QueryRow("SELECT quote FROM renderings WHERE doc = 'doc-000007' AND field = ? AND n = ? AND value = ? AND page = ? AND start = ? AND end = ?", p.Field, p.N, p.Value, p.Page, p.Start, p.End).Scan(&quote)
		if err != nil || quote != p.Quote {
			t.Errorf("%+v: renderings say %q, error %v", p, quote, err)
		}
	}
	for _, bad := range []string{"", "doc-7", "doc-000061", "doc-000000", "lease-000001"} {
		if _, err := riker.Places(dir, bad); err == nil {
			t.Errorf("document %q: no error", bad)
		}
	}
	if _, err := riker.Places(t.TempDir(), "doc-000001"); err == nil || !strings.Contains(err.Error(), "plan.json") {
		t.Errorf("no world: error %v", err)
	}
}

// TestDocumentsAreFoundAgain holds a document of the directory against the same one made alone.
func TestDocumentsAreFoundAgain(t *testing.T) {
	p := small(t)
	files := content(t, write(t, p, riker.WriteOptions{}))
	w, err := riker.New(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []int{0, 31, 59} {
		d, err := w.Document(id)
		if err != nil {
			t.Fatal(err)
		}
		if name := filepath.Join("files", d.ID+d.Printed.Ext); !bytes.Equal([]byte(files[name]), d.Printed.Content) {
			t.Errorf("%s differs", name)
		}
	}
}
