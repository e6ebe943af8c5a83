package datasets

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/elements"
	"enterprisedocbench/internal/store"
)

// Writer makes a dataset directory. Everything is written beside the directory, in DIR.partial, and
// takes its name at Close: a reader sees the whole dataset or none. Its methods may be called from
// several goroutines; the bytes written depend on what was added, not on the order.
//
// Files, gold, the lines of documents and answers go to disk as they come. What stays in memory is
// about 150 bytes for a document, whole questions, the ids of answers, the judgements, and runs.
type Writer struct {
	dir, tmp string
	replace  bool
	info     Info
	release  func() // lets others write again

	mu      sync.Mutex
	docs    []docEntry
	names   map[string]int32 // lower-cased file name -> index in docs
	lines   *spool           // of documents.jsonl
	asked   []edb.Question
	qseen   map[string]bool
	answers *spool
	aseen   map[string]spooled
	qrels   map[string]map[string]int
	runs    map[string]map[string]map[string]float64 // run -> question -> page
	facts   map[string]Fact
	closed  bool
}

// docEntry is what the writer keeps of a document.
type docEntry struct {
	id    string
	gold  string
	at    int64
	n     int32
	pages int32
}

// Create starts a dataset in dir, which must be absent or empty. It fails where another writer is
// at work on the same directory. Close or Abort must follow.
func Create(dir string, info Info) (*Writer, error) { return create(dir, info, false) }

// Replace is Create for a directory that may hold a dataset: Close puts the new one in its place. A
// directory that holds anything else is refused.
func Replace(dir string, info Info) (*Writer, error) { return create(dir, info, true) }

func create(dir string, info Info, replace bool) (*Writer, error) {
	dir = filepath.Clean(dir)
	if err := free(dir, replace); err != nil {
		return nil, err
	}
	if f := info.faults(nil); len(f) > 0 {
		return nil, fmt.Errorf("dataset %s: %s: %s", dir, f[0].Problem, f[0].Fix)
	}
	tmp := dir + ".partial"
	release, err := takeLock(dir)
	if err != nil {
		return nil, err
	}
	if err = os.RemoveAll(tmp); err == nil {
		err = os.MkdirAll(filepath.Join(tmp, FilesDir), 0o755)
	}
	if err != nil {
		release()
		return nil, fmt.Errorf("dataset %s: %w", dir, err)
	}
	w := &Writer{dir: dir, tmp: tmp, replace: replace, info: info, release: release,
		names: map[string]int32{}, qseen: map[string]bool{}, aseen: map[string]spooled{}, qrels: map[string]map[string]int{},
		runs: map[string]map[string]map[string]float64{}}
	if w.lines, err = newSpool(tmp); err == nil {
		if w.answers, err = newSpool(tmp); err != nil {
			w.lines.drop()
		}
	}
	if err != nil {
		os.RemoveAll(tmp)
		release()
		return nil, fmt.Errorf("dataset %s: %w", dir, err)
	}
	return w, nil
}

// Vacant says whether Create may take the name dir, for work that comes before it; nil: it may.
func Vacant(dir string) error { return free(filepath.Clean(dir), false) }

// free says whether a dataset may take the name dir.
func free(dir string, replace bool) error {
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) || (err == nil && len(entries) == 0) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("dataset %s: %s: name a folder that can be made", dir, cause(err))
	}
	if !replace {
		return fmt.Errorf("dataset %s: the folder is not empty: delete it or name another", dir)
	}
	if _, err := os.Stat(filepath.Join(dir, InfoFile)); err != nil {
		return fmt.Errorf("dataset %s: the folder holds something other than a dataset: delete it or name another", dir)
	}
	return nil
}

