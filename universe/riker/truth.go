package riker

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
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

// row is a row of a table, its columns in the order of Schema.
type row struct {
	table  string
	values []any
}

// truth fills a database. Rows come in an order that depends on the plan alone, which makes its bytes
// the same everywhere. The first error sticks.
type truth struct {
	db    *sql.DB
	conn  *sql.Conn // in a transaction
	stmts map[string]driver.Stmt
	err   error
}

// newTruth makes the tables in a file that is not there yet.
func newTruth(ctx context.Context, path string) (*truth, error) {
	db, err := universe.OpenTruth(path, makingTruth)
	if err != nil {
		return nil, err
	}
	if _, err = db.ExecContext(ctx, Schema); err != nil {
		db.Close()
		return nil, fmt.Errorf("%s: %w", TruthFile, err)
	}
	return &truth{db: db}, nil
}

// add files rows. They go to the driver as they are: what database/sql does around a statement takes
// a third of the time of so small ones.
func (t *truth) add(rows ...row) {
	if t.err == nil && t.conn == nil {
		t.begin()
	}
	if t.err != nil {
		return
	}
	t.err = t.conn.Raw(func(dc any) error {
		for _, r := range rows {
			if err := t.insert(dc.(driver.Conn), r); err != nil {
				return fmt.Errorf("%s: table %s, row %v: %w", TruthFile, r.table, r.values[0], err)
			}
		}
		return nil
	})
}

func (t *truth) begin() {
	if t.conn, t.err = t.db.Conn(context.Background()); t.err == nil {
		_, t.err = t.conn.ExecContext(context.Background(), "BEGIN")
	}
	t.stmts = map[string]driver.Stmt{}
}

func (t *truth) insert(c driver.Conn, r row) (err error) {
	s, ok := t.stmts[r.table]
	if !ok {
		if s, err = c.Prepare("INSERT INTO " + r.table + " VALUES (?" + strings.Repeat(", ?", len(r.values)-1) + ")"); err != nil {
			return err
		}
		t.stmts[r.table] = s
	}
	args := make([]driver.NamedValue, len(r.values))
	for i, v := range r.values {
		if n, ok := v.(int); ok {
			v = int64(n)
		}
		args[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	// A context that can end costs a goroutine a row.
	_, err = s.(driver.StmtExecContext).ExecContext(context.Background(), args)
	return err
}

// commit makes what was added visible to queries.
func (t *truth) commit() error {
	if t.conn == nil {
		return t.err
	}
	t.finish("COMMIT")
	return t.err
}

// finish ends the transaction and gives its connection back.
func (t *truth) finish(how string) {
	for _, s := range t.stmts {
		if err := s.Close(); t.err == nil {
			t.err = err
		}
	}
	if _, err := t.conn.ExecContext(context.Background(), how); t.err == nil {
		t.err = err
	}
	if err := t.conn.Close(); t.err == nil {
		t.err = err
	}
	t.conn = nil
}

// close ends the work on the database; what was not committed is lost.
func (t *truth) close() error {
	if t.conn != nil {
		t.finish("ROLLBACK")
	}
	if err := t.db.Close(); t.err == nil {
		t.err = err
	}
	return t.err
}
