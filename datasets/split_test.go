package datasets

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/strict"
	"enterprisedocbench/internal/testdata"

	"pgregory.net/rapid"
)

// corpus is documents in memory with their texts.
type corpus struct {
	docs     []edb.Document
	sketches []sketch
	texts    []string
}

func (c *corpus) add(id string, words []string) {
	text := strings.Join(words, " ")
	c.docs = append(c.docs, edb.Document{ID: id})
	c.sketches = append(c.sketches, newSketch(text))
	c.texts = append(c.texts, text)
}

func (c *corpus) split(known []SplitLine) *placement {
	m := map[string]SplitLine{}
	for _, l := range known {
		m[l.Doc] = l
	}
	return newPlacement(c.docs, m, newCandidates(c.docs, c.sketches, DefaultNear))
}

// TestNearDuplicatesAreFound plants pairs at a known similarity: at .9 they must be one cluster, at
// .5 not.
func TestNearDuplicatesAreFound(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	var c corpus
	const n = 400
	for i := range n {
		base := randomWords(r, 60+r.IntN(600))
		c.add(fmt.Sprintf("base%d", i), base)
		c.add(fmt.Sprintf("near%d", i), variant(r, base, 0.9))
		c.add(fmt.Sprintf("half%d", i), variant(r, base, 0.5))
	}
	p := c.split(nil)
	found, wrong := 0, 0
	for i := range n {
		if p.sets.root(3*i+1) == p.sets.root(3*i) {
			found++
		}
	}
	for i := range c.docs {
		if root := p.sets.root(i); root != i && !(i%3 == 1 && root == i-1) {
			wrong++
			t.Logf("%s joined %s at %.3f", c.docs[i].ID, c.docs[root].ID, exactJaccard(c.texts[i], c.texts[root]))
		}
	}
	t.Logf("recall %d of %d, wrong %d", found, n, wrong)
	if found < n*999/1000 || wrong > 0 {
		t.Errorf("recall %d of %d at .9, %d of %d at .5 joined wrongly", found, n, wrong, n)
	}
}

// TestEditsEverywhere spreads the edits over the text, as revisions of a document do.
func TestEditsEverywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	var c corpus
	for i := range 200 {
		base := randomWords(r, 500)
		c.add(fmt.Sprintf("a%d", i), base)
		b := slices.Clone(base)
		for range 1 + r.IntN(24) {
			b[r.IntN(len(b))] = "edited"
		}
		c.add(fmt.Sprintf("b%d", i), b)
	}
	p := c.split(nil)
	checked := [2]int{}
	for i := 0; i < len(c.docs); i += 2 {
		j := exactJaccard(c.texts[i], c.texts[i+1])
		joined := p.sets.root(i+1) == p.sets.root(i)
		if joined != (j >= DefaultNear) {
			t.Errorf("similarity %.4f, joined %v", j, joined)
		}
		if joined {
			checked[1]++
		} else {
			checked[0]++
		}
	}
	if checked[0] < 20 || checked[1] < 20 {
		t.Errorf("the pairs lie on one side: %v", checked)
	}
}