// Extra is the path of a file of the maker's own, beside the tables of the dataset: what is written
// there before Close takes its place with the dataset, and goes with it on Abort. name is a plain
// file name that the layout does not use.
func (w *Writer) Extra(name string) (string, error) {
	layout := []string{InfoFile, DocumentsFile, QuestionsFile, QrelsFile, AnswersFile, FactsFile, SplitsFile, FilesDir, GoldDir, RunsDir}
	if name != filepath.Base(name) || strings.HasPrefix(name, ".") || slices.Contains(layout, name) {
		return "", fmt.Errorf("dataset %s: no file of your own can be called %q: choose another name", w.dir, name)
	}
	return filepath.Join(w.tmp, name), nil
}

// AddDocument adds a document with the bytes of its file and its gold, nil where there is none.
// Path, SHA256 and Bytes are set here; Path gives the extension of the file (else MIME does). Pages
// is taken from paged gold where it is 0, Gold is "none" where it is empty and gold is nil.
func (w *Writer) AddDocument(d edb.Document, content []byte, gold *edb.Parsed) error {
	var raw []byte
	if gold != nil {
		raw = encodeGold(*gold)
		if gold.Paged && d.Pages == 0 && len(gold.Pages) > 0 {
			d.Pages = gold.Pages[len(gold.Pages)-1].Number
		}
		if f := append(elements.Check(*gold), goldFaults(d, *gold)...); len(f) > 0 {
			return fmt.Errorf("document %q: gold: %s: %s", d.ID, f[0].Problem, f[0].Fix)
		}
	}
	return w.add(d, content, raw, ".json")
}

// markdownFault says why Markdown cannot be gold; name is what the error calls it.
func markdownFault(name string, gold []byte) error {
	switch {
	case len(bytes.TrimSpace(gold)) == 0:
		return fmt.Errorf("%s: is empty: fetch the file again", name)
	case !utf8.Valid(gold):
		return fmt.Errorf("%s: is not UTF-8: convert it", name)
	}
	return nil
}

// AddMarkdown adds a document whose gold is Markdown: one text without pages.
func (w *Writer) AddMarkdown(d edb.Document, content, gold []byte) error {
	if err := markdownFault(fmt.Sprintf("document %q: the Markdown", d.ID), gold); err != nil {
		return err
	}
	return w.add(d, content, gold, ".md")
}

func (w *Writer) add(d edb.Document, content, gold []byte, goldExt string) error {
	fail := func(problem, fix string) error { return fmt.Errorf("document %q: %s: %s", d.ID, problem, fix) }
	if why := badID(d.ID); why != "" {
		return fail("id "+why, "give it another")
	}
	if len(content) == 0 && !w.info.AnyFiles() {
		return fail("the file is empty", "leave the document out")
	}
	ext := strings.ToLower(path.Ext(filepath.ToSlash(d.Path)))
	if ext == "" {
		ext = extOf(d.MIME)
	}
	if d.MIME == "" {
		d.MIME = mimeOf(ext)
	}
	if d.Gold == "" && gold == nil {
		d.Gold = "none"
	}
	name := FileName(d.ID)
	d.Path = FilesDir + "/" + name + ext
	sum := sha256.Sum256(content)
	d.SHA256, d.Bytes = hex.EncodeToString(sum[:]), int64(len(content))
	if f := documentFaults(d); len(f) > 0 {
		return fail(f[0].Problem, f[0].Fix)
	}
	if gold == nil && d.Gold != "none" {
		return fail(fmt.Sprintf("gold is %q but none is given", d.Gold), "give it or say none")
	}
	if gold != nil && (d.Gold == "none" || d.Gold == "") {
		return fail(fmt.Sprintf("gold is given but its kind is %q", d.Gold), "say human, source, generated or reference(ENGINE@VERSION)")
	}
	if why := magicFault(ext, content[:min(len(content), 1024)]); why != "" && !w.info.AnyFiles() {
		return fail(why, "name it by what it is")
	}
	if problem, fix := w.enter(d, strings.ToLower(name)); problem != "" {
		return fail(problem, fix)
	}
	if err := os.WriteFile(filepath.Join(w.tmp, filepath.FromSlash(d.Path)), content, 0o644); err != nil {
		return fail("cannot be written: "+cause(err), "free space or name another folder")
	}
	if gold == nil {
		return nil
	}
	return noRoom(w.dir, store.WriteFile(filepath.Join(w.tmp, GoldDir, name+goldExt), gold))
}

