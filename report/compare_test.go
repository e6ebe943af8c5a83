package report

import (
	"bytes"
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"enterprisedocbench/study"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden holds what is written against testdata/NAME.
func golden(t *testing.T, name string, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name)
	if *update {
		if os.Getenv("CI") != "" {
			t.Fatal("-update in CI")
		}
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != string(want) {
		t.Errorf("%s differs; -update writes it anew:\n%s", name, got)
	}
	return b.String()
}

func num(x float64) *float64 { return &x }

func comparison() *study.Comparison {
	peak := int64(112_400_000)
	row := func(candidate, key string, a, b, lo, hi, p float64, verdict, words string) study.Difference {
		return study.Difference{Baseline: "bm25", Candidate: candidate, Key: key, Higher: true, BaselineValue: num(a), CandidateValue: num(b), Value: num(b - a),
			Lo: num(lo), Hi: num(hi), P: num(p), PAdjusted: num(min(1, 4*p)), Effect: num(-0.5), Detectable: num(.05), N: 90, Verdict: verdict, Words: words}
	}
	table := row("hybrid", "retrieve.ndcg@5", .8, .7, -.2, .01, 0, study.Directional, "directional: 12 units, fewer than 50")
	table.By, table.Stratum, table.P, table.PAdjusted = "modality", "table", nil, nil
	mix := row("hybrid", "retrieve.ndcg@5", .75, .62, -.2, -.06, .004, study.Worse, study.Worse)
	mix.Mix, mix.Effect = "modality=table:0.5,figure:0.5", nil
	failed := row("dense <b>", "generate.g", .95, .95, -.01, .012, .9, study.Equal, "equal within ±0.02")
	failed.FailedBaseline, failed.FailedCandidate, failed.N = 1, 7, 60
	failed.OK = study.Successful{BaselineValue: num(.96), CandidateValue: num(.97), Value: num(.01), N: 53}
	failed.Warnings = []string{"30 units were measured in one of the two only and are left out"}
	short := row("dense <b>", "retrieve.ndcg@5", .7694, .6, -.3, .02, .06, study.NotEnough, "not enough data: 1,240 units needed")
	short.Warnings = failed.Warnings
	return &study.Comparison{Level: .95, Delta: .02, Adjust: "holm", Tests: 4, MinN: 50,
		Differences: []study.Difference{
			row("hybrid", "retrieve.ndcg@5", .7694, .5935, -.299, -.058, .00005, study.Worse, study.Worse), table, mix,
			{Baseline: "bm25", Candidate: "hybrid", Key: "quality.q", Verdict: study.NotMeasured, Words: "not measured: P is not measured", Reason: "P is not measured", Variant: "fcq=caption_f1"},
			{Baseline: "bm25", Candidate: "hybrid", Key: "cost.relative", BaselineValue: num(1), CandidateValue: num(131.2), Value: num(130.2), Verdict: study.NotTested, Words: "not tested: measured once for the whole pipeline"},
			short, failed,
		},
		Crossings: []study.Crossing{{Baseline: "bm25", Candidate: "hybrid", Key: "retrieve.ndcg@5", Mix: mix.Mix, Words: "bm25 leads; no shift of weight between two strata changes that"}},
		Excluded:  []study.Excluded{{Baseline: "bm25", Candidate: "hybrid", Key: "retrieve.ndcg@5", By: "modality", Words: "difference -0.200 over the 78 units of the strata tested"}},
		Parsing: []study.Parsing{{Pipeline: "bm25", Engine: "pdfium", Documents: 45, Speed: num(97.4), PeakBytes: &peak},
			{Pipeline: "hybrid", Engine: "mupdf", Documents: 45, Speed: num(9.34), Against: &study.SpeedRatio{Baseline: "bm25", Value: num(.31), Lo: num(.28), Hi: num(.36), N: 44}, Failed: 1, Kinds: map[string]int{"damaged": 1}},
			{Pipeline: "dense <b>", Engine: `{"url":"<b>"}`, Documents: 45, Against: &study.SpeedRatio{Baseline: "bm25", Reason: "unknown"}}},
		Notes: []string{"left out, without a namesake in the other run: old:x"},
	}
}

func TestComparisonText(t *testing.T) {
	out := golden(t, "compare.txt", func(w io.Writer) error { return Comparison(w, comparison()) })
	for _, want := range []string{"<0.0001", "worse", "stated mix", "not measured: P is not measured", "131.20", "over the 53 pairs that succeeded 0.970 - 0.960 = +0.010",
		"dense <b> against bm25 and 1 more row: 30 units"} {
		if !strings.Contains(out, want) {
			t.Errorf("the table lacks %q", want)
		}
	}
}

// The page holds a plot and a table a pair, loads nothing and renders no foreign text.
func TestComparisonPage(t *testing.T) {
	c := comparison()
	c.Runs = []study.Compared{{Dir: "runs/<script>", Dataset: "d <script>", Corpus: "0123456789abcdef", Pipelines: []string{"bm25", "hybrid"}}}
	out := golden(t, "compare.html", func(w io.Writer) error {
		var b strings.Builder
		err := ComparisonPage(&b, c)
		before, rest, _ := strings.Cut(b.String(), "<style>")
		_, after, _ := strings.Cut(rest, "</style>") // the style is page.html's
		io.WriteString(w, before+after)              // a buffer
		return err
	})
	for _, bad := range []string{"<script", "http://", "https://", "dense <b>", "NaN"} {
		if strings.Contains(out, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	if n := strings.Count(out, "<svg"); n != 2 {
		t.Errorf("%d plots", n)
	}
	if n := strings.Count(out, "<circle"); n != 5 {
		t.Errorf("%d points, want one for each difference that is not money", n)
	}
	for _, want := range []string{"default-src 'none'", `class="worse"`, "not enough data: 1,240"} {
		if !strings.Contains(out, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func gateResult() *study.GateResult {
	return &study.GateResult{Run: "runs/a|b", Baseline: "runs/main", Use: "value", Failed: 2, Checks: []study.CheckResult{
		{Pipeline: "bm25", Kind: study.AtLeast, Key: "retrieve.ndcg@5", Threshold: num(.7), Value: num(.769), Passed: true, Words: "the value is 0.769"},
		{Pipeline: "bm25/chunk.tokens=128", Kind: study.AtMost, Key: "generate.hr(mode=binary,unit=document)", Threshold: num(.05), Value: num(.3), Words: "the value is 0.3, above 0.05 by 0.25"},
		{Pipeline: "</testcase>\x01|`*", Kind: study.MaxDrop, Key: "parse.p", Threshold: num(.02), Words: `not measured: "no <gold>" & more`},
		{Pipeline: "bm25", Kind: study.NotWorse, Key: "quality.q", Passed: true, Words: "not significantly worse"},
		{Pipeline: "bm25", Kind: study.NotWorse, Key: "quality.q", Threshold: num(.02), Passed: true, Words: "a drop of 0.02 is ruled out"},
	}}
}

func TestGateText(t *testing.T) {
	golden(t, "gate.txt", func(w io.Writer) error { return Gate(w, gateResult()) })
}

// Names of pipelines and reasons are foreign text: no cell breaks out of the table.
func TestGateMarkdown(t *testing.T) {
	out := golden(t, "gate.md", func(w io.Writer) error { return GateMarkdown(w, gateResult()) })
	for _, line := range strings.Split(out, "\n") {
		if strings.HasPrefix(line, "|") && strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 5 {
			t.Errorf("a row of another shape: %s", line)
		}
		if strings.ContainsAny(line, "<>") && !strings.HasPrefix(line, "|") {
			t.Errorf("markup: %s", line)
		}
	}
}

// The XML is read back: counts, names and messages are those of the checks.
func TestGateJUnit(t *testing.T) {
	out := golden(t, "gate.xml", func(w io.Writer) error { return GateJUnit(w, gateResult()) })
	var got struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Suites   []struct {
			Name  string `xml:"name,attr"`
			Cases []struct {
				Class   string `xml:"classname,attr"`
				Name    string `xml:"name,attr"`
				Out     string `xml:"system-out"`
				Failure *struct {
					Type    string `xml:"type,attr"`
					Message string `xml:"message,attr"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	d := xml.NewDecoder(strings.NewReader(out))
	d.Strict = true
	if err := d.Decode(&got); err != nil {
		t.Fatal(err)
	}
	g := gateResult()
	if got.Tests != 5 || got.Failures != 2 || len(got.Suites) != 1 || got.Suites[0].Name != g.Run {
		t.Fatalf("%+v", got)
	}
	for i, c := range g.Checks {
		x := got.Suites[0].Cases[i]
		if x.Name != c.Title() || x.Class != strings.ReplaceAll(c.Pipeline, "\x01", "\uFFFD") || (x.Failure == nil) != c.Passed {
			t.Errorf("%+v", x)
		}
		if x.Failure != nil && (x.Failure.Message != c.Words || x.Failure.Type != c.Kind) || x.Failure == nil && x.Out != c.Words {
			t.Errorf("%+v", x)
		}
	}
}
