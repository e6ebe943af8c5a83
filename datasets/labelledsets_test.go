package datasets

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// said counts what labels say.
type said struct{ yes, no, unknown int }

func (s *said) add(v *bool) {
	switch {
	case v == nil:
		s.unknown++
	case *v:
		s.yes++
	default:
		s.no++
	}
}

// The numbers were counted in the files with Python 3.11 (json, collections.Counter).
func TestImportExpertQA(t *testing.T) {
	d := imported(t, "expertqa", ImportOptions{})
	var supported, correct said
	claims, found, cited, systems := 0, 0, 0, map[string]int{}
	for _, a := range d.Answers {
		systems[a.System]++
		for _, c := range a.Claims {
			claims++
			supported.add(c.Label.Supported)
			correct.add(c.Label.Correct)
			if c.End > 0 {
				found++
			}
			if len(c.Contexts) > 0 {
				cited++
			}
		}
	}
	if len(d.Questions) != 217 || len(d.Answers) != 217 || claims != 1237 || found != 1237-178 || cited != 1237-216 {
		t.Errorf("%d questions, %d answers, %d claims, %d in the answer, %d with contexts", len(d.Questions), len(d.Answers), claims, found, cited)
	}
	// Complete 715; Partial 58 + Incomplete 196; Missing 216 + N/A 49 + null 3.
	if (supported != said{715, 254, 268}) || (correct != said{689 + 345, 38 + 29, 131 + 5}) {
		t.Errorf("supported %v, correct %v", supported, correct)
	}
	if systems["bing_chat"] != 49 || systems["gpt4"] != 17 || len(systems) != 6 {
		t.Errorf("systems %v", systems)
	}
	for _, x := range d.Documents {
		if x.Licence.SPDX != "NOASSERTION" || x.Licence.Redistribute || !strings.Contains(x.Licence.Evidence, "MIT (repository); evidence excerpts from public web pages") || x.Gold != "none" || x.Split != "test" {
			t.Fatalf("%+v", x)
		}
	}
	links := 0
	for _, a := range d.Answers {
		for _, c := range a.Claims {
			for _, n := range c.Contexts {
				if x, _ := d.Document(a.Contexts[n].Doc); x.Doctype == "short-excerpt" {
					links++
				}
			}
		}
	}
	if links != 394 { // of 1,225, counted by str.split
		t.Errorf("%d evidences under 20 words", links)
	}
	first := d.Answers[0].Claims[1]
	if first.Label.Said["support"] != "Complete" || first.Label.Said["reliability"] != "Reliable" || d.Answers[0].Contexts[first.Contexts[0]].Text == "" {
		t.Errorf("%+v", first)
	}
}

func TestImportAttributionBench(t *testing.T) {
	d := imported(t, "attributionbench", ImportOptions{})
	var supported said
	contexts, sources := 0, map[string]int{}
	for _, a := range d.Answers {
		supported.add(a.Claims[0].Label.Supported)
		contexts += len(a.Contexts)
		sources[a.Source]++
	}
	// 155 of each label; 446 references, 304 different ones.
	if (supported != said{155, 155, 0}) || contexts != 446 || len(d.Documents) != 304 || len(d.Questions) != 174 {
		t.Errorf("%v, %d contexts, %d documents, %d questions", supported, contexts, len(d.Documents), len(d.Questions))
	}
	if sources["Stanford-GenSearch"] != 186 || sources["AttributedQA"] != 72 || sources["LFQA"] != 52 {
		t.Errorf("sources %v", sources)
	}
}

func TestImportHaluEval(t *testing.T) {
	d := imported(t, "halueval", ImportOptions{})
	var correct said
	spans, placed := 0, 0
	for _, a := range d.Answers {
		correct.add(a.Label.Correct)
		for _, s := range a.Label.Spans {
			spans++
			if s.End > 0 {
				placed++
			}
		}
	}
	// no 1211, yes 289 (5 of them without spans); 286 of 329 spans stand in the answer to the letter.
	if (correct != said{1211, 289, 0}) || spans != 329 || placed != 286 || len(d.Questions) != 1500 || len(d.Documents) != 0 {
		t.Errorf("%v, %d spans, %d placed, %d questions", correct, spans, placed, len(d.Questions))
	}
	if err := d.Runnable(); err == nil || !strings.Contains(err.Error(), "it holds questions and labelled answers and no documents to parse") {
		t.Errorf("got %v", err)
	}
}

