package datasets

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/testdata"

	"github.com/ledongthuc/pdf"
)

// unreadable are files that the reader of sizes refuses, with their pages (pdfinfo 22.12.0).
var unreadable = map[string]int{"ADOBE_2022_10K.pdf": 99}

// pages stands in for a parser: the pages of a PDF with their sizes and no elements.
func pages(_ context.Context, path string) (edb.Parsed, error) {
	if n := unreadable[filepath.Base(path)]; n > 0 {
		p := edb.Parsed{Engine: "sizes@1", Paged: true}
		for i := range n {
			p.Pages = append(p.Pages, edb.Page{Number: i + 1, Width: 612, Height: 792})
		}
		return p, nil
	}
	f, r, err := pdf.Open(path)
	if err != nil {
		return edb.Parsed{}, err
	}
	defer f.Close()
	p := edb.Parsed{Engine: "sizes@1", Paged: true}
	for n := 1; n <= r.NumPage(); n++ {
		inherited := func(key string) pdf.Value {
			v := r.Page(n).V
			for v.Key(key).IsNull() && !v.Key("Parent").IsNull() {
				v = v.Key("Parent")
			}
			return v.Key(key)
		}
		box := inherited("MediaBox")
		page := edb.Page{Number: n, Width: box.Index(2).Float64(), Height: box.Index(3).Float64()}
		if inherited("Rotate").Int64()%180 != 0 {
			page.Width, page.Height = page.Height, page.Width
		}
		p.Pages = append(p.Pages, page)
	}
	return p, nil
}

func imported(t *testing.T, name string, opt ImportOptions) *Dataset {
	t.Helper()
	from := testdata.Data(t, name)
	imp, err := LookupImporter(name)
	must(t, err)
	out := filepath.Join(t.TempDir(), name)
	opt.Workers = 2
	must(t, imp.Import(t.Context(), from, out, opt))
	faults, err := Check(out)
	must(t, err)
	for _, f := range faults {
		t.Errorf("%s", f)
	}
	d, err := Open(out)
	must(t, err)
	return d
}

func TestImportJOSS(t *testing.T) {
	d := imported(t, "joss", ImportOptions{Parse: pages})
	if len(d.Documents) != 11 {
		t.Fatalf("%d documents", len(d.Documents))
	}
	total := 0
	for _, x := range d.Documents {
		total += x.Pages
		if x.Title == "" || x.Gold != "source" || x.Source == nil || len(x.Date) != len("2026-03-01") {
			t.Errorf("%+v", x)
		}
		want := "CC-BY-4.0"
		if x.ID == "effmass" {
			want = "MIT"
		}
		if x.Licence.SPDX != want {
			t.Errorf("%s: licence %q, want %q", x.ID, x.Licence.SPDX, want)
		}
	}
	if total != 43 { // pdfinfo 22.12.0: 3+4+3+4+4+2+6+6+3+5+3
		t.Errorf("%d pages", total)
	}
	d.Markdown = func(path string) (edb.Parsed, error) {
		return edb.Parsed{Pages: []edb.Page{{Number: 1, Elements: []edb.Element{{Kind: "paragraph", Text: read1(t, path)}}}}}, nil
	}
	g, ok, err := d.Gold("effmass")
	if err != nil || !ok || !slices.Equal(g.Mask, []string{"citation", "formula", "line-numbers", "references"}) || !strings.Contains(g.Text(), "# Summary") {
		t.Errorf("gold: %v %v %v", g.Mask, ok, err)
	}
}

