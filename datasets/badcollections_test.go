package datasets

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"enterprisedocbench/internal/store"
	"enterprisedocbench/internal/testdata"
)

// TestBadDocuments holds that the importers of documents name file, line and remedy and leave nothing
// behind.
func TestBadDocuments(t *testing.T) {
	const (
		article = `<article><front><article-meta><title-group><article-title>T</article-title></title-group></article-meta></front><body><p>x</p></body></article>`
		webpage = "<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head><body><p>gone</p></body></html>"
	)
	long := strings.Repeat("<sec>", 300)
	for _, c := range []struct {
		name, importer string
		files          map[string]string
		want           string
	}{
		{"no folder", "jats", nil, `FROM: no file ends in .xml, .nxml or .pdf: name the folder with the articles as .xml or .nxml`},
		{"empty article", "jats", map[string]string{"a.xml": ""}, `FROM/a.xml: is empty: fetch the file again`},
		{"web page as article", "jats", map[string]string{"a.xml": webpage}, `FROM/a.xml:2: the root element is <html>, not <article>: fetch the file again`},
		{"no XML", "jats", map[string]string{"a.xml": "not found\n"}, `FROM/a.xml:2: holds no element: fetch the file again`},
		{"open element", "jats", map[string]string{"a.xml": "<article>\n<front>\n"}, `FROM/a.xml:3: the file ends inside of <front> of line 2: fetch the file again`},
		{"crossed elements", "jats", map[string]string{"a.xml": "<article>\n<front>\n</article>"}, `FROM/a.xml:3: </article> where <front> of line 2 is open: fetch the file again`},
		{"second root", "jats", map[string]string{"a.xml": "<article/>\n<article/>"}, `FROM/a.xml:2: a second root element <article>: fetch the file again`},
		{"unknown entity", "jats", map[string]string{"a.xml": "<article>\n&nosuch;</article>"}, `FROM/a.xml:2: invalid character entity &nosuch;: fetch the file again`},
		{"deep", "jats", map[string]string{"a.xml": "<article>\n" + long}, `FROM/a.xml:2: more than 256 elements stand inside of each other: take the file out`},
		{"article without text", "jats", map[string]string{"a.xml": "\n<article><body/></article>"}, `FROM/a.xml:2: the article has no text: take it out`},
		{"double id", "jats", map[string]string{"a.xml": article, "b/a.xml": article}, `FROM/b/a.xml: document "a": id is given twice: give every document its own`},
		{"PDF that is none", "jats", map[string]string{"p/a.xml": article, "p/a.pdf": webpage}, `FROM/p/a.pdf: the file is named .pdf but is text/html: fetch the file again`},
		{"two PDFs", "jats", map[string]string{"p/a.xml": article, "p/a.pdf": "%PDF-", "p/b.pdf": "%PDF-"}, `FROM/p/b.pdf: a second PDF beside a.pdf: keep each pair of PDF and XML in a folder of its own`},
		{"PDF of no article", "jats", map[string]string{"a.xml": article, "b.xml": article, "a.PDF": "%PDF-"}, `FROM/a.PDF: stands beside 2 articles: keep each pair of PDF and XML in a folder of its own`},
		{"changed file", "jats", map[string]string{"a.xml": article, "../manifest.jsonl": `{"path":"FROM/a.xml","sha256":"00"}`}, "FROM/a.xml: sha256 is "},

		{"no label", "fda_spl", map[string]string{"a.xml": article}, `FROM/a.xml:1: the root element is <article>, not <document>: fetch the file again`},
		{"label without text", "fda_spl", map[string]string{"a.xml": "<document/>"}, `FROM/a.xml:1: <document> holds no text: take the file out`},
		{"no patent", "uspto", map[string]string{"x/a.xml": webpage}, `FROM/x/a.xml:2: the root element is <html>, not <us-patent-grant> or <us-patent-application> or <patent-application-publication> or <PATDOC>: fetch the file again`},

		{"no record", "s2orc", map[string]string{"a.json": "{}"}, `FROM/a.json:1: is no record of S2ORC with paper_id and text: take the file out`},
		{"broken record", "s2orc", map[string]string{"a.json": "{\n\"paper_id\":\n}"}, `FROM/a.json:3: invalid character '}' looking for beginning of value: correct it or fetch the collection again`},
		{"broken TEI", "s2orc", map[string]string{"a.json": `{"paper_id":"a","abstract":"x"}`, "a.pdf": "%PDF-", "a.tei.xml": "<TEI>\n"}, `FROM/a.tei.xml:2: the file ends inside of <TEI> of line 1: fetch the file again`},
		{"no report", "gao", nil, `FROM: no file ends in .pdf: name the folder with the reports as NAME.pdf`},
		{"empty Markdown", "gao", map[string]string{"a.pdf": "%PDF-", "a.md": ""}, `FROM/a.md: is empty: fetch the file again`},

		{"no PDFs", "courts", map[string]string{"index_pages/a.html": "<p>"}, `FROM/pdfs: no such file or directory: name the folder that holds pdfs/ and index_pages/`},
		{"no metadata", "courts", map[string]string{"pdfs/a.pdf": "%PDF-", "index_pages/a.html": "<p>x"}, `FROM/index_pages/a.compare.json: no such file or directory: fetch the collection again`},
		{"broken metadata", "courts", map[string]string{"pdfs/a.pdf": "%PDF-", "index_pages/a.html": "<p>x", "index_pages/a.compare.json": "[\n{]"}, `FROM/index_pages/a.compare.json:2: invalid character ']' looking for beginning of object key string: correct it or fetch the collection again`},
		{"page without markup", "courts", map[string]string{"pdfs/a.pdf": "%PDF-", "index_pages/a.html": "x"}, `FROM/index_pages/a.html: is named .html and holds no markup: fetch the file again`},

		{"no sections", "edgar_html", map[string]string{"10-K/A/1/primary-document.html": "<p>Item 1. Business</p>"}, `FROM/10-K/A/1/expected-top-level-sections.json: no such file or directory: fetch the collection again`},
		{"missing section", "edgar_html", map[string]string{"10-K/A/1/primary-document.html": webpage, "10-K/A/1/expected-top-level-sections.json": `[{"identifier":"1A","character_count":9}]`},
			`FROM/10-K/A/1/primary-document.html: section "1A" has no heading: fetch the filing again`},
		{"section of another length", "edgar_html", map[string]string{"10-K/A/1/primary-document.html": "<p>Item 1. Business</p><p>x</p>", "10-K/A/1/expected-top-level-sections.json": `[{"identifier":"1","character_count":9000}]`},
			`FROM/10-K/A/1/primary-document.html: section "1" ("Item 1. Business") is not 9000 characters of markup long: fetch the filing again`},
		{"sections left out", "edgar_html", map[string]string{"10-K/A/1/primary-document.html": "<p>x</p>", "10-K/A/1/expected-top-level-sections.json": `[{"identifier":"1","character_count":0}]`},
			`FROM/10-K/A/1/expected-top-level-sections.json: names no section: take the filing out`},
	} {
		t.Run(c.name, func(t *testing.T) { notImported(t, c.importer, c.files, c.want) })
	}
}

