package datasets

import (
	"fmt"
	"os"
	"path/filepath"
)

// takeLock makes the caller the only writer of dir until dropLock. The lock is the operating
// system's, so it ends with the process however that ends; its file DIR.lock is removed by
// dropLock.
func takeLock(dir string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, fmt.Errorf("dataset %s: %w", dir, err)
	}
	f, err := os.OpenFile(dir+".lock", os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("dataset %s: %w", dir, err)
	}
	if err := lockFile(f); err != nil || !sameFile(f) {
		f.Close()
		return nil, fmt.Errorf("dataset %s: another writer is at work on it: wait for it to end or name another folder", dir)
	}
	return f, nil
}

func dropLock(f *os.File) {
	os.Remove(f.Name())
	f.Close()
}

// sameFile reports whether f is still the file of its name: the holder before may have removed it
// between our opening and our locking.
func sameFile(f *os.File) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Stat(f.Name())
	return err == nil && os.SameFile(a, b)
}

// busy reports whether a writer is at work on dir.
func busy(dir string) bool {
	f, err := os.OpenFile(dir+".lock", os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return lockFile(f) != nil
}
