package store

import (
	"errors"
	"os"
)

// ErrBusy says that another process holds a lock.
var ErrBusy = errors.New("another writer is at work on it")

// Lock makes the caller the only one who holds the file path until the lock is released. It is the
// operating system's lock, so it ends with the process however that ends; release removes the file.
// The error is ErrBusy where another holds it.
func Lock(path string) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := lockFile(f); err != nil || !sameFile(f) {
		f.Close()
		return nil, ErrBusy
	}
	return func() {
		os.Remove(f.Name())
		f.Close()
	}, nil
}

// Locked reports whether another process holds the lock.
func Locked(path string) bool {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return lockFile(f) != nil
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