// enter takes a document in under its file name, if both are free.
func (w *Writer) enter(d edb.Document, name string) (problem, fix string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return "the writer is closed", "add documents before Close"
	}
	if i, taken := w.names[name]; taken {
		if twin := w.docs[i].id; twin != d.ID {
			return fmt.Sprintf("its file name differs from that of %q in case only", twin), "rename one of the two"
		}
		return "id is given twice", "give every document its own"
	}
	at, n, err := w.lines.add(d)
	if err != nil {
		return "cannot be written: " + cause(err), "free space or name another folder"
	}
	w.names[name] = int32(len(w.docs))
	w.docs = append(w.docs, docEntry{d.ID, d.Gold, at, n, int32(d.Pages)})
	return "", ""
}

// entry finds a document that has been added. The caller holds mu.
func (w *Writer) entry(id string) (docEntry, bool) {
	i, ok := w.names[strings.ToLower(FileName(id))]
	if !ok || w.docs[i].id != id {
		return docEntry{}, false
	}
	return w.docs[i], true
}

// document gives what the writer keeps of a document: id, gold and pages. It is for Close, which
// sorts the entries by id.
func (w *Writer) document(id string) (edb.Document, bool) {
	i, ok := slices.BinarySearchFunc(w.docs, id, func(e docEntry, id string) int { return cmp.Compare(e.id, id) })
	if !ok {
		return edb.Document{}, false
	}
	return edb.Document{ID: id, Gold: w.docs[i].gold, Pages: int(w.docs[i].pages)}, true
}

// AddQuestion adds a question. Its evidence is compared with the gold at Close, so documents and
// questions may come in any order.
func (w *Writer) AddQuestion(q edb.Question) error {
	if f := w.info.questionFaults(q); len(f) > 0 {
		return fmt.Errorf("question %q: %s: %s", q.ID, f[0].Problem, f[0].Fix)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.qseen[q.ID] {
		return fmt.Errorf("question %q: id is given twice: give every question its own", q.ID)
	}
	if w.closed {
		return fmt.Errorf("question %q: the writer is closed: add questions before Close", q.ID)
	}
	w.qseen[q.ID] = true
	w.asked = append(w.asked, q)
	return nil
}

// AddQrel adds a judgement that no evidence gives: grade 0 is judged and not relevant. Pages of
// evidence have grade 1 unless a judgement says otherwise.
func (w *Writer) AddQrel(question, doc string, page, grade int) error {
	if page < 1 {
		return fmt.Errorf("judgement of %q: page %d of document %q: pages count from 1", question, page, doc)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	judge(w.qrels, question, edb.PageID(doc, page), grade)
	return nil
}

func judge(m map[string]map[string]int, q, page string, grade int) {
	if m[q] == nil {
		m[q] = map[string]int{}
	}
	m[q][page] = grade
}

// Abort leaves nothing behind. After Close it does nothing.
func (w *Writer) Abort() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.closed = true
		w.lines.drop()
		w.answers.drop()
		os.RemoveAll(w.tmp)
		w.release()
	}
}