func TestImportICDAR(t *testing.T) {
	d := imported(t, "icdar2013", ImportOptions{Parse: pages})
	if len(d.Documents) != 45 || d.GoldHolds("") || !d.GoldHolds("table") {
		t.Fatalf("%d documents, gold parts %v", len(d.Documents), d.Info.GoldParts)
	}
	tables, cells := 0, 0
	for _, x := range d.Documents {
		g, ok, err := d.Gold(x.ID)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		for _, e := range g.Elements {
			tables++
			cells += strings.Count(e.HTML, "<td")
			if e.Box == nil || e.Kind != edb.KindTable {
				t.Errorf("%s: %+v", x.ID, e)
			}
		}
	}
	// 105 tables in the files; the 8,696 cells leave places empty that are filled here.
	if tables != 105 || cells < 8696 {
		t.Errorf("%d tables, %d cells", tables, cells)
	}
	g, _, err := d.Gold("eu-004")
	must(t, err)
	e := g.Pages[1].Elements[0]
	if !strings.HasPrefix(e.HTML, "<table><tr><td></td><td>per capita GNP ($000) 1995</td><td>population 1995 (mn)</td>") {
		t.Errorf("eu-004: %.200s", e.HTML)
	}
	// The first cell is at y 710 to 743 from the bottom of a page of 842 points.
	if e.Box[1] < 90 || e.Box[1] > 105 {
		t.Errorf("eu-004: box %v", *e.Box)
	}
}

// evidenceTexts makes a parser whose pages hold just the evidence that lies on them.
func evidenceTexts(t *testing.T, from string) func(context.Context, string) (edb.Parsed, error) {
	t.Helper()
	f, err := os.Open(filepath.Join(from, "questions.jsonl"))
	must(t, err)
	defer f.Close()
	texts := map[string]string{}
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<22)
	for sc.Scan() {
		var q financeQuestion
		must(t, json.Unmarshal(sc.Bytes(), &q))
		for _, e := range q.Evidence {
			texts[edb.PageID(q.Doc, *e.Page+1)] += e.Text + "\n"
		}
	}
	return func(ctx context.Context, path string) (edb.Parsed, error) {
		p, err := pages(ctx, path)
		for i := range p.Pages {
			text := texts[edb.PageID(strings.TrimSuffix(filepath.Base(path), ".pdf"), i+1)]
			if text == "" {
				text = fmt.Sprintf("Page %d", i+1)
			}
			p.Pages[i].Elements = []edb.Element{{Kind: "paragraph", Text: text, Box: &edb.Box{-20, 5, 9000, 20}}}
		}
		return p, err
	}
}

func TestImportFinanceBench(t *testing.T) {
	from := testdata.Data(t, "financebench")
	locate := func(gold edb.Parsed, page int, quote string) (edb.Evidence, bool) {
		before, _, ok := strings.Cut(pageText(gold, page), quote)
		n := len([]rune(before))
		return edb.Evidence{Page: page, Start: n, End: n + len([]rune(quote))}, ok
	}
	heard := 0
	d := imported(t, "financebench", ImportOptions{Parse: evidenceTexts(t, from), Locate: locate, Progress: func(done, total int) {
		if heard++; done != heard || total != 26 {
			t.Errorf("progress %d of %d after %d calls", done, total, heard)
		}
	}})
	pages := 0
	for _, x := range d.Documents {
		pages += x.Pages
		if x.Gold != "reference(sizes@1)" || x.GoldScoresParsing() {
			t.Errorf("%s: gold %q", x.ID, x.Gold)
		}
	}
	if len(d.Documents) != 26 || pages != 2653 || len(d.Questions) != 56 || heard != 26 {
		t.Errorf("%d documents, %d pages, %d questions, %d calls", len(d.Documents), pages, len(d.Questions), heard)
	}
	types := map[string]int{}
	for _, q := range d.Questions {
		types[q.Modality]++
		types[q.Answer.Type]++
		for _, e := range q.Evidence {
			if e.End == 0 {
				t.Errorf("%s: evidence without offsets", q.ID)
			}
		}
	}
	// Counted from the file: 9 questions with several pages, of the others 7 metrics-generated; 12 answers are lone numbers.
	if types["multi-hop"] != 9 || types["table"] != 7 || types["number"] != 12 {
		t.Errorf("modalities and answer types: %v", types)
	}
	must(t, d.CheckEvidence(d.Questions))
	q := d.Questions[slices.IndexFunc(d.Questions, func(q edb.Question) bool { return q.ID == "financebench_id_03029" })]
	if q.Answer.Value != 1577.0 || q.Answer.Unit != "USD" || q.Answer.Scale != "million" || q.Evidence[0].Page != 60 || d.Qrels[q.ID]["3M_2018_10K#60"] != 1 {
		t.Errorf("%+v %+v", q.Answer, q.Evidence[0].Page)
	}
}

