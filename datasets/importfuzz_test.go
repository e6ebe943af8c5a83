package datasets

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// collectionFile is a file of a collection whose content is fuzzed, and what stands beside it.
type collectionFile struct {
	importer, name, seed string
	beside               map[string]string
}

// collectionFiles are the files of collections that have no target of their own, each the smallest
// that its importer takes. Their places are in the corpus: add at the end.
var collectionFiles = []collectionFile{
	{"jats", "a.xml", `<article><front><article-meta><title-group><article-title>T</article-title></title-group></article-meta></front><body><sec><title>S</title><p>x</p></sec></body></article>`, nil},
	{"fda_spl", "a.xml", `<document xmlns="urn:hl7-org:v3"><title>T</title><component><structuredBody><component><section><code code="34067-9"/><title>Uses</title><text><paragraph>x</paragraph></text></section></component></structuredBody></component></document>`, nil},
	{"uspto", "x/a.xml", `<us-patent-grant><us-bibliographic-data-grant><invention-title>T</invention-title></us-bibliographic-data-grant><description><p>x</p></description><claims><claim><claim-text>1. A y.</claim-text></claim></claims></us-patent-grant>`, nil},
	{"s2orc", "a.json", `{"paper_id":"a","title":"T","abstract":"x","text":[{"section":"S","text":"y"}]}`, nil},
	{"gao", "a.md", "# T\n\nx\n", map[string]string{"a.pdf": "%PDF-"}},
	{"courts", "index_pages/a.compare.json", `[{"docket_number":"1","case_name":"A v. B","date_filed":"2001-02-03"}]`, map[string]string{"pdfs/a.pdf": "%PDF-", "index_pages/a.html": "<p>A v. B, No. 1, February 3, 2001</p>"}},
	{"edgar_html", "10-K/A/1/expected-top-level-sections.json", `[{"identifier":"1","character_count":9}]`, map[string]string{"10-K/A/1/primary-document.html": "<p>Item 1. Business</p><p>x</p>"}},
	{"edgar_html", "10-K/A/1/primary-document.html", `<p>Item 1. Business</p><p>x</p><p>Item 2. Properties</p>`, map[string]string{"10-K/A/1/expected-top-level-sections.json": `[{"identifier":"1","character_count":30}]`}},
	{"finqa", "examples.jsonl", `{"id":"q1","filename":"A/2001/page_1.pdf","pre_text":["one .","."],"post_text":[],"table":[["","x"],["a","7"]],"qa":{"question":"q?","answer":"7","exe_ans":7.0,"program":"p","gold_inds":{"table_1":"a 7"}}}`, nil},
	{"tatqa", "tatqa_dataset_dev.json", `[{"table":{"uid":"t","table":[["a","7"]]},"paragraphs":[{"order":1,"text":"one"}],"questions":[{"uid":"u","question":"q?","answer":7,"answer_type":"arithmetic","answer_from":"table-text","rel_paragraphs":["1"],"scale":""}]}]`, nil},
	{"pubmedqa", "pqal_cv500.json", `{"1":{"QUESTION":"q?","CONTEXTS":["one"],"LABELS":["AIM"],"LONG_ANSWER":"l","final_decision":"yes"}}`, nil},
	{"legalbench", "a/train.tsv", "index\tanswer\ttext\n0\tYes\tx\n", map[string]string{"a/README.md": "### Does it?\n"}},
	{"legalbench", "a/README.md", "### Does it?\nA: one\nB: two\n", map[string]string{"a/train.tsv": "index\tanswer\ttext\n0\tA\tx\n"}},
	{"stackexchange", "s_Posts.xml", "<posts>\n" + `<row Id="1" PostTypeId="1" Score="1" CreationDate="2018-03-12T17:00:45.567" Title="t" Body="b" AcceptedAnswerId="2"/>` + `<row Id="2" PostTypeId="2" ParentId="1" Score="1" CreationDate="2018-03-12T17:00:45.567" Body="b"/>` + "\n</posts>", nil},
	{"expertqa", "rand_val.jsonl", `{"question":"q","answers":{"s":{"answer_string":"a b","claims":[{"claim_string":"a","evidence":["e"],"support":"Complete","reliability":"Reliable"}]}}}`, nil},
	{"attributionbench", "claims.jsonl", `{"id":"1","question":"q","claim":"c","response":"c","references":["r"],"attribution_label":"attributable"}`, nil},
	{"halueval", "general.jsonl", `{"ID":1,"user_query":"q","chatgpt_response":"a b","hallucination":"yes","hallucination_spans":["b"]}`, nil},
	{"ragchecker", "human_labeled.json", `[{"instance_id":1,"dataset":"d","query_id":"1","query":"q","gt_answer":"g","model1":{"model_name":"a","response":"x"},"model2":{"model_name":"b","response":"y"},"correctness_label":1,"completeness_label":1,"overall_label":1}]`, nil},
	{"trec_eval", "qrels.test", "301 0 D 1\n301 0 E 0\n", map[string]string{"results.test": "301 Q0 D 1 2 x\n"}},
	{"trec_eval", "results.test", "301 Q0 D 1 2 x\n301 Q0 E 2 1.5e0 x\n", map[string]string{"qrels.test": "301 0 D 1\n"}},
	{"rouge", "data.json", `[{"hyp":"a","ref":"b","scores":{"rouge-1":{"f":0.5,"p":0.5,"r":0.5}}}]`, nil},
	{"bertscore", "hyps.txt", "a\nc\n", map[string]string{"refs.txt": "b\nd\n", "refs2.txt": "e\nf\n", "expected.json": `{"P":0.9}`}},
	{"robustness", "pdfjs_manifest.json", `[{"file":"x/a.pdf","password":"p"}]`, map[string]string{"x/a.pdf": "%PDF-"}},
	{"beir", "corpus.jsonl", `{"_id":"d 1","title":"A title","text":"Some text."}`, map[string]string{"queries.jsonl": `{"_id":"q1","text":"what?"}`, "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\td 1\t2\n"}},
	{"beir", "qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td 1\t2\n", map[string]string{"queries.jsonl": `{"_id":"q1","text":"what?"}`, "corpus.jsonl": `{"_id":"d 1","text":"Some text."}`}},
	{"ranx", "qrels.json", `{"q1":{"d1":1,"d2":0}}`, map[string]string{"run.json": `{"q1":{"d1":0.5}}`}},
	{"ir_datasets", "docs.jsonl", `{"doc_id":"d1","text":"x"}`, map[string]string{"queries.jsonl": `{"query_id":"q1","text":"what?"}`, "qrels.jsonl": `{"query_id":"q1","doc_id":"d1","relevance":1}`}},
	{"vaswani", "doc-text.trec", "<DOC><DOCNO>1</DOCNO>x</DOC>", map[string]string{"query-text.trec": "<top><num>1</num><title>x</title></top>", "qrels": "1 0 1 1\n"}},
	{"joss", "a.md", "---\ntitle: 'T'\nauthors:\n  - name: A\n---\n\n# S\n\nx\n", map[string]string{"a.pdf": "%PDF-"}},
	{"financebench", "questions.jsonl", `{"financebench_id":"1","question":"q","answer":"a","doc_name":"a","evidence":[{"evidence_text":"t","evidence_page_num":0}]}`, map[string]string{"pdfs/a.pdf": "%PDF-", "documents.jsonl": ""}},
}

