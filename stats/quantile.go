package stats

import "slices"

// Quantile returns the q-quantile of sorted values, linearly interpolated between order statistics
// (type 7 of Hyndman and Fan 1996). The slice must not be empty.
func Quantile(sorted []float64, q float64) float64 {
	i, j, part := between(len(sorted), q)
	return sorted[i] + part*(sorted[j]-sorted[i])
}

// between says which two order statistics of n a quantile lies between, and how far.
func between(n int, q float64) (i, j int, part float64) {
	h := q * float64(n-1)
	i = min(max(int(h), 0), n-1)
	return i, min(i+1, n-1), h - float64(i)
}

// quantileOf is [Quantile] of values in any order, which it changes; it takes O(n).
func quantileOf(v []float64, q float64) float64 {
	i, j, part := between(len(v), q)
	a := nth(v, i)
	b := a
	if j > i {
		b = slices.Min(v[j:])
	}
	return a + part*(b-a)
}

// nth brings the value to place k that sorting would bring there, the lower ones before it and the
// higher ones behind (Hoare's selection).
func nth(v []float64, k int) float64 {
	for lo, hi := 0, len(v)-1; lo < hi; {
		pivot := v[lo+(hi-lo)/2]
		i, j := lo, hi
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return v[k]
		}
	}
	return v[k]
}
