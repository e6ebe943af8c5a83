package datasets

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	edb "enterprisedocbench"
)

// version makes two equal datasets of five documents and four questions, the second changed.
func versions(t *testing.T, change func(info *Info, docs []edb.Document, texts []string, questions []edb.Question) ([]edb.Document, []string, []edb.Question)) *Diff {
	t.Helper()
	open := func(name string, change func(info *Info, docs []edb.Document, texts []string, questions []edb.Question) ([]edb.Document, []string, []edb.Question)) *Dataset {
		info := Info{Name: "v", Version: name}
		var docs []edb.Document
		var texts []string
		for i := range 5 {
			docs = append(docs, edb.Document{ID: fmt.Sprintf("d%d", i), MIME: "text/plain", Split: "test", Gold: "human", Licence: edb.Licence{SPDX: "CC0-1.0", Evidence: "made"}})
			texts = append(texts, fmt.Sprintf("text %d", i))
		}
		var qs []edb.Question
		for i := range 4 {
			qs = append(qs, edb.Question{ID: fmt.Sprintf("q%d", i), Text: "What?", Answer: &edb.GoldAnswer{Type: "text", Value: "x"}, Evidence: []edb.Evidence{{Doc: docs[i].ID, Page: 1}}})
		}
		if change != nil {
			docs, texts, qs = change(&info, docs, texts, qs)
		}
		dir := filepath.Join(t.TempDir(), name)
		w, err := Create(dir, info)
		must(t, err)
		for i, d := range docs {
			gold := edb.Parsed{Paged: true, Pages: []edb.Page{{Number: 1, Elements: []edb.Element{{Kind: "paragraph", Text: texts[i] + d.Title}}}}}
			d.Title = ""
			must(t, w.AddDocument(d, []byte(texts[i]), &gold))
		}
		for _, q := range qs {
			must(t, w.AddQuestion(q))
		}
		must(t, w.Close())
		ds, err := Open(dir)
		must(t, err)
		return ds
	}
	got, err := Compare(open("1", nil), open("2", change))
	must(t, err)
	return got
}

