package datasets

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"enterprisedocbench/internal/tokens"
)

const (
	shingleWords = 5    // words of a shingle
	permutations = 128  // hash functions of a MinHash signature
	sketchSize   = 1024 // smallest shingle hashes that are kept for the comparison
)

// sketch is what is kept of a text to find and compare its near-duplicates: 8.5 KB at most.
//
// The signature is MinHash (Broder, "On the resemblance and containment of documents", 1997): the
// smallest value of each of 128 hash functions over the text's shingles of five words. Two texts
// agree in one place of it with the probability of their Jaccard similarity. Lowest holds the 1,024
// smallest shingle hashes, rising: all of them in a text of at most that many shingles.
type sketch struct {
	signature []uint32
	lowest    []uint64
}

// empty says that the text has no word.
func (s sketch) empty() bool { return len(s.lowest) == 0 }

// newSketch reads a text by its words in normal form, so that case, punctuation and white space do
// not count. A text of fewer than five words is one shingle.
func newSketch(text string) sketch {
	shingles := shingleHashes(tokens.WordKeys(text))
	if len(shingles) == 0 {
		return sketch{}
	}
	sig := make([]uint32, permutations)
	for i := range sig {
		sig[i] = math.MaxUint32
	}
	for _, x := range shingles {
		for i := range sig {
			// Multiply-shift of a hash that is mixed already (Dietzfelbinger et al. 1997).
			sig[i] = min(sig[i], uint32((x*permuteA[i]+permuteB[i])>>32))
		}
	}
	return sketch{sig, slices.Clone(shingles[:min(len(shingles), sketchSize)])}
}

// permuteA and permuteB are the constants of the hash functions; A is odd.
var permuteA, permuteB = func() (a, b [permutations]uint64) {
	x := uint64(0x9e3779b97f4a7c15)
	for i := range a {
		x = mix(x + 1)
		a[i] = x | 1
		x = mix(x + 1)
		b[i] = x
	}
	return a, b
}()

// mix is the finalizer of SplitMix64 (Steele, Lea and Flood 2014): every bit of x moves every bit of
// the result.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hashWord is FNV-1a, mixed.
func hashWord(s string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	return mix(h)
}

// shingleHashes gives the distinct hashes of all runs of five words, rising.
func shingleHashes(words []string) []uint64 {
	if len(words) == 0 {
		return nil
	}
	hashes := make([]uint64, len(words))
	for i, w := range words {
		hashes[i] = hashWord(w)
	}
	n := max(1, len(hashes)-shingleWords+1)
	out := make([]uint64, n)
	for i := range out {
		h := uint64(0)
		for _, w := range hashes[i:min(i+shingleWords, len(hashes))] {
			h = mix(bits.RotateLeft64(h, 23) ^ w)
		}
		out[i] = h
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// jaccard is the share of shingles that two texts have in common, in [0,1]: exact where both have at
// most 1,024, else over the 1,024 smallest of the union (a bottom-k sketch), with a standard error of
// 0.0125 at 0.8. Two texts without words share nothing.
func jaccard(a, b sketch) float64 {
	i, j, both, union := 0, 0, 0, 0
	full := len(a.lowest) == sketchSize || len(b.lowest) == sketchSize
	for i < len(a.lowest) && j < len(b.lowest) && (!full || union < sketchSize) {
		switch cmp.Compare(a.lowest[i], b.lowest[j]) {
		case 0:
			both++
			i++
			j++
		case -1:
			i++
		default:
			j++
		}
		union++
	}
	rest := len(a.lowest) - i + len(b.lowest) - j
	if full {
		rest = min(rest, sketchSize-union)
	}
	if union += rest; union == 0 {
		return 0
	}
	return float64(both) / float64(union)
}

// bandsFor cuts a signature into bands of rows places each, so that two texts of the given similarity
// agree in all rows of at least one band with a probability of .999 and more: 1 − (1 − s^rows)^bands.
// The most rows that do are taken: they bring the fewest pairs that must be compared for nothing.
func bandsFor(similarity float64) (bands, rows int) {
	for rows = 16; rows > 1; rows-- {
		bands = permutations / rows
		if 1-math.Pow(1-math.Pow(similarity, float64(rows)), float64(bands)) >= 0.999 {
			return bands, rows
		}
	}
	return permutations, 1
}

// buckets gives groups of positions whose signatures agree in a band, each group rising, the groups
// in a fixed order. Every pair of texts of at least the similarity is in one with a probability of
// .999; other pairs are too.
func buckets(sketches []sketch, similarity float64) [][]int {
	bands, rows := bandsFor(similarity)
	var out [][]int
	for b := range bands {
		at := map[uint64]int{}
		first := len(out)
		for i, s := range sketches {
			if s.empty() {
				continue
			}
			h := uint64(b)
			for _, v := range s.signature[b*rows : (b+1)*rows] {
				h = mix(h ^ uint64(v))
			}
			n, ok := at[h]
			if !ok {
				n = len(out)
				at[h] = n
				out = append(out, nil)
			}
			out[n] = append(out[n], i)
		}
		kept := slices.DeleteFunc(out[first:], func(g []int) bool { return len(g) < 2 })
		out = out[:first+len(kept)]
	}
	return out
}
