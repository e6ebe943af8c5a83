package riker

import (
	"bytes"
	"context"
	"enterprisedocbench/universe"
	"os"
	"path/filepath"
	"testing"
)

// tables fills a database with what is true of a plan's world, without its documents.
func tables(t *testing.T, p Plan, workers int) (*World, string) {
	t.Helper()
	w, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), TruthFile)
	db, err := newTruth(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err = w.fillTables(t.Context(), db, 0, WriteOptions{Workers: workers}); err == nil {
		err = db.commit()
	}
	if cerr := db.close(); err == nil {
		err = cerr
	}
	if err != nil {
		t.Fatal(err)
	}
	return w, path
}

func sized(t *testing.T, n int) Plan {
	t.Helper()
	p, err := Sized(n, 11)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestTablesHold counts rows, follows every reference that leads to no document, and finds everybody
// whom documents name.
func TestTablesHold(t *testing.T) {
	p8, _ := Preset("8K", "", 3)
	p128, _ := Preset("128K", "C", 3)
	for name, p := range map[string]Plan{"8K": p8, "128K": p128, "mixed": sized(t, 900)} {
		t.Run(name, func(t *testing.T) {
			w, path := tables(t, p, 2)
			db, err := universe.OpenTruth(path, readingTruth)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			number := func(query string) (n int) {
				if err := db.QueryRow(query).Scan(&n); err != nil {
					t.Fatal(query, err)
				}
				return n
			}
			for k, table := range []string{"leases", "reports", "reviews", "invoices", "statements", "handbooks"} {
				if got := number("SELECT count(*) FROM " + table); got != p.Counts[k] {
					t.Errorf("%d rows of %s, want %d", got, table, p.Counts[k])
				}
			}
			rows, err := db.Query("PRAGMA foreign_key_check")
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			for rows.Next() {
				var table, parent, id, n any
				if err := rows.Scan(&table, &id, &parent, &n); err != nil {
					t.Fatal(err)
				}
				if parent != "documents" {
					t.Errorf("a row of %v refers to %v that is not there", table, parent)
				}
			}
			// Nobody stands in the pools whom no document needs.
			for _, query := range []string{
				"SELECT count(*) FROM companies WHERE role = 'lessor' AND id NOT IN (SELECT lessor FROM leases)",
				"SELECT count(*) FROM companies WHERE role <> 'lessor' AND id NOT IN (SELECT customer FROM deals UNION SELECT company FROM statements)",
				"SELECT count(*) FROM agents WHERE id NOT IN (SELECT agent FROM deals UNION SELECT agent FROM reviews)",
				"SELECT count(*) FROM products WHERE id NOT IN (SELECT product FROM deal_lines)",
				"SELECT count(*) FROM deals d WHERE id NOT IN (SELECT deal FROM reports UNION SELECT deal FROM invoices) AND lease IS NULL AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.agent = d.agent AND d.stage = 'Closed won' AND d.closed BETWEEN r.period_start AND r.period_end)",
			} {
				if n := number(query); n != 0 {
					t.Errorf("%d: %s", n, query)
				}
			}
			if got := number("SELECT count(*) FROM reviews r WHERE deals_won <> (SELECT count(*) FROM deals d WHERE d.agent = r.agent AND d.stage = 'Closed won' AND d.closed BETWEEN r.period_start AND r.period_end)"); got != 0 {
				t.Errorf("%d reviews count other deals than there are", got)
			}
			if w.Documents() != p.Documents() {
				t.Error("the plan changed")
			}
		})
	}
}

func TestTablesAreTheSameOnAnyNumberOfCores(t *testing.T) {
	var files [2][]byte
	for i, workers := range []int{1, 5} {
		_, path := tables(t, sized(t, 700), workers)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[i] = b
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("one goroutine and five fill truth.sqlite with other bytes")
	}
}

func TestInOrder(t *testing.T) {
	var got []int
	err := inOrder(t.Context(), 3, 1000, func(i int) (int, error) { return i * i, nil }, func(i, v int) error {
		if v != i*i {
			t.Errorf("%d comes with %d", i, v)
		}
		got = append(got, i)
		return nil
	})
	if err != nil || len(got) != 1000 || got[999] != 999 {
		t.Errorf("%d values, error %v", len(got), err)
	}
	bad := os.ErrInvalid
	err = inOrder(t.Context(), 3, 1000, func(i int) (int, error) {
		if i == 500 {
			return 0, bad
		}
		return i, nil
	}, func(i, _ int) error {
		if i >= 500 {
			t.Errorf("%d was used after the error", i)
		}
		return nil
	})
	if err != bad { //nolint:errorlint // it comes back as it is
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = inOrder(ctx, 3, 1_000_000, func(i int) (int, error) { return i, nil }, func(i, _ int) error {
		if i == 100 {
			cancel()
		}
		return nil
	})
	if err != context.Canceled { //nolint:errorlint // it comes back as it is
		t.Errorf("error %v after the end of the context", err)
	}
}
