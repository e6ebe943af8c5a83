package datasets

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/testdata"
)

// lay writes files of a collection; a name that ends in .gz is packed.
func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "set")
	for name, content := range files {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		if strings.HasSuffix(name, ".gz") {
			content = packed(t, content)
		}
		put(t, dir, name, content)
	}
	return dir
}

func packed(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(s))
	must(t, err)
	must(t, z.Close())
	return b.String()
}

// brought imports a collection and checks that the dataset has no fault.
func brought(t *testing.T, importer, from string) *Dataset {
	t.Helper()
	imp, err := LookupImporter(importer)
	must(t, err)
	out := filepath.Join(t.TempDir(), "out")
	must(t, imp.Import(t.Context(), from, out, ImportOptions{}))
	faults, err := Check(out)
	must(t, err)
	for _, f := range faults {
		t.Errorf("%s", f)
	}
	d, err := Open(out)
	must(t, err)
	return d
}

func content(t *testing.T, d *Dataset, id string) string {
	t.Helper()
	doc, ok := d.Document(id)
	if !ok {
		t.Fatalf("no document %q", id)
	}
	p, err := d.File(doc)
	must(t, err)
	return read1(t, p)
}

// The layout of beir.datasets.data_loader.GenericDataLoader.
func TestImportBEIR(t *testing.T) {
	files := map[string]string{
		"corpus.jsonl": `{"_id": "d 1", "title": "A title", "text": "Some text.", "metadata": {"url": "x"}}
{"_id": "d2", "title": "", "text": "Only text."}
{"_id": 3, "title": "Only title", "text": ""}
`,
		"queries.jsonl":   `{"_id": "q1", "text": "what?", "metadata": {}}` + "\n" + `{"_id": "q2", "text": "not in test"}` + "\n",
		"qrels/test.tsv":  "query-id\tcorpus-id\tscore\nq1\td 1\t2\nq1\t3\t0\n",
		"qrels/train.tsv": "query-id\tcorpus-id\tscore\nq2\td2\t1\n",
	}
	d := brought(t, "beir", lay(t, files))
	if len(d.Documents) != 3 || len(d.Questions) != 1 || d.Qrels["q1"]["d 1#1"] != 2 || d.Info.Name != "set" {
		t.Errorf("%d documents, questions %v, judgements %v", len(d.Documents), d.Questions, d.Qrels)
	}
	if g, ok := d.Qrels["q1"]["3#1"]; g != 0 || !ok {
		t.Errorf("judgements %v", d.Qrels)
	}
	for id, want := range map[string]string{"d 1": "A title\n\nSome text.\n", "d2": "Only text.\n", "3": "Only title\n"} {
		if got := content(t, d, id); got != want {
			t.Errorf("%s: %q", id, got)
		}
	}
	gz := map[string]string{"qrels/dev.tsv": "q2\td2\t1.0\n"}
	for _, name := range []string{"corpus.jsonl", "queries.jsonl"} {
		gz[name+".gz"] = files[name]
	}
	d = brought(t, "beir", lay(t, gz))
	if len(d.Documents) != 3 || len(d.Questions) != 1 || d.Qrels["q2"]["d2#1"] != 1 {
		t.Errorf("packed: %d documents, %v", len(d.Documents), d.Qrels)
	}
}

