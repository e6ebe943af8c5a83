package datasets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	edb "enterprisedocbench"
)

// folder is where a collection lies, with what a manifest beside it says of its files. Names of
// files are relative to it, with "/".
type folder struct {
	from  string
	known map[string]origin
}

func openFolder(from string) (*folder, error) {
	if _, err := os.ReadDir(from); err != nil {
		return nil, fmt.Errorf("%s: %s: name the folder that holds the collection", from, cause(err))
	}
	known, err := origins(from)
	return &folder{from, known}, err
}

func (f *folder) path(name string) string { return filepath.Join(f.from, filepath.FromSlash(name)) }

func (f *folder) has(name string) bool {
	st, err := os.Stat(f.path(name))
	return err == nil && st.Mode().IsRegular()
}

// read gives the bytes of a file. One that is empty, is not what its name says, or has another hash
// than the manifest says is an error.
func (f *folder) read(name string) ([]byte, error) {
	p := f.path(name)
	raw, err := readAll(p)
	if err != nil {
		return nil, err
	}
	if len(raw) == 0 {
		return nil, fmt.Errorf("%s: is empty: fetch the file again", p)
	}
	if why := magicFault(strings.ToLower(path.Ext(name)), raw[:min(len(raw), 1024)]); why != "" {
		return nil, fmt.Errorf("%s: %s: fetch the file again", p, why)
	}
	if want := f.known[name].SHA256; want != "" {
		sum := sha256.Sum256(raw)
		if got := hex.EncodeToString(sum[:]); !strings.EqualFold(got, want) {
			return nil, fmt.Errorf("%s: sha256 is %s, manifest.jsonl says %s: fetch the file again", p, got, want)
		}
	}
	return raw, nil
}

// list gives the sorted names of the files in a sub-folder, and in the folders below it, whose
// extension is one of the given in any case; none is an error.
func (f *folder) list(dir, fix string, exts ...string) ([]string, error) {
	var out []string
	root := f.path(dir)
	err := filepath.WalkDir(root, func(p string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || !slices.Contains(exts, strings.ToLower(filepath.Ext(p))) {
			return err
		}
		rel, err := filepath.Rel(f.from, p)
		out = append(out, filepath.ToSlash(rel))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %s", root, cause(err), fix)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: no file ends in %s: %s", root, oneOf(exts), fix)
	}
	slices.Sort(out)
	return out, nil
}

// stem is a name without its folders and extension.
func stem(name string) string {
	name = path.Base(name)
	return strings.TrimSuffix(name, path.Ext(name))
}

// document starts the line of a document for a file of the folder.
func (f *folder) document(id, name string) edb.Document {
	return edb.Document{ID: id, Path: strings.ToLower(path.Ext(name)), Lang: "en", Split: "test", Source: f.known[name].source()}
}

// licence is one that the manifest's words on a file are added to as evidence.
func (f *folder) licence(name string, l edb.Licence) edb.Licence {
	if said := f.known[name].Licence; said != "" {
		l.Evidence += "; the manifest says: " + said
	}
	return l
}

// sheets gives the pages of a PDF without their elements: number and size in points. Scanned says
// that none has a text layer. Without a parser there are none.
func (o ImportOptions) sheets(ctx context.Context, pdf string) (pages []edb.Page, scanned bool, err error) {
	if o.Parse == nil {
		return nil, false, nil
	}
	p, err := o.Parse(ctx, pdf)
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w: take the file out or try another engine", pdf, err)
	}
	scanned = len(p.Pages) > 0
	for _, pg := range p.Pages {
		pages = append(pages, edb.Page{Number: pg.Number, Width: pg.Width, Height: pg.Height})
		scanned = scanned && pg.NoText
	}
	return pages, scanned, nil
}

// json reads a file that is one JSON value.
func (f *folder) json(name string, v any) error {
	raw, err := f.read(name)
	if err != nil {
		return err
	}
	return decodeJSON(f.path(name), raw, v)
}

// jsonRows reads a file of one JSON value a line and gives the values with their lines. Check says
// what is wrong with one.
func jsonRows[T any](f *folder, name string, check func(T) error) ([]row[T], error) {
	if _, err := f.read(name); err != nil {
		return nil, err
	}
	var out []row[T]
	err := jsonLines(f.path(name), func(line int, v T) error {
		out = append(out, row[T]{line, v})
		return check(v)
	})
	return out, err
}
