package store

import (
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"
)

// scratchLock is the file in a scratch folder that its process holds locked as long as it lives.
const scratchLock = ".lock"

// scratchName is how os.MkdirTemp fills the pattern of Scratch.
var scratchName = regexp.MustCompile(`^edb-[a-z]+-[0-9]+$`)

// scratchYoung is the age under which a folder that nobody holds may still be in the making.
const scratchYoung = time.Minute

var sweepOnce sync.Once

// Scratch makes a folder among the system's temporary ones, for files that this process needs for a
// while; purpose is a word in small letters. remove takes it away. What processes that were killed left
// behind goes with the first call in a process.
func Scratch(purpose string) (dir string, remove func() error, err error) {
	sweepOnce.Do(func() { sweep(os.TempDir(), time.Now()) })
	if dir, err = os.MkdirTemp("", "edb-"+purpose+"-"); err != nil {
		return "", nil, err
	}
	release, err := Lock(filepath.Join(dir, scratchLock))
	if err != nil {
		os.RemoveAll(dir)
		return "", nil, err
	}
	return dir, func() error {
		release()
		return os.RemoveAll(dir)
	}, nil
}

// sweep removes the scratch folders in parent that no process holds. What cannot be looked at is
// somebody else's and stays.
func sweep(parent string, now time.Time) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || !scratchName.MatchString(e.Name()) {
			continue
		}
		dir := filepath.Join(parent, e.Name())
		lock := filepath.Join(dir, scratchLock)
		st, err := os.Stat(lock)
		if err != nil || now.Sub(st.ModTime()) < scratchYoung {
			continue
		}
		// Whoever gets the lock may remove the folder; of several that sweep one does.
		release, err := Lock(lock)
		if err != nil {
			continue
		}
		os.RemoveAll(dir)
		release()
	}
}
