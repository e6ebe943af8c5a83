package stats

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"
)

// oracle reads a section of testdata/closed_forms.json, which scripts/oracles/stats.py writes from
// SciPy, statsmodels, pingouin and scikit-posthocs (versions in the file).
func oracle(t *testing.T, section string, v any) {
	t.Helper()
	raw, err := os.ReadFile("testdata/closed_forms.json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]json.RawMessage
	decode(t, raw, &all)
	decode(t, all[section], v)
}

// close9 wants a number to a billionth of itself, or of 1 where it is larger than that.
func close9(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	switch {
	case got == nil:
		t.Errorf("%s is undefined, want %g", what, want)
	case math.Abs(*got-want) > 1e-9*min(1, math.Abs(want))+1e-300:
		t.Errorf("%s = %.15g, want %.15g (off by %.2g of it)", what, *got, want, math.Abs(*got-want)/math.Abs(want))
	}
}

type reference struct {
	R, P float64
	CI   []float64
	TCI  []float64 `json:"t_ci"`
}

func (want reference) check(t *testing.T, c Correlation) {
	t.Helper()
	close9(t, c.Coefficient, c.Value, want.R)
	close9(t, c.Coefficient+" p", c.P, want.P)
	if len(want.CI) == 2 && math.Abs(want.R) < 1 {
		close9(t, c.Coefficient+" lo", c.Lo, want.CI[0])
		close9(t, c.Coefficient+" hi", c.Hi, want.CI[1])
	}
}

func TestCorrelationsAgreeWithSciPy(t *testing.T) {
	var cases []struct {
		Name                       string
		X, Y                       []float64
		Pearson, Spearman, Kendall reference
	}
	oracle(t, "correlations", &cases)
	fisher := CorrOptions{Options: Options{Method: Fisher}}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			c.Pearson.check(t, Pearson(c.X, c.Y, fisher))
			c.Spearman.check(t, Spearman(c.X, c.Y, fisher))
			c.Kendall.check(t, Kendall(c.X, c.Y, fisher))
			student := Pearson(c.X, c.Y, CorrOptions{Options: Options{Method: StudentT}})
			close9(t, "t lo", student.Lo, c.Pearson.TCI[0])
			close9(t, "t hi", student.Hi, c.Pearson.TCI[1])
		})
	}
	if len(cases) < 10 {
		t.Errorf("%d cases", len(cases))
	}
}

func TestPartialCorrelationsAgreeWithPingouin(t *testing.T) {
	var cases []struct {
		Name              string
		X, Y              []float64
		Controls          [][]float64
		Pearson, Spearman reference
	}
	oracle(t, "partials", &cases)
	for _, c := range cases {
		c.Pearson.check(t, PartialCorrelation(c.X, c.Y, c.Controls, CorrOptions{Options: Options{Method: Fisher}}))
		c.Spearman.check(t, PartialCorrelation(c.X, c.Y, c.Controls, CorrOptions{Options: Options{Method: Fisher}, Ranked: true}))
	}
	if len(cases) == 0 {
		t.Error("no cases")
	}
}

func TestCorrectionsAgreeWithStatsmodels(t *testing.T) {
	var cases []struct{ P, Bonferroni, Holm, BH []float64 }
	oracle(t, "adjusted", &cases)
	for i, c := range cases {
		// A test without a p among them changes nothing.
		in := []*float64{nil}
		for _, p := range c.P {
			in = append(in, &p)
		}
		for method, want := range map[string][]float64{"bonferroni": c.Bonferroni, "holm": c.Holm, "bh": c.BH, "none": c.P} {
			got, err := Adjust(in, method)
			if err != nil || got[0] != nil {
				t.Fatal(method, err, got[0])
			}
			for k, w := range want {
				close9(t, fmt.Sprint("case ", i, " ", method, " ", k), got[k+1], w)
			}
		}
	}
	if len(cases) == 0 {
		t.Error("no cases")
	}
}

func TestSharesAgreeWithStatsmodels(t *testing.T) {
	var in struct {
		ClopperPearson []struct {
			K, N  int
			Level float64
			CI    []float64
		} `json:"clopper_pearson"`
		Newcombe []struct {
			K1, N1, K2, N2 int
			Level          float64
			CI             []float64
		}
		Paired []struct {
			Counts [4]int
			CI     []float64
		} `json:"newcombe_paired"`
	}
	oracle(t, "shares", &in)
	bounds := func(what string, iv Interval, want []float64) {
		t.Helper()
		close9(t, what+" lo", iv.Lo, want[0])
		close9(t, what+" hi", iv.Hi, want[1])
	}
	for _, c := range in.ClopperPearson {
		bounds(fmt.Sprint("clopper-pearson ", c.K, " of ", c.N, " at ", c.Level), ClopperPearson(c.K, c.N, c.Level), c.CI)
	}
	for _, c := range in.Newcombe {
		bounds(fmt.Sprint("newcombe ", c), Newcombe(c.K1, c.N1, c.K2, c.N2, c.Level), c.CI)
	}
	for _, c := range in.Paired {
		bounds(fmt.Sprint("paired ", c.Counts), NewcombePaired(c.Counts[0], c.Counts[1], c.Counts[2], c.Counts[3], .95), c.CI)
	}
	if len(in.ClopperPearson) == 0 || len(in.Newcombe) == 0 || len(in.Paired) == 0 {
		t.Error("no cases")
	}
}

