package universe

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strconv"

	_ "modernc.org/sqlite" // the driver

	edb "enterprisedocbench"
	"enterprisedocbench/internal/store"
)

// OpenTruth opens a database file with the given parameters of SQLite's URI ("mode=ro"), one connection
// at a time. Faults of the file come with the first statement.
func OpenTruth(path, params string) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}).String()+"?"+params)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// encodeTruth gives truth.sqlite: the same bytes for the same world. Every printed fact of docs must
// be a fact of the world's truth, printed as the truth says, and every fact must be printed.
func encodeTruth(ctx context.Context, opt Options, docs []Document, questions []asked) ([]byte, error) {
	dir, remove, err := store.Scratch("truth")
	if err != nil {
		return nil, err
	}
	defer remove()
	path := filepath.Join(dir, TruthFile)
	db, err := OpenTruth(path, "_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)&_pragma=foreign_keys(1)")
	if err != nil {
		return nil, err
	}
	t := &truthWriter{ctx: ctx, world: World{opt.Seed}, entities: map[string]bool{}, facts: map[[2]string]int{}, printed: map[[2]string]string{}}
	if err = t.write(db, opt, docs, questions); err == nil {
		_, err = db.ExecContext(ctx, "VACUUM")
	}
	if cerr := db.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", TruthFile, err)
	}
	return os.ReadFile(path)
}

// generator names the rules that worlds are made by; another name, another world from the same seed.
const generator = "universe 2"

// truthWriter fills truth.sqlite in one transaction. The first error sticks.
type truthWriter struct {
	ctx      context.Context
	world    World
	tx       *sql.Tx
	stmts    map[string]*sql.Stmt
	entities map[string]bool
	facts    map[[2]string]int    // subject, field -> id
	printed  map[[2]string]string // subject, field -> how it is printed
	err      error
}