func TestImportRAGChecker(t *testing.T) {
	d := imported(t, "ragchecker", ImportOptions{})
	compared, silent := 0, 0
	overall := map[float64]int{}
	for _, a := range d.Answers {
		compared += len(a.Compared)
		for _, c := range a.Compared {
			overall[c.Grades["overall"]]++
		}
		if strings.TrimSpace(a.Answer) == "" {
			silent++
			for _, c := range a.Compared {
				if c.Grades["overall"] >= 0 {
					t.Errorf("%s says nothing and is preferred", a.ID)
				}
			}
		}
	}
	if len(d.Questions) != 191 || len(d.Answers) != 382 || compared != 382 || silent != 3 {
		t.Errorf("%d questions, %d answers, %d comparisons, %d silent", len(d.Questions), len(d.Answers), compared, silent)
	}
	if overall[0] != 114 || overall[-1] != 105 || overall[1] != 100 || overall[-2] != 32 || overall[2] != 31 {
		t.Errorf("overall %v", overall)
	}
}

func TestImportTrecEval(t *testing.T) {
	d := imported(t, "trec_eval", ImportOptions{})
	judged, relevant := 0, 0
	for _, q := range d.Qrels {
		judged += len(q)
		for _, g := range q {
			if g > 0 {
				relevant++
			}
		}
	}
	// out.test: 3 queries, 561 relevant; wc -l qrels.test.
	if len(d.Questions) != 3 || judged != 3681 || relevant != 561 {
		t.Errorf("%d questions, %d judged, %d relevant", len(d.Questions), judged, relevant)
	}
	for run, n := range map[string]int{"test": 1500, "trunc": 584} {
		if got := strings.Count(read1(t, d.Dir, RunsDir, run+".txt"), "\n"); got != n {
			t.Errorf("run %s: %d lines", run, got)
		}
	}
}

func TestImportPairs(t *testing.T) {
	d := imported(t, "rouge", ImportOptions{})
	if len(d.Answers) == 0 || len(d.Answers) != len(d.Questions) {
		t.Fatalf("%d answers", len(d.Answers))
	}
	if got := d.Answers[0].Scores; got["rouge-1.f"] != 0.5238095189484127 || got["rouge-l.r"] != 0.25675675675675674 || len(got) != 9 {
		t.Errorf("scores %v", got)
	}
	d = imported(t, "bertscore", ImportOptions{})
	if len(d.Answers) != 10 || d.Info.Expected["P(model=roberta-large,layer=17,idf=false,rescaled=false)"] != 0.957378 || len(d.Info.Expected) != 6 {
		t.Errorf("%d answers, expected %v", len(d.Answers), d.Info.Expected)
	}
	if q := d.Questions[0]; q.Answer == nil || len(q.Answer.Aliases) != 1 || q.Text != "" {
		t.Errorf("%+v", q)
	}
}

func TestImportRobustness(t *testing.T) {
	d := imported(t, "robustness", ImportOptions{})
	licences, encrypted := map[string]int{}, 0
	var total int64
	for _, x := range d.Documents {
		licences[x.Licence.SPDX]++
		total += x.Bytes
		if x.Doctype == "encrypted-pdf" {
			encrypted++
		}
	}
	if len(d.Documents) != 98 || licences["BSD-3-Clause"] != 20 || licences["CC-BY-4.0"] != 9 || licences["Apache-2.0"] != 5 || licences["NOASSERTION"] != 64 {
		t.Errorf("%d documents, licences %v", len(d.Documents), licences)
	}
	if total != 2112624-7304 { // all files but pdfjs_manifest.json
		t.Errorf("%d bytes", total)
	}
	// issue3371 has a password in the manifest, 14 others say so in their names.
	if encrypted != 15 {
		t.Errorf("%d encrypted", encrypted)
	}
	for _, id := range []string{"opendataloader/empty", "opendataloader/fake-jpg"} {
		if _, ok := d.Document(id); !ok {
			t.Errorf("%s is missing", id)
		}
	}
}