// The layout of dev-v1.1.json and dev-v2.0.json.
func TestImportSQuAD(t *testing.T) {
	d := brought(t, "squad", lay(t, map[string]string{
		"dev-v2.0.json": `{"version": "v2.0", "data": [{"title": "Caf\u00e9_X", "paragraphs": [
{"context": "Das Caf\u00e9 \u2014 gegr\u00fcndet 1901 \u2014 ist alt.\n\nEs ist rot.", "qas": [
 {"id": "a", "question": " When? ", "is_impossible": false, "answers": [{"text": "1901", "answer_start": 21}, {"text": "gegr\u00fcndet 1901", "answer_start": 11}, {"text": "gegr\u00fcndet 1901", "answer_start": 11}]},
 {"id": "b", "question": "Who?", "is_impossible": true, "answers": [], "plausible_answers": [{"text": "Caf\u00e9", "answer_start": 4}]}]}]}]}`,
		"train-v1.1.json": `{"version": "1.1", "data": [{"title": "Y", "paragraphs": [{"context": "One two.", "qas": [{"id": "c", "question": "?", "answers": [{"text": "two", "answer_start": 4}]}]}]}]}`,
	}))
	if len(d.Documents) != 2 || len(d.Questions) != 3 {
		t.Fatalf("%d documents, %d questions", len(d.Documents), len(d.Questions))
	}
	a := d.Questions[0]
	if a.Text != "When?" || a.Answer.Value != "gegründet 1901" || len(a.Answer.Aliases) != 1 || a.Evidence[0] != (edb.Evidence{Doc: "Café_X/1", Page: 1, Start: 11, End: 25, Quote: "gegründet 1901"}) {
		t.Errorf("%+v %+v", a, a.Evidence)
	}
	if b := d.Questions[1]; b.Answerable() || b.Probe.Doc != "Café_X/1" || b.Answer != nil || len(b.Evidence) > 0 {
		t.Errorf("%+v", b)
	}
	must(t, d.CheckEvidence(d.Questions))
	g, ok, err := d.Gold("Café_X/1")
	if err != nil || !ok || g.Pages[0].Text() != content(t, d, "Café_X/1") {
		t.Errorf("gold %v, %v, %v", g, ok, err)
	}
	splits := map[string]string{}
	for _, x := range d.Documents {
		splits[x.ID] = x.Split
	}
	if splits["Y/1"] != "train" || splits["Café_X/1"] != "test" || d.Documents[0].Gold != "source" {
		t.Errorf("splits %v", splits)
	}
}

const trecNews = `<?xml version="1.0"?>
<DOC>
<DOCNO> FT911-1 </DOCNO>
<PROFILE>_AN-BENBQAD8FT</PROFILE>
<DATE>910514
</DATE>
<HEADLINE>
FT  14 MAY 91 / A &amp; B
</HEADLINE>
<TEXT>
<P>One &lt; two.</P><P>Next a < b.</P>
</TEXT>
</DOC>

<doc id="x">
<docno>LA-2</docno>
plain <b>words</b>, caf` + "\xe9" + `
</doc>
`

// The forms of topics: TREC-6 ad hoc (never closed), terrier, web track, TREC-COVID.
func TestImportTREC(t *testing.T) {
	d := brought(t, "trec", lay(t, map[string]string{
		"docs/ft/ft911.gz": trecNews,
		"docs/more":        "<DOC><DOCNO>FR-3</DOCNO><TEXT>three</TEXT></DOC>",
		"topics.051-053":   "<top>\n<head> Tipster\n<num> Number: 051\n<dom> Domain: X\n<title> Topic: Airbus &amp;\n Subsidies\n\n<desc> Description:\nmore\n\n<narr> Narrative:\nlong\n</top>\n\n<top>\n<num> Number: 052\n<title> South African Sanctions\n</top>\n",
		"topics.web.xml":   `<webtrack><topic number="201" type="faceted"><query>raspberry pi</query><description>x</description><subtopic number="1">y</subtopic></topic></webtrack>`,
		"topics-covid.xml": `<topics task="COVID"><topic number="1"><query>coronavirus origin</query><question>what is</question></topic></topics>`,
		"qrels.51-52":      "51 0 FT911-1 1\n052 0 LA-2 0\n201 0 FR-3 2\n",
	}))
	if len(d.Documents) != 3 || len(d.Questions) != 4 {
		t.Fatalf("%d documents, %d questions", len(d.Documents), len(d.Questions))
	}
	texts := map[string]string{}
	for _, q := range d.Questions {
		texts[q.ID] = q.Text
	}
	if fmt.Sprint(texts) != "map[051:Airbus & Subsidies 052:South African Sanctions 1:coronavirus origin 201:raspberry pi]" {
		t.Errorf("%v", texts)
	}
	if d.Qrels["051"]["FT911-1#1"] != 1 || d.Qrels["201"]["FR-3#1"] != 2 || len(d.Qrels["052"]) != 1 {
		t.Errorf("%v", d.Qrels)
	}
	for id, want := range map[string]string{
		"FT911-1": "910514\n\nFT  14 MAY 91 / A & B\n\nOne < two.\n\nNext a < b.\n",
		"LA-2":    "plain words, café\n", "FR-3": "three\n"} {
		if got := content(t, d, id); got != want {
			t.Errorf("%s: %q", id, got)
		}
	}
}

