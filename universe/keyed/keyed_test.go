package keyed

import (
	"testing"

	"pgregory.net/rapid"
)

func TestPermutationIsABijection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3000).Draw(t, "n")
		p := NewPermutation(n, rapid.Uint64().Draw(t, "key"))
		seen := make([]bool, n)
		for i := range n {
			v := p.At(i)
			if v < 0 || v >= n || seen[v] {
				t.Fatalf("n=%d: %d maps to %d again or outside", n, i, v)
			}
			seen[v] = true
		}
	})
}

func TestFindIsAtBackwards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1<<40).Draw(t, "n")
		p := NewPermutation(n, rapid.Uint64().Draw(t, "key"))
		i := rapid.IntRange(0, n-1).Draw(t, "i")
		if got := p.Find(p.At(i)); got != i {
			t.Fatalf("n=%d: Find(At(%d)) = %d", n, i, got)
		}
		if got := p.At(p.Find(i)); got != i {
			t.Fatalf("n=%d: At(Find(%d)) = %d", n, i, got)
		}
	})
}

// Worlds that were written must come out the same for ever: these values are frozen.
func TestKeysAreFrozen(t *testing.T) {
	for _, c := range []struct {
		seed    uint64
		purpose string
		id      int
		want    uint64
	}{
		{0, "", 0, 0x74bffc1f1533ed0c},
		{7, "person", 0, 0xf3bde4ace312f63d},
		{7, "person", 1, 0x17c045882240e499},
		{7, "clause-order", 12345, 0x79fc12c0a7871134},
	} {
		if got := Key(c.seed, c.purpose, c.id); got != c.want {
			t.Errorf("Key(%d, %q, %d) = %#x, want %#x", c.seed, c.purpose, c.id, got, c.want)
		}
		if a, b := Source(c.seed, c.purpose, c.id).Uint64(), Source(c.seed, c.purpose, c.id).Uint64(); a != b {
			t.Errorf("two sources of %q differ: %x and %x", c.purpose, a, b)
		}
	}
	if got := NewPermutation(1000, 42).At(7); got != 383 {
		t.Errorf("At(7) = %d, want 383", got)
	}
}
