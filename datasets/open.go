package datasets

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/store"
)

// Dataset is an opened dataset directory. Its methods may be called from several goroutines.
type Dataset struct {
	Dir       string
	Info      Info
	Documents []edb.Document // in file order
	Questions []edb.Question // in file order
	// Qrels holds judgements by question and page, as "DOC#PAGE" (edb.PageID) with the plain document ID.
	Qrels map[string]map[string]int
	// Answers holds the labelled answers of answers.jsonl, in file order; empty without the file.
	Answers []LabelledAnswer
	// Facts holds the facts of facts.jsonl, in file order; empty without the file.
	Facts []Fact
	// Markdown reads gold/ID.md. It must be set before Gold is asked for such a document.
	Markdown func(path string) (edb.Parsed, error)

	docAt        map[string]int
	docLine      map[string]int
	questionLine map[string]int
	questionAt   map[string]int
	find         func(id string) (edb.Document, bool) // in place of docAt, while a writer is at work
	real         string                               // Dir without symbolic links
}

// Open reads a dataset directory strictly: unknown, repeated and mistyped keys, double IDs, values
// that are none of the allowed ones, evidence and judgements of unknown documents or pages, and
// paths that lead out of the directory are a *FaultError with file, line and remedy. It does not read
// files and gold: a missing file is found by File, wrong gold by Gold, evidence that is not in the
// gold by CheckEvidence, all of it by Check. Without qrels.txt the judgements are those of the
// evidence.
func Open(dir string) (*Dataset, error) {
	d, faults := read(dir)
	if len(faults) > 0 {
		return nil, faultError(dir, faults)
	}
	return d, nil
}

// read gives what could be read and every fault that the tables show by themselves.
func read(dir string) (*Dataset, []Fault) {
	d := &Dataset{Dir: dir, docLine: map[string]int{}, questionLine: map[string]int{}}
	var faults []Fault
	d.Info, faults = readInfo(dir)
	if _, err := os.Stat(dir); err != nil {
		return d, faults
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		if real, err = filepath.Abs(real); err == nil {
			d.real = real
		}
	}
	faults = append(faults, d.readDocuments()...)
	asked, f := readTable[edb.Question](dir, QuestionsFile, false)
	faults = append(faults, f...)
	for _, r := range asked {
		if before, ok := d.questionLine[r.v.ID]; ok {
			faults = append(faults, Fault{QuestionsFile, r.line, fmt.Sprintf("question %q: id stands in line %d already", r.v.ID, before), "give every question its own"})
			continue
		}
		d.questionLine[r.v.ID] = r.line
		d.Questions = append(d.Questions, r.v)
	}
	d.index()
	for _, r := range asked {
		add := func(problem, fix string) {
			faults = append(faults, Fault{QuestionsFile, r.line, fmt.Sprintf("question %q: %s", r.v.ID, problem), fix})
		}
		for _, f := range d.Info.questionFaults(r.v) {
			add(f.Problem, f.Fix)
		}
		for i, e := range r.v.Evidence {
			doc, ok := d.Document(e.Doc)
			if e.Doc != "" && !ok {
				add(fmt.Sprintf("evidence %d: document %q is unknown", i+1, e.Doc), "name one of "+DocumentsFile)
			}
			if doc.Pages > 0 && e.Page > doc.Pages {
				add(fmt.Sprintf("evidence %d: page %d of document %q, which has %s", i+1, e.Page, e.Doc, edb.Count(doc.Pages, "page")), "count physical pages from 1")
			}
		}
	}
	faults = append(faults, d.readQrels()...)
	faults = append(faults, d.readAnswers()...)
	faults = append(faults, d.readFacts()...)
	return d, faults
}

// index makes documents and questions findable by ID.
func (d *Dataset) index() {
	d.docAt, d.questionAt = map[string]int{}, map[string]int{}
	for i, x := range d.Documents {
		d.docAt[x.ID] = i
	}
	for i, x := range d.Questions {
		d.questionAt[x.ID] = i
	}
	if d.real == "" {
		d.real, _ = filepath.EvalSymlinks(d.Dir)
		d.real, _ = filepath.Abs(d.real)
	}
}