func TestImportVaswani(t *testing.T) {
	d := imported(t, "vaswani", ImportOptions{})
	n := 0
	for _, m := range d.Qrels {
		n += len(m)
	}
	if len(d.Documents) != 11429 || len(d.Questions) != 62 || n != 1442 {
		t.Errorf("%d documents, %d queries, %d judgements", len(d.Documents), len(d.Questions), n)
	}
	if d.Qrels["1"]["1239#1"] != 1 || d.Questions[0].Text != "MEASUREMENT OF DIELECTRIC CONSTANT OF LIQUIDS BY THE USE OF MICROWAVE TECHNIQUES" {
		t.Errorf("%v %q", d.Qrels["1"]["1239#1"], d.Questions[0].Text)
	}
	p, err := d.File(d.Documents[0])
	if must(t, err); !strings.HasPrefix(read1(t, p), "compact memories have flexible capacities") {
		t.Errorf("%q", read1(t, p))
	}
}

func TestFinanceAnswer(t *testing.T) {
	for _, c := range []struct {
		answer, question, kind string
		value                  any
		unit, scale            string
	}{
		{"$1577.00", "(in USD millions)", "number", 1577.0, "USD", "million"},
		{"$8.70", "Answer in USD billions.", "number", 8.7, "USD", "billion"},
		{"55.1%", "", "number", 55.1, "%", ""},
		{"-3.7", "", "number", -3.7, "", ""},
		{"(2,500)", "in USD thousands", "number", -2500.0, "USD", "thousand"},
		{"36%. The answer assumes", "", "text", "36%. The answer assumes", "", ""},
		{"Yes", "", "text", "Yes", "", ""},
		{"1,23", "", "text", "1,23", "", ""},
	} {
		a := financeAnswer(c.answer, c.question)
		if a.Type != c.kind || a.Value != c.value || a.Unit != c.unit || a.Scale != c.scale {
			t.Errorf("%q: %+v", c.answer, *a)
		}
	}
}

