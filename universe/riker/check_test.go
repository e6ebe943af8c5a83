package riker_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"enterprisedocbench/parse"
	"enterprisedocbench/universe"
	"enterprisedocbench/universe/riker"

	"github.com/klauspost/compress/zstd"
)

func open(t *testing.T, dir string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "truth.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func check(t *testing.T, dir string) universe.Checked {
	t.Helper()
	words, err := parse.WordReader("pdfium")
	if err != nil {
		t.Fatal(err)
	}
	got, err := riker.Check(t.Context(), dir, riker.CheckOptions{Words: words, Reader: "pdfium", Read: parse.ReadFile})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func copied(t *testing.T, dir string) string {
	t.Helper()
	out := t.TempDir()
	if err := os.CopyFS(out, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return out
}

// faulty wants a fault that holds all of the words.
func faulty(t *testing.T, got universe.Checked, words ...string) {
	t.Helper()
	for _, f := range got.Faults {
		ok := true
		for _, w := range words {
			ok = ok && strings.Contains(f.String(), w)
		}
		if ok {
			return
		}
	}
	t.Errorf("no fault says %q; %d faults: %v", words, len(got.Faults), got.Faults[:min(len(got.Faults), 5)])
}

// TestCheckFindsWhatWasChanged proves a sound world, and finds each of the changes made to a copy.
func TestCheckFindsWhatWasChanged(t *testing.T) {
	sound := write(t, small(t), riker.WriteOptions{})
	got := check(t, sound)
	if len(got.Faults) > 0 {
		t.Fatalf("a sound world has faults: %v", got.Faults)
	}
	for _, p := range got.Proven {
		if p.N == 0 {
			t.Errorf("nothing was proven of %s", p.Name)
		}
	}
	for name, c := range map[string]struct {
		statement string
		want      []string
	}{
		"a number":         {"UPDATE leases SET monthly = monthly + 1 WHERE id = 'lease-000002'", []string{"table leases, row lease-000002: monthly is"}},
		"a line":           {"UPDATE deal_lines SET amount = amount + 1 WHERE deal = 'deal-000001' AND n = 1", []string{"quantity times price", "deal-000001 line 1"}},
		"a sum":            {"UPDATE statements SET revenue = revenue + 1 WHERE id = 'statement-000001'", []string{"revenue is the sum"}},
		"rent":             {"UPDATE statements SET occupancy = occupancy + 1 WHERE id = (SELECT s.id FROM statements s JOIN leases l ON l.lessee = s.company AND l.start <= s.quarter_start AND l.end >= s.quarter_end LIMIT 1)", []string{"occupancy is the rent"}},
		"a count of deals": {"UPDATE reviews SET deals_won = deals_won + 1 WHERE id = 'review-000001'", []string{"reviews count", "review-000001"}},
		"a score":          {"UPDATE scores SET score = score + .1 WHERE review = 'review-000001'", []string{"mean of the scores", "review-000001"}},
		"a name":           {"UPDATE agents SET name = name || 's' WHERE id = 'agent-000001'", []string{"table agents, row agent-000001: name is"}},
		"a row less":       {"DELETE FROM deals WHERE id = 'deal-000003'", []string{"table deals, row deal-000003: is missing"}},
		"a row more":       {"INSERT INTO products VALUES ('product-99', 'x', 1)", []string{"table products, row product-99: should not be there"}},
		"a place":          {"UPDATE renderings SET start = start + 1 WHERE doc = 'doc-000004' AND n = 1 AND field = 'number'", []string{"doc-000004", "number 1: quote", "is not what stands at"}},
		"a value":          {"UPDATE renderings SET value = 'x' WHERE doc = 'doc-000004' AND field = 'number'", []string{"doc-000004", `prints number as "x"`}},
		"a place more":     {"INSERT INTO renderings SELECT 'doc-999999', field, n, value, page, start, end, x0, y0, x1, y1, quote FROM renderings LIMIT 1", []string{"table renderings has"}},
		"an absence less":  {"DELETE FROM absences WHERE rowid = (SELECT max(rowid) FROM absences WHERE reason = 'clause')", []string{"table absences", "is missing"}},
		"a document":       {"UPDATE documents SET title = 'x' WHERE id = 'doc-000004'", []string{"table documents, row doc-000004: title is x"}},
		"an answer":        {"UPDATE questions SET answer = 'x' WHERE id = (SELECT min(id) FROM questions)", []string{"table questions", "answer is x"}},
		"a query":          {"UPDATE questions SET query = 'SELECT 1' WHERE id = (SELECT min(id) FROM questions)", []string{"query is SELECT 1"}},
		"no table":         {"DROP TABLE segments", []string{"no such table: segments"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := copied(t, sound)
			db := open(t, dir)
			if res, err := db.Exec(c.statement); err != nil {
				t.Fatal(err)
			} else if n, _ := res.RowsAffected(); n == 0 && !strings.HasPrefix(c.statement, "DROP") {
				t.Fatal("nothing was changed")
			}
			faulty(t, check(t, dir), c.want...)
		})
	}
}

// text gives a document of the world that is plain text, with the path of its file and of its gold.
func text(t *testing.T, dir string) (doc, file, gold string) {
	t.Helper()
	if err := open(t, dir).QueryRow("SELECT id FROM documents WHERE format = 'text' ORDER BY id LIMIT 1").Scan(&doc); err != nil {
		t.Fatal(err)
	}
	return doc, filepath.Join(dir, "files", doc+".txt"), filepath.Join(dir, "gold", doc+".json")
}

func edit(t *testing.T, path string, f func(string) string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := f(string(b))
	if s == string(b) {
		t.Fatalf("%s was not changed", path)
	}
	if err := os.WriteFile(path, []byte(s), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestCheckFindsAWordAndAProbe(t *testing.T) {
	sound := write(t, small(t), riker.WriteOptions{})
	t.Run("a word of a file", func(t *testing.T) {
		dir := copied(t, sound)
		doc, file, _ := text(t, dir)
		var value string
		if err := open(t, dir).QueryRow("SELECT value FROM renderings WHERE doc = ? AND field = 'number'", doc).Scan(&value); err != nil {
			t.Fatal(err)
		}
		edit(t, file, func(s string) string { return strings.ReplaceAll(s, value, "XX-0") })
		got := check(t, dir)
		faulty(t, got, "files/"+doc, "the file is not the one that the plan makes (line")
		faulty(t, got, doc, "does not stand in the file")
		faulty(t, got, doc, "sha256")
	})
	t.Run("a word of the gold", func(t *testing.T) {
		dir := copied(t, sound)
		doc, _, gold := text(t, dir)
		edit(t, gold, func(s string) string { return strings.Replace(s, " the ", " thee ", 1) })
		faulty(t, check(t, dir), doc, "the gold is not the one that the plan makes")
	})
	t.Run("a probe", func(t *testing.T) {
		dir := copied(t, sound)
		doc, file, _ := text(t, dir)
		var phrase string
		if err := open(t, dir).QueryRow("SELECT phrase FROM absences WHERE reason = 'probe' AND doc IS NULL AND instr(phrase, char(9)) = 0 LIMIT 1").Scan(&phrase); err != nil {
			t.Fatal(err)
		}
		// Accents, another case, and a break inside of a word.
		hidden := strings.ToUpper(strings.NewReplacer("a", "á", "e", "ê", "o", "ö", "i", "í").Replace(phrase))
		cut := []rune(hidden)
		hidden = string(cut[:len(cut)-3]) + "-\n" + string(cut[len(cut)-3:])
		edit(t, file, func(s string) string { return s + "\nAs was said to " + hidden + " before.\n" })
		faulty(t, check(t, dir), "queries.jsonl:", "is meant to be absent, but stands in document "+doc, "in the file")
	})
	t.Run("a clause", func(t *testing.T) {
		dir := copied(t, sound)
		var doc, phrase string
		if err := open(t, dir).QueryRow("SELECT doc, phrase FROM absences JOIN documents ON documents.id = doc WHERE reason = 'clause' AND format = 'text' LIMIT 1").Scan(&doc, &phrase); err != nil {
			t.Fatal(err)
		}
		edit(t, filepath.Join(dir, "files", doc+".txt"), func(s string) string { return s + "\n" + phrase + "\n" })
		faulty(t, check(t, dir), "files/"+doc, phrase, "is meant to be absent")
	})
	t.Run("a question", func(t *testing.T) {
		dir := copied(t, sound)
		edit(t, filepath.Join(dir, "queries.jsonl"), func(s string) string { return strings.Replace(s, `"text":"`, `"text":"Well, `, 1) })
		faulty(t, check(t, dir), "queries.jsonl:1:", "it is not what the world of the plan asks")
	})
	t.Run("a document less", func(t *testing.T) {
		dir := copied(t, sound)
		doc, file, _ := text(t, dir)
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		faulty(t, check(t, dir), doc)
	})
	t.Run("another plan", func(t *testing.T) {
		dir := copied(t, sound)
		edit(t, filepath.Join(dir, "plan.json"), func(s string) string { return strings.Replace(s, `"seed":5`, `"seed":6`, 1) })
		got := check(t, dir)
		faulty(t, got, "table world, row plan: value is")
		if len(got.Faults) < 1000 || len(got.Skipped) == 0 {
			t.Errorf("%d faults, %v", len(got.Faults), got.Skipped)
		}
	})
}

func TestCheckShards(t *testing.T) {
	p := small(t)
	p.Formats = nil
	sound := write(t, p, riker.WriteOptions{ShardSize: 25})
	if got := check(t, sound); len(got.Faults) > 0 {
		t.Fatalf("a sound world has faults: %v", got.Faults)
	}
	name := riker.ShardFile(2, 3)
	rewrite := func(t *testing.T, f func(string) string) string {
		dir := copied(t, sound)
		dec, err := zstd.NewReader(nil)
		if err != nil {
			t.Fatal(err)
		}
		defer dec.Close()
		enc, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		edit(t, filepath.Join(dir, name), func(s string) string {
			raw, err := dec.DecodeAll([]byte(s), nil)
			if err != nil {
				t.Fatal(err)
			}
			return string(enc.EncodeAll([]byte(f(string(raw))), nil))
		})
		return dir
	}
	t.Run("a word", func(t *testing.T) {
		dir := rewrite(t, func(s string) string { return strings.Replace(s, " the ", " thee ", 1) })
		faulty(t, check(t, dir), name+":", "the line is not the one that the plan makes")
	})
	t.Run("a line less", func(t *testing.T) {
		dir := rewrite(t, func(s string) string { return s[:strings.LastIndexByte(s[:len(s)-1], '\n')+1] })
		faulty(t, check(t, dir), name+":25", "ends before this document")
	})
	t.Run("a damaged shard", func(t *testing.T) {
		dir := copied(t, sound)
		edit(t, filepath.Join(dir, name), func(s string) string { return s[:len(s)/2] })
		faulty(t, check(t, dir), name+":")
	})
	t.Run("without truth", func(t *testing.T) {
		dir := write(t, p, riker.WriteOptions{ShardSize: 25, NoTruth: true})
		if got := check(t, dir); len(got.Faults) > 0 || len(got.Skipped) == 0 {
			t.Errorf("%v, %v", got.Faults, got.Skipped)
		}
	})
}
