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
		return nil, fmt.Errorf("%s: holds no document (%s left out%s): name a folder with PDF, HTML, Office, text or Markdown files", folder, edb.Count(len(left), "file"), firstReason(left))
	}
	resolve, err := newResolver(opt.Questions, asked, files, left, opt.Locate)
	if err != nil {
		return nil, err
	}
	title := filepath.Base(absolute(folder))
	if _, none := os.Stat(out); errors.Is(none, fs.ErrNotExist) {
		defer func() {
			if err != nil {
				os.Remove(out) // it stays only where it holds something
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
