package riker

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"enterprisedocbench/universe"

	_ "modernc.org/sqlite" // the driver
)

// TruthFile is the name of the truth beside a world: a SQLite database with Schema.
const TruthFile = universe.TruthFile

// Pragmas of a database that is made in one go: it is thrown away where the making fails, so there is
// neither journal nor waiting for the disk.
const (
	makingTruth  = "_pragma=page_size(8192)&_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)&_pragma=locking_mode(EXCLUSIVE)&_pragma=cache_size(-65536)&_pragma=temp_store(MEMORY)"
	readingTruth = "mode=ro&_pragma=query_only(1)"
)

// openTruth opens a database file with parameters of SQLite's URI.
func openTruth(path, params string) (*sql.DB, error) {
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

// row is a row of a table, its columns in the order of Schema.
type row struct {
	table  string
	values []any
}

// truth fills a database. Rows come in an order that depends on the plan alone, which makes its bytes
// the same everywhere. The first error sticks.
type truth struct {
	db    *sql.DB
	tx    *sql.Tx
	stmts map[string]*sql.Stmt
	err   error
}

// newTruth makes the tables in a file that is not there yet.
func newTruth(ctx context.Context, path string) (*truth, error) {
	db, err := openTruth(path, makingTruth)
	if err != nil {
		return nil, err
	}
	if _, err = db.ExecContext(ctx, Schema); err != nil {
		db.Close()
		return nil, fmt.Errorf("%s: %w", TruthFile, err)
	}
	return &truth{db: db}, nil
}

// add files rows. Statements run without the context: one that can end costs a goroutine a row.
func (t *truth) add(rows ...row) {
	for _, r := range rows {
		if t.err != nil {
			return
		}
		if t.tx == nil {
			if t.tx, t.err = t.db.Begin(); t.err != nil {
				return
			}
			t.stmts = map[string]*sql.Stmt{}
		}
		s, ok := t.stmts[r.table]
		if !ok {
			if s, t.err = t.tx.Prepare("INSERT INTO " + r.table + " VALUES (?" + strings.Repeat(", ?", len(r.values)-1) + ")"); t.err != nil {
				return
			}
			t.stmts[r.table] = s
		}
		if _, err := s.Exec(r.values...); err != nil {
			t.err = fmt.Errorf("%s: table %s, row %v: %w", TruthFile, r.table, r.values[0], err)
		}
	}
}

// commit makes what was added visible to queries.
func (t *truth) commit() error {
	if t.err == nil && t.tx != nil {
		t.err = t.tx.Commit()
		t.tx = nil
	}
	return t.err
}

// close ends the work on the database; what was not committed is lost.
func (t *truth) close() error {
	if t.tx != nil {
		t.tx.Rollback() //nolint:errcheck // the file is thrown away
	}
	if err := t.db.Close(); t.err == nil {
		t.err = err
	}
	return t.err
}