// A real collection that has an importer of its own, as any TREC collection: the same counts.
func TestTRECReadsVaswani(t *testing.T) {
	d := brought(t, "trec", testdata.Data(t, "vaswani"))
	judged := 0
	for _, m := range d.Qrels {
		judged += len(m)
	}
	if len(d.Documents) != 11429 || len(d.Questions) != 62 || judged != 1442 || d.Documents[0].Licence.SPDX != "NOASSERTION" {
		t.Errorf("%d documents, %d questions, %d judgements, %+v", len(d.Documents), len(d.Questions), judged, d.Documents[0].Licence)
	}
	if got := content(t, d, "1"); !strings.HasPrefix(got, "compact memories have flexible capacities") {
		t.Errorf("%q", got)
	}
}

// The form of ranx.Qrels.save and ranx.Run.save.
func TestImportRanx(t *testing.T) {
	d := brought(t, "ranx", lay(t, map[string]string{
		"qrels.json": "{\n  \"q_1\": {\n    \"d_12\": 5,\n    \"d_25\": 3\n  },\n  \"q_2\": {\n    \"d_11\": 0\n  }\n}",
		"bm25.json":  `{"q_1": {"d_12": 0.9, "d_23": 0.8}, "q_2": {"d_12": 1e-1}}`,
	}))
	if len(d.Questions) != 2 || d.Qrels["q_1"]["d_12#1"] != 5 || len(d.Qrels["q_2"]) != 1 || !d.Info.External() {
		t.Errorf("%v %v", d.Questions, d.Qrels)
	}
	want := "q_1 Q0 d_12#1 1 0.9 bm25\nq_1 Q0 d_23#1 2 0.8 bm25\nq_2 Q0 d_12#1 1 0.1 bm25\n"
	if got := read1(t, d.Dir, RunsDir, "bm25.txt"); got != want {
		t.Errorf("got\n%s", got)
	}
}

// What "ir_datasets export X docs|queries|qrels|scoreddocs" writes, with --format jsonl where it can.
func TestImportIRDatasets(t *testing.T) {
	d := brought(t, "ir_datasets", lay(t, map[string]string{
		"docs.jsonl.gz":  `{"doc_id": "d1", "title": "T", "url": "u", "abstract": "A.", "body": "B.", "n": 3}` + "\n" + `{"doc_id": 2, "text": "x"}` + "\n",
		"queries.jsonl":  `{"query_id": "1", "title": "t", "description": "d"}` + "\n" + `{"query_id": "2", "text": "y"}` + "\n",
		"qrels.txt":      "1 0 d1 1\n2 Q0 2 0\n",
		"scoreddocs.txt": "1 Q0 d1 0 9.5 run\n",
	}))
	if len(d.Documents) != 2 || len(d.Questions) != 2 || d.Questions[0].Text != "t" || d.Qrels["1"]["d1#1"] != 1 {
		t.Errorf("%v %v", d.Questions, d.Qrels)
	}
	if got := content(t, d, "d1"); got != "T\n\nA.\n\nB.\n" {
		t.Errorf("%q", got)
	}
	if got := read1(t, d.Dir, RunsDir, "scoreddocs.txt"); got != "1 Q0 d1#1 1 9.5 scoreddocs\n" {
		t.Errorf("%q", got)
	}
	d = brought(t, "ir_datasets", lay(t, map[string]string{
		"docs.jsonl": `{"doc_id": "d1", "text": "x"}`, "queries.jsonl": `{"query_id": "1", "text": "y"}`,
		"qrels.jsonl": `{"query_id": "1", "doc_id": "d1", "relevance": 1, "iteration": "0"}`}))
	if d.Qrels["1"]["d1#1"] != 1 {
		t.Errorf("%v", d.Qrels)
	}
}

