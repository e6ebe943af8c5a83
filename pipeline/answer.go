package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"enterprisedocbench"
	"enterprisedocbench/generate"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/parse"
)

// private refuses foreign addresses where the dataset may not leave the machine.
func (r *runner) private() error {
	if r.ds.Info.Privacy.Send != "never" {
		return nil
	}
	for _, a := range r.arms {
		var urls []string
		urls = append(urls, a.parsing.spec.URL)
		if a.parsing.spec.Engine == "docling" {
			urls = append(urls, parse.DoclingURL())
		}
		for _, e := range []any{a.Stages.Retrieve.Engine, a.Stages.Generate.Engine} {
			if e != nil {
				f, err := foreign(e, false)
				if err != nil {
					return err
				}
				urls = append(urls, f.URL)
			}
		}
		if a.Stages.Generate.Provider == "openai" {
			urls = append(urls, a.Stages.Generate.BaseURL)
		}
		for _, u := range urls {
			if u != "" && !generate.Local(u) {
				return fmt.Errorf("%s: pipeline %s sends to %s, but dataset.yaml says privacy: {send: never}: use an address on this machine", r.cfg.Dataset, a.name, u)
			}
		}
	}
	return nil
}

// answerRecord is a line of answers.jsonl.
type answerRecord struct {
	Arm string `json:"arm"`
	edb.Answer
}

func (a *arm) generateConfig(seed uint64) (generate.Config, error) {
	s := a.Stages.Generate
	c := generate.Config{Provider: s.Provider, Model: s.Model, BaseURL: s.BaseURL, KeyEnv: s.KeyEnv, Prompt: s.Prompt,
		Temperature: s.Temperature, MaxTokens: s.MaxTokens, Threshold: s.Threshold, Fault: s.Fault, Decompose: s.Decompose}
	if s.Provider == "scripted" {
		seed := int(seed % (1 << 31))
		c.Seed = &seed
	}
	if s.Engine != nil {
		f, err := foreign(s.Engine, false)
		if err != nil {
			return c, err
		}
		c.Provider, c.Command, c.URL = "command", f.Command, f.URL
		if f.URL != "" {
			c.Provider = "url"
		}
	}
	if a.oracleGenerate {
		c = generate.Config{Provider: "oracle"}
	}
	return c, nil
}

// budget is an error once what this call spent on models has reached the limit.
func (r *runner) budget() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.opt.Budget > 0 && r.spent >= r.opt.Budget {
		return fmt.Errorf("the budget of %v USD is spent (%.4f): raise --budget and run again, what is answered is kept", r.opt.Budget, r.spent)
	}
	return nil
}

// spend adds an answer's cost: the server's own figure, else tokens by the price book.
func (r *runner) spend(a *arm, u *edb.Usage) {
	if u == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch t, ok := r.prices.TokensPerMillion[a.Stages.Generate.Model]; {
	case u.USD != nil:
		r.spent += *u.USD
	case ok && u.PromptTokens != nil && u.CompletionTokens != nil:
		r.spent += (float64(*u.PromptTokens)*t.Prompt + float64(*u.CompletionTokens)*t.Completion) / 1e6
	}
}

// stuffed reports context stuffing: the generator is given every passage.
func (a *arm) stuffed() bool {
	return a.Stages.Retrieve.Method == "all" && a.Stages.Retrieve.Engine == nil
}

// given is how many of the passages retrieved reach the generator: k, or all in context stuffing.
func (a *arm) given(hits int) int {
	if a.stuffed() {
		return hits
	}
	return a.Stages.Retrieve.K
}

// filed is an answer as answers.jsonl holds it: in context stuffing, where every answer was given the
// whole corpus, its contexts are named without their text, which passages.jsonl has.
func (a *arm) filed(v edb.Answer) edb.Answer {
	if !a.stuffed() {
		return v
	}
	names := make([]edb.Context, len(v.Contexts))
	for i, c := range v.Contexts {
		c.Text = ""
		names[i] = c
	}
	v.Contexts = names
	return v
}

// again is the generator of one repeat.
func again(g generate.Generator, repeat int) generate.Generator {
	if r, ok := g.(generate.Repeated); ok {
		return r.Again(repeat)
	}
	return g
}

