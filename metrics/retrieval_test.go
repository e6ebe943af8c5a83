package metrics

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"enterprisedocbench/internal/testdata"

	"pgregory.net/rapid"
)

// trecText turns a qrels or run value of a case (text, {query:{doc:n}} or {query:[[doc,n]]}) into
// the lines of a file.
func trecText(t *testing.T, raw json.RawMessage, run bool) string {
	t.Helper()
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	line := func(q, d string, n float64) string {
		if run {
			return fmt.Sprintf("%s Q0 %s 1 %v r\n", q, d, n)
		}
		return fmt.Sprintf("%s 0 %s %v\n", q, d, n)
	}
	var b strings.Builder
	var lists map[string][][2]any
	if json.Unmarshal(raw, &lists) == nil {
		for q, l := range lists {
			for _, x := range l {
				b.WriteString(line(q, x[0].(string), x[1].(float64)))
			}
		}
		return b.String()
	}
	var maps map[string]map[string]float64
	if err := json.Unmarshal(raw, &maps); err != nil {
		t.Fatal(err)
	}
	for q, m := range maps {
		for d, n := range m {
			b.WriteString(line(q, d, n))
		}
	}
	return b.String()
}

var caseKeys = map[string]string{
	"ndcg": "retrieve.ndcg", "recip_rank": "retrieve.rr", "map": "retrieve.ap", "ndcg_at_1": "retrieve.ndcg@1",
	"ndcg_at_10": "retrieve.ndcg@10", "recall_at_5": "retrieve.r@5", "precision_at_5": "retrieve.p@5",
	"recall": "retrieve.r@10", "precision": "retrieve.p@10",
	"ndcg_at_5_linear": "retrieve.ndcg@5", "ndcg_at_5_exponential": "retrieve.ndcg@5(gain=exp)",
}

func keysOf(want map[string]float64) (keys []string) {
	for k := range want {
		keys = append(keys, caseKeys[k])
	}
	sort.Strings(keys)
	return keys
}

// scoreCase evaluates and compares; query "" is the mean.
func scoreCase(t *testing.T, qrels, run string, opt RetrievalOptions, query string, want map[string]float64) *Retrieval {
	t.Helper()
	got, err := evalRetrieval("", "", []byte(qrels), []byte(run), keysOf(want), opt)
	if err != nil {
		t.Error(err)
		return &Retrieval{}
	}
	for k, v := range want {
		f := got.Measures[caseKeys[k]].Value
		if query != "" {
			i := slices.IndexFunc(got.Rows, func(r rowT) bool { return r.Unit == query && r.Key == caseKeys[k] })
			if i < 0 {
				t.Errorf("no row %s of %s", k, query)
				continue
			}
			f = got.Rows[i].Value
		}
		if f == nil || math.Abs(*f-v) > 1e-6 {
			if f == nil || math.Abs(*f-v) > 5e-6 || v != math.Round(v*1e5)/1e5 { // some values are given to five places
				t.Errorf("%s %s: %v, want %v", query, k, show(f), v)
			}
		}
	}
	return got
}

func show(v *float64) string {
	if v == nil {
		return "nothing"
	}
	return strconv.FormatFloat(*v, 'g', -1, 64)
}

