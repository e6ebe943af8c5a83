package pipeline

import (
	"database/sql"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"enterprisedocbench/internal/store"
)

// finished gives what the cache holds, by key, with the cost as it was measured: an entry made again
// would carry another.
func finished(t *testing.T, dir string) map[store.Key]string {
	t.Helper()
	out := map[store.Key]string{}
	if _, err := os.Stat(filepath.Join(dir, "index.sqlite")); err != nil {
		return out
	}
	c, err := store.OpenCache(dir) // makes the table if the kill came before it
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "index.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT key, stage, coalesce(cost, ''), CASE stage WHEN 'index' THEN value ELSE '' END FROM entries`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var k, cost, value []byte
		var stage string
		if err := rows.Scan(&k, &stage, &cost, &value); err != nil {
			t.Fatal(err)
		}
		if stage == "index" {
			continue // built anew for the questions that are left
		}
		out[store.Key(k)] = stage + " " + string(cost) + string(value)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// What was finished before a kill is not made again: every entry keeps the wall time it was made in.
func TestKilledRunsRedoNothing(t *testing.T) {
	kills, n := 5, 60
	if os.Getenv("EDB_LONG") != "" {
		kills, n = 50, 400 // 400 documents, 800 rankings, 800 answers
	}
	path := config(t, corpus(t, n), twoArms)
	dir := t.TempDir()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out, cache := filepath.Join(dir, "killed"), filepath.Join(dir, "c")
	r := rand.New(rand.NewPCG(6, 7))
	held := map[store.Key]string{}
	partial := 0
	check := func(when string) {
		t.Helper()
		now := finished(t, cache)
		for k, v := range held {
			if now[k] != v {
				t.Fatalf("%s: %v was %q and is %q", when, k, v, now[k])
			}
		}
		held = now
	}
	for range kills {
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), "EDB_TEST_RUN="+path, "EDB_TEST_OUT="+out, "EDB_TEST_CACHE="+cache)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// Killed once it has made a few entries more, whatever the speed of the machine.
		goal := len(held) + 1 + r.IntN(5*n/kills)
		for end := time.Now().Add(5 * time.Second); time.Now().Before(end) && rowsNow(cache) < goal; {
			time.Sleep(5 * time.Millisecond)
		}
		cmd.Process.Kill()
		cmd.Wait()
		check("after a kill")
		if len(held) > 0 {
			partial++
		}
	}
	before := len(held)
	s := run(t, path, out, cache, 2)
	check("at the end")
	if partial == 0 || before == len(held) {
		t.Errorf("the kills left nothing to do or did nothing: %d entries before, %d after", before, len(held))
	}
	if whole := run(t, path, filepath.Join(dir, "whole"), filepath.Join(dir, "c0"), 2); whole.Redone["parse"] != n {
		t.Errorf("%d documents were parsed, the summary says %d", n, whole.Redone["parse"])
	}
	made := 0
	for _, stage := range []string{"parse", "retrieve", "generate"} {
		made += s.Redone[stage]
	}
	if made > len(held)-before {
		t.Errorf("the last call says it did %d units, the cache grew by %d", made, len(held)-before)
	}
}

// rowsNow counts the entries of a cache that another process writes; 0 while there is none.
func rowsNow(dir string) (n int) {
	path := filepath.Join(dir, "index.sqlite")
	if _, err := os.Stat(path); err != nil {
		return 0
	}
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		return 0
	}
	defer db.Close()
	if err := db.QueryRow(`SELECT count(*) FROM entries WHERE stage <> 'index'`).Scan(&n); err != nil {
		return 0
	}
	return n
}