// grown is a corpus of n documents with clusters in it, and the documents that come later: 30 %
// more, some new, some near to old ones, some near to each other, some between two old ones.
func grown(n int) (before, after corpus) {
	r := rand.New(rand.NewPCG(5, 1))
	var bases [][]string
	for i := 0; len(before.docs) < n; i++ {
		base := randomWords(r, 100+r.IntN(400))
		bases = append(bases, base)
		before.add(fmt.Sprintf("old%d", i), base)
		if i%5 == 0 {
			before.add(fmt.Sprintf("old%d-copy", i), variant(r, base, 0.9))
		}
		if i%7 == 0 { // at .7 of the base: a cluster of its own, with room for a document between
			before.add(fmt.Sprintf("old%d-far", i), slices.Concat(base[:len(base)*83/100], randomWords(r, len(base)-len(base)*83/100)))
		}
	}
	for i, d := range before.docs {
		after.add(d.ID, strings.Fields(before.texts[i]))
	}
	far := map[string][]string{}
	for i, d := range before.docs {
		far[d.ID] = strings.Fields(before.texts[i])
	}
	var last []string
	for i := 0; len(after.docs) < n*13/10; i++ {
		id := fmt.Sprintf("new%d", i)
		switch base := bases[i%len(bases)]; {
		case i%7 == 0 && far[fmt.Sprintf("old%d-far", i)] != nil: // half of the way from the base to its far variant
			b := far[fmt.Sprintf("old%d-far", i)]
			cut := len(base) * 91 / 100
			after.add(id, slices.Concat(base[:len(base)*83/100], b[len(base)*83/100:cut], base[cut:]))
		case i%3 == 0:
			after.add(id, variant(r, base, 0.92))
		case i%3 == 1 || last == nil:
			last = randomWords(r, 200)
			after.add(id, last)
		default:
			after.add(id, variant(r, last, 0.9))
		}
	}
	// Newcomers come first in the file: the order of lines must not matter.
	slices.Reverse(after.docs)
	slices.Reverse(after.sketches)
	slices.Reverse(after.texts)
	return before, after
}

func TestNobodyMovesWhenTheCorpusGrows(t *testing.T) {
	before, after := grown(600)
	first := before.split(nil).lines(DefaultFractions)
	p := after.split(first)
	second := p.lines(DefaultFractions)
	now := map[string]SplitLine{}
	count := map[string]int{}
	for _, l := range second {
		now[l.Doc] = l
		count[l.Split]++
	}
	for _, l := range first {
		if got := now[l.Doc]; got.Split != l.Split || got.First != l.First {
			t.Errorf("%s moved from %+v to %+v", l.Doc, l, got)
		}
	}
	if count[quarantine] == 0 {
		t.Fatal("no newcomer stood between two splits: the test shows nothing")
	}
	// By definition: every pair of near-duplicates in two splits has one in quarantine.
	near := 0
	for i := range after.docs {
		for j := range i {
			if _, old := now[after.docs[j].ID]; !old || after.texts[i][:30] != after.texts[j][:30] {
				continue // variants share their beginning
			}
			if exactJaccard(after.texts[i], after.texts[j]) < DefaultNear {
				continue
			}
			near++
			a, b := now[after.docs[i].ID], now[after.docs[j].ID]
			if a.Split != b.Split && a.Split != quarantine && b.Split != quarantine {
				t.Errorf("near-duplicates in two splits: %+v, %+v", a, b)
			}
		}
	}
	if near < 100 || len(p.leaks) > 0 {
		t.Errorf("%d pairs of near-duplicates, leaks %v", near, p.leaks)
	}
	for _, l := range second {
		if (l.Split == quarantine) != (len(l.Bridges) > 1) {
			t.Errorf("%+v", l)
		}
	}
	// Growing again, nothing comes: nothing changes.
	if third := after.split(second).lines(DefaultFractions); !slices.EqualFunc(second, third, func(a, b SplitLine) bool {
		return a.Doc == b.Doc && a.First == b.First && a.Split == b.Split && slices.Equal(a.Bridges, b.Bridges)
	}) {
		t.Error("the same corpus is split in another way the second time")
	}
}

