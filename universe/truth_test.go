package universe

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// truthOf writes truth.sqlite of a world into a fresh folder, without PDFs.
func truthOf(t testing.TB, seed uint64, n int) string {
	t.Helper()
	opt := Options{Seed: seed, Documents: n, Questions: min(100, 3*n)}
	docs := golds(t, seed, n)
	qs, err := askAll(docs, opt)
	if err != nil {
		t.Fatal(err)
	}
	b, err := encodeTruth(t.Context(), opt, docs, qs)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, TruthFile), b, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func ask1(t *testing.T, dir, query string) string {
	t.Helper()
	got, err := Query(t.Context(), dir, query)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(got.Rows)
}

func TestTruthHoldsTogether(t *testing.T) {
	for _, seed := range []uint64{7, 40, 1 << 63} {
		dir := truthOf(t, seed, 36)
		for query, want := range map[string]string{
			"SELECT count(*) FROM documents":                                           "[[36]]",
			"SELECT count(*) FROM questions":                                           "[[100]]",
			"SELECT value FROM world WHERE key = 'seed'":                               fmt.Sprintf("[[%d]]", seed),
			"SELECT count(*) FROM pragma_foreign_key_check":                            "[[0]]",
			"SELECT integrity_check FROM pragma_integrity_check":                       "[[ok]]",
			"SELECT count(*) FROM facts WHERE id NOT IN (SELECT fact FROM renderings)": "[[0]]",
			"SELECT count(*) FROM renderings WHERE x0 IS NULL OR instr(quote, (SELECT printed FROM facts f WHERE f.id = fact)) = 0":  "[[0]]",
			"SELECT count(*) FROM evidence e WHERE NOT EXISTS (SELECT 1 FROM support s WHERE s.question = e.question AND s.n = e.n)": "[[0]]",
			"SELECT count(DISTINCT question) FROM absences WHERE reason = 'probe'":                                                   "[[10]]",
			"SELECT count(*) FROM questions WHERE (modality = 'unanswerable') <> (answer IS NULL)":                                   "[[0]]",
			"SELECT count(*) FROM questions WHERE (query IS NULL) <> (answer IS NULL)":                                               "[[0]]",
			// A manager is one person: agents of one region have one.
			"SELECT max(n) FROM (SELECT count(DISTINCT object) n FROM relations WHERE relation = 'manager' GROUP BY subject)": "[[1]]",
			// The report prints the manager that the relations give.
			`SELECT count(*) FROM stated s JOIN relations a ON a.subject = s.subject AND a.relation = 'agent'
			   JOIN relations r ON r.subject = a.object AND r.relation = 'region' JOIN relations m ON m.subject = r.object AND m.relation = 'manager'
			   JOIN entities e ON e.id = m.object WHERE s.field = 'manager' AND s.text = e.name`: "[[12]]",
		} {
			if got := ask1(t, dir, query); got != want {
				t.Errorf("seed %d: %s: %s, want %s", seed, query, got, want)
			}
		}
	}
}

func TestTruthIsTheSameBytes(t *testing.T) {
	read := func() string {
		b, err := os.ReadFile(filepath.Join(truthOf(t, 3, 12), TruthFile))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if read() != read() {
		t.Error("truth.sqlite differs from one time to the next")
	}
}

func TestFalseTruthIsNotWritten(t *testing.T) {
	opt := Options{Seed: 5, Documents: 12, Questions: 40}
	for name, c := range map[string]struct {
		spoil func(docs []Document, qs []asked)
		want  string
	}{
		"a print other than the truth": {func(d []Document, _ []asked) { d[4].Mentions[0].Value = "FR-000000" }, `document report-00002 prints number as "FR-000000", the truth is "FR-`},
		"a print of nothing true":      {func(d []Document, _ []asked) { d[4].Mentions[0].Field = "shoe-size" }, "prints shoe-size"},
		"a fact that is not printed":   {func(d []Document, _ []asked) { d[0].Mentions = d[0].Mentions[1:] }, "no document prints number of lease-00001"},
		"an answer that is not in it":  {func(_ []Document, q []asked) { a := *q[0].Answer; a.Value = 1.0; q[0].Answer = &a }, "question q001"},
		"a query that gives nothing":   {func(_ []Document, q []asked) { q[2].ask.sql = "SELECT 1 WHERE 0" }, "gives 0 rows, not one"},
		"a query that is none":         {func(_ []Document, q []asked) { q[2].ask.sql = "SELECT nope" }, "no such column"},
	} {
		docs := golds(t, opt.Seed, opt.Documents)
		qs, err := askAll(docs, opt)
		if err != nil {
			t.Fatal(err)
		}
		c.spoil(docs, qs)
		if _, err := encodeTruth(t.Context(), opt, docs, qs); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", name, err, c.want)
		}
	}
}

