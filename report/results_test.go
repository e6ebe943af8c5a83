package report

import (
	"strings"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/reproduce"
)

// TestResults: figures stand with interval and n, what is undefined with its reason, and what is not
// here with what brings it.
func TestResults(t *testing.T) {
	v := func(x float64) *float64 { return &x }
	peak := int64(12_300_000)
	figure := edb.Figure{Value: v(.9), Lo: v(.8), Hi: v(.95), N: 12}
	r := &reproduce.Results{
		Tables: []reproduce.Result{{Title: "T", Note: "N.", Documents: 12, Pages: 13, Measures: []string{"parse.tis", "parse.tea"}, Baseline: "a", Tests: 1,
			Rows: []reproduce.Row{
				{Name: "a", Engine: "a", Figures: map[string]edb.Figure{"parse.tis": figure, "parse.tea": {Reason: "gold has no table"}}, PerSecond: v(81.4), PeakBytes: &peak},
				{Name: "b", Engine: "b", Figures: map[string]edb.Figure{"parse.tis": {Value: v(.5), N: 3}}, Failures: map[string]int{"timeout": 2}},
			},
			Paired:  []reproduce.Paired{{Candidate: "b", Key: "parse.tis", N: 3, Value: v(-.4), P: v(.25), PAdjusted: v(.5), Words: "not enough data"}},
			Missing: []reproduce.Unavailable{{Name: "c", Problem: "c is not on the PATH", Get: "apt-get install c"}}}},
		Strata: []reproduce.Stratum{{By: "domain", Value: "law", Key: "parse.tis", Figures: map[string]edb.Figure{"a": figure}}},
		Checks: []reproduce.Checked{{What: "r", Source: "EDB section 3.1", Published: .89, Here: "ours", Measured: figure, Documents: 4, Tolerance: .05, Words: "within 0.05"}},
	}
	got := string(Results(reproduce.Page{Name: "p", Title: "P", Intro: "I.\n"}, r))
	for _, want := range []string{
		"# P\n\nI.\n", "`edb reproduce p --data FOLDER`", "N. 12 documents, 13 pages, 0 questions.",
		"| a | 0.900 [0.800, 0.950] n=12 | not measured: gold has no table | 81 | 12 MB | 0 |",
		"| b | 0.500 n=3 | not measured: nothing to measure | · | · | timeout 2 |",
		"| b | parse.tis | -0.400 | 3 | 0.2500 | 0.5000 | · | not enough data |",
		"c is not available: c is not on the PATH: apt-get install c",
		"| domain | law | 0.900 [0.800, 0.950] n=12 |",
		"| r | EDB section 3.1 | 0.89 | ours | 0.900 [0.800, 0.950] n=12 | 4 | ±0.05 | within 0.05 |",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	if strings.Contains(got, "%!") {
		t.Errorf("a broken format:\n%s", got)
	}
}

// TestResultsWithoutSpeed: a table whose rows have neither speed nor memory has no columns of them, and
// the head of its page does not speak of them.
func TestResultsWithoutSpeed(t *testing.T) {
	v := 0.5
	r := &reproduce.Results{Tables: []reproduce.Result{{Title: "T", Measures: []string{"retrieve.rr"},
		Rows: []reproduce.Row{{Name: "bm25", Figures: map[string]edb.Figure{"retrieve.rr": {Value: &v, N: 3}}}}}}}
	got := string(Results(reproduce.Page{Name: "p", Title: "P"}, r))
	if want := "| | retrieve.rr | not read |\n|---|---|---|\n| bm25 | 0.500 n=3 | 0 |\n"; !strings.Contains(got, want) {
		t.Errorf("no %q in:\n%s", want, got)
	}
	for _, not := range []string{"Speed", "pages/s", "memory", "%!"} {
		if strings.Contains(got, not) {
			t.Errorf("%q in:\n%s", not, got)
		}
	}
}
