package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func TestWriteWithLeavesNothingBehindOnFailure(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a", "f.txt")
	if err := WriteFile(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	boom := errors.New("boom")
	err := WriteWith(path, func(w io.Writer) error { w.Write([]byte("half")); return boom })
	if !errors.Is(err, boom) {
		t.Fatalf("got %v", err)
	}
	got, _ := os.ReadFile(path)
	if string(got) != "old" {
		t.Fatalf("file holds %q", got)
	}
	if names, _ := os.ReadDir(filepath.Dir(path)); len(names) != 1 {
		t.Fatalf("%d files left", len(names))
	}
}

func TestReadJSONLNamesTheLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	os.WriteFile(path, []byte("{\"a\":1}\n\n{\"a\":2,\"b\":3}\r\n"), 0o644)
	type row struct {
		A int `json:"a"`
	}
	if rows, err := ReadJSONL[row](path, false); err != nil || len(rows) != 2 || rows[1].A != 2 {
		t.Fatalf("lenient: %v %v", rows, err)
	}
	_, err := ReadJSONL[row](path, true)
	if err == nil || !strings.Contains(err.Error(), "x.jsonl:3:") || !strings.Contains(err.Error(), `"b"`) {
		t.Fatalf("strict: %v", err)
	}
}

func TestCacheMakesOnceAndKeepsFailures(t *testing.T) {
	dir := t.TempDir()
	c, err := OpenCache(dir)
	if err != nil {
		t.Fatal(err)
	}
	big := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	for i := range big { // incompressible enough to stand in a file of its own
		big[i] ^= byte(i * i >> 7)
	}
	var made atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			e, _, err := c.Do(t.Context(), KeyOf("big"), "test", func(context.Context) (Entry, error) {
				made.Add(1)
				return Entry{Value: big, Cost: []byte("7")}, nil
			})
			if err != nil || !bytes.Equal(e.Value, big) {
				t.Errorf("value differs: %v", err)
			}
		})
	}
	wg.Wait()
	if made.Load() != 1 {
		t.Fatalf("made %d times", made.Load())
	}
	if err := c.Put(KeyOf("bad"), "test", Entry{Failure: "encrypted: password required"}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Do(t.Context(), KeyOf("transport"), "test", func(context.Context) (Entry, error) { return Entry{}, errors.New("429") }); err == nil {
		t.Fatal("an error must come back")
	}
	c.Close()

	c, err = OpenCache(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if e, ok, _ := c.Get(KeyOf("bad")); !ok || e.Failure == "" {
		t.Fatal("the deterministic failure was not kept")
	}
	if _, ok, _ := c.Get(KeyOf("transport")); ok {
		t.Fatal("a transport error must not be kept")
	}
	if e, ok, _ := c.Get(KeyOf("big")); !ok || !bytes.Equal(e.Value, big) || string(e.Cost) != "7" {
		t.Fatal("the large value did not come back")
	}
}

func TestCacheTwoWritersLoseNothing(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for w := range 2 {
		c, err := OpenCache(dir)
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			defer c.Close()
			for i := range 200 {
				if err := c.Put(KeyOf(w, i), "t", Entry{Value: []byte(fmt.Sprint(w, i))}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	c, _ := OpenCache(dir)
	defer c.Close()
	for w := range 2 {
		for i := range 200 {
			if e, ok, err := c.Get(KeyOf(w, i)); !ok || string(e.Value) != fmt.Sprint(w, i) {
				t.Fatalf("%d/%d: %v %v", w, i, ok, err)
			}
		}
	}
}

func TestKeyIsStable(t *testing.T) {
	got := KeyOf("stage", map[string]any{"b": 1, "a": 2}, struct{ X int }{3}).String()
	if want := KeyOf("stage", map[string]any{"a": 2, "b": 1}, struct{ X int }{3}).String(); got != want {
		t.Fatal("map order changed the key")
	}
	if got == KeyOf("stage", map[string]any{"b": 1, "a": 2}, struct{ X int }{4}).String() {
		t.Fatal("a changed part must change the key")
	}
}
