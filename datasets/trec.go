package datasets

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	edb "enterprisedocbench"
)

// importTREC reads a collection as TREC hands it out: documents in docs/, a folder with files and
// folders below it, or in files whose names begin with doc; topics in files with "topic" or "query" in
// their names; judgements in files with "qrel" in theirs. All may be packed with gzip.
func importTREC(ctx context.Context, from, out string, opt ImportOptions) error {
	docs, topics, qrels, err := trecFiles(from)
	if err != nil {
		return err
	}
	known, err := origins(from)
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: filepath.Base(filepath.Clean(from)), Version: "1", Annotations: origin{}.annotations(),
		Made: "a TREC test collection: every document is a page of text, judged as a whole; a question is the title of its topic",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	n := 0
	for _, p := range docs {
		rel, err := filepath.Rel(from, p)
		if err != nil {
			return err
		}
		base := edb.Document{Licence: known[filepath.ToSlash(rel)].stated(), Source: &edb.Origin{Name: filepath.ToSlash(rel)}}
		if err := addTRECDocs(ctx, w, p, base, &n, opt); err != nil {
			return err
		}
	}
	short := map[string]string{} // number without zeros at the front -> number
	for _, p := range topics {
		if err := addTopics(w, p, edb.Question{}, short); err != nil {
			return err
		}
	}
	name := func(q string) string {
		if long, ok := short[strings.TrimLeft(q, "0")]; ok && !w.asks(q) {
			return long
		}
		return q
	}
	for _, p := range qrels {
		if err := readQrelsInto(w, p, nil, name); err != nil {
			return err
		}
	}
	return w.Close()
}

// trecFiles finds the files of a collection by their names, sorted.
func trecFiles(from string) (docs, topics, qrels []string, err error) {
	entries, err := os.ReadDir(from)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%s: %s: name the folder that holds the collection", from, cause(err))
	}
	for _, e := range entries {
		p, name := filepath.Join(from, e.Name()), strings.ToLower(e.Name())
		switch {
		case e.IsDir() && name == "docs":
			err = filepath.WalkDir(p, func(p string, e fs.DirEntry, err error) error {
				if err == nil && e.Type().IsRegular() {
					docs = append(docs, p)
				}
				return err
			})
			if err != nil {
				return nil, nil, nil, fmt.Errorf("%s: %s: make it readable", p, cause(err))
			}
		case e.IsDir():
		case strings.Contains(name, "qrel"):
			qrels = append(qrels, p)
		case strings.Contains(name, "topic") || strings.Contains(name, "query") || strings.Contains(name, "queries"):
			topics = append(topics, p)
		case strings.HasPrefix(name, "doc"):
			docs = append(docs, p)
		}
	}
	for _, need := range []struct {
		what string
		list []string
	}{{"documents", docs}, {"topics", topics}, {"judgements", qrels}} {
		if len(need.list) == 0 {
			return nil, nil, nil, fmt.Errorf("%s: no file of %s: put documents into docs/, topics into topics.txt and judgements into qrels.txt", from, need.what)
		}
	}
	slices.Sort(docs)
	return docs, topics, qrels, nil
}

// addTRECDocs adds the documents of a file; n counts those of all files.
func addTRECDocs(ctx context.Context, w *Writer, path string, base edb.Document, n *int, opt ImportOptions) error {
	return trecDocs(path, func(_ int, r trecDoc) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		d := base
		d.ID = r.id
		if d.Source != nil {
			s := *d.Source
			s.ID = r.id
			d.Source = &s
		}
		if err := w.addText(d, r.text); err != nil {
			return err
		}
		if *n++; *n%1000 == 0 {
			opt.progress(*n, 0)
		}
		return nil
	})
}

// addTopics adds the topics of a file as questions.
func addTopics(w *Writer, path string, base edb.Question, short map[string]string) error {
	topics, err := readTopics(path)
	if err != nil {
		return err
	}
	for _, t := range topics {
		q := base
		q.ID, q.Text = t.id, t.text
		if err := w.AddQuestion(q); err != nil {
			return fmt.Errorf("%s:%d: %w", path, t.line, err)
		}
		if short != nil {
			short[strings.TrimLeft(t.id, "0")] = t.id
		}
	}
	return nil
}
