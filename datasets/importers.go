package datasets

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/store"
)

// Importer turns a public collection, as its publishers lay it out in a folder, into a dataset
// directory.
type Importer struct {
	Name     string
	What     string // what it holds, in a few words
	GoldKind string // kind of gold the documents get
	// Import reads the folder from and makes the dataset out. Bad input is an error that names file,
	// line and remedy; out is then left as it was.
	Import func(ctx context.Context, from, out string, opt ImportOptions) error
}

// ImportOptions are what importers need from the rest of the program.
type ImportOptions struct {
	// Parse reads a PDF: sizes and numbers of pages for all collections of PDFs, and the reference
	// gold of those without gold of their own. Parsed.Engine must be NAME@VERSION. It may be called
	// from Workers goroutines at once.
	Parse func(ctx context.Context, path string) (edb.Parsed, error)
	// Locate finds a quote on a page of gold and gives its offsets; nil leaves evidence at page and
	// quote.
	Locate func(gold edb.Parsed, page int, quote string) (edb.Evidence, bool)
	// Progress, if set, hears how many of all documents are done; total is 0 where a file is read
	// without knowing how many it holds. Calls do not overlap.
	Progress func(done, total int)
	// Workers is how many documents are parsed at a time; below 1 means 1.
	Workers int
	// Replace lets out hold a dataset already, which the new one takes the place of.
	Replace bool
}

// Importers lists every importer.
func Importers() []Importer {
	return []Importer{
		{"joss", "software papers as PDF with the Markdown they were made from", "source", importJOSS},
		{"icdar2013", "PDFs of the ICDAR 2013 table competition with the cells of their tables", "human", importICDAR},
		{"financebench", "company filings as PDF with questions and the pages of their evidence", "reference(ENGINE@VERSION)", importFinanceBench},
		{"vaswani", "11,429 abstracts with queries and binary relevance (NPL collection)", "none", importVaswani},
		{"omnidocbench", "single pages, as PDF or image, with blocks in reading order (OmniDocBench layout)", "human", importOmniDocBench},
		{"ohrbench", "PDFs of seven domains with the text of their pages and questions (OHR-Bench layout)", "human", importOHRBench},
		{"cuad", "contracts as PDF with 41 categories of clauses asked of each", cuadGold, importCUAD},
		{"docbank", "papers as PDF with one page each in labelled tokens", "source; of pages in columns without the order of the text", importDocBank},
		{"docling", "test PDFs with the Markdown that docling makes of them", "reference(docling@COMMIT)", importDocling},
		{"dpbench", "elements of single pages in reading order; PDFs where they are there", "human", importDPBench},
		{"olmocr_bench", "single pages as PDF with facts that a parse must meet", "none", importOlmOCR},
		{"pubtabnet", "images of tables with the markup they were made from", "source", importPubTabNet},
		{"tabula", "PDFs with the tables expected of a table extractor", "human", importTabula},
		{"text_extraction", "whole documents with their text written by hand", "human", importTextExtraction},
		{"jats", "journal articles as JATS XML, one also as PDF", "source", importJATS},
		{"fda_spl", "drug labels as SPL XML with the LOINC codes of their sections", "source", importFDASPL},
		{"uspto", "patents and applications as XML in five formats", "source", importUSPTO},
		{"finqa", "pages of filings rebuilt as HTML, with numeric questions, programs and evidence (FinQA)", "source", importFinQA},
		{"tatqa", "tables and paragraphs of annual reports rebuilt as HTML, with typed questions (TAT-QA)", "source", importTATQA},
		{"pubmedqa", "abstracts rebuilt as HTML, with yes/no/maybe questions (PubMedQA)", "source", importPubMedQA},
		{"legalbench", "excerpts of contracts with one labelled question each (LegalBench: MAUD, ContractNLI)", "source", importLegalBench},
		{"s2orc", "papers and records with the structure that GROBID found", "reference(grobid@VERSION)", importS2ORC},
		{"gao", "government reports as PDF, some with a converter's Markdown", "reference(pymupdf4llm@unstated)", importGAO},
		{"stackexchange", "answers of a forum, with questions and judgements by acceptance and score", "none", importStackExchange},
		{"courts", "court records as PDF, and index pages of courts with their metadata as questions", "none", importCourts},
		{"edgar_html", "company filings as HTML with their headings", "human", importEDGARHTML},
		{"expertqa", "answers cut into claims with evidence, and what experts say of each claim", "none; labels: human", importExpertQA},
		{"attributionbench", "claims of answers with the references they cite, borne out or not", "none; labels: human", importAttributionBench},
		{"halueval", "answers from memory with the places that people found made up", "none; labels: human", importHaluEval},
		{"ragchecker", "pairs of answers compared by two people each", "none; labels: human", importRAGChecker},
		{"trec_eval", "judgements and runs of the trec_eval test suite, without documents", "none", importTrecEval},
		{"bertscore", "text pairs with the published mean BERTScore", "none; figures: source", importBERTScore},
		{"rouge", "text pairs with the ROUGE scores of the Python package", "none; figures: source", importROUGE},
		{"robustness", "malformed, encrypted and otherwise odd PDFs to try readers on", "none", importRobustness},
		{"beir", "any collection in the layout of BEIR: corpus.jsonl, queries.jsonl, qrels/*.tsv", "none", importBEIR},
		{"squad", "questions on paragraphs in the layout of SQuAD 1.1 and 2.0", "source", importSQuAD},
		{"trec", "any TREC collection: documents and topics in SGML or XML, qrels", "none", importTREC},
		{"ranx", "judgements and runs as ranx saves them, without documents", "none", importRanx},
		{"ir_datasets", "any collection that ir_datasets exports: docs, queries and qrels", "none", importIRDatasets},
	}
}

