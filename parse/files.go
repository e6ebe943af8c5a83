package parse

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"enterprisedocbench"
)

// ReadFile reads a prediction or gold file by its extension: .json (the gold layout), .md, .html or
// .txt. A file that is a bare <table> is one table. Errors name the file and what to do.
func ReadFile(path string) (edb.Parsed, error) {
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
	if len(strings.TrimSpace(string(b))) == 0 {
		return edb.Parsed{Pages: []edb.Page{{Number: 1, NoText: true}}}, nil
	}
	switch ext {
	case ".json":
		return readJSON(b)
	case ".md", ".markdown":
		return parseMarkdown(b)
	case ".html", ".htm", ".xhtml":
		return parseHTML(b)
	case ".txt", "":
		if t := strings.ToLower(strings.TrimSpace(string(b))); strings.HasPrefix(t, "<table") && strings.HasSuffix(t, "</table>") {
			return parseHTML(b)
		}
		return parseText(context.Background(), b)
	}
	return edb.Parsed{}, fmt.Errorf("files ending in %q are not read: use .json, .md, .html or .txt", ext)
}

// readJSON reads {"pages":[{"number","elements":[...]}]}; pages are numbered from 1.
func readJSON(b []byte) (edb.Parsed, error) {
	var p edb.Parsed
	if err := json.Unmarshal(b, &p); err != nil {
		line := 1
		if se, ok := err.(*json.SyntaxError); ok {
			line += strings.Count(string(b[:min(int(se.Offset), len(b))]), "\n")
		}
		return p, fmt.Errorf("line %d: not the element layout {\"pages\":[{\"number\",\"elements\":[...]}]}: %w", line, err)
	}
	if len(p.Pages) == 0 {
		return p, fmt.Errorf("line 1: no pages: want {\"pages\":[{\"number\",\"elements\":[...]}]}")
	}
	for i, pg := range p.Pages {
		if pg.Number < 1 || i > 0 && pg.Number <= p.Pages[i-1].Number {
			return p, fmt.Errorf("page %d of the list has number %d: physical pages count from 1 and rise", i+1, pg.Number)
		}
		if pg.Number > 1 {
			p.Paged = true
		}
	}
	if !strings.Contains(string(b), `"paged"`) {
		p.Paged = true // the gold layout has no such field: its pages are physical
	}
	return p, nil
}
