package stats

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"enterprisedocbench/internal/testdata"
)

// caseChecks holds for each recorded case of statistics what tries it; those of kappa are tried by
// TestCasesOfAgreement.
var caseChecks = map[string]func(t *testing.T, input, expected json.RawMessage){
	"stat-wilson":         checkWilson,
	"stat-pearson-fisher": checkPearsonFisher,
	"stat-ties":           checkTies,
	"stat-constant":       checkConstant,
	"stat-kruskal":        checkKruskal,
	"stat-clustered-se":   checkClusteredSE,
}

func TestCasesOfStatistics(t *testing.T) {
	passed := map[string]bool{}
	for _, c := range testdata.Cases(t, "statistics") {
		if strings.HasPrefix(c.ID, "stat-kappa") {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			check := caseChecks[c.ID]
			if check == nil {
				t.Fatal("nothing tries this case")
			}
			check(t, c.Input, c.Expected)
			passed[c.ID] = true
		})
	}
	for id := range caseChecks {
		if !passed[id] {
			t.Errorf("case %s did not pass", id)
		}
	}
}

func checkWilson(t *testing.T, input, expected json.RawMessage) {
	var in struct{ Pairs [][2]int }
	var want struct{ CI95 [][2]float64 }
	decode(t, input, &in)
	decode(t, expected, &want)
	for i, p := range in.Pairs {
		iv := WilsonCount(p[0], p[1], 0.95)
		near(t, fmt.Sprint(p, " lo"), iv.Lo, want.CI95[i][0], 1e-6)
		near(t, fmt.Sprint(p, " hi"), iv.Hi, want.CI95[i][1], 1e-6)
	}
}

func checkPearsonFisher(t *testing.T, input, expected json.RawMessage) {
	var in struct {
		R []float64
		N int
	}
	var want struct {
		CI95 [][2]float64
		T    []float64
		P    []float64 `json:"p_bonferroni"`
	}
	decode(t, input, &in)
	decode(t, expected, &want)
	var ps []*float64
	for i, r := range in.R {
		c := FisherFromR(r, in.N, 0.95)
		near(t, fmt.Sprint(r, " lo"), c.Lo, want.CI95[i][0], 1e-6)
		near(t, fmt.Sprint(r, " hi"), c.Hi, want.CI95[i][1], 1e-6)
		near(t, fmt.Sprint(r, " t"), c.T, want.T[i], 1e-4)
		ps = append(ps, c.P)
	}
	adjusted, err := Adjust(ps, "bonferroni")
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range adjusted {
		near(t, fmt.Sprint(in.R[i], " p"), p, want.P[i], 1e-6*want.P[i])
	}
}

func checkTies(t *testing.T, input, expected json.RawMessage) {
	var in struct{ X, Y []float64 }
	var want struct {
		Kendall           float64 `json:"kendall_tau_b"`
		Spearman, Pearson float64
	}
	decode(t, input, &in)
	decode(t, expected, &want)
	near(t, "kendall", Kendall(in.X, in.Y, CorrOptions{}).Value, want.Kendall, 1e-6)
	near(t, "spearman", Spearman(in.X, in.Y, CorrOptions{}).Value, want.Spearman, 1e-6)
	near(t, "pearson", Pearson(in.X, in.Y, CorrOptions{}).Value, want.Pearson, 1e-6)
}

func checkConstant(t *testing.T, input, expected json.RawMessage) {
	var in struct{ X, Y []float64 }
	var want struct{ Reason string }
	decode(t, input, &in)
	decode(t, expected, &want)
	for _, f := range []func(x, y []float64, opt CorrOptions) Correlation{Pearson, Spearman, Kendall} {
		c := f(in.X, in.Y, CorrOptions{})
		if c.Value != nil || c.P != nil || c.T != nil || c.Lo != nil || c.Reason != want.Reason {
			t.Errorf("%s: %+v, want no value and %q", c.Coefficient, c, want.Reason)
		}
	}
}

func checkKruskal(t *testing.T, input, expected json.RawMessage) {
	var in struct{ Groups [][]float64 }
	var want struct{ H, P float64 }
	decode(t, input, &in)
	decode(t, expected, &want)
	got := KruskalWallis(in.Groups)
	near(t, "h", got.Statistic, want.H, 1e-6)
	near(t, "p", got.P, want.P, 1e-4)
}

func checkClusteredSE(t *testing.T, input, expected json.RawMessage) {
	var in struct{ Clusters [][]float64 }
	var want struct {
		Mean        float64
		SENaive     float64 `json:"se_naive"`
		SEClustered float64 `json:"se_clustered"`
	}
	decode(t, input, &in)
	decode(t, expected, &want)
	var values []float64
	var cluster, own []int
	for i, vs := range in.Clusters {
		for _, v := range vs {
			own = append(own, len(values))
			values, cluster = append(values, v), append(cluster, i)
		}
	}
	mean, se := ClusteredSE(values, cluster)
	near(t, "mean", mean, want.Mean, 1e-6)
	near(t, "clustered error", se, want.SEClustered, 1e-6)
	_, naive := ClusteredSE(values, own)
	near(t, "naive error", naive, want.SENaive, 1e-6)
}
