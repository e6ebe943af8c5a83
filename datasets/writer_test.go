package datasets

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	edb "enterprisedocbench"
)

var licence = edb.Licence{SPDX: "CC0-1.0", Redistribute: true, Evidence: "made for the test"}

func goldOf(texts ...string) *edb.Parsed {
	p := &edb.Parsed{Paged: true}
	for i, t := range texts {
		p.Pages = append(p.Pages, edb.Page{Number: i + 1, Width: 600, Height: 800,
			Elements: []edb.Element{{ID: fmt.Sprintf("p%d", i+1), Kind: edb.KindParagraph, Text: t, Box: &edb.Box{10, 10, 200, 40}}}})
	}
	return p
}

// small writes a dataset of two documents and two questions.
func small(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	w, err := Create(dir, Info{Name: "small", Seed: 7})
	must(t, err)
	must(t, w.AddQuestion(edb.Question{ID: "q2", Text: "Who is Bob?", Modality: edb.ModalityUnanswerable, Subtype: "absent-entity"}))
	must(t, w.AddQuestion(edb.Question{ID: "q1", Text: "What is the rent?", Modality: edb.ModalitySingleHop, Task: "lookup",
		Answer:   &edb.GoldAnswer{Type: "number", Value: 12.0, Unit: "USD"},
		Evidence: []edb.Evidence{{Doc: "lease", Page: 2, Start: 4, End: 8, Quote: "rent"}}}))
	must(t, w.AddDocument(edb.Document{ID: "note", Path: "note.txt", Licence: licence}, []byte("hello"), nil))
	must(t, w.AddDocument(edb.Document{ID: "lease", MIME: "application/pdf", Gold: "generated", Licence: licence}, []byte("%PDF-1.4 x"), goldOf("First", "The rent is 12.")))
	must(t, w.Close())
	return dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func read1(t *testing.T, parts ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(parts...))
	must(t, err)
	return string(b)
}

func TestWriterRoundTrip(t *testing.T) {
	dir := small(t)
	faults, err := Check(dir)
	must(t, err)
	if len(faults) > 0 {
		t.Fatalf("a fresh dataset has faults: %v", faults)
	}
	d, err := Open(dir)
	must(t, err)
	if len(d.Documents) != 2 || d.Documents[0].ID != "lease" || d.Documents[0].Pages != 2 || d.Documents[0].Bytes != 10 {
		t.Errorf("documents: %+v", d.Documents)
	}
	if d.Documents[1].Path != "files/note.txt" || d.Documents[1].MIME != "text/plain" || d.Documents[1].Gold != "none" {
		t.Errorf("note: %+v", d.Documents[1])
	}
	if got := d.Qrels["q1"]["lease#2"]; got != 1 || len(d.Qrels) != 1 {
		t.Errorf("qrels: %v", d.Qrels)
	}
	if got := read1(t, dir, QrelsFile); got != "q1 0 lease#2 1\n" {
		t.Errorf("qrels.txt: %q", got)
	}
	g, ok, err := d.Gold("lease")
	if err != nil || !ok || g.Doc != "lease" || !g.Paged || g.Pages[1].Text() != "The rent is 12." {
		t.Errorf("gold: %+v %v %v", g, ok, err)
	}
	if _, ok, err := d.Gold("note"); ok || err != nil {
		t.Errorf("note has gold: %v %v", ok, err)
	}
	p, err := d.File(d.Documents[0])
	if err != nil || read1(t, p) != "%PDF-1.4 x" {
		t.Errorf("file: %s %v", p, err)
	}
	must(t, d.CheckEvidence(d.Questions))
	left, _ := filepath.Glob(dir + "*")
	if !slices.Equal(left, []string{dir}) {
		t.Errorf("left beside the dataset: %v", left)
	}
}

func TestWriterBytesAreTheSame(t *testing.T) {
	a, b := small(t), small(t)
	for _, f := range []string{InfoFile, DocumentsFile, QuestionsFile, QrelsFile, "gold/lease.json", "files/lease.pdf"} {
		if read1(t, a, f) != read1(t, b, f) {
			t.Errorf("%s differs between two runs", f)
		}
	}
	if got := read1(t, a, InfoFile); got != "name: small\nseed: 7\n" {
		t.Errorf("dataset.yaml: %q", got)
	}
}

