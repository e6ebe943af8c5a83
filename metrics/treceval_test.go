package metrics

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"enterprisedocbench/internal/testdata"
)

// trecArgs reads the arguments of trec_eval as its cases write them.
func trecArgs(t *testing.T, args string) TrecOptions {
	t.Helper()
	var opt TrecOptions
	words := strings.Fields(args)
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "-q":
			opt.PerQuery = true
		case w == "-c":
			opt.Complete = true
		case w == "-M100":
			opt.Depth = 100
		case w == "-l2":
			opt.Level = 2
		case w == "-m":
			i++
			opt.Measures = append(opt.Measures, words[i])
		case strings.HasPrefix(w, "-m"):
			opt.Measures = append(opt.Measures, w[2:])
		default:
			t.Fatalf("argument %q", w)
		}
	}
	return opt
}

// The expected files of trec_eval 10 (usnistgov/trec_eval, test/out.*), byte for byte.
func TestTrecEvalByteForByte(t *testing.T) {
	dir := testdata.Data(t, "trec_eval")
	raw, err := os.ReadFile(filepath.Join(dir, "cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct{ Args, Qrels, Run, Expect string }
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != 8 {
		t.Errorf("%d cases", len(cases))
	}
	for _, c := range cases {
		t.Run(c.Qrels+" "+c.Args, func(t *testing.T) {
			want, err := os.ReadFile(filepath.Join(dir, c.Expect))
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := TrecEval(&got, filepath.Join(dir, c.Qrels), filepath.Join(dir, c.Run), trecArgs(t, c.Args)); err != nil {
				t.Fatal(err)
			}
			if bytes.Equal(got.Bytes(), want) {
				return
			}
			a, b := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
			for i := range min(len(a), len(b)) {
				if a[i] != b[i] {
					t.Errorf("line %d:\ngot  %s\nwant %s", i+1, a[i], b[i])
				}
			}
			if len(a) != len(b) {
				t.Errorf("%d lines, want %d", len(a), len(b))
			}
		})
	}
}

// The values of trec_eval 9.0.8 through pytrec_eval on small lists with ties, several grades and
// documents that were in the pool and not judged: scripts/oracles/treceval.py made them.
func TestTrecEvalAgainstPeer(t *testing.T) {
	raw, err := os.ReadFile("testdata/trec_eval/peer.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range bytes.Lines(raw) {
		var c struct {
			Level int
			Qrels map[string]int
			Run   map[string]float64
			Want  map[string]float64
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		var q, r strings.Builder
		for _, d := range slices.Sorted(maps.Keys(c.Qrels)) {
			fmt.Fprintf(&q, "q 0 %s %d\n", d, c.Qrels[d])
		}
		for _, d := range slices.Sorted(maps.Keys(c.Run)) {
			fmt.Fprintf(&r, "q Q0 %s 0 %v x\n", d, c.Run[d])
		}
		opt := TrecOptions{Level: c.Level, Measures: []string{"all_trec", "P.1,3,10", "recall.1,3,10", "Rprec_mult.0.5,1,1.5", "ndcg_cut.1,3,10", "map_cut.1,3,10", "relative_P.1,3,10", "success.1,3"}}
		for name, v := range trecValues(t, q.String(), r.String(), opt) {
			want, ok := c.Want[name]
			if !ok {
				continue
			}
			n++
			if math.Abs(v-want) > 1e-12 {
				t.Errorf("%s: got %v, want %v\n%s%s", name, v, want, q.String(), r.String())
			}
		}
	}
	if n != 60*40 {
		t.Errorf("%d values compared", n)
	}
}

// trecValues gives the values of the measures for the first query.
func trecValues(t *testing.T, qrels, run string, opt TrecOptions) map[string]float64 {
	t.Helper()
	q, err := parseQrels("", []byte(qrels))
	if err != nil {
		t.Fatal(err)
	}
	r, err := parseRun("", []byte(run))
	if err != nil {
		t.Fatal(err)
	}
	measures, err := trecMeasures(opt)
	if err != nil {
		t.Fatal(err)
	}
	k := ranker{qrels: q, run: r, opt: RetrievalOptions{Ties: TiesTREC}}
	list := k.trecList(0, opt)
	out := map[string]float64{}
	for _, m := range measures {
		if m.value != nil {
			out[m.name] = m.value(list)
		}
	}
	return out
}

func TestTrecEvalOptions(t *testing.T) {
	dir := t.TempDir()
	write := func(name, s string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
		return p
	}
	qrels := write("q", "1 0 a 1\n1 0 b 0\n1 0 e -1\n2 0 a 1\n")
	run := write("r", "1 Q0 c 1 4 x\n1 Q0 e 2 3 x\n1 Q0 a 3 2 x\n1 Q0 b 4 1 x\n3 Q0 a 1 1 last\n")
	for _, c := range []struct {
		name string
		opt  TrecOptions
		want string
	}{
		{"strings", TrecOptions{Measures: []string{"relstring", "unj.2"}, PerQuery: true}, "relstring             \t1\t'-.10'\nunj_2                 \t1\t1.0000\nunj_2                 \tall\t1.0000\n"},
		{"judged only", TrecOptions{Measures: []string{"recip_rank", "num_ret"}, Judged: true}, "num_ret               \tall\t2\nrecip_rank            \tall\t1.0000\n"},
		{"complete", TrecOptions{Measures: []string{"num_q", "gm_map", "iprec_at_recall.0", "relative_P.1"}, Complete: true, PerQuery: true, NoSummary: true},
			"iprec_at_recall_0.00  \t1\t0.3333\nrelative_P_1          \t1\t0.0000\niprec_at_recall_0.00  \t2\t0.0000\nrelative_P_1          \t2\t0.0000\n"},
		{"run", TrecOptions{Measures: []string{"runid", "num_q"}}, "runid                 \tall\tlast\nnum_q                 \tall\t1\n"},
		{"utility", TrecOptions{Measures: []string{"utility.0,0,0,1"}, Documents: 10}, "utility_0,0,0,1       \tall\t6.0000\n"},
		{"yaap", TrecOptions{Measures: []string{"yaap"}}, "yaap                  \tall\t-0.2231\n"}, // log((1+1/3)/(2-1/3))
		{"rbp", TrecOptions{Measures: []string{"rbp.p=0.5,1=0.5"}}, "rbp_p=0.5,1=0.5       \tall\t0.0625\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got bytes.Buffer
			if err := TrecEval(&got, qrels, run, c.opt); err != nil {
				t.Fatal(err)
			}
			if got.String() != c.want {
				t.Errorf("got\n%swant\n%s", got.String(), c.want)
			}
		})
	}
	for asked, want := range map[string]string{
		"map.5":        "measure map.5: it takes no parameters: write map",
		"P.5,5":        "measure P.5,5: rank 5 is below 1 or given twice: give each rank once, from 1",
		"P.x":          `measure P.x: "x" is no number: write numbers with commas between`,
		"ndcg.a=1":     `measure ndcg.a=1: "a" is no grade: write GRADE=GAIN`,
		"ndcg.1":       `measure ndcg.1: "1" is no pair: write GRADE=GAIN`,
		"rbp.p=2":      "measure rbp.p=2: p=2 is no parameter: write p=NUMBER between 0 and 1, or GRADE=GAIN",
		"utility.1":    "measure utility.1: it takes four numbers, for retrieved relevant and other, missed relevant and other: write utility.1,-1,0,0",
		"relstring.-1": `measure relstring.-1: "-1" is no length: write a whole number`,
	} {
		err := TrecEval(&bytes.Buffer{}, qrels, run, TrecOptions{Measures: []string{asked}})
		if err == nil || err.Error() != want {
			t.Errorf("%s: got  %v\nwant %s", asked, err, want)
		}
	}
	err := TrecEval(&bytes.Buffer{}, qrels, run, TrecOptions{Measures: []string{"prefs_pair"}})
	if err == nil || !strings.HasPrefix(err.Error(), `measure "prefs_pair" is not one that is known here: use runid, num_q, `) {
		t.Errorf("got %v", err)
	}
	other := write("o", "9 Q0 a 1 1 x\n")
	if err := TrecEval(&bytes.Buffer{}, qrels, other, TrecOptions{}); err == nil || err.Error() != qrels+": no judged query stands in the run: give the run of these judgements" {
		t.Errorf("got %v", err)
	}
}

// Whatever the files hold, values are finite and all but utility and infAP's rounding stay within 0 and
// 1, with default gains.
func FuzzTrecEval(f *testing.F) {
	f.Add("1 0 a 1\n1 0 b -1\n1 0 c 3\n", "1 Q0 a 1 2 x\n1 Q0 c 2 2 x\n1 Q0 z 3 1 x\n")
	f.Add("1 0 a 0\n", "1 Q0 a 1 2 x\n")
	f.Add("1 0 a 999999999\n", "1 Q0 b 1 2 x\n")
	f.Fuzz(func(t *testing.T, qrels, run string) {
		q, err := parseQrels("", []byte(qrels))
		if err != nil || len(q.names) == 0 {
			return
		}
		r, err := parseRun("", []byte(run))
		if err != nil {
			return
		}
		opt := TrecOptions{Measures: []string{"all_trec"}, Complete: true}
		measures, err := trecMeasures(opt)
		if err != nil {
			t.Fatal(err)
		}
		k := ranker{qrels: q, run: r, opt: RetrievalOptions{Ties: TiesTREC}}
		for i := range q.names {
			list := k.trecList(i, opt)
			for _, m := range measures {
				if m.value == nil {
					continue
				}
				v := m.value(list)
				bounded := m.kind == trecMean && m.name != "utility"
				if math.IsNaN(v) || math.IsInf(v, 0) || (bounded && (v < 0 || v > 1+1e-3)) {
					t.Fatalf("%s = %v\n%+v", m.name, v, list)
				}
			}
		}
	})
}
