package datasets

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/store"
)

// importVaswani reads doc-text.trec, query-text.trec and qrels: abstracts as text documents of one
// page, queries without answers, and judgements that become those of page 1.
func importVaswani(ctx context.Context, from, out string, opt ImportOptions) error {
	w, err := opt.create(out, Info{
		Name: "vaswani", Version: "1",
		Licence:  "free test collection",
		Made:     "the NPL (Vaswani) test collection in TREC form; every abstract is a document of one page, judged as a whole",
		Citation: "NPL test collection, University of Glasgow information retrieval group",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	licence := edb.Licence{SPDX: "LicenseRef-free-test-collection", Redistribute: true, Derivatives: true,
		Evidence: "distributed as a free test collection by the Glasgow information retrieval group; commercial use is not mentioned"}
	docs, err := trecRecords(filepath.Join(from, "doc-text.trec"), "DOC", "DOCNO")
	if err != nil {
		return err
	}
	for i, r := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		d := edb.Document{ID: r.id, MIME: "text/plain", Path: r.id + ".txt", Domain: "science", Doctype: "abstract", Lang: "en", Split: "test",
			Source: &edb.Origin{Name: "NPL test collection", ID: r.id}, Licence: licence}
		if err := w.AddDocument(d, []byte(r.text), nil); err != nil {
			return fmt.Errorf("%s:%d: %w", r.file, r.line, err)
		}
		if i%1000 == 999 || i == len(docs)-1 {
			opt.progress(i+1, len(docs))
		}
	}
	queries, err := trecRecords(filepath.Join(from, "query-text.trec"), "top", "num")
	if err != nil {
		return err
	}
	asked := map[string]bool{}
	for _, r := range queries {
		text := strings.TrimSpace(strings.NewReplacer("<title>", " ", "</title>", " ").Replace(r.text))
		q := edb.Question{ID: r.id, Text: strings.Join(strings.Fields(text), " "), Task: "lookup", Domain: "science", Lang: "en"}
		if err := w.AddQuestion(q); err != nil {
			return fmt.Errorf("%s:%d: %w", r.file, r.line, err)
		}
		asked[r.id] = true
	}
	path := filepath.Join(from, "qrels")
	err = store.Lines(path, func(line int, raw []byte) error {
		f := strings.Fields(string(raw))
		if len(f) != 4 {
			return fmt.Errorf("has %d columns: write \"query 0 document grade\"", len(f))
		}
		grade, err := strconv.Atoi(f[3])
		if err != nil {
			return fmt.Errorf("grade %q is not a whole number: write one", f[3])
		}
		if !asked[f[0]] {
			return fmt.Errorf("query %q is not in query-text.trec: take the line out or add the query", f[0])
		}
		return w.AddQrel(f[0], f[2], 1, grade)
	})
	if err != nil {
		return err
	}
	return w.Close()
}

type trecRecord struct {
	file     string
	line     int
	id, text string
}

// trecRecords reads a file of <TAG> ... </TAG> with the ID in an element of its own; the rest, with
// its other tags, is the text.
func trecRecords(path, tag, idTag string) ([]trecRecord, error) {
	raw, err := readAll(path)
	if err != nil {
		return nil, err
	}
	out, err := parseTREC(string(raw), tag, idTag)
	for i := range out {
		out[i].file = path
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return out, nil
}

func parseTREC(s, tag, idTag string) ([]trecRecord, error) {
	var out []trecRecord
	line := 1
	seen := map[string]int{}
	for {
		i := strings.Index(s, "<"+tag+">")
		if i < 0 {
			if strings.TrimSpace(s) != "" {
				return nil, fmt.Errorf("%d: text stands outside of <%s>: put it inside or delete it", line, tag)
			}
			break
		}
		if strings.TrimSpace(s[:i]) != "" {
			return nil, fmt.Errorf("%d: text stands outside of <%s>: put it inside or delete it", line, tag)
		}
		line += strings.Count(s[:i], "\n")
		s = s[i+len(tag)+2:]
		body, rest, ok := strings.Cut(s, "</"+tag+">")
		if !ok || strings.Contains(body, "<"+tag+">") {
			return nil, fmt.Errorf("%d: <%s> is not closed: add </%s>", line, tag, tag)
		}
		_, after, ok := strings.Cut(body, "<"+idTag+">")
		id, text, ok2 := strings.Cut(after, "</"+idTag+">")
		if id = strings.TrimSpace(id); !ok || !ok2 || id == "" {
			return nil, fmt.Errorf("%d: <%s> has no <%s>: add one", line, tag, idTag)
		}
		if before := seen[id]; before > 0 {
			return nil, fmt.Errorf("%d: %s %q stands in line %d already: give each its own", line, idTag, id, before)
		}
		seen[id] = line
		if text = strings.TrimSpace(text); text == "" {
			return nil, fmt.Errorf("%d: %s %q has no text: add it or take the record out", line, idTag, id)
		}
		out = append(out, trecRecord{line: line, id: id, text: text + "\n"})
		line += strings.Count(body, "\n")
		s = rest
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("1: holds no <%s>: fetch the collection again", tag)
	}
	return out, nil
}
