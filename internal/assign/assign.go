// Package assign pairs rows with columns, one to one.
package assign

import "math"

// Best finds the one-to-one assignment of rows to columns with the greatest total score
// (Hungarian method, O(n³)); the result gives the column of each row, -1 for none. Scores of 0 and
// below are never assigned. Of equal totals the one found first in row order is taken, so the same
// scores give the same pairs.
func Best(score [][]float64) []int {
	rows := len(score)
	out := make([]int, rows)
	cols := 0
	for i := range score {
		out[i] = -1
		cols = max(cols, len(score[i]))
	}
	if cols == 0 {
		return out
	}
	n := max(rows, cols)
	cost := func(i, j int) float64 { // i, j from 1
		if i <= rows && j <= len(score[i-1]) && score[i-1][j-1] > 0 {
			return -score[i-1][j-1]
		}
		return 0
	}
	u, v := make([]float64, n+1), make([]float64, n+1)
	match, way := make([]int, n+1), make([]int, n+1)
	for i := 1; i <= n; i++ {
		match[0] = i
		j0 := 0
		least := make([]float64, n+1)
		used := make([]bool, n+1)
		for j := range least {
			least[j] = math.MaxFloat64
		}
		for {
			used[j0] = true
			i0, delta, j1 := match[j0], math.MaxFloat64, 0
			for j := 1; j <= n; j++ {
				if used[j] {
					continue
				}
				if c := cost(i0, j) - u[i0] - v[j]; c < least[j] {
					least[j], way[j] = c, j0
				}
				if least[j] < delta {
					delta, j1 = least[j], j
				}
			}
			for j := 0; j <= n; j++ {
				if used[j] {
					u[match[j]] += delta
					v[j] -= delta
				} else {
					least[j] -= delta
				}
			}
			j0 = j1
			if match[j0] == 0 {
				break
			}
		}
		for j0 != 0 {
			j1 := way[j0]
			match[j0] = match[j1]
			j0 = j1
		}
	}
	for j := 1; j <= cols; j++ {
		if i := match[j]; i >= 1 && i <= rows && cost(i, j) < 0 {
			out[i-1] = j - 1
		}
	}
	return out
}