func TestLayoutsNameWhatIsWrong(t *testing.T) {
	beir := func(change map[string]string) map[string]string {
		files := map[string]string{"corpus.jsonl": `{"_id":"d","text":"x"}` + "\n", "queries.jsonl": `{"_id":"q","text":"y"}` + "\n", "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq\td\t1\n"}
		for k, v := range change {
			files[k] = v
		}
		return files
	}
	squad := func(qas string) map[string]string {
		return map[string]string{"dev.json": `{"data":[{"title":"T","paragraphs":[{"context":"abc","qas":[` + qas + `]}]}]}`}
	}
	var docs strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&docs, "{\"_id\":\"%d\",\"text\":\"%d\"}\n", i, i*i*i)
	}
	cut := packed(t, docs.String())
	topic := "<top><num>1<title>t</top>"
	for _, c := range []struct {
		name, importer string
		files          map[string]string
		want           string
	}{
		{"no qrels", "beir", map[string]string{"corpus.jsonl": ""}, `FROM/qrels/train.tsv: no such file or directory: fetch the collection again`},
		{"no corpus", "beir", map[string]string{"qrels/dev.tsv": "q\td\t1\n"}, `FROM/corpus.jsonl: no such file or directory: fetch the collection again`},
		{"broken line", "beir", beir(map[string]string{"corpus.jsonl": "{\"_id\":\"d\",\"text\":\"x\"}\n{\"_id\""}), `FROM/corpus.jsonl:2: unexpected end of JSON input: correct the line`},
		{"double document", "beir", beir(map[string]string{"corpus.jsonl": "{\"_id\":\"d\",\"text\":\"x\"}\n{\"_id\":\"d\",\"text\":\"x\"}\n"}), `FROM/corpus.jsonl:2: document "d": id is given twice: give every document its own`},
		{"double question", "beir", beir(map[string]string{"queries.jsonl": "{\"_id\":\"q\",\"text\":\"x\"}\n{\"_id\":\"q\",\"text\":\"x\"}\n"}), `FROM/queries.jsonl:2: question "q": id is given twice: give every question its own`},
		{"no text", "beir", beir(map[string]string{"corpus.jsonl": `{"_id":"d"}`}), `FROM/corpus.jsonl:1: document "d": has neither title nor text: take it out`},
		{"no id", "beir", beir(map[string]string{"corpus.jsonl": `{"text":"x"}`}), `FROM/corpus.jsonl:1: document "": id is empty: give it another`},
		{"unknown document", "beir", beir(map[string]string{"qrels/test.tsv": "q\td\t1\nq\te\t1\n"}), `FROM/qrels/test.tsv:2: document "e" is not in the collection: take the line out or add the document`},
		{"unknown question", "beir", beir(map[string]string{"qrels/test.tsv": "r\td\t1\n"}), `FROM/qrels/test.tsv:1: question "r" is not in the collection: take the line out or add the question`},
		{"judged twice", "beir", beir(map[string]string{"qrels/test.tsv": "q\td\t1\nq\td\t0\n"}), `FROM/qrels/test.tsv:2: document "d" is judged 1 and 0 for question "q": keep one line`},
		{"columns", "beir", beir(map[string]string{"qrels/test.tsv": "q d 1\n"}), `FROM/qrels/test.tsv:1: has 1 column: write query-id, corpus-id and score with tabs between`},
		{"grade", "beir", beir(map[string]string{"qrels/test.tsv": "q\td\t1\nq\td\t.5\n"}), `FROM/qrels/test.tsv:2: grade ".5" is not a whole number: write one`},
		{"head only", "beir", beir(map[string]string{"qrels/test.tsv": "query-id\tcorpus-id\tscore\n"}), `FROM/qrels/test.tsv: holds no judgement: fetch the collection again`},
		{"cut archive", "beir", map[string]string{"corpus.jsonl.gz": cut[:len(cut)-9], "queries.jsonl": `{"_id":"q","text":"y"}`, "qrels/test.tsv": "q\td\t1\n"}, `FROM/corpus.jsonl.gz: the archive ends too early: fetch it again`},
		{"no archive", "beir", map[string]string{"corpus.jsonl.gz": "plain text, no archive", "qrels/test.tsv": "q\td\t1\n"}, `FROM/corpus.jsonl.gz: is no gzip archive (gzip: invalid header): fetch it again`},
		{"offset", "squad", squad(`{"id":"1","question":"?","answers":[{"text":"c","answer_start":1}]}`), `FROM/dev.json: data[0].paragraphs[0]: question "1": answer "c" is not at answer_start 1 of its paragraph: count code points from 0`},
		{"beyond", "squad", squad(`{"id":"1","question":"?","answers":[{"text":"c","answer_start":99}]}`), `FROM/dev.json: data[0].paragraphs[0]: question "1": answer "c" is not at answer_start 99 of its paragraph: count code points from 0`},
		{"no answer", "squad", squad(`{"id":"1","question":"?","answers":[]}`), `FROM/dev.json: data[0].paragraphs[0]: question "1": has no answer and is not impossible: add one or take the question out`},
		{"asked twice", "squad", squad(`{"id":"1","question":"?","is_impossible":true},{"id":"1","question":"?","is_impossible":true}`), `FROM/dev.json: data[0].paragraphs[0]: question "1": id is given twice: give every question its own`},
		{"no data", "squad", map[string]string{"dev.json": `{}`}, `FROM/dev.json: data is missing or empty: take the file out or fetch it again`},
		{"broken file", "squad", map[string]string{"dev.json": "{\n\"data\": [}"}, `FROM/dev.json:2: invalid character '}' looking for beginning of value: correct it or fetch the collection again`},
		{"no topics", "trec", map[string]string{"docs/a": "", "qrels": ""}, `FROM: no file of topics: put documents into docs/, topics into topics.txt and judgements into qrels.txt`},
		{"open document", "trec", map[string]string{"docs/a": "\n<DOC>\n<DOCNO>1</DOCNO>x\n", "qrels": "", "topics": topic}, `FROM/docs/a:2: <DOC> is not closed: add </DOC>`},
		{"text outside", "trec", map[string]string{"docs/a": "<DOC><DOCNO>1</DOCNO>x</DOC>\nmore\n<DOC>", "qrels": "", "topics": topic}, `FROM/docs/a:2: text stands outside of <DOC>: put it inside or delete it`},
		{"no number", "trec", map[string]string{"docs/a": "<DOC>x</DOC>", "qrels": "", "topics": topic}, `FROM/docs/a:1: <DOC> has no <DOCNO>: add one`},
		{"double", "trec", map[string]string{"docs/a": "<DOC><DOCNO>1</DOCNO>x</DOC>", "docs/b": "\n<DOC><DOCNO>1</DOCNO>x</DOC>", "qrels": "", "topics": topic}, `FROM/docs/b:2: document "1": id is given twice: give every document its own`},
		{"open topic", "trec", map[string]string{"docs/a": "<DOC><DOCNO>1</DOCNO>x</DOC>", "qrels": "", "topics": "\n<top><num>1<title>t\n<top>"}, `FROM/topics:2: the topic is not closed: add </top> or </topic>`},
		{"empty topic", "trec", map[string]string{"docs/a": "<DOC><DOCNO>1</DOCNO>x</DOC>", "qrels": "", "topics": "<top><num>1</top>"}, `FROM/topics:1: topic "1" has no title: add <title>, <query> or <question>`},
		{"unknown judged", "trec", map[string]string{"docs/a": "<DOC><DOCNO>1</DOCNO>x</DOC>", "qrels": "1 0 1 1\n1 0 2 1\n", "topics": topic}, `FROM/qrels:2: document "2" is not in the collection: take the line out or add the document`},
		{"cut TREC archive", "trec", map[string]string{"docs/a.gz": packed(t, strings.Repeat("<DOC><DOCNO>1</DOCNO>x</DOC>", 9))[:30], "qrels": "", "topics": topic}, `FROM/docs/a.gz: the archive ends too early: fetch it again`},
		{"no qrels.json", "ranx", map[string]string{"run.json": `{}`}, `FROM: qrels.json is missing: name the file of judgements so`},
		{"double key", "ranx", map[string]string{"qrels.json": "{\"q\": {\"d\": 1,\n\"d\": 1}}"}, `FROM/qrels.json:2: document "d" stands twice for question "q": keep one`},
		{"double outer key", "ranx", map[string]string{"qrels.json": "{\"q\": {},\n\n\"q\": {}}"}, `FROM/qrels.json:3: question "q" stands twice: join the two`},
		{"no numbers", "ranx", map[string]string{"qrels.json": `{"q": {"d": "1"}}`}, `FROM/qrels.json:1: document "d" of question "q" has no number: write one`},
		{"a list", "ranx", map[string]string{"qrels.json": `{"q": ["d"]}`}, `FROM/qrels.json:1: [ stands where an object {document: number} should: write {question: {document: number}}`},
		{"cut JSON", "ranx", map[string]string{"qrels.json": "{\"q\": {\"d\": 1},\n"}, `FROM/qrels.json:1: it ends too early: fetch the file again`},
		{"unknown ranked", "ranx", map[string]string{"qrels.json": `{"q": {"d": 1}}`, "x.json": `{"r": {"d": 1}}`}, `FROM/x.json:1: question "r" is not in the collection: take the line out or add the question`},
		{"no doc_id", "ir_datasets", map[string]string{"docs.jsonl": `{"text":"x"}`}, `FROM/docs.jsonl:1: doc_id is missing: add it`},
		{"broken doc", "ir_datasets", map[string]string{"docs.jsonl": `{"doc_id":"1","text"`}, `FROM/docs.jsonl:1: it ends too early: correct the line`},
		{"no relevance", "ir_datasets", map[string]string{"docs.jsonl": `{"doc_id":"1","text":"x"}`, "queries.jsonl": `{"query_id":"1","text":"x"}`, "qrels.jsonl": `{"query_id":"1","doc_id":"1"}`}, `FROM/qrels.jsonl:1: relevance is missing: write a whole number`},
	} {
		t.Run(c.name, func(t *testing.T) { refused(t, c.importer, c.files, c.want) })
	}
}

