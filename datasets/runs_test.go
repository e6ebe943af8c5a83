package datasets

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	edb "enterprisedocbench"
)

func TestRunsStandBesideTheJudgements(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	w, err := Create(dir, Info{Name: "x", Documents: "external"})
	must(t, err)
	defer w.Abort()
	must(t, w.AddQuestion(edb.Question{ID: "q 1"}))
	must(t, w.AddQuestion(edb.Question{ID: "none", Modality: edb.ModalityUnanswerable}))
	for doc, score := range map[string]float64{"b": 0.5, "a#1": 0.5, "c": 2} {
		must(t, w.AddRanked("bm25", "q 1", doc, 1, score))
	}
	must(t, w.AddRanked("bm25", "none", "b", 1, -1))
	if err := w.AddRanked("bm25", "q 1", "b", 1, 3); err == nil || err.Error() != `run "bm25": question "q 1": document "b" stands twice: keep one` {
		t.Errorf("got %v", err)
	}
	if err := w.AddRanked("../x", "q 1", "b", 1, 3); err == nil || !strings.Contains(err.Error(), "its name cannot be a file's") {
		t.Errorf("got %v", err)
	}
	must(t, w.Close())
	want := "none Q0 b#1 1 -1 bm25\nq%201 Q0 c#1 1 2 bm25\nq%201 Q0 b#1 2 0.5 bm25\nq%201 Q0 a%231#1 3 0.5 bm25\n"
	if got := read1(t, dir, RunsDir, "bm25.txt"); got != want {
		t.Errorf("got\n%s", got)
	}
	if faults, err := Check(dir); err != nil || len(faults) > 0 {
		t.Fatal(faults, err)
	}
	put(t, dir, RunsDir+"/bm25.txt", "q%201 Q0 c#1 1 2 bm25\nq%201 Q0 c#1 1 2 bm25\nq2 Q0 c#1 1 x bm25\nq%201 c\nq%201 Q0 c 1 2 bm25\n")
	faults, err := Check(dir)
	must(t, err)
	var got []string
	for _, f := range faults {
		got = append(got, f.String())
	}
	if strings.Join(got, "\n") != strings.Join([]string{
		`runs/bm25.txt:2: page "c#1" stands twice for question "q%201": keep one line`,
		`runs/bm25.txt:3: score "x" is no finite number: write one`,
		`runs/bm25.txt:3: question "q2" is unknown: name one of queries.jsonl`,
		`runs/bm25.txt:4: has 2 columns: write "question Q0 DOC#PAGE rank score run"`,
		`runs/bm25.txt:5: "c" names no page: write DOC#PAGE with pages from 1`}, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	must(t, os.RemoveAll(filepath.Join(dir, RunsDir)))
	if faults, err := Check(dir); err != nil || len(faults) > 0 {
		t.Error(faults, err)
	}
}
