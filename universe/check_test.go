package universe_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	edb "enterprisedocbench"

	"enterprisedocbench/parse"
	"enterprisedocbench/universe"
)

// small is a world that checks itself quickly.
var small = universe.Options{Seed: 7, Documents: 15, Questions: 50}

func words(t *testing.T) func(context.Context, string) ([][]edb.Line, error) {
	t.Helper()
	read, err := parse.WordReader("pdfium")
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// editQuestion changes one line of queries.jsonl: the first that the function accepts.
func editQuestion(t *testing.T, dir string, edit func(q *edb.Question) bool) {
	t.Helper()
	path := filepath.Join(dir, "queries.jsonl")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(b, []byte("\n"))
	for i, l := range lines {
		var q edb.Question
		if json.Unmarshal(l, &q) != nil || !edit(&q) {
			continue
		}
		out, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		lines[i] = append(out, '\n')
		if err := os.WriteFile(path, bytes.Join(lines, nil), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Fatal("no question was changed")
}

func editGold(t *testing.T, dir, doc string, edit func(p *edb.Parsed)) {
	t.Helper()
	path := filepath.Join(dir, "gold", doc+".json")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var p edb.Parsed
	if err := json.Unmarshal(b, &p); err != nil {
		t.Fatal(err)
	}
	edit(&p)
	if b, err = json.Marshal(p); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

func editTruth(t *testing.T, dir, query string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, universe.TruthFile))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	r, err := db.Exec(query)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		t.Fatalf("%s changed nothing (%v)", query, err)
	}
}

func firstProbe(t *testing.T, dir string) string {
	t.Helper()
	got, err := universe.Query(t.Context(), dir, "SELECT min(what) FROM absences a JOIN questions q ON q.id = a.question WHERE q.subtype = 'absent-entity' AND q.text LIKE 'What security deposit%'")
	if err != nil {
		t.Fatal(err)
	}
	return got.Rows[0][0].(string)
}

func TestCheckProvesAWorldAndFindsWhatIsWrong(t *testing.T) {
	origin := filepath.Join(t.TempDir(), "world")
	if err := universe.WriteDemo(t.Context(), origin, small); err != nil {
		t.Fatal(err)
	}
	read := words(t)
	multi := func(q *edb.Question) bool { return q.Modality == edb.ModalityMultiHop && len(q.Evidence) == 2 }
	probe := firstProbe(t, origin) // like "Verdal Foods"
	accented := strings.NewReplacer("a", "á", "e", "è", "o", "ö", "i", "î").Replace(probe[:2]) + "-\n" + strings.ToUpper(probe[2:])

	for _, c := range []struct {
		name  string
		spoil func(dir string)
		words func(ctx context.Context, path string) ([][]edb.Line, error)
		want  []string // each in some fault
	}{
		{"nothing", func(string) {}, nil, nil},
		{"a quote moved", func(d string) {
			editQuestion(t, d, func(q *edb.Question) bool {
				if q.Modality != edb.ModalitySingleHop {
					return false
				}
				q.Evidence[0].Start++
				q.Evidence[0].End++
				return true
			})
		}, nil, []string{"queries.jsonl:1: ", `is not what stands at`, "its evidence does not suffice"}},
		{"a box moved", func(d string) {
			editQuestion(t, d, func(q *edb.Question) bool { q.Evidence[0].Box[1] += 30; q.Evidence[0].Box[3] += 30; return true })
		}, nil, []string{"queries.jsonl:1: evidence 1 of question \"q001\": its box"}},
		{"a rendering's box moved", func(d string) { editTruth(t, d, "UPDATE renderings SET y0 = y0 + 1 WHERE id = 3") }, nil, []string{"truth.sqlite: rendering 3 ("}},
		{"a rendering's page", func(d string) { editTruth(t, d, "UPDATE renderings SET page = 9 WHERE id = 3") }, nil, []string{"page 9 is not in the gold"}},
		{"an amount of the gold", func(d string) {
			editGold(t, d, "statement-00002", func(p *edb.Parsed) {
				for i, e := range p.Pages[0].Elements {
					if e.Kind == edb.KindTable {
						rows := strings.Split(e.Text, "\n")
						cells := strings.Split(rows[1], "\t")
						cells[1] = strings.Map(func(r rune) rune {
							if r >= '0' && r < '9' {
								return r + 1
							}
							return r
						}, cells[1])
						rows[1] = strings.Join(cells, "\t")
						p.Pages[0].Elements[i].Text = strings.Join(rows, "\n")
						return
					}
				}
			})
		}, nil, []string{"gold/statement-00002.json: page 1, table", "Total revenue of Q", "the difference of the two quarters", "is not what stands at"}},
		{"an amount of an answer", func(d string) {
			editQuestion(t, d, func(q *edb.Question) bool {
				v, ok := q.Answer.Value.(float64)
				if ok {
					q.Answer.Value = v + 10
				}
				return ok
			})
		}, nil, []string{"its query gives", "the truth in memory", "the documents print"}},
		{"an amount of the truth", func(d string) { editTruth(t, d, "UPDATE facts SET number = number + 1 WHERE field = 'total-rent'") }, nil, []string{"fact total-rent of lease-00001 is", "its parts make"}},
		{"a query that writes", func(d string) {
			editTruth(t, d, "UPDATE questions SET query = 'DELETE FROM facts' WHERE id = 'q001'")
		}, nil, []string{`question "q001": its query: SQL statement DELETE: the truth is read-only`}},
		{"a probe's name in the furniture, with accents and over a line break", func(d string) {
			editGold(t, d, "report-00003", func(p *edb.Parsed) {
				e := p.Pages[0].Elements
				e[len(e)-1].Text += "\n" + accented
			})
		}, nil, []string{"\"" + probe + "\" is meant to be absent, but stands in document \"report-00003\", in the gold"}},
		{"a probe's name in the file alone", func(string) {}, func(ctx context.Context, path string) ([][]edb.Line, error) {
			got, err := read(ctx, path)
			if strings.Contains(path, "lease-00002") {
				for _, w := range strings.Fields(accented) {
					got[1] = append(got[1], edb.Line{Text: w, Box: &edb.Box{1, 1, 2, 2}})
				}
			}
			return got, err
		}, []string{"stands in document \"lease-00002\", in the file as pdfium reads it"}},
		{"another file than the gold", func(string) {}, func(ctx context.Context, path string) ([][]edb.Line, error) {
			got, err := read(ctx, path)
			for i, w := range got[0] {
				got[0][i].Text = strings.ReplaceAll(w.Text, "5", "6")
			}
			return got, err
		}, []string{"pdfium finds no"}},
		{"a piece of evidence too few", func(d string) {
			editQuestion(t, d, func(q *edb.Question) bool {
				ok := multi(q)
				q.Evidence = q.Evidence[:min(1, len(q.Evidence))]
				return ok
			})
		}, nil, []string{"its evidence does not suffice for the answer"}},
		{"a piece of evidence too many", func(d string) {
			if err := os.Remove(filepath.Join(d, "qrels.txt")); err != nil {
				t.Fatal(err)
			}
			var more edb.Evidence
			editQuestion(t, d, func(q *edb.Question) bool {
				if more.Doc == "" {
					more = q.Evidence[0]
					return false
				}
				q.Evidence = append(q.Evidence, more)
				return true
			})
		}, nil, []string{"evidence 2 (document", "is not needed for the answer"}},
		{"a question of another world", func(d string) {
			editQuestion(t, d, func(q *edb.Question) bool { q.Text = "Who is it?"; return true })
		}, nil, []string{`the world of this seed does not ask "Who is it?"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "w")
			if err := os.CopyFS(dir, os.DirFS(origin)); err != nil {
				t.Fatal(err)
			}
			c.spoil(dir)
			use := c.words
			if use == nil {
				use = read
			}
			got, err := universe.Check(t.Context(), dir, universe.CheckOptions{Words: use, Reader: "pdfium"})
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			for _, f := range got.Faults {
				all = append(all, f.String())
			}
			for _, w := range c.want {
				if !slices.ContainsFunc(all, func(f string) bool { return strings.Contains(f, w) }) {
					t.Errorf("no fault says %q:\n%s", w, strings.Join(all, "\n"))
				}
			}
			if len(c.want) > 0 {
				return
			}
			if len(all) > 0 || len(got.Skipped) > 0 {
				t.Errorf("a sound world has faults: %v; skipped: %v", all, got.Skipped)
			}
			for _, p := range got.Proven {
				if p.N == 0 {
					t.Errorf("nothing was proven of %s", p.Name)
				}
			}
			if len(got.Shortcuts) != 3 || got.Shortcuts[1].N != 0 {
				t.Errorf("shortcuts: %+v", got.Shortcuts)
			}
		})
	}
}

func TestCheckSaysWhatItCannotLookAt(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "w")
	if err := universe.WriteDemo(t.Context(), dir, small); err != nil {
		t.Fatal(err)
	}
	editTruth(t, dir, "UPDATE world SET value = 'universe 0' WHERE key = 'generator'")
	got, err := universe.Check(t.Context(), dir, universe.CheckOptions{})
	if err != nil || len(got.Faults) > 0 {
		t.Fatalf("%v %v", got.Faults, err)
	}
	if s := strings.Join(got.Skipped, "\n"); !strings.Contains(s, "no reader of PDFs was given") || !strings.Contains(s, `the world is of the generator "universe 0"`) {
		t.Errorf("skipped: %s", s)
	}
	if err := os.WriteFile(filepath.Join(dir, "documents.jsonl"), []byte("{\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err = universe.Check(t.Context(), dir, universe.CheckOptions{}); err != nil || len(got.Faults) == 0 || len(got.Skipped) != 1 {
		t.Errorf("a broken table: %+v %v", got, err)
	}
	if err := os.Remove(filepath.Join(dir, universe.TruthFile)); err != nil {
		t.Fatal(err)
	}
	if _, err := universe.Check(t.Context(), dir, universe.CheckOptions{}); err == nil || !strings.Contains(err.Error(), "no truth.sqlite is there") {
		t.Errorf("without a truth: %v", err)
	}
	if _, err := universe.Check(t.Context(), dir+"x", universe.CheckOptions{}); err == nil {
		t.Error("a folder that is not there was checked")
	}
}
