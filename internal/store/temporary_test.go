package store

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What a killed process left goes; all else stays.
func TestRemoveTemporary(t *testing.T) {
	dir := t.TempDir()
	f, err := os.CreateTemp(dir, ".tmp-*") // as WriteWith makes it
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	keep := []string{".tmp-", ".tmp-notes", "a.tmp-1", "summary.json", "tmp-12"}
	for _, name := range keep {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{".tmp-7", "sub"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	inner := filepath.Join(dir, "sub", ".tmp-1")
	if err := os.WriteFile(inner, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := RemoveTemporary(dir); err != nil {
		t.Fatal(err)
	}
	var got []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		got = append(got, e.Name())
	}
	want := append([]string{".tmp-7", "sub"}, keep...)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("left are %q, want %q", got, want)
	}
	if _, err := os.Stat(inner); err != nil {
		t.Error(err)
	}
	if err := RemoveTemporary(filepath.Join(dir, "nowhere")); err != nil {
		t.Error(err)
	}
}
