package datasets

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/elements"
)

// Check reads a whole dataset directory, files and gold included, and lists every fault, sorted by
// file and line. The error is for a directory that cannot be looked at at all. Gold in Markdown is
// looked at only as far as its bytes go: see CheckWith.
func Check(dir string) ([]Fault, error) { return CheckWith(dir, nil) }

// CheckWith is Check with a reader of Markdown gold, so that evidence in it is compared too.
func CheckWith(dir string, markdown func(path string) (edb.Parsed, error)) ([]Fault, error) {
	if st, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("dataset %s: %s: name a folder with a %s", dir, cause(err), InfoFile)
	} else if !st.IsDir() {
		return nil, fmt.Errorf("dataset %s: is no folder: name the folder that holds %s", dir, InfoFile)
	}
	d, faults := read(dir)
	d.Markdown = markdown
	if busy(filepath.Clean(dir)) {
		faults = append(faults, Fault{InfoFile, 0, "another writer is at work on the dataset", "wait for it to end"})
	}
	used := map[string]bool{}
	for _, doc := range d.Documents {
		used[path.Clean(doc.Path)] = true
		faults = append(faults, d.fileFaults(doc)...)
		if p := d.goldPath(doc.ID); p != "" {
			used[p] = true
		}
		faults = append(faults, d.goldFaults(doc)...)
	}
	faults = append(faults, strays(dir, used)...)
	faults = append(faults, d.readRuns()...)
	faults = append(faults, d.splitFaults()...)
	for _, f := range d.evidenceFaults(d.Questions) {
		if !slices.Contains(faults, f) {
			faults = append(faults, f)
		}
	}
	sortFaults(faults)
	return faults, nil
}

func sortFaults(f []Fault) {
	slices.SortStableFunc(f, func(a, b Fault) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
}

// fileFaults compares a document's file with its line.
func (d *Dataset) fileFaults(doc edb.Document) []Fault {
	var out []Fault
	add := func(problem, fix string) {
		out = append(out, Fault{DocumentsFile, d.docLine[doc.ID], fmt.Sprintf("document %q: %s", doc.ID, problem), fix})
	}
	if doc.Path == "" || !filepath.IsLocal(filepath.FromSlash(doc.Path)) {
		return nil // its line is a fault already
	}
	p, err := d.inside(doc.Path)
	switch {
	case errors.Is(err, errOutside):
		return nil // likewise
	case errors.Is(err, os.ErrNotExist):
		add(fmt.Sprintf("file %q is missing", doc.Path), "put it there or take the line out")
		return out
	case err != nil:
		add(fmt.Sprintf("file %q cannot be read: %s", doc.Path, cause(err)), "make it readable")
		return out
	}
	st, err := os.Stat(p)
	if err == nil && !st.Mode().IsRegular() {
		add(fmt.Sprintf("%q is no file", doc.Path), "name a file")
		return out
	}
	size, sum, head, err := digest(p)
	if err != nil {
		add(fmt.Sprintf("file %q cannot be read: %s", doc.Path, cause(err)), "make it readable")
		return out
	}
	if size == 0 && !d.Info.AnyFiles() {
		add(fmt.Sprintf("file %q is empty", doc.Path), "put the real file there or take the line out")
		return out
	}
	if doc.Bytes > 0 && doc.Bytes != size {
		add(fmt.Sprintf("bytes is %d, the file has %d", doc.Bytes, size), fmt.Sprintf("fetch the file again or write %d", size))
	}
	if doc.SHA256 != "" && !strings.EqualFold(doc.SHA256, sum) {
		add("sha256 is not that of the file", "fetch the file again or write "+sum)
	}
	ext := strings.ToLower(path.Ext(doc.Path))
	if why := magicFault(ext, head); why != "" && !d.Info.AnyFiles() {
		add(why, "fetch the file again or name it by what it is")
	}
	if want := mimeOf(ext); doc.MIME != "" && want != "" && doc.MIME != want && !strings.HasPrefix(doc.MIME, want+";") {
		add(fmt.Sprintf("mime is %q, the file is named %s", doc.MIME, ext), "write "+want)
	}
	return out
}

// digest reads a file once: size, SHA-256 and the first 1024 bytes.
func digest(path string) (size int64, sum string, head []byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, "", nil, err
	}
	defer f.Close()
	h := sha256.New()
	head = make([]byte, 1024)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, "", nil, err
	}
	head = head[:n]
	h.Write(head)
	rest, err := io.Copy(h, f)
	return int64(n) + rest, hex.EncodeToString(h.Sum(nil)), head, err
}

// goldFaults checks that gold is there exactly where it is announced, and what it holds.
func (d *Dataset) goldFaults(doc edb.Document) []Fault {
	rel := d.goldPath(doc.ID)
	if doc.Gold == "none" || doc.Gold == "" {
		if rel != "" {
			return []Fault{{DocumentsFile, d.docLine[doc.ID], fmt.Sprintf("document %q: gold is %q but %s is there", doc.ID, doc.Gold, rel), "say what kind of gold it is or delete the file"}}
		}
		return nil
	}
	if rel != "" && path.Ext(rel) == ".md" && d.Markdown == nil {
		probe := *d
		probe.Markdown = func(string) (edb.Parsed, error) { return edb.Parsed{}, nil }
		_, f := probe.readGold(doc)
		return f
	}
	p, faults := d.readGold(doc)
	if len(faults) > 0 && len(p.Pages) == 0 {
		return faults
	}
	found := goldFaults(doc, p)
	if parts := d.Info.GoldParts; len(parts) > 0 {
		found = append(found, partFaults(p, parts)...)
	}
	if path.Ext(rel) == ".json" {
		raw, err := os.ReadFile(filepath.Join(d.Dir, filepath.FromSlash(rel)))
		if err == nil {
			_, all := elements.Strict(raw) // also what readGold lets pass
			faults = inFile(rel, all)
			elements.Place(raw, found)
		}
	}
	return append(faults, inFile(rel, found)...)
}

// partFaults finds elements of kinds that the gold is said not to annotate, one a page.
func partFaults(p edb.Parsed, parts []string) []elements.Fault {
	var out []elements.Fault
	for i, pg := range p.Pages {
		for j, e := range pg.Elements {
			if !slices.Contains(parts, e.Kind) {
				out = append(out, elements.At(i, j, fmt.Sprintf("page %d holds a %s, which gold_parts of %s does not list", pg.Number, e.Kind, InfoFile), "add the kind there or drop the element"))
				break
			}
		}
	}
	return out
}

// strays lists files of the dataset that no document names.
func strays(dir string, used map[string]bool) []Fault {
	var out []Fault
	for _, sub := range []string{FilesDir, GoldDir} {
		_ = filepath.WalkDir(filepath.Join(dir, sub), func(p string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return nil
			}
			rel, err := filepath.Rel(dir, p)
			if err != nil {
				return nil
			}
			rel = filepath.ToSlash(rel)
			if !used[rel] {
				out = append(out, Fault{rel, 0, "belongs to no document", "add a line to " + DocumentsFile + " or delete the file"})
			}
			return nil
		})
	}
	return out
}
