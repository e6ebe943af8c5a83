package ingest

import (
	"context"
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

	"enterprisedocbench/datasets"
)

// maxFile is the largest file, in bytes, that is taken.
const maxFile = 1 << 30

// LeftOut is a file of the folder that becomes no document, and why. Path is relative to the
// folder, with "/".
type LeftOut struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// file is a file of the folder that becomes a document.
type file struct {
	path string // relative to the folder, with "/"
	id   string
	ext  string // what it is kept under: ".pdf"
	sum  string // SHA-256
}

// scan lists the files of a folder and of the folders in it, sorted by path, and what is left out.
// Nothing outside of the folder is read: a link that leads out is left out, and so is one that
// stays inside, since what it names is read anyway. skip are paths that are passed over; reads are the
// MIME types that some engine takes, which data files are left out without.
func scan(ctx context.Context, folder string, skip []string, reads map[string]bool, progress func(done, total int)) (files []file, left []LeftOut, err error) {
	if st, err := os.Stat(folder); err != nil {
		return nil, nil, fmt.Errorf("%s: %s: name the folder that holds your files", folder, cause(err))
	} else if !st.IsDir() {
		return nil, nil, fmt.Errorf("%s: is no folder: name the folder that holds your files", folder)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %s: name a folder that can be read", folder, cause(err))
	}
	defer root.Close()
	out := func(p, reason string) { left = append(left, LeftOut{p, reason}) }
	var found []fs.DirEntry
	var paths []string
	err = fs.WalkDir(root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && p == ".":
			return fmt.Errorf("%s: %s: name a folder that can be read", folder, cause(err))
		case err != nil:
			out(p, "cannot be read: "+cause(err))
			return fs.SkipDir
		case p == ".":
			return nil
		case slices.Contains(skip, p):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case hidden(d.Name()):
			out(p, "is hidden")
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !d.IsDir():
			found, paths = append(found, d), append(paths, p)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	first := map[string]string{} // SHA-256 -> path
	for i, p := range paths {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		f, why := look(root, p, found[i].Type())
		switch {
		case why != "":
			out(p, why)
		case dataKinds[f.ext] && !reads[datasets.MIMEOf(f.ext)]:
			out(p, "holds data ("+datasets.MIMEOf(f.ext)+"), which no engine here reads as a document")
		case first[f.sum] != "":
			out(p, "has the same bytes as "+first[f.sum])
		default:
			first[f.sum] = p
			files = append(files, f)
		}
		progress(i+1, len(paths))
	}
	slices.SortFunc(left, func(a, b LeftOut) int { return strings.Compare(a.Path, b.Path) })
	name(files)
	return files, left, nil
}

// hidden says whether a name is one that systems and programs keep for themselves.
func hidden(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "~$") || name == "Thumbs.db" || name == "desktop.ini" || name == "__MACOSX"
}

// look reads one file far enough to say what it is; why says why it is left out.
func look(root *os.Root, p string, typ fs.FileMode) (f file, why string) {
	switch {
	case typ&fs.ModeSymlink != 0:
		_, err := root.Stat(p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return f, "is a link to nothing"
		case err != nil:
			return f, "is a link that leads out of the folder: copy what it names into the folder"
		}
		return f, "is a link; what it names is read where it lies"
	case !typ.IsRegular():
		return f, "is no regular file"
	}
	in, err := root.Open(p)
	if err != nil {
		return f, "cannot be read: " + cause(err)
	}
	defer in.Close()
	st, err := in.Stat()
	switch {
	case err != nil:
		return f, "cannot be read: " + cause(err)
	case st.Size() == 0:
		return f, "is empty"
	case st.Size() > maxFile:
		return f, fmt.Sprintf("has %d bytes, more than %d: split it", st.Size(), int64(maxFile))
	}
	head := make([]byte, headSize)
	n, err := io.ReadFull(in, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return f, "cannot be read: " + cause(err)
	}
	if f.ext, why = kindOf(path.Base(p), head[:n], in, st.Size()); why != "" {
		return f, why
	}
	h := sha256.New()
	h.Write(head[:n])
	if _, err := io.Copy(h, in); err != nil {
		return f, "cannot be read: " + cause(err)
	}
	f.path, f.sum = p, hex.EncodeToString(h.Sum(nil))
	return f, ""
}

// inside gives the slash path of p relative to folder, "" where it lies elsewhere.
func inside(folder, p string) string {
	a, err1 := filepath.Abs(folder)
	b, err2 := filepath.Abs(p)
	if err1 != nil || err2 != nil {
		return ""
	}
	rel, err := filepath.Rel(a, b)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// cause is the error without the path that the caller names anyway.
func cause(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
