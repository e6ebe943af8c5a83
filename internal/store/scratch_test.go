package store

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A scratch folder of a process that is gone is swept; one that is held, is young, has another name or
// has no lock stays.
func TestScratch(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TMP", os.Getenv("TMPDIR")) // where Windows looks
	parent := os.TempDir()
	dir, remove, err := Scratch("bleve")
	if err != nil {
		t.Fatal(err)
	}
	if !scratchName.MatchString(filepath.Base(dir)) || filepath.Dir(dir) != filepath.Clean(parent) {
		t.Errorf("the folder is %s", dir)
	}
	if err := os.WriteFile(filepath.Join(dir, "part"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	left := func(name string, lock bool) string {
		p := filepath.Join(parent, name)
		if err := os.MkdirAll(filepath.Join(p, "index"), 0o700); err != nil {
			t.Fatal(err)
		}
		if lock {
			if err := os.WriteFile(filepath.Join(p, scratchLock), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return p
	}
	dead, alien, named := left("edb-truth-123", true), left("edb-truth-124", false), left("edb-mine", true)
	there := func(p string) bool { _, err := os.Stat(p); return err == nil }
	sweep(parent, time.Now())
	if !there(dead) {
		t.Error("a young folder is gone")
	}
	sweep(parent, time.Now().Add(time.Hour))
	for p, want := range map[string]bool{dir: true, dead: false, alien: true, named: true} {
		if there(p) != want {
			t.Errorf("%s is there: %v, want %v", p, !want, want)
		}
	}
	if err := remove(); err != nil || there(dir) {
		t.Errorf("it is not removed: %v", err)
	}
}
