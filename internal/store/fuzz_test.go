package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// FuzzJSONL: each line of a file is a value or an error that names file and line; packed it says the
// same.
func FuzzJSONL(f *testing.F) {
	f.Add([]byte("{\"a\":1}\n\n{\"a\":2}"))
	f.Add([]byte("{\"a\":1} 2\n[\n\xff"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, b []byte) {
		path, packed := filepath.Join(dir, "f.jsonl"), filepath.Join(dir, "f.jsonl.zst")
		var z bytes.Buffer
		w, err := zstd.NewWriter(&z)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(b); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Close(), os.WriteFile(path, b, 0o600), os.WriteFile(packed, z.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
		plain, err := ReadJSONL[map[string]any](path, false)
		placed(t, err, path)
		lines := 1 + bytes.Count(b, []byte{'\n'})
		if len(plain) > lines {
			t.Fatalf("%d values in %d lines", len(plain), lines)
		}
		n := 0
		err2 := ReadJSONLZ(packed, func(map[string]any) error { n++; return nil })
		placed(t, err2, packed)
		if err == nil && (err2 != nil || n != len(plain)) {
			t.Fatalf("%d values, packed %d: %v", len(plain), n, err2)
		}
	})
}

// FuzzPacked: a file that is no zstd, or damaged, is an error and never more than it holds.
func FuzzPacked(f *testing.F) {
	var z bytes.Buffer
	w, err := zstd.NewWriter(&z)
	if err != nil {
		f.Fatal(err)
	}
	if err := errors.Join(json.NewEncoder(w).Encode(map[string]int{"a": 1}), w.Close()); err != nil {
		f.Fatal(err)
	}
	f.Add(z.Bytes())
	f.Add([]byte("{}\n"))
	path := filepath.Join(f.TempDir(), "f.zst")
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		placed(t, ReadJSONLZ(path, func(map[string]any) error { return nil }), path)
	})
}

// placed holds an error of a file to say in which line of it.
func placed(t *testing.T, err error, path string) {
	t.Helper()
	var line *LineError
	if err != nil && (!errors.As(err, &line) || line.Path != path || line.Line < 1) {
		t.Fatalf("%v does not name %s and a line", err, path)
	}
}
