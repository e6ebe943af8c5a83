package universe

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	edb "enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/store"
)

// Dataset writes the scanned twin of a dataset directory to out, which must be absent or empty: every
// PDF scanned, documents marked so, the boxes of gold, evidence and, where there is one, of
// truth.sqlite moved to where the text lies now. Questions, judgements, answers and facts stay. It
// fails where a document is no PDF or its licence forbids changes, and leaves nothing behind then.
// progress may be nil.
func (s Scan) Dataset(ctx context.Context, dir, out string, draw DrawPages, markdown func(string) (edb.Parsed, error), progress func(done, total int)) (err error) {
	if s, err = s.filled(); err != nil {
		return err
	}
	ds, err := datasets.Open(dir)
	if err != nil {
		return err
	}
	ds.Markdown = markdown
	if err := scannable(ds); err != nil {
		return err
	}
	info := ds.Info
	info.Name += "-scanned"
	info.Made = strings.TrimSpace(info.Made + fmt.Sprintf(" Scanned by the universe package of EnterpriseDocBench: %g dots an inch, skew to %g degrees, blur %g dots, JPEG quality %d, speckle %g, seed %d.",
		s.DPI, s.Skew, s.Blur, s.JPEG, s.Speckle, s.Seed))
	w, err := datasets.Create(out, info)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			w.Abort()
		}
	}()
	t := twin{ds: ds, w: w, pages: map[string]edb.Parsed{}, turns: map[string][]Turn{}}
	for i, d := range ds.Documents {
		if progress != nil {
			progress(i, len(ds.Documents))
		}
		if err = t.document(ctx, s, d, draw); err != nil {
			return err
		}
	}
	if err = t.rest(); err != nil {
		return err
	}
	truth, err := t.truth(ctx)
	if err != nil {
		return err
	}
	plan, err := os.ReadFile(filepath.Join(dir, PlanFile))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for name, content := range map[string][]byte{TruthFile: truth, PlanFile: plan} {
		if content == nil {
			continue
		}
		var path string
		if path, err = w.Extra(name); err == nil {
			err = os.WriteFile(path, content, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return w.Close()
}

// scannable refuses a dataset with a document that cannot or must not be scanned.
func scannable(ds *datasets.Dataset) error {
	if err := ds.Runnable(); err != nil {
		return err
	}
	for _, d := range ds.Documents {
		at := fmt.Sprintf("%s:%d: document %q", filepath.Join(ds.Dir, datasets.DocumentsFile), ds.Line(d.ID), d.ID)
		switch {
		case !isPDFName(d.Path):
			return fmt.Errorf("%s: %s is no PDF: only PDFs can be scanned, take it out", at, d.Path)
		case !d.Licence.Derivatives:
			return fmt.Errorf("%s: its licence forbids changed copies: take it out", at)
		}
	}
	return nil
}

// twin is a scanned dataset in the making.
type twin struct {
	ds    *datasets.Dataset
	w     *datasets.Writer
	pages map[string]edb.Parsed // turned gold
	turns map[string][]Turn
}

func (t *twin) document(ctx context.Context, s Scan, d edb.Document, draw DrawPages) error {
	path, err := t.ds.File(d)
	if err != nil {
		return err
	}
	pdf, turns, err := s.PDF(ctx, path, d.ID, draw)
	if err != nil {
		return err
	}
	d.Scanned = true
	if raw, err := os.ReadFile(filepath.Join(t.ds.Dir, datasets.GoldDir, datasets.FileName(d.ID)+".md")); err == nil {
		return t.w.AddMarkdown(d, pdf, raw)
	}
	gold, ok, err := t.ds.Gold(d.ID)
	if err != nil {
		return err
	}
	if !ok {
		return t.w.AddDocument(d, pdf, nil)
	}
	turned := Turned(gold, turns)
	t.pages[d.ID], t.turns[d.ID] = turned, turns
	return t.w.AddDocument(d, pdf, &turned)
}

// box is where a place lies on the scan: around its lines, else its old box turned.
func (t *twin) box(e edb.Evidence) *edb.Box {
	if e.Box == nil {
		return nil
	}
	for _, p := range t.pages[e.Doc].Pages {
		if p.Number == e.Page && e.End > e.Start {
			if b := pageBox(p, e.Start, e.End); b != nil {
				return b
			}
		}
	}
	if turns := t.turns[e.Doc]; e.Page >= 1 && e.Page <= len(turns) {
		return turns[e.Page-1].Box(e.Box)
	}
	return e.Box
}

// rest copies questions, judgements, answers and facts.
func (t *twin) rest() error {
	for _, q := range t.ds.Questions {
		q.Evidence = slices.Clone(q.Evidence)
		for i, e := range q.Evidence {
			q.Evidence[i].Box = t.box(e)
		}
		if err := t.w.AddQuestion(q); err != nil {
			return err
		}
	}
	for _, q := range slices.Sorted(maps.Keys(t.ds.Qrels)) {
		for _, id := range slices.Sorted(maps.Keys(t.ds.Qrels[q])) {
			i := strings.LastIndexByte(id, '#')
			page, err := strconv.Atoi(id[i+1:])
			if i < 0 || err != nil {
				return fmt.Errorf("judgement of %q: %q names no page", q, id)
			}
			if err := t.w.AddQrel(q, id[:i], page, t.ds.Qrels[q][id]); err != nil {
				return err
			}
		}
	}
	for _, a := range t.ds.Answers {
		if err := t.w.AddAnswer(a); err != nil {
			return err
		}
	}
	for _, f := range t.ds.Facts {
		if err := t.w.AddFact(f); err != nil {
			return err
		}
	}
	return nil
}

// truth is a copy of truth.sqlite with moved boxes; nil where the dataset has none.
func (t *twin) truth(ctx context.Context) ([]byte, error) {
	old, err := os.ReadFile(filepath.Join(t.ds.Dir, TruthFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	dir, remove, err := store.Scratch("truth")
	if err != nil {
		return nil, err
	}
	defer remove()
	path := filepath.Join(dir, TruthFile)
	if err := os.WriteFile(path, old, 0o644); err != nil {
		return nil, err
	}
	db, err := OpenTruth(path, "_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)")
	if err != nil {
		return nil, err
	}
	err = t.moveBoxes(ctx, db)
	if cerr := db.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(t.ds.Dir, TruthFile), err)
	}
	return os.ReadFile(path)
}

func (t *twin) moveBoxes(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after Commit it does nothing
	for _, table := range []string{"renderings", "evidence"} {
		keys, where := "question, n", "question = ? AND n = ?"
		if table == "renderings" {
			if keys, where, err = renderingKey(ctx, tx); err != nil {
				return err
			}
		}
		rows, err := tx.QueryContext(ctx, "SELECT "+keys+", doc, page, start, end, x0, y0, x1, y1 FROM "+table+" WHERE x0 IS NOT NULL ORDER BY 1, 2")
		if err != nil {
			return err
		}
		var moves [][]any
		for rows.Next() {
			var a, b any
			e := edb.Evidence{Box: &edb.Box{}}
			if err := rows.Scan(&a, &b, &e.Doc, &e.Page, &e.Start, &e.End, &e.Box[0], &e.Box[1], &e.Box[2], &e.Box[3]); err != nil {
				rows.Close()
				return err
			}
			moves = append(moves, append(Corners(t.box(e)), a, b))
		}
		rows.Close()
		if err := rows.Err(); err != nil {
			return err
		}
		for _, m := range moves {
			if _, err := tx.ExecContext(ctx, "UPDATE "+table+" SET x0 = ?, y0 = ?, x1 = ?, y1 = ? WHERE "+where, m...); err != nil {
				return err
			}
		}
	}
	return tx.Commit()
}

// renderingKey tells the rows of renderings apart, in the demo's truth by number and in RIKER's by
// document, field and n.
func renderingKey(ctx context.Context, tx *sql.Tx) (keys, where string, err error) {
	var numbered int
	err = tx.QueryRowContext(ctx, "SELECT count(*) FROM pragma_table_info('renderings') WHERE name = 'id'").Scan(&numbered)
	if numbered == 1 {
		return "id, 0", "id = ? AND ? = 0", err
	}
	return "doc, field || ' ' || n", "doc = ? AND field || ' ' || n = ?", err
}
