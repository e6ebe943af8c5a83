package parse

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/internal/elements"
)

// storedForms are the forms of stored output by the endings of their files. `files:` of a pipeline takes the
// first that is there; of two endings of which one ends in the other the longer stands first.
var storedForms = []struct {
	ending string
	read   func([]byte) (edb.Parsed, error)
}{
	{".json", readJSON}, {".md", parseMarkdown}, {".markdown", parseMarkdown},
	{".html", readHTML}, {".htm", readHTML}, {".xhtml", readHTML},
	{".doctags.txt", readDocTags}, {".doctags", readDocTags}, {".dt", readDocTags}, {".hocr", readHOCR}, {".txt", readText},
}

// Endings lists the endings of files that [ReadFile] reads, in the order in which they are looked for.
func Endings() []string {
	out := make([]string, len(storedForms))
	for i, f := range storedForms {
		out[i] = f.ending
	}
	return out
}

// Stem is a file's name without its ending, and whether that is one of [Endings], in any case.
func Stem(name string) (string, bool) {
	lower := strings.ToLower(name)
	for _, f := range storedForms {
		if strings.HasSuffix(lower, f.ending) && len(lower) == len(name) && len(name) > len(f.ending) {
			return name[:len(name)-len(f.ending)], true
		}
	}
	return name, false
}

// Stored finds the output for a document in a folder: by its ID, by its ID percent-encoded, or by the
// stem of its file, each with one of [Endings] in their order. No file: "".
func Stored(dir, id, file string) string {
	base := filepath.Base(file)
	for _, name := range []string{id, url.PathEscape(id), strings.TrimSuffix(base, filepath.Ext(base))} {
		if name == "" || !filepath.IsLocal(name) || strings.ContainsAny(name, "/\\") {
			continue
		}
		for _, f := range storedForms {
			path := filepath.Join(dir, name+f.ending)
			if _, err := os.Stat(path); err == nil {
				return path
			}
		}
	}
	return ""
}

// FileError is a file that cannot be read, as PATH:LINE: PROBLEM: FIX.
type FileError struct {
	Path         string
	Line         int // from 1; 0 where the whole file is meant
	Problem, Fix string
	More         int // faults found beside it

	err error // that it was made of
}

func (e *FileError) Error() string {
	s := e.Problem + ": " + e.Fix
	if e.More > 0 {
		s += fmt.Sprintf(" (%d more)", e.More)
	}
	switch {
	case e.Path == "" && e.Line > 0: // an answer, not a file
		return fmt.Sprintf("line %d: %s", e.Line, s)
	case e.Path == "":
		return s
	case e.Line > 0:
		return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, s)
	}
	return e.Path + ": " + s
}

// Unwrap gives the cause, if another error was it.
func (e *FileError) Unwrap() error { return e.err }

// wrong is what is wrong with the bytes of a file; who knows the file's name adds it.
func wrong(line int, fix, problem string, a ...any) error {
	return &FileError{Line: line, Problem: fmt.Sprintf(problem, a...), Fix: fix}
}

// ReadFile reads a prediction or gold file by its ending (see [Endings]): JSON (the element layout, read
// strictly, or a DoclingDocument), Markdown, HTML, plain text, docling's DocTags or hOCR. A .txt file
// that is a bare <table> is one table, one that begins with <doctag> is DocTags; HTML with pages of the
// class ocr_page is hOCR. A file without text is a page without text. The error is a [FileError].
func ReadFile(path string) (edb.Parsed, error) {
	st, err := os.Stat(path)
	if err != nil {
		return edb.Parsed{}, &FileError{Path: path, Problem: "cannot be read: " + cause(err).Error(), Fix: "name a file that is there", err: err}
	}
	if !st.Mode().IsRegular() {
		return edb.Parsed{}, &FileError{Path: path, Problem: "is no file but a folder, pipe or device", Fix: "name a file"}
	}
	if st.Size() > MaxFile {
		return edb.Parsed{}, &FileError{Path: path, Problem: fmt.Sprintf("%d bytes are more than %d", st.Size(), int64(MaxFile)), Fix: "split the file"}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return edb.Parsed{}, &FileError{Path: path, Problem: "cannot be read: " + cause(err).Error(), Fix: "make it readable", err: err}
	}
	base := filepath.Base(path)
	stem, _ := Stem(base)
	p, err := readBytes(strings.ToLower(base[len(stem):]), b)
	if err != nil {
		return p, inFile(path, err)
	}
	return p, nil
}

// inFile gives an error of a file's bytes its name and, where it has none, a remedy.
func inFile(path string, err error) error {
	var f *FileError
	if errors.As(err, &f) {
		out := *f
		out.Path = path
		return &out
	}
	return &FileError{Path: path, Problem: err.Error(), Fix: "make it again as text", err: err}
}

// cause is an error of the file system without the path that is named anyway.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

func readBytes(ending string, b []byte) (edb.Parsed, error) {
	for _, f := range storedForms {
		if f.ending != ending {
			continue
		}
		if len(bytes.TrimSpace(b)) == 0 && ending != ".json" {
			return edb.Parsed{Pages: []edb.Page{{Number: 1, NoText: true}}}, nil
		}
		return f.read(b)
	}
	return edb.Parsed{}, wrong(0, "use "+strings.Join(Endings(), ", "), "has the ending of no form that is read")
}

func readText(b []byte) (edb.Parsed, error) {
	t := strings.ToLower(strings.TrimSpace(string(b)))
	switch {
	case strings.HasPrefix(t, "<table") && strings.HasSuffix(t, "</table>"):
		return parseHTML(b)
	case strings.HasPrefix(t, "<doctag>"):
		return readDocTags(b)
	}
	return parseText(b)
}

func readHTML(b []byte) (edb.Parsed, error) {
	if isHOCR(b) {
		return readHOCR(b)
	}
	return parseHTML(b)
}

// readJSON reads a DoclingDocument, or the element layout strictly.
func readJSON(b []byte) (edb.Parsed, error) {
	if bytes.Contains(b[:min(len(b), 1000)], []byte(`"DoclingDocument"`)) {
		return readDocling(bytes.TrimPrefix(b, []byte{0xEF, 0xBB, 0xBF}))
	}
	p, found := elements.Strict(b)
	if len(found) > 0 {
		return edb.Parsed{}, &FileError{Line: found[0].Line, Problem: found[0].Problem, Fix: found[0].Fix, More: len(found) - 1}
	}
	return p, nil
}
