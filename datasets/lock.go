package datasets

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"enterprisedocbench/internal/store"
)

// takeLock makes the caller the only writer of dir until release is called; the lock's file is
// DIR.lock.
func takeLock(dir string) (release func(), err error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, fmt.Errorf("dataset %s: %w", dir, err)
	}
	release, err = store.Lock(dir + ".lock")
	if errors.Is(err, store.ErrBusy) {
		return nil, fmt.Errorf("dataset %s: %w: wait for it to end or name another folder", dir, err)
	}
	if err != nil {
		return nil, fmt.Errorf("dataset %s: %w", dir, err)
	}
	return release, nil
}

// busy reports whether a writer is at work on dir.
func busy(dir string) bool { return store.Locked(dir + ".lock") }
