package store

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWritable(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	link := filepath.Join(dir, "link")
	for _, err := range []error{os.WriteFile(file, []byte("x"), 0o600), os.Symlink(filepath.Join(file, "below"), link)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for path, ok := range map[string]bool{
		filepath.Join(dir, "new"): true, filepath.Join(dir, "a", "b", "new"): true, file: true,
		filepath.Join(file, "new"): false, filepath.Join(file, "a", "new"): false, link: false, filepath.Join(dir, "bad\x00", "x"): false,
	} {
		if err := Writable(path); (err == nil) != ok {
			t.Errorf("%q: %v, want ok %v", path, err, ok)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 {
		t.Errorf("left behind: %v %v", left, err)
	}
	if raw, err := os.ReadFile(file); err != nil || string(raw) != "x" {
		t.Errorf("the file was touched: %q %v", raw, err)
	}
}
