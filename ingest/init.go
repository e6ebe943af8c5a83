package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	edb "enterprisedocbench"

	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/store"
)

// Engine reads files. Parse may be called from several goroutines at once. Name is NAME@VERSION,
// Accepts are MIME types.
type Engine struct {
	Name    string
	Accepts []string
	Parse   func(ctx context.Context, path string, doc edb.Document) (edb.Parsed, error)
}

// Options of Init. The zero value of a field means what its comment says.
type Options struct {
	Engines   []Engine // the first that accepts a file's type gives its reference text; needed
	Questions string   // the user's own questions (see ReadQuestions); "" makes known-item questions
	N         int      // how many known-item questions; 0 is DefaultN
	Seed      uint64
	Workers   int  // documents read at a time; 0 is one a core
	Replace   bool // an earlier result in out is replaced
	Locate    Locate
	OCR       OCR
	// Progress, if set, hears how far a stage is. Calls do not overlap.
	Progress func(stage string, done, total int)
}

// DefaultN is how many known-item questions are made: their share of hits is known to ±.12.
const DefaultN = 60

// Names of what Init leaves in its folder.
const (
	DatasetDir = "dataset"
	ConfigFile = "init.yaml"
	SheetFile  = "sheet.json"
)

// Init makes out/dataset, out/init.yaml and out/sheet.json of the files in folder and gives the
// sheet. Files that are not documents are left out, files that no engine reads are kept as documents
// that fail; the sheet lists both with the reason. The same folder, seed and engines give the same
// bytes. On an error, or when ctx ends, out is as it was before.
func Init(ctx context.Context, folder, out string, opt Options) (_ *Sheet, err error) {
	if opt.Progress == nil {
		opt.Progress = func(string, int, int) {}
	}
	if opt.N == 0 {
		opt.N = DefaultN
	}
	if opt.Workers < 1 {
		opt.Workers = runtime.NumCPU()
	}
	if opt.N < 0 {
		return nil, fmt.Errorf("%d questions are wanted: use 1 or more", opt.N)
	}
	if inside(folder, out) == "." {
		return nil, fmt.Errorf("%s: the result would lie among your files: name another folder with --out", out)
	}
	var asked []Asked
	if opt.Questions != "" {
		if asked, err = ReadQuestions(opt.Questions); err != nil {
			return nil, err
		}
	}
	skip := []string{inside(folder, out)}
	if opt.Questions != "" {
		skip = append(skip, inside(folder, opt.Questions))
	}
	files, left, err := scan(ctx, folder, skip, opt.engines(), func(done, total int) { opt.Progress("look", done, total) })
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: holds no document (%d files are left out%s): name a folder with PDF, HTML, Office, text or Markdown files", folder, len(left), firstReason(left))
	}
	resolve, err := newResolver(opt.Questions, asked, files, left, opt.Locate)
	if err != nil {
		return nil, err
	}
	title := filepath.Base(absolute(folder))
	if _, none := os.Stat(out); errors.Is(none, fs.ErrNotExist) {
		defer func() {
			if err != nil {
				os.Remove(out) //nolint:errcheck // it stays only where it holds something
			}
		}()
	}
	w, err := create(filepath.Join(out, DatasetDir), datasets.Info{
		Name: datasetName(title), Version: "1", Seed: opt.Seed,
		Licence: "not known: the files' owner has said nothing",
		Made:    "edb init: gold is what a parser reads, which locates evidence and scores no parser",
		Privacy: datasets.Privacy{Send: "never"},
	}, opt.Replace)
	if err != nil {
		return nil, err
	}
	defer w.Abort()
	r := &reading{opt: opt, folder: folder, name: title, w: w, resolve: resolve, docs: make([]read, len(files))}
	if err := r.all(ctx, files); err != nil {
		return nil, err
	}
	sheet, questions, err := r.sheet(ctx, files, left)
	if err != nil {
		return nil, err
	}
	for _, q := range questions {
		if err := w.AddQuestion(q); err != nil {
			return nil, r.atLine(q.ID, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if err := store.WriteFile(filepath.Join(out, ConfigFile), config(sheet)); err != nil {
		return nil, err
	}
	return sheet, store.WriteWith(filepath.Join(out, SheetFile), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", " ")
		return e.Encode(sheet)
	})
}

func create(dir string, info datasets.Info, replace bool) (*datasets.Writer, error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, err
	}
	if replace {
		return datasets.Replace(dir, info)
	}
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("%s is there already: say --replace to make it anew, or name another folder with --out", dir)
	}
	return datasets.Create(dir, info)
}

