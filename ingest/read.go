package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"

	edb "enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/store"
)

// reading is the work on the documents of one folder.
type reading struct {
	opt          Options
	folder, name string
	w            *datasets.Writer
	resolve      *resolver

	mu   sync.Mutex // holds resolve's results and the progress together
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
	content, err := r.content(f)
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
	lasting := utf8.ValidString(path) // workers are told paths as JSON
	if !lasting {
		name, remove, err := plainCopy(content, f.ext)
		if err != nil {
			return read{}, err
		}
		defer remove()
		path = name
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
		if d.doc.MIME == pdf && lasting {
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

// plainCopy writes bytes to a temporary file with a plain name.
func plainCopy(content []byte, ext string) (path string, remove func(), err error) {
	dir, done, err := store.Scratch("init")
	if err != nil {
		return "", nil, err
	}
	path = filepath.Join(dir, "file"+ext)
	return path, func() { done() }, os.WriteFile(path, content, 0o600) // a temporary folder
}

// content reads a file of the folder; one that has become a link out of it since the scan is refused.
func (r *reading) content(f file) ([]byte, error) {
	in, err := os.OpenInRoot(r.folder, filepath.FromSlash(f.path))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, maxFile+1))
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