func TestRetrievalCases(t *testing.T) {
	for _, c := range testdata.Cases(t, "retrieval") {
		t.Run(c.ID, func(t *testing.T) {
			var in, ex map[string]json.RawMessage
			if err := json.Unmarshal(c.Input, &in); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(c.Expected, &ex); err != nil {
				t.Fatal(err)
			}
			nums := func(raw json.RawMessage) map[string]float64 {
				m := map[string]float64{}
				var all map[string]any
				if json.Unmarshal(raw, &all) == nil {
					for k, v := range all {
						if f, ok := v.(float64); ok && caseKeys[k] != "" {
							m[k] = f
						}
					}
				}
				if len(m) == 0 {
					t.Fatalf("no values to compare in %s", raw)
				}
				return m
			}
			sub := func(raw json.RawMessage) (m map[string]json.RawMessage) {
				if err := json.Unmarshal(raw, &m); err != nil {
					t.Fatal(err)
				}
				return m
			}
			qrels := trecText(t, in["qrels"], false)
			run := ""
			if in["run"] != nil {
				run = trecText(t, in["run"], true)
			}
			var opt RetrievalOptions
			switch c.ID {
			case "ret-tie-docno":
				a, b := trecText(t, in["run_A"], true), trecText(t, in["run_B"], true)
				got := scoreCase(t, qrels, a, opt, "1", nums(ex["A"]))
				scoreCase(t, qrels, b, opt, "1", nums(ex["B"]))
				var warn string
				json.Unmarshal(ex["warn"], &warn)
				if !slices.Contains(got.Warnings, warn) {
					t.Errorf("warnings %q, want %q", got.Warnings, warn)
				}
				scoreCase(t, qrels, b, RetrievalOptions{Ties: TiesRank}, "1", nums(sub(ex["tie_policy_rank"])["B"]))
			case "ret-tie-all-equal":
				for q, raw := range sub(ex["policy_trec"]) {
					if got := scoreCase(t, qrels, run, opt, q, nums(raw)); got.Tied != 2 {
						t.Errorf("%d queries with ties, want 2", got.Tied)
					}
				}
				scoreCase(t, qrels, run, RetrievalOptions{Ties: TiesAverage}, "q1", nums(sub(ex["policy_average_over_ties"])["q1"]))
			case "ret-tie-order-invariance":
				for _, k := range []string{"run_order_1", "run_order_2"} {
					scoreCase(t, qrels, trecText(t, json.RawMessage(`{"q":`+string(in[k])+`}`), true), opt, "q", nums(c.Expected))
				}
			case "ret-missing-query":
				got := scoreCase(t, qrels, run, opt, "", map[string]float64{"ndcg_at_10": .5})
				if f := got.Measures["retrieve.ndcg@10"]; f.ValueOK == nil || *f.ValueOK != 1 || f.N != 2 || f.NOK != 1 {
					t.Errorf("figure %+v, want 1 over the 1 answered of 2", f)
				}
			case "ret-duplicate-docid", "ret-duplicate-qrel", "ret-fractional-grade":
				var want string
				json.Unmarshal(ex["error"], &want)
				if _, err := evalRetrieval("", "", []byte(qrels), []byte(run), []string{"retrieve.rr"}, opt); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("error %v, want %q in it", err, want)
				}
				if c.ID == "ret-duplicate-qrel" { // its note: the same line twice only warns
					got, err := evalRetrieval("", "", []byte("q 0 a 1\nq 0 a 1"), []byte(run), []string{"retrieve.rr"}, opt)
					if err != nil || len(got.Warnings) != 1 {
						t.Errorf("the same line twice: %v, warnings %v", err, got)
					}
				}
			case "ret-empty-relevance":
				scoreCase(t, qrels, run, opt, "q1", nums(ex["q1"]))
				got := scoreCase(t, qrels, run, opt, "q3", nums(ex["q3"]))
				if !slices.Equal(got.Unjudged, []string{"q2"}) {
					t.Errorf("queries without judgements %v, want q2", got.Unjudged)
				}
			case "ret-no-relevant":
				scoreCase(t, qrels, run, opt, "q1", nums(ex["q1"]))
				scoreCase(t, qrels, run, opt, "q2", nums(ex["q2"]))
				if got := scoreCase(t, qrels, run, opt, "", map[string]float64{"ndcg_at_10": .5}); got.WithoutRelevant != 1 {
					t.Errorf("%d queries without relevant, want 1", got.WithoutRelevant)
				}
			case "ret-self-match", "ret-self-match-arguana":
				want := nums(ex["ignore_self_false"])
				scoreCase(t, qrels, run, opt, "", want)
				scoreCase(t, qrels, run, RetrievalOptions{IgnoreSelf: true}, "", nums(ex["ignore_self_true"]))
			default:
				scoreCase(t, qrels, run, opt, "", nums(c.Expected))
			}
		})
	}
}

