package study

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"enterprisedocbench/stats"
	"pgregory.net/rapid"
)

// claim reads one claim and recomputes it.
func claim(t interface{ Fatalf(string, ...any) }, body string) []Finding {
	text := "paper: test\nclaims:\n  - {id: a, source: table 1, what: a number, " + body + "}\n"
	p, err := ReadPaper([]byte(text), "f")
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return Recompute(p)
}

// Whatever is computed from true values and printed beside them, to any number of digits, follows:
// rounding alone is never a fault. A result that is further off than rounding can make it does not.
func TestTrueNumbersFollowAndFalseOnesDoNot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		decimals := rapid.IntRange(1, 4).Draw(t, "decimals")
		unit := math.Pow10(-decimals)
		print := func(x float64) string { return strconv.FormatFloat(x, 'f', decimals, 64) }
		k := rapid.IntRange(2, 5).Draw(t, "k")
		values := rapid.SliceOfN(rapid.Float64Range(0.1, 1), k, k).Draw(t, "values")
		counts := rapid.SliceOfN(rapid.IntRange(1, 900), k, k).Draw(t, "counts")
		weights := rapid.SliceOfN(rapid.Float64Range(0, 1), k, k).Draw(t, "weights")
		var of, n, w []string
		sum, weighted, mean, total, least, most := 0.0, 0.0, 0.0, 0.0, 1.0, 0.0
		for i, x := range values {
			of, n, w = append(of, print(x)), append(n, strconv.Itoa(counts[i])), append(w, fmt.Sprint(weights[i]))
			sum += x
			weighted += weights[i] * x
			mean += float64(counts[i]) * x
			total += float64(counts[i])
			least, most = min(least, x), max(most, x)
		}
		list := func(s []string) string { return "[" + strings.Join(s, ", ") + "]" }
		for _, c := range []struct {
			name  string
			value float64
			off   float64 // how far rounding of the inputs can move it
			body  string
		}{
			{"total", sum, float64(k) * unit / 2, "total: {value: %s, of: " + list(of) + "}"},
			{"composite", weighted, float64(k) * unit / 2, "composite: {value: %s, parts: " + list(of) + ", weights: " + list(w) + "}"},
			{"mean", mean / total, unit / 2, "mean: {value: %s, of: " + list(of) + ", n: " + list(n) + "}"},
			{"plain mean", sum / float64(k), unit / 2, "mean: {value: %s, of: " + list(of) + "}"},
			{"difference", values[0] - values[1], unit, "difference: {value: %s, of: " + list(of[:2]) + "}"},
			{"spread", most - least, unit, "spread: {value: %s, of: " + list(of) + "}"},
			{"most", most, unit / 2, "most: {value: %s, of: " + list(of) + "}"},
			{"least", least, unit / 2, "least: {value: %s, of: " + list(of) + "}"},
		} {
			if f := claim(t, fmt.Sprintf(c.body, print(c.value))); len(f) != 1 || f[0].Verdict != Follows {
				t.Fatalf("%s is %s of %v: %+v", c.name, print(c.value), of, f)
			}
			wrong := c.value + 2*c.off + 1.51*unit
			if f := claim(t, fmt.Sprintf(c.body, print(wrong))); f[0].Verdict != DoesNotFollow {
				t.Fatalf("%s is not %s of %v: %+v", c.name, print(wrong), of, f)
			}
		}
		if f := claim(t, fmt.Sprintf("ratio: {value: %s, of: [%s], by: [%s]}", print(values[0]/values[1]), of[0], of[1])); f[0].Verdict == DoesNotFollow {
			t.Fatalf("ratio: %+v", f)
		}
		if f := claim(t, fmt.Sprintf("product: {value: %s, of: [%s, %s]}", print(values[0]*values[1]), of[0], of[1])); f[0].Verdict != Follows {
			t.Fatalf("product: %+v", f)
		}
		if f := claim(t, fmt.Sprintf("same: {of: [%s, %s%%]}", print(values[0]), strconv.FormatFloat(100*values[0], 'f', rapid.IntRange(0, 3).Draw(t, "percent"), 64))); f[0].Verdict != Follows {
			t.Fatalf("same: %+v", f)
		}
	})
}

func TestTrueSharesFollow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 2000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		decimals := rapid.IntRange(0, 2).Draw(t, "decimals")
		percent := func(x float64) string { return strconv.FormatFloat(100*x, 'f', decimals, 64) + "%" }
		iv := stats.WilsonCount(k, n, 0.95)
		for _, f := range claim(t, fmt.Sprintf("rate: {value: %s, n: %d, lo: %s, hi: %s}", percent(*iv.Value), n, percent(*iv.Lo), percent(*iv.Hi))) {
			if f.Verdict != Follows {
				t.Fatalf("%d of %d: %+v", k, n, f)
			}
		}
	})
}