// contexts are the first k passages of a ranking as the generator sees them.
func contexts(rk *ranked, hits []edb.Hit, k int) []edb.Context {
	var out []edb.Context
	for _, h := range hits[:min(k, len(hits))] {
		p, ok := rk.byID[h.Passage]
		if !ok {
			continue
		}
		page, most := 0, -1
		for _, s := range p.Spans {
			if s.End-s.Start > most {
				page, most = s.Page, s.End-s.Start
			}
		}
		out = append(out, edb.Context{Passage: p.ID, Doc: p.Doc, Page: page, Text: p.Text})
	}
	return out
}

// generate answers every question from what each arm retrieved.
func (r *runner) generate(ctx context.Context) error {
	r.answered = make([][]edb.Answer, len(r.arms))
	per := len(r.asked) * r.cfg.Repeats
	return store.WriteWith(filepath.Join(r.dir, "answers.jsonl"), func(w io.Writer) error {
		for i, rk := range r.ranked {
			r.answered[i] = make([]edb.Answer, per)
			if rk.arm.Stages.Generate.Provider == "none" && rk.arm.Stages.Generate.Engine == nil {
				r.answered[i] = nil
				continue
			}
			if err := r.answerArm(ctx, i, w, i*per, len(r.arms)*per); err != nil {
				return fmt.Errorf("%s: %w", rk.arm.name, err)
			}
		}
		return nil
	})
}

func (r *runner) answerArm(ctx context.Context, i int, w io.Writer, done, total int) error {
	rk := r.ranked[i]
	a := rk.arm
	cfg, err := a.generateConfig(r.cfg.Seed)
	if err != nil {
		return err
	}
	asked := cfg
	asked.Retries = r.opt.retries
	gen, err := generate.New(asked)
	if err != nil {
		return err
	}
	var gate *breaker
	if cfg.Provider == "openai" || cfg.Provider == "command" || cfg.Provider == "url" {
		gate = newBreaker()
	}
	if c, ok := gen.(io.Closer); ok {
		defer c.Close()
	}
	do := func(ctx context.Context, n int) (edb.Answer, error) {
		q, repeat := r.asked[n/r.cfg.Repeats], n%r.cfg.Repeats
		out := edb.Answer{Query: q.ID, Repeat: repeat}
		ranking := rk.rankings[n/r.cfg.Repeats]
		if ranking.Error != "" {
			out.Error, out.Finish = "nothing retrieved: "+ranking.Error, "error"
			return out, nil
		}
		given := contexts(rk, ranking.Hits, a.given(len(ranking.Hits)))
		key := store.KeyOf("generate", cfg, generate.Version(cfg), q.Text, given, repeat)
		if a.oracleGenerate || cfg.Provider == "scripted" {
			key = store.KeyOf(key, q.Answer, q.Evidence)
		}
		e, found, err := r.cache.Do(ctx, key, "generate", func(ctx context.Context) (store.Entry, error) {
			if err := r.budget(); err != nil {
				return store.Entry{}, err
			}
			var start time.Time
			var ans edb.Answer
			err := gate.call(ctx, func() (err error) {
				start = time.Now()
				ans, err = again(gen, repeat).Generate(ctx, q, given)
				return err
			})
			if err != nil {
				return store.Entry{}, err
			}
			r.spend(a, ans.Usage)
			ans.Contexts = nil
			return store.Entry{Value: store.JSON(ans), Cost: store.JSON(edb.Cost{Stage: "generate", WallSeconds: time.Since(start).Seconds(), Usage: ans.Usage})}, nil
		})
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if err != nil {
			out.Error, out.Finish, out.Contexts = err.Error(), "error", given
			return out, nil
		}
		if err := json.Unmarshal(e.Value, &out); err != nil {
			return out, fmt.Errorf("cache: answer to %s: %w", q.ID, err)
		}
		out.Query, out.Repeat, out.Contexts = q.ID, repeat, given
		var c edb.Cost
		if err := json.Unmarshal(e.Cost, &c); err != nil {
			return out, fmt.Errorf("cache: cost of %s: %w", q.ID, err)
		}
		c.Arm, c.Unit, c.Cached = a.name, q.ID, found
		r.mu.Lock()
		r.costs = append(r.costs, c)
		r.mu.Unlock()
		return out, nil
	}
	emit := func(n int, v edb.Answer) error {
		r.opt.Progress("generate", done+n+1, total)
		r.answered[i][n] = v
		if v.Error != "" {
			r.failures = append(r.failures, edb.Failure{Arm: a.name, Stage: "generate", Unit: v.Query, Kind: "generate", Error: v.Error})
		}
		return jsonLine(w, answerRecord{a.name, a.filed(v)})
	}
	return ordered(ctx, len(r.asked)*r.cfg.Repeats, r.opt.Workers, do, emit)
}