func TestLabelledSetsNameWhatIsWrong(t *testing.T) {
	expert := `{"question":"q","answers":{"s":{"answer_string":"a","claims":[]}}}` + "\n"
	attr := func(id, label string) string {
		return `{"id":"` + id + `","question":"q","claim":"c","response":"c","references":["r"],"attribution_label":"` + label + `"}` + "\n"
	}
	halu := `{"ID":1,"user_query":"q","chatgpt_response":"a","hallucination":"no","hallucination_spans":[]}` + "\n"
	rag := `{"instance_id":1,"dataset":"d","query_id":"1","query":"q","gt_answer":"g","model1":{"model_name":"a","response":"x"},"model2":{"model_name":"b","response":"y"},"correctness_label":1,"completeness_label":1,"overall_label":1}`
	for _, c := range []struct {
		name, importer string
		files          map[string]string
		want           string
	}{
		{"missing", "expertqa", nil, `FROM/rand_val.jsonl: no such file or directory: fetch the collection again`},
		{"broken line", "expertqa", map[string]string{"rand_val.jsonl": expert + "{\n"}, `FROM/rand_val.jsonl:2: unexpected end of JSON input: correct the line`},
		{"no answer", "expertqa", map[string]string{"rand_val.jsonl": expert + "{}\n"}, `FROM/rand_val.jsonl:2: question or answers is missing: fetch the collection again`},
		{"label", "attributionbench", map[string]string{"claims.jsonl": attr("1", "attributable") + attr("2", "yes")}, `FROM/claims.jsonl:2: attribution_label is "yes": write attributable or not attributable`},
		{"double id", "attributionbench", map[string]string{"claims.jsonl": attr("1", "attributable") + attr("1", "attributable")}, `FROM/claims.jsonl:2: answer "1": id is given twice: give every answer its own`},
		{"double question", "halueval", map[string]string{"general.jsonl": halu + halu}, `FROM/general.jsonl:2: question "1": id is given twice: give every question its own`},
		{"hallucination", "halueval", map[string]string{"general.jsonl": strings.Replace(halu, `"no"`, `"maybe"`, 1)}, `FROM/general.jsonl:1: hallucination is "maybe": write yes or no`},
		{"other answers", "ragchecker", map[string]string{"human_labeled.json": "[" + rag + ",\n" + strings.Replace(rag, `"x"`, `"z"`, 1) + "]"}, `FROM/human_labeled.json: row 2: instance_id "1": its rows are about different answers: take one out`},
		{"grade", "ragchecker", map[string]string{"human_labeled.json": "[" + strings.Replace(rag, `"overall_label":1`, `"overall_label":3`, 1) + "]"}, `FROM/human_labeled.json: row 1: instance_id "1": overall_label is missing or not from -2 to 2: fetch the collection again`},
		{"broken JSON", "ragchecker", map[string]string{"human_labeled.json": "[\n" + rag + "\n{]"}, `FROM/human_labeled.json:3: invalid character '{' after array element: correct it or fetch the collection again`},
		{"qrels line", "trec_eval", map[string]string{"qrels.test": "# x\n301 0 D 1\n301 0 D\n"}, `FROM/qrels.test:3: has 3 columns: write "question iteration document grade"`},
		{"judged twice", "trec_eval", map[string]string{"qrels.test": "301 0 D 1\n301 0 D 0\n"}, `FROM/qrels.test:2: document "D" is judged 1 and 0 for question "301": keep one line`},
		{"run of unknown question", "trec_eval", map[string]string{"qrels.test": "301 0 D 1\n", "results.test": "302 Q0 D 1 2 x\n"}, `FROM/results.test:1: question "302" is not in the collection: take the line out or add the question`},
		{"run twice", "trec_eval", map[string]string{"qrels.test": "301 0 D 1\n", "results.test": "301 Q0 D 1 2 x\n301 Q0 D 2 1 x\n"}, `FROM/results.test:2: run "test": question "301": document "D" stands twice: keep one`},
		{"scores", "rouge", map[string]string{"data.json": `[{"hyp":"a","ref":"b"}]`}, `FROM/data.json: pair 1: scores is missing: fetch the collection again`},
		{"lines", "bertscore", map[string]string{"hyps.txt": "a\n", "refs.txt": "b\nc\n"}, `FROM/refs.txt: has 2 lines, hyps.txt has 1: fetch the collection again`},
		{"file that is named", "robustness", map[string]string{"x/a.pdf": "%PDF-", "pdfjs_manifest.json": `[{"file":"x/b.pdf"}]`}, `FROM/pdfjs_manifest.json: names "x/b.pdf", which is not there: fetch the file or take the entry out`},
	} {
		t.Run(c.name, func(t *testing.T) { refused(t, c.importer, c.files, c.want) })
	}
}

// refused imports files that are wrong and compares the error, FROM standing for the folder; nothing
// may be left behind.
func refused(t *testing.T, importer string, files map[string]string, want string) {
	t.Helper()
	from, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	for name, content := range files {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(from, name)), 0o755))
		put(t, from, name, content)
	}
	imp, err := LookupImporter(importer)
	must(t, err)
	err = imp.Import(t.Context(), from, out, ImportOptions{})
	if err == nil || strings.ReplaceAll(err.Error(), from, "FROM") != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if left, _ := filepath.Glob(out + "*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Importing again gives the same bytes.
func TestImportsAreDeterministic(t *testing.T) {
	for _, name := range []string{"ragchecker", "rouge", "bertscore", "trec_eval"} {
		a, b := imported(t, name, ImportOptions{}), imported(t, name, ImportOptions{})
		files, err := filepath.Glob(filepath.Join(a.Dir, "*"))
		must(t, err)
		runs, _ := filepath.Glob(filepath.Join(a.Dir, RunsDir, "*"))
		for _, f := range slices.Concat(files, runs) {
			if st, err := os.Stat(f); err != nil || st.IsDir() {
				continue
			}
			rel, err := filepath.Rel(a.Dir, f)
			must(t, err)
			if read1(t, a.Dir, rel) != read1(t, b.Dir, rel) {
				t.Errorf("%s: %s differs", name, rel)
			}
		}
	}
}
