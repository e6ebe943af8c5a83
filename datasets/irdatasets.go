package datasets

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/strict"
)

// importIRDatasets reads what ir_datasets exports with --format jsonl: docs.jsonl, queries.jsonl, and
// qrels.txt (TREC form) or qrels.jsonl; scoreddocs.txt, if it is there, becomes the run scoreddocs. All
// may be packed with gzip.
func importIRDatasets(ctx context.Context, from, out string, opt ImportOptions) error {
	known, err := origins(from)
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: filepath.Base(filepath.Clean(from)), Version: "1", Annotations: known["queries.jsonl"].annotations(),
		Made: "a collection exported by ir_datasets: a document is its title and its fields of text, judged as a whole",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	n := 0
	err = lines(filepath.Join(from, "docs.jsonl"), func(_ int, raw []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		d, text, err := irDoc(raw)
		if err != nil {
			return err
		}
		d.Licence, d.Source = known["docs.jsonl"].stated(), known["docs.jsonl"].source()
		if err := w.addText(d, text); err != nil {
			return err
		}
		if n++; n%1000 == 0 {
			opt.progress(n, 0)
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = jsonLines(filepath.Join(from, "queries.jsonl"), func(_ int, q struct {
		ID    word   `json:"query_id"`
		Text  string `json:"text"`
		Title string `json:"title"`
		Query string `json:"query"`
	}) error {
		return w.AddQuestion(edb.Question{ID: string(q.ID), Text: cmp.Or(q.Text, q.Title, q.Query)})
	})
	if err != nil {
		return err
	}
	if err := irQrels(w, from); err != nil {
		return err
	}
	if p := filepath.Join(from, "scoreddocs.txt"); there(p) {
		if err := readRunInto(w, p, "scoreddocs"); err != nil {
			return err
		}
	}
	return w.Close()
}

func irQrels(w *Writer, from string) error {
	for _, name := range []string{"qrels.txt", "qrels.trec", "qrels"} {
		if p := filepath.Join(from, name); there(p) {
			return readQrelsInto(w, p, nil, nil)
		}
	}
	return jsonLines(filepath.Join(from, "qrels.jsonl"), func(_ int, q struct {
		Query     word  `json:"query_id"`
		Doc       word  `json:"doc_id"`
		Relevance *word `json:"relevance"`
	}) error {
		if q.Relevance == nil {
			return errors.New("relevance is missing: write a whole number")
		}
		grade, err := wholeGrade(string(*q.Relevance))
		if err != nil {
			return err
		}
		return w.judgeOnce(string(q.Query), string(q.Doc), grade)
	})
}

// there reports whether a file is there, plain or packed.
func there(path string) bool {
	for _, p := range []string{path, path + ".gz"} {
		if st, err := os.Stat(p); err == nil && st.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// titleFields name the title of a document among the fields of ir_datasets; notText are fields that
// are no text of it.
var (
	titleFields = []string{"title", "headline"}
	notText     = []string{"doc_id", "url", "date", "time", "author", "marked_up_doc", "html", "http_headers", "body_content_type", "lang", "language", "metadata", "category", "original_document"}
)

// irDoc takes a line of docs.jsonl apart: the title, and the other fields that are text, in the order
// of the line.
func irDoc(raw []byte) (d edb.Document, text string, err error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return d, "", errors.New("is no JSON object: correct the line")
	}
	var parts []string
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return d, "", errors.New(strict.Syntax(err) + ": correct the line")
		}
		key := tok.(string)
		var v json.RawMessage
		if err := dec.Decode(&v); err != nil {
			return d, "", errors.New(strict.Syntax(err) + ": correct the line")
		}
		var s string
		switch isText := json.Unmarshal(v, &s) == nil; {
		case key == "doc_id":
			var id word
			if err := id.UnmarshalJSON(v); err != nil {
				return d, "", fmt.Errorf("doc_id: %w: correct the line", err)
			}
			d.ID = string(id)
		case !isText || s == "":
		case slices.Contains(titleFields, key) && d.Title == "":
			d.Title = s
		case !slices.Contains(notText, key):
			parts = append(parts, s)
		}
	}
	if _, err := dec.Token(); err != nil {
		return d, "", errors.New(strict.Syntax(err) + ": correct the line")
	}
	if d.ID == "" {
		return d, "", errors.New("doc_id is missing: add it")
	}
	return d, strings.Join(parts, "\n\n"), nil
}