// TestSplitLaws draws corpora that grow in two steps and holds what must always be true.
func TestSplitLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		bases := [][]string{randomWords(r, 120), randomWords(r, 80), randomWords(r, 300)}
		var all corpus
		for i := range rapid.IntRange(2, 14).Draw(t, "documents") {
			base := rapid.SampledFrom(bases).Draw(t, "base")
			all.add(fmt.Sprintf("d%d", i), variant(r, base, rapid.SampledFrom([]float64{0, 0.5, 0.75, 0.9, 0.95, 1}).Draw(t, "similarity")))
		}
		n := rapid.IntRange(0, len(all.docs)).Draw(t, "known")
		first := corpus{all.docs[:n], all.sketches[:n], all.texts[:n]}
		known := first.split(nil).lines(DefaultFractions)
		order := rapid.Permutation(known).Draw(t, "order") // of the memory: it must not matter
		lines := all.split(order).lines(DefaultFractions)
		for i, l := range lines {
			switch {
			case l.Doc != all.docs[i].ID:
				t.Fatalf("line %d is of %s", i, l.Doc)
			case i < n && (l.Split != known[i].Split || l.First != known[i].First):
				t.Errorf("%+v became %+v", known[i], l)
			case l.Split != quarantine && l.First != l.Doc && lines[slices.IndexFunc(lines, func(x SplitLine) bool { return x.Doc == l.First })].Split != l.Split:
				t.Errorf("%+v is not with its first member", l)
			case (l.Split == quarantine) != (len(l.Bridges) > 0):
				t.Errorf("%+v", l)
			}
			for j := range max(i, n) {
				// Clearly near: the signature may miss one in a thousand at the threshold itself.
				m := lines[j]
				if l.Split != m.Split && l.Split != quarantine && m.Split != quarantine && exactJaccard(all.texts[i], all.texts[j]) > 0.88 {
					t.Errorf("near-duplicates in two splits: %+v, %+v", l, m)
				}
			}
		}
	})
}

func TestChainOfNewcomersBetweenTwoSplits(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	base, other := randomWords(r, 600), randomWords(r, 600)
	step := func(n int) []string { return slices.Concat(base[:300], other[:n], base[300+n:]) }
	var c corpus
	for i, n := range []int{0, 40, 80, 120} {
		c.add(fmt.Sprintf("d%d", i), step(n))
	}
	for i, j := range []int{1, 2, 3} {
		if s := exactJaccard(c.texts[i], c.texts[j]); s < DefaultNear {
			t.Fatalf("step %d: similarity %v", i, s)
		}
	}
	if s := exactJaccard(c.texts[0], c.texts[2]); s >= DefaultNear {
		t.Fatalf("two steps: similarity %v", s)
	}
	known := []SplitLine{{Doc: "d0", First: "d0", Split: "train"}, {Doc: "d3", First: "d3", Split: "test"}}
	for _, l := range c.split(known).lines(DefaultFractions)[1:3] {
		if l.Split != quarantine || !slices.Equal(l.Bridges, []string{"d0", "d3"}) {
			t.Errorf("%+v", l)
		}
	}
	// Without the far end they follow the near one; all new, the first in the file leads.
	if l := c.split(known[:1]).lines(DefaultFractions)[3]; l.Split != "train" || l.First != "d0" {
		t.Errorf("%+v", l)
	}
	for _, l := range c.split(nil).lines(DefaultFractions) {
		if l.First != "d0" || l.Split != drawSplit("d0", DefaultFractions) {
			t.Errorf("%+v", l)
		}
	}
	// Known near-duplicates in two splits stay and are listed.
	known[1].Doc, known[1].First = "d1", "d1"
	if p := c.split(known); len(p.leaks) != 1 || p.leaks[0] != [2]string{"d0", "d1"} {
		t.Errorf("leaks %v", p.leaks)
	}
}