func TestQueryOnlyReads(t *testing.T) {
	dir := truthOf(t, 5, 12)
	before, err := os.ReadFile(filepath.Join(dir, TruthFile))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for query, want := range map[string]string{
		"":                                       "no SQL statement",
		" -- only a comment":                     "no SQL statement",
		"DELETE FROM facts":                      "read-only",
		"PRAGMA query_only = 0":                  "read-only",
		"ATTACH 'other.db' AS o":                 "read-only",
		"SELECT 1; DELETE FROM facts":            "more than one",
		"SELECT 1; /* */ ATTACH 'x.db' AS x":     "more than one",
		"WITH a AS (SELECT 1) DELETE FROM facts": "readonly database",
		"SELECT nope FROM facts":                 "no such column: nope",
		"SELECT FROM":                            "syntax error",
	} {
		if _, err := Query(t.Context(), dir, query); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q in it", query, err, want)
		}
	}
	for query, want := range map[string]string{
		"select ';', 1; -- done\n":                "[[; 1]]",
		"/* first */ VALUES (1, NULL), (2.5, '')": "[[1 <nil>] [2.5 ]]",
		"WITH a(x) AS (SELECT 3) SELECT x FROM a": "[[3]]",
		"SELECT 1 WHERE 0":                        "[]",
	} {
		if got := ask1(t, dir, query); got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
	after, err := os.ReadFile(filepath.Join(dir, TruthFile))
	if err != nil || string(after) != string(before) {
		t.Errorf("the file changed (%v)", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("something was left beside it: %v", entries)
	}
	if _, err := Query(t.Context(), filepath.Join(dir, "nowhere"), "SELECT 1"); err == nil || !strings.Contains(err.Error(), "name a dataset directory") {
		t.Errorf("no file: %v", err)
	}
	odd := filepath.Join(t.TempDir(), "100% odd?#name")
	if err := os.Mkdir(odd, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(odd, TruthFile), before, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := ask1(t, odd, "SELECT count(*) FROM documents"); got != "[[12]]" {
		t.Errorf("odd folder name: %s", got)
	}
}

// Whatever is asked, at most one statement that reads gets to SQLite: what passes runs on an empty
// database that is writable and leaves it empty, and what is counted as one statement is one.
func FuzzReadsOnly(f *testing.F) {
	for _, s := range []string{"SELECT 1", "select ';' -- x;\n;", "/* ; */ values (1)", "SELECT [a;b]", "SELECT \"a\"\"b;\" ; x", "EXPLAIN SELECT 1", "WITH", "'", "--", "/*", "SELECT 1;;SELECT 2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, query string) {
		if len(query) > 2000 || readsOnly(query) != nil {
			return
		}
		db, err := sql.Open("sqlite", ":memory:")
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		db.SetMaxOpenConns(1)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if strings.Contains(strings.ToUpper(query), "WITH") { // may be endless, and may write: the file's mode refuses that
			return
		}
		rows, err := db.QueryContext(ctx, query)
		if err != nil {
			return
		}
		rows.Close()
		var n int
		if err := db.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM sqlite_schema) + (SELECT count(*) - 1 FROM pragma_database_list)").Scan(&n); err != nil || n != 0 {
			t.Fatalf("%q left %d tables or databases (%v)", query, n, err)
		}
	})
}

func TestFactsHaveOneNameEach(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := World{rapid.Uint64().Draw(t, "seed")}
		id := rapid.IntRange(0, 1<<20).Draw(t, "id")
		for _, facts := range [][]truthFact{w.Lease(id).facts(), w.Visit(id).facts(), w.Statement(id).facts()} {
			seen := map[string]bool{}
			for _, f := range facts {
				if seen[f.field] || f.printed == "" || f.text == "" {
					t.Fatalf("%+v comes twice or is empty", f)
				}
				seen[f.field] = true
			}
		}
	})
}
