package stats

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The references count all subsets of the tries; no formula is shared.
func TestPassAgreesWithAllSubsets(t *testing.T) {
	for _, c := range readReferences(t).Pass {
		any, why := PassAtK(c.N, c.C, c.K)
		all, whyAll := PassAllK(c.N, c.C, c.K)
		if why != "" || whyAll != "" {
			t.Fatal(why, whyAll)
		}
		near(t, "pass@k", any, c.Any, 1e-12)
		near(t, "pass^k", all, c.All, 1e-12)
	}
}

func TestMorePassesNeverHurt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		k := rapid.IntRange(1, n).Draw(t, "k")
		c := rapid.IntRange(0, n).Draw(t, "c")
		any, _ := PassAtK(n, c, k)
		all, _ := PassAllK(n, c, k)
		one, _ := PassAtK(n, c, 1)
		if *all > *one+1e-12 || *one > *any+1e-12 || *any > 1 || *all < 0 {
			t.Fatalf("pass^%d %g, pass@1 %g, pass@%d %g", k, *all, *one, k, *any)
		}
		if c < n {
			more, _ := PassAtK(n, c+1, k)
			if *more < *any-1e-12 {
				t.Fatalf("one more pass: %g after %g", *more, *any)
			}
		}
	})
}

func TestPassWithoutSense(t *testing.T) {
	for _, c := range []struct {
		n, c, k int
		want    string
	}{
		{0, 0, 1, "no tries"},
		{3, 4, 1, "4 passes of 3 tries"},
		{3, -1, 1, "-1 passes"},
		{3, 1, 4, "k is 4"},
		{1, 1, 0, "k is 0: it must be from 1 to the 1 try there are"},
	} {
		for _, f := range []func(int, int, int) (*float64, string){PassAtK, PassAllK} {
			if v, why := f(c.n, c.c, c.k); v != nil || !strings.Contains(why, c.want) {
				t.Errorf("%d of %d at %d: %v, %q", c.c, c.n, c.k, v, why)
			}
		}
	}
}

func TestMeanPassKeepsTasksComparable(t *testing.T) {
	tasks := []Tries{{5, 2}, {5, 5}, {5, 0}}
	near(t, "pass@1", MeanPass(tasks, 1, false, nil, Options{}).Value, 7.0/15, 1e-12)
	near(t, "pass^5", MeanPass(tasks, 5, true, nil, Options{}).Value, 1.0/3, 1e-12)
	iv := MeanPass(append(tasks, Tries{3, 1}), 5, false, nil, Options{})
	if iv.Value != nil || !strings.Contains(iv.Reason, "task 4: k is 5") {
		t.Errorf("%v, %q", iv.Value, iv.Reason)
	}
	if iv := MeanPass(nil, 1, false, nil, Options{}); iv.Value != nil || iv.Reason == "" {
		t.Errorf("no tasks gave %v", iv.Value)
	}
}