func TestDrawnFractions(t *testing.T) {
	for _, f := range []map[string]float64{DefaultFractions, {"train": 0.5, "test": 0.5}, {"test": 1}, {"train": 0.7, "val": 0.3}} {
		got := map[string]int{}
		const n = 20000
		for i := range n {
			got[drawSplit(fmt.Sprintf("doc-%d", i), f)]++
		}
		for _, s := range splits {
			want := f[s]
			if se := math.Sqrt(want * (1 - want) / n); math.Abs(float64(got[s])/n-want) > 5*se {
				t.Errorf("%v: %s has %d of %d", f, s, got[s], n)
			}
		}
	}
	// The first eight bytes of the SHA-256 over 2^64, by Python's hashlib: doc-7 .0404, doc-10 .1204, lease .7081.
	for id, want := range map[string]string{"doc-7": "train", "doc-10": "val", "lease": "test"} {
		if got := drawSplit(id, DefaultFractions); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
}

// textFiles writes a dataset of text documents and opens it.
func textFiles(t *testing.T, dir string, c corpus) *Dataset {
	t.Helper()
	w, err := Create(dir, Info{Name: "texts"})
	must(t, err)
	for i, d := range c.docs {
		d.MIME, d.Licence, d.Domain = "text/plain", edb.Licence{SPDX: "CC0-1.0", Evidence: "made"}, []string{"law", "science"}[i%2]
		must(t, w.AddDocument(d, []byte(c.texts[i]), nil))
	}
	must(t, w.Close())
	ds, err := Open(dir)
	must(t, err)
	return ds
}

func readText(_ context.Context, _ edb.Document, path string) (string, error) {
	raw, err := os.ReadFile(path)
	return string(raw), err
}

func TestSplitOfADirectoryGrows(t *testing.T) {
	before, after := grown(60)
	dir := filepath.Join(t.TempDir(), "v1")
	ds := textFiles(t, dir, before)
	opt := SplitOptions{TextOptions: TextOptions{Text: readText, Workers: 2}}
	s, err := ds.Split(t.Context(), opt)
	must(t, err)
	must(t, ds.WriteSplits(s, ""))
	if s.Documents != len(before.docs) || s.Kept != 0 || len(s.Clusters) == 0 || len(s.Unread) > 0 || s.Domains[len(s.Domains)-1].Documents != len(before.docs) {
		t.Errorf("%+v", s)
	}
	if !strings.HasSuffix(read1(t, dir, InfoFile), "\nsplits: {train: 0.1, val: 0.1, test: 0.8}\n") {
		t.Errorf("dataset.yaml:\n%s", read1(t, dir, InfoFile))
	}
	faults, err := Check(dir)
	if must(t, err); len(faults) > 0 {
		t.Errorf("%v", faults)
	}
	// The same again changes no byte.
	was := [3]string{read1(t, dir, InfoFile), read1(t, dir, DocumentsFile), read1(t, dir, SplitsFile)}
	ds, err = Open(dir)
	must(t, err)
	opt.Known, err = ReadSplits(dir)
	must(t, err)
	s, err = ds.Split(t.Context(), opt)
	must(t, err)
	must(t, ds.WriteSplits(s, ""))
	if now := [3]string{read1(t, dir, InfoFile), read1(t, dir, DocumentsFile), read1(t, dir, SplitsFile)}; now != was {
		t.Error("splitting again changes the dataset")
	}

	// A larger version elsewhere takes over what the smaller one knows; the result goes to a copy.
	big := textFiles(t, filepath.Join(t.TempDir(), "v2"), after)
	s, err = big.Split(t.Context(), opt)
	must(t, err)
	out := filepath.Join(t.TempDir(), "v2-split")
	must(t, big.WriteSplits(s, out))
	if _, err := os.Stat(filepath.Join(big.Dir, SplitsFile)); err == nil {
		t.Error("the original was written too")
	}
	faults, err = Check(out)
	if must(t, err); len(faults) > 0 {
		t.Errorf("%v", faults)
	}
	if left, _ := filepath.Glob(filepath.Join(out, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	got, err := Open(out)
	must(t, err)
	for _, d := range ds.Documents {
		if x, _ := got.Document(d.ID); x.Split == "" || x.Split != opt.Known[slices.IndexFunc(opt.Known, func(l SplitLine) bool { return l.Doc == d.ID })].Split {
			t.Errorf("%s is in %q", d.ID, x.Split)
		}
	}
	if s.Kept != len(before.docs) {
		t.Errorf("%d kept of %d", s.Kept, len(before.docs))
	}
	// Documents that are gone are remembered, in case they come back.
	small := textFiles(t, filepath.Join(t.TempDir(), "v3"), corpus{before.docs[:10], before.sketches[:10], before.texts[:10]})
	s, err = small.Split(t.Context(), opt)
	must(t, err)
	must(t, small.WriteSplits(s, ""))
	again, err := ReadSplits(small.Dir)
	if must(t, err); len(again) != len(before.docs) || len(s.Lines) != 10 {
		t.Errorf("%d lines, %d remembered", len(s.Lines), len(again))
	}
}

func TestSplitCountsQuestions(t *testing.T) {
	var c corpus
	r := rand.New(rand.NewPCG(7, 1))
	for i := range 4 {
		c.add(fmt.Sprintf("d%d", i), randomWords(r, 50))
	}
	ds := textFiles(t, filepath.Join(t.TempDir(), "x"), c)
	ev := func(docs ...string) (out []edb.Evidence) {
		for _, d := range docs {
			out = append(out, edb.Evidence{Doc: d, Page: 1})
		}
		return out
	}
	ds.Questions = []edb.Question{{ID: "in", Evidence: ev("d0", "d1")}, {ID: "across", Evidence: ev("d1", "d2")}, {ID: "none"}, {ID: "judged"}, {ID: "lost", Evidence: ev("d3")}}
	ds.Qrels = map[string]map[string]int{"judged": {"d2#1": 1, "d0#1": 0}}
	var known []SplitLine
	for i, s := range []string{"train", "train", "test", quarantine} {
		known = append(known, SplitLine{Doc: c.docs[i].ID, First: c.docs[i].ID, Split: s})
	}
	s, err := ds.Split(t.Context(), SplitOptions{Known: known})
	must(t, err)
	if q := s.Questions; q.Splits["train"] != 1 || q.Splits["test"] != 1 || q.Splits[quarantine] != 1 || q.Free != 1 || !slices.Equal(q.Spanning, []string{"across"}) {
		t.Errorf("%+v", q)
	}
	if len(s.Unread) != 4 || !strings.Contains(s.Unread[0].Reason, "nothing reads the file") {
		t.Errorf("%+v", s.Unread)
	}
}

func TestSplitRefuses(t *testing.T) {
	ds := &Dataset{Dir: "d", Info: Info{Name: "x", Splits: map[string]float64{"test": 1}}, Documents: []edb.Document{{ID: "a"}}}
	if _, err := (&Dataset{Dir: "none"}).Split(t.Context(), SplitOptions{}); err == nil || err.Error() != "dataset none: has no documents: there is nothing to divide" {
		t.Errorf("got %v", err)
	}
	for _, c := range []struct {
		opt  SplitOptions
		want string
	}{
		{SplitOptions{Near: 1.5}, "similarity of near-duplicates is 1.5: use a number over 0 and up to 1"},
		{SplitOptions{Near: math.NaN()}, "similarity of near-duplicates is NaN: use a number over 0 and up to 1"},
		{SplitOptions{Fractions: map[string]float64{"test": 0.5}}, "split fractions sum to 0.5: make them sum to 1"},
		{SplitOptions{Fractions: map[string]float64{"dev": 1}}, `split "dev" has the fraction 1: use train, val and test with fractions from 0 to 1`},
		{SplitOptions{Fractions: map[string]float64{"test": 0.5, "quarantine": 0.5}}, `split "quarantine" has a fraction: it holds what fits into no other: leave it out`},
		{SplitOptions{Fractions: map[string]float64{"test": 0.5, "val": 0.5}}, `d/dataset.yaml gives other fractions of splits (test=1): change them there`},
	} {
		if _, err := ds.Split(t.Context(), c.opt); err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}

func TestCheckComparesSplits(t *testing.T) {
	var c corpus
	c.add("a", []string{"one"})
	ds := textFiles(t, filepath.Join(t.TempDir(), "x"), c)
	put(t, ds.Dir, SplitsFile, `{"doc":"a","first":"a","split":"test"}`+"\n"+`{"doc":"later","first":"later","split":"test"}`+"\n")
	faults, err := Check(ds.Dir)
	must(t, err)
	if want := `documents.jsonl:1: document "a": split is "", splits.jsonl says "test": run edb dataset split, or delete splits.jsonl`; len(faults) != 1 || faults[0].String() != want {
		t.Errorf("got %v\nwant %s", faults, want)
	}
}

// TestSeededNearDuplicatesOfRealTexts plants copies of real papers: set otherwise, with one paragraph less,
// and with every tenth word changed. By definition only the last are other texts.
func TestSeededNearDuplicatesOfRealTexts(t *testing.T) {
	from := testdata.Data(t, "joss")
	paths, err := filepath.Glob(filepath.Join(from, "*.md"))
	must(t, err)
	paths = slices.DeleteFunc(paths, func(p string) bool { return filepath.Base(p) == "README.md" })
	var c corpus
	want := map[string]string{} // document -> its paper
	for _, p := range paths {
		raw, err := os.ReadFile(p)
		must(t, err)
		id, text := strings.TrimSuffix(filepath.Base(p), ".md"), string(raw)
		paragraphs := strings.Split(text, "\n\n")
		cut := len(paragraphs) / 2
		words := strings.Fields(text)
		for i := range words {
			if i%10 == 0 {
				words[i] = "changed"
			}
		}
		for _, v := range []struct{ name, text string }{
			{"", text},
			{"-set", strings.ToUpper(strings.Join(strings.Fields(text), "\n"))},
			{"-cut", strings.Join(slices.Delete(slices.Clone(paragraphs), cut, cut+1), "\n\n")},
			{"-other", strings.Join(words, " ")},
		} {
			c.add(id+v.name, strings.Fields(v.text))
			want[id+v.name] = id
			if exactJaccard(text, v.text) < DefaultNear {
				want[id+v.name] = id + v.name
			}
		}
	}
	ds := textFiles(t, filepath.Join(t.TempDir(), "papers"), c)
	s, err := ds.Split(t.Context(), SplitOptions{TextOptions: TextOptions{Text: readText, Workers: 2}})
	must(t, err)
	near := 0
	for _, l := range s.Lines {
		if l.First != want[l.Doc] {
			t.Errorf("%s: cluster of %s, want %s", l.Doc, l.First, want[l.Doc])
		}
		if l.First != l.Doc {
			near++
		}
	}
	if near < 15 || len(s.Clusters) < len(paths)/2 || len(s.Lines) != 4*len(paths) {
		t.Errorf("%d near-duplicates in %d clusters of %d documents", near, len(s.Clusters), len(s.Lines))
	}
	t.Logf("%d near-duplicates in %d clusters of %d documents", near, len(s.Clusters), len(s.Lines))
}

// TestSplitsAreDescribed reads the example of docs/formats.md and looks for every key there.
func TestSplitsAreDescribed(t *testing.T) {
	page := read1(t, "..", "docs", "formats.md")
	_, section, ok := strings.Cut(page, "## splits.jsonl")
	section, _, _ = strings.Cut(section, "\n## ")
	_, example, ok2 := strings.Cut(section, "```json\n")
	example, _, ok3 := strings.Cut(example, "```")
	if !ok || !ok2 || !ok3 {
		t.Fatal("docs/formats.md has no section with an example of splits.jsonl")
	}
	dir := t.TempDir()
	put(t, dir, SplitsFile, example)
	lines, faults := readSplits(dir)
	if len(lines) != 2 || len(faults) > 0 {
		t.Errorf("%d lines, %v", len(lines), faults)
	}
	for key := range strict.Fields(reflect.TypeFor[SplitLine]()) {
		if !strings.Contains(section, "`"+key+"`") {
			t.Errorf("key %q is not described", key)
		}
	}
}

func TestSplitsFileFaults(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, SplitsFile, `{"doc":"a","first":"a","split":"test"}
{"doc":"a","first":"a","split":"test"}
{"doc":"b","first":"b","split":"dev"}
{"doc":"c","split":"test"}
{"doc":"d","first":"d","split":"test","to":1}
{"doc":
`)
	_, faults := readSplits(dir)
	want := []string{
		`splits.jsonl:5: unknown key "to": use bridges, doc, first or split`,
		`splits.jsonl:6: is no JSON: it ends too early: correct the syntax`,
		`splits.jsonl:2: document "a": stands in line 1 already: keep one line`,
		`splits.jsonl:3: document "b": split is "dev": use train, val, test or quarantine`,
		`splits.jsonl:4: document "c": doc, first or split is missing: delete the file and split again`,
	}
	var got []string
	for _, f := range faults {
		got = append(got, f.String())
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
