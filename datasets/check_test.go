package datasets

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	edb "enterprisedocbench"
)

// edit rewrites a file of the dataset; old must stand in it.
func edit(t *testing.T, dir, file, old, new string) {
	t.Helper()
	s := read1(t, dir, file)
	if !strings.Contains(s, old) {
		t.Fatalf("%s does not hold %q:\n%s", file, old, s)
	}
	put(t, dir, file, strings.Replace(s, old, new, 1))
}

func put(t *testing.T, dir, file, content string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(dir, file), []byte(content), 0o644))
}

// faultCases are the ways a dataset can be wrong, each with every message that Check gives. Where
// opens is true, Open cannot see the fault because it lies in files or gold.
var faultCases = []struct {
	name  string
	spoil func(t *testing.T, dir string)
	opens bool
	want  []string
}{
	{"unknown key in dataset.yaml", func(t *testing.T, dir string) { put(t, dir, InfoFile, "name: x\nlicense: MIT\n") }, false,
		[]string{`dataset.yaml:2: unknown field "license": see docs/formats.md for the keys of dataset.yaml`}},
	{"double key in dataset.yaml", func(t *testing.T, dir string) { put(t, dir, InfoFile, "name: x\nname: y\n") }, false,
		[]string{`dataset.yaml:2: mapping key "name" already defined at [1:1]: correct the YAML`}},
	{"wrong type in dataset.yaml", func(t *testing.T, dir string) { put(t, dir, InfoFile, "name: x\nseed: many\n") }, false,
		[]string{`dataset.yaml:2: seed is text, not a whole number: see docs/formats.md for the keys of dataset.yaml`}},
	{"alias in dataset.yaml", func(t *testing.T, dir string) { put(t, dir, InfoFile, "name: &a x\nmade: *a\n") }, false,
		[]string{`dataset.yaml:1: holds an anchor or alias: write the value out`}},
	{"no name", func(t *testing.T, dir string) { put(t, dir, InfoFile, "version: 1\n") }, false,
		[]string{`dataset.yaml:1: name is missing: add "name: NAME"`}},
	{"values of dataset.yaml", func(t *testing.T, dir string) {
		put(t, dir, InfoFile, "name: x\nprivacy: {send: maybe}\nsplits: {test: 0.5}\ngold_parts: [tables]\nmask:\n  - {documents: \"[\", leave_out: [formulas]}\n")
	}, false, []string{
		`dataset.yaml:1: privacy.send is "maybe": use allow or never`,
		`dataset.yaml:3: split fractions sum to 0.5: make them sum to 1`,
		`dataset.yaml:4: gold_parts holds "tables", which is no element kind: use heading, paragraph, list-item, table, figure, caption, formula, footnote, code, header, footer or page-number`,
		`dataset.yaml:5: mask pattern "[" cannot be read: close its brackets`,
		`dataset.yaml:5: mask leaves out "formulas", which is not known: use formula, citation, references, line-numbers, other-pages, headings or order`,
		`gold/lease.json:2: page 1 holds a paragraph, which gold_parts of dataset.yaml does not list: add the kind there or drop the element`,
		`gold/lease.json:3: page 2 holds a paragraph, which gold_parts of dataset.yaml does not list: add the kind there or drop the element`,
	}},
	{"no dataset.yaml", func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, InfoFile))) }, false,
		[]string{`dataset.yaml: cannot be read: no such file or directory: write at least "name: NAME" into it, or name the folder that holds it`}},
	{"no documents", func(t *testing.T, dir string) {
		must(t, os.Remove(filepath.Join(dir, DocumentsFile)))
		put(t, dir, QuestionsFile, "")
		put(t, dir, QrelsFile, "")
		must(t, os.RemoveAll(filepath.Join(dir, FilesDir)))
		must(t, os.RemoveAll(filepath.Join(dir, GoldDir)))
	}, false, []string{`documents.jsonl: is missing: write one document a line`}},
	{"unknown key", func(t *testing.T, dir string) { edit(t, dir, DocumentsFile, `"mime"`, `"MIME"`) }, false,
		[]string{`documents.jsonl:1: unknown key "MIME": use "mime"`}},
	{"unknown key inside", func(t *testing.T, dir string) { edit(t, dir, DocumentsFile, `"spdx"`, `"name"`) }, false,
		[]string{`documents.jsonl:1: unknown key "licence.name": use commercial, derivatives, evidence, redistribute or spdx`}},
	{"double key", func(t *testing.T, dir string) {
		edit(t, dir, DocumentsFile, `"path"`, `"id":"lease","path"`)
	}, false, []string{`documents.jsonl:1: key "id" stands twice: keep one`}},
	{"wrong type", func(t *testing.T, dir string) {
		edit(t, dir, DocumentsFile, `"pages":2`, `"pages":"two"`)
	}, false, []string{`documents.jsonl:1: pages: is a string, not a whole number: write a whole number`}},
	{"no JSON", func(t *testing.T, dir string) {
		put(t, dir, DocumentsFile, read1(t, dir, DocumentsFile)+`{"id":"x`+"\n")
	}, false, []string{`documents.jsonl:3: is no JSON: it ends too early: correct the syntax`}},
	{"double document id", func(t *testing.T, dir string) {
		edit(t, dir, DocumentsFile, `"id":"note"`, `"id":"lease"`)
	}, false, []string{
		`documents.jsonl:2: document "lease": id stands in line 1 already: give every document its own`,
		`files/note.txt: belongs to no document: add a line to documents.jsonl or delete the file`,
	}},
	{"double question id", func(t *testing.T, dir string) { edit(t, dir, QuestionsFile, `"id":"q2"`, `"id":"q1"`) }, false,
		[]string{
			`queries.jsonl:2: question "q1": id stands in line 1 already: give every question its own`,
		}},
	{"missing file", func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, "files/note.txt"))) }, true,
		[]string{`documents.jsonl:2: document "note": file "files/note.txt" is missing: put it there or take the line out`}},
	{"hash", func(t *testing.T, dir string) { put(t, dir, "files/note.txt", "hallo") }, true,
		[]string{`documents.jsonl:2: document "note": sha256 is not that of the file: fetch the file again or write d3751d33f9cd5049c4af2b462735457e4d3baf130bcbb87f389e349fbaeb20b9`}},
	{"bytes", func(t *testing.T, dir string) { edit(t, dir, DocumentsFile, `"bytes":5`, `"bytes":6`) }, true,
		[]string{`documents.jsonl:2: document "note": bytes is 6, the file has 5: fetch the file again or write 5`}},
	{"pages", func(t *testing.T, dir string) { edit(t, dir, DocumentsFile, `"pages":2`, `"pages":1`) }, false, []string{
		`gold/lease.json:3: has page 2 but the document has 1 page: correct the number here or in documents.jsonl`,
		`qrels.txt:1: page 2 of document "lease", which has 1 page: count physical pages from 1`,
		`queries.jsonl:1: question "q1": evidence 1: page 2 of document "lease", which has 1 page: count physical pages from 1`,
	}},
	{"empty file", func(t *testing.T, dir string) { put(t, dir, "files/note.txt", "") }, true,
		[]string{`documents.jsonl:2: document "note": file "files/note.txt" is empty: put the real file there or take the line out`}},
	{"HTML named PDF", func(t *testing.T, dir string) { put(t, dir, "files/lease.pdf", "<html>sorr") }, true, []string{
		`documents.jsonl:1: document "lease": sha256 is not that of the file: fetch the file again or write 103c1c76e7df2ae244453725fdca7f0493bfac3a00a2abcfcce8e402df8398d7`,
		`documents.jsonl:1: document "lease": the file is named .pdf but is text/html: fetch the file again or name it by what it is`,
	}},
	{"licence", func(t *testing.T, dir string) {
		edit(t, dir, DocumentsFile, `"licence":{"spdx":"CC0-1.0","redistribute":true,"derivatives":false,"commercial":false,"evidence":"made for the test"}`, `"licence":{}`)
	}, false, []string{`documents.jsonl:1: document "lease": licence is missing: give licence.spdx and licence.evidence, which says how it is known`}},
	{"gold kind", func(t *testing.T, dir string) {
		edit(t, dir, DocumentsFile, `"gold":"generated"`, `"gold":"reference(pdfium)"`)
	}, false, []string{`documents.jsonl:1: document "lease": gold is "reference(pdfium)": use human, source, generated, reference(ENGINE@VERSION) or none`}},
	{"split", func(t *testing.T, dir string) {
		edit(t, dir, DocumentsFile, `"gold":"none"`, `"split":"dev","gold":"none"`)
	}, false,
		[]string{`documents.jsonl:2: document "note": split is "dev": use train, val, test or quarantine`}},
	{"path out", func(t *testing.T, dir string) {
		edit(t, dir, DocumentsFile, `files/note.txt`, `../note.txt`)
	}, false, []string{
		`documents.jsonl:2: document "note": path "../note.txt" leads out of the dataset: copy the file into files/ and name it there`,
		`files/note.txt: belongs to no document: add a line to documents.jsonl or delete the file`,
	}},
	{"absolute path", func(t *testing.T, dir string) {
		edit(t, dir, DocumentsFile, `files/note.txt`, `/etc/passwd`)
	}, false, []string{
		`documents.jsonl:2: document "note": path "/etc/passwd" leads out of the dataset: copy the file into files/ and name it there`,
		`files/note.txt: belongs to no document: add a line to documents.jsonl or delete the file`,
	}},
	{"link out", func(t *testing.T, dir string) {
		must(t, os.Remove(filepath.Join(dir, "files/note.txt")))
		out := filepath.Join(t.TempDir(), "secret")
		must(t, os.WriteFile(out, []byte("hello"), 0o644))
		must(t, os.Symlink(out, filepath.Join(dir, "files/note.txt")))
	}, false, []string{`documents.jsonl:2: document "note": path "files/note.txt" is a link out of the dataset: put a copy of the file in its place`}},
	{"no gold", func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, "gold/lease.json"))) }, true, []string{
		`documents.jsonl:1: document "lease": gold is "generated" but neither gold/lease.json nor .md is there: add the file or say none`,
		`queries.jsonl:1: question "q1": evidence 1: the gold of document "lease" cannot be read (documents.jsonl:1: document "lease": gold is "generated" but neither gold/lease.json nor .md is there: add the file or say none): correct the gold`,
	}},
	{"gold not announced", func(t *testing.T, dir string) { put(t, dir, "gold/note.json", `{"pages":[]}`) }, true,
		[]string{`documents.jsonl:2: document "note": gold is "none" but gold/note.json is there: say what kind of gold it is or delete the file`}},
	{"gold unreadable", func(t *testing.T, dir string) {
		edit(t, dir, "gold/lease.json", `"kind":"paragraph","text":"The`, `"kind":"paragraph","txt":"The`)
	}, true, []string{
		`gold/lease.json:3: unknown key "pages[1].elements[0].txt": use box, caption_of, html, id, kind, level, lines or text`,
		`queries.jsonl:1: question "q1": evidence 1: the gold of document "lease" cannot be read (gold/lease.json:3: unknown key "pages[1].elements[0].txt": use box, caption_of, html, id, kind, level, lines or text): correct the gold`,
	}},
	{"gold kinds and boxes", func(t *testing.T, dir string) {
		edit(t, dir, "gold/lease.json", `"kind":"paragraph"`, `"kind":"text"`)
		edit(t, dir, "gold/lease.json", `[10,10,200,40]`, `[10,10,700,40]`)
		edit(t, dir, "gold/lease.json", `[10,10,200,40]`, `[10,50,200,40]`)
	}, true, []string{
		`gold/lease.json:2: page 1, element 1: kind is "text": use heading, paragraph, list-item, table, figure, caption, formula, footnote, code, header, footer or page-number`,
		`gold/lease.json:2: page 1, element 1: box [10 10 700 40] stands out of the page of 600 x 800 points: give points with the origin at the top left of the page`,
		`gold/lease.json:3: page 2, element 1: box [10 50 200 40] is turned over: write [x0, y0, x1, y1] with x0 <= x1 and y0 <= y1, origin top left`,
	}},
	{"quote differs", func(t *testing.T, dir string) { edit(t, dir, QuestionsFile, `"quote":"rent"`, `"quote":"tent"`) }, true,
		[]string{`queries.jsonl:1: question "q1": evidence 1: quote "tent" is not what stands at 4 to 8 of page 2 of document "lease": "rent": correct the offsets or the quote`}},
	{"offsets out of range", func(t *testing.T, dir string) { edit(t, dir, QuestionsFile, `"end":8`, `"end":80`) }, true,
		[]string{`queries.jsonl:1: question "q1": evidence 1: ends at 80, but page 2 of document "lease" has 15 code points: count code points of the page's text from 0`}},
	{"evidence before the page", func(t *testing.T, dir string) { edit(t, dir, QuestionsFile, `"start":4`, `"start":-4`) }, false, []string{
		`queries.jsonl:1: question "q1": evidence 1 has the range -4 to 8: give 0 <= start < end, or leave both out to mean the page`}},
	{"evidence document", func(t *testing.T, dir string) { edit(t, dir, QuestionsFile, `"doc":"lease"`, `"doc":"release"`) }, false, []string{
		`queries.jsonl:1: question "q1": evidence 1: document "release" is unknown: name one of documents.jsonl`,
		`queries.jsonl:1: question "q1": evidence 1: page "release#2" is not relevant in qrels.txt: add the judgement, or delete qrels.txt to have it derived`,
	}},
	{"values of a question", func(t *testing.T, dir string) {
		edit(t, dir, QuestionsFile, `"modality":"single-hop"`, `"modality":"one-hop","subtype":"absent"`)
		edit(t, dir, QuestionsFile, `"task":"lookup"`, `"task":"search"`)
		edit(t, dir, QuestionsFile, `"type":"number"`, `"type":"money"`)
	}, false, []string{
		`queries.jsonl:1: question "q1": modality is "one-hop": use single-hop, multi-hop, table, figure or unanswerable`,
		`queries.jsonl:1: question "q1": subtype is "absent": use absent-entity, absent-field, false-premise, near-miss or contradictory`,
		`queries.jsonl:1: question "q1": task is "search": use lookup, compliance-extraction, contract-analysis, financial-reconciliation or summarisation`,
		`queries.jsonl:1: question "q1": has the subtype "absent" but is answerable: drop the subtype or say unanswerable`,
		`queries.jsonl:1: question "q1": answer.type is "money": use text, exact, number, date, boolean or set`,
	}},
	{"answer value", func(t *testing.T, dir string) { edit(t, dir, QuestionsFile, `"value":12`, `"value":"12"`) }, false,
		[]string{`queries.jsonl:1: question "q1": answer.value of type number is 12: write a number`}},
	{"unanswerable with evidence", func(t *testing.T, dir string) {
		edit(t, dir, QuestionsFile, `"modality":"single-hop"`, `"modality":"unanswerable"`)
	}, false, []string{
		`qrels.txt:1: question "q1" is unanswerable but has a judgement: take the line out`,
		`queries.jsonl:1: question "q1": is unanswerable but has evidence: drop the evidence or name another modality`,
		`queries.jsonl:1: question "q1": is unanswerable but has an answer: drop the answer or name another modality`,
	}},
	{"judgements", func(t *testing.T, dir string) {
		put(t, dir, QrelsFile, "q1 0 lease#2 1\nq1 0 lease#9 1\nq1 0 release#1 1\nq9 0 lease#1 1\nq2 0 lease#1 0\nq1 0 lease#1 high\nq1 0 lease 1\nq1 lease#1 1\nq1 0 lease#2 1\n")
	}, false, []string{
		`qrels.txt:2: page 9 of document "lease", which has 2 pages: count physical pages from 1`,
		`qrels.txt:3: document "release" is unknown: name one of documents.jsonl`,
		`qrels.txt:4: question "q9" is unknown: name one of queries.jsonl`,
		`qrels.txt:5: question "q2" is unanswerable but has a judgement: take the line out`,
		`qrels.txt:6: grade "high" is not a whole number: write "question 0 DOC#PAGE grade"`,
		`qrels.txt:7: "lease" names no page: write DOC#PAGE with pages from 1; document grain is derived`,
		`qrels.txt:8: has 3 columns: write "question 0 DOC#PAGE grade"`,
		`qrels.txt:9: page "lease#2" is judged twice for question "q1": keep one line`,
	}},
	{"stray file", func(t *testing.T, dir string) { put(t, dir, "files/more.pdf", "%PDF") }, true,
		[]string{`files/more.pdf: belongs to no document: add a line to documents.jsonl or delete the file`}},
	{"gold parts", func(t *testing.T, dir string) { put(t, dir, InfoFile, "name: x\ngold_parts: [table]\n") }, true,
		[]string{
			`gold/lease.json:2: page 1 holds a paragraph, which gold_parts of dataset.yaml does not list: add the kind there or drop the element`,
			`gold/lease.json:3: page 2 holds a paragraph, which gold_parts of dataset.yaml does not list: add the kind there or drop the element`,
		}},
}