func TestWriterRefuses(t *testing.T) {
	doc := func(d edb.Document) edb.Document { d.Licence = licence; return d }
	pdf := []byte("%PDF-1.4")
	for _, c := range []struct {
		name string
		do   func(w *Writer) error
		want string
	}{
		{"double document", func(w *Writer) error {
			w.AddDocument(doc(edb.Document{ID: "a", Path: "a.pdf"}), pdf, nil)
			return w.AddDocument(doc(edb.Document{ID: "a", Path: "a.pdf"}), pdf, nil)
		}, `document "a": id is given twice: give every document its own`},
		{"case clash", func(w *Writer) error {
			w.AddDocument(doc(edb.Document{ID: "a", Path: "a.pdf"}), pdf, nil)
			return w.AddDocument(doc(edb.Document{ID: "A", Path: "a.pdf"}), pdf, nil)
		}, `document "A": its file name differs from that of "a" in case only: rename one of the two`},
		{"double question", func(w *Writer) error {
			w.AddQuestion(edb.Question{ID: "q", Text: "x"})
			return w.AddQuestion(edb.Question{ID: "q", Text: "x"})
		}, `question "q": id is given twice: give every question its own`},
		{"empty file", func(w *Writer) error { return w.AddDocument(doc(edb.Document{ID: "a", Path: "a.pdf"}), nil, nil) },
			`document "a": the file is empty: leave the document out`},
		{"html as pdf", func(w *Writer) error {
			return w.AddDocument(doc(edb.Document{ID: "a", Path: "a.pdf"}), []byte("<html><body>no"), nil)
		}, `document "a": the file is named .pdf but is text/html: name it by what it is`},
		{"licence", func(w *Writer) error { return w.AddDocument(edb.Document{ID: "a", Path: "a.pdf"}, pdf, nil) },
			`document "a": licence is missing: give licence.spdx and licence.evidence, which says how it is known`},
		{"gold kind", func(w *Writer) error {
			return w.AddDocument(doc(edb.Document{ID: "a", Path: "a.pdf", Gold: "gpt"}), pdf, goldOf("x"))
		}, `document "a": gold is "gpt": use human, source, generated, reference(ENGINE@VERSION) or none`},
		{"gold unsaid", func(w *Writer) error {
			return w.AddDocument(doc(edb.Document{ID: "a", Path: "a.pdf"}), pdf, goldOf("x"))
		},
			`document "a": gold is given but its kind is "": say human, source, generated or reference(ENGINE@VERSION)`},
		{"quote", func(w *Writer) error {
			w.AddDocument(doc(edb.Document{ID: "a", Path: "a.pdf", Gold: "human"}), pdf, goldOf("Das Öl ist heiß."))
			w.AddQuestion(edb.Question{ID: "q", Text: "x", Evidence: []edb.Evidence{{Doc: "a", Page: 1, Start: 4, End: 6, Quote: "Ol"}}})
			return w.Close()
		}, `question "q": evidence 1: quote "Ol" is not what stands at 4 to 6 of page 1 of document "a": "Öl": correct the offsets or the quote`},
		{"evidence document", func(w *Writer) error {
			w.AddQuestion(edb.Question{ID: "q", Text: "x", Evidence: []edb.Evidence{{Doc: "b", Page: 1}}})
			return w.Close()
		}, `question "q": evidence 1: document "b" is unknown: name one of documents.jsonl`},
		{"offsets without gold", func(w *Writer) error {
			w.AddDocument(doc(edb.Document{ID: "a", Path: "a.pdf"}), pdf, nil)
			w.AddQuestion(edb.Question{ID: "q", Text: "x", Evidence: []edb.Evidence{{Doc: "a", Page: 1, Start: 1, End: 2}}})
			return w.Close()
		}, `question "q": evidence 1: has offsets but document "a" has no gold to count in: leave start and end out`},
		{"judgement", func(w *Writer) error {
			w.AddQrel("q", "a", 1, 1)
			return w.Close()
		}, `judgement of "q": question "q" is unknown: name one of queries.jsonl`},
		{"two writers", func(w *Writer) error { _, err := Create(w.dir, Info{Name: "x"}); return err },
			`dataset DIR: another writer is at work on it: wait for it to end or name another folder`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			w, err := Create(dir, Info{Name: "x"})
			must(t, err)
			err = c.do(w)
			if err == nil || strings.ReplaceAll(err.Error(), dir, "DIR") != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			w.Abort()
			if left, _ := filepath.Glob(dir + "*"); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestCreateAndReplace(t *testing.T) {
	dir := small(t)
	if _, err := Create(dir, Info{Name: "x"}); err == nil || !strings.Contains(err.Error(), "not empty: delete it or name another") {
		t.Errorf("Create over a dataset: %v", err)
	}
	w, err := Replace(dir, Info{Name: "second"})
	must(t, err)
	must(t, w.AddDocument(edb.Document{ID: "only", Path: "x.txt", Licence: licence}, []byte("x"), nil))
	if d, err := Open(dir); err != nil || d.Info.Name != "small" {
		t.Errorf("before Close: %+v %v", d, err)
	}
	must(t, w.Close())
	if d, err := Open(dir); err != nil || d.Info.Name != "second" || len(d.Documents) != 1 {
		t.Errorf("after Close: %+v %v", d, err)
	}
	other := t.TempDir()
	must(t, os.WriteFile(filepath.Join(other, "precious.txt"), []byte("x"), 0o644))
	if _, err := Replace(other, Info{Name: "x"}); err == nil || !strings.Contains(err.Error(), "something other than a dataset") {
		t.Errorf("Replace of a folder with other things: %v", err)
	}
}