// The printed output of trec_eval 10 on its own test files, line by line, for the measures that we
// have (out.* of usnistgov/trec_eval).
func TestTrecEvalOutputs(t *testing.T) {
	dir := testdata.Data(t, "trec_eval")
	names := map[string]string{"map": "retrieve.ap", "recip_rank": "retrieve.rr", "ndcg": "retrieve.ndcg"}
	for _, k := range []int{1, 2, 3, 5, 7, 10, 15, 20, 30, 100, 200, 500, 1000, 2000} {
		for theirs, ours := range map[string]string{"P_": "p", "recall_": "r", "ndcg_cut_": "ndcg", "success_": "hit", "map_cut_": "ap"} {
			names[theirs+strconv.Itoa(k)] = "retrieve." + ours + "@" + strconv.Itoa(k)
		}
	}
	for _, c := range []struct {
		qrels, run, out string
		all             bool // -c
		opt             RetrievalOptions
	}{
		{"qrels.test", "results.test", "out.test", false, RetrievalOptions{}},
		{"qrels.test.with-comments", "results.test", "out.test", false, RetrievalOptions{}},
		{"qrels.test", "results.test", "out.test.a", false, RetrievalOptions{}},
		{"qrels.test", "results.test", "out.test.aq", false, RetrievalOptions{}},
		{"qrels.test", "results.trunc", "out.test.aqc", true, RetrievalOptions{}},
		{"qrels.test", "results.trunc", "out.test.aqcM", true, RetrievalOptions{Depth: 100}},
		{"qrels.rel_level", "results.test", "out.test.aql", false, RetrievalOptions{Level: 2}},
		{"qrels.test", "results.test", "out.test.meas_params", false, RetrievalOptions{}},
	} {
		t.Run(c.out+"/"+c.qrels, func(t *testing.T) {
			want, err := os.ReadFile(filepath.Join(dir, c.out))
			if err != nil {
				t.Fatal(err)
			}
			compared := 0
			for line := range strings.Lines(string(want)) {
				f := strings.Fields(line)
				if len(f) != 3 || names[f[0]] == "" {
					continue
				}
				if c.out == "out.test.meas_params" && f[0] == "ndcg" {
					continue // computed there with other gains for the grades
				}
				key := names[f[0]]
				got, err := EvalRetrieval(filepath.Join(dir, c.qrels), filepath.Join(dir, c.run), []string{key}, c.opt)
				if err != nil {
					t.Fatal(err)
				}
				v := got.Measures[key].ValueOK
				if c.all {
					v = got.Measures[key].Value
				}
				if f[1] != "all" {
					i := slices.IndexFunc(got.Rows, func(r rowT) bool { return r.Unit == f[1] })
					if v = got.Rows[i].Value; v == nil && got.Rows[i].Failed {
						v = new(float64)
					}
				}
				if v == nil || fmt.Sprintf("%6.4f", *v) != f[2] {
					t.Errorf("%s %s: %s, want %s", f[0], f[1], show(v), f[2])
				}
				compared++
			}
			if compared < 3 {
				t.Errorf("only %d values compared", compared)
			}
		})
	}
}

func TestTrecErrors(t *testing.T) {
	for _, c := range []struct{ qrels, run, want string }{
		{"q 0 a 1\nq 0 b", "q 0 a 1 1 r", "qrels line 2: 3 fields"},
		{"q 0 a 1 5", "q 0 a 1 1 r", "qrels line 1: more than 4 fields"},
		{"q 0 a x", "q 0 a 1 1 r", "grade x is not an integer"},
		{"q 0 a 1", "q 0 a 1 1 r\nq 0 b 1 nan r", "run line 2: score nan"},
		{"q 0 a 1", "q 0 a 1 1e300 r", "score 1e300 is not a finite 32-bit number"},
		{"q 0 a 1", "q 0 a 1 1", "run line 1: 5 fields"},
		{"q 0 a 1", "q 0 a 1 1 r\np 0 a 1 1 r\nq 0 a 3 1 r", "run line 3: duplicate document a in query q"},
		{"", "q 0 a 1 1 r", "no judgements"},
	} {
		_, err := evalRetrieval("dev.qrels", "dev.run", []byte(c.qrels), []byte(c.run), []string{"retrieve.rr"}, RetrievalOptions{})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "dev.") {
			t.Errorf("qrels %q run %q: %v, want %q", c.qrels, c.run, err, c.want)
		}
	}
	if _, err := EvalRetrieval("absent.qrels", "absent.run", nil, RetrievalOptions{}); err == nil {
		t.Error("absent files give no error")
	}
	if _, err := evalRetrieval("", "", []byte("q 0 a 1"), []byte("q 0 a 1 1 r"), []string{"parse.tis"}, RetrievalOptions{}); err == nil {
		t.Error("parse.tis of a run gives no error")
	}
}

// Laws: values in range, moving a relevant document up never lowers a measure, the order of lines
// does not matter, and the expectation over ties equals the mean over all orders.
func TestRetrievalLaws(t *testing.T) {
	keys := []string{"retrieve.ndcg", "retrieve.ndcg@3", "retrieve.ndcg@5(gain=exp)", "retrieve.p@3", "retrieve.r@3", "retrieve.rr", "retrieve.ap", "retrieve.hit@2"}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		judged := map[string]int{}
		ranked := make([]string, n)
		for i := range ranked {
			ranked[i] = string(rune('a' + i))
			if g := rapid.IntRange(-1, 3).Draw(t, "grade"); g >= 0 {
				judged[ranked[i]] = g
			}
		}
		judged["missing"] = rapid.IntRange(0, 2).Draw(t, "missing")
		before := RankMeasures(judged, ranked, keys)
		for _, m := range before {
			if m.Value == nil || *m.Value < 0 || *m.Value > 1+1e-12 {
				t.Fatalf("%s: %v", m.Key, show(m.Value))
			}
		}
		i := rapid.IntRange(0, n-1).Draw(t, "i")
		if i > 0 && judged[ranked[i]] > judged[ranked[i-1]] {
			up := slices.Clone(ranked)
			up[i], up[i-1] = up[i-1], up[i]
			for j, m := range RankMeasures(judged, up, keys) {
				if *m.Value < *before[j].Value-1e-12 {
					t.Fatalf("%s fell from %v to %v when a relevant one moved up", m.Key, *before[j].Value, *m.Value)
				}
			}
		}
	})
}