// Document gives the document with the ID.
func (d *Dataset) Document(id string) (edb.Document, bool) {
	if d.find != nil {
		return d.find(id)
	}
	i, ok := d.docAt[id]
	if !ok {
		return edb.Document{}, false
	}
	return d.Documents[i], true
}

// Runnable says why no pipeline can run over the dataset, as an error with the remedy: its documents
// are elsewhere, or it has none.
func (d *Dataset) Runnable() error {
	var holds []string
	for _, part := range []struct {
		what string
		n    int
	}{{"questions", len(d.Questions)}, {"judgements", len(d.Qrels)}, {"labelled answers", len(d.Answers)}} {
		if part.n > 0 {
			holds = append(holds, part.what)
		}
	}
	what := "nothing"
	if len(holds) > 0 {
		what = strings.Join(holds, " and ")
	}
	switch {
	case d.Info.External():
		return fmt.Errorf("dataset %s: %s says documents: external: it holds %s and no documents to parse: score a run against its %s with edb eval retrieval, or name a dataset with documents", d.Dir, InfoFile, what, QrelsFile)
	case len(d.Documents) == 0:
		return fmt.Errorf("dataset %s: %s is empty: it holds %s and no documents to parse: name a dataset with documents", d.Dir, DocumentsFile, what)
	}
	return nil
}

// Line gives the line of documents.jsonl that a document stands in; 0 if there is none.
func (d *Dataset) Line(doc string) int { return d.docLine[doc] }

// GoldHolds reports whether the gold annotates elements of the kind, or with "" whether it
// annotates everything, so that text and layout can be measured against it.
func (d *Dataset) GoldHolds(kind string) bool {
	if len(d.Info.GoldParts) == 0 {
		return true
	}
	for _, k := range d.Info.GoldParts {
		if k == kind && kind != "" {
			return true
		}
	}
	return false
}

// File gives the path of a document's file on disk, free of symbolic links. Where the file is
// missing or lies outside of the dataset, the error names the document's line and the remedy.
func (d *Dataset) File(doc edb.Document) (string, error) {
	fail := func(problem, fix string) (string, error) {
		return "", &FaultError{d.Dir, Fault{DocumentsFile, d.docLine[doc.ID], fmt.Sprintf("document %q: %s", doc.ID, problem), fix}, 0}
	}
	if doc.Path == "" || !filepath.IsLocal(filepath.FromSlash(doc.Path)) {
		return fail(fmt.Sprintf("path %q leads out of the dataset", doc.Path), "copy the file into files/ and name it there")
	}
	path, err := d.inside(doc.Path)
	switch {
	case errors.Is(err, errOutside):
		return fail(fmt.Sprintf("path %q is a link out of the dataset", doc.Path), "put a copy of the file in its place")
	case errors.Is(err, os.ErrNotExist):
		return fail(fmt.Sprintf("file %q is missing", doc.Path), "put it there or take the line out")
	case err != nil:
		return fail(fmt.Sprintf("file %q cannot be read: %s", doc.Path, cause(err)), "make it readable")
	}
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() && !st.IsDir() { // opening a pipe waits for its writer
		return fail(fmt.Sprintf("file %q is no regular file", doc.Path), "put a copy of the file in its place")
	}
	return path, nil
}

var errOutside = errors.New("leads out of the dataset")

// inside resolves a path of the dataset and makes sure that it stays in it.
func (d *Dataset) inside(rel string) (string, error) {
	path, err := filepath.EvalSymlinks(filepath.Join(d.real, filepath.FromSlash(rel)))
	if err != nil {
		return "", err
	}
	if r, err := filepath.Rel(d.real, path); err != nil || !filepath.IsLocal(r) {
		return "", errOutside
	}
	return path, nil
}

// insideCheck finds links out of a directory for many paths, resolving each folder once.
type insideCheck struct {
	real string
	dirs map[string]bool // folder -> leads out
}

func newInside(real string) *insideCheck { return &insideCheck{real, map[string]bool{}} }

func (c *insideCheck) out(rel string) bool {
	full := filepath.Join(c.real, filepath.FromSlash(rel))
	dir := filepath.Dir(full)
	if _, ok := c.dirs[dir]; !ok {
		c.dirs[dir] = c.leaves(dir)
	}
	if c.dirs[dir] {
		return true
	}
	st, err := os.Lstat(full)
	return err == nil && st.Mode()&os.ModeSymlink != 0 && c.leaves(full)
}

