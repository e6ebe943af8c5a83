// Command results makes the pages of docs/results: the three text pipelines on five public
// collections (retrieval.md), and the engines that read PDFs on three collections with true text or
// tables (parsing.md), every figure with its interval and every difference with interval, test and
// corrected p. It takes the folder with the collections, calls edb for every step (import, run,
// compare), and gives the pages; run again it goes on where it was.
//
//	go run ./scripts/results -data FOLDER [-work FOLDER] [-out docs/results] [-only retrieval|parsing]
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"enterprisedocbench"
)

// collection is one set, the measures that its gold allows, and what a reader must know.
type collection struct {
	name, title string
	keys        []string
	note        string
}

var collections = []collection{
	{"vaswani", "Vaswani", []string{"retrieve.ndcg@5", "retrieve.r@5", "retrieve.rr"},
		"11,429 abstracts, one page each, with binary judgements (the NPL collection)."},
	{"financebench", "FinanceBench", []string{"retrieve.ndcg@5", "retrieve.ndcg@5(grain=document)", "retrieve.located@5"},
		"26 filings as PDF, parsed by pdfium; the evidence is one page of some hundred. Questions name the company, so finding the filing is far easier than finding the page."},
	{"cuad", "CUAD spans", []string{"retrieve.ndcg@5(grain=document)", "retrieve.located@5"},
		"48 contracts as PDF, parsed by pdfium; the evidence is the clause that lawyers marked. The published texts have no pages, so the grains are the contract and the span. Questions without an answer are not ranked."},
	{"pubmedqa", "PubMedQA", []string{"retrieve.ndcg@5", "retrieve.rr"},
		"500 abstracts; each question was an article's title and is asked of the abstracts without their conclusions, which is nearly a known-item search: the figures are close to their ceiling and tell pipelines apart only by their failures."},
	{"stackexchange", "Stack Exchange", []string{"retrieve.ndcg@5", "retrieve.r@5", "retrieve.rr"},
		"1,060 answers on quantum computing, asked for by the titles of their questions: the accepted answer has grade 2, others with a score above 0 grade 1."},
}

var parsing = []collection{
	{"joss", "JOSS", []string{"parse.tis", "parse.lf", "parse.heading_f1", "parse.caption_f1"},
		"Papers with the Markdown they were made from. Masked on both sides: formulas, citations, the list of references and the line numbers of drafts. The rules of the geometric layer were made with these papers in view."},
	{"icdar2013", "ICDAR 2013", []string{"parse.tea", "parse.teds", "parse.teds(mode=structure)"},
		"Tables of the competition with the cells that people marked. The rules for tables were tuned on these same files: read the figures of pdfium as optimistic."},
	{"tabula", "Tabula", []string{"parse.tea", "parse.teds"},
		"Tables of the test files of Tabula, which were not used when the rules were made. Tables without gold may stand on the same pages, so TEA is a lower bound."},
}

const parsingConfig = `name: %[1]s-engines
dataset: datasets/%[1]s
seed: 7
defaults:
  generate: {provider: none}
pipelines:
  - {name: parse}
matrix: {parse.engine: [pdfium, ledongthuc, poppler, mupdf]}
`

const config = `name: %[1]s
dataset: datasets/%[1]s
seed: 7
defaults:
  generate: {provider: none}
pipelines:
  - {name: bm25, retrieve: {method: bm25, k1: 1.5, b: 0.75}}
  - {name: dense-static, retrieve: {method: dense, encoder: static}}
  - {name: hybrid, retrieve: {method: hybrid, weights: [0.5, 0.5], norm: minmax}}
`

// compared is what this page needs of edb compare --json.
type compared struct {
	Level       float64 `json:"level"`
	Delta       float64 `json:"delta"`
	Adjust      string  `json:"adjust"`
	Tests       int     `json:"tests"`
	Differences []struct {
		Candidate  string   `json:"candidate"`
		Key        string   `json:"key"`
		Difference *float64 `json:"difference"`
		Lo         *float64 `json:"lo"`
		Hi         *float64 `json:"hi"`
		P          *float64 `json:"p"`
		PAdjusted  *float64 `json:"p_adjusted"`
		Effect     *float64 `json:"effect"`
		N          int      `json:"n"`
		Words      string   `json:"words"`
	} `json:"differences"`
}

func main() {
	data := flag.String("data", "", "the folder that holds the collections, one folder each")
	work := flag.String("work", filepath.Join(os.TempDir(), "edb-results"), "where datasets, runs and the cache are kept")
	out := flag.String("out", "docs/results", "the folder of the pages")
	only := flag.String("only", "", "one page: retrieval or parsing")
	flag.Parse()
	for _, p := range []page{
		{"retrieval", head, "bm25", config, "", collections},
		{"parsing", parsingHead, "pdfium", parsingConfig, "-engines", parsing},
	} {
		if *only != "" && *only != p.name {
			continue
		}
		if err := p.make(*data, *work, *out); err != nil {
			fmt.Fprintln(os.Stderr, "results:", err)
			os.Exit(2)
		}
	}
}

// page is one page of results: what it says first, what pipelines are held against, and how they are
// run on each collection.
type page struct {
	name, head, baseline, config, suffix string
	collections                          []collection
}