func TestCheckFindsEveryFault(t *testing.T) {
	for _, c := range faultCases {
		t.Run(c.name, func(t *testing.T) {
			dir := small(t)
			c.spoil(t, dir)
			faults, err := Check(dir)
			must(t, err)
			var got []string
			for _, f := range faults {
				got = append(got, f.String())
			}
			slices.Sort(got)
			want := slices.Sorted(slices.Values(c.want))
			if !slices.Equal(got, want) {
				t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
			}
			d, err := Open(dir)
			if c.opens && err != nil {
				t.Errorf("Open: %v", err)
			}
			if !c.opens {
				if d != nil || err == nil {
					t.Fatal("Open takes it")
				}
				first := strings.TrimPrefix(err.Error(), dir+string(filepath.Separator))
				first, _, _ = strings.Cut(first, " (")
				if !slices.ContainsFunc(want, func(w string) bool { return strings.HasPrefix(w, first) }) {
					t.Errorf("Open says %q, which Check does not", first)
				}
			}
		})
	}
}

func TestCheckSeesAWriterAtWork(t *testing.T) {
	dir := small(t)
	w, err := Replace(dir, Info{Name: "x"})
	must(t, err)
	defer w.Abort()
	faults, err := Check(dir)
	if err != nil || len(faults) != 1 || faults[0].String() != "dataset.yaml: another writer is at work on the dataset: wait for it to end" {
		t.Errorf("got %v, %v", faults, err)
	}
}

func TestCheckOfNoFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "nowhere")
	if _, err := Check(dir); err == nil || !strings.HasSuffix(err.Error(), "nowhere: no such file or directory: name a folder with a dataset.yaml") {
		t.Errorf("got %v", err)
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "dataset.yaml: cannot be read: no such file or directory") {
		t.Errorf("got %v", err)
	}
}

func TestGoldAndFileErrorsNameTheLine(t *testing.T) {
	dir := small(t)
	d, err := Open(dir)
	must(t, err)
	must(t, os.Remove(filepath.Join(dir, "files/note.txt")))
	if _, err := d.File(d.Documents[1]); err == nil || err.Error() != dir+`/documents.jsonl:2: document "note": file "files/note.txt" is missing: put it there or take the line out` {
		t.Errorf("got %v", err)
	}
	if _, err := d.File(edb.Document{ID: "x", Path: "../x"}); err == nil || !strings.Contains(err.Error(), `path "../x" leads out of the dataset`) {
		t.Errorf("got %v", err)
	}
	must(t, os.Symlink("/etc/passwd", filepath.Join(dir, "files/note.txt")))
	if _, err := d.File(d.Documents[1]); err == nil || !strings.Contains(err.Error(), `is a link out of the dataset`) {
		t.Errorf("got %v", err)
	}
	if _, _, err := d.Gold("nobody"); err == nil || err.Error() != `gold: document "nobody" is not in documents.jsonl: name one that is` {
		t.Errorf("got %v", err)
	}
	put(t, dir, "gold/lease.json", "")
	if _, _, err := d.Gold("lease"); err == nil || err.Error() != dir+"/gold/lease.json: is empty: write the gold or say none" {
		t.Errorf("got %v", err)
	}
}

