package report

import (
	"bytes"
	"strings"
	"testing"

	"enterprisedocbench"
)

func fig(v float64, n int) edb.Figure {
	lo, hi := v-0.05, v+0.05
	return edb.Figure{Value: &v, Lo: &lo, Hi: &hi, N: n, NOK: n, Level: 0.95}
}

func example() Run {
	return Run{edb.Summary{Dataset: "d <script>", Arms: []string{"bm25", "dense"}, Documents: 3, Pages: 7, Questions: 12, Failures: 1,
		ByModality: map[string]int{"table": 12}, FailureKind: map[string]int{"parse: encrypted": 1}, PriceBook: "2026-11",
		Pipelines: map[string]map[string]edb.Figure{
			"bm25": {"parse.p": fig(0.9, 3), "retrieve.ndcg@5": fig(0.8, 12), "retrieve.p@3": fig(0.33, 12), "generate.g": fig(0.7, 12), "quality.q": fig(0.79, 12), "quality.q(without=parse)": fig(0.76, 12)},
			"dense": {"parse.p": {Reason: "not measured: no unit has tea"}, "parse.p(parts=tis+lf)": fig(0.95, 3), "retrieve.ndcg@5": fig(0.5, 12), "generate.g": fig(0.6, 12),
				"quality.q": {Reason: "P is not measured"}, "quality.q(without=parse)": fig(0.55, 12)},
		},
		Costs:    map[string]map[string]edb.Figure{"bm25": {"cost.relative": fig(1, 1), "index.relative": fig(1, 1)}, "dense": {"cost.relative": {Reason: "unknown"}}},
		Outcomes: map[string]map[string]int{"bm25": {"correct": 9}, "dense": {"correct": 5}},
	}}
}

func TestTextNamesWhatIsMissing(t *testing.T) {
	var b bytes.Buffer
	if err := example().Text(&b); err != nil {
		t.Fatal(err)
	}
	out := b.String()
	for _, want := range []string{
		"0.900 [0.85, 0.95] n=3", "0.800 [0.75, 0.85] / 0.330 [0.28, 0.38] n=12", "(parts=tis+lf)", "Quality without P", "0.550",
		"not measured: no unit has tea", "1 unit failed (parse: encrypted 1)", "3 documents, 7 pages, 12 questions (table 12)",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the table lacks %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, "0.790") {
		t.Error("Q with and without P stand in one column")
	}
}

func TestPageIsSelfContainedAndEscapes(t *testing.T) {
	var b bytes.Buffer
	failures := []edb.Failure{{Arm: "bm25", Stage: "parse", Unit: `<img src=x onerror=alert(1)>`, Kind: "encrypted", Error: "password required"}}
	examples := []Example{{Arm: "dense", Query: "q1", Question: "What <b>is</b> it?", Answer: "</p><script>alert(1)</script>", Outcome: "correct"}}
	if err := Page(&b, example(), failures, examples); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, bad := range []string{"<script", "<img", "http://", "https://", "<b>is</b>"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	for _, want := range []string{"d &lt;script&gt;", "password required", "not measured", "<svg", "default-src 'none'"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestQuantity(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{{0, "0"}, {1234.5, "1234"}, {2.5, "2.50"}, {0.0421, "0.0421"}, {0.00001, "1.00e-05"}} {
		if got := Quantity(edb.Figure{Value: &c.v}); got != c.want {
			t.Errorf("%v: %q, want %q", c.v, got, c.want)
		}
	}
	if Quantity(edb.Figure{}) != "·" {
		t.Error("unknown must not print as a number")
	}
}

func TestLoadSaysWhatIsNoRun(t *testing.T) {
	if _, err := Load(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is not a finished run") {
		t.Fatalf("got %v", err)
	}
}