func TestRankTestsAgreeWithSciPy(t *testing.T) {
	var in struct {
		Kruskal []struct {
			Groups         [][]float64
			H, P, Epsilon2 float64
			Dunn           map[string][]float64
		}
		Friedman []struct {
			Blocks     [][]float64
			Chi2, P, W float64
		}
	}
	oracle(t, "rank_tests", &in)
	for i, c := range in.Kruskal {
		k := KruskalWallis(c.Groups)
		close9(t, fmt.Sprint(i, " h"), k.Statistic, c.H)
		close9(t, fmt.Sprint(i, " p"), k.P, c.P)
		close9(t, fmt.Sprint(i, " epsilon squared"), k.Effect, c.Epsilon2)
		for adjust, want := range c.Dunn {
			pairs, err := Dunn(c.Groups, adjust)
			if err != nil || len(pairs) != len(want) {
				t.Fatal(err, len(pairs))
			}
			for j, p := range pairs {
				close9(t, fmt.Sprint(i, " dunn ", adjust, p.A, p.B), p.PAdjusted, want[j])
			}
		}
	}
	for i, c := range in.Friedman {
		f := Friedman(c.Blocks)
		close9(t, fmt.Sprint(i, " chi squared"), f.Statistic, c.Chi2)
		close9(t, fmt.Sprint(i, " p"), f.P, c.P)
		close9(t, fmt.Sprint(i, " w"), f.Effect, c.W)
	}
	if len(in.Kruskal) == 0 || len(in.Friedman) == 0 {
		t.Error("no cases")
	}
}

func TestEffectSizesAgreeWithPingouin(t *testing.T) {
	var cases []struct {
		A, B              []float64
		Hedges, DZ, Cliff float64
	}
	oracle(t, "effects", &cases)
	for _, c := range cases {
		var diff []float64
		for i := range min(len(c.A), len(c.B)) {
			diff = append(diff, c.A[i]-c.B[i])
		}
		close9(t, "hedges g", HedgesG(c.A, c.B), c.Hedges)
		close9(t, "cohen dz", CohenDz(diff), c.DZ)
		close9(t, "cliff delta", CliffDelta(c.A, c.B), c.Cliff)
	}
	if len(cases) == 0 {
		t.Error("no cases")
	}
}

func TestReliabilityAgreesWithPingouin(t *testing.T) {
	var cases []struct {
		Repeats [][]float64
		ICC     float64
	}
	oracle(t, "reliabilities", &cases)
	for _, c := range cases {
		got, reason := Reliability(c.Repeats)
		close9(t, "ICC(1,k) "+reason, got, c.ICC)
	}
	if len(cases) == 0 {
		t.Error("no cases")
	}
}

// SciPy flips the sums of clusters; here the clusters are documents of several questions.
func TestExactSignFlipsAgreeWithSciPy(t *testing.T) {
	var cases []struct {
		Clusters [][]float64
		P        float64
	}
	oracle(t, "sign_flips", &cases)
	for _, c := range cases {
		var diff []float64
		var docs [][]string
		for i, vs := range c.Clusters {
			for _, v := range vs {
				diff, docs = append(diff, v), append(docs, []string{fmt.Sprint(i)})
			}
		}
		got := SignFlip(diff, docs, Options{})
		close9(t, got.Method, got.P, c.P)
	}
	if len(cases) == 0 {
		t.Error("no cases")
	}
}

func TestBCaAgreesWithSciPy(t *testing.T) {
	var in struct{ Values, Replicates, Shares []float64 }
	oracle(t, "bca", &in)
	mean, _ := meanSquares(in.Values)
	parts := []Part{{Values: in.Values}}
	comp, n := components(make([][]string, len(in.Values)))
	jackknife := newClustered(parts, comp, n).jackknife(func(m []float64) float64 { return m[0] })
	low, high, err := bca(mean, in.Replicates, jackknife, .025)
	if err != nil {
		t.Fatal(err)
	}
	close9(t, "low", &low, in.Shares[0])
	close9(t, "high", &high, in.Shares[1])
}

func TestStudentsIntervalOfAMeanAgreesWithSciPy(t *testing.T) {
	var in struct{ Values, CI []float64 }
	oracle(t, "t_mean", &in)
	iv := Mean(in.Values, nil, Options{Method: StudentT})
	close9(t, "lo", iv.Lo, in.CI[0])
	close9(t, "hi", iv.Hi, in.CI[1])
}