func absolute(p string) string {
	if a, err := filepath.Abs(p); err == nil {
		return a
	}
	return p
}

// datasetName makes a dataset's name of a folder's: on one line and not empty.
func datasetName(s string) string {
	s = strings.Join(strings.Fields(plainID(strings.ToValidUTF8(s, ""))), " ")
	if s == "" || s == "." || s == "/" {
		return "documents"
	}
	return s
}

func firstReason(left []LeftOut) string {
	if len(left) == 0 {
		return ""
	}
	return fmt.Sprintf("; %s %s", left[0].Path, left[0].Reason)
}

// engines lists the MIME types that some engine reads.
func (o Options) engines() map[string]bool {
	m := map[string]bool{}
	for _, e := range o.Engines {
		for _, t := range e.Accepts {
			m[t] = true
		}
	}
	return m
}

// accepting lists the engines that read a MIME type, in their order.
func (o Options) accepting(mime string) []Engine {
	var out []Engine
	for _, e := range o.Engines {
		if slices.Contains(e.Accepts, mime) {
			out = append(out, e)
		}
	}
	return out
}

// reading is the work on the documents of one folder.
type reading struct {
	opt          Options
	folder, name string
	w            *datasets.Writer
	resolve      *resolver

	mu   sync.Mutex // holds resolve's results and the progress together
	done int
	docs []read
}

// read is what is kept of a document once it is written.
type read struct {
	doc     edb.Document
	failure string
	pages   []pageOf
	cands   []candidate
	agree   []comparison // of PDFs
	noText  []PageRef
	ocr     []sampled
}

const pdf = "application/pdf"

// all reads and writes every document.
func (r *reading) all(ctx context.Context, files []file) error {
	per := perDocument(r.opt.N, len(files))
	return r.each(ctx, "read", len(files), func(ctx context.Context, i int) error {
		d, err := r.one(ctx, files[i], per)
		r.docs[i] = d
		return err
	})
}

// perDocument is how many candidates a document may give: enough that some can be dropped.
func perDocument(n, docs int) int { return min(60, max(6, (20*n+docs-1)/docs)) }

