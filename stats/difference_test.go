package stats

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// chained are differences of units that each rest on two documents, the next one's first among them: all
// are one cluster.
func chained(n int) (diff []float64, docs [][]string) {
	for i := range n {
		diff = append(diff, float64((i*7)%11)/20-0.1)
		docs = append(docs, []string{fmt.Sprint(i), fmt.Sprint(i + 1)})
	}
	return diff, docs
}

func TestDifferenceTestOfJoinedDocuments(t *testing.T) {
	diff, docs := chained(14)
	iv := Mean(diff, docs, Options{Replicates: 2000})
	got := DifferenceTest(iv, diff, docs, Options{Replicates: 2000})
	value := *iv.Value / *ImpliedError(iv)
	near(t, "p", got.P, 2*distuv.StudentsT{Sigma: 1, Nu: 14}.Survival(value), 1e-12)
	if got.Method != "Student's t with 14 df and the standard error of the two-way bootstrap" || got.N != 14 {
		t.Errorf("%+v", got)
	}
	if c := ComparePaired(diff, make([]float64, 14), docs, 0.8, Options{Replicates: 2000}); c.Test.Method != got.Method || *c.Test.P != *got.P {
		t.Errorf("ComparePaired: %+v, want %+v", c.Test, got)
	}
	// Nine documents are too few, independent units need none of it.
	few, of := chained(8)
	if got := DifferenceTest(Mean(few, of, Options{}), few, of, Options{}); got.P != nil || !strings.Contains(got.Reason, "one cluster") {
		t.Errorf("%+v", got)
	}
	plain, want := DifferenceTest(Mean(diff, nil, Options{}), diff, nil, Options{}), SignFlip(diff, nil, Options{})
	if plain.Method != want.Method || *plain.P != *want.P {
		t.Errorf("%+v, want %+v", plain, want)
	}
}

func TestNothingDetectableIsNotZero(t *testing.T) {
	same := make([]float64, 20)
	c := ComparePaired(same, same, nil, 0.8, Options{Replicates: 200})
	if c.Detectable != nil || c.Blind != "all differences are 0" {
		t.Errorf("%v %q", c.Detectable, c.Blind)
	}
	shifted := make([]float64, 20)
	for i := range shifted {
		shifted[i] = 0.5
	}
	c = ComparePaired(shifted, same, nil, 0.8, Options{Replicates: 200})
	if c.Detectable != nil || c.Blind != "the differences do not vary between clusters" {
		t.Errorf("%v %q", c.Detectable, c.Blind)
	}
}
