package pipeline

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/internal/testdata"
)

// mixed is a corpus of n text documents beside PDFs that cannot be read and one whose gold cannot.
func mixed(t *testing.T, n int, encrypted []byte) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	w, err := datasets.Create(dir, datasets.Info{Name: "mixed", Licence: "CC0-1.0", Made: "by a test"})
	if err != nil {
		t.Fatal(err)
	}
	add := func(id, ext, mime string, content []byte) {
		gold := edb.Parsed{Pages: []edb.Page{{Number: 1, Elements: []edb.Element{{ID: "e0", Kind: edb.KindParagraph, Text: "text of " + id}}}}}
		d := edb.Document{ID: id, Path: "files/" + id + ext, MIME: mime, Pages: 1, Domain: "test", Split: "test", Gold: "generated",
			Licence: edb.Licence{SPDX: "CC0-1.0", Redistribute: true, Derivatives: true, Commercial: true, Evidence: "made here"}}
		if err := w.AddDocument(d, content, &gold); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		id := fmt.Sprintf("doc-%04d", i)
		add(id, ".txt", "text/plain", []byte("text of "+id))
	}
	add("encrypted", ".pdf", "application/pdf", encrypted)
	add("truncated", ".pdf", "application/pdf", encrypted[:40])
	add("empty", ".pdf", "application/pdf", []byte("%PDF-1.4\n"))
	q := edb.Question{ID: "q", Text: "Which text is that of doc-0001?", Modality: edb.ModalitySingleHop, Task: "lookup", Domain: "test",
		Answer:   &edb.GoldAnswer{Type: "text", Value: "text of doc-0001"},
		Evidence: []edb.Evidence{{Doc: "doc-0001", Page: 1, Start: 0, End: 16, Quote: "text of doc-0001"}}}
	if err := w.AddQuestion(q); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"files/empty.pdf": "", "gold/doc-0002.json": `{"pages": [`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// PDFs that cannot be read and gold that cannot are listed with their kind, in the first run and
// when the cache answers; the other documents are whole.
func TestUnreadablePDFsAndGoldAreListed(t *testing.T) {
	n := 60
	if os.Getenv("EDB_LONG") != "" {
		n = 1000
	}
	var encrypted []byte
	for _, c := range testdata.Cases(t, "pdf") {
		if c.ID == "pdf-user-password" {
			var in struct {
				PDF []byte `json:"pdf_base64"`
			}
			if err := json.Unmarshal(c.Input, &in); err != nil {
				t.Fatal(err)
			}
			encrypted = in.PDF
		}
	}
	if len(encrypted) == 0 {
		t.Fatal("the case pdf-user-password is gone")
	}
	path := config(t, mixed(t, n, encrypted), "  - {name: a}\n")
	dir := t.TempDir()
	want := map[string]string{"encrypted": "parse encrypted", "truncated": "parse damaged", "empty": "parse damaged", "doc-0002": "gold gold"}
	for _, out := range []string{"first", "again"} {
		s := run(t, path, filepath.Join(dir, out), filepath.Join(dir, "c"), 2)
		rows, err := store.ReadJSONL[edb.Failure](filepath.Join(dir, out, "failures.jsonl"), true)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, f := range rows {
			got[f.Unit] = f.Stage + " " + f.Kind
			if strings.TrimSpace(f.Error) == "" {
				t.Errorf("no reason: %+v", f)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: failures %v, want %v", out, got, want)
		}
		tis := s.Pipelines["a"]["parse.tis"]
		if tis.N != n+2 || tis.NOK != n-1 || tis.ValueOK == nil || *tis.ValueOK != 1 {
			t.Errorf("%s: the other documents must be measured: %+v", out, tis)
		}
	}
}

// Predictions that were made anew are read anew: no result of the old ones comes from the cache.
func TestChangedPredictionsAreReadAgain(t *testing.T) {
	data := corpus(t, 3)
	pred := t.TempDir()
	write := func(text string) {
		for i := range 3 {
			if err := os.WriteFile(filepath.Join(pred, fmt.Sprintf("doc-%03d.txt", i)), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	path := config(t, data, fmt.Sprintf("  - {name: a, parse: {engine: {files: %q}}}\n", pred))
	dir := t.TempDir()
	passages := func(out string) string {
		run(t, path, filepath.Join(dir, out), filepath.Join(dir, "c"), 2)
		b, err := os.ReadFile(filepath.Join(dir, out, "passages.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	write("an old reading")
	if s := passages("one"); !strings.Contains(s, "an old reading") {
		t.Fatalf("the predictions are not read: %s", s)
	}
	write("a new reading")
	if s := passages("two"); !strings.Contains(s, "a new reading") || strings.Contains(s, "an old reading") {
		t.Errorf("changed predictions came from the cache: %s", s)
	}
}
