package stats

import (
	"cmp"
	"math"
	"slices"
)

// denseRanks numbers the different values from 0 upwards, smallest first, and says how many there
// are. Values must not be NaN; −0 equals 0.
func denseRanks(v []float64) (ranks []int32, n int) {
	keys := make([]keyed, len(v))
	for i, x := range v {
		keys[i] = keyed{sortable(x), int32(i)}
	}
	keys = sortKeyed(keys)
	ranks = make([]int32, len(v))
	for k, e := range keys {
		if k > 0 && e.key != keys[k-1].key {
			n++
		}
		ranks[e.at] = int32(n)
	}
	return ranks, min(n+1, len(v))
}

type keyed struct {
	key uint64
	at  int32
}

// sortable maps numbers to integers of the same order.
func sortable(x float64) uint64 {
	switch b := math.Float64bits(x); {
	case x == 0: // −0 too
		return 1 << 63
	case b>>63 == 1:
		return ^b
	default:
		return b | 1<<63
	}
}

// sortKeyed sorts by key: where there are many, by the bytes of its upper half, which tell most
// values apart, and what is then still out of order by insertion; where that would take long, by all
// bytes. The slice is used up.
func sortKeyed(keys []keyed) []keyed {
	if len(keys) < 128 {
		slices.SortFunc(keys, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
		return keys
	}
	keys = byBytes(keys, 4)
	moves := 0
	for i := 1; i < len(keys); i++ {
		for j := i; j > 0 && keys[j].key < keys[j-1].key; j-- {
			keys[j], keys[j-1] = keys[j-1], keys[j]
			if moves++; moves > len(keys) {
				return byBytes(keys, 0)
			}
		}
	}
	return keys
}

// byBytes sorts by the bytes of the keys from the given one upwards, 0 being the last; bytes that
// all keys share cost nothing.
func byBytes(keys []keyed, from int) []keyed {
	other := make([]keyed, len(keys))
	var counts [8][256]int32
	for _, e := range keys {
		for b := from; b < 8; b++ {
			counts[b][byte(e.key>>(8*b))]++
		}
	}
	for b := from; b < 8; b++ {
		count := &counts[b]
		if count[byte(keys[0].key>>(8*b))] == int32(len(keys)) {
			continue
		}
		at := int32(0)
		for i, c := range count {
			count[i], at = at, at+c
		}
		for _, e := range keys {
			place := &count[byte(e.key>>(8*b))]
			other[*place] = e
			*place++
		}
		keys, other = other, keys
	}
	return keys
}

// midRanksOf gives each value its rank from 1, equal values their mean rank, and the sizes of the
// groups of equal values.
func midRanksOf(v []float64) (ranks, groups []float64) {
	dense, n := denseRanks(v)
	groups = make([]float64, n)
	for _, d := range dense {
		groups[d]++
	}
	mid := make([]float64, n)
	below := 0.0
	for d, c := range groups {
		mid[d] = below + (c+1)/2
		below += c
	}
	ranks = make([]float64, len(v))
	for i, d := range dense {
		ranks[i] = mid[d]
	}
	return ranks, groups
}
