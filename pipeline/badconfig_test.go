package pipeline

import (
	"strings"
	"testing"
)

func TestBadConfigurationsNameLineAndRemedy(t *testing.T) {
	const head = "dataset: d\npipelines:\n"
	for _, c := range []struct{ name, text, want string }{
		{"unknown key", head + "  - {name: a, chunks: {tokens: 3}}\n", "c.yaml:3:15: unknown key \"chunks\""},
		{"duplicate key", "dataset: d\ndataset: e\npipelines:\n  - {name: a}\n", "c.yaml:2:1: "},
		{"wrong type", head + "  - {name: a, chunk: {tokens: many}}\n", "c.yaml:3:31: a string cannot stand here: want a whole number"},
		{"alias", "x: &a {name: a}\ndataset: d\npipelines: [*a]\n", "anchors and aliases are not read"},
		{"overlap", head + "  - {name: a, chunk: {tokens: 8, overlap: 8}}\n", "c.yaml:3:43: overlap 8 must be 0 or more and smaller than tokens (8)"},
		{"weights", head + "  - {name: a, retrieve: {method: hybrid, weights: [0.7, 0.7]}}\n", "weights sum to 1.4, not 1"},
		{"same name", head + "  - {name: a}\n  - {name: a}\n", "c.yaml:4:12: two pipelines are called \"a\""},
		{"engine", head + "  - {name: a, parse: {engine: magic}}\n", "engine \"magic\" is not one of pdfium, ledongthuc, poppler, mupdf, tesseract, rapidocr, auto, docling, html, jats, tei, docx, xlsx, markdown, text, xml, json"},
		{"method", head + "  - {name: a, retrieve: {method: magic}}\n", "method \"magic\" is not one of bm25"},
		{"k", head + "  - {name: a, retrieve: {k: 0}}\n", "k is 0: use 1 to depth (100)"},
		{"baseline", head + "  - {name: a}\nbaseline: b\n", "baseline \"b\" is not the name of a pipeline"},
		{"noise", head + "  - {name: a}\nnoise: [{stage: parse, kind: rain, rates: [0.1]}]\n", "noise kind \"rain\" is not one of"},
		{"matrix", head + "  - {name: a}\nmatrix: {parse.motor: [pdfium]}\n", "matrix key \"parse.motor\""},
		{"no pipeline", "dataset: d\n", "pipelines is missing"},
		{"no text", "\x00\x01{{{", "c.yaml:1:1: this is no text in UTF-8"},
		{"no yaml", "{{{", "c.yaml:1:"},
		{"empty", "\n", "c.yaml:1:1: the file is empty"},
		{"encoder", head + "  - {name: a, retrieve: {method: dense, encoder: nope}}\n", "c.yaml:3:50: retrieve.encoder \"nope\" is not known: use one of static"},
		{"encoder of a matrix", head + "  - {name: a, retrieve: {method: hybrid}}\nmatrix: {retrieve.encoder: [static, nope]}\n", "retrieve.encoder \"nope\""},
		{"prices", head + "  - {name: a}\nprices: none.yaml\n", "c.yaml:4:9: stat none.yaml: no such file or directory: name a price book"},
		{"endless prices", head + "  - {name: a}\nprices: /dev/zero\n", "c.yaml:4:9: /dev/zero is no file of less than 1 MiB"},
		{"unknown measure", head + "  - {name: a}\nmetrics: {parse: [parse.nidd]}\n", "c.yaml:4:19: measure parse.nidd: no such measure"},
		{"measure of something else", head + "  - {name: a}\nmetrics: {parse: [retrieve.rr]}\n", "measure retrieve.rr: cannot be had from a parse"},
		{"measure that is there", head + "  - {name: a}\nmetrics: {parse: [parse.nid, parse.tis]}\n", "c.yaml:4:30: parse.tis is measured already: leave it out"},
		{"absent predictions", head + "  - {name: a, parse: {engine: {files: ./none}}}\n", "c.yaml:3:31: files: the folder none is not there: write the parsed documents into it first"},
		{"predictions in a file", head + "  - {name: a, parse: {engine: {files: badconfig_test.go}}}\n", "c.yaml:3:31: files: badconfig_test.go is a file: name the folder"},
		{"absent parser", head + "  - {name: a, parse: {engine: {command: [no-such-parser, x]}}}\n", "c.yaml:3:31: command \"no-such-parser\" is not here"},
		{"absent retriever", head + "  - {name: a, retrieve: {engine: {command: [./no-such-retriever]}}}\n", "command \"./no-such-retriever\" is not here"},
		{"absent generator of a matrix", head + "  - {name: a}\nmatrix: {generate.engine: [{command: [no-such-generator]}]}\n", "command \"no-such-generator\" is not here"},
		{"large matrix", head + "  - {name: a}\nmatrix: {retrieve.depth: [" + strings.Repeat("100, ", 1001) + "100]}\n", "c.yaml:4:9: the matrix makes 1002 pipelines or more, over 1000"},
	} {
		_, err := ParseConfig([]byte(c.text), "c.yaml")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		} else if !IsConfig(err) {
			t.Errorf("%s: %T is no configuration error", c.name, err)
		}
	}
}

func TestDefaultsAreThePapersAndMerge(t *testing.T) {
	c, err := ParseConfig([]byte("dataset: d\ndefaults: {retrieve: {k: 7}}\npipelines:\n  - {name: a}\n  - {name: b, retrieve: {k1: 2}}\nmatrix: {chunk.tokens: [128, 256]}\n"), "c.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Pipelines) != 4 || c.Pipelines[3].Name != "b/chunk.tokens=256" {
		t.Fatalf("%d arms, the last %q", len(c.Pipelines), c.Pipelines[len(c.Pipelines)-1].Name)
	}
	a, b := c.Pipelines[0], c.Pipelines[3]
	if a.Retrieve.K1 != 1.5 || a.Retrieve.B != 0.75 || a.Chunk.Overlap != 64 || a.Retrieve.K != 7 || a.Chunk.Tokens != 128 {
		t.Errorf("%+v", a)
	}
	if b.Retrieve.K1 != 2 || b.Retrieve.K != 7 || b.Retrieve.Weights[0] != 0.5 {
		t.Errorf("%+v", b)
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add("dataset: d\npipelines:\n  - {name: a, parse: {engine: {command: [x]}}}\nmatrix: {retrieve.k1: [1, 2]}\n")
	f.Fuzz(func(t *testing.T, s string) {
		c, err := ParseConfig([]byte(s), "c.yaml")
		if err == nil && len(c.Pipelines) == 0 {
			t.Fatal("a configuration without pipelines was taken")
		}
	})
}
