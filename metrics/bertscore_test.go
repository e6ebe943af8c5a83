package metrics

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"enterprisedocbench"
	"enterprisedocbench/internal/encoder"
	"enterprisedocbench/internal/testdata"
)

// needMiniLM skips a test where the weights are not here.
func needMiniLM(t testing.TB) {
	t.Helper()
	info, err := encoder.Lookup(encoder.MiniLM)
	if err != nil {
		t.Fatal(err)
	}
	if err := info.Available(); err != nil {
		t.Skip(err)
	}
}

// bertOracle is metrics/testdata/bertscore.json, written by scripts/oracles/encoder.py.
type bertOracle struct {
	Layer    int
	Baseline [3]float64
	Pairs    [][2]string
	Options  []struct {
		IDF, Rescaled bool
		Scores        [][3]*float64
	}
}

func readBERTOracle(t *testing.T) (o bertOracle) {
	t.Helper()
	b, err := os.ReadFile("testdata/bertscore.json")
	if err == nil {
		err = json.Unmarshal(b, &o)
	}
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestBERTScoreAgreesWithThePackage(t *testing.T) {
	o := readBERTOracle(t)
	if b := baselines[encoder.MiniLM]; o.Baseline != [3]float64{b.P, b.R, b.F1} {
		t.Errorf("baseline %v, the script's is %v", b, o.Baseline)
	}
	if info, _ := encoder.Lookup(encoder.MiniLM); info.ScoreLayer != o.Layer {
		t.Errorf("layer %d, the script's is %d", info.ScoreLayer, o.Layer)
	}
	needMiniLM(t)
	var candidates, references []string
	for _, p := range o.Pairs {
		candidates, references = append(candidates, p[0]), append(references, p[1])
	}
	worst := 0.0
	for _, opt := range o.Options {
		b, err := NewBERTScore(encoder.MiniLM, opt.IDF, opt.Rescaled)
		if err != nil {
			t.Fatal(err)
		}
		got, err := b.Matrix(context.Background(), candidates, references)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range opt.Scores {
			x := got[i][i]
			blank := strings.TrimSpace(candidates[i]) == "" && strings.TrimSpace(references[i]) == ""
			if blank || want[0] == nil {
				if x != nil {
					t.Errorf("%v: pair %d has a value, both texts are empty or nothing has weight", opt, i)
				}
				continue
			}
			if x == nil {
				t.Errorf("idf %v: pair %d has no value", opt.IDF, i)
				continue
			}
			for k, v := range []float64{x.P, x.R, x.F1} {
				d := math.Abs(v - *want[k])
				worst = max(worst, d)
				if d > 1e-5 {
					t.Errorf("idf %v, rescaled %v, pair %d: %.7f, bert-score has %.7f", opt.IDF, opt.Rescaled, i, v, *want[k])
				}
			}
		}
	}
	t.Logf("greatest difference %.2g over %d pairs and %d settings", worst, len(o.Pairs), len(o.Options))
}

// The values that bert-score's page prints for roberta-large, whose weights are not to be had here:
// its rescaled ones follow from the raw ones and the baseline of its layer.
func TestRescaleGivesThePublishedValues(t *testing.T) {
	dir := testdata.Data(t, "bertscore")
	var published []struct {
		Model    string
		Layer    int
		Rescaled bool
		P, R, F1 float64
	}
	raw, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err == nil {
		err = json.Unmarshal(raw, &published)
	}
	if err != nil || len(published) != 2 {
		t.Fatalf("%d published rows, %v", len(published), err)
	}
	f, err := os.Open(filepath.Join(dir, "rescale_baseline", published[0].Model+".tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var b [3]float64
	for i := range b {
		if b[i], err = strconv.ParseFloat(rows[1+published[0].Layer][1+i], 64); err != nil {
			t.Fatal(err)
		}
	}
	got := PRF{published[0].P, published[0].R, published[0].F1}.Rescale(BERTBaseline{b[0], b[1], b[2]})
	for i, x := range [][2]float64{{got.P, published[1].P}, {got.R, published[1].R}, {got.F1, published[1].F1}} {
		if math.Abs(x[0]-x[1]) > 2e-5 {
			t.Errorf("value %d: %.6f, published %.6f", i, x[0], x[1])
		}
	}
}

// On bert-score's own example texts identical ones score 1, and each candidate is nearest to its own
// reference.
func TestBERTScoreOnThePackagesExample(t *testing.T) {
	needMiniLM(t)
	dir := testdata.Data(t, "bertscore")
	lines := func(name string) []string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(b)), "\n")
	}
	hyps, refs := lines("hyps.txt"), lines("refs.txt")
	got, err := BERTScore{Encoder: encoder.MiniLM}.Matrix(context.Background(), append(hyps, refs[0]), refs)
	if err != nil {
		t.Fatal(err)
	}
	for i := range hyps {
		for j := range refs {
			if got[i][j].F1 > got[i][i].F1 {
				t.Errorf("candidate %d is nearer to reference %d (%.3f) than to its own (%.3f)", i, j, got[i][j].F1, got[i][i].F1)
			}
		}
	}
	if same := got[len(hyps)][0]; math.Abs(same.F1-1) > 1e-6 {
		t.Errorf("a text with itself: %v", same)
	}
}