// TestBadCollections holds that importers name file, line and remedy and leave nothing behind.
func TestBadCollections(t *testing.T) {
	const head = `<document><table id="1"><region id="1" page="1" col-increment="0" row-increment="0">`
	for _, c := range []struct {
		name, importer string
		files          map[string]string
		want           string
	}{
		{"no folder", "joss", nil, `FROM: no file ends in .pdf: name the folder with the papers as NAME.pdf and NAME.md`},
		{"no gold", "joss", map[string]string{"a.pdf": "%PDF-"}, `FROM/a.md: no such file or directory: fetch the collection again`},
		{"no head", "joss", map[string]string{"a.pdf": "%PDF-", "a.md": "# Title"}, `FROM/a.md:1: no YAML head between two lines of ---: add one with the title`},
		{"bad head", "joss", map[string]string{"a.pdf": "%PDF-", "a.md": "---\ntitle: x\ntags: [a\n---\n"}, `FROM/a.md:3: sequence end token ']' not found: correct the YAML head`},
		{"HTML", "joss", map[string]string{"a.pdf": "<html>", "a.md": "---\ntitle: x\n---\n"}, `document "a": the file is named .pdf but is text/html: name it by what it is`},
		{"no cells", "icdar2013", map[string]string{"a.pdf": "%PDF-", "a-str.xml": "<document><table id='1'><region page='1'/></table></document>", "a-reg.xml": "<document/>"},
			`FROM/a-str.xml: table "1": has no cells: correct the cells`},
		{"bad XML", "icdar2013", map[string]string{"a.pdf": "%PDF-", "a-str.xml": head + "\n<cell></region>", "a-reg.xml": "<document/>"},
			`FROM/a-str.xml:2: element <cell> closed by </region>: fetch the file again`},
		{"no number", "icdar2013", map[string]string{"a.pdf": "%PDF-", "a-str.xml": "\n<document><table id='1'><region page='x'/></table></document>", "a-reg.xml": "<document/>"},
			`FROM/a-str.xml:2: strconv.ParseInt: parsing "x": invalid syntax: fetch the file again`},
		{"page", "icdar2013", map[string]string{"a.pdf": "%PDF-", "a-str.xml": "<document><table id='1'><region page='7'/></table></document>", "a-reg.xml": "<document/>"},
			`FROM/a-str.xml: table "1": stands on page 7 of 1: correct the page`},
		{"overlap", "icdar2013", map[string]string{"a.pdf": "%PDF-", "a-reg.xml": "<document/>",
			"a-str.xml": head + `<cell start-row="0" start-col="0" end-col="1"/><cell start-row="0" start-col="1"/></region></table></document>`},
			`FROM/a-str.xml: table "1": two cells stand in row 0, column 1: correct the cells`},
		{"huge", "icdar2013", map[string]string{"a.pdf": "%PDF-", "a-reg.xml": "<document/>",
			"a-str.xml": head + `<cell start-row="0" start-col="0" end-col="1999999999"/></region></table></document>`},
			`FROM/a-str.xml: table "1": has 1 row and 2000000000 columns: correct the cells`},
		{"question line", "financebench", map[string]string{"pdfs/a.pdf": "%PDF-", "documents.jsonl": "", "questions.jsonl": "{}\n"},
			`FROM/questions.jsonl:1: financebench_id, question or answer is missing: fetch the collection again`},
		{"missing filing", "financebench", map[string]string{"pdfs/a.pdf": "%PDF-", "documents.jsonl": "", "questions.jsonl": `{"financebench_id":"1","question":"q","answer":"a","doc_name":"b"}`},
			`FROM/questions.jsonl:1: question "1": pdfs/b.pdf is missing: fetch it or take the line out`},
		{"page beyond", "financebench", map[string]string{"pdfs/a.pdf": "%PDF-", "documents.jsonl": "",
			"questions.jsonl": `{"financebench_id":"1","question":"q","answer":"a","doc_name":"a","evidence":[{"evidence_text":"t","evidence_page_num":1}]}`},
			`FROM/questions.jsonl:1: question "1": evidence 1: page 1 (from 0) of a filing of 1 page: correct the page`},
		{"open record", "vaswani", map[string]string{"doc-text.trec": "<DOC>\n<DOCNO>1</DOCNO>x\n"}, `FROM/doc-text.trec:1: <DOC> is not closed: add </DOC>`},
		{"double record", "vaswani", map[string]string{"doc-text.trec": "<DOC>\n<DOCNO>1</DOCNO>x\n</DOC>\n<DOC>\n<DOCNO>1</DOCNO>x\n</DOC>\n"},
			`FROM/doc-text.trec:4: document "1": id is given twice: give every document its own`},
		{"judgement", "vaswani", map[string]string{"doc-text.trec": "<DOC><DOCNO>1</DOCNO>x</DOC>", "query-text.trec": "<top><num>1</num><title>x</title></top>", "qrels": "1 0 1 1\n2 0 1 1\n"},
			`FROM/qrels:2: question "2" is not in the collection: take the line out or add the question`},
		{"judged document", "vaswani", map[string]string{"doc-text.trec": "<DOC><DOCNO>1</DOCNO>x</DOC>", "query-text.trec": "<top><num>1</num><title>x</title></top>", "qrels": "1 0 5 1\n"},
			`FROM/qrels:1: document "5" is not in the collection: take the line out or add the document`},
	} {
		t.Run(c.name, func(t *testing.T) {
			from, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
			for name, content := range c.files {
				must(t, os.MkdirAll(filepath.Dir(filepath.Join(from, name)), 0o755))
				put(t, from, name, content)
			}
			imp, err := LookupImporter(c.importer)
			must(t, err)
			err = imp.Import(t.Context(), from, out, ImportOptions{Parse: func(context.Context, string) (edb.Parsed, error) {
				return edb.Parsed{Engine: "fake@1", Paged: true, Pages: []edb.Page{{Number: 1, Width: 600, Height: 800}}}, nil
			}})
			if err == nil || strings.ReplaceAll(err.Error(), from, "FROM") != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			if left, _ := filepath.Glob(out + "*"); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
	if _, err := LookupImporter("jos"); err == nil || !strings.HasPrefix(err.Error(), `no importer is called "jos": use joss, icdar2013, financebench, `) {
		t.Errorf("got %v", err)
	}
}
