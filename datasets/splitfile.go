package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/store"
)

// SplitsFile remembers the splits of a dataset: one SplitLine a line.
const SplitsFile = "splits.jsonl"

// SplitLine says which split a document is in and why: First is the first member of its
// near-duplicates, whose id decided. Documents in quarantine have the first members that they would
// join in Bridges.
type SplitLine struct {
	Doc     string   `json:"doc"`
	First   string   `json:"first"`
	Split   string   `json:"split"`
	Bridges []string `json:"bridges,omitempty"`
}

// ReadSplits reads splits.jsonl of a dataset directory strictly; without the file there are no lines.
// The error is a *FaultError.
func ReadSplits(dir string) ([]SplitLine, error) {
	out, faults := readSplits(dir)
	return out, faultError(dir, faults)
}

func readSplits(dir string) (out []SplitLine, faults []Fault) {
	rows, faults := readTable[SplitLine](dir, SplitsFile, false)
	lines := map[string]int{}
	for _, r := range rows {
		add := func(problem, fix string) {
			faults = append(faults, Fault{SplitsFile, r.line, fmt.Sprintf("document %q: %s", r.v.Doc, problem), fix})
		}
		switch {
		case r.v.Doc == "" || r.v.First == "" || r.v.Split == "":
			add("doc, first or split is missing", "delete the file and split again")
		case !slices.Contains(splits, r.v.Split):
			add(fmt.Sprintf("split is %q", r.v.Split), "use "+oneOf(splits))
		case lines[r.v.Doc] > 0:
			add(fmt.Sprintf("stands in line %d already", lines[r.v.Doc]), "keep one line")
		default:
			out = append(out, r.v)
		}
		lines[r.v.Doc] = r.line
	}
	return out, faults
}

// splitFaults compares splits.jsonl with the split that documents.jsonl gives. Documents that only
// one of them has are no fault: a corpus grows.
func (d *Dataset) splitFaults() []Fault {
	lines, faults := readSplits(d.Dir)
	for _, l := range lines {
		if doc, ok := d.Document(l.Doc); ok && doc.Split != l.Split {
			faults = append(faults, Fault{DocumentsFile, d.docLine[l.Doc],
				fmt.Sprintf("document %q: split is %q, %s says %q", l.Doc, doc.Split, SplitsFile, l.Split), "run edb dataset split, or delete " + SplitsFile})
		}
	}
	return faults
}

// WriteSplits puts the splits into the dataset: the split of every document in documents.jsonl, the
// memory in splits.jsonl, and the fractions in dataset.yaml where it gives none. With an out other than
// "" the dataset stays as it is and out becomes a copy of it with the splits. It fails where another
// writer is at work or has been since the dataset was read. Each file is written whole or not at all;
// after a failure in between, splitting again gives the same.
func (d *Dataset) WriteSplits(s *Splitting, out string) error {
	docs := slices.Clone(d.Documents)
	for i, l := range s.Lines {
		docs[i].Split = l.Split
	}
	if out == "" {
		release, err := takeLock(filepath.Clean(d.Dir))
		if err != nil {
			return err
		}
		defer release()
		return d.writeSplits(d.Dir, docs, s)
	}
	if within(d.Dir, out) {
		return fmt.Errorf("dataset %s: lies in the dataset that it is to be a copy of: name a folder beside it", out)
	}
	w, err := create(out, d.Info, false)
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := copyTree(d.Dir, w.tmp); err != nil {
		return noRoom(out, err)
	}
	if err := d.writeSplits(w.tmp, docs, s); err != nil {
		return err
	}
	w.lines.drop()
	w.answers.drop()
	return w.place()
}

// within reports whether a path is a folder or lies in it.
func within(dir, path string) bool {
	a, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	b, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(a, b)
	return err == nil && filepath.IsLocal(rel)
}

// writeSplits writes what WriteSplits says into dir, which is the dataset or a copy of it.
func (d *Dataset) writeSplits(dir string, docs []edb.Document, s *Splitting) error {
	rows, _ := readTable[edb.Document](dir, DocumentsFile, false)
	if !slices.EqualFunc(rows, d.Documents, func(r row[edb.Document], doc edb.Document) bool { return reflect.DeepEqual(r.v, doc) }) {
		return fmt.Errorf("dataset %s: %s has changed since it was read: split again", d.Dir, DocumentsFile)
	}
	if err := addFractions(dir, s.Fractions); err != nil {
		return noRoom(dir, err)
	}
	if err := store.WriteJSONL(filepath.Join(dir, SplitsFile), slices.Concat(s.Lines, s.gone)); err != nil {
		return noRoom(dir, err)
	}
	if err := store.WriteJSONL(filepath.Join(dir, DocumentsFile), docs); err != nil {
		return noRoom(dir, err)
	}
	return nil
}

// noRoom adds to an error of writing what can be done about it; other errors say so themselves.
func noRoom(dir string, err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	if errors.As(err, &pe) || errors.As(err, &le) {
		return fmt.Errorf("dataset %s: cannot be written: %s: free space or name another folder; what was there is whole", dir, cause(err))
	}
	return err
}

// addFractions adds a line with the fractions to dataset.yaml where it has none; the rest of the
// file, with its comments, stays as it is.
func addFractions(dir string, f map[string]float64) error {
	path := filepath.Join(dir, InfoFile)
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if info, faults := parseInfo(raw); len(faults) > 0 || len(info.Splits) > 0 {
		return faultError(dir, faults)
	}
	line := "splits: {"
	for i, k := range slices.SortedFunc(maps.Keys(f), bySplitOrder) {
		if i > 0 {
			line += ", "
		}
		line += fmt.Sprintf("%s: %v", k, f[k])
	}
	raw = append(bytes.TrimRight(raw, "\n"), []byte("\n"+line+"}\n")...)
	if info, faults := parseInfo(raw); len(faults) > 0 || len(info.Splits) != len(f) {
		return faultError(dir, []Fault{{InfoFile, 0, "the fractions of the splits cannot be added at its end", "add the line " + line + "}"}})
	}
	return store.WriteFile(path, raw)
}

// copyTree copies the regular files under from into the folder to. Links are followed where they
// stay inside.
func copyTree(from, to string) error {
	root, err := os.OpenRoot(from)
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(to, filepath.FromSlash(p))
		if e.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		if st, err := root.Stat(p); err != nil || !st.Mode().IsRegular() {
			return fmt.Errorf("%s is no file of the dataset: take it away", p)
		}
		in, err := root.Open(p)
		if err != nil {
			return err
		}
		defer in.Close()
		return store.WriteWith(target, func(w io.Writer) error {
			_, err := io.Copy(w, in)
			return err
		})
	})
}
