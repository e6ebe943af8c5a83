package main

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// badDataset writes a dataset of one document and one question and spoils it.
func badDataset(t *testing.T, documents, queries string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bad")
	if err := os.MkdirAll(filepath.Join(dir, "files"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"dataset.yaml": "name: bad\n", "documents.jsonl": documents, "queries.jsonl": queries, "files/a.txt": "hello\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestDatasetCommandsRefuseBadInput holds that every command that reads a dataset says file, line and
// remedy of the first fault, ends with exit code 2, and leaves the folder as it was.
func TestDatasetCommandsRefuseBadInput(t *testing.T) {
	const doc = `{"id":"a","path":"files/a.txt","licence":{"spdx":"CC0-1.0","evidence":"made"}}` + "\n"
	const question = `{"id":"q1","text":"?","evidence":[{"doc":"a","page":1}]}` + "\n"
	for _, c := range []struct{ name, documents, queries, want string }{
		{"broken line", doc + `{"id":"b",`, question, `documents.jsonl:2: is no JSON: it ends too early: correct the syntax`},
		{"broken question", doc, question + "{]\n", `queries.jsonl:2: is no JSON: invalid character ']'`},
		{"double document", doc + doc, question, `documents.jsonl:2: document "a": id stands in line 1 already: give every document its own`},
		{"double question", doc, question + question, `queries.jsonl:2: question "q1": id stands in line 1 already: give every question its own`},
		{"evidence not found", doc, strings.Replace(question, `"doc":"a"`, `"doc":"z"`, 1), `queries.jsonl:1: question "q1": evidence 1: document "z" is unknown: name one of documents.jsonl`},
		{"unknown key", strings.Replace(doc, "spdx", "name", 1), question, `documents.jsonl:1: unknown key "licence.name"`},
		{"no licence", `{"id":"a","path":"files/a.txt","licence":{}}` + "\n", question, `documents.jsonl:1: document "a": licence is missing: give licence.spdx`},
		{"path out", strings.Replace(doc, "files/a.txt", "../a.txt", 1), question, `documents.jsonl:1: document "a": path "../a.txt" leads out of the dataset: copy the file`},
	} {
		dir := badDataset(t, c.documents, c.queries)
		before := contents(t, filepath.Dir(dir))
		for _, args := range [][]string{
			{"split", dir}, {"split", dir, "--out", dir + "-copy"}, {"stats", dir}, {"licences", dir, "--out", dir + ".md"}, {"diff", dir, dir},
		} {
			var out, errOut bytes.Buffer
			code := run(context.Background(), strings.NewReader(""), &out, &errOut, append([]string{"dataset"}, args...))
			if code != exitInput || !strings.Contains(errOut.String(), c.want) || out.Len() > 0 {
				t.Errorf("%s: edb dataset %s: exit code %d\n%s%s\nwant %s", c.name, args[0], code, out.String(), errOut.String(), c.want)
			}
		}
		if after := contents(t, filepath.Dir(dir)); after != before {
			t.Errorf("%s: the folder has changed:\n%s\nbefore:\n%s", c.name, after, before)
		}
	}
}

// contents lists every file under a folder with what it holds.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		raw, err := os.ReadFile(p)
		b.WriteString(p + "\n" + string(raw))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
