package parse

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"enterprisedocbench"
)

// ReadFile reads a prediction or gold file by its extension: .json (the gold layout, or a
// DoclingDocument), .md, .html, .txt, .doctags (docling's tags) or .hocr. A .txt file that is a bare
// <table> is one table, one that begins with <doctag> is DocTags; HTML with pages of the class
// ocr_page is hOCR. A file without text is a page without text.
// Errors name the file, the line or the page, and what to do.
func ReadFile(path string) (edb.Parsed, error) {
	st, err := os.Stat(path)
	if err != nil {
		return edb.Parsed{}, err
	}
	if st.Size() > MaxFile {
		return edb.Parsed{}, fmt.Errorf("%s: %d bytes are more than %d: split the file", path, st.Size(), int64(MaxFile))
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return edb.Parsed{}, err
	}
	p, err := readBytes(strings.ToLower(filepath.Ext(path)), b)
	if err != nil {
		return p, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

func readBytes(ext string, b []byte) (edb.Parsed, error) {
	read, ok := map[string]func([]byte) (edb.Parsed, error){
		".json": readJSON, ".md": parseMarkdown, ".markdown": parseMarkdown,
		".html": readHTML, ".htm": readHTML, ".xhtml": readHTML, ".txt": readText, "": readText,
		".doctags": readDocTags, ".dt": readDocTags, ".hocr": readHOCR,
	}[ext]
	switch {
	case !ok:
		return edb.Parsed{}, fmt.Errorf("files ending in %q are not read: use .json, .md, .html, .txt, .doctags or .hocr", ext)
	case len(bytes.TrimSpace(b)) == 0 && ext != ".json":
		return edb.Parsed{Pages: []edb.Page{{Number: 1, NoText: true}}}, nil
	}
	return read(b)
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

// readJSON reads {"pages":[{"number","elements":[...]}]}. Pages are physical unless "paged" is false.
func readJSON(b []byte) (edb.Parsed, error) {
	b = bytes.TrimPrefix(b, []byte{0xEF, 0xBB, 0xBF})
	var in struct {
		edb.Parsed
		Paged *bool `json:"paged"`
	}
	if bytes.Contains(b[:min(len(b), 1000)], []byte(`"DoclingDocument"`)) {
		return readDocling(b)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if err := d.Decode(&in); err != nil {
		return edb.Parsed{}, fmt.Errorf("line %d: not the element layout {\"pages\":[{\"number\",\"elements\":[...]}]}: %w", lineOf(b, err), err)
	}
	if _, err := d.Token(); err != io.EOF {
		return edb.Parsed{}, fmt.Errorf("line %d: more stands behind the document: one object a file", 1+bytes.Count(b[:d.InputOffset()], []byte{'\n'}))
	}
	p := in.Parsed
	p.Paged = in.Paged == nil || *in.Paged
	if len(p.Pages) == 0 {
		return edb.Parsed{}, errors.New(`line 1: no pages: want {"pages":[{"number","elements":[...]}]}`)
	}
	ids := map[string]bool{}
	for i, pg := range p.Pages {
		if pg.Number < 1 || i > 0 && pg.Number <= p.Pages[i-1].Number {
			return edb.Parsed{}, fmt.Errorf("entry %d of pages has number %d: physical pages count from 1 and rise", i+1, pg.Number)
		}
		for j, e := range pg.Elements {
			where := fmt.Sprintf("page %d, element %d", pg.Number, j+1)
			if !slices.Contains(edb.Kinds, e.Kind) {
				return edb.Parsed{}, fmt.Errorf("%s: kind %q is not one of %s", where, e.Kind, strings.Join(edb.Kinds, ", "))
			}
			if e.ID != "" && ids[e.ID] {
				return edb.Parsed{}, fmt.Errorf("%s: id %q is given twice: ids are unique in a file", where, e.ID)
			}
			ids[e.ID] = true
			if e.Box != nil && (e.Box[0] > e.Box[2] || e.Box[1] > e.Box[3]) {
				return edb.Parsed{}, fmt.Errorf("%s: box %v is not [x0,y0,x1,y1] with x0 <= x1 and y0 <= y1", where, *e.Box)
			}
		}
	}
	if !p.Paged && len(p.Pages) > 1 {
		return edb.Parsed{}, fmt.Errorf(`"paged" is false but there are %d pages: what has no pages stands on page 1`, len(p.Pages))
	}
	return p, nil
}

// lineOf is the line that a JSON error speaks of.
func lineOf(b []byte, err error) int {
	at := int64(len(b))
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &kind):
		at = kind.Offset
	}
	return 1 + bytes.Count(b[:max(0, min(at, int64(len(b))))], []byte{'\n'})
}
