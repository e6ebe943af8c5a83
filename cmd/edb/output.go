package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"enterprisedocbench/internal/store"
)

// outputFile refuses, before any work is done, a file to write that is a folder, is one of the
// inputs, lies inside one of them, or cannot be written. An empty path or input is none.
func outputFile(flag, path string, inputs ...string) error {
	if path == "" {
		return nil
	}
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		return fmt.Errorf("%s %s is a folder: name a file", flag, path)
	}
	for _, in := range inputs {
		is, err := os.Stat(in)
		if in == "" || err != nil {
			continue // who reads it says so
		}
		if st, err := os.Stat(path); err == nil && os.SameFile(st, is) {
			return fmt.Errorf("%s %s is the same file as the input %s: name another", flag, path, in)
		}
		if is.IsDir() && inside(path, is) {
			return fmt.Errorf("%s %s lies inside %s, which is read: name a file outside it", flag, path, in)
		}
	}
	if err := store.Writable(path); err != nil {
		var pe *os.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return fmt.Errorf("%s %s cannot be written: %w: name a file in a folder that can be", flag, path, err)
	}
	return nil
}

// inside says whether a file, which need not be there yet, lies at any depth in a folder, by its name
// or by where its links lead.
func inside(path string, folder os.FileInfo) bool {
	paths := []string{path}
	if to, err := filepath.EvalSymlinks(path); err == nil {
		paths = append(paths, to)
	}
	for _, p := range paths {
		dir, err := filepath.Abs(filepath.Dir(p))
		if err != nil {
			continue
		}
		if to, err := filepath.EvalSymlinks(dir); err == nil {
			dir = to
		}
		for {
			if st, err := os.Stat(dir); err == nil && os.SameFile(st, folder) {
				return true
			}
			up := filepath.Dir(dir)
			if up == dir {
				break
			}
			dir = up
		}
	}
	return false
}