// one reads a document by all engines that take it, adds it to the dataset and keeps what the sheet
// needs.
func (r *reading) one(ctx context.Context, f file, per int) (read, error) {
	path := filepath.Join(r.folder, filepath.FromSlash(f.path))
	content, err := os.ReadFile(path)
	if err != nil {
		return read{}, fmt.Errorf("%s: %s: it was there a moment ago; try again", path, cause(err))
	}
	d := read{doc: edb.Document{ID: f.id, Path: "x" + f.ext, MIME: datasets.MIMEOf(f.ext), Split: "test", Gold: "none",
		Source: &edb.Origin{Name: r.name, ID: plainID(f.path)}, Licence: edb.Licence{SPDX: "NOASSERTION", Evidence: "the owner of the files has said nothing"}}}
	engines := r.opt.accepting(d.doc.MIME)
	if d.doc.MIME != pdf && len(engines) > 1 {
		engines = engines[:1]
	}
	if len(engines) == 0 {
		d.failure = "no engine here reads " + d.doc.MIME
	}
	parses := make([]*edb.Parsed, len(engines))
	names := make([]string, len(engines))
	for i, e := range engines {
		names[i] = e.Name
		p, err := e.Parse(ctx, path, d.doc)
		switch {
		case ctx.Err() != nil:
			return d, ctx.Err()
		case err == nil:
			p.Doc = f.id
			parses[i] = &p
		case i == 0:
			d.failure = err.Error()
		}
	}
	var gold *edb.Parsed
	if len(parses) > 0 && parses[0] != nil {
		ref := datasets.Reference(*parses[0])
		gold = &ref
		gold.Doc = f.id
		// Formats without pages have one page for grain: what stands in them stands on it.
		gold.Paged = gold.Paged || len(gold.Pages) <= 1
		r.keep(&d, *gold, names[0], per)
		d.noText, d.ocr = noText(f.id, *gold), nil
		if d.doc.MIME == pdf {
			d.ocr = samplePages(f.id, path, *gold, r.opt.Seed)
		}
	}
	if d.doc.MIME == pdf {
		d.agree = compare(f.id, names, parses)
	}
	found, faults, loose := r.resolve.document(f.id, gold, d.doc.Pages)
	r.mu.Lock()
	r.resolve.keep(found, faults, loose)
	r.mu.Unlock()
	if err := r.w.AddDocument(d.doc, content, gold); err != nil {
		return d, err
	}
	d.doc.Bytes = int64(len(content))
	return d, nil
}

// keep fills what follows from a document's reference text.
func (r *reading) keep(d *read, gold edb.Parsed, engine string, per int) {
	d.doc.Gold = "reference(" + engine + ")"
	d.doc.Pages = 1
	if gold.Paged && len(gold.Pages) > 0 {
		d.doc.Pages = gold.Pages[len(gold.Pages)-1].Number
	}
	d.doc.Title = title(gold)
	empty := 0
	for _, pg := range gold.Pages {
		if pg.NoText {
			empty++
		}
	}
	d.doc.Scanned = d.doc.MIME == pdf && empty == len(gold.Pages) && empty > 0
	if r.opt.Questions != "" {
		return
	}
	for _, pg := range gold.Pages {
		if t := pg.Text(); t != "" {
			d.pages = append(d.pages, pageOf{d.doc.ID, pg.Number, t})
		}
	}
	d.cands = candidates(d.doc.ID, gold, r.opt.Seed, per)
}

// title is the first heading of a document's first page with text, if it is short.
func title(p edb.Parsed) string {
	for _, pg := range p.Pages {
		for _, e := range pg.Elements {
			if t := strings.Join(strings.Fields(e.Text), " "); e.Kind == edb.KindHeading && t != "" && length(t) <= 160 {
				return t
			}
		}
		if pg.Text() != "" {
			break
		}
	}
	return ""
}

// each calls do for 0 to n-1 on several goroutines and gives the error of the lowest index among
// those that happened.
func (r *reading) each(ctx context.Context, stage string, n int, do func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	next, done := make(chan int), 0
	errs := make([]error, n)
	var wg sync.WaitGroup
	for range min(r.opt.Workers, n) {
		wg.Go(func() {
			for i := range next {
				if errs[i] = do(ctx, i); errs[i] != nil {
					cancel()
					continue
				}
				r.mu.Lock()
				done++
				r.opt.Progress(stage, done, n)
				r.mu.Unlock()
			}
		})
	}
	for i := range n {
		select {
		case next <- i:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	wg.Wait()
	var first error
	for _, err := range errs {
		if err != nil && (first == nil || errors.Is(first, context.Canceled)) {
			first = err
		}
	}
	if first == nil {
		return ctx.Err()
	}
	return first
}

// atLine adds to an error about a user's question where it stands.
func (r *reading) atLine(id string, err error) error {
	for _, q := range r.resolve.asked {
		if q.ID == id {
			return fmt.Errorf("%s:%d: %w", r.opt.Questions, q.Line, err)
		}
	}
	return err
}
