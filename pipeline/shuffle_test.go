package pipeline

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/store"
)

// pageWords is how many words every page of the shuffled corpus has. Passages are as long, so that
// they are the pages, in any order of the blocks.
const pageWords = 60

// blocksPage is a page of three headings with a paragraph each, paragraphs of unequal length, all words
// drawn from few, so that places are hard to tell apart.
func blocksPage(r *rand.Rand, doc, number int) edb.Page {
	words := strings.Fields("river stone ledger harbour copper willow engine meadow lantern orchard signal timber velvet canyon marble 1,204 37.5 2024")
	draw := func(n int) string {
		out := make([]string, n)
		for i := range out {
			out[i] = words[r.IntN(len(words))]
		}
		return strings.Join(out, " ")
	}
	pg := edb.Page{Number: number}
	add := func(kind, text string) {
		pg.Elements = append(pg.Elements, edb.Element{ID: fmt.Sprintf("p%de%d", number, len(pg.Elements)), Kind: kind, Text: text})
	}
	for i, n := range []int{9, 14, pageWords - 9 - 14 - 3*4} {
		add(edb.KindHeading, fmt.Sprintf("Chapter %d%d%d %s", doc, number, i, draw(2)))
		add(edb.KindParagraph, draw(n))
	}
	return pg
}

// The order in which a parser gives the blocks of a page is measured by parse.lf and by nothing that
// comes after: a perfect parse and the same with the blocks of each page shuffled retrieve the same
// pages, evidence and words, to 1e-6.
func TestReadingOrderDoesNotTouchRetrieval(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	w, err := datasets.Create(data, datasets.Info{Name: "shuffled", Licence: "CC0-1.0", Made: "by a test"})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	for d := range 8 {
		id := fmt.Sprint("doc-", d)
		gold := edb.Parsed{Doc: id, Paged: true}
		for n := range 5 {
			gold.Pages = append(gold.Pages, blocksPage(r, d, n+1))
		}
		shuffled := edb.Parsed{Paged: true}
		for _, pg := range gold.Pages {
			es := append([]edb.Element(nil), pg.Elements...)
			r.Shuffle(len(es), func(i, j int) { es[i], es[j] = es[j], es[i] })
			shuffled.Pages = append(shuffled.Pages, edb.Page{Number: pg.Number, Elements: es})
		}
		for name, p := range map[string]edb.Parsed{"perfect": gold, "shuffled": shuffled} {
			if err := store.WriteFile(filepath.Join(dir, name, id+".json"), store.JSON(p)); err != nil {
				t.Fatal(err)
			}
		}
		doc := edb.Document{ID: id, Path: "files/" + id + ".txt", MIME: "text/plain", Pages: 5, Domain: "test", Split: "test", Gold: "generated",
			Licence: edb.Licence{SPDX: "CC0-1.0", Redistribute: true, Derivatives: true, Commercial: true, Evidence: "made here"}}
		if err := w.AddDocument(doc, []byte(gold.Text()), &gold); err != nil {
			t.Fatal(err)
		}
		for n, pg := range gold.Pages {
			e := pg.Elements[1+2*(n%3)]
			at := utf8.RuneCountInString(pg.Text()[:strings.Index(pg.Text(), e.Text)])
			q := edb.Question{ID: fmt.Sprintf("q-%d-%d", d, n), Text: strings.Join(strings.Fields(e.Text)[:5], " "), Modality: edb.ModalitySingleHop, Task: "lookup", Domain: "test",
				Answer:   &edb.GoldAnswer{Type: "text", Value: e.Text},
				Evidence: []edb.Evidence{{Doc: id, Page: pg.Number, Start: at, End: at + utf8.RuneCountInString(e.Text), Quote: e.Text}}}
			if err := w.AddQuestion(q); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "run.yaml")
	text := fmt.Sprintf(`dataset: ./data
seed: 3
metrics: {replicates: 200}
defaults: {chunk: {tokens: %d, overlap: 0, tokenizer: words}}
pipelines:
  - {name: perfect, parse: {engine: {files: perfect}}}
  - {name: shuffled, parse: {engine: {files: shuffled}}}
`, pageWords)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "run")
	sum := run(t, path, out, filepath.Join(dir, "cache"), 2)
	rows, err := store.ReadJSONL[edb.Measurement](filepath.Join(out, "measurements.jsonl"), false)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]map[string]float64{"perfect": {}, "shuffled": {}}
	for _, row := range rows {
		if row.Value != nil {
			values[row.Arm][row.Unit+" "+row.Key] = *row.Value
		}
	}
	compared, below := 0, 0
	for k, v := range values["perfect"] {
		if !strings.Contains(k, " retrieve.") {
			continue
		}
		compared++
		if v < 1 {
			below++
		}
		if got, ok := values["shuffled"][k]; !ok || math.Abs(got-v) > 1e-6 {
			t.Errorf("%s: %v with blocks shuffled, %v without", k, got, v)
		}
	}
	if compared == 0 || below == 0 {
		t.Errorf("%d values compared, %d below 1: the test would see no difference", compared, below)
	}
	for _, key := range []string{"retrieve.ndcg@5", "retrieve.located@5", "retrieve.legible@5"} {
		a, b := sum.Pipelines["perfect"][key], sum.Pipelines["shuffled"][key]
		if a.Value == nil || b.Value == nil || math.Abs(*a.Value-*b.Value) > 1e-6 || a.N != 40 {
			t.Errorf("%s: %+v and %+v", key, a, b)
		}
		t.Logf("%s %.6f over %d questions", key, *a.Value, a.N)
	}
	a, b := sum.Pipelines["perfect"]["parse.lf"].Value, sum.Pipelines["shuffled"]["parse.lf"].Value
	if a == nil || b == nil || *a != 1 || *b > 0.7 {
		t.Errorf("parse.lf is %v without and %v with blocks shuffled", a, b)
	}
	if a, b := sum.Pipelines["perfect"]["parse.tis"].Value, sum.Pipelines["shuffled"]["parse.tis"].Value; a == nil || b == nil || *a != 1 || *b >= 1 {
		t.Errorf("parse.tis is %v without and %v with blocks shuffled", a, b)
	}
}
