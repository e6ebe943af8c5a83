package parse

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe among stored output is refused, and not waited for.
func TestPipesAreNotRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("no pipe can be made here:", err)
	}
	var f *FileError
	if _, err := ReadFile(path); !errors.As(err, &f) || f.Fix == "" {
		t.Errorf("error %v", err)
	}
}
