package ingest

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	edb "enterprisedocbench"
)

func text(s string) *edb.GoldAnswer { return &edb.GoldAnswer{Type: "text", Value: s} }

func TestReadQuestions(t *testing.T) {
	rent := []Asked{{ID: "q0001", Text: "What is the rent?", Modality: "single-hop", Answer: text("a lot"), Line: 2,
		Places: []Place{{Doc: "lease.pdf", Page: 3, Quote: "The rent is a lot.", Line: 2}}}}
	tests := []struct {
		name, file, text string
		want             []Asked
	}{
		{"CSV", "q.csv", "question,answer,document,page,quote\nWhat is the rent?,a lot,lease.pdf,3,The rent is a lot.\n", rent},
		{"other names, order and case, a mark at the start, Windows line ends", "q.csv",
			"\ufeffFile Name,PAGE_NUMBER,Query,Evidence Text,Expected-Answer,note\r\nlease.pdf,p. 3,What is the rent?,The rent is a lot.,a lot,x\r\n", rent},
		{"semicolons", "q.csv", "question;answer;document;page;quote\nWhat is the rent?;a lot;lease.pdf;3.0;The rent is a lot.\n", rent},
		{"tabs", "q.tsv", "question\tanswer\tdocument\tpage\tquote\nWhat is the rent?\ta lot\tlease.pdf\t3\tThe rent is a lot.\n", rent},
		{"quotes, and empty fields behind", "q.csv", "question,answer,document,page,quote\n\"What is the rent?\",a lot,lease.pdf,3,\"The rent is a lot.\",,\n", rent},
		{"blank lines", "q.csv", "\nquestion,answer,document,page,quote\n\n,,,,\nWhat?,x,,,\n", []Asked{{ID: "q0001", Text: "What?", Modality: "single-hop", Answer: text("x"), Line: 5}}},
		{"a quote over two lines counts lines on", "q.csv", "question,document,quote\nA?,d,\"one\ntwo\"\nB?,d,x\n", []Asked{
			{ID: "q0001", Text: "A?", Modality: "single-hop", Line: 2, Places: []Place{{Doc: "d", Quote: "one\ntwo", Line: 2}}},
			{ID: "q0002", Text: "B?", Modality: "single-hop", Line: 4, Places: []Place{{Doc: "d", Quote: "x", Line: 4}}}}},
		{"one question in two places", "q.csv", "question,answer,document,page\nA?,1,d,1\nA?,,d,2\n", []Asked{{ID: "q0001", Text: "A?", Modality: "multi-hop", Line: 2,
			Answer: &edb.GoldAnswer{Type: "number", Value: 1.0, Aliases: []string{"1"}}, Places: []Place{{Doc: "d", Page: 1, Line: 2}, {Doc: "d", Page: 2, Line: 3}}}}},
		{"ids, and one that is like ours", "q.csv", "id,question\nx,A?\n,B?\nq0002,C?\n", []Asked{
			{ID: "x", Text: "A?", Modality: "single-hop", Line: 2}, {ID: "q0003", Text: "B?", Modality: "single-hop", Line: 3}, {ID: "q0002", Text: "C?", Modality: "single-hop", Line: 4}}},
		{"unanswerable", "q.csv", "question,answer,modality\nA?,,Unanswerable\nB?,unanswerable,\n", []Asked{
			{ID: "q0001", Text: "A?", Modality: "unanswerable", Line: 2}, {ID: "q0002", Text: "B?", Modality: "unanswerable", Line: 3}}},
		{"JSON lines", "q.jsonl", "\n" + `{"question":"What is the rent?","answer":"a lot","file":"lease.pdf","page":3,"evidence":"The rent is a lot.","extra":[1]}` + "\n", rent},
		{"JSON lines by content", "questions", `{"text":"A?","page":null}`, []Asked{{ID: "q0001", Text: "A?", Modality: "single-hop", Line: 1}}},
		{"the layout of queries.jsonl", "q.jsonl",
			`{"id":"x","text":"A?","modality":"table","answer":{"type":"number","value":12,"unit":"USD"},"evidence":[{"doc":"d","page":1,"start":0,"end":2,"quote":"12"},{"doc":"e","page":2}]}`,
			[]Asked{{ID: "x", Text: "A?", Modality: "table", Line: 1, Answer: &edb.GoldAnswer{Type: "number", Value: 12.0, Unit: "USD"},
				Places: []Place{{Doc: "d", Page: 1, Quote: "12", Line: 1}, {Doc: "e", Page: 2, Line: 1}}}}},
		{"evidence takes the document of its line", "q.jsonl", `{"question":"A?","evidence":{"page":2},"file":"d"}`,
			[]Asked{{ID: "q0001", Text: "A?", Modality: "single-hop", Line: 1, Places: []Place{{Doc: "d", Page: 2, Line: 1}}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseQuestions(tt.file, []byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestReadQuestionsSaysWhatIsWrong(t *testing.T) {
	tests := []struct{ name, file, text, want string }{
		{"empty", "q.csv", "", "q.csv:1: the file is empty: write the column names"},
		{"column names alone", "q.csv", "question,answer\n", "q.csv:1: there is no question: write one"},
		{"no question column", "q.csv", "frage,antwort\nA?,x\n", `q.csv:1: no column is called question (there are "frage", "antwort"): name the columns`},
		{"a column twice", "q.csv", "question,query\nA?,B?\n", "q.csv:1: two columns stand for the question: keep one"},
		{"commas without quotes", "q.csv", "question,answer\nA?,x,y\n", "q.csv:2: 3 fields where the header has 2: put fields that hold ',' in quotes"},
		{"a quote that does not end", "q.csv", "question,answer\n\"A?,x\n", "q.csv:2: cannot be read as CSV"},
		{"an empty question", "q.csv", "question,answer\n,x\n", "q.csv:2: the question is empty: write it"},
		{"a page range", "q.csv", "question,document,page\nA?,d,3-4\n", `q.csv:2: page "3-4" is no page number: write one physical page`},
		{"page 0", "q.csv", "question,document,page\nA?,d,0\n", `q.csv:2: page "0" is no page number`},
		{"a page without document", "q.csv", "question,document,page\nA?,,3\n", "q.csv:2: there is a page or a quote but no document: name"},
		{"two answers", "q.csv", "question,answer\nA?,x\nA?,y\n", "q.csv:3: the answer differs from that on line 2: write one"},
		{"one id for two", "q.csv", "id,question\n1,A?\n1,B?\n", `q.csv:3: id "1" is given to another question on line 2: give`},
		{"a modality that is none", "q.csv", "question,modality\nA?,hard\n", `q.csv:2: modality is "hard": use single-hop`},
		{"unanswerable with an answer", "q.csv", "question,answer,modality\nA?,x,unanswerable\n", "q.csv:2: is unanswerable but has an answer: leave"},
		{"unanswerable with evidence", "q.csv", "question,modality,document,page\nA?,unanswerable,d,1\n", "q.csv:2: is unanswerable but has evidence: leave"},
		{"Latin-1", "q.csv", "question\nok\nGr\xfc\xdfe?\n", "q.csv:3: is not UTF-8: save the file as UTF-8"},
		{"half an object", "q.jsonl", "{\"question\":\"A?\"}\n{\"question\":", "q.jsonl:2: is no JSON object"},
		{"two objects on a line", "q.jsonl", `{"question":"A?"} {}`, "q.jsonl:1: is no JSON object: more stands behind the object: write one object a line"},
		{"a list", "q.jsonl", "[1]", "q.jsonl:1: is no JSON object"},
		{"null", "q.jsonl", "null", "q.jsonl:1: is no JSON object"},
		{"a list as answer", "q.jsonl", `{"question":"A?","answer":["x"]}`, `q.jsonl:1: "answer" is no text or number: write`},
		{"an answer without value", "q.jsonl", `{"question":"A?","answer":{"type":"text"}}`, "q.jsonl:1: answer: there is no value: write"},
		{"two names of one thing", "q.jsonl", `{"question":"A?","doc":"d","file":"e"}`, `q.jsonl:1: "doc" and "file" both stand for the document: keep`},
		{"evidence that is none", "q.jsonl", `{"question":"A?","evidence":[1]}`, "q.jsonl:1: evidence is no list of objects: write"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parseQuestions(tt.file, []byte(tt.text))
			var fe FaultsError
			if !errors.As(err, &fe) || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func TestAllFaultsComeTogether(t *testing.T) {
	_, err := parseQuestions("q.csv", []byte("question,document,page\n,,\nA?,d,x\nB?,d,y\nC?,d,1\n"))
	var fe FaultsError
	if !errors.As(err, &fe) || len(fe) != 2 || fe[0].Line != 3 || fe[1].Line != 4 {
		t.Errorf("got %v", err)
	}
	long := make(FaultsError, shownFaults+5)
	if s := long.Error(); !strings.HasSuffix(s, "... and 5 more") {
		t.Errorf("many faults end in %q", s[max(0, len(s)-20):])
	}
}

func TestTyped(t *testing.T) {
	number := func(v float64, s, unit, scale string) edb.GoldAnswer {
		return edb.GoldAnswer{Type: "number", Value: v, Unit: unit, Scale: scale, Aliases: []string{s}}
	}
	tests := []struct {
		in   string
		want edb.GoldAnswer
	}{
		{"1,234.5", number(1234.5, "1,234.5", "", "")},
		{"$4.2 million", number(4.2, "$4.2 million", "USD", "million")},
		{"1,200 USD", number(1200, "1,200 USD", "USD", "")},
		{"EUR 3.5 million", number(3.5, "EUR 3.5 million", "EUR", "million")},
		{"1,200 USD a month", edb.GoldAnswer{Type: "text", Value: "1,200 USD a month"}},
		{"12%", number(12, "12%", "%", "")},
		{"(2,500)", number(-2500, "(2,500)", "", "")},
		{"Yes.", edb.GoldAnswer{Type: "boolean", Value: true}},
		{"false", edb.GoldAnswer{Type: "boolean", Value: false}},
		{"2024-02-29", edb.GoldAnswer{Type: "date", Value: "2024-02-29"}},
		{"2023-02-29", edb.GoldAnswer{Type: "text", Value: "2023-02-29"}},
		{"30 days", edb.GoldAnswer{Type: "text", Value: "30 days"}},
		{"the tenant", edb.GoldAnswer{Type: "text", Value: "the tenant"}},
	}
	for _, tt := range tests {
		if d := cmp.Diff(&tt.want, typed(tt.in)); d != "" {
			t.Errorf("%q: %s", tt.in, d)
		}
	}
}

// Whatever stands in a file of questions, it gives questions that a dataset takes, or faults with a
// line that the file has.
func FuzzQuestions(f *testing.F) {
	for _, s := range []string{
		"question,answer,document,page,quote\nA?,x,d.pdf,3,y\n", "question;page\n\"a\nb\";1\n", "\ufeffid\tquestion\n1\tA?\n",
		`{"question":"A?","answer":{"type":"set","value":["a"]},"evidence":[{"doc":"d","page":1}]}`, "{\"text\":1}\n{}\nnull", "a,\"b\nc", "\xff\xfe", "question\n\n\n",
	} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, s string, jsonl bool) {
		path := "q.csv"
		if jsonl {
			path = "q.jsonl"
		}
		got, err := parseQuestions(path, []byte(s))
		lines := strings.Count(s, "\n") + strings.Count(s, "\r") + 1
		if err != nil {
			var fe FaultsError
			if !errors.As(err, &fe) || len(fe) == 0 {
				t.Fatalf("an error without faults: %v", err)
			}
			for _, x := range fe {
				if x.Line < 1 || x.Line > lines || x.Problem == "" || x.Fix == "" {
					t.Fatalf("fault %+v of %d lines", x, lines)
				}
			}
			return
		}
		ids := map[string]bool{}
		for _, q := range got {
			if q.ID == "" || ids[q.ID] || q.Text == "" || q.Modality == "" || q.Line < 1 || q.Line > lines {
				t.Fatalf("question %+v", q)
			}
			ids[q.ID] = true
			for _, p := range q.Places {
				if p.Doc == "" || p.Page < 0 || p.Line < 1 {
					t.Fatalf("place %+v", p)
				}
			}
		}
	})
}