func TestMarkdownGoldMaskAndParts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	w, err := Create(dir, Info{Name: "d", Mask: []MaskRule{{"*", []string{"formula"}}, {"pa*", []string{"citation", "formula"}}}, GoldParts: []string{"table"}})
	must(t, err)
	must(t, w.AddMarkdown(edb.Document{ID: "paper", Path: "p.pdf", Gold: "source", Licence: licence}, []byte("%PDF-"), []byte("# Title\n")))
	must(t, w.Close())
	d, err := Open(dir)
	must(t, err)
	if _, _, err := d.Gold("paper"); err == nil || !strings.Contains(err.Error(), "set Dataset.Markdown") {
		t.Errorf("without a reader: %v", err)
	}
	d.Markdown = func(path string) (edb.Parsed, error) {
		return edb.Parsed{Mask: []string{"references"}, Pages: []edb.Page{{Number: 1, Elements: []edb.Element{{Kind: "heading", Text: read1(t, path)}}}}}, nil
	}
	g, ok, err := d.Gold("paper")
	if err != nil || !ok || g.Text() != "# Title\n" || g.Doc != "paper" || !slices.Equal(g.Mask, []string{"citation", "formula", "references"}) {
		t.Errorf("got %+v %v %v", g, ok, err)
	}
	if d.GoldHolds("") || d.GoldHolds("paragraph") || !d.GoldHolds("table") {
		t.Error("gold_parts are not told apart")
	}
}
