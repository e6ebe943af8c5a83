package datasets

import (
	"context"
	"fmt"
	"path"
	"strings"
)

// oddFile is an entry of pdfjs_manifest.json: what the suite of pdf.js says of a file.
type oddFile struct {
	File     string `json:"file"`
	Manifest []struct {
		Password string `json:"password"`
	} `json:"manifest"`
}

// importRobustness reads SOURCE/NAME.pdf and pdfjs_manifest.json: files that a reader must end with
// text or a named error on, never with a crash, a hang or without bound on memory. There is no gold.
// Files that are empty or no PDF stay as they are.
func importRobustness(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	names, err := f.list(".", "name the folder that holds SOURCE/NAME.pdf", ".pdf")
	if err != nil {
		return err
	}
	var said []oddFile
	if err := f.json("pdfjs_manifest.json", &said); err != nil {
		return err
	}
	locked := map[string]bool{}
	for _, s := range said {
		if !f.has(s.File) {
			return fmt.Errorf("%s: names %q, which is not there: fetch the file or take the entry out", f.path("pdfjs_manifest.json"), s.File)
		}
		for _, m := range s.Manifest {
			locked[s.File] = locked[s.File] || m.Password != ""
		}
	}
	w, err := opt.create(out, Info{
		Name: "robustness", Version: "1", Files: "any",
		Licence: "Apache-2.0, BSD-3-Clause and CC-BY-4.0, see the documents; the origin of many is not stated",
		Made:    "malformed, encrypted, rotated, scanned, tagged and otherwise odd PDFs of five test suites; a reader must end with text or a named error on each",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	for i, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		content, err := readAll(f.path(name))
		if err != nil {
			return err
		}
		d := f.document(strings.TrimSuffix(name, path.Ext(name)), name)
		d.Lang, d.Domain, d.Doctype = "", path.Dir(name), "odd-pdf"
		if locked[name] || encryptedName(name) {
			d.Doctype = "encrypted-pdf"
		}
		d.Licence = f.known[name].stated()
		if err := w.AddDocument(d, content, nil); err != nil {
			return fmt.Errorf("%s: %w", f.path(name), err)
		}
		opt.progress(i+1, len(names))
	}
	return w.Close()
}

// encryptedName reports whether a file says in its name that it is encrypted.
func encryptedName(name string) bool {
	name = path.Base(name)
	if strings.Contains(name, "unencrypted") {
		return false
	}
	for _, s := range []string{"encrypt", "password", "protected"} {
		if strings.Contains(name, s) {
			return true
		}
	}
	return false
}