func TestCompare(t *testing.T) {
	type (
		docs = []edb.Document
		qs   = []edb.Question
	)
	for _, c := range []struct {
		name   string
		change func(info *Info, d docs, x []string, q qs) (docs, []string, qs)
		lists  string // what is not empty
		axes   string
	}{
		{"nothing", func(_ *Info, d docs, x []string, q qs) (docs, []string, qs) { return d, x, q }, ``, "parse yes 5; retrieve yes 4; generate yes 4"},
		{"one more", func(_ *Info, d docs, x []string, q qs) (docs, []string, qs) {
			n := d[0]
			n.ID = "new"
			return append(d, n), append(x, "new text"), q
		}, `added [new]`, "parse in part 5; retrieve no 0; generate no 0"},
		{"one less", func(_ *Info, d docs, x []string, q qs) (docs, []string, qs) { return d[:4], x[:4], q }, `removed [d4]`, "parse in part 4; retrieve no 0; generate no 0"},
		{"another id", func(_ *Info, d docs, x []string, q qs) (docs, []string, qs) {
			d[1].ID, q[1].Evidence[0].Doc = "moved", "moved"
			return d, x, q
		}, `renamed [{d1 moved}]`, "parse yes 5; retrieve yes 4; generate yes 4"},
		{"another file", func(_ *Info, d docs, x []string, q qs) (docs, []string, qs) {
			x[2], d[2].Title = "text", " 2" // the gold stays
			return d, x, q
		}, `file [d2]`, "parse in part 4; retrieve no 0; generate no 0"},
		{"another gold", func(_ *Info, d docs, x []string, q qs) (docs, []string, qs) {
			d[2].Title = " and more"
			return d, x, q
		}, `gold [d2]`, "parse in part 4; retrieve in part 3; generate in part 3"},
		{"another licence", func(_ *Info, d docs, x []string, q qs) (docs, []string, qs) {
			d[3].Licence.SPDX = "MIT"
			return d, x, q
		}, `licence [d3]`, "parse yes 5; retrieve yes 4; generate yes 4"},
		{"another split", func(_ *Info, d docs, x []string, q qs) (docs, []string, qs) {
			d[3].Split = "train"
			return d, x, q
		}, `split [{d3 {test train}}]`, "parse in part 5; retrieve in part 4; generate in part 4"},
		{"another domain", func(_ *Info, d docs, x []string, q qs) (docs, []string, qs) {
			d[3].Domain = "law"
			return d, x, q
		}, `other [d3]`, "parse yes 5; retrieve yes 4; generate yes 4"},
		{"question", func(_ *Info, d docs, x []string, q qs) (docs, []string, qs) { q[0].Text = "Who?"; return d, x, q }, `text [q0]`, "parse yes 5; retrieve in part 3; generate in part 3"},
		{"answer", func(_ *Info, d docs, x []string, q qs) (docs, []string, qs) {
			q[0].Answer.Value = "y"
			return d, x, q
		}, `answer [q0]`, "parse yes 5; retrieve yes 4; generate in part 3"},
		{"evidence", func(_ *Info, d docs, x []string, q qs) (docs, []string, qs) {
			q[0].Evidence[0].Doc = "d4"
			return d, x, q
		}, `evidence [q0] qrels +1 -1 ~0 [q0]`, "parse yes 5; retrieve in part 3; generate in part 3"},
		{"questions", func(_ *Info, d docs, x []string, q qs) (docs, []string, qs) { q[0].ID = "q9"; return d, x, q }, `asked [q9] dropped [q0] qrels +1 -1 ~0 []`, "parse yes 5; retrieve in part 3; generate in part 3"},
		{"no question", func(_ *Info, d docs, x []string, q qs) (docs, []string, qs) { return d, x, nil }, `dropped [q0 q1 q2 q3] qrels +0 -4 ~0 []`, "parse yes 5; retrieve no 0; generate no 0"},
		{"modality", func(_ *Info, d docs, x []string, q qs) (docs, []string, qs) { q[0].Modality = "table"; return d, x, q }, `other question [q0]`, "parse yes 5; retrieve yes 4; generate yes 4"},
		{"mask", func(i *Info, d docs, x []string, q qs) (docs, []string, qs) {
			i.Mask = []MaskRule{{LeaveOut: []string{"formula"}}}
			return d, x, q
		}, `rules [mask]`, "parse no 0; retrieve no 0; generate no 0"},
		{"parts", func(i *Info, d docs, x []string, q qs) (docs, []string, qs) {
			i.GoldParts = []string{"paragraph"}
			return d, x, q
		}, `rules [gold_parts]`, "parse no 0; retrieve yes 4; generate yes 4"},
	} {
		got := versions(t, c.change)
		var lists []string
		for _, l := range []struct {
			name string
			n    int
			v    any
		}{
			{"added", len(got.Documents.Added), got.Documents.Added}, {"removed", len(got.Documents.Removed), got.Documents.Removed},
			{"renamed", len(got.Documents.Renamed), got.Documents.Renamed}, {"file", len(got.Documents.File), got.Documents.File},
			{"gold", len(got.Documents.Gold), got.Documents.Gold}, {"licence", len(got.Documents.Licence), got.Documents.Licence},
			{"split", len(got.Documents.Split), got.Documents.Split}, {"other", len(got.Documents.Other), got.Documents.Other},
			{"asked", len(got.Questions.Added), got.Questions.Added}, {"dropped", len(got.Questions.Removed), got.Questions.Removed},
			{"text", len(got.Questions.Text), got.Questions.Text}, {"answer", len(got.Questions.Answer), got.Questions.Answer},
			{"evidence", len(got.Questions.Evidence), got.Questions.Evidence}, {"other question", len(got.Questions.Other), got.Questions.Other},
			{"rules", len(got.Rules), got.Rules},
		} {
			if l.n > 0 {
				lists = append(lists, fmt.Sprint(l.name, " ", l.v))
			}
		}
		if q := got.Qrels; q.Added+q.Removed+q.Changed > 0 {
			lists = append(lists, fmt.Sprintf("qrels +%d -%d ~%d %v", q.Added, q.Removed, q.Changed, q.Questions))
		}
		var axes []string
		for _, a := range got.Comparable {
			axes = append(axes, fmt.Sprintf("%s %s %d", a.Axis, a.Verdict, a.Units))
			if a.Reason == "" {
				t.Errorf("%s: %s without a reason", c.name, a.Axis)
			}
		}
		if l, a := strings.Join(lists, " "), strings.Join(axes, "; "); l != c.lists || a != c.axes {
			t.Errorf("%s:\ngot  %s | %s\nwant %s | %s", c.name, l, a, c.lists, c.axes)
		}
	}
}

func TestCompareJudgements(t *testing.T) {
	dir := t.TempDir()
	for _, v := range []string{"a", "b"} {
		d := filepath.Join(dir, v)
		must(t, os.MkdirAll(filepath.Join(d, "files"), 0o755))
		put(t, d, InfoFile, "name: x\n")
		put(t, d, DocumentsFile, `{"id":"x","path":"files/x.txt","licence":{"spdx":"MIT"}}`+"\n")
		put(t, d, "files/x.txt", "x")
		put(t, d, QuestionsFile, `{"id":"q1","text":"?"}`+"\n"+`{"id":"q2","text":"?"}`+"\n")
	}
	put(t, dir, "a/qrels.txt", "q1 0 x#1 1\nq1 0 x#2 0\nq2 0 x#1 1\n")
	put(t, dir, "b/qrels.txt", "q1 0 x#1 2\nq1 0 x#3 0\nq2 0 x#1 1\n")
	a, err := Open(filepath.Join(dir, "a"))
	must(t, err)
	b, err := Open(filepath.Join(dir, "b"))
	must(t, err)
	got, err := Compare(a, b)
	must(t, err)
	if s := fmt.Sprint(got.Qrels); s != "{1 1 1 [q1]}" || got.Comparable[1].Verdict != "in part" || got.Comparable[1].Units != 1 {
		t.Errorf("%s %+v", s, got.Comparable)
	}
	if _, err := json.Marshal(got); err != nil {
		t.Error(err)
	}
	must(t, os.Remove(filepath.Join(dir, "b/files/x.txt")))
	if _, err := Compare(a, b); err == nil || !strings.Contains(err.Error(), `documents.jsonl:1: document "x": file "files/x.txt" is missing`) {
		t.Errorf("got %v", err)
	}
}
