package pipeline

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/generate"
	"enterprisedocbench/index"
	"enterprisedocbench/internal/align"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/internal/testdata"
	"enterprisedocbench/metrics"
	"enterprisedocbench/parse"
	"enterprisedocbench/retrieve"
)

var update = flag.Bool("update", false, "write the golden files anew")

// output is what one implementation makes of a fixed input: hashes of both, and the version that the
// cache knows the output by.
type output struct {
	Version int    `json:"version"`
	Input   string `json:"input"`
	Output  string `json:"output"`
}

// outputs runs everything whose results the cache keeps on small fixed inputs.
func outputs(t *testing.T) map[string]output {
	t.Helper()
	out := map[string]output{}
	inputs, results := map[string][]any{}, map[string][]any{}
	put := func(name string, version int, in, result any) {
		inputs[name], results[name] = append(inputs[name], in), append(results[name], result)
		out[name] = output{version, store.KeyOf(inputs[name]...).String(), store.KeyOf(results[name]...).String()}
	}

	dir := t.TempDir()
	write := func(name string, b []byte) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	read := func(engine, name, mime string, content []byte) edb.Parsed {
		t.Helper()
		e, err := parse.Lookup(engine)
		if err != nil {
			t.Fatal(err)
		}
		p, err := e.New()
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Parse(t.Context(), parse.Source{Doc: edb.Document{ID: name, MIME: mime}, Path: write(name, content)})
		said := ""
		if err != nil {
			said = strings.ReplaceAll(err.Error(), dir, "")
		}
		put("parse:"+engine, e.Version, content, []any{got, said})
		return got
	}
	var pdfs []testdata.Case
	t.Run("pdf cases", func(t *testing.T) { pdfs = testdata.Cases(t, "pdf") })
	for _, c := range pdfs {
		var in struct {
			PDF []byte `json:"pdf_base64"`
		}
		if err := json.Unmarshal(c.Input, &in); err != nil {
			t.Fatal(err)
		}
		for _, engine := range []string{"pdfium", "ledongthuc"} {
			if engine == "ledongthuc" && c.ID == "pdf-xref-loop" {
				continue // it never returns: only a worker's limit ends it
			}
			read(engine, c.ID+".pdf", "application/pdf", in.PDF)
		}
	}
	sample := map[string]edb.Parsed{}
	for _, f := range [][3]string{{"html", "report.html", "text/html"}, {"html", "page.html", "text/html"}, {"markdown", "paper.md", "text/markdown"}, {"text", "two-pages.txt", "text/plain"}} {
		b, err := os.ReadFile(filepath.Join("..", "parse", "testdata", f[1]))
		if err != nil {
			t.Fatal(err)
		}
		sample[f[1]] = read(f[0], f[1], f[2], b)
	}
	for _, kind := range parse.NoiseKinds {
		in := sample["paper.md"]
		p, edits := parse.Corrupt(in, kind, 0.2, 7)
		put("noise:"+kind, parse.NoiseVersion, in, []any{p, edits})
	}

	var passages []edb.Passage
	for _, name := range slices.Sorted(maps.Keys(sample)) {
		for _, tokenizer := range []string{"o200k", "cl100k", "words", "characters"} {
			ps, err := index.Chunker{Tokens: 40, Overlap: 8, Tokenizer: tokenizer}.Cut(sample[name])
			if err != nil {
				t.Fatal(err)
			}
			put("chunk", index.ChunkVersion, sample[name], ps)
			if tokenizer == "o200k" {
				passages = append(passages, ps...)
			}
		}
	}
	var questions []edb.Question
	for i := 0; i < len(passages); i += max(1, len(passages)/8) {
		words := strings.Fields(passages[i].Text)
		questions = append(questions, edb.Question{ID: fmt.Sprint("q", i), Text: "What is " + strings.Join(words[len(words)/3:min(len(words), len(words)/3+5)], " ") + "?"})
	}
	byID := map[string]edb.Passage{}
	for _, p := range passages {
		byID[p.ID] = p
	}
	reader, err := generate.New(generate.Config{Provider: "extractive"})
	if err != nil {
		t.Fatal(err)
	}
	for _, cfg := range []retrieve.Config{
		{Method: "bm25", K1: 1.5, B: 0.75}, {Method: "bleve"}, {Method: "dense", Encoder: index.StaticName}, {Method: "dense", Encoder: index.LSAName},
		{Method: "hybrid", K1: 1.5, B: 0.75, Encoder: index.StaticName, Weights: []float64{0.5, 0.5}, Norm: "minmax"},
		{Method: "hybrid", K1: 1.5, B: 0.75, Encoder: index.StaticName, Weights: []float64{0.5, 0.5}, Norm: "rrf"},
		{Method: "all"},
	} {
		r, _, err := retrieve.Open(t.Context(), cfg, passages)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range questions {
			hits, err := r.Retrieve(t.Context(), q, 10)
			if err != nil {
				t.Fatal(err)
			}
			name := "retrieve:" + cfg.Method
			if cfg.Method == "dense" {
				name += ":" + cfg.Encoder
			}
			put(name, retrieve.Version(cfg), []any{cfg, q.Text, passages}, hits)
			if cfg.Method == "bm25" {
				rk := &ranked{byID: byID}
				given := contexts(rk, hits, 5)
				ans, err := reader.Generate(t.Context(), q, given)
				if err != nil {
					t.Fatal(err)
				}
				put("generate:extractive", generate.Version(generate.Config{Provider: "extractive"}), []any{q.Text, given}, ans)
			}
		}
	}
	gold := sample["paper.md"]
	pred, _ := parse.Corrupt(gold, "ocr", 0.1, 3)
	put("score:parse", scoreVersion, []any{pred, gold}, metrics.ParseMeasures(pred, gold))
	b, err := align.New(gold, pred).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	put("align", alignVersion, []any{pred, gold}, b)
	return out
}

// The cache keeps a result under its maker's version: output that changes while the version stays
// would be mixed with the old. This test fails then; raise the version and run it with -update.
func TestOutputChangesRaiseVersions(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the golden file was made on amd64; floating-point sums may differ in the last bit elsewhere")
	}
	const golden = "testdata/outputs.golden.json"
	got := outputs(t)
	want := map[string]output{}
	b, err := os.ReadFile(golden)
	if err == nil {
		err = json.Unmarshal(b, &want)
	}
	if err != nil && !*update {
		t.Fatalf("%v: run with -update", err)
	}
	for name, g := range got {
		w, ok := want[name]
		switch {
		case !ok:
			if !*update {
				t.Errorf("%s is not in %s: run with -update", name, golden)
			}
		case g.Version < w.Version:
			t.Errorf("%s went from version %d back to %d: versions only rise", name, w.Version, g.Version)
		case g.Version == w.Version && g.Input == w.Input && g.Output != w.Output:
			t.Errorf("%s gives another output under version %d: raise its version, so that caches do not mix the two", name, g.Version)
		case g != w && !*update:
			t.Errorf("%s: the golden file has version %d and another input or version: run with -update", name, w.Version)
		}
	}
	_, pdf := got["parse:pdfium"]
	for name := range want {
		_, ok := got[name]
		if !pdf && (name == "parse:pdfium" || name == "parse:ledongthuc") {
			got[name] = want[name] // their inputs are not here
			continue
		}
		if !ok && !*update {
			t.Errorf("%s is in %s and is no more: run with -update", name, golden)
		}
	}
	if *update && !t.Failed() {
		b, err := json.MarshalIndent(got, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, append(b, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