func TestIDF(t *testing.T) {
	var table IDFTable
	for _, t := range [][]uint32{{1, 7, 7, 2}, {1, 7, 9, 2}, {1, 2}} {
		table.add(t)
	}
	for id, want := range map[uint32]float64{1: 0, 2: 0, 7: math.Log(4.0 / 3), 9: math.Log(2), 5: math.Log(4)} {
		if got := table.weight(id); math.Abs(got-want) > 1e-12 {
			t.Errorf("piece %d weighs %v, want %v", id, got, want)
		}
	}
}

func TestGreedyMatchLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) TokenVectors {
			n := rapid.IntRange(0, 12).Draw(t, name)
			v := TokenVectors{Dim: 5, Vectors: make([]float32, 5*n), Weights: make([]float64, n)}
			for i := range v.Vectors {
				v.Vectors[i] = rapid.Float32Range(-3, 3).Draw(t, name)
			}
			for i := range v.Weights {
				v.Weights[i] = float64(rapid.IntRange(0, 3).Draw(t, name))
			}
			return v
		}
		a, b := draw("a"), draw("b")
		p, r, f := GreedyMatch(a, b)
		q, s, g := GreedyMatch(b, a)
		if p == nil {
			if q != nil || !a.empty() || !b.empty() {
				t.Fatal("no value for texts that are not both empty")
			}
			return
		}
		steady := *p > .01 && *r > .01 // F has no bound where one is below 0 and the other above
		if math.Abs(*p-*s) > 1e-6 || math.Abs(*r-*q) > 1e-6 || steady && (math.Abs(*f-*g) > 1e-5 || *f > 1+1e-6) {
			t.Fatalf("turned around: %v %v %v, %v %v %v", *p, *r, *f, *q, *s, *g)
		}
		if *p > 1+1e-6 || *p < -1-1e-6 {
			t.Fatalf("precision %v", *p)
		}
	})
}

func captioned(captions ...string) edb.Parsed {
	page := edb.Page{Number: 1}
	for i, c := range captions {
		page.Elements = append(page.Elements, edb.Element{ID: fmt.Sprint(i), Kind: edb.KindCaption, Text: c})
	}
	return edb.Parsed{Pages: []edb.Page{page}}
}

