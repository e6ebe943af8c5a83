package study

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/store"

	"pgregory.net/rapid"
)

// poolSet is a dataset "hand" of three documents of two pages and three questions, the last
// unanswerable, and a run over it in which each arm ranks the pages given for q0 to q2.
func poolSet(t *testing.T, arms map[string][3]string) (*datasets.Dataset, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "set")
	w, err := datasets.Create(dir, datasets.Info{Name: "hand"})
	noError(t, err)
	for _, id := range []string{"d0", "d1", "=d2"} {
		noError(t, w.AddDocument(edb.Document{ID: id, Path: id + ".txt", Title: "@title of " + id, Pages: 2, Licence: edb.Licence{SPDX: "CC0-1.0"}}, []byte("text of "+id), nil))
	}
	for i, q := range []edb.Question{
		{Text: "What is the rent?", Modality: edb.ModalitySingleHop, Evidence: []edb.Evidence{{Doc: "d0", Page: 1}}},
		{Text: "Who signed?"}, {Text: "Who is Bob?", Modality: edb.ModalityUnanswerable, Subtype: "absent-entity"},
	} {
		q.ID = fmt.Sprintf("q0%d", i)
		noError(t, w.AddQuestion(q))
	}
	noError(t, w.Close())
	ds, err := datasets.Open(dir)
	noError(t, err)

	f := plain(3)
	f.arms = nil
	for a := range arms {
		f.arms = append(f.arms, a)
	}
	slices.Sort(f.arms)
	for _, a := range f.arms {
		f.put(a, "retrieve.ndcg@5", 1, 1, 1)
	}
	run := f.write(t)
	for _, a := range f.arms {
		var b strings.Builder
		for i, pages := range arms[a] {
			for n, p := range strings.Fields(pages) {
				fmt.Fprintf(&b, "q0%d Q0 %s %d %d %s\n", i, p, n+1, 100-n, a)
			}
		}
		noError(t, store.WriteFile(filepath.Join(run, "trec", datasets.FileName(a)+".trec"), []byte(b.String())))
	}
	noError(t, store.WriteFile(filepath.Join(run, "passages.jsonl"), []byte(`{"parse":"x","id":"d1@0","doc":"d1","spans":[{"page":1,"start":0,"end":3}],"text":"The lease.","tokens":2}
{"parse":"x","id":"d1@1","doc":"d1","spans":[{"page":1,"start":4,"end":9},{"page":2,"start":0,"end":9}],"text":"The rent is what it is.","tokens":6}
{"parse":"x","id":"=d2@0","doc":"=d2","spans":[{"page":1,"start":0,"end":9}],"text":"=SUM(A1) rent","tokens":3}
`)))
	return ds, run
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestPoolIsTheUnionOfFirstPages(t *testing.T) {
	ds, run := poolSet(t, map[string][3]string{"a": {"d0#1 d1#1 d1#2", "d1#2", "d0#1"}, "b": {"d1#1 =d2#2 d0#2", "", "d1#1"}})
	p, err := MakePool(ds, []string{run}, PoolOptions{Depth: 2, Seed: 7, Chars: 100})
	noError(t, err)
	got := map[string]string{}
	for _, r := range p.Rows {
		got[r.Query+" "+r.Page] = r.Text
	}
	want := map[string]string{ // of q00 d0#1 is judged, of q02 nothing can be relevant, third ranks are too deep
		"q00 d1#1": "The rent is what it is.", "q00 =d2#2": "=SUM(A1) rent", "q01 d1#2": "The rent is what it is.",
	}
	if len(got) != len(want) || len(p.Rows) != len(want) {
		t.Errorf("pooled %v, want %v", got, want)
	}
	for k, v := range want {
		if got[k] != v {
			t.Errorf("text of %s is %q, want %q", k, got[k], v)
		}
	}
	if p.Pages != 4 || p.Judged != 1 || p.Questions != 2 || p.Unanswerable != 1 || p.Pipelines != 2 {
		t.Errorf("counts are %+v", p)
	}
	all, err := MakePool(ds, []string{run}, PoolOptions{Depth: 2, Seed: 7, All: true})
	noError(t, err)
	if len(all.Rows) != 4 || all.Rows[0].Text != "" {
		t.Errorf("with All and without text: %+v", all.Rows)
	}
}