func (c *insideCheck) leaves(path string) bool {
	p, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false // missing: found when the file is wanted
	}
	r, err := filepath.Rel(c.real, p)
	return err != nil || !filepath.IsLocal(r)
}

// readQrels fills Qrels from qrels.txt, or from the evidence where there is no such file.
func (d *Dataset) readQrels() []Fault {
	d.Qrels = map[string]map[string]int{}
	var faults []Fault
	n := 0
	err := store.Lines(filepath.Join(d.Dir, QrelsFile), func(line int, raw []byte) error {
		n++
		add := func(problem, fix string) { faults = append(faults, Fault{QrelsFile, line, problem, fix}) }
		q, page, grade, problem, fix := parseQrel(string(raw))
		if problem != "" {
			add(problem, fix)
			return nil
		}
		for _, f := range d.qrelFaults(q, page) {
			add(f.Problem, f.Fix)
		}
		if _, twice := d.Qrels[q][page]; twice {
			add(fmt.Sprintf("page %q is judged twice for question %q", page, q), "keep one line")
		}
		judge(d.Qrels, q, page, grade)
		return nil
	})
	var le *store.LineError
	switch {
	case errors.Is(err, os.ErrNotExist):
		for _, q := range d.Questions {
			for _, e := range q.Evidence {
				judge(d.Qrels, q.ID, edb.PageID(e.Doc, e.Page), 1)
			}
		}
		return nil
	case errors.As(err, &le):
		return append(faults, Fault{QrelsFile, le.Line, le.Err.Error(), "write \"question 0 DOC#PAGE grade\" a line"})
	case err != nil:
		return append(faults, Fault{QrelsFile, 0, "cannot be read: " + cause(err), "make it readable"})
	}
	for _, q := range d.Questions {
		for i, e := range q.Evidence {
			if d.Qrels[q.ID][edb.PageID(e.Doc, e.Page)] < 1 {
				faults = append(faults, Fault{QuestionsFile, d.questionLine[q.ID],
					fmt.Sprintf("question %q: evidence %d: page %q is not relevant in %s", q.ID, i+1, edb.PageID(e.Doc, e.Page), QrelsFile), "add the judgement, or delete " + QrelsFile + " to have it derived"})
			}
		}
	}
	return faults
}

// parseQrel reads a line "question 0 DOC#PAGE grade" with percent-encoded IDs.
func parseQrel(line string) (q, page string, grade int, problem, fix string) {
	const form = "write \"question 0 DOC#PAGE grade\""
	if !utf8.ValidString(line) {
		return "", "", 0, "holds bytes that are no UTF-8", "write the file as UTF-8"
	}
	f := strings.Fields(line)
	if len(f) != 4 {
		return "", "", 0, fmt.Sprintf("has %s", edb.Count(len(f), "column")), form
	}
	grade, err := strconv.Atoi(f[3])
	if err != nil {
		return "", "", 0, fmt.Sprintf("grade %q is not a whole number", f[3]), form
	}
	doc, n, ok := splitPageID(f[2])
	if !ok {
		return "", "", 0, fmt.Sprintf("%q names no page", f[2]), "write DOC#PAGE with pages from 1; document grain is derived"
	}
	return unescapeID(f[0]), edb.PageID(unescapeID(doc), n), grade, "", ""
}

// qrelFaults says what is wrong with a judgement of a page.
func (d *Dataset) qrelFaults(q, page string) []Fault {
	var l list
	i, ok := d.questionAt[q]
	if !ok {
		l.add(fmt.Sprintf("question %q is unknown", q), "name one of "+QuestionsFile)
	} else if !d.Questions[i].Answerable() {
		l.add(fmt.Sprintf("question %q is unanswerable but has a judgement", q), "take the line out")
	}
	name, n, _ := splitPageID(page)
	doc, ok := d.Document(name)
	switch {
	case !ok && !d.Info.External():
		l.add(fmt.Sprintf("document %q is unknown", name), "name one of "+DocumentsFile)
	case doc.Pages > 0 && n > doc.Pages:
		l.add(fmt.Sprintf("page %d of document %q, which has %s", n, name, edb.Count(doc.Pages, "page")), "count physical pages from 1")
	}
	return l
}