// Close checks evidence and judgements, writes the tables and puts the dataset in its place. On an
// error nothing is left behind.
func (w *Writer) Close() (err error) {
	defer func() { err = noRoom(w.dir, err) }()
	w.mu.Lock()
	done := w.closed
	w.mu.Unlock()
	if done {
		return nil
	}
	defer w.Abort()
	slices.SortFunc(w.docs, func(a, b docEntry) int { return cmp.Compare(a.id, b.id) })
	slices.SortFunc(w.asked, func(a, b edb.Question) int { return cmp.Compare(a.ID, b.ID) })
	if err := w.lines.flush(); err != nil {
		return err
	}
	ds := &Dataset{Dir: w.tmp, Info: w.info, Questions: w.asked, find: w.document}
	ds.index()
	if err := w.join(ds); err != nil {
		return err
	}
	if err := w.writeAnswers(ds); err != nil {
		return err
	}
	if err := w.writeFacts(ds); err != nil {
		return err
	}
	if err := w.writeRuns(ds); err != nil {
		return err
	}
	err = w.lines.writeTo(filepath.Join(w.tmp, DocumentsFile), len(w.docs), func(i int) spooled { return spooled{w.docs[i].at, w.docs[i].n} })
	if err != nil {
		return err
	}
	if err := store.WriteJSONL(filepath.Join(w.tmp, QuestionsFile), w.asked); err != nil {
		return err
	}
	if err := store.WriteFile(filepath.Join(w.tmp, QrelsFile), encodeQrels(w.qrels)); err != nil {
		return err
	}
	info, err := w.info.encode()
	if err != nil {
		return fmt.Errorf("%s: %w", InfoFile, err)
	}
	if err := store.WriteFile(filepath.Join(w.tmp, InfoFile), info); err != nil {
		return err
	}
	w.lines.drop()
	w.answers.drop()
	return w.place()
}

// join checks what questions say about documents and adds the judgements of their evidence.
func (w *Writer) join(ds *Dataset) error {
	evidence := newEvidenceCheck(ds)
	byDoc := map[string][]place{}
	for i, q := range w.asked {
		for j, e := range q.Evidence {
			byDoc[e.Doc] = append(byDoc[e.Doc], place{i, j})
			id := edb.PageID(e.Doc, e.Page)
			if _, ok := w.qrels[q.ID][id]; !ok {
				judge(w.qrels, q.ID, id, 1)
			}
		}
	}
	for _, doc := range slices.Sorted(maps.Keys(byDoc)) {
		for _, at := range byDoc[doc] {
			q := w.asked[at.question]
			if f := evidence.faults(q.Evidence[at.evidence]); len(f) > 0 {
				return fmt.Errorf("question %q: evidence %d: %s: %s", q.ID, at.evidence+1, f[0].Problem, f[0].Fix)
			}
		}
	}
	for _, q := range slices.Sorted(maps.Keys(w.qrels)) {
		for _, page := range slices.Sorted(maps.Keys(w.qrels[q])) {
			if f := ds.qrelFaults(q, page); len(f) > 0 {
				return fmt.Errorf("judgement of %q: %s: %s", q, f[0].Problem, f[0].Fix)
			}
		}
	}
	return nil
}

// place gives the finished directory its name.
func (w *Writer) place() error {
	if err := free(w.dir, w.replace); err != nil {
		return err
	}
	old := w.dir + ".old"
	if err := os.RemoveAll(old); err != nil {
		return err
	}
	had := os.Rename(w.dir, old) == nil
	if err := os.Rename(w.tmp, w.dir); err != nil {
		if had {
			err = errors.Join(err, os.Rename(old, w.dir))
		}
		return err
	}
	return os.RemoveAll(old)
}

// encodeQrels gives qrels.txt: "question 0 DOC#PAGE grade", sorted by question, document and page.
func encodeQrels(m map[string]map[string]int) []byte {
	var b strings.Builder
	for _, q := range slices.Sorted(maps.Keys(m)) {
		pages := slices.Sorted(maps.Keys(m[q]))
		slices.SortFunc(pages, func(x, y string) int {
			a, i, _ := splitPageID(x)
			c, j, _ := splitPageID(y)
			return cmp.Or(cmp.Compare(a, c), cmp.Compare(i, j))
		})
		for _, p := range pages {
			doc, n, _ := splitPageID(p)
			b.WriteString(EscapeID(q) + " 0 " + EscapeID(doc) + "#" + strconv.Itoa(n) + " " + strconv.Itoa(m[q][p]) + "\n")
		}
	}
	return []byte(b.String())
}