// TestBadQuestions does the same for importers of questions.
func TestBadQuestions(t *testing.T) {
	finqa := func(changes ...string) string {
		s := `{"id":"q1","filename":"A/2001/page_1.pdf","pre_text":["one .","."],"post_text":[],"table":[["","x"],["a","7"]],"qa":{"question":"q?","answer":"7","exe_ans":7.0,"program":"p","gold_inds":{"table_1":"a 7"}}}`
		return strings.NewReplacer(changes...).Replace(s) + "\n"
	}
	tatqa := func(changes ...string) string {
		s := `[
{"table":{"uid":"t","table":[["a","7"]]},"paragraphs":[{"order":1,"text":"one"}],"questions":[{"uid":"u","question":"q?","answer":7,"answer_type":"arithmetic","answer_from":"table-text","rel_paragraphs":["1"],"scale":""}]}]`
		return strings.NewReplacer(changes...).Replace(s)
	}
	pubmed := func(changes ...string) string {
		s := "{\n" + `"1":{"QUESTION":"q?","CONTEXTS":["one"],"LABELS":["AIM"],"LONG_ANSWER":"l","final_decision":"yes"}}`
		return strings.NewReplacer(changes...).Replace(s)
	}
	const head = "index\tanswer\ttext\n"
	const readme = "### Does it?\n"
	post := func(rows ...string) map[string]string {
		return map[string]string{"s_Posts.xml": "<posts>\n" + strings.Join(rows, "\n") + "\n</posts>"}
	}
	const asked = `<row Id="1" PostTypeId="1" Score="1" CreationDate="2018-03-12T17:00:45.567" Title="t" Body="b" AcceptedAnswerId="2"/>`
	const answer = `<row Id="2" PostTypeId="2" ParentId="1" Score="1" CreationDate="2018-03-12T17:00:45.567" Body="b"/>`
	one := func(name, content string) map[string]string { return map[string]string{name: content} }
	const examples, contexts, records = "examples.jsonl", "tatqa_dataset_dev.json", "pqal_cv500.json"
	for _, c := range []struct {
		name, importer string
		files          map[string]string
		want           string
	}{
		{"no examples", "finqa", nil, `FROM/examples.jsonl: no such file or directory: fetch the collection again`},
		{"empty examples", "finqa", one(examples, ""), `FROM/examples.jsonl: is empty: fetch the file again`},
		{"web page as examples", "finqa", one(examples, "<html>\n"), `FROM/examples.jsonl:1: invalid character '<' looking for beginning of value: correct the line`},
		{"broken example", "finqa", one(examples, finqa()+"{\n"), `FROM/examples.jsonl:2: unexpected end of JSON input: correct the line`},
		{"double example", "finqa", one(examples, finqa()+finqa()), `FROM/examples.jsonl:2: question "q1": id is given twice: give every question its own`},
		{"two texts of a page", "finqa", one(examples, finqa()+finqa("one", "two", "q1", "q2")), `FROM/examples.jsonl:2: page "A/2001/page_1.pdf" has another text than in a line before: correct one of the two`},
		{"row that is not there", "finqa", one(examples, finqa("table_1", "table_9")), `FROM/examples.jsonl:1: question "q1": 0 of the 1 places of gold_inds are on the page: correct them`},
		{"sentence of other words", "finqa", one(examples, finqa("table_1", "text_0")), `FROM/examples.jsonl:1: question "q1": text_0 of gold_inds is not sentence 0 of the page: correct it`},
		{"answer of no type", "finqa", one(examples, finqa("7.0", `"n/a"`)), `FROM/examples.jsonl:1: question "q1": exe_ans is n/a: write a number, yes or no`},
		{"no id", "finqa", one(examples, "{}\n"), `FROM/examples.jsonl:1: id, filename or question is missing: fetch the collection again`},

		{"web page as contexts", "tatqa", one(contexts, "<html>"), `FROM/tatqa_dataset_dev.json:1: invalid character '<' looking for beginning of value: correct it or fetch the collection again`},
		{"no contexts", "tatqa", one(contexts, "[]"), `FROM/tatqa_dataset_dev.json:1: holds nothing: fetch the collection again`},
		{"cut contexts", "tatqa", one(contexts, tatqa("}]}]", "}]}")), `FROM/tatqa_dataset_dev.json:2: unexpected EOF: correct it or fetch the collection again`},
		{"context of another shape", "tatqa", one(contexts, tatqa(`"order":1`, `"order":"x"`)), `FROM/tatqa_dataset_dev.json:2: paragraphs.order: string does not belong here: correct it or fetch the collection again`},
		{"more behind", "tatqa", one(contexts, tatqa()+"\n7"), `FROM/tatqa_dataset_dev.json:2: more stands behind the value: correct it or fetch the collection again`},
		{"paragraph that is not there", "tatqa", one(contexts, tatqa(`["1"]`, `["4"]`)), `FROM/tatqa_dataset_dev.json:2: question "u": rests on paragraph 4, which is not there: correct rel_paragraphs`},
		{"no such scale", "tatqa", one(contexts, tatqa(`"scale":""`, `"scale":"dozen"`)), `FROM/tatqa_dataset_dev.json:2: question "u": scale is "dozen": use thousand, million, billion, percent or nothing`},
		{"no such source", "tatqa", one(contexts, tatqa("table-text", "air")), `FROM/tatqa_dataset_dev.json:2: question "u": answer_from is "air": use table, text or table-text`},
		{"no number", "tatqa", one(contexts, tatqa(`"answer":7`, `"answer":"seven"`)), `FROM/tatqa_dataset_dev.json:2: question "u": answer "seven" of type arithmetic is no number: correct it`},
		{"no answer", "tatqa", one(contexts, tatqa(`"answer":7`, `"answer":[]`)), `FROM/tatqa_dataset_dev.json:2: question "u": answer [] is neither text nor number: correct it`},

		{"no record", "pubmedqa", one(records, "{}"), `FROM/pqal_cv500.json:1: holds nothing: fetch the collection again`},
		{"double record", "pubmedqa", one(records, strings.TrimSuffix(pubmed(), "}")+",\n"+pubmed()[2:]), `FROM/pqal_cv500.json:3: "1" stands twice: correct it or fetch the collection again`},
		{"labels", "pubmedqa", one(records, pubmed(`["AIM"]`, `[]`)), `FROM/pqal_cv500.json:2: record "1" has 1 context with 0 labels: give each context one label`},
		{"decision", "pubmedqa", one(records, pubmed(`"yes"`, `"perhaps"`)), `FROM/pqal_cv500.json:2: record "1": final_decision is "perhaps": use yes, no or maybe`},

		{"no task", "legalbench", nil, `FROM: no file ends in .tsv: name the folder with TASK/train.tsv and TASK/README.md`},
		{"no readme", "legalbench", one("a/train.tsv", head+"0\tYes\tx\n"), `FROM/a/README.md: no such file or directory: fetch the collection again`},
		{"no question", "legalbench", map[string]string{"a/train.tsv": head + "0\tYes\tx\n", "a/README.md": "x"}, `FROM/a/README.md: states no question: add a line "### QUESTION"`},
		{"columns", "legalbench", map[string]string{"a/train.tsv": "index\tanswer\n0\tYes\n", "a/README.md": readme}, `FROM/a/train.tsv:1: the header has no column "text": fetch the file again`},
		{"web page as rows", "legalbench", map[string]string{"a/train.tsv": "<html>\n<p>x</p>\n", "a/README.md": readme}, `FROM/a/train.tsv:1: the header has no column "index": fetch the file again`},
		{"short row", "legalbench", map[string]string{"a/train.tsv": head + "0\tYes\tx\n1\n", "a/README.md": readme}, `FROM/a/train.tsv:3: wrong number of fields: correct the row`},
		{"label", "legalbench", map[string]string{"a/train.tsv": head + "0\tB\tx\n", "a/README.md": readme}, `FROM/a/train.tsv:2: answer is "B": write Yes or No`},
		{"option", "legalbench", map[string]string{"a/train.tsv": head + "0\tC\tx\n", "a/README.md": readme + "A: one\nB: two\n"}, `FROM/a/train.tsv:2: answer "C" is none of the options in README.md: correct one of the two`},
		{"double row", "legalbench", map[string]string{"a/train.tsv": head + "0\tYes\tx\n0\tNo\ty\n", "a/README.md": readme}, `FROM/a/train.tsv:3: document "a/0": id is given twice: give every document its own`},
		{"no row", "legalbench", map[string]string{"a/train.tsv": head, "a/README.md": readme}, `FROM/a/train.tsv:1: has no row: fetch the file again`},

		{"web page as posts", "stackexchange", one("s_Posts.xml", "<html>"), `FROM/s_Posts.xml:1: <html> in place of <row> in <posts>: fetch the dump again`},
		{"no posts", "stackexchange", post(), `FROM/s_Posts.xml:1: holds no post: fetch the dump again`},
		{"broken row", "stackexchange", post(asked, "<row Id=1/>"), `FROM/s_Posts.xml:3: unquoted or missing attribute value in element: fetch the file again`},
		{"double post", "stackexchange", post(asked, answer, answer), `FROM/s_Posts.xml:4: post 2 stands in line 3 already: keep one`},
		{"orphan", "stackexchange", post(answer), `FROM/s_Posts.xml:2: post 2 answers post "1", which is no question here: fetch the dump again`},
		{"accepted answer is missing", "stackexchange", post(asked), `FROM/s_Posts.xml:2: post 1 accepts answer 2, which is not here: fetch the dump again`},
		{"score", "stackexchange", post(strings.Replace(asked, `Score="1"`, "", 1)), `FROM/s_Posts.xml:2: post 1: Score "" is no whole number: fetch the dump again`},
		{"date", "stackexchange", post(strings.Replace(asked, "2018-", "18-", 1)), `FROM/s_Posts.xml:2: post 1: CreationDate "18-03-12T17:00:45.567" is no date: fetch the dump again`},
	} {
		t.Run(c.name, func(t *testing.T) { notImported(t, c.importer, c.files, c.want) })
	}
}

