package reproduce

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/metrics"
	"enterprisedocbench/parse"
)

// part writes the part of the dataset from that a source takes: documents of one type, and of those a
// sample. Facts, and questions all of whose documents are there, stay with whole documents; a page
// drawn from its document has neither.
func (m *maker) part(ctx context.Context, from, out string, s Source) error {
	ds, err := datasets.Open(from)
	if err != nil {
		return err
	}
	ds.Markdown = parse.ReadFile
	var docs []edb.Document
	for _, d := range ds.Documents {
		if s.Types == "" || d.MIME == s.Types {
			docs = append(docs, d)
		}
	}
	info := ds.Info
	info.Made = strings.TrimSpace(info.Made + "; a part of it")
	info.Documents = "" // those of this part are here
	w, err := datasets.Create(out, info)
	if err != nil {
		return err
	}
	defer w.Abort()
	kept := map[string]bool{}
	if sm := s.Sample; sm != nil && sm.Each == "page" {
		for i, d := range byHash(docs, sm.Seed, docID) {
			if len(kept) == sm.Pages {
				break
			}
			m.opt.Progress("sample "+info.Name, i, sm.Pages)
			ok, err := m.onePage(ctx, ds, d, w, sm.Seed)
			if err != nil {
				return err
			}
			if ok {
				kept[d.ID] = true
			}
		}
	} else {
		if sm != nil {
			docs = whole(docs, *sm)
		}
		for _, d := range docs {
			if err := copyDocument(ds, d, w); err != nil {
				return err
			}
			kept[d.ID] = true
		}
		for _, f := range ds.Facts {
			if kept[f.Doc] {
				if err := w.AddFact(f); err != nil {
					return err
				}
			}
		}
		if err := copyQuestions(ds, w, kept); err != nil {
			return err
		}
	}
	if len(kept) == 0 {
		return fmt.Errorf("%s: no document is left of %d: choose another type or a larger sample", from, len(ds.Documents))
	}
	return w.Close()
}

func docID(d edb.Document) string { return d.ID }

// byHash is a list in the order of a keyed hash of its names.
func byHash[T any](list []T, seed uint64, name func(T) string) []T {
	hash := func(v T) uint64 {
		h := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s", seed, name(v)))
		return binary.BigEndian.Uint64(h[:])
	}
	out := slices.Clone(list)
	slices.SortFunc(out, func(a, b T) int {
		return cmp.Or(cmp.Compare(hash(a), hash(b)), cmp.Compare(name(a), name(b)))
	})
	return out
}

// whole takes documents in the order of their hash as long as their pages fit.
func whole(docs []edb.Document, s Sample) (out []edb.Document) {
	left := s.Pages
	for _, d := range byHash(docs, s.Seed, docID) {
		if n := max(1, d.Pages); n <= left {
			left -= n
			out = append(out, d)
		}
	}
	return out
}

// copyQuestions adds the questions that rest on kept documents alone. Judgements beyond their evidence
// stay behind.
func copyQuestions(ds *datasets.Dataset, w *datasets.Writer, kept map[string]bool) error {
	for _, q := range ds.Questions {
		docs := q.Documents()
		if len(docs) == 0 || slices.ContainsFunc(docs, func(id string) bool { return !kept[id] }) {
			continue
		}
		if err := w.AddQuestion(q); err != nil {
			return err
		}
	}
	return nil
}

func copyDocument(ds *datasets.Dataset, d edb.Document, w *datasets.Writer) error {
	content, err := fileOf(ds, d)
	if err != nil {
		return err
	}
	if md, err := os.ReadFile(filepath.Join(ds.Dir, datasets.GoldDir, datasets.FileName(d.ID)+".md")); err == nil {
		return w.AddMarkdown(d, content, md)
	}
	gold, ok, err := ds.Gold(d.ID)
	if err != nil {
		return err
	}
	if !ok {
		return w.AddDocument(d, content, nil)
	}
	return w.AddDocument(d, content, &gold)
}

func fileOf(ds *datasets.Dataset, d edb.Document) ([]byte, error) {
	path, err := ds.File(d)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// onePage adds one page of a PDF, drawn from those that gold which scores parsing knows something of,
// and in what order it is read, as a document of its own. False: the document has no such page.
func (m *maker) onePage(ctx context.Context, ds *datasets.Dataset, d edb.Document, w *datasets.Writer, seed uint64) (bool, error) {
	gold, ok, err := ds.Gold(d.ID)
	if err != nil || !ok || !gold.Paged || !d.GoldScoresParsing() || slices.Contains(gold.Mask, metrics.MaskOrder) {
		return false, err
	}
	pages := slices.DeleteFunc(slices.Clone(gold.Pages), func(pg edb.Page) bool {
		return !slices.ContainsFunc(pg.Elements, func(e edb.Element) bool { return !e.Artifact() && e.Text != "" })
	})
	if len(pages) == 0 {
		return false, nil
	}
	page := byHash(pages, seed, func(pg edb.Page) string { return fmt.Sprintf("%s#%d", d.ID, pg.Number) })[0]
	path, err := ds.File(d)
	if err != nil {
		return false, err
	}
	if m.pick == nil {
		if m.pick, err = parse.PickPages(); err != nil {
			return false, err
		}
	}
	content, err := m.pick(ctx, path, page.Number)
	if err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	if !bytes.HasPrefix(content, []byte("%PDF")) {
		return false, fmt.Errorf("%s: page %d came out as no PDF", path, page.Number)
	}
	d.ID, d.Pages = fmt.Sprintf("%s#%d", d.ID, page.Number), 1
	if d.Layout != nil {
		layout := *d.Layout
		layout.Tables, layout.Figures = count(page, edb.KindTable), count(page, edb.KindFigure)
		d.Layout = &layout
	}
	page.Number = 1
	gold.Doc, gold.Pages = d.ID, []edb.Page{page}
	return true, w.AddDocument(d, content, &gold)
}

func count(pg edb.Page, kind string) (n int) {
	for _, e := range pg.Elements {
		if e.Kind == kind {
			n++
		}
	}
	return n
}