func TestTiesAverageIsTheMeanOverOrders(t *testing.T) {
	keys := []string{"retrieve.ndcg@3", "retrieve.p@3", "retrieve.r@2", "retrieve.rr", "retrieve.rr@2", "retrieve.ap", "retrieve.ap@3", "retrieve.hit@2"}
	judged := map[string]int{"b": 1, "c": 2, "e": 1, "z": 1}
	const qrels = "q 0 b 1\nq 0 c 2\nq 0 e 1\nq 0 z 1\n"
	const run = "q 0 a 1 3 r\nq 0 b 1 2 r\nq 0 c 1 2 r\nq 0 d 1 2 r\nq 0 e 1 1 r\nq 0 f 1 1 r\n"
	got, err := evalRetrieval("", "", []byte(qrels), []byte(run), keys, RetrievalOptions{Ties: TiesAverage})
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]float64{}
	n := 0.0
	for _, mid := range [][]string{{"b", "c", "d"}, {"b", "d", "c"}, {"c", "b", "d"}, {"c", "d", "b"}, {"d", "b", "c"}, {"d", "c", "b"}} {
		for _, end := range [][]string{{"e", "f"}, {"f", "e"}} {
			n++
			for _, m := range RankMeasures(judged, slices.Concat([]string{"a"}, mid, end), keys) {
				sums[m.Key] += *m.Value
			}
		}
	}
	for _, k := range keys {
		if v := *got.Measures[k].Value; math.Abs(v-sums[k]/n) > 1e-12 {
			t.Errorf("%s: %v, want %v", k, v, sums[k]/n)
		}
	}
}

func TestRankMeasuresEmpty(t *testing.T) {
	for _, c := range []struct {
		judged map[string]int
		ranked []string
		key    string
		want   string
	}{
		{map[string]int{"a": 1}, nil, "retrieve.ndcg@5", "0"},
		{map[string]int{"a": 1}, nil, "retrieve.judged@5", "nothing"},
		{map[string]int{"a": 0}, []string{"a"}, "retrieve.ap", "0"},
		{nil, []string{"a"}, "retrieve.rr", "nothing"},
		{map[string]int{"a": 1}, []string{"a", "x"}, "retrieve.judged@5", "0.5"},
		{map[string]int{"a": 1, "b": 1}, []string{"a", "a", "b"}, "retrieve.p@2", "1"},
		{map[string]int{"a": 1}, []string{"a"}, "retrieve.nonsense", "nothing"},
	} {
		m := RankMeasures(c.judged, c.ranked, []string{c.key})[0]
		if show(m.Value) != c.want || (m.Value == nil) != (m.Reason != "") {
			t.Errorf("%v %v %s: %s (%s), want %s", c.judged, c.ranked, c.key, show(m.Value), m.Reason, c.want)
		}
	}
	if got := PrecisionCeiling(map[string]int{"a": 1, "b": 0, "c": 2}, 5); got != .4 {
		t.Errorf("ceiling %v, want .4", got)
	}
}

func FuzzTrec(f *testing.F) {
	f.Add([]byte("q 0 a 1\r\n# x\nq 0 b 0\n"), []byte("q Q0 a 1 1.5 r\nq Q0 b 2 -1e3 r more\n"))
	f.Add([]byte("q\t0\ta\t-1"), []byte("q 0 a 1 .5 r"))
	f.Fuzz(func(t *testing.T, qrels, run []byte) {
		got, err := evalRetrieval("", "", bytes.Clone(qrels), bytes.Clone(run), []string{"retrieve.ndcg", "retrieve.ap", "retrieve.p@5"}, RetrievalOptions{})
		if err != nil {
			return
		}
		for _, r := range got.Rows {
			if r.Value != nil && !(*r.Value >= 0 && *r.Value <= 1+1e-9) {
				t.Fatalf("%s of %s is %v", r.Key, r.Unit, *r.Value)
			}
		}
	})
}