// Whoever found a page, and in which order, the pool is the same bytes; another seed gives another order.
func TestPoolDoesNotTellWhoFoundWhat(t *testing.T) {
	bytesOf := func(seed uint64, arms map[string][3]string) string {
		ds, run := poolSet(t, arms)
		p, err := MakePool(ds, []string{run}, PoolOptions{Depth: 4, Seed: seed, Chars: 20})
		noError(t, err)
		b, err := p.CSV()
		noError(t, err)
		return string(b) + string(p.TREC())
	}
	x, y := [3]string{"d0#2 d1#1 d1#2 =d2#1", "d1#2"}, [3]string{"=d2#2 =d2#1 d0#2", "d1#1"}
	one := bytesOf(7, map[string][3]string{"a": x, "b": y})
	if other := bytesOf(7, map[string][3]string{"a": y, "b": x}); one != other {
		t.Errorf("arms changed places:\n%s\n%s", one, other)
	}
	if other := bytesOf(7, map[string][3]string{"a": {"=d2#1 =d2#2 d1#1 d0#2", "d1#1 d1#2"}, "b": {"d1#2"}}); one != other {
		t.Errorf("another ranking of the same pages:\n%s\n%s", one, other)
	}
	if bytesOf(8, map[string][3]string{"a": x, "b": y}) == one {
		t.Error("another seed gives the same order")
	}
}

func TestPoolRefusesAnotherDataset(t *testing.T) {
	for pages, want := range map[string]string{
		"nobody#1": `document "nobody" is not in dataset`, "d0": `trec/a.trec:1: "d0" names no page`,
	} {
		ds, run := poolSet(t, map[string][3]string{"a": {pages}})
		if _, err := MakePool(ds, []string{run}, PoolOptions{Depth: 5}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", pages, err)
		}
	}
	ds, run := poolSet(t, map[string][3]string{"a": {"d0#1"}})
	other := *ds
	other.Info.Name = "other"
	if _, err := MakePool(&other, []string{run}, PoolOptions{Depth: 5}); err == nil || !strings.Contains(err.Error(), `the run is over dataset "hand"`) {
		t.Errorf("other name: %v", err)
	}
	noError(t, os.Remove(filepath.Join(run, "trec", "a.trec")))
	if _, err := MakePool(ds, []string{run}, PoolOptions{Depth: 5}); err == nil || !strings.Contains(err.Error(), "run its configuration again") {
		t.Errorf("no trec file: %v", err)
	}
}

