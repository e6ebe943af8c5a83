package datasets

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	edb "enterprisedocbench"
)

// labelled is a small answer with everything that a line may hold.
func labelled() LabelledAnswer {
	return LabelledAnswer{ID: "a1", Query: "q1", Answer: "Der Zins ist 5 € hoch.", System: "bot", Source: "set",
		Contexts:  []edb.Context{{Doc: "d1", Page: 1, Text: "Zins: 5 €"}, {Text: "only text"}},
		Citations: []edb.Citation{{Doc: "d1", Page: 1, At: -1}},
		By:        "human",
		Label:     &Label{Supported: new(true), Kind: "extrinsic", Spans: []LabelSpan{{13, 16, "5 €"}, {0, 0, "not in it"}}, Said: map[string]string{"support": "Partial"}},
		Claims:    []LabelledClaim{{Text: "Zins", Start: 4, End: 8, Contexts: []int{0, 1}, Label: Label{Correct: new(false)}}},
		Compared:  []Comparison{{With: "a2", By: "1", Grades: map[string]float64{"overall": -2}}},
		Scores:    map[string]float64{"rouge-1.f": 0.5}}
}

func withAnswers(t *testing.T, info Info, answers ...LabelledAnswer) (string, error) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	w, err := Create(dir, info)
	must(t, err)
	defer w.Abort()
	for _, a := range answers { // before what they name
		if err := w.AddAnswer(a); err != nil {
			return dir, err
		}
	}
	for _, q := range []string{"q1", "q2"} {
		must(t, w.AddQuestion(edb.Question{ID: q, Text: "How high?"}))
	}
	must(t, w.AddDocument(edb.Document{ID: "d1", Path: "d1.txt", Pages: 1, Licence: edb.Licence{SPDX: "CC0-1.0"}}, []byte("Zins: 5 €"), nil))
	return dir, w.Close()
}

