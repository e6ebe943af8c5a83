package index

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/internal/testdata"
)

// ndcg10 is the mean nDCG@10 of rankings with binary judgements.
func ndcg10(run map[string][]edb.Hit, rel map[string]map[string]bool) float64 {
	sum := 0.0
	for q, docs := range rel {
		dcg, ideal := 0.0, 0.0
		for i := range min(10, len(docs)) {
			ideal += 1 / math.Log2(float64(i)+2)
		}
		for i, h := range run[q][:min(10, len(run[q]))] {
			if docs[h.Doc] {
				dcg += 1 / math.Log2(float64(i)+2)
			}
		}
		sum += dcg / ideal
	}
	return sum / float64(len(rel))
}

// TestVaswani holds the figures of docs/bench/static-encoder.md and docs/bench/bm25.md: 11,429
// abstracts, 62 judged topics, nDCG@10. bm25's value is that of NumPy over the same formula (.339).
func TestVaswani(t *testing.T) {
	dir := testdata.Data(t, "vaswani")
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	var ps []edb.Passage
	for _, m := range regexp.MustCompile(`(?s)<DOCNO>(\d+)</DOCNO>(.*?)</DOC>`).FindAllStringSubmatch(read("doc-text.trec"), -1) {
		ps = append(ps, edb.Passage{ID: m[1] + "@0", Doc: m[1], Text: strings.TrimSpace(m[2])})
	}
	queries := map[string]string{}
	for _, m := range regexp.MustCompile(`(?s)<num>(\d+)</num><title>(.*?)</title>`).FindAllStringSubmatch(read("query-text.trec"), -1) {
		queries[m[1]] = m[2]
	}
	rel := map[string]map[string]bool{}
	for line := range strings.Lines(read("qrels")) {
		f := strings.Fields(line)
		if len(f) == 4 && f[3] != "0" && queries[f[0]] != "" {
			if rel[f[0]] == nil {
				rel[f[0]] = map[string]bool{}
			}
			rel[f[0]][f[2]] = true
		}
	}
	if len(ps) != 11429 || len(rel) != 62 {
		t.Fatalf("%d documents, %d topics", len(ps), len(rel))
	}
	ctx := context.Background()
	run := func(search func(q string) ([]edb.Hit, error)) map[string][]edb.Hit {
		out := map[string][]edb.Hit{}
		for q := range rel {
			hits, err := search(queries[q])
			if err != nil {
				t.Fatal(err)
			}
			out[q] = hits
		}
		return out
	}
	check := func(name string, got, lo, hi float64) {
		t.Helper()
		t.Logf("%-18s nDCG@10 %.4f", name, got)
		if got < lo || got > hi {
			t.Errorf("%s: nDCG@10 %.4f, recorded %.3f to %.3f", name, got, lo, hi)
		}
	}
	x := BuildBM25(ps)
	own := run(func(q string) ([]edb.Hit, error) { return x.Search(q, 1.5, .75, 10), nil })
	check("bm25", ndcg10(own, rel), .334, .344)
	dense := map[string]float64{}
	for _, e := range Encoders() {
		if e.Available != nil {
			continue // a transformer takes minutes
		}
		enc, err := e.Open(ctx, ps)
		if err != nil {
			t.Fatal(err)
		}
		d, err := BuildDense(ctx, ps, enc)
		if err != nil {
			t.Fatal(err)
		}
		dense[e.Name] = ndcg10(run(func(q string) ([]edb.Hit, error) { return d.Search(ctx, q, 10) }), rel)
		t.Logf("%s: %d bytes", e.Name, d.Bytes())
	}
	check(StaticName, dense[StaticName], .268, .278)
	check(LSAName, dense[LSAName], .174, .186)
	b, err := BuildBleve(ps)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	other := run(func(q string) ([]edb.Hit, error) { return b.Search(ctx, q, 10) })
	check("bleve", ndcg10(other, rel), .233, .253)
	same, all := 0, 0
	for q, hits := range own {
		in := map[string]bool{}
		for _, h := range other[q] {
			in[h.Passage] = true
		}
		for _, h := range hits {
			all++
			if in[h.Passage] {
				same++
			}
		}
	}
	share := float64(same) / float64(all)
	t.Logf("bleve shares %.4f of our first ten", share)
	if share < .5 || share > .95 {
		t.Errorf("bleve shares %.4f of our first ten", share)
	}
}
