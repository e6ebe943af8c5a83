package generate

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"enterprisedocbench"
	"enterprisedocbench/internal/model"
	"enterprisedocbench/internal/tokens"
)

// DefaultPrompt is the template of a chat call: {passages} becomes the numbered passages, {question}
// the question.
const DefaultPrompt = `Answer the question from the numbered passages below and from nothing else.
After each statement write the number of the passage that it rests on in square brackets, like [2].
Answer in one or two short sentences. If the passages do not hold the answer, reply exactly: ` + Refusal + `

Passages:
{passages}

Question: {question}`

const defaultMaxTokens = 512

// chat asks an OpenAI-compatible server.
type chat struct {
	cfg    Config
	client model.Client
}

var _ Generator = (*chat)(nil)

func newChat(cfg Config) (*chat, error) {
	if _, err := httpURL(cfg.BaseURL); err != nil {
		return nil, fmt.Errorf("generate: base_url: %w", err)
	}
	if cfg.Model == "" {
		return nil, fmt.Errorf("generate: provider openai has no model: give its name")
	}
	if cfg.Prompt == "" {
		cfg.Prompt = DefaultPrompt
	}
	for _, part := range []string{"{passages}", "{question}"} {
		if !strings.Contains(cfg.Prompt, part) {
			return nil, fmt.Errorf("generate: prompt has no %s: the template needs {passages} and {question}", part)
		}
	}
	if cfg.MaxTokens == 0 {
		cfg.MaxTokens = defaultMaxTokens
	}
	return &chat{cfg, model.Client{BaseURL: cfg.BaseURL, KeyEnv: cfg.KeyEnv, Retries: cfg.Retries}}, nil
}

// fill puts passages and question into a template; neither is searched for place holders.
func fill(template, question string, contexts []edb.Context) string {
	var b strings.Builder
	for i, c := range contexts {
		if i > 0 {
			b.WriteString("\n\n")
		}
		fmt.Fprintf(&b, "[%d] (document %s, page %d)\n%s", i+1, c.Doc, c.Page, c.Text)
	}
	return strings.NewReplacer("{passages}", b.String(), "{question}", question).Replace(template)
}

func (g *chat) Generate(ctx context.Context, q edb.Question, contexts []edb.Context) (edb.Answer, error) {
	a := edb.Answer{Query: q.ID, Contexts: contexts, Model: g.cfg.Model}
	r, err := g.client.Chat(ctx, model.Request{Model: g.cfg.Model, Temperature: g.cfg.Temperature, MaxTokens: g.cfg.MaxTokens,
		Seed: g.cfg.Seed, Messages: []model.Message{{Role: "user", Content: fill(g.cfg.Prompt, q.Text, contexts)}}})
	if err != nil {
		return a, err
	}
	if r.Model != "" {
		a.Model = r.Model
	}
	if r.PromptTokens != nil || r.CompletionTokens != nil {
		a.Usage = &edb.Usage{PromptTokens: r.PromptTokens, CompletionTokens: r.CompletionTokens}
	}
	a.Text, a.Citations = cited(r.Text, contexts)
	switch r.Finish {
	case "length":
		a.Finish = "length"
	case "content_filter":
		a.Finish = "filter"
	default:
		a.Finish = "stop"
		if strings.HasPrefix(strings.ToLower(a.Text), strings.ToLower(strings.TrimSuffix(Refusal, "."))) {
			a.Finish = "abstain"
		}
	}
	return a, nil
}

var marker = regexp.MustCompile(`[ \t]*\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\]`)

// cited takes the [n] marks out of a reply and gives them as citations of the passages they name,
// each at the code point offset in the returned text that it follows. Marks that name no passage
// stay in the text. The quote is the passage's sentence most like the words before the mark.
func cited(reply string, contexts []edb.Context) (string, []edb.Citation) {
	reply = strings.TrimSpace(strings.ToValidUTF8(reply, "\uFFFD"))
	var text strings.Builder
	var out []edb.Citation
	at, from := 0, 0
	for _, m := range marker.FindAllStringSubmatchIndex(reply, -1) {
		var numbers []int
		good := true
		for _, s := range strings.FieldsFunc(reply[m[2]:m[3]], func(r rune) bool { return r < '0' || r > '9' }) {
			n, err := strconv.Atoi(s)
			if err != nil || n < 1 || n > len(contexts) {
				good = false
				break
			}
			numbers = append(numbers, n)
		}
		if !good {
			continue
		}
		piece := reply[from:m[0]]
		text.WriteString(piece)
		at += utf8.RuneCountInString(piece)
		from = m[1]
		for _, n := range numbers {
			c := contexts[n-1]
			out = append(out, edb.Citation{Doc: c.Doc, Page: c.Page, Quote: likest(c.Text, lastSentence(text.String())), At: at})
		}
	}
	text.WriteString(reply[from:])
	clean := strings.TrimSpace(text.String())
	n := utf8.RuneCountInString(clean)
	lead := utf8.RuneCountInString(text.String()) - utf8.RuneCountInString(strings.TrimLeft(text.String(), " \t\n\r"))
	for i := range out {
		out[i].At = min(max(out[i].At-lead, 0), n)
	}
	return clean, out
}

func lastSentence(s string) string {
	ss := tokens.Sentences(s)
	if len(ss) == 0 {
		return s
	}
	return string([]rune(s)[ss[len(ss)-1].Start:])
}

// likest is the sentence or line of a passage that shares the most words with a statement, at most
// 300 code points of it; empty where none shares a word.
func likest(passage, statement string) string {
	want := map[string]bool{}
	for _, k := range tokens.WordKeys(statement) {
		if !stop[k] {
			want[k] = true
		}
	}
	best, most := "", 0
	for _, u := range cut(0, passage) {
		n := 0
		for _, k := range tokens.WordKeys(u.text) {
			if want[k] {
				n++
			}
		}
		if n > most {
			best, most = u.text, n
		}
	}
	return shorten(best)
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 300 {
		return string(r[:300])
	}
	return s
}