func (p page) make(data, work, out string) error {
	if data == "" {
		return errors.New("give -data: the folder that holds the collections")
	}
	data, err := filepath.Abs(data)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(work, 0o755); err != nil {
		return err
	}
	edbPath := filepath.Join(work, "edb")
	if b, err := exec.Command("go", "build", "-o", edbPath, "./cmd/edb").CombinedOutput(); err != nil {
		return fmt.Errorf("build edb: %w\n%s", err, b)
	}
	call := func(args ...string) ([]byte, error) {
		cmd := exec.Command(edbPath, args...)
		cmd.Dir, cmd.Stderr = work, os.Stderr
		b, err := cmd.Output()
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == 3 {
			err = nil // some units failed: the figures count them
		}
		if err != nil {
			return nil, fmt.Errorf("edb %s: %w\n%s", strings.Join(args, " "), err, b)
		}
		return b, nil
	}
	var text bytes.Buffer
	text.WriteString(p.head)
	for _, c := range p.collections {
		fmt.Fprintln(os.Stderr, c.title)
		dir := filepath.Join("datasets", c.name)
		if _, err := os.Stat(filepath.Join(work, dir)); err != nil {
			if _, err := call("dataset", "import", c.name, filepath.Join(data, c.name), "--out", dir); err != nil {
				return err
			}
		}
		name := c.name + p.suffix
		if err := os.WriteFile(filepath.Join(work, name+".yaml"), fmt.Appendf(nil, p.config, c.name), 0o644); err != nil {
			return err
		}
		runDir := filepath.Join("runs", name)
		if _, err := call("run", name+".yaml", "--out", runDir, "--cache", "cache"); err != nil {
			return err
		}
		var summary edb.Summary
		b, err := os.ReadFile(filepath.Join(work, runDir, "summary.json"))
		if err == nil {
			err = json.Unmarshal(b, &summary)
		}
		if err != nil {
			return err
		}
		b, err = call("compare", runDir, "--key", strings.Join(c.keys, ","), "--json")
		if err != nil {
			return err
		}
		var cmp compared
		if err := json.Unmarshal(b, &cmp); err != nil {
			return err
		}
		section(&text, c, p.baseline, summary, cmp)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, p.name+".md"), text.Bytes(), 0o644)
}

const parsingHead = `# Engines on PDFs with known text and tables

The engines that read a PDF's text layer, each through the same geometric layer: ` + "`pdfium`" + ` (the default), ` + "`ledongthuc`" + `,
` + "`poppler`" + ` and ` + "`mupdf`" + `. A document that an engine cannot read counts as 0. Figures carry 95 % intervals over
documents; differences are candidate minus pdfium over the same documents, with the p of a permutation test and
the p corrected over all tests of the collection (Holm). poppler names no fonts, so headings are known by size
alone there. OCR engines are not in these tables.

Made by ` + "`go run ./scripts/results -data FOLDER`" + `, where FOLDER holds the collections.
`

const head = `# Retrieval on public collections

Three pipelines, chunks of 512 tokens with an overlap of 64, the first 100 passages scored: ` + "`bm25`" + ` (k1 1.5,
b .75), ` + "`dense-static`" + ` (static-minilm-256, the word-piece vectors in the binary) and ` + "`hybrid`" + ` (both, min-max,
.5/.5). Figures carry 95 % intervals: percentile bootstrap clustered by documents. Differences are
candidate minus bm25 over the same questions, with the p of a sign-flip permutation test and the p
corrected over all tests of the collection (Holm). "Not enough data" means that the interval is too wide
to say better, worse, or equal within ±.02; the units needed are given.

The ranking measures are trec_eval's: on its own test files, 8 outputs of 8 are reproduced byte for byte
(` + "`edb eval retrieval --format trec_eval`; `go test ./cmd/edb -run TrecEvalArguments`" + `).

Made by ` + "`go run ./scripts/results -data FOLDER`" + `, where FOLDER holds the collections.
`

// short is an arm's name without what all arms share.
func short(arm string) string { return strings.TrimPrefix(arm, "parse/parse.engine=") }

func section(b *bytes.Buffer, c collection, baseline string, s edb.Summary, cmp compared) {
	fmt.Fprintf(b, "\n## %s\n\n%s %d documents, %d pages, %d questions.\n\n", c.title, c.note, s.Documents, s.Pages, s.Questions)
	fmt.Fprintf(b, "| | %s |\n|---|%s\n", strings.Join(c.keys, " | "), strings.Repeat("---|", len(c.keys)))
	for _, arm := range s.Arms {
		fmt.Fprintf(b, "| %s |", short(arm))
		for _, k := range c.keys {
			f := s.Pipelines[arm][k]
			if f.Value == nil {
				fmt.Fprintf(b, " not measured: %s |", f.Reason)
				continue
			}
			fmt.Fprintf(b, " %.3f", *f.Value)
			if f.Lo != nil && f.Hi != nil {
				fmt.Fprintf(b, " [%.3f, %.3f]", *f.Lo, *f.Hi)
			}
			fmt.Fprintf(b, " n=%d |", f.N)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "\n| Against %s | Measure | Difference | p | p corrected (%d tests) | dz | Verdict |\n|---|---|---|---|---|---|---|\n", baseline, cmp.Tests)
	for _, d := range cmp.Differences {
		fmt.Fprintf(b, "| %s | %s | %s [%s, %s] | %s | %s | %s | %s |\n", short(d.Candidate), d.Key, number("%+.3f", d.Difference), number("%+.3f", d.Lo), number("%+.3f", d.Hi),
			pValue(d.P), pValue(d.PAdjusted), number("%+.2f", d.Effect), d.Words)
	}
}

func number(format string, v *float64) string {
	if v == nil {
		return "·"
	}
	return fmt.Sprintf(format, *v)
}

func pValue(p *float64) string {
	switch {
	case p == nil:
		return "·"
	case *p < 0.0001:
		return "<.0001"
	}
	return fmt.Sprintf("%.4f", *p)
}
