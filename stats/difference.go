package stats

import (
	"fmt"
	"strings"
)

// MinDocuments is the least number of documents from which a bootstrap's standard error is trusted in a
// test.
const MinDocuments = 10

// DifferenceTest is the test of a mean difference whose interval is iv. It is [SignFlip] of diff over
// clusters of documents. Where most documents are joined into one cluster by the units that rest on
// several, turning signs says little and the interval is a two-way one: with [MinDocuments] or more the
// test is then [StudentTest] with that interval's standard error and one degree of freedom less than
// documents. diff are the differences, or what each unit adds to a weighted sum of several means; docs[i]
// are the documents that diff[i] rests on.
func DifferenceTest(iv Interval, diff []float64, docs [][]string, opt Options) Test {
	n := countDocuments(docs)
	se := ImpliedError(iv)
	if n < MinDocuments || se == nil || *se == 0 || !strings.HasPrefix(iv.Method, "two-way") {
		return SignFlip(diff, docs, opt)
	}
	t := StudentTest(*iv.Value, *se, n-1, "the two-way bootstrap")
	t.N, t.Effect, t.EffectName = len(diff), CohenDz(diff), "Cohen's dz"
	return t
}

// StudentTest tests an estimate against 0 by Student's t, two-sided: se, above 0, is its standard error,
// which Method says is of the named source, and df its degrees of freedom, at least 1.
func StudentTest(value, se float64, df int, source string) Test {
	t := value / se
	return Test{Name: "Student's t", Statistic: &t, DF: []float64{float64(df)}, P: ptr(twoSidedT(t, float64(df))),
		Method: fmt.Sprintf("Student's t with %d df and the standard error of %s", df, source)}
}

// countDocuments is how many different documents are named.
func countDocuments(docs [][]string) int {
	set := map[string]bool{}
	for _, ds := range docs {
		for _, d := range ds {
			set[d] = true
		}
	}
	return len(set)
}