func TestAnswersComeBackAsTheyWent(t *testing.T) {
	other := LabelledAnswer{ID: "a2", Query: "q1", Answer: "None."}
	var bytes [2]string
	for i, order := range [][]LabelledAnswer{{labelled(), other}, {other, labelled()}} {
		dir, err := withAnswers(t, Info{Name: "x"}, order...)
		must(t, err)
		bytes[i] = read1(t, dir, AnswersFile)
		faults, err := Check(dir)
		if err != nil || len(faults) > 0 {
			t.Fatal(faults, err)
		}
		d, err := Open(dir)
		must(t, err)
		if len(d.Answers) != 2 || !reflect.DeepEqual(d.Answers[0], labelled()) || d.Answers[1].ID != "a2" {
			t.Errorf("got %+v", d.Answers)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
	if bytes[0] != bytes[1] {
		t.Error("the bytes depend on the order")
	}
}

func TestAnswersThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(a *LabelledAnswer)
		want   string
	}{
		{"no labeller", func(a *LabelledAnswer) { a.By = "" }, `by is missing: say who labelled it: human, generated or source`},
		{"labeller", func(a *LabelledAnswer) { a.By = "me" }, `by is "me": use human, generated or source`},
		{"kind", func(a *LabelledAnswer) { a.Label.Kind = "odd" }, `label.kind is "odd": use intrinsic, extrinsic or fabrication`},
		{"span beyond", func(a *LabelledAnswer) { a.Label.Spans[0].End = 99 }, `label.spans[0] is 13 to 99 of an answer of 22 code points: count code points of the answer from 0`},
		{"span text", func(a *LabelledAnswer) { a.Label.Spans[0].Text = "6 €" }, `label.spans[0] says "6 €" where the answer has "5 €": correct the offsets or the text`},
		{"claim context", func(a *LabelledAnswer) { a.Claims[0].Contexts = []int{2} }, `claims[0].contexts holds 2, the answer has 2 contexts: count them from 0`},
		{"claim text", func(a *LabelledAnswer) { a.Claims[0].Text = "" }, `claims[0].text is missing: write the statement`},
		{"context", func(a *LabelledAnswer) { a.Contexts[1].Text = "" }, `contexts[1] has neither doc nor text: give one`},
		{"question", func(a *LabelledAnswer) { a.Query = "q9" }, `question "q9" is unknown: name one of queries.jsonl`},
		{"document", func(a *LabelledAnswer) { a.Contexts[0].Doc = "d9" }, `contexts[0]: document "d9" is unknown: name one of documents.jsonl`},
		{"page", func(a *LabelledAnswer) { a.Citations[0].Page = 2 }, `citations[0]: page 2 of document "d1", which has 1 page: count physical pages from 1`},
		{"citation place", func(a *LabelledAnswer) { a.Citations[0].At = 23 }, `citations[0].at is 23: count code points of the answer, or write -1 for the whole`},
		{"compared with none", func(a *LabelledAnswer) { a.Compared[0].With = "a9" }, `compared[0]: answer "a9" is unknown: name one of answers.jsonl`},
		{"compared across", func(a *LabelledAnswer) { a.Query = "q2" }, `compared[0]: answer "a2" is to question "q1": compare answers to one question`},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := labelled()
			c.change(&a)
			dir, err := withAnswers(t, Info{Name: "x"}, a, LabelledAnswer{ID: "a2", Query: "q1", Answer: "None."})
			if want := `answer "a1": ` + c.want; err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
			if left, _ := filepath.Glob(dir + "*"); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
	_, err := withAnswers(t, Info{Name: "x"}, labelled(), labelled())
	if err == nil || err.Error() != `answer "a1": id is given twice: give every answer its own` {
		t.Errorf("got %v", err)
	}
}

func TestAnswersAreReadStrictly(t *testing.T) {
	dir, err := withAnswers(t, Info{Name: "x"}, LabelledAnswer{ID: "a2", Query: "q1", Answer: "None."})
	must(t, err)
	put(t, dir, AnswersFile, strings.Join([]string{
		`{"id":"a","query":"q1","answer":"x","label":{"supported":"yes"},"by":"human"}`,
		`{"id":"b","query":"q1","answer":"x","lable":{}}`,
		`{"id":"b","query":"q9","answer":"x"`,
		`{"id":"c","query":"q9","answer":"x"}`,
		`{"id":"c","query":"q1","answer":"x"}`,
	}, "\n"))
	faults, err := Check(dir)
	must(t, err)
	want := []string{
		`answers.jsonl:1: label.supported: is a string, not true or false: write true or false`,
		`answers.jsonl:2: unknown key "lable": use "label"`,
		`answers.jsonl:3: is no JSON: it ends too early: correct the syntax`,
		`answers.jsonl:4: answer "c": question "q9" is unknown: name one of queries.jsonl`,
		`answers.jsonl:5: answer "c": id stands in line 4 already: give every answer its own`,
	}
	var got []string
	for _, f := range faults {
		got = append(got, f.String())
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if _, err := Open(dir); err == nil || !strings.HasSuffix(err.Error(), want[0]+" (4 more: edb dataset check lists them)") {
		t.Errorf("Open: %v", err)
	}
}

func TestExternalDocuments(t *testing.T) {
	build := func(info Info) (string, error) {
		dir := filepath.Join(t.TempDir(), "out")
		w, err := Create(dir, info)
		must(t, err)
		defer w.Abort()
		if err := w.AddQuestion(edb.Question{ID: "q"}); err != nil {
			return dir, err
		}
		must(t, w.AddQrel("q", "elsewhere", 1, 2))
		return dir, w.Close()
	}
	dir, err := build(Info{Name: "x", Documents: "external"})
	must(t, err)
	must(t, os.Remove(filepath.Join(dir, DocumentsFile))) // may be missing
	faults, err := Check(dir)
	if err != nil || len(faults) > 0 {
		t.Fatal(faults, err)
	}
	d, err := Open(dir)
	must(t, err)
	if d.Qrels["q"]["elsewhere#1"] != 2 {
		t.Errorf("judgements %v", d.Qrels)
	}
	want := `dataset ` + dir + `: dataset.yaml says documents: external: it holds questions and judgements and no documents to parse: score a run against its qrels.txt with edb eval retrieval, or name a dataset with documents`
	if err := d.Runnable(); err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	if _, err := build(Info{Name: "x"}); err == nil || err.Error() != `question "q": text is missing: write the question` {
		t.Errorf("got %v", err)
	}
	if _, err := Create(filepath.Join(t.TempDir(), "y"), Info{Name: "x", Documents: "away"}); err == nil || !strings.HasSuffix(err.Error(), `documents is "away": write external, or leave it out`) {
		t.Errorf("got %v", err)
	}
	put(t, dir, QrelsFile, "q 0 elsewhere 1\n")
	if faults, _ = Check(dir); len(faults) != 1 || faults[0].Line != 1 {
		t.Errorf("got %v", faults)
	}
}

func TestFilesOfAnyKind(t *testing.T) {
	for _, files := range []string{"any", ""} {
		dir := filepath.Join(t.TempDir(), "out")
		w, err := Create(dir, Info{Name: "x", Files: files})
		must(t, err)
		defer w.Abort()
		lic := edb.Licence{SPDX: "CC0-1.0"}
		empty := w.AddDocument(edb.Document{ID: "empty", Path: "a.pdf", Licence: lic}, nil, nil)
		jpeg := w.AddDocument(edb.Document{ID: "jpeg", Path: "b.pdf", Licence: lic}, []byte("\xff\xd8\xff\xe0"), nil)
		if (empty == nil) != (files == "any") || (jpeg == nil) != (files == "any") {
			t.Errorf("files %q: %v, %v", files, empty, jpeg)
		}
		must(t, w.Close())
		if faults, err := Check(dir); err != nil || len(faults) > 0 {
			t.Errorf("files %q: %v %v", files, faults, err)
		}
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add([]byte(`{"id":"a","query":"q1","answer":"x","contexts":[{"doc":"d1","page":1,"text":""}],"by":"human","claims":[{"text":"x","start":0,"end":1,"contexts":[0],"label":{"supported":null,"correct":true}}]}`))
	f.Add([]byte(`{"id":"a","query":"q1","answer":"é","by":"source","label":{"spans":[{"start":0,"end":1}]},"scores":{"x":1e300}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		v, faults := decodeRow[LabelledAnswer](line, reflect.TypeFor[LabelledAnswer]())
		if v == nil && len(faults) == 0 {
			t.Fatal("neither value nor fault")
		}
		if len(faults) > 0 || len(labelledFaults(*v)) > 0 {
			return
		}
		for _, c := range v.Claims {
			if c.End > 0 && string([]rune(v.Answer)[c.Start:c.End]) != c.Text {
				t.Fatalf("claim %+v is not in %q", c, v.Answer)
			}
		}
	})
}
