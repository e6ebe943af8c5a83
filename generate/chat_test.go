package generate

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"enterprisedocbench"
	"github.com/google/go-cmp/cmp"
)

var passages = []edb.Context{
	{Doc: "a", Page: 3, Text: "Nothing here. The rent is $9,000 a month."},
	{Doc: "b", Page: 1, Text: "The deposit is $27,000."},
}

func TestChatCitesPassages(t *testing.T) {
	var prompt string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Messages []struct{ Content string } }
		json.NewDecoder(r.Body).Decode(&in)
		prompt = in.Messages[0].Content
		w.Write([]byte(`{"model":"m-1","choices":[{"message":{"content":" The rent is $9,000 [1]. The deposit is $27,000 [1, 2]. See [2024]."},"finish_reason":"stop"}]}`))
	}))
	defer s.Close()
	g, err := New(Config{Provider: "openai", Model: "m", BaseURL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	a, err := g.Generate(t.Context(), edb.Question{ID: "q", Text: "How high is the {passages} rent?"}, passages)
	if err != nil {
		t.Fatal(err)
	}
	text := "The rent is $9,000. The deposit is $27,000. See [2024]."
	want := edb.Answer{Query: "q", Text: text, Contexts: passages, Finish: "stop", Model: "m-1", Citations: []edb.Citation{
		{Doc: "a", Page: 3, Quote: "The rent is $9,000 a month.", At: 18},
		{Doc: "a", Page: 3, Quote: "", At: 42},
		{Doc: "b", Page: 1, Quote: "The deposit is $27,000.", At: 42},
	}}
	if diff := cmp.Diff(want, a); diff != "" { // Usage stays nil: case run-usage-unknown
		t.Error(diff)
	}
	if !strings.Contains(prompt, "[2] (document b, page 1)\nThe deposit") || !strings.Contains(prompt, "the {passages} rent?") {
		t.Errorf("prompt %q", prompt)
	}
}

func TestChatFinish(t *testing.T) {
	for reason, want := range map[string]string{"stop": "stop", "length": "length", "content_filter": "filter", "": "stop"} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"content": "x"}, "finish_reason": reason}},
				"usage": map[string]int{"prompt_tokens": 5, "completion_tokens": 1}})
		}))
		g, err := New(Config{Provider: "openai", Model: "m", BaseURL: s.URL})
		if err != nil {
			t.Fatal(err)
		}
		a, err := g.Generate(t.Context(), edb.Question{}, nil)
		if err != nil || a.Finish != want || *a.Usage.PromptTokens != 5 || a.Usage.USD != nil {
			t.Errorf("%q: %+v %v", reason, a, err)
		}
		s.Close()
	}
}

func FuzzCited(f *testing.F) {
	f.Add("The rent is high [1][2]. So [9].")
	f.Add("[1]")
	f.Add("  [1] x [2;1] ")
	f.Fuzz(func(t *testing.T, s string) {
		text, cs := cited(s, passages)
		for _, c := range cs {
			if c.At < 0 || c.At > len([]rune(text)) || c.Doc == "" {
				t.Fatalf("%+v in %q", c, text)
			}
		}
	})
}

func TestNewSaysWhatIsMissing(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{Config{Provider: "gpt"}, "not one of extractive"},
		{Config{Provider: "openai", BaseURL: "localhost:80", Model: "m"}, "http://HOST"},
		{Config{Provider: "openai", BaseURL: "http://localhost"}, "no model"},
		{Config{Provider: "openai", BaseURL: "http://localhost", Model: "m", Prompt: "{question}"}, "{passages}"},
		{Config{Provider: "command"}, "no command"},
		{Config{Provider: "url", URL: "nowhere"}, "http address"},
		{Config{Provider: "extractive", Threshold: 2}, "threshold"},
	} {
		if _, err := New(c.cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.cfg, err)
		}
	}
	if Version(Config{Provider: "extractive"}) < 1 || Version(Config{Provider: "no"}) != 0 {
		t.Error("versions")
	}
}

func TestLocal(t *testing.T) {
	for u, want := range map[string]bool{
		"http://localhost:8080/v1": true, "http://127.0.0.1/v1": true, "http://127.9.9.9": true, "http://[::1]:99/": true,
		"https://api.example.com/v1": false, "http://localhost.example.com": false, "http://10.0.0.1": false, "http://0.0.0.0:80": false,
		"http://127.0.0.1.example.com": false, "": false, "http://user@localhost@evil.example/": false, "http://LOCALHOST": true,
	} {
		if got := Local(u); got != want {
			t.Errorf("Local(%q) = %v", u, got)
		}
	}
}

