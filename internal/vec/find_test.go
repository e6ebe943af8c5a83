package vec

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFind(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		limit         int
		want          []Place
	}{
		{"abc", "xxabcxxabdxx", 0, []Place{{5, 0}}},
		{"abc", "xxabcxxabdxx", 1, []Place{{5, 0}, {9, 1}}},
		{"Results", "the Resu1ts of", 1, []Place{{11, 1}}},
		{"", "abc", 3, nil},
		{"é中", "a é中 b", 0, []Place{{4, 0}}},
	} {
		got := Find([]rune(c.pattern), []rune(c.text), c.limit)
		if len(got) != len(c.want) {
			t.Errorf("Find(%q, %q, %d) = %v, want %v", c.pattern, c.text, c.limit, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("Find(%q, %q, %d) = %v, want %v", c.pattern, c.text, c.limit, got, c.want)
			}
		}
	}
}

// Every place has a stretch with that distance, and an exact occurrence is never missed.
func TestFindLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gen := func(n int) *rapid.Generator[string] {
			return rapid.StringOfN(rapid.RuneFrom([]rune("ab é")), 0, n, -1)
		}
		pattern := rapid.StringOfN(rapid.RuneFrom([]rune("ab é")), 1, 150, -1).Draw(t, "pattern")
		text := gen(60).Draw(t, "before") + pattern + gen(60).Draw(t, "after")
		p, x := []rune(pattern), []rune(text)
		places := Find(p, x, len(p)/5)
		exact := false
		for _, at := range places {
			best := len(p)
			for start := range at.End + 1 {
				best = min(best, LevenshteinRunes(p, x[start:at.End]))
			}
			if best != at.Distance {
				t.Fatalf("place %v, but the best stretch has %d", at, best)
			}
			exact = exact || at.Distance == 0
		}
		if strings.Contains(text, pattern) && !exact {
			t.Fatalf("%q not found in %q: %v", pattern, text, places)
		}
	})
}
