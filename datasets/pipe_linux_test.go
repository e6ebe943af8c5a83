package datasets

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestPipeIsNotOpened(t *testing.T) {
	dir := small(t)
	ds, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, ds.Documents[0].Path)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("no pipes here: ", err)
	}
	if _, err := ds.File(ds.Documents[0]); err == nil || !strings.Contains(err.Error(), "is no regular file") {
		t.Errorf("a pipe: %v", err)
	}
}
