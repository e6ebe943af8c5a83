package pipeline

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
)

// Results come out in order and all of them, and no more than four a worker are ever ahead of what
// was emitted.
func TestOrderedKeepsOrderInABoundedWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, workers := rapid.IntRange(0, 120).Draw(t, "n"), rapid.IntRange(-1, 9).Draw(t, "workers")
		slow := rapid.SliceOfN(rapid.IntRange(0, 5), n, n).Draw(t, "slow")
		bound := int64(4*max(1, min(workers, n)) + 1) // the window, and the one being emitted
		var started, emitted atomic.Int64
		var got []int
		err := ordered(context.Background(), n, workers, func(_ context.Context, i int) (int, error) {
			if ahead := started.Add(1) - emitted.Load(); ahead > bound {
				return 0, fmt.Errorf("%d are ahead, %d may be", ahead, bound)
			}
			for range slow[i] {
				runtime.Gosched()
			}
			return i * i, nil
		}, func(i, v int) error {
			if v != i*i {
				return fmt.Errorf("result %d is %d", i, v)
			}
			got = append(got, i)
			emitted.Add(1)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != n || !slices.IsSorted(got) {
			t.Fatalf("emitted %v of %d", got, n)
		}
	})
}

// An error of do or emit comes back, what was emitted is a run from the start, and nothing works on
// after the return.
func TestOrderedStopsAtTheFirstError(t *testing.T) {
	boom := errors.New("boom")
	rapid.Check(t, func(t *rapid.T) {
		n, workers := rapid.IntRange(1, 80).Draw(t, "n"), rapid.IntRange(1, 8).Draw(t, "workers")
		at := rapid.IntRange(0, n-1).Draw(t, "at")
		where := rapid.SampledFrom([]string{"do", "emit", "ctx"}).Draw(t, "where")
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var busy atomic.Int64
		next := 0
		err := ordered(ctx, n, workers, func(ctx context.Context, i int) (int, error) {
			busy.Add(1)
			defer busy.Add(-1)
			if i == at && where == "do" {
				return 0, boom
			}
			if i == at && where == "ctx" {
				cancel()
				return 0, ctx.Err()
			}
			return i, nil
		}, func(i, _ int) error {
			if i != next {
				return fmt.Errorf("emitted %d, want %d", i, next)
			}
			if i == at && where == "emit" {
				return boom
			}
			next++
			return nil
		})
		want := boom
		if where == "ctx" {
			want = context.Canceled
		}
		if !errors.Is(err, want) {
			t.Fatalf("%s: got %v, want %v", where, err, want)
		}
		if next > at || busy.Load() != 0 {
			t.Fatalf("%d emitted before the error of %d; %d still at work", next, at, busy.Load())
		}
	})
}

// A sample is a function of seed and questions, not of their order, and takes every stratum in
// proportion: within one of its share for each stratum boundary a draw can fall on.
func TestSampleIsStratifiedAndDeterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.IntRange(1, 90).Draw(t, "total")
		var qs []edb.Question
		size := map[string]int{}
		for i := range total {
			d := rapid.SampledFrom([]string{"", "hr", "legal", "finance"}).Draw(t, "domain")
			m := rapid.SampledFrom(edb.Modalities).Draw(t, "modality")
			qs = append(qs, edb.Question{ID: fmt.Sprintf("q%03d", i), Domain: d, Modality: m})
			size[d+"/"+m]++
		}
		n, seed := rapid.IntRange(1, total).Draw(t, "n"), rapid.Uint64().Draw(t, "seed")
		shuffled := rapid.Permutation(qs).Draw(t, "order")
		ds := func(q []edb.Question) *datasets.Dataset { return &datasets.Dataset{Questions: q} }
		_, a, _ := selectUnits(ds(qs), Queries{Limit: n}, seed)
		_, b, _ := selectUnits(ds(shuffled), Queries{Limit: n}, seed)
		if len(a) != n {
			t.Fatalf("%d drawn, want %d", len(a), n)
		}
		drawn, seen := map[string]int{}, map[string]bool{}
		for i := range a {
			if a[i].ID != b[i].ID {
				t.Fatalf("the order of the questions decides: %s and %s", a[i].ID, b[i].ID)
			}
			if seen[a[i].ID] {
				t.Fatalf("%s is drawn twice", a[i].ID)
			}
			seen[a[i].ID] = true
			drawn[a[i].Domain+"/"+a[i].Modality]++
		}
		// Strata are cut at one common height h; each gives round(h * size), so any two heights that
		// their counts allow must overlap.
		lo, hi := 0.0, math.Inf(1)
		for k, s := range size {
			lo = max(lo, (float64(drawn[k])-0.5)/float64(s))
			if drawn[k] < s {
				hi = min(hi, (float64(drawn[k])+0.5)/float64(s))
			}
		}
		if lo > hi+1e-12 {
			t.Fatalf("strata are not taken in proportion: %v of %v", drawn, size)
		}
	})
}

// The index holds the split's documents; a question that rests on another document is left out and
// counted, one without evidence stays.
func TestSelectUnitsKeepsToTheSplit(t *testing.T) {
	ds := &datasets.Dataset{
		Documents: []edb.Document{{ID: "b", Split: "test"}, {ID: "c", Split: "train"}, {ID: "a", Split: "test"}},
		Questions: []edb.Question{
			{ID: "q3"}, {ID: "q1", Evidence: []edb.Evidence{{Doc: "a"}, {Doc: "b"}}},
			{ID: "q2", Evidence: []edb.Evidence{{Doc: "a"}, {Doc: "c"}}},
		},
	}
	docs, asked, dropped := selectUnits(ds, Queries{Split: "test"}, 1)
	if len(docs) != 2 || docs[0].ID != "a" || docs[1].ID != "b" {
		t.Errorf("documents: %+v", docs)
	}
	if len(asked) != 2 || asked[0].ID != "q1" || asked[1].ID != "q3" || dropped != 1 {
		t.Errorf("questions: %+v, %d dropped", asked, dropped)
	}
}
