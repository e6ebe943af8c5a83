package index

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"enterprisedocbench"
)

// BenchmarkBM25 reads corpus.txt and queries.txt (one text a line) from the folder EDB_BENCH.
func BenchmarkBM25(b *testing.B) {
	dir := os.Getenv("EDB_BENCH")
	if dir == "" {
		b.Skip("needs EDB_BENCH, a folder with corpus.txt and queries.txt")
	}
	lines := func(name string) []string {
		raw, err := os.ReadFile(dir + "/" + name)
		if err != nil {
			b.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(raw)), "\n")
	}
	var ps []edb.Passage
	for i, t := range lines("corpus.txt") {
		ps = append(ps, edb.Passage{ID: strconv.Itoa(i), Doc: strconv.Itoa(i), Text: t})
	}
	qs := lines("queries.txt")
	b.Run("build", func(b *testing.B) {
		for b.Loop() {
			BuildBM25(ps)
		}
	})
	x := BuildBM25(ps)
	x.Search(qs[0], 1.5, .75, 10)
	for _, depth := range []int{10, 100} {
		b.Run("query"+strconv.Itoa(depth), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				x.Search(qs[i%len(qs)], 1.5, .75, depth)
			}
		})
	}
}