func FuzzTRECDocs(f *testing.F) {
	f.Add(trecNews)
	f.Add("<DOC><DOC></DOC>")
	f.Add("<DOC><DOCNO>1</DOCNO></</doc></DOC>x")
	f.Fuzz(func(t *testing.T, s string) {
		n := 0
		err := scanDocs(strings.NewReader(s), "f", func(line int, d trecDoc) error {
			n++
			if d.id == "" || strings.TrimSpace(d.text) == "" || line < 1 || line > 1+strings.Count(s, "\n") {
				t.Fatalf("line %d: %+v", line, d)
			}
			return nil
		})
		if err == nil && n == 0 {
			t.Fatal("neither documents nor an error")
		}
	})
}

func FuzzTopics(f *testing.F) {
	f.Add([]byte("<top>\n<num> Number: 301\n<title> Topic: x &amp; y\n<desc> z\n</top>"))
	f.Add([]byte(`<topics><topic number="1"><query>İ</query></topic></topics>`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		topics, err := parseTopics(raw)
		if (err == nil) != (len(topics) > 0) {
			t.Fatalf("%d topics, %v", len(topics), err)
		}
		for _, x := range topics {
			if x.id == "" || x.text == "" || strings.ContainsAny(x.text, "\n\r") || x.line < 1 || x.line > 1+bytes.Count(raw, []byte("\n")) {
				t.Fatalf("%+v", x)
			}
		}
	})
}