// What is pooled, filled in and read back is what was filled in, as CSV with any separator and as qrels.
func TestPoolRoundTrip(t *testing.T) {
	id := rapid.StringMatching(`[=+@'#% a-c\-;,"\t]{0,4}[a-z]`)
	rapid.Check(t, func(t *rapid.T) {
		p := &Pool{}
		var want []datasets.Judgement
		n := rapid.IntRange(1, 8).Draw(t, "rows")
		for range n {
			page := edb.PageID(id.Draw(t, "doc"), rapid.IntRange(1, 99).Draw(t, "page"))
			p.Rows = append(p.Rows, PoolRow{Query: id.Draw(t, "query"), Page: page, Question: id.Draw(t, "question"), Text: rapid.StringMatching(`[=\- a-z"\n,;']*`).Draw(t, "text")})
			want = append(want, datasets.Judgement{Query: p.Rows[len(p.Rows)-1].Query, Page: page, Grade: rapid.IntRange(0, 3).Draw(t, "grade")})
		}
		raw, err := p.CSV()
		if err != nil {
			t.Fatal(err)
		}
		if got, blank, err := readJudged(raw, "f"); err != nil || len(got) > 0 || blank != n {
			t.Fatalf("unfilled: %v, %d blank, %v", got, blank, err)
		}
		rows, err := csv.NewReader(bytes.NewReader(raw)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		var trec, table bytes.Buffer
		w := csv.NewWriter(&table)
		w.Comma = rapid.SampledFrom([]rune{',', ';', '\t'}).Draw(t, "separator")
		for i, r := range rows {
			if i > 0 {
				r[2] = fmt.Sprint(want[i-1].Grade)
			}
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
		}
		w.Flush()
		for i, line := range strings.Split(strings.TrimSuffix(string(p.TREC()), "\n"), "\n") {
			fmt.Fprintf(&trec, "%s%d\n", strings.TrimSuffix(line, "?"), want[i].Grade)
		}
		for _, filled := range [][]byte{table.Bytes(), trec.Bytes()} {
			got, blank, err := readJudged(filled, "f")
			for i := range got {
				got[i].At = ""
			}
			if err != nil || blank != 0 || !slices.Equal(got, want) {
				t.Fatalf("%s\nread as %+v, %d blank, %v; want %+v", filled, got, blank, err, want)
			}
		}
	})
}

func TestReadJudgedNamesEveryFault(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"empty", "", "f: empty: fill in the file that edb dataset pool wrote"},
		{"grades", "query,page,grade\nq,d#1,1\nq,d#2,maybe\nq,d,1\n,d#1,1\n",
			"f:3: grade \"maybe\" is no grade: write 0 for not relevant, 1 or more for relevant, nothing for not judged\nf:4: \"d\" names no page: write DOC#PAGE with pages from 1\nf:5: query is empty: keep the columns query and page as edb dataset pool wrote them"},
		{"column gone", "query;page\nq;d#1\n", `f: no column "grade": the columns are "query", "page"`},
		{"cells", "query,page,grade\nq,d#1\n", "f:2: 2 cells under 3 columns: give each column a cell, empty where there is no value"},
		{"qrels", "q 0 d#1 1\nq 0 d#2\nq\n", `f:3: has 1 column: write "question 0 DOC#PAGE grade"`},
		{"no UTF-8", "query,page,grade,note\nq,d#1,1,\xfc\n", "f:2: not text in UTF-8: save it as CSV or JSON lines in UTF-8"},
	} {
		_, _, err := readJudged([]byte(c.file), "f")
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
	many := "query,page,grade\n" + strings.Repeat("q,d,1\n", 50)
	if _, _, err := readJudged([]byte(many), "f"); err == nil || strings.Count(err.Error(), "\n") != maxPoolFaults || !strings.HasSuffix(err.Error(), "and 30 more") {
		t.Errorf("many faults: %v", err)
	}
	if _, _, err := ReadJudged(filepath.Join(t.TempDir(), "none.csv")); err == nil || !strings.Contains(err.Error(), "no such file or directory: name the filled file") {
		t.Errorf("no file: %v", err)
	}
}

func FuzzReadJudged(f *testing.F) {
	f.Add([]byte("query,page,grade\nq,d#1,1\n"))
	f.Add([]byte("q 0 d#1 ?\n"))
	f.Add([]byte("\ufeffquery;page;grade\n\"q\n\";'=d%23#1;0\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, _, err := readJudged(data, "f")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("an error without its file: %v", err)
			}
			return
		}
		for _, j := range list {
			if j.Grade < 0 || !strings.Contains(j.Page, "#") || !strings.HasPrefix(j.At, "f:") {
				t.Errorf("read %+v", j)
			}
		}
	})
}

func TestARunIsPooledOnce(t *testing.T) {
	ds, run := poolSet(t, map[string][3]string{"a": {"d0#1", "", ""}})
	link := filepath.Join(t.TempDir(), "link")
	noError(t, os.Symlink(run, link))
	for _, dirs := range [][]string{{run, run}, {run, link}, {run, run + "/."}} {
		if _, err := MakePool(ds, dirs, PoolOptions{Depth: 1}); err == nil || !strings.Contains(err.Error(), "are one run folder, which would count twice: name each run once") {
			t.Errorf("%v: %v", dirs, err)
		}
	}
}