// TestImportsAreTheSameBytes holds that the number of workers changes nothing, and that an import that
// is called off leaves nothing behind.
func TestImportsAreTheSameBytes(t *testing.T) {
	for _, name := range []string{"jats", "uspto", "finqa", "courts"} {
		from := testdata.Data(t, name)
		imp, err := LookupImporter(name)
		must(t, err)
		var sums [2]map[string]string
		for i, workers := range []int{1, 4} {
			out := filepath.Join(t.TempDir(), name)
			must(t, imp.Import(t.Context(), from, out, ImportOptions{Parse: sizeless, Workers: workers}))
			sums[i] = map[string]string{}
			must(t, filepath.WalkDir(out, func(p string, e os.DirEntry, err error) error {
				if err != nil || e.IsDir() {
					return err
				}
				sum, _, err := store.HashFile(p)
				sums[i][strings.TrimPrefix(p, out)] = sum
				return err
			}))
		}
		if len(sums[0]) < 5 || !maps.Equal(sums[0], sums[1]) {
			t.Errorf("%s: %d and %d files differ", name, len(sums[0]), len(sums[1]))
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		out := filepath.Join(t.TempDir(), name)
		if err := imp.Import(ctx, from, out, ImportOptions{Parse: sizeless}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if left, _ := filepath.Glob(out + "*"); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

// notImported imports a folder of the files and wants the error, or one that begins so where want ends in
// a space, and nothing left behind.
func notImported(t *testing.T, importer string, files map[string]string, want string) {
	t.Helper()
	from, out := filepath.Join(t.TempDir(), "from"), filepath.Join(t.TempDir(), "out")
	must(t, os.MkdirAll(from, 0o755))
	for name, content := range files {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(from, name)), 0o755))
		put(t, from, name, strings.ReplaceAll(content, "FROM", "from"))
	}
	imp, err := LookupImporter(importer)
	must(t, err)
	err = imp.Import(t.Context(), from, out, ImportOptions{Parse: sizeless})
	got := "nothing"
	if err != nil {
		got = strings.ReplaceAll(err.Error(), from, "FROM")
	}
	if got != want && (!strings.HasSuffix(want, " ") || !strings.HasPrefix(got, want)) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if left, _ := filepath.Glob(out + "*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
