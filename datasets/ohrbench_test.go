package datasets

import (
	"strings"
	"testing"

	edb "enterprisedocbench"
)

// ohrDemo is the layout of the benchmark's repository.
func ohrDemo() map[string]string {
	return map[string]string{
		"data/pdfs/finance/A_2021.pdf": "%PDF-1.4 a", "data/pdfs/law/x.y.pdf": "%PDF-1.4 b",
		"data/retrieval_base/gt/finance/A_2021.json": `[
 {"page_idx": 1, "text": "# Results\n\nNet income rose.\nTwo lines \\& more.\n\n\\begin{tabular}{|l|c|}\n\\hline Net income & \\$ & 842 \\\\\n\\hline Share & $22 \\%$ & \\\\ \\hline\n\\end{tabular}\n\nAfter."},
 {"page_idx": 0, "text": "Form 10-Q"}]`,
		"data/retrieval_base/gt/law/x.y.json":            `[{"page_no": 2, "text": "<table><tr><td>a</td><td>b</td></tr></table>"}, {"page_no": 0, "text": "Article 1\n\n\n\nArticle 2"}, {"page_no": 1, "text": ""}]`,
		"data/retrieval_base/MinerU/finance/A_2021.json": `broken`,
		"data/qas_v2.json": `[
 {"doc_name":"finance/A_2021","ID":"q1","questions":"What was the net income?","answers":"842","doc_type":"finance","answer_form":"Numeric","evidence_source":"table","evidence_context":"Net income & \\$ & 842","evidence_page_no":1},
 {"doc_name":"finance/A_2021","ID":"q2","questions":"Did it rise?","answers":"Yes","answer_form":"Yes/No","evidence_source":"text","evidence_context":"Net income rose.","evidence_page_no":1},
 {"doc_name":"law/x.y","ID":"q3","questions":"Which articles?","answers":["Article 1","Article 2"],"answer_form":"List","evidence_source":"text","evidence_context":["Article 2","b"],"evidence_page_no":[0,2]},
 {"doc_name":"law/x.y","ID":"q4","questions":"How many?","answers":2,"answer_form":"Numeric","evidence_source":"chart","evidence_context":"as drawn","evidence_page_no":0},
 {"doc_name":"law/x.y","ID":"q5","questions":"What share?","answers":"-1,234.5%","answer_form":"Numeric","evidence_source":"reading_order","evidence_context":"","evidence_page_no":[0,1]}]`,
	}
}

func TestImportOHRBench(t *testing.T) {
	d := made(t, "ohrbench", ohrDemo(), ImportOptions{Parse: sized(3, 600, 800)})
	if len(d.Documents) != 2 || pagesOf(d) != 6 || len(d.Questions) != 5 {
		t.Fatalf("%d documents, %d pages, %d questions", len(d.Documents), pagesOf(d), len(d.Questions))
	}
	x := d.Documents[0]
	if x.ID != "finance/A_2021" || x.Gold != "human" || x.Domain != "finance" || x.Licence.Redistribute || x.Licence.Commercial || x.Layout.Tables != 1 {
		t.Errorf("%+v", x)
	}
	g := readGoldOf(t, d, x.ID)
	if got, want := g.Text(), "Form 10-Q\nResults\nNet income rose.\nTwo lines & more.\nNet income\t$\t842\nShare\t22 %\t\nAfter."; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	if e := g.Pages[1].Elements[0]; g.Pages[1].Number != 2 || g.Pages[1].Width != 600 || e.Kind != edb.KindHeading || e.Level != 1 {
		t.Errorf("%+v", g.Pages[1])
	}
	for id, want := range map[string]string{
		"q1": `table number 842  [2 43-59 "Net income\t$\t842"]`,
		"q2": `single-hop boolean true  [2 8-24 "Net income rose."]`,
		"q3": `multi-hop set [Article 1 Article 2]  [1 10-19 "Article 2"] [3 2-3 "b"]`,
		"q4": `figure number 2  [1 0-0 "as drawn"]`,
		"q5": `multi-hop number -1234.5 % [1 0-0 ""] [2 0-0 ""]`,
	} {
		q := question(t, d, id)
		got := strings.TrimSpace(sprint(q))
		if got != want {
			t.Errorf("%s: %s\nwant %s", id, got, want)
		}
	}
	must(t, d.CheckEvidence(d.Questions))
}

// TestOHRTopFolder holds that the data folder may be named itself, with the older file of questions,
// and that Locate is asked for what does not stand there to the letter.
func TestOHRTopFolder(t *testing.T) {
	files := map[string]string{}
	for name, content := range ohrDemo() {
		files[strings.Replace(strings.TrimPrefix(name, "data/"), "qas_v2", "qas", 1)] = content
	}
	asked := 0
	d := made(t, "ohrbench", files, ImportOptions{Locate: func(gold edb.Parsed, page int, quote string) (edb.Evidence, bool) {
		if asked++; quote != "as drawn" || page != 1 {
			t.Errorf("asked for %q on page %d", quote, page)
		}
		return edb.Evidence{Page: 1, Start: 0, End: 7}, true
	}})
	if q := question(t, d, "q4"); asked != 1 || q.Evidence[0].Quote != "Article" {
		t.Errorf("asked %d times: %+v", asked, q.Evidence)
	}
	if pagesOf(d) != 2+3 { // without a parser, the last page that has gold
		t.Errorf("%d pages", pagesOf(d))
	}
}