func TestTrueCorrelationsFollow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(5, 3000).Draw(t, "n")
		r := rapid.Float64Range(-.98, .98).Draw(t, "r")
		decimals := rapid.IntRange(2, 4).Draw(t, "decimals")
		print := func(x float64) string { return strconv.FormatFloat(x, 'f', decimals, 64) }
		c := stats.FisherFromR(r, n, .95)
		body := fmt.Sprintf("correlation: {r: %s, n: %d, df: %d, t: %s, p: %s, p_adjusted: %s, comparisons: 3, r2: %s, lo: %s, hi: %s}",
			print(r), n, n-2, print(*c.T), print(*c.P), print(min(1, 3**c.P)), print(r*r), print(*c.Lo), print(*c.Hi))
		for _, f := range claim(t, body) {
			if f.Verdict != Follows {
				t.Fatalf("%s: %+v", body, f)
			}
		}
	})
}

func TestVerdictsOfSingleClaims(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"correlation: {r: 0.14, n: 1169, t: 5.75}", "does not follow 4.830 (4.654 to 5.006)"},
		{"correlation: {r: 0.14, n: 1169, df: 1168}", "does not follow 1167"},
		{"correlation: {r: 0.14, n: 1169, p: <0.001}", "follows 1.5e-06 (6.4e-07"},
		{"correlation: {r: 0.02, n: 1169, p: <0.001}", "does not follow 0.4945"},
		{"correlation: {r: 0.14, r2: 0.05}", "does not follow 0.020"},
		{"correlation: {r: 0.14, t: 5}", "cannot be checked "},
		{"correlation: {r: 0.14, n: 50}", "cannot be checked "},
		{"rate: {value: 50%, n: 3}", "does not follow 1.50 of 3"},
		{"rate: {value: 67%, n: 3}", "follows 2 of 3"},
		{"rate: {value: 0.5}", "cannot be checked "},
		{"rate: {value: 0.5, n: 3, mean: true}", "cannot be checked "},
		{"precision: {value: 0.34, k: 3, relevant: 1}", "does not follow at most 0.333"},
		{"precision: {value: 0.33, k: 3, relevant: 1}", "follows at most 0.333"},
		{"precision: {value: 0.34, k: 3, relevant: 1.1}", "follows at most 0.383"},
		{"precision: {value: 0.34, k: 3}", "cannot be checked "},
		{"supply: {share: 9%, of: 500, documents: 4}", "cannot be checked 45 questions about 4 documents"},
		{"supply: {share: 9%, of: 500, documents: 4, most: 12}", "follows 45 questions"},
		{"supply: {share: 0%, of: 500, documents: 0}", "follows 0 questions"},
		{"same: {of: [86.6, 86.7]}", "follows 86.6"}, // both may be 86.65
		{"same: {of: [86.5, 86.7]}", "does not follow 86.5"},
		{"same: {of: [86.6%, 86.7%]}", "follows 86.6%"},
		{"same: {of: [33, 34]}", "does not follow 33"},
		{"distinct: {of: [86.6, 86.7]}", "follows 86.6"},
		{"same: {of: [86.6, 87%]}", "does not follow 86.6"},
		{"same: {of: [86.6%, 87%]}", "follows 86.6%"},
		{"same: {of: [33, 33]}", "follows 33"},
		{"distinct: {of: [0.85, 0.84]}", "follows 0.85"},
		{"distinct: {of: [0.85, 0.85]}", "does not follow 0.85"},
		{"bound: {value: 27, above: 25}", "follows 27"},
		{"bound: {value: 25, above: 25}", "does not follow 25"},
		{"bound: {value: 25, at_least: 25}", "follows 25"},
		{"bound: {value: 26, at_most: 25}", "does not follow 26"},
		{"difference: {value: ~17, of: [92.3, 75.5]}", "follows 16.8"},
		{"difference: {value: 17, of: [92.3, 75.5]}", "does not follow 16.8"},
		{"ratio: {value: 2.0, of: [1.0], by: [0.0]}", "cannot be checked "},
		{"total: {value: 7.0M, of: [3.5M, '3,500K']}", "follows 7.00M (6.95M to 7.05M)"},
		{"open: {value: 0.73, needs: the table}", "cannot be checked "},
	} {
		f := claim(t, c.body)
		if len(f) == 0 || !strings.HasPrefix(f[0].Verdict+" "+f[0].Recomputed, c.want) {
			t.Errorf("%s: %+v, want %s", c.body, f, c.want)
		}
	}
}
