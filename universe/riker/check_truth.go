package riker

import (
	"cmp"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"enterprisedocbench/datasets"
)

// truthTables are the tables whose rows follow from the plan, with the columns of their key. Those of
// documents are held against the documents (see document).
var truthTables = map[string][]string{"world": {"key"}, "territories": {"id"}, "agents": {"id"}, "jobs": {"agent", "n"}, "companies": {"id"}, "products": {"id"}, "deals": {"id"}, "deal_lines": {"deal", "n"},
	"leases": {"id"}, "reports": {"id"}, "reviews": {"id"}, "scores": {"review", "competency"}, "invoices": {"id"}, "statements": {"id"}, "segments": {"statement", "name"}, "handbooks": {"id"}}

// maxScans is how many tables are read at a time at the most, and one connection more.
const maxScans = 8

// scan reads a table in the order of its key, beside the rows that should be there.
type scan struct {
	c       *checker
	table   string
	key     int
	rows    *sql.Rows
	columns []string
	row     []any // the next row; nil: none is left
	err     error
}

// scanTable begins to read a table.
func (c *checker) scanTable(table string) *scan {
	key := truthTables[table]
	s := &scan{c: c, table: table, key: len(key)}
	order := strings.Join(key, ", ")
	if c.world.Documents() >= 1_000_000 && table != "world" {
		// Beyond six digits the order of texts is not that of numbers; up to there the key gives it.
		order = "length(" + key[0] + "), " + order
	}
	s.start("SELECT * FROM " + table + " ORDER BY " + order)
	return s
}

func (s *scan) start(query string, args ...any) {
	if s.rows, s.err = s.c.db.QueryContext(s.c.ctx, query, args...); s.err != nil {
		return
	}
	if s.columns, s.err = s.rows.Columns(); s.err == nil {
		s.next()
	}
}

func (s *scan) next() {
	s.row = nil
	if s.err != nil || !s.rows.Next() {
		if s.err == nil {
			s.err = s.rows.Err()
		}
		return
	}
	s.row = make([]any, len(s.columns))
	to := make([]any, len(s.row))
	for i := range to {
		to[i] = &s.row[i]
	}
	s.err = s.rows.Scan(to...)
}

// expect holds the next rows against one that should come: rows before it are too many.
func (s *scan) expect(want []any) {
	for s.err == nil && s.row != nil {
		order := s.compare(s.row, want)
		if order < 0 {
			s.fault(s.row, "should not be there")
			s.next()
			continue
		}
		if order > 0 {
			break
		}
		sound := true
		for i, v := range want {
			if !sameCell(s.row[i], v) {
				s.fault(s.row, fmt.Sprintf("%s is %s, in the world it is %s", s.columns[i], shown(s.row[i]), shown(v)))
				sound = false
			}
		}
		if sound {
			s.c.proven[provenRows]++
		}
		s.next()
		return
	}
	if s.err == nil {
		s.fault(want, "is missing")
	}
}

// expectNext is expect for rows that come in an order of their own.
func (s *scan) expectNext(want []any) {
	if s.err != nil {
		return
	}
	if s.row == nil || !slices.EqualFunc(s.row, want, sameCell) {
		if s.row != nil && sameCell(s.row[0], want[0]) {
			s.fault(s.row, "should not be there, or is another")
			s.next()
			return
		}
		s.fault(want, "is missing")
		return
	}
	s.c.proven[provenRows]++
	s.next()
}

// end makes faults of the rows that are left.
func (s *scan) end() error {
	for s.err == nil && s.row != nil {
		s.fault(s.row, "should not be there")
		s.next()
	}
	if s.rows != nil {
		s.rows.Close()
	}
	return s.err
}

func (s *scan) fault(row []any, problem string) {
	var key []string
	for _, v := range row[:s.key] {
		key = append(key, shown(v))
	}
	s.c.fault(datasets.Fault{File: TruthFile, Problem: fmt.Sprintf("table %s, row %s: %s", s.table, strings.Join(key, ", "), problem), Fix: remake})
}

// compare orders rows by their keys: IDs of one kind by length first.
func (s *scan) compare(a, b []any) int {
	for i := range s.key {
		x, y := shown(a[i]), shown(b[i])
		if o := cmp.Compare(len(x), len(y)); o != 0 && (isID(x) && isID(y) || !isText(a[i])) {
			return o
		}
		if o := cmp.Compare(x, y); o != 0 {
			return o
		}
	}
	return 0
}

func isText(v any) bool { _, ok := v.(string); return ok }

// isID tells deal-000012 from names.
func isID(s string) bool {
	i := strings.LastIndexByte(s, '-')
	return i > 0 && len(s) > i+6 && s[i+1] >= '0' && s[i+1] <= '9'
}

// sameCell compares a cell with what should be there.
func sameCell(got, want any) bool {
	switch w := want.(type) {
	case nil:
		return got == nil
	case int:
		g, ok := got.(int64)
		return ok && g == int64(w)
	case float64:
		g, ok := got.(float64)
		return ok && g == w
	case string:
		g, ok := got.(string)
		return ok && g == w
	}
	return false
}

func shown(v any) string {
	if v == nil {
		return "empty"
	}
	return fmt.Sprint(v)
}

// tables holds the tables of what is true against the world of the plan.
func (c *checker) tables() error {
	scans := map[string]*scan{}
	// The tables come in groups whose rows are made together; a table is read while its group is made.
	group := func(names []string, fill func(add func(...row)) error) error {
		for _, n := range names {
			scans[n] = c.scanTable(n)
		}
		err := fill(func(rows ...row) {
			slices.SortStableFunc(rows, func(a, b row) int {
				if a.table != b.table {
					return 0
				}
				return scans[a.table].compare(a.values, b.values)
			})
			for _, r := range rows {
				if s := scans[r.table]; s.err == nil {
					s.expect(r.values)
				}
			}
		})
		for _, n := range names {
			if e := scans[n].end(); err == nil {
				err = e
			}
		}
		return err
	}
	w := c.world
	if err := group([]string{"world"}, func(add func(...row)) error {
		rows := w.worldRows(c.storedTokens())
		add(rows...)
		return nil
	}); err != nil {
		return err
	}
	occur := w.occur(func(int) bool { return c.ctx.Err() == nil })
	if occur == nil {
		return c.ctx.Err()
	}
	if err := group([]string{"territories", "agents", "jobs", "companies", "products", "deals", "deal_lines"}, func(add func(...row)) error {
		w.poolRows(occur, add)
		return c.ctx.Err()
	}); err != nil {
		return err
	}
	done := 0
	for k, n := range w.Counts {
		err := group(kindTables[k], func(add func(...row)) error {
			return inOrder(c.ctx, c.opt.Workers, n, func(i int) ([]row, error) { return w.rows(Kind(k), i), nil }, func(_ int, rows []row) error {
				add(rows...)
				done++
				c.progress("truth", done, w.Documents())
				return nil
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// kindTables are the tables that hold what documents of a type state.
var kindTables = [Kinds][]string{Leases: {"leases"}, Reports: {"reports"}, Reviews: {"reviews", "scores"}, Invoices: {"invoices"}, Statements: {"statements", "segments"}, Handbooks: {"handbooks"}}

// storedTokens is the number of tokens that the world says it has; 0: it says none.
func (c *checker) storedTokens() (n int) {
	_ = c.db.QueryRowContext(c.ctx, "SELECT CAST(value AS INTEGER) FROM world WHERE key = 'tokens'").Scan(&n)
	return n
}
