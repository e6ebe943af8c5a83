package datasets

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestJudgeTakesJudgementsIn(t *testing.T) {
	dir := small(t)
	list := []Judgement{{"q1", "lease#1", 0, "f:2"}, {"q1", "lease#2", 1, "f:3"}, {"q1", "note#1", 2, "f:4"}, {"q1", "note#1", 2, "g:9"}}
	for i, want := range []Judged{{New: 2, Same: 1, Relevant: 2, All: 3, AllRelevant: 2}, {Same: 3, Relevant: 2, All: 3, AllRelevant: 2}} {
		got, err := Judge(dir, list, JudgeOptions{})
		if err != nil || got != want {
			t.Errorf("call %d: %+v, %v; want %+v", i+1, got, err, want)
		}
	}
	if got, want := read1(t, dir, QrelsFile), "q1 0 lease#1 0\nq1 0 lease#2 1\nq1 0 note#1 2\n"; got != want {
		t.Errorf("qrels.txt is %q, want %q", got, want)
	}
	if faults, err := Check(dir); err != nil || len(faults) > 0 {
		t.Errorf("after judging: %v, %v", faults, err)
	}
	again := []Judgement{{"q1", "note#1", 0, "h:2"}}
	if _, err := Judge(dir, again, JudgeOptions{}); err == nil || !strings.Contains(err.Error(), `h:2: question "q1": page "note#1" has the grade 0 here and 2 in qrels.txt: give --replace`) {
		t.Errorf("another grade: %v", err)
	}
	if got, err := Judge(dir, again, JudgeOptions{Replace: true}); err != nil || got.Changed != 1 || got.AllRelevant != 1 {
		t.Errorf("with Replace: %+v, %v", got, err)
	}
}

// Without qrels.txt the judgements of a dataset are those of its evidence, and they stay.
func TestJudgeKeepsWhatFollowsFromEvidence(t *testing.T) {
	dir := small(t)
	must(t, os.Remove(filepath.Join(dir, QrelsFile)))
	_, err := Judge(dir, []Judgement{{"q1", "note#1", 1, "f:2"}}, JudgeOptions{})
	must(t, err)
	if got, want := read1(t, dir, QrelsFile), "q1 0 lease#2 1\nq1 0 note#1 1\n"; got != want {
		t.Errorf("qrels.txt is %q, want %q", got, want)
	}
}

func TestJudgeNamesEveryFaultAndWritesNothing(t *testing.T) {
	dir := small(t)
	before := read1(t, dir, QrelsFile)
	_, err := Judge(dir, []Judgement{
		{"q9", "lease#1", 1, "f:2"}, {"q2", "lease#1", 0, "f:3"}, {"q1", "loan#1", 1, "f:4"}, {"q1", "lease#3", 1, "f:5"},
		{"q1", "lease#2", 0, "f:6"}, {"q1", "note#1", 1, "f:7"}, {"q1", "note#1", 0, "g:7"}, {"q1", "lease#1", -1, "f:8"},
	}, JudgeOptions{})
	want := []string{
		`f:2: question "q9": question "q9" is unknown: name one of queries.jsonl`,
		`f:3: question "q2": question "q2" is unanswerable but has a judgement: take the line out`,
		`f:4: question "q1": document "loan" is unknown: name one of documents.jsonl`,
		`f:5: question "q1": page 3 of document "lease", which has 2 pages: count physical pages from 1`,
		`f:6: question "q1": page "lease#2" is evidence of the question and is judged 0: grade it 1 or more, or correct the evidence in queries.jsonl`,
		`g:7: question "q1": page "note#1" has the grade 0 here and 1 at f:7: agree on one`,
		`f:8: question "q1": grade -1: write 0 for not relevant, 1 or more for relevant`,
	}
	if err == nil || err.Error() != strings.Join(want, "\n") {
		t.Errorf("faults:\n%v\nwant:\n%s", err, strings.Join(want, "\n"))
	}
	if got := read1(t, dir, QrelsFile); got != before {
		t.Errorf("qrels.txt was written: %q", got)
	}
}

func TestJudgeWaitsForNobody(t *testing.T) {
	dir := small(t)
	release, err := takeLock(filepath.Clean(dir))
	must(t, err)
	defer release()
	if _, err := Judge(dir, nil, JudgeOptions{}); err == nil || !strings.Contains(err.Error(), "another writer is at work on it") {
		t.Errorf("beside another writer: %v", err)
	}
}

func TestParseJudged(t *testing.T) {
	for _, c := range []struct {
		line   string
		want   Judgement
		judged bool
		err    string
	}{
		{"q1 0 a#2 1", Judgement{Query: "q1", Page: "a#2", Grade: 1}, true, ""},
		{"q%202 0 a%23b#1 0", Judgement{Query: "q 2", Page: "a#b#1"}, true, ""},
		{"q1 0 a#2 ?", Judgement{Query: "q1", Page: "a#2"}, false, ""},
		{"q1 0 a#2", Judgement{Query: "q1", Page: "a#2"}, false, ""},
		{"q1 0 a#2 -1", Judgement{Query: "q1", Page: "a#2"}, false, `grade "-1" is no grade`},
		{"q1 0 a#2 yes", Judgement{Query: "q1", Page: "a#2"}, false, `grade "yes" is no grade`},
		{"q1 0 a 1", Judgement{}, false, `"a" names no page`},
		{"q1 a#2", Judgement{}, false, "has 2 columns"},
	} {
		got, judged, err := ParseJudged(c.line)
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: %v, want %q", c.line, err, c.err)
		} else if err == nil && (got != c.want || judged != c.judged) {
			t.Errorf("%q: %+v %v, want %+v %v", c.line, got, judged, c.want, c.judged)
		}
	}
}