// LookupImporter gives the importer of the name.
func LookupImporter(name string) (Importer, error) {
	var names []string
	for _, i := range Importers() {
		if i.Name == name {
			return i, nil
		}
		names = append(names, i.Name)
	}
	return Importer{}, fmt.Errorf("no importer is called %q: use %s", name, oneOf(names))
}

func (o ImportOptions) create(out string, info Info) (*Writer, error) {
	if info.Annotations == nil {
		info.Annotations = annotationsOf(info.Name)
	}
	return create(out, info, o.Replace)
}

func (o ImportOptions) progress(done, total int) {
	if o.Progress != nil {
		o.Progress(done, total)
	}
}

func (o ImportOptions) needParse(name string) error {
	if o.Parse == nil {
		return fmt.Errorf("%s: import needs a reader of PDFs: set ImportOptions.Parse", name)
	}
	return nil
}

// each calls do for 0 to n-1 in order on Workers goroutines and starts none after an error. Those that
// run already end in their own way, so that the error is always that of the lowest index, on any number
// of goroutines. The end of ctx stops all.
func (o ImportOptions) each(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	var (
		mu     sync.Mutex
		next   int
		done   int
		failed bool
		errs   = make([]error, n)
		wg     sync.WaitGroup
	)
	for range max(1, o.Workers) {
		wg.Go(func() {
			for {
				mu.Lock()
				i, stop := next, failed
				next++
				mu.Unlock()
				if i >= n || stop || ctx.Err() != nil {
					return
				}
				err := do(ctx, i)
				mu.Lock()
				if errs[i] = err; err == nil {
					done++
					o.progress(done, n)
				}
				failed = failed || err != nil
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// listStems gives the sorted names in from that end in suffix, without it; none is an error.
func listStems(from, suffix, fix string) ([]string, error) {
	entries, err := os.ReadDir(from)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: name the folder that holds the collection", from, cause(err))
	}
	var out []string
	for _, e := range entries {
		if stem, ok := strings.CutSuffix(e.Name(), suffix); ok && stem != "" && !e.IsDir() {
			out = append(out, stem)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: no file ends in %s: %s", from, suffix, fix)
	}
	slices.Sort(out)
	return out, nil
}

// origin is one line of a manifest.jsonl beside the collection, which says where its files are from.
type origin struct {
	Path    string `json:"path"`
	SHA256  string `json:"sha256"`
	Licence string `json:"licence"`
	Source  string `json:"source"`
}

// origins reads the manifest beside the folder, if there is one, by file name in the folder.
func origins(from string) (map[string]origin, error) {
	path := filepath.Join(filepath.Dir(filepath.Clean(from)), "manifest.jsonl")
	out := map[string]origin{}
	prefix := filepath.Base(filepath.Clean(from)) + "/"
	err := store.Lines(path, func(_ int, raw []byte) error {
		var o origin
		if err := json.Unmarshal(raw, &o); err != nil {
			return fmt.Errorf("%w: correct the line or take the file away", err)
		}
		if name, ok := strings.CutPrefix(o.Path, prefix); ok {
			out[name] = o
		}
		return nil
	})
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	return out, nil
}

var spdx = regexp.MustCompile(`^(CC0-1\.0|CC-BY(?:-NC|-SA|-ND)*-[1-4]\.0|MIT|Apache-2\.0|BSD-[23]-Clause|MPL-2\.0)\b`)

// openLicence makes the licence for a statement that begins with an open licence's SPDX name; false where
// it begins with none.
func openLicence(statement string) (edb.Licence, bool) {
	id := spdx.FindString(statement)
	if id == "" {
		return edb.Licence{}, false
	}
	return edb.Licence{SPDX: id, Redistribute: true, Derivatives: !strings.Contains(id, "-ND"),
		Commercial: !strings.Contains(id, "-NC"), Evidence: statement}, true
}

// source splits "OWNER/NAME@COMMIT:PATH" into a document's origin.
func (o origin) source() *edb.Origin {
	if o.Source == "" {
		return nil
	}
	name, id, _ := strings.Cut(o.Source, "@")
	return &edb.Origin{Name: name, ID: id}
}

func readAll(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: fetch the collection again", path, cause(err))
	}
	return b, nil
}