func (t *truthWriter) write(db *sql.DB, opt Options, docs []Document, questions []asked) error {
	if _, err := db.ExecContext(t.ctx, truthSchema); err != nil {
		return err
	}
	tx, err := db.BeginTx(t.ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after Commit it does nothing
	t.tx, t.stmts = tx, map[string]*sql.Stmt{}
	for _, kv := range [][2]string{{"generator", generator}, {"seed", strconv.FormatUint(opt.Seed, 10)},
		{"documents", strconv.Itoa(len(docs))}, {"questions", strconv.Itoa(len(questions))}} {
		t.insert("world", kv[0], kv[1])
	}
	for i, d := range docs {
		subject := t.dealing(i)
		t.insert("documents", d.ID, d.Doctype, d.Title, d.Pages, subject)
		t.renderings(subject, d)
		t.missing(subject, d)
	}
	t.everyFactPrinted()
	for _, q := range questions {
		t.question(q)
	}
	if t.err != nil {
		return t.err
	}
	return tx.Commit()
}

// insert adds a row to a table, its columns in order.
func (t *truthWriter) insert(table string, values ...any) {
	if t.err != nil {
		return
	}
	s, ok := t.stmts[table]
	if !ok {
		marks := "?"
		for range values[1:] {
			marks += ", ?"
		}
		if s, t.err = t.tx.PrepareContext(t.ctx, "INSERT INTO "+table+" VALUES ("+marks+")"); t.err != nil {
			return
		}
		t.stmts[table] = s
	}
	if _, err := s.ExecContext(t.ctx, values...); err != nil {
		t.err = fmt.Errorf("%s %v: %w", table, values[0], err)
	}
}

// orNull is nil for an empty string.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// Corners are the four columns of a box: x0, y0, x1, y1, all nil without one.
func Corners(b *edb.Box) []any {
	if b == nil {
		return []any{nil, nil, nil, nil}
	}
	return []any{b[0], b[1], b[2], b[3]}
}

// renderings files where a document prints the facts of its dealing.
func (t *truthWriter) renderings(subject string, d Document) {
	for _, m := range d.Mentions {
		k := [2]string{subject, m.Field}
		id, ok := t.facts[k]
		if t.err == nil && (!ok || t.printed[k] != m.Value) {
			t.err = fmt.Errorf("document %s prints %s as %q, the truth is %q", d.ID, m.Field, m.Value, t.printed[k])
		}
		e := m.Evidence
		t.insert("renderings", append(append([]any{nil, id, e.Doc, e.Page, e.Start, e.End}, Corners(e.Box)...), e.Quote)...)
	}
}

// everyFactPrinted makes an error of a fact that no document prints.
func (t *truthWriter) everyFactPrinted() {
	if t.err != nil {
		return
	}
	var subject, field string
	row := t.tx.QueryRowContext(t.ctx, "SELECT subject, field FROM facts WHERE id NOT IN (SELECT fact FROM renderings) LIMIT 1")
	if err := row.Scan(&subject, &field); err == nil {
		t.err = fmt.Errorf("no document prints %s of %s", field, subject)
	} else if err != sql.ErrNoRows { //nolint:errorlint // Scan gives it bare
		t.err = err
	}
}

// missing files the optional clauses that a document does not have.
func (t *truthWriter) missing(subject string, d Document) {
	for _, c := range clauses[d.Doctype] {
		if _, there := t.facts[[2]string{subject, c.field}]; there {
			continue
		}
		for _, p := range c.phrases {
			t.insert("absences", nil, d.ID, c.name, "clause", p, nil)
		}
	}
}

// question files a question with its evidence, and what a probe asks for as an absence.
func (t *truthWriter) question(q asked) {
	var typ, answer, number, unit any
	if a := q.Answer; a != nil {
		typ, answer, unit = a.Type, fmt.Sprint(a.Value), orNull(a.Unit)
		switch v := a.Value.(type) {
		case float64:
			number, answer = v, strconv.FormatFloat(v, 'f', -1, 64)
		case bool:
			number, answer = 0.0, "no"
			if v {
				number, answer = 1.0, "yes"
			}
		case string:
		default:
			b, err := json.Marshal(v)
			if t.err == nil {
				t.err = err
			}
			answer = string(b)
		}
	}
	t.prove(q)
	t.insert("questions", q.ID, q.Text, q.Modality, orNull(q.Subtype), orNull(q.Task), orNull(q.Level), orNull(q.Domain), typ, answer, number, unit, orNull(q.ask.sql))
	for i, e := range q.Evidence {
		t.insert("evidence", append(append([]any{q.ID, i + 1, e.Doc, e.Page, e.Start, e.End}, Corners(e.Box)...), e.Quote)...)
	}
	if p := q.Probe; p != nil {
		what := p.Entity
		if what == "" {
			what = p.Field
		}
		for _, phrase := range q.ask.absent {
			t.insert("absences", nil, orNull(p.Doc), what, "probe", phrase, q.ID)
		}
	}
}

// prove runs a question's query and compares what it gives with the answer.
func (t *truthWriter) prove(q asked) {
	if t.err != nil || q.Answer == nil {
		return
	}
	got, err := single(t.ctx, t.tx, q.ask.sql)
	switch {
	case err != nil:
		t.err = fmt.Errorf("question %s (%s): %w", q.ID, q.Text, err)
	case !answers(*q.Answer, got):
		t.err = fmt.Errorf("question %s (%s): the answer is %v, its query gives %v", q.ID, q.Text, q.Answer.Value, got)
	}
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// single runs a query that gives one row of one column. More rows, or none, are an error.
func single(ctx context.Context, db querier, query string) (any, error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	n := 0
	var v any
	for rows.Next() {
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		n++
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if n != 1 {
		return nil, fmt.Errorf("its query gives %d rows, not one", n)
	}
	return v, nil
}

// answers reports whether a value from SQL is the answer: numbers to nine digits, yes and no as 1
// and 0, texts and dates to the letter.
func answers(a edb.GoldAnswer, v any) bool {
	switch want := a.Value.(type) {
	case float64:
		got, ok := asNumber(v)
		return ok && math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))
	case bool:
		got, ok := asNumber(v)
		return ok && (got == 1) == want && (got == 0) == !want
	case string:
		got, ok := v.(string)
		return ok && got == want
	}
	return false
}

func asNumber(v any) (float64, bool) {
	switch n := v.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}
