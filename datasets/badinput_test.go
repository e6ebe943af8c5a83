package datasets

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	edb "enterprisedocbench"
)

// tree is every file of a folder with its content, to see that nothing was lost.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	must(t, filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		raw, err := os.ReadFile(p)
		out[p] = string(raw)
		return err
	}))
	return out
}

func sameTree(t *testing.T, what string, was, now map[string]string) {
	t.Helper()
	for p, x := range was {
		if y, ok := now[p]; !ok {
			t.Errorf("%s: %s is gone", what, p)
		} else if x != y {
			t.Errorf("%s: %s has changed", what, p)
		}
	}
	for p := range now {
		if _, ok := was[p]; !ok {
			t.Errorf("%s: %s was left behind", what, p)
		}
	}
}

// split3 is a dataset of three texts, opened, with splits that are not written yet.
func split3(t *testing.T, parent string) (*Dataset, *Splitting) {
	t.Helper()
	var c corpus
	r := rand.New(rand.NewPCG(8, 1))
	for _, id := range []string{"a", "b", "c"} {
		c.add(id, randomWords(r, 200))
	}
	ds := textFiles(t, filepath.Join(parent, "set"), c)
	s, err := ds.Split(t.Context(), SplitOptions{TextOptions: TextOptions{Text: readText}})
	must(t, err)
	return ds, s
}

func TestSplitsBesideAnotherWriter(t *testing.T) {
	parent := t.TempDir()
	ds, s := split3(t, parent)
	was := tree(t, parent)

	// A writer at work: neither in place nor as a copy under its name.
	w, err := Replace(ds.Dir, Info{Name: "other"})
	must(t, err)
	for _, out := range []string{"", ds.Dir} {
		if err := ds.WriteSplits(s, out); err == nil || !strings.Contains(err.Error(), "another writer is at work on it") && !strings.Contains(err.Error(), "lies in the dataset") {
			t.Errorf("out %q: %v", out, err)
		}
	}
	w.Abort()
	sameTree(t, "after the refusals", was, tree(t, parent))

	// A writer that came and went: its dataset stays.
	w, err = Replace(ds.Dir, Info{Name: "other"})
	must(t, err)
	must(t, w.AddDocument(edb.Document{ID: "only", MIME: "text/plain", Licence: licence}, []byte("x"), nil))
	must(t, w.Close())
	was = tree(t, parent)
	want := "dataset " + ds.Dir + ": documents.jsonl has changed since it was read: split again"
	for _, out := range []string{"", filepath.Join(parent, "copy")} {
		if err := ds.WriteSplits(s, out); err == nil || err.Error() != want {
			t.Errorf("out %q: %v", out, err)
		}
	}
	sameTree(t, "after the other writer", was, tree(t, parent))
}

// TestSplitsThatCannotBeWritten makes each of the three files fail in turn: a folder stands in the
// place of the file.
func TestSplitsThatCannotBeWritten(t *testing.T) {
	parent := t.TempDir()
	ds, s := split3(t, parent)
	must(t, os.Mkdir(filepath.Join(ds.Dir, SplitsFile), 0o755))
	put(t, ds.Dir, SplitsFile+"/x", "x")
	documents := read1(t, ds.Dir, DocumentsFile)
	err := ds.WriteSplits(s, "")
	if err == nil || !strings.Contains(err.Error(), "cannot be written") || !strings.Contains(err.Error(), "free space or name another folder") {
		t.Errorf("got %v", err)
	}
	if read1(t, ds.Dir, DocumentsFile) != documents {
		t.Error("documents.jsonl was written all the same")
	}
	if _, err := Open(ds.Dir); err != nil {
		t.Errorf("the dataset cannot be opened any more: %v", err)
	}
	must(t, os.RemoveAll(filepath.Join(ds.Dir, SplitsFile)))
	must(t, ds.WriteSplits(s, ""))
	if faults, err := Check(ds.Dir); err != nil || len(faults) > 0 {
		t.Errorf("%v %v", faults, err)
	}
}

func TestCopyIntoItselfIsRefused(t *testing.T) {
	parent := t.TempDir()
	ds, s := split3(t, parent)
	was := tree(t, parent)
	for _, out := range []string{ds.Dir, filepath.Join(ds.Dir, "copy"), filepath.Join(ds.Dir, "files", "deep", "copy")} {
		if err := ds.WriteSplits(s, out); err == nil || !strings.Contains(err.Error(), "lies in the dataset that it is to be a copy of: name a folder beside it") {
			t.Errorf("%s: %v", out, err)
		}
	}
	sameTree(t, "after the refusals", was, tree(t, parent))
}

func TestCopyRefusesWhatIsNoFile(t *testing.T) {
	parent := t.TempDir()
	ds, s := split3(t, parent)
	must(t, os.WriteFile(filepath.Join(parent, "secret"), []byte("x"), 0o600))
	must(t, os.Symlink(filepath.Join(parent, "secret"), filepath.Join(ds.Dir, "more.txt")))
	out := filepath.Join(parent, "copy")
	if err := ds.WriteSplits(s, out); err == nil || !strings.Contains(err.Error(), "more.txt is no file of the dataset: take it away") {
		t.Errorf("got %v", err)
	}
	if left, _ := filepath.Glob(out + "*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
