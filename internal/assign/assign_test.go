package assign

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The total of the assignment equals the best over all permutations.
func TestBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(1, 5).Draw(t, "rows"), rapid.IntRange(1, 5).Draw(t, "cols")
		score := make([][]float64, rows)
		for i := range score {
			score[i] = make([]float64, cols)
			for j := range score[i] {
				score[i][j] = float64(rapid.IntRange(0, 9).Draw(t, "score")) / 10
			}
		}
		var best func(i int, used int) float64
		best = func(i, used int) float64 {
			if i == rows {
				return 0
			}
			v := best(i+1, used)
			for j := range cols {
				if used>>j&1 == 0 {
					v = max(v, score[i][j]+best(i+1, used|1<<j))
				}
			}
			return v
		}
		got, seen := 0.0, map[int]bool{}
		for i, j := range Best(score) {
			if j < 0 {
				continue
			}
			if seen[j] {
				t.Fatalf("column %d twice", j)
			}
			seen[j] = true
			got += score[i][j]
		}
		if want := best(0, 0); math.Abs(got-want) > 1e-9 {
			t.Fatalf("%v: %v, want %v", score, got, want)
		}
	})
}