func FuzzNestedNumbers(f *testing.F) {
	f.Add(`{"q":{"d":1,"e":2.5},"r":{}}`)
	f.Add(`{"q":{"d":[]}}`)
	f.Fuzz(func(t *testing.T, s string) {
		got := map[string]map[string]json.Number{}
		dec := json.NewDecoder(strings.NewReader(s))
		dec.UseNumber()
		err := eachNested(dec, func(q, d string, n json.Number) error {
			if got[q] == nil {
				got[q] = map[string]json.Number{}
			}
			got[q][d] = n
			return nil
		})
		var want map[string]map[string]json.Number
		if e := json.Unmarshal([]byte(s), &want); e != nil && err == nil {
			t.Fatalf("read what is no such JSON: %v", e)
		}
		for q, docs := range want {
			if err == nil && len(docs) > 0 && fmt.Sprint(got[q]) != fmt.Sprint(docs) {
				t.Fatalf("%v, want %v", got, want)
			}
		}
	})
}

func FuzzSQuAD(f *testing.F) {
	f.Add([]byte(`{"data":[{"title":"T","paragraphs":[{"context":"aé","qas":[{"id":1,"question":"q","answers":[{"text":"é","answer_start":1}]}]}]}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var file squadFile
		if decodeJSON("f", raw, &file) != nil {
			return
		}
		for _, a := range file.Data {
			for _, p := range a.Paragraphs {
				for _, q := range p.Questions {
					out, err := q.question("d", []rune(p.Context))
					if err == nil && out.Answerable() && string([]rune(p.Context)[out.Evidence[0].Start:out.Evidence[0].End]) != out.Evidence[0].Quote {
						t.Fatalf("%+v", out.Evidence)
					}
				}
			}
		}
	})
}

func FuzzIRDoc(f *testing.F) {
	f.Add([]byte(`{"doc_id":"1","title":"t","text":"x"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if d, _, err := irDoc(raw); (err == nil) != (d.ID != "") && err == nil {
			t.Fatalf("%+v", d)
		}
	})
}