func TestFCQ(t *testing.T) {
	needMiniLM(t)
	const one, two = "Figure 1: Net revenue rose by 4 percent.", "Figure 2: Map of the harbour."
	value := func(pred, gold edb.Parsed, key string) edb.Measurement {
		t.Helper()
		rows, err := EvalParse(context.Background(), gold, pred, []string{key})
		if err != nil {
			t.Fatal(err)
		}
		return rows[0]
	}
	key := CaptionKey(encoder.MiniLM)
	for _, c := range []struct {
		name       string
		pred, gold edb.Parsed
		key        string
		want       float64 // -1: no value
		reason     string
	}{
		{"same in another order", captioned(two, one), captioned(one, two), key, 1, ""},
		{"one of two missed", captioned(two), captioned(one, two), key, .5, ""},
		{"one invented", captioned(two, one, ""), captioned(one, two), key, 1, ""}, // an empty caption is none
		{"none predicted", captioned(), captioned(one), key, 0, ""},
		{"no gold", captioned(one), captioned(), key, -1, "gold has no figure caption"},
		{"precision", captioned(two, one), captioned(one, two), "parse.fcq(encoder=minilm-l6,score=p)", 1, ""},
		{"idf", captioned(one, two), captioned(one, two), "parse.fcq(encoder=minilm-l6,idf=yes)", 1, ""},
		{"idf of one caption", captioned(one), captioned(one), "parse.fcq(encoder=minilm-l6,idf=yes)", -1, "no piece of the gold captions is rarer than another"},
		{"rescaled", captioned(one), captioned(one), "parse.fcq(encoder=minilm-l6,rescale=yes)", 1, ""},
	} {
		m := value(c.pred, c.gold, c.key)
		switch {
		case c.want < 0 && (m.Value != nil || m.Reason != c.reason):
			t.Errorf("%s: %v, want the reason %q", c.name, m, c.reason)
		case c.want >= 0 && (m.Value == nil || math.Abs(*m.Value-c.want) > 1e-6):
			t.Errorf("%s: %s, want %v", c.name, show(m.Value), c.want)
		}
	}
	near := *value(captioned("Fig. 1. Net revenues went up by four percent"), captioned(one), key).Value
	far := *value(captioned(two), captioned(one), key).Value
	plain := *value(captioned(two), captioned(one), "parse.fcq(encoder=minilm-l6,rescale=yes)").Value
	if !(near > far && far > plain && near < 1) {
		t.Errorf("near %.3f, far %.3f, far rescaled %.3f", near, far, plain)
	}
}

func TestFCQWithoutItsEncoderNamesTheCommand(t *testing.T) {
	if _, err := EvalParse(context.Background(), edb.Parsed{}, edb.Parsed{}, []string{"parse.fcq"}); err == nil || !strings.Contains(err.Error(), "parse.fcq:encoder=minilm-l6") {
		t.Errorf("no encoder named: %v", err)
	}
	if _, _, err := Lookup("parse.fcq(encoder=gpt)"); err == nil || !strings.Contains(err.Error(), "minilm-l6") {
		t.Errorf("unknown encoder: %v", err)
	}
	t.Setenv("EDB_MODELS", t.TempDir())
	if err := Ready(CaptionKey(encoder.MiniLM)); err == nil || !strings.Contains(err.Error(), "edb models pull minilm-l6") {
		t.Errorf("no weights: %v", err)
	}
}

// A text against itself is 1 and no more, though the cosines of 32-bit vectors round above it.
func TestBERTScoreStaysWithinOne(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	above := 0
	for range 200 {
		v := TokenVectors{Dim: 64, Vectors: make([]float32, 3*64), Weights: []float64{1, 1, 1}}
		for i := range v.Vectors {
			v.Vectors[i] = float32(r.NormFloat64())
		}
		if _, _, f := GreedyMatch(v, v); *f > 1 {
			above++
		}
		if got := (BERTScore{}).pair(v, v, false); got.P > 1 || got.R > 1 || got.F1 > 1 || got.F1 < 1-1e-6 {
			t.Fatalf("a text against itself is %+v", *got)
		}
	}
	if above == 0 {
		t.Error("no cosine rounded above 1: the test shows nothing")
	}
}
