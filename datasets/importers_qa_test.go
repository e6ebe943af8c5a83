package datasets

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/testdata"
)

func questionOf(t *testing.T, d *Dataset, id string) edb.Question {
	t.Helper()
	i := slices.IndexFunc(d.Questions, func(q edb.Question) bool { return q.ID == id })
	if i < 0 {
		t.Fatalf("no question %q", id)
	}
	return d.Questions[i]
}

// countQuestions counts questions by modality and by type of answer, and evidence without offsets.
func countQuestions(d *Dataset) map[string]int {
	m := map[string]int{}
	for _, q := range d.Questions {
		m[q.Modality]++
		if q.Answer != nil {
			m[q.Answer.Type]++
		}
		for _, e := range q.Evidence {
			if e.End == 0 {
				m["bare"]++
			}
		}
	}
	return m
}

func sameCounts(t *testing.T, what string, got, want map[string]int) {
	t.Helper()
	if !maps.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestImportFinQA(t *testing.T) {
	d := imported(t, "finqa", ImportOptions{})
	// The README's 300 examples are those of its origin; the file holds 201 of them on 143 pages.
	if len(d.Documents) != 143 || len(d.Questions) != 201 {
		t.Fatalf("%d documents, %d questions", len(d.Documents), len(d.Questions))
	}
	// Counted from gold_inds: 114 rest on rows alone, 24 on one sentence (one of them beside a lone full stop), the others on more.
	sameCounts(t, "questions", countQuestions(d), map[string]int{"table": 114, "single-hop": 24, "multi-hop": 63, "number": 194, "boolean": 7})
	q := questionOf(t, d, "PKG/2009/page_65.pdf-4")
	if q.Answer.Value != 56.197 || q.Answer.Unit != "%" || !slices.Equal(q.Answer.Aliases, []string{"56%"}) || q.Review["program"] != "divide(25048, 44572)" {
		t.Errorf("%+v", q.Answer)
	}
	if len(q.Evidence) != 2 || q.Evidence[0].Quote != "thereafter\t25048" || q.Evidence[1].Quote != "total\t$ 44572" || q.Evidence[0].Doc != "PKG/2009/page_65" {
		t.Errorf("%+v", q.Evidence)
	}
	if q = questionOf(t, d, "V/2008/page_17.pdf-1"); q.Answer.Value != 127.4 || q.Answer.Unit != "" || q.Modality != "table" {
		t.Errorf("%+v", q.Answer)
	}
	if q = questionOf(t, d, "PKG/2011/page_14.pdf-1"); len(q.Evidence) != 1 || q.Modality != "single-hop" {
		t.Errorf("%+v", q)
	}
	x, _ := d.Document("V/2008/page_17")
	g := mustGold(t, d, x.ID)
	if x.Gold != "source" || x.Licence.SPDX != "MIT" || x.MIME != "text/html" || x.Layout.Tables != 1 {
		t.Errorf("%+v", x)
	}
	for _, e := range g.Elements {
		if e.Kind == "table" && !strings.HasPrefix(e.HTML, "<table><tr><th>company</th><th>payments volume ( billions )</th>") {
			t.Errorf("%+v", e)
		}
	}
}

func TestImportTATQA(t *testing.T) {
	from := testdata.Data(t, "tatqa")
	d := imported(t, "tatqa", ImportOptions{})
	if len(d.Documents) != 278 || len(d.Questions) != 1668 { // the README's counts
		t.Fatalf("%d documents, %d questions", len(d.Documents), len(d.Questions))
	}
	var contexts []tatqaContext
	raw, err := os.ReadFile(filepath.Join(from, "tatqa_dataset_dev.json"))
	must(t, err)
	must(t, json.Unmarshal(raw, &contexts))
	want := map[string]int{}
	for _, c := range contexts {
		for _, q := range c.Questions {
			got := questionOf(t, d, q.UID)
			switch { // TAT-QA section 3: what was computed or counted is a number
			case q.Type == "arithmetic" || q.Type == "count":
				want["number"]++
			case q.Type == "multi-span":
				want["set"]++
			case got.Answer.Type == "number" && q.Scale != "":
				want["number"]++
			default:
				want["text"]++
			}
			switch {
			case q.From == "table":
				want["table"]++
			case q.From == "text" && len(q.Paragraphs) == 1:
				want["single-hop"]++
			default:
				want["multi-hop"]++
			}
			scale := got.Answer.Scale
			if got.Answer.Unit == "%" {
				scale = "percent"
			}
			if got.Answer.Type == "number" && scale != q.Scale || got.Review["scale"] != q.Scale || got.Review["derivation"] != q.Derivation {
				t.Errorf("%s: scale %q, want %q", q.UID, scale, q.Scale)
			}
		}
	}
	sameCounts(t, "questions", countQuestions(d), want)
	q := questionOf(t, d, "593c4388-5209-4462-8b83-b429c8612c25")
	if items, ok := q.Answer.Value.([]any); !ok || len(items) != 3 || items[1] != "cost-plus type" || q.Modality != "multi-hop" || len(q.Evidence) != 2 {
		t.Errorf("%+v", q)
	}
	q = questionOf(t, d, "05b670d3-5b19-438c-873f-9bf6de29c69e")
	if q.Answer.Value != -22.22 || q.Answer.Unit != "%" || q.Task != "financial-reconciliation" || len(q.Evidence) != 2 || !strings.HasPrefix(q.Evidence[0].Quote, "\t\tYears Ended September 30,\t\n") {
		t.Errorf("%+v %+v", q.Answer, q.Evidence)
	}
}

func TestImportPubMedQA(t *testing.T) {
	d := imported(t, "pubmedqa", ImportOptions{})
	if len(d.Documents) != 500 || len(d.Questions) != 500 || len(d.Qrels) != 500 {
		t.Fatalf("%d documents, %d questions, %d judged", len(d.Documents), len(d.Questions), len(d.Qrels))
	}
	decided := map[any]int{}
	for _, q := range d.Questions {
		decided[q.Answer.Value]++
		if d.Qrels[q.ID][q.ID+"#1"] != 1 || len(d.Qrels[q.ID]) != 1 || len(q.Answer.Facts) != 1 || len(q.Evidence) == 0 {
			t.Errorf("%+v", q)
		}
	}
	if decided[true] != 276 || decided[false] != 169 || decided["maybe"] != 55 { // counted from final_decision
		t.Errorf("%v", decided)
	}
	g := mustGold(t, d, "10808977")
	if k := kinds(g); k["heading"] != 6 || k["paragraph"] != 6 || !strings.HasPrefix(g.Text(), "BACKGROUND\nTelephone counseling and") || !strings.Contains(g.Text(), "\nDESIGN\nThree-year randomized field trial.\n") {
		t.Errorf("%v %.80s", k, g.Text())
	}
}

func TestImportLegalBench(t *testing.T) {
	d := imported(t, "legalbench", ImportOptions{})
	// 10 tasks of ContractNLI with 8 rows, 22 of MAUD with 1.
	if len(d.Documents) != 102 || len(d.Questions) != 102 {
		t.Fatalf("%d documents, %d questions", len(d.Documents), len(d.Questions))
	}
	sameCounts(t, "questions", countQuestions(d), map[string]int{"single-hop": 102, "boolean": 86, "exact": 16})
	q := questionOf(t, d, "maud_knowledge_definition/0")
	if q.Text != "Read an excerpt from a merger agreement and answer: what counts as Knowledge? Options: A: Actual knowledge; B: Constructive knowledge" || q.Answer.Value != "Constructive knowledge" {
		t.Errorf("%+v %+v", q.Text, q.Answer)
	}
	q = questionOf(t, d, "contract_nli_permissible_copy/4")
	x, _ := d.Document(q.ID)
	if q.Answer.Value != false || x.Title != "41629_1.pdf" || x.Licence.SPDX != "CC-BY-4.0" || q.Evidence[0].Start != 0 || !strings.HasPrefix(q.Evidence[0].Quote, "I agree that in respect of") {
		t.Errorf("%+v %+v", q, x)
	}
	if q = questionOf(t, d, "contract_nli_sharing_with_third-parties/0"); !strings.HasPrefix(q.Text, "Identify if the clause provides that the Receiving Party may share some") {
		t.Errorf("%q", q.Text)
	}
}

func TestImportStackExchange(t *testing.T) {
	d := imported(t, "stackexchange", ImportOptions{})
	grades := map[int]int{}
	for _, m := range d.Qrels {
		for _, g := range m {
			grades[g]++
		}
	}
	// Counted from Posts.xml with Python's ElementTree: 612 questions, 1,060 answers, 389 of them accepted; 564
	// questions have an accepted answer or one with a score above 0, and 1,053 answers in all.
	if len(d.Documents) != 1060 || len(d.Questions) != 564 || grades[2] != 389 || grades[1] != 592 || grades[0] != 72 {
		t.Errorf("%d documents, %d questions, grades %v", len(d.Documents), len(d.Questions), grades)
	}
	licences := map[string]int{}
	for _, x := range d.Documents {
		licences[x.Licence.SPDX]++
	}
	if licences["CC-BY-SA-3.0"]+licences["CC-BY-SA-4.0"] != 1060 || licences["CC-BY-SA-3.0"] == 0 || licences["CC-BY-SA-4.0"] == 0 {
		t.Errorf("licences: %v", licences)
	}
	if d.Qrels["quantumcomputing/1"]["quantumcomputing/18#1"] != 2 || d.Qrels["quantumcomputing/1"]["quantumcomputing/5#1"] != 1 {
		t.Errorf("%v", d.Qrels["quantumcomputing/1"])
	}
	p, err := d.File(d.Documents[slices.IndexFunc(d.Documents, func(x edb.Document) bool { return x.ID == "quantumcomputing/5" })])
	if must(t, err); !strings.Contains(read1(t, p), "<p>To simulate the collapse of the wave function you'd need a source of randomness.") {
		t.Errorf("%.200s", read1(t, p))
	}
}