// FuzzImport damages one file of a collection: it becomes a dataset without a fault, or is refused with
// the file's place and what to do, and nothing is left behind.
func FuzzImport(f *testing.F) {
	for i, c := range collectionFiles {
		f.Add(uint8(i), []byte(c.seed))
	}
	f.Fuzz(func(t *testing.T, which uint8, b []byte) {
		c := collectionFiles[int(which)%len(collectionFiles)]
		dir := t.TempDir()
		from, out := filepath.Join(dir, "from"), filepath.Join(dir, "out")
		for name, content := range c.beside {
			must(t, os.MkdirAll(filepath.Dir(filepath.Join(from, name)), 0o755))
			put(t, from, name, content)
		}
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(from, c.name)), 0o755))
		put(t, from, c.name, string(b))
		imp, err := LookupImporter(c.importer)
		must(t, err)
		if err := imp.Import(t.Context(), from, out, ImportOptions{Parse: sizeless}); err != nil {
			for line := range strings.Lines(err.Error()) {
				place, rest, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), from), ": ")
				if !strings.HasPrefix(line, from) || !ok || strings.ContainsAny(place, " \n") || !strings.Contains(rest, ": ") {
					t.Errorf("%s: %q is no FILE:LINE: PROBLEM: FIX", c.importer, line)
				}
				break // what the file holds may have line breaks of its own
			}
			if left, _ := filepath.Glob(out + "*"); len(left) > 0 {
				t.Errorf("%s: left behind: %v", c.importer, left)
			}
			return
		}
		faults, err := Check(out)
		must(t, err)
		if len(faults) > 0 {
			t.Errorf("%s makes a dataset with faults: %v", c.importer, faults[0])
		}
		if names := slices.Sorted(maps.Keys(tree(t, out))); len(names) == 0 {
			t.Errorf("%s makes nothing", c.importer)
		}
	})
}