func TestOracle(t *testing.T) {
	g, _ := New(Config{Provider: "oracle"})
	a, err := g.Generate(t.Context(), edb.Question{ID: "q", Answer: &edb.GoldAnswer{Type: "number", Value: 4.2, Unit: "$", Scale: "million"},
		Evidence: []edb.Evidence{{Doc: "d", Page: 2}}}, nil)
	if err != nil || a.Text != "$4.2 million" || a.Citations[0].Page != 2 {
		t.Errorf("%+v %v", a, err)
	}
	a, err = g.Generate(t.Context(), edb.Question{ID: "q", Modality: edb.ModalityUnanswerable}, nil)
	if err != nil || a.Finish != "abstain" {
		t.Errorf("%+v %v", a, err)
	}
	if _, err := g.Generate(t.Context(), edb.Question{ID: "q"}, nil); err == nil {
		t.Error("no gold answer is no error")
	}
}

func TestURLProvider(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Query, Text string
			Contexts    []edb.Context
		}
		json.NewDecoder(r.Body).Decode(&in)
		json.NewEncoder(w).Encode(map[string]any{"answer": in.Query + in.Text + in.Contexts[0].Doc, "citations": []any{map[string]any{"doc": "a", "page": 3}}})
	}))
	defer s.Close()
	g, err := New(Config{Provider: "url", URL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	a, err := g.Generate(t.Context(), edb.Question{ID: "q", Text: "?"}, passages)
	if err != nil || a.Text != "q?a" || a.Citations[0].At != -1 || a.Usage != nil || a.Finish != "stop" {
		t.Errorf("%+v %v", a, err)
	}
}

// TestHelperGenerator is not a test: it is the program behind the command provider.
func TestHelperGenerator(t *testing.T) {
	if os.Getenv("EDB_HELPER") == "" {
		t.Skip("it is the program that TestCommandProvider starts")
	}
	d := json.NewDecoder(os.Stdin)
	for {
		var in foreignIn
		if d.Decode(&in) != nil {
			os.Exit(0)
		}
		if in.Text == "die" {
			os.Stderr.WriteString("out of paper")
			os.Exit(3)
		}
		json.NewEncoder(os.Stdout).Encode(map[string]any{"answer": strings.ToUpper(in.Text)})
	}
}

func TestCommandProvider(t *testing.T) {
	t.Setenv("EDB_HELPER", "1")
	g, err := New(Config{Provider: "command", Command: []string{os.Args[0], "-test.run=^TestHelperGenerator$"}})
	if err != nil {
		t.Fatal(err)
	}
	defer g.(*command).Close()
	for _, text := range []string{"one", "two"} {
		if a, err := g.Generate(t.Context(), edb.Question{ID: "q", Text: text}, nil); err != nil || a.Text != strings.ToUpper(text) {
			t.Fatalf("%+v %v", a, err)
		}
	}
	if _, err := g.Generate(t.Context(), edb.Question{ID: "q7", Text: "die"}, nil); err == nil || !strings.Contains(err.Error(), "out of paper") || !strings.Contains(err.Error(), "q7") {
		t.Errorf("%v", err)
	}
	if a, err := g.Generate(t.Context(), edb.Question{ID: "q", Text: "again"}, nil); err != nil || a.Text != "AGAIN" {
		t.Errorf("after a crash: %+v %v", a, err)
	}
	bad, _ := New(Config{Provider: "command", Command: []string{"no-such-program-here"}})
	if _, err := bad.Generate(t.Context(), edb.Question{}, nil); err == nil || !strings.Contains(err.Error(), "does not start") {
		t.Errorf("%v", err)
	}
}

func FuzzDecodeAnswer(f *testing.F) {
	f.Add([]byte(`{"answer":"x","citations":[{"doc":"d","page":1,"at":1}]}`))
	f.Add([]byte(`{"answer":"x","usage":{"prompt_tokens":null}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, err := decodeAnswer(raw, edb.Question{ID: "q"}, nil)
		if err != nil {
			if err.Error() == "" {
				t.Fatal("an error without words")
			}
			return
		}
		if a.Query != "q" || !slices.Contains([]string{"stop", "length", "filter", "abstain"}, a.Finish) {
			t.Fatalf("query %q, finish %q", a.Query, a.Finish)
		}
		if u := a.Usage; u != nil && (u.PromptTokens != nil && *u.PromptTokens < 0 || u.CompletionTokens != nil && *u.CompletionTokens < 0 || u.USD != nil && *u.USD < 0) {
			t.Fatalf("usage %+v", u)
		}
		for _, c := range a.Citations {
			if c.At < -1 || c.At > utf8.RuneCountInString(a.Text) {
				t.Fatalf("a citation at %d of %q", c.At, a.Text)
			}
		}
	})
}
